"""Every reader of files, and what must hold when it accepts one."""

import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
from tests.fuzz.mutations import mutated
from tests.fuzz.text_files import TEXT_FILES, read_all, read_judged
from tests.fuzz.valid_files import VALID_FILES

from tenbin.api.page import build_report, metric_looks, page_text
from tenbin.core.judgments import HumanPairs, ScoreMatrix
from tenbin.formats.bitext import read_bitext, read_links
from tenbin.formats.combination_file import combination_text, read_combination
from tenbin.formats.difference_curves import read_curves
from tenbin.formats.human_pairs import read_human_pairs, read_pair_agreement
from tenbin.formats.lexicons.table import LexiconTable, read_lexicon_table
from tenbin.formats.lexicons.wordnet import read_wordnet_exceptions, read_wordnet_index
from tenbin.formats.lines import TextFile
from tenbin.formats.mt_metrics_eval import read_score_file
from tenbin.formats.paraphrases import read_meteor_pairs, read_phrase_sets, read_ppdb_pairs
from tenbin.formats.score_json import read_score_json
from tenbin.formats.score_table import read_score_table
from tenbin.formats.tensor_file import map_tensors
from tenbin.formats.wmt_layout import read_documents
from tenbin.metrics.combination.arithmetic import combined, ends_of_scale
from tenbin.resources.checkpoints import find_checkpoint
from tenbin.resources.frequencies import load_frequencies, load_token_frequencies
from tenbin.resources.function_words import read_function_words
from tenbin.resources.lexicons.files import lexicon_sets
from tenbin.resources.paraphrases import prepare_paraphrase_index
from tenbin.resources.store.archives import extract_member
from tenbin.resources.store.manifest import parse_manifest
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.conversion import convert_vectors
from tenbin.resources.vectors.table import open_vector_table

Read = Callable[[Path], object]
MEMBER = "data/a.txt"
_SEEDS = Path(__file__).with_name("seeds")
_numbers = count()


def made(name: str, rng: random.Random) -> bytes:
    """Return a damaged file for a reader: its valid file, or one that broke it before."""
    seeds = _seeds(name)
    if seeds and rng.random() < 0.2:
        return mutated(rng.choice(seeds), rng)
    valid = VALID_FILES[name]
    parts = dict(valid.parts)
    if len(parts) > 1 or valid.pack(parts) != b"".join(parts.values()):
        kind = rng.random()
        if kind < 0.7:
            part = rng.choice(list(parts))
            parts[part] = mutated(parts[part], rng)
        if kind < 0.5:
            return valid.pack(parts)
        return mutated(valid.pack(parts), rng)
    return mutated(valid.content, rng)


@cache
def _seeds(name: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((_SEEDS / name).glob("*"))]


def feed(name: str, content: bytes, folder: Path) -> object:
    """Write a file and read it; whatever the reader raises comes out."""
    # Caches go by path, size and time: every input gets a folder of its own.
    own = folder / str(next(_numbers))
    own.mkdir()
    try:
        valid = VALID_FILES[name]
        for other, text in valid.beside.items():
            (own / other).write_bytes(text)
        (own / valid.name).write_bytes(content)
        return READERS[name](own / valid.name)
    finally:
        shutil.rmtree(own)


def _lines(path: Path) -> object:
    file = TextFile(str(path))
    report = file.scan()
    if report.faults:
        raise report.faults[0]
    lines = list(file.lines())
    if not (report.bom and not report.lines):
        assert len(lines) == report.lines > 0
    assert all("\n" not in line and "\0" not in line for line in lines)
    return lines


def _scores(table: ScoreMatrix) -> object:
    assert table.scores.size > 0
    assert not np.isinf(table.scores).any()
    return _printable(table.systems, table.segments)


def _printable(*names: tuple[str, ...]) -> object:
    # What is read must be possible to print.
    return "\n".join(name for group in names for name in group).encode("utf-8")


def _pairs(pairs: HumanPairs) -> object:
    assert len(pairs) > 0
    assert pairs.segments.min() >= 0
    return _printable(pairs.systems)


def _lexicon(table: LexiconTable) -> object:
    assert list(table.words) == sorted(set(table.words))
    assert (np.diff(table.offsets) >= 0).all()
    found = [table.sets_of(word) for word in table.words]
    assert sum(map(len, found)) == len(table.sets)
    return _printable(table.words)


def _probabilities(pairs: Iterator[tuple[str, str, float]]) -> object:
    found = list(pairs)
    assert all(one and two and 0 <= probability < np.inf for one, two, probability in found)
    return found


def _vectors(path: Path) -> object:
    target = path.with_name("table")
    convert_vectors(path, target)
    table = open_vector_table(target)
    rows = table.rows_of(["the", "cat", "unheard-of"])
    lengths = np.linalg.norm(table.units(np.arange(len(table.vectors), dtype=np.int32)), axis=1)
    assert len(table.vectors) > 0
    assert table.dimensions > 0
    assert ((np.abs(lengths - 1) < 1e-3) | (lengths == 0)).all()
    assert rows.max() < len(table.vectors)
    words = table.words()
    if words is not None:
        _printable(tuple(words))
    return table


