"""Minimal pairs: a wrong name or figure scores below a paraphrase, another spelling does not.

The sentences in tests/data/minimal_pairs were written for Tenbin. Scores are those of HAS, with the
bundled English and the installed Japanese vectors.
"""

import csv
from pathlib import Path

import pytest

import tenbin
from tenbin.core.errors import MissingResource
from tenbin.matching.text_penalty import Penalty, TextPenalty

pytest.importorskip("sudachipy")
pytest.importorskip("simplemma")

PAIRS = Path(__file__).resolve().parents[1] / "data" / "minimal_pairs"
LEAST = 60
SHARE = 0.95
# Read alike (渡辺, 渡部), or a word as well as a name (oracle): known limits.
MISSED = {"ja": "渡部", "en": "Oracle"}


def cases(language: str) -> list[dict[str, str]]:
    with (PAIRS / f"{language}.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("language", ["ja", "en"])
def test_what_is_found(language: str) -> None:
    penalty = TextPenalty(penalty=Penalty.BOTH, language=language)
    missed = []
    for case in cases(language):
        for column in ("paraphrase", "variant"):
            assert penalty.factors(case[column] or case["reference"], case["reference"]) == (
                1.0,
                1.0,
                (),
            )
        if case["wrong"] and penalty.factors(case["wrong"], case["reference"]).score == 1:
            missed.append(case["wrong"])
    assert len(missed) == 1
    assert MISSED[language] in missed[0]


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_wrong_name_scores_below_a_paraphrase(language: str) -> None:
    pairs = [case for case in cases(language) if case["wrong"]]
    assert len(pairs) >= LEAST
    try:
        metric = tenbin.load_metric("has", language=language)
    except MissingResource as error:
        pytest.skip(str(error))
    penalty = TextPenalty(penalty=Penalty.BOTH, language=language)
    references = [case["reference"] for case in pairs]
    plain, lowered = {}, {}
    for column in ("wrong", "paraphrase", "variant"):
        texts = [case[column] for case in pairs]
        plain[column] = metric.score(texts, references).segments
        factors = [penalty.factors(*both).score for both in zip(texts, references, strict=True)]
        scored = zip(plain[column], factors, strict=True)
        lowered[column] = [score * factor for score, factor in scored]

    def below(scores: dict[str, list[float]]) -> float:
        found = zip(scores["wrong"], scores["paraphrase"], strict=True)
        return sum(wrong < right for wrong, right in found) / len(pairs)

    # Without the penalty hardly any is.
    assert below(plain) < 0.5  # type: ignore[arg-type]
    assert below(lowered) >= SHARE
    assert lowered["variant"] == list(plain["variant"])
