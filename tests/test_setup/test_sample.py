"""The committed sample specification has what the other tests, the docs and the demonstrations rely on.

Reads `setup/sample` and `docs/sample.md`; runs neither ecmarkup nor our own parser, so that a fault in the
parser cannot hide one in the sample.
"""

import json
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "setup" / "sample"
HTML = (SAMPLE / "spec.html").read_text(encoding="utf-8")
SOURCE = (SAMPLE / "spec.emu").read_text(encoding="utf-8")
DOCS = (ROOT / "docs" / "sample.md").read_text(encoding="utf-8")
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
SECTIONS = ["emu-clause", "emu-annex", "emu-intro"]
LONG = 5_000
"""Characters over which a section is cut: a table, a grammar and a paragraph must be longer."""


@cache
def page() -> "BeautifulSoup":
    from bs4 import BeautifulSoup

    return BeautifulSoup(HTML, "html5lib")


def by_id(identifier: str) -> "Tag":
    found = page().find(id=identifier)
    assert found is not None, identifier
    return found


def select(selector: str) -> "list[Tag]":
    return list(by_id("spec-container").select(selector))


def sections() -> "list[Tag]":
    return select(", ".join(SECTIONS))


def depth(node: "Tag", names: list[str]) -> int:
    return len(node.find_parents(names)) + 1


def text(node: "Tag") -> str:
    """The node's text with white space folded, as it is printed."""
    return " ".join(node.get_text().split())


def own_text(section: "Tag") -> str:
    """A section's text without that of its child sections."""
    from copy import copy

    clone = copy(section)
    for child in clone.find_all(SECTIONS):
        child.extract()
    return text(clone)


def title(section: "Tag") -> str:
    heading = section.find("h1")
    assert heading is not None
    return text(heading)


def unnumbered(section: "Tag") -> str:
    return re.sub(r"^[\d.]+ ", "", title(section))


def test_the_counts_by_element_and_level_are_those_of_the_docs() -> None:
    elements = Counter(section.name for section in sections())
    levels = Counter(depth(section, SECTIONS) for section in sections())
    assert elements == {"emu-clause": 53, "emu-annex": 4, "emu-intro": 1}
    assert levels == {1: 13, 2: 29, 3: 15, 4: 1}
    assert (
        "58 sections: 53 clauses, 4 annexes and 1 introduction; "
        "13 on the first level, 29 on the second, 15 on the third, 1 on the fourth." in DOCS
    )


def test_the_html_was_built_from_the_source_beside_it() -> None:
    declared = re.findall(r'<emu-(?:clause|annex|intro) id="([^"]+)"', SOURCE)
    assert [section["id"] for section in sections()] == declared
    # Words that ecmarkup passes through unchanged: a paragraph edited in one file only shows here.
    plain = re.compile(r"<(?:p|td|li|dd)>([^<>*_~|`&\[\]]{40,})</")
    printed = text(by_id("spec-container"))
    prose = [" ".join(words.split()) for words in plain.findall(SOURCE)]
    assert len(prose) > 50
    assert [words for words in prose if words not in printed] == []


def test_ids_are_unique() -> None:
    ids = Counter(str(node["id"]) for node in page().find_all(id=True))
    assert [identifier for identifier, count in ids.items() if count > 1] == []


def test_the_html_names_no_machine_no_host_and_no_script() -> None:
    assert "<script" not in HTML
    assert "<link" not in HTML
    assert set(re.findall(r"https?://[^/\s\"'<>]+", HTML)) == {"http://www.w3.org"}
    assert re.findall(r"(?:file:|/home/|/Users/|/tmp/|/root/|node_modules|[A-Z]:\\)", HTML) == []


def test_the_build_is_pinned_strict_and_self_contained() -> None:
    package = json.loads((SAMPLE / "package.json").read_text(encoding="utf-8"))
    assert package["devDependencies"] == {"ecmarkup": "23.0.2"}
    options = package["scripts"]["build"].split()
    assert {"--strict", "--lint-spec", "--assets", "none"} <= set(options)
    assert re.search(r"^  date: \d{4}-\d\d-\d\d$", SOURCE, re.MULTILINE)


def test_every_id_in_the_docs_table_exists() -> None:
    table = [line.split("|")[2] for line in DOCS.splitlines() if line.startswith("| ")][2:]
    named = [name for cell in table for name in re.findall(r"`([^`]+)`", cell)]
    assert len(named) > 40
    for name in named:
        by_id(name)


def test_a_container_has_a_heading_and_children_only() -> None:
    assert own_text(by_id("sec-types")) == "5 Types"
    assert by_id("sec-types").find_all("emu-clause", recursive=False)


def test_a_section_has_content_after_its_child() -> None:
    child = by_id("sec-conformance-extensions")
    assert [node.name for node in child.find_next_siblings()] == ["p"]


