"""METEOR agrees with the program METEOR 1.5 itself on real segments of four languages.

The program is run where TENBIN_METEOR_JAR names its jar (for instance that of pycocoevalcap 1.2),
whose paraphrase table must be beside it in `data`; it needs Java. Texts: the bundled example and
the sentences of `tests/oracles/data/sentences`; 2,000 segments of WMT sets where the shared folder
is here.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import MissingResource
from tenbin.resources.store.store import default_store

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

VARIABLE = "TENBIN_METEOR_JAR"
SEGMENTS = 2_000
SYSTEMS = ("careful", "literal", "gloss")
FULL_TABLE = "meteor-paraphrases-en"
# Test set, pair, specification, options of the program. It has no table but the English one.
FULL = f'meteor(paraphrases="{FULL_TABLE}")'
EXACT_STEM = 'meteor(stages=("exact", "stem"))'
FREE_CASES = [
    ("en", FULL, ()),
    ("en", EXACT_STEM, ("-m", "exact stem")),
    ("de", EXACT_STEM, ("-m", "exact stem")),
    ("es", EXACT_STEM, ("-m", "exact stem")),
    ("ru", EXACT_STEM, ("-m", "exact stem")),
]
CASES = [
    ("wmt14", "fr-en", FULL, ()),
    ("wmt14", "fr-en", EXACT_STEM, ("-m", "exact stem")),
    ("wmt24", "en-es", EXACT_STEM, ("-m", "exact stem")),
    ("wmt24", "en-ru", EXACT_STEM, ("-m", "exact stem")),
]


@pytest.fixture(scope="module")
def jar() -> Path:
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"{VARIABLE} does not name the jar of METEOR 1.5")
    if shutil.which("java") is None:
        pytest.skip("there is no java to run METEOR 1.5 with")
    return Path(named)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def real_pairs(folder: Path, pair: str) -> tuple[list[str], list[str]]:
    """Return hypotheses, system after system, and their references."""
    reference = lines(folder / "references" / f"{pair}.refA.txt")
    systems = sorted((folder / "system-outputs" / pair).glob("*.txt"))
    joined = (
        both
        for path in systems
        if path.stem != "refA"
        for both in zip(lines(path), reference, strict=True)
    )
    found = list(islice(joined, SEGMENTS))
    assert len(found) == SEGMENTS
    return [own for own, _ in found], [other for _, other in found]


def scores_of_jar(
    jar: Path, folder: Path, texts: tuple[list[str], list[str]], options: list[str]
) -> tuple[list[float], float]:
    """Return segment scores and the system score."""
    files = [folder / "hypotheses.txt", folder / "references.txt"]
    for path, column in zip(files, texts, strict=True):
        path.write_text("\n".join(column) + "\n", encoding="utf-8")
    command = ["java", "-Dfile.encoding=UTF-8", "-Xmx2G", "-jar", str(jar), *map(str, files)]
    done = subprocess.run(
        [*command, *options, "-norm", "-vOut"],
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    segments = re.findall(r"^Segment \d+ score:\s+(?:\S+\s+)*?(\S+)$", done.stdout, re.M)
    (final,) = re.findall(r"^Final score:\s+(\S+)$", done.stdout, re.M)
    return list(map(float, segments)), float(final)


def free_pairs(
    oracle_data: Path, example: Callable[[str, str], list[str]], language: str
) -> tuple[list[str], list[str]]:
    """Return all systems of the example against both references, or the sentences written."""
    if language == "en":
        names = [(own, other) for own in SYSTEMS for other in ("refA", "refB")]
        return (
            [text for own, _ in names for text in example("ja-en", own)],
            [text for _, other in names for text in example("ja-en", other)],
        )
    rows = [line.split("\t") for line in lines(oracle_data / "sentences" / "sentences.tsv")]
    pairs = [row[2:4] for row in rows if row[0] == language]
    return [own for own, _ in pairs], [other for _, other in pairs]


@pytest.mark.parametrize(("language", "spec", "options"), FREE_CASES)
def test_free_segments(
    jar: Path,
    oracle_data: Path,
    example: Callable[[str, str], list[str]],
    tmp_path: Path,
    language: str,
    spec: str,
    options: tuple[str, ...],
) -> None:
    texts = free_pairs(oracle_data, example, language)
    assert_agreement(jar, tmp_path, texts, language, spec, options)


@pytest.mark.parametrize(("test_set", "pair", "spec", "options"), CASES)
def test_segments_of_wmt_sets(
    jar: Path,
    shared: Path,
    tmp_path: Path,
    test_set: str,
    pair: str,
    spec: str,
    options: tuple[str, ...],
) -> None:
    texts = real_pairs(shared / "data" / test_set, pair)
    assert_agreement(jar, tmp_path, texts, pair.partition("-")[2], spec, options)


def assert_agreement(
    jar: Path,
    folder: Path,
    texts: tuple[list[str], list[str]],
    language: str,
    spec: str,
    options: tuple[str, ...],
) -> None:
    if spec == FULL:
        try:
            default_store().path(FULL_TABLE)
        except MissingResource:
            pytest.skip(f"{FULL_TABLE} is not installed: tenbin resources install {FULL_TABLE}")
    segments, final = scores_of_jar(jar, folder, texts, ["-l", language, *options])
    found = tenbin.load_metric(spec, language=language).score(*texts)
    np.testing.assert_allclose(found.segments, segments, rtol=0, atol=1e-9)
    assert found.score == pytest.approx(final, abs=1e-9)
