"""Names in katakana that are words as well: リンク draws a sword, or is clicked.

The dictionary lists such a name as a common noun, so that its part of speech does not tell. It is
taken for a name where it stands as a name does (with an honorific, called by someone, as one who
speaks or is met), and only in exchange for another in the other text. Ordinary loanwords (ゲーム,
テーブル) are never taken for names.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple, Protocol

from tenbin.penalty.names.comparison import agreement
from tenbin.penalty.names.lists import ordinary_loanwords
from tenbin.penalty.names.span import NameSpan
from tenbin.penalty.names.spelling import consonants
from tenbin.resources.lexicons.sudachi import load_sudachi

_RUN = re.compile("[\u30a1-\u30fa\u30fc]{2,}")
_LONG = "ー"
# Kana of what the dictionary cuts out of a longer name (ヴァル of ヴァルディア); more are a name.
_LONGEST_CUT = 3
# Adverbs and particles are no names; ソラ at the start of a speech is a cry to the dictionary.
_NOMINAL = frozenset(("名詞", "形状詞", "感動詞"))
# Numbers, and names that are known as such.
_NOT_NAMES = frozenset(("数詞", "固有名詞"))
# A verb or an adjective: フィットする, ロマンチックな.
_INFLECTED = re.compile("[しすさせ](?!も)|でき|な[^らの]")
# Reach of what is looked at around a word, in characters.
_BEFORE, _AFTER, _BESIDE = 8, 60, 2

# Unknown words that share half of their kana or most of their consonants are spellings of one.
_RESEMBLING, _SAME_CONSONANTS = 0.5, 0.75
# Share of the content of two sentences that is the same where one word is exchanged.
_SAME_REST = 0.7
_END = re.compile("[。！？!?\n]")
_CONTENT = re.compile("[\u3400-\u9fff々]|[\u30a1-\u30fa\u30fc]{2,}")

# Other words of a name of several: ヨナス・ヘルミグ.
_JOINED_BEFORE = re.compile("[\u30a1-\u30fa\u30fc]+[・＝=]$")  # noqa: RUF001 - as Japanese writes it
_JOINED_AFTER = re.compile("^[・＝=][\u30a1-\u30fa\u30fc]+")  # noqa: RUF001

_START = attrgetter("start")

# Titles and honorifics that follow a name.
_TITLE = (
    "さん|さま|様|君|くん|ちゃん|氏|殿|どの|先生|先輩|博士|教授|選手|投手|監督|議員|議長|知事|市長|村長|"
    "社長|会長|長官|国務長官|大統領|首相|大臣|容疑者|被告|受刑者|隊長|団長|船長|艦長|将軍|提督|陛下|殿下|"
    "姫|王子|王女|女王|王(?!国)|卿|伯爵|侯爵|公爵|男爵|夫人|嬢|兄さん|姉さん|おじ|おば"
)
# What belongs to someone, and what is told of a firm.
_OWNED = (
    "声|手|目|瞳|顔|髪|父|母|兄|姉|妹|弟|娘|息子|妻|夫|恋人|友|仲間|祖[父母]|死|墓|笑|涙|心|胸|肩|背|腕|足|指|"
    "頭|唇|耳|言葉|手紙|剣|弓|矢|屋敷|正体|過去|命|魂|名前|居場所|売り上げ|売上|株|本社|社員|社長|決算|経営"
)
# What people do, as the kanji of its verb or the beginning of one in hiragana.
_DONE = (
    "言[わいうえおっ]|話[しすさせそ]|語[らりるれろっ]|叫|答え|尋ね|訊|聞[いかこ]|笑|泣|怒|呼[ばびぶべぼんん]|歩|走|座|"
    "立ち|眠|起き|食べ|飲[みんむま]|戦[わいうえおっ]|逃げ|隠れ|待[たちつてっ]|願|祈|誓|知ら|知っ|思[わいうえおっ]|考え|"
    "驚|頷|うなず|微笑|囁|ささや|呟|つぶや|黙|抜[いきか]|構え|握|抱|結婚|死[んに]|生まれ|会[いうわえっ]|出会|"
    "倒れ|振り|見つめ|見て|見た|見上|信じ|許|恐れ|愛し|憎|悩|嘆|頼[みんむま]|渡[しさ]|唱え|放[ちっつ]|斬|撃[ちっつ]|"
    "説明|命じ|決意|決心|約束|逮捕|辞任|就任|来日|訪れ|訪問|演説|会見|主張|否定|引退|優勝|獲得|姿を現|現れ"
)
_MET = (
    "会[いうわえっ]|出会|話[しすさせそ]|渡[しさ]|頼[みんむま]|言[わいうえおっ]|尋ね|伝え|教え|勝[たちつてっ]|負け|従[いう]|"
    "惚れ|恋|戦[わいうえおっ]|結婚|別れ|連絡|許可|届け|操作|操[らりるれろっ]|動か|仲間|助け|倒[しすさせ]|呼[ばびぶべぼん]|"
    "殺|愛|救[いうわえっ]|待[たちつてっ]|探|憎|許|信じ|追[いうわえっ]|逮捕|起訴|説得|お願い|質問"
)
_ROLE = (
    "者|師|手|員|長|役|士|父|母|兄|弟|姉|妹|娘|息子|友|友人|仲間|王|姫|執事|担当|騎士|勇者|少年|少女|老人|青年|"
    "彼女|主人公|犬|猫|相棒|恋人|社長|夫|妻|秘書"
)
_AS_A_NAME = re.compile(
    rf"(?:{_TITLE})"
    rf"|の(?:{_OWNED})"
    rf"|[はがも][^。！？\n]{{0,{_AFTER}}}?(?:{_DONE})"
    rf"|[にとをへ][^。、！？\n]{{0,12}}?(?:{_MET})"
    r"|[!！?？]"
    r"|、?(?:と|って)[^。、\n]{0,6}(?:呼|名乗|叫)"
)
_CALLED = re.compile(r"(?:[「『、\s]|^)$")
_CALLED_AFTER = re.compile(r"[、」』!！?？…]")
_INTRODUCED = re.compile(rf"(?:{_ROLE})の?$")


class Morpheme(Protocol):
    """A morpheme of a text."""

    @property
    def start(self) -> int:
        """Its first character."""

    @property
    def stop(self) -> int:
        """The character after it."""

    @property
    def text(self) -> str:
        """As written."""

    @property
    def kind(self) -> tuple[str, ...]:
        """Its part of speech."""


class KatakanaRun(NamedTuple):
    """A word in katakana, as long as it goes.

    Attributes:
        start: Its first character.
        stop: The character after it.
        text: As written.
        parts: Its morphemes.
    """

    start: int
    stop: int
    text: str
    parts: Sequence[Morpheme]


def katakana_runs(text: str, pieces: Sequence[Morpheme]) -> Iterator[KatakanaRun]:
    """Yield the words in katakana of a text that are whole morphemes.

    Args:
        text: The text.
        pieces: Its morphemes.
    """
    for run in _RUN.finditer(text):
        start, stop = run.span()
        first = bisect_left(pieces, start, key=_START)
        parts = pieces[first : bisect_left(pieces, stop, lo=first, key=_START)]
        if parts and parts[0].start == start and parts[-1].stop == stop:
            yield KatakanaRun(start, stop, run[0], parts)


def possible_names(
    text: str, runs: Iterable[KatakanaRun], names: Iterable[NameSpan]
) -> tuple[NameSpan, ...]:
    """Return the words in katakana that may be names, by script and rarity alone.

    Args:
        text: The text.
        runs: Its words in katakana.
        names: The names that are known already.
    """
    found = [
        run for run in runs if _may_be_name(run.parts) and not _INFLECTED.match(text, run.stop)
    ]
    if not found:
        return ()
    inside = {place for one in names for place in range(one.start, one.stop)}
    return tuple(
        NameSpan(run.start, run.stop, run.text, firm=False)
        for run in found
        if inside.isdisjoint(range(run.start, run.stop))
    )


def _may_be_name(parts: Sequence[Morpheme]) -> bool:
    """Return whether the morphemes of a word in katakana are nouns, none of them ordinary."""
    for part in parts:
        if part.kind[0] not in _NOMINAL or part.kind[1] in _NOT_NAMES or is_ordinary(part.text):
            return False
    word = parts[0].text if len(parts) == 1 else "".join(part.text for part in parts)
    return not is_repeated(word) and (len(parts) == 1 or not is_ordinary(word))


def whole_names(spans: Sequence[NameSpan], runs: Sequence[KatakanaRun]) -> list[NameSpan]:
    """Return names; one that the dictionary cut out of a rare word in katakana is that word.

    Args:
        spans: Names of a text.
        runs: Its words in katakana.
    """
    if all(len(run.parts) == 1 for run in runs):
        return list(spans)
    short = {one.start: at for at, one in enumerate(spans) if len(one.text) <= _LONGEST_CUT}
    found = list(spans)
    for run in runs:
        within = [short[part.start] for part in run.parts if part.start in short]
        if len(within) != 1 or len(run.parts) == 1:
            continue
        name = found[within[0]]
        if _may_be_name([part for part in run.parts if part.start != name.start]):
            found[within[0]] = NameSpan(run.start, run.stop, run.text, name.firm)
    return found


def is_ordinary(word: str) -> bool:
    """Return whether a word is an ordinary loanword, with or without a long vowel at its end.

    >>> is_ordinary("テーブル"), is_ordinary("サーバ"), is_ordinary("リンク")
    (True, True, False)
    """
    words = ordinary_loanwords()
    return word in words or word.removesuffix(_LONG) in words or word + _LONG in words


def is_repeated(word: str) -> bool:
    """Return whether a word says one thing twice, as mimetic words do: ガタガタ."""
    half = len(word) // 2
    return word[:half] == word[half:]


@lru_cache(maxsize=20_000)
def stands_as_name(text: str, start: int, stop: int) -> bool:
    """Return whether a word stands as a name does.

    >>> stands_as_name("リンクは剣を抜いた。", 0, 3), stands_as_name("リンクは切れている。", 0, 3)
    (True, False)
    """
    if _AS_A_NAME.match(text, stop):
        return True
    before = text[max(start - _BEFORE, 0) : start]
    if _INTRODUCED.search(before):
        return True
    return _CALLED.search(before) is not None and _CALLED_AFTER.match(text, stop) is not None


@lru_cache(maxsize=20_000)
def resembles(name: str, other: str) -> bool:
    """Return whether two unknown words in katakana may be spellings of one.

    >>> resembles("クレス", "クレイス"), resembles("ロヴェンタス", "ハルミントン")
    (True, False)
    """
    own, yours = (consonants(one) for one in (name, other))
    alike = agreement(own, yours) if own and yours else 0.0
    return agreement(name, other) >= _RESEMBLING or alike >= _SAME_CONSONANTS


def same_place(one: NameSpan, text: str, other: NameSpan, other_text: str) -> bool:
    """Return whether two words stand between the same characters of their texts."""
    return _beside(one, text) == _beside(other, other_text)


def _beside(span: NameSpan, text: str) -> tuple[str, str]:
    return text[max(span.start - 1, 0) : span.start], text[span.stop : span.stop + _BESIDE]


def same_rest(one: NameSpan, text: str, other: NameSpan, other_text: str) -> bool:
    """Return whether most of what two sentences say is the same but for a word.

    >>> texts = ("リンクが剣を抜く。", "剣を抜いたのはソラだ。")
    >>> same_rest(NameSpan(0, 3, "リンク"), texts[0], NameSpan(7, 9, "ソラ"), texts[1])
    True
    """
    own, yours = (_content(*pair) for pair in ((one, text), (other, other_text)))
    total = own.total() + yours.total()
    return 2 * (own & yours).total() >= _SAME_REST * total


def _content(span: NameSpan, text: str) -> Counter[str]:
    """Return the kanji and words in katakana of the sentence of a word, without the word."""
    return _content_of(*_sentence(span, text))


def _sentence(span: NameSpan, text: str) -> tuple[str, str]:
    first = max((end.end() for end in _END.finditer(text, 0, span.start)), default=0)
    last = _END.search(text, span.stop)
    before, after = text[first : span.start], text[span.stop : last.start() if last else len(text)]
    return _JOINED_BEFORE.sub("", before), _JOINED_AFTER.sub("", after)


@lru_cache(maxsize=2_000)
def _content_of(before: str, after: str) -> Counter[str]:
    return Counter(_CONTENT.findall(before)) + Counter(_CONTENT.findall(after))


def same_meaning(word: str, other: str) -> bool:
    """Return whether two words are in one group of synonyms of the dictionary."""
    return bool(_groups(word) & _groups(other))


@cache
def _groups(word: str) -> frozenset[object]:
    morphemes = load_sudachi().analyze(word)
    if len(morphemes) != 1:
        return frozenset()
    return frozenset((morphemes[0].normalized_form(), *morphemes[0].synonym_group_ids()))


def in_exchange(one: NameSpan, text: str, other: NameSpan, other_text: str) -> bool:
    """Return whether a word of a text and one of another stand for each other, both as names.

    Args:
        one: The word.
        text: Its text.
        other: The word of the other text.
        other_text: That text.
    """
    places = (one, text, other, other_text)
    alike = same_place(*places) or _named_both(*places) or same_rest(*places)
    return alike and not resembles(one.text, other.text) and not same_meaning(one.text, other.text)


def _named_both(one: NameSpan, text: str, other: NameSpan, other_text: str) -> bool:
    return all(
        span.firm or stands_as_name(within, span.start, span.stop)
        for span, within in ((one, text), (other, other_text))
    )
