"""Damaged files: the same number as before or an error with advice, and nothing else.

Every kind of file that Tenbin keeps is damaged in many ways, in place, with its time set back. What
can be made again (a cache, a converted form) must give the same number; the rest may be refused.
"""

import os
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tenbin.annotation.encoders.cache import EncodingCache
from tenbin.annotation.encoders.encoded import Encoding
from tenbin.building.paraphrases.sets import sets_from_groups
from tenbin.building.work_folder import WorkFolder
from tenbin.core.errors import TenbinError
from tenbin.core.text import TestSet
from tenbin.evaluation.run import Options
from tenbin.evaluation.score_cache import ScoreCache, evaluate_cached
from tenbin.formats.idf_file import read_idf_file, write_idf_file
from tenbin.formats.lexicons.table import lexicon_table, write_lexicon_table
from tenbin.kernels.phrases.index import phrase_spans
from tenbin.resources.lexicons.files import load_lexicon
from tenbin.resources.paraphrases import (
    load_paraphrase_sets,
    load_paraphrases,
    write_paraphrase_sets,
)
from tenbin.resources.store import fingerprints
from tenbin.resources.store.manifest import bundled_manifest, parse_manifest
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.precision import Precision
from tenbin.resources.vectors.table import write_vector_table
from tenbin.resources.vectors.word_vectors import load_vectors

WORDS = [f"w{number}" for number in range(40)]
# Cases of each kind of damage and store; the damage of a case depends on its number alone.
CASES = 12


@dataclass(frozen=True)
class Kept:
    """A kind of file, in a folder of its own.

    Attributes:
        make: Fills the folder.
        read: Returns what was read from it, as a value to compare.
        files: The files to damage, as a pattern.
        renewable: Whether it can be made again, so that there is no reason for an error.
    """

    make: Callable[[Path], object]
    read: Callable[[Path], object]
    files: str
    renewable: bool = False


def store(folder: Path) -> ResourceStore:
    return ResourceStore(folder / "cache", offline=True)


def numbers(seed: int = 3) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    return np.random.default_rng(seed).standard_normal((len(WORDS), 5), dtype=np.float32)


def looked_up(folder: Path, name: str) -> object:
    vectors = load_vectors(name, "en", store(folder))
    found = vectors.look_up([*WORDS, "none"])
    return found.rows.tolist(), found.units.tolist(), vectors.check()


def make_table(precision: Precision) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        write_vector_table(folder / "table", WORDS, numbers(), precision=precision)

    return make


def read_table(folder: Path) -> object:
    return looked_up(folder, str(folder / "table"))


def make_converted(folder: Path) -> None:
    rows = (" ".join([word, *map(str, row)]) for word, row in zip(WORDS, numbers(), strict=True))
    (folder / "words.vec").write_text("\n".join([f"{len(WORDS)} 5", *rows]) + "\n")
    read_converted(folder)


def read_converted(folder: Path) -> object:
    return looked_up(folder, str(folder / "words.vec"))


def make_sets(folder: Path) -> None:
    groups = [["big", "very large", "huge"], ["small", "little"], ["huge", "enormous thing"]]
    pairs = [("big", "huge", 0.5), ("small", "little", 0.25), ("huge", "big", 0.125)]
    table = sets_from_groups(groups, pairs)
    facts = {"language": "en", "tokenizer": "13a"}
    write_paraphrase_sets(str(folder / "sets"), table, facts)


def spans(index: object, ids: "np.ndarray[tuple[int], np.dtype[np.int32]]") -> object:
    found = phrase_spans(ids, np.array([0, ids.size]), index)  # type: ignore[arg-type]
    return found.starts.tolist(), found.lengths.tolist(), found.phrases.tolist()


TOKENS = ("a", "very", "large", "big", "huge", "enormous", "thing", "little", "front", "of", "in")


def read_sets(folder: Path) -> object:
    table = load_paraphrase_sets(str(folder / "sets"), "en", store(folder))
    phrases = [table.phrase(number) for number in range(table.phrase_count)]
    kept = [[part.tolist() for part in parts] for parts in (table.sets, table.pairs)]
    ids = table.numbers(TOKENS)
    return dict(table.facts), phrases, kept, spans(table.index, ids), ids.tolist()


def make_index(folder: Path) -> None:
    (folder / "pairs.txt").write_text("0.5\nin front of\nbefore\n0.1\nbig\nvery large\n")
    read_index(folder)


def read_index(folder: Path) -> object:
    table = load_paraphrases(str(folder / "pairs.txt"), "en", store(folder))
    ids = table.numbers(TOKENS)
    return table.words, spans(table.index, ids), table.index.paraphrases.tolist()


SYNONYMS = {"big": [0], "huge": [0, 2], "large": [0], "little": [1], "small": [1, 2]}


def make_lexicon(folder: Path) -> None:
    write_lexicon_table(folder / "lexicon.npz", lexicon_table(SYNONYMS, "some notes"))


