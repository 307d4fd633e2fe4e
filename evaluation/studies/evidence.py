"""What a packet is worth to a question: which of its blocks, sections and quotations it holds. Pure.

By span for questions with a known target. For questions people asked: whether a block of a gold section lies
in the packet, and how many of the quotations that decide the answer.
"""

from collections.abc import Callable, Mapping, Sequence

from evaluation.measures import quoted
from evaluation.studies.corpus import Corpus
from evaluation.studies.setting import Setting
from evaluation.synthetic import covered
from tools.packet import Selected

Choice = Callable[[str], Sequence[Selected]]
"""A query in, its evidence out."""

MEASURES = ("both", "target", "heading", "gold", "quoted")
"""Heading and target, either of them (questions with a known target); gold section, decisive quotations."""


def judged(choose: Choice, setting: Setting, *, real: bool = True) -> Mapping[str, Mapping[str, list[float]]]:
    """For each set of questions the measures it has, question by question."""
    out: dict[str, dict[str, list[float]]] = {}
    for stratum, questions in setting.strata.items():
        found = [covered(one, choose(one.query)) for one in questions]
        out[stratum.value] = {
            "both": [float(one.both) for one in found],
            "target": [float(one.target) for one in found],
            "heading": [float(one.heading) for one in found],
        }
    for name, asked in setting.datasets.items() if real else ():
        packets = [choose(one.query) for one in asked]
        out[name] = {
            "gold": [
                float(shows(packet, one.question.gold, setting.corpus))
                for one, packet in zip(asked, packets, strict=True)
            ],
            "quoted": [
                quoted([part.text for part in packet], one.question.must_quote)
                for one, packet in zip(asked, packets, strict=True)
                if one.question.must_quote
            ],
        }
    return out


def shows(packet: Sequence[Selected], gold: Sequence[str], corpus: Corpus) -> bool:
    """Whether a block of a gold section other than its heading lies in the packet."""
    spans = [(one.source, span) for one in packet for span in one.spans]
    return any(
        source == block.source and span.contains(block.span)
        for clauseid in gold
        for block in corpus.blocks(clauseid)
        if block != corpus.heading(clauseid)
        for source, span in spans
    )
