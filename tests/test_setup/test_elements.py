"""What each element renders to: one rule a test."""

import pytest

from tests.test_setup.helpers import page, text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("2<sup>53</sup> - 1", "2^53 - 1"),
        ("10<sup><var>n</var> - 1</sup>", "10^(n - 1)"),
        ("10<sup>-7</sup>", "10^-7"),
        ("<emu-val>+0</emu-val><sub>𝔽</sub>", "+0𝔽"),
        ("<emu-val>1</emu-val><sub>ℤ</sub>", "1ℤ"),
        ("x<sub>1</sub>", "x_1"),
        ("x<sub>i + 1</sub>", "x_(i + 1)"),
        ("StatementList<sub>[Return]</sub>", "StatementList[Return]"),
        ("10<sup>(n - 1)</sup>", "10^(n - 1)"),
        ("10<sup>(a) + (b)</sup>", "10^((a) + (b))"),
        ("2<sup>k</sup>th", "2^(k)th"),
        ("2<sub>ℤ</sub><sup>y</sup>", "2ℤ^y"),
    ],
)
def test_scripts_never_run_together_with_their_base(html: str, expected: str) -> None:
    assert text(f"<p>{html}</p>") == expected


def test_white_space_is_one_space_and_words_stay_apart_across_elements() -> None:
    html = "<p>  If\n <var>x</var>&nbsp;=&nbsp;3, then\t<b>re</b>turn.  </p>"
    assert text(html) == "If x = 3, then return."


def test_blocks_are_set_apart_and_line_breaks_kept() -> None:
    assert text("<p>one</p><p>two<br>three</p><div>four</div>") == "one\n\ntwo\nthree\n\nfour"


def test_code_is_backticked_with_its_inner_spacing() -> None:
    assert text("<p>see <code>a  b</code>, and <code>x`y</code></p>") == "see `a  b`, and ``x`y``"


def test_preformatted_text_keeps_its_lines_and_indentation() -> None:
    html = "<pre><code>if (x) {\n  y();\n\n}\n</code></pre>"
    assert text(html) == "```\nif (x) {\n  y();\n\n}\n```"


def test_a_note_begins_with_a_line_that_says_so() -> None:
    html = (
        '<emu-note><span class="note">Note 2</span><div class="note-contents"><p>Mind.</p></div></emu-note>'
    )
    assert text(html) == "Note 2\nMind."


def test_images_give_their_alternative_text_under_the_caption() -> None:
    html = (
        "<emu-figure><figure><figcaption>Figure 1: A map</figcaption>"
        '<img alt="Two boxes." src="x"></figure></emu-figure>'
    )
    assert text(html) == "Figure 1: A map\n\n[Image: Two boxes.]"


def test_an_inline_equation_stays_in_its_sentence_and_a_block_one_does_not() -> None:
    assert text('<p>is <emu-eqn class="inline">a + b</emu-eqn>.</p>') == "is a + b."
    html = "<emu-eqn><div>H = 24</div><div>M = 60</div></emu-eqn>"
    assert text(html) == "H = 24\nM = 60"


def test_definition_lists_keep_the_term_above_what_it_means() -> None:
    assert text("<dl><dt>agent</dt><dd><p>It acts.</p></dd></dl>") == "agent\n  It acts."


def test_attributes_such_as_normative_optional_are_a_line_of_their_own() -> None:
    html = (
        '<emu-clause id="a"><div class="attributes-tag">Normative Optional, Legacy</div>'
        "<h1>1 A</h1><p>x</p></emu-clause>"
    )
    assert text(html) == "Normative Optional, Legacy\n\n1 A\n\nx"


def test_comments_scripts_and_styles_are_not_text() -> None:
    assert text("<p>a<!-- b --><script>c</script><style>d</style>e</p>") == "ae"


def test_headings_are_one_line_without_backticks() -> None:
    assert text("<emu-clause id='a'><h1>14.6 The\n<code>if</code> Statement</h1></emu-clause>") == (
        "14.6 The if Statement"
    )


def test_code_in_a_heading_does_not_run_together_with_its_neighbours() -> None:
    assert text("<h1>The<code> if </code>Statement, <code>a</code>s</h1>") == "The if Statement, as"
    assert text("<p>The<code> if </code>Statement</p>") == "The `if` Statement"


@pytest.mark.parametrize("name", ["section", "details", "blockquote", "address", "summary"])
def test_what_html_sets_on_lines_of_its_own_stands_on_them(name: str) -> None:
    assert text(f"one<{name}>two</{name}>three") == "one\n\ntwo\n\nthree"


def test_an_element_that_is_not_known_is_its_content_in_its_sentence() -> None:
    assert (
        text("<p>a <emu-not-ref>sub</emu-not-ref>string <kbd>Ctrl</kbd>+<ins>x</ins></p>")
        == "a substring Ctrl+x"
    )


