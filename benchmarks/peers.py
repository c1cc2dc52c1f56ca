"""Tenbin and another implementation of the same metric on the same texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import tenbin
from benchmarks.corpus import Corpus
from benchmarks.tables import Row, Section
from benchmarks.timing import cpu_seconds, environment
from tenbin.annotation.tokenizers import load_tokenizer

SECTION = Section(
    "Metrics and their peers",
    "Processor time, median of up to five runs; kernels loaded. Tenbin is called as a user calls "
    "it, `load_metric(spec).score(texts, references)`, with checks, tokens and segment scores; a "
    "peer gets what it takes as input, ready made, and gives segment scores where it has them. "
    "Caches of tokenizers are emptied before each run. The difference is the largest one between "
    "two scores of the run; NLTK links repeated words in another way than RIBES 1.03.",
    "compiled kernels; neither tokens nor scores",
)

_Scores = npt.NDArray[np.float64] | float
_Play = Callable[[], _Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A metric, and who else computes it.

    Attributes:
        spec: The metric.
        peer: The other implementation.
        prepare: Takes hypotheses and references, and returns what is timed as the peer.
        segments: How many segments of one system both score; none occurs twice on purpose.
        target: The ratio that Tenbin promises.
        tokenized: Whether both get the tokens of 13a in lower case, joined by blanks.
    """

    spec: str
    peer: str
    prepare: Callable[[Sequence[str], Sequence[str]], _Play]
    segments: int
    target: float | None = None
    tokenized: bool = False


def run_contest(name: str, corpus: Corpus) -> list[Row]:
    """Return the row of one metric."""
    contest = CONTESTS[name]
    hypotheses, references = corpus.pairs(contest.segments)
    if contest.tokenized:
        hypotheses, references = _tokenized(hypotheses), _tokenized(references)
    metric = tenbin.load_metric(contest.spec, language=corpus.language)
    with environment(TENBIN_KERNELS="compiled"):
        own = metric.score(hypotheses, references)
        own_time = cpu_seconds(lambda: metric.score(hypotheses, references), before=forget_tokens)
    row: dict[str, str | float | None] = {
        "metric": contest.spec,
        "peer": contest.peer,
        "segments": contest.segments,
        "Tenbin, seg/s": contest.segments / own_time,
        "peer, seg/s": None,
        "ratio": None,
        "target": contest.target,
        "difference": None,
    }
    try:
        play = contest.prepare(hypotheses, references)
    except ImportError:
        return [row | {"peer": f"{contest.peer}: peer not installed"}]
    theirs = play()
    ours = own.score if isinstance(theirs, float) else own.segments
    peer_time = cpu_seconds(play, before=forget_tokens)
    return [
        row
        | {
            "peer, seg/s": contest.segments / peer_time,
            "ratio": peer_time / own_time,
            "difference": float(np.max(np.abs(np.asarray(ours) - np.asarray(theirs)))),
        }
    ]


def _tokenized(texts: Sequence[str]) -> list[str]:
    tokenize = load_tokenizer("13a").tokenize
    return [" ".join(tokenize(text.lower())) for text in texts]


def forget_tokens() -> None:
    """Empty the caches of sacrebleu's tokenizers.

    Both sides cut words with them, and whoever came second would find the words cut.
    """
    from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re, tokenizer_ter  # noqa: PLC0415

    tokenizer_13a.Tokenizer13a.__call__.cache_clear()
    tokenizer_re.TokenizerRegexp.__call__.cache_clear()
    tokenizer_ter.TercomTokenizer.__call__.cache_clear()


def _nltk_ribes(hypotheses: Sequence[str], references: Sequence[str]) -> _Play:
    from nltk.translate.ribes_score import sentence_ribes  # noqa: PLC0415

    pairs = [(h.split(), [r.split()]) for h, r in zip(hypotheses, references, strict=True)]
    return lambda: np.array([sentence_ribes(others, own) for own, others in pairs])


def _nltk_nist(hypotheses: Sequence[str], references: Sequence[str]) -> _Play:
    from nltk.translate.nist_score import corpus_nist  # noqa: PLC0415

    own = [text.split() for text in hypotheses]
    others = [[text.split()] for text in references]
    return lambda: float(corpus_nist(others, own))


def _cer(hypotheses: Sequence[str], references: Sequence[str]) -> _Play:
    from cer import calculate_cer  # noqa: PLC0415

    pairs = [(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]
    return lambda: np.array([calculate_cer(own, other) for own, other in pairs])


def _torchmetrics_eed(hypotheses: Sequence[str], references: Sequence[str]) -> _Play:
    from torchmetrics.functional.text import extended_edit_distance  # noqa: PLC0415

    others = [[text] for text in references]

    def play() -> _Scores:
        _, scores = extended_edit_distance(
            list(hypotheses), others, return_sentence_level_score=True
        )
        return np.asarray(scores, dtype=np.float64)

    return play


def _plain_impact(hypotheses: Sequence[str], references: Sequence[str]) -> _Play:
    metric = tenbin.load_metric("impact", language="de")

    def play() -> _Scores:
        with environment(TENBIN_KERNELS="plain"):
            return metric.score(hypotheses, references).segments

    return play


def _sacrebleu(name: str) -> Callable[[Sequence[str], Sequence[str]], _Play]:
    def prepare(hypotheses: Sequence[str], references: Sequence[str]) -> _Play:
        from sacrebleu import metrics  # noqa: PLC0415

        def play() -> _Scores:
            metric = getattr(metrics, name)()  # a new one, as it remembers its references
            return float(metric.corpus_score(list(hypotheses), [list(references)]).score)

        return play

    return prepare


CONTESTS = {
    "ribes": Contest(
        spec='ribes(tokenizer="none")',
        peer="nltk sentence_ribes",
        prepare=_nltk_ribes,
        segments=1_418,
        target=5,
        tokenized=True,
    ),
    "nist": Contest(
        spec='nist(tokenizer="none")',
        peer="nltk corpus_nist",
        prepare=_nltk_nist,
        segments=1_418,
        target=5,
        tokenized=True,
    ),
    "character": Contest(spec="character", peer="cer", prepare=_cer, segments=1_418, target=3),
    "eed": Contest(
        spec="eed",
        peer="torchmetrics extended_edit_distance",
        prepare=_torchmetrics_eed,
        segments=200,
        target=50,
    ),
    "impact": Contest(
        spec="impact", peer="none: Tenbin in plain Python", prepare=_plain_impact, segments=1_418
    ),
    "bleu": Contest(spec="bleu", peer="sacrebleu BLEU", prepare=_sacrebleu("BLEU"), segments=1_418),
    "chrf": Contest(spec="chrf", peer="sacrebleu CHRF", prepare=_sacrebleu("CHRF"), segments=1_418),
    "ter": Contest(spec="ter", peer="sacrebleu TER", prepare=_sacrebleu("TER"), segments=1_418),
}
