"""Counts in how many documents of a corpus each token stands."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from tenbin.annotation.tokenizers import Tokenizer
from tenbin.building.corpus import (
    Advance,
    Corpus,
    Phase,
    check_free,
    count_words,
    require_words,
    unseen,
)
from tenbin.building.model_tokenizers import ModelTokenizer
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO
from tenbin.formats.idf_file import write_idf_file
from tenbin.formats.output import check_target
from tenbin.version import __version__

# With fewer documents most tokens have the same idf.
_FEW_DOCUMENTS = 100


class DocumentUnit(StrEnum):
    """What a document is: a line, the lines between two blank lines, or a file."""

    LINE = "line"
    BLANK_LINE = "blank-line"
    FILE = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIdf:
    """What was counted.

    Attributes:
        documents: Number of documents with a token.
        tokens: Number of distinct tokens.
        sha256: Of the file.
        notes: What a reader should know.
    """

    documents: int
    tokens: int
    sha256: str
    notes: tuple[str, ...]


def build_idf(
    paths: list[str],
    language: str,
    output: str,
    *,
    tokenizer: str = AUTO,
    document: DocumentUnit = DocumentUnit.LINE,
    lowercase: bool = False,
    force: bool = False,
    phase: Phase = unseen,
) -> BuiltIdf:
    """Count the documents that each token of a corpus stands in, and write them to a file.

    The text is read once, a line at a time; in memory are the counts and the distinct tokens of one
    document. With more than five million distinct tokens the rarest are dropped on the way.

    Args:
        paths: Text files, packed or not; ``-`` is standard input.
        language: The language of the text.
        output: The file to write, whole or not at all.
        tokenizer: A tokenizer of Tenbin, or the folder of a model with a ``tokenizer.json``;
            ``auto``: the words of the language.
        document: What a document is.
        lowercase: Whether the text is lower-cased; a model's tokenizer does what it always does.
        force: Whether a file that is there may be replaced.
        phase: Shows the progress.

    Raises:
        UsageError: A wrong tokenizer or language, or a file that would be overwritten.
        MissingExtra: The tokenizer needs a package that is not installed.
        InputError: The corpus or the tokenizer of a model cannot be read, or has no token.
        OutputError: The file cannot be written.
    """
    check_target(output)
    check_free(output, force=force)
    cutter, specials = _tokenizer(tokenizer)
    if specials is not None and lowercase:
        raise UsageError(
            "--lowercase: a model's tokenizer decides about case itself. Leave it out."
        )
    corpus = Corpus(paths, language, tokenizer=cutter, lowercase=lowercase)
    corpus.check()
    found = 0

    def documents() -> Iterator[tuple[str, ...]]:
        nonlocal found
        with phase("counting documents", corpus.size) as advance:
            for tokens in _documents(corpus, document, advance):
                found += 1
                yield tuple(tokens)

    counted = count_words(documents())
    require_words(corpus, counted.total)
    # BERTScore counts the special tokens of a model in every document, so that they weigh nothing.
    for special in specials or ():
        counted.counts[special] = found
    sha256 = write_idf_file(
        output,
        found,
        counted.ranked(1),
        {
            "tokenizer": corpus.tokenizer.name,
            "language": corpus.language.tag,
            "document": str(document),
            "lowercase": corpus.lowercase,
            "dropped_up_to": counted.dropped_up_to,
            "corpus": [asdict(file) for file in corpus.files],
            "versions": {"tenbin": __version__, **corpus.versions},
        },
    )
    notes = _notes(found, counted.dropped_up_to)
    return BuiltIdf(documents=found, tokens=len(counted.counts), sha256=sha256, notes=notes)


def _tokenizer(name: str) -> tuple[str | Tokenizer, tuple[str, ...] | None]:
    if not Path(name).is_dir():
        return name, None
    model = ModelTokenizer(Path(name))
    return model.tokenizer, model.specials


def _documents(corpus: Corpus, unit: DocumentUnit, advance: Advance | None) -> Iterator[set[str]]:
    """Yield the distinct tokens of each document that has some."""
    held: set[str] = set()
    last = 0
    for file, tokens in corpus.lines(advance):
        blank = unit is DocumentUnit.BLANK_LINE and not tokens
        if held and (unit is DocumentUnit.LINE or file != last or blank):
            yield held
            held = set()
        held.update(tokens)
        last = file
    if held:
        yield held


def _notes(documents: int, dropped: int) -> tuple[str, ...]:
    notes = []
    if documents < _FEW_DOCUMENTS:
        few = f"{documents:,} documents tell little: most tokens get one of a few weights"
        notes.append(f"{few}. Give more text, or count lines (--document line).")
    if dropped:
        notes.append(
            f"there are very many tokens: some that stand in up to {dropped} were dropped."
        )
    return tuple(notes)