@pytest.mark.parametrize(
    ("words", "times"),
    [("Static Semantics: Early Errors", 3), ("Runtime Semantics: Evaluation", 2), ("[[Fetch]] ( mark )", 2)],
)
def test_titles_repeat_under_different_ids(words: str, times: int) -> None:
    found = [section["id"] for section in sections() if unnumbered(section) == words]
    assert len(set(found)) == times


def test_every_kind_of_structured_header_occurs() -> None:
    assert Counter(str(section["type"]) for section in select("emu-clause[type]")) == {
        "abstract operation": 9,
        "host-defined abstract operation": 1,
        "internal method": 6,
        "numeric method": 2,
        "sdo": 5,
    }


def test_four_operations_call_each_other_in_a_chain() -> None:
    chain = ["sec-waterbed", "sec-numeric-types-reading-add", "sec-convertreading", "sec-unitratio"]
    for caller, callee in pairwise(chain):
        assert by_id(caller).select(f'emu-alg a[href="#{callee}"]'), (caller, callee)


def test_operations_are_defined_over_several_productions() -> None:
    for name in (
        "sec-static-semantics-literalvalue",
        "sec-static-semantics-boundnames",
        "sec-runtime-semantics-plantfield",
    ):
        operation = by_id(name)
        assert len(operation.find_all("emu-grammar")) == len(operation.find_all("emu-alg")) >= 3


def test_an_annex_replaces_the_labelled_step_of_a_clause() -> None:
    step = by_id("step-ordinaryfetch-absent")
    assert step.name == "li"
    assert depth(step, SECTIONS) == 5
    replacement = by_id("sec-lenient-fetch").find("emu-alg")
    assert replacement is not None
    assert replacement["replaces-step"] == step["id"]
    assert replacement.select("ol[start='3']")
    assert by_id("sec-almanac-hosts").has_attr("normative")
    assert title(by_id("sec-almanac-hosts")).startswith("Annex A (normative)")
    assert title(by_id("sec-rationale")).startswith("Annex B (informative)")


def test_tags_stand_before_the_headings_of_optional_and_legacy_sections() -> None:
    for name, words in (
        ("sec-bed.prototype.moisture", "Normative Optional"),
        ("sec-hash-comments", "Legacy"),
    ):
        tag, heading = by_id(name).find_all(recursive=False)[:2]
        assert (text(tag), heading.name) == (words, "h1")


def test_legacy_ids_are_empty_spans() -> None:
    old = {name for node in select("[oldids]") for name in str(node["oldids"]).split(",")}
    assert len(old) == 5
    assert all(by_id(name).name == "span" and not text(by_id(name)) for name in old)


def test_steps_nest_five_deep() -> None:
    assert max(depth(step, ["li"]) for step in select("emu-alg li")) == 5


def test_one_table_is_long_and_its_longer_cells_can_be_cut_too() -> None:
    lengths = {str(table["id"]): len(text(table)) for table in select("emu-table")}
    assert [name for name, length in lengths.items() if length > LONG] == ["table-faults"]
    assert sum(len(text(cell)) >= 200 for cell in by_id("table-faults").find_all("td")) >= 3


def test_one_table_has_row_and_column_spans() -> None:
    for part in ("thead", "tbody"):
        for span in ("rowspan", "colspan"):
            assert by_id("table-sum-results").select(f"{part} [{span}]"), (part, span)


def test_spanned_cells_fill_the_table_exactly() -> None:
    widths: Counter[int] = Counter()
    rows = by_id("table-sum-results").find_all("tr")
    for number, row in enumerate(rows):
        for cell in row.find_all(["td", "th"]):
            for below in range(int(str(cell.get("rowspan", "1")))):
                widths[number + below] += int(str(cell.get("colspan", "1")))
    assert dict(widths) == dict.fromkeys(range(len(rows)), 6)


def test_one_grammar_is_long() -> None:
    longest = max(select("emu-grammar"), key=lambda grammar: len(text(grammar)))
    assert len(text(longest)) > LONG
    assert longest.find_parent(SECTIONS) is by_id("sec-syntactic-grammar")


@pytest.mark.parametrize(
    "selector",
    [
        "emu-production[params]",
        "emu-production[oneof]",
        "emu-production[type=lexical]",
        "emu-rhs[constraints]",
        "emu-mods emu-opt",
        "emu-gprose",
        "emu-gmod",
        "emu-gann",
    ],
)
def test_the_grammars_use_every_notation(selector: str) -> None:
    assert select(f"emu-grammar[type=definition] {selector}")


