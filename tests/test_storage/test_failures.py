"""What fails around a store: damage, dead builds, a second writer, folders, disks. One line each, no loss."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from storage import staging
from storage.catalog import TABLE, list_editions
from storage.errors import StoreError
from storage.lance import tables_folder
from storage.lock import writer_lock
from storage.reader import open_reader
from storage.settings import ROOT
from storage.writer import write_edition
from tests.test_storage.small import (
    TEXT,
    LetterEmbedder,
    Told,
    digest,
    settings_for,
    small_edition,
    store,
)
from tests.test_storage.test_writer import CHANGED, answers, tables


def test_a_damaged_table_is_one_line_and_the_same_command_mends_it(tmp_path: Path) -> None:
    record = store(tmp_path, small_edition())
    for file in (tables_folder(tmp_path) / f"{record.tables['units']}.lance" / "data").iterdir():
        file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(StoreError, match=r"cannot be used .*rebuild it: python -m setup.ingest") as caught:
        open_reader(settings_for(tmp_path)).unit("sec-types")
    assert "\n" not in str(caught.value)
    mended = store(tmp_path, small_edition())
    assert mended.tables != record.tables
    assert "odd % section" in answers(tmp_path)


def fault_of(folder: Path) -> str:
    """What is said when an edition is read in every way there is; empty where nothing is wrong."""
    try:
        reader = open_reader(settings_for(folder))
        assert len(reader.units([unit.unitid for unit in small_edition().units])) == 8
        assert reader.page("types.html").text == TEXT
        assert reader.search_text("return", limit=3)
        assert reader.search_vectors([1.0] * 26, limit=3)
        assert reader.names().by_key("sec-types")
        assert list(reader.names())
    except StoreError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(Path.unlink, id="gone"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), id="torn"),
        pytest.param(lambda file: file.write_bytes(bytes(file.stat().st_size)), id="zeros"),
    ],
)
def test_damage_to_any_file_of_a_table_is_seen_by_the_next_ingest_and_never_raises_anything_else(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    # LanceDB finds a torn index only when a query needs the torn part: reading often works all the same.
    record = store(tmp_path, small_edition())
    faults = []
    for name in record.tables.values():
        folder = tables_folder(tmp_path) / f"{name}.lance"
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            content = file.read_bytes()
            damage(file)
            assert staging.unsealed(tmp_path, record) == [name]
            faults += [fault for fault in [fault_of(tmp_path)] if fault]
            file.write_bytes(content)
    assert len(faults) > 10
    for fault in faults:
        assert "rebuild it: python -m setup.ingest small.html --edition es2026" in fault
        assert "\n" not in fault
    assert staging.unsealed(tmp_path, record) == []


def test_a_damaged_build_is_not_kept_to_go_back_to(tmp_path: Path) -> None:
    first = store(tmp_path, small_edition())
    second = store(tmp_path, small_edition(text=CHANGED))
    for file in (tables_folder(tmp_path) / f"{second.tables['units']}.lance" / "_indices").rglob("*.lance"):
        file.write_bytes(b"")
    third = store(tmp_path, small_edition(text=CHANGED))
    assert third.previous == first
    assert tables(tmp_path) == {*first.tables.values(), *third.tables.values()}
    assert "changed section" in answers(tmp_path)


def test_what_a_dead_build_left_half_made_is_no_obstacle(tmp_path: Path) -> None:
    (tables_folder(tmp_path) / f"{TABLE}.lance").mkdir(parents=True)
    (tables_folder(tmp_path) / "units.es2026.dead.lance" / "data").mkdir(parents=True)
    assert list_editions(tmp_path) == []
    record = store(tmp_path, small_edition())
    assert tables(tmp_path) == set(record.tables.values())


class EndsTheOther(Told):
    """Ends another process as soon as it is told that it is waited for."""

    def __init__(self, other: "subprocess.Popen[str]") -> None:
        super().__init__()
        self._other = other

    def say(self, line: str, /) -> None:
        super().say(line)
        self._other.kill()


def test_of_two_writers_at_once_the_second_says_so_and_waits(tmp_path: Path) -> None:
    held = (
        "import sys; from pathlib import Path; from storage.lock import writer_lock\n"
        "with writer_lock(Path(sys.argv[1]), say=print): print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", held, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        told = EndsTheOther(other)
        stored = write_edition(tmp_path, small_edition(), LetterEmbedder(), progress=told)
    assert stored.written
    assert told.lines == [
        f"another process is writing to {tmp_path}: waiting until it has ended (Ctrl-C gives up)"
    ]


def test_the_lock_is_free_again_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), writer_lock(tmp_path, say=print):
        raise ZeroDivisionError
    with writer_lock(tmp_path, say=print):
        pass


def test_a_store_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"the store in .* cannot be used .*ASK262_STORAGE_DIR") as caught:
        store(tmp_path / "file" / "data", small_edition())
    assert "\n" not in str(caught.value)


READ_ONLY = """
import os, sys
from pathlib import Path
from storage.errors import StoreError
from storage.reader import open_reader
from storage.vector_cache import cache_state
from tests.test_storage.small import settings_for, small_edition, store
from tests.test_storage.test_failures import chmod
from tests.test_storage.test_writer import CHANGED
folder = Path(sys.argv[1])
store(folder, small_edition())
open_reader(settings_for(folder)).search_text("return", limit=3)
chmod(folder, file=0o444, directory=0o555)
if os.geteuid() == 0:
    os.setuid(65534)  # nobody: root may write anywhere
