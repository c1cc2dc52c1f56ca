"""Which language of a glossary is the source, and which the target."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tenbin.core.errors import UnreadableFile

# What people write above a column in place of a tag.
_WORDS = {
    "english": "en", "英語": "en", "英": "en",
    "japanese": "ja", "日本語": "ja", "和": "ja", "日": "ja", "jp": "ja",
    "chinese": "zh", "中国語": "zh", "中文": "zh", "cn": "zh",
    "simplified chinese": "zh-Hans", "traditional chinese": "zh-Hant",
    "korean": "ko", "韓国語": "ko", "한국어": "ko",
    "german": "de", "ドイツ語": "de", "deutsch": "de",
    "french": "fr", "フランス語": "fr", "français": "fr",
    "spanish": "es", "スペイン語": "es", "español": "es",
    "italian": "it", "イタリア語": "it", "italiano": "it",
    "portuguese": "pt", "ポルトガル語": "pt", "português": "pt",
    "russian": "ru", "ロシア語": "ru", "русский": "ru",
    "thai": "th", "タイ語": "th", "vietnamese": "vi", "ベトナム語": "vi",
    "indonesian": "id", "arabic": "ar", "turkish": "tr", "polish": "pl", "dutch": "nl",
}  # fmt: skip
_LONGEST_TAG = 12


@dataclass(frozen=True, slots=True)
class LanguagePair:
    """The languages of a run.

    Attributes:
        target: That of the translations; empty where it is not known.
        source: That of the source; empty where it is not known.
    """

    target: str = ""
    source: str = ""


@lru_cache(maxsize=1_000)
def language_of(heading: str) -> str:
    """Return the tag of the language that a heading names; empty if it names none.

    >>> language_of("日本語"), language_of("en_US"), language_of("Notes")
    ('ja', 'en-US', '')
    """
    plain = heading.strip()
    if plain.casefold() in _WORDS:
        return _WORDS[plain.casefold()]
    tag = plain.replace("_", "-")
    if not tag or len(tag) > _LONGEST_TAG or not all(map(str.isalnum, tag.split("-"))):
        return ""
    import langcodes  # noqa: PLC0415 - 40 ms

    first = tag.partition("-")[0]
    # Words of two or three letters that are also codes would name Northern Sotho (Note: no).
    if len(first) not in {2, 3} or not langcodes.tag_is_valid(tag):
        return ""
    return str(langcodes.standardize_tag(tag))


def source_and_target(
    name: str, languages: Sequence[str], wanted: LanguagePair, working: str = ""
) -> tuple[str, str]:
    """Return which of the languages of a file are the source and the target.

    Args:
        name: The file, for messages.
        languages: The languages that it has, in its order.
        wanted: Those of the run.
        working: The language that the file says it was made in.

    Raises:
        UnreadableFile: It lacks the target language, or it is not clear which is the source.
    """
    listed = ", ".join(languages) or "none"
    target = _best(languages, wanted.target) if wanted.target else ""
    if wanted.target and not target:
        problem = f"found terms in {listed}, expected some in the target language {wanted.target}"
        raise UnreadableFile(name, problem, "Give a glossary of the two languages of the texts.")
    if not target and len(languages) > 1:
        target = languages[1]
    others = [one for one in languages if one != target]
    source = _best(others, wanted.source) if wanted.source else ""
    source = source or _best(others, working) or (others[0] if len(others) == 1 else "")
    if not source:
        problem = f"found terms in {listed}; which of them is the source language is not clear"
        advice = 'Name the language pair (`pair="en-ja"`), or the language of the source terms.'
        raise UnreadableFile(name, problem, advice)
    return source, target


def _best(languages: Sequence[str], wanted: str) -> str:
    """Return the language that is the same as another one, or else of the same code."""
    if not wanted:
        return ""
    plain = wanted.casefold().replace("_", "-")
    same = [one for one in languages if one.casefold() == plain]
    near = [one for one in languages if one.casefold().partition("-")[0] == plain.partition("-")[0]]
    return next(iter((*same, *near)), "")
