"""The calls of an answer as a tree: what led to each. Pure but for looking sections up."""

from collections.abc import Callable
from dataclasses import dataclass, field

from agent.answer import Step
from storage.model import Unit

LookUp = Callable[[str], Unit | None]


@dataclass(slots=True)
class Read:
    """One call and the calls that it led to."""

    step: Step
    led_to: list["Read"] = field(default_factory=list)


def tree_of(trace: tuple[Step, ...], unit: LookUp) -> list[Read]:
    """The outermost calls. A read stands below the first call that showed its section, or that read the
    section which holds it or refers to it; below the question where none did."""
    roots: list[Read] = []
    made: list[Read] = []
    for step in trace:
        read = Read(step)
        parent = _leading(str(step.arguments.get("sectionid", "")), made, unit)
        (parent.led_to if parent else roots).append(read)
        made.append(read)
    return roots


def _leading(sectionid: str, made: list[Read], unit: LookUp) -> Read | None:
    if not sectionid:
        return None
    shown = next((one for one in made if sectionid in one.step.sections and one.step.ok), None)
    if shown is not None and "query" in shown.step.arguments:
        return shown
    return next((one for one in made if _points_to(one.step, sectionid, unit)), shown)


def _points_to(step: Step, sectionid: str, unit: LookUp) -> bool:
    if "query" in step.arguments:
        return False
    read = (unit(one) for one in step.sections if one != sectionid)
    return any(one is not None and sectionid in (*one.subsections, *one.references) for one in read)
