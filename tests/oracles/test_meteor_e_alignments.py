"""The kernels of METEOR give the alignments and scores of METEOR-E and METEOR 1.5.

Provenance: `oracles/meteor-e` (cservan/METEOR-E, commit e466abc, Java 17) and `oracles/meteor15`
(METEOR 1.5 of pycocoevalcap 1.2, Java 17) of the shared folder; see the READMEs there. Tokens are
taken as the programs print them, so that nothing but the kernels is tested. Of METEOR 1.5, the
configurations without WordNet and without the full paraphrase table; fr.lower is left out because
snowballstemmer 3 stems elided words (l'enfant), which METEOR's stemmer of 2015 leaves alone.
"""

import gzip
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tenbin.kernels.alignment.beam import beam_alignment
from tenbin.kernels.alignment.match_candidates import MatchCandidates, Relation, joined_candidates
from tenbin.kernels.alignment.word_matches import Nearness, WordKnowledge, word_matches
from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.phrases.index import build_phrase_index, phrase_spans
from tenbin.kernels.phrases.matches import phrase_matches

snowballstemmer = pytest.importorskip("snowballstemmer")

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

STEMMERS = {"en": "english", "fr": "french", "de": "german"}
RELATIONS = {
    "exact": Relation.SAME_WORD,
    "stem": Relation.SAME_CLASS,
    "synonym": Relation.SHARED_SET,
    "embeddings": Relation.NEAR_VECTOR,
    "paraphrase": Relation.PHRASE,
}
E_NAMES = [
    *("en.exactstem", "en.baseline", "en.baseline.nopara", "en.dbnary", "en.vector.default"),
    *(f"en.{kind}.{t}" for kind in ("vector", "vector.nopara") for t in (0.7, 0.8, 0.9)),
    *(f"en.{kind}+vector.{t}" for kind in ("baseline", "dbnary") for t in (0.7, 0.8, 0.9)),
    *("en.dbnary+vector.lemma.0.8", "fr.baseline", "fr.baseline.nowoption", "fr.dbnary"),
    *(f"fr.{kind}vector.{t}" for kind in ("", "baseline+", "dbnary+") for t in (0.7, 0.8, 0.9)),
]
# Name: stages, stage weights, alpha, beta, gamma, delta (specification, section 5).
M15_CONFIGS = {
    "en.exact": ("exact", (1.0,), (0.85, 0.2, 0.6, 0.75)),
    "en.exactstem": ("exact stem", (1.0, 0.6), (0.85, 0.2, 0.6, 0.75)),
    "en.other": ("exact", (1.0,), (0.75, 1.4, 0.7, 0.5)),
    "en.univ": ("exact", (1.0,), (0.7, 1.4, 0.3, 0.7)),
    "en.univ.minipara": ("exact paraphrase", (1.0, 0.6), (0.7, 1.4, 0.3, 0.7)),
    "en.expara": ("exact paraphrase", (1.0, 0.6), (0.85, 0.2, 0.6, 0.75)),
    "fr.exactstem": ("exact stem", (1.0, 0.2), (0.9, 1.4, 0.6, 0.65)),
    "de.exactstem": ("exact stem", (1.0, 0.8), (0.95, 1.0, 0.55, 0.55)),
}

Tokens = tuple[str, ...]
Pairs = list[tuple[Tokens, Tokens]]
Entries = list[tuple[Tokens, Tokens]]


