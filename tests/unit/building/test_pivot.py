"""The pivot: the SQL against the definition, DuckDB against Spark."""

import os
import shutil
import signal
import threading
from collections import Counter
from contextlib import suppress
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.paraphrases.pivot import Engine, EngineName, Pivoting, _duckdb, pivot
from tenbin.building.paraphrases.sets import sets_from_pivot, wanted_phrases
from tenbin.core.errors import OutputError, UsageError
from tenbin.resources.paraphrases import PhraseSets

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

Row = tuple[str, str, str, int]
Pivot = tuple[str, str]


def random_rows(seed: int, size: int = 400) -> list[Row]:
    rng = np.random.default_rng(seed)
    draws = rng.integers([2, 12, 12, 4], size=(size, 4)).tolist()
    return [
        ("de" if a else "fr", f"f {b}", f"e {c}" if c % 2 else f"e{c}", 1 + n)
        for a, b, c, n in draws
    ]


def pivoted(
    rows: list[Row],
    folder: Path,
    pivoting: Pivoting,
    engine: Engine | None = None,
    *,
    merge: bool = False,
) -> PhraseSets:
    (folder / "spill").mkdir(parents=True)
    source = folder / "rows.parquet"
    # Numbers in no order: the table must be in that of the words all the same.
    phrases = sorted({phrase for row in rows for phrase in row[1:3]}, key=lambda text: text[::-1])
    numbers = {phrase: 7 - 3 * place for place, phrase in enumerate(phrases)}
    named = {number: phrase for phrase, number in numbers.items()}
    numbered = [(language, numbers[f], numbers[e], n) for language, f, e, n in rows]
    columns = list(zip(*numbered, strict=True))
    parquet.write_table(pa.table(columns, names=["lang", "f", "e", "n"]), source)
    found = pivot([source], folder, pivoting, engine or Engine(threads=1), spill=folder / "spill")
    spelled = {
        language: [named[number] for number in wanted.tolist()]
        for language, wanted in wanted_phrases(found).items()
    }
    return sets_from_pivot(found, spelled, merge=merge)


def by_definition(
    rows: list[Row], pivoting: Pivoting
) -> tuple[set[frozenset[str]], dict[tuple[str, str], float]]:
    counts: Counter[tuple[Pivot, str]] = Counter()
    for language, foreign, e, n in rows:
        counts[(language, foreign), e] += n
    counts = Counter({key: n for key, n in counts.items() if n >= pivoting.least_count})
    of_f: Counter[Pivot] = Counter()
    of_e: Counter[str] = Counter()
    for (f, e), n in counts.items():
        of_f[f] += n
        of_e[e] += n
    groups: dict[Pivot, list[str]] = {}
    for (f, e), n in counts.items():
        if n / of_f[f] >= pivoting.least_share - 1e-12:
            groups.setdefault(f, []).append(e)
    sums: dict[tuple[str, str], float] = {}
    for f, group in groups.items():
        for one, other in permutations(group, 2):
            share = counts[f, other] / of_f[f]
            if share >= pivoting.least_pair - 1e-12:
                term = share * counts[f, one] / of_e[one]
                sums[one, other] = sums.get((one, other), 0.0) + term
    pairs = {key: share for key, share in sums.items() if share >= pivoting.least_pair - 1e-9}
    return {frozenset(group) for group in groups.values() if len(group) > 1}, pairs


def spelled(table: PhraseSets) -> list[str]:
    bounds = table.phrase_offsets.tolist()
    words = [table.words[number] for number in table.phrase_words.tolist()]
    return [" ".join(words[a:b]) for a, b in pairwise(bounds)]