def test_ruby_stands_beside_its_word() -> None:
    assert text("<p><ruby>漢<rt>kan</rt></ruby>!</p>") == "漢 kan !"


def test_a_drawing_gives_its_words() -> None:
    svg = "<svg><title>Boxes</title><text>A</text><text>B</text></svg>"
    assert text(f"<emu-figure><figure>{svg}</figure></emu-figure>") == "[Image: Boxes A B]"


def test_examples_and_editors_notes_say_what_they_are() -> None:
    label = '<span class="note">Editor\'s Note</span>'
    editor = f'<emu-note type="editor">{label}<div class="note-contents"><p>x</p></div></emu-note>'
    assert text(editor) == "Editor's Note\nx"
    assert (
        text('<emu-example><span class="note">Example 1</span><p>See.</p></emu-example>') == "Example 1\nSee."
    )


def test_a_block_inside_an_item_is_indented_under_it() -> None:
    assert text("<ul><li><p>one</p><p>two</p></li><li>x<p>y</p>z</li></ul>") == "- one\n  two\n- x\n  y\n  z"


def test_several_terms_may_share_a_meaning() -> None:
    assert text("<dl><dt>a</dt><dt>b</dt><dd>c</dd><dd>d</dd></dl>") == "a\nb\n  c\n  d"


def test_a_link_is_its_text_and_a_reference_beside_it() -> None:
    rendered = page('<p>see <emu-xref href="#sec-x"><a href="#sec-x">5.1</a></emu-xref>.</p>')
    assert rendered.text == "see 5.1."
    assert [(r.target, r.start) for r in rendered.references] == [("sec-x", 4)]


# -- what is empty -----------------------------------------------------------------------------------------


def test_an_empty_section_lies_inside_its_parent_and_before_what_follows() -> None:
    rendered = page(
        '<emu-clause id="a"><emu-clause id="b"></emu-clause><h1>A</h1><emu-clause id="c"></emu-clause>'
        '<emu-clause id="d"><h1>D</h1></emu-clause></emu-clause><emu-clause id="e"></emu-clause>'
    )
    a, e = (node for node in rendered.root.children if node.is_section)
    spans = {node.htmlid: (node.start, node.end) for node in (a, *a.children, e) if node.is_section}
    assert rendered.text == "A\n\nD"
    assert spans == {"a": (0, 4), "b": (0, 0), "c": (1, 1), "d": (3, 4), "e": (4, 4)}


# -- algorithms -------------------------------------------------------------------------------------------


def steps(*labels: str) -> str:
    """Nested steps, one in each, as deep as there are labels."""
    return "".join(f"<ol><li>{label}" for label in labels) + "</li></ol>" * len(labels)


def test_steps_are_labelled_by_depth_as_printed() -> None:
    rendered = text(f"<emu-alg>{steps('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H')}</emu-alg>")
    labels = [line.split()[0] for line in rendered.splitlines()]
    assert labels == ["1.", "a.", "i.", "1.", "a.", "i.", "i.", "i."]


def test_steps_are_indented_and_carry_their_path() -> None:
    rendered = page(
        "<emu-alg><ol><li>One.</li><li>Two,<ol><li>If so, then<ol><li>Stop.</li></ol></li><li>Go on.</li>"
        "</ol></li></ol></emu-alg>"
    )
    assert rendered.text == "1. One.\n2. Two,\n  a. If so, then\n    i. Stop.\n  b. Go on."
    (algorithm,) = rendered.root.children
    paths = {n.label: rendered.text[n.start : n.end] for n in algorithm.children if not n.children}
    assert paths["1"] == "1. One."
    assert list(_paths(algorithm)) == ["1", "2", "2.a", "2.a.i", "2.b"]


def _paths(node) -> list[str]:  # type: ignore[no-untyped-def]
    out = []
    for child in node.children:
        out += [child.label, *_paths(child)]
    return out


def test_text_after_a_nested_list_belongs_to_the_step() -> None:
    rendered = text("<emu-alg><ol><li>Do<ol><li>this</li></ol>and that.</li><li>End.</li></ol></emu-alg>")
    assert rendered == "1. Do\n  a. this\n  and that.\n2. End."


def test_a_replacing_step_starts_where_the_replaced_one_stands() -> None:
    html = '<emu-alg><ol class="nested-twice" start="3"><li>Let x.<ol><li>So.</li></ol></li></ol></emu-alg>'
    assert text(html) == "iii. Let x.\n  1. So."


def test_letters_and_roman_numerals_go_on_past_their_first_round() -> None:
    items = "".join(f"<li>{n}</li>" for n in range(1, 29))
    rendered = text(f"<emu-alg><ol><li>x<ol>{items}</ol></li></ol></emu-alg>").splitlines()
    assert [line.split()[0] for line in rendered[26:]] == ["z.", "aa.", "ab."]
    rendered = text(f"<emu-alg><ol><li>x<ol><li>y<ol>{items}</ol></li></ol></li></ol></emu-alg>").splitlines()
    assert [line.split()[0] for line in rendered[5:12]] == ["iv.", "v.", "vi.", "vii.", "viii.", "ix.", "x."]


