"""Names that are spelled alike: which of many names are spellings of one.

A text of thousands of words may have a thousand names, and a million pairs of them would be
compared letter by letter. So few of the names are compared with one: those that share with it what
spellings of one name always share.
"""

from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from tenbin.penalty.names.comparison import agreement
from tenbin.penalty.names.forms import known_things, name_form
from tenbin.penalty.names.spelling import (
    first_sound,
    is_heard_alike,
    is_transcription,
    katakana_forms,
    other_accents,
    other_kanji,
)

# Spellings of one name differ in one letter of five; more is another name (Anna, Anne; 坂本, 岡本).
_SAME_NAME = 0.8
# Lower where names are declined: Иванов, Иванова, Иванову.
_SAME_DECLINED_NAME = 0.7
_UNDECLINED = frozenset(
    ("da", "en", "es", "fr", "id", "it", "ja", "nb", "nl", "no", "pt", "sv", "zh")
)
_FEW = 20  # names that are compared one by one
_ROUNDING = 0.01


class AlikeNames:
    """The names of a text, to be asked for spellings of another."""

    def __init__(self, names: Sequence[str], code: str) -> None:
        self._names = names
        self._code = code
        self._keys: dict[object, list[str]] | None = None

    def has(self, name: str) -> bool:
        """Return whether one of the names is a spelling of another name.

        >>> AlikeNames(["Tolstoi"], "en").has("Tolstoy")
        True
        """
        others: Iterable[str] = self._names
        if len(self._names) > _FEW:
            others = self._near(name)
        return any(is_same_name(name, other, self._code) for other in others)

    def _near(self, name: str) -> Iterator[str]:
        """Yield the names that may be spellings of another: all that are, and some that are not."""
        if self._keys is None:
            self._keys = {}
            for other in self._names:
                for key in _keys(other, self._code):
                    self._keys.setdefault(key, []).append(other)
            self._forms = [name_form(other, self._code) for other in self._names]
        for key in _keys(name, self._code):
            yield from self._keys.get(key, ())
        if self._code == "en":
            return
        for texts, own in ((self._forms, name_form(name, self._code)), (self._names, name)):
            near = process.extract_iter(
                own,
                texts,
                scorer=Levenshtein.normalized_similarity,
                score_cutoff=_least(self._code) - _ROUNDING,
            )
            yield from (self._names[place] for _, _, place in near)


def _keys(name: str, code: str) -> Iterator[object]:
    """Yield what spellings of a name have in common: one of these, or most letters."""
    yield from known_things(name, code)
    if code == "en":
        yield "sound", first_sound(name_form(name, code))
    elif code == "ja":
        for form in katakana_forms(name):
            yield "katakana", form


def is_same_name(name: str, other: str, code: str) -> bool:
    """Return whether two names are known to name one thing, or else are spelled alike."""
    things, others = known_things(name, code), known_things(other, code)
    if things & others:
        return True
    return _is_spelled_alike(name, other, code, known=bool(things and others))


def _is_spelled_alike(name: str, other: str, code: str, *, known: bool) -> bool:
    form, other_form = name_form(name, code), name_form(other, code)
    # Zambia is not Gambia, but Texan goes with Texas.
    if known and not form.startswith(other_form[:-1]):
        return False
    if code == "en":
        return is_transcription(form, other_form) and not other_accents(name, other)
    if code == "ja" and katakana_forms(name) and katakana_forms(other):
        return is_heard_alike(name, other)
    if code == "ja" and (name.isascii() != other.isascii() or other_kanji(name, other)):
        return False
    return agreement(form, other_form) >= _least(code)


def _least(code: str) -> float:
    return _SAME_NAME if code in _UNDECLINED else _SAME_DECLINED_NAME
