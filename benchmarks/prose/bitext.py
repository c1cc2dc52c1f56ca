"""Bitexts, as far as their licences let a trained model be published.

Files of `shared/corpora/bitext` have texts of many sources one after the other; their README says
which lines are whose. Taken: Tatoeba and the Tanaka corpus (CC BY 2.0 FR), help and texts of the
interface of LibreOffice (MPL-2.0). Not taken: GPL, GFDL, CC BY-SA, and captions for research alone.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tenbin.formats.lines import TextFile

_TAKEN: Mapping[str, tuple[tuple[int, int], ...]] = {
    "en-de": ((1, 201_147), (280_966, 323_746), (363_304, 373_843)),
    "en-es": ((1, 139_650), (191_232, 227_785), (235_649, 246_351)),
    "en-fr": ((1, 186_434), (268_194, 309_308), (354_307, 364_684)),
    "en-ja": ((1, 120_149), (149_698, 171_070), (190_654, 200_974)),
    "en-ru": ((1, 48_980), (97_013, 122_503), (134_213, 146_451)),
    "en-zh": ((1, 50_787), (69_082, 98_218), (101_791, 113_209)),
}
"""First and last line of each part that is taken, counted from 1."""


def english_sides(folder: Path) -> Iterator[str]:
    """Yield the English side of what is taken.

    Args:
        folder: The folder of the bitexts.
    """
    for pair in _TAKEN:
        for line in taken_lines(folder, pair):
            yield line.partition("\t")[0].strip()


def write_pairs(folder: Path, output: Path) -> dict[str, int]:
    """Write both sides of what is taken, a file for each language pair.

    Args:
        folder: The folder of the bitexts.
        output: A folder, which is made.

    Returns:
        The number of lines of each pair.
    """
    output.mkdir(parents=True, exist_ok=True)
    counts = {}
    for pair in _TAKEN:
        with (output / f"{pair}.tsv").open("w", encoding="utf-8") as file:
            lines = list(taken_lines(folder, pair))
            file.writelines(f"{one}\n" for one in lines)
            counts[pair] = len(lines)
    return counts


def taken_lines(folder: Path, pair: str) -> Iterator[str]:
    """Yield the lines of a pair that are taken: English, a tab, the other language.

    Args:
        folder: The folder of the bitexts.
        pair: The language pair.
    """
    for number, line in enumerate(TextFile(str(folder / f"{pair}.tsv.xz")).lines(), start=1):
        if any(first <= number <= last for first, last in _TAKEN[pair]):
            yield line
