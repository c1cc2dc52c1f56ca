"""Builds word vectors and their cards: from a text, from a bitext, or from a text and its tags."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tenbin.building.corpus import Corpus, Phase, check_free, no_progress, require_words
from tenbin.building.tokenization import Tokenization
from tenbin.building.vectors.annotated_text import AnnotatedText
from tenbin.building.vectors.bitext import Bitext
from tenbin.building.vectors.fasttext import fasttext_facts, require_gensim, train_fasttext
from tenbin.building.vectors.learning import LearnedVectors, learn_vectors
from tenbin.building.vectors.numbered_text import NumberedText, NumberedVocabulary
from tenbin.building.vectors.recipe import Method, VectorTraining
from tenbin.core.errors import UsageError
from tenbin.core.vector_variants import VectorVariant
from tenbin.formats.output import check_target, whole_file, write_errors, write_text
from tenbin.formats.vectors.word2vec import write_word2vec_binary
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.version import __version__

CARD_ENDING = ".card.json"
# Parameters that change nothing where there is one text.
_OF_TWO_SIDES = ("beta",)


def build_word_vectors(
    corpus: Corpus,
    output: str,
    training: VectorTraining,
    *,
    force: bool = False,
    phase: Phase = no_progress,
) -> dict[str, Any]:
    """Train vectors of one language, write them and their card, and return the card.

    CBOW and skip-gram are written in word2vec's binary format, fastText as a model of Facebook's
    program (``.bin``). The card beside it, ``OUTPUT.card.json``, says from which text, with which
    parameters and programs they were made. With one job, both are the same when it is done again.

    Args:
        corpus: The text.
        output: The file to write, whole or not at all.
        training: The parameters.
        force: Whether files that are there may be replaced.
        phase: Shows the progress.

    Raises:
        MissingExtra: fastText, and gensim is not installed.
        InputError: The corpus cannot be read, is empty, or no word is frequent enough.
        UsageError: A file would be overwritten.
        OutputError: The files cannot be written.
    """
    if training.method is Method.FASTTEXT:
        require_gensim()
    _check_targets([output], force=force)
    corpus.check()
    variant = VectorVariant.MONO_LEMMA if corpus.lemmas else VectorVariant.MONO
    if training.method is Method.FASTTEXT:
        vocabulary = train_fasttext(corpus, output, training, phase)
        facts = fasttext_facts(len(vocabulary.words))
    else:
        with _texts(output, 1) as (text,):
            with phase("tokenizing", corpus.size) as advance:
                for tokens in corpus.segments(advance):
                    text.add(tokens)
            require_words(corpus, text.total)
            vocabulary = text.vocabulary(training.min_count)
            learned = learn_vectors([text], [vocabulary], training, phase)
        _write([(output, vocabulary, learned.vectors[0])])
        facts = _learning_facts(learned)
    facts = {**_corpus_facts(corpus), **facts}
    card = _card(output, variant, corpus.tokenization, training, vocabulary, facts)
    _write_card(output, card)
    return card


def build_bilingual_vectors(
    bitext: Bitext,
    output: str,
    training: VectorTraining,
    *,
    source_output: str | None = None,
    force: bool = False,
    phase: Phase = no_progress,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Train vectors of two languages in one space; return the card of the target, and notes.

    Args:
        bitext: The translated text.
        output: The file to write for the target language.
        training: The parameters.
        source_output: The file to write for the source language, if it is wanted.
        force: Whether files that are there may be replaced.
        phase: Shows the progress.

    Raises:
        UsageError: The method is fastText, or a file would be overwritten.
        InputError: The bitext cannot be read, is empty, or no word is frequent enough.
        OutputError: The files cannot be written.
    """
    refuse_fasttext(training)
    outputs = [path for path in (output, source_output) if path is not None]
    if len({Path(path).resolve() for path in outputs}) < len(outputs):
        raise UsageError(f"{output}: both languages would be written to it; name two files.")
    _check_targets(outputs, force=force)
    bitext.check()
    sides = bitext.source, bitext.target
    with _texts(output, 2) as texts:
        with phase("tokenizing", None) as advance:
            read = bitext.read(texts[0], texts[1], advance)
        vocabularies = [text.vocabulary(training.min_count) for text in texts]
        learned = learn_vectors(texts, vocabularies, training, phase, links=read.links)
    files = {1: output} if source_output is None else {1: output, 0: source_output}
    _write([(path, vocabularies[n], learned.vectors[n]) for n, path in files.items()])
    variant = VectorVariant.BI_LEMMA if bitext.target.lemmas else VectorVariant.BI
    cards = {}
    for n, path in files.items():
        facts = {
            "side": "target" if n else "source",
            "alignment": "uniform" if read.links is None else "links",
            "other": _other(sides[1 - n], files.get(1 - n), vocabularies[1 - n]),
            "corpus": [asdict(file) for file in read.files],
            "segments": read.pairs,
            "left_out": read.left_out,
            "versions": {**sides[1 - n].versions, **sides[n].versions},
            **_learning_facts(learned),
        }
        cards[n] = _card(path, variant, sides[n], training, vocabularies[n], facts)
        _write_card(path, cards[n])
    return cards[1], read.notes


