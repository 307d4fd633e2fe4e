"""The answer as a model gives it, before anything in it was checked.

The schema of the tool `AnswerDraft`: its words are read by the model. Nothing here is trusted.
"""

from pydantic import BaseModel, ConfigDict, Field


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
