"""Test sets that Hypothesis draws, once for all metrics and contracts of a language.

With a draw for each metric and contract most of the time would go into drawing, and every contract
would score for itself what others score as well. A fault is not shrunk: the sets are small, and the
message shows the one that it was found in.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import Metric
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics

EXAMPLES = 12  # of each contract, for each metric and language

Drawn = TypeVar("Drawn")


@dataclass(frozen=True, eq=False)
class MadeUp:
    """A test set and what a contract may want to know of it.

    Attributes:
        test_set: One or two systems, up to four segments, up to three references of each.
        order: Its segments in any order.
        place: One of its segments.
    """

    test_set: TestSet
    order: tuple[int, ...]
    place: int
    _rows: dict[Metric, FloatArray] = field(default_factory=dict)

    def rows(self, metric: Metric) -> FloatArray:
        """Return statistics, shape (systems, segments, K), which all contracts share."""
        if metric not in self._rows:
            (rows,) = chunk_statistics(self.test_set, [metric])
            rows.flags.writeable = False
            self._rows[metric] = rows
        return self._rows[metric]


def drawn(strategy: st.SearchStrategy[Drawn]) -> tuple[Drawn, ...]:
    """Return some examples of a strategy, the same at every run where the profile says so."""
    found: list[Drawn] = []

    @settings(max_examples=EXAMPLES, phases=[Phase.generate])
    @given(strategy)
    def draw(one: Drawn) -> None:
        found.append(one)

    draw()
    return tuple(found)


@st.composite
def made_up_sets(draw: st.DrawFn, segments: st.SearchStrategy[str]) -> MadeUp:
    """Test sets of any shape."""
    count = draw(st.integers(1, 4))
    column = st.lists(segments, min_size=count, max_size=count).map(tuple)
    alternatives = st.lists(segments, min_size=1, max_size=3).map(tuple)
    return MadeUp(
        test_set=TestSet(
            hypotheses={name: draw(column) for name in draw(st.sampled_from(["a", "ab"]))},
            references=tuple(draw(st.lists(alternatives, min_size=count, max_size=count))),
            source=draw(column),
        ),
        order=tuple(draw(st.permutations(range(count)))),
        place=draw(st.integers(0, count - 1)),
    )


@st.composite
def repeating_sets(draw: st.DrawFn, segments: st.SearchStrategy[str]) -> TestSet:
    """Test sets with a system that repeats a reference of each segment."""
    references = draw(st.lists(st.lists(segments, min_size=1, max_size=3), min_size=1))
    return TestSet(
        hypotheses={"same": tuple(draw(st.sampled_from(texts)) for texts in references)},
        references=tuple(map(tuple, references)),
        source=tuple(texts[0] for texts in references),
    )
