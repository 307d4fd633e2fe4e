"""The small inputs with a right outcome: faults that users of other tools have reported."""

import pytest

from storage.errors import StructureError
from storage.markers import marker
from storage.model import BreakdownRules, Level, NameKind
from storage.names import fold
from tests.test_setup.helpers import assembled, made, units


def clause(htmlid: str, heading: str, body: str = "") -> str:
    return f'<emu-clause id="{htmlid}"><h1>{heading}</h1>{body}</emu-clause>'


def test_sections_are_keyed_by_id_never_by_title() -> None:
    title = "Static Semantics: Early Errors"
    found = units(
        clause("sec-a-early", title, "<p>Rule ALPHA.</p>") + clause("sec-b-early", title, "<p>Rule BETA.</p>")
    )
    assert "ALPHA" in found["sec-a-early"].text
    assert "BETA" not in found["sec-a-early"].text
    assert "BETA" in found["sec-b-early"].text
    assert found["sec-a-early"].title == found["sec-b-early"].title == title


def test_a_child_does_not_hide_its_parent_s_heading() -> None:
    inner = clause("sec-inner", "9.1.1 GetBindingValue ( N, S )", "<p>Inner body.</p>")
    found = units(clause("sec-outer", "9.1 Outer Things", f"<p>Intro.</p>{inner}"))
    assert found["sec-inner"].titlepath == "Outer Things > GetBindingValue ( N, S )"
    assert found["sec-inner"].parentsectionid == "sec-outer"
    outer = found["sec-outer"].text
    assert "Intro." in outer
    assert outer.count("[Subsection available") == 1
    assert "Inner body." not in outer


NOTE_FIRST = """<emu-clause id="sec-note-first"><span id="old-id"></span>
  <emu-note><span class="note">Note</span><div class="note-contents">
  <p>DELTA precedes the heading.</p></div></emu-note>
  <h1>3.4 Late Heading</h1><p>EPSILON.</p></emu-clause>
<emu-clause id="sec-untitled"><p>ZETA has no heading at all.</p></emu-clause>"""


def test_text_before_the_heading_belongs_to_the_section() -> None:
    edition = assembled(NOTE_FIRST).built
    found = {unit.unitid: unit for unit in edition.units}
    section = found["sec-note-first"]
    assert (section.title, section.secnum) == ("Late Heading", "3.4")
    assert "DELTA" in section.text
    assert "EPSILON" in section.text
    (old,) = [name for name in edition.names if name.key == fold("old-id")]
    assert (old.sectionid, old.kind) == ("sec-note-first", NameKind.LEGACY_ID)


def test_a_section_without_a_heading_is_kept_without_a_placeholder() -> None:
    found = units(NOTE_FIRST)
    assert found["sec-untitled"].text == "ZETA has no heading at all."
    assert found["page-page-1"].text.endswith(marker("sec-untitled"))


STRAY = """<emu-clause id="sec-x"><h1>1 X</h1>
<emu-alg><ol><li>Let <var>k</var> be 0.</li><li>Repeat,<ol><li>If <var>k</var> = 3, then<ol><li>Return
<emu-val>true</emu-val>.</li></ol></li><li>Set <var>k</var> to <var>k</var> + 1.</li></ol></li></ol></emu-alg>
<emu-table id="table-odd"><figure><figcaption>Table 7:
<emu-xref href="#x"><a href="#x">Odd</a></emu-xref> Rows
</figcaption><table><thead><tr><th>Key</th><th>Result</th></tr></thead><tr>STRAY<td>Undefined</td><td>Throw a
<emu-val>TypeError</emu-val> exception.</td></tr></table></figure></emu-table></emu-clause>"""


def test_steps_keep_their_nesting_and_stray_text_its_place_in_the_section() -> None:
    edition = assembled(STRAY).built
    found = {unit.unitid: unit for unit in edition.units}
    steps = [(u.step, u.text) for u in edition.units if u.step]
    assert steps == [
        ("1", "1. Let k be 0."),
        ("2", "2. Repeat,"),
        ("2.a", "a. If k = 3, then"),
        ("2.a.i", "i. Return true."),
        ("2.b", "b. Set k to k + 1."),
    ]
    text = found["sec-x"].text
    assert "Table 7: Odd Rows" in text
    assert "| Key | Result |" in text
    assert "| Undefined | Throw a TypeError exception. |" in text
    assert "STRAY" in text


