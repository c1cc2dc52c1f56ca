"""Scores and comparisons in JSON, as ``tenbin score`` and ``tenbin compare`` write them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite, nan
from typing import Any, NamedTuple, TypeVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.difference_curve import BandPoint, DifferenceCurve, TargetGroup
from tenbin.core.errors import TenbinError, UnreadableFile
from tenbin.core.scores import (
    Comparison,
    MetricComparison,
    MetricScores,
    ScoreTable,
    shown_decimals,
)
from tenbin.core.signature import Signature
from tenbin.core.text import TestSet
from tenbin.formats.files import regular_file, user_path
from tenbin.formats.json_text import parse_json

_ADVICE = "Expected what `score` or `compare` writes as JSON; write it again."
_NOTHING_SEEN = BandPoint(0.0, 0.5, 0.5)
_BOUNDS = 2

_Kind = TypeVar("_Kind")


class MetricLook(NamedTuple):
    """What JSON does not say about a metric.

    Attributes:
        title: What tables call it.
        higher_is_better: The direction of its scores.
        decimals: How many decimals tables print.
    """

    title: str
    higher_is_better: bool
    decimals: int


def read_score_json(
    path: str, looks: Callable[[Sequence[str]], Sequence[MetricLook]]
) -> ScoreTable | Comparison:
    """Read a table of scores or a comparison.

    Args:
        path: The file.
        looks: What gives the looks of metrics by their specs.

    Raises:
        UnreadableFile: There is no such file, or it is not one of scores; the message names the
            place in it.
        SpecError: It has a metric that is not installed.
    """
    content = regular_file(user_path(path)).read_bytes()
    try:
        found = _Value(parse_json(content), "")
        return _result(found, looks)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UnreadableFile(path, f"not JSON ({place}: {error.msg})", _ADVICE) from error
    except ValueError as error:
        raise UnreadableFile(path, str(error), _ADVICE) from error


class _Value:
    """A value of a JSON file that knows where it stands."""

    def __init__(self, value: Any, place: str) -> None:  # noqa: ANN401 - whatever JSON holds
        self.value = value
        self.place = place

    def __getitem__(self, key: str) -> "_Value":
        fields = self.of(dict, "an object")
        if key not in fields:
            raise ValueError(f"{self._named} has no field {key!r}")
        return _Value(fields[key], f"{self.place}.{key}" if self.place else key)

    def get(self, key: str) -> "_Value | None":
        """Return a field; None where there is none, or null."""
        return None if self.of(dict, "an object").get(key) is None else self[key]

    def items(self) -> list["_Value"]:
        """Return the entries of a list."""
        values = self.of(list, "a list")
        return [_Value(value, f"{self.place}[{place}]") for place, value in enumerate(values)]

    def text(self) -> str:
        """Return a text."""
        return self.of(str, "a text")

    def texts(self) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(one.text() for one in self.items())

    def whole(self) -> int:
        """Return a number of things."""
        found = self.of(int, "a whole number")
        if isinstance(found, bool) or found < 0:
            raise ValueError(f"{self._named} is not a number of things")
        return found

    def number(self) -> float:
        """Return a number; NaN for null."""
        if self.value is None:
            return nan
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self._wrong("a number or null")
        try:
            number = float(self.value)
        except OverflowError:
            number = nan
        if not isfinite(number):
            raise self._wrong("a finite number")
        return number

    def numbers(self, count: int) -> FloatArray:
        """Return so many numbers."""
        values = self.items()
        if len(values) != count:
            expected = f"expected {counted(count, 'number')}"
            raise ValueError(f"{self._named} has {len(values):,}, {expected}")
        return np.array([one.number() for one in values], dtype=np.float64)

    def of(self, kind: type[_Kind], called: str) -> _Kind:
        """Return the value, which must be of a type."""
        if not isinstance(self.value, kind):
            raise self._wrong(called)
        return self.value

    def _wrong(self, expected: str) -> ValueError:
        shown = json.dumps(self.value, ensure_ascii=False)[:40]
        return ValueError(f"{self._named} is {shown}, expected {expected}")

    @property
    def _named(self) -> str:
        return self.place or "the whole file"


def _result(
    found: _Value, looks: Callable[[Sequence[str]], Sequence[MetricLook]]
) -> ScoreTable | Comparison:
    table = _table(found, looks)
    return table if found.get("test") is None else _comparison(found, table)


def _table(found: _Value, looks: Callable[[Sequence[str]], Sequence[MetricLook]]) -> ScoreTable:
    rows: dict[str, dict[str, _Value]] = {}
    for row in found["results"].items():
        own = rows.setdefault(row["metric"].text(), {})
        if row["system"].text() in own:
            raise ValueError(f"{row.place} gives a second score of the same system and metric")
        own[row["system"].text()] = row
    if not rows:
        raise ValueError("results is empty: there are no scores")
    systems = tuple(next(iter(rows.values())))
    count = found["segment_count"].whole()
    for metric, own in rows.items():
        if tuple(own) != systems:
            raise ValueError(f"results of {metric} are not of the same systems as those before")
    specs = [metric for metric, some in rows.items() if not _is_imported(some)]
    known = dict(zip(specs, looks(specs), strict=True))
    table = ScoreTable(
        language=found["language"].text(),
        segment_count=count,
        systems=systems,
        results=tuple(
            _scores(metric, known.get(metric), systems, list(some.values()), count)
            for metric, some in rows.items()
        ),
        notes=found["notes"].texts(),
    )
    texts = found.get("texts")
    return table if texts is None else _with_texts(table, texts)


def _is_imported(rows: Mapping[str, _Value]) -> bool:
    marks = [row.get("imported") for row in rows.values()]
    return any(mark is not None and mark.of(bool, "true or false") for mark in marks)


def _scores(
    spec: str,
    known: MetricLook | None,
    systems: tuple[str, ...],
    rows: Sequence[_Value],
    count: int,
) -> MetricScores:
    """Return the scores of a metric, or those of another program, whose looks are not known."""
    look = known or _imported_look(spec, rows)
    segments = [row.get("segments") for row in rows]
    intervals = [row.get("ci") for row in rows]
    alias = rows[0].get("alias")
    called = "" if alias is None else alias.text()
    return MetricScores(
        metric=spec,
        title=called or look.title,
        signature=_signature(rows[0]["signature"]),
        higher_is_better=look.higher_is_better,
        decimals=look.decimals,
        systems=systems,
        scores=np.array([row["score"].number() for row in rows], dtype=np.float64),
        segments=_stacked(segments, count),
        intervals=_stacked(intervals, _BOUNDS),
        alias=called,
        imported=known is None,
    )


def _imported_look(name: str, rows: Sequence[_Value]) -> MetricLook:
    higher = rows[0]["higher_is_better"].of(bool, "true or false")
    scores = [row["score"].number() for row in rows]
    return MetricLook(name, higher, shown_decimals(scores))


def _stacked(rows: Sequence[_Value | None], count: int) -> FloatArray | None:
    known = [row.numbers(count) for row in rows if row is not None]
    return np.stack(known) if known and len(known) == len(rows) else None


def _signature(found: _Value) -> Signature:
    try:
        return Signature.parse(found.text())
    except TenbinError as error:
        raise ValueError(f"{found.place}: {error}") from error


def _with_texts(table: ScoreTable, found: _Value) -> ScoreTable:
    source, documents = found.get("source"), found.get("documents")
    systems = found["systems"].of(dict, "an object")
    if tuple(systems) != table.systems:
        raise ValueError("texts.systems has other systems than results")
    try:
        texts = TestSet(
            hypotheses={name: found["systems"][name].texts() for name in systems},
            references=tuple(one.texts() for one in found["references"].items()),
            source=None if source is None else source.texts(),
            documents=None if documents is None else documents.texts(),
        )
    except TenbinError as error:
        raise ValueError(f"texts: {error}") from error
    if texts.segment_count != table.segment_count:
        here = counted(texts.segment_count, "segment")
        raise ValueError(f"texts has {here}, segment_count is {table.segment_count:,}")
    return replace(table, texts=texts)


def _comparison(found: _Value, table: ScoreTable) -> Comparison:
    test = found["test"]
    baseline = test.get("baseline")
    if baseline is not None:
        _place(baseline, {name: place for place, name in enumerate(table.systems)})
    curves = {one["metric"].text(): one for one in found["curves"].items()}
    source = next((one["source"].text() for one in curves.values()), "")
    return Comparison(
        scores=table,
        metrics=tuple(_compared(found, scores, curves) for scores in table.results),
        test=test["name"].text(),
        rounds=test["rounds"].whole(),
        seed=test["seed"].whole(),
        unit=test["unit"].text(),
        baseline=None if baseline is None else baseline.text(),
        curve_source=source,
    )


def _compared(
    found: _Value, scores: MetricScores, curves: Mapping[str, _Value]
) -> MetricComparison:
    count = len(scores.systems)
    places = {name: place for place, name in enumerate(scores.systems)}
    p_values, adjusted = (np.full((count, count), np.nan) for _ in range(2))
    for pair in found["pairs"].items():
        if pair["metric"].text() != scores.metric:
            continue
        a, b = (_place(pair[key], places) for key in ("system_a", "system_b"))
        p_values[a, b] = p_values[b, a] = pair["p_value"].number()
        adjusted[a, b] = adjusted[b, a] = pair["p_value_holm"].number()
    ranks = found["ranks"].get(scores.metric)
    curve = curves.get(scores.metric)
    return MetricComparison(
        scores=scores,
        differences=scores.scores[:, None] - scores.scores[None, :],
        p_values=p_values,
        adjusted=adjusted,
        ranks=None
        if ranks is None
        else np.array([ranks[name].whole() for name in scores.systems], dtype=np.int64),
        curve=None if curve is None else _curve(curve),
    )


def _place(found: _Value, places: Mapping[str, int]) -> int:
    if found.text() not in places:
        raise ValueError(f"{found.place} is {found.text()!r}, which has no scores")
    return places[found.text()]


def _curve(found: _Value) -> DifferenceCurve:
    """Return a curve without its band, which JSON does not have."""
    return DifferenceCurve(
        metric=found["metric"].text(),
        target=TargetGroup.ANY,
        slope=found["slope"].number(),
        ceiling=found["ceiling"].number(),
        band=(_NOTHING_SEEN,),
        pairs=found["pairs"].whole(),
        places=found["places"].texts(),
        agreement=nan,
        largest=found["largest"].number(),
        data=found["data"].text(),
    )
