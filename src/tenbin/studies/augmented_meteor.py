"""METEOR with vectors and lexicons: the rows of Servan et al. (2016), tables 4 and 6."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tenbin.annotation.languages import target_language
from tenbin.core.errors import TenbinError, UsageError, shortened
from tenbin.core.spec import Spec, SpecValue
from tenbin.core.vector_variants import VectorVariant
from tenbin.metrics.meteor.defaults import unused_paraphrases
from tenbin.metrics.meteor.knowledge import NONE
from tenbin.metrics.meteor.parameters import VectorKey
from tenbin.metrics.registry import load
from tenbin.studies.places import StudyPlace

BASELINE = "Baseline"

FileOfPair = str | Mapping[str, str]
"""A file or resource with ``{pair}`` and ``{language}`` in its name, or one per language pair."""


def key_of(variant: VectorVariant) -> VectorKey:
    """Return under which form a word is looked up among vectors of a variant."""
    return VectorKey.LEMMA if variant.by_lemma else VectorKey.SURFACE


@dataclass(frozen=True, slots=True)
class NamedVectors:
    """Vectors of a row.

    Attributes:
        name: A `VectorVariant`, or any other name.
        file: A file or resource, in which ``{pair}`` and ``{language}`` stand for those of a
            place; or the file of each language pair.
        key: Under which form words are looked up.
    """

    name: str
    file: FileOfPair
    key: VectorKey

    @classmethod
    def parse(cls, text: str) -> "NamedVectors":
        """Return the vectors that a text names, ``NAME=FILE`` or ``NAME=FILE:lemma``.

        >>> NamedVectors.parse("bi-lemma=bi-lemma.bin").key
        <VectorKey.LEMMA: 'lemma'>

        Raises:
            UsageError: It cannot be read, or the name is no variant and no form is named.
        """
        name, equals, file = (part.strip() for part in text.partition("="))
        if not name or not equals or not file:
            raise UsageError(
                f"`vectors`: cannot read {shortened(text)!r}; write VARIANT=FILE, such as "
                "mono=en50.bin."
            )
        plain = cls.of_file(file)
        if plain.file != file:
            return cls(name, plain.file, plain.key)
        if name not in list(VectorVariant):
            forms = " or ".join(f"{name}={file}:{key}" for key in VectorKey)
            raise UsageError(
                f"`vectors`: unknown variant {name!r}; those of the paper are "
                f"{', '.join(VectorVariant)}. Of other vectors say how words are looked up: "
                f"{forms}."
            )
        return cls(name, file, key_of(VectorVariant(name)))

    @classmethod
    def of_file(cls, text: str) -> "NamedVectors":
        """Return vectors that need no name, ``FILE`` or ``FILE:lemma``."""
        file, colon, key = text.rpartition(":")
        if colon and key in list(VectorKey):
            return cls("vectors", file, VectorKey(key))
        return cls("vectors", text, VectorKey.SURFACE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteorRow:
    """A row of a table: a kind of METEOR.

    Attributes:
        name: What the row is called.
        preset: Its name in the registry.
        data: Its files and resources by parameter.
        key: Under which form words are looked up among its vectors.
        lacks: Why it cannot be computed at all; empty if it can.
    """

    name: str
    preset: str
    data: Mapping[str, FileOfPair]
    key: VectorKey = VectorKey.SURFACE
    lacks: str = ""

    @property
    def has_threshold(self) -> bool:
        """Whether it compares vectors."""
        return "vectors" in self.data

    def spec(self, place: StudyPlace, paraphrases: str, threshold: float | None = None) -> str:
        """Return the metric on a language pair, at a threshold where it has one."""
        parameters: dict[str, SpecValue] = {
            name: placed(file, place) for name, file in self.data.items()
        }
        if self.key is not VectorKey.SURFACE:
            parameters["vector_key"] = str(self.key)
        if threshold is not None:
            parameters["threshold"] = threshold
        parameters["paraphrases"] = placed(paraphrases, place)
        return str(Spec(self.preset, tuple(parameters.items())))


def vector_rows(vectors: Sequence[NamedVectors]) -> list[MeteorRow]:
    """Return METEOR as it is, and METEOR Vector with each of some vectors."""
    if not vectors:
        raise UsageError(
            "there are no vectors to compare: name some (`vectors`), such as mono=en50.bin, or "
            "text to train them on (`bitext`)."
        )
    names = [one.name for one in vectors]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(f"`vectors`: {', '.join(twice)} is named twice.")
    rows = [
        MeteorRow(name=one.name, preset="meteor-vector", data={"vectors": one.file}, key=one.key)
        for one in vectors
    ]
    return [MeteorRow(name=BASELINE, preset="meteor", data={}), *rows]


def lexicon_rows(lexicon: str | None, vectors: NamedVectors | None) -> list[MeteorRow]:
    """Return the five kinds of METEOR of the paper; those without their data say what they lack.

    Args:
        lexicon: DBnary's synonyms, or another lexicon.
        vectors: The vectors.
    """
    no_lexicon = "" if lexicon else "no lexicon was named (`lexicon`), such as en.synsets."
    no_vectors = "" if vectors else "no vectors were named (`vectors`), such as en50.bin."
    words: dict[str, FileOfPair] = {"lexicon": lexicon or NONE}
    near: dict[str, FileOfPair] = {"vectors": vectors.file if vectors else NONE}
    key = vectors.key if vectors else VectorKey.SURFACE
    both = " ".join(filter(None, (no_lexicon, no_vectors)))
    return [
        MeteorRow(name=BASELINE, preset="meteor", data={}),
        MeteorRow(name="DBnary", preset="meteor-dbnary", data=words, lacks=no_lexicon),
        MeteorRow(name="Vector", preset="meteor-vector", data=near, key=key, lacks=no_vectors),
        MeteorRow(
            name="Baseline+Vector", preset="meteor+vector", data=near, key=key, lacks=no_vectors
        ),
        MeteorRow(
            name="DBnary+Vector",
            preset="meteor-dbnary+vector",
            data={**words, **near},
            key=key,
            lacks=both,
        ),
    ]


def placed(file: FileOfPair, place: StudyPlace) -> str:
    """Return the file of a place: that of its pair, or its pair and language filled in."""
    if not isinstance(file, str):
        return file[place.pair]
    language = target_language(place.pair)
    return file.replace("{pair}", place.pair).replace("{language}", language)


def paraphrases_of(place: StudyPlace, asked: str | None) -> tuple[str, list[str]]:
    """Return the paraphrase table of METEOR on a language pair, and a note if there is none.

    Args:
        place: The language pair.
        asked: A file, a resource or ``none``; None for METEOR's own where it is installed.
    """
    if asked is not None:
        return asked, []
    language = target_language(place.pair)
    found = unused_paraphrases(language)
    if found is not None:
        return found, []
    note = f"METEOR's paraphrases of {language!r} are not installed: all rows are without them."
    return NONE, [note]


def unusable(row: MeteorRow, places: Iterable[StudyPlace]) -> dict[StudyPlace, TenbinError]:
    """Return the places on which the data of a row cannot be used, and why."""
    found = {}
    for place in places:
        try:
            load(row.spec(place, NONE)).bind(target_language(place.pair)).signature()
        except TenbinError as error:
            found[place] = error
    return found
