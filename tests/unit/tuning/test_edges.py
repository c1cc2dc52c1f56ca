"""Edges of what was tried, on settings made by hand."""

import pytest

from tenbin.core.spec import Spec, SpecValue
from tenbin.core.tuning import CrossValidation, FoldUnit, GridEdge, TriedSetting
from tenbin.tuning.edges import edges_of
from tenbin.tuning.settings import TunedParameter


def tried(value: SpecValue) -> TriedSetting:
    return TriedSetting(values=(value,), spec=None, value=0.5, by_pair=(0.5,))


def chosen(*values: SpecValue) -> CrossValidation:
    return CrossValidation(
        folds=len(values),
        unit=FoldUnit.SEGMENTS,
        chosen=tuple((value,) for value in values),
        by_fold=(0.5,) * len(values),
        left_out=0,
        value=0.5,
        default=0.5,
        oracle=0.5,
        difference=0.0,
        interval=None,
    )


def found(
    spec: str,
    grid: str,
    oracle: SpecValue,
    *folds: SpecValue,
    others: tuple[SpecValue, ...] = (),
) -> tuple[GridEdge, ...]:
    parameter = TunedParameter.parse(grid)
    settings = [tried(value) for value in (*parameter.values, *others)]
    validation = chosen(*folds) if folds else None
    return edges_of(Spec.parse(spec), [parameter], "en", settings, tried(oracle), validation)


@pytest.mark.parametrize(
    ("spec", "grid", "oracle", "side", "ends_range"),
    [
        ("was", "threshold=0:0.8:0.1", 0.8, "upper", False),
        ("was", "threshold=0:1:0.1", 1.0, "upper", True),
        ("was", "threshold=0:1:0.1", 0.0, "lower", False),  # the range begins at -1
        ("was", "threshold=-1:1:0.5", -1.0, "lower", True),
        ("was", "threshold=0,1", 1, "upper", True),  # whole numbers of a share
        ("meteor", "alpha=0:1:0.05", 0.0, "lower", True),
        ("chrf", "char_order=1:6:1", 1, "lower", True),
        ("chrf", "char_order=1:6:1", 6, "upper", False),
    ],
)
def test_edge_of_the_grid_or_end_of_the_range(
    spec: str, grid: str, oracle: float, side: str, *, ends_range: bool
) -> None:
    (edge,) = found(spec, grid, oracle)
    assert (edge.side, edge.value, edge.ends_range) == (side, oracle, ends_range)
    assert edge.is_oracle
    assert edge.folds == 0


def test_a_best_value_inside_is_not_told() -> None:
    assert found("was", "threshold=0:1:0.1", 0.5, 0.4, 0.6) == ()


def test_folds_at_both_edges() -> None:
    lower, upper = found("was", "threshold=0.2:0.8:0.1", 0.5, 0.2, 0.8, 0.8, 0.5)
    assert (lower.folds, lower.is_oracle) == (1, False)
    assert (upper.folds, upper.is_oracle) == (2, False)


def test_the_default_counts_as_tried() -> None:
    assert found("was", "threshold=0.2:0.8:0.2", 0.8, others=(1.0,)) == ()
    (edge,) = found("was", "threshold=0.2:0.8:0.2", 1.0, others=(1.0,))
    assert (edge.side, edge.ends_range) == ("upper", True)


@pytest.mark.parametrize("grid", ["rejected=zero,survivors", "length_penalty=True,False"])
def test_texts_and_switches_have_no_edges(grid: str) -> None:
    assert found("was", grid, TunedParameter.parse(grid).values[0]) == ()


def test_a_single_value_has_no_edges() -> None:
    assert found("was", "threshold=0.5", 0.5) == ()
