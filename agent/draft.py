"""The answer as a model gives it, before anything in it was checked.

The schema of the tool `AnswerDraft`: its words are read by the model. Nothing here is trusted.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Refused = Literal["not_defined", "not_in_edition", "not_found"]
"""Why a question is not answered; see `agent.answer.RefusalKind`."""


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


class ClaimDraft(BaseModel):
    """One statement and its citations."""

    model_config = ConfigDict(extra="ignore")

    text: str = Field(description="One plain statement that answers the question or a part of it.")
    citations: list[CitationDraft] = Field(default_factory=list, description="At least one.")


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
