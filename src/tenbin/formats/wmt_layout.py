"""The folder layout of mt-metrics-eval: sources, references, system outputs, documents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import filter as matching_names
from glob import escape
from pathlib import Path

from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.formats.lines import TextFile
from tenbin.formats.test_files import FileTestSet, open_test_set

# Beginning of the note on references chosen by default; studies leave it out.
CHOICE_OF_REFERENCES = "scored against "
_DOCUMENT_FIELDS = 2
_HUMAN_NAME = re.compile(r"(ref|ref-?[A-Z0-9]|human(\b|[-_.]).*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WmtFiles:
    """The files of one language pair.

    Attributes:
        systems: Path of each chosen system's output, by name.
        references: Path of each chosen reference, by name; none where there are none.
        source: Path of the source text, where there is one.
        documents: Path of the table of documents, where there is one.
        notes: What was chosen by default.
    """

    systems: Mapping[str, str]
    references: Mapping[str, str]
    source: str | None
    documents: str | None
    notes: tuple[str, ...]


def find_wmt_files(
    folder: str,
    pair: str,
    *,
    references: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
) -> WmtFiles:
    """Return the files of one language pair of a test set, unread.

    Args:
        folder: The test set, holding ``references``, ``system-outputs`` and so on.
        pair: The language pair, such as ``en-de``.
        references: Names of the references to score against; by default (None) the first one, if
            there is one; an empty list for no reference.
        systems: Names of the systems, or patterns such as ``Online-*``; by default all except the
            references in use.
    """
    root = Path(folder)
    if not root.is_dir():
        raise UnreadableFile(folder, "there is no such folder", "Check the path of the test set.")
    outputs = {p.stem: str(p) for p in sorted((root / "system-outputs" / pair).glob("*.txt"))}
    known = {name: str(path) for name, path in _reference_paths(root, pair).items()}
    if not known and not outputs:
        raise UnreadableFile(folder, f"neither references nor outputs of {pair}", _pairs_hint(root))
    chosen = sorted(known)[:1] if references is None else list(dict.fromkeys(references))
    _refuse_unknown("reference", chosen, known, pair)
    named = _chosen_systems(systems or [], outputs)
    _refuse_unknown("system", named, outputs, pair)
    # References that no metric reads are translations like others.
    scored = named or [name for name in outputs if name not in chosen]
    if not scored:
        raise UnreadableFile(
            str(root / "system-outputs" / pair), "no system outputs there", _pairs_hint(root)
        )
    source = root / "sources" / f"{pair}.txt"
    documents = root / "documents" / f"{pair}.docs"
    return WmtFiles(
        systems={name: outputs[name] for name in scored},
        references={name: known[name] for name in chosen},
        source=str(source) if source.is_file() else None,
        documents=str(documents) if documents.is_file() else None,
        notes=tuple(_notes(chosen, known, outputs, systems)),
    )


def open_wmt_set(
    folder: str,
    pair: str,
    *,
    references: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    empty_means_absent: bool = False,
) -> FileTestSet:
    """Open one language pair of a test set; arguments as in `find_wmt_files`.

    Args:
        folder: The test set.
        pair: The language pair.
        references: Names of the references.
        systems: Names of the systems.
        empty_means_absent: Whether an empty reference line means no reference.
    """
    found = find_wmt_files(folder, pair, references=references, systems=systems)
    opened = open_test_set(
        found.systems,
        list(found.references.values()),
        found.source,
        documents=None if found.documents is None else read_documents(found.documents),
        empty_means_absent=empty_means_absent,
    )
    return replace(opened, notes=(*found.notes, *opened.notes))


def read_documents(path: str) -> list[str]:
    """Return the document of each segment, with its domain, from lines ``DOMAIN<TAB>DOCUMENT``."""
    documents = []
    for number, line in enumerate(TextFile(path).lines(), start=1):
        fields = line.split("\t")
        if len(fields) < _DOCUMENT_FIELDS:
            fields = line.split(maxsplit=1)
        if len(fields) < _DOCUMENT_FIELDS:
            problem = f"found {line[:40]!r}, expected DOMAIN<TAB>DOCUMENT"
            raise MalformedLine(path, number, problem, "Correct the line.")
        documents.append("\t".join(fields[:_DOCUMENT_FIELDS]))
    return documents


def human_translations(systems: Iterable[str]) -> list[str]:
    """Return the systems that are human translations, as WMT names them.

    >>> human_translations(["refA", "Online-B.1590", "Human-P.0", "referee", "HumanMT"])
    ['refA', 'Human-P.0']
    """
    return [name for name in systems if _HUMAN_NAME.fullmatch(name)]


def _chosen_systems(names: Sequence[str], outputs: Mapping[str, str]) -> list[str]:
    """Return the systems that names and patterns such as ``Online-*`` stand for."""
    found: dict[str, None] = {}
    for name in names:
        fitting = [name] if name in outputs else matching_names(outputs, name)
        found |= dict.fromkeys(fitting or [name])
    return list(found)


def _reference_paths(root: Path, pair: str) -> dict[str, Path]:
    found = sorted((root / "references").glob(f"{escape(pair)}.*.txt"))
    return {path.name.removeprefix(f"{pair}.").removesuffix(".txt"): path for path in found}


def _pairs_hint(root: Path) -> str:
    outputs = root / "system-outputs"
    pairs = sorted(path.name for path in outputs.iterdir()) if outputs.is_dir() else []
    if not pairs:
        return "Expected the layout of mt-metrics-eval: references/, system-outputs/PAIR/."
    complete = [pair for pair in pairs if _reference_paths(root, pair)]
    others = [pair for pair in pairs if pair not in complete]
    listed = [f"Language pairs with references and outputs: {', '.join(complete) or 'none'}."]
    listed += [f"With outputs alone: {', '.join(others)}."] if others else []
    return " ".join(listed)


def _refuse_unknown(kind: str, names: Sequence[str], known: dict[str, str], pair: str) -> None:
    unknown = [name for name in names if name not in known]
    if unknown:
        listed = ", ".join(sorted(known)) or "none"
        raise UsageError(f"{pair} has no {kind} {', '.join(unknown)}. There are: {listed}.")


def _notes(
    chosen: Sequence[str],
    known: dict[str, str],
    outputs: dict[str, str],
    systems: Sequence[str] | None,
) -> list[str]:
    notes = []
    others = [name for name in known if name not in chosen]
    if others and chosen:
        available = f"also available: {', '.join(others)} (`references`)."
        notes.append(f"{CHOICE_OF_REFERENCES}{', '.join(chosen)}; {available}")
    skipped = [name for name in chosen if name in outputs]
    if skipped and not systems:
        notes.append(f"left out as systems, being the references: {', '.join(skipped)}.")
    return notes