reader = open_reader(settings_for(folder))
print(len(reader.search_text("return", limit=3)), cache_state(folder).vectors)
try:
    store(folder, small_edition(text=CHANGED))
except StoreError as error:
    print(error)
"""


def chmod(folder: Path, *, file: int, directory: int) -> None:
    for path in (*folder.rglob("*"), folder):
        path.chmod(directory if path.is_dir() else file)


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs the permissions of a POSIX system")
def test_a_store_that_may_only_be_read_answers_and_an_ingest_names_the_remedy() -> None:
    # Not under pytest's own folder, where nobody but its owner may look.
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        folder = Path(parent) / "store"
        ran = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(folder)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        chmod(folder, file=0o644, directory=0o755)
    assert ran.stderr == ""
    found, said = ran.stdout.splitlines()
    assert found == "3 5"
    assert said == (
        f"the store in {folder} may not be read or written by this user: change its permissions, "
        "or set ASK262_STORAGE_DIR to another folder"
    )


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from storage.errors import StoreError
from tests.test_storage.small import small_edition, store
from tests.test_storage.test_failures import LONG
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    store(Path(sys.argv[1]), small_edition(text=LONG))
except StoreError as error:
    print(error)
"""

LONG = CHANGED + "".join(f"Row {digest(str(number))} of a long afterword.\n" for number in range(2_000))


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
@pytest.mark.parametrize(
    ("largest", "message"),
    [
        pytest.param(0, "embedding cache .* cannot be used", id="no file can grow"),
        pytest.param(60_000, "no room to write the store", id="no table can be written"),
    ],
)
def test_a_full_disk_is_one_line_and_leaves_the_old_edition_answering(
    tmp_path: Path, largest: int, message: str
) -> None:
    first = store(tmp_path, small_edition())
    with pytest.raises(KeyboardInterrupt):
        # The embeddings are there already, so that it is the tables that find no room.
        write_edition(
            tmp_path, small_edition(text=LONG), LetterEmbedder(), progress=Told(interrupt_at="write")
        )
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path), str(largest)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(ran.stdout.splitlines()) == 1
    assert re.search(message, ran.stdout)
    assert list_editions(tmp_path) == [first]
    assert "odd % section" in answers(tmp_path)
    store(tmp_path, small_edition(text=CHANGED))
    assert "changed section" in answers(tmp_path)
