"""The cache of scores: scores stored between runs, by everything that can change them.

A score is found again by the texts it was computed from, the metric's full signature (parameters,
versions, hashes of resources) and the state of the installed code. Nothing else: what system it is,
where its file lies and which other systems were there do not matter.
"""

import hashlib
import logging
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.text import SegmentSource
from tenbin.evaluation.checks import script_notes
from tenbin.evaluation.readiness import ready_metrics
from tenbin.evaluation.run import SAMPLE, Options, evaluate, facts_of_run, metric_scores

CACHE_VARIABLE = "TENBIN_SCORES"

ABOVE_SCORING = (
    *(
        "api",
        "building",
        "choosing",
        "cli",
        "ecosystem",
        "meta",
        "reports",
        "serve",
        "studies",
        "tables",
        "tuning",
    ),
)
"""Packages that nothing which scores may import, so that no score depends on them."""

_BETWEEN_TEXTS = b"\x00"
_BETWEEN_LISTS = b"\x01"
_DIGEST_BYTES = 32

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CachedScores:
    """The scores of one system by one metric.

    Attributes:
        score: The corpus score.
        segments: One score per segment.
    """

    score: float
    segments: FloatArray


class ScoreCache:
    """A folder of scores; a file that is damaged counts as not there, with a warning."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> CachedScores | None:
        """Return the scores under a key, or None."""
        try:
            content = self._place(key).read_bytes()
        except OSError:
            return None
        digest, payload = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if len(payload) % 8 or not payload or _digest(key, payload) != digest:
            _log.warning(
                "note: cached scores were damaged and are computed again (%s).", self._place(key)
            )
            return None
        values = np.frombuffer(payload, dtype="<f8").astype(np.float64)
        return CachedScores(float(values[0]), values[1:])

    def store(self, key: str, scores: CachedScores) -> None:
        """Store scores; where the disk is full or read-only they are not, which does no harm."""
        payload = np.concatenate([[scores.score], scores.segments]).astype("<f8").tobytes()
        content = _digest(key, payload) + payload
        place = self._place(key)
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(place, content)

    def _place(self, key: str) -> Path:
        # Two levels, so that no folder grows to a size that file systems dislike.
        return self._folder / key[:2] / key[2:]


def default_score_cache() -> ScoreCache:
    """Return the user's cache of scores; the variable ``TENBIN_SCORES`` moves it."""
    named = os.environ.get(CACHE_VARIABLE, "")
    folder = Path(named) if named else user_cache_path("tenbin") / "scores"
    return ScoreCache(folder.expanduser().absolute())


def evaluate_cached(
    source: SegmentSource,
    specs: Sequence[str],
    language: str,
    options: Options,
    cache: ScoreCache,
) -> ScoreTable:
    """Return corpus and segment scores as `evaluate` does; only what is new is computed.

    Texts are read into memory. Notes on the texts are given whether or not scores were cached;
    those that metrics give while they score are of the systems that had to be scored.
    """
    target = parse_language(language)
    metrics = ready_metrics(source, specs, target.tag)
    texts = next(iter(source.chunks(source.segment_count)))
    shared = texts_digest(texts.references)
    source_digest = texts_digest([texts.source or ()])
    own = {name: texts_digest([lines]) for name, lines in texts.hypotheses.items()}
    keys = {
        (spec, system): score_key(
            f"{target.tag} {metric.signature()}",
            shared if metric.needs.references else b"",
            source_digest if metric.needs.source else b"",
            own[system],
        )
        for spec, metric in zip(specs, metrics, strict=True)
        for system in texts.systems
    }
    found = {place: cache.find(key) for place, key in keys.items()}
    known: dict[tuple[str, str], CachedScores] = {
        place: cached
        for place, cached in found.items()
        if cached is not None and len(cached.segments) == texts.segment_count
    }
    sample = texts.part(0, min(texts.segment_count, SAMPLE))
    notes = dict.fromkeys([*source.notes, *script_notes(sample, metrics, target)])
    for systems, group in _missing(specs, texts.systems, known).items():
        part = replace(texts, hypotheses={name: texts.hypotheses[name] for name in systems})
        scored = evaluate(part, group, language, replace(options, segments=True, resamples=0))
        notes |= dict.fromkeys(scored.notes)
        for spec, result in zip(group, scored.results, strict=True):
            for place, system in enumerate(systems):
                known[spec, system] = _cached(result, place)
                cache.store(keys[spec, system], known[spec, system])
    results = tuple(
        metric_scores(
            spec,
            metric,
            facts_of_run(metric, target.tag, source.reference_counts),
            systems=texts.systems,
            scores=np.array([known[spec, system].score for system in texts.systems]),
            segments=np.stack([known[spec, system].segments for system in texts.systems]),
        )
        for spec, metric in zip(specs, metrics, strict=True)
    )
    return ScoreTable(
        language=target.tag,
        segment_count=texts.segment_count,
        systems=texts.systems,
        results=results,
        notes=tuple(notes),
    )


def _missing(
    specs: Sequence[str], systems: tuple[str, ...], known: dict[tuple[str, str], CachedScores]
) -> dict[tuple[str, ...], list[str]]:
    """Return the metrics to run, by the systems they have to run on, so that texts are shared."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for spec in specs:
        lacking = tuple(system for system in systems if (spec, system) not in known)
        if lacking:
            groups[lacking].append(spec)
    return groups


def _cached(result: MetricScores, place: int) -> CachedScores:
    if result.segments is None:
        raise ValueError(f"{result.metric} was scored without its segments")
    return CachedScores(float(result.scores[place]), result.segments[place])


def texts_digest(lists: Iterable[Sequence[str]]) -> bytes:
    """Return a digest of lists of texts that no other lists share."""
    digest = hashlib.sha256()
    for texts in lists:
        digest.update(_BETWEEN_LISTS)
        for text in texts:
            encoded = text.encode("utf-8", "surrogatepass")
            # The length tells 'a', 'b' from 'a\0b': a text may hold any character.
            digest.update(b"%d" % len(encoded) + _BETWEEN_TEXTS + encoded)
    return digest.digest()


def score_key(signature: str, *digests: bytes) -> str:
    """Return the key of the scores of one system by one metric."""
    digest = hashlib.sha256(_code_state())
    for part in (signature.encode(), *digests):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@cache
def _code_state() -> bytes:
    """Return a digest that changes with every edit of code that a score can depend on."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[0] not in ABOVE_SCORING:
            digest.update(f"{place.as_posix()} ".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _digest(key: str, payload: bytes) -> bytes:
    # With the key: the scores of another system are not those asked for.
    return hashlib.sha256(key.encode() + payload).digest()


def _write_whole(place: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".", dir=place.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        temporary.replace(place)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
