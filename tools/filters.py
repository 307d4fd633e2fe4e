"""What a search may be narrowed to. Checks the values; the store applies them before it cuts its lists."""

from dataclasses import dataclass

from storage.errors import InputError
from storage.model import Kind, Unit
from tools.clean import one_line, shortened
from tools.ports import Condition, Reader
from tools.resolve import resolve, seek


@dataclass(frozen=True, slots=True)
class Filters:
    """Which units may match. `chapter` is an outermost section, by any of its names; `kind` is the unit's
    own."""

    chapter: str | None = None
    kind: str | None = None
    annex: bool | None = None


def condition(filters: Filters, reader: Reader) -> Condition | None:
    """The filters as the store takes them, column and value; None when nothing is filtered.

    Raises InputError for a chapter or kind that there is not.
    """
    out: dict[str, str | bool] = {}
    if filters.chapter is not None:
        out["chapter"] = _chapter(filters.chapter, reader)
    if filters.kind is not None:
        out["kind"] = _kind(filters.kind)
    if filters.annex is not None:
        out["annex"] = filters.annex
    return out or None


def passes(unit: Unit, where: Condition | None) -> bool:
    """Whether a unit meets the condition, for the few that a look-up brings without the store's filter."""
    return all(getattr(unit, column) == value for column, value in (where or {}).items())


def _chapter(asked: str, reader: Reader) -> str:
    # A title may stand in several places: `Abstract Operations` is a chapter and a part of another.
    meant = (one.unit for one in seek(asked, reader).found)
    unit = next((unit for unit in meant if unit.unitid == unit.chapter), None) or resolve(asked, reader).unit
    if unit.unitid != unit.chapter:
        raise InputError(
            f"`{shortened(asked)}` is not a chapter: `{unit.unitid}` stands in chapter `{unit.chapter}`."
        )
    return unit.chapter


def _kind(asked: str) -> str:
    kind = one_line(asked).lower()
    if kind not in set(Kind):
        raise InputError(f"`{shortened(asked)}` is no kind of unit; there are {', '.join(sorted(Kind))}.")
    return kind
