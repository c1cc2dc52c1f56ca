"""METEOR's normalizer: its rules and quirks, its fast path, and every stored test vector.

The expected tokens of the tables below were printed by METEOR 1.5 (pycocoevalcap 1.2, Java 17).
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.annotation.meteor import normalizer as meteor_normalizer
from tenbin.annotation.meteor.normalizer import (
    NORMALIZED_LANGUAGES,
    MeteorNormalization,
    meteor_tokenizer,
)
from tenbin.annotation.meteor.rules import MeteorRules
from tenbin.core.errors import UsageError

ENGLISH = [
    ("", ""),
    ("The cat, the mat.", "the cat , the mat ."),
    ("a,,b", "a , ,b"),
    ("a, ,b", "a , ,b"),
    ("a,  ,b", "a , , b"),
    ("1,a,b,2,3", "1 , a , b , 2,3"),
    ("a,b,c,d", "a , b,c , d"),
    ("1,,,2", "1 , , , 2"),
    ("a...b", "a ... b"),
    ("a-...-b", "a- ... -b"),
    ("ab-cd-ef", "ab cd ef"),
    ("a-b-c-d", "a b-c d"),
    ("a--b", "a b"),
    ("a---b", "a--b"),
    ("a.-b", "a. b"),
    ("a–b", "a - b"),
    ("''a''", '" a "'),
    ("“'a'”", "\" ' a ' \""),
    ("``a''", '" a "'),
    ("it's dogs' '90s rock'n'roll", "it 's dogs ' ' 90s rock 'n'roll"),
    ("1's 1'a 1'2", "1 's 1'a 1 ' 2"),
    ("U.S. i.e. J.R.R. a.1.", "us ie jrr a1"),
    ("Mr. B No. 3 No. A Art. 5", "mr. b no. 3 no . a art. 5"),
    ("end. next end. Next x. é", "end. next end . next x . é"),
    ("1.5. a 1.2.", "1.5. a 1.2 ."),
    ("x.\u00a0b", "x . b"),
    ("«\u00a0a\u00a0»", "« a »"),
    ("a\tb", "a b"),
    ("a\x0bb", "a\x0bb"),
    ("\x01a\x02b\x03", "a \x02 b"),
    ("γεια 日本", "γ ε ι α 日 本"),  # noqa: RUF001
    ("Žluťoučký кинотеатр İ", "žluťoučký кинотеатр i̇"),
]


def tokens(text: str, language: str, mode: MeteorNormalization = MeteorNormalization.NORM) -> str:
    return " ".join(meteor_tokenizer(mode, language)(text))


@pytest.mark.parametrize(("text", "expected"), ENGLISH)
def test_english(text: str, expected: str) -> None:
    assert tokens(text, "en") == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "qu'il l'a dit", "qu' il l' a dit"),
        ("fr", "a'b'c 1's", "a' b'c 1 ' s"),
        ("fr", "Mr. B etc. A", "mr . b etc. a"),
        ("de", "it's 3. Mai No. A", "it ' s 3. mai no. a"),
        ("ru", "ул. Мира", "ул. мира"),
        ("cs", "např. Praha č. 3", "např . praha č . 3"),
        ("cz", "např. Praha", "např . praha"),
    ],
)
def test_other_languages(language: str, text: str, expected: str) -> None:
    assert tokens(text, language) == expected


def test_without_punctuation() -> None:
    text = "Mr. O'Neil's e-mail: U.S. $3.5 (end)..."
    expected = "mr o neil s e mail us 3 5 end"
    assert tokens(text, "en", MeteorNormalization.NO_PUNCTUATION) == expected


def test_without_normalization() -> None:
    text = " A,b\u00a0C\tD. \u2003x\x0b"
    assert tokens(text, "xx", MeteorNormalization.LOWER) == "a,b\u00a0c d. \u2003x"
    assert tokens(text, "xx", MeteorNormalization.NONE) == "A,b\u00a0C D. \u2003x"
    assert tokens("Plain text. ", "ja", MeteorNormalization.NONE) == "Plain text."


def test_a_language_without_rules() -> None:
    with pytest.raises(UsageError, match=r"cs, de, en, es, fr, ru, not 'ja'.*\"meteor-lower\""):
        meteor_tokenizer(MeteorNormalization.NORM, "ja")


PIECES = st.sampled_from(
    [
        *"aAbBéÉяЯ13 .,'-’`\u2018“”–\"($。\u00a0\u2009\t\x0b\x01",
        *("''", "--", "...", "U.S."),
        *("Mr. ", "No. ", "pp. ", "'s", ", ", "' ", " ", "Wort. ", "d'"),
    ]
)
LINES = st.lists(PIECES, max_size=20).map("".join)


@given(LINES, st.sampled_from(NORMALIZED_LANGUAGES), st.booleans())
def test_fast_path_equals_the_rules(text: str, language: str, punctuation: bool) -> None:  # noqa: FBT001
    mode = MeteorNormalization.NORM if punctuation else MeteorNormalization.NO_PUNCTUATION
    expected = MeteorRules(language).tokens(text, punctuation=punctuation)
    assert meteor_tokenizer(mode, language)(text) == expected


@given(st.text(), st.sampled_from(NORMALIZED_LANGUAGES))
def test_any_text(text: str, language: str) -> None:
    found = meteor_tokenizer(MeteorNormalization.NORM, language)(text)
    assert found == MeteorRules(language).tokens(text, punctuation=True)
    assert all(found)


def test_a_full_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor_normalizer, "_MOST_WORDS", 1)
    for text, expected in ENGLISH:
        assert tokens(text, "en") == expected


def test_vectors_of_meteor_15(oracle_data: Path) -> None:
    vectors = oracle_data / "meteor15"
    options = {row["config"]: row for row in rows(vectors / "configs.tsv")}
    texts = {(row["lang"], row["segment"]): row for row in rows(vectors / "inputs.tsv")}
    answers = rows(vectors / "tokens.tsv")
    assert len(answers) == 346
    for answer in answers:
        option = options[answer["config"]]
        text = texts[option["inputs"], answer["segment"]]
        words = option["options"].split()
        language = words[words.index("-l") + 1]
        mode = normalization(words)
        assert tokens(text["hypothesis"], language, mode) == answer["hyp_tokens"]
        assert tokens(text["reference"], language, mode) == answer["ref_tokens"]


def test_vectors_of_meteor_e(oracle_data: Path) -> None:
    vectors = oracle_data / "meteor-e"
    texts = rows(vectors / "inputs.tsv")
    answers = rows(vectors / "tokens.tsv")
    assert len(answers) == 82
    for text, answer in zip(texts, answers, strict=True):
        assert (text["lang"], text["segment"]) == (answer["lang"], answer["segment"])
        assert tokens(text["hypothesis"], text["lang"]) == answer["hypothesis_tokens"]
        assert tokens(text["reference"], text["lang"]) == answer["reference_tokens"]


def normalization(options: list[str]) -> MeteorNormalization:
    if "-noPunct" in options:
        return MeteorNormalization.NO_PUNCTUATION
    if "-norm" in options:
        return MeteorNormalization.NORM
    return MeteorNormalization.LOWER if "-lower" in options else MeteorNormalization.NONE


def rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]
