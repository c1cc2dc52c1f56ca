"""Linked bitexts for the benchmarks of paraphrase tables, whole or of a given size."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tenbin.building.paraphrases.alignment import PackedLinks, read_packed_links
from tenbin.building.paraphrases.bitext import BitextFile, PackedBitext, PackedSide, read_packed
from tenbin.building.paraphrases.table import (
    LINKS,
    PACKED,
    LinkedText,
    ParaphraseRecipe,
    linked_text,
)
from tenbin.building.work_folder import WorkFolder
from tenbin.core.arrays import IdArray, IntArray
from tenbin.kernels.alignment.symmetrization import Symmetrization, symmetrized_links

LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Linked:
    """A bitext and its links, both directions made into one."""

    pivot: str
    bitext: PackedBitext
    links: PackedLinks


def aligned(folder: Path, pivots: list[str], work: Path) -> list[LinkedText]:
    """Align the bitexts ``en-PIVOT.tsv.xz`` of a folder; what is in the work folder is used."""
    recipe = ParaphraseRecipe(language=LANGUAGE)
    kept = WorkFolder(work)
    files = [BitextFile(str(folder / f"{LANGUAGE}-{pivot}.tsv.xz"), pivot) for pivot in pivots]
    return [linked_text(kept, file, recipe, 2) for file in files]


def opened(text: Path, links: Path) -> tuple[PackedBitext, list[PackedLinks]]:
    """Return the bitext and the links of both directions that stages hold."""
    return read_packed(text / PACKED), read_packed_links(links / LINKS)


def of_size(one: LinkedText, segments: int) -> Linked:
    """Return so many segments of a bitext, from all over it; repeated where it has not as many."""
    bitext, directions = opened(one.text, one.links)
    lengths = bitext.pivot.lengths, bitext.target.lengths
    links = symmetrized_links(directions[0], directions[1], lengths, Symmetrization.GROW_DIAG_FINAL)
    there = bitext.lines.size
    whole, rest = divmod(segments, there)
    spread = np.linspace(0, there, rest, endpoint=False).astype(np.int64)
    chosen = np.concatenate([np.tile(np.arange(there), whole), spread])
    places, bounds = _rows(links[2], chosen)
    drawn = PackedBitext(
        _part(bitext.target, chosen), _part(bitext.pivot, chosen), chosen, bitext.line_count
    )
    return Linked(one.pivot, drawn, (links[0][places], links[1][places], bounds))


def _part(side: PackedSide, chosen: IntArray) -> PackedSide:
    places, bounds = _rows(side.offsets, chosen)
    values: IdArray = side.values[places]
    return PackedSide(values, bounds, side.words)


def _rows(offsets: IntArray, chosen: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of some rows, one after the other, and where each row begins and ends."""
    sizes = np.diff(offsets)[chosen]
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(offsets[chosen] - bounds[:-1], sizes) + np.arange(bounds[-1])
    return places, bounds
