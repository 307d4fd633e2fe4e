"""Plain BM25 (bm25s) over whole sections, without child sections.

Default: as its documentation begins: English stop words out, Snowball's English stemmer, k1 1.5, b 0.75.

Tuned: the heading path in front of the text, the parts of its identifiers behind it (`ToPropertyKey` is one
word otherwise), k1 and b of `TUNED`. Chosen on `real-dev`, the questions that it is then measured on, which
favours it: the best by hit@10 of 35 ways, with and without stop words, stems and headings.
"""

from typing import Any

from evaluation.peers.material import LIMIT, Found, Material, Peer, found
from evaluation.peers.sources import Source
from storage.names import identifier_parts

TUNED = (1.2, 0.4)
"""k1 and b."""


def default(material: Material) -> Peer:
    """The documented form."""
    return build(material, [source.text for source in material.sections])


def tuned(material: Material) -> Peer:
    """The fair one."""
    k1, b = TUNED
    return build(material, [_with_parts(source) for source in material.sections], k1=k1, b=b)


def _with_parts(source: Source) -> str:
    headed = f"{source.heading}\n{source.text}"
    return f"{headed}\n{' '.join(identifier_parts(headed))}"


def build(material: Material, texts: list[str], **options: float) -> Peer:
    """An index over one text a section."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def tokens(given: list[str]) -> Any:
        return bm25s.tokenize(given, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25(**options)
    index.index(tokens(texts), show_progress=False)
    depth = min(LIMIT, len(texts))

    def peer(query: str) -> list[Found]:
        numbers, scores = index.retrieve(tokens([query]), k=depth, show_progress=False)
        # Sections that share no word are given too, with a score of nothing.
        chosen = [int(one) for one, score in zip(numbers[0], scores[0], strict=True) if score > 0]
        return [found(material.sections[one], 0, len(material.sections[one].text)) for one in chosen]

    return peer
