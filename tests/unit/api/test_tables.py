"""A table in, the same table with scores out: the same numbers as for lines of text."""

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tenbin

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

ENGLISH = [
    "The cat sat quietly on the old mat.",
    "He did not want to leave the house.",
    "Rain fell on the town all night long.",
    "She wrote three letters to her brother.",
    "",
]
SYSTEMS = {
    "good": [text.replace("the", "a") for text in ENGLISH],
    "poor": [" ".join(reversed(text.split())) for text in ENGLISH],
}
METRICS = ["bleu", "chrf++", "ribes", "ter"]


def pairs(**changes: Any) -> Any:
    """Two systems, one after the other, with ids and something nested to carry over."""
    columns: dict[str, Any] = {
        "id": [7 * number for number in range(10)],
        "system": [name for name in SYSTEMS for _ in ENGLISH],
        "hypothesis": [text for texts in SYSTEMS.values() for text in texts],
        "reference": ENGLISH * 2,
        "more": [{"rank": number, "tags": ["a"] * number} for number in range(10)],
    }
    columns |= changes
    return pa.table({name: column for name, column in columns.items() if column is not None})


def write(table: Any, path: Path, **options: Any) -> Path:
    parquet.write_table(table, path, **options)
    return path


def scored(path: Path, **options: Any) -> tuple[Any, tenbin.ScoreTable]:
    output = path.parent / "scores.parquet"
    found = tenbin.score_table(path, output, **{"metrics": METRICS, "language": "en"} | options)
    return parquet.read_table(output), found


def test_scores_are_those_of_the_same_lines_of_text(tmp_path: Path) -> None:
    table, found = scored(write(pairs(), tmp_path / "pairs.parquet"))
    plain = tenbin.score(SYSTEMS, ENGLISH, metrics=METRICS, language="en", segments=True)
    for result, other in zip(found.score_set.results, plain.score_set.results, strict=True):
        assert (result.systems, result.signature) == (other.systems, other.signature)
        assert result.scores.tolist() == pytest.approx(other.scores.tolist(), rel=1e-14)
        if other.metric != "ribes":  # whole numbers, whose sums are exact in any order
            assert result.scores.tolist() == other.scores.tolist()
        assert other.segments is not None
        assert table.column(result.metric).to_pylist() == other.segments.ravel().tolist()
    assert found.score_set.segment_count == 5
    assert found.score_set.notes == (
        "good: 1 of 5 rows empty; scored as empty.",
        "poor: 1 of 5 rows empty; scored as empty.",
        found.score_set.notes[2],
    )
    assert found.score_set.notes[2].startswith("references: 2 empty; scored by each metric's")


def test_other_columns_and_the_order_of_rows_stay(tmp_path: Path) -> None:
    given = pairs()
    table, _ = scored(write(given, tmp_path / "pairs.parquet", row_group_size=3))
    assert table.select(given.column_names).equals(given)
    assert table.column_names == [*given.column_names, *METRICS]


def test_texts_can_be_left_out(tmp_path: Path) -> None:
    table, _ = scored(write(pairs(), tmp_path / "pairs.parquet"), keep_texts=False)
    assert table.column_names == ["id", "more", *METRICS]


def test_the_file_says_what_its_scores_mean(tmp_path: Path) -> None:
    given = pairs().replace_schema_metadata({"pandas": "{}", "mine": "kept"})
    table, found = scored(write(given, tmp_path / "pairs.parquet"))
    signatures = {one.metric: str(one.signature) for one in found.score_set.results}
    facts = json.loads(table.schema.metadata[b"tenbin"])
    assert facts == {"version": tenbin.__version__, "language": "en", "signatures": signatures}
    assert table.schema.field("ter").metadata == {b"signature": signatures["ter"].encode()}
    assert table.schema.metadata[b"mine"] == b"kept"
    assert b"pandas" not in table.schema.metadata


def test_lists_of_references(tmp_path: Path) -> None:
    references = [[text] if number % 2 else [text, text[:9]] for number, text in enumerate(ENGLISH)]
    given = pairs(reference=None, references=references * 2)
    for kind in (pa.list_(pa.string()), pa.large_list(pa.large_string())):
        place = given.column_names.index("references")
        column = given.column("references").cast(kind)
        path = write(given.set_column(place, "references", column), tmp_path / "pairs.parquet")
        table, found = scored(path)
        plain = tenbin.score(SYSTEMS, references, metrics=METRICS, language="en", segments=True)
        for result, other in zip(found.score_set.results, plain.score_set.results, strict=True):
            assert result.signature.get("nrefs") == "var"
            assert result.scores.tolist() == pytest.approx(other.scores.tolist(), rel=1e-14)
            assert other.segments is not None
            assert table.column(result.metric).to_pylist() == other.segments.ravel().tolist()


