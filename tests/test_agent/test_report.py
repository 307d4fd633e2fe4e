"""The HTML report: what stands where, nothing that others wrote acts, nothing is loaded from anywhere."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer, Citation, Status, Step, Verdict
from agent.ask import ask
from agent.batch.questions import Question
from agent.batch.work import Batch, Rules
from agent.offline import OfflineModel
from agent.report.page import LISTED, answers_page, batch_page, write_batch
from agent.report.parts import below
from agent.report.places import AROUND, passages_of
from agent.report.reads import tree_of
from storage.embedder import load_embedder
from storage.errors import InputError
from storage.reader import LanceReader
from storage.settings import Settings
from tests.test_agent.test_answer import answer
from tests.test_agent.test_render_formats import HOSTILE, hostile
from tests.test_tools.fake import small

QUESTION = "What does Count::divide do when the divisor is 0?"
VOID = {"meta", "br"}


class Page(HTMLParser):
    """A page as a browser would read it: elements with attributes, ids, text, and whether all are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.marked: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "mark":
            self.marked.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "mark" in self.open:
            self.marked[-1] += data

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.elements if attribute in attrs]


@pytest.fixture(scope="module")
def answered(sample_reader: LanceReader, sample_settings: Settings) -> Answer:
    """A real answer over the sample."""
    embedder = load_embedder(sample_settings)
    return ask(
        QUESTION, reader=sample_reader, embedder=embedder, model=OfflineModel(), settings=sample_settings
    )


def page_of(*answers: Answer, reader: Any = None, budget: int = 40_000) -> str:
    return "".join(answers_page(answers, title="A title", reader=reader, budget=budget))


# -- quotations in their sections ------------------------------------------------------------------------


def test_each_quotation_is_marked_in_its_section(answered: Answer, sample_reader: LanceReader) -> None:
    marked = " ".join(Page(page_of(answered, reader=sample_reader)).marked)
    assert answered.citations
    for cited in answered.citations:
        words = sample_reader.slice(cited.source, cited.start, cited.end)
        assert " ".join(words.split()) in " ".join(marked.split())


def test_a_section_is_shown_once_with_all_that_is_quoted_from_it(
    answered: Answer, sample_reader: LanceReader
) -> None:
    shown = list(passages_of(answered.citations, sample_reader))
    assert Counter(place.first.sectionid for place in shown).most_common(1)[0][1] == 1
    assert sorted(number for place in shown for number in place.numbers) == [
        number for number, _ in enumerate(answered.citations, start=1)
    ]


def test_the_passage_is_the_text_of_the_section_letter_for_letter(
    answered: Answer, sample_reader: LanceReader
) -> None:
    for place in passages_of(answered.citations, sample_reader):
        unit = sample_reader.unit(place.first.sectionid)
        assert unit is not None
        text = sample_reader.slice(unit.source, unit.start, unit.end)
        runs = "".join("\0" if part.gap else part.text for part in place.parts).split("\0")
        assert all(run in text for run in runs)


def test_the_titles_above_a_section_say_where_it_stands(answered: Answer, sample_reader: LanceReader) -> None:
    first = next(passages_of(answered.citations, sample_reader))
    assert first.path == ("Types", "The Count Type", "Count::divide ( x, y )")
    assert "<li>Types</li><li>The Count Type</li>" in page_of(answered, reader=sample_reader)


class OneSection:
    """A reader over one section with this text."""

    def __init__(self, text: str, **changes: Any) -> None:
        self._text = text
        self._unit = replace(small().all_units[0], start=0, end=len(text), **changes)
        self.record = replace(small().record, edition=self._unit.edition)

    def unit(self, _: str) -> Any:
        return self._unit

    def slice(self, _: str, start: int, end: int) -> str:
        return self._text[start:end]


def long_section() -> tuple[Any, str]:
    text = "\n".join(f"{number}. Line number {number} of a long section." for number in range(1, 220))
    return OneSection(text), text


def cited(start: int, end: int, reader: Any, **changes: Any) -> Citation:
    unit = reader.unit("")
    made = Citation("sec-a", "1", "Long", unit.edition, "", "x", Verdict.VERIFIED)
    return replace(made, **{"source": unit.source, "start": start, "end": end, **changes})


def test_of_a_long_section_only_what_surrounds_the_quotations_is_shown() -> None:
    reader, text = long_section()
    first, last = text.index("Line number 20 "), text.index("Line number 200 ")
    (place,) = passages_of([cited(last, last + 15, reader), cited(first, first + 14, reader)], reader)
    assert [part.text for part in place.parts if part.quoted] == ["Line number 20", "Line number 200"]
    assert [part.gap for part in place.parts].count(True) == 3
    assert sum(len(part.text) for part in place.parts) < 4 * AROUND + 200


