"""Finds the names of people, places and organizations in a text."""

import re
from functools import lru_cache
from importlib import import_module
from typing import Any

from tenbin.annotation.languages import parse_language
from tenbin.core.errors import ResourceError, UsageError
from tenbin.penalty.choices import NameSource, settled_source
from tenbin.penalty.names.capitals import capitalized_spans
from tenbin.penalty.names.chinese import chinese_name_ranges
from tenbin.penalty.names.forms import readable
from tenbin.penalty.names.japanese import is_number, japanese_names
from tenbin.penalty.names.lists import entity_kinds
from tenbin.penalty.names.span import NameSpan
from tenbin.resources.jieba_words import load_tagged_words
from tenbin.resources.lexicons.sudachi import load_sudachi

_HONORIFIC = re.compile("(?:さん|様|さま|氏|君|くん|ちゃん|殿|先生|社)$")


def proper_noun_versions(language: str) -> tuple[tuple[str, str], ...]:
    """Return the libraries behind ``propn`` and their versions.

    Raises:
        MissingExtra: They are not installed.
    """
    chinese = parse_language(language).code == "zh"
    return load_tagged_words().versions if chinese else load_sudachi().versions


@lru_cache(maxsize=100_000)
def name_spans(text: str, language: str, source: NameSource) -> tuple[NameSpan, ...]:
    """Return the names of a text.

    >>> [name.text for name in name_spans("Mr Tanaka met Smith in May.", "en", NameSource.CAPITALS)]
    ['Tanaka', 'Smith']
    >>> [name.text for name in name_spans("齊藤さんは東京にいる。", "ja", NameSource.PROPN)]
    ['齊藤', '東京']
    >>> [name.text for name in name_spans("王小明在上海工作。", "zh", NameSource.PROPN)]
    ['王小明', '上海']

    Raises:
        UsageError: The source does not support the language, or needs a dictionary (``rare``).
        ResourceError: A library or dictionary of the source is not installed.
    """
    settled = settled_source(source, language)
    if settled is NameSource.RARE:
        raise UsageError("rare tokens are found by a dictionary, not from a text alone.")
    if settled is NameSource.GLOSSARY:
        return ()
    code = parse_language(language).code
    if settled is NameSource.PROPN and code == "zh":
        ranges = chinese_name_ranges(text)
        return tuple(NameSpan(start, stop, text[start:stop]) for start, stop in ranges)
    if settled is NameSource.PROPN:
        return japanese_names(text).spans
    if settled is NameSource.NER:
        return _entities(text)
    return capitalized_spans(text, code)


def possible_spans(text: str, language: str, source: NameSource) -> tuple[NameSpan, ...]:
    """Return the words of a text that may be names, in Japanese by part of speech; else none."""
    japanese = parse_language(language).code == "ja"
    if not japanese or settled_source(source, language) is not NameSource.PROPN:
        return ()
    return japanese_names(text).possible


def _entities(text: str) -> tuple[NameSpan, ...]:
    kinds = entity_kinds()
    # Sudachi lists few names in older forms of kanji; the forms are of the same length.
    found = [one for one in _ginza()(readable(text)).ents if one.label_ in kinds]
    spans = []
    for one in found:
        surface = text[one.start_char : one.end_char]
        bare = _HONORIFIC.sub("", surface) or surface
        if any(map(str.isalpha, bare)) and not is_number(bare):
            spans.append(NameSpan(one.start_char, one.start_char + len(bare), bare))
    return tuple(spans)


@lru_cache(maxsize=1)
def _ginza() -> Any:  # noqa: ANN401 - spaCy's pipelines are built at run time
    try:
        return import_module("spacy").load("ja_ginza")
    except Exception as error:  # spaCy and SudachiPy raise errors of many types
        raise ResourceError(
            "names=ner needs GiNZA, which no extra of Tenbin has because it pins an old Sudachi: "
            "pip install ja-ginza 'sudachipy<0.7' 'sudachidict-core==20260723'. Or choose "
            f"names=propn, Sudachi's proper nouns. Found: {error}"
        ) from error
