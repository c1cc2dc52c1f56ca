"""Weights of two segments, and what it costs to move them; many such problems at once."""

from typing import NamedTuple

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.kernels.transport.flow import transport, transport_flows


class FlowProblem(NamedTuple):
    """Weights to be moved, for some pairs of segments.

    Attributes:
        costs: What moving one unit from word to word costs, blocks row by row.
        starts: Where the block of each pair starts, and the end.
        supplies: Weights of the words of the hypotheses.
        supply_bounds: Where those of each pair start, and the end.
        demands: Weights of the words of the references.
        demand_bounds: Where those of each pair start, and the end.
    """

    costs: FloatArray
    starts: IntArray
    supplies: FloatArray
    supply_bounds: IntArray
    demands: FloatArray
    demand_bounds: IntArray

    def work(self) -> FloatArray:
        """Return the least cost of moving all that can be moved, per pair."""
        return transport(*self)

    def flows(self) -> FloatArray:
        """Return how much is moved from word to word at the least cost, laid out as the costs."""
        return transport_flows(*self)[1]

    def moved(self) -> FloatArray:
        """Return how much can be moved, per pair: the weight of the lighter side."""
        own = _totals(self.supplies, self.supply_bounds)
        return np.minimum(own, _totals(self.demands, self.demand_bounds))


def _totals(weights: FloatArray, bounds: IntArray) -> FloatArray:
    count = len(bounds) - 1
    return np.asarray(
        np.bincount(np.repeat(np.arange(count), np.diff(bounds)), weights, minlength=count),
        dtype=np.float64,
    )