@pytest.mark.parametrize(
    "words", ["[no LineTerminator here]", "[lookahead ∉ { {, work }]", "[lookahead ≠ (]", "[lookahead = }]"]
)
def test_the_syntactic_grammar_has_annotations(words: str) -> None:
    assert words in {text(note) for note in by_id("sec-syntactic-grammar").find_all("emu-gann")}


def test_but_not_and_but_not_one_of_occur() -> None:
    found = {text(part) for part in by_id("sec-lexical-grammar").find_all("emu-gmod")}
    assert {"but not ReservedWord", "but not LineTerminator"} <= found
    assert any(words.startswith("but not one of") for words in found)


def test_one_paragraph_is_long() -> None:
    lengths = [len(text(paragraph)) for paragraph in by_id("sec-rationale").find_all("p")]
    assert [length > LONG for length in lengths] == [False, True]


def test_algorithms_alone_make_one_section_long() -> None:
    section = by_id("sec-expressions-runtime-semantics-evaluation")
    assert len(own_text(section)) > LONG
    assert all(len(text(part)) < 2_000 for part in section.find_all(["emu-grammar", "p"]))


def test_equations_stand_in_a_block_and_in_a_line() -> None:
    assert by_id("eqn-WaterAfter").select("div > sub")
    assert by_id("eqn-WaterAfter").select("div > sup")
    assert select("emu-eqn.inline > sup")


def test_values_carry_the_marks_of_both_number_types() -> None:
    marks = {text(mark) for mark in select("emu-val + sub")}
    assert marks == {"𝔽", "ℤ"}


def test_the_figure_is_described_and_its_file_is_there() -> None:
    image = by_id("figure-stock-chain").find("img")
    assert image is not None
    assert str(image["alt"]).startswith("Three boxes in a row")
    assert (SAMPLE / str(image["src"])).is_file()
    caption = by_id("figure-stock-chain").find("figcaption")
    assert caption is not None
    assert text(caption) == "Figure 1: The stock chain of a bed"


def test_notes_and_examples_are_labelled_alone_and_in_numbers() -> None:
    labels = {text(label) for label in select("emu-note > span.note")}
    assert labels == {"Note", "Note 1", "Note 2", "Editor's Note"}
    captions = {text(caption) for caption in select("emu-example figcaption")}
    assert captions == {
        "Example (Informative): Two plans that differ in one line end",
        "Example 1 (Informative)",
        "Example 2 (Informative)",
    }


@pytest.mark.parametrize(
    "selector", ["dl > dt", "dfn[id]", "dfn[variants]", "emu-const", "var.field", "pre > code", "emu-nt > a"]
)
def test_the_inline_elements_of_the_genre_occur(selector: str) -> None:
    assert select(selector)


def test_the_menu_and_its_contents_stand_outside_the_specification() -> None:
    menu = by_id("menu")
    assert by_id("spec-container") not in menu.parents
    assert len(menu.select("#menu-toc li")) == len(sections())


def test_every_internal_link_leads_somewhere() -> None:
    ids = {str(node["id"]) for node in page().find_all(id=True)}
    targets = {str(link["href"]).removeprefix("#") for link in select("a[href]")}
    assert targets <= ids


def test_the_questions_have_the_keys_of_the_evaluation_data() -> None:
    keys = ["id", "question", "style", "gold", "also_ok", "answer", "must_quote", "hops", "kind", "source"]
    assert all([key for key in question if key != "piece"] == keys for question in QUESTIONS)
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS) == 24
    kinds = ["absent", "algorithm", "early-error", "grammar", "prose", "table"]
    assert sorted({question["kind"] for question in QUESTIONS}) == kinds


def test_four_questions_have_no_answer_and_some_need_several_sections() -> None:
    absent = [question for question in QUESTIONS if not question["gold"]]
    assert len(absent) == 4
    assert all(q["kind"] == "absent" and q["hops"] == 0 and not q["must_quote"] for q in absent)
    assert sum(question["hops"] >= 3 for question in QUESTIONS) >= 2
    assert sum(len(question["gold"]) > 1 for question in QUESTIONS) >= 5


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_the_sections_of_a_question_exist_and_hold_its_quotations(question: dict[str, Any]) -> None:
    known = {str(section["id"]) for section in sections()}
    assert {*question["gold"], *question["also_ok"]} <= known
    assert not set(question["gold"]) & set(question["also_ok"])
    answers = [own_text(by_id(gold)) for gold in question["gold"]]
    for quotation in question["must_quote"]:
        assert any(quotation in answer for answer in answers), quotation
    for answer in answers:
        assert any(quotation in answer for quotation in question["must_quote"]), question["gold"]


@pytest.mark.parametrize("word", ["import", "timer", "await", "regular expression", "overflow", "recursion"])
def test_what_the_unanswered_questions_ask_for_is_nowhere_mentioned(word: str) -> None:
    assert word not in text(by_id("spec-container")).lower()
