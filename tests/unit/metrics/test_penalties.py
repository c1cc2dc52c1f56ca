"""The penalty as parameters of a metric."""

from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from typing import ClassVar

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.errors import InvalidParameter, MissingExtra, ResourceError, UsageError
from tenbin.core.metric import AUTO
from tenbin.metrics import penalties
from tenbin.metrics.penalties import PenalisedMetric
from tenbin.penalty.names.recognition import NameSource
from tenbin.penalty.texts import Penalty

pytest.importorskip("simplemma")


@dataclass(frozen=True, kw_only=True)
class Flat(PenalisedMetric):
    """Scores 0.8, whatever the texts."""

    name: ClassVar[str] = "flat"
    language: str = AUTO

    def pair_scores(self, batch: Batch) -> FloatArray:
        return self.lowered(batch, np.full(len(batch.references.values), 0.8))


@dataclass(frozen=True, kw_only=True)
class Rare(Flat):
    """Knows rare tokens."""

    @property
    def takes_rare(self) -> bool:
        return True


TEXTS = ("Smith paid 5 dollars.", "Jones paid $5.", "Smith paid $7 to Jones.")


def batch() -> Batch:
    return Batch(
        strings=TEXTS,
        hypotheses=np.array([0, 1]),
        references=Ragged.from_rows([[0, 1, 2], [1]]),
        segments=np.array([0, 1]),
        columns={},
    )


def scores(**parameters: object) -> list[float]:
    metric = replace(Flat(language="en", strength=0.5), **parameters)  # type: ignore[arg-type]
    return [round(float(score) / 0.8, 6) for score in metric.pair_scores(batch())]


def test_factors_of_pairs() -> None:
    assert scores() == [1, 1, 1, 1]
    assert scores(penalty=Penalty.NAMES) == [1, 0.5, round(2 * 0.5 / 1.5, 6), 1]
    assert scores(penalty=Penalty.NUMBERS) == [1, 1, 0.5, 1]
    # The third reference: 7 and Jones are missing, 5 is too much.
    both = 2 * 0.5 * 0.25 / 0.75
    assert scores(penalty=Penalty.BOTH) == [1, 0.5, round(both, 6), 1]
    assert scores(penalty=Penalty.BOTH, strength=0.0) == [1, 1, 1, 1]


def test_sides_and_negative_scores() -> None:
    metric = Flat(language="en", penalty=Penalty.BOTH, strength=0.5)
    sides = metric.side_factors(batch())
    assert sides.tolist() == [[1, 1], [0.5, 0.5], [0.5, 0.25], [1, 1]]
    swept = np.array([[0.8, -0.8]] * 4)
    assert metric.lowered(batch(), swept)[1].tolist() == [0.4, -0.8]
    empty = Batch(
        strings=(),
        hypotheses=np.empty(0, dtype=np.int64),
        references=Ragged.from_rows([]),
        segments=np.empty(0, dtype=np.int64),
        columns={},
    )
    assert metric.pair_factors(empty).shape == (0,)


def test_the_same_penalty_is_worked_out_once() -> None:
    one = batch()
    Flat(language="en", penalty=Penalty.BOTH).pair_factors(one)
    assert len(one.workings) == 1
    Rare(language="en", penalty=Penalty.BOTH).pair_factors(one)
    assert len(one.workings) == 1
    Flat(language="en", penalty=Penalty.BOTH, strength=0.1).pair_factors(one)
    assert len(one.workings) == 2


def test_steps_lead_to_the_score() -> None:
    metric = Flat(language="en", penalty=Penalty.BOTH, strength=0.5)
    steps = metric.penalty_steps(0.8, TEXTS[0], TEXTS[2])
    assert [step.label for step in steps] == ["wrong here", "missing", "kept", "score"]
    assert steps[0].meaning.endswith("the reference has not: 5 dollars")
    assert steps[1].meaning.endswith("are not here: Jones, $7")
    assert (steps[0].formula, steps[1].formula) == ("1 - 0.5", "1 - 0.5 - 0.25")
    assert steps[-1].value == pytest.approx(metric.pair_scores(batch())[2])
    assert Flat(language="en").penalty_steps(0.8, *TEXTS[:2]) == ()


def test_rare_tokens_are_left_to_the_metric() -> None:
    with pytest.raises(InvalidParameter, match="auto, propn, ner or capitals"):
        Flat(names=NameSource.RARE)
    rare = Rare(language="en", penalty=Penalty.BOTH, names=NameSource.RARE, strength=0.5)
    assert rare.pair_factors(batch()).tolist() == [1, 1, 0.5, 1]  # figures
    alone = replace(rare, penalty=Penalty.NAMES)
    assert alone.text_penalty() is None
    assert rare.penalty_versions() == ()


def test_parameters() -> None:
    with pytest.raises(InvalidParameter, match="a number from 0 to 1"):
        Flat(strength=1.5)
    with pytest.raises(UsageError, match="penalty=numbers"):
        Flat(language="th", penalty=Penalty.NAMES).text_penalty()
    spelled = Flat(penalty="names+numbers")  # type: ignore[arg-type]
    assert spelled.penalty is Penalty.BOTH
    fields = dict(spelled.signature_fields())
    assert (fields["penalty"], fields["names"]) == ("names+numbers", "auto")


def test_versions() -> None:
    pytest.importorskip("sudachipy")
    assert Flat(language="en").penalty_versions() == ()
    english = Flat(language="en", penalty=Penalty.NAMES).penalty_versions()
    assert [name for name, _ in english] == ["simplemma"]
    japanese = Flat(language="ja", penalty=Penalty.NAMES).penalty_versions()
    assert [name for name, _ in japanese] == ["sudachipy", "sudachidict_core"]
    assert Flat(language="ja", penalty=Penalty.NUMBERS).penalty_versions() == ()


def test_what_tells_names_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(penalties, "version", missing)
    with pytest.raises(MissingExtra, match=r"tenbin\[lexicons\]"):
        Flat(penalty=Penalty.NAMES).bind("en")
    assert Flat(penalty=Penalty.NUMBERS).bind("en").language == "en"
    pytest.importorskip("sudachipy")
    if find_spec("ja_ginza") is None:
        with pytest.raises(ResourceError, match="names=ner needs GiNZA"):
            Flat(penalty=Penalty.NAMES, names=NameSource.NER).bind("ja")


def test_binding_settles_language_and_names() -> None:
    bound = Flat().bind("ja-JP")
    assert (bound.language, bound.names) == ("ja-JP", NameSource.PROPN)
    assert Flat(language="de").bind("ja").names is NameSource.CAPITALS
    # Nothing asks for names there.
    assert Flat().bind("th").names is NameSource.CAPITALS
    assert Rare().bind("th").names is NameSource.RARE
    with pytest.raises(UsageError, match="penalty=numbers"):
        Flat(penalty=Penalty.NAMES).bind("th")


def test_kept_sides() -> None:
    metric = Flat(language="en", penalty=Penalty.BOTH)
    kept = metric.kept_sides(TEXTS[0], TEXTS[2])
    assert kept == (0.5, 0.25, "5 dollars", "Jones, $7")
    labels = [step.label for step in (*kept.precision_steps(0.8), *kept.recall_steps(0.8))]
    assert labels == [
        "kept of precision",
        "precision, lowered",
        "kept of recall",
        "recall, lowered",
    ]
    assert kept.recall_steps(0.8)[-1].value == pytest.approx(0.2)
    assert kept.recall_steps(0.0) == []
    assert Flat(language="en").kept_sides(TEXTS[0], TEXTS[2]).precision_steps(0.8) == []
