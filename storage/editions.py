"""Names of editions: how people write them, and which one is meant. Pure text; opens no store.

The one place where a name is normalised: ingest, look-ups and `python -m setup.editions` all come here.

`ES2026`, ` es 2026`, `ecma-262-2026` and `es17` are `es2026`; `ecma-262` and `latest` are the newest
edition of the language. What is not in the store is refused with the list of what is.
"""

import re
import shlex
from collections.abc import Sequence

from storage.errors import InputError, UnknownEditionError
from storage.model import EditionRecord

SAMPLE = "sample"
"""The edition of the small specification that ships with the project."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_LANGUAGE = re.compile(r"(?:es|ecmascript|ecma-?262)-?(?P<year>20\d\d)")
_NUMBERED = re.compile(r"es-?(?P<number>[6-9]|[1-4]\d)")
_INTL = re.compile(r"ecma-?402-?(?P<year>20\d\d)")
_YEARLESS = re.compile(r"ecma-?(?P<number>262|402)")
_ES_YEAR = re.compile(r"es(?P<year>20\d\d)")
_NEWEST = frozenset({"latest", "newest", "current"})
_NEWEST_LANGUAGE = frozenset({"es", "ecmascript", "262", "ecma262", "ecma-262"})
_NEWEST_INTL = frozenset({"402", "ecma402", "ecma-402", "intl"})


def canonical_edition(name: str) -> str:
    """The name as the store spells it. Raises InputError for one that cannot name an edition."""
    slug = _slug(name)
    if found := _LANGUAGE.fullmatch(slug):
        return f"es{found['year']}"
    if found := _NUMBERED.fullmatch(slug):
        return f"es{2009 + int(found['number'])}"
    if found := _INTL.fullmatch(slug):
        return f"ecma402-{found['year']}"
    if found := _YEARLESS.fullmatch(slug):
        return f"ecma{found['number']}"
    if not _NAME.fullmatch(slug):
        raise InputError(
            f"{_shown(name)} cannot name an edition: use up to 64 letters, digits, dots and dashes, "
            "for instance `--edition es2026`"
        )
    return slug


def edition_to_build(name: str) -> str:
    """The name of an edition that is to be built, so that every look-up with `name` leads to it.

    A name without a year, such as `ecma402`, is as good as any: a look-up prefers what is called so. Raises
    InputError for a name that cannot be one, and for `latest`, which is whatever is newest.
    """
    canonical = canonical_edition(name)
    if canonical in _NEWEST:
        raise InputError(
            f"{_shown(name)} stands for the newest edition and cannot name one: "
            "say which, such as `--edition es2026`"
        )
    return canonical


def means_newest(name: str) -> bool:
    """Whether a name stands for the newest edition of the language, whichever that is."""
    return _slug(name) in _NEWEST | _NEWEST_LANGUAGE


def resolve_edition(
    name: str | None, records: Sequence[EditionRecord], *, default: str | None
) -> EditionRecord:
    """The record that a name means, or the default edition's without one. `records` is not empty.

    The default is `default`, else the newest edition of the language, else the newest of anything that is not
    the sample, else the sample. Raises UnknownEditionError.
    """
    asked = name if name and name.strip() else default
    if not asked or not asked.strip():
        return newest(records)
    by_name = {record.edition: record for record in records}
    slug = _slug(asked)
    if (known := _spelled(slug, by_name)) is not None:
        return known
    if slug in _NEWEST:
        return newest(records)
    for aliases, pattern in ((_NEWEST_LANGUAGE, _ES_YEAR), (_NEWEST_INTL, _INTL)):
        if slug in aliases and (matching := _matching(records, aliases, pattern)):
            return newest(matching)
    held = ", ".join(sorted(by_name))
    raise UnknownEditionError(
        f"no edition {_shown(asked)} in this store, which holds {held}; "
        "to add one: python -m setup.ingest SOURCE --edition NAME"
    )


def rebuild_command(record: EditionRecord) -> str:
    """The command that builds the edition again, ready to paste."""
    command = ingest_command(record.edition, origin=record.origin, sample=record.sample)
    # With the texts that were generated for it: without the option they would be gone.
    return command + "".join(
        f" --{role} {maker.partition(':')[0]}" for role, maker in record.generated.items()
    )


def ingest_command(edition: str, *, origin: str, sample: bool) -> str:
    """The command that builds an edition from its source, ready to paste."""
    source = "--sample" if sample else shlex.quote(origin)
    return f"python -m setup.ingest {source} --edition {edition}"


def newest(records: Sequence[EditionRecord]) -> EditionRecord:
    """The language before others, others before the sample; then the later year, then the later build."""

    def rank(record: EditionRecord) -> tuple[bool, str, str, str]:
        year = _ES_YEAR.fullmatch(record.edition)
        return (not record.sample, year["year"] if year else "", record.built, record.edition)

    return max(records, key=rank)


def _matching(
    records: Sequence[EditionRecord], aliases: frozenset[str], pattern: re.Pattern[str]
) -> list[EditionRecord]:
    return [record for record in records if record.edition in aliases or pattern.fullmatch(record.edition)]


def _slug(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().casefold())


def _spelled(slug: str, by_name: dict[str, EditionRecord]) -> EditionRecord | None:
    """The edition that is called so; None for an alias, an unknown name and one that cannot be one."""
    try:
        return by_name.get(canonical_edition(slug))
    except InputError:
        return None


def _shown(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:59] + "…")
