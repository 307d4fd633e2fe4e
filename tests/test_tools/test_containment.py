"""Which parent may stand in for which child."""

from dataclasses import replace

import pytest

from storage.model import Span
from tools.containment import Place, objection
from tools.packet import Reason

PARENT = Place("sha", "p.html", "es2026", "text/1", "d", Span(0, 100))
CHILD = replace(PARENT, span=Span(40, 60))


def test_a_child_inside_its_parent_may_be_represented_by_it() -> None:
    assert objection(CHILD, PARENT) is None
    assert objection(PARENT, PARENT) is None


@pytest.mark.parametrize(
    ("parent", "reason"),
    [
        (None, Reason.MISSING_PARENT),
        (replace(PARENT, edition="es2025"), Reason.EDITION_MISMATCH),
        (replace(PARENT, page="q.html"), Reason.PAGE_MISMATCH),
        (replace(PARENT, source="other"), Reason.PAGE_MISMATCH),
        (replace(PARENT, digest="new"), Reason.STALE_PARENT),
        (replace(PARENT, representation="text/2"), Reason.STALE_PARENT),
        (replace(PARENT, span=Span(0, 59)), Reason.NOT_CONTAINED),
        (replace(PARENT, span=Span(41, 100)), Reason.NOT_CONTAINED),
        (replace(PARENT, edition="es2025", digest="new", span=Span(0, 1)), Reason.EDITION_MISMATCH),
    ],
)
def test_any_other_frame_is_refused_with_the_first_thing_that_is_wrong(
    parent: Place | None, reason: Reason
) -> None:
    assert objection(CHILD, parent) is reason