def read_lexicon(name: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        lexicon = load_lexicon(str(folder / name), "en", store(folder))
        return [lexicon.concepts(word) for word in (*SYNONYMS, "none")]

    return read


def make_converted_lexicon(folder: Path) -> None:
    (folder / "lexicon.tsv").write_text("big\tlarge\nbig\thuge\nsmall\tlittle\n")
    read_lexicon("lexicon.tsv")(folder)


def make_idf(folder: Path) -> None:
    facts = {"tokenizer": "13a", "language": "en", "lowercase": True}
    write_idf_file(str(folder / "words.idf"), 229, [("the", 229), ("猫", 3), ("a\tb", 1)], facts)


def read_idf(folder: Path) -> object:
    read = read_idf_file(folder / "words.idf")
    return read.documents, dict(read.counts), dict(read.facts)


TEXTS = TestSet(
    hypotheses={"one": ("the cat sat there", "a dog"), "two": ("a cat sits here", "the dogs")},
    references=(("the cat sat here",), ("a dog barked",)),
)


def read_scores(folder: Path) -> object:
    cache = ScoreCache(folder / "scores")
    table = evaluate_cached(TEXTS, ["chrf", "ter"], "en", Options(segments=True), cache)
    return [(one.scores.tolist(), np.asarray(one.segments).tolist()) for one in table.results]


def encoding(seed: int) -> Encoding:
    rng = np.random.default_rng(seed)
    flags = np.array([1, 0, 2, 1], dtype=np.uint8)
    return Encoding(rng.random((4, 8), dtype=np.float32), np.arange(4, dtype=np.int32), flags)


SENTENCES = ("one", "two", "three")
SUBWORDS = {number: f"##subword{number}" for number in range(4)}


def read_encodings(folder: Path) -> object:
    """Encode what is not cached, as an encoder does."""
    cache = EncodingCache(folder / "encodings", "model", 1e9)
    found, words = cache.find(SENTENCES)
    missing = [place for place in range(len(SENTENCES)) if place not in found]
    made = [encoding(place) for place in missing]
    cache.store([SENTENCES[place] for place in missing], made, SUBWORDS)
    found |= dict(zip(missing, made, strict=True))
    words |= SUBWORDS if missing else {}
    parts = [(one.vectors, one.subwords, one.flags) for _, one in sorted(found.items())]
    return [[part.tolist() for part in one] for one in parts], words


def read_stage(folder: Path) -> object:
    def make(place: Path) -> None:
        (place / "text").write_text("some words " * 20)

    stage = WorkFolder(folder / "work").stage("text", {"a": 1}, make)
    return (stage / "text").read_bytes()


def read_known(folder: Path) -> object:
    """Hash a file, with a record of its hash."""
    return store(folder).fingerprints.fingerprint(folder / "mine")


def make_known(folder: Path) -> None:
    (folder / "mine").write_text("some words")
    read_known(folder)


KEPT = {
    "vector table, 32 bits": Kept(make_table(Precision.FLOAT32), read_table, "table"),
    "vector table, 16 bits": Kept(make_table(Precision.FLOAT16), read_table, "table"),
    "vector table, 8 bits": Kept(make_table(Precision.INT8), read_table, "table"),
    "converted vectors": Kept(make_converted, read_converted, "cache/prepared/*/*", renewable=True),
    "paraphrase sets": Kept(make_sets, read_sets, "sets"),
    "paraphrase index": Kept(make_index, read_index, "cache/prepared/*/*", renewable=True),
    "lexicon table": Kept(make_lexicon, read_lexicon("lexicon.npz"), "lexicon.npz"),
    "converted lexicon": Kept(
        make_converted_lexicon,
        read_lexicon("lexicon.tsv"),
        "cache/prepared/*/*",
        renewable=True,
    ),
    "idf": Kept(make_idf, read_idf, "words.idf"),
    "scores": Kept(read_scores, read_scores, "scores/*/*", renewable=True),
    "encodings": Kept(read_encodings, read_encodings, "encodings/*/*", renewable=True),
    "stage of a build": Kept(read_stage, read_stage, "work/*/*", renewable=True),
    "records": Kept(make_known, read_known, "cache/.fingerprints/*", renewable=True),
}


def flip(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ rng.randrange(1, 256)]) + content[place + 1 :]


def flip_early(content: bytes, rng: random.Random) -> bytes:
    """Flip a bit where headers are."""
    place = rng.randrange(min(len(content), 600))
    flipped = content[place] ^ (1 << rng.randrange(8))
    return content[:place] + bytes([flipped]) + content[place + 1 :]


def cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def append(content: bytes, rng: random.Random) -> bytes:
    return content + rng.randbytes(rng.choice([1, 8, 4096]))


