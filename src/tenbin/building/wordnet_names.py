"""Makes the bundled list of names from the files of WordNet 3.0.

    python -m tenbin.building.wordnet_names DICT_FOLDER OUTPUT

Listed are single words that the data files write with a capital only: Tolstoy, Norway, Norwegian,
but neither smith nor turkey, which are common nouns too. Spellings are the same in every copy of
version 3.0, so that any will do.
"""

import sys
from pathlib import Path

from tenbin.formats.lines import TextFile

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
# Offset, file, part of speech; then the number of words in hexadecimal, and each with its number.
_COUNT, _FIRST = 3, 4
_CODE = 2  # ME and OR are states
_HEADER = "# Names in WordNet 3.0, see LICENSE.txt. Made by tenbin.building.wordnet_names.\n"


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
                continue  # the licence
            fields = line.split(" ")
            for place in range(int(fields[_COUNT], 16)):
                lemma = fields[_FIRST + 2 * place].partition("(")[0]
                if lemma.replace("'", "").isalpha() and len(lemma) > _CODE:
                    (names if lemma[0].isupper() else words).add(lemma.lower())
    return sorted(names - words)


def main() -> None:
    """Make the list and write it."""
    dictionary, output = map(Path, sys.argv[1:])
    lines = "".join(f"{name}\n" for name in wordnet_names(dictionary))
    output.write_text(_HEADER + lines, encoding="utf-8")


if __name__ == "__main__":
    main()
