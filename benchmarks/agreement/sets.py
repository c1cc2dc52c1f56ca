"""Which test sets, measures and metrics the tables of agreement with people are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

DIFFERENT = "darr-tau-different"
"""DARR tau of pairs whose texts differ.

Newer systems often give the same text and still get scores 25 points apart. No metric can order
such a pair by its text; darr-tau counts a tie as wrong, and what breaks ties by chance seems good.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is measured on one test set.

    Attributes:
        name: The test set.
        main: The measure that stands for the set at segment level.
        others: Further measures.
    """

    name: str
    main: str
    others: tuple[str, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """All measures, but for the one that is made here."""
        return tuple(name for name in (self.main, *self.others) if name != DIFFERENT)


_SYSTEMS = ("system-pearson", "system-pearson-without-outliers")
_DARR = ("darr-tau", "segment-kendall", *_SYSTEMS)
PLANS = (
    Plan(name="wmt14", main="wmt14-tau", others=("system-pearson",)),
    Plan(name="wmt15.daseg", main="segment-pearson", others=("segment-kendall",)),
    Plan(name="wmt16.daseg", main="segment-pearson", others=("segment-kendall",)),
    Plan(name="wmt19.darr", main=DIFFERENT, others=("darr-tau",)),
    Plan(name="wmt20", main=DIFFERENT, others=_DARR),
    Plan(name="wmt21", main=DIFFERENT, others=_DARR),
    Plan(name="wmt22", main=DIFFERENT, others=_DARR),
    Plan(
        name="wmt23",
        main="acc-eq",
        others=("segment-pearson", "system-pearson", "system-accuracy", "spa"),
    ),
    Plan(
        name="wmt24",
        main="acc-eq",
        others=("segment-kendall", "segment-kendall-item", "system-pearson", "spa"),
    ),
    Plan(name="mlqe-pe", main="segment-pearson", others=("segment-kendall",)),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the tables: a metric of Tenbin.

    Attributes:
        label: What the row is called, the same for every language.
        spec: The metric, with the data of the language.
    """

    label: str
    spec: str


SURFACE = (
    *("bleu", "sentbleu", "bp-bleu", "gm", "mup", "nist"),
    *("chrf", "chrf+", "chrf++", "character", "eed"),
    *("ter", "wer", "per", "ribes", "impact", "onehot", "yisi0"),
)
OVER_VECTORS = ("sv", "was", "was-paper", "mas", "has", "wmd", "we_wpi", "yisi1", "mee")
IN_CONTEXT = ("bertscore", "moverscore", "yisi1-context", "tenbin")
PARAEVAL = ("precision", "recall", "f")
# With the threshold of the paper; what others give is among the variants (meteor.py).
PRESETS = ("meteor-vector-paper", "meteor+vector-paper")

EMBEDDED = "glove-en-small"
INSTALLED = {code: f"vectors-{code}" for code in ("en", "fr", "ja", "ru", "zh")}
PARAPHRASES = "meteor-paraphrases-en"


def entries(language: str, lexicons: Path, paraphrases: Path | None = None) -> list[Entry]:
    """Return the metrics that can run on a target language.

    Args:
        language: Its code, such as ``en``.
        lexicons: Folder of DBnary's synonym sets, one file per language, which may be missing.
        paraphrases: English table of ParaEval, if there is one.
    """
    found = [Entry(name, name) for name in SURFACE]
    found.append(Entry("meteor", 'meteor(paraphrases="none")'))
    if language == "en":
        found.append(Entry("meteor, paraphrases", f'meteor(paraphrases="{PARAPHRASES}")'))
    if language == "en" and paraphrases is not None:
        found += [
            Entry(f"paraeval, {measure}", f'paraeval(table="{paraphrases}", measure="{measure}")')
            for measure in PARAEVAL
        ]
    lexicon = lexicons / f"{language}.synsets"
    known = PARAPHRASES if language == "en" else "none"
    if lexicon.is_file():
        spec = f'meteor-dbnary(lexicon="{lexicon}", paraphrases="{known}")'
        found.append(Entry("meteor-dbnary", spec))
    if table := INSTALLED.get(language):
        chosen = f'vectors="{table}", paraphrases="{known}"'
        found += [Entry(name, f"{name}({chosen})") for name in PRESETS]
        if lexicon.is_file():
            spec = f'meteor-dbnary+vector-paper(lexicon="{lexicon}", {chosen})'
            found.append(Entry("meteor-dbnary+vector-paper", spec))
        found += _over_vectors("installed", table)
    if language == "en":
        found += _over_vectors("embedded", EMBEDDED)
    return found + _in_context(language)


def _over_vectors(which: str, table: str) -> list[Entry]:
    return [Entry(f"{name}, {which}", f'{name}(vectors="{table}")') for name in OVER_VECTORS]


def _in_context(language: str) -> list[Entry]:
    """Return the metrics over encoded texts: with the model of a language, else with vectors."""
    if language == "en":
        return [Entry(name, name) for name in IN_CONTEXT]
    table = INSTALLED.get(language)
    if table is None:
        return []
    return [Entry(f"{name}, static", f'{name}(model="static:{table}")') for name in IN_CONTEXT]


def scored_pairs(folder: Path) -> list[str]:
    """Return the language pairs of a test set that have a reference and outputs of systems."""
    outputs = sorted(path.name for path in (folder / "system-outputs").glob("*") if path.is_dir())
    return [pair for pair in outputs if any((folder / "references").glob(f"{pair}.*.txt"))]


def chosen_plans(names: Sequence[str]) -> list[Plan]:
    """Return the plans of some test sets, or all.

    Raises:
        SystemExit: There is no such test set.
    """
    known = {plan.name: plan for plan in PLANS}
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"no test set {', '.join(unknown)}; there are: {', '.join(known)}")
    return [known[name] for name in names] if names else list(PLANS)
