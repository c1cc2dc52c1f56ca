"""BERTScore equals the stored numbers of the package bert-score on the bundled example.

Provenance: tests/oracles/data/bertscore, made with bert-score 0.3.13, torch 2.13.0 (CPU),
transformers 5.22.2 and the model all-MiniLM-L6-v2, which is the resource minilm-en.
"""

import csv
import gzip
from collections.abc import Callable
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

TOLERANCE = 1e-5
SYSTEMS = ("careful", "literal", "gloss")
Example = Callable[[str, str], list[str]]


@pytest.fixture(autouse=True)
def _needs_torch() -> None:
    pytest.importorskip("torch", reason="the extra 'neural' is not installed")


def table(path: Path) -> list[dict[str, str]]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("references", ["A", "AB"])
@pytest.mark.parametrize("layer", [3, 4, 6])
@pytest.mark.parametrize("idf", [False, True])
def test_every_row(
    oracle_data: Path,
    example: Example,
    references: str,
    layer: int,
    idf: bool,  # noqa: FBT001
) -> None:
    # One list of outputs, as the package had it: idf is learned from all 180 references or 360.
    alternatives = list(zip(*(example("ja-en", f"ref{name}") for name in references), strict=True))
    texts = TestSet(
        hypotheses={"all": tuple(text for name in SYSTEMS for text in example("ja-en", name))},
        references=tuple(alternatives * len(SYSTEMS)),
    )
    expected = [
        row
        for row in table(oracle_data / "bertscore" / "scores.tsv.gz")
        if (row["references"], row["layer"], row["idf"]) == (references, str(layer), str(int(idf)))
    ]
    places = [(name, str(line)) for name in SYSTEMS for line in range(1, 61)]
    assert [(row["system"], row["line"]) for row in expected] == places
    specs = [f"bertscore(layer={layer}, idf={idf}, measure='{measure}')" for measure in "prf"]
    found = chunk_statistics(texts, [registry.load(spec).bind("en") for spec in specs])
    for rows, measure in zip(found, "PRF", strict=True):
        wanted = [float(row[measure]) for row in expected]
        np.testing.assert_allclose(rows[0, :, 0], wanted, rtol=0, atol=TOLERANCE)


def test_word_pieces(oracle_data: Path, example: Example) -> None:
    pieces = table(oracle_data / "bertscore" / "tokens.tsv")
    encoder = load_encoder(EncoderChoice(model="minilm-en", language="en", view=View((4,))))
    for row in pieces:
        names = row["system"], "refA"
        encoded = encoder.encode([example("ja-en", name)[int(row["line"]) - 1] for name in names])
        assert " ".join(encoded.tokens(0)) == row["hypothesis_pieces"]
        assert " ".join(encoded.tokens(1)) == row["refA_pieces"]
    assert len(pieces) == 20
