"""Tables in Parquet: damaged bytes, and whole files with columns nobody expects."""

import io
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from tests.fuzz.mutations import mutated
from tests.fuzz.texts import any_text

import tenbin
from tenbin.formats.parquet import arrow

pa, pq = arrow(), arrow("parquet")
_numbers = count()
_NAMES = (
    "hypothesis",
    "reference",
    "references",
    "source",
    "system",
    "score",
    "chrf",
    "",
    "\uff48",
)
_LIST = pa.list_(pa.string())
_BAD_TEXTS = (b"\xff", b"a\0b", b"\xed\xa0\x80", b"")


def made_table(rng: random.Random) -> bytes:
    """Return a file."""
    if rng.random() < 0.5:
        texts = [_text(rng) for _ in range(4)]
        columns = {"hypothesis": pa.array(texts), "reference": pa.array(texts[::-1])}
        return mutated(_written(pa.table(columns)), rng)
    rows = rng.choice((0, 1, 3))
    chosen = ["hypothesis", "reference"] if rng.random() < 0.7 else []
    chosen += rng.sample(_NAMES, rng.randint(0, 3))
    if rng.random() < 0.95:
        chosen = list(dict.fromkeys(chosen))
    arrays = [_column(rng, rows) for _ in chosen]
    return _written(pa.Table.from_arrays(arrays, names=chosen))


def feed_table(content: bytes, folder: Path) -> object:
    """Score a table; the file of scores has all of its rows, or is not there."""
    number = next(_numbers)
    source, target = folder / f"{number}.parquet", folder / f"{number}-scores.parquet"
    source.write_bytes(content)
    try:
        tenbin.score_table(source, target, metrics=["chrf"], language="en")
        assert pq.read_metadata(target).num_rows == pq.read_metadata(source).num_rows > 0
    except BaseException:
        assert not target.exists()
        raise
    finally:
        source.unlink()
        target.unlink(missing_ok=True)
    return None


def _written(table: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="none")
    return stream.getvalue()


def _text(rng: random.Random) -> str:
    # Enough English to pass the check of the language.
    return f"The cat sat on the mat of the other cat. {any_text(rng)}"


Values = Callable[[random.Random, list[str]], Any]


def _wrong_bytes(rng: random.Random, texts: list[str]) -> Any:
    raw = pa.array([rng.choice(_BAD_TEXTS) for _ in texts], pa.binary())
    return pa.Array.from_buffers(pa.string(), len(texts), raw.buffers())


def _plain(_rng: random.Random, texts: list[str]) -> Any:
    return pa.array(texts, pa.string())


_COLUMNS: tuple[Values, ...] = (
    *((_plain,) * 12),
    lambda rng, texts: pa.array([text if rng.random() < 0.7 else None for text in texts]),
    lambda _, texts: pa.array(range(len(texts)), pa.int64()),
    lambda rng, texts: pa.array([[text] * rng.randint(0, 3) for text in texts], _LIST),
    lambda _, texts: pa.array([[text, text] for text in texts], _LIST),
    lambda _, texts: pa.array([[text, None] for text in texts], _LIST),
    lambda _, texts: pa.array(texts, pa.string()).dictionary_encode(),
    lambda _, texts: pa.array(texts, pa.large_string()),
    lambda _, texts: pa.array([text.encode() for text in texts], pa.binary()),
    lambda _, texts: pa.array([[[text]] for text in texts], pa.list_(_LIST)),
    lambda _, texts: pa.array([{"a": text} for text in texts], pa.struct([("a", pa.string())])),
    _wrong_bytes,
)


def _column(rng: random.Random, rows: int) -> Any:
    return rng.choice(_COLUMNS)(rng, [_text(rng) for _ in range(rows)])
