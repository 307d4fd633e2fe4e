"""HTML in, edition out, in one line: for tests of everything between."""

from collections.abc import Mapping

from setup.assemble import Assembled
from setup.nodes import RenderedPage
from setup.pages import parse, render
from setup.pipeline import Build, build
from setup.sources import Source, source_file
from storage.model import BreakdownRules, Unit

RULES = BreakdownRules()


class Silent:
    """Progress that nobody watches; keeps what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Nothing to show."""

    def say(self, line: str) -> None:
        """Keep the line."""
        self.said.append(line)


def page(body: str) -> RenderedPage:
    """One page whose specification is `body`."""
    html = f'<!DOCTYPE html><body><div id="spec-container">{body}</div>'
    return render(parse(html, source="page.html"), source="page.html")


def text(body: str) -> str:
    """The canonical text of a fragment."""
    return page(body).text


def made(*bodies: str, rules: BreakdownRules = RULES, **named: str) -> Build:
    """A whole edition from the bodies of its pages."""
    files: Mapping[str, str] = {
        **{f"page-{number}.html": body for number, body in enumerate(bodies, start=1)},
        **{f"{name}.html": body for name, body in named.items()},
    }
    source = Source(
        "a test",
        "test",
        tuple(
            source_file(
                name, f'<!DOCTYPE html><title>Test</title><div id="spec-container">{body}</div>'.encode()
            )
            for name, body in files.items()
        ),
    )
    return build(source, edition="test", rules=rules, progress=Silent())


def assembled(*bodies: str, rules: BreakdownRules = RULES) -> Assembled:
    """As `made`, without the proofs."""
    return made(*bodies, rules=rules).assembled


def units(*bodies: str, rules: BreakdownRules = RULES) -> dict[str, Unit]:
    """An edition's units by their ids."""
    return {unit.unitid: unit for unit in assembled(*bodies, rules=rules).built.units}
