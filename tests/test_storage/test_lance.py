import errno
from pathlib import Path

import pytest

from storage.errors import StoreError
from storage.lance import explained

FOLDER = Path("the-store")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "x"), "no room to write the store in the-store: free some space"),
        (RuntimeError("lance error: IO: No space left on device"), "no room to write"),
        (
            PermissionError(errno.EACCES, "x"),
            "may not be read or written by this user: change its permissions, or set ASK262_STORAGE_DIR",
        ),
        (RuntimeError("lance error: Read-only file system (os error 30)"), "is on a read-only file system"),
        (
            ValueError("Table 'units' was not found"),
            r"cannot be used \(Table 'units' was not found\): .*rebuild",
        ),
        (RuntimeError("lance\nerror " + "x" * 900), "cannot be used"),
    ],
)
def test_what_the_store_raises_becomes_one_line_with_its_remedy(error: Exception, message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught, explained(FOLDER):
        raise error
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    assert caught.value.__cause__ is error


def test_faults_of_the_program_keep_their_traceback() -> None:
    with pytest.raises(KeyError), explained(FOLDER):
        raise KeyError("x")


def test_an_explained_error_is_not_explained_again() -> None:
    with pytest.raises(StoreError, match=r"^as it was$"), explained(FOLDER), explained(FOLDER):
        raise StoreError("as it was")
