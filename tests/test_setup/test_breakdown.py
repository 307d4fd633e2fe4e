"""How long sections are cut: which parts, in which order, where it stops, and what they are called."""

from setup.assemble import TOO_DEEP
from storage.markers import marker
from storage.model import BreakdownRules, Kind, Level
from tests.test_setup.helpers import made, units

WORDS = "word " * 60
SMALL = BreakdownRules(threshold=500, max_depth=3, smallest=50)


def clause(body: str, htmlid: str = "sec-a") -> str:
    return f'<emu-clause id="{htmlid}"><h1>1 A</h1>{body}</emu-clause>'


def table(cells: str, htmlid: str = "") -> str:
    attribute = f' id="{htmlid}"' if htmlid else ""
    figure = f"<figure><figcaption>Table</figcaption><table>{cells}</table></figure>"
    return f"<emu-table{attribute}>{figure}</emu-table>"


def row(*cells: str) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def grammar(count: int) -> str:
    sides = "".join(f"<emu-rhs><emu-t>{WORDS}{n}</emu-t></emu-rhs>" for n in range(count))
    return (
        '<emu-grammar><emu-production name="P"><emu-nt>P</emu-nt> <emu-geq>:</emu-geq>'
        f"{sides}</emu-production></emu-grammar>"
    )


def test_a_section_that_fits_is_not_cut() -> None:
    found = units(clause(f"<p>{WORDS}</p>" + table(row("a", "b"))), rules=SMALL)
    assert found["sec-a"].subsections == ()


def test_child_sections_are_cut_out_whatever_their_size() -> None:
    inner = '<emu-clause id="sec-b"><h1>1.1 B</h1></emu-clause>'
    assert units(clause(inner))["sec-a"].subsections == ("sec-b",)


def test_tables_go_before_grammars_and_the_cutting_stops_once_the_rest_fits() -> None:
    wide = BreakdownRules(threshold=700, max_depth=3, smallest=50)
    found = units(clause(f"<p>{WORDS}</p>{grammar(1)}{table(row(WORDS, WORDS))}"), rules=wide)
    assert found["sec-a"].subsections == ("sec-a-emu-table-1",)
    found = units(clause(f"<p>{WORDS}</p>{grammar(3)}{table(row(WORDS, WORDS))}"), rules=SMALL)
    assert found["sec-a"].subsections == ("sec-a-emu-grammar-1", "sec-a-emu-table-1")


def test_paragraphs_are_cut_last() -> None:
    found = units(clause(f"<p>{WORDS}</p><p>short</p><p>{WORDS}</p>"), rules=SMALL)
    assert found["sec-a"].subsections == ("sec-a-p-1", "sec-a-p-3")
    assert "short" in found["sec-a"].text


def test_a_long_table_is_cut_by_cells_and_ids_show_the_path() -> None:
    found = units(clause(table(row("k", WORDS) + row("l", WORDS), "table-t")), rules=SMALL)
    assert found["sec-a"].subsections == ("table-t",)
    assert found["table-t"].subsections == ("table-t-td-2", "table-t-td-4")
    nested = units(clause(table(row("k", WORDS) + row("l", WORDS))), rules=SMALL)
    assert nested["sec-a-emu-table-1"].subsections == ("sec-a-emu-table-1-td-2", "sec-a-emu-table-1-td-4")


def test_every_part_s_parent_is_its_immediate_parent() -> None:
    found = units(clause(table(row("k", f"<p>{WORDS}</p><p>{WORDS}</p>"))), rules=SMALL)
    assert found["sec-a-emu-table-1-td-2-p-1"].parentsectionid == "sec-a-emu-table-1-td-2"
    assert found["sec-a-emu-table-1-td-2"].parentsectionid == "sec-a-emu-table-1"
    assert found["sec-a-emu-table-1"].parentsectionid == "sec-a"
    assert found["sec-a-emu-table-1-td-2-p-1"].clauseid == "sec-a"


