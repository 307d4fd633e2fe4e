"""Prompts for the usual jobs, as a client lists them. The words stand in `prompts/mcp/`. Pure data."""

from dataclasses import dataclass

from storage.errors import InputError
from storage.prompts import render
from tools.clean import QUERY_LIMIT, clean, shortened


@dataclass(frozen=True, slots=True)
class Job:
    """A prompt: its name, what it is for, and what has to be filled in."""

    name: str
    about: str
    arguments: tuple[tuple[str, str], ...]
    """Name and description of each; all are wanted."""


JOBS = (
    Job(
        "answer-with-quotations",
        "Answer a question from the specification, each claim with a section, a step and the words.",
        (("question", "What to answer."),),
    ),
    Job(
        "explain-algorithm",
        "Walk through an algorithm step by step, following the operations that it calls.",
        (("name", "An operation, a method or a section id, such as ToNumber."),),
    ),
    Job(
        "check-implementation",
        "Compare code with the algorithm that it implements, and report where they differ.",
        (("name", "An operation, a method or a section id."), ("code", "The code to compare.")),
    ),
    Job(
        "check-statement",
        "Say whether a statement about the language holds, and quote what decides it.",
        (("statement", "What is to be checked."),),
    ),
)
LONGEST = {"code": 20_000}
"""Characters of an argument; of every other as many as a question may have."""


def filled(name: str, given: dict[str, str], *, edition: str) -> str:
    """The text of a job. Raises InputError for another name, and for arguments missing or too long."""
    job = next((job for job in JOBS if job.name == name), None)
    if job is None:
        raise InputError(f"{shortened(name)} is no prompt; there are {', '.join(job.name for job in JOBS)}")
    values = {}
    for argument, about in job.arguments:
        text, most = clean(given.get(argument, "")).strip(), LONGEST.get(argument, QUERY_LIMIT)
        if not text:
            raise InputError(f"the prompt {name} needs `{argument}`: {about}")
        if len(text) > most:
            raise InputError(f"`{argument}` has {len(text):,} characters; at most {most:,} are taken")
        values[argument] = text
    return render(f"mcp/{name}", edition=edition, **values)
