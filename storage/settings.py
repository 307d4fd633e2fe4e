"""Settings: read once from the environment and `.env`, checked, frozen and handed down.

Every setting is `ASK262_` and the field's name. A misspelt one stops the program, whichever of the two
places it stands in; variables that are not ours are left alone. Nothing is read at import, and no secret is
printed.
"""

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from storage.address import checked_address, password_of
from storage.errors import SettingsError
from storage.keys import checked_key
from storage.model import BreakdownRules

ROOT = Path(__file__).resolve().parent.parent
"""The project's folder: relative paths in settings start here, wherever the program was started."""

PREFIX = "ASK262_"

BUNDLED_EMBEDDER = "minilm"
"""Name of the embedder that needs no network; see `storage.minilm`."""

_RULES = BreakdownRules()


def _from_root(path: Path) -> Path:
    """`~` expanded, absolute, relative to the project's folder."""
    try:
        return ROOT / path.expanduser()
    except RuntimeError as error:
        raise ValueError(f"must be a folder that exists or can be made: {error}") from error


_Folder = Annotated[Path, AfterValidator(_from_root)]
_Address = Annotated[str, AfterValidator(checked_address)]
_Key = Annotated[SecretStr, AfterValidator(checked_key)]


class Settings(BaseSettings):
    """Everything that may be set. A field's description is its comment in `.env.example`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        extra="forbid",
        frozen=True,
        env_ignore_empty=True,
        # Without this, pydantic-settings refuses every foreign variable of .env along with our misspelt ones.
        dotenv_filtering="match_prefix",
        hide_input_in_errors=True,
    )

    storage_dir: _Folder = Field(
        ROOT / "storage" / "data",
        description="Folder of the store; a relative path starts at the project's folder.",
    )
    source: str | None = Field(
        None, description="HTML to ingest when no SOURCE is given: a folder, a file or an address."
    )
    edition: str | None = Field(
        None, description="Edition to ask by default, such as es2026; empty for the newest in the store."
    )
    embedder: str = Field(
        BUNDLED_EMBEDDER,
        min_length=1,
        description="Embedding model: minilm (bundled, offline) or provider:model, such as openai:some-name.",
    )
    embedder_base_url: _Address | None = Field(
        None,
        description="Address of an OpenAI-compatible embedding server; ASK262_EMBEDDER is its model then.",
    )
    embedder_api_key: _Key | None = Field(None, description="Key of the embedding provider, if it wants one.")
    model: str | None = Field(
        None,
        description="Chat model as provider:model; empty for the built-in one, which only quotes.",
    )
    base_url: _Address | None = Field(
        None, description="Address of an OpenAI-compatible chat server; ASK262_MODEL is its model then."
    )
    api_key: _Key | None = Field(None, description="Key of the chat provider, if it wants one.")
    threshold: int = Field(
        _RULES.threshold,
        ge=500,
        le=1_000_000,
        description="Characters of own text over which a section is cut into pieces.",
    )
    max_depth: int = Field(
        _RULES.max_depth, ge=0, le=10, description="Levels of pieces below a section; 0 cuts nothing."
    )
    smallest: int = Field(
        _RULES.smallest, ge=0, le=100_000, description="Characters below which a part stays inline."
    )
    batch_size: int = Field(4, ge=1, le=2_048, description="Texts that are embedded together.")
    threads: int = Field(
        0, ge=0, le=1_024, description="Processor threads for embedding; 0 for all there are."
    )
    budget_characters: int = Field(
        40_000,
        ge=900,
        le=10_000_000,
        description="Characters of the specification that one question may be shown.",
    )
    max_calls: int = Field(16, ge=1, le=1_000, description="Tool calls that one question may make.")
    max_seconds: float = Field(
        300.0,
        gt=0,
        le=86_400,
        description="Seconds that one question may take; then it is answered from what was read.",
    )
    context_characters: int | None = Field(
        None,
        ge=8_000,
        le=100_000_000,
        description="Characters of a conversation that a chat model can read, about three a token; empty for"
        " what is known of the model. Older text is left out above it.",
    )
    rewrite: bool = Field(
        False, description="Ask the chat model for search terms before each search of the agent."
    )
    stream: bool = Field(
        False,
        description="Have the chat server at ASK262_BASE_URL send its replies in pieces: then ASK262_TIMEOUT"
        " counts from one piece to the next, which a slow server needs.",
    )
    hold_to_schema: bool = Field(
        False,
        description="For a small model: its server holds every reply to a JSON schema, and it quotes lines by"
        " their numbers.",
    )
    reply_tokens: int | None = Field(
        None,
        ge=64,
        le=1_000_000,
        description="Tokens of one reply of a chat model; empty for the server's own limit.",
    )
    timeout: float = Field(
        60.0,
        gt=0,
        le=3_600,
        description="Seconds to wait for one answer of a chat model or embedding server.",
    )
    mcp_token: _Key | None = Field(
        None,
        description="Token that clients of the MCP server must show; needed on any address but loopback.",
    )
    model_cache: bool = Field(
        False, description="Keep a chat model's answers, so that a repeated batch does not pay twice."
    )
    offline: bool = Field(False, description="Never touch the network; what would need it is refused.")

    @property
    def rules(self) -> BreakdownRules:
        """How long sections are cut."""
        return BreakdownRules(threshold=self.threshold, max_depth=self.max_depth, smallest=self.smallest)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may repeat."""
        keys = (self.api_key, self.embedder_api_key, self.mcp_token)
        passwords = (password_of(one) for one in (self.base_url, self.embedder_base_url) if one)
        return (*(key.get_secret_value() for key in keys if key), *(one for one in passwords if one))


