"""The studies by name, in the order of the report."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from evaluation.studies import (
    ablation,
    editions,
    full_text,
    heading_path,
    parent_size,
    start,
    strata,
    vectors,
)
from evaluation.studies.study import Study
from storage.errors import InputError

STUDIES: Mapping[str, Study] = MappingProxyType(
    {
        module.STUDY.name: module.STUDY
        for module in (
            strata,
            ablation,
            parent_size,
            start,
            heading_path,
            full_text,
            vectors,
            editions,
        )
    }
)


def chosen(names: Sequence[str]) -> list[Study]:
    """The studies of these names; all of them for none. InputError for any other."""
    if unknown := [name for name in names if name not in STUDIES]:
        raise InputError(f"`{unknown[0]}` is no study; there are {', '.join(STUDIES)}.")
    return [STUDIES[name] for name in names or STUDIES]
