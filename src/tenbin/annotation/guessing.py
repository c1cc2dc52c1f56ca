"""Which language a text may be in, by its script alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from tenbin.annotation.fitness import count_letters, text_sample
from tenbin.resources.scripts import Script, load_scripts

_LEAST_SHARE = 0.5
# Japanese text has kana nearly everywhere, which Chinese never has.
_LEAST_KANA = 0.05
_KANA = r"\p{Script=Hiragana}\p{Script=Katakana}"
_HANGUL = r"\p{Script=Hangul}"
# Scripts that many languages are written in; the others name their language, or nearly so.
_SHARED = {"Arab", "Beng", "Cans", "Cyrl", "Deva", "Ethi", "Hant", "Latn", "Mong", "Syrc"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageGuess:
    """What the script of a text says about its language.

    Attributes:
        script: ISO 15924 code of the script of most letters; empty for a text without letters.
        language: The language, where few others are written so; None where the script leaves it
            open.
    """

    script: str
    language: str | None


def guess_language(texts: Sequence[str]) -> LanguageGuess:
    """Return the script of most letters of some texts, and the language that it stands for.

    >>> guess_language(["猫は静かに座っていた。"])
    LanguageGuess(script='Jpan', language='ja')
    >>> guess_language(["Die Katze saß still da."])
    LanguageGuess(script='Latn', language=None)
    """
    text = text_sample(texts)
    letters = count_letters(r"\p{L}", text)
    if not letters:
        return LanguageGuess(script="", language=None)
    found = max(load_scripts().values(), key=lambda script: _weight(script, text, letters))
    if count_letters(found.pattern, text) < _LEAST_SHARE * letters:
        return LanguageGuess(script="", language=None)
    language = None if found.code in _SHARED else found.language
    return LanguageGuess(script=found.code, language=language)


def _weight(script: Script, text: str, letters: int) -> float:
    count = count_letters(script.pattern, text)
    # Han letters belong to four scripts; kana or hangul beside them decide, Hans otherwise.
    if script.code == "Jpan" and count_letters(_KANA, text) < _LEAST_KANA * letters:
        return 0
    if script.code == "Kore" and count_letters(_HANGUL, text) < _LEAST_KANA * letters:
        return 0
    return count + (0.5 if script.code == "Hans" else 0)
