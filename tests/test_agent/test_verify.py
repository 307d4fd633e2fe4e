"""The verdict on a quotation: against what was shown, then against what is stored."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.answer import Verdict
from agent.verify import Cited, stretches, verify
from storage.markers import marker
from storage.model import Kind, Level, Unit
from tests.test_agent.helpers import passage, unit

STEPS = "1. Let y be Beta(x).\n2. If y is NaN, then\n  a. Return the empty String.\n3. Return y."


@dataclass
class Sections:
    """Sections and blocks in dictionaries."""

    units: dict[str, Unit] = field(default_factory=dict)
    steps: dict[str, list[Unit]] = field(default_factory=dict)

    def section(self, sectionid: str, /) -> Unit | None:
        return self.units.get(sectionid)

    def blocks(self, sectionid: str, /) -> Sequence[Unit]:
        return self.steps.get(sectionid, [])


def store(*units: Unit) -> Sections:
    return Sections({one.sectionid: one for one in units})


def step(label: str, words: str, *, text: str = STEPS, start: int = 0) -> Unit:
    return unit(words, kind=Kind.STEP, level=Level.BLOCK, step=label, start=start + text.index(words))


def test_words_that_were_shown_are_verified_and_displayed_as_the_text_has_them() -> None:
    found = verify(
        Cited("sec-a", "Return  the empty\u00a0String."),
        shown=[passage(STEPS, start=100)],
        sections=store(unit(STEPS, start=100)),
    )
    assert (found.verdict, found.quote, found.start) == (
        Verdict.VERIFIED,
        "Return the empty String.",
        100 + STEPS.index("Return the empty"),
    )
    assert (found.secnum, found.title, found.edition, found.source) == ("1.2", "Alpha ( x )", "es1", "a.html")
    assert found.end - found.start == len(found.quote)


def test_the_step_comes_from_the_match_not_from_the_model() -> None:
    sections = store(unit(STEPS))
    sections.steps["sec-a"] = [step("2", "If y is NaN, then"), step("2.a", "Return the empty String.")]
    found = verify(
        Cited("sec-a", "Return the empty String.", step="9"), shown=[passage(STEPS)], sections=sections
    )
    assert found.step == "2.a"


def test_a_named_step_that_the_quotation_holds_is_kept() -> None:
    sections = store(unit(STEPS))
    sections.steps["sec-a"] = [step("2", "If y is NaN, then"), step("2.a", "Return the empty String.")]
    words = STEPS[STEPS.index("If y is NaN, then") : STEPS.index("Return the empty String.") + 24]
    found = verify(Cited("sec-a", words, step="2.a"), shown=[passage(STEPS)], sections=sections)
    assert found.step == "2.a"


def test_of_equal_words_the_ones_at_the_named_step_are_taken() -> None:
    text = "1. Return x now.\n2. Return x now."
    sections = store(unit(text))
    second = text.rindex("Return")
    sections.steps["sec-a"] = [
        unit("Return x now.", kind=Kind.STEP, step="1", start=3),
        unit("Return x now.", kind=Kind.STEP, step="2", start=second),
    ]
    found = verify(Cited("sec-a", "Return x now.", step="2"), shown=[passage(text)], sections=sections)
    assert (found.step, found.start) == ("2", second)


def test_words_of_the_section_that_were_not_shown_are_not_verified() -> None:
    found = verify(Cited("sec-a", "Return the empty String."), shown=[], sections=store(unit(STEPS)))
    assert found.verdict is Verdict.NOT_SHOWN
    assert found.quote == "Return the empty String."


def test_words_of_a_piece_of_the_section_count_as_stored_in_it() -> None:
    piece = unit(
        "| Undefined | Throw a TypeError exception. |",
        sectionid="sec-a-emu-table-1",
        level=Level.PIECE,
        clauseid="sec-a",
    )
    found = verify(
        Cited("sec-a", "Throw a TypeError exception."),
        shown=[],
        sections=store(unit(STEPS, subsections=("sec-a-emu-table-1",)), piece),
    )
    assert (found.verdict, found.sectionid, found.piece) == (Verdict.NOT_SHOWN, "sec-a", "sec-a-emu-table-1")


def test_words_that_stand_nowhere_are_not_found_and_stay_as_the_model_wrote_them() -> None:
    found = verify(
        Cited("sec-a", "Return the full String."), shown=[passage(STEPS)], sections=store(unit(STEPS))
    )
    assert (found.verdict, found.quote, found.start) == (Verdict.NOT_FOUND, "Return the full String.", -1)


def test_a_section_that_does_not_exist_is_not_found_whatever_it_quotes() -> None:
    found = verify(Cited("sec-nix", "Return the empty String."), shown=[passage(STEPS)], sections=store())
    assert (found.verdict, found.sectionid) == (Verdict.NOT_FOUND, "")
    assert found.note == "this edition has no such section: sec-nix"


def test_words_shown_in_another_section_are_cited_from_there_and_it_is_said() -> None:
    other = passage("Beta says this.", sectionid="sec-b")
    found = verify(
        Cited("sec-a", "Beta says this."), shown=[passage(STEPS), other], sections=store(unit(STEPS))
    )
    assert (found.verdict, found.sectionid, found.note) == (Verdict.VERIFIED, "sec-b", "cited as sec-a")


def test_a_quotation_never_runs_across_a_marker() -> None:
    mark = marker("sec-child", "Child")
    shown = passage(f"before the child {mark} after the child")
    sections = store(unit(shown.text), unit("the child itself", sectionid="sec-child", start=17))
    across = verify(Cited("sec-a", f"the child {mark} after"), shown=[shown], sections=sections)
    squeezed = verify(Cited("sec-a", "before the child after the child"), shown=[shown], sections=sections)
    itself = verify(Cited("sec-a", mark), shown=[shown], sections=sections)
    assert {across.verdict, squeezed.verdict, itself.verdict} == {Verdict.NOT_FOUND}


def test_places_after_a_marker_go_on_behind_the_child() -> None:
    mark = marker("sec-child", "Child")
    shown = passage(f"before {mark} after it all", start=10)
    child = unit("x" * 50, sectionid="sec-child", start=17)
    assert [one.start for one in stretches(shown, store(child))] == [10, 67]


def test_a_quotation_too_short_to_mean_anything_is_not_verified() -> None:
    found = verify(Cited("sec-a", "Return y."), shown=[passage(STEPS)], sections=store(unit(STEPS)))
    assert found.verdict is Verdict.NOT_FOUND
    assert "too short" in found.note


def test_words_of_a_piece_in_a_passage_of_its_section_are_cited_from_the_piece() -> None:
    row = "| Undefined | Throw a TypeError exception. |"
    piece = unit(row, sectionid="sec-a-emu-table-1", level=Level.PIECE, clauseid="sec-a", start=200)
    glimpse = passage(row, start=200)
    found = verify(
        Cited("sec-a", "Throw a TypeError exception."),
        shown=[glimpse],
        sections=store(unit(STEPS, subsections=("sec-a-emu-table-1",)), piece),
    )
    assert (found.verdict, found.sectionid, found.piece) == (Verdict.VERIFIED, "sec-a", "sec-a-emu-table-1")
