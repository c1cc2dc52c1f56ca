"""Names that a glossary lists, penalized in every language."""

from pathlib import Path

import pytest

import tenbin
from tenbin.core.errors import UsageError
from tenbin.core.run_glossary import using_glossary
from tenbin.metrics import registry
from tenbin.penalty.choices import NameSource, Penalty
from tenbin.penalty.names.listed import load_listed_names
from tenbin.penalty.texts import TextPenalty

IMPACT = 'impact(penalty="names")'
THAI = "แคสซี่\nมาริโอ\n"


@pytest.fixture
def names(tmp_path: Path) -> Path:
    path = tmp_path / "names.txt"
    path.write_text(THAI, encoding="utf-8")
    return path


def scored(hypothesis: str, reference: str, language: str, glossary: Path | None) -> float:
    table = tenbin.score(
        [hypothesis], [reference], metrics=[IMPACT], language=language, glossary=glossary
    )
    return float(table.results[0].scores[0])


def test_a_language_without_recognition_takes_the_list(names: Path) -> None:
    same = scored("แคสซี่ไปโรงเรียน", "แคสซี่ไปโรงเรียน", "th", names)
    wrong = scored("มาริโอไปโรงเรียน", "แคสซี่ไปโรงเรียน", "th", names)
    plain = tenbin.score(["มาริโอไปโรงเรียน"], ["แคสซี่ไปโรงเรียน"], metrics=["impact"], language="th")
    assert same == 1
    assert wrong == pytest.approx(0.5 * float(plain.results[0].scores[0]))


def test_without_a_list_such_a_language_is_told_of_it() -> None:
    with pytest.raises(UsageError, match="glossary=FILE"):
        scored("ก", "ข", "th", None)


def test_the_signature_says_whose_names_they_are(names: Path) -> None:
    with using_glossary(str(names)):
        thai = registry.load(IMPACT).bind("th").signature()
        numbers = registry.load('impact(penalty="numbers")').bind("en").signature()
        plain = registry.load("impact").bind("en").signature()
    assert (thai.get("names"), thai.get("glossary")) == ("glossary", "names.txt")
    (entry,) = thai.resources
    assert entry[0] == "names.txt"
    for untouched in (numbers, plain):
        assert untouched.get("glossary") is None
        assert not untouched.resources


def test_without_a_glossary_no_signature_changes() -> None:
    for name in registry.metric_names():
        if hasattr(registry.load(name), "strength"):
            assert registry.load(name).signature().get("glossary") is None


def test_listed_names_join_those_that_are_recognized(tmp_path: Path) -> None:
    pytest.importorskip("simplemma")
    path = tmp_path / "names.txt"
    path.write_text("iris\nbolt\n", encoding="utf-8")
    found = TextPenalty(
        penalty=Penalty.NAMES,
        language="en",
        listed=load_listed_names(file=str(path), language="en"),
    )
    both = found.factors("then bolt met Smith", "then iris met Tanaka").findings
    assert {one.text for one in both} == {"bolt", "iris", "Smith", "Tanaka"}
    assert len(both) == 4
    assert not found.factors("then Iris met Smith", "then iris met Smith").findings


def test_all_forms_of_a_name_are_one_name(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("source,target,type\nx,iris|rainbow,name\ny,bolt,name\nz,dog,\n", "utf-8")
    own = TextPenalty(
        penalty=Penalty.NAMES,
        language="hi",
        names=NameSource.GLOSSARY,
        listed=load_listed_names(file=str(path), language="hi"),
    )
    assert not own.factors("iris ran", "rainbow ran").findings
    assert not own.factors("dog ran", "iris iris dog".replace("iris ", "")).findings
    assert len(own.factors("bolt ran", "rainbow ran").findings) == 2
    assert not own.factors("a cat ran", "a dog ran").findings  # no name


def test_names_that_change_places_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("iris\nbolt\n", encoding="utf-8")
    own = TextPenalty(
        penalty=Penalty.NAMES,
        language="hi",
        names=NameSource.GLOSSARY,
        listed=load_listed_names(file=str(path), language="hi"),
    )
    assert len(own.factors("then bolt hit iris hard", "then iris hit bolt hard").findings) == 4


def test_another_spelling_passes_unless_it_is_another_name(tmp_path: Path) -> None:
    pytest.importorskip("sudachipy")
    path = tmp_path / "names.txt"
    path.write_text("メタナイト\nリンク\nソラ\n", encoding="utf-8")
    own = TextPenalty(
        penalty=Penalty.NAMES,
        language="ja",
        listed=load_listed_names(file=str(path), language="ja"),
    )
    assert not own.factors("メタ・ナイトが来た。", "メタナイトが来た。").findings
    assert len(own.factors("ソラが剣を抜いた。", "リンクが剣を抜いた。").findings) == 2


def test_a_glossary_without_names_is_no_list(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("cat,Katze\n", encoding="utf-8")
    with using_glossary(str(path)):
        assert registry.load(IMPACT).bind("de").glossary == "none"  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match=r"a\.csv has no names"):
        registry.load(f'impact(penalty="names", glossary="{path}")').bind("de")
    with pytest.raises(UsageError, match="needs a list of names"):
        registry.load('impact(penalty="names", names="glossary")').bind("de")
