# ruff: noqa: RUF001 - characters that look like others are the point
"""Segments that no translator wrote: every corner of Unicode that a reader lets through."""

import random

_PIECES = (
    # Words, so that something matches.
    *("the", "cat", "sat", "on", "a", "mat", "猫", "が", "座った", "кот", "chat", "Katze", "القط"),
    # Combining marks alone, stacked, and in both orders.
    *(
        "\u0301",
        "e\u0301",
        "é",
        "e" + "\u0300\u0316\u0334" * 12,
        "が",
        "か\u3099",
        "각",
        "\u1100\u1161",
    ),
    # Right to left, its controls, and what overrides it.
    *("שלום", "\u202e", "\u2067abc\u2069", "\u200f", "\u061c"),
    # Nothing to see.
    *("\u200b", "\u200c", "\u200d", "\ufeff", "\u00ad", "\u2060", "\u180e", "\u034f"),
    # Blanks and line ends that are not the usual ones.
    *(
        "\t",
        "\u00a0",
        "\u3000",
        "\u2028",
        "\u2029",
        "\x85",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x1f",
        " ",
        "  ",
    ),
    # Controls.
    *("\x01", "\x07", "\x08", "\x1b[31m", "\x7f", "\x9b"),
    # Emoji: joined, with skin, flags, tags, keycaps, variation selectors.
    *("👩‍🔬", "👍🏽", "🇯🇵", "🇯", "🏴\U000e0067\U000e0062\U000e007f", "1️⃣", "☺\ufe0e"),
    # Wide and narrow, circled, ligatures, fractions, mathematical letters.
    *("ＡＢＣ", "ｶﾞ", "ﾊﾝｶｸ", "①", "㌔", "ﬁ", "½", "𝔘𝔫𝔦", "ﷺ", "Ⅻ"),
    # Letters whose case has no simple answer.
    *("İ", "ı", "ß", "ẞ", "ŉ", "ǆ", "Σς", "ΐ"),
    # Numbers in many scripts.
    *(
        "1,234.5",
        "-0",
        "1e5",
        "٣٤",
        "४२",
        "三百二十",
        "\u3007",
        "²",
        "9" * 60,
        "1" + "0" * 400,
        "3:30",
    ),
    # Marks that regular expressions, formats and tokenizers treat apart.
    *(
        "...",
        "!!!",
        "''",
        "``",
        "&amp;",
        "&#65;",
        "<s>",
        "</s>",
        "[UNK]",
        "##",
        "@-@",
        "%s",
        "{0}",
        "$1",
    ),
    *(
        "\\",
        "|||",
        "'s",
        "don't",
        "U.S.A.",
        "http://a.b/c?d=e",
        "a@b.c",
        "A-B",
        "–",
        "「",
        "」",
        "。",
        "、",
    ),
    # Beyond the first plane, private, unassigned, not characters at all.
    *("𠮷", "\U0001f600", "\ue000", "\U0010ffff", "\ufffe", "\ufffd", "\u0378"),
    # Long.
    *("a" * 300, "漢" * 120, "ー" * 40, "-" * 80, "ab" * 90, "!?" * 40),
)
_JOINERS = ("", " ", " ", " ", "  ", "\u3000")
_LINE_ENDS = ("\n", "\r", "\r\n")
_SURROGATES = range(0xD800, 0xE000)


def any_text(rng: random.Random, *, one_line: bool = False) -> str:
    """Return a segment: pieces, random characters, or nothing.

    Args:
        rng: Where the choices come from.
        one_line: Whether it must fit into a line of a file: no line end, no NUL.
    """
    kind = rng.random()
    if kind < 0.04:
        return ""
    if kind < 0.2:
        return "".join(_any_character(rng) for _ in range(rng.randint(1, 25)))
    pieces = [rng.choice(_PIECES) for _ in range(rng.choice((1, 2, 3, 5, 8, 13)))]
    if not one_line and kind < 0.25:
        pieces.insert(rng.randint(0, len(pieces)), rng.choice(_LINE_ENDS))
    if kind > 0.97:
        pieces *= 12
    return rng.choice(_JOINERS).join(pieces)


def changed_text(text: str, rng: random.Random) -> str:
    """Return a neighbor of a segment: the same, words moved, dropped or replaced."""
    words = text.split(" ")
    kind = rng.randrange(5)
    if kind == 0:
        return text
    if kind == 1:
        rng.shuffle(words)
    elif kind == 2:
        words.insert(rng.randint(0, len(words)), rng.choice(_PIECES))
    elif kind == 3:
        words.pop(rng.randrange(len(words)))
    else:
        words[rng.randrange(len(words))] = rng.choice(_PIECES)
    return " ".join(words)


def _any_character(rng: random.Random) -> str:
    while True:
        end = rng.choice((0x80, 0x250, 0x3100, 0x10000, 0x110000))
        code = rng.randrange(1, end)
        if code not in _SURROGATES and code not in (10, 13):
            return chr(code)
