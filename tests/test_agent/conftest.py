"""A conversation over the sample."""

import pytest

from agent.events import silent
from agent.offline import OfflineModel
from agent.session import Session, reopen
from agent.talk.state import Conversation, Turn
from storage.embedder import load_embedder
from storage.reader import LanceReader
from storage.settings import Settings


@pytest.fixture
def talking(sample_reader: LanceReader, sample_settings: Settings) -> Conversation:
    embedder = load_embedder(sample_settings)
    return Conversation(Session(sample_reader, embedder, OfflineModel(), sample_settings, silent), reopen)


@pytest.fixture
def after(talking: Conversation) -> Conversation:
    """A conversation with one turn."""
    asked = "What does Count::divide do when the divisor is 0?"
    talking.add(Turn(asked, talking.session.ask(asked)), tokens=(0, 0))
    return talking
