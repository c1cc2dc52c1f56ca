"""NIST equals NLTK's corpus NIST, and the worked examples of the specification.

Provenance: NLTK 3.10.4 `nltk.translate.nist_score.corpus_nist(n=5)`, run here beside ours on tokens
of sacrebleu 2.6.0 `13a`, 2026-11-15; the examples T7 in `tests/data/t7`. Texts: the bundled
example, and whole WMT sets where the shared folder is here. NLTK stands for one reference only:
with several it keeps one of them per n-gram order, where mteval clips over all and takes their mean
length; there the definition is written out below instead.
"""

from collections import Counter
from collections.abc import Callable
from math import exp, log, log2
from pathlib import Path

import numpy as np
import pytest
import sacrebleu.tokenizers.tokenizer_13a as tokenizers

import tenbin

nist_score = pytest.importorskip("nltk.translate.nist_score")

pytestmark = pytest.mark.oracle

ORDER = 5
SYSTEMS = ("careful", "literal", "gloss")
Segment = list[str]
Example = Callable[[str, str], list[str]]

T7_FILE = Path(__file__).resolve().parents[1] / "data" / "t7" / "segments.tsv"


def t7() -> tuple[list[str], list[str]]:
    """Return hypotheses and references of the example set."""
    rows = [line.split("\t") for line in T7_FILE.read_text("utf-8").splitlines()[1:]]
    return [hypothesis for hypothesis, _ in rows], [reference for _, reference in rows]


def tokenized(texts: list[str]) -> list[Segment]:
    tokenizer = tokenizers.Tokenizer13a()
    return [tokenizer(text.rstrip()).split() for text in texts]


