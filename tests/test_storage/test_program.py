"""What every program does around its work, in processes of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

from agent.__main__ import main as ask262

ROOT = Path(__file__).resolve().parent.parent.parent

_PROGRAM = """
from storage.errors import StoreError
from storage.program import run
def work():
    {body}
    return 0
raise SystemExit(run(work, interrupted="stopped: nothing was lost"))
"""


def ran(body: str, redirect: str = "") -> "subprocess.CompletedProcess[str]":
    """A program whose work is `body`, run by a shell for its redirections."""
    command = f'"$0" -c "$1" {redirect}'
    return subprocess.run(
        ["bash", "-c", command, sys.executable, _PROGRAM.format(body=body)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_foreseeable_error_is_one_line_and_status_one() -> None:
    done = ran("raise StoreError('the store is gone')")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: the store is gone\n")


def test_an_unforeseen_error_keeps_its_traceback() -> None:
    done = ran("raise ValueError('a fault of ours')")
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_an_interrupt_says_what_became_of_the_work() -> None:
    done = ran("raise KeyboardInterrupt")
    assert (done.returncode, done.stderr) == (130, "\nstopped: nothing was lost\n")


def test_an_interrupt_that_a_library_turns_into_an_error_of_its_own_is_an_interrupt() -> None:
    done = ran("try: raise KeyboardInterrupt\n    except BaseException: raise ImportError('half a module')")
    assert (done.returncode, done.stderr) == (130, "\nstopped: nothing was lost\n")


@pytest.mark.parametrize("redirect", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_one_line(redirect: str) -> None:
    done = ran("print('answer')", redirect)
    assert done.returncode == 1
    assert done.stderr.startswith("error: standard output ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("redirect", ["2>/dev/full", "2>&-", "2> >(true)"])
def test_what_is_told_beside_the_answer_never_costs_it(redirect: str) -> None:
    done = ran(
        "import sys; [print('step', file=sys.stderr, flush=True) for _ in range(10_000)]; print('answer')",
        redirect,
    )
    assert (done.returncode, done.stdout) == (0, "answer\n")


def test_a_reader_that_stops_early_is_no_error() -> None:
    done = ran("[print('line', flush=True) for _ in range(100_000)]", "| head -1; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "line\n", "")


def test_what_a_terminal_cannot_show_is_escaped_not_replaced() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(body="print('\\u2265')")],
        cwd=ROOT, capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("\\u2265\n", 0)


def test_an_error_has_no_line_break_and_nothing_that_acts_on_a_terminal() -> None:
    done = ran("raise StoreError('no  file a\\n\\x1b[31mb\\u202ec\\r\\n')")
    assert done.stderr == "error: no  file a \\x1b[31mb\\u202ec \n"


PROGRAMS = (
    "agent.__main__",
    "agent.answer_schema",
    "agent.batch.__main__",
    "evaluation.__main__",
    "notebooks.__main__",
    "setup.doctor",
    "setup.editions",
    "setup.ingest",
    "storage.settings_page",
    "tools.__main__",
    "tools.mcp_server",
)

_INTERRUPTED = """
import argparse, importlib, sys
module = importlib.import_module(sys.argv[1])
def interrupt(*_, **__):
    raise KeyboardInterrupt
argparse.ArgumentParser.__init__ = interrupt
sys.exit(module.main([]))
"""


@pytest.mark.parametrize("module", PROGRAMS)
def test_an_interrupt_from_the_first_moment_of_main_on_is_one_line(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED, module], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("\n")
    assert done.stderr.count("\n") == 2


@pytest.mark.parametrize(
    "line", [["--nonsense"], ["--format", "pdf"], ["one", "two"], ["--calls", "many"], ["--format"]]
)
def test_a_wrong_command_line_is_one_line_and_ends_like_any_other_error(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask262(line) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert told.err.startswith("error: ")
    assert "`ask262 --help` shows what there is" in told.err


@pytest.mark.parametrize("option", ["--calls", "--characters", "--seconds"])
def test_a_limit_out_of_range_is_named_as_it_was_given(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask262([option, "0", "What?"]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"error: {option} is ")
    assert "ASK262" not in told
