"""The answer as a model gives it, before anything in it was checked.

The schema of the tool `AnswerDraft`: its words are read by the model. Nothing here is trusted. What a model
wrote into a wrong type is read where it is plain what was meant (`agent.lenient`), and a claim or a citation
that cannot be read is left out where others can: the schema that the model is shown stays strict.
"""

from collections.abc import Iterator
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agent.lenient import claims, listed, one_of, text_or_none, texts
from agent.taken import sound

Refused = Literal["not_defined", "not_in_edition", "not_found"]
"""Why a question is not answered; see `agent.answer.RefusalKind`."""

Part = TypeVar("Part", bound=BaseModel)


class CitationDraft(BaseModel):
    """Where a claim stands, and the words that say so."""

    model_config = ConfigDict(extra="ignore")

    sectionid: str = Field(description="The section's id, such as `sec-tonumber`.")
    quote: str = Field(
        description="Copied letter for letter from the text you were shown: contiguous, nothing left out."
    )
    step: str | None = Field(
        default=None, description="The step's label, such as `2.a.i`, inside an algorithm."
    )

    _step = field_validator("step", mode="before")(text_or_none)


class ClaimDraft(BaseModel):
    """One statement and its citations."""

    model_config = ConfigDict(extra="ignore")

    text: str = Field(description="One plain statement that answers the question or a part of it.")
    citations: list[CitationDraft] = Field(default_factory=list, description="At least one.")

    @field_validator("citations", mode="before")
    @classmethod
    def _citations(cls, value: Any) -> Any:
        """Those that can be read: a claim that loses one by that is shown without it."""
        read = listed(value)
        return list(_readable(CitationDraft, read)) if isinstance(read, list) else []


class AnswerDraft(BaseModel):
    """Give the final answer: claims with citations, or a refusal when the specification does not answer the
    question."""

    model_config = ConfigDict(extra="ignore")

    claims: list[ClaimDraft] = Field(default_factory=list, description="Empty when the question is refused.")
    refusal: str | None = Field(
        default=None,
        description="What is not defined here and what was searched for; null when there are claims.",
    )
    refusal_kind: Refused | None = Field(
        default=None,
        description="With `refusal`: `not_defined` when this specification does not define what was asked,"
        " `not_in_edition` when another edition does, `not_found` when it may but you did not find it.",
    )
    nearest: list[str] = Field(
        default_factory=list,
        description="With `refusal`: ids, as the tools printed them, of the sections that come nearest.",
    )
    defined_by: str | None = Field(
        default=None,
        description="With `not_defined`: what does define it, such as HTML, ECMA-402 or the host; null when"
        " unknown.",
    )

    _refusal = field_validator("refusal", "defined_by", mode="before")(text_or_none)
    _nearest = field_validator("nearest", mode="before")(texts)

    @model_validator(mode="before")
    @classmethod
    def _encodable(cls, value: Any) -> Any:
        return sound(value)

    @field_validator("refusal_kind", mode="before")
    @classmethod
    def _kind(cls, value: Any) -> str | None:
        return one_of(value, get_args(Refused))

    @field_validator("claims", mode="before")
    @classmethod
    def _claims(cls, value: Any) -> Any:
        """Those that can be read; all as they are where none can, since that is no answer."""
        read = claims(value)
        return (list(_readable(ClaimDraft, read)) or read) if isinstance(read, list) else read


def _readable(kind: type[Part], several: list[Any]) -> Iterator[Part]:
    for one in several:
        try:
            yield kind.model_validate(one)
        except ValidationError:
            continue
