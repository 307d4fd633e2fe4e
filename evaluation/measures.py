"""What a ranking of sections is worth, question by question. Pure; every value is between 0 and 1.

hit@k: is any gold section among the first k. recall@k: the share of the gold sections among them. MRR: one
over the rank of the first gold section among the first ten. nDCG@10: gains of 1 for gold, discounted by the
logarithm of the rank, over the best possible order (Järvelin and Kekäläinen 2002).
"""

import math
from collections.abc import Collection, Mapping, Sequence

DEPTH = 10
"""Sections of a ranking that count: what a person or a model looks through."""

MEASURES = ("hit@1", "hit@5", "hit@10", "recall@10", "mrr", "ndcg@10", "also_ok_hit@10", "also_ok_mrr")
"""Of every question with an answer; those with `also_ok` count its sections as gold too."""


def measured(ranked: Sequence[str], gold: Collection[str], also_ok: Collection[str]) -> dict[str, float]:
    """The measures of one ranking, by name. A section counts where it stands first."""
    ranked = list(dict.fromkeys(ranked))
    wanted, accepted = set(gold), {*gold, *also_ok}
    return {
        **{f"hit@{depth}": hit(ranked, wanted, depth) for depth in (1, 5, DEPTH)},
        "recall@10": len(wanted.intersection(ranked[:DEPTH])) / len(wanted),
        "mrr": reciprocal_rank(ranked, wanted),
        "ndcg@10": ndcg(ranked, wanted),
        "also_ok_hit@10": hit(ranked, accepted, DEPTH),
        "also_ok_mrr": reciprocal_rank(ranked, accepted),
    }


def hit(ranked: Sequence[str], wanted: Collection[str], depth: int) -> float:
    """1.0 if any wanted section is among the first `depth`.

    >>> hit(["a", "b"], {"b"}, 1), hit(["a", "b"], {"b"}, 2)
    (0.0, 1.0)
    """
    return float(any(one in wanted for one in ranked[:depth]))


def reciprocal_rank(ranked: Sequence[str], wanted: Collection[str]) -> float:
    """1 / rank of the first wanted section among the first ten; 0.0 where there is none."""
    return next((1 / rank for rank, one in enumerate(ranked[:DEPTH], start=1) if one in wanted), 0.0)


def ndcg(ranked: Sequence[str], wanted: Collection[str]) -> float:
    """Discounted gain of the first ten over that of the best order."""
    gains = [1 / math.log2(rank + 1) for rank, one in enumerate(ranked[:DEPTH], start=1) if one in wanted]
    best = [1 / math.log2(rank + 1) for rank in range(1, min(len(wanted), DEPTH) + 1)]
    return sum(gains) / sum(best)


def quoted(texts: Sequence[str], must_quote: Sequence[str]) -> float:
    """The share of the decisive quotations that stand in one of the texts; white space does not matter."""
    folded = [" ".join(text.split()) for text in texts]
    return sum(any(" ".join(one.split()) in text for text in folded) for one in must_quote) / len(must_quote)


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over the questions that have it."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: _mean([row[name] for row in rows if name in row]) for name in names}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed.

    >>> percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.95)
    (2, 3)
    """
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
