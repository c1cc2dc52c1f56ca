"""Opens lexicons by name or file, in any known format."""

from collections.abc import Callable
from pathlib import Path

from tenbin.core.errors import UnreadableFile
from tenbin.core.resource import ResourceKind
from tenbin.formats.lexicons.pairs import read_synonym_pairs
from tenbin.formats.lexicons.synsets import read_synsets
from tenbin.formats.lexicons.table import (
    LexiconTable,
    lexicon_table,
    read_lexicon_table,
    write_lexicon_table,
)
from tenbin.resources.lexicons.dbnary import dbnary_sets
from tenbin.resources.lexicons.lexicon import Lexicon, TableLexicon, linked_sets
from tenbin.resources.lexicons.sudachi import SYNONYMS, load_sudachi_synonyms
from tenbin.resources.lexicons.thesaurus import thesaurus_sets
from tenbin.resources.lexicons.wordnet import load_wordnet
from tenbin.resources.store.store import ResourceStore, default_store

FORM = "lexicon-table-1"  # in tenbin.resources.store.preparation
WORDNET = "wordnet"
_TABLE = "lexicon.npz"
_COMPRESSED = (".gz", ".bz2", ".xz")


def load_lexicon(name: str | Path, language: str, store: ResourceStore | None = None) -> Lexicon:
    """Open a lexicon.

    The first use of a file converts it into a table, which is cached.

    Args:
        name: ``wordnet``, a lexicon of the manifest, or the path of a file: DBnary Turtle (.ttl),
            METEOR synsets (.synsets), MyThes (.dat), ``word<TAB>synonym`` (.tsv, .txt) or a table
            (.npz); all but the last may be compressed.
        language: The language of a file.
        store: The resource store; default: the user's.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
        UnreadableFile: The file cannot be read, or its extension is none of those.
        MalformedLine: The file breaks its format; the message has the line.
        UnknownResource: No resource and no file has that name.
    """
    if name == WORDNET:
        return load_wordnet()
    chosen = default_store() if store is None else store
    if name == SYNONYMS:
        return load_sudachi_synonyms(chosen)
    identity = chosen.identity(name, kind=ResourceKind.LEXICON, language=language)
    path = chosen.path(name)
    if path.suffix == ".npz":
        return TableLexicon(identity, read_lexicon_table(path))
    return TableLexicon(identity, read_lexicon_table(chosen.prepared(name, FORM) / _TABLE))


def prepare_lexicon(source: Path, folder: Path) -> None:
    """Convert a lexicon file into a table (see `tenbin.resources.store.preparation`)."""
    write_lexicon_table(folder / _TABLE, lexicon_sets(source))


def lexicon_sets(path: Path) -> LexiconTable:
    """Return the sets of a lexicon file; the extension gives the format.

    Raises:
        UnreadableFile: The file cannot be read, or its extension is not known.
        MalformedLine: The file breaks its format.
    """
    endings = [ending for ending in path.suffixes if ending not in _COMPRESSED]
    ending = endings[-1].lower() if endings else ""
    if ending not in _READERS:
        problem = f"the extension {ending!r} is not that of a lexicon format"
        if not ending:
            problem = "the name has no extension that gives the format"
        advice = f"Expected {', '.join(_READERS)}, possibly compressed (.gz, .bz2 or .xz)."
        raise UnreadableFile(str(path), problem, advice)
    return _READERS[ending](path)


def _from_synsets(path: Path) -> LexiconTable:
    return lexicon_table(read_synsets(path))


def _from_pairs(path: Path) -> LexiconTable:
    return linked_sets(read_synonym_pairs(path))


_READERS: dict[str, Callable[[Path], LexiconTable]] = {
    ".synsets": _from_synsets,
    ".ttl": dbnary_sets,
    ".dat": thesaurus_sets,
    ".tsv": _from_pairs,
    ".txt": _from_pairs,
}
