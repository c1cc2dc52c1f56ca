"""The share of the terms of a glossary that a translation renders as asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.annotation.term_words import TermWord
from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, MissingExtra, UsageError
from tenbin.core.explanation import Explanation, Step
from tenbin.core.glossary import TermFinding, TermStatus
from tenbin.core.metric import AUTO, NAMES_DATA, BaseMetric, MetricInfo, Needs
from tenbin.core.part import Entries
from tenbin.core.resource import ResourceKind
from tenbin.core.run_glossary import NO_GLOSSARY, RUN, settled_glossary
from tenbin.core.signature import Signature
from tenbin.matching.run_terms import LoadedMatcher, load_matcher, settled_source_language
from tenbin.resources.glossaries import glossary_file
from tenbin.version import __version__

_STATUSES = (TermStatus.RENDERED, TermStatus.FORBIDDEN, TermStatus.MISSING)
_SEGMENTS_WITH_TERMS, _SEGMENTS = 3, 4


@dataclass(frozen=True, kw_only=True)
class Terms(BaseMetric):
    """The share of the glossary terms of the source that are rendered as asked, 0 to 1.

    Each occurrence of a term in the source counts once, the longest terms first. It is rendered if
    the translation has one of its target terms, in any inflection, at a place that renders no other
    occurrence. A forbidden form makes an occurrence wrong. A corpus is the share of all its
    occurrences; a segment without terms has no score and does not enter that of the corpus.

    Attributes:
        glossary: A file: CSV, TSV, XLSX or TBX. ``run``: the one that is given for the whole run.
        language: The target language; settled by the run.
        source_language: The source language, for its inflection. ``run``: that of the run, or what
            the glossary says, or what its script tells; ``und`` takes words as they are written.
        inflection: Whether words count in all their forms, by lemma or stem.
    """

    name: ClassVar[str] = "terms"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Terms",
        summary="Share of the glossary terms of the source that the translation renders as asked.",
        citation="Alam, Anastasopoulos, Besacier, Cross, Gallé, Koehn, Nikoulina (2021), On the "
        "Evaluation of Machine Translation for Terminology Consistency, arXiv:2106.11891: "
        "exact-match accuracy.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(),
        weaknesses="Blind to all but the terms; a translation of nothing but target terms is "
        "perfect. Does not see whether a term stands in the right place.",
        oracle="the exact match of the WMT 2021 terminology task, as an independent slow twin",
    )

    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    language: str = AUTO
    source_language: str = RUN
    inflection: bool = True

    def bind(self, language: str) -> Self:
        """Return the metric with the glossary and the languages settled.

        Raises:
            UsageError: There is no glossary.
            InputError: The glossary cannot be read, or has names alone.
            MissingExtra: What gives the lemmas is not installed.
        """
        file = settled_glossary(self.glossary)
        if file == NO_GLOSSARY:
            raise UsageError(
                "terms needs a glossary: give one for the run (`glossary=FILE`), or to the metric, "
                'terms(glossary="FILE"): CSV or TSV with a source term and a target term in each '
                "row, or TBX."
            )
        file = str(glossary_file(file))
        target = parse_language(language if self.language == AUTO else self.language)
        source = settled_source_language(self.source_language, file, target.tag)
        bound = replace(self, glossary=file, language=target.tag, source_language=source)
        bound.check_installed()
        glossary = bound.loaded().matcher.glossary
        if not any(term.source for term in glossary.terms):
            raise InputError(
                f"{glossary.name}: the glossary has names and no source terms, which terms needs. "
                "Give rows of a source term and a target term; names alone count for the penalty "
                'for wrong names, as in meteor(penalty="names").'
            )
        return bound

    def check_installed(self) -> None:
        """Raise `MissingExtra` with all that gives lemmas and is not installed."""
        matcher = self.loaded().matcher
        missing: list[str] = []
        for language in (matcher.source, matcher.target):
            try:
                _ = language.versions
            except MissingExtra as error:
                missing.append(error.extra)
        if missing:
            raise MissingExtra(
                "terms, which finds words in all their forms,",
                ",".join(dict.fromkeys(missing)),
                "Or compare words as they are written: terms(inflection=False).",
            )

    def loaded(self) -> LoadedMatcher:
        """Return what compares terms; the metric must be bound."""
        return load_matcher(
            file=self.glossary,
            language=self.language,
            source_language=self.source_language,
            inflection=self.inflection,
        )

    @property
    def needs(self) -> Needs:
        """The source, and a glossary."""
        missing = frozenset({"glossary"}) if self.glossary == RUN else frozenset[str]()
        return Needs(
            source=True,
            references=False,
            resources=frozenset({ResourceKind.GLOSSARY}),
            parameters=missing,
        )

    def findings(self, batch: Batch, item: int) -> list[TermFinding]:
        """Return what became of the terms of the source of an item."""
        if batch.sources is None:
            raise ValueError("the batch has no sources")
        source = batch.strings[batch.sources[item]]
        return self.loaded().matcher.findings(source, batch.strings[batch.hypotheses[item]])

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows of occurrences (rendered, forbidden, missing), segments with terms, and 1."""
        rows = np.zeros((len(batch), _SEGMENTS + 1))
        rows[:, _SEGMENTS] = 1
        for item in range(len(batch)):
            found = [one.status for one in self.findings(batch, item)]
            rows[item, : len(_STATUSES)] = [found.count(status) for status in _STATUSES]
            rows[item, _SEGMENTS_WITH_TERMS] = bool(found)
        return rows

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the share of occurrences that are rendered; NaN where there are none."""
        rendered = statistics[..., 0]
        total = statistics[..., : len(_STATUSES)].sum(axis=-1)
        share: FloatArray = np.full(np.shape(rendered), np.nan)
        np.divide(rendered, total, out=share, where=total > 0)
        return share

    def corpus_notes(self, totals: FloatArray) -> list[str]:
        """Return what a reader of the corpus scores should know.

        Args:
            totals: The statistics of each system, shape (systems, K).
        """
        notes = list(self.loaded().matcher.glossary.notes)
        occurrences = int(totals[0, : len(_STATUSES)].sum())
        with_terms, segments = (int(totals[0, at]) for at in (_SEGMENTS_WITH_TERMS, _SEGMENTS))
        name = self.loaded().identity.name
        if not occurrences:
            notes.append(
                f"{self.info.title}: no term of {name} occurs in the source, so there is no score. "
                "Is it the right glossary, and are its source terms in the source language "
                f"({self.source_language})?"
            )
            return notes
        shown = f"{counted(with_terms, 'segment')} of {segments:,}"
        notes.append(
            f"{self.info.title}: {shown} with terms of {name}, "
            f"{counted(occurrences, 'occurrence')}; segments without terms have no score."
        )
        return notes

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return the terms of the source linked with what renders them."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return the terms of the source, what renders each, and their share."""
        if batch.sources is None:
            raise ValueError("the batch has no sources")
        found = self.findings(batch, item)
        source = batch.strings[batch.sources[item]]
        translation = batch.strings[batch.hypotheses[item]]
        row = self.statistics(batch)[item]
        score = float(self.segment_score(row))
        return Explanation(
            alignment=self._alignment(found, source, translation),
            steps=(*_term_steps(found, source, translation), *_share_steps(found, score)),
            score=score,
            signature=self.signature(),
            reference=0,
            reference_count=0,
            compared_with="source",
        )

    def _alignment(self, found: Sequence[TermFinding], source: str, translation: str) -> Alignment:
        matcher = self.loaded().matcher
        linked = [one for one in found if one.translation and one.status is TermStatus.RENDERED]
        spans = [one.translation for one in found if one.translation]
        own = _tokens(matcher.target.words(translation), translation, spans)
        theirs = _tokens(matcher.source.words(source), source, [one.source for one in found])
        matches = tuple(
            Match(
                hypothesis=_span(own, one.translation),
                reference=_span(theirs, one.source),
                kind=MatchKind.TERM,
                similarity=1.0,
                evidence=_entry(one),
            )
            for one in linked
            if one.translation
        )
        return Alignment(
            hypothesis=tuple(translation[start:stop] for start, stop in own),
            reference=tuple(source[start:stop] for start, stop in theirs),
            matches=matches,
        )

    def signature(self) -> Signature:
        """Return a signature with the hash of the glossary."""
        is_open = self.glossary == RUN or self.language == AUTO
        resources = () if is_open else (self.loaded().identity.signature_entry,)
        return Signature(
            metric=self.name,
            fields=self.signature_fields(),
            resources=resources,
            versions=(*self.signature_versions(), ("tenbin", __version__)),
        )

    def signature_versions(self) -> Entries:
        """Return the programs that give the lemmas of both languages."""
        if self.glossary == RUN or self.language == AUTO:
            return ()
        matcher = self.loaded().matcher
        return tuple(dict.fromkeys((*matcher.source.versions, *matcher.target.versions)))


