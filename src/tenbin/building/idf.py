"""Counts in how many documents of a corpus each token occurs."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from tenbin.annotation.tokenizers import Tokenizer
from tenbin.building.corpus import (
    Advance,
    Corpus,
    Phase,
    check_free,
    count_words,
    no_progress,
    require_words,
)
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import MissingExtra, UnreadableFile, UsageError
from tenbin.core.metric import AUTO
from tenbin.formats.idf_file import write_idf_file
from tenbin.formats.output import check_target
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.version import __version__

FILE = "tokenizer.json"
_PRINTED_DIGITS = 16
# With fewer documents most tokens have the same idf.
_FEW_DOCUMENTS = 100


class ModelTokenizer:
    """The tokenizer of a model in a folder.

    Attributes:
        tokenizer: The tokenizer; its name is that of the folder.
        specials: The special tokens around every text, such as ``[CLS]``.
    """

    def __init__(self, folder: Path) -> None:
        """Open the tokenizer.

        Raises:
            MissingExtra: The package ``tokenizers`` is not installed.
            UnreadableFile: The folder has no ``tokenizer.json``, or it is damaged.
        """
        try:
            package = import_module("tokenizers")
        except ImportError as error:
            raise MissingExtra("the tokenizer of a model", "neural") from error
        path = folder / FILE
        digest = file_sha256(path)
        try:
            opened = package.Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing more precise
            advice = "Copy it again; only the file tokenizer.json of a model is read."
            raise UnreadableFile(str(path), f"not a tokenizer ({error})", advice) from error
        # Models have a maximum length; a corpus is counted as a whole.
        opened.no_truncation()
        opened.no_padding()

        def tokenize(text: str) -> list[str]:
            # By id, as metrics look subwords up: some models spell unknown ones out.
            numbers = opened.encode(text, add_special_tokens=False).ids
            return [opened.id_to_token(number) for number in numbers]

        versions = (
            ("tokenizers", version("tokenizers")),
            (FILE, digest[:_PRINTED_DIGITS]),
        )
        name = folder.resolve().name
        self.tokenizer = Tokenizer(name, tokenize, cuts_unspaced=True, versions=versions)
        self.specials = tuple(dict.fromkeys(opened.encode("").tokens))


class DocumentUnit(StrEnum):
    """What a document is: a line, the lines between two blank lines, or a file."""

    LINE = "line"
    BLANK_LINE = "blank-line"
    FILE = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIdf:
    """The result of a build.

    Attributes:
        documents: Number of documents with a token.
        tokens: Number of distinct tokens.
        sha256: Of the file.
        notes: Notes for the user.
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
    phase: Phase = no_progress,
) -> BuiltIdf:
    """Count the documents of a corpus in which each token occurs, and write the counts.

    The text is read once, a line at a time; in memory are the counts and the distinct tokens of one
    document. With more than five million distinct tokens the rarest are dropped on the way.

    Args:
        paths: Text files, compressed or not; ``-`` is standard input.
        language: The language of the text.
        output: The file to write.
        tokenizer: A tokenizer of Tenbin, or the folder of a model with a ``tokenizer.json``;
            ``auto``: the words of the language.
        document: What a document is.
        lowercase: Whether the text is lower-cased; not for the tokenizer of a model.
        force: Whether an existing file may be replaced.
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
            "lowercase=True: a model's tokenizer has its own treatment of case. Leave it out."
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
        few = (
            f"{counted(documents, 'document')} {agreeing(documents, 'is')} few: most tokens get "
            "one of a few weights"
        )
        notes.append(f"{few}. Give more text, or take each line for a document.")
    if dropped:
        notes.append(
            f"there are very many tokens: some that stand in up to {dropped} were dropped."
        )
    return tuple(notes)