def test_quotations_that_overlap_are_one_mark() -> None:
    reader, text = long_section()
    (place,) = passages_of([cited(0, 10, reader), cited(5, 30, reader)], reader)
    assert [part.text for part in place.parts if part.quoted] == [text[:30]]


@pytest.mark.parametrize(
    "changes",
    [
        {"start": -1, "end": -1},
        {"edition": "es1999"},
        {"source": "other.html"},
        {"start": 8_000, "end": 99_999},
        {"start": 30, "end": 20},
    ],
)
def test_what_does_not_stand_where_it_says_has_no_passage(changes: dict[str, Any]) -> None:
    reader, _ = long_section()
    assert list(passages_of([replace(cited(0, 10, reader), **changes)], reader)) == []


# -- calls, markers, budget ------------------------------------------------------------------------------


def step(
    tool: str, sections: tuple[str, ...], *, ok: bool = True, characters: int = 100, **arguments: Any
) -> Step:
    return Step(tool, arguments, ok, characters, sections, "said")


def test_a_read_stands_below_the_search_that_found_it() -> None:
    found = step("search_spec", ("sec-a", "sec-b"), query="q")
    read = step("fetch_section_chunks", ("sec-b",), sectionid="sec-b")
    alone = step("fetch_section_chunks", ("sec-z",), sectionid="sec-z")
    roots = tree_of((found, read, alone), lambda _: None)
    assert [(root.step, [one.step for one in root.led_to]) for root in roots] == [
        (found, [read]),
        (alone, []),
    ]


def test_a_child_that_was_followed_stands_below_its_parent(sample_reader: LanceReader) -> None:
    parent = step("fetch_section_chunks", ("sec-count-type",), sectionid="sec-count-type")
    child = "sec-numeric-types-count-divide"
    (root,) = tree_of((parent, step("fetch_section_chunks", (child,), sectionid=child)), sample_reader.unit)
    assert root.step is parent
    assert [one.step.arguments["sectionid"] for one in root.led_to] == [child]


def test_a_refused_call_says_why() -> None:
    trace = (step("search_spec", (), ok=False, query="again"),)
    assert "turned away: said" in "".join(below(answer(trace=trace), reader=None, budget=0))


def test_markers_that_were_not_followed_are_listed() -> None:
    told = "".join(below(answer(unfollowed=("sec-x", "sec-y")), reader=None, budget=0))
    assert "Markers not followed (2)" in told
    assert "<code>sec-x</code>" in told


def bars(told: str) -> list[tuple[float, float]]:
    return [(float(x), float(wide)) for x, wide in re.findall(r'x="([\d.-]+)" width="([\d.-]+)"', told)]


def test_the_bar_has_a_part_for_each_call_as_wide_as_its_share() -> None:
    trace = (
        step("search_spec", (), characters=1_000, query="q"),
        step("search_spec", (), characters=9_999, ok=False, query="q"),
        step("fetch_section_chunks", (), characters=3_000, sectionid="sec-a"),
    )
    told = "".join(below(answer(trace=trace, characters=4_000), reader=None, budget=10_000))
    assert bars(told) == [(0.0, 100.0), (100.0, 300.0)]
    assert "4,000 of 10,000 characters were shown: 1,000 found by searches, 3,000 read" in told


def test_the_bar_never_leaves_its_frame() -> None:
    trace = tuple(step("search_spec", (), characters=size, query="q") for size in (9_000, -5_000, 8_000))
    told = "".join(below(answer(trace=trace, characters=17_000), reader=None, budget=10_000))
    assert all(x >= 0 and wide >= 0 and x + wide <= 1_000 for x, wide in bars(told))


# -- safety ----------------------------------------------------------------------------------------------


def planted() -> Answer:
    """Markup of others wherever an answer can hold it, the trace included."""
    trace = (
        Step(HOSTILE, {HOSTILE: HOSTILE}, True, 10, (HOSTILE,), HOSTILE),
        Step("search_spec", {"query": HOSTILE}, False, 0, (), HOSTILE),
    )
    return replace(hostile(), trace=trace)


ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "main", "div",
    "article", "p", "ol", "ul", "li", "span", "code", "blockquote", "br", "details", "summary", "svg", "rect",
    "mark", "table", "thead", "tbody", "tr", "th", "td", "section", "strong",
}  # fmt: skip


