"""An answer as Markdown, HTML and JSON: what others wrote stays text, links lead home."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from agent.__main__ import FORMATS, main, written
from agent.answer import Answer, Citation, Claim, Difference, Place, RefusalKind, Status, Verdict
from agent.answer_schema import answer_schema
from agent.answer_schema import written as schema_written
from agent.links import public_link
from agent.render_html import fragment, page
from agent.render_markdown import escaped, markdown
from storage.model import EditionRecord
from tests.golden import TESTS, matches_golden
from tests.test_agent.test_answer import answer
from tests.test_tools.fake import small

SCHEMA = TESTS.parent / "docs" / "answer.schema.json"
PAGE = "https://tc39.es/ecma262/2026/#sec-tonumber"
HOSTILE = (
    "<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://e.example/i.png) <img src=x onerror=y>"
    ' www.example.com https://e.example a@b.example `code` **b** \x1b[31m\u202e" onclick="z'
)
STEP = "If argument is either a Symbol or a BigInt, throw a TypeError exception."


def checked() -> Answer:
    """One quotation that stands, and one near miss."""
    stands = Citation(
        "sec-tonumber", "7.1.4", "ToNumber ( argument )", "es2026", "2", STEP, Verdict.VERIFIED, url=PAGE
    )
    missed = replace(
        stands, quote="throw a RangeError exception", verdict=Verdict.NOT_FOUND, note="not found",
        near="throw a TypeError exception", differences=(Difference("RangeError", "TypeError"),),
    )  # fmt: skip
    return answer(
        question="What does ToNumber do with a BigInt?", edition="es2026", status=Status.PARTIAL,
        text="It throws. [1]\n\nAlways. [2]",
        claims=(Claim("It throws.", (0,)), Claim("Always.", (1,))), citations=(stands, missed),
        notes=("1 of 2 quotations could not be verified.",), read=("sec-tonumber",), unfollowed=(),
    )  # fmt: skip


def refused() -> Answer:
    place = Place("sec-jobs", "9.5", "Jobs and Host Operations", "https://tc39.es/ecma262/2026/#sec-jobs")
    return answer(
        question="What is setTimeout?", edition="es2026", status=Status.REFUSED, claims=(), citations=(),
        text="Timers are not defined here.\n\nDefined by: HTML.\n\nSearched for: “setTimeout”",
        refusal="Timers are not defined here.", refusal_kind=RefusalKind.NOT_DEFINED, nearest=(place,),
        defined_by="HTML", read=(), unfollowed=(),
    )  # fmt: skip


def hostile() -> Answer:
    """Text of others wherever an answer can hold it."""
    cited = Citation(
        HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, Verdict.NOT_FOUND, note=HOSTILE, near=HOSTILE,
        differences=(Difference(HOSTILE, HOSTILE),), url="javascript:alert(1)",
    )  # fmt: skip
    return answer(
        question=HOSTILE, text=HOSTILE[1:], claims=(Claim(HOSTILE, (0,)),), citations=(cited,),
        notes=(HOSTILE,), refusal=HOSTILE,
        nearest=(Place(HOSTILE, HOSTILE, HOSTILE, "javascript:alert(1)"),), read=(HOSTILE,),
        unfollowed=(HOSTILE,), model=HOSTILE, edition=HOSTILE, id=HOSTILE, status=Status.PARTIAL,
    )  # fmt: skip


def test_what_was_refused_beside_claims_is_told_with_where_it_is_defined() -> None:
    both = replace(
        checked(),
        text="It throws. [1]\n\nTimers are not defined here.\n\nDefined by: HTML.\n\nNearest here: 9.5 Jobs.",
        refusal="Timers are not defined here.",
        refusal_kind=RefusalKind.NOT_DEFINED,
        defined_by="HTML",
        nearest=refused().nearest,
    )
    for text in (markdown(both), fragment(both)):
        assert text.count("Timers are not defined here.") == 1
        assert "HTML." in text
        assert text.count("Nearest here") == 1


@pytest.mark.parametrize("url", [PAGE, ""])
def test_a_citation_names_section_and_piece_with_a_public_page_and_without(url: str) -> None:
    cited = replace(checked().citations[0], piece="sec-tonumber-p-1", url=url)
    made = answer(citations=(cited,))
    assert "(es2026), sec-tonumber, piece sec-tonumber-p-1\n" in markdown(made).replace("\\", "")
    assert "<code>sec-tonumber</code>, piece <code>sec-tonumber-p-1</code>" in fragment(made)


class Elements(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.shown = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.shown += data


@pytest.mark.parametrize(("made", "name"), [(checked(), "answer"), (refused(), "refusal")])
def test_markdown_and_html_are_the_golden_ones(made: Answer, name: str) -> None:
    assert matches_golden(f"test_agent/golden/{name}.md", markdown(made))
    assert matches_golden(f"test_agent/golden/{name}.html", fragment(made))


def test_nothing_that_others_wrote_becomes_an_element_an_attribute_or_a_link() -> None:
    parsed = Elements(page(hostile()))
    tags = {tag for tag, _ in parsed.found}
    assert tags.isdisjoint({"script", "img"})
    attributes = {name for tag, given in parsed.found for name in given}
    assert attributes <= {"class", "data-status", "id", "href", "lang", "charset", "name", "content"}
    assert all(str(given["href"]).startswith("#") for tag, given in parsed.found if tag == "a")
    assert "<script>alert(1)</script>" in parsed.shown


def test_nothing_that_others_wrote_becomes_markdown() -> None:
    text = markdown(hostile())
    for live in (
        "](http",
        "](java",
        "![",
        "<script",
        "<img",
        "`",
        "**b",
        "https://",
        "www.",
        "a@b",
        "\x1b",
        "\u202e",
    ):
        assert not re.search(rf"(?<!\\){re.escape(live)}", text.replace("**Partial", "")), live


@pytest.mark.parametrize(
    "line", ["1. one", "- item", "=====", "# head", "+ item", "    code", "> quoted", "~~~"]
)
def test_a_line_of_others_begins_no_list_heading_code_or_quotation(line: str) -> None:
    assert re.match(r"\\|\d+\\|\w", escaped(line))


def test_a_page_stands_alone() -> None:
    text = page(checked())
    assert text.startswith("<!doctype html>")
    assert not re.search(r"<(?:script|link|img)|@import|url\(", text)


def record(edition: str, origin: str = "folder") -> EditionRecord:
    return replace(small().record, edition=edition, origin=origin, sample=False)


@pytest.mark.parametrize(
    ("edition", "origin", "link"),
    [
        ("es2026", "folder", "https://tc39.es/ecma262/2026/#sec-a"),
        ("es2025", "https://example.org/mine", "https://tc39.es/ecma262/2025/#sec-a"),
        ("ecma402-2026", "folder", "https://tc39.es/ecma402/2026/#sec-a"),
        ("es2015", "folder", ""),
        ("mine", "folder/https:/x", ""),
        ("mine", "https://example.org/spec/", "https://example.org/spec/#sec-a"),
        ("mine", "https://me:secret@example.org/spec/", ""),
        ("mine", "http://example.org/", ""),
        ("mine", "javascript:alert(1)", ""),
    ],
)
def test_a_link_leads_to_the_page_of_the_edition_that_was_asked(edition: str, origin: str, link: str) -> None:
    assert public_link(record(edition, origin), "sec-a") == link


def test_an_id_with_percent_signs_is_an_anchor() -> None:
    link = public_link(record("es2026"), "sec-%arrayiteratorprototype%.next")
    assert link.endswith("#sec-%25arrayiteratorprototype%25.next")


def test_the_schema_in_the_docs_is_the_one_of_the_code() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_written(), (
        "python -m agent.answer_schema > docs/answer.schema.json"
    )


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], place: str = "$") -> list[str]:
    """Where a value differs from a schema, as far as ours uses JSON Schema; other keywords are refused."""
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, place)
    assert set(schema) <= {
        "$defs", "$schema", "title", "description", "type", "properties", "required", "items", "enum",
        "const", "anyOf",
    }  # fmt: skip
    if "anyOf" in schema:
        each = [faults(value, one, root, place) for one in schema["anyOf"]]
        return [] if [] in each else each[0]
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "boolean": bool,
        "number": (int, float),
        "null": type(None),
    }
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):  # type: ignore[arg-type]
        return [f"{place} is no {schema['type']}"]
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        return [f"{place} is {value!r}"]
    out: list[str] = []
    if isinstance(value, dict):
        out += [f"{place}.{key}" for key in set(value) ^ set(schema["properties"])]
        inside = ((key, value[key], one) for key, one in schema["properties"].items() if key in value)
        out += [fault for key, own, one in inside for fault in faults(own, one, root, f"{place}.{key}")]
    if isinstance(value, list):
        out += [
            fault
            for at, own in enumerate(value)
            for fault in faults(own, schema["items"], root, f"{place}[{at}]")
        ]
    return out


@pytest.mark.parametrize("made", [checked(), refused(), hostile(), answer()])
def test_every_answer_is_of_the_schema_and_has_all_its_keys(made: Answer) -> None:
    schema = answer_schema()
    assert faults(json.loads(json.dumps(made.to_dict())), schema, schema) == []
    assert schema["required"] == list(schema["properties"])


def test_a_wrong_answer_is_not_of_the_schema() -> None:
    schema = answer_schema()
    wrong = {**answer().to_dict(), "status": "fine", "calls": "2", "more": 1}
    assert len(faults(wrong, schema, schema)) == 3


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written(name: str) -> None:
    text = written(checked(), name, encoding="utf-8")
    assert "ToNumber" in text
    assert (name == "json") == text.startswith("{")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["What?", "--json", "--format", "html"], "are two formats"),
        (["--format", "html"], "give a question"),
        (["What?", "--seconds", "0"], "--seconds is"),
        (["What?", "--calls", "0"], "--calls is"),
        (["What?", "--characters", "1"], "--characters is"),
    ],
)
def test_options_that_make_no_sense_are_one_line(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(given) == 1
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    assert said in told.err
