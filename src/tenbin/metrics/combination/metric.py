"""The metric `combination`: a regression over the scores of other metrics."""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.combination import LanguageScale
from tenbin.core.errors import UsageError
from tenbin.core.explanation import Explanation
from tenbin.core.metric import (
    AUTO,
    NAMES_DATA,
    BaseMetric,
    ExplainableMetric,
    Metric,
    MetricInfo,
    Needs,
    Property,
)
from tenbin.core.part import Entries
from tenbin.core.resource import ResourceKind
from tenbin.core.shared_statistics import seen_by, shared_statistics
from tenbin.core.signature import Signature
from tenbin.metrics.combination.arithmetic import combined
from tenbin.metrics.combination.explanation import combination_steps, equal_words
from tenbin.metrics.combination.members import BoundMembers, checked_members
from tenbin.resources.combinations import LoadedCombination, load_combination
from tenbin.resources.file_cache import cached_by_file
from tenbin.version import __version__

REQUIRED = "required"
"""Value of ``file`` where none was named; there is no default."""


@dataclass(frozen=True, kw_only=True)
class Combination(BaseMetric):
    """A combination: a regression over the scores of other metrics, learned from judgments, 0 to 1.

    1 is what a translation gets for which every member gives its best score, as it does for a
    translation that is identical to its reference; 0 is what one gets for which every member gives
    its worst. A better score of a member never lowers the combination. A corpus is the mean.

    Attributes:
        file: A file of 'tenbin build combination', or the name of a bundled one; there is no
            default.
        language: The target language, which the file must have been built for.
    """

    name: ClassVar[str] = "combination"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Combination",
        summary="A regression over the scores of other metrics, learned from human judgments.",
        citation="Tenbin; a regression over metrics as in Albrecht, Hwa (2007), Regression for "
        "Sentence-Level MT Evaluation with Pseudo References, ACL.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.MEAN_OF_SEGMENTS}),
        weaknesses="As blind as its members: what none of them sees, it does not see. Scores of "
        "different files or languages do not compare.",
        oracle="scikit-learn's predictions, for boosting; the weighted sum, for ridge",
    )

    file: str = field(default=REQUIRED, metadata=NAMES_DATA)
    language: str = AUTO

    def bind(self, language: str) -> Self:
        """Return the metric with the language settled, after a look at the file and its members.

        Raises:
            UsageError: No file was named, it is not for the language, or a member differs from
                what was learned with.
            ResourceError: Members lack something that must be installed.
        """
        if self.file == REQUIRED:
            raise UsageError(
                'combination needs a file: combination(file="FILE"). '
                "'tenbin build combination' makes one from metrics and human judgments."
            )
        settled = parse_language(language if self.language == AUTO else self.language)
        bound = replace(self, language=settled.tag)
        bound.bound_members()
        return bound

    def loaded(self) -> LoadedCombination:
        """Return the content of the file."""
        return load_combination(name=self.file)

    def scale(self) -> LanguageScale:
        """Return the scale of the members in the target language."""
        languages = self.loaded().model.languages
        code = parse_language(self.language).code
        if code not in languages:
            raise UsageError(
                f"the combination {self.loaded().identity.name!r} was learned for "
                f"{', '.join(sorted(languages))}, and the target language is {code}. Build one "
                "from judgments of that language with 'tenbin build combination'."
            )
        return languages[code]

    def bound_members(self) -> BoundMembers:
        """Return the members, bound to the language."""
        return _bound_members(file=self.file, language=self.language)

    @property
    def members(self) -> tuple[Metric, ...]:
        """The members, bound to the language; none before the metric itself is."""
        is_open = self.file == REQUIRED or self.language == AUTO
        return () if is_open else self.bound_members().metrics

    @property
    def needs(self) -> Needs:
        """What the members need together."""
        if self.file == REQUIRED:
            return Needs(parameters=frozenset({"file"}))
        every = [member.needs for member in self.members]
        if not every:
            return Needs(resources=frozenset({ResourceKind.COMBINATION}))
        together = Needs.of_all(every)
        read = [one.annotations - one.source_annotations for one in every]
        return replace(
            together,
            references=any(one.references for one in every),
            source_annotations=together.source_annotations - frozenset().union(*read),
            resources=together.resources | {ResourceKind.COMBINATION},
        )

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        scores = combined(self.loaded().model, self.scale(), self.member_scores(batch))
        return np.column_stack([scores, np.ones(len(scores))])

    def member_scores(self, batch: Batch) -> FloatArray:
        """Return the segment scores of the members, shape (items, members)."""
        columns = [
            member.segment_score(shared_statistics(member, batch)) for member in self.members
        ]
        return np.column_stack(columns)

    @property
    def looks_at_texts(self) -> bool:
        """Whether there is something to note; members look at texts themselves."""
        return bool(self.members) and bool(self.bound_members().notes)

    def check_batch(self, batch: Batch) -> list[str]:  # noqa: ARG002 - the same for all texts
        """Return notes on programs of other versions."""
        return list(self.bound_members().notes)

    def signature(self) -> Signature:
        """Return the signature: the file with its hash, and what its members depend on."""
        if self.file == REQUIRED or self.language == AUTO:
            return super().signature()
        loaded, members = self.loaded(), [member.signature() for member in self.members]
        fields: Entries = (
            *self.signature_fields(),
            ("kind", str(loaded.model.kind)),
            ("members", " + ".join(loaded.model.members)),
        )
        resources = dict.fromkeys(entry for one in members for entry in one.resources)
        versions = dict.fromkeys(
            entry for one in members for entry in one.versions if entry[0] != "tenbin"
        )
        return Signature(
            metric=self.name,
            fields=fields,
            resources=(loaded.identity.signature_entry, *resources),
            versions=(*versions, ("tenbin", __version__)),
        )

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return the alignment of a member, or equal words where no member aligns."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return what each member adds to the score of a mean translation.

        The alignment is that of the member that adds or takes most, of those that align.
        """
        scores = self.member_scores(batch)[item]
        steps = combination_steps(self.loaded().model, self.scale(), scores)
        added = [abs(step.value) for step in steps[1:-1]]
        order = sorted(range(len(added)), key=lambda place: -added[place])
        aligning = (self.members[place] for place in order)
        shown = next((one for one in aligning if isinstance(one, ExplainableMetric)), None)
        found = (
            self._with_equal_words(batch, item)
            if shown is None
            else shown.explain(seen_by(shown, batch), item)
        )
        return replace(found, steps=steps, score=steps[-1].value, signature=self.signature())

    def _with_equal_words(self, batch: Batch, item: int) -> Explanation:
        references = batch.references.row(item)
        other = batch.strings[references[0]] if len(references) else ""
        return Explanation(
            alignment=equal_words(batch.strings[batch.hypotheses[item]], other),
            steps=(),
            score=0.0,
            signature=self.signature(),
            reference=min(1, len(references)),
            reference_count=len(references),
        )


@cached_by_file("file")
def _bound_members(*, file: str, language: str) -> BoundMembers:
    metric = Combination(file=file, language=language)
    loaded = metric.loaded()
    return checked_members(loaded.model, metric.scale(), language, loaded.identity.name)
