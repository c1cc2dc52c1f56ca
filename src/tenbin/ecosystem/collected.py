"""Texts that arrive in batches, kept as bytes until they are scored as one test set.

A corpus score is not the mean of the scores of batches, so adapters keep texts, not numbers.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tenbin.api.scoring import score
from tenbin.api.shapes import DEFAULT_SYSTEM, ReferenceAxis, build_test_set
from tenbin.core.errors import ShapeError, UsageError
from tenbin.core.scores import ScoreTable
from tenbin.core.text import TestSet

NO_TEXTS = "no texts have been added yet, so there is nothing to score: update with texts first."


def encode_texts(
    hypotheses: Any,  # noqa: ANN401 - as `tenbin.score` takes them
    references: Any = None,  # noqa: ANN401
    source: Any = None,  # noqa: ANN401
) -> bytes:
    r"""Return a batch as lines of JSON, which can be joined with those of others.

    Args:
        hypotheses: One text per segment.
        references: One text, or one list of texts, per segment; None for none.
        source: One source text per segment; None for none.

    >>> encode_texts(["猫"], ["cat"]).decode()
    '["猫",["cat"],null]\n'
    """
    texts = build_test_set(
        {DEFAULT_SYSTEM: hypotheses},
        references,
        source=source,
        reference_axis=ReferenceAxis.SEGMENT,
    )
    sources = texts.source or (None,) * texts.segment_count
    rows = zip(texts.hypotheses[DEFAULT_SYSTEM], texts.references, sources, strict=True)
    return b"".join(_line(row) for row in rows)


def decode_texts(encoded: bytes) -> TestSet:
    """Return all texts of joined lines as one test set.

    Raises:
        UsageError: There are none, or some batches had source texts and others had not.
    """
    rows = list(_rows(encoded))
    if not rows:
        raise UsageError(NO_TEXTS)
    hypotheses, references, sources = zip(*rows, strict=True)
    given = [source is not None for source in sources]
    if any(given) and not all(given):
        raise ShapeError(
            f"segment {given.index(False) + 1} has no source text, and others have. Give the "
            "source with every batch, or with none."
        )
    return TestSet(
        hypotheses={DEFAULT_SYSTEM: hypotheses},
        references=tuple(tuple(texts) for texts in references),
        source=sources if all(given) else None,
    )


def score_texts(
    test_set: TestSet,
    metrics: Sequence[str] | None,
    language: str,
    *,
    segments: bool = False,
    cache: bool = True,
) -> ScoreTable:
    """Score collected texts as `tenbin.score` does."""
    return score(test_set, metrics=metrics, language=language, segments=segments, cache=cache)


def corpus_scores(table: ScoreTable) -> dict[str, float]:
    """Return the corpus score of each metric of one system, by its alias or spec."""
    return {result.label: float(result.scores[0]) for result in table.results}


def _line(row: tuple[str, tuple[str, ...], str | None]) -> bytes:
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    # Half of a surrogate pair, which is no character, is kept to be refused by what scores.
    return f"{text}\n".encode("utf-8", "surrogatepass")


def _rows(encoded: bytes) -> Iterator[tuple[str, list[str], str | None]]:
    for line in encoded.splitlines():
        hypothesis, references, source = json.loads(line.decode("utf-8", "surrogatepass"))
        yield hypothesis, references, source
