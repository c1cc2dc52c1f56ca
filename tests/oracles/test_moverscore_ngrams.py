"""MoverScore with n-grams equals a plain program, with POT to find the least work.

Provenance: the program below follows the published one (AIPHES/emnlp19-moverscore at 0c93804,
moverscore.py, `load_ngram`): punctuation, continuations and nothing else is left out before pieces
are joined; a window of n pieces weighs the sum of their idfs and has the sum of their vectors by
idf, made of length 1; a text of fewer pieces is one window. Unlike it, and like Tenbin with one
piece, distances are not squared. Least work: POT 0.9.7.post1, `ot.emd2`.
"""

import string
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
import pytest

from tenbin.annotation.encoders.encoded import EncodedTexts, Encoder, SubwordFlag
from tenbin.annotation.encoders.settings import Device
from tenbin.core.arrays import FloatArray, Ragged
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics.choices import MoverScoreVariant
from tenbin.metrics.earth_movers import MoverScore
from tenbin.metrics.representations.joined_subwords import JoinedSubwords

pytestmark = pytest.mark.oracle

SYSTEMS = {
    "one": (
        "the cat ##s sat on a mat .",
        "dogs bark , cats do not",
        "rain",
        "a a a a",
        "so , it rain ##ed !",
    ),
    "two": ("a cat sat", "the dog ##s bark", "it rain ##s .", "the the", "it rain ##ed all day"),
}
REFERENCES = (
    ("the cat sat on the mat .", "a cat ##s sat"),
    ("dogs bark , cats do not",),
    ("it rain ##ed",),
    ("a b",),
    ("it rain ##ed !", "all day it rain ##ed ."),
)
DIMENSIONS = 12


class MadeUpContext:
    """An encoder whose vectors depend on the piece, its place and its text; [CLS] and [SEP] too."""

    identity = ResourceIdentity(
        kind=ResourceKind.ENCODER,
        name="made-up",
        version="1",
        fingerprint="0" * 64,
        licence="none",
        language="en",
    )
    versions = ()

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        vocabulary: dict[str, int] = {}
        rows: list[list[int]] = []
        pieces: list[int] = []
        vectors: list[FloatArray] = []
        for text in texts:
            cut = pieces_of(text)
            rows.append(list(range(len(pieces), len(pieces) + len(cut))))
            pieces += [vocabulary.setdefault(piece, len(vocabulary)) for piece in cut]
            vectors += list(vectors_of(text))
        names = list(vocabulary)
        flags = [
            SubwordFlag.SPECIAL * (names[one] in {"[CLS]", "[SEP]"})
            + SubwordFlag.CONTINUES * names[one].startswith("##")
            for one in pieces
        ]
        return EncodedTexts(
            rows=Ragged.from_rows(rows),
            units=np.array(vectors, dtype=np.float32).reshape(-1, DIMENSIONS),
            known=np.ones(len(pieces), dtype=np.bool_),
            subwords=np.array(pieces, dtype=np.int32),
            vocabulary=tuple(names),
            flags=np.array(flags, dtype=np.uint8),
        )

    def tokenize(self, texts: Sequence[str]) -> list[list[str]]:
        return [text.split() for text in texts]

    def notes(self, encoded: EncodedTexts) -> list[str]:  # noqa: ARG002
        return []


@dataclass(frozen=True, kw_only=True)
class MadeUpSubwords(JoinedSubwords):
    made_up: ClassVar[Encoder] = MadeUpContext()

    def encoder(self) -> Encoder:
        return self.made_up


@dataclass(frozen=True, kw_only=True)
class OnMadeUpVectors(MoverScore):
    representation = MadeUpSubwords


def pieces_of(text: str) -> list[str]:
    return ["[CLS]", *text.split(), "[SEP]"] if text else []


