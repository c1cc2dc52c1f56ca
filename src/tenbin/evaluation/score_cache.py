"""Scores kept on disk between runs, by everything that can change them.

A score is found again by the texts it was computed from, the metric's full signature (parameters,
versions, hashes of resources) and the state of the installed code. Nothing else: what system it is,
where its file lies and which other systems were there do not matter.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from tenbin.core.arrays import FloatArray

CACHE_VARIABLE = "TENBIN_SCORES"

_BETWEEN_TEXTS = b"\x00"
_BETWEEN_LISTS = b"\x01"
_DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class KeptScores:
    """The scores of one system by one metric.

    Attributes:
        score: The corpus score.
        segments: One score per segment.
    """

    score: float
    segments: FloatArray


class ScoreCache:
    """A folder of scores; a file that is damaged counts as not there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> KeptScores | None:
        """Return what was kept under a key, or None."""
        try:
            content = self._place(key).read_bytes()
        except OSError:
            return None
        digest, payload = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if len(payload) % 8 or not payload or hashlib.sha256(payload).digest() != digest:
            return None
        values = np.frombuffer(payload, dtype="<f8").astype(np.float64)
        return KeptScores(float(values[0]), values[1:])

    def keep(self, key: str, scores: KeptScores) -> None:
        """Keep scores; where the disk is full or read-only they are not kept, which is no harm."""
        payload = np.concatenate([[scores.score], scores.segments]).astype("<f8").tobytes()
        content = hashlib.sha256(payload).digest() + payload
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
    """Return the name under which the scores of one system by one metric are kept."""
    digest = hashlib.sha256(_code_state())
    for part in (signature.encode(), *digests):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@cache
def _code_state() -> bytes:
    """Return a digest that changes with every installation or edit of the package."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        status = path.stat()
        entry = f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}\n"
        digest.update(entry.encode())
    return digest.digest()


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
