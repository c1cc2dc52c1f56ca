"""terms against the exact match of the WMT 2021 terminology task, written anew.

The task (Alam et al. 2021; ``compare_EXACT`` of mahfuzibnalam/terminology_evaluation, 2026-11-16)
looks up each term of the source, one after the other, in the words of the translation, between
blanks. A place where a term begins renders one term alone. Accuracy is the share of all terms.
The twin here does that letter by letter. Where terms have one translation each and none overlaps
another, both definitions are the same; where they differ, ours is tested below.
"""

from hypothesis import given
from hypothesis import strategies as st

from tenbin.annotation.term_words import TermLanguage
from tenbin.core.glossary import Glossary, Term, TermStatus
from tenbin.matching.glossary_terms import GlossaryMatcher

WORDS = ("ant", "bee", "cow", "doe", "eel", "fly", "gnu")
OTHERS = ("the", "of", "and")
TARGETS = {word: word[::-1] for word in WORDS}


def exact_match(source: str, translation: str, terms: dict[str, str]) -> tuple[int, int]:
    """Return how many terms are right and how many there are, as the task counts them."""
    padded = f" {translation} "
    begun: set[int] = set()
    right = total = 0
    for word in source.split():
        if word not in terms:
            continue
        total += 1
        wanted = f" {terms[word]} "
        for place in range(len(padded)):
            if padded[place : place + len(wanted)] == wanted and place not in begun:
                begun.add(place)
                right += 1
                break
    return right, total


def ours(source: str, translation: str, terms: tuple[Term, ...]) -> list[TermStatus]:
    glossary = Glossary(name="a", fingerprint="", terms=terms)
    plain = TermLanguage("", inflected=False)
    matcher = GlossaryMatcher(glossary, plain, plain)
    return [one.status for one in matcher.findings(source, translation)]


texts = st.lists(st.sampled_from(WORDS + OTHERS), max_size=12).map(" ".join)
translations = st.lists(st.sampled_from((*TARGETS.values(), *OTHERS)), max_size=12).map(" ".join)


@given(source=texts, translation=translations, known=st.sets(st.sampled_from(WORDS)))
def test_exact_match_accuracy(source: str, translation: str, known: set[str]) -> None:
    terms = {word: TARGETS[word] for word in sorted(known)}
    found = ours(
        source,
        translation,
        tuple(Term(source=word, targets=(target,)) for word, target in terms.items()),
    )
    assert (found.count(TermStatus.RENDERED), len(found)) == exact_match(source, translation, terms)


def best(terms: list[set[str]], words: list[str]) -> int:
    """Return the most terms that distinct words render, by trying all."""
    if not terms:
        return 0
    first, *rest = terms
    left_out = best(rest, words)
    return max(
        [left_out]
        + [
            1 + best(rest, words[:place] + words[place + 1 :])
            for place, word in enumerate(words)
            if word in first
        ]
    )


@given(
    wanted=st.lists(st.sets(st.sampled_from("xyz"), min_size=1), min_size=1, max_size=4),
    words=st.lists(st.sampled_from("xyzw"), max_size=5),
)
def test_several_translations_are_given_to_as_many_terms_as_possible(
    wanted: list[set[str]], words: list[str]
) -> None:
    # The task gives a term all the places of its translations; that leaves none for others.
    terms = tuple(
        Term(source=f"t{place}", targets=tuple(sorted(forms))) for place, forms in enumerate(wanted)
    )
    source = " ".join(term.source for term in terms)
    found = ours(source, " ".join(words), terms)
    assert found.count(TermStatus.RENDERED) == best(wanted, words)