def test_attributes_of_a_step_are_a_line_before_its_words() -> None:
    tag = '<div class="attributes-tag">Normative Optional</div>'
    step = f"<li normative-optional>{tag}If so, then<ol><li>Do.</li></ol></li>"
    html = f"<emu-alg><ol><li>One.</li>{step}</ol></emu-alg>"
    assert text(html) == "1. One.\n2. Normative Optional\n  If so, then\n  a. Do."


def test_an_id_in_a_step_knows_the_step() -> None:
    rendered = page(
        '<emu-alg><ol><li>One.</li><li id="s2">Two <var id="v">x</var>:<ol><li id="s2a">A.</li></ol></li>'
        '</ol></emu-alg><p id="p">x</p>'
    )
    assert {a.htmlid: a.step for a in rendered.anchors} == {"s2": "2", "v": "2", "s2a": "2.a", "p": ""}


def test_an_algorithm_inside_a_step_counts_from_the_beginning() -> None:
    assert text("<emu-alg><ol><li>a<emu-alg><ol><li>b</li></ol></emu-alg></li><li>c</li></ol></emu-alg>") == (
        "1. a\n  1. b\n2. c"
    )


def test_a_step_with_a_paragraph_stays_on_its_label_s_line() -> None:
    assert text("<emu-alg><ol><li><p>One.</p></li></ol></emu-alg>") == "1. One."


def test_lists_outside_algorithms_are_dashes_and_numbers() -> None:
    html = "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol start='4'><li>d</li></ol>"
    assert text(html) == "- a\n  - b\n- c\n\n4. d"


# -- grammar ----------------------------------------------------------------------------------------------


def production(name: str, sides: str, *, attributes: str = "", geq: str = ":", mods: str = "") -> str:
    """One production as ecmarkup writes it."""
    return (
        f'<emu-production name="{name}" {attributes}>\n <emu-nt><a href="#x">{name}</a>{mods}</emu-nt> '
        f"<emu-geq>{geq}</emu-geq> {sides}\n</emu-production>"
    )


def test_each_right_hand_side_is_a_line() -> None:
    params = "<emu-mods><emu-params>[In]</emu-params></emu-mods>"
    sides = (
        "<emu-rhs>\n<emu-t>if</emu-t>\n<emu-nt>E<emu-mods><emu-params>[+In]</emu-params></emu-mods></emu-nt>"
        "</emu-rhs><emu-rhs>"
        "<emu-nt>F</emu-nt> <emu-gann>[lookahead ≠ <emu-t>else</emu-t>]</emu-gann></emu-rhs>"
    )
    rendered = text(f"<emu-grammar>{production('S', sides, mods=params)}</emu-grammar>")
    assert rendered == "S[In] :\n  if E[+In]\n  F [lookahead ≠ else]"


def test_opt_attaches_and_cannot_be_read_as_part_of_the_name() -> None:
    sides = (
        "<emu-rhs><emu-nt>Init<emu-mods><emu-params>[~Sep]</emu-params><emu-opt>opt</emu-opt></emu-mods>"
        "</emu-nt><emu-t>;</emu-t></emu-rhs>"
    )
    assert text(f"<emu-grammar>{production('V', sides, geq='::')}</emu-grammar>") == (
        "V ::\n  Init[~Sep]_opt ;"
    )


def test_one_of_lists_but_not_and_prose_are_kept() -> None:
    one_of = "<emu-oneof>one of</emu-oneof> <emu-rhs><emu-t>a</emu-t> <emu-t>b</emu-t></emu-rhs>"
    but_not = "<emu-rhs><emu-nt>C</emu-nt> <emu-gmod>but not <emu-t>*</emu-t></emu-gmod></emu-rhs>"
    prose = "<emu-rhs><emu-gprose>any code point</emu-gprose></emu-rhs>"
    html = "".join(
        production(name, sides, geq=":::") for name, sides in (("P", one_of), ("Q", but_not), ("R", prose))
    )
    assert text(f"<emu-grammar>{html}</emu-grammar>") == (
        "P ::: one of\n  a b\n\nQ :::\n  C but not *\n\nR :::\n  any code point"
    )


def test_a_collapsed_production_is_one_line() -> None:
    sides = "<emu-rhs><emu-nt>A</emu-nt> <emu-t>;</emu-t></emu-rhs>"
    html = production("S", sides, attributes='collapsed=""')
    assert text(f"<emu-grammar>{html}</emu-grammar>") == "S : A ;"


def test_a_production_in_a_sentence_stays_in_it() -> None:
    html = production("S", "<emu-rhs><emu-t>x</emu-t></emu-rhs>", attributes='collapsed=""')
    assert text(f"<p>Where<emu-grammar>{html}</emu-grammar>holds.</p>") == "Where S : x holds."