def swap(content: bytes, rng: random.Random) -> bytes:
    """Exchange two blocks of equal length."""
    size = max(1, min(64, len(content) // 4))
    one, other = sorted(rng.sample(range(len(content) // size), 2))
    blocks = [content[first : first + size] for first in range(0, len(content), size)]
    blocks[one], blocks[other] = blocks[other], blocks[one]
    return b"".join(blocks)


def clear(content: bytes, rng: random.Random) -> bytes:
    """Set a block to zero, as a file system may do after a crash."""
    place = rng.randrange(len(content))
    end = min(len(content), place + rng.choice([1, 16, 4096]))
    return content[:place] + bytes(end - place) + content[end:]


def empty(_content: bytes, _rng: random.Random) -> bytes:
    return b""


DAMAGE = (flip, flip_early, cut, append, swap, clear, empty)


def write_back(path: Path, content: bytes) -> None:
    """Change a file in place, and set its time back."""
    before = path.stat()
    with path.open("r+b") as stream:
        stream.truncate(0)
        stream.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture(autouse=True)
def _tomorrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files be old enough for what is known of them to be recorded."""
    later = time.time_ns() + 24 * 3600 * 10**9
    monkeypatch.setattr(fingerprints, "time", SimpleNamespace(time_ns=lambda: later))


@pytest.fixture(params=KEPT, name="kept")
def _kept(request: pytest.FixtureRequest) -> Kept:
    return KEPT[request.param]


def check(kept: Kept, folder: Path, expected: object, what: str) -> None:
    """Read twice: what was made again, or recorded, must not lie either."""
    for turn in range(2):
        refused = ""
        found = expected
        try:
            found = kept.read(folder)
        except TenbinError as error:
            refused = str(error)
        assert found == expected, f"{what}, reading {turn}"
        assert not (kept.renewable and refused), f"{what}: {refused}"
        # A sentence of what is wrong, and one of what to do.
        assert not refused or refused.count(". ") > 0, refused


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_never_gives_another_number(
    kept: Kept, damage: Callable[[bytes, random.Random], bytes], tmp_path: Path
) -> None:
    (tmp_path / "whole").mkdir()
    kept.make(tmp_path / "whole")
    for case in range(1 if damage is empty else CASES):
        folder = tmp_path / "whole"
        expected = kept.read(folder)  # and records what is known of the file
        rng = random.Random(f"{damage.__name__} {case}")  # noqa: S311 - not for secrets
        path = rng.choice(sorted(path for path in folder.glob(kept.files) if path.is_file()))
        whole = path.read_bytes()
        write_back(path, damage(whole, rng))
        check(kept, folder, expected, f"{path.name}, case {case}")
        if not kept.renewable:
            write_back(path, whole)
        assert kept.read(folder) == expected


def test_a_folder_in_the_place_of_a_file(kept: Kept, tmp_path: Path) -> None:
    kept.make(tmp_path)
    expected = kept.read(tmp_path)
    path = sorted(path for path in tmp_path.glob(kept.files) if path.is_file())[0]
    path.unlink()
    path.mkdir()
    check(kept, tmp_path, expected, path.name)


def installed_copy(folder: Path) -> tuple[ResourceStore, Path]:
    """Install the bundled vectors under another name, as if they had been fetched."""
    entry = bundled_manifest()["glove-en-small"]
    text = (
        f'[copied]\nkind = "vectors"\nversion = "1"\nlanguage = "en"\nlicence = "PDDL-1.0"\n'
        f'description = "a copy"\nsha256 = "{entry.sha256}"\nsize = {entry.size}\n'
        '[[copied.providers]]\ntype = "url"\nurl = "https://example.org/copied"\n'
    )
    opened = ResourceStore(folder, offline=True, manifest=parse_manifest(text, "test"))
    path = folder / f"copied@{entry.sha256[:16]}" / "copied"
    path.parent.mkdir(parents=True)
    shutil.copy(ResourceStore(folder).path("glove-en-small"), path)
    return opened, path


def test_an_installed_resource_that_was_damaged_names_the_command(tmp_path: Path) -> None:
    opened, path = installed_copy(tmp_path)
    words = ["cat", "dog", "the"]
    expected = load_vectors("copied", "en", opened).look_up(words).units
    size = path.stat().st_size
    rng = random.Random(16)  # noqa: S311 - not for secrets
    for place in [0, 9, 4096, size - 1, *(rng.randrange(size) for _ in range(8))]:
        with path.open("r+b") as stream:
            stream.seek(place)
            (byte,) = stream.read(1)
            for written in (byte ^ 1, byte):
                stream.seek(place)
                stream.write(bytes([written]))
                stream.flush()
                if written == byte:
                    assert np.array_equal(
                        load_vectors("copied", "en", opened).look_up(words).units, expected
                    )
                else:
                    with pytest.raises(TenbinError, match="tenbin resources install copied"):
                        load_vectors("copied", "en", opened)


def test_a_damaged_manifest_is_an_error() -> None:
    text = files("tenbin.resources").joinpath("bundled", "manifest.toml").read_bytes()
    rng = random.Random(17)  # noqa: S311 - not for secrets
    refused = 0
    for damage in DAMAGE:
        for _ in range(CASES):
            try:
                parse_manifest(damage(text, rng).decode("utf-8", "replace"), "manifest.toml")
            except TenbinError:
                refused += 1
    assert refused > CASES