def test_a_folder_is_read_in_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, (start, size) in enumerate([(0, 4), (4, 0), (4, 6)]):
        write(pairs().slice(start, size), folder / f"part-{number}.parquet")
    (folder / "_SUCCESS").touch()
    (folder / "_tenbin.parquet").write_text("no table")
    table, _ = scored(folder)
    assert table.column("id").to_pylist() == pairs().column("id").to_pylist()


def test_columns_by_other_names_and_dictionaries(tmp_path: Path) -> None:
    names = {"hypothesis": "mt", "reference": "human", "system": "engine"}
    given = pairs()
    for old in names:
        place = given.column_names.index(old)
        given = given.set_column(place, old, given.column(old).dictionary_encode())
    path = write(
        given.rename_columns([names.get(name, name) for name in given.column_names]),
        tmp_path / "pairs.parquet",
    )
    options = {f"{what}_column": name for what, name in names.items()}
    _, found = scored(path, **options)
    _, plain = scored(write(pairs(), tmp_path / "pairs.parquet"))
    assert found.to_dict() == plain.to_dict()


def test_one_system_is_called_as_the_table_is(tmp_path: Path) -> None:
    _, found = scored(write(pairs(system=None), tmp_path / "pairs.parquet"))
    assert found.score_set.systems == ("pairs",)
    assert found.score_set.segment_count == 10


def test_systems_in_the_order_of_their_rows_and_of_different_size(tmp_path: Path) -> None:
    given = pairs(system=["z", "a", "z", "m", "z", "a", "a", "a", "a", "z"])
    _, found = scored(write(given, tmp_path / "pairs.parquet"))
    assert found.score_set.systems == ("z", "a", "m")
    assert found.score_set.segment_count == 10
    assert "from 1 (m) to 5 (a) rows" in found.score_set.notes[0]


@pytest.mark.slow
def test_processes_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Small batches, so that there are several for the processes to share.
    monkeypatch.setattr("tenbin.tables.run.BATCH_ROWS", 3)
    path = write(pairs(), tmp_path / "pairs.parquet")
    alone, one = scored(path)
    many, two = scored(path, jobs=2)
    assert many.equals(alone)
    assert one.to_dict() == two.to_dict()


def test_batches_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(pairs(), tmp_path / "pairs.parquet", row_group_size=4)
    whole, one = scored(path)
    monkeypatch.setattr("tenbin.tables.run.BATCH_ROWS", 1)
    cut, two = scored(path)
    assert cut.equals(whole)
    assert one.to_dict() == two.to_dict()


def with_bytes(value: bytes) -> Any:
    """A column of strings, one of which holds bytes that nobody checked."""
    raw = [text.encode() for text in SYSTEMS["good"]] + [b"x", b"y", value, b"z", b""]
    return pa.array(raw, pa.binary()).view(pa.string())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hypothesis": None}, "no column 'hypothesis'. Name one .hypothesis_column.; it has"),
        ({"reference": None}, "no column 'reference'"),
        (
            {"hypothesis": list(range(10))},
            "'hypothesis' holds values other than texts, expected texts",
        ),
        ({"references": [["a"]] * 10}, "reference_column"),
        ({"hypothesis": ["a"] * 6 + [None] * 4}, "row 7: the column 'hypothesis' has no value"),
        ({"reference": ["a"] * 9 + [None]}, "row 10: the column 'reference' has no value"),
        ({"system": ["a"] * 3 + [None] + ["a"] * 6}, "row 4: the column 'system' has no value"),
        ({"reference": [["a"], []] * 5}, "row 2: the list in the column 'reference' is empty"),
        ({"reference": [["a", "b"], ["a", None]] * 5}, "row 2: a text in the column 'reference'"),
        ({"reference": [["a", "b"], ["a", "\0"]] * 5}, "row 2: the text in the column 'reference'"),
        ({"hypothesis": ["a"] * 5 + ["b\0"] * 5}, "row 6: .* has a NUL character"),
        ({"hypothesis": with_bytes(b"caf\xe9")}, "row 8: .* is not valid UTF-8"),
        ({"chrf++": [1.0] * 10}, "has a column 'chrf\\+\\+' already"),
    ],
)
def test_tables_that_cannot_be_scored(tmp_path: Path, changes: Any, words: str) -> None:
    path = write(pairs(**changes), tmp_path / "pairs.parquet", row_group_size=4)
    with pytest.raises(tenbin.TenbinError, match=words) as raised:
        scored(path)
    assert raised.value.exit_code in {2, 3}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["pairs.parquet"]


