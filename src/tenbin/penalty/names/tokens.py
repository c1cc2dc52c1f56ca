"""Which tokens of a text belong to its names, however it was cut."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from tenbin.penalty.names.recognition import NameSpan

_PIECE_MARK = "##"


def marked_tokens(
    spans: Iterable[NameSpan], places: Sequence[tuple[int, int]]
) -> npt.NDArray[np.bool_]:
    """Return which tokens overlap with a name.

    Args:
        spans: The names of a text.
        places: Where each token stands in it, half-open; an empty range is nowhere.

    >>> marked_tokens([NameSpan(0, 6, "Tanaka")], [(0, 3), (3, 6), (7, 10), (0, 0)]).tolist()
    [True, True, False, False]
    """
    named = tuple(spans)
    return np.array(
        [any(start < one.stop and one.start < stop for one in named) for start, stop in places],
        dtype=np.bool_,
    )


def token_places(text: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return where tokens stand in their text, for tokenisers that do not say; case is ignored.

    A token that is not found (``[UNK]``, ``[CLS]``) stands nowhere, (0, 0).

    >>> token_places("Mr. Tanaka left", ["[CLS]", "mr", ".", "tan", "##aka", "left"])
    [(0, 0), (0, 2), (2, 3), (4, 7), (7, 10), (11, 15)]
    """
    lower = _small(text)
    places = []
    at = 0
    for token in tokens:
        written = _small(token.removeprefix(_PIECE_MARK))
        found = lower.find(written, at) if written else -1
        if found < 0:
            places.append((0, 0))
            continue
        at = found + len(written)
        places.append((found, at))
    return places


def _small(text: str) -> str:
    # Letters whose small form is longer (İ) would move all that follows.
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
