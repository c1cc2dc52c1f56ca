"""Every number of every metric is the stored one, bit for bit.

Stored: corpus and segment scores, the arithmetic of explanations, sweeps over thresholds and
signatures, of each registered metric and preset, with and without penalty, with one and two
references, in English and Japanese, and of the parameters that choose another way to the score.
A number that is meant to move is stored anew with ``pytest tests/exact --refresh-golden`` and gets
an entry under *Scores* in the changelog.

On another processor than the one that the numbers were stored on, linear algebra rounds in another
order; there they are compared to 1e-6.
"""

import json
import lzma
import math
import platform
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.core.metric import CombinedMetric, ExplainableMetric, SweepableMetric
from tenbin.core.resource import ResourceKind
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.evaluation.sweeps import sweep
from tenbin.metrics import registry

DATA = Path(__file__).with_name("data")
EXAMPLE = Path(registry.__file__).parents[1] / "resources" / "bundled" / "example"
EXAMPLE_SEGMENTS = 10

# Sentences with names, numbers, dates and an empty line, which the bundled example is short of.
OWN: dict[str, Any] = json.loads((DATA / "texts.json").read_text(encoding="utf-8"))
PAIRS = {"en": "ja-en", "ja": "en-ja"}
# The Japanese example has one reference; a translation stands in for the second.
SECOND_REFERENCES = {
    "en": "references/ja-en.refB.txt",
    "ja": "system-outputs/en-ja/careful.txt",
}
EXPLAINED = (1, 11, 12, 14)


def _lines(name: str) -> tuple[str, ...]:
    lines = (EXAMPLE / name).read_text(encoding="utf-8").splitlines()
    return tuple(lines[:EXAMPLE_SEGMENTS])


@cache
def real_texts(language: str, references: int) -> TestSet:
    """Return three systems on the start of the bundled example and on sentences of our own."""
    own, pair = OWN[language], PAIRS[language]
    first = _lines(f"references/{pair}.refA.txt")
    second = _lines(SECOND_REFERENCES[language])
    columns = [
        (*example, *added)
        for example, added in zip((first, second), own["references"], strict=True)
    ]
    return TestSet(
        hypotheses={
            name: (*_lines(f"system-outputs/{pair}/{name}.txt"), *added)
            for name, added in own["systems"].items()
        },
        references=tuple(zip(*columns[:references], strict=True)),
        source=(*_lines(f"sources/{pair}.txt"), *own["source"]),
    )


@dataclass(frozen=True)
class Case:
    """A spec on texts of a language.

    Attributes:
        spec: With ``DATA/`` in the place of the folder of the data files.
        language: The target language.
        references: How many there are of each segment.
        needs: An installed resource without which the case is left out; empty for none.
    """

    spec: str
    language: str
    references: int
    needs: str = ""

    @property
    def key(self) -> str:
        return f"{self.language} {self.references} {self.spec}"

    @property
    def full_spec(self) -> str:
        return self.spec.replace("DATA/", f"{DATA.as_posix()}/")


_FILES: dict[str, dict[str, str | None]] = {
    "en": {"vectors": None, "model": "static:glove-en-small"},
    "ja": {"vectors": "DATA/toy.vec", "model": "static:DATA/toy.vec"},
}
_TABLES = {"en": "DATA/toy.paraphrases", "ja": "DATA/toy-ja.paraphrases"}
_REQUIRED = {
    "lexicon": "DATA/toy.synsets",
    "vectors": "DATA/toy.vec",
    "source_vectors": "DATA/toy.vec",
    "file": "DATA/toy.combination",
    "glossary": "DATA/toy-terms.csv",
}
# Every parameter that chooses another way to the score.
_VARIANTS = (DATA / "variants.txt").read_text(encoding="utf-8").splitlines()
# Specs that need an installed resource.
_INSTALLED = [
    line.split("\t") for line in (DATA / "installed.tsv").read_text(encoding="utf-8").splitlines()
]


