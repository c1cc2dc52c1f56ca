"""Distinct sentences of usual length."""

import re
from collections.abc import Iterable, Iterator

_FEWEST_WORDS, _MOST_WORDS = 3, 60
_NO_WORD = re.compile(r"\W+")


def distinct(found: Iterable[str], known: set[str]) -> Iterator[str]:
    """Yield sentences that are not known yet; case and punctuation do not make another one.

    Args:
        found: Sentences, one each; very short and very long ones are left out.
        known: What was yielded before, in a form of its own; gets what is yielded.

    >>> list(distinct(["It rained all day.", "it rained all day", "No, it did not."], set()))
    ['It rained all day.', 'No, it did not.']
    """
    for one in found:
        sentence = one.strip()
        if not _FEWEST_WORDS <= len(sentence.split()) <= _MOST_WORDS:
            continue
        words = _NO_WORD.sub(" ", sentence.lower()).strip()
        if words and words not in known:
            known.add(words)
            yield sentence
