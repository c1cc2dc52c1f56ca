"""How Japanese words are read, and the form in which names are compared."""

import pytest

from tenbin.penalty.names.forms import hiragana, kana_reading, name_form, name_groups, text_form

pytest.importorskip("sudachipy")


@pytest.mark.parametrize(
    ("word", "reading"),
    [
        ("齊藤", "さいとう"),
        ("斎藤", "さいとう"),
        ("サイトウ", "さいとう"),
        ("さいとう", "さいとう"),
        ("尾崎", "おざき"),
        ("ハンター", "はんたー"),  # the prolonged sound mark stays
        ("猟師", "りょうし"),
        ("獵師", "りょうし"),  # an older form of the kanji
        ("髙橋", "たかはし"),
        ("##尾崎", "おざき"),  # a subword is read without its prefix
        ("ゾルゲニフ", "ぞるげにふ"),  # in no dictionary: as it is written
        ("燚焱", "燚焱"),
        ("ABC", "ABC"),  # letters and digits stay, though Sudachi could read them
        ("2020", "2020"),
        ("東京2020", "とうきょう2020"),
        ("、", "、"),
        ("😀", "😀"),
        ("", ""),
        ("##", ""),
    ],
)
def test_readings(word: str, reading: str) -> None:
    assert kana_reading(word) == reading


def test_a_word_of_any_length_is_read() -> None:
    assert kana_reading("ア" * 60_000) == "あ" * 60_000


def test_hiragana_has_all_of_katakana() -> None:
    assert hiragana("ァヴヵヶー・ｱ漢a") == "ぁゔゕゖー・ｱ漢a"


@pytest.mark.parametrize(
    ("names", "language"),
    [
        (("齊藤", "斎藤", "さいとう", "サイトウ", "ｻｲﾄｳ", "サイトー"), "ja"),
        (("渡邊", "渡辺", "ワタナベ", "渡邉"), "ja"),
        (("ドナルド・トランプ", "ドナルドトランプ"), "ja"),
        (("Müller", "MÜLLER", "Muller", "Mu\u0308ller"), "de"),
        (("Ｔｏｌｓｔｏｙ", "tolstoy"), "en"),  # noqa: RUF001 - full width is the point
        (("BBC", "B.B.C"), "en"),
        (("MPs", "MP"), "en"),
        (("Ёлкин", "Елкин"), "ru"),
    ],
)
def test_spellings_of_one_name(names: tuple[str, ...], language: str) -> None:
    assert len({name_form(name, language) for name in names}) == 1


def test_names_that_differ() -> None:
    assert name_form("坂本", "ja") != name_form("岡本", "ja")
    assert name_form("Anna", "en") != name_form("Anne", "en")


def test_texts() -> None:
    assert text_form("O’Brien’s B.B.C. show", "en") == " o brien s bbc show "
    assert "さいとう" in text_form("齊藤さんは", "ja")


def test_other_names_for_the_same_thing() -> None:
    assert name_groups("国連", "ja") & name_groups("国際連合", "ja")
    assert name_groups("China", "en") & name_groups("Chinese", "en")
    assert not name_groups("China", "en") & name_groups("Japanese", "en")
    assert name_groups("田中", "ja") == name_groups("China", "de") == frozenset()
