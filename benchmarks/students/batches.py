"""Batches of rows that are alike long, and steps that are drawn while others are computed."""

import queue
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from benchmarks.students.arrays import IntArray

Item = TypeVar("Item")

_ANSWER = 0.1  # seconds until the thread sees that nobody waits for it


def cuts(order: IntArray, widths: IntArray, counts: IntArray, budget: int) -> list[IntArray]:
    """Return the batches that units make in an order, each of about so many subwords.

    Args:
        order: Places of units, the ones that are alike long beside each other.
        widths: How long the rows of each unit are.
        counts: How many rows it has.
        budget: Most subwords of a batch, padding included; a unit that is larger stays alone.
    """
    found, start, rows, longest = [], 0, 0, 0
    ordered = zip(order.tolist(), widths[order].tolist(), counts[order].tolist(), strict=True)
    for place, (_, width, count) in enumerate(ordered):
        longest = max(longest, width)
        if place > start and (rows + count) * longest > budget:
            found.append(order[start:place])
            start, rows, longest = place, 0, width
        rows += count
    if len(order):
        found.append(order[start:])
    return found


def sorted_cuts(lengths: IntArray, budget: int) -> list[IntArray]:
    """Return batches of rows, from the shortest to the longest.

    Args:
        lengths: How many subwords each row has, without special tokens.
        budget: Most subwords of a batch.
    """
    order = np.argsort(lengths, kind="stable").astype(np.int64)
    widths = -(-(lengths + 4) // 8) * 8
    return cuts(order, widths, np.ones_like(lengths), budget)


@dataclass(frozen=True, slots=True)
class _End:
    """What a thread says last.

    Attributes:
        error: What was raised in it.
    """

    error: BaseException | None = None


def drawn_ahead(items: Iterable[Item], most: int) -> Iterator[Item]:
    """Yield items that a thread makes while others are used.

    Args:
        items: May be endless.
        most: Items that are waiting at a time.

    Yields:
        The items in their order; what is raised in the thread is raised here.
    """
    waiting: queue.Queue[Item | _End] = queue.Queue(most)
    ended = threading.Event()
    thread = threading.Thread(target=_fill, args=(items, waiting, ended), daemon=True)
    thread.start()
    try:
        while not isinstance(item := waiting.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        ended.set()
        thread.join()


def _fill(
    items: Iterable[Item], waiting: "queue.Queue[Item | _End]", ended: threading.Event
) -> None:
    end = _End()
    try:
        for item in items:
            _put(item, waiting, ended)
            if ended.is_set():
                return
    except Exception as error:  # noqa: BLE001 - raised again in the other thread
        end = _End(error)
    _put(end, waiting, ended)


def _put(item: Item, waiting: "queue.Queue[Item]", ended: threading.Event) -> None:
    """Wait for room, unless nobody takes anything any more."""
    while not ended.is_set():
        try:
            waiting.put(item, timeout=_ANSWER)
        except queue.Full:
            continue
        return
