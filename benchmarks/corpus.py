"""The texts that are timed: a real test set where it is found, the bundled example where not."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path

_SET, _PAIR, _REFERENCE = "wmt20", "en-de", "refA"
_LEAST_SEGMENTS = 1_418  # of WMT20 en-de, which the example is repeated to match
_LEAST_SYSTEMS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """One reference and several systems over the same segments.

    Attributes:
        description: What a reader of the results should know about the texts.
        language: Target language.
        reference: One text per segment.
        systems: One text per segment, by name of the system.
    """

    description: str
    language: str
    reference: tuple[str, ...]
    systems: Mapping[str, tuple[str, ...]]

    def pairs(self, count: int) -> tuple[list[str], list[str]]:
        """Return hypotheses and references of so many pairs, system after system, then again."""
        hypotheses = [text for texts in self.systems.values() for text in texts]
        references = list(self.reference) * len(self.systems)
        return list(islice(cycle(hypotheses), count)), list(islice(cycle(references), count))

    def write(self, folder: Path) -> tuple[Path, list[Path]]:
        """Write the texts and return the files of the reference and of the systems."""
        reference = folder / "reference.txt"
        write_lines(reference, self.reference)
        systems = [folder / f"{name}.txt" for name in self.systems]
        for path, texts in zip(systems, self.systems.values(), strict=True):
            write_lines(path, texts)
        return reference, systems


def load_corpus(data: Path) -> Corpus:
    """Return WMT20 English-German from a folder of test sets, or else the bundled example."""
    folder = data / _SET
    outputs = folder / "system-outputs" / _PAIR
    if not outputs.is_dir():
        return _repeated_example()
    judged_references = {path.name.split(".")[1] for path in folder.glob(f"references/{_PAIR}.*")}
    systems = {
        path.stem: _lines(path.read_text(encoding="utf-8"))
        for path in sorted(outputs.glob("*.txt"))
        if path.stem not in judged_references
    }
    reference = (folder / "references" / f"{_PAIR}.{_REFERENCE}.txt").read_text(encoding="utf-8")
    segments = _lines(reference)
    return Corpus(
        description=f"{_SET} {_PAIR} ({len(systems)} systems, {len(segments):,} segments)",
        language=_PAIR.split("-")[1],
        reference=segments,
        systems=systems,
    )


def _repeated_example() -> Corpus:
    example = files("tenbin.resources") / "bundled" / "example"
    reference = _lines((example / "references" / "ja-en.refA.txt").read_text(encoding="utf-8"))
    outputs = example / "system-outputs" / "ja-en"
    found = {
        name: _lines((outputs / f"{name}.txt").read_text(encoding="utf-8"))
        for name in ("careful", "gloss", "literal")
    }
    names = islice(cycle(found), _LEAST_SYSTEMS)
    return Corpus(
        description=f"bundled example ja-en (no {_SET} {_PAIR} found), its {len(reference)} "
        f"segments repeated to {_LEAST_SEGMENTS:,} and its {len(found)} systems to "
        f"{_LEAST_SYSTEMS}: every text occurs many times, which flatters whoever remembers texts",
        language="en",
        reference=_repeated(reference),
        systems={f"{name}-{number}": _repeated(found[name]) for number, name in enumerate(names)},
    )


def _repeated(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(islice(cycle(texts), _LEAST_SEGMENTS))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n"))


def write_lines(path: Path, texts: tuple[str, ...] | list[str]) -> None:
    """Write one text per line."""
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8", newline="\n")
