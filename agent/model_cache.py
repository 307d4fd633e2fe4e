"""Keeps a chat model's answers in SQLite, so that a repeated or resumed batch does not pay twice.

The table is that of langchain-community's cache; keys and rows are made here. Its own reader builds
whatever object a row names, warns about that on every look-up, and takes a row that it cannot read for an
answer; and its key holds what a message cost, which is 0 when it came from the cache: no second turn would
be found again.
"""

import hashlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import message_to_dict, messages_from_dict
from langchain_core.outputs import ChatGeneration, Generation
from sqlalchemy import select
from sqlalchemy.orm import Session

from agent.finish import Finish, finish_of
from agent.taken import BROKEN

with warnings.catch_warnings():
    # The package announces its retirement at import. Its cache is all that is taken from it.
    warnings.filterwarnings("ignore", message=".*langchain-community", category=DeprecationWarning)
    from langchain_community.cache import SQLiteCache

FILE = "model-cache.sqlite"

KEPT_HERE = ("usage_metadata", "response_metadata", "artifact", "id")
"""Parts of a message that no server is sent."""


class ModelCache(SQLiteCache):
    """One file beside the store. Rows hold messages as data."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(str(folder / FILE))

    def lookup(self, prompt: str, llm_string: str) -> list[Generation] | None:
        """The answers to this prompt from this model; None where there are none, or none that can be read."""
        table = self.cache_schema
        kept: Any = select(table.response).where(table.prompt == key_of(prompt), table.llm == llm_string)
        with Session(self.engine) as session:
            rows = session.execute(kept.order_by(table.idx)).scalars().all()
        try:
            return [read_row(str(row)) for row in rows] or None
        except (ValueError, KeyError, TypeError, RecursionError):
            return None

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Generation]) -> None:
        """Keep these answers, but those that are not whole: asked again, the server may end them."""
        rows = [row_of(one) for one in return_val if isinstance(one, ChatGeneration) and is_whole(one)]
        with Session(self.engine) as session, session.begin():
            for place, row in enumerate(rows):
                session.merge(
                    self.cache_schema(prompt=key_of(prompt), llm=llm_string, idx=place, response=row)
                )


def key_of(prompt: str) -> str:
    """SHA-256 of the messages as they are sent; what only we keep with a message is left out."""
    messages = json.loads(prompt)
    for message in messages:
        for kept_here in KEPT_HERE:
            message.get("kwargs", {}).pop(kept_here, None)
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()


def is_whole(generation: ChatGeneration) -> bool:
    """Whether nothing says that the answer was cut off, or that a call in it was."""
    said = {**(generation.generation_info or {}), **generation.message.response_metadata}
    return BROKEN not in said and finish_of(said) in (Finish.WHOLE, Finish.UNSAID)


def row_of(generation: ChatGeneration) -> str:
    """A generation as it is kept."""
    return json.dumps({"message": message_to_dict(generation.message), "info": generation.generation_info})


def read_row(row: str) -> ChatGeneration:
    """A generation as it was kept. Raises ValueError, KeyError or TypeError for anything else."""
    data = json.loads(row)
    return ChatGeneration(message=messages_from_dict([data["message"]])[0], generation_info=data["info"])
