"""What a limit cut off, and what was found and passed over, is told with the answer."""

from typing import Any

import pytest

from agent.answer import Answer, Cut, Status
from agent.extent import Extent
from agent.render import terminal
from agent.render_html import fragment
from agent.render_markdown import markdown
from agent.report.parts import below
from agent.talk.looking_back import sources
from agent.talk.state import Conversation, Turn
from tests.test_agent.helpers import ask_garden, ask_scripted, tool_texts
from tests.test_agent.scripted import ScriptedModel, answer, call, calls
from tests.test_agent.test_answer import answer as made
from tests.test_tools.fake import reader, section

OAK = "\n".join(f"{place}. An oak needs {place} years to bear acorns." for place in range(1, 60))
TREES = reader(section("sec-trees", "1", "Trees", "Trees grow.", section("sec-oak", "1.1", "Oak", OAK)))
GOOD = answer(("Oaks take long.", [("sec-oak", "An oak needs 2 years to bear acorns.")]))
FETCH = "fetch_section_chunks"


def asked(*script: Any, **given: Any) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(script=list(script))
    return ask_garden("How long does an oak take?", model, reader=TREES, **given), model


def test_a_section_of_which_a_rest_was_cut_is_read_in_part() -> None:
    got, _ = asked(call(FETCH, sectionid="sec-oak", limit=600), GOOD)
    assert [one.sectionid for one in got.cut] == ["sec-oak"]
    assert 300 < got.cut[0].shown <= 600 < got.cut[0].size
    part = f"Read in part: sec-oak ({got.cut[0].shown:,} of {got.cut[0].size:,} characters)"
    for text in (terminal(got), fragment(got)):
        assert part in text
        assert "Read: sec-oak" not in text
    assert got.to_dict()["cut"] == [
        {"sectionid": "sec-oak", "shown": got.cut[0].shown, "size": got.cut[0].size}
    ]


def test_what_the_budget_cut_is_read_in_part() -> None:
    got, _ = asked(call(FETCH, sectionid="sec-oak"), GOOD, budget_characters=1_200)
    assert [one.sectionid for one in got.cut] == ["sec-oak"]


def test_a_refusal_calls_nothing_read_of_which_a_rest_is_left() -> None:
    refused = answer(refusal="It is not said.")
    got, _ = asked(call(FETCH, sectionid="sec-oak", limit=600), call(FETCH, sectionid="sec-trees"), refused)
    assert got.status is Status.REFUSED
    assert "Read: sec-trees" in got.text
    assert "Read in part: sec-oak (" in terminal(got)


def test_the_outline_says_what_was_read_in_part_only() -> None:
    outline = call("check_subsections", sectionid="sec-trees")
    _, model = asked(call(FETCH, sectionid="sec-oak", limit=600), outline, GOOD)
    assert "read in part" in tool_texts(model.sent[-1])[-1]
    _, model = asked(call(FETCH, sectionid="sec-oak"), outline, GOOD)
    assert "already read" in tool_texts(model.sent[-1])[-1]


def test_a_result_over_the_budget_is_named() -> None:
    got, _ = ask_scripted(
        call("search_spec", query="seed bed water"), call("search_spec", query="bed"), GOOD,
        budget_characters=900,
    )  # fmt: skip
    assert got.not_shown == ('search_spec(query="bed")',)
    assert 'Not shown, over a limit: search_spec(query="bed")' in terminal(got)


def test_calls_over_the_limit_of_calls_are_named_unless_they_were_answered_later() -> None:
    many = calls(*(("search_spec", {"query": word}) for word in ("seed", "bed", "rain")))
    got, _ = ask_scripted(many, GOOD, max_calls=2)
    assert got.not_shown == ('search_spec(query="rain")',)


def test_what_was_found_or_referred_to_and_not_read_is_counted_and_the_first_are_named() -> None:
    got = made(found_unread=tuple(f"sec-{place}" for place in range(5)), referred_unread=("sec-x",))
    report = "\n".join(below(got, reader=None, budget=0))
    for text in (terminal(got), fragment(got), markdown(got).replace("\\", "")):
        assert "Found, not read: sec-0, sec-1, sec-2 and 2 more" in text
        assert "Referred to, not read: sec-x" in text
        assert "Markers not followed: sec-b" in text
    assert "Found, not read (5)" in report
    assert "<code>sec-4</code>" in report


def test_a_line_of_long_ids_names_fewer_and_cuts_none() -> None:
    ids = tuple(f"sec-{letter * 60}" for letter in "abc")
    shown = next(line for line in terminal(made(unfollowed=ids)).splitlines() if "not followed" in line)
    assert shown == f"Markers not followed: {ids[0]} and 2 more"
    longest = f"sec-{'x' * 200}"
    assert f"Markers not followed: {longest}\n" in terminal(made(unfollowed=(longest,)))


def test_a_conversation_knows_what_no_answer_read_whole(talking: Conversation) -> None:
    part = made(read=("sec-a", "sec-b"), cut=(Cut("sec-a", 1, 2), Cut("sec-b", 1, 2)))
    for one in (part, made(read=("sec-a",))):
        talking.add(Turn("q", one), tokens=(0, 0))
    assert talking.read_in_part() == {"sec-b"}


def test_sources_lists_all_of_what_was_not_read(talking: Conversation) -> None:
    ids = tuple(f"sec-{place}" for place in range(9))
    talking.add(Turn("q", made(found_unread=ids, cut=(Cut("sec-a", 1, 2),))), tokens=(0, 0))
    told = sources(talking, "")
    assert f"Found, not read: {', '.join(ids)}" in told
    assert "Read in part: sec-a (1 of 2 characters)" in told


@pytest.mark.parametrize(
    ("spans", "shown"),
    [
        ([(0, 10)], 10),
        ([(0, 4), (4, 10)], 10),
        ([(4, 10), (0, 4)], 10),
        ([(0, 6), (2, 4)], 6),
        ([(0, 2), (8, 10)], 4),
        ([(0, 4), (0, 4)], 4),
    ],
)
def test_characters_that_were_shown_twice_count_once(spans: list[tuple[int, int]], shown: int) -> None:
    extent = Extent()
    for start, end in spans:
        extent.add(start, end, size=10)
    assert (extent.shown, extent.whole) == (shown, shown == 10)


def test_hostile_names_stay_text() -> None:
    bad = "\x1b[31m<b>sec"
    got = made(
        cut=(Cut(bad, 1, 2),), not_shown=(bad,), found_unread=(bad,), referred_unread=(bad,), followed=(bad,)
    )
    shown = terminal(got) + markdown(got) + fragment(got) + "".join(below(got, reader=None, budget=0))
    assert "\x1b" not in shown
    assert "<b>sec" not in fragment(got)
    assert not any("<b>sec" in part for part in below(got, reader=None, budget=0))
