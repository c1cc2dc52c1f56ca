"""Cutting each distinct word once must give the tokens that cutting whole texts gives."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from tenbin.annotation.pipeline import annotate
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.batch import Annotation, AnnotationKind

_SIGMA = "\N{GREEK CAPITAL LETTER SIGMA}"
_BLANKS = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
# Everything that the patterns of 13a look at, beside letters that change length or shape in lower
# case: dotted capital I, and sigma, which depends on its neighbors.
_PARTS = st.one_of(
    st.sampled_from([*".,-&<>;'\"!?/[]{}~@059aßİé", _SIGMA, "<skipped>", "&quot;", "&amp;", "&"]),
    st.sampled_from(_BLANKS),
    st.characters(),
)
_TEXTS = st.lists(_PARTS, max_size=20).map("".join)
_BY_WORD = ["13a", "chrf-words", "meteor:en", "meteor:fr", "meteor-nopunct:de"]


@pytest.mark.parametrize("method", _BY_WORD)
@given(texts=st.lists(_TEXTS, min_size=1, max_size=5), lowercase=st.booleans())
def test_tokens_are_those_of_whole_texts(method: str, texts: list[str], *, lowercase: bool) -> None:
    annotation = Annotation(kind=AnnotationKind.TOKENS, method=method, lowercase=lowercase)
    column = annotate(texts, [annotation])[annotation]
    whole = load_tokenizer(method).tokenize
    expected = [whole(text.lower() if lowercase else text) for text in texts]
    assert [column.tokens(number) for number in range(len(texts))] == expected


@pytest.mark.parametrize("method", ["meteor:en", "meteor:fr", "meteor-nopunct:en"])
def test_words_that_depend_on_their_context(method: str) -> None:
    words = ["", "no.", "No.", "etc.", "U.S.", "end.", "a,", ",b", "'s", "5", "it's", "\t", "1."]
    texts = [" ".join([one, other, third]) for one in words for other in words for third in words]
    annotation = Annotation(kind=AnnotationKind.TOKENS, method=method)
    column = annotate(["", *texts], [annotation])[annotation]
    for number, text in enumerate(["", *texts]):
        assert column.tokens(number) == load_tokenizer(method).tokenize(text)


@given(_TEXTS)
def test_13a_is_that_of_sacrebleu(text: str) -> None:
    expected = str(Tokenizer13a()(text.rstrip())).split()
    assert load_tokenizer("13a").tokenize(text) == expected


@pytest.mark.parametrize("blank", _BLANKS)
def test_no_blank_is_seen_across(blank: str) -> None:
    words = ["5.", ".5", "-", "5-", "a,", f"a{_SIGMA}", "&amp", ";", "<skipped>", ",", "1,000.5-"]
    texts = [blank.join([one, other]) for one in words for other in words]
    whole = load_tokenizer("13a").tokenize
    for lowercase in (False, True):
        annotation = Annotation(kind=AnnotationKind.TOKENS, method="13a", lowercase=lowercase)
        column = annotate(texts, [annotation])[annotation]
        for number, text in enumerate(texts):
            assert column.tokens(number) == whole(text.lower() if lowercase else text)


def test_a_word_may_have_no_token() -> None:
    annotation = Annotation(kind=AnnotationKind.TOKENS, method="13a")
    column = annotate(["<skipped> a", "", "<skipped>"], [annotation])[annotation]
    assert [column.tokens(number) for number in range(3)] == [["a"], [], []]
    assert column.rows.offsets.tolist() == [0, 1, 1, 1]
    assert column.vocabulary == ("a",)