def test_a_container_with_a_heading_only_is_kept() -> None:
    found = units(clause("sec-c", "4 Container", clause("sec-d", "4.1 Leaf", "<p>x</p>")))
    assert found["sec-c"].text == f"4 Container\n\n{marker('sec-d', 'Leaf')}"
    assert found["sec-c"].subsections == ("sec-d",)


def test_content_after_a_child_belongs_to_the_parent() -> None:
    found = units(clause("sec-p", "1 P", clause("sec-q", "1.1 Q") + "<p>After.</p>"))
    assert found["sec-p"].text == f"1 P\n\n{marker('sec-q', 'Q')}\n\nAfter."


def test_every_unit_s_span_is_its_own_even_where_the_text_repeats() -> None:
    html = "".join(
        clause(f"sec-{n}", f"{n} S", "<emu-alg><ol><li>Return true.</li><li>Return true.</li></ol></emu-alg>")
        for n in range(1, 4)
    )
    edition = assembled(html).built
    page = edition.pages[0].text
    spans = [(u.start, u.end) for u in edition.units if u.step]
    assert len(set(spans)) == 6
    assert all(page[u.start : u.end] == u.text for u in edition.units if u.level is Level.BLOCK)


def test_a_section_without_an_id_gets_a_derived_one() -> None:
    found = units(clause("sec-a", "1 A", "<emu-clause><h1>1.1 B</h1><p>x</p></emu-clause>"))
    assert found["sec-a-emu-clause-1"].title == "B"


def test_two_sections_with_one_id_are_an_error_that_names_both_places() -> None:
    with pytest.raises(StructureError, match=r'"sec-a".*"First" in page-1.html and "Second" in page-2.html'):
        made(clause("sec-a", "1 First"), clause("sec-a", "2 Second"))


def test_a_long_table_s_cells_say_which_caption_row_and_column_they_belong_to() -> None:
    rows = "".join(f"<tr><td>Method{n}</td><td>{'word ' * 60}</td></tr>" for n in range(30))
    html = clause(
        "sec-t",
        "1 T",
        f'<emu-table id="table-m"><figure><figcaption>Table 1: Methods</figcaption><table><thead><tr><th>Name'
        f"</th><th>Purpose</th></tr></thead>{rows}</table></figure></emu-table>",
    )
    found = units(html)
    cell = found["table-m-td-2"]
    assert cell.titlepath == "T > Table 1: Methods > Method0 / Purpose"
    assert cell.parentsectionid == "table-m"
    assert found["table-m"].parentsectionid == "sec-t"


def test_every_id_inside_a_section_leads_to_it() -> None:
    edition = assembled(
        clause("sec-a", "1 A", '<p id="p1"><dfn id="d1">term</dfn></p><ol><li id="step-x">s</li></ol>')
        + clause("sec-b", "2 B", '<emu-note id="n1"><p>x</p></emu-note>')
    ).built
    leads = {name.name: name.sectionid for name in edition.names if name.kind is NameKind.ANCHOR}
    assert leads == {"p1": "sec-a", "d1": "sec-a", "step-x": "sec-a", "n1": "sec-b"}


def test_references_are_kept_beside_the_text_in_order_and_once() -> None:
    call = '<emu-xref aoid="Bee"><a href="#sec-b">Bee</a></emu-xref>'
    found = units(
        clause("sec-a", "1 A", f'<p>{call}, <emu-xref href="#sec-c"><a>C</a></emu-xref>, {call}</p>')
        + '<emu-clause id="sec-b" aoid="Bee"><h1>2 Bee ( )</h1></emu-clause>'
        + clause("sec-c", "3 C")
    )
    assert found["sec-a"].references == ("sec-b", "sec-c")


def test_rules_are_kept_out_of_algorithms() -> None:
    step = "<li><p>" + "word " * 300 + "</p></li>"
    html = clause("sec-a", "1 A", f"<emu-alg><ol>{step * 5}</ol></emu-alg>")
    assert units(html, rules=BreakdownRules(threshold=1000))["sec-a"].subsections == ()
