"""Metrics under a name of the user's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbin
from tenbin.core.errors import SpecError, UsageError
from tenbin.core.spec import Spec, checked_alias, spec_list
from tenbin.metrics.registry import load, load_all

_ALIASES = st.from_regex(r"[A-Za-z][A-Za-z0-9_.+-]{0,20}", fullmatch=True)
_SPECS = st.sampled_from(
    ["chrf", "bleu(tokenizer=char)", "chrf( word_order = 2 )", 'bleu(tokenizer="a=b")']
)
_LONG = "chrf(word_order=2, beta=3)"
_TEXTS = {"a": ["the cat sat", "hello"], "b": ["a cat sat", "hello there"]}
_REFERENCES = ["the cat sat", "hello"]


@given(_ALIASES, _SPECS, st.sampled_from(["", " "]))
def test_an_alias_changes_nothing_but_the_label(alias: str, spec: str, blank: str) -> None:
    plain, named = Spec.parse(spec), Spec.parse(f"{blank}{alias}{blank}={blank}{spec}")
    assert (named.name, named.parameters, named.alias) == (plain.name, plain.parameters, alias)
    assert str(named) == str(plain)
    assert named.label == alias
    assert plain.label == str(plain)
    assert Spec.parse(str(named)) == plain


@given(st.text(max_size=70), _SPECS)
def test_any_other_text_before_the_equals_sign_is_refused(alias: str, spec: str) -> None:
    try:
        checked_alias(alias.strip())
    except SpecError:
        with pytest.raises(SpecError):
            Spec.parse(f"{alias}={spec}")


@pytest.mark.parametrize("alias", ["意味", "ビー2", "Ähnlichkeit", "मूल्य", "مقياس"])
def test_names_of_any_script(alias: str) -> None:
    assert Spec.parse(f"{alias}=chrf").label == alias
    table = tenbin.score(_TEXTS, _REFERENCES, metrics={alias: "chrf"}, language="en")
    assert f"{alias} ↑" in str(table)


@pytest.mark.parametrize("alias", ["", "\u202eabc", "a\u200bb", "意 味", "😀", "a/b", "\u0301a"])
def test_names_of_what_is_no_letter(alias: str) -> None:
    with pytest.raises(SpecError, match="cannot be the name"):
        checked_alias(alias)


@pytest.mark.parametrize("spec", ["=chrf", "1=chrf", "a b=chrf", f"{'a' * 61}=chrf", "a=b=chrf"])
def test_names_that_a_metric_cannot_have(spec: str) -> None:
    with pytest.raises(SpecError):
        Spec.parse(spec)


@pytest.mark.parametrize("alias", ["bleu", "BLEU", "chrf++", "meteor"])
def test_an_alias_is_not_the_name_of_another_metric(alias: str) -> None:
    with pytest.raises(SpecError, match="name of another metric"):
        load(f"{alias}=chrf(beta=3)")


def test_an_alias_may_be_the_name_of_its_own_metric() -> None:
    assert load(f"chrf={_LONG}") == load(_LONG)
    with pytest.raises(SpecError, match="two metrics are called 'chrf'"):
        load_all([f"chrf={_LONG}", "chrf"])


@pytest.mark.parametrize(
    ("specs", "problem"),
    [
        (["a=chrf", "a=bleu"], "two metrics are called 'a': chrf and bleu"),
        (["A=chrf", "a=bleu"], "two metrics are called 'a'"),
        (["a=chrf", "b=chrf"], "chrf is given twice, as 'a' and as 'b'"),
        (["a=chrf", "chrf"], "given twice"),
    ],
)
def test_one_name_one_metric(specs: list[str], problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        load_all(specs)


def test_specs_of_a_mapping() -> None:
    assert spec_list({"a": "chrf", "b": _LONG}) == ["a=chrf", f"b={_LONG}"]
    assert spec_list(["chrf"]) == ["chrf"]
    with pytest.raises(SpecError, match="cannot be the name"):
        spec_list({"a=b": "chrf"})


@pytest.mark.parametrize("metrics", [{"short": _LONG, "words": "bleu"}, [f"short={_LONG}", "bleu"]])
def test_tables_show_the_alias_and_signatures_the_settings(metrics: object) -> None:
    table = tenbin.score(_TEXTS, _REFERENCES, metrics=metrics, language="en")  # type: ignore[arg-type]
    plain = tenbin.score(_TEXTS, _REFERENCES, metrics=[_LONG, "bleu"], language="en")
    first = table.results[0]
    assert (first.metric, first.alias, first.label, first.title) == (
        *(str(Spec.parse(_LONG)), "short"),
        *("short", "short"),
    )
    assert first.signature == plain.results[0].signature
    assert table["a", "short"] == table["a", _LONG] == plain["a", _LONG]
    assert "short ↑" in str(table)
    with pytest.raises(KeyError, match="metrics: short"):
        table["a", "ter"]


def test_the_worst_segments_by_an_alias() -> None:
    named = [f"short={_LONG}", "bleu"]
    by = {"short", _LONG, f"short={_LONG}"}
    found = [
        tenbin.score(_TEXTS, _REFERENCES, metrics=named, language="en", worst=1, worst_by=one).worst
        for one in by
    ]
    assert all(one == found[0] for one in found)
    with pytest.raises(UsageError, match="short, bleu"):
        tenbin.score(_TEXTS, _REFERENCES, metrics=named, language="en", worst=1, worst_by="ter")


def test_a_comparison_by_an_alias_has_the_same_numbers() -> None:
    named = tenbin.compare(_TEXTS, _REFERENCES, metrics={"short": "chrf"}, language="en")
    plain = tenbin.compare(_TEXTS, _REFERENCES, metrics=["chrf"], language="en")
    assert named.metrics[0].p_values[0, 1] == plain.metrics[0].p_values[0, 1]
    assert named.metrics[0].curve == plain.metrics[0].curve


def test_choosing_by_an_alias() -> None:
    lists = [["a dog sat", "the cat sat", "the cat sat down"]]
    named = tenbin.mbr(lists, metric=f"short={_LONG}", language="en")
    assert named.texts == tenbin.mbr(lists, metric=_LONG, language="en").texts
    assert named.features[0].name == "short"