def test_nothing_that_others_wrote_becomes_an_element_or_an_attribute() -> None:
    text = "".join(answers_page([planted()], title=HOSTILE, reader=None, budget=40_000))
    page = Page(text)
    assert {tag for tag, _ in page.elements} <= ELEMENTS
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
    assert page.values("src") == []
    assert all(re.fullmatch(r"#[\w%.-]+", link) for link in page.values("href"))
    assert page.open == []
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_markup_in_the_specification_is_shown_as_text() -> None:
    text = f"{HOSTILE} quoted {HOSTILE}"
    reader: Any = OneSection(text, title=HOSTILE, titlepath=f"{HOSTILE} > {HOSTILE}")
    at = text.index("quoted")
    quoted = cited(at, at + 6, reader, title=HOSTILE, url="https://tc39.es/ecma262/2026/#sec-a")
    page = Page(page_of(answer(citations=(quoted,)), reader=reader))
    assert page.marked == ["quoted"]
    assert {tag for tag, _ in page.elements} <= ELEMENTS
    assert page.open == []


def test_nothing_is_loaded_from_anywhere(answered: Answer, sample_reader: LanceReader) -> None:
    text = page_of(answered, planted(), reader=sample_reader)
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "embed", "base"} & {
        tag for tag, _ in page.elements
    }
    assert not re.search(r"@import|url\(", text.split("</style>")[0])
    assert page.values("http-equiv") == ["Content-Security-Policy"]
    assert page.values("content")[-1].startswith("default-src 'none'; ")


def test_only_a_link_of_a_person_leads_out_and_only_to_a_public_page() -> None:
    url = "https://tc39.es/ecma262/2026/#sec-a"
    one = replace(answer().citations[0], url=url)
    links = Page(page_of(answer(citations=(one,)))).values("href")
    assert [link for link in links if not link.startswith("#")] == [url]


# -- ids -------------------------------------------------------------------------------------------------


def test_ids_are_unique_though_a_question_was_asked_twice(
    answered: Answer, sample_reader: LanceReader
) -> None:
    page = Page(page_of(answered, answered, planted(), planted(), reader=sample_reader))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert not [one for one in ids if re.search(r"\s", one)]
    assert {link[1:] for link in page.values("href") if link.startswith("#")} <= set(ids)


# -- batches ---------------------------------------------------------------------------------------------


def lines(*statuses: str) -> list[dict[str, Any]]:
    usage = {"input_tokens": 0, "output_tokens": 0, "cost": None}
    made = []
    for number, status in enumerate(statuses, start=1):
        row = answer(id=f"q {number}", question=f"Question {number} <b>?", status=Status.GROUNDED).to_dict()
        made.append(
            {**row, "status": status, "usage": usage, "error": "it <i>broke" if status == "error" else ""}
        )
    return made


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    rows = lines("grounded", "error", "refused", "partial", "grounded")
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_a_batch_lists_what_deserves_a_look_first(batch: Path) -> None:
    text = "".join(batch_page(batch, reader=None, budget=40_000))
    assert re.findall(r"<tr><td>(\w+)</td>", text) == ["error", "partial", "refused", "grounded", "grounded"]
    page = Page(text)
    assert page.open == []
    assert {link[1:] for link in page.values("href") if link.startswith("#")} <= set(page.values("id"))
    assert "it &lt;i&gt;broke" in text


def test_a_long_batch_names_the_first_and_counts_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    rows = lines(*["grounded"] * (LISTED + 3))
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    text = "".join(batch_page(path, reader=None, budget=0))
    assert "and 3 more below" in text
    assert text.count("<article") == LISTED + 3


def test_a_batch_is_written_piece_by_piece(batch: Path) -> None:
    pieces: Iterator[str] = batch_page(batch, reader=None, budget=40_000)
    sizes = [piece.count("<article") + piece.count('class="failed"') for piece in pieces]
    assert (sum(sizes), max(sizes)) == (5, 1)


def test_a_report_that_cannot_be_written_is_one_line(batch: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_batch(tmp_path / "nowhere" / "report.html", batch, reader=None, budget=1)


def test_a_batch_that_was_asked_is_a_report(
    answered: Answer, sample_reader: LanceReader, tmp_path: Path
) -> None:
    made = Batch(lambda _: answered, "sample", "offline", Rules(1, 0, None, None))
    path = tmp_path / "answers.jsonl"
    rows = list(made.lines([Question("1", QUESTION)]))
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    write_batch(tmp_path / "report.html", path, reader=sample_reader, budget=40_000)
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert any("throw a ValueFault" in one for one in page.marked)
