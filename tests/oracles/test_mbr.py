"""Choices of `mbrs` and `comet-mbr` with the same utility; see data/mbr/README.md."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics import BLEU, CHRF

import tenbin

DATA = Path(__file__).parent / "data" / "mbr" / "choices.tsv"
FOLDER = Path(tenbin.__file__).parent / "resources" / "bundled" / "example"
TEXTS = (
    "system-outputs/ja-en/literal.txt",
    "references/ja-en.refA.txt",
    "system-outputs/ja-en/careful.txt",
    "references/ja-en.refB.txt",
    "system-outputs/ja-en/gloss.txt",
)
OPTIONS: dict[str, dict[str, Any]] = {
    "mbrs": {"with_self": True},
    "mbrs-aggregate": {"with_self": True, "aggregate": True},
    "comet-mbr": {},
}


def candidate_lists() -> list[list[str]]:
    """Return eight candidates for each segment of the bundled example, three of them damaged."""
    columns = [(FOLDER / name).read_text("utf-8").splitlines() for name in TEXTS]
    return [[*some, *_damaged(some[1])] for some in map(list, zip(*columns, strict=True))]


def _damaged(text: str) -> list[str]:
    words = text.split()
    half = len(words) // 2
    return [
        " ".join(words[1:]),
        " ".join([*words[half:], *words[:half]]),
        " ".join([*words, *words[-3:]]),
    ]


def stored() -> dict[tuple[str, str], list[tuple[int, float]]]:
    found: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for line in DATA.read_text("utf-8").splitlines()[1:]:
        program, utility, _, chosen, score = line.split("\t")
        found.setdefault((program, utility), []).append((int(chosen), float(score)))
    return found


STORED = stored()


@pytest.mark.parametrize(("program", "utility"), STORED, ids="-".join)
def test_the_same_candidates_are_chosen(program: str, utility: str) -> None:
    found = tenbin.mbr(candidate_lists(), metric=utility, language="en", **OPTIONS[program])
    expected = STORED[program, utility]
    assert [place + 1 for place in found.chosen] == [chosen for chosen, _ in expected]
    for own, place, (_, score) in zip(found.scores, found.chosen, expected, strict=True):
        assert own[place] == pytest.approx(score, rel=1e-5)  # they are 32-bit numbers


def chrf(hypothesis: str, reference: str) -> float:
    return float(CHRF().sentence_score(hypothesis, [reference]).score)


def bleu(hypothesis: str, reference: str) -> float:
    return float(BLEU(effective_order=True).sentence_score(hypothesis, [reference]).score)


@pytest.mark.parametrize(("spec", "plain"), [("chrf", chrf), ("bleu", bleu)])
def test_a_plain_loop_over_sacrebleu_gives_the_same_scores(
    spec: str, plain: Callable[[str, str], float]
) -> None:
    lists = candidate_lists()[:6]
    found = tenbin.mbr(lists, metric=spec, language="en")
    for some, own in zip(lists, found.scores, strict=True):
        pairs = {(a, b): plain(some[a], some[b]) for a, b in product(range(len(some)), repeat=2)}
        for a in range(len(some)):
            others = [pairs[a, b] for b in range(len(some)) if b != a]
            assert own[a] == pytest.approx(sum(others) / len(others), rel=1e-12)