def _completed(text: str, language: str) -> str:
    """Return a spec with the data that it needs, none of them installed."""
    spec = Spec.parse(text)
    metric = registry.load(spec)
    given = dict(spec.parameters)
    added: dict[str, object] = {}
    added.update(
        (parameter, file)
        for parameter, file in _FILES[language].items()
        if getattr(metric, parameter, None) == "auto" and file is not None
    )
    files = {**_REQUIRED, "table": _TABLES[language]}
    for parameter in sorted(metric.needs.parameters & files.keys()):
        added[parameter] = files[parameter]
    if hasattr(metric, "source_vectors"):
        added["vectors"] = _REQUIRED["vectors"]
        added["source_tokenizer"] = "13a" if language == "en" else "char"
    toy = "toy.vec" in str(added.get("vectors"))
    if toy and hasattr(metric, "min_coverage"):
        added["min_coverage"] = 0.0
    if hasattr(metric, "repeats"):
        # What is trained on the texts is trained little.
        added |= {"units": 16, "embedding": 16, "epochs": 2, "repeats": 2}
    if hasattr(metric, "paraphrases"):
        # What is installed must not enter.
        added["paraphrases"] = "none"
    parameters = {**added, **given}
    return str(Spec(spec.name, tuple(parameters.items())))  # type: ignore[arg-type]


