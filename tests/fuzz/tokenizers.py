"""Every tokenizer on any text: tokens without blanks, the same each time, nothing invented."""

import random
from pathlib import Path

from tests.fuzz.texts import any_text

from tenbin.annotation.tokenizers import (
    METEOR_TOKENIZERS,
    load_tokenizer,
    tercom_name,
    tokenizer_names,
)

_OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
TOKENIZERS = (
    *tokenizer_names(),
    "chrf-words",
    tercom_name(**dict.fromkeys(_OPTIONS, False)),
    tercom_name(**dict.fromkeys(_OPTIONS, True)),
    *(f"{name}:{language}" for name in METEOR_TOKENIZERS for language in ("en", "fr", "ru")),
    "meteor-lower:ja",
)
# These replace characters: entities, wide forms, quotation marks.
_KEEP_CHARACTERS = frozenset({"none", "char", "jieba", "sudachi-a", "sudachi-b", "sudachi-c"})


def try_tokenizer(name: str, rng: random.Random, _folder: Path) -> object:
    """Cut a text."""
    text = any_text(rng)
    tokens = load_tokenizer(name).tokenize(text)
    assert tokens == load_tokenizer(name).tokenize(text)
    # METEOR 1.5 is a program in Java, which splits at ASCII blanks alone.
    is_blank = " \t\n\r".__contains__ if name.startswith("meteor") else str.isspace
    assert all(token and not any(map(is_blank, token)) for token in tokens), tokens
    if name in _KEEP_CHARACTERS:
        assert "".join(tokens) == "".join(text.split()), (text, tokens)
    if text.isascii() and text.isalpha():
        assert "".join(tokens).lower() == text.lower()
    "".join(tokens).encode("utf-8")
    return tokens
