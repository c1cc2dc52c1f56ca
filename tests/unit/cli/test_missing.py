"""A machine that has nothing installed: everything that is missing is told at once."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
ABSENT = ("torch", "transformers", "tokenizers", "safetensors", "sudachipy", "MeCab", "ipadic")
BLOCKER = f"""\
import importlib.abc, sys
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {set(ABSENT)!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
from tenbin.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
TEXTS = ("-r", "ref.txt", "-t", "good.txt", "-l", "ja")
WANTED = ("-m", "yisi1", "bleu", "chrf", "sentence", "combination-ja")
EXPECTED = """\
tenbin: error: 4 of 5 metrics cannot run:
tenbin: error:   yisi1: the resource 'vectors-ja' is not installed.
tenbin: error:   yisi1, combination-ja (character), combination-ja (ribes): the Japanese tokenizer \
sudachi-c needs the extra 'ja', which is not installed. Or choose tokenizer="char".
tenbin: error:   bleu: the Japanese tokenizer ja-mecab needs the extra 'ja', which is not \
installed. Or choose tokenizer="char".
tenbin: error:   sentence, combination-ja (sentence(model="use-multilingual")): the resource \
'use-multilingual' is not installed.
tenbin: error: To install all that can be installed: pip install 'tenbin[ja]' && tenbin resources \
install vectors-ja use-multilingual
"""


@pytest.fixture
def bare(tmp_path: Path, texts: Path) -> Run:
    """Run a command where neither extras nor resources are installed."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", BLOCKER, *map(str, words)],
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=texts,
            env={**os.environ, "TENBIN_RESOURCES": str(tmp_path / "none")},
        )

    return run


@pytest.mark.parametrize("command", ["score", "compare"])
def test_scoring(bare: Run, command: str) -> None:
    done = bare(command, *TEXTS, "-t", "poor.txt", *WANTED)
    # The texts are not Japanese, which is not looked at before everything is there.
    assert done.returncode == 4
    assert done.stderr == EXPECTED
    assert done.stdout == ""


def test_nothing_is_read_before(bare: Run) -> None:
    done = bare("score", "-r", "none.txt", "-t", "none.txt", "-l", "ja", *WANTED)
    assert done.stderr == EXPECTED


def test_texts_are_told_with_the_rest(bare: Run) -> None:
    done = bare("score", "-t", "good.txt", "-l", "en", "-m", "bertscore", "tenbin-fast", "bleu")
    assert done.returncode == 2
    assert done.stderr.startswith("tenbin: error: not all of 3 metrics can run:\n")
    assert "bertscore, tenbin-fast: the resource 'minilm-en' is not installed." in done.stderr
    assert "bertscore, tenbin-fast: the model 'minilm-en' needs the extra 'neural'" in done.stderr
    assert "read references, and there are none. Give some (-r)" in done.stderr
    assert done.stderr.splitlines()[-1].endswith(
        ": pip install 'tenbin[neural]' && tenbin resources install minilm-en"
    )


def test_a_table_is_not_read_before(bare: Run, texts: Path) -> None:
    (texts / "t.csv").write_text("ref,mt\nbroken\n")
    done = bare("score", "--input", "t.csv", "-l", "ja", *WANTED)
    assert done.stderr == EXPECTED


def test_a_baseline_and_candidates(bare: Run) -> None:
    done = bare("check", *TEXTS, *WANTED, "--write-baseline", "old.json")
    assert done.stderr == EXPECTED
    words = ("-t", "good.txt", "poor.txt", "-l", "ja", "--weights", "1", "1")
    done = bare("rerank", *words, "-m", "sentence-source", "yisi2")
    assert done.returncode == 2
    assert "sentence-source: the resource 'use-multilingual' is not installed." in done.stderr
    assert "yisi2 has no vectors of the source language" in done.stderr


def test_meta_and_tuning(bare: Run, make_judged_set: Callable[..., Path]) -> None:
    folder = make_judged_set(pair="en-ja")
    done = bare("meta", "--set", folder, "--pair", "en-ja", *WANTED)
    assert done.stderr == EXPECTED
    words = ("--parameter", "lowercase=true,false", "--measure", "segment-pearson")
    done = bare("tune", "--set", folder, "--pair", "en-ja", *WANTED, *words)
    assert done.stderr == EXPECTED
