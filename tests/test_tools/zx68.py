"""The ZX-68 manual: three documents, in which the action asked for shares no word with the question."""

from collections.abc import Callable

from storage.model import Unit
from tests.test_tools.fake import section
from tests.test_tools.memory import MemoryLibrary, bare, library

QUERY = "What should I press under ZX-68 maintenance mode?"
HEADING = "3 Maintenance mode"
ACTION = "Hold amber for four seconds."


def manual(*, index_text: Callable[[Unit, str], str] = bare, filler: int = 0) -> MemoryLibrary:
    """The manual; `filler` lines after the action make its section longer than a budget."""
    lines = [
        f"Step {number} of the service list checks one more screw of the case." for number in range(filler)
    ]
    return library(
        {
            "modes": (
                section("overview", "1", "Overview", "A ZX-68 knows two modes and one key for each."),
                section(
                    "production",
                    "2",
                    "Production",
                    "Press the green key to start a ZX-68 run.",
                    "The run stops by itself.",
                ),
                section(
                    "maintenance",
                    "3",
                    "Maintenance mode",
                    "Maintenance mode unlocks the cover.",
                    ACTION,
                    *lines,
                ),
                section("mode-change", "4", "Mode change", "Change the mode only while it stands still."),
            ),
            "safety": (
                section(
                    "gloves",
                    "5",
                    "Gloves",
                    "Wear gloves near the ZX-68.",
                    "Never press a key with wet hands.",
                ),
                section("cover", "6", "Cover", "The cover stays shut under load."),
            ),
            "parts": (
                section("screws", "7", "Screws", "All screws have one size."),
                section("keys", "8", "Keys", "Keys are sold in green and amber."),
            ),
        },
        index_text=index_text,
    )
