"""The stored rows of agreement with people are what the code gives today.

Three nets, from wide to fine. Every row knows a digest of the signature it was computed with: a
changed parameter or resource makes it stale. The tables of the pages are the stored numbers. And a
sample is computed anew: a fixed core over families of metrics, sets and levels, and one row of each
family that a hash draws among all small sets.

After a change that moves numbers: python -m benchmarks.agreement --write-docs --paraphrases FILE.
"""

import csv
import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from benchmarks.agreement.bitext_vectors import trained_file
from benchmarks.agreement.columns import target
from benchmarks.agreement.measuring import measure_pair
from benchmarks.agreement.meteor import meteor_entries
from benchmarks.agreement.page import DECIMALS
from benchmarks.agreement.sets import (
    IN_CONTEXT,
    OVER_VECTORS,
    PLANS,
    SURFACE,
    Entry,
    entries,
    scored_pairs,
)
from benchmarks.agreement.signatures import signature_digest
from benchmarks.agreement.variants import FAMILIES, VARIANT_SETS

from tenbin.core.errors import InputError, ResourceError
from tenbin.core.spec import Spec
from tenbin.metrics.registry import load

pytestmark = pytest.mark.oracle

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
DATA, VARIANTS = RESULTS / "agreement.tsv", RESULTS / "agreement-variants.tsv"
PAGES = ROOT / "docs" / "agreement"
AGAIN = "python -m benchmarks.agreement --write-docs --paraphrases FILE"

PLAN_OF = {plan.name: plan for plan in PLANS}
# Half of the last stored digit, and what the order of a sum may change.
STORED = 0.5 * 10.0**-DECIMALS
TOLERANCE = STORED + 1e-6
# A model gives slightly other vectors on another processor, or on a GPU.
IN_CONTEXT_TOLERANCE = 1e-4
# Three decimals on the pages.
SHOWN = 5e-4 + STORED + 1e-9

Place = tuple[str, str]
CORE: dict[Place, tuple[str, ...]] = {
    ("wmt15.daseg", "cs-en"): (
        *SURFACE,
        "meteor",
        "meteor, paraphrases",
        *(f"{name}, embedded" for name in OVER_VECTORS),
        "has, installed",
        "bertscore",
        "tenbin",
    ),
    ("wmt16.daseg", "fi-en"): ("chrf", "eed", "was, embedded", "we_wpi, embedded", "wmd, embedded"),
    ("mlqe-pe", "en-zh"): ("bleu", "ter", "has, installed", "bertscore, static", "tenbin, static"),
    # Rankings, DARR and ties, and whole systems.
    ("wmt14", "cs-en"): ("chrf", "bleu"),
    ("wmt19.darr", "lt-en"): ("chrf", "mas, embedded"),
    ("wmt24", "en-is"): ("chrf",),
}
SMALL = ("wmt15.daseg", "wmt16.daseg", "mlqe-pe")
DRAWN_BY = "one row of each family"


@cache
def rows(path: Path = DATA) -> list[dict[str, str]]:
    if not path.is_file():
        pytest.fail(f"{path} is not there; run {AGAIN}")
    with path.open(encoding="utf-8") as stream:
        found = list(csv.DictReader(stream, delimiter="\t"))
    if "signature" not in found[0]:
        pytest.fail(f"the rows of {path} do not say what they were computed with; run {AGAIN}")
    return found


@cache
def known_entries(language: str, shared: Path) -> dict[str, Entry]:
    """All rows of the tables for a language; the table of ParaEval is not kept anywhere."""
    lexicons = shared / "lexicons" / "dbnary"
    return {one.label: one for one in entries(language, lexicons, Path("en.paraphrases"))}


def variant_entries(test_set: str, language: str, shared: Path) -> dict[str, Entry]:
    found = [one for family in FAMILIES for one in family.entries(language)]
    if test_set == "wmt14":
        trained = trained_file()
        lexicons = shared / "lexicons" / "dbnary"
        found += meteor_entries(lexicons, trained if trained.is_file() else None)
    return {one.label: one for one in found}


def family(label: str) -> str:
    name = label.partition(",")[0]
    if name in IN_CONTEXT:
        return "static" if "static" in label else "context"
    if name.startswith(("meteor", "paraeval")):
        return name[:8]
    return "vectors" if name in OVER_VECTORS else "surface"


