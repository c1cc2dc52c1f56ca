"""BERTScore equals the stored numbers of the package bert-score on 120 real outputs.

Provenance: shared/oracles/bertscore, made with bert-score 0.3.13, torch 2.13.0 (CPU), transformers
5.22.2 and the model all-MiniLM-L6-v2, which is the resource minilm-en; see the README there.
"""

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tenbin.annotation.encoders.loading import EncoderChoice, load_encoder
from tenbin.annotation.encoders.settings import View
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.resources.store.lookup import State
from tenbin.resources.store.store import default_store

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.slow,
    pytest.mark.skipif(
        default_store().state("minilm-en")[0] is not State.INSTALLED,
        reason="minilm-en is not installed: tenbin resources install minilm-en",
    ),
]

TOLERANCE = 1e-5  # the README suggests 1e-4


@pytest.fixture(autouse=True)
def _needs_torch() -> None:
    pytest.importorskip("torch", reason="the extra 'neural' is not installed")


@cache
def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("references", ["A", "AB"])
@pytest.mark.parametrize("layer", [3, 4, 6])
@pytest.mark.parametrize("idf", [False, True])
def test_every_row(shared: Path, references: str, layer: int, idf: bool) -> None:  # noqa: FBT001
    inputs = table(shared / "oracles" / "bertscore" / "inputs.tsv")
    texts = TestSet(
        hypotheses={"outputs": tuple(row["hypothesis"] for row in inputs)},
        references=tuple(tuple(row[f"ref{name}"] for name in references) for row in inputs),
    )
    expected = [
        row
        for row in table(shared / "oracles" / "bertscore" / "scores.tsv")
        if (row["references"], row["layer"], row["idf"]) == (references, str(layer), str(int(idf)))
    ]
    assert [row["segment"] for row in expected] == [row["segment"] for row in inputs]
    specs = [f"bertscore(layer={layer}, idf={idf}, measure='{measure}')" for measure in "prf"]
    found = chunk_statistics(texts, [registry.load(spec).bind("en") for spec in specs])
    for rows, measure in zip(found, "PRF", strict=True):
        wanted = [float(row[measure]) for row in expected]
        np.testing.assert_allclose(rows[0, :, 0], wanted, rtol=0, atol=TOLERANCE)


def test_word_pieces(shared: Path) -> None:
    inputs = table(shared / "oracles" / "bertscore" / "inputs.tsv")
    pieces = table(shared / "oracles" / "bertscore" / "tokens.tsv")
    encoder = load_encoder(EncoderChoice(model="minilm-en", language="en", view=View((4,))))
    for row, texts in zip(pieces, inputs, strict=False):
        encoded = encoder.encode([texts["hypothesis"], texts["refA"]])
        assert " ".join(encoded.tokens(0)) == row["hypothesis_pieces"]
        assert " ".join(encoded.tokens(1)) == row["refA_pieces"]
    assert len(pieces) == 20
