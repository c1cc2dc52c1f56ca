"""The folder layout of mt-metrics-eval: sources, references, system outputs, documents."""

from collections.abc import Sequence
from pathlib import Path

from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.formats.lines import TextFile
from tenbin.formats.test_files import FileTestSet, open_test_set

_DOCUMENT_FIELDS = 2


def open_wmt_set(
    folder: str,
    pair: str,
    *,
    references: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    empty_means_absent: bool = False,
) -> FileTestSet:
    """Open one language pair of a test set.

    Args:
        folder: The test set, holding ``references``, ``system-outputs`` and so on.
        pair: The language pair, such as ``en-de``.
        references: Names of the references to score against; by default the first one.
        systems: Names of the systems; by default all, but for the references in use.
        empty_means_absent: Whether an empty reference line means no reference.
    """
    root = Path(folder)
    if not root.is_dir():
        raise UnreadableFile(folder, "there is no such folder", "Check the path given to --set.")
    known = _references(root, pair)
    chosen = list(references) if references else sorted(known)[:1]
    _refuse_unknown("reference", chosen, known, pair)
    outputs = {p.stem: str(p) for p in sorted((root / "system-outputs" / pair).glob("*.txt"))}
    if not outputs:
        raise UnreadableFile(
            str(root / "system-outputs" / pair), "no system outputs there", _pairs_hint(root)
        )
    _refuse_unknown("system", systems or [], outputs, pair)
    scored = {
        name: path
        for name, path in outputs.items()
        if (name in systems if systems else name not in chosen)
    }
    if systems:
        scored = {name: outputs[name] for name in systems}
    source = root / "sources" / f"{pair}.txt"
    return open_test_set(
        scored,
        [known[name] for name in chosen],
        str(source) if source.is_file() else None,
        documents=_documents(root / "documents" / f"{pair}.docs"),
        empty_means_absent=empty_means_absent,
        notes=_notes(chosen, known, outputs, systems),
    )


def _references(root: Path, pair: str) -> dict[str, str]:
    found = sorted((root / "references").glob(f"{pair}.*.txt"))
    references = {path.name.removeprefix(f"{pair}.").removesuffix(".txt"): path for path in found}
    if not references:
        raise UnreadableFile(
            str(root / "references"), f"no reference for {pair} there", _pairs_hint(root)
        )
    return {name: str(path) for name, path in references.items()}


def _pairs_hint(root: Path) -> str:
    outputs = root / "system-outputs"
    pairs = sorted(path.name for path in outputs.iterdir()) if outputs.is_dir() else []
    if not pairs:
        return "Expected the layout of mt-metrics-eval: references/, system-outputs/PAIR/."
    return f"Language pairs with outputs: {', '.join(pairs)}."


def _refuse_unknown(kind: str, names: Sequence[str], known: dict[str, str], pair: str) -> None:
    unknown = [name for name in names if name not in known]
    if unknown:
        listed = ", ".join(sorted(known))
        raise UsageError(f"{pair} has no {kind} {', '.join(unknown)}. There are: {listed}.")


def _documents(path: Path) -> list[str] | None:
    if not path.is_file():
        return None
    documents = []
    for number, line in enumerate(TextFile(str(path)).lines(), start=1):
        fields = line.split("\t")
        if len(fields) < _DOCUMENT_FIELDS:
            fields = line.split(maxsplit=1)
        if len(fields) < _DOCUMENT_FIELDS:
            problem = f"found {line!r}, expected DOMAIN<TAB>DOCUMENT"
            raise MalformedLine(str(path), number, problem, "Correct the line.")
        documents.append("\t".join(fields[:_DOCUMENT_FIELDS]))
    return documents


def _notes(
    chosen: Sequence[str],
    known: dict[str, str],
    outputs: dict[str, str],
    systems: Sequence[str] | None,
) -> list[str]:
    notes = []
    others = [name for name in known if name not in chosen]
    if others:
        notes.append(f"scored against {', '.join(chosen)}; also there: {', '.join(others)} (-r).")
    skipped = [name for name in chosen if name in outputs]
    if skipped and not systems:
        notes.append(f"left out as systems, being the references: {', '.join(skipped)}.")
    return notes