def drawn(shared: Path) -> dict[Place, tuple[str, ...]]:
    """One row of each family, the same at every run as long as the rows have the same names."""

    def number(row: dict[str, str]) -> str:
        text = "\t".join((DRAWN_BY, row["set"], row["pair"], row["metric"]))
        return hashlib.sha256(text.encode()).hexdigest()

    own = [one for one in rows() if one["by"] == "tenbin" and one["set"] in SMALL]
    found: dict[Place, tuple[str, ...]] = {}
    for kind in sorted({family(one["metric"]) for one in own} - {"paraeval", "context"}):
        row = min((one for one in own if family(one["metric"]) == kind), key=number)
        place = row["set"], row["pair"]
        found[place] = (*found.get(place, ()), row["metric"])
    assert (shared / "data").is_dir()
    return found


def missing_resource(entry: Entry, language: str) -> str | None:
    try:
        load(entry.spec).bind(language).signature()
    except (ResourceError, InputError) as error:
        return str(error)
    return None


def assert_as_stored(
    place: Place, labels: Sequence[str], shared: Path, monkeypatch: pytest.MonkeyPatch, tmp: Path
) -> None:
    test_set, pair = place
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp))
    language = target(pair)
    known = known_entries(language, shared)
    there = [known[one] for one in labels if not missing_resource(known[one], language)]
    if not there:
        pytest.skip(f"not installed: {missing_resource(known[labels[0]], language)}")
    stored = {
        one["metric"]: one
        for one in rows()
        if (one["set"], one["pair"], one["by"]) == (*place, "tenbin")
    }
    folder = shared / "data" / test_set
    found = measure_pair(
        folder, pair, PLAN_OF[test_set], there, imported=False, sampled=False, cached=False
    )
    stale = []
    for entry in there:
        tolerance = IN_CONTEXT_TOLERANCE if family(entry.label) == "context" else TOLERANCE
        for measure, value in found.values[entry.label].items():
            old = float(stored.get(entry.label, {}).get(measure) or "nan")
            if not abs(value - old) <= tolerance:
                stale.append(f"{test_set} {pair} {entry.label} {measure}: {old} / {value:.6f}")
    assert not stale, f"stored / now; run {AGAIN}:\n" + "\n".join(stale)


