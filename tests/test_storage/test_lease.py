import gc
import subprocess
import sys
from pathlib import Path

import pytest

from storage.lance import connect
from storage.lease import claimed, hold
from storage.reader import LanceReader, open_reader
from storage.settings import ROOT
from storage.staging import table_names
from tests.test_storage.small import TEXT, settings_for, small_edition, store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no locks for folders")


def text(number: int) -> str:
    return TEXT.replace("odd % section", f"section number {number}")


def builds(folder: Path) -> int:
    return sum(name.startswith("units.") for name in table_names(connect(folder)))


def says(reader: LanceReader) -> str:
    """What a reader says of the text that every build has differently, read in four ways; they must agree."""
    page = reader.page("types.html").text
    unit = reader.unit("sec-types")
    assert unit is not None
    assert page == text(int(page.partition("number ")[2].partition(".")[0]))
    assert reader.search_text("section number", limit=3)
    assert unit.digest == reader.units(["sec-key"])[0].digest == small_edition(text=page).pages[0].digest
    return page


def test_a_reader_keeps_its_build_through_any_number_of_switches(tmp_path: Path) -> None:
    store(tmp_path, small_edition(text=text(0)))
    reader = open_reader(settings_for(tmp_path))
    for number in range(1, 5):
        store(tmp_path, small_edition(text=text(number)))
        assert says(reader) == text(0)
        assert says(open_reader(settings_for(tmp_path))) == text(number)


def test_a_build_that_nobody_reads_any_longer_is_dropped_by_the_next_switch(tmp_path: Path) -> None:
    store(tmp_path, small_edition(text=text(0)))
    reader = open_reader(settings_for(tmp_path))
    for number in range(1, 4):
        store(tmp_path, small_edition(text=text(number)))
    assert builds(tmp_path) == 3
    assert list(reader.names())
    del reader
    # At once, not at some later collection: nothing of a reader may hold it in a circle.
    gc.disable()
    try:
        store(tmp_path, small_edition(text=text(9)))
    finally:
        gc.enable()
    assert builds(tmp_path) == 2


READ = """
import sys
from pathlib import Path
from storage.reader import open_reader
from tests.test_storage.small import settings_for
reader = open_reader(settings_for(Path(sys.argv[1])))
print("open", flush=True)
for _ in sys.stdin:
    print(reader.page("types.html").text.splitlines()[-2], flush=True)
"""


def test_a_reader_in_another_process_keeps_its_build_and_loses_it_when_it_dies(tmp_path: Path) -> None:
    store(tmp_path, small_edition(text=text(0)))
    command = [sys.executable, "-c", READ, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "open\n"
        for number in range(1, 4):
            store(tmp_path, small_edition(text=text(number)))
        other.stdin.write("\n")
        other.stdin.flush()
        assert other.stdout.readline() == "It's an section number 0.\n"
        other.kill()
    store(tmp_path, small_edition(text=text(4)))
    assert builds(tmp_path) == 2


def test_who_drops_waits_for_readers_and_who_reads_sees_that_a_build_goes(tmp_path: Path) -> None:
    lease, second = hold(tmp_path), hold(tmp_path)
    assert lease is not None
    assert second is not None
    for one in (lease, second):
        with claimed(tmp_path) as free:
            assert not free
        one.release()
        one.release()
    with claimed(tmp_path) as free:
        assert free
        assert hold(tmp_path) is None
    assert hold(tmp_path) is not None


def test_a_folder_that_is_gone_can_be_dropped_and_not_read(tmp_path: Path) -> None:
    assert hold(tmp_path / "gone") is None
    with claimed(tmp_path / "gone") as free:
        assert free


SWITCH = """
import sys
from pathlib import Path
from tests.test_storage.small import small_edition, store
from tests.test_storage.test_lease import text
for number in range(1, 6):
    sys.stdin.readline()
    store(Path(sys.argv[1]), small_edition(text=text(number)))
    print("switched", flush=True)
"""


def test_readers_during_five_switches_see_the_old_or_the_new_and_never_a_mix(tmp_path: Path) -> None:
    store(tmp_path, small_edition(text=text(0)))
    first = open_reader(settings_for(tmp_path))
    command = [sys.executable, "-c", SWITCH, str(tmp_path)]
    seen: list[str] = []
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdin is not None
        writer.stdin.write("\n" * 5)
        writer.stdin.flush()
        while writer.poll() is None:
            # Opened anew each time, read in four ways, while the other process writes, switches and drops.
            seen.append(says(open_reader(settings_for(tmp_path))))
            assert says(first) == text(0)
        assert writer.stdout.read() == "switched\n" * 5
    seen.append(says(open_reader(settings_for(tmp_path))))
    assert list(dict.fromkeys(seen)) == sorted(set(seen))
    assert seen[-1] == text(5)
    assert len(set(seen)) > 2