def _tokens(
    words: Sequence[TermWord], text: str, ranges: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the ranges of words, cut where a term begins or ends."""
    cuts = {place for one in ranges for place in one}
    found = []
    for word in words:
        inside = sorted(cut for cut in cuts if word.start < cut < word.stop)
        found += list(pairwise([word.start, *inside, word.stop]))
    return [(start, stop) for start, stop in found if text[start:stop].strip()]


def _span(tokens: Sequence[tuple[int, int]], place: tuple[int, int]) -> Span:
    inside = [
        number
        for number, (start, stop) in enumerate(tokens)
        if place[0] <= start and stop <= place[1]
    ]
    return Span(inside[0], inside[-1] + 1)


def _entry(found: TermFinding) -> str:
    """Return the entry as the glossary has it."""
    where = f"line {found.term.line:,} of the glossary"
    return f"{where}: {found.term.source} → {' | '.join(found.term.targets)}"


def _term_steps(found: Sequence[TermFinding], source: str, translation: str) -> list[Step]:
    steps = []
    for number, one in enumerate(found, start=1):
        asked = " | ".join(one.term.targets) or "none of the forbidden forms"
        written = translation[slice(*one.translation)] if one.translation else ""
        said = {
            TermStatus.RENDERED: f"rendered as asked: {written or asked}",
            TermStatus.FORBIDDEN: f"forbidden: {written}; asked for: {asked}",
            TermStatus.MISSING: f"missing: {asked}",
        }[one.status]
        label = f"term {number}: {source[slice(*one.source)]}"
        steps.append(Step(label, said, "", float(one.status is TermStatus.RENDERED)))
    return steps


def _share_steps(found: Sequence[TermFinding], score: float) -> list[Step]:
    if not found:
        return [Step("score", "no term of the glossary in the source, so no score", "", score)]
    rendered = sum(one.status is TermStatus.RENDERED for one in found)
    formula = f"{rendered} / {len(found)}"
    return [Step("score", "share of the terms that are rendered as asked", formula, score)]
