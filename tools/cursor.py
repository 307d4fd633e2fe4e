"""An opaque word that says where a fetch stopped. Carries a position and proves whose it is; holds no state.

Short, since a model has to copy it. Its seal binds it to the build of the edition and the section asked for:
a cursor of another store, build or question is refused instead of giving a page that does not follow.
"""

import hashlib
import re
from dataclasses import dataclass

from storage.errors import InputError
from tools.clean import shortened

_FORM = re.compile(r"(?P<seal>[0-9a-f]{10})-(?P<recursive>[sr])-(?P<place>\d{1,7})-(?P<offset>\d{1,9})")


@dataclass(frozen=True, slots=True)
class Position:
    """The next thing to show: the unit at `place` of the walk, from character `offset` of its text on."""

    place: int = 0
    offset: int = 0
    recursive: bool = False
    """The walk goes on to descendants."""


def encode(position: Position, *, build: str, root: str) -> str:
    """The position as one word, sealed for this build and this section."""
    body = f"{'r' if position.recursive else 's'}-{position.place}-{position.offset}"
    return f"{_seal(body, build, root)}-{body}"


def decode(cursor: str, *, build: str, root: str) -> Position:
    """The position in a cursor; InputError when it is none, or was given for another build or section."""
    found = _FORM.fullmatch(cursor.strip())
    body = cursor.strip().partition("-")[2]
    if not found or found["seal"] != _seal(body, build, root):
        raise InputError(
            f"`{shortened(cursor)}` is not a cursor that a fetch of `{root}` gave."
            " Copy the cursor whole, or fetch again without one."
        )
    return Position(
        place=int(found["place"]), offset=int(found["offset"]), recursive=found["recursive"] == "r"
    )


def _seal(body: str, build: str, root: str) -> str:
    return hashlib.sha256("\0".join((build, root, body)).encode()).hexdigest()[:10]
