"""Questions with a known target: what they say, that one block only is meant, and what a packet covers."""

import pytest

from evaluation.studies.corpus import Corpus, load
from evaluation.synthetic import Covered, Maker, Stratum, Synthetic, covered
from storage.model import Kind, Level, Span
from storage.reader import LanceReader
from tools.lexical import words
from tools.packet import Selected


@pytest.fixture(scope="module")
def corpus(sample_reader: LanceReader) -> Corpus:
    return load(sample_reader)


@pytest.fixture(scope="module")
def made(corpus: Corpus) -> dict[Stratum, list[Synthetic]]:
    maker = Maker(corpus)
    return {stratum: maker.questions(stratum, 15) for stratum in Stratum}


def shown(asked: Synthetic, *spans: Span) -> Selected:
    unit = asked.target
    return Selected(unit.unitid, unit.clauseid, Level.BLOCK, unit.source, unit.edition, spans, "", ())


def test_the_same_seed_gives_the_same_questions_and_another_seed_others(corpus: Corpus) -> None:
    maker = Maker(corpus)
    first = [one.query for one in maker.questions(Stratum.BARE, 10)]
    assert [one.query for one in maker.questions(Stratum.BARE, 10)] == first
    assert [one.query for one in maker.questions(Stratum.BARE, 10, seed=1)] != first


def test_a_title_is_said_as_often_as_its_stratum_claims(
    made: dict[Stratum, list[Synthetic]], corpus: Corpus
) -> None:
    titles = [unit.title for unit in corpus.level(Level.SECTION)]
    for stratum, expected in ((Stratum.UNIQUE, False), (Stratum.REPEATED, True)):
        assert made[stratum]
        for one in made[stratum]:
            title = corpus.by_id[one.target.clauseid].title
            assert one.query.startswith(title)
            assert (titles.count(title) > 1) is expected


def test_a_bare_question_has_no_word_of_the_heading_path(made: dict[Stratum, list[Synthetic]]) -> None:
    assert made[Stratum.BARE]
    for one in made[Stratum.BARE]:
        assert not set(words(one.query)) & set(words(one.target.titlepath))


def test_one_block_only_holds_all_words_of_a_bare_question(
    made: dict[Stratum, list[Synthetic]], corpus: Corpus
) -> None:
    for one in made[Stratum.BARE]:
        said = one.query.split()
        holding = [
            block.unitid
            for block in corpus.level(Level.BLOCK)
            if all(word in corpus.text(block).lower() for word in said)
        ]
        assert one.target.unitid in holding
        assert len(said) >= 6


def test_a_target_is_no_heading_and_its_section_has_one(made: dict[Stratum, list[Synthetic]]) -> None:
    for one in (question for held in made.values() for question in held):
        assert one.target.kind is not Kind.HEADING
        assert one.heading.kind is Kind.HEADING
        assert one.heading.clauseid == one.target.clauseid


def test_heading_and_target_are_covered_by_span_and_wholly(made: dict[Stratum, list[Synthetic]]) -> None:
    one = made[Stratum.UNIQUE][0]
    heading, target = one.heading.span, one.target.span
    assert covered(one, [shown(one, heading), shown(one, target)]) == Covered(heading=True, target=True)
    assert covered(one, [shown(one, heading, target)]).both
    assert covered(one, [shown(one, Span(target.start, target.end - 1))]) == Covered(False, False)
    assert not covered(one, [shown(one, heading)]).both


def test_the_same_characters_of_another_page_cover_nothing(made: dict[Stratum, list[Synthetic]]) -> None:
    from dataclasses import replace

    one = made[Stratum.UNIQUE][0]
    other = replace(shown(one, one.heading.span, one.target.span), source="other.html")
    assert covered(one, [other]) == Covered(False, False)
