"""BERTScore equals the package bert-score on real texts: plain, by idf, rescaled.

Provenance: bert-score 0.3.13 from the package index, run here on the same folders of models: the
resource minilm-en, and a small BERT with random weights that is made for the test. Texts: the 180
outputs of the bundled example, and 100 of WMT15 cs-en where the shared folder is here.
"""

import string
import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.annotation.encoders.loading import find_model
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.resources.store.lookup import State
from tenbin.resources.store.store import default_store

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

TOLERANCE = 1e-5
BASELINE = "LAYER,P,R,F\n0,.1,.2,.3\n1,.25,.31,.28\n2,0,0,0\n3,0,0,0\n4,.43,.41,.42\n"
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, Any]]:
    """The packages; one thread, for on a busy machine two take many times as long."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import only
        names = ("torch", "transformers", "tokenizers", "bert_score")
        found = {
            name: pytest.importorskip(name, reason=f"{name} is not installed: see 'make test'")
            for name in names
        }
    torch = found["torch"]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield found
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def minilm(modules: dict[str, Any]) -> Path:  # noqa: ARG001 - it is skipped without them
    if default_store().state("minilm-en")[0] is not State.INSTALLED:
        pytest.skip("minilm-en is not installed: tenbin resources install minilm-en")
    return find_model("minilm-en", "en").folder


@pytest.fixture(scope="module")
def random_bert(modules: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "random-bert"
    transformers = modules["transformers"]
    letters = string.ascii_lowercase + string.digits + string.punctuation
    pieces = [*MARKS, "the", "of", "and", *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    cutter = modules["tokenizers"].BertWordPieceTokenizer(vocabulary, lowercase=True)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter._tokenizer,
        model_max_length=1024,
        **{f"{mark[1:-1].lower()}_token": mark for mark in MARKS},
    ).save_pretrained(folder)
    modules["torch"].manual_seed(11)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=1024,
        initializer_range=0.3,
    )
    transformers.BertModel(config).eval().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", params=["example", "wmt15"])
def texts(request: pytest.FixtureRequest) -> tuple[list[str], list[str]]:
    if request.param == "example":
        example = request.getfixturevalue("example")
        systems = ("careful", "literal", "gloss")
        outputs = [text for name in systems for text in example("ja-en", name)]
        return outputs, example("ja-en", "refA") * len(systems)
    folder = request.getfixturevalue("shared") / "data" / "wmt15.daseg"
    files = folder / "system-outputs" / "cs-en" / "mixed.txt", folder / "references/cs-en.refA.txt"
    hypotheses, references = (path.read_text("utf-8").split("\n")[:-1] for path in files)
    assert len(hypotheses) == len(references) == 500
    return hypotheses[::5], references[::5]


@pytest.fixture(scope="module", autouse=True)
def _own_encodings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_ENCODINGS", str(tmp_path_factory.mktemp("encodings")))
        yield


@pytest.fixture(scope="module")
def outputs() -> dict[tuple[object, ...], Any]:
    """What models said of a batch: the package asks for the same whatever it does with it."""
    return {}


def theirs(
    modules: dict[str, Any],
    texts: Sequence[Sequence[str]],
    folder: Path,
    outputs: dict[tuple[object, ...], Any],
    **options: Any,
) -> list[Any]:
    utilities = import_module("bert_score.utils")
    encode = utilities.bert_encode

    def encoded(model: Any, pieces: Any, attention_mask: Any, all_layers: bool = False) -> Any:  # noqa: FBT001, FBT002 - theirs
        asked = tuple(one.numpy().tobytes() for one in (pieces, attention_mask))
        key = folder, options["num_layers"], pieces.shape, asked
        if key not in outputs:
            outputs[key] = encode(model, pieces, attention_mask, all_layers)
        return outputs[key].clone()

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setattr(utilities, "bert_encode", encoded)
        warnings.simplefilter("ignore")  # what libraries find deprecated in each other
        found = modules["bert_score"].score(
            *texts, model_type=str(folder), device="cpu", batch_size=32, **options
        )
    return [part.numpy() for part in found]


def ours(texts: Sequence[Sequence[str]], folder: Path, options: str) -> list[Any]:
    test_set = TestSet(
        hypotheses={"one": tuple(texts[0])}, references=tuple((text,) for text in texts[1])
    )
    specs = [f"bertscore(model='{folder}', measure='{one}', {options})" for one in "prf"]
    metrics = [registry.load(spec).bind("en") for spec in specs]
    return [rows[0, :, 0] for rows in chunk_statistics(test_set, metrics)]


@pytest.mark.parametrize(
    ("model", "layer"), [("minilm", 4), ("random_bert", 0), ("random_bert", 1)]
)
@pytest.mark.parametrize("way", ["plain", "idf", "rescaled"])
def test_same_scores(
    request: pytest.FixtureRequest,
    modules: dict[str, Any],
    texts: tuple[list[str], list[str]],
    outputs: dict[tuple[object, ...], Any],
    tmp_path: Path,
    model: str,
    layer: int,
    way: str,
) -> None:
    folder = request.getfixturevalue(model)
    (tmp_path / "baseline.tsv").write_text(BASELINE)
    options: dict[str, Any] = {"num_layers": layer, "idf": way == "idf"}
    written = f"layer={layer}, idf={way == 'idf'}"
    if way == "rescaled":
        path = str(tmp_path / "baseline.tsv")
        options |= {"rescale_with_baseline": True, "baseline_path": path, "lang": "en"}
        written += f", baseline='{path}'"
    expected = theirs(modules, texts, folder, outputs, **options)
    for one, other in zip(ours(texts, folder, written), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCE)
    assert np.ptp(expected[2]) > 0.1
