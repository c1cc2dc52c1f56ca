"""Builds a paraphrase table from bitexts: word alignment, phrase extraction and pivoting.

Bannard and Callison-Burch (2005), "Paraphrasing with Bilingual Parallel Corpora"; Zhou, Lin and
Hovy (2006), "Re-evaluating Machine Translation Results with Paraphrase Support" (ParaEval).
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.building.corpus import Phase, check_free, no_progress
from tenbin.building.paraphrases.alignment import (
    Aligner,
    learned_links,
    links_of_file,
    read_packed_links,
    write_packed_links,
)
from tenbin.building.paraphrases.bitext import (
    BitextFile,
    pack_bitext,
    read_packed,
    words_of,
    write_packed,
)
from tenbin.building.paraphrases.extraction import (
    FILE_NAME,
    Extraction,
    phrase_texts,
    write_phrase_pairs,
)
from tenbin.building.paraphrases.pivot import RESULTS, Engine, Pivoting, pivot
from tenbin.building.paraphrases.sets import sets_from_pivot, wanted_phrases
from tenbin.building.work_folder import WorkFolder
from tenbin.core.arrays import IntArray
from tenbin.core.errors import UnreadableFile
from tenbin.core.metric import AUTO
from tenbin.formats.output import check_target
from tenbin.kernels.alignment.symmetrization import Symmetrization, symmetrized_links
from tenbin.resources.function_words import FunctionWordSource, load_function_words
from tenbin.resources.paraphrases import PhraseSets, write_paraphrase_sets
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.version import __version__

WORK_ENDING = ".work"
PACKED = "text.safetensors"
LINKS = "links.safetensors"
_LONGEST_LIST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ParaphraseRecipe:
    """The settings of a build.

    Attributes:
        language: The language of the paraphrases.
        tokenizer: What cuts it into words.
        pivot_tokenizer: What cuts the pivot languages into words.
        most_words: Longer segments are left out.
        aligner: What learns the word links.
        symmetrisation: How links of two directions become one set.
        longest: Most words of a phrase, on either side.
        drop_function_pivots: Whether pivot phrases of nothing but function words are left out.
        drop_punctuation: Whether phrases of nothing but punctuation are left out.
        pivoting: Which pairs are left out for being rare.
        merge: Whether sets that share a phrase become one set; frequent words then join nearly all.
    """

    language: str
    tokenizer: str = AUTO
    pivot_tokenizer: str = AUTO
    most_words: int = 100
    aligner: Aligner = Aligner.FAST_ALIGN
    symmetrisation: Symmetrization = Symmetrization.GROW_DIAG_FINAL
    longest: int = 7
    drop_function_pivots: bool = False
    drop_punctuation: bool = False
    pivoting: Pivoting = field(default_factory=Pivoting)
    merge: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BuiltTable:
    """The result of a build, and the stages that were reused."""

    table: PhraseSets
    facts: dict[str, Any]
    reused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkedText:
    """A bitext and its word links: the folders of their stages."""

    pivot: str
    text: Path
    links: Path


def build_paraphrase_table(
    bitexts: Sequence[BitextFile],
    output: str,
    recipe: ParaphraseRecipe,
    *,
    engine: Engine | None = None,
    jobs: int = 1,
    work: Path | None = None,
    force: bool = False,
    phase: Phase = no_progress,
) -> BuiltTable:
    """Build a paraphrase table from bitexts with one or more pivot languages.

    Finished stages are stored in a work folder: a build that was interrupted goes on after the last
    of them. A stage is made again if anything it depends on has changed.

    Args:
        bitexts: The text.
        output: The file to write, whole or not at all.
        recipe: How the table is made.
        engine: What runs the pivot; default: DuckDB.
        jobs: Processes that align words; more than two are of no use.
        work: The work folder, not removed; default: ``OUTPUT.work``, which is removed when the
            table is written.
        force: Whether a file that is there may be replaced.
        phase: Shows the progress.

    Raises:
        InputError: A file cannot be read, or links do not fit the text.
        MissingExtra: A package of the extra ``build`` or ``spark`` is not installed.
        UsageError: A file would be overwritten.
        OutputError: The file or the work folder cannot be written.
    """
    check_target(output)
    check_free(output, force=force)
    folder = WorkFolder(Path(output + WORK_ENDING) if work is None else work)
    linked = [linked_text(folder, file, recipe, jobs, phase) for file in bitexts]
    table = _table(folder, linked, recipe, engine or Engine(), phase)
    with phase("writing the table", None):
        if table.set_offsets.size == 1:
            problem = "there is no phrase with a paraphrase"
            advice = "Give more text, or filter less."
            raise UnreadableFile(", ".join(file.path for file in bitexts), problem, advice)
        facts = _facts(bitexts, recipe, table)
        write_paraphrase_sets(output, table, facts)
    if work is None:
        folder.remove()
    return BuiltTable(table, facts, tuple(folder.reused))


def linked_text(
    folder: WorkFolder,
    file: BitextFile,
    recipe: ParaphraseRecipe,
    jobs: int,
    phase: Phase = no_progress,
) -> LinkedText:
    """Return the stages of a tokenized and aligned bitext; see above."""
    target = words_of(recipe.language, recipe.tokenizer)
    other = words_of(file.pivot, recipe.pivot_tokenizer)
    described: dict[str, Any] = {
        "files": [_hash(path) for path in file.inputs],
        "pivot_first": file.pivot_first,
        "tokenizers": [(one.name, list(one.versions)) for one in (target, other)],
        "most_words": recipe.most_words,
    }

    def pack(place: Path) -> None:
        with phase(f"{file.pivot}: tokenizing", None) as advance:
            packed = pack_bitext(file, target, other, most_words=recipe.most_words, advance=advance)
        write_packed(place / PACKED, packed)

    text = folder.stage(f"text-{file.pivot}", described, pack)

    def align(place: Path) -> None:
        bitext = read_packed(text / PACKED)
        if not file.links:
            found = learned_links(
                bitext, recipe.aligner, jobs=jobs, label=f"{file.pivot}: ", phase=phase
            )
            write_packed_links(place / LINKS, *found)
            return
        paths = [path for path in (file.links, file.reverse_links) if path]
        write_packed_links(place / LINKS, *(links_of_file(bitext, file, path) for path in paths))

    given = [_hash(path) for path in (file.links, file.reverse_links) if path]
    inputs = {"text": text, "aligner": given or recipe.aligner}
    return LinkedText(file.pivot, text, folder.stage(f"links-{file.pivot}", inputs, align))


def _table(
    folder: WorkFolder,
    linked: Sequence[LinkedText],
    recipe: ParaphraseRecipe,
    engine: Engine,
    phase: Phase,
) -> PhraseSets:
    """Return the table of linked texts."""
    for seed in count():
        extracted = [_phrases(folder, one, recipe, seed, phase) for one in linked]
        places = _pivoted(folder, extracted, recipe.pivoting, engine, phase)

        with phase("looking up words", None):
            spelled = _spelled(linked, wanted_phrases(places), recipe.longest, seed)
            if spelled is not None:
                return sets_from_pivot(places, spelled, merge=recipe.merge)
    raise AssertionError("there is no end of numbers")


def _spelled(
    linked: Sequence[LinkedText], wanted: Mapping[str, IntArray], longest: int, seed: int
) -> dict[str, list[str]] | None:
    """Return the words of phrases by language; None if two of them have the same hash."""
    found = {}
    for language, numbers in wanted.items():
        chosen = [one for one in linked if language in {"", one.pivot}]
        # One text after the other, since all together may not fit into memory.
        packed = (read_packed(one.text / PACKED) for one in chosen)
        sides = (bitext.pivot if language else bitext.target for bitext in packed)
        texts = phrase_texts(sides, numbers, longest=longest, seed=seed)
        if texts is None:
            return None
        found[language] = texts
    return found


def _phrases(
    folder: WorkFolder, linked: LinkedText, recipe: ParaphraseRecipe, seed: int, phase: Phase
) -> Path:
    """Return the file of the phrase pairs of a bitext."""
    stops: frozenset[str] = frozenset()
    if recipe.drop_function_pivots:
        stops = load_function_words(FunctionWordSource.LANGUAGE, linked.pivot).words
    extraction = Extraction(
        longest=recipe.longest,
        pivot_function_words=stops,
        drop_punctuation=recipe.drop_punctuation,
        seed=seed,
    )

    def extract(place: Path) -> None:
        bitext = read_packed(linked.text / PACKED)
        directions = read_packed_links(linked.links / LINKS)
        chosen = directions[0]
        if len(directions) > 1:
            lengths = bitext.pivot.lengths, bitext.target.lengths
            chosen = symmetrized_links(directions[0], directions[1], lengths, recipe.symmetrisation)
        write_phrase_pairs(place / FILE_NAME, bitext, chosen, linked.pivot, extraction, phase=phase)

    described = {
        "links": linked.links,
        "symmetrisation": recipe.symmetrisation,
        "extraction": {**asdict(extraction), "pivot_function_words": sorted(stops)},
        "pivot": linked.pivot,
    }
    return folder.stage(f"phrases-{linked.pivot}", described, extract) / FILE_NAME


def _pivoted(
    folder: WorkFolder, sources: list[Path], pivoting: Pivoting, engine: Engine, phase: Phase
) -> dict[str, Path]:
    inputs = {
        "phrases": [source.parent for source in sources],
        "numbers": pivoting.numbers,
        "sql": (files("tenbin.building.paraphrases") / "pivot.sql").read_text(encoding="utf-8"),
    }

    def run(place: Path) -> None:
        spill = place / "spill"
        spill.mkdir()
        with phase("pivoting", None):
            pivot(sources, place, pivoting, engine, spill=spill)
        shutil.rmtree(spill)

    made = folder.stage("pivot", inputs, run)
    return {name: made / name for name in RESULTS}


def _hash(path: str) -> str:
    # Pipes have no hash before they are read, and a continued build must read its text again.
    return file_sha256(Path(path))


def _facts(
    bitexts: Sequence[BitextFile], recipe: ParaphraseRecipe, table: PhraseSets
) -> dict[str, Any]:
    listed = [[Path(file.path).name, _hash(file.path)[:16]] for file in bitexts]
    return {
        "language": recipe.language,
        "tokenizer": words_of(recipe.language, recipe.tokenizer).name,
        "lowercase": True,
        "pivots": sorted({file.pivot for file in bitexts}),
        "bitexts": listed[:_LONGEST_LIST],
        "aligner": "links" if all(file.links for file in bitexts) else str(recipe.aligner),
        "symmetrisation": str(recipe.symmetrisation),
        "longest": recipe.longest,
        "drop_function_pivots": recipe.drop_function_pivots,
        "drop_punctuation": recipe.drop_punctuation,
        "merge": recipe.merge,
        **asdict(recipe.pivoting),
        **table_counts(table),
        "tenbin": __version__,
    }


def table_counts(table: PhraseSets) -> dict[str, int]:
    """Return the sizes of a table."""
    return {
        "words": len(table.words),
        "phrases": int(table.phrase_offsets.size - 1),
        "sets": int(table.set_offsets.size - 1),
        "members": int(np.asarray(table.set_phrases).size),
        "pairs": int(table.pair_phrases.size),
    }
