"""The settings that a search for a preset tries, and what it chooses with some sets left out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.preset_search.sets import SetName
from tenbin.core.arrays import FloatArray
from tenbin.metrics.tenbin_score import TenbinScore
from tenbin.penalty.choices import Penalty

LAYERS = ((3,), (4,), (5,), (3, 4), (4, 5), (3, 4, 5))
IDFS = ("", "wordfreq")
POSITIONS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6)
PUNCTUATIONS = (1.0, 0.5)
ALPHAS = (0.4, 0.5, 0.6, 0.7)
PENALTIES = (
    (Penalty.NONE, 0.0),
    (Penalty.NUMBERS, 0.05),
    (Penalty.NUMBERS, 0.1),
    (Penalty.BOTH, 0.02),
    (Penalty.BOTH, 0.05),
)
SENTENCES = (0.0, 0.1, 0.15, 0.2, 0.3)
LETTERS = (0.0, 0.02)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What can be chosen about the preset; as it is, it is plain BERTScore.

    Weights from the texts that are scored (``idf=True``) are none of it: with them the score of a
    pair would depend on the others.

    Attributes:
        layers: The layers whose mean makes the vectors of pieces.
        idf: A dictionary that weighs pieces, or nothing.
        position: As in `TenbinScore`, and so are all others.
        punctuation: See there.
        alpha: See there.
        penalty: See there.
        strength: See there; 0 where nothing is penalized.
        sentence: See there.
        letters: See there.
    """

    layers: tuple[int, ...] = (4,)
    idf: str = ""
    position: float = 0.0
    punctuation: float = 1.0
    alpha: float = 0.5
    penalty: Penalty = Penalty.NONE
    strength: float = 0.0
    sentence: float = 0.0
    letters: float = 0.0

    def __str__(self) -> str:
        """What differs from plain BERTScore."""
        plain = Setting()
        names = ("idf", "position", "punctuation", "alpha", "sentence", "letters")
        said = [f"layers {'+'.join(map(str, self.layers))}"]
        said += [
            f"{name} {getattr(self, name)}"
            for name in names
            if getattr(self, name) != getattr(plain, name)
        ]
        if self.penalty is not Penalty.NONE:
            said.append(f"{self.penalty} {self.strength}")
        return ", ".join(said)


PLAIN = Setting()


def preset() -> Setting:
    """Return the setting that the metric `tenbin` has now."""
    metric = TenbinScore()
    return Setting(
        position=metric.position,
        punctuation=metric.punctuation,
        alpha=metric.alpha,
        penalty=metric.penalty,
        strength=metric.strength,
        sentence=metric.sentence,
        letters=metric.letters,
    )


def grid() -> list[Setting]:
    """Return all settings that are tried; plain BERTScore and today's preset are among them."""
    tried = [
        Setting(
            layers=layers,
            idf=idf,
            position=position,
            punctuation=punctuation,
            alpha=alpha,
            penalty=penalty,
            strength=strength,
            sentence=sentence,
            letters=letters,
        )
        for layers, idf, position, punctuation, penalized, alpha, sentence, letters in product(
            LAYERS, IDFS, POSITIONS, PUNCTUATIONS, PENALTIES, ALPHAS, SENTENCES, LETTERS
        )
        for penalty, strength in [penalized]
    ]
    return list(dict.fromkeys([*tried, preset()]))


def without_parts(setting: Setting) -> dict[str, Setting]:
    """Return a setting with each of its parts taken back to plain BERTScore, alone."""
    parts = {
        "layers": ("layers",),
        "idf": ("idf",),
        "position": ("position",),
        "punctuation": ("punctuation",),
        "alpha": ("alpha",),
        "penalty": ("penalty", "strength"),
        "sentence": ("sentence",),
        "letters": ("letters",),
    }
    changed = {
        label: replace(setting, **{name: getattr(PLAIN, name) for name in names})
        for label, names in parts.items()
    }
    return {label: one for label, one in changed.items() if one != setting}


class FoldKind(StrEnum):
    """What is left out together: one set, all sets of a language pair, or of a year."""

    SET = "set"
    PAIR = "pair"
    YEAR = "year"


class Fold(NamedTuple):
    """Sets that are left out of a choice together.

    Attributes:
        label: What they have in common.
        left_out: Their places.
    """

    label: str
    left_out: tuple[int, ...]


def folds(names: Sequence[SetName], kind: FoldKind) -> list[Fold]:
    """Return the folds of some sets: each set is left out once.

    >>> names = [SetName("wmt15.daseg", "cs-en"), SetName("wmt16.daseg", "cs-en")]
    >>> folds(names, FoldKind.PAIR)
    [Fold(label='cs-en', left_out=(0, 1))]
    """
    labels = [
        {FoldKind.SET: str(name), FoldKind.PAIR: name.pair, FoldKind.YEAR: name.year}[kind]
        for name in names
    ]
    return [
        Fold(label, tuple(place for place, other in enumerate(labels) if other == label))
        for label in dict.fromkeys(labels)
    ]


class Rule(StrEnum):
    """What the chosen setting has the most of: its least gain over all sets, or its mean gain."""

    LEAST = "least"
    MEAN = "mean"


def chosen(gains: FloatArray, places: Sequence[int], rule: Rule) -> int:
    """Return the setting that does best on some sets; the first one where several do.

    Args:
        gains: Of each setting on each set, over plain BERTScore.
        places: The sets that are looked at.
        rule: What is best.

    >>> gains = np.array([[0.01, 0.01], [0.0, 0.04]])
    >>> chosen(gains, [0, 1], Rule.LEAST), chosen(gains, [0, 1], Rule.MEAN), chosen(
    ...     gains, [1], Rule.LEAST
    ... )
    (0, 1, 1)
    """
    seen = gains[:, list(places)]
    return int(np.argmax(seen.min(axis=1) if rule is Rule.LEAST else seen.mean(axis=1)))


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What settings gain on sets that had no part in their choice.

    Attributes:
        choices: The setting chosen for each set.
        gains: What it gains there.
    """

    choices: tuple[int, ...]
    gains: FloatArray


def held_out(gains: FloatArray, cut: Sequence[Fold], rule: Rule) -> HeldOut | None:
    """Return what is chosen on the other sets for each set; None if nothing is left to choose on.

    Args:
        gains: Of each setting on each set.
        cut: The folds.
        rule: What is best.
    """
    count = gains.shape[1]
    if any(len(fold.left_out) == count for fold in cut):
        return None
    choices = [0] * count
    for fold in cut:
        best = chosen(gains, [s for s in range(count) if s not in fold.left_out], rule)
        for place in fold.left_out:
            choices[place] = best
    return HeldOut(tuple(choices), gains[choices, np.arange(count)])
