"""What vectors are built from, as a user names it: files, languages and a variant."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tenbin.annotation.languages import parse_language
from tenbin.building.corpus import Corpus, Phase, no_progress
from tenbin.building.tokenization import Tokenization
from tenbin.building.vectors.annotated_text import AnnotatedText
from tenbin.building.vectors.bitext import Bitext, BitextFiles
from tenbin.building.vectors.recipe import VectorTraining
from tenbin.building.vectors.training import (
    build_annotated_vectors,
    build_bilingual_vectors,
    build_word_vectors,
    refuse_fasttext,
)
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO
from tenbin.core.vector_variants import VectorVariant
from tenbin.metrics.representations.static_vectors import word_tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSource:
    """The text of a training.

    Attributes:
        texts: Text files, of two columns for bilingual variants.
        language: The language of the vectors.
        variant: What is learned from the text.
        source_language: The other language of a bitext.
        source_first: Whether it is in the first column.
        others: Text in the other language, where each text has one language only.
        links: Word links of each bitext.
        tags: Universal tags of each text.
        tokenizer: How the language is tokenized.
        source_tokenizer: How the other language is tokenized.
        lowercase: Whether text is lower-cased.
    """

    texts: tuple[str, ...]
    language: str
    variant: VectorVariant = VectorVariant.MONO
    source_language: str = ""
    source_first: bool = False
    others: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tokenizer: str = AUTO
    source_tokenizer: str = AUTO
    lowercase: bool = False

    def __post_init__(self) -> None:
        if not self.texts:
            raise UsageError("no text was given; name at least one file.")
        if self.variant.is_bilingual and not self.source_language:
            raise UsageError(
                f"the variant {self.variant} needs the other language of the text: give "
                "`source_language`."
            )
        self._refuse_without_use()
        for name in ("others", "links", "tags"):
            self._check_number(name, getattr(self, name))

    def _refuse_without_use(self) -> None:
        useless = []
        if not self.variant.is_bilingual:
            useless += ["source_language", "source_first", "others", "links", "source_tokenizer"]
        if self.variant is not VectorVariant.PSEUDO_POS:
            useless += ["tags"]
        for name in useless:
            value = getattr(self, name)
            if value and value != AUTO:
                raise UsageError(
                    f"`{_OPTION.get(name, name)}` says nothing to the variant {self.variant}. "
                    "Leave it out, or choose another variant (`variant`)."
                )

    def _check_number(self, name: str, files: Sequence[str]) -> None:
        if files and len(files) != len(self.texts):
            raise UsageError(
                f"`{_OPTION.get(name, name)}`: {len(files)} given, expected one for each text "
                f"({len(self.texts)})."
            )


# Names of parameters whose option is in the singular.
_OPTION = {"others": "other"}


def build_from(
    source: VectorSource,
    output: str,
    training: VectorTraining,
    *,
    source_output: str | None = None,
    force: bool = False,
    phase: Phase = no_progress,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Build the vectors of a variant; return their card, and notes for the user.

    Args:
        source: The text.
        output: The file to write.
        training: The parameters.
        source_output: The file to write for the other language of a bitext.
        force: Whether files that are there may be replaced.
        phase: Shows the progress.

    Raises:
        UsageError: A second output where there is one language; also those of the builders.
    """
    variant = source.variant
    if variant.is_bilingual:
        bitext = Bitext(
            _bitext_files(source),
            _tokenization(source, source.source_language, source.source_tokenizer),
            _tokenization(source, source.language, source.tokenizer),
        )
        return build_bilingual_vectors(
            bitext, output, training, source_output=source_output, force=force, phase=phase
        )
    if source_output is not None:
        raise UsageError(f"`source_output`: the variant {variant} has vectors of one language.")
    corpus = Corpus(
        list(source.texts),
        source.language,
        tokenizer=_word_tokenizer(source.tokenizer, source.language),
        lowercase=source.lowercase,
        lemmas=variant.by_lemma,
    )
    if variant in {VectorVariant.PSEUDO_POS, VectorVariant.PSEUDO_LEMMA}:
        refuse_fasttext(training)
        text = AnnotatedText(
            corpus, tags=source.tags if variant is VectorVariant.PSEUDO_POS else None
        )
        return build_annotated_vectors(text, output, training, force=force, phase=phase), ()
    return build_word_vectors(corpus, output, training, force=force, phase=phase), ()


def _tokenization(source: VectorSource, language: str, tokenizer: str) -> Tokenization:
    return Tokenization(
        language,
        tokenizer=_word_tokenizer(tokenizer, language),
        lowercase=source.lowercase,
        lemmas=source.variant.by_lemma,
    )


def _word_tokenizer(name: str, language: str) -> str:
    """Return the tokenizer of metrics over vectors, or none of their words would be found."""
    return word_tokenizer(parse_language(language)) if name == AUTO else name


def _bitext_files(source: VectorSource) -> list[BitextFiles]:
    none = [""] * len(source.texts)
    columns = zip(source.texts, source.others or none, source.links or none, strict=True)
    return [
        BitextFiles(path, other, links, source_first=source.source_first)
        for path, other, links in columns
    ]
