"""A text whose other side is made of itself: universal tags or lemmas of the same words.

Servan et al. (2016), section 4.2, call vectors of such a text pseudo-bilingual. Each word has one
tag or lemma, so that words are aligned with what stands at the same place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from tenbin.annotation.lemmas import load_lemmatizer
from tenbin.annotation.parts_of_speech import Tagger, load_tagger
from tenbin.building.corpus import Advance, Corpus
from tenbin.building.vectors.numbered_text import NumberedText
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, LengthMismatch, MalformedLine, UsageError
from tenbin.formats.lines import TextFile
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.resources.universal_tags import UniversalTag

_TAG_ADVICE = "Expected one universal tag per word, with spaces between them: DET NOUN VERB PUNCT."
_TAGS = frozenset(UniversalTag)


@dataclass(frozen=True, slots=True)
class OtherSide:
    """What the other side is.

    Attributes:
        kind: ``tags`` or ``lemmas``.
        made_by: The program that made it, or the name of a file.
        versions: What determines it.
    """

    kind: str
    made_by: str
    versions: tuple[tuple[str, str], ...]


class AnnotatedText:
    """A text and its tags or lemmas, never more than a line of it in memory.

    Attributes:
        corpus: The text.
        other: What the other side is.
    """

    def __init__(self, corpus: Corpus, *, tags: Sequence[str] | None = None) -> None:
        """Name the text; nothing is read yet.

        Args:
            corpus: The text; its words are the vectors' keys.
            tags: Files of universal tags, one for each file of the text; empty: those of the
                language's tagger; None: lemmas instead of tags.

        Raises:
            UsageError: There is no tagger or there are no lemmas for the language.
            MissingExtra: The package for them is not installed.
        """
        if corpus.lemmas:
            raise UsageError("the words of a text with tags or lemmas beside it must be words.")
        self.corpus = corpus
        self._tags = [TextFile(path) for path in tags or ()]
        self._tagger: Tagger | None = None
        if tags is None:
            lemmatizer = load_lemmatizer(corpus.language.code)
            self._lemma = lemmatizer.lemma
            self.other = OtherSide("lemmas", lemmatizer.name, lemmatizer.versions)
        elif self._tags:
            names = ", ".join(file.name.rpartition("/")[2] for file in self._tags)
            self.other = OtherSide("tags", names, ())
        else:
            self._tagger = load_tagger(corpus.language.code)
            self.other = OtherSide("tags", self._tagger.name, self._tagger.versions)

    def check(self) -> None:
        """Raise `InputError` if a file cannot be read at all."""
        self.corpus.check()
        for file in self._tags:
            next(file.lines(), None)

    @property
    def hashes(self) -> list[dict[str, str]]:
        """Names and hashes of the files of tags, if there are any."""
        return [
            {"name": file.name.rpartition("/")[2], "sha256": file_sha256(_path(file))}
            for file in self._tags
            if _path(file).is_file()
        ]

    def read(self, words: NumberedText, others: NumberedText, advance: Advance | None) -> None:
        """Tokenize and store both sides.

        Args:
            words: Where words go.
            others: Where tags or lemmas go.
            advance: Called with the number of bytes of each line.

        Raises:
            MalformedLine: A line of tags has more or fewer tags than words, or something else.
            LengthMismatch: A file of tags has more or fewer lines than its text.
        """
        for tokens, other in self._lines(advance):
            if tokens:
                lowered = self.corpus.lowercase
                words.add([token.lower() for token in tokens] if lowered else tokens)
                others.add(other)

    def _lines(self, advance: Advance | None) -> Iterator[tuple[list[str], list[str]]]:
        # Taggers look at capitals, so that the text is lower-cased only afterwards.
        lines = self.corpus.lines(advance, with_case=True)
        if self._tags:
            yield from self._with_files(lines)
            return
        for _, tokens in lines:
            if self._tagger is None:
                yield tokens, [self._lemma(token.lower()) for token in tokens]
            else:
                yield tokens, list(self._tagger.tags(tokens)) if tokens else []

    def _with_files(
        self, lines: Iterator[tuple[int, list[str]]]
    ) -> Iterator[tuple[list[str], list[str]]]:
        given = ((n, tags) for n, file in enumerate(self._tags) for tags in _tag_lines(file))
        for one, two in zip_longest(lines, given):
            if one is None or two is None or one[0] != two[0]:
                raise self._mismatch()
            number, tokens = one
            line, tags = two[1]
            if len(tags) != len(tokens):
                file = self._tags[number].name
                found = f"{counted(len(tags), 'tag')} for {counted(len(tokens), 'word')}"
                raise MalformedLine(
                    file,
                    line,
                    f"{found} of {self.corpus.names[number]}",
                    "Cut the text into words first, tag these, and name the tokenizer 'none' "
                    '(`tokenizer="none"`).',
                )
            yield tokens, tags

    def _mismatch(self) -> InputError:
        counts = {}
        for name, tags in zip(self.corpus.names, self._tags, strict=True):
            pair = {file: sum(1 for _ in TextFile(file).lines()) for file in (name, tags.name)}
            if len(set(pair.values())) > 1:
                counts = pair
                break
        return LengthMismatch(counts)


def _path(file: TextFile) -> Path:
    return Path(file.path)


def _tag_lines(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the tags of each line."""
    for number, line in enumerate(file.lines(), start=1):
        tags = line.split()
        for tag in tags:
            if tag not in _TAGS:
                problem = f"{tag[:40]!r} is no universal tag"
                advice = f"{_TAG_ADVICE} The tags are {', '.join(UniversalTag)}."
                raise MalformedLine(file.name, number, problem, advice)
        yield number, tags