class Match(NamedTuple):
    """One row of an oracle's table of alignments."""

    right_start: int
    right_length: int
    left_start: int
    left_length: int
    stage: int


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a configuration of the oracle says, its files read."""

    language: str
    stages: tuple[str, ...]
    weights: tuple[float, ...]
    parameters: tuple[float, ...]
    entries: Entries
    sets: dict[str, list[int]] = field(default_factory=dict)
    vectors: dict[str, np.ndarray] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)  # of words, in the vectors
    threshold: float = 0.8


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table without quoting, without its header."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    yield from (line.split("\t") for line in content.decode("utf-8").split("\n")[1:-1])


def paraphrases(path: Path) -> Entries:
    lines = [tuple(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]
    return list(zip(lines[1::3], lines[2::3], strict=True))


def synonym_sets(folder: Path, name: str, language: str) -> dict[str, list[int]]:
    """Return the sets of every word: those of its surface and of its lemma."""
    lines = (folder / f"{name}.synsets").read_text(encoding="utf-8").splitlines()
    numbers = [set(map(int, ids.split())) for ids in lines[1::2]]
    listed = dict(zip(lines[::2], numbers, strict=True))
    base = lemmas(folder, language)
    return {
        word: sorted(listed.get(word, set()) | listed.get(base.get(word, word), set()))
        for word in {*listed, *base}
    }


def lemmas(folder: Path, language: str) -> dict[str, str]:
    return {row[1]: row[3] for row in rows(folder / "lemmas.tsv") if row[0] == language}


def unit_vectors(path: Path) -> dict[str, np.ndarray]:
    vectors = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        word, *numbers = line.split()
        vector = np.array(numbers, dtype=np.float32)
        vectors[word] = vector / np.sqrt(np.cumsum(vector * vector, dtype=np.float32)[-1])
    return vectors


@cache
def e_setting(folder: Path, name: str) -> Setting:
    """Read a configuration of METEOR-E from its command line."""
    row = next(row for row in rows(folder / "configs.tsv") if row[0] == name)
    words = shlex.split(row[2])
    options = {word: words[i + 1] for i, word in enumerate(words[:-1]) if word.startswith("-")}
    table = options.get("-a", "").removesuffix(".gz")
    synonyms, language = options.get("-d"), row[1]
    vectors = options.get("-emb") or options.get("-embLemma")
    return Setting(
        language=language,
        stages=tuple(options["-m"].split()),
        weights=tuple(map(float, row[3].split())),
        parameters=(0.85, 0.2, 0.6, 0.75) if language == "en" else (0.9, 1.4, 0.6, 0.65),
        entries=paraphrases(folder / f"{table}.txt") if table else [],
        sets=synonym_sets(folder, synonyms, language) if synonyms else {},
        vectors=unit_vectors(folder / vectors) if vectors else {},
        keys=lemmas(folder, language) if "-embLemma" in options else {},
        threshold=float(options.get("-embTh", 0.8)),
    )


def numbered(words: Iterable[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(dict.fromkeys(words))}


def ragged(lists: Sequence[Sequence[int]]) -> tuple[IdArray, IntArray]:
    values = np.array([value for part in lists for value in part], dtype=np.int32)
    return values, np.cumsum([0, *map(len, lists)], dtype=np.int64)


def knowledge(vocabulary: list[str], setting: Setting) -> WordKnowledge:
    stems = snowballstemmer.stemmer(STEMMERS[setting.language]).stemWords(vocabulary)
    classes = numbered(stems)
    set_values, set_offsets = ragged([setting.sets.get(word, []) for word in vocabulary])
    places = numbered(setting.vectors)
    keys = [setting.keys.get(word, word) for word in vocabulary]
    vectors = np.stack(list(setting.vectors.values()) or [np.zeros(1, dtype=np.float32)])
    return WordKnowledge(
        classes=np.array([classes[stem] for stem in stems], dtype=np.int32),
        set_values=set_values,
        set_offsets=set_offsets,
        vector_rows=np.array([places.get(key, -1) for key in keys], dtype=np.int32),
        vectors=vectors,
    )


def candidates(pairs: Pairs, setting: Setting) -> MatchCandidates:
    everything = [row for pair in (*pairs, *setting.entries) for row in pair]
    vocabulary = numbered(word for row in everything for word in row)
    pool = ragged([[vocabulary[word] for word in row] for pair in pairs for row in pair])
    left, right = np.arange(0, 2 * len(pairs), 2), np.arange(1, 2 * len(pairs), 2)
    found = word_matches(
        *pool,
        left,
        right,
        stages=[RELATIONS[stage] for stage in setting.stages],
        knowledge=knowledge(list(vocabulary), setting),
        nearness=Nearness(threshold=setting.threshold, of_equal_words=True),
    )
    if "paraphrase" not in setting.stages:
        return found
    table = ragged([[vocabulary[word] for word in row] for pair in setting.entries for row in pair])
    numbers = np.arange(len(setting.entries))
    index = build_phrase_index(*table, 2 * numbers, 2 * numbers + 1)
    stage = setting.stages.index("paraphrase")
    spans = phrase_spans(*pool, index)
    phrases = phrase_matches(*pool, left, right, spans=spans, index=index, stage=stage)
    return joined_candidates(found, phrases)


def alignments(pairs: Pairs, setting: Setting) -> list[tuple[dict[Match, float], int]]:
    """Return matches with their values, and chunks, of each pair."""
    found = candidates(pairs, setting)
    lengths = np.array([[len(left), len(right)] for left, right in pairs])
    weights = np.array([1.0 if stage == "exact" else 0.5 for stage in setting.stages])
    chosen, chunks = beam_alignment(found, *lengths.T.copy(), weights=weights)
    spans = [column.tolist() for column in (*found.spans[1:], found.stages, found.values)]
    matches = [(Match(*span[:5]), span[5]) for span in zip(*spans, strict=True)]
    bounds = found.offsets.tolist()
    return [
        (
            {matches[i][0]: matches[i][1] for i in range(*bounds[p : p + 2]) if chosen[i]},
            int(chunks[p]),
        )
        for p in range(len(pairs))
    ]


def scores(
    pair: tuple[Tokens, Tokens],
    matches: dict[Match, float],
    chunks: int,
    setting: Setting,
    function_words: set[str],
) -> tuple[float, float, float, float]:
    """Return precision, recall, penalty and score (specification, section 4)."""
    alpha, beta, gamma, delta = setting.parameters
    left, right = pair

    def weight(words: Sequence[str]) -> float:
        functional = sum(word in function_words for word in words)
        return delta * (len(words) - functional) + (1 - delta) * functional

    precision = sum(setting.weights[k] * weight(left[j : j + n]) for _, _, j, n, k in matches)
    recall = sum(setting.weights[k] * weight(right[i : i + m]) for i, m, _, _, k in matches)
    if not precision or not recall:
        return 0.0, 0.0, np.nan, 0.0
    precision, recall = precision / weight(left), recall / weight(right)
    mean = 1 / ((1 - alpha) / precision + alpha / recall)
    matched = sum(match.left_length + match.right_length for match in matches)
    whole = matched == len(left) + len(right) and chunks == 1
    penalty = 0.0 if whole else gamma * (chunks / (matched / 2)) ** beta
    return precision, recall, penalty, max(0.0, mean * (1 - penalty))


def token_pairs(path: Path, key: str) -> Pairs:
    return [(tuple(row[2].split()), tuple(row[3].split())) for row in rows(path) if row[0] == key]


def expected_matches(path: Path, name: str, count: int) -> list[dict[Match, float]]:
    expected: list[dict[Match, float]] = [{} for _ in range(count)]
    for config, segment, *numbers in rows(path):
        if config == name:
            match = Match(*map(int, numbers[:5]))
            expected[int(segment) - 1][match] = float(numbers[5]) if numbers[5:] else 1.0
    return expected


def check(folder: Path, name: str, key: str, alignment_file: str, setting: Setting) -> None:
    words = folder.parent / "meteor15" / "function-words-en.txt"
    function_words = set(words.read_text(encoding="utf-8").split())
    pairs = token_pairs(folder / "tokens.tsv", key)
    expected = expected_matches(folder / alignment_file, name, len(pairs))
    numbers = [row[2:] for row in rows(folder / "scores.tsv") if row[0] == name]
    found = alignments(pairs, setting)
    segments = zip(pairs, found, expected, numbers, strict=True)
    for pair, (matches, chunks), wanted, values in segments:
        assert matches.keys() == wanted.keys()
        if "embeddings" in setting.stages:
            stage = setting.stages.index("embeddings")
            near = {match: value for match, value in matches.items() if match.stage == stage}
            assert near == {match: value for match, value in wanted.items() if match.stage == stage}
        score = scores(pair, matches, chunks, setting, function_words)
        assert score == pytest.approx(tuple(map(float, values)), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", E_NAMES)
def test_meteor_e(shared: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", KernelChoice.COMPILED)
    folder = shared / "oracles" / "meteor-e"
    setting = e_setting(folder, name)
    check(folder, name, setting.language, "alignments.tsv.gz", setting)


def test_plain_twins(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", KernelChoice.PLAIN)
    folder, name = shared / "oracles" / "meteor-e", "en.dbnary+vector.lemma.0.8"
    check(folder, name, "en", "alignments.tsv.gz", e_setting(folder, name))


def test_every_configuration_is_listed(shared: Path) -> None:
    folder = shared / "oracles" / "meteor-e"
    assert sorted(E_NAMES) == sorted(row[0] for row in rows(folder / "configs.tsv"))


@pytest.mark.parametrize("name", M15_CONFIGS)
def test_meteor_15(shared: Path, name: str) -> None:
    folder = shared / "oracles" / "meteor15"
    stages, weights, parameters = M15_CONFIGS[name]
    setting = Setting(
        language=name[:2],
        stages=tuple(stages.split()),
        weights=weights,
        parameters=parameters,
        entries=paraphrases(folder / "mini-para.txt") if "paraphrase" in stages else [],
    )
    check(folder, name, name, "alignments.tsv", setting)
