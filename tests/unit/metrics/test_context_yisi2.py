"""YiSi-2 in context: matrices made by hand, weights of each system, what is refused."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import log, log2
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import tenbin
from tenbin.annotation.encoders.encoded import EncodedTexts, Encoder, SubwordFlag
from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.building.idf import build_idf
from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import Ragged
from tenbin.core.errors import InputError, InvalidParameter, UnreadableFile, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.metrics.representations.text_subwords import BilingualSubwords
from tenbin.metrics.yisi import ContextYisi2
from tenbin.tables import job as table_job

MARK = "[CLS]"
VECTORS = {
    MARK: (1.0, 0.0, 0.0),
    "cat": (1.0, 0.0, 0.0),
    "Katze": (0.8, 0.6, 0.0),
    "sat": (0.0, 0.0, 1.0),
    "saß": (0.0, 0.28, 0.96),
    "not": (-1.0, 0.0, 0.0),
}


class WordsInBothTongues:
    """An encoder whose vectors are known, with the mark of a model before each text."""

    identity = ResourceIdentity(
        kind=ResourceKind.ENCODER,
        name="both",
        version="1",
        fingerprint="0" * 64,
        licence="none",
        language="und",
    )
    versions = (("hands", "2"),)

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        words = list(VECTORS)
        rows = [[words.index(word) for word in (MARK, *text.split())] for text in texts]
        return EncodedTexts(
            rows=Ragged.from_rows(rows),
            units=np.array(list(VECTORS.values()), dtype=np.float32),
            known=np.ones(len(words), dtype=np.bool_),
            subwords=np.arange(len(words), dtype=np.int32),
            vocabulary=tuple(words),
            flags=np.array([SubwordFlag.SPECIAL] + [0] * (len(words) - 1), dtype=np.uint8),
        )

    def tokenize(self, texts: Sequence[str]) -> list[list[str]]:
        return [text.split() for text in texts]

    def notes(self, encoded: EncodedTexts) -> list[str]:
        return [f"{len(encoded.rows)} texts"]


@dataclass(frozen=True, kw_only=True)
class WordsByHand(BilingualSubwords):
    known: ClassVar[Encoder] = WordsInBothTongues()

    def encoder(self) -> Encoder:
        return self.known


@dataclass(frozen=True, kw_only=True)
class MadeByHand(ContextYisi2):
    representation = WordsByHand


def made(**parameters: object) -> MadeByHand:
    settled = {"model": "both", "layer": 0, "device": "cpu", "ngram": 1, **parameters}
    return MadeByHand(**settled).bind("en")  # type: ignore[arg-type]


def scores(metric: ContextYisi2, source: Sequence[str], **systems: Sequence[str]) -> list[float]:
    """Return the segment scores of all systems, one after the other."""
    texts = TestSet(
        hypotheses={name: tuple(own) for name, own in systems.items()},
        references=(("not",),) * len(source),
        source=tuple(source),
    )
    (rows,) = chunk_statistics(texts, [metric])
    return [float(value) for value in metric.segment_score(rows).reshape(-1)]


@pytest.mark.parametrize(
    ("own", "source", "expected"),
    [
        ("cat", "Katze", 0.8),
        ("not", "Katze", 0.0),  # negative cosines count as 0
        ("cat sat", "Katze saß", 0.88),  # one n-gram of two
        ("sat cat", "Katze saß", 0.0),  # in another order nothing answers but (.0 + .0) / 2
        ("", "Katze", 0.0),
        ("cat", "", 0.0),
    ],
)
def test_similarities_made_by_hand(own: str, source: str, expected: float) -> None:
    metric = made(idf=False, ngram=3)
    assert scores(metric, [source], a=[own]) == [pytest.approx(expected, abs=1e-6)]


def test_precision_recall_and_alpha() -> None:
    # cat answers Katze (.8), sat answers nothing; all of the source is answered.
    precision, recall = 0.8 / 2, 0.8
    for alpha in (0.0, 0.5, 0.8, 1.0):
        expected = precision * recall / (alpha * precision + (1 - alpha) * recall)
        found = scores(made(idf=False, alpha=alpha), ["Katze"], a=["cat sat"])
        assert found == [pytest.approx(expected, abs=1e-6)]


def test_weights_of_the_sources() -> None:
    source = ["Katze saß", "saß"]
    katze, sass = log2(1 + 3 / 2), log2(1 + 3 / 3)
    recall = 0.8 * katze / (katze + sass)
    assert scores(made(alpha=1.0), source, a=["cat", "sat"])[0] == pytest.approx(recall, abs=1e-6)
    # Precision: no source has cat or not, one of two has Katze.
    unseen = log2(1 + 3 / 1)
    expected = 0.8 * unseen / (unseen + unseen)
    found = scores(made(alpha=0.0), source, a=["cat not", "sat"], b=["cat not", "not"])
    assert found[0] == found[2] == pytest.approx(expected, abs=1e-6)
    untranslated = (0.8 * unseen + 1.0 * katze) / (unseen + katze)
    found = scores(made(alpha=0.0), source, a=["cat Katze", "sat"])
    assert found[0] == pytest.approx(untranslated, abs=1e-6)


def test_weights_as_published_are_of_the_sources_and_of_each_system() -> None:
    source, same = ["Katze saß", "saß"], "cat not"
    # Recall of the first segment by the weights of the sources, precision by those of the system.
    katze, sass = log2(1 + 3 / 2), log2(1 + 3 / 3)
    recall = 0.8 * katze / (katze + sass)
    by_recall, by_precision = (made(alpha=alpha, idf="system") for alpha in (1.0, 0.0))
    assert scores(by_recall, source, a=[same, "sat"])[0] == pytest.approx(recall, abs=1e-6)
    rare, common = log2(1 + 3 / 2), log2(1 + 3 / 3)
    first, second = 0.8 * rare / (rare + rare), 0.8 * rare / (rare + common)
    found = scores(by_precision, source, a=[same, "sat"], b=[same, "not"])
    assert found[0] == pytest.approx(first, abs=1e-6)
    assert found[2] == pytest.approx(second, abs=1e-6)
    assert found[2:] == scores(by_precision, source, b=[same, "not"]), "whatever the company"


def test_a_dictionary_of_both_languages(tmp_path: Path) -> None:
    (tmp_path / "both.txt").write_text("cat sat\ncat\nKatze\n", encoding="utf-8")
    build_idf([str(tmp_path / "both.txt")], "en", str(tmp_path / "both.idf"))
    metric = made(idf=str(tmp_path / "both.idf"), alpha=0.0)
    cat, sat = log(4 / 3), log(4 / 2)
    found = scores(metric, ["Katze"], a=["cat sat"], b=["cat sat"])
    assert found == [pytest.approx(0.8 * cat / (cat + sat), abs=1e-6)] * 2
    assert not metric.needs.collection


def test_the_explanation_leads_to_the_score_and_speaks_of_the_source() -> None:
    metric = made(ngram=2)
    texts = TestSet(
        hypotheses={"a": ("cat sat", "cat not sat"), "b": ("not", "sat")},
        references=(("not",), ("not", "cat")),
        source=("Katze saß", "saß Katze saß"),
    )
    batch = build_batch(texts, [])
    found = metric.segment_score(metric.statistics(batch))
    for item, score in enumerate(found.tolist()):
        explained = metric.explain(batch, item)
        assert explained.steps[-1].value == pytest.approx(score, abs=1e-9)
        assert explained.alignment.reference == tuple(texts.source[item % 2].split())  # type: ignore[index]
        assert (explained.reference, explained.reference_count) == (0, 0)
        assert explained.compared_with == "source"
    first = metric.explain(batch, 0)
    assert [match.kind for match in first.alignment.matches] == [MatchKind.CONTEXT] * 2
    assert "n-grams of the source" in first.steps[2].meaning


def test_it_stands_beside_metrics_that_read_references() -> None:
    """Texts that one of them encodes are not those of the other."""
    texts = TestSet(hypotheses={"a": ("cat",)}, references=(("sat",),), source=("Katze",))
    batch = build_batch(texts, [])
    metric = made(idf=False)
    alone = metric.statistics(build_batch(texts, []))
    for compared, empty in ((metric, "sat"), (made(idf=True), "sat")):
        row = compared.part(WordsByHand).texts(batch).rows.lengths[batch.strings.index(empty)]
        assert row == 0, "a reference is not read"
    np.testing.assert_array_equal(metric.statistics(batch), alone)


def test_a_model_of_one_language_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = TestSet(hypotheses={"a": ("cat",)}, references=(("sat",),), source=("Katze",))
    assert made().check_batch(build_batch(texts, [])) == ["3 texts"]
    english = replace(WordsInBothTongues.identity, language="en")
    monkeypatch.setattr(WordsInBothTongues, "identity", english)
    assert (
        made().check_batch(build_batch(texts, []))[1].startswith("'both' is a model of 'en' alone")
    )


def test_what_is_refused(tmp_path: Path) -> None:
    assert registry.load("yisi2-context").needs.parameters == {"model"}
    assert registry.load('yisi2-context(model="x")').needs.parameters == set()
    with pytest.raises(UsageError, match=r"no model of its own.*model=\"FOLDER\""):
        registry.load("yisi2-context").bind("en")
    with pytest.raises(UsageError, match=r"no context.*yisi2\(vectors="):
        registry.load('yisi2-context(model="static:x.vec")').bind("en")
    with pytest.raises(InvalidParameter, match="True, False, a file, or system"):
        registry.load('yisi2-context(model="x", idf="wordfreq")')
    with pytest.raises(UnreadableFile):
        registry.load(f"yisi2-context(model={str(tmp_path)!r})").bind("en")
    with pytest.raises(UsageError, match="reads the source text"):
        made().statistics(build_batch(TestSet(hypotheses={"a": ("b",)}, references=(("c",),)), []))
    with pytest.raises(UsageError, match="no model of its own"):
        tenbin.score(["a"], ["b"], source=["c"], metrics=["yisi2-context"], language="en")


def test_every_parameter_is_in_the_signature() -> None:
    written = str(made(alpha=0.5).signature())
    for part in ("language:en", "model:both", "layer:0", "alpha:0.5", "ngram:1", "idf:yes"):
        assert part in written
    assert "hands=2" in written


def test_changing_any_one_field_changes_the_signature() -> None:
    changes = {
        "language": "de",
        "layer": 1,
        "idf": False,
        "device": Device.CUDA,
        "dtype": NumberType.INT8,
        "alpha": 0.5,
        "ngram": 2,
    }
    # A model is told apart by the hash of its weights, whatever its folder is called.
    assert {one.name for one in fields(ContextYisi2)} == {*changes, "model"}
    plain = made()
    changed = [replace(plain, **{name: value}) for name, value in changes.items()]  # type: ignore[arg-type]
    written = {str(metric.signature()) for metric in (plain, *changed)}
    assert len(written) == len(changes) + 1


def test_contracts_of_metrics_that_come_with_their_data() -> None:
    """Order of segments, parts of a test set, stacks of statistics: as in ``tests/contracts``."""
    own, source = ["cat", "sat cat", "", "not sat"], ["Katze", "saß Katze", "saß", "saß"]
    metric = made(idf=False)
    found = scores(metric, source, a=own)
    assert scores(metric, source[::-1], a=own[::-1]) == found[::-1]
    assert scores(metric, source[:1], a=own[:1]) + scores(metric, source[1:], a=own[1:]) == found
    assert scores(metric, source, a=own, b=own[::-1])[: len(own)] == found
    assert all(0 <= score <= 1 for score in found)
    learned = made()
    forth, back = (scores(learned, source[::way], a=own[::way])[::way] for way in (1, -1))
    assert forth == pytest.approx(back, abs=1e-12)
    rows = np.array([[[0.5, 1.0], [1.5, 2.0]], [[0.0, 3.0], [2.0, 2.0]]])
    assert metric.score(rows).tolist() == [[0.5, 0.75], [0.0, 1.0]]


def test_the_rows_of_a_table_have_sources_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(table_job, "load_all", lambda _: [made(idf=False)])
    rows = {"hypothesis": ["cat", "sat"], "reference": ["not", "not"], "foreign": ["Katze", "saß"]}
    own, result = tmp_path / "pairs.parquet", tmp_path / "scores.parquet"
    parquet.write_table(pa.table(rows), own)
    with pytest.raises(InputError, match=r"no column 'source'.*Name one \(source_column\)"):
        tenbin.score_table(own, result, metrics=["yisi2-context"], language="en")
    table = tenbin.score_table(
        own, result, metrics=["yisi2-context"], language="en", source_column="foreign"
    )
    found = parquet.read_table(result).column("yisi2-context").to_pylist()
    assert found == pytest.approx([0.8, 0.96], abs=1e-6)
    assert table["pairs", "yisi2-context"] == pytest.approx(0.88, abs=1e-6)
    del rows["reference"]  # which is not read
    parquet.write_table(pa.table(rows), own)
    table = tenbin.score_table(
        own, result, metrics=["yisi2-context"], language="en", source_column="foreign"
    )
    assert parquet.read_table(result).column("yisi2-context").to_pylist() == found
    assert table.score_set.results[0].signature.get("nrefs") == "0"
