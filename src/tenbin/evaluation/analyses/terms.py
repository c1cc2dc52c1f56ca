"""Which terms of the glossary of a run the sources have, and how each system renders them."""

from tenbin.core.counting import counted
from tenbin.core.errors import TenbinError
from tenbin.core.report import TermMark
from tenbin.core.text import TestSet
from tenbin.matching.run_terms import matcher_of_run

MOST_COMPARED = 20_000
"""Translations whose terms are looked for."""


def term_marks(
    texts: TestSet, language: str, *, most_compared: int = MOST_COMPARED
) -> tuple[tuple[TermMark, ...] | None, tuple[str, ...]]:
    """Return the terms of the sources with what became of them, and notes on what was left out.

    Args:
        texts: The texts; without sources there are no terms.
        language: The target language.
        most_compared: At most so many translations are looked at, of the first segments.

    Returns:
        The terms in the order of the texts; None where the run has no glossary.
    """
    try:
        matcher = matcher_of_run(language)
    except TenbinError as error:
        return None, (f"terms of the glossary are not marked: {error}",)
    if matcher is None:
        return None, ()
    if texts.source is None:
        return None, ("terms of the glossary are not marked, for there is no source text.",)
    count = min(texts.segment_count, most_compared // max(len(texts.systems), 1))
    found = []
    for segment, source in enumerate(texts.source[:count]):
        if not matcher.source_places(source):
            continue
        systems = [matcher.findings(source, own[segment]) for own in texts.hypotheses.values()]
        found += [
            TermMark(
                segment=segment,
                term=places[0].term,
                source=places[0].source,
                statuses=tuple(one.status for one in places),
                translations=tuple(one.translation for one in places),
            )
            for places in zip(*systems, strict=True)
        ]
    left = texts.segment_count - count
    notes = (f"terms of the glossary are not marked in the last {counted(left, 'segment')}.",)
    return tuple(found), notes if left else ()
