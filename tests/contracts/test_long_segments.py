"""Long segments: a paragraph of 3,000 words is scored and explained, a longer text refused."""

import json
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.cli.main import main
from tenbin.core.errors import LowCoverage, SegmentTooLong
from tenbin.core.limits import LengthLimit, SegmentUnit
from tenbin.core.metric import ExplainableMetric
from tenbin.core.spec import Spec
from tenbin.metrics import registry

WORDS = 3_000
FREQUENT = (
    "the of and to in that is for on it with as was be this by at from have are not law court act "
    "member house minister question state article union policy budget report vote year people"
)
RARE = (
    "river mountain engine window teacher garden winter harvest doctor village bridge paper island "
    "music letter silver morning market summer kitchen forest weather ocean castle animal"
)
VOCABULARY = (*FREQUENT.split(), *RARE.split())
DATA = {"vectors": "glove-en-small", "model": "static:glove-en-small"}
TRAINING = {"units": 8, "embedding": 8, "epochs": 1, "repeats": 1}
LIMITED = tuple(
    name
    for name in registry.metric_names()
    if registry.metric_class(name).info.longest is not None
    and not registry.load(name).needs.parameters
    and registry.load(name).needs.references
)


def paragraph(seed: int, words: int = WORDS) -> str:
    """Return text with the frequencies of words that texts have, and sentences that end."""
    drawn = np.random.default_rng(seed)
    shares = 1 / np.arange(1, len(VOCABULARY) + 1)
    chosen = drawn.choice(VOCABULARY, size=words, p=shares / shares.sum()).tolist()
    rare = drawn.integers(0, 400, size=words)
    return " ".join(
        f"name{rare[place]}" if rare[place] < 20 else word for place, word in enumerate(chosen)
    )


def translated(text: str, seed: int) -> str:
    """Return the text with one word of ten replaced by another one of it."""
    words = text.split()
    drawn = np.random.default_rng(seed)
    for place in drawn.integers(0, len(words), size=len(words) // 10).tolist():
        words[place] = words[int(drawn.integers(0, len(words)))]
    return " ".join(words)


def spec_of(name: str) -> str:
    known = set(registry.metric_class(name).__dataclass_fields__)  # type: ignore[attr-defined]
    given = {key: value for key, value in DATA.items() if key in known and name != "meteor"}
    # What is trained on the texts is trained little.
    trained = TRAINING if known >= set(TRAINING) else {}
    return str(Spec(name, tuple({**given, **trained}.items())))


SPECS = tuple(
    spec_of(name)
    for name in registry.metric_names()
    if not registry.load(name).needs.parameters and registry.load(name).needs.references
)


@pytest.mark.parametrize("spec", SPECS)
def test_a_paragraph_of_3000_words(spec: str) -> None:
    reference = paragraph(1)
    hypothesis = translated(reference, 2)
    source = [translated(reference, 3)]
    table = tenbin.score([hypothesis], [reference], metrics=[spec], language="en", source=source)
    (result,) = table.results
    info = registry.load(spec).info
    assert np.isfinite(result.scores).all()
    assert info.minimum <= result.scores[0] <= info.maximum
    if isinstance(registry.load(spec), ExplainableMetric):
        (explained,) = tenbin.explain(
            [hypothesis], [reference], metric=spec, language="en", source=source
        )
        assert explained.score == pytest.approx(float(result.scores[0]), abs=1e-6)


@pytest.mark.parametrize("name", LIMITED)
def test_one_more_than_the_limit_is_refused(name: str) -> None:
    spec = spec_of(name)
    limit = registry.load(spec).info.longest
    assert limit is not None
    unit = "y" if limit.unit is SegmentUnit.CHARACTERS else "a "
    short, long = ["a", "a"], ["a", unit * (limit.most + 1)]
    for texts, place in (((long, short), "segment 2"), ((short, long), "reference, segment 2")):
        with pytest.raises(SegmentTooLong, match=place) as caught:
            tenbin.score(*texts, metrics=[spec], language="en", source=short)
        assert f"{limit.most + 1:,} {limit.unit}" in str(caught.value)
        assert f"at most {limit.most:,}" in str(caught.value)
    if isinstance(registry.load(spec), ExplainableMetric):
        with pytest.raises(SegmentTooLong, match="segment 2"):
            tenbin.explain(long, short, metric=spec, language="en", segments=[2], source=short)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("text", ["word " * 200_000, "x" * 1_000_000], ids=["words", "one word"])
def test_a_million_characters_are_scored_or_refused(spec: str, text: str) -> None:
    refusal, table = "", None
    try:
        texts = [text, "a b"]
        table = tenbin.score(texts, texts, metrics=[spec], language="en", source=texts)
    except (SegmentTooLong, LowCoverage) as refused:
        refusal = str(refused)
    if table is None:
        assert "segment 1" in refusal or "have a vector" in refusal
    else:
        assert np.isfinite(table.results[0].scores).all()


def test_words_that_repeat_too_often_for_the_aligner() -> None:
    with pytest.raises(SegmentTooLong, match="9,000,000 pairs of equal words"):
        tenbin.score(["the " * 3_000], ["the " * 3_000], metrics=["meteor"], language="en")


def test_tokens_are_counted_after_tokenization_too() -> None:
    limit = registry.load("ter").info.longest
    assert limit is not None
    text = "字" * (limit.most + 1)
    spec = "ter(normalized=True, asian_support=True)"
    with pytest.raises(SegmentTooLong, match=f"{limit.most + 1:,} tokens"):
        tenbin.score([text], [text], metrics=[spec], language="zh")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands_name_file_and_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit = registry.load("meteor").info.longest
    assert limit is not None
    (folder / "ref.txt").write_text("a b\na b\na b\n", encoding="utf-8")
    (folder / "sys.txt").write_text(f"a b\na b\n{'a ' * (limit.most + 1)}\n", encoding="utf-8")
    for command in (("score",), ("score", "--jobs", "2"), ("explain", "--segment", "3")):
        texts = ("-r", "ref.txt", "-t", "sys.txt", "-l", "en", "-m", "meteor")
        code, said = main([*command, *texts]), capsys.readouterr().err
        assert code == 3, said
        assert "Traceback" not in said
        assert "sys.txt, line 3: the segment has 6,001 tokens" in said


def test_tables_name_file_and_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"hypothesis": ["a", "a " * 7_000], "reference": ["a", "a"]}
    parquet.write_table(pyarrow.table(columns), folder / "pairs.parquet")
    arguments = ("--input", "pairs.parquet", "-o", "out.parquet", "-l", "en", "-m", "meteor")
    code, said = main(["score", *arguments]), capsys.readouterr().err
    assert code == 3, said
    assert "pairs.parquet, row 2: the segment has 7,000 tokens" in said


def test_the_catalog_says_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "meteor"]) == 0
    assert "Longest segment\n  6,000 tokens, 120,000 characters" in capsys.readouterr().out
    assert main(["metrics", "bleu", "-f", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert '"longest": null' in json.dumps(listed)


def test_a_limit_counts_cheaply() -> None:
    limit = LengthLimit(10)
    assert limit.least_length("a b c") == 0
    assert limit.least_length("a " * 11) == 11
    assert limit.characters == LengthLimit(200, SegmentUnit.CHARACTERS)