def vectors_of(text: str) -> FloatArray:
    """Return a vector of length 1 for each piece, in 32 bits as a model gives them."""
    rows = []
    for place, piece in enumerate(pieces_of(text)):
        own = np.random.default_rng(crc32(piece.encode())).normal(size=DIMENSIONS)
        here = np.random.default_rng(crc32(f"{place} {text}".encode())).normal(size=DIMENSIONS)
        row = own + 0.3 * here
        rows.append((row / np.linalg.norm(row)).astype(np.float32))
    return np.array(rows, dtype=np.float64).reshape(-1, DIMENSIONS)


def idfs_of(texts: Sequence[str]) -> dict[str, float]:
    documents = [set(pieces_of(text)) for text in texts]
    count = len(texts) + 1
    known = {piece: sum(piece in one for one in documents) for piece in set().union(*documents)}
    return defaultdict(lambda: log(count), {one: log(count / (1 + n)) for one, n in known.items()})


def windows(text: str, idfs: dict[str, float] | None, size: int) -> tuple[FloatArray, FloatArray]:
    """Return vectors and weights of the n-grams of a text."""
    pieces, vectors = pieces_of(text), vectors_of(text)
    left_out = set(string.punctuation)
    kept = [k for k, one in enumerate(pieces) if one not in left_out and "##" not in one]
    weights = np.array([1.0 if idfs is None else idfs[one] for one in pieces])
    size = min(size, len(kept))
    found, masses = [], []
    for start in range(len(kept) - size + 1):
        window = kept[start : start + size]
        found.append(sum((weights[k] * vectors[k] for k in window), np.zeros(DIMENSIONS)))
        masses.append(weights[window].sum())
    joined = np.array(found)
    return joined / (np.linalg.norm(joined, axis=1, keepdims=True) + 1e-30), np.array(masses)


def slow_score(
    ot: Any,
    texts: tuple[str, str],
    idfs: tuple[dict[str, float] | None, dict[str, float] | None],
    size: int,
    *,
    original: bool,
) -> float:
    (here, ours), (there, theirs) = (
        windows(text, table, size) for text, table in zip(texts, idfs, strict=True)
    )
    distances = np.linalg.norm(here[:, np.newaxis] - there, axis=2)
    work = float(ot.emd2(ours / ours.sum(), theirs / theirs.sum(), distances))
    return 1 - work if original else 1 / (1 + work)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("variant", MoverScoreVariant)
@pytest.mark.parametrize("idf", ["system", True, False])
def test_scores_equal_those_of_a_plain_program(
    pot: Any, size: int, variant: MoverScoreVariant, *, idf: bool | str
) -> None:
    metric = OnMadeUpVectors(
        model="made-up", layer=0, device=Device.CPU, idf=idf, ngram=size, variant=variant
    ).bind("en")
    texts = TestSet(hypotheses=SYSTEMS, references=REFERENCES)
    (rows,) = chunk_statistics(texts, [metric])
    every_reference = [text for row in REFERENCES for text in row]
    expected = []
    for hypotheses in SYSTEMS.values():
        # The published program has the idf of hypotheses from the hypotheses.
        own_texts = hypotheses if idf == "system" else every_reference
        tables = (idfs_of(own_texts), idfs_of(every_reference)) if idf else (None, None)
        found = [
            [
                slow_score(
                    pot, (own, other), tables, size, original=variant is MoverScoreVariant.V1
                )
                for other in references
            ]
            for own, references in zip(hypotheses, REFERENCES, strict=True)
        ]
        expected.append([max(row) for row in found])
    np.testing.assert_allclose(metric.segment_score(rows), expected, rtol=0, atol=1e-6)
    assert np.ptp(expected) > 0.1, "scores that are all the same would prove nothing"


def test_pairs_of_pieces_are_not_pieces() -> None:
    texts = TestSet(hypotheses=SYSTEMS, references=REFERENCES)
    found = [
        chunk_statistics(texts, [OnMadeUpVectors(model="x", layer=0, device=Device.CPU, ngram=n)])[
            0
        ]
        for n in (1, 2)
    ]
    assert np.abs(found[0] - found[1]).max() > 0.01
