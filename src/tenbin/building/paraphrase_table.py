"""From bitext to a paraphrase table: words aligned, phrases extracted, pivoted and written.

Bannard and Callison-Burch (2005), "Paraphrasing with Bilingual Parallel Corpora"; Zhou, Lin and
Hovy (2006), "Re-evaluating Machine Translation Results with Paraphrase Support" (ParaEval).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.building.bitext import BitextFile, pack_bitext, read_packed, words_of, write_packed
from tenbin.building.corpus import Phase, check_free, unseen
from tenbin.building.paraphrase_sets import sets_from_pivot
from tenbin.building.phrase_extraction import FILE_NAME, Extraction, write_phrase_pairs
from tenbin.building.pivot import RESULTS, Engine, Pivoting, pivot
from tenbin.building.word_alignment import Aligner, PackedLinks, learned_links, links_of_file
from tenbin.building.work_folder import WorkFolder
from tenbin.core.errors import UnreadableFile
from tenbin.core.metric import AUTO
from tenbin.formats.output import check_target, write_errors
from tenbin.formats.tensor_file import TensorWriter, map_tensors
from tenbin.kernels.link_symmetrisation import Symmetrisation, symmetrised_links
from tenbin.resources.fingerprints import file_sha256
from tenbin.resources.function_words import FunctionWordSource, load_function_words
from tenbin.resources.paraphrase_sets import PhraseSets, write_paraphrase_sets
from tenbin.version import __version__

WORK_ENDING = ".work"
_PACKED = "text.safetensors"
_LINKS = "links.safetensors"
_LONGEST_LIST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a table is made.

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
    symmetrisation: Symmetrisation = Symmetrisation.GROW_DIAG_FINAL
    longest: int = 7
    drop_function_pivots: bool = False
    drop_punctuation: bool = False
    pivoting: Pivoting = field(default_factory=Pivoting)
    merge: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BuiltTable:
    """What was written, how it was made, and which stages were there already."""

    table: PhraseSets
    facts: dict[str, Any]
    reused: tuple[str, ...]


def build_paraphrase_table(
    bitexts: Sequence[BitextFile],
    output: str,
    recipe: Recipe,
    *,
    engine: Engine | None = None,
    jobs: int = 1,
    work: Path | None = None,
    force: bool = False,
    phase: Phase = unseen,
) -> BuiltTable:
    """Make a paraphrase table from bitexts, one or more languages on their other sides.

    Finished stages are kept in a work folder: a build that was interrupted goes on after the last
    of them. A stage is made again if anything it depends on has changed.

    Args:
        bitexts: The text.
        output: The file to write, whole or not at all.
        recipe: How the table is made.
        engine: What runs the pivot; default: DuckDB.
        jobs: Processes that align words; more than two are of no use.
        work: The work folder, kept afterwards; default: ``OUTPUT.work``, which is removed when the
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
    extracted = [_phrases(folder, file, recipe, jobs, phase) for file in bitexts]
    places = _pivoted(folder, extracted, recipe.pivoting, engine or Engine(), phase)
    with phase("writing the table", None):
        table = sets_from_pivot(places, merge=recipe.merge)
        if table.set_offsets.size == 1:
            problem = "there is no phrase with a paraphrase"
            advice = "Give more text, or filter less."
            raise UnreadableFile(", ".join(file.path for file in bitexts), problem, advice)
        facts = _facts(bitexts, recipe, table)
        write_paraphrase_sets(output, table, facts)
    if work is None:
        folder.remove()
    return BuiltTable(table, facts, tuple(folder.reused))


