"""A refusal looks into the store's other editions: of the same specification or another, not the sample."""

from dataclasses import replace
from pathlib import Path

from agent.answer import RefusalKind
from agent.events import silent
from agent.session import Session
from storage.model import NameKind
from storage.reader import open_reader
from storage.settings import Settings
from tests.test_agent.helpers import settings
from tests.test_agent.scripted import ScriptedModel, answer, call
from tests.test_storage.small import LetterEmbedder, small_edition
from tests.test_storage.small import store as write
from tests.test_tools.fake import name


def store(folder: Path, *editions: str) -> Settings:
    """Editions of which only the ones after the first define `ToFrost`."""
    made = settings(storage_dir=folder)
    for place, edition in enumerate(editions):
        built = small_edition(edition, sample=edition == "sample")
        frost = (name("ToFrost", NameKind.OPERATION, "sec-key"),) if place else ()
        write(folder, replace(built, names=built.names + frost))
    return made


def refused(made: Settings) -> Session:
    script = [call("search_spec", query="ToFrost"), answer(refusal="ToFrost is not defined.")]
    reader = open_reader(made, "es2025")
    return Session(reader, LetterEmbedder(), ScriptedModel(script=script), made, silent)


def test_a_name_of_a_later_edition_is_refused_with_that_edition(tmp_path: Path) -> None:
    answered = refused(store(tmp_path, "es2025", "es2026", "sample")).ask("What does ToFrost do?")
    assert (answered.refusal_kind, answered.defined_by) == (RefusalKind.NOT_IN_EDITION, "es2026")
    assert "Not in this edition, but in: es2026." in answered.text


def test_a_name_that_only_the_sample_has_is_in_no_other_edition(tmp_path: Path) -> None:
    answered = refused(store(tmp_path, "es2025", "sample")).ask("What does ToFrost do?")
    assert (answered.refusal_kind, answered.defined_by) == (RefusalKind.NOT_DEFINED, "")
