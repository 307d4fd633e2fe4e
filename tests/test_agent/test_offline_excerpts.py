"""How a text is taken apart, and what is quoted around a statement."""

from agent.offline_excerpts import Excerpt, excerpt, joined
from agent.offline_statements import Shape, statements
from agent.offline_thresholds import THRESHOLDS, Thresholds
from storage.markers import marker
from tests.test_agent.evidence import ALGORITHM, BRANCHES
from tests.test_agent.helpers import passage


def test_text_is_taken_apart_into_exact_slices_with_step_labels() -> None:
    found = statements(passage(ALGORITHM))
    assert [(one.shape, one.label, one.text) for one in found] == [
        (Shape.SENTENCE, "", "The abstract operation Alpha takes x and returns a Number."),
        (Shape.SENTENCE, "", "It performs the following steps when called:"),
        (Shape.STEP, "1", "If x is a Bean, throw a TypeError exception."),
        (Shape.STEP, "2", "If x is undefined, then"),
        (Shape.STEP, "2.a", "Let y be Beta(x)."),
        (Shape.STEP, "2.b", "Return y."),
        (Shape.STEP, "3", "Return 7."),
        (Shape.NOTE, "", "Beans were never numbers."),
        (Shape.NOTE, "", "Peas are, i.e. they count."),
    ]
    assert found[5].parents == (found[3],)


def test_grammar_items_and_rows_are_statements() -> None:
    text = "Sum :\n  Term\n  Sum + Term\n\n- an item\n\n| Head | Two |\n| --- | --- |\n| a | b |"
    assert [(one.shape, one.text) for one in statements(passage(text))] == [
        (Shape.PRODUCTION, "Sum :\n  Term\n  Sum + Term"),
        (Shape.ITEM, "an item"),
        (Shape.ROW, "| Head | Two |"),
        (Shape.ROW, "| a | b |"),
    ]


def around(words: str, text: str, *, whole: int = 900, most: int = 400) -> str:
    """What is quoted around the statement that begins with these words, on one line."""
    held = statements(passage(text))
    found = next(one for one in held if one.text.startswith(words))
    grown = excerpt(found, held, {}, Thresholds(whole=whole, excerpt=most))
    return " ".join(grown.text.split())


def test_a_short_algorithm_is_quoted_whole_and_a_paragraph_too() -> None:
    assert around("Let k be the green", BRANCHES).startswith("1. If x is a green bean, then a. Let k")
    assert around("Let k be the green", BRANCHES).endswith("3. Return 7.")
    text = "1.2 Alpha ( x )\n\nBeans are green. Peas are too.\n\nNothing else is."
    assert around("Peas", text) == "Beans are green. Peas are too."


def test_a_branch_is_quoted_with_what_follows_from_it_and_with_its_else() -> None:
    whole = "1. If x is a green bean, then a. Let k be the green count."
    other = " 2. Else, a. Let k be the count of dry beans. b. Return k."
    assert around("If x is a green", BRANCHES, whole=0, most=125) == whole + other


def test_a_step_in_a_branch_is_quoted_under_its_condition() -> None:
    assert around("Let k be the count", BRANCHES, whole=0, most=50).startswith("2. Else, a. Let k")


def test_an_excerpt_of_a_long_algorithm_stays_short() -> None:
    steps = "".join(f"\n  {label}. Let {label} be {'very ' * 30}long." for label in "abcdef")
    text = f"1.2 Alpha ( x )\n\n1. If x is a green bean, then{steps}"
    assert 150 < len(around("If x is", text, whole=300)) <= 400


def test_excerpts_that_share_words_are_quoted_as_one() -> None:
    steps = "\n".join(f"{number}. Let y{number} be the pea in row {number}." for number in range(1, 40))
    text = f"1.2 Alpha ( x )\n\n{steps}"
    held = statements(passage(text))
    apart = [excerpt(one, held, {}, THRESHOLDS) for one in (held[9], held[14])]
    assert apart[0].overlaps(apart[1])
    whole = joined(apart)
    assert (whole.start, whole.end) == (apart[0].start, apart[1].end)
    assert whole.decisive == (held[9], held[14])


def test_an_excerpt_never_reaches_over_a_marker() -> None:
    text = f"1. Let x be one bean.\n\n{marker('sec-b', 'Beans')}\n\n2. Let y be one pea."
    assert around("Let y", text) == "2. Let y be one pea."


def test_a_production_is_quoted_with_the_algorithm_that_it_is_for() -> None:
    text = "Sum : Sum + Term\n\n1. Let x be the Sum.\n2. Return x.\n\nSum : Term\n\n1. Return the Term alone."
    held = statements(passage(text))
    grown = excerpt(held[0], held, {}, THRESHOLDS)
    assert grown.before == (0, len("Sum : Sum + Term"))
    assert grown.text == "1. Let x be the Sum.\n2. Return x."
    assert grown.holds(held[0])
    assert grown.holds(held[2])
    assert not grown.holds(held[3])


def test_a_row_is_quoted_behind_its_caption_and_header() -> None:
    text = "Table 1: Beans and peas\n\n| Name | Colour |\n| --- | --- |\n| pea | green |\n| bean | brown |"
    held = statements(passage(text))
    grown = excerpt(held[-1], held, {}, THRESHOLDS)
    assert isinstance(grown, Excerpt)
    assert grown.before is not None
    assert text[slice(*grown.before)].startswith("Table 1: Beans and peas")
    assert grown.text == "| bean | brown |"


def test_a_marker_is_no_statement_that_can_be_quoted() -> None:
    text = f"Beans are green and round.\n\n{marker('sec-b', 'Beans and what they are')}\n\nPeas are not."
    assert [one.text for one in statements(passage(text))] == ["Beans are green and round.", "Peas are not."]
