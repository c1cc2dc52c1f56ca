"""What holds of terms in any texts: no crash, places within the text, and no place taken twice."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.annotation.term_words import TermLanguage
from tenbin.core.glossary import Glossary, Term, TermStatus
from tenbin.matching.glossary_terms import GlossaryMatcher

pytest.importorskip("sudachipy")
pytest.importorskip("simplemma")

LETTERS = "aAbé ßｶﾞカー京都の剣 .'\u2019-1\u0e41\u0e21\u0301\n"
texts = st.text(alphabet=LETTERS, max_size=20) | st.text(max_size=12)
terms = st.builds(
    Term,
    source=texts,
    targets=st.lists(texts, max_size=2).map(tuple),
    forbidden=st.lists(texts, max_size=2).map(tuple),
    matches_case=st.booleans(),
)
languages = st.sampled_from(("", "en", "ja", "zh", "th", "ko")).map(TermLanguage)


@given(
    entries=st.lists(terms, max_size=4).map(tuple),
    source=texts,
    translation=texts,
    own=languages,
    other=languages,
)
def test_findings_are_places_of_their_texts(
    entries: tuple[Term, ...],
    source: str,
    translation: str,
    own: TermLanguage,
    other: TermLanguage,
) -> None:
    glossary = Glossary(name="a", fingerprint="", terms=entries)
    found = GlossaryMatcher(glossary, own, other).findings(source, translation)
    assert [one.source for one in found] == sorted(one.source for one in found)
    sides = (
        (source, [one.source for one in found]),
        (translation, [one.translation for one in found if one.translation]),
    )
    for text, places in sides:
        for start, stop in places:
            assert 0 <= start < stop <= len(text)
        for first, last in combinations(places, 2):
            assert first[1] <= last[0] or last[1] <= first[0]
    for one in found:
        if one.translation is None:
            assert one.status is not TermStatus.FORBIDDEN
            assert one.status is TermStatus.MISSING or not one.term.targets


@given(text=texts, form=texts, language=languages)
def test_a_text_has_itself(text: str, form: str, language: TermLanguage) -> None:
    glossary = Glossary(name="a", fingerprint="", terms=(Term(source=form, targets=(form,)),))
    alone = GlossaryMatcher(glossary, language, language)
    if language.words(form):
        assert [one.status for one in alone.findings(form, form)] == [TermStatus.RENDERED]
    for one in alone.findings(text, ""):
        assert one.status is TermStatus.MISSING
