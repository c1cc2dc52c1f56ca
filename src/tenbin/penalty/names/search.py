"""Searches the names of one text in another, in any spelling."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tenbin.annotation.languages import parse_language
from tenbin.penalty.choices import NameSource
from tenbin.penalty.names.alike import AlikeNames
from tenbin.penalty.names.forms import (
    name_form,
    name_groups,
    read_text,
    stands_undivided,
    text_form,
)
from tenbin.penalty.names.lists import country_groups
from tenbin.penalty.names.recognition import name_spans, possible_spans
from tenbin.penalty.names.span import NameSpan
from tenbin.penalty.names.spelling import consonants, katakana_forms, other_kanji

UNSPACED = frozenset(("ja", "zh"))
"""Languages without spaces between words."""

# A shorter string may be part of a word by chance.
_SHORTEST_SUBSTRING = 4
_SHORTEST_READING = 2
_SHORTEST_KATAKANA = 4
_KATAKANA = re.compile("[\u30a1-\u30fa][\u30a1-\u30fa\u30fc・=\u2212-]*")
# What makes another form of an English name, and what may be written together with one.
_ENDINGS = frozenset(
    ("s", "es", "n", "an", "ian", "in", "i", "ish", "er", "ers", "ese", "ic", "ns")
)
_ENDINGS |= {"ans", "ians", "ist", "ists", "ite", "ites", "is", "ism", "land", "town", "ville"}
_BEGINNINGS = frozenset(("al", "el", "mc", "mac", "o", "de", "la", "le", "van", "von", "der", "st"))
_BEGINNINGS |= {"anti", "pro", "non", "trans", "ex"}
_HAN = "[㐀-鿿々]"
# What follows the sign of a country: 米大統領.
_SIGNED = (
    "大統領|首相|外相|政府|軍|国|議会|紙|企業|当局|国防|海軍|陸軍|空軍|証券|連邦|国務|下院|上院"
)
_LATIN = re.compile("[A-Za-z]{2,}")
_MOST_PLACES = 50
# Names of a text that are searched by more than a look at its words; a text with more of them that
# the other lacks has lost its score already.
_MOST_SEARCHED = 1000


@dataclass(frozen=True)
class NamedText:
    """A text with its names, prepared for the search of others in it.

    Attributes:
        text: The text.
        code: Its language.
        spans: Its names.
        possible: Its words that may be names.
    """

    text: str
    code: str
    spans: tuple[NameSpan, ...]
    possible: tuple[NameSpan, ...] = ()

    @cached_property
    def form(self) -> str:
        """The text in the form of names."""
        return text_form(self.text, self.code)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its form."""
        return frozenset(self.form.split())

    @cached_property
    def joined(self) -> str:
        """Its form without spaces."""
        return _joined(self.form)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its names, each once."""
        return tuple(dict.fromkeys(span.text for span in self.spans))

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Its names, to look one up."""
        return frozenset(self.names)

    @cached_property
    def small_names(self) -> frozenset[str]:
        """Its names in small letters."""
        return frozenset(name.lower() for name in self.names)

    @cached_property
    def name_lengths(self) -> tuple[int, ...]:
        """The lengths of its names, each once."""
        return tuple(sorted({len(name) for name in self.names}))

    @cached_property
    def places(self) -> dict[NameSpan, int]:
        """The place of each name among `spans`."""
        return {span: place for place, span in reversed(list(enumerate(self.spans)))}

    def beside(self, span: NameSpan) -> tuple[NameSpan, ...]:
        """Return the names before and after one of its names."""
        place = self.places[span]
        return (*self.spans[max(place - 1, 0) : place], *self.spans[place + 1 : place + 2])

    @cached_property
    def starts(self) -> list[int]:
        """Where its words begin in `joined`."""
        starts, at = [], 0
        for word in self.form.split():
            starts.append(at)
            at += len(_joined(word))
        return starts

    @cached_property
    def katakana(self) -> str:
        """Its words in katakana, in all their forms, between bars."""
        runs = dict.fromkeys(_KATAKANA.findall(self.text))
        parts = dict.fromkeys(part for run in runs for part in (run, *run.split("・")))
        return "|".join(
            ["", *(form for part in parts for form in sorted(katakana_forms(part))), ""]
        )

    @cached_property
    def sounds(self) -> tuple[frozenset[str], frozenset[str]]:
        """The consonants of its words in Latin letters, and of those in katakana."""
        words = (_LATIN.findall(self.text), _KATAKANA.findall(self.text))
        latin, kana = (frozenset(map(consonants, set(found))) for found in words)
        return latin - {""}, kana - {""}

    def missing(self, other: "NamedText") -> list[NameSpan]:
        """Return the names that another text lacks."""
        verdicts: dict[str, bool] = {}
        lacking: list[NameSpan] = []
        for span in self.spans:
            if span.text not in verdicts:
                thorough = len(verdicts) < _MOST_SEARCHED or len(lacking) < _MOST_SEARCHED
                verdicts[span.text] = other.has(span.text, thorough=thorough)
            if not verdicts[span.text]:
                lacking.append(span)
        return lacking

    def has(self, name: str, *, thorough: bool = True) -> bool:
        """Return whether the text has a name, in some spelling or as another common name.

        Args:
            name: The name.
            thorough: Whether to look further than at the words of the text.
        """
        if self.code in UNSPACED:
            if name in self.text:
                return True
        elif name_form(name, self.code) in self.words:
            return True
        if not thorough:
            return False
        found = self._has_written(name) if self.code in UNSPACED else self._has_words(name)
        return found or self._alike.has(name) or self._has_other_name(name)

    def _has_written(self, name: str) -> bool:
        """Return whether a text without spaces has a name in another spelling."""
        form = name_form(name, self.code)
        if self.code == "zh":
            return len(form) >= _SHORTEST_READING and form in self.form
        spelled = katakana_forms(name)
        if any(f"|{one}|" in self.katakana for one in spelled):
            return True
        if any(len(one) >= _SHORTEST_KATAKANA and one in self.katakana for one in spelled):
            return True
        if len(form) >= _SHORTEST_READING and form in self.form:
            read = read_text(self.text)
            if any(not other_kanji(name, one) for one in read.written(form, _MOST_PLACES)):
                return True
        sound = consonants(name)
        if sound and sound in self.sounds[name.isascii()]:
            return True
        return stands_undivided(name, self.text)

    def _has_words(self, name: str) -> bool:
        """Return whether a text has a name as words or inside one: Hong Kong, al-Qaeda."""
        form = _joined(name_form(name, self.code))
        if len(form) < _SHORTEST_SUBSTRING:
            return f" {name_form(name, self.code)} " in self.form
        if self.code != "en":
            return form in self.joined
        return any(self._is_word(at, at + len(form)) for at in _places(form, self.joined))

    def _is_word(self, start: int, stop: int) -> bool:
        """Return whether a range of `joined` is words, or all of a word but an ending."""
        place = bisect_right(self.starts, start) - 1
        first = self.starts[place]
        after = bisect_right(self.starts, stop - 1)
        end = self.starts[after] if after < len(self.starts) else len(self.joined)
        before, rest = self.joined[first:start], self.joined[stop:end]
        return (not before or before in _BEGINNINGS) and (len(rest) <= 1 or rest in _ENDINGS)

    @cached_property
    def _alike(self) -> AlikeNames:
        return AlikeNames(self.names[:_MOST_SEARCHED], self.code)

    @cached_property
    def _groups(self) -> frozenset[int]:
        """The groups of all its names for the same thing."""
        others = self.names if self.code in UNSPACED else self.words
        return frozenset().union(*(name_groups(other, self.code) for other in others))

    def _has_other_name(self, name: str) -> bool:
        """Return whether the text has another name for the same thing."""
        if self.code == "ja" and self._has_country(name):
            return True
        groups = name_groups(name, self.code)
        return bool(groups and groups & self._groups)

    def _has_country(self, name: str) -> bool:
        """Return whether the text has a country by another name or sign: ドイツ軍, 独軍."""
        for country, rest in ((name, ""), (name[:1], name[1:])):
            group = country_groups().get(country, ())
            if not group or (rest and country != group[-1]):
                continue
            if any(full + rest in self.text for full in group[:-1] if full != country):
                return True
            if not rest and any(_signed(other, group[-1]) for other in self.names):
                return True
            sign = group[-1]
            if not rest and re.search(f"(?<!{_HAN}){sign}(?:{_SIGNED}|(?!{_HAN}))", self.text):
                return True
        return False


def _signed(name: str, sign: str) -> bool:
    """Return whether a name is that of something of a country: 独軍."""
    return (name.startswith(sign) and name not in country_groups()) or name == sign


@lru_cache(maxsize=20_000)
def named_text(text: str, language: str, source: NameSource) -> NamedText:
    """Return a text with its names."""
    spans = name_spans(text, language, source)
    possible = possible_spans(text, language, source)
    return NamedText(text, parse_language(language).code, spans, possible)


def _joined(form: str) -> str:
    return "".join(character for character in form if character.isalnum())


def _places(part: str, text: str) -> Iterator[int]:
    """Yield where a text has a part, the first places."""
    at = text.find(part)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(part, at + 1)