def build_annotated_vectors(
    text: AnnotatedText,
    output: str,
    training: VectorTraining,
    *,
    force: bool = False,
    phase: Phase = no_progress,
) -> dict[str, Any]:
    """Train vectors of words with their tags or lemmas as another side; return the card.

    Args:
        text: The text and its tags or lemmas.
        output: The file to write for the words.
        training: The parameters; tags get a vector however rare they are.
        force: Whether files that are there may be replaced.
        phase: Shows the progress.

    Raises:
        UsageError: The method is fastText, or a file would be overwritten.
        InputError: The text or its tags cannot be read, or no word is frequent enough.
        OutputError: The files cannot be written.
    """
    refuse_fasttext(training)
    _check_targets([output], force=force)
    text.check()
    corpus, other = text.corpus, text.other
    tagged = other.kind == "tags"
    with _texts(output, 2) as (words, others):
        with phase("tagging" if tagged else "tokenizing", corpus.size) as advance:
            text.read(words, others, advance)
        require_words(corpus, words.total)
        vocabularies = [
            words.vocabulary(training.min_count),
            others.vocabulary(1 if tagged else training.min_count),
        ]
        learned = learn_vectors([words, others], vocabularies, training, phase)
    _write([(output, vocabularies[0], learned.vectors[0])])
    facts = {
        "other": {
            "kind": other.kind,
            "made_by": other.made_by,
            "vocabulary": len(vocabularies[1].words),
            **({"files": text.hashes} if text.hashes else {}),
        },
        **_corpus_facts(corpus),
        "versions": dict(other.versions),
        **_learning_facts(learned),
    }
    variant = VectorVariant.PSEUDO_POS if tagged else VectorVariant.PSEUDO_LEMMA
    card = _card(output, variant, corpus.tokenization, training, vocabularies[0], facts)
    _write_card(output, card)
    return card


def refuse_fasttext(training: VectorTraining) -> None:
    """Raise `UsageError` if the method is fastText, which learns from one text alone."""
    if training.method is Method.FASTTEXT:
        raise UsageError(
            "fastText vectors are learned from one text, without another side. Choose cbow or "
            "skipgram, or the variant mono or mono-lemma."
        )


@contextmanager
def _texts(output: str, count: int) -> Iterator[list[NumberedText]]:
    """Open texts beside the output, where there is room."""
    with write_errors(output), ExitStack() as stack:
        folder = Path(output).resolve().parent
        yield [stack.enter_context(NumberedText(folder)) for _ in range(count)]


def _check_targets(outputs: Sequence[str], *, force: bool) -> None:
    for output in outputs:
        for path in (output, output + CARD_ENDING):
            check_target(path)
            check_free(path, force=force)


def _write(files: Sequence[tuple[str, NumberedVocabulary, Any]]) -> None:
    """Write all files before any gets its name."""
    with ExitStack() as stack:
        for path, vocabulary, vectors in files:
            temporary = stack.enter_context(whole_file(path))
            write_word2vec_binary(temporary, vocabulary.words, vectors)


def _write_card(output: str, card: dict[str, Any]) -> None:
    write_text(output + CARD_ENDING, json.dumps(card, ensure_ascii=False, indent=2) + "\n")


def _corpus_facts(corpus: Corpus) -> dict[str, Any]:
    return {
        "corpus": [asdict(file) for file in corpus.files],
        "lines": sum(file.lines for file in corpus.files),
    }


def _learning_facts(learned: LearnedVectors) -> dict[str, Any]:
    return {"loss": list(learned.losses)}


def _other(side: Tokenization, path: str | None, vocabulary: NumberedVocabulary) -> dict[str, Any]:
    """Return what the card of one language says about the other."""
    written = {} if path is None else {"file": Path(path).name, "sha256": file_sha256(Path(path))}
    return {
        "language": side.language.tag,
        "tokenizer": side.tokenizer.name,
        "tokens": vocabulary.total,
        "vocabulary": len(vocabulary.words),
        **written,
    }


def _card(
    output: str,
    variant: VectorVariant,
    tokenization: Tokenization,
    training: VectorTraining,
    vocabulary: NumberedVocabulary,
    facts: dict[str, Any],
) -> dict[str, Any]:
    parameters = asdict(training) | {"rate": training.first_rate}
    if variant in {VectorVariant.MONO, VectorVariant.MONO_LEMMA}:
        parameters = {name: parameters[name] for name in parameters if name not in _OF_TWO_SIDES}
    fasttext = training.method is Method.FASTTEXT
    versions = {"tenbin": __version__, "numpy": version("numpy"), **tokenization.versions}
    return {
        "kind": "word vectors",
        "file": Path(output).name,
        "sha256": file_sha256(Path(output)),
        "format": "fastText model" if fasttext else "word2vec binary",
        "variant": variant,
        "language": tokenization.language.tag,
        "unit": "lemmas" if tokenization.lemmas else "tokens",
        "tokenizer": tokenization.tokenizer.name,
        "lowercase": tokenization.lowercase,
        "parameters": parameters | facts.get("parameters", {}),
        "reproducible": training.jobs == 1,
        **{name: fact for name, fact in facts.items() if name not in {"parameters", "versions"}},
        "tokens": vocabulary.total,
        "vocabulary": len(vocabulary.words),
        "tokens_with_vector": vocabulary.known,
        "dropped_up_to": vocabulary.dropped_up_to,
        "versions": versions | facts.get("versions", {}),
    }
