"""Why words are linked, in sentences: what an explanation lists below its drawing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.counting import counted
from tenbin.reports.alignment_drawing import LETTERS, UNMATCHED
from tenbin.reports.grid import printable

# Kinds of words that are near each other rather than of one meaning.
_NEAR = {MatchKind.VECTOR, MatchKind.CONTEXT, MatchKind.SPELLING}
# Where every word is linked with every word, a reader wants the links that matter most.
_MOST_LINKS = 10


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of the list.

    Attributes:
        mark: The letter of the kind of match; a dot for words without any, a blank for others.
        text: What is said, fit for output.
        kind: The kind of match; None for words without any.
    """

    mark: str
    text: str
    kind: MatchKind | None = None


def reasons(alignment: Alignment, compared_with: str) -> list[Reason]:
    """Return why words are linked, equal words first, and which words are not.

    Args:
        alignment: The links.
        compared_with: What the translation was compared with: ``reference`` or ``source``.
    """
    exact = [match for match in alignment.matches if _is_plainly_equal(match)]
    others = [match for match in alignment.matches if not _is_plainly_equal(match)]
    found = []
    if exact:
        equal = [_words(alignment, match)[0] for match in exact]
        words = " ".join(equal if alignment.exclusive else dict.fromkeys(equal))
        kind = MatchKind.EXACT
        found.append(Reason(LETTERS[kind], f"the same word: {words}", kind))
    return [*found, *_of_others(alignment, others), *_left_over(alignment, compared_with)]


def _of_others(alignment: Alignment, others: list[Match]) -> list[Reason]:
    most = len(others)
    if not alignment.exclusive:
        others = sorted(others, key=_importance, reverse=True)
        most = _MOST_LINKS
    # Words that stand several times are linked several times in the same way.
    said = list(Counter(_said(alignment, match) for match in others).items())
    found = [
        Reason(LETTERS[kind], text + (f" ({count} times)" if count > 1 else ""), kind)
        for (kind, text), count in said[:most]
    ]
    left = sum(count for _, count in said[most:])
    if left:
        found.append(Reason(" ", f"and {counted(left, 'more link')}, all in the JSON form"))
    return found


def _left_over(alignment: Alignment, compared_with: str) -> list[Reason]:
    sides = (
        ("translation", alignment.hypothesis, [match.hypothesis for match in alignment.matches]),
        (compared_with, alignment.reference, [match.reference for match in alignment.matches]),
    )
    found = []
    for name, tokens, spans in sides:
        alone = _unmatched(tokens, spans)
        if alone:
            text = f"only in the {name}: {printable(' '.join(alone))}"
            found.append(Reason(UNMATCHED, text))
    return found


def _said(alignment: Alignment, match: Match) -> tuple[MatchKind, str]:
    here, there = _words(alignment, match)
    said = f"{here} {'~' if match.kind in _NEAR else '='} {there}"
    evidence = printable(match.evidence)
    # A phrase table has no more to say than the two phrases and its own name.
    return match.kind, evidence if evidence.startswith(said) else f"{said}: {evidence}"


def _is_plainly_equal(match: Match) -> bool:
    """Return whether a link needs no more to be said than that the words are the same."""
    return match.kind is MatchKind.EXACT and not match.cost


def _importance(match: Match) -> float:
    """Return what a link adds to the cost, where weights are moved, or else its similarity."""
    if match.mass is None or match.cost is None:
        return match.similarity
    return match.mass * match.cost


def _words(alignment: Alignment, match: Match) -> tuple[str, str]:
    own, other = match.hypothesis, match.reference
    return (
        printable(" ".join(alignment.hypothesis[own.start : own.stop])),
        printable(" ".join(alignment.reference[other.start : other.stop])),
    )


def _unmatched(tokens: Sequence[str], spans: Sequence[Span]) -> list[str]:
    taken = {place for span in spans for place in range(span.start, span.stop)}
    return [token for place, token in enumerate(tokens) if place not in taken]
