"""Terms of a glossary in sources, and how translations render them."""

import pytest

from tenbin.annotation.term_words import TermLanguage
from tenbin.core.glossary import Glossary, Term, TermStatus
from tenbin.matching.glossary_terms import FormIndex, GlossaryMatcher

RENDERED, MISSING, FORBIDDEN = TermStatus.RENDERED, TermStatus.MISSING, TermStatus.FORBIDDEN


def term(source: str, *targets: str, forbidden: tuple[str, ...] = (), case: bool = False) -> Term:
    return Term(source=source, targets=targets, forbidden=forbidden, matches_case=case)


def matcher(pair: str, *terms: Term, inflected: bool = True) -> GlossaryMatcher:
    source, target = pair.split("-")
    glossary = Glossary(name="a.csv", fingerprint="", terms=terms)
    return GlossaryMatcher(
        glossary, TermLanguage(source, inflected), TermLanguage(target, inflected)
    )


def found(
    own: GlossaryMatcher, source: str, translation: str
) -> list[tuple[str, TermStatus, str | None]]:
    return [
        (
            source[slice(*one.source)],
            one.status,
            None if one.translation is None else translation[slice(*one.translation)],
        )
        for one in own.findings(source, translation)
    ]


def test_longer_terms_come_first_and_take_their_letters() -> None:
    own = matcher("-", term("mail server", "Postamt"), term("server", "Diener"))
    assert found(own, "a mail server and a server", "Postamt Diener Diener") == [
        ("mail server", RENDERED, "Postamt"),
        ("server", RENDERED, "Diener"),
    ]
    assert found(own, "mail server", "Diener") == [("mail server", MISSING, None)]


def test_of_overlapping_terms_the_longer_one_counts() -> None:
    own = matcher("-", term("a b c", "x"), term("c d", "y"), term("d e f g", "z"))
    assert [one[0] for one in found(own, "a b c d e f g", "")] == ["a b c", "d e f g"]


def test_each_place_renders_one_term() -> None:
    own = matcher("-", term("cat", "Katze", "Kater"))
    assert [one[1] for one in found(own, "cat cat cat", "Katze und Kater")] == [
        RENDERED,
        RENDERED,
        MISSING,
    ]


def test_a_form_of_two_terms_is_given_where_it_serves_most() -> None:
    own = matcher("-", term("A", "x", "y"), term("B", "x"))
    assert [one[1] for one in found(own, "A B", "x y")] == [RENDERED, RENDERED]
    assert [one[1] for one in found(own, "A B", "x")].count(RENDERED) == 1


def test_a_forbidden_form_makes_a_term_wrong() -> None:
    own = matcher("-", term("cat", "Katze", forbidden=("Mieze",)))
    assert found(own, "cat", "Mieze") == [("cat", FORBIDDEN, "Mieze")]
    assert [one[1] for one in found(own, "cat", "Katze Mieze")] == [FORBIDDEN]
    assert [one[1] for one in found(own, "cat cat", "Katze Mieze")] == [RENDERED, FORBIDDEN]
    assert found(own, "dog", "Mieze") == []


def test_a_forbidden_form_within_what_is_asked_for_does_no_harm() -> None:
    own = matcher("-", term("net", "World Wide Web", forbidden=("Web", "World Wide Web page")))
    assert [one[1] for one in found(own, "net", "the World Wide Web")] == [RENDERED]
    assert [one[1] for one in found(own, "net", "the World Wide Web page")] == [FORBIDDEN]


def test_a_term_may_only_forbid() -> None:
    own = matcher("-", term("cat", forbidden=("Mieze",)))
    assert found(own, "cat", "Katze") == [("cat", RENDERED, None)]
    assert found(own, "cat", "Mieze") == [("cat", FORBIDDEN, "Mieze")]


def test_case_counts_where_it_is_asked_for() -> None:
    own = matcher("en-en", term("Apple", "Apple", case=True), term("pear", "Pear"))
    assert found(own, "apple Apple PEAR", "apple pear") == [
        ("Apple", MISSING, None),
        ("PEAR", RENDERED, "pear"),
    ]


@pytest.mark.parametrize(
    ("language", "form", "text", "written"),
    [
        ("en", "sword", "Two swords.", "swords"),
        ("en", "iPhone", "his IPHONES", None),
        ("de", "Haus", "die Häuser dort", "Häuser"),
        ("fr", "cheval", "des chevaux", "chevaux"),
        ("ru", "кошка", "вижу кошку", "кошку"),
        ("fi", "talo", "talossa", "talossa"),
        ("ko", "커비", "커비는 강하다", "커비는"),
        ("ja", "読み込む", "早く読み込みました", "読み込み"),
        ("ja", "サーバー", "メールサーバーです", "サーバー"),
        ("ja", "ライン", "オンラインです", None),
        ("ja", "京都", "東京都です", None),
        ("ja", "カービィ", "ｶｰﾋﾞｨだ", "ｶｰﾋﾞｨ"),
        ("ja", "Mac OS", "Ｍａｃ ＯＳを", "Ｍａｃ ＯＳ"),  # noqa: RUF001 - wide
        ("zh", "人工智能", "用人工智能吧", "人工智能"),
        ("zh", "AI", "用AI吧", "AI"),
        ("zh", "AI", "用AIR吧", None),
        ("th", "แมว", "ฉันรักแมวมาก", "แมว"),
        ("en", "C++", "in C++.", "C++"),
        ("en", "C", "in C++.", "C"),
        ("en", "Link's Awakening", "Link\u2019s awakening", "Link\u2019s awakening"),
        ("en", "e-mail", "an E-Mail", "E-Mail"),
        ("hi", "दिल्ली", "वह दिल्ली में है", "दिल्ली"),
        ("tlh", "batlh", "batlh bIHeghjaj", "batlh"),
        ("", "naïve", "a NAÏVE one", "NAÏVE"),
    ],
)
def test_forms_in_texts(language: str, form: str, text: str, written: str | None) -> None:
    if language == "ja":
        pytest.importorskip("sudachipy")
    if language in {"en", "de", "fr", "ru", "fi"}:
        pytest.importorskip("simplemma")
        pytest.importorskip("pymorphy3")
    matches_case = form == "iPhone"
    index = FormIndex(((0, form, matches_case),), TermLanguage(language))
    places = index.places(text)
    assert [text[one.start : one.stop] for one in places] == ([] if written is None else [written])


def test_inflection_can_be_left_out() -> None:
    index = FormIndex(((0, "sword", False),), TermLanguage("en", inflected=False))
    assert not index.places("swords")
    assert index.places("Sword")
    plain = FormIndex(((0, "剣", False),), TermLanguage("ja", inflected=False))
    assert plain.places("剣士")  # nothing tells where a word ends


def test_an_empty_form_is_nowhere() -> None:
    index = FormIndex(((0, "  ", False), (1, "", False)), TermLanguage("zh"))
    assert not index.places("  猫")