def _phrases(folder: WorkFolder, file: BitextFile, recipe: Recipe, jobs: int, phase: Phase) -> Path:
    """Return the file of the phrase pairs of a bitext."""
    target = words_of(recipe.language, recipe.tokenizer)
    other = words_of(file.pivot, recipe.pivot_tokenizer)
    described: dict[str, Any] = {
        "files": [_hash(path) for path in file.inputs],
        "pivot_first": file.pivot_first,
        "tokenizers": [(one.name, list(one.versions)) for one in (target, other)],
        "most_words": recipe.most_words,
    }

    def pack(place: Path) -> None:
        with phase(f"{file.pivot}: cutting into words", None) as advance:
            packed = pack_bitext(file, target, other, most_words=recipe.most_words, advance=advance)
        write_packed(place / _PACKED, packed)

    text = folder.stage(f"text-{file.pivot}", described, pack)

    def align(place: Path) -> None:
        bitext = read_packed(text / _PACKED)
        if not file.links:
            found = learned_links(
                bitext, recipe.aligner, jobs=jobs, label=f"{file.pivot}: ", phase=phase
            )
            _write_links(place / _LINKS, *found)
            return
        paths = [path for path in (file.links, file.reverse_links) if path]
        _write_links(place / _LINKS, *(links_of_file(bitext, file, path) for path in paths))

    given = [_hash(path) for path in (file.links, file.reverse_links) if path]
    inputs = {"text": text, "aligner": given or recipe.aligner}
    links = folder.stage(f"links-{file.pivot}", inputs, align)
    stops: frozenset[str] = frozenset()
    if recipe.drop_function_pivots:
        stops = load_function_words(FunctionWordSource.LANGUAGE, file.pivot).words
    extraction = Extraction(
        longest=recipe.longest,
        pivot_function_words=stops,
        drop_punctuation=recipe.drop_punctuation,
    )

    def extract(place: Path) -> None:
        bitext = read_packed(text / _PACKED)
        directions = _read_links(links / _LINKS)
        chosen = directions[0]
        if len(directions) > 1:
            lengths = bitext.pivot.lengths, bitext.target.lengths
            chosen = symmetrised_links(directions[0], directions[1], lengths, recipe.symmetrisation)
        write_phrase_pairs(place / FILE_NAME, bitext, chosen, file.pivot, extraction, phase=phase)

    described = {
        "links": links,
        "symmetrisation": recipe.symmetrisation,
        "extraction": {**asdict(extraction), "pivot_function_words": sorted(stops)},
        "pivot": file.pivot,
    }
    return folder.stage(f"phrases-{file.pivot}", described, extract) / FILE_NAME


def _pivoted(
    folder: WorkFolder, sources: list[Path], pivoting: Pivoting, engine: Engine, phase: Phase
) -> dict[str, Path]:
    inputs = {
        "phrases": [source.parent for source in sources],
        "numbers": pivoting.numbers,
        "sql": (files("tenbin.building") / "pivot.sql").read_text(encoding="utf-8"),
    }

    def run(place: Path) -> None:
        spill = place / "spill"
        spill.mkdir()
        with phase("pivoting", None):
            pivot(sources, place, pivoting, engine, spill=spill)
        _remove_tree(spill)

    made = folder.stage("pivot", inputs, run)
    return {name: made / name for name in RESULTS}


def _remove_tree(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


def _hash(path: str) -> str:
    # Pipes have no hash before they are read, and a build that goes on must read its text again.
    return file_sha256(Path(path))


def _write_links(path: Path, *directions: PackedLinks) -> None:
    with write_errors(str(path)), TensorWriter(path) as writer:
        for number, (pivot_places, target_places, bounds) in enumerate(directions):
            writer.extend(f"bounds_{number}", bounds)
            writer.extend(f"pivot_{number}", pivot_places)
            writer.extend(f"target_{number}", target_places)
        writer.finish({})


def _read_links(path: Path) -> list[PackedLinks]:
    tensors = map_tensors(path).tensors
    count = sum(name.startswith("bounds_") for name in tensors)
    return [
        (tensors[f"pivot_{n}"], tensors[f"target_{n}"], tensors[f"bounds_{n}"])
        for n in range(count)
    ]


def _facts(bitexts: Sequence[BitextFile], recipe: Recipe, table: PhraseSets) -> dict[str, Any]:
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
    """Return how much there is in a table."""
    return {
        "words": len(table.words),
        "phrases": int(table.phrase_offsets.size - 1),
        "sets": int(table.set_offsets.size - 1),
        "members": int(np.asarray(table.set_phrases).size),
        "pairs": int(table.pair_phrases.size),
    }
