"""What a judgment counts: rows and pairs are drawn with a chance in proportion to their weight."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tenbin.building.metric.judged_texts import JudgedBlock
from tenbin.core.errors import UsageError

TEACHER, TABLE = "teacher", "table"
MANY_RATERS, TEACHER_WEIGHT, EXPERTS, CROWD = 6.0, 3.0, 1.5, 0.0
"""Weights found on WMT14 to WMT23 into English: segment scores that are means of many raters,
scores of other metrics, experts and rankings, and single ratings of a crowd."""
MOST = 1_000.0


def usual_weight(
    kind: str, *, systems: int, has_crowd: bool = False, post_edited: bool = False
) -> float:
    """Return what a judgment of a kind counts unless it is said otherwise.

    Direct assessments of one translation per segment are means of many raters; where many systems
    are judged, few raters saw each translation. A reference that is a corrected hypothesis tells
    how much was corrected, not how good other translations are.

    Args:
        kind: The kind of judgment.
        systems: Number of systems that were judged.
        has_crowd: Whether the set has direct assessments of many systems.
        post_edited: Whether the reference was made from the hypothesis.
    """
    if kind == TEACHER:
        return TEACHER_WEIGHT
    if kind == TABLE:
        return MANY_RATERS
    if kind.startswith("da"):
        crowd = has_crowd if kind == "darr" else systems > 1
        if crowd or post_edited:
            return CROWD
        return EXPERTS if kind == "darr" else MANY_RATERS
    return EXPERTS


def parsed_weights(given: Sequence[str]) -> dict[str, float]:
    """Return weights by name, from texts such as ``wmt16=6``.

    Raises:
        UsageError: Another form, or a number below 0 or too large.
    """
    found: dict[str, float] = {}
    for text in given:
        name, equals, amount = text.rpartition("=")
        try:
            weight = float(amount)
        except ValueError:
            weight = -1.0
        if not (equals and name and 0 <= weight <= MOST):
            raise UsageError(
                f"weight {text!r}: expected NAME=NUMBER with a number from 0 to {MOST:g}, such as "
                "wmt16=6, mqm=1.5 or wmt21:darr=0.3."
            )
        found[name] = weight
    return found


def weighted(
    blocks: Sequence[JudgedBlock], given: Mapping[str, float]
) -> tuple[list[tuple[JudgedBlock, float]], list[str]]:
    """Return the weight of each block, and notes on those that do not count.

    Args:
        blocks: The judgments.
        given: Weights by the beginning of a set's name, with ``:KIND`` or without, or by kind; the
            most exact one counts. A weight of a set is that of human judgments, not of teachers.

    Raises:
        UsageError: A name fits nothing.
    """
    unused = set(given)
    found = []
    for block in blocks:
        names = [name for name in given if _fits(name, block)]
        unused -= set(names)
        names.sort(key=lambda name: (":" in name, name != block.kind, len(name)))
        found.append((block, given[names[-1]] if names else block.usual_weight))
    if unused:
        kinds = ", ".join(dict.fromkeys(block.title for block in blocks))
        raise UsageError(f"weight of {', '.join(sorted(unused))}: no such judgments among {kinds}.")
    notes = []
    if not any(weight for _, weight in found) and not given:
        found = [(replace(block, usual_weight=1.0), 1.0) for block, _ in found]
        notes.append(
            "single ratings of a crowd, or of post-edited text, which do not count beside others: "
            "they are all there is, so that they do."
        )
    silent = [block.title for block, weight in found if not weight]
    if silent:
        notes.append(f"not trained on, having the weight 0 (`weights`): {', '.join(silent)}.")
    return found, notes


def _fits(name: str, block: JudgedBlock) -> bool:
    place, colon, kind = name.partition(":")
    if colon:
        return block.place.startswith(place) and kind == block.kind
    return name == block.kind or (block.kind != TEACHER and block.place.startswith(name))
