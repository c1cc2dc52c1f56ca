"""Builds of paraphrase tables that are killed, run out of disk, or could give other numbers."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.paraphrases import alignment as word_alignment
from tenbin.building.paraphrases import extraction as phrase_extraction
from tenbin.building.paraphrases.bitext import BitextFile
from tenbin.building.paraphrases.extraction import word_hashes
from tenbin.building.paraphrases.pivot import Engine
from tenbin.building.paraphrases.table import BuiltTable, ParaphraseRecipe, build_paraphrase_table
from tenbin.core.arrays import IntArray

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")


@pytest.fixture
def bitext(tmp_path: Path) -> BitextFile:
    text, links = tmp_path / "text.tsv", tmp_path / "links"
    text.write_text("It is under control\tunter Kontrolle\nIt is in check\tunter Kontrolle\n")
    links.write_text("2-0 3-1\n2-0 3-1\n")
    return BitextFile(str(text), "de", links=str(links))


def built(bitext: BitextFile) -> BuiltTable:
    output = Path(bitext.path).with_name("out.paraphrases")
    engine = Engine(threads=1, memory="200MB")
    return build_paraphrase_table(
        [bitext], str(output), ParaphraseRecipe(language="en"), engine=engine, force=True
    )


KILLED = """
import os, signal, sys
from contextlib import contextmanager
from tenbin.building.paraphrases.bitext import BitextFile
from tenbin.building.paraphrases.table import ParaphraseRecipe, build_paraphrase_table

@contextmanager
def phase(label, total):
    if label == "pivoting":
        os.kill(os.getpid(), signal.SIGKILL)
    yield None

text, links, output = sys.argv[1:]
build_paraphrase_table(
    [BitextFile(text, "de", links=links)], output, ParaphraseRecipe(language="en"), phase=phase
)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing is killed so there")
def test_a_killed_build_goes_on(bitext: BitextFile, tmp_path: Path) -> None:
    output = tmp_path / "out.paraphrases"
    built(bitext)
    expected = output.read_bytes()
    output.unlink()
    words = [sys.executable, "-c", KILLED, bitext.path, bitext.links, str(output)]
    assert subprocess.run(words, check=False).returncode == -signal.SIGKILL
    work = tmp_path / "out.paraphrases.work"
    assert len(list(work.glob(".making-*"))) == 1
    assert built(bitext).reused == ("text-de", "links-de", "phrases-de")
    assert output.read_bytes() == expected
    assert not work.exists()


@pytest.mark.skipif(os.name != "posix", reason="there are no limits of files")
def test_a_disk_that_is_too_small(bitext: BitextFile, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    drawn = [f"w{number}" for number in rng.integers(3000, size=40_000)]
    lines = [" ".join(drawn[n : n + 20]) for n in range(0, 40_000, 20)]
    Path(bitext.path).write_text("".join(f"{line}\t{line}\n" for line in lines))
    Path(bitext.links).write_text((" ".join(f"{n}-{n}" for n in range(20)) + "\n") * len(lines))
    options = "build paraphrases text.tsv -l en --pivot de --links links -o out.paraphrases"
    limited = f"ulimit -f 1000; exec {sys.executable} -m tenbin {options}"
    words = ["/bin/sh", "-c", limited]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "out.paraphrases.work: could not be written (" in done.stderr
    assert "work folder" in done.stderr
    assert not (tmp_path / "out.paraphrases").exists()
    assert not list((tmp_path / "out.paraphrases.work").glob(".making-*"))


def test_numbers_that_two_phrases_share(
    bitext: BitextFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(bitext)
    expected = (tmp_path / "out.paraphrases").read_bytes()
    seeds = []

    def few(words: Sequence[str], seed: int) -> IntArray:
        seeds.append(seed)
        numbers = word_hashes(words, seed)
        return numbers if seed == 2 else numbers % 2

    for module in (phrase_extraction, phrase_extraction):
        monkeypatch.setattr(module, "word_hashes", few)
    built(bitext)
    assert (tmp_path / "out.paraphrases").read_bytes() == expected
    assert sorted(set(seeds)) == [0, 1, 2]


@pytest.mark.parametrize("before", [None, "8"])
def test_the_aligner_is_loaded_for_one_thread(
    monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    # With more, OpenMP adds up in any order, and no table could be made again.
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if before is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", before)
    seen: list[str | None] = []
    monkeypatch.setattr(
        word_alignment, "import_module", lambda _: seen.append(os.environ.get("OMP_NUM_THREADS"))
    )
    word_alignment._thot()
    assert seen == ["1"]
    assert os.environ.get("OMP_NUM_THREADS") == before
