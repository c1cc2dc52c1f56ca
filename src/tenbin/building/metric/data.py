"""Collects the judgments of a training: sets, tables, weights, what is held out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tenbin.annotation.encoders.encoded import SubwordFlag
from tenbin.annotation.fitness import check_script
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.annotation.languages import Language, parse_language
from tenbin.building.metric.holding_out import HeldOut, held_out_of
from tenbin.building.metric.judged_texts import LEAST_DIFFERENCE, JudgedBlock, TextPool
from tenbin.building.metric.own_table import read_own_table, read_unjudged_table
from tenbin.building.metric.sets import SetChoice, SetTexts, open_sets, read_sets
from tenbin.building.metric.weights import weighted
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError

FEWEST_JUDGMENTS = 50
"""Fewer judgments are refused: nothing but chance would be learned."""

_FEW_JUDGMENTS = 500
_SAMPLE = 500
_NOTED_UNKNOWN, _MOST_UNKNOWN = 0.1, 0.5
# In the vocabulary of mpnet-en references of WMT have 1.25 to 1.35 subwords per word in English,
# 2.0 in Spanish, 2.4 in German, 2.6 in Czech.
_MANY_SUBWORDS = 1.7


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentSources:
    """Where judgments come from.

    Attributes:
        sets: Test sets, and which judgments of them.
        tables: Tables of judged translations.
        texts: Files of plain text, for a student.
        language: The language of hypotheses and references; empty: that of the language pairs.
        weights: What a judgment counts, by set or kind.
        hold_out: Sets, or a share of the segments, that are held out.
        least_difference: How far two z-scores must be apart to make a pair.
    """

    sets: SetChoice | None = None
    tables: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    language: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    hold_out: tuple[str, ...] = ()
    least_difference: float = LEAST_DIFFERENCE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricData:
    """The judgments of a training.

    Attributes:
        pool: All texts.
        language: Their language.
        weighted: What is trained on, with weights.
        held_out: What is held out.
        notes: What was left out, and other remarks.
        texts: The texts of sets, where a teacher is to judge them.
    """

    pool: TextPool
    language: Language
    weighted: list[tuple[JudgedBlock, float]]
    held_out: HeldOut
    notes: list[str]
    texts: list[SetTexts] = field(default_factory=list)

    def trained(self) -> list[tuple[JudgedBlock, float]]:
        """Return the judgments that count."""
        return [(block, weight) for block, weight in self.weighted if weight > 0 and len(block)]

    def facts(self) -> list[dict[str, Any]]:
        """Return for a card what is trained on."""
        texts = self.pool.listed()
        return [
            {
                "name": block.name,
                "pair": block.pair,
                "kind": block.kind,
                "judgments": block.facts.get("judgments", max(len(block.rows), len(block.pairs))),
                "rows": len(block.rows),
                "pairs": len(block.pairs),
                "digest": block.digest(texts),
                "weight": weight,
                **{name: one for name, one in block.facts.items() if name != "judgments"},
            }
            for block, weight in self.trained()
        ]

    def with_texts(self, block: JudgedBlock) -> "MetricData":
        """Return what was read with more texts that a teacher is to judge.

        Raises:
            ScriptMismatch: They are not in the script of the language.
        """
        _check_script(self.language, [], [block], self.pool)
        return replace(self, weighted=[*self.weighted, (block, 1.0)])

    def with_student(self, block: JudgedBlock, hold_out: Sequence[str]) -> "MetricData":
        """Return the labels of a teacher in the place of human judgments."""
        kept, held = held_out_of([(block, 1.0)], hold_out)
        return replace(self, weighted=kept, held_out=held)


def collected(sources: JudgmentSources, *, for_student: bool = False) -> MetricData:
    """Read all judgments.

    Args:
        sources: Where they are.
        for_student: Whether a teacher is to judge the translations: judgments are not read.

    Raises:
        UsageError: No set and no table, several target languages, or names that fit nothing.
        InputError: A file breaks its format, or there are too few judgments.
        ScriptMismatch: The references are not in the script of the language.
    """
    pool = TextPool()
    blocks: list[JudgedBlock] = []
    notes: list[str] = []
    texts: list[SetTexts] = []
    if sources.texts and not for_student:
        raise UsageError(
            "`plain_text`: plain text has no judgments. Name a teacher (`student_of`), or leave it "
            "out."
        )
    if sources.sets is None and not sources.tables and not sources.texts:
        raise UsageError(
            "judgments are missing: give test sets (`test_sets`) or a table (`tables`)."
        )
    if sources.sets is not None and for_student:
        texts = list(open_sets(sources.sets, pool, notes, judged=False))
    elif sources.sets is not None:
        blocks, notes = read_sets(sources.sets, pool, least_difference=sources.least_difference)
    for path in sources.tables:
        if for_student:
            block, more = read_unjudged_table(path, pool)
        else:
            block, more = read_own_table(path, pool, least_difference=sources.least_difference)
        blocks.append(block)
        notes += more
    pairs = [block.pair for block in blocks] + [one.pair for one in texts]
    language = _language(sources.language, [pair for pair in pairs if pair])
    if for_student:
        data = MetricData(
            pool=pool,
            language=language,
            weighted=[(block, 1.0) for block in blocks],
            held_out=HeldOut(()),
            notes=notes,
            texts=texts,
        )
        _check_script(language, texts, blocks, pool)
        return data
    chosen, more = weighted(blocks, sources.weights)
    kept, held = held_out_of(chosen, sources.hold_out)
    data = MetricData(
        pool=pool, language=language, weighted=kept, held_out=held, notes=[*notes, *more]
    )
    _check_count(data)
    _check_script(language, texts, [block for block, _ in data.trained()], pool)
    return data


def vocabulary_notes(tokenizer: PairTokenizer, data: MetricData, base: str) -> list[str]:
    """Return notes on texts that the base model hardly knows.

    Raises:
        InputError: Most subwords of the references are unknown: it is a model of another language.
    """
    numbers = [block.rows.references for block, _ in data.trained()]
    numbers += [block.pairs.references for block, _ in data.trained()]
    listed = data.pool.listed()
    distinct = np.unique(np.concatenate(numbers))
    some = distinct[np.linspace(0, len(distinct) - 1, min(len(distinct), _SAMPLE)).astype(int)]
    texts = [listed[number] for number in some.tolist()]
    cut = tokenizer.tokenize(texts)
    flags = np.concatenate([one.flags[one.before : len(one) - one.after] for one in cut])
    share = float(((flags & np.uint8(SubwordFlag.UNKNOWN)) != 0).mean()) if len(flags) else 0.0
    if share > _MOST_UNKNOWN:
        raise InputError(
            f"{share:.0%} of the subwords of the references are unknown to {base!r}, expected at "
            f"most {_MOST_UNKNOWN:.0%}: it is a model of another language. Name one of the "
            "language of the texts (`base_model`)."
        )
    if share > _NOTED_UNKNOWN:
        return [f"{share:.0%} of the subwords of the references are unknown to {base!r}."]
    words = sum(len(text.split()) for text in texts)
    if data.language.spaced and words and len(flags) / words > _MANY_SUBWORDS:
        mean = f"{len(flags) / words:.1f}"
        return [f"subwords of {base!r} per word of the references: {mean}; is it of the language?"]
    return []


def _language(given: str, pairs: Sequence[str]) -> Language:
    targets = list(dict.fromkeys(pair.partition("-")[2].replace("_", "-") for pair in pairs))
    if len(targets) > 1:
        raise UsageError(
            f"the sets have several target languages ({', '.join(targets)}); a metric has one. "
            'Choose the language pairs (`pairs="*-en"`).'
        )
    if not given and not targets:
        raise UsageError('the language of the texts is missing: give it (`language="en"`).')
    chosen = parse_language(given or targets[0])
    if given and targets and parse_language(targets[0]).code != chosen.code:
        raise UsageError(
            f"`language` is {given!r}, and the sets are translations into {targets[0]!r}. Choose "
            "other language pairs (`pairs`), or leave the language out."
        )
    return chosen


def _check_count(data: MetricData) -> None:
    count = sum(len(block.rows) or len(block.pairs) for block, _ in data.trained())
    if count < FEWEST_JUDGMENTS:
        raise InputError(
            f"there are {counted(count, 'judgment')} to learn from, expected at least "
            f"{FEWEST_JUDGMENTS}. Give more, or weights above 0 (`weights`)."
        )
    if count < _FEW_JUDGMENTS:
        data.notes.append(f"{counted(count, 'judgment')} are few: the gain may be chance.")


def _check_script(
    language: Language, texts: Sequence[SetTexts], blocks: Sequence[JudgedBlock], pool: TextPool
) -> None:
    """Raise `ScriptMismatch` if the references of a set are not in the script of the language."""
    listed = pool.listed()
    numbers = [one.references for one in texts]
    numbers += [np.concatenate([block.rows.references, block.pairs.references]) for block in blocks]
    for some in numbers:
        check_script(language, [listed[number] for number in some[:_SAMPLE].tolist()])
