from dataclasses import replace

import pytest

from storage.editions import canonical_edition, edition_to_build, rebuild_command, resolve_edition
from storage.errors import InputError, UnknownEditionError
from storage.model import BreakdownRules, EditionRecord, EmbedderIdentity

RECORD = EditionRecord(
    edition="es2026",
    title="",
    origin="a folder/es2026",
    sourcedigest="",
    representation="",
    schema=1,
    sample=False,
    embedder=EmbedderIdentity("m", 1, ""),
    rules=BreakdownRules(),
    tables={},
    counts={},
    built="2026-01-01",
    build="",
)
ES2025 = replace(RECORD, edition="es2025", built="2026-05-05")
INTL = replace(RECORD, edition="ecma402-2026", built="2026-09-09")
SAMPLE = replace(RECORD, edition="sample", sample=True, built="2026-12-12")
DRAFT = replace(RECORD, edition="my-proposal", built="2026-10-10")
ALL = [ES2025, RECORD, INTL, SAMPLE, DRAFT]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("es2026", "es2026"),
        ("ES2026", "es2026"),
        (" es 2026", "es2026"),
        ("ECMAScript 2026", "es2026"),
        ("ecma-262-2026", "es2026"),
        ("ES17", "es2026"),
        ("es6", "es2015"),
        ("ECMA-402 2026", "ecma402-2026"),
        ("My_Proposal", "my-proposal"),
        ("sample", "sample"),
    ],
)
def test_an_editions_name_is_understood_however_it_is_written(written: str, meant: str) -> None:
    assert canonical_edition(written) == meant


@pytest.mark.parametrize("written", ["", "  ", "../es2026", "a/b", "x" * 65, "es2026'", "%", "\x1b", "日本"])
def test_what_cannot_name_a_table_cannot_name_an_edition(written: str) -> None:
    with pytest.raises(InputError, match="cannot name an edition"):
        canonical_edition(written)


@pytest.mark.parametrize(
    "written", ["es2026", "ES17", "ECMA-402 2026", "My_Proposal", "sample", "es5.1", "ecma402", "ES", "262"]
)
def test_an_edition_is_built_under_the_name_by_which_it_is_looked_up(written: str) -> None:
    built = edition_to_build(written)
    assert resolve_edition(written, [replace(RECORD, edition=built)], default=None).edition == built


@pytest.mark.parametrize("asked", ["ecma-402", "ECMA402", "intl", "402"])
def test_a_name_without_a_year_is_met_by_every_spelling_of_its_specification(asked: str) -> None:
    held = replace(RECORD, edition="ecma402")
    assert resolve_edition(asked, [SAMPLE, held], default=None).edition == "ecma402"


@pytest.mark.parametrize("written", ["latest", "Current", "newest"])
def test_the_newest_cannot_name_an_edition(written: str) -> None:
    with pytest.raises(InputError, match=r"stands for the newest edition .* `--edition es2026`"):
        edition_to_build(written)


@pytest.mark.parametrize("asked", ["ecma-262", "es", "intl", "402"])
def test_a_specification_of_which_there_is_no_edition_is_refused_not_replaced(asked: str) -> None:
    with pytest.raises(UnknownEditionError, match="which holds my-proposal, sample"):
        resolve_edition(asked, [SAMPLE, DRAFT], default=None)


@pytest.mark.parametrize(
    ("asked", "edition"),
    [
        ("ES 2025", "es2025"),
        ("latest", "es2026"),
        ("ecma-262", "es2026"),
        ("Ecma262", "es2026"),
        ("ecma-402", "ecma402-2026"),
        ("intl", "ecma402-2026"),
        ("Sample", "sample"),
        ("my proposal", "my-proposal"),
    ],
)
def test_aliases_lead_to_what_is_in_the_store(asked: str, edition: str) -> None:
    assert resolve_edition(asked, ALL, default=None).edition == edition


@pytest.mark.parametrize("asked", [None, "", "  "])
def test_without_a_name_the_configured_edition_answers(asked: str | None) -> None:
    assert resolve_edition(asked, ALL, default="ES2025").edition == "es2025"


def test_without_any_choice_the_newest_of_the_language_answers_not_the_newest_build() -> None:
    assert resolve_edition(None, ALL, default=None).edition == "es2026"
    assert resolve_edition(None, [INTL, SAMPLE, DRAFT], default=None).edition == "my-proposal"
    assert resolve_edition(None, [SAMPLE], default=None).edition == "sample"


def test_the_order_of_the_records_does_not_matter() -> None:
    assert resolve_edition("latest", ALL[::-1], default=None).edition == "es2026"


@pytest.mark.parametrize("asked", ["es2030", "ecma-402-2030", "x' OR '1'='1", "sec-%", "x" * 1_000, "\x00"])
def test_an_edition_that_is_not_there_is_refused_with_the_list_of_those_that_are(asked: str) -> None:
    with pytest.raises(UnknownEditionError, match="which holds es2025, es2026") as caught:
        resolve_edition(asked, [ES2025, RECORD], default=None)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_a_configured_edition_that_is_not_there_is_refused_not_replaced() -> None:
    with pytest.raises(UnknownEditionError, match="no edition 'es2024'"):
        resolve_edition(None, ALL, default="es2024")


def test_the_command_that_rebuilds_can_be_pasted() -> None:
    assert rebuild_command(RECORD) == "python -m setup.ingest 'a folder/es2026' --edition es2026"
    assert rebuild_command(SAMPLE) == "python -m setup.ingest --sample --edition sample"