def _tensors(path: Path) -> object:
    file = map_tensors(path)
    for tensor in file.tensors.values():
        assert all(size >= 0 for size in tensor.shape)
        np.array(tensor)
    return _printable(tuple(file.metadata), tuple(file.metadata.values()))


def _frequencies(path: Path) -> object:
    found = load_frequencies(str(path), "en")
    shares = found.shares(["the", "unheard-of", "."])
    assert np.isfinite(np.log(shares)).all()
    return found


def _curves(path: Path) -> object:
    table = read_curves(str(path))
    for curve in table.curves:
        for difference in (0.0, 0.5, 1e9):
            share = curve.share(difference)
            assert 0.5 <= share.value <= 1  # never less than a toss-up
        assert curve.needed(0.8).value >= 0
    return _printable(tuple(curve.metric for curve in table.curves))


def _stored_scores(path: Path) -> object:
    found = read_score_json(str(path), metric_looks)
    # Whatever is accepted becomes a page.
    return page_text(replace(build_report(found, explained=1), created=""))


def _idf(path: Path) -> object:
    found = load_token_frequencies(str(path), "en")
    assert np.isfinite(found.idfs(["の", "unheard-of"])).all()
    assert isinstance(found.rare(["の"]).any(), np.bool_)
    return found


def _combination(path: Path) -> object:
    model = read_combination(path)
    for scale in model.languages.values():
        rows = np.array([scale.worst, scale.mean, scale.best, [0.5] * len(scale.mean)])
        low, high = ends_of_scale(model, scale)
        if low < high:
            scores = combined(model, scale, rows)
            assert ((scores >= 0) & (scores <= 1)).all()
    return combination_text(model)


def _index(path: Path) -> object:
    folder = path.with_name("index")
    folder.mkdir()
    prepare_paraphrase_index(path, folder)
    return folder


def _archive(path: Path) -> object:
    before = {path, *path.parent.parent.iterdir()}
    target = path.with_name("target")
    extract_member(path, MEMBER, target, size=100, may_be_smaller=True)
    # Nothing but the member, and nothing outside.
    assert {*path.parent.iterdir(), *path.parent.parent.iterdir()} == before | {target}
    assert target.stat().st_size <= 100
    return target.read_bytes()


def _checkpoint(path: Path) -> object:
    store = ResourceStore(path.with_name("cache"))
    found = find_checkpoint(str(path.parent), "en", store)
    assert found.layer_count > 0
    return found


READERS: dict[str, Read] = {
    **dict.fromkeys(TEXT_FILES, read_all),
    "texts-judged": read_judged,
    "lines": _lines,
    "lines-gz": _lines,
    "lines-xz": _lines,
    "lines-bz2": _lines,
    "documents": lambda path: _printable(tuple(read_documents(str(path)))),
    "columns": lambda path: list(read_bitext(str(path))),
    "links": lambda path: list(read_links(str(path))),
    "scores": lambda path: _scores(read_score_file(str(path))),
    "scores-of-systems": lambda path: _scores(read_score_file(str(path))),
    "score-tsv": lambda path: _scores(read_score_table(str(path))),
    "score-csv": lambda path: _scores(read_score_table(str(path))),
    "score-jsonl": lambda path: _scores(read_score_table(str(path))),
    "human-pairs": lambda path: _pairs(read_human_pairs(str(path))),
    "pair-agreement": lambda path: _pairs(read_pair_agreement(str(path))[0]),
    "curves": _curves,
    "score-json": _stored_scores,
    "comparison-json": _stored_scores,
    "idf": _idf,
    "combination": _combination,
    "combination-trees": _combination,
    "frequencies": _frequencies,
    "function-words": lambda path: read_function_words(path, "en"),
    "paraphrases-meteor": lambda path: _probabilities(read_meteor_pairs(str(path))),
    "paraphrases-index": _index,
    "paraphrases-ppdb": lambda path: _probabilities(read_ppdb_pairs(str(path))),
    "paraphrases-sets": lambda path: read_phrase_sets(str(path)),
    "synsets": lambda path: _lexicon(lexicon_sets(path)),
    "synonyms": lambda path: _lexicon(lexicon_sets(path)),
    "mythes": lambda path: _lexicon(lexicon_sets(path)),
    "turtle": lambda path: _lexicon(lexicon_sets(path)),
    "wordnet-index": lambda path: list(read_wordnet_index(path)),
    "wordnet-exceptions": lambda path: list(read_wordnet_exceptions(path)),
    "lexicon-table": lambda path: _lexicon(read_lexicon_table(path)),
    "manifest": lambda path: parse_manifest(path.read_bytes().decode("utf-8", "replace"), "m.toml"),
    **{name: _vectors for name in VALID_FILES if name.startswith("vectors-")},
    "tensors": _tensors,
    "checkpoint-config": _checkpoint,
    "checkpoint-index": _checkpoint,
    **{name: _archive for name in VALID_FILES if name.startswith("archive-")},
}
