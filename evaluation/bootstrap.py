"""Intervals for means and for differences of means, by resampling questions. Seeded: the same in every run.

Paired: both rankings are judged on the same resampled questions, since a hard question is hard for both.
"""

from collections.abc import Sequence

RESAMPLES, SEED, LEVEL = 10_000, 262, 0.95
_CHUNK = 500


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The percentile interval of the mean of `values`, one a question."""
    import numpy as np

    given = np.asarray(values, dtype=np.float64)
    chance = np.random.default_rng(SEED)
    means = np.concatenate(
        [
            given[chance.integers(0, len(given), size=(_CHUNK, len(given)))].mean(axis=1)
            for _ in range(RESAMPLES // _CHUNK)
        ]
    )
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def difference(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """Mean of `ours` minus `theirs`, question by question, with its interval: (difference, low, high)."""
    gaps = [one - other for one, other in zip(ours, theirs, strict=True)]
    return sum(gaps) / len(gaps), *interval(gaps)
