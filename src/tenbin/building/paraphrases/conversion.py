"""Converts published paraphrases into a table, and a table into METEOR's format."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.annotation.meteor.normalizer import NORMALIZED_LANGUAGES
from tenbin.annotation.tokenizers import METEOR_TOKENIZERS, load_tokenizer
from tenbin.building.corpus import check_free
from tenbin.building.paraphrases.bitext import words_of
from tenbin.building.paraphrases.sets import sets_from_groups, sets_from_pairs
from tenbin.building.paraphrases.table import table_counts
from tenbin.core.errors import UnreadableFile
from tenbin.formats.output import check_target, whole_file
from tenbin.formats.paraphrases import (
    Pair,
    read_meteor_pairs,
    read_phrase_sets,
    read_ppdb_pairs,
    write_meteor_pairs,
)
from tenbin.matching.paraphrase_tables import PhraseWords, retokenized
from tenbin.resources.paraphrases import PhraseSets, write_paraphrase_sets
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.version import __version__

SETS = "sets"
_PAIRS: dict[str, Callable[[str], Iterator[Pair]]] = {
    "meteor": read_meteor_pairs,
    "ppdb": read_ppdb_pairs,
}


def convert_paraphrases(
    paths: Sequence[str],
    source: str,
    output: str,
    *,
    language: str,
    tokenizer: str,
    force: bool = False,
) -> tuple[PhraseSets, dict[str, Any]]:
    """Write a table of published paraphrases; return it and its header.

    A pair of paraphrases becomes a set of two, so that the paraphrases stay the same.

    Args:
        paths: The files.
        source: Their format: ``meteor``, ``ppdb`` or ``sets``.
        output: The file to write.
        language: The language of the phrases.
        tokenizer: The tokenizer of the phrases, as far as known.
        force: Whether an existing file may be replaced.

    Raises:
        InputError: A file cannot be read, or has no paraphrases in it.
        UsageError: A file would be overwritten.
        OutputError: The file cannot be written.
    """
    check_target(output)
    check_free(output, force=force)
    if source == SETS:
        table = sets_from_groups(
            chain.from_iterable(read_phrase_sets(path).values() for path in paths)
        )
    else:
        table = sets_from_pairs(pair for path in paths for pair in _PAIRS[source](path))
    if table.set_offsets.size == 1:
        problem = "there are no two phrases that are paraphrases of each other"
        raise UnreadableFile(", ".join(paths), problem, f"Is the format {source!r}?")
    facts = {
        "language": language,
        "tokenizer": words_of(language, tokenizer).name,
        "lowercase": True,
        "source": source,
        "files": [[Path(path).name, file_sha256(Path(path))[:16]] for path in paths[:20]],
        **table_counts(table),
        "tenbin": __version__,
    }
    write_paraphrase_sets(output, table, facts)
    return table, facts


def export_to_meteor(table: PhraseSets, path: str, *, language: str, force: bool = False) -> None:
    """Write the pairs of a table in METEOR's format.

    In languages with a METEOR tokenizer, phrases are tokenized by it, like METEOR's texts.

    Raises:
        UsageError: A file would be overwritten.
        OutputError: The file cannot be written.
    """
    check_free(path, force=force)
    with whole_file(path) as temporary:
        write_meteor_pairs(temporary, _spelled_pairs(table, parse_language(language).code))


def _spelled_pairs(table: PhraseSets, language: str) -> Iterator[Pair]:
    phrases = PhraseWords(table.words, table.phrase_words, table.phrase_offsets)
    owners = np.repeat(np.arange(table.pair_offsets.size - 1), np.diff(table.pair_offsets))
    pairs = owners, table.pair_phrases
    valid = np.ones(owners.size, dtype=np.bool_)
    if language in NORMALIZED_LANGUAGES:
        tokenizer = load_tokenizer(f"{METEOR_TOKENIZERS[0]}:{language}")
        phrases, valid = retokenized(phrases, pairs, tokenizer)
    spelled = [" ".join(phrases.phrase(number)) for number in range(phrases.offsets.size - 1)]
    columns = (*pairs, table.pair_probabilities)
    for one, other, share in zip(*(column[valid].tolist() for column in columns), strict=True):
        yield spelled[one], spelled[other], share