@pytest.mark.parametrize(
    "pivoting",
    [
        Pivoting(),
        Pivoting(least_count=3),
        Pivoting(least_share=0.1, least_pair=0.03),
        Pivoting(least_share=1 / 3, least_pair=1e-9),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_by_definition(tmp_path: Path, pivoting: Pivoting, seed: int) -> None:
    rows = random_rows(seed)
    table = pivoted(rows, tmp_path / "work", pivoting)
    sets, pairs = by_definition(rows, pivoting)
    phrases = spelled(table)
    assert phrases == sorted(phrases, key=str.split)
    bounds = table.set_offsets.tolist()
    found = [
        frozenset(phrases[n] for n in table.set_phrases[a:b].tolist()) for a, b in pairwise(bounds)
    ]
    assert len(found) == len(set(found))  # equal sets of several pivot phrases are one
    assert set(found) == sets
    owners = np.repeat(np.arange(len(phrases)), np.diff(table.pair_offsets)).tolist()
    shares = table.pair_probabilities.tolist()
    others = table.pair_phrases.tolist()
    listed = {
        (phrases[a], phrases[b]): share for a, b, share in zip(owners, others, shares, strict=True)
    }
    assert listed.keys() == pairs.keys()
    assert listed == pytest.approx(pairs, abs=1e-6)


def test_a_worked_example(tmp_path: Path) -> None:
    rows = [
        ("de", "unter kontrolle", "under control", 3),
        ("de", "unter kontrolle", "in check", 1),
        ("fr", "sous controle", "under control", 1),
        ("fr", "en echec", "in check", 4),
    ]
    table = pivoted(rows, tmp_path / "work", Pivoting())
    assert spelled(table) == ["in check", "under control"]
    # p(under control | in check) = 3/4 of the German phrase, which has 1/5 of the translations.
    assert table.pair_probabilities.tolist() == pytest.approx([3 / 4 * 1 / 5, 1 / 4 * 3 / 4])


def test_a_share_on_the_threshold_stays(tmp_path: Path) -> None:
    # 1/3 is no double: what the engine computes must not depend on its last bit.
    rows = [("de", "f", name, 1) for name in "abc"]
    table = pivoted(rows, tmp_path / "work", Pivoting(least_share=1 / 3, least_pair=1 / 3))
    assert (table.set_phrases.size, table.pair_phrases.size) == (3, 6)


def test_merged_sets_share_no_phrase(tmp_path: Path) -> None:
    rows = [("de", "f", "a", 1), ("de", "f", "c", 1), ("de", "g", "c", 1), ("de", "g", "d", 1)]
    rows += [("de", "h", "b", 1), ("de", "h", "e", 1)]
    merged = pivoted(rows, tmp_path / "work", Pivoting(), merge=True)
    assert merged.set_offsets.tolist() == [0, 3, 5]
    assert merged.set_phrases.tolist() == [0, 2, 3, 1, 4]


@pytest.mark.parametrize("wrong", [{"least_count": 0}, {"least_share": 1.5}, {"least_pair": 0.0}])
def test_impossible_filters(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="least_"):
        Pivoting(**wrong)  # type: ignore[arg-type]


def test_memory_that_is_no_size(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="memory=lots"):
        pivoted(random_rows(1, 5), tmp_path / "work", Pivoting(), Engine(memory="lots"))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # pyspark has warnings of its own
@pytest.mark.parametrize("pivoting", [Pivoting(least_share=0.1, least_pair=0.05)])
def test_spark_gives_the_same_table(
    tmp_path: Path, pivoting: Pivoting, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspark", reason="the extra 'spark' is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    # A short life is not worth much compiling.
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    rows = random_rows(3, 2_000)
    local = pivoted(rows, tmp_path / "duckdb", pivoting)
    engine = Engine(name=EngineName.SPARK, memory="1GB", master="local[2]")
    spark = pivoted(rows, tmp_path / "spark", pivoting, engine)
    assert local.set_phrases.size > 0
    for name in PhraseSets.__slots__:
        assert np.array_equal(getattr(local, name), getattr(spark, name)), name


def test_a_pivot_that_runs_out_of_memory_or_disk(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"DuckDB could not finish .*more memory.*work folder"):
        pivoted(random_rows(1), tmp_path / "work", Pivoting(), Engine(threads=1, memory="100KB"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
def test_an_interrupt_arrives_as_one(tmp_path: Path) -> None:
    # DuckDB turns the signal into an error of its own while a query runs. This one runs when it has
    # opened the pipe, and has no other end, as the rows have none.
    pipe = tmp_path / "rows.csv"
    os.mkfifo(pipe)

    def feed() -> None:
        with suppress(BrokenPipeError), pipe.open("wb", buffering=0) as stream:
            signal.raise_signal(signal.SIGINT)
            while True:
                stream.write(b"1\n" * 30_000)

    feeding = threading.Thread(target=feed, daemon=True)
    feeding.start()
    rows = f"read_csv('{pipe}', columns={{n: 'BIGINT'}}, header=false, auto_detect=false)"
    with (
        pytest.raises(KeyboardInterrupt) as stopped,
        _duckdb(Engine(threads=1), tmp_path) as session,
    ):
        session.write(f"FROM {rows} SELECT SUM(n)", tmp_path / "sums")
    assert isinstance(stopped.value.__cause__, RuntimeError)
    feeding.join()
