"""METEOR explained: what was matched and by what evidence, and the arithmetic from there."""

from collections.abc import Callable
from dataclasses import dataclass

from tenbin.annotation.concepts import concept_rows
from tenbin.annotation.stems import stem
from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.kernels.alignment.match_candidates import MatchCandidates
from tenbin.kernels.alignment.word_matches import Nearness
from tenbin.matching.stage_alignment import AlignedPairs
from tenbin.metrics.meteor.knowledge import Knowledge
from tenbin.metrics.meteor.parameters import Stage


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Evidence:
    """Says why two parts of text match, stage by stage."""

    stages: tuple[Stage, ...]
    language: str
    knowledge: Knowledge
    nearness: Nearness

    def of(self, stage: Stage, here: str, there: str, similarity: float) -> str:
        """Return what a reader may check."""
        found: dict[Stage, Callable[[], str]] = {
            Stage.EXACT: lambda: here,
            Stage.STEM: lambda: f"stem {stem(here, self.language)}",
            Stage.SYNONYM: lambda: self._concept(here, there),
            Stage.PARAPHRASE: lambda: self._phrases(here, there),
            Stage.VECTOR: lambda: f"cosine {self.cosine(similarity):.3f}",
        }
        return found[stage]()

    def cosine(self, similarity: float) -> float:
        """Return the cosine behind a similarity, which may be (1 + cosine) / 2."""
        return 2 * similarity - 1 if self.nearness.halved else similarity

    def _concept(self, here: str, there: str) -> str:
        lexicon = self.knowledge.lexicon
        if lexicon is None:
            return ""
        rows = concept_rows((here, there), lexicon, self.knowledge.lemma_of)
        shared = set(rows.row(0).tolist()) & set(rows.row(1).tolist())
        # Of several senses the one with fewest words says most.
        return min((lexicon.describe(number) for number in sorted(shared)), key=len, default="")

    def _phrases(self, here: str, there: str) -> str:
        table = self.knowledge.paraphrases
        name = "" if table is None else table.identity.name
        return f"{here} = {there} in {name}"


def explained_alignment(
    hypothesis: tuple[str, ...],
    reference: tuple[str, ...],
    aligned: AlignedPairs,
    pair: int,
    evidence: Evidence,
) -> Alignment:
    """Return the chosen matches of one pair of a batch, in the order of the hypothesis."""
    found = aligned.candidates
    start, stop = found.offsets[pair : pair + 2].tolist()
    matches = []
    for number in range(start, stop):
        if not aligned.chosen[number]:
            continue
        own, other = _spans(found, number)
        stage = evidence.stages[found.stages[number]]
        here = " ".join(hypothesis[own.start : own.stop])
        there = " ".join(reference[other.start : other.stop])
        similarity = float(found.values[number])
        reason = evidence.of(stage, here, there, similarity)
        matches.append(
            Match(
                hypothesis=own,
                reference=other,
                kind=MatchKind(stage.value),
                similarity=similarity,
                evidence=reason,
            )
        )
    matches.sort(key=lambda match: match.hypothesis)
    return Alignment(hypothesis=hypothesis, reference=reference, matches=tuple(matches))


def _spans(found: MatchCandidates, number: int) -> tuple[Span, Span]:
    own, other = int(found.left_starts[number]), int(found.right_starts[number])
    return (
        Span(own, own + int(found.left_lengths[number])),
        Span(other, other + int(found.right_lengths[number])),
    )
