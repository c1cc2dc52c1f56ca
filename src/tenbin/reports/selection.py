"""Renders what was chosen among candidates: the texts, or all candidates with their scores."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tenbin.core.errors import UsageError
from tenbin.core.selection import Selection
from tenbin.reports.data import Row, all_defined, defined
from tenbin.reports.formats import Format, Page
from tenbin.version import __version__

FORMATS = (Format.TEXT, Format.JSON, Format.TSV)

_COLUMNS = ("segment", "rank", "candidate", "score", "chosen", "text")


def payload(selection: Selection) -> dict[str, Any]:
    """Return the scores of all candidates, best first."""
    return {
        "tenbin": __version__,
        "kind": str(selection.kind),
        "language": selection.language,
        "segment_count": len(selection.scores),
        "method": selection.method,
        "higher_is_better": selection.higher_is_better,
        "features": [
            {
                "name": one.name,
                "weight": one.weight,
                "higher_is_better": one.higher_is_better,
                "signature": None if one.signature is None else str(one.signature),
            }
            for one in selection.features
        ],
        "segments": [_segment(selection, segment) for segment in range(len(selection.scores))],
        "notes": list(selection.notes),
    }


def tidy(selection: Selection) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each candidate, the best of each segment first."""
    names = () if selection.values is None else tuple(one.name for one in selection.features)
    return (*_COLUMNS, *names, "signature"), _rows(selection)


def draw(selection: Selection, form: Format, page: Page) -> str:  # noqa: ARG001 - as texts are
    """Return the chosen texts, one per line."""
    return "".join(f"{text}\n" for text in _lines(selection))


def moses_text(selection: Selection) -> str:
    """Return all candidates, the best of each segment first, as an n-best list of Moses.

    Columns are the number of the segment from 0, the text, the values of the features, the score.
    """
    lines = []
    for segment, texts in enumerate(selection.candidates.texts):
        for place in selection.ranked(segment):
            if "|||" in texts[place] or _breaks(texts[place]):
                raise UsageError(
                    f"segment {segment + 1:,}: the text of a candidate has '|||' or a line break, "
                    'which an n-best list cannot hold; choose `format="json"`.'
                )
            values = selection.scores if selection.values is None else selection.values
            named = zip(selection.features, values[segment][place].reshape(-1), strict=True)
            features = " ".join(f"{one.name.replace(' ', '')}= {float(v)!r}" for one, v in named)
            score = float(selection.scores[segment][place])
            lines.append(f"{segment} ||| {texts[place]} ||| {features} ||| {score!r}\n")
    return "".join(lines)


def _lines(selection: Selection) -> Iterator[str]:
    for number, text in enumerate(selection.texts, start=1):
        if _breaks(text):
            raise UsageError(
                f"segment {number:,}: the chosen text has a line break, so that one line per "
                'segment would not hold it; choose `format="json"`.'
            )
        yield text


def _breaks(text: str) -> bool:
    return "\n" in text or "\r" in text


def _segment(selection: Selection, segment: int) -> dict[str, Any]:
    texts, scores = selection.candidates.texts[segment], selection.scores[segment]
    order = selection.ranked(segment)
    best = int(order[0])
    return {
        "segment": segment + 1,
        "chosen": best + 1,
        "text": texts[best],
        "score": defined(scores[best]),
        "candidates": [
            {
                "candidate": int(place) + 1,
                "score": defined(scores[place]),
                **_values(selection, segment, int(place)),
                "text": texts[place],
            }
            for place in order
        ],
    }


def _values(selection: Selection, segment: int, place: int) -> dict[str, Any]:
    if selection.values is None:
        return {}
    return {"features": all_defined(selection.values[segment][place])}


def _rows(selection: Selection) -> Iterator[Row]:
    signed = " ; ".join(str(one.signature) for one in selection.features if one.signature)
    for segment, texts in enumerate(selection.candidates.texts):
        for rank, place in enumerate(selection.ranked(segment), start=1):
            values = () if selection.values is None else selection.values[segment][place]
            yield (
                segment + 1,
                rank,
                int(place) + 1,
                float(selection.scores[segment][place]),
                int(rank == 1),
                texts[place],
                *map(float, values),
                signed,
            )
