"""Summaries and contexts at ingest: what is chosen, how the tree hangs together, what a model is asked."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from setup import ingest
from setup.contexts import contextualise
from setup.generation import Asked, generate, made_by
from setup.sentences import LONGEST, SUMMARY_CHARACTERS, Sentence, chosen, rarity, sentences, words
from setup.summaries import PASSAGE_CHARACTERS, summarise
from setup.writing import BATCH, FILE_NAME, ModelWriter, Scribe, configured_writer
from storage.catalog import list_editions
from storage.errors import ModelError
from storage.generated import TOP, Summary
from storage.lance import connect
from storage.model import BuiltEdition, Kind, Level, Span
from storage.progress import Silent
from storage.prompts import render
from storage.settings import Settings
from tests.spec import edition, needs_spec
from tests.test_agent.chat_server import Reply, says, serving
from tests.test_setup.helpers import made


@pytest.fixture(scope="module")
def sample() -> BuiltEdition:
    return edition("sample").assembled.built


@pytest.fixture(scope="module")
def summaries(sample: BuiltEdition) -> tuple[Summary, ...]:
    return summarise(sample, progress=Silent())


class Echo:
    """A writer that numbers what it is asked, and fails when it is told to."""

    name = "echo"

    def __init__(self, *, fail_after: int | None = None) -> None:
        self.asked: list[str] = []
        self._fail_after = fail_after

    def write(self, prompts: Sequence[str], /) -> list[str]:
        if self._fail_after is not None and len(self.asked) >= self._fail_after:
            raise ModelError("down")
        self.asked += prompts
        return [f"Said  {len(self.asked)}\nof {len(text)}." for text in prompts]


def settings(folder: Path, **named: object) -> Settings:
    return Settings(storage_dir=folder).model_copy(update={"model": None, "base_url": None, **named})


def test_a_summary_is_sentences_of_its_own_section_in_document_order(
    sample: BuiltEdition, summaries: tuple[Summary, ...]
) -> None:
    pages = {page.source: page.text for page in sample.pages}
    for one in summaries:
        page = pages[one.unit.source]
        assert list(one.spans) == sorted(one.spans)
        assert all(one.unit.span.contains(span) for span in one.spans)
        assert one.text == " ".join(page[span.start : span.end] for span in one.spans)
        assert sum(map(len, one.spans)) <= SUMMARY_CHARACTERS
        assert all(len(span) <= LONGEST for span in one.spans)
        assert one.maker == "extractive"
    assert sum(bool(one.spans) for one in summaries) == len(summaries)


def test_every_section_hangs_under_exactly_one_summary_and_every_summary_under_the_next(
    sample: BuiltEdition, summaries: tuple[Summary, ...]
) -> None:
    sections = sorted(unit.unitid for unit in sample.units if unit.level is Level.SECTION)
    assert sorted(member for one in summaries for member in one.members) == sections
    by_id = {one.unit.unitid: one for one in summaries}
    for one in summaries:
        assert one.members[0] == one.unit.unitid
        if one.above == TOP:
            continue
        parent = by_id[one.above]
        assert parent.unit.span.contains(one.unit.span)
        assert parent.layer > one.layer
    assert {one.layer for one in summaries if not any(o.above == one.unit.unitid for o in summaries)} == {1}


def test_what_is_no_longer_than_a_passage_and_has_no_child_is_a_leaf(
    sample: BuiltEdition, summaries: tuple[Summary, ...]
) -> None:
    summarised = {one.unit.unitid for one in summaries}
    parents = {unit.parentsectionid for unit in sample.units if unit.level is Level.SECTION}
    inner = {unit.unitid for unit in sample.units if unit.level is Level.SECTION and unit.unitid in parents}
    assert inner <= summarised
    for unit in sample.units:
        if unit.level is Level.SECTION and unit.unitid not in summarised:
            assert len(unit.span) <= PASSAGE_CHARACTERS


def test_the_same_edition_has_the_same_summaries_whatever_the_order_of_its_units(
    sample: BuiltEdition, summaries: tuple[Summary, ...]
) -> None:
    turned = replace(sample, units=tuple(reversed(sample.units)))
    assert summarise(turned, progress=Silent()) == summaries


@pytest.mark.spec
@needs_spec
def test_the_real_specification_hangs_together_too() -> None:
    built = edition("es2026").assembled.built
    made = summarise(built, progress=Silent())
    sections = sorted(unit.unitid for unit in built.units if unit.level is Level.SECTION)
    assert sorted(member for one in made for member in one.members) == sections
    assert all(one.unit.span.contains(span) for one in made for span in one.spans)


def sentence(text: str, at: int) -> Sentence:
    return Sentence(Span(at, at + len(text)), frozenset(words(text)))


def test_what_is_said_often_is_chosen_first_and_not_twice() -> None:
    said = ["Beds hold water.", "Beds hold much water.", "Gates open slowly."]
    candidates = [sentence(text, 100 * number) for number, text in enumerate(said)]
    one = chosen(candidates, {}, limit=22)
    two = chosen(candidates, {}, limit=40)
    assert one in ((Span(0, 16),), (Span(100, 121),))
    assert two == (*one, Span(200, 218))


def test_a_word_of_every_section_counts_less_than_one_of_this_one_alone() -> None:
    rare = rarity(["the bed", "the gate", "the row"])
    assert rare["the"] < rare["bed"] == rare["row"]
    candidates = [sentence("the and the for", 0), sentence("bed gate", 50)]
    assert chosen(candidates, {**rare, "and": 0.1, "for": 0.1}, limit=16) == (Span(50, 58),)


def test_paragraphs_are_cut_into_sentences_and_steps_are_not() -> None:
    body = (
        "<emu-clause id='sec-a'><h1>1 A</h1><p>One is a bed. Two is a gate, e.g. a low one.</p>"
        "<emu-alg><ol><li>Let it be. Then go on here.</li></ol></emu-alg></emu-clause>"
    )
    built = made(body).assembled.built
    page = built.pages[0].text
    kinds = {Kind.PARAGRAPH: list[str](), Kind.STEP: list[str]()}
    for block in built.units:
        if block.level is Level.BLOCK and block.kind in kinds:
            kinds[block.kind] += [page[one.span.start : one.span.end] for one in sentences(block, page)]
    assert kinds[Kind.PARAGRAPH] == ["One is a bed.", "Two is a gate, e.g. a low one."]
    assert kinds[Kind.STEP] == ["1. Let it be. Then go on here."]


def test_a_context_is_the_heading_path_and_every_block_has_one(sample: BuiltEdition) -> None:
    blocks = [unit for unit in sample.units if unit.level is Level.BLOCK]
    contexts = contextualise(sample, progress=Silent())
    assert [one.unit for one in contexts] == blocks
    assert all(one.unit.titlepath.endswith(one.text) for one in contexts)
    assert all(one.indexed == f"{one.text}\n{one.unit.text}" for one in contexts)


def test_a_model_is_told_what_it_said_of_the_parts_and_its_words_stay_apart_from_the_spans(
    sample: BuiltEdition, summaries: tuple[Summary, ...], tmp_path: Path
) -> None:
    writer = Echo()
    told = summarise(sample, scribe=Scribe(writer, tmp_path), progress=Silent())
    assert [one.spans for one in told] == [one.spans for one in summaries]
    assert {one.maker for one in told} == {"model:echo"}
    assert all(one.text.startswith("Said ") and "\n" not in one.text for one in told)
    by_id = {one.unit.unitid: one for one in told}
    upper = next(one for one in told if one.layer == 3)
    below = [one for one in told if one.above == upper.unit.unitid]
    (asked,) = [text for text in writer.asked if f"Section: {upper.unit.titlepath}\n" in text]
    assert below
    assert all(f"{one.unit.title}: {by_id[one.unit.unitid].text}" in asked for one in below)


def test_a_sentence_of_a_model_stands_behind_the_heading_path(sample: BuiltEdition, tmp_path: Path) -> None:
    few = replace(
        sample, units=tuple(unit for unit in sample.units if unit.chapter == sample.units[1].chapter)
    )
    plain = contextualise(few, progress=Silent())
    told = contextualise(few, scribe=Scribe(Echo(), tmp_path), progress=Silent())
    assert told
    assert all(one.text.startswith(f"{other.text}\nSaid ") for one, other in zip(told, plain, strict=True))


def test_what_was_written_is_not_asked_for_again_and_a_stopped_run_goes_on(tmp_path: Path) -> None:
    prompts = [f"prompt {number}" for number in range(3 * BATCH)]
    with pytest.raises(ModelError, match="down"):
        Scribe(Echo(fail_after=BATCH), tmp_path).texts(prompts, stage="s", progress=Silent())
    with (tmp_path / FILE_NAME).open("a", encoding="utf-8") as file:
        file.write('{"key": "torn')
    second = Echo()
    texts = Scribe(second, tmp_path).texts(prompts, stage="s", progress=Silent())
    assert second.asked == prompts[BATCH:]
    assert len(texts) == len(prompts)
    third = Echo()
    assert Scribe(third, tmp_path).texts(prompts[:BATCH], stage="s", progress=Silent()) == texts[:BATCH]
    assert third.asked == []


def test_text_of_the_specification_is_never_taken_for_a_placeholder() -> None:
    asked = render("ingest/context", path="A > B", around="{{passage}}", passage="{{path}}")
    assert "{{passage}}" in asked
    assert "{{path}}" in asked
    assert "<!--" not in asked


def test_a_chat_model_of_langchain_writes(tmp_path: Path) -> None:
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    model = FakeListChatModel(responses=["One."])
    assert ModelWriter(model, name="fake").write(["a", "b"]) == ["One.", "One."]


def test_a_model_that_fails_is_one_line_with_what_to_do() -> None:
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    class Down(FakeListChatModel):
        def _call(self, *_: object, **__: object) -> str:
            raise RuntimeError("refused\nby host")

    with pytest.raises(ModelError, match=r"model fake failed \(refused by host\); .* run the same command"):
        ModelWriter(Down(responses=["x"]), name="fake").write(["a"])


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({}, "and none is configured: set ASK262_MODEL"),
        ({"model": "offline"}, "and none is configured"),
        ({"model": "openai:x", "offline": True}, "needs the network, and ASK262_OFFLINE is set"),
        ({"model": "nobody:x"}, r"the model nobody:x cannot be used \(.*\): correct ASK262_MODEL"),
    ],
)
def test_a_model_that_cannot_be_had_is_named(named: dict[str, object], words: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=words):
        configured_writer(settings(tmp_path, **named))


def test_nothing_is_generated_unless_it_is_asked_for(sample: BuiltEdition, tmp_path: Path) -> None:
    none = generate(sample, Asked(), settings(tmp_path), Silent())
    assert (none.summaries, none.contexts, none.by_role) == (None, None, {})
    both = generate(sample, Asked("extractive", "headings"), settings(tmp_path), Silent())
    assert both.makers == {"summaries": "extractive", "contexts": "headings"}
    with pytest.raises(ModelError, match="ASK262_MODEL"):
        generate(sample, Asked(contexts="model"), settings(tmp_path), Silent())


def test_another_way_or_another_model_is_another_ingest(tmp_path: Path) -> None:
    ways = [
        made_by(Asked(), settings(tmp_path)),
        made_by(Asked("extractive"), settings(tmp_path)),
        made_by(Asked(None, "headings"), settings(tmp_path)),
        made_by(Asked("model"), settings(tmp_path, model="a:b")),
        made_by(Asked("model"), settings(tmp_path, model="a:c")),
    ]
    assert len(set(ways)) == len(ways)
    assert made_by(Asked("extractive"), settings(tmp_path, model="a:b")) == ways[1]


def test_a_source_behind_the_option_is_no_way_to_make_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert ingest.main(["--summaries", "../spec/es2026"]) == 1
    assert "put SOURCE before --summaries" in capsys.readouterr().err


def test_an_ingest_says_what_it_generated_and_what_the_one_before_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path))
    assert ingest.main(["--sample", "--summaries"]) == 0
    assert "summaries (extractive)" in capsys.readouterr().out
    assert ingest.main(["--sample", "--summaries"]) == 0
    assert "sample is up to date: nothing embedded" in capsys.readouterr().out
    assert ingest.main(["--sample"]) == 0
    assert "the build before had summaries, --summaries makes them again" in capsys.readouterr().out


@pytest.fixture
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_proxy")
def test_a_server_of_ones_own_writes_the_summaries_of_an_ingest_and_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(says("It defines\n\x1bbeds.")) as chat:
        monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path))
        monkeypatch.setenv("ASK262_MODEL", "local")
        monkeypatch.setenv("ASK262_BASE_URL", chat.address)
        monkeypatch.setenv("ASK262_OFFLINE", "true")
        assert ingest.main(["--sample", "--summaries", "model"]) == 0
        assert "summaries (model:local)" in capsys.readouterr().out
        asked = len(chat.asked)
        assert asked == list_editions(tmp_path)[0].counts["summaries"]
        assert ingest.main(["--sample"]) == 0
        assert ingest.main(["--sample", "--summaries", "model"]) == 0
        assert len(chat.asked) == asked
    record = list_editions(tmp_path)[0]
    rows = connect(tmp_path).open_table(record.tables["summaries"]).to_arrow().to_pylist()
    assert {row["text"] for row in rows} == {"It defines beds."}
    assert all(row["spans"] for row in rows)


@pytest.mark.usefixtures("no_proxy")
def test_a_server_that_is_down_leaves_the_edition_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Reply(status=500, body="{}")) as chat:
        monkeypatch.setenv("ASK262_STORAGE_DIR", str(tmp_path))
        monkeypatch.setenv("ASK262_MODEL", "local")
        monkeypatch.setenv("ASK262_BASE_URL", chat.address)
        assert ingest.main(["--sample", "--contexts", "model"]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("error: the model local failed (")
    assert "run the same command again" in told
    assert list_editions(tmp_path) == []
