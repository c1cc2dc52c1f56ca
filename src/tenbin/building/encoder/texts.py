"""The text of a distillation: translated segments, and text of single languages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tenbin.annotation.fitness import script_share
from tenbin.annotation.languages import parse_language
from tenbin.core.errors import ScriptMismatch, UnreadableFile, UsageError
from tenbin.formats.bitext import read_bitext
from tenbin.formats.lines import STANDARD_INPUT, TextFile
from tenbin.resources.store.fingerprints import file_sha256

_SAMPLE_LINES = 2_000
_LEAST_SHARE = 0.1  # of letters in the script of the language


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedText:
    """Segments of two languages, the teacher's and another one.

    Attributes:
        path: A file of two columns, or the text in the teacher's language.
        language: The other language.
        other: The text in the other language, if it has a file of its own.
        teacher_second: Whether the teacher's language is in the second column or file.
    """

    path: str
    language: str
    other: str = ""
    teacher_second: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """The files."""
        return (self.path, self.other) if self.other else (self.path,)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the segments of each line, that of the teacher's language first.

        Raises:
            InputError: A file cannot be read or is empty, a line has not two columns, or two files
                have different numbers of lines.
        """
        for first, second in read_bitext(self.path, self.other):
            yield (second, first) if self.teacher_second else (first, second)


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderTexts:
    """Everything that an encoder is trained on.

    Attributes:
        bitexts: Translated text.
        texts: Text files of any of the languages, one segment per line, for masked subwords only.
        language: The language of the teacher.
    """

    bitexts: tuple[TranslatedText, ...]
    texts: tuple[str, ...] = ()
    language: str = "en"

    @property
    def files(self) -> tuple[str, ...]:
        """All files."""
        return (*(file for bitext in self.bitexts for file in bitext.files), *self.texts)

    @property
    def languages(self) -> tuple[str, ...]:
        """The other languages, each once, in the order in which they are given."""
        return tuple(dict.fromkeys(bitext.language for bitext in self.bitexts))

    def check(self) -> None:
        """Raise if a text cannot be read at all or is not in its language, before hours of work.

        Raises:
            UsageError: There is no bitext, a language does not exist, or a text is not a file.
            InputError: A file is missing, damaged, empty, or in another script.
        """
        if not self.bitexts:
            raise UsageError("an encoder needs translated text. Give at least one `bitext`.")
        own = parse_language(self.language)
        for path in self.files:
            if path == STANDARD_INPUT or (Path(path).exists() and not Path(path).is_file()):
                raise UsageError(
                    f"{path}: text is read more than once, and again after an interruption. Give "
                    "files."
                )
        for bitext in self.bitexts:
            other = parse_language(bitext.language)
            if other.tag == own.tag:
                raise UsageError(
                    f"{bitext.path}: both sides would be {own.tag!r}, the language of the teacher. "
                    "Name the other language of each bitext (`languages`)."
                )
            sample = list(islice(bitext.pairs(), _SAMPLE_LINES))
            for number, language in enumerate((own, other)):
                share = script_share(language, [pair[number] for pair in sample])
                if share is not None and share < _LEAST_SHARE:
                    order = "second, the other one first" if bitext.teacher_second else "first"
                    raise ScriptMismatch(
                        f"{bitext.path}: the side of {language.tag!r} is not in its script. "
                        f"Expected the language of the teacher, {own.tag!r}, {order} (see "
                        "`teacher_second`), and the language of each bitext in `languages`."
                    )
        for path in self.texts:
            if not any(line.strip() for line in islice(TextFile(path).lines(), _SAMPLE_LINES)):
                raise UnreadableFile(path, "there is no word in it", "Give text, or leave it out.")

    def described(self) -> list[list[str]]:
        """Return what the result depends on: languages, orders and the hashes of the files."""
        sides = [
            [bitext.language, str(bitext.teacher_second), *map(_hash, bitext.files)]
            for bitext in self.bitexts
        ]
        return [[self.language], *sides, [_hash(path) for path in self.texts]]

    def facts(self) -> dict[str, object]:
        """Return what the card says about the files."""
        return {
            "bitexts": [
                {
                    "language": bitext.language,
                    "files": [_file_facts(path) for path in bitext.files],
                }
                for bitext in self.bitexts
            ],
            "texts": [_file_facts(path) for path in self.texts],
        }


def paired_texts(
    paths: Sequence[str],
    languages: Sequence[str],
    others: Sequence[str] = (),
    *,
    teacher_second: bool = False,
) -> tuple[TranslatedText, ...]:
    """Return the bitexts that lists of files and languages stand for.

    Args:
        paths: A file each.
        languages: The other language of each, or one for all.
        others: The files of the other language; none: files have two columns.
        teacher_second: Whether the teacher's language is in the second column or file.

    Raises:
        UsageError: The numbers of files and languages differ.
    """
    tags = list(languages) * len(paths) if len(languages) == 1 else list(languages)
    if len(tags) != len(paths):
        raise UsageError(
            f"{len(paths)} of `bitext`, {len(tags)} of `languages`: name the other language of "
            "each bitext, or one for all of them."
        )
    if others and len(others) != len(paths):
        raise UsageError(
            f"{len(paths)} of `bitext`, {len(others)} of `other`: give one file of the other "
            "language for each."
        )
    return tuple(
        TranslatedText(path=path, language=tag, other=other, teacher_second=teacher_second)
        for path, tag, other in zip(paths, tags, others or [""] * len(paths), strict=True)
    )


def _hash(path: str) -> str:
    return file_sha256(Path(path))


def _file_facts(path: str) -> dict[str, str]:
    return {"name": Path(path).name, "sha256": _hash(path)}
