"""What a doctor finds: a name, how bad it is, what it is, and the command that mends it."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """`warn` can be lived with; `fail` stands in the way of an answer, or of a right one."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `remedy` is ready to paste, and empty where nothing is to be done."""

    name: str
    severity: Severity
    message: str
    remedy: str = ""


def ok(name: str, message: str) -> Finding:
    """All is well."""
    return Finding(name, Severity.OK, message)


def warn(name: str, message: str, remedy: str) -> Finding:
    """Worth mending."""
    return Finding(name, Severity.WARN, message, remedy)


def fail(name: str, message: str, remedy: str) -> Finding:
    """Must be mended."""
    return Finding(name, Severity.FAIL, message, remedy)
