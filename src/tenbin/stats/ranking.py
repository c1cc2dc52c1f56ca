"""Ranks of systems that their scores and the significance of the differences support."""

import numpy as np

from tenbin.stats.arrays import FloatArray, IntArray


def significance_clusters(
    scores: FloatArray, p_values: FloatArray, *, higher_is_better: bool, alpha: float = 0.05
) -> IntArray:
    """Return the rank of each system, counted from 1; systems that cannot be told apart share one.

    Systems are taken from best to worst. One opens the next rank if any system of the current rank
    beats it: has a better score, with p <= alpha. Ranks are consecutive (1 1 2, not 1 1 3). No
    system is beaten inside its rank, but it may be as good as some systems of the rank above.

    Args:
        scores: ``(systems,)``; a system without score (NaN) comes last.
        p_values: ``(systems, systems)``, symmetric; NaN never separates. Pass adjusted values
            (see `holm`) where many systems are compared.
        higher_is_better: Direction of the scores.
        alpha: Level of significance.

    Raises:
        ValueError: If ``p_values`` is not a square matrix over the systems.

    >>> p = np.array([[1.0, 0.01, 0.3], [0.01, 1.0, 0.04], [0.3, 0.04, 1.0]])
    >>> significance_clusters(np.array([31.0, 35.0, 34.0]), p, higher_is_better=True).tolist()
    [2, 1, 2]
    """
    systems = len(scores)
    if p_values.shape != (systems, systems):
        message = f"expected p-values of shape {(systems, systems)}, found {p_values.shape}"
        raise ValueError(message)
    gains = scores if higher_is_better else -scores
    ranks = np.ones(systems, dtype=np.int64)
    rank = 1
    cluster: list[np.intp] = []
    for system in np.argsort(-gains, kind="stable"):
        beaten = (p_values[cluster, system] <= alpha) & (gains[cluster] > gains[system])
        if beaten.any():
            rank += 1
            cluster = []
        ranks[system] = rank
        cluster.append(system)
    return ranks