def read_segments(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def our_nist(hypotheses: list[str], references: list[list[str]], language: str = "en") -> float:
    table = tenbin.score(hypotheses, references, metrics=["nist"], language=language)
    return table["hypotheses", "nist"]


def ngrams(tokens: Segment, order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


class Definition:
    """NIST by the text of the specification, with any number of references."""

    def __init__(self, references: list[list[Segment]]) -> None:
        every = [tokens for texts in references for tokens in texts]
        self.counts: Counter[tuple[str, ...]] = Counter()
        for tokens in every:
            for order in range(1, ORDER + 1):
                self.counts.update(ngrams(tokens, order))
        self.words = sum(map(len, every))

    def information(self, ngram: tuple[str, ...]) -> float:
        if not self.counts[ngram]:
            return 0.0
        numerator = self.counts[ngram[:-1]] if len(ngram) > 1 else self.words
        return log2(numerator / self.counts[ngram])

    def score(self, hypotheses: list[Segment], references: list[list[Segment]]) -> float:
        precision = 0.0
        for order in range(1, ORDER + 1):
            weight, total = 0.0, 0
            for tokens, texts in zip(hypotheses, references, strict=True):
                found = ngrams(tokens, order)
                total += found.total()
                clips = [ngrams(text, order) for text in texts]
                for ngram, count in found.items():
                    matched = min(count, max(clip[ngram] for clip in clips))
                    weight += matched * self.information(ngram)
            precision += weight / max(total, 1)
        own = sum(map(len, hypotheses))
        mean = sum(sum(map(len, texts)) / len(texts) for texts in references)
        ratio = min(1.0, own / mean) if mean else 1.0
        penalty = exp(-log(2) / log(1.5) ** 2 * log(ratio) ** 2) if ratio > 0 else 0.0
        return penalty * precision


@pytest.mark.parametrize(
    ("test_set", "pair", "system"),
    [
        ("wmt20", "en-de", "OPPO.1535"),
        ("wmt22", "de-en", "LT22"),
        ("wmt22", "uk-en", "PROMT"),
    ],
)
def test_corpus_nist_of_wmt_sets_equals_nltk(
    shared: Path, test_set: str, pair: str, system: str
) -> None:
    folder = shared / "data" / test_set
    hypotheses = read_segments(folder / "system-outputs" / pair / f"{system}.txt")
    references = read_segments(folder / "references" / f"{pair}.refA.txt")
    assert_equals_nltk(hypotheses, references, pair.partition("-")[2])


@pytest.mark.parametrize("system", ["careful", "literal", "gloss"])
@pytest.mark.parametrize("reference", ["refA", "refB"])
def test_corpus_nist_equals_nltk(example: Example, system: str, reference: str) -> None:
    assert_equals_nltk(example("ja-en", system), example("ja-en", reference), "en")


def assert_equals_nltk(hypotheses: list[str], references: list[str], language: str) -> None:
    nested = [[tokens] for tokens in tokenized(references)]
    expected = nist_score.corpus_nist(nested, tokenized(hypotheses), n=ORDER)
    found = our_nist(hypotheses, [[text] for text in references], language)
    assert found == pytest.approx(expected, abs=1e-9)


def test_worked_examples() -> None:
    hypotheses, references = t7()
    assert our_nist(hypotheses, [[text] for text in references]) == pytest.approx(
        2.980235, abs=5e-7
    )


def test_worked_examples_cut_to_seven_tokens() -> None:
    whole, references = map(tokenized, t7())
    cut = [tokens[:7] for tokens in whole]
    hypotheses = [" ".join(tokens) for tokens in cut]
    joined = [[" ".join(tokens)] for tokens in references]
    found = our_nist(hypotheses, joined)
    assert found == pytest.approx(0.040663, abs=5e-7)
    nested = [[tokens] for tokens in references]
    assert found == pytest.approx(nist_score.corpus_nist(nested, cut, n=ORDER), abs=1e-12)
    # The specification prints the length penalty too: 28 of 80 words.
    ratio = 28 / sum(map(len, references))
    assert exp(-log(2) / log(1.5) ** 2 * log(ratio) ** 2) == pytest.approx(0.009593, abs=5e-7)


def test_several_references_follow_the_definition(example: Example) -> None:
    hypotheses = [text for name in SYSTEMS for text in example("ja-en", name)]
    streams = [example("ja-en", name) * len(SYSTEMS) for name in ("refA", "refB")]
    ragged = [
        list(texts)[: 1 + number % 2] for number, texts in enumerate(zip(*streams, strict=True))
    ]
    for references in ([list(texts) for texts in zip(*streams, strict=True)], ragged):
        cut = [tokenized(texts) for texts in references]
        expected = Definition(cut).score(tokenized(hypotheses), cut)
        assert our_nist(hypotheses, references) == pytest.approx(expected, abs=1e-9)


def test_segments_use_the_weights_of_the_test_set(example: Example) -> None:
    hypotheses = [text for name in SYSTEMS for text in example("ja-en", name)]
    references = example("ja-en", "refA") * len(SYSTEMS)
    table = tenbin.score(hypotheses, references, metrics=["nist"], language="en", segments=True)
    found = table.score_set.results[0].segments
    assert found is not None
    cut = [[tokens] for tokens in tokenized(references)]
    definition = Definition(cut)
    pairs = list(zip(tokenized(hypotheses), cut, strict=True))
    expected = [definition.score([tokens], [texts]) for tokens, texts in pairs]
    np.testing.assert_allclose(found[0], expected, rtol=0, atol=1e-9)
    # NLTK's sentence_nist learns from one segment: another number, and no oracle for segments.
    alone = [nist_score.corpus_nist([texts], [tokens], n=ORDER) for tokens, texts in pairs[:20]]
    assert not np.allclose(found[0][:20], alone)


def test_one_segment_alone_learns_from_itself_and_says_so() -> None:
    hypothesis, reference = (texts[0] for texts in t7())
    table = tenbin.score([hypothesis], [reference], metrics=["nist"], language="en")
    cut = tokenized([reference])
    expected = nist_score.corpus_nist([cut], tokenized([hypothesis]), n=ORDER)
    assert table["hypotheses", "nist"] == pytest.approx(expected, abs=1e-12)
    assert any("one segment" in note for note in table.score_set.notes)


def test_definition_and_nltk_agree_on_one_reference() -> None:
    # The definition above is our oracle for several references, so it must itself be held to NLTK.
    hypotheses, cut = map(tokenized, t7())
    references = [[tokens] for tokens in cut]
    ours = Definition(references).score(hypotheses, references)
    assert ours == pytest.approx(nist_score.corpus_nist(references, hypotheses, n=ORDER), abs=1e-12)
