"""Names in Chinese, in simplified characters: jieba's part-of-speech tags, corrected.

jieba tags thousands of words as names that only begin like one (文明, 谢谢, 城市). So a word of its
dictionary counts as a person only if it has the form of a name: a family name and two more
characters, or characters used for foreign sounds. The same holds for words that are not in its
dictionary and that it tags as persons (王小明).
"""

from collections.abc import Iterator

from tenbin.penalty.names.lists import ChineseNames, chinese_names
from tenbin.penalty.numbers.recognition import numbers
from tenbin.resources.jieba_words import load_tagged_words

_PLACES, _GROUPS, _FOREIGN = "ns", "nt", "nrt"
_TAGS = frozenset({"nr", "nrfg", _FOREIGN, _PLACES, _GROUPS})
_OTHER = "nz"  # 英国首相, but also 和平: checked again without the title
_FAMILIAR = ("小", "老", "阿")
# Words of one character that jieba joins to names it does not list: 于柏林.
_JOINED = frozenset("于在和由从与到向及对被")
_LONGEST_TITLE = 3
_FULL_NAME = 3  # characters of most full names
_SHORTEST = 2


def chinese_name_ranges(text: str) -> list[tuple[int, int]]:
    """Return the positions of the names of a text, as half-open ranges of characters.

    >>> text = "王小明和陈先生去了法国巴黎。"
    >>> [text[start:stop] for start, stop in chinese_name_ranges(text)]
    ['王小明', '陈', '法国', '巴黎']

    Raises:
        MissingExtra: jieba is not installed.
    """
    known = chinese_names()
    words = load_tagged_words().cut(text)
    ranges = []
    at = 0
    for place, (word, tag) in enumerate(words):
        follower = words[place + 1][0] if place + 1 < len(words) else ""
        for first, last in _named_parts(word, tag, follower, known):
            part = word[first:last]
            # 三亚 is a place, 三百 a number; numbers are compared elsewhere.
            if not any(one.firm for one in numbers(part, "zh")):
                ranges.append((at + first, at + last))
        at += len(word)
    return ranges


def _named_parts(
    word: str, tag: str, follower: str, known: ChineseNames
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of characters of a word that are names."""
    if word in known.surnames and len(word) < _FULL_NAME:
        if follower in known.titles:
            yield 0, len(word)  # 林 in 林医生
        return
    tagged = tag in _TAGS or tag == _OTHER or word in known.names
    if not tagged or word in known.words or not word.isalpha():
        return
    tags = load_tagged_words().listed
    first = int(word[0] in _JOINED and _is_name(word[1:], tags.get(word[1:], ""), known))
    bare = _without_title(word[first:], known)
    last = first + len(bare)
    cut = _two_places(bare) if tag == _PLACES else 0
    if cut:
        yield first, first + cut
        yield first + cut, last
    elif last < len(word) and bare in known.surnames:
        yield first, last  # 陈 in 陈先生
    elif _is_name(bare, tags.get(bare, tag), known):
        yield first, last


def _is_name(word: str, tag: str, known: ChineseNames) -> bool:
    if word in known.names:
        return True
    if len(word) < _SHORTEST or word in known.words or tag not in _TAGS:
        return False
    return tag in {_PLACES, _GROUPS} or _is_person(word, tag, known)


def _is_person(word: str, tag: str, known: ChineseNames) -> bool:
    """Return whether a word that jieba tags as a person has the form of a name."""
    if known.sounds.issuperset(word) or (tag == _FOREIGN and not word.endswith("人")):
        return True
    if len(word) == _SHORTEST:
        family = word[0] in known.surnames and word not in load_tagged_words().listed
        return family or (word[0] in _FAMILIAR and word[1] in known.surnames)
    if len(word) == _FULL_NAME and word[0] in known.surnames:
        return True
    # 欧阳修, 安倍晋三
    long = len(word) in {_FULL_NAME, _FULL_NAME + 1}
    return long and (word[:2] in known.surnames or word[:2] in known.names)


def _without_title(word: str, known: ChineseNames) -> str:
    for length in range(_LONGEST_TITLE, 1, -1):
        if len(word) > length and word[-length:] in known.titles:
            return word[:-length]
    return word


def _two_places(word: str) -> int:
    """Return where a word of two places is split: 法国 | 巴黎; 0 for a single place."""
    tags = load_tagged_words().listed
    for cut in range(_SHORTEST, len(word) - _SHORTEST + 1):
        if tags.get(word[:cut]) == tags.get(word[cut:]) == _PLACES:
            return cut
    return 0