def _default_specs(language: str) -> Iterator[str]:
    """Yield every metric and preset of Tenbin's own, with and without penalty."""
    for name in (*registry.metric_names(), *sorted(registry.ALIASES)):
        metric = registry.load(name)
        own = type(metric).__module__.startswith("tenbin.")
        if not own or "model" in metric.needs.parameters:
            continue
        if name in registry.ALIASES and isinstance(metric, CombinedMetric):
            continue  # of one language, and of resources that must be installed
        if ResourceKind.ADAPTER in metric.needs.resources:
            continue  # likewise
        yield _completed(name, language)
        for penalty in ("none", "names+numbers") if hasattr(metric, "penalty") else ():
            yield _completed(str(Spec(name, (("penalty", penalty),))), language)


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases, those of every metric and preset first."""
    found = [
        Case(spec, language, references)
        for language in PAIRS
        for spec in _default_specs(language)
        for references in (1, 2)
    ]
    found += [Case(_completed(text, one), one, 2) for text in _VARIANTS for one in PAIRS]
    found += [Case(spec, "en", 2, resource) for resource, spec in _INSTALLED]
    return tuple({case.key: case for case in found}.values())


STORED = DATA / "numbers.json.xz"
THRESHOLDS = (0.0, 0.3, 0.65, 1.0)
EVERYWHERE = 1e-6


@cache
def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(lzma.decompress(STORED.read_bytes()))
    return found


@cache
def processor() -> list[str]:
    """Return what decides how linear algebra rounds: vector instructions, model and cache.

    Libraries cut matrices into blocks as large as the cache, and add the sums of these.
    """
    # A private module, without types.
    features = import_module("numpy._core._multiarray_umath").__cpu_features__
    chosen = ("SSE41", "AVX", "AVX2", "FMA3", "AVX512F", "AVX512_SKX", "NEON", "ASIMD")
    return [*(name for name in chosen if features.get(name)), *_model()]


def _model() -> list[str]:
    """Return vendor, family, model and cache as Linux tells them; elsewhere a name."""
    told = Path("/proc/cpuinfo")
    if not told.is_file():
        return [platform.processor()]
    lines = told.read_text(encoding="utf-8").partition("\n\n")[0].splitlines()
    parts = (line.partition(":") for line in lines)
    facts = {key.strip(): value.strip() for key, _, value in parts}
    chosen = ("vendor_id", "cpu family", "model", "stepping", "cache size")
    return [f"{key} {facts[key]}" for key in chosen if key in facts]


def signature(text: str) -> str:
    """Return a signature without the versions of programs, which constraints.txt settles."""
    return re.sub(r"(\|version:[^=|]+=)[^|]+", r"\1*", text)


def numbers(case: Case) -> dict[str, Any]:
    """Return all that is stored of a case."""
    texts = real_texts(case.language, case.references)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of packages, on import only
            table = tenbin.score(
                texts, metrics=[case.full_spec], language=case.language, segments=True
            )
    except tenbin.TenbinError as error:
        # What a language has not is refused, and stays so.
        return {"refused": type(error).__name__}
    result = table.score_set.results[0]
    assert result.segments is not None
    found: dict[str, Any] = {
        "signature": signature(str(result.signature)),
        "corpus": result.scores.tolist(),
        "segments": result.segments.tolist(),
    }
    metric = registry.load(case.full_spec)
    if isinstance(metric, ExplainableMetric):
        found["explanations"] = [
            {
                "score": one.score,
                "reference": one.reference,
                "steps": [step.value for step in one.steps],
                "links": [
                    [
                        *(link.kind.value, link.similarity, link.mass, link.cost),
                        *(link.hypothesis.start, link.hypothesis.stop),
                        *(link.reference.start, link.reference.stop),
                    ]
                    for link in one.alignment.matches
                ],
            }
            for one in tenbin.explain(
                texts, metric=case.full_spec, language=case.language, segments=EXPLAINED
            )
        ]
    if isinstance(metric, SweepableMetric) and hasattr(metric, "length_penalty"):
        swept = sweep(texts, case.full_spec, case.language, THRESHOLDS)
        found["sweep"] = [swept.scores.tolist(), swept.segments.tolist()]
    return found


def assert_same(found: object, expected: object, place: str) -> None:
    """Compare nested values; numbers by their bits where the processor is the stored one."""
    if isinstance(expected, dict):
        assert isinstance(found, dict)
        assert found.keys() == expected.keys(), place
        for key, value in expected.items():
            assert_same(found[key], value, f"{place}/{key}")
    elif isinstance(expected, list):
        assert isinstance(found, list)
        assert len(found) == len(expected), place
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_same(one, other, f"{place}/{number}")
    elif isinstance(expected, float) and isinstance(found, float):
        same = found == expected or (math.isnan(found) and math.isnan(expected))
        if not same and processor() != stored()["processor"]:
            same = abs(found - expected) <= EVERYWHERE
        assert same, f"{place}: {found!r}, stored {expected!r}"
    else:
        assert found == expected, place


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """How sums are split over threads must not show."""
    try:
        import torch  # noqa: PLC0415 - an optional extra
    except ImportError:
        return
    torch.set_num_threads(1)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.key)
def test_numbers_are_the_stored_ones(
    case: Case,
    refresh_golden: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if refresh_golden:
        pytest.skip("the numbers are being stored anew")
    if case.needs and not installed(case.needs):
        pytest.skip(f"{case.needs} is not installed: tenbin resources install {case.needs}")
    # So few texts would run plain kernels alone; the other language does.
    if case.language == "en":
        monkeypatch.setenv("TENBIN_KERNELS", "compiled")
    assert_same(numbers(case), stored()["numbers"][case.key], case.key)


def test_every_case_is_stored_and_no_other(refresh_golden: bool) -> None:  # noqa: FBT001
    if refresh_golden:
        store()
    stored.cache_clear()
    assert list(stored()["numbers"]) == [case.key for case in cases()]


def test_another_number_is_told() -> None:
    with pytest.raises(AssertionError):
        assert_same({"corpus": [0.5, np.nextafter(0.25, 1).item()]}, {"corpus": [0.5, 0.0]}, "")


def installed(resource: str) -> bool:
    from tenbin.resources.store.store import default_store  # noqa: PLC0415

    return default_store().state(resource)[1] is not None


def store() -> None:
    """Store the numbers of today."""
    missing = {case.needs for case in cases() if case.needs and not installed(case.needs)}
    assert not missing, f"install {missing} first"
    found = {"processor": processor(), "numbers": {case.key: numbers(case) for case in cases()}}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    STORED.write_bytes(lzma.compress(text.encode("utf-8"), preset=9))
