"""Names in katakana that are words as well, and ordinary loanwords, which are no names."""

import pytest

from tenbin.penalty.choices import Penalty
from tenbin.penalty.names.japanese import japanese_names
from tenbin.penalty.names.katakana import is_ordinary, is_repeated, resembles, stands_as_name
from tenbin.penalty.names.lists import ordinary_loanwords
from tenbin.penalty.texts import TextPenalty

pytest.importorskip("sudachipy")

PENALTY = TextPenalty(penalty=Penalty.NAMES, language="ja")


def wrong(hypothesis: str, reference: str) -> list[str]:
    return [one.text for one in PENALTY.factors(hypothesis, reference).findings]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("リンク", "ソラ"),
        ("アリーシャ", "ミレーユ"),
        ("カービィ", "メタナイト"),
        ("リンク", "ゼルダ"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "{}は剣を抜いた。",
        "村長は{}に手紙を渡した。",
        "「{}、逃げて！」",
        "{}さんが来た。",
        "{}の声だ。",
    ],
)
def test_a_wrong_name(name: str, other: str, text: str) -> None:
    assert wrong(text.format(other), text.format(name)) == [other, name]
    assert wrong(text.format(name), text.format(name)) == []


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("ゲームを始める。", "プレイを始める。"),
        ("テーブルに本を置く。", "デスクに本を置く。"),
        ("ボタンを押す。", "スイッチを押す。"),
        ("ユーザーは設定を選ぶ。", "プレイヤーは設定を選ぶ。"),
        ("ここをクリックする。", "ここをタップする。"),
        ("リンクを開く。", "URLを開く。"),
        ("サーバが止まった。", "サーバーが止まった。"),
        ("毎日ジョギングする。", "毎日ランニングする。"),
        ("彼はロマンチックな人だ。", "彼はセンチメンタルな人だ。"),
        ("星がキラキラ光る。", "星がピカピカ光る。"),
    ],
)
def test_ordinary_loanwords_cost_nothing(hypothesis: str, reference: str) -> None:
    assert wrong(hypothesis, reference) == []


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("シャドーは闇から現れた。", "シャドウは闇から現れた。"),
        ("リンクさんは剣を抜いた。", "リンクは剣を抜いた。"),
        ("そらは剣を抜いた。", "ソラは剣を抜いた。"),
        ("バルディアは魔法を唱えた。", "ヴァルディアは魔法を唱えた。"),
        ("クレスは言った。", "クレイスは言った。"),
        ("Sonicは空を飛んだ。", "ソニックは空を飛んだ。"),
    ],
)
def test_spellings_of_one_name_cost_nothing(hypothesis: str, reference: str) -> None:
    assert wrong(hypothesis, reference) == []


def test_without_another_in_exchange_a_word_costs_nothing() -> None:
    assert wrong("彼は剣を抜いた。", "リンクは剣を抜いた。") == []


def test_a_name_that_begins_with_a_syllable_twice() -> None:
    assert wrong("ポポナが使った。", "ティルルが使った。") == ["ポポナ", "ティルル"]
    assert is_repeated("ガタガタ")
    assert not is_repeated("ポポナ")


def test_a_name_that_the_dictionary_cuts_is_one() -> None:
    assert [name.text for name in japanese_names("ヴァルディアが来た。").spans] == ["ヴァルディア"]
    # A name and an ordinary word stay apart.
    assert [name.text for name in japanese_names("ドイツワインを飲む。").spans] == ["ドイツ"]


def test_where_a_word_stands_as_a_name() -> None:
    assert stands_as_name("勇者リンクの旅。", 2, 5)
    assert stands_as_name("あの、リンク！", 3, 6)
    assert not stands_as_name("リンクを開く。", 0, 3)


def test_the_list_of_loanwords() -> None:
    words = ordinary_loanwords()
    assert all("ァ" <= letter <= "ヺ" or letter == "ー" for word in words for letter in word)
    assert {"リンク", "ソラ", "ライト", "ローズ", "クラウド"}.isdisjoint(words)
    assert is_ordinary("コンピュータ")
    assert is_ordinary("コンピューター")


def test_resemblance() -> None:
    assert resembles("ニシ", "ナイシ")
    assert not resembles("ライト", "ロック")
