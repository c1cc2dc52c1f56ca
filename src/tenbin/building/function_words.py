"""Builds a list of function words for METEOR from any text in the language."""

from dataclasses import dataclass

from tenbin.building.corpus import (
    Corpus,
    Phase,
    check_free,
    count_words,
    no_progress,
    require_words,
)
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO
from tenbin.formats.output import check_target, write_text
from tenbin.resources.function_words import FREQUENCY, function_words_of_counts

# A word at the limit occurs this often in a corpus that is large enough; less may be chance.
_FEW = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFunctionWords:
    """The result of a build.

    Attributes:
        words: The list, most frequent first.
        tokens: Number of tokens of the corpus.
        distinct: Number of distinct words that were counted.
        notes: Notes for the user.
    """

    words: tuple[str, ...]
    tokens: int
    distinct: int
    notes: tuple[str, ...]


def build_function_words(
    paths: list[str],
    language: str,
    output: str,
    *,
    tokenizer: str = AUTO,
    share: float = FREQUENCY,
    force: bool = False,
    phase: Phase = no_progress,
) -> BuiltFunctionWords:
    """Write the words that make up more than a share of a corpus, one per line.

    The file is for METEOR's parameter ``function_words``. Words are tokenized as METEOR does it
    and lower-cased, unless another tokenizer is named; the same must then be named in the metric.

    Args:
        paths: Text files, compressed or not; ``-`` is standard input.
        language: The language of the text.
        output: The file to write.
        tokenizer: A tokenizer of Tenbin; ``auto``: the one METEOR has for the language.
        share: Least share of a function word among all tokens; METEOR's authors took 0.001.
        force: Whether an existing file may be replaced.
        phase: Shows the progress.

    Raises:
        UsageError: A wrong share or language, or a file that would be overwritten.
        InputError: The corpus cannot be read, or has no word.
        OutputError: The file cannot be written.
    """
    if not 0 < share < 1:
        raise UsageError(f"share={share}: give a number between 0 and 1, such as 0.001.")
    check_target(output)
    check_free(output, force=force)
    corpus = Corpus(paths, language, tokenizer=tokenizer, lowercase=True, for_meteor=True)
    corpus.check()
    with phase("counting words", corpus.size) as advance:
        counted = count_words(corpus.segments(advance))
    require_words(corpus, counted.total)
    code = corpus.language.code
    found = function_words_of_counts(counted.counts, counted.total, code, frequency=share).words
    if not found:
        raise UsageError(
            f"no word makes up more than {share:g} of the corpus. Give a smaller share."
        )
    words = tuple(word for word, _ in counted.ranked(1) if word in found)
    write_text(output, "".join(f"{word}\n" for word in words))
    return BuiltFunctionWords(
        words=words,
        tokens=counted.total,
        distinct=len(counted.counts),
        notes=_notes(counted.total, share),
    )


def _notes(total: int, share: float) -> tuple[str, ...]:
    enough = round(_FEW / share)
    if total >= enough:
        return ()
    few = (
        f"the corpus has {counted(total, 'token')}; with fewer than {enough:,} the list holds words"
    )
    return (f"{few} that are common in this text, not in the language.",)
