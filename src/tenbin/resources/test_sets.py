"""Test sets that a machine has: in the layout of mt-metrics-eval, and in sacrebleu's cache."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from platformdirs import user_data_path

SETS_VARIABLE = "TENBIN_SETS"
_SACREBLEU_VARIABLE = "SACREBLEU"
_SACREBLEU_PREFIX = "sacrebleu:"
_SOURCE = ".src"
_DEPTH = 2  # sacrebleu has sets within sets: wmt14/full


class SetKind(StrEnum):
    """Whose layout a test set has."""

    MT_METRICS_EVAL = "mt-metrics-eval"
    SACREBLEU = "sacrebleu"


@dataclass(frozen=True, slots=True)
class SetPlace:
    """A folder that is searched for test sets.

    Attributes:
        kind: Whose layout its sets have.
        folder: The folder.
        reason: Why it is searched.
    """

    kind: SetKind
    folder: Path
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPair:
    """What a test set has of one language pair.

    Attributes:
        pair: The language pair.
        references: Names of its references.
        systems: Names of its systems.
        human: Kinds of human judgments.
        documents: Whether documents are known.
    """

    pair: str
    references: tuple[str, ...]
    systems: tuple[str, ...] = ()
    human: tuple[str, ...] = ()
    documents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSet:
    """A test set that was found.

    Attributes:
        name: What commands call it.
        kind: Whose layout it has.
        folder: Where it is.
        pairs: Its language pairs.
    """

    name: str
    kind: SetKind
    folder: Path
    pairs: tuple[SetPair, ...]


@dataclass(frozen=True, slots=True)
class SetListing:
    """The test sets of a machine, and where they were looked for."""

    places: tuple[SetPlace, ...]
    sets: tuple[ListedSet, ...]


def set_places() -> tuple[SetPlace, ...]:
    """Return the folders that are searched, the first ones first.

    They are those of the variable, those that were installed into, that of mt-metrics-eval and that
    of sacrebleu, whether they exist or not.
    """
    own = SetKind.MT_METRICS_EVAL
    named = [Path(part) for part in os.environ.get(SETS_VARIABLE, "").split(os.pathsep) if part]
    sacrebleu = os.environ.get(_SACREBLEU_VARIABLE) or str(Path.home() / ".sacrebleu")
    return (
        *(SetPlace(own, folder, SETS_VARIABLE) for folder in named),
        SetPlace(own, installed_sets(), "tenbin sets install"),
        SetPlace(own, Path.home() / ".mt-metrics-eval" / "mt-metrics-eval-v2", "mt-metrics-eval"),
        SetPlace(SetKind.SACREBLEU, Path(sacrebleu), "sacrebleu's cache"),
    )


def installed_sets() -> Path:
    """Return the folder that test sets are installed into."""
    return user_data_path("tenbin") / "sets"


def listed_sets() -> SetListing:
    """Return all test sets; of two with one name and layout the first one found."""
    found: dict[tuple[SetKind, str], ListedSet] = {}
    places = set_places()
    for place in places:
        for one in _sets_in(place):
            found.setdefault((one.kind, one.name), one)
    return SetListing(places, tuple(found.values()))


def found_set(name: str) -> ListedSet | None:
    """Return a test set by its name; ``sacrebleu:NAME`` for one of sacrebleu alone.

    Args:
        name: As in the listing.
    """
    only = SetKind.SACREBLEU if name.startswith(_SACREBLEU_PREFIX) else None
    plain = name.removeprefix(_SACREBLEU_PREFIX)
    for one in listed_sets().sets:
        if one.name == plain and only in {None, one.kind}:
            return one
    return None


def _sets_in(place: SetPlace) -> Iterator[ListedSet]:
    if not place.folder.is_dir():
        return
    if place.kind is SetKind.SACREBLEU:
        yield from _sacrebleu_sets(place.folder)
        return
    for folder in sorted(place.folder.iterdir()):
        if (folder / "references").is_dir() or (folder / "system-outputs").is_dir():
            yield ListedSet(
                name=folder.name,
                kind=place.kind,
                folder=folder,
                pairs=tuple(_layout_pairs(folder)),
            )


def _layout_pairs(folder: Path) -> Iterator[SetPair]:
    references: dict[str, list[str]] = {}
    for path in sorted((folder / "references").glob("*.*.txt")):
        pair, _, name = path.name.removesuffix(".txt").partition(".")
        references.setdefault(pair, []).append(name)
    outputs = {
        path.name: tuple(sorted(one.stem for one in path.glob("*.txt")))
        for path in (folder / "system-outputs").glob("*")
        if path.is_dir()
    }
    for pair in sorted({*references, *outputs}):
        human = sorted(
            {
                path.name.removeprefix(f"{pair}.").partition(".")[0]
                for path in (folder / "human-scores").glob("*.score")
                if path.name.startswith(f"{pair}.")
            }
        )
        yield SetPair(
            pair=pair,
            references=tuple(references.get(pair, ())),
            systems=outputs.get(pair, ()),
            human=tuple(human),
            documents=(folder / "documents" / f"{pair}.docs").is_file(),
        )


def _sacrebleu_sets(root: Path) -> Iterator[ListedSet]:
    folders = [path for depth in range(1, _DEPTH + 1) for path in root.glob("/".join("*" * depth))]
    for folder in sorted(path for path in folders if path.is_dir() and path.name != "raw"):
        pairs = []
        for source in sorted(folder.glob(f"*{_SOURCE}")):
            pair = source.name.removesuffix(_SOURCE).rpartition(".")[2]
            references = sacrebleu_references(folder, pair)
            if references:
                documents = bool(list(folder.glob(f"*.{pair}.docid")))
                pairs.append(SetPair(pair=pair, references=tuple(references), documents=documents))
        if pairs:
            name = folder.relative_to(root).as_posix()
            yield ListedSet(name=name, kind=SetKind.SACREBLEU, folder=folder, pairs=tuple(pairs))


def sacrebleu_references(folder: Path, pair: str) -> dict[str, Path]:
    """Return the files of references of a language pair of sacrebleu, by name.

    Files are called ``SET.PAIR.ref``; of several, ``SET.PAIR.ref-A`` or ``SET.PAIR.refA``.
    """
    found = sorted(path for path in folder.glob(f"*.{pair}.ref*") if path.is_file())
    return {path.name.rpartition(".")[2]: path for path in found}


def sacrebleu_source(folder: Path, pair: str) -> Path | None:
    """Return the file of the source text of a language pair of sacrebleu."""
    return next(iter(sorted(folder.glob(f"*.{pair}{_SOURCE}"))), None)