def test_the_depth_limit_holds_and_says_so() -> None:
    html = clause(table(row("k", f"<p>{WORDS}</p><p>{WORDS}</p>")))
    found = units(html, rules=BreakdownRules(threshold=500, max_depth=2, smallest=50))
    cell = found["sec-a-emu-table-1-td-2"]
    assert cell.subsections == ()
    assert cell.text.endswith(TOO_DEEP)
    assert made(html, rules=BreakdownRules(threshold=500, max_depth=2, smallest=50)).report.passed


def test_parts_under_the_minimum_stay_inline() -> None:
    rules = BreakdownRules(threshold=500, max_depth=3, smallest=1_000)
    assert units(clause(f"<p>{WORDS}</p>" * 3), rules=rules)["sec-a"].subsections == ()


def test_of_nested_elements_of_one_tag_only_the_outer_is_cut() -> None:
    inner = table(row(WORDS))
    found = units(clause(table(row(inner, WORDS))), rules=SMALL)
    assert found["sec-a"].subsections == ("sec-a-emu-table-1",)


def test_numbers_count_all_elements_of_the_tag_so_that_ids_do_not_shift() -> None:
    found = units(clause(f"<p>tiny</p><p>{WORDS}</p><p>{WORDS}</p>"), rules=SMALL)
    assert found["sec-a"].subsections == ("sec-a-p-2", "sec-a-p-3")


def test_an_id_of_the_source_is_kept_and_a_clash_is_resolved() -> None:
    html = clause(f'<p>{WORDS}</p><p id="mine">{WORDS}</p>') + (
        '<emu-clause id="sec-b"><h1>2 B</h1><span id="sec-a-p-1"></span></emu-clause>'
    )
    found = units(html, rules=SMALL)
    assert found["sec-a"].subsections == ("sec-a-p-1-2", "mine")


def test_a_bare_production_is_cut_like_a_grammar() -> None:
    sides = f"<emu-rhs><emu-t>{WORDS}</emu-t></emu-rhs>"
    bare = f'<emu-production name="P"><emu-nt>P</emu-nt> <emu-geq>:</emu-geq>{sides}</emu-production>'
    found = units(clause(bare * 2), rules=SMALL)
    assert found["sec-a"].subsections == ("sec-a-emu-production-1", "sec-a-emu-production-2")
    assert found["sec-a-emu-production-1"].kind is Kind.PRODUCTION


def test_a_marker_shows_a_title_only_where_the_source_gives_one() -> None:
    found = units(clause(table(row(WORDS, WORDS), "table-t") + f"<p>{WORDS}</p>" * 2), rules=SMALL)
    assert marker("table-t", "Table") in found["sec-a"].text
    assert marker("sec-a-p-1") in found["sec-a"].text
    assert found["sec-a-p-1"].title == "A [p]"


def test_a_note_with_a_cut_paragraph_falls_apart_into_its_inner_blocks() -> None:
    html = clause(
        f'<emu-note><span class="note">Note</span><div><p>{WORDS * 2}</p><p>rest</p></div></emu-note>'
    )
    edition = made(html, rules=SMALL).assembled.built
    own = [u.text for u in edition.units if u.level is Level.BLOCK and u.sectionid == "sec-a"]
    assert own == ["1 A", "Note", "rest"]


def test_every_word_of_own_text_is_in_exactly_one_block() -> None:
    html = clause(f"loose <b>words</b><p>{WORDS * 3}</p>{grammar(2)}{table(row(WORDS, 'x'))}tail")
    edition = made(html, rules=SMALL).assembled.built
    for unit in edition.units:
        if unit.level is Level.BLOCK:
            continue
        page = edition.pages[0].text
        own = " ".join(page[s.start : s.end] for s in unit.segments)
        blocks = [u.text for u in edition.units if u.level is Level.BLOCK and u.sectionid == unit.unitid]
        assert _words(" ".join(blocks)) == _words(own)


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(character.isalnum() for character in word)]
