"""Trains the vectors of Servan et al. (2016), table 6, for the language pairs of a test set.

Every training is a stage of a work folder: what an interrupted run had finished is not trained
again. The paper trains on the bitext of each language pair; 50 dimensions, CBOW, window 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tenbin.annotation.languages import parse_language, target_language
from tenbin.building.corpus import Phase
from tenbin.building.work_folder import WorkFolder
from tenbin.core.errors import UsageError, shortened
from tenbin.core.vector_variants import VectorVariant
from tenbin.formats.bitext import read_bitext
from tenbin.formats.files import regular_file, user_path
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.studies.augmented_meteor import NamedVectors, key_of

DIMENSIONS = 50
"""Of the vectors of Servan et al. (2016), section 3.3; all else is a default of the trainer."""

_VECTORS = "vectors.bin"
_TEXT = "text.txt"

Trainer = Callable[..., object]
"""`tenbin.api.building.build_vectors`."""


@dataclass(frozen=True, slots=True)
class LanguageBitext:
    """Bitext in two languages.

    Attributes:
        first: Language of the first column.
        second: Language of the second column.
        file: The file of two columns.
    """

    first: str
    second: str
    file: str

    @classmethod
    def parse(cls, text: str) -> "LanguageBitext":
        """Return what a text names, ``en-fr=FILE``.

        >>> LanguageBitext.parse("en-fr=en-fr.tsv.xz").second
        'fr'

        Raises:
            UsageError: It cannot be read.
        """
        languages, equals, file = (part.strip() for part in text.partition("="))
        first, hyphen, second = languages.partition("-")
        if not (equals and hyphen and first and second and file):
            raise UsageError(
                f"`bitext`: cannot read {shortened(text)!r}; write the languages of the two "
                "columns and the file, such as en-fr=en-fr.tsv.xz."
            )
        return cls(parse_language(first).code, parse_language(second).code, file)


def train_variants(
    bitexts: Sequence[LanguageBitext],
    pairs: Sequence[str],
    variants: Sequence[VectorVariant],
    work: str,
    *,
    train: Trainer,
    phase: Phase,
) -> list[NamedVectors]:
    """Train vectors of the target language of each pair; return them as rows of a study.

    Args:
        bitexts: Translated text; a language pair is trained on that of its two languages.
        pairs: Language pairs of the test sets.
        variants: What to train.
        work: Folder for the vectors; finished ones are used again.
        train: Trains vectors.
        phase: Shows how far a training has come.

    Raises:
        UsageError: A language pair has no bitext.
        InputError: A file that cannot be read.
        OutputError: Disk full, or no permission.
    """
    folder = WorkFolder(user_path(work))
    texts = {pair: _bitext_of(pair, bitexts) for pair in dict.fromkeys(pairs)}
    hashes = {
        one.file: file_sha256(regular_file(user_path(one.file)))
        for one in dict.fromkeys(texts.values())
    }
    found = []
    for variant in dict.fromkeys(variants):
        files: dict[str, str] = {}
        for pair, bitext in texts.items():
            source, target = _languages(pair)
            inputs = {
                "bitext": hashes[bitext.file],
                "languages": [bitext.first, bitext.second, target],
                "variant": str(variant),
                "dimensions": DIMENSIONS,
            }
            make = partial(_make, train, bitext, (source, target), variant, phase)
            files[pair] = str(folder.stage(f"{pair}.{variant}", inputs, make) / _VECTORS)
        found.append(NamedVectors(variant, files, key_of(variant)))
    return found


def _make(
    train: Trainer,
    bitext: LanguageBitext,
    languages: tuple[str, str],
    variant: VectorVariant,
    phase: Phase,
    folder: Path,
) -> None:
    """Train one kind of vectors into an empty folder."""
    source, target = languages
    output = str(folder / _VECTORS)
    if variant.is_bilingual:
        train(
            [bitext.file],
            target,
            output,
            variant=str(variant),
            source_language=source,
            source_first=bitext.first == source,
            lowercase=True,
            dimensions=DIMENSIONS,
            phase=phase,
        )
        return
    text = folder / _TEXT
    column = 0 if bitext.first == target else 1
    with text.open("w", encoding="utf-8", newline="\n") as lines:
        lines.writelines(f"{segments[column]}\n" for segments in read_bitext(bitext.file))
    train(
        [str(text)],
        target,
        output,
        variant=str(variant),
        lowercase=True,
        dimensions=DIMENSIONS,
        phase=phase,
    )
    text.unlink()


def _bitext_of(pair: str, bitexts: Sequence[LanguageBitext]) -> LanguageBitext:
    wanted = set(_languages(pair))
    for one in bitexts:
        if {one.first, one.second} == wanted:
            return one
    known = ", ".join(f"{one.first}-{one.second}" for one in bitexts) or "none"
    raise UsageError(
        f"`bitext`: there is no text in the languages of {pair} to train vectors on; found {known}."
    )


def _languages(pair: str) -> tuple[str, str]:
    """Return the codes of source and target language."""
    source = pair.partition("-")[0]
    return parse_language(source).code, parse_language(target_language(pair)).code
