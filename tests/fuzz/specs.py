"""The grammar that names metrics: printed and read back, or refused."""

import random
from dataclasses import fields
from pathlib import Path

from tests.fuzz.mutations import NUMBERS, mutated
from tests.fuzz.texts import any_text

from tenbin.core.spec import Spec
from tenbin.metrics import registry

_VALID = (
    "chrf",
    "chrf++",
    "chrf(beta=2)",
    "chrf(word_order=2, beta=1.5)",
    'bleu(tokenizer="13a", smooth=exp)',
    "meteor(stages=(exact, stem), weights=(1.0, 0.6))",
    "has(vectors='a/b.vec', threshold=-0.5)",
    "ter(normalized=True, no_punct=False)",
    "bertscore(model=None)",
    "wmd(oov=[1, [2, (3,)]])",
)
_ODD = ("0x" + "f" * 5000, "10**9", "1e308", "-1e308", "1j", "...", "lambda: 0", "f'{1}'", "b'x'")


def try_spec(rng: random.Random, _folder: Path) -> object:
    """Read a text; what is read prints as something that reads the same."""
    text = _text(rng)
    spec = Spec.parse(text)
    printed = str(spec)
    printed.encode("utf-8")
    again = Spec.parse(printed)
    # repr tells 1 from True and 0.0 from -0.0, which == does not.
    assert (repr(again), str(again)) == (repr(spec), printed)
    return spec


def try_metric_spec(rng: random.Random, _folder: Path) -> object:
    """Load a metric with a random value for one of its parameters."""
    name = rng.choice(registry.metric_names())
    parameter = rng.choice([*_parameters(name), "nonsense"])
    value = rng.choice((rng.choice(NUMBERS).decode(), rng.choice(_ODD), repr(any_text(rng))))
    metric = registry.load(f"{name}({parameter}={value})")
    return str(metric.signature()) if not metric.needs.parameters else metric


def _parameters(name: str) -> list[str]:
    return [field.name for field in fields(registry.metric_class(name))]  # type: ignore[arg-type]


def _text(rng: random.Random) -> str:
    kind = rng.random()
    valid = rng.choice(_VALID)
    if kind < 0.6:
        return mutated(valid.encode(), rng).decode("utf-8", "replace")
    if kind < 0.8:
        return f"chrf(beta={rng.choice((*_ODD, *(one.decode() for one in NUMBERS)))})"
    if kind < 0.9:
        return f"chrf(beta={any_text(rng)!r})"
    return any_text(rng)
