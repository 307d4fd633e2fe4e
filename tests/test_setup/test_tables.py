"""Tables as text: what stands where, and what repeats."""

from tests.test_setup.helpers import made, text


def test_a_spanning_cell_repeats_in_each_place_it_covers() -> None:
    html = (
        "<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead>"
        "<tr><td rowspan=2>x</td><td colspan=2>y</td></tr><tr><td>1</td><td>2</td></tr></table>"
    )
    assert text(html) == "| A | B | C |\n| --- | --- | --- |\n| x | y | y |\n| x | 1 | 2 |"


def test_a_cell_is_one_line_and_its_bars_are_escaped() -> None:
    html = "<table><tr><th>Op</th></tr><tr><td><p>a</p><ul><li><code>||</code></li></ul></td></tr></table>"
    assert text(html) == "| Op |\n| --- |\n| a - `\\|\\|` |"


def test_a_table_without_headers_still_is_one() -> None:
    assert text("<table><tr><td>1</td><td>2</td></tr></table>") == "|  |  |\n| --- | --- |\n| 1 | 2 |"


def test_short_rows_are_filled_up() -> None:
    html = "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td></tr></table>"
    assert text(html) == "| A | B |\n| --- | --- |\n| 1 | |"


def test_absurd_spans_do_not_blow_up() -> None:
    html = '<table><tr><td colspan="99999999">a</td><td rowspan="-3" colspan="x">b</td></tr></table>'
    assert len(text(html)) < 20_000


def test_a_table_inside_a_cell_is_part_of_its_line() -> None:
    html = "<table><tr><th>A</th></tr><tr><td>x<table><tr><td>1</td><td>2</td></tr></table></td></tr></table>"
    assert text(html) == "| A |\n| --- |\n| x 1 2 |"


def rows(*lines: str) -> str:
    """Rows under the header `A B C`."""
    header = "<thead><tr><th>A</th><th>B</th><th>C</th></tr></thead>"
    return f"<table>{header}<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody></table>"


def body(html: str) -> list[str]:
    return text(html).splitlines()[2:]


def test_a_cell_reaches_no_further_than_its_group_of_rows() -> None:
    html = (
        "<table><thead><tr><th rowspan=5>A</th><th>B</th></tr></thead>"
        "<tbody><tr><td rowspan=9>1</td><td>2</td></tr></tbody>"
        "<tbody><tr><td>3</td><td>4</td></tr></tbody></table>"
    )
    assert text(html) == "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"


def test_a_row_span_of_nothing_means_to_the_end_of_the_group() -> None:
    html = rows("<td rowspan=0>x</td><td>1</td><td>2</td>", "<td>3</td><td>4</td>", "<td>5</td><td>6</td>")
    assert body(html) == ["| x | 1 | 2 |", "| x | 3 | 4 |", "| x | 5 | 6 |"]


def test_of_overlapping_cells_the_later_stands_and_no_row_is_shifted() -> None:
    html = rows("<td>1</td><td rowspan=2>2</td><td>3</td>", "<td colspan=2>4</td><td>5</td>", "<td>6</td>")
    assert body(html) == ["| 1 | 2 | 3 |", "| 4 | 4 | 5 |", "| 6 | | |"]


def test_a_caption_is_a_line_before_the_rows_wherever_it_is_written() -> None:
    lines = "<tr><th>A</th></tr><tr><td>1</td></tr>"
    assert (
        text(f"<table><colgroup><col></colgroup><caption>Cap</caption>{lines}</table>")
        == "Cap\n\n| A |\n| --- |\n| 1 |"
    )


def test_steps_and_items_inside_a_cell_keep_their_labels() -> None:
    steps = "<emu-alg><ol><li>Let x.<ol><li>Do.</li></ol></li></ol></emu-alg>"
    assert body(rows(f"<td>{steps}</td><td><ul><li>y</li></ul></td>")) == ["| 1. Let x. a. Do. | - y | |"]


def test_a_row_and_a_cell_are_tied_to_caption_and_header_in_their_heading_path() -> None:
    html = (
        '<emu-clause id="sec-a"><h1>1 A</h1><emu-table><figure><figcaption>Table 1: Things</figcaption>'
        f"{rows('<td>k</td><td>v</td><td>w</td>')}</figure></emu-table></emu-clause>"
    )
    paths = {unit.titlepath for unit in made(html).assembled.built.units if unit.kind == "row"}
    assert paths == {"A > Table 1: Things"}
