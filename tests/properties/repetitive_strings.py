"""Runs every pattern of Tenbin over repetitive strings; a program of its own, for a limit of time.

Called with the sizes of the strings in characters. It prints the number of patterns.
"""

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import tenbin
from tenbin.annotation.tokenizers import load_tokenizer, tokenizer_names
from tenbin.penalty.choices import Penalty
from tenbin.penalty.names.capitals import capitalized_spans
from tenbin.penalty.numbers.patterns import number_patterns
from tenbin.penalty.texts import TextPenalty

ROOMS = ("tenbin.penalty", "tenbin.annotation", "tenbin.formats", "tenbin.resources", "tenbin.core")
LANGUAGES = ("en", "ja", "zh", "ko", "de", "fr", "ru", "hi", "th", "ar")
UNITS = (
    "1,1,",
    "1 000 ",
    "a.a.",
    "A A ",
    "・",
    "一",
    "m",
    "(",
    " ",
    "1-",
    "カー",
    "0 ",
    '…"',
    "<a",
    "&",
)
UNITS_OF_LONG = ("1,", "A A ", "一", "m", " ")
LONG = 500_000
REPEATS = (parser.MAX_REPEAT, parser.MIN_REPEAT, parser.POSSESSIVE_REPEAT)


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the patterns that modules keep, with their names."""
    for found in walk_packages(tenbin.__path__, "tenbin."):
        if found.name.startswith(ROOMS):
            try:
                module = import_module(found.name)
            except ImportError:  # an extra that is not installed
                continue
            for name, value in vars(module).items():
                for one in _kept(value):
                    yield f"{found.name}.{name}", one
    for language in LANGUAGES:
        known = number_patterns(language)
        yield f"numbers {language}", known.any
        for kind, one in known.parts.items():
            yield f"numbers {language} {kind}", one


def _kept(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _kept(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _kept(one)


def nested(pattern: str, flags: int) -> bool:
    """Return whether a pattern repeats without limit what is itself only a repetition: (a+)+."""
    return any(_is_nested(item) for item in parser.parse(pattern, flags))


def _is_nested(item: tuple[object, Any]) -> bool:
    operation, value = item
    if operation in REPEATS and value[1] is parser.MAXREPEAT:
        body = list(value[2])
        while len(body) == 1 and body[0][0] is parser.SUBPATTERN:
            body = list(body[0][1][-1])
        if len(body) == 1 and body[0][0] in REPEATS and body[0][1][1] is parser.MAXREPEAT:
            return True
    return any(_is_nested(one) for part in _parts(value) for one in part)


def _parts(value: object) -> Iterator[Any]:
    if isinstance(value, parser.SubPattern):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _parts(one)


def main() -> None:
    """Read numbers and names in repetitive strings, and check all patterns for nesting."""
    known = {one.pattern: (name, one) for name, one in patterns()}
    guilty = [name for name, one in known.values() if nested(one.pattern, one.flags)]
    if guilty:
        sys.exit(f"nested repetitions: {guilty}")
    used = [number_patterns(language).any for language in LANGUAGES]
    for size in map(int, sys.argv[1:]):
        for unit in UNITS_OF_LONG if size >= LONG else UNITS:
            text = (unit * (size // len(unit) + 1))[:size]
            for one in used[:2] if size >= LONG else used:
                sys.stderr.write(f"{size} {unit!r}\n")
                for _ in one.finditer(text):
                    pass
            if size < LONG:
                for language in ("en", "ja"):
                    TextPenalty(penalty=Penalty.NUMBERS, language=language).factors(text, unit)
                capitalized_spans(text, "en")
                for name in ("13a", "intl"):
                    if name in tokenizer_names():
                        load_tokenizer(name).tokenize(text)
    sys.stdout.write(f"{len(known)}\n")


if __name__ == "__main__":
    main()
