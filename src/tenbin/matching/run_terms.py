"""The glossary of a run, prepared for its languages."""

from dataclasses import dataclass
from functools import partial

from tenbin.annotation.guessing import guess_language
from tenbin.annotation.languages import parse_language
from tenbin.annotation.term_words import TermLanguage
from tenbin.core.errors import MissingExtra
from tenbin.core.resource import ResourceIdentity
from tenbin.core.run_glossary import NO_GLOSSARY, RUN, run_glossary, settled_glossary
from tenbin.matching.glossary_terms import GlossaryMatcher
from tenbin.resources.file_cache import cached_by_file
from tenbin.resources.glossaries import LoadedGlossary, load_glossary

UNKNOWN = "und"
"""The source language where nothing tells it."""
_SAMPLE = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class LoadedMatcher:
    """What compares terms, and which glossary it has them from."""

    identity: ResourceIdentity
    matcher: GlossaryMatcher


def loaded_glossary(file: str, language: str, source_language: str = "") -> LoadedGlossary:
    """Return a glossary for the languages of a run.

    Args:
        file: The file.
        language: The target language.
        source_language: The source language; empty or ``und`` where it is not known.

    Raises:
        InputError: The file cannot be read, or lacks a language.
    """
    named = "" if source_language == UNKNOWN else source_language
    return load_glossary(name=file, target=language, source=named)


def settled_source_language(given: str, file: str, language: str) -> str:
    """Return the source language: what is named, or what the run, the glossary or its script says.

    Args:
        given: The value of the parameter.
        file: The glossary.
        language: The target language.

    Returns:
        A tag, or ``und`` where nothing tells the language.
    """
    if given != RUN:
        return given if given == UNKNOWN else parse_language(given).tag
    if named := run_glossary().source_language:
        return parse_language(named).tag
    glossary = loaded_glossary(file, language).glossary
    if glossary.source_language:
        return parse_language(glossary.source_language).tag
    terms = [one.source for one in glossary.terms[:_SAMPLE] if one.source]
    return guess_language(terms).language or UNKNOWN


def matcher_of_run(language: str, metric: object = None) -> GlossaryMatcher | None:
    """Return what compares the terms of the run; None where it has no glossary.

    Args:
        language: The target language.
        metric: A bound metric whose own choice of glossary comes first, if it compares terms.

    Raises:
        InputError: The glossary cannot be read.
    """
    own = getattr(metric, "glossary", RUN)
    file = settled_glossary(RUN if own in {RUN, NO_GLOSSARY} else own)
    if file == NO_GLOSSARY:
        return None
    given = getattr(metric, "source_language", RUN)
    source = settled_source_language(given, file, language)
    wanted = getattr(metric, "inflection", True)
    loaded = partial(load_matcher, file=file, language=language, source_language=source)
    found = loaded(inflection=wanted).matcher
    try:
        _ = found.source.versions, found.target.versions
    except MissingExtra:
        # Marks are no scores: words as they are written will do.
        return loaded(inflection=False).matcher
    return found


@cached_by_file("file")
def load_matcher(
    *, file: str, language: str, source_language: str, inflection: bool
) -> LoadedMatcher:
    """Return what compares the terms of a glossary.

    Args:
        file: The glossary.
        language: The target language.
        source_language: The source language, or ``und``.
        inflection: Whether words count in all their forms.

    Raises:
        InputError: The glossary cannot be read.
    """
    loaded = loaded_glossary(file, language, source_language)
    source = "" if source_language == UNKNOWN else parse_language(source_language).code
    matcher = GlossaryMatcher(
        loaded.glossary,
        TermLanguage(source, inflection),
        TermLanguage(parse_language(language).code, inflection),
    )
    return LoadedMatcher(loaded.identity, matcher)
