"""The penalty for wrong names and numbers as a part of a metric, applied at one point of it.

Most metrics multiply the scores of pairs (`AppliedPenalty.apply`), some multiply precision and
recall before they become one number (`AppliedPenalty.side_factors`); both before the best reference
is chosen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Self

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.errors import MissingExtra, UsageError
from tenbin.core.explanation import Step
from tenbin.core.part import AUTO, Entries, Part, SignatureFacts
from tenbin.core.resource import ResourceIdentity
from tenbin.core.run_glossary import NO_GLOSSARY, RUN, settled_glossary
from tenbin.penalty.applied_steps import SideLosses, penalized_steps
from tenbin.penalty.choices import NameSource, Penalty, settled_source
from tenbin.penalty.texts import TextPenalty

if TYPE_CHECKING:
    from tenbin.penalty.names.listed import ListedNames


@dataclass(frozen=True, kw_only=True)
class AppliedPenalty(Part):
    """What wrong names and numbers take off the scores of a metric.

    Attributes:
        language: The target language; settled by the run.
        penalty: What is penalized: ``none``, ``names``, ``numbers`` (also units, dates and times),
            or ``names+numbers``.
        names: What tells names from words: ``propn`` (the part of speech, by Sudachi or jieba),
            ``ner`` (GiNZA), ``capitals``, ``glossary`` (those of the glossary alone); ``auto``:
            what the language allows.
        strength: The share of the score that one wrong name or number takes off; the next one takes
            half of that, and so on.
        glossary: A file that lists names, which are penalized in every language, whatever tells
            others: a list of names, or a glossary with names. ``run``: the one that is given for
            the whole run; ``none``.
        takes_rare: Whether the metric knows rare tokens by a dictionary, and penalizes them itself;
            no parameter.
    """

    language: str
    penalty: Penalty
    names: NameSource
    strength: float
    glossary: str = NO_GLOSSARY
    takes_rare: bool = False

    def __post_init__(self) -> None:
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).tag)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        if self.names is NameSource.RARE and not self.takes_rare:
            yield "names", "auto, propn, ner, capitals or glossary"

    def bind(self, language: str, metric: str) -> Self:
        """Return the penalty with the language settled, and what tells names from words.

        Raises:
            UsageError: Wrong names are to be penalized, and cannot be told in the language.
            ResourceError: What tells them is not installed.
        """
        if self.language == AUTO:
            return replace(self, language=parse_language(language).tag).bind(language, metric)
        if self.glossary == RUN:
            return replace(self, glossary=self._names_of_run()).bind(language, metric)
        self._check_listed(metric)
        self.comparison()
        self.versions()
        if self.names is not NameSource.AUTO:
            return self
        try:
            source = settled_source(self.names, self.language)
        except UsageError:
            # Nothing asks for names, or that had been said above.
            source = NameSource.RARE if self.takes_rare else NameSource.CAPITALS
            source = source if self.listed() is None else NameSource.GLOSSARY
        return replace(self, names=source)

    def _names_of_run(self) -> str:
        """Return the glossary of the run, if names are penalized and it has some."""
        file = settled_glossary(RUN)
        if file == NO_GLOSSARY or not self.penalty.names or self.names is NameSource.RARE:
            return NO_GLOSSARY
        listed = replace(self, glossary=file).listed()
        return file if listed is not None and listed.glossary.names else NO_GLOSSARY

    def _check_listed(self, metric: str) -> None:
        if not self.penalty.names or self.names is NameSource.RARE:
            return
        listed = self.listed()
        if listed is None and self.names is NameSource.GLOSSARY:
            raise UsageError(
                f'{metric}: names="glossary" needs a list of names, and there is none '
                "(`glossary=FILE`)."
            )
        if listed is not None and not listed.glossary.names:
            raise UsageError(
                f"{metric}: {listed.glossary.name} has no names. Give a list of names, one per "
                "line, or mark the names of the glossary in a column 'name'."
            )

    def _teller(self, listed: "ListedNames | None") -> NameSource:
        """Return what tells names from words; the list alone, if there is one and nothing does."""
        if self.names is not NameSource.AUTO or listed is None:
            return self.names
        try:
            return settled_source(NameSource.AUTO, self.language)
        except UsageError:
            return NameSource.GLOSSARY

    def listed(self) -> "ListedNames | None":
        """Return the names of the glossary; None where there is none, or none is asked for."""
        if not self.penalty.names or self.glossary in {RUN, NO_GLOSSARY} or self.language == AUTO:
            return None
        from tenbin.penalty.names.listed import load_listed_names  # noqa: PLC0415 - slow

        return load_listed_names(file=self.glossary, language=self.language)

    def comparison(self) -> TextPenalty | None:
        """Return what compares names and numbers; None where nothing is to be penalized.

        Raises:
            UsageError: Names cannot be told in the language.
        """
        if self.penalty is Penalty.NONE:
            return None
        penalized = self.penalty
        if self.names is NameSource.RARE:
            # The metric itself penalizes rare tokens; numbers are left.
            if not penalized.numbers:
                return None
            penalized = Penalty.NUMBERS
        listed = self.listed() if penalized.names else None
        source = NameSource.AUTO if self.names is NameSource.RARE else self._teller(listed)
        return TextPenalty(
            penalty=penalized,
            language=self.language,
            names=source,
            listed=listed,
            strength=self.strength,
        )

    def side_factors(self, batch: Batch) -> FloatArray:
        """Return the factors of precision and recall of each pair, shape (pairs, 2)."""
        comparison = self.comparison()
        left, right = batch.pairs()
        if comparison is None:
            return np.ones((len(left), 2))

        def compared() -> FloatArray:
            rows = {
                (own, other): comparison.factors(batch.strings[own], batch.strings[other])[:2]
                for own, other in set(zip(left.tolist(), right.tolist(), strict=True))
            }
            found = [rows[pair] for pair in zip(left.tolist(), right.tolist(), strict=True)]
            return np.array(found, dtype=np.float64).reshape(-1, 2)

        return batch.once(("penalty factors", comparison), compared)

    def pair_factors(self, batch: Batch) -> FloatArray:
        """Return the factor of the score of each pair: the harmonic mean of its two factors."""
        sides = self.side_factors(batch)
        sums = sides.sum(axis=1)
        both: FloatArray = np.zeros(len(sums))
        np.divide(2 * sides.prod(axis=1), sums, out=both, where=sums > 0)
        return both

    def apply(self, batch: Batch, first: int, scores: FloatArray) -> FloatArray:
        """Return the scores of some pairs after the penalty; what is negative stays as it is.

        Args:
            batch: The batch.
            first: The number of the first pair.
            scores: Of shape (pairs,) or (pairs, more).
        """
        if self.penalty is Penalty.NONE:
            return scores
        factors = self.pair_factors(batch)[first : first + len(scores)]
        factors = factors.reshape(-1, *[1] * (scores.ndim - 1))
        return np.where(scores > 0, scores * factors, scores)

    def steps(self, plain: tuple[Step, ...], hypothesis: str, reference: str) -> tuple[Step, ...]:
        """Return the steps to a score and how the penalty changes it; where it is off, as given."""
        comparison = self.comparison()
        if comparison is None:
            return plain
        return penalized_steps(plain, comparison.factors(hypothesis, reference), self.strength)

    def side_losses(self, hypothesis: str, reference: str) -> SideLosses:
        """Return what is left of precision and recall, and the names and numbers that are wrong."""
        comparison = self.comparison()
        if comparison is None:
            return SideLosses()
        factors = comparison.factors(hypothesis, reference)
        wrong: tuple[list[str], list[str]] = ([], [])
        for finding in factors.findings:
            wrong[finding.of_reference].append(finding.text)
        extra, missing = map(", ".join, wrong)
        return SideLosses(factors.precision, factors.recall, extra, missing)

    def versions(self) -> Entries:
        """Return the programs that tell names from words.

        Raises:
            ResourceError: One is not installed.
        """
        if not self.penalty.names or self.language == AUTO or self.names is NameSource.RARE:
            return ()
        listed = self.listed()
        own = () if listed is None else listed.language.versions
        source = settled_source(self._teller(listed), self.language)
        if source is NameSource.GLOSSARY:
            return own
        return (*self._recognition_versions(source), *own)

    def _recognition_versions(self, source: NameSource) -> Entries:
        from tenbin.penalty.names.recognition import name_spans, proper_noun_versions  # noqa: PLC0415 - slow
        from tenbin.resources.lexicons.sudachi import load_sudachi  # noqa: PLC0415 - slow

        if source is NameSource.CAPITALS:
            try:
                return (("simplemma", version("simplemma")),)
            except PackageNotFoundError as error:
                raise MissingExtra("telling names from words", "lexicons") from error
        if source is NameSource.PROPN:
            return proper_noun_versions(self.language)
        name_spans("", self.language, source)  # says how to install it
        return (*load_sudachi().versions, ("ja-ginza", version("ja-ginza")))

    def identities(self) -> list[ResourceIdentity]:
        """Return which glossary the names are of."""
        listed = self.listed()
        return [] if listed is None else [listed.identity]

    def signature_facts(self) -> SignatureFacts:
        """Return that a glossary is not named where there is none."""
        absent = self.glossary in {RUN, NO_GLOSSARY}
        return SignatureFacts(replaced=frozenset({"glossary"} if absent else ()))
