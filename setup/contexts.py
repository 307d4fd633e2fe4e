"""What is put in front of each block before it is indexed: its heading path; on request a model's sentence.

After Anthropic's contextual retrieval (2024), in which a model says of each chunk where in its document it
stands. A specification says that itself: the heading path costs nothing and is never wrong. The sentence of
a model stands behind the path, and is asked for block by block, with the text around it in the prompt.
"""

from typing import TYPE_CHECKING

from setup.writing import Scribe
from storage.generated import Context
from storage.model import BuiltEdition, Level, Unit
from storage.prompts import render
from storage.windows import shorten_prefix

if TYPE_CHECKING:
    from storage.progress import Progress

HEADINGS, MODEL = "headings", "model"
"""Who wrote a context; the model's name follows after a colon."""

AROUND_CHARACTERS = 1_500
"""On each side of a block, as far as its section goes: what a model is shown to place it by."""


def contextualise(
    built: BuiltEdition, *, scribe: Scribe | None = None, progress: "Progress"
) -> tuple[Context, ...]:
    """A context for every block; by `scribe` too where there is one."""
    blocks = [unit for unit in built.units if unit.level is Level.BLOCK]
    paths = {path: shorten_prefix(path) for path in {block.titlepath for block in blocks}}
    if scribe is None:
        return tuple(Context(block, paths[block.titlepath], HEADINGS) for block in blocks)
    prompts = _prompts(built, blocks)
    told = scribe.texts(prompts, stage="contexts", progress=progress)
    maker = f"{MODEL}:{scribe.name}"
    return tuple(
        Context(block, f"{paths[block.titlepath]}\n{sentence}", maker)
        for block, sentence in zip(blocks, told, strict=True)
    )


def _prompts(built: BuiltEdition, blocks: list[Unit]) -> list[str]:
    pages = {page.source: page.text for page in built.pages}
    units = {unit.unitid: unit for unit in built.units}
    return [
        render(
            "ingest/context",
            path=block.titlepath,
            around=_around(block, units[block.clauseid], pages[block.source]),
            passage=pages[block.source][block.start : block.end],
        )
        for block in blocks
    ]


def _around(block: Unit, clause: Unit, page: str) -> str:
    start = max(clause.start, block.start - AROUND_CHARACTERS)
    return page[start : min(clause.end, block.end + AROUND_CHARACTERS)]
