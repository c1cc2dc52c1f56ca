"""What every contract is given: all installed metrics, languages, texts. No metric is named here.

`spec` runs over the registry, entry points and aliases included, so a metric that is registered
later joins every contract. `metric` is the metric of that spec, bound to the target `language`.
Word vectors come with Tenbin for English alone; the other languages have a few of their own here.
"""

import atexit
import json
import shutil
import string
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from tests.contracts.made_up import MadeUp, drawn, made_up_sets, repeating_sets

from tenbin.core.metric import (
    AUTO,
    NAMES_DATA,
    CombinedMetric,
    ExplainableMetric,
    Metric,
    Property,
)
from tenbin.core.resource import ResourceKind
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.metrics import registry

TEXTS = {
    language: texts
    for language, texts in json.loads(
        Path(__file__).with_name("texts.json").read_text(encoding="utf-8")
    ).items()
    if language != "origin"
}

# For the proof that contracts fail where they should: a fault is enough, its smallest form is not
# looked for.
settings.register_profile(
    "no-shrinking",
    derandomize=True,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)


def _is_adapted(name: str) -> bool:
    return ResourceKind.ADAPTER in registry.load(name).needs.resources


def _is_left_to_its_own_tests(name: str) -> bool:
    """Whether a metric needs data that only a user can name, or drops stages without data.

    What reads no reference has contracts of its own: these here set translations beside references.
    A combination is for the languages that it was learned from.
    What has an adapter gets a made-up one, if there is a program to make and run it.
    """
    metric = registry.load(name)
    if _is_adapted(name) and find_spec("transformers") is None:
        return True
    of_user = bool(metric.needs.parameters) or getattr(metric, "drop_missing", False)
    of_user = of_user or isinstance(metric, CombinedMetric)
    return of_user or not metric.needs.references


def _settings(name: str) -> object:
    """What a metric is here: presets that differ in their adapters alone get the same one."""
    if not _is_adapted(name):
        return name
    spec = registry.ALIASES.get(name, Spec(name))
    return spec.name, tuple(one for one in spec.parameters if one[0] != "adapter")


SPECS = tuple(
    {
        _settings(name): name
        for name in (*registry.metric_names(), *sorted(registry.ALIASES))
        if not _is_left_to_its_own_tests(name)
    }.values()
)


# What is trained on the texts of a run is trained little: contracts run it hundreds of times.
TRAINING = {"units": 8, "embedding": 8, "epochs": 1, "repeats": 2}
VECTORS = Path(__file__).with_name("vectors.vec")
BUNDLED_VECTORS = ("en",)


SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@cache
def made_up_model() -> Path:
    """Write a small BERT, once; its tokenizer knows single characters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import only
        # Extras, which are imported by name: their types differ from version to version.
        tokenizers, torch, transformers = (
            import_module(name) for name in ("tokenizers", "torch", "transformers")
        )

    folder = Path(tempfile.mkdtemp(prefix="tenbin-contracts-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    written = json.dumps(TEXTS, ensure_ascii=False)
    letters = sorted({*written, *string.printable} - set(string.whitespace))
    subwords = dict.fromkeys([*SPECIAL_TOKENS, *letters, *(f"##{letter}" for letter in letters)])
    vocabulary = {subword: number for number, subword in enumerate(subwords)}
    cutter = tokenizers.BertWordPieceTokenizer(vocabulary, lowercase=False, strip_accents=False)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter._tokenizer,
        **{f"{token[1:-1].lower()}_token": token for token in SPECIAL_TOKENS},
    ).save_pretrained(folder)
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=512,
        initializer_range=0.4,  # so that neighbors matter
    )
    transformers.BertModel(config).eval().save_pretrained(folder)
    return folder


@cache
def made_up_adapter(language: str) -> str:
    """Write an adapter of that model for a language, once; return its path."""
    from tenbin.annotation.joint.adapter import (  # noqa: PLC0415 - an extra
        UP,
        Adapter,
        AdapterCard,
        write_adapter,
    )
    from tenbin.annotation.joint.network import AdapterShape, first_tensors  # noqa: PLC0415
    from tenbin.resources.checkpoints import find_checkpoint  # noqa: PLC0415

    folder = made_up_model()
    checkpoint = find_checkpoint(str(folder), language)
    rng = np.random.default_rng(3)
    tensors = first_tensors(checkpoint, AdapterShape(rank=2, alpha=4.0, width=4), 3)
    for name, one in tensors.items():
        if name.endswith(UP):
            tensors[name] = rng.normal(0, 0.3, one.shape)
    card = AdapterCard(
        name=f"made-up-{language}",
        language=language,
        base=str(folder),
        base_fingerprint=checkpoint.identity.fingerprint,
        rank=2,
        alpha=4.0,
        width=4,
        layer=1,
        share=0.4,
    )
    path = folder / f"{language}.safetensors"
    write_adapter(str(path), Adapter(tensors=tensors, card=card))
    return str(path)


def open_fields(name: str) -> set[str]:
    """Return the parameters of a metric that name data and are settled by the language."""
    return {
        field.name
        for field in fields(registry.load(name))  # type: ignore[arg-type]
        if field.default == AUTO and field.metadata.items() >= NAMES_DATA.items()
    } | ({"adapter"} if _is_adapted(name) else set())


def spec_in(name: str, language: str) -> str:
    """Return the spec of a metric with data to score a language, be they made up."""
    wanted = open_fields(name)
    if _is_adapted(name):
        return str(Spec(name, (("adapter", made_up_adapter(language)),)))
    if "model" in wanted:
        # Models are too large to come along: word vectors stand in, and models have own tests.
        table = "glove-en-small" if language in BUNDLED_VECTORS else str(VECTORS)
        return str(Spec(name, (("model", f"static:{table}"),)))
    given: tuple[tuple[str, str | int], ...] = training_of(name)
    if language not in BUNDLED_VECTORS and "vectors" in wanted:
        given = (("vectors", str(VECTORS)), *given)
    return str(Spec(name, given))


def training_of(name: str) -> tuple[tuple[str, int], ...]:
    """Return the parameters that make the training of a metric short, if it has one."""
    known = {field.name for field in fields(registry.load(name))}  # type: ignore[arg-type]
    return tuple(TRAINING.items()) if known >= set(TRAINING) else ()


@cache
def bound(name: str, language: str) -> Metric:
    """Return a metric that can score a language.

    Kept here, as what is made up is below: pytest forgets a fixture when a parameter changes.
    """
    return registry.load(spec_in(name, language)).bind(language)


@pytest.fixture(scope="session")
def encoding_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet, each another one."""
    root = tmp_path_factory.mktemp("encodings")
    return (root / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_encodings(encoding_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """What made-up models say does not go to the user's cache.

    Each test has a cache of its own: all files of one are opened again by whoever reads it.
    """
    monkeypatch.setenv("TENBIN_ENCODINGS", str(next(encoding_folders)))


@pytest.fixture(scope="session", params=SPECS)
def spec(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def adapter_of() -> Callable[[str], str]:
    """What gives the made-up adapter of a language."""
    return made_up_adapter


@pytest.fixture(scope="session")
def wanted(spec: str) -> set[str]:
    """The data that the language settles."""
    return open_fields(spec)


@pytest.fixture(scope="session")
def training(spec: str) -> tuple[tuple[str, int], ...]:
    """The parameters that make its training short."""
    return training_of(spec)


@pytest.fixture(scope="session")
def specs_by_language() -> dict[str, tuple[str, ...]]:
    """All of them in each language, for the contracts that run once."""
    return {language: tuple(spec_in(name, language) for name in SPECS) for language in TEXTS}


@pytest.fixture(scope="session", params=TEXTS)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def full_spec(spec: str, language: str) -> str:
    """The spec with the data that the language needs."""
    return spec_in(spec, language)


@pytest.fixture(scope="session")
def full_specs(language: str) -> tuple[str, ...]:
    """All of them, for the contracts that run once for a language."""
    return tuple(spec_in(name, language) for name in SPECS)


@pytest.fixture(scope="session")
def metric(spec: str, language: str) -> Metric:
    return bound(spec, language)


def _declaring(trait: Property) -> list[str]:
    return [name for name in SPECS if trait in registry.load(name).info.properties]


@pytest.fixture(scope="session", params=_declaring(Property.IDENTITY_IS_BEST))
def best_at_identity(request: pytest.FixtureRequest, language: str) -> Metric:
    return bound(request.param, language)


@pytest.fixture(scope="session", params=_declaring(Property.REFERENCE_ORDER_FREE))
def free_of_reference_order(request: pytest.FixtureRequest, language: str) -> Metric:
    return bound(request.param, language)


@pytest.fixture(scope="session", params=_declaring(Property.MEAN_OF_SEGMENTS))
def mean_of_segments(request: pytest.FixtureRequest, language: str) -> Metric:
    return bound(request.param, language)


# Where the statistics of a segment depend on the references of all, parts do not add up; a metric
# must say so.
WEIGHTS = frozenset(one for one in Property if one.name.startswith("WEIGHTS_FROM"))


@pytest.fixture(
    scope="session",
    params=[name for name in SPECS if not WEIGHTS & registry.load(name).info.properties],
)
def segment_by_segment(request: pytest.FixtureRequest, language: str) -> Metric:
    return bound(request.param, language)


@pytest.fixture(scope="session")
def test_set(language: str) -> TestSet:
    """Two systems and ragged references."""
    return _real_test_set(language)


@pytest.fixture(scope="session")
def corpora() -> dict[str, TestSet]:
    """The test set of every language, for the contracts that run once over all of them."""
    return {language: _real_test_set(language) for language in TEXTS}


def _real_test_set(language: str) -> TestSet:
    texts = TEXTS[language]
    return TestSet(
        hypotheses={f"system {number}": tuple(own) for number, own in enumerate(texts["systems"])},
        references=tuple(map(tuple, texts["references"])),
        source=tuple(texts["source"]),
    )


def _sentences(language: str) -> st.SearchStrategy[str]:
    """Return segments of at least one word."""
    words = st.lists(st.sampled_from(TEXTS[language]["words"]), min_size=1, max_size=8)
    return words.map(TEXTS[language]["blank"].join)


@cache
def _made_up(language: str) -> tuple[MadeUp, ...]:
    return drawn(made_up_sets(_sentences(language) | st.text(max_size=12)))


@cache
def _repeating(language: str) -> tuple[TestSet, ...]:
    return drawn(repeating_sets(_sentences(language)))


@pytest.fixture(scope="session")
def made_up(language: str) -> tuple[MadeUp, ...]:
    """Test sets of any shape; segments are words, or any characters at all, or empty."""
    return _made_up(language)


@pytest.fixture(scope="session")
def repeating(language: str) -> tuple[TestSet, ...]:
    """Test sets with a system that repeats references."""
    return _repeating(language)


PENALIZING = tuple(name for name in SPECS if hasattr(registry.load(name), "penalty"))


@pytest.fixture(scope="session", params=PENALIZING)
def penalizing(request: pytest.FixtureRequest, language: str) -> str:
    """The spec of a metric that can penalize wrong names and figures, with its data."""
    return spec_in(request.param, language)


@pytest.fixture(
    scope="session",
    params=[name for name in PENALIZING if not registry.load(name).needs.collection],
)
def penalizing_by_segment(request: pytest.FixtureRequest, language: str) -> str:
    """Such a metric whose weights do not depend on all references."""
    return spec_in(request.param, language)


@pytest.fixture(
    scope="session",
    params=[name for name in PENALIZING if isinstance(registry.load(name), ExplainableMetric)],
)
def penalizing_links(request: pytest.FixtureRequest, language: str) -> str:
    """Such a metric that aligns."""
    return spec_in(request.param, language)


@pytest.fixture(scope="session", params=PENALIZING)
def penalizing_nameless(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Such a metric, and a language without capitals whose proper nouns nothing knows."""
    return spec_in(request.param, "th"), "th"
