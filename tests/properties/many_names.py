"""Compares texts of very many names; a program of its own, for a limit of time.

Called with the number of names. It prints how many texts were compared.
"""

import sys
from collections.abc import Callable, Iterator
from random import Random

import numpy as np

from tenbin.penalty.choices import Penalty
from tenbin.penalty.names.comparison import marked_tokens
from tenbin.penalty.names.span import NameSpan
from tenbin.penalty.texts import TextPenalty

SYLLABLES = ("ka", "ro", "mi", "ten", "sul", "bar", "gor", "vin", "del", "mar", "tos", "lan", "fer")
KATAKANA = "アカサタナハマヤラワリルレロキクケコ"
KANJI = "魔晄炉斎藤渡辺邊田中山川東西南北島崎谷沢"


def latin(random: Random) -> str:
    """Return a name that is in no dictionary."""
    return "".join(random.choices(SYLLABLES, k=3)).capitalize()


def pair(random: Random) -> str:
    """Return a name of two words."""
    return f"{latin(random)} {latin(random)}"


def abbreviation(random: Random) -> str:
    """Return a name of capitals."""
    return "".join(random.choices("ABCDEFGHIJKLMNOP", k=5))


def foreign(random: Random) -> str:
    """Return a name in katakana."""
    return "".join(random.choices(KATAKANA, k=4))


def coined(random: Random) -> str:
    """Return a name that Sudachi splits."""
    return "".join(random.choices(KANJI, k=3))


KINDS: tuple[tuple[str, Callable[[Random], str]], ...] = (
    ("en", latin),
    ("en", pair),
    ("en", abbreviation),
    ("fr", latin),
    ("ja", foreign),
    ("ja", coined),
)


def texts(count: int) -> Iterator[tuple[str, str, str]]:
    """Yield languages with two texts, which share half of their names."""
    random = Random(1)  # noqa: S311 - names, no secrets
    for language, make in KINDS:
        names = [make(random) for _ in range(count)]
        others = [name if random.random() < 1 / 2 else make(random) for name in names]
        joint = "{}は" if language == "ja" else "near {} "
        own, other = ("".join(map(joint.format, some)) for some in (names, others))
        yield language, own, other


def main() -> None:
    """Compare texts with as many names as were asked for."""
    count = int(sys.argv[1])
    compared = 0
    for language, one, other in texts(count):
        sys.stderr.write(f"{language} {one[:40]}\n")
        TextPenalty(penalty=Penalty.BOTH, language=language).factors(one, other)
        compared += 1
    spans = [NameSpan(10 * place, 10 * place + 5, "Smith") for place in range(count)]
    places = [(5 * place, 5 * place + 3) for place in range(2 * count)]
    expected = np.arange(2 * count) % 2 == 0
    if not np.array_equal(marked_tokens(spans, places), expected):
        sys.exit("tokens are marked wrongly")
    sys.stdout.write(f"{compared}\n")


if __name__ == "__main__":
    main()
