"""Which segments have numbers and names, and which translations get them wrong.

The comparison is that of the penalty for wrong names and numbers. It takes about a millisecond per
translation, so that of many translations only those are compared that seem to differ.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from tenbin.annotation.languages import parse_language
from tenbin.core.counting import counted
from tenbin.core.errors import ResourceError, TenbinError
from tenbin.core.report import Flag, FlagKind
from tenbin.core.text import TestSet
from tenbin.penalty.choices import NameSource, Penalty, settled_source
from tenbin.penalty.texts import TextPenalty, WrongSpan

MOST_COMPARED = 2_000
"""Translations that are compared with their references."""
MOST_SEARCHED = 2_500
"""References that are searched for numbers and names."""

_DIGITS = re.compile(r"\d+")
# Words that may be names: a capital, or two signs of katakana.
_NAME_LIKE = re.compile(r"(?<=\s)[^\W\d_a-z]\w+|[ァ-ヺー]{2,}")
_DIGITS_COUNT = 2


class WrongParts(NamedTuple):
    """What was found of numbers and names.

    Attributes:
        has_number: Whether each reference has a number; None where that is not known.
        has_name: Whether it has a name; None where that is not known.
        flags: Wrong numbers and names, system by system.
        notes: What was not looked for.
    """

    has_number: tuple[bool, ...] | None
    has_name: tuple[bool, ...] | None
    flags: tuple[Flag, ...]
    notes: tuple[str, ...]


def wrong_parts(
    texts: TestSet,
    language: str,
    *,
    most_compared: int = MOST_COMPARED,
    most_searched: int = MOST_SEARCHED,
) -> WrongParts:
    """Return the numbers and names of the first references that systems get wrong.

    Args:
        texts: The texts; without references nothing can be wrong.
        language: The target language.
        most_compared: At most so many translations are compared.
        most_searched: Whether references have numbers and names is told of at most so many.
    """
    if not texts.has_references:
        return WrongParts(None, None, (), ())
    try:
        return _found(texts, language, _name_source(language), most_compared, most_searched)
    except ResourceError as missing:
        # Lists of words are asked for when a text has a word that may be a name.
        found = _found(texts, language, None, most_compared, most_searched)
        return found._replace(notes=(f"wrong names are not marked: {missing}", *found.notes))


def _found(
    texts: TestSet,
    language: str,
    names: NameSource | None,
    most_compared: int,
    most_searched: int,
) -> WrongParts:
    references = [some[0] for some in texts.references]
    notes: list[str] = []
    has_number = has_name = None
    if len(references) <= most_searched:
        has_number = _searched(references, _number_finder(language))
        has_name = None if names is None else _searched(references, _name_finder(language, names))
    else:
        notes.append(
            "which segments have numbers and names is not shown: that is looked for in at most "
            f"{counted(most_searched, 'segment')}."
        )
    penalty = TextPenalty(
        penalty=Penalty.NUMBERS if names is None else Penalty.BOTH,
        language=language,
        names=NameSource.AUTO if names is None else names,
    )
    every = len(references) * len(texts.systems)
    places = list(
        islice(_by_suspicion(texts, references, ordered=every > most_compared), most_compared)
    )
    if every > most_compared:
        notes.append(
            f"wrong numbers and names were looked for in {most_compared:,} of "
            f"{counted(every, 'translation')}, first in those whose digits and capitals differ "
            "from the reference."
        )
    systems = list(texts.hypotheses.values())
    flags = [
        flag
        for system, segment in sorted(places)
        for flag in _flags(penalty, systems[system][segment], references[segment], system, segment)
    ]
    return WrongParts(has_number, has_name, tuple(flags), tuple(notes))


def _name_source(language: str) -> NameSource | None:
    """Return what tells names from words in a language; None where nothing does."""
    from tenbin.penalty.names.recognition import name_spans  # noqa: PLC0415 - slow

    try:
        source = settled_source(NameSource.AUTO, language)
        name_spans("", language, source)
        TextPenalty(penalty=Penalty.NAMES, language=language, names=source).factors("A b.", "A c.")
    except TenbinError:
        return None
    return source


def _searched(references: Sequence[str], found_in: Callable[[str], bool]) -> tuple[bool, ...]:
    return tuple(found_in(text) for text in references)


def _number_finder(language: str) -> Callable[[str], bool]:
    from tenbin.penalty.numbers.recognition import numbers  # noqa: PLC0415 - slow

    code = parse_language(language).code
    return lambda text: any(
        one.firm or any(map(str.isdigit, one.text)) for one in numbers(text, code)
    )


def _name_finder(language: str, source: NameSource) -> Callable[[str], bool]:
    from tenbin.penalty.names.recognition import name_spans  # noqa: PLC0415 - slow

    return lambda text: any(one.firm for one in name_spans(text, language, source))


def _by_suspicion(
    texts: TestSet, references: Sequence[str], *, ordered: bool
) -> Iterator[tuple[int, int]]:
    """Yield systems and segments, those first whose digits and capitals differ from references."""
    places = [
        (system, segment)
        for system in range(len(texts.systems))
        for segment in range(len(references))
    ]
    if not ordered:
        yield from places
        return
    digits = [Counter(_DIGITS.findall(text)) for text in references]
    names = [set(_NAME_LIKE.findall(text)) for text in references]
    systems = list(texts.hypotheses.values())

    def agreement(place: tuple[int, int]) -> int:
        system, segment = place
        text = systems[system][segment]
        own = Counter(_DIGITS.findall(text))
        differing = (own - digits[segment]).total() + (digits[segment] - own).total()
        return -_DIGITS_COUNT * differing - sum(name not in text for name in names[segment])

    yield from sorted(places, key=agreement)


def _flags(
    penalty: TextPenalty, hypothesis: str, reference: str, system: int, segment: int
) -> Iterator[Flag]:
    if hypothesis == reference:
        return
    findings = penalty.factors(hypothesis, reference).findings
    for kind in FlagKind:
        own = [one for one in findings if one.is_number == (kind is FlagKind.NUMBER)]
        for found, expected in _paired(own):
            yield Flag(system=system, segment=segment, kind=kind, found=found, expected=expected)


def _paired(findings: Sequence[WrongSpan]) -> Iterator[tuple[str | None, str | None]]:
    """Yield what was found and what was expected, together where there is one of each."""
    extra = [one.text for one in findings if not one.of_reference]
    missing = [one.text for one in findings if one.of_reference]
    if len(extra) == len(missing) == 1:
        yield extra[0], missing[0]
        return
    yield from ((text, None) for text in extra)
    yield from ((None, text) for text in missing)