def test_all_missing_columns_are_named_with_near_ones(tmp_path: Path) -> None:
    given = pairs().rename_columns(["id", "system", "hypotheses", "refs", "more"])
    path = write(given, tmp_path / "pairs.parquet")
    with pytest.raises(tenbin.InputError) as raised:
        scored(path)
    assert "Did you mean 'hypotheses'?" in str(raised.value)
    assert len(str(raised.value).splitlines()) == 2


@pytest.mark.parametrize("metric", ["nist", "yisi0"])
def test_weights_of_the_whole_set_are_refused(tmp_path: Path, metric: str) -> None:
    path = write(pairs(), tmp_path / "pairs.parquet")
    with pytest.raises(tenbin.UsageError, match=rf"^{metric}: .*on text files"):
        scored(path, metrics=["chrf", metric])


def test_no_rows(tmp_path: Path) -> None:
    with pytest.raises(tenbin.InputError, match="the table has no rows"):
        scored(write(pairs().slice(0, 0), tmp_path / "pairs.parquet"))


def test_files_that_are_no_parquet(tmp_path: Path) -> None:
    path = write(pairs(), tmp_path / "pairs.parquet", compression="none")
    content = path.read_bytes()
    bad = {"text": b"a\tb\n", "empty": b"", "cut": content[:-50]}
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(
            tenbin.InputError, match=rf"{name}: this is not a Parquet file, or it is"
        ):
            scored(tmp_path / name)
    for name, words in (("none", "no such file"), ("", "has no file that ends in .parquet")):
        (tmp_path / "bare").mkdir(exist_ok=True)
        with pytest.raises(tenbin.InputError, match=words):
            scored(tmp_path / "bare" / name)


def test_a_page_that_is_damaged_is_found_before_anything_is_written(tmp_path: Path) -> None:
    path = write(pairs(), tmp_path / "pairs.parquet", compression="zstd", use_dictionary=False)
    content = bytearray(path.read_bytes())
    content[4:400] = b"\xff" * 396
    path.write_bytes(content)
    with pytest.raises(tenbin.InputError, match="damaged or truncated"):
        scored(path)
    assert not (tmp_path / "scores.parquet").exists()


def test_files_of_a_folder_must_agree(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    write(pairs(), folder / "a.parquet")
    write(pairs(more=None), folder / "b.parquet")
    with pytest.raises(tenbin.InputError, match=r"a\.parquet and .*b\.parquet have different"):
        scored(folder)


@pytest.mark.parametrize("output", ["scores.csv", "folder/scores.parquet"])
def test_outputs_that_cannot_be(tmp_path: Path, output: str) -> None:
    path = write(pairs(), tmp_path / "pairs.parquet")
    with pytest.raises(tenbin.TenbinError, match=r"end the name in \.parquet|there is no folder"):
        tenbin.score_table(path, tmp_path / output, language="en")


def test_an_old_result_is_replaced_whole_or_stays(tmp_path: Path) -> None:
    path = write(pairs(), tmp_path / "pairs.parquet")
    first, _ = scored(path, metrics=["chrf"])
    with pytest.raises(tenbin.InputError):
        scored(write(pairs(hypothesis=["a"] * 9 + [None]), path))
    assert parquet.read_table(tmp_path / "scores.parquet").equals(first)
    second, _ = scored(write(pairs(), path), metrics=["ter"])
    assert second.column_names[-1] == "ter"


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    path = write(pairs(), tmp_path / "pairs.parquet")
    code = (
        "import resource, tenbin\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (600, {resource.RLIM_INFINITY}))\n"
        "try:\n    tenbin.score_table('pairs.parquet', 'scores.parquet', language='en')\n"
        "except tenbin.OutputError as error:\n    print(error)\n"
    )
    # A limit on the size of a file is what a test can have instead of a full disk.
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
    )
    assert "scores.parquet: could not be written" in done.stdout
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_engines_and_their_options() -> None:
    with pytest.raises(tenbin.UsageError, match="`engine` 'dask': choose one of local, spark"):
        tenbin.score_table("a.parquet", "b.parquet", language="en", engine="dask")
    with pytest.raises(tenbin.UsageError, match="for Spark"):
        tenbin.score_table("a.parquet", "b.parquet", language="en", master="local[2]")
