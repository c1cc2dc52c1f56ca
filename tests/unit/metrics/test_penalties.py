"""The penalty as a part of a metric."""

from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from typing import ClassVar

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray, Ragged
from tenbin.core.batch import Batch
from tenbin.core.errors import InvalidParameter, MissingExtra, ResourceError, UsageError
from tenbin.core.explanation import Step
from tenbin.core.metric import AUTO, BaseMetric
from tenbin.core.parameters import Share
from tenbin.core.part import Part
from tenbin.penalty import applied
from tenbin.penalty.applied import AppliedPenalty
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty

pytest.importorskip("simplemma")


@dataclass(frozen=True, kw_only=True)
class Flat(BaseMetric):
    """Scores 0.8, whatever the texts."""

    name: ClassVar[str] = "flat"
    composed_of: ClassVar[tuple[type[Part], ...]] = (AppliedPenalty,)

    language: str = AUTO
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH

    @property
    def applied(self) -> AppliedPenalty:
        return self.part(AppliedPenalty)

    def pair_scores(self, batch: Batch) -> FloatArray:
        return self.applied.apply(batch, 0, np.full(len(batch.references.values), 0.8))


@dataclass(frozen=True, kw_only=True)
class Rare(Flat):
    """Knows rare tokens."""

    takes_rare: ClassVar[bool] = True


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
    sides = metric.applied.side_factors(batch())
    assert sides.tolist() == [[1, 1], [0.5, 0.5], [0.5, 0.25], [1, 1]]
    swept = np.array([[0.8, -0.8]] * 4)
    assert metric.applied.apply(batch(), 0, swept)[1].tolist() == [0.4, -0.8]
    empty = Batch(
        strings=(),
        hypotheses=np.empty(0, dtype=np.int64),
        references=Ragged.from_rows([]),
        segments=np.empty(0, dtype=np.int64),
        columns={},
    )
    assert metric.applied.pair_factors(empty).shape == (0,)


def test_the_same_penalty_is_worked_out_once() -> None:
    one = batch()
    Flat(language="en", penalty=Penalty.BOTH).applied.pair_factors(one)
    assert len(one.workings) == 1
    Rare(language="en", penalty=Penalty.BOTH).applied.pair_factors(one)
    assert len(one.workings) == 1
    Flat(language="en", penalty=Penalty.BOTH, strength=0.1).applied.pair_factors(one)
    assert len(one.workings) == 2


def test_steps_lead_to_the_score() -> None:
    metric = Flat(language="en", penalty=Penalty.BOTH, strength=0.5)
    plain = (Step("words", "counted", "", 4.0), Step("score", "mean", "3.2 / 4", 0.8))
    first, before, extra, missing, factor, last = metric.applied.steps(plain, TEXTS[0], TEXTS[2])
    assert first == plain[0]
    assert before == replace(plain[1], label="score before penalty")
    labels = [step.label for step in (extra, missing, factor, last)]
    assert labels == ["factor, extra", "factor, missing", "factor", "score"]
    assert extra.meaning.endswith("that the reference has not: 5 dollars")
    assert missing.meaning.endswith("of the reference, not here: Jones, $7")
    assert (extra.formula, missing.formula) == ("1 - 0.5", "1 - 0.5 - 0.25")
    assert factor.formula == "2 × 0.5000 × 0.2500 / (0.5000 + 0.2500)"
    assert last.value == pytest.approx(metric.pair_scores(batch())[2])
    assert Flat(language="en").applied.steps(plain, *TEXTS[:2]) == plain


def test_where_nothing_is_wrong_one_step_says_so() -> None:
    metric = Flat(language="en", penalty=Penalty.BOTH, strength=0.5)
    plain = (Step("score", "mean", "3.2 / 4", 0.8),)
    _, factor, last = metric.applied.steps(plain, TEXTS[0], TEXTS[0])
    assert (factor.label, factor.meaning, factor.value) == ("factor", "no wrong name or number", 1)
    assert last == Step("score", "after the penalty", "0.8000 × 1.0000", 0.8)


def test_rare_tokens_are_left_to_the_metric() -> None:
    with pytest.raises(InvalidParameter, match="auto, propn, ner, capitals or glossary"):
        Flat(names=NameSource.RARE)
    rare = Rare(language="en", penalty=Penalty.BOTH, names=NameSource.RARE, strength=0.5)
    assert rare.applied.pair_factors(batch()).tolist() == [1, 1, 0.5, 1]  # figures
    alone = replace(rare, penalty=Penalty.NAMES)
    assert alone.applied.comparison() is None
    assert rare.applied.versions() == ()


def test_parameters() -> None:
    with pytest.raises(InvalidParameter, match="a number from 0 to 1"):
        Flat(strength=1.5)
    with pytest.raises(UsageError, match="penalty=numbers"):
        Flat(language="th", penalty=Penalty.NAMES).applied.comparison()
    spelled = Flat(penalty="names+numbers")  # type: ignore[arg-type]
    assert spelled.penalty is Penalty.BOTH
    fields = dict(spelled.signature_fields())
    assert (fields["penalty"], fields["names"]) == ("names+numbers", "auto")


def test_versions() -> None:
    pytest.importorskip("sudachipy")
    assert Flat(language="en").applied.versions() == ()
    english = Flat(language="en", penalty=Penalty.NAMES).applied.versions()
    assert [name for name, _ in english] == ["simplemma"]
    japanese = Flat(language="ja", penalty=Penalty.NAMES).applied.versions()
    assert [name for name, _ in japanese] == ["sudachipy", "sudachidict_core"]
    assert Flat(language="ja", penalty=Penalty.NUMBERS).applied.versions() == ()


def test_what_tells_names_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(applied, "version", missing)
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


def test_what_is_left_of_both_sides() -> None:
    metric = Flat(language="en", penalty=Penalty.BOTH)
    losses = metric.applied.side_losses(TEXTS[0], TEXTS[2])
    assert losses == (0.5, 0.25, "5 dollars", "Jones, $7")
    labels = [step.label for step in (*losses.precision_steps(0.8), *losses.recall_steps(0.8))]
    assert labels == [
        "factor of precision",
        "precision, penalized",
        "factor of recall",
        "recall, penalized",
    ]
    assert losses.recall_steps(0.8)[-1].value == pytest.approx(0.2)
    assert losses.recall_steps(0.0) == []
    assert Flat(language="en").applied.side_losses(TEXTS[0], TEXTS[2]).precision_steps(0.8) == []
