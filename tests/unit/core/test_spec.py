"""The grammar of specs, case by case; round trips are in tests/properties."""

import pytest

from tenbin.core.errors import SpecError
from tenbin.core.spec import Spec, format_value


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("chrf", Spec("chrf")),
        ("chrf++", Spec("chrf++")),
        ("bp-bleu", Spec("bp-bleu")),
        ("chrf()", Spec("chrf")),
        (" chrf ( ) ", Spec("chrf")),
        ("chrF(beta=2)", Spec("chrF", (("beta", 2),))),
        ("x(a=1.5, b=-2)", Spec("x", (("a", 1.5), ("b", -2)))),
        ("x(a=True, b=None)", Spec("x", (("a", True), ("b", None)))),
        ("bleu(tokenizer=char)", Spec("bleu", (("tokenizer", "char"),))),
        ('bleu(tokenizer="ja-mecab")', Spec("bleu", (("tokenizer", "ja-mecab"),))),
        ("bleu(tokenizer='ja-mecab',)", Spec("bleu", (("tokenizer", "ja-mecab"),))),
        ("bleu(tokenizer=ja-mecab)", Spec("bleu", (("tokenizer", "ja-mecab"),))),
        ("bleu(tokenizer = 13a )", Spec("bleu", (("tokenizer", "13a"),))),
        ("x(a=org/name-v3,b=2)", Spec("x", (("a", "org/name-v3"), ("b", 2)))),
        ("x(a=~/our.safetensors)", Spec("x", (("a", "~/our.safetensors"),))),
        (r"x(a=C:\new\u.bin)", Spec("x", (("a", r"C:\new\u.bin"),))),
        ("x(a=static:vectors-ja)", Spec("x", (("a", "static:vectors-ja"),))),
        ("x(a=is, b=not, c=訳-文)", Spec("x", (("a", "is"), ("b", "not"), ("c", "訳-文")))),
        (
            "x(a=1e-3, b=-.5, c=+2, d=0x1f)",
            Spec("x", (("a", 1e-3), ("b", -0.5), ("c", 2), ("d", 31))),
        ),
        ("x(a=True, b=True-2)", Spec("x", (("a", True), ("b", "True-2")))),
        ("x(a='b=c-d, e=f-g)', h=i-j)", Spec("x", (("a", "b=c-d, e=f-g)"), ("h", "i-j")))),
        (r"x(a='b\', c=d-e', f=g-h)", Spec("x", (("a", "b', c=d-e"), ("f", "g-h")))),
        ("x(a=(1, (2,), []))", Spec("x", (("a", (1, (2,), ())),))),
        ("x(a='(')", Spec("x", (("a", "("),))),
        ("x(\n a=1,\n b=2\n)", Spec("x", (("a", 1), ("b", 2)))),
    ],
)
def test_specs_that_are_understood(text: str, spec: Spec) -> None:
    assert Spec.parse(text) == spec
    assert Spec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot read the metric ''"),
        ("bleu,chrf++", "Give each metric by itself, not with commas between them: bleu chrf++"),
        ("++", "NAME or NAME(parameter=value, ...)"),
        ("chrf(", "cannot read"),
        ("chrf)", "cannot read"),
        ("chrf(2)", "a value without a parameter name"),
        ("chrf(beta=0x" + "f" * 5000 + ")", "cannot read beta"),
        ("chrf(beta=1" + "0" * 400 + ")", "cannot read beta"),
        ('bleu(tokenizer="\\ud800")', "cannot read tokenizer"),
        ("chrf(beta=2, beta=3)", "gives a parameter twice"),
        ("chrf(**{'beta': 2})", "gives a parameter twice"),
        ("chrf(beta=2)(beta=3)", "cannot read"),
        ("chrf(beta=2) + chrf()", "cannot read"),
        ("chrf(beta=1+1)", "cannot read beta"),
        ("chrf(beta=open('x'))", "cannot read beta"),
        ("chrf(beta={1: 2})", "cannot read beta"),
        ("chrf(beta=1j)", "cannot read beta"),
        ("chrf(beta=1e999)", "cannot read beta"),
        ("bleu(tokenizer=ja mecab)", 'texts with spaces in quotes, idf="my counts.idf"'),
        ("x(a=1/2)", "a text, in quotes if it has spaces"),
        ("x(a=b=c)", "cannot read"),
        ("chrf(beta=\0)", "cannot read"),
        (f"chrf(beta={'-' * 100_000}1)", "cannot read"),
        (f"chrf(beta={'1+' * 100_000}1)", "cannot read"),
        (f"chrf(beta={'(' * 1000}{')' * 1000})", "cannot read"),
    ],
    ids=lambda text: text[:30].replace("\0", "NUL"),
)
def test_specs_that_are_refused(text: str, reason: str) -> None:
    with pytest.raises(SpecError) as caught:
        Spec.parse(text)
    assert reason in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", '"a"'),
        ('"', r'"\""'),
        ("訳", '"訳"'),
        (1, "1"),
        (0.1, "0.1"),
        (True, "True"),
        (None, "None"),
        ((), "()"),
        (("a",), '("a",)'),
        ((1, 2), "(1, 2)"),
    ],
)
def test_values_are_written_as_the_grammar_reads_them(value: object, text: str) -> None:
    assert format_value(value) == text  # type: ignore[arg-type]


def test_order_of_parameters_is_kept() -> None:
    assert str(Spec.parse("chrf(word_order=2,beta=3)")) == "chrf(word_order=2, beta=3)"
    assert str(Spec.parse("chrf(beta=3,word_order=2)")) == "chrf(beta=3, word_order=2)"
