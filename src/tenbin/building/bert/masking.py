"""Which pieces of a row are hidden, and what stands in their place (Devlin et al. 2019, 3.1)."""

from typing import Any, NamedTuple

from tenbin.building.bert.recipe import SPECIALS

# Of the pieces 15 % are guessed; of these 80 % are hidden and 10 % replaced by any other piece.
_SHARE = 0.15
_HIDDEN, _REPLACED = 0.8, 0.1
_MASK, _LAST, _FIRST = (SPECIALS.index(mark) for mark in ("[MASK]", "[SEP]", "[CLS]"))


class Masked(NamedTuple):
    """Rows with hidden pieces.

    Attributes:
        inputs: What the model reads, shape (rows, length).
        places: Which places are to be guessed, shape (rows, guesses).
        labels: What stood there, shape (rows, guesses).
    """

    inputs: Any
    places: Any
    labels: Any


def masked(torch: Any, rows: Any, generator: Any, pieces: int) -> Masked:  # noqa: ANN401
    """Hide pieces of rows, as many in each row, so that all shapes stay the same.

    Args:
        torch: The library.
        rows: Numbers of pieces, shape (rows, length).
        generator: Makes the random numbers, on the device of the rows.
        pieces: Size of the vocabulary.
    """
    count, length = rows.shape
    device = rows.device
    guesses = max(round(_SHARE * (length - 2)), 1)
    order = torch.rand(count, length, generator=generator, device=device)
    marks = (rows == _FIRST) | (rows == _LAST)
    places = order.masked_fill(marks, -1.0).topk(guesses, dim=1).indices
    labels = rows.gather(1, places)
    chance = torch.rand(count, guesses, generator=generator, device=device)
    others = torch.randint(
        len(SPECIALS), pieces, (count, guesses), generator=generator, device=device
    )
    shown = torch.where(chance < _HIDDEN + _REPLACED, others, labels)
    shown = shown.masked_fill(chance < _HIDDEN, _MASK)
    return Masked(rows.scatter(1, places, shown), places, labels)
