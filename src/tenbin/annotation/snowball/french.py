"""The French Snowball stemmer, before it learned the diaeresis in 2018."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions

_VOWELS = "aeiouyâàëéêèïîôûù"
_REGION = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]+[^{_VOWELS}]")
_TO_RV = re.compile(f"[{_VOWELS}]{{2}}.|par|col|tap|.[^{_VOWELS}]*[{_VOWELS}]", re.DOTALL)
_LETTER_TO_MARK = re.compile("[iuy]")
_SMALL = str.maketrans("IUY", "iuy")
_PLAIN = frozenset("ance iqUe isme able iste eux ances iqUes ismes ables istes".split())
_AGENT = frozenset("atrice ateur ation atrices ateurs ations".split())
_REPLACED = {
    "logie": "log", "logies": "log", "usion": "u", "ution": "u", "usions": "u", "utions": "u",
    "ence": "ent", "ences": "ent",
}  # fmt: skip
_STANDARD = Suffixes(
    [
        *_PLAIN,
        *_AGENT,
        *_REPLACED,
        *"ement ements ité ités if ive ifs ives eaux aux euse euses issement issements".split(),
        *"amment emment ment ments".split(),
    ]
)
_I_VERB = Suffixes(
    "îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons iront "
    "is issaIent issais issait issant issante issantes issants isse issent isses issez issiez "
    "issions issons it"
)
_A_VERB = frozenset(
    "âmes ât âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez "
    "assions".split()
)
_VERB = Suffixes(
    [
        *_A_VERB,
        *"ions é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions".split(),
        *"erons eront ez iez".split(),
    ]
)
_RESIDUE = Suffixes("ion ier ière Ier Ière e ë")
_KEPT_BEFORE_S = tuple("aiouès")
_DOUBLED = ("enn", "onn", "ett", "ell", "eill")
_ACCENTED_END = re.compile(f"[éè](?=[^{_VOWELS}]+$)")


def stem(word: str) -> str:
    """Return the stem of a lower-cased French word.

    >>> stem("continuellement"), stem("chevaux"), stem("mangeaient")
    ('continuel', 'cheval', 'mang')
    """
    word = _marked(word)
    vowel = _TO_RV.match(word)
    rv = len(word) if vowel is None else vowel.end()
    r1, r2 = regions(word, _REGION)
    word = _without_ending(word, rv, r1, r2)
    if word.endswith(_DOUBLED):
        word = word[:-1]
    return _ACCENTED_END.sub("e", word).translate(_SMALL)


def _marked(word: str) -> str:
    """Return the word with those i, u and y in capitals that are no vowels."""
    if _LETTER_TO_MARK.search(word) is None:
        return word
    letters = [*word, "", ""]
    for place, letter in enumerate(word):
        # The letter itself may have been marked one step before.
        following = letters[place + 1]
        if letters[place] in _VOWELS and (
            following == "y" or (following in {"u", "i"} and _is_vowel(letters[place + 2]))
        ):
            letters[place + 1] = following.upper()
        if letters[place] == "y" and _is_vowel(letters[place + 1]):
            letters[place] = "Y"
        if letter == "q" and following == "u":
            letters[place + 1] = "U"
    return "".join(letters)


def _is_vowel(letter: str) -> bool:
    return bool(letter) and letter in _VOWELS


def _without_ending(word: str, rv: int, r1: int, r2: int) -> str:
    shorter, complete = _without_standard(word, rv, r1, r2)
    if not complete:
        verb = _without_verb(shorter, rv, r2)
        if verb is None:
            return _without_residue(shorter, rv, r2)
        shorter = verb
    if shorter.endswith("Y"):
        return f"{shorter[:-1]}i"
    return f"{shorter[:-1]}c" if shorter.endswith("ç") else shorter


def _without_standard(word: str, rv: int, r1: int, r2: int) -> tuple[str, bool]:
    """Return the shortened word, and whether verb endings need no longer be tried."""
    ending = _STANDARD.longest(word)
    if not ending:
        return word, False
    rest = word[: len(word) - len(ending)]
    size = len(rest)
    if ending in _PLAIN:
        return (rest, True) if size >= r2 else (word, False)
    if ending in _REPLACED:
        return (rest + _REPLACED[ending], True) if size >= r2 else (word, False)
    if ending in _AGENT:
        return (_ic(rest, r2), True) if size >= r2 else (word, False)
    if ending in {"ement", "ements"}:
        return (_before_ement(rest, rv, r1, r2), True) if size >= rv else (word, False)
    if ending in {"ité", "ités"}:
        return (_before_ite(rest, r2), True) if size >= r2 else (word, False)
    if ending in {"if", "ive", "ifs", "ives"}:
        return (_before_if(rest, r2), True) if size >= r2 else (word, False)
    return _irregular(word, rest, ending, (rv, r1, r2))


def _irregular(
    word: str, rest: str, ending: str, starts: tuple[int, int, int]
) -> tuple[str, bool]:
    rv, r1, r2 = starts
    size = len(rest)
    if ending == "eaux":
        return f"{rest}eau", True
    if ending == "aux":
        return (f"{rest}al", True) if size >= r1 else (word, False)
    if ending in {"euse", "euses"}:
        if size >= r2:
            return rest, True
        return (f"{rest}eux", True) if size >= r1 else (word, False)
    if ending in {"issement", "issements"}:
        removed = size >= r1 and rest and rest[-1] not in _VOWELS
        return (rest, True) if removed else (word, False)
    # The last four shorten the word and still leave it to the verb endings.
    if ending in {"amment", "emment"}:
        return (f"{rest}{ending[0]}nt", False) if size >= rv else (word, False)
    after_vowel = size > rv and rest[-1] in _VOWELS
    return (rest, False) if after_vowel else (word, False)


def _ic(rest: str, r2: int) -> str:
    if not rest.endswith("ic"):
        return rest
    inner = rest[:-2]
    return inner if len(inner) >= r2 else f"{inner}iqU"


def _before_ement(rest: str, rv: int, r1: int, r2: int) -> str:
    if rest.endswith("iv"):
        inner = rest[:-2]
        if len(inner) < r2:
            return rest
        return inner[:-2] if inner.endswith("at") and len(inner) - 2 >= r2 else inner
    if rest.endswith("eus"):
        inner = rest[:-3]
        if len(inner) >= r2:
            return inner
        return f"{inner}eux" if len(inner) >= r1 else rest
    if rest.endswith(("abl", "iqU")):
        return rest[:-3] if len(rest) - 3 >= r2 else rest
    if rest.endswith(("ièr", "Ièr")):
        return f"{rest[:-3]}i" if len(rest) - 3 >= rv else rest
    return rest


def _before_ite(rest: str, r2: int) -> str:
    if rest.endswith("abil"):
        inner = rest[:-4]
        return inner if len(inner) >= r2 else f"{inner}abl"
    if rest.endswith("iv"):
        return rest[:-2] if len(rest) - 2 >= r2 else rest
    return _ic(rest, r2)


def _before_if(rest: str, r2: int) -> str:
    inner = rest[:-2]
    return _ic(inner, r2) if rest.endswith("at") and len(inner) >= r2 else rest


def _without_verb(word: str, rv: int, r2: int) -> str | None:
    ending = _I_VERB.longest(word, rv)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) > rv and rest[-1] not in _VOWELS:
        return rest
    ending = _VERB.longest(word, rv)
    if not ending:
        return None
    rest = word[: len(word) - len(ending)]
    if ending == "ions":
        return rest if len(rest) >= r2 else None
    return rest[:-1] if ending in _A_VERB and len(rest) > rv and rest.endswith("e") else rest


def _without_residue(word: str, rv: int, r2: int) -> str:
    if word.endswith("s") and len(word) > 1 and not word[:-1].endswith(_KEPT_BEFORE_S):
        word = word[:-1]
    ending = _RESIDUE.longest(word, rv)
    rest = word[: len(word) - len(ending)]
    if ending == "ion":
        return rest if len(rest) >= r2 and len(rest) > rv and rest[-1] in {"s", "t"} else word
    if ending == "ë":
        return rest if rest[rv:].endswith("gu") else word
    if ending == "e":
        return rest
    return f"{rest}i" if ending else word