def load_settings(env_file: Path | None = ROOT / ".env") -> Settings:
    """The settings of this process; the environment goes before `env_file`, which may be absent.

    Raises SettingsError for a name that is no setting, a value out of range, and a file that cannot be read.
    """
    try:
        refuse_unknown(os.environ, place="the environment")
        if env_file is not None and env_file.exists():
            refuse_unknown(_variables(env_file), place=str(env_file))
        return Settings(_env_file=env_file)
    except ValidationError as error:
        raise SettingsError(_first_problem(error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{env_file} cannot be read as UTF-8 text: {error}") from error


def changed(
    settings: Settings, changes: Mapping[str, Any], *, said: Mapping[str, str] | None = None
) -> Settings:
    """The settings with others in their place, checked as all are; None leaves one as it is.

    `said` are the words that a person changed one by, such as an option. Raises SettingsError for a value out
    of range.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    try:
        return Settings.model_validate({**settings.model_dump(), **given})
    except ValidationError as error:
        raise SettingsError(_first_problem(error, said)) from None


def refuse_unknown(names: Iterable[str], *, place: str) -> None:
    """Raise SettingsError for the first name with our prefix that is no setting; offer the nearest one."""
    known = sorted(PREFIX + name.upper() for name in Settings.model_fields)
    for name in names:
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.0)
            raise SettingsError(
                f"{name} in {place} is no setting; did you mean {near[0]}? .env.example has them all."
            )


def _variables(env_file: Path) -> Mapping[str, str | None]:
    from dotenv import dotenv_values

    return dotenv_values(env_file, encoding="utf-8")


def _first_problem(error: ValidationError, said: Mapping[str, str] | None = None) -> str:
    """One line: setting, value, reason. A secret or an address (it may hold a password) is left out."""
    first = error.errors(include_url=False, include_context=False)[0]
    field = str(first["loc"][0])
    name, where = (said or {}).get(field), ""
    if name is None:
        name, where = f"{PREFIX}{field.upper()}", "; see .env.example"
    reason = first["msg"].removeprefix("Value error, ").removeprefix("Input should ").rstrip(".")
    shown = "" if field.endswith(("key", "url", "token")) else f" is {_shortened(first['input'])!r}, but"
    return f"{name}{shown} {_obliged(reason)}{where}"


def _obliged(reason: str) -> str:
    return reason if reason.startswith("must ") else f"must {reason}" if reason.startswith("be ") else reason


def _shortened(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"