@pytest.mark.slow
@pytest.mark.parametrize("place", CORE, ids=" ".join)
def test_rows_of_the_core_are_what_the_code_gives(
    place: Place, shared: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert_as_stored(place, CORE[place], shared, monkeypatch, tmp_path)


@pytest.mark.slow
def test_rows_that_were_drawn_are_what_the_code_gives(
    shared: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for place, labels in drawn(shared).items():
        assert_as_stored(place, labels, shared, monkeypatch, tmp_path)


@pytest.mark.parametrize(("metric", "agreement"), [("bertscore", 0.677), ("tenbin", 0.693)])
def test_agreement_that_was_promised(metric: str, agreement: float) -> None:
    """The specification asks for that of BERTScore; what `tenbin` gains is on its page."""
    place = "wmt15.daseg", "cs-en"
    assert metric in CORE[place], "the code must give this row"
    (row,) = (one for one in rows() if (one["set"], one["pair"], one["metric"]) == (*place, metric))
    assert float(row["segment-pearson"]) == pytest.approx(agreement, abs=0.001)


def test_every_family_is_in_the_sample() -> None:
    labels = {one for labels in CORE.values() for one in labels}
    known = {family(one) for one in (*SURFACE, *OVER_VECTORS, *IN_CONTEXT, "meteor", "x, static")}
    assert {family(one) for one in labels} >= known
    assert {place[0] for place in CORE} <= set(PLAN_OF)


def test_rows_are_those_that_would_be_written(shared: Path) -> None:
    stored: dict[Place, set[str]] = {}
    for one in rows():
        if one["by"] == "tenbin":
            stored.setdefault((one["set"], one["pair"]), set()).add(one["metric"])
    wanted = [
        (plan.name, pair) for plan in PLANS for pair in scored_pairs(shared / "data" / plan.name)
    ]
    assert set(stored) == set(wanted)
    for place, labels in stored.items():
        known = known_entries(target(place[1]), shared)
        for label in labels & set(known):
            load(Spec.parse(known[label].spec))
        assert labels - set(known) == set(), place
        # ParaEval needs a table that is made for it, and every other metric has a row.
        assert {one for one in set(known) - labels if family(one) != "paraeval"} == set(), place


def stale_signatures(path: Path, shared: Path, *, variants: bool) -> Iterator[str]:
    found: dict[tuple[str, str], str | None] = {}
    for one in rows(path):
        language = target(one["pair"])
        known = (
            variant_entries(one["set"], language, shared)
            if variants
            else known_entries(language, shared)
        )
        entry = known.get(one["metric"])
        if one["by"] != "tenbin" or entry is None or family(one["metric"]) == "paraeval":
            continue
        key = entry.spec, language
        if key not in found:
            try:
                found[key] = signature_digest(entry, language)
            except (ResourceError, InputError):
                found[key] = None  # not installed here: nothing can be said
        if found[key] not in (None, one["signature"]):
            yield f"{one['set']} {one['pair']} {one['metric']}"
    if not any(found.values()):
        pytest.skip("no resource that the rows were computed with is installed")


def test_no_row_has_another_signature(shared: Path) -> None:
    stale = list(stale_signatures(DATA, shared, variants=False))
    assert not stale, f"{len(stale)} rows are stale; run {AGAIN}:\n" + "\n".join(stale[:20])


def test_no_variant_has_another_signature(shared: Path) -> None:
    stale = list(stale_signatures(VARIANTS, shared, variants=True))
    assert not stale, f"{len(stale)} rows are stale; run {AGAIN}:\n" + "\n".join(stale[:20])
    assert {one["set"] for one in rows(VARIANTS)} == set(VARIANT_SETS)


def test_a_changed_parameter_would_be_seen(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tenbin.metrics.chrf import ChrF  # noqa: PLC0415 - only this test changes it

    before = signature_digest(Entry("chrf", "chrf"), "en")
    assert {one["signature"] for one in rows() if one["metric"] == "chrf"} >= {before}
    defaults = ChrF.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setattr(ChrF.__init__, "__kwdefaults__", {**defaults, "beta": 3})
    assert signature_digest(Entry("chrf", "chrf"), "en") != before
    assert any(line.endswith(" chrf") for line in stale_signatures(DATA, shared, variants=False))


def tables(page: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the heading above each table of a page, and the cells of its rows, header first."""
    heading, lines = "", list[list[str]]()
    for line in [*(PAGES / page).read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("#"):
            heading = line.strip("# ")
        if line.startswith("|"):
            lines.append([cell.strip() for cell in line.strip("|").split("|")])
        elif lines:
            yield heading, [lines[0], *lines[2:]]
            lines = []


def shown(cell: str) -> float | None:
    number = re.sub(r"[^0-9.-]", "", cell)
    return float(number) if number else None


@cache
def by_name() -> dict[tuple[str, str, str], dict[str, str]]:
    return {(one["set"], one["pair"], one["metric"]): one for one in rows()}


def stored_mean(test_set: str, pairs: Sequence[str], metric: str, measure: str) -> float | None:
    found = [by_name().get((test_set, pair, metric), {}).get(measure, "") for pair in pairs]
    return float(np.mean([float(value) for value in found])) if all(found) else None


def assert_shown(cell: str, value: float | None, where: str) -> None:
    number = shown(cell)
    assert (number is None) == (value is None), where
    if number is not None and value is not None:
        assert number == pytest.approx(value, abs=SHOWN), where


def test_the_page_of_pairs_is_the_data() -> None:
    for test_set, (header, *lines) in tables("pairs.md"):
        for line in lines:
            for title, cell in zip(header[1:], line[1:], strict=True):
                pair, measure, _ = title.split("<br>")
                value = stored_mean(test_set, [pair], line[0], measure)
                assert_shown(cell, value, f"{test_set} {line[0]} {title}")


def test_the_page_of_tables_is_the_data() -> None:
    measured = {(one["set"], one["pair"]): one for one in rows() if one["metric"] == "chrf"}
    for heading, (header, *lines) in tables("tables.md"):
        for line in lines:
            for title, cell in zip(header[1:], line[1:], strict=True):
                test_set, which, measure = title.split("<br>")
                pairs = which.split(", ")
                if " pairs into " in which:
                    language = which.rpartition(" ")[2]
                    pairs = [
                        pair
                        for (name, pair), one in measured.items()
                        if name == test_set and target(pair) == language and one[measure]
                    ]
                    assert which.startswith(f"{len(pairs)} pairs")
                value = stored_mean(test_set, pairs, line[0], measure)
                assert_shown(cell, value, f"{heading}: {line[0]} {title}")
