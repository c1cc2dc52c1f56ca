"""A model and test sets small enough to be made for a test."""

import string
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.resources.store.store import ResourceStore

WORDS = ("the", "cat", "dog", "sat", "on", "mat", "a", "big", "house", "##s", "##ing")
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LAYERS, POSITIONS = 3, 24


def save_tiny_model(folder: Path, torch: Any, transformers: Any, tokenizers: Any) -> None:
    """Write a BERT with random weights, and a tokenizer that knows letters and a few words."""
    letters = string.ascii_lowercase + string.digits + string.punctuation
    subwords = dict.fromkeys(
        [*SPECIAL_TOKENS, *WORDS, *letters, *(f"##{letter}" for letter in letters)]
    )
    vocabulary = {subword: number for number, subword in enumerate(subwords)}
    cutter = tokenizers.BertWordPieceTokenizer(vocabulary, lowercase=True)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter._tokenizer,
        model_max_length=POSITIONS,
        **{f"{token[1:-1].lower()}_token": token for token in SPECIAL_TOKENS},
    ).save_pretrained(folder)
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=LAYERS,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=POSITIONS,
        initializer_range=0.4,  # so that neighbors matter
    )
    transformers.BertModel(config).eval().save_pretrained(folder)


def save_tiny_mpnet(folder: Path, torch: Any, transformers: Any, tokenizers: Any) -> None:
    """Write an MPNet with random weights, whose tokenizer writes pairs in MPNet's way."""
    special = ("<s>", "<pad>", "</s>", "[UNK]", "<mask>")  # padding must be 1
    letters = string.ascii_lowercase + string.digits + string.punctuation
    subwords = dict.fromkeys([*special, *WORDS, *letters, *(f"##{letter}" for letter in letters)])
    vocabulary = {subword: number for number, subword in enumerate(subwords)}
    cutter = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token=special[3]))
    cutter.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    cutter.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    cutter.post_processor = tokenizers.processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), trim_offsets=False, add_prefix_space=False
    )
    roles = {"cls": "<s>", "bos": "<s>", "pad": "<pad>", "sep": "</s>", "eos": "</s>"}
    roles |= {"unk": "[UNK]", "mask": "<mask>"}
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter,
        model_max_length=POSITIONS,
        **{f"{role}_token": token for role, token in roles.items()},
    ).save_pretrained(folder)
    torch.manual_seed(6)
    config = transformers.MPNetConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=LAYERS,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=POSITIONS + 2,
        initializer_range=0.4,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    transformers.MPNetModel(config).eval().save_pretrained(folder)


@pytest.fixture(scope="session")
def tiny_mpnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _saved(tmp_path_factory, "tiny-mpnet", save_tiny_mpnet)


@pytest.fixture(autouse=True)
def bare_defaults(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Default metrics are those of a machine without installed resources, whatever this one has."""
    store = ResourceStore(tmp_path_factory.mktemp("none") / "store")
    monkeypatch.setattr("tenbin.metrics.recommended.default_store", lambda: store)


@pytest.fixture(scope="module")
def _one_core() -> Iterator[None]:
    """Matrices of tiny models gain nothing from more, and lose much on a busy machine."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _saved(tmp_path_factory, "tiny", save_tiny_model)


def _saved(tmp_path_factory: pytest.TempPathFactory, name: str, save: Callable[..., None]) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import only
        modules = [
            pytest.importorskip(name, reason="the extra 'neural' is not installed")
            for name in ("torch", "transformers", "tokenizers")
        ]
        folder = tmp_path_factory.mktemp("models") / name
        save(folder, *modules)
    return folder


def _save_tiny_adapter(path: Path, model: Path, **changes: Any) -> Path:
    """Write an adapter that changes its base model, as if it had been trained."""
    from tenbin.annotation.joint.adapter import (  # noqa: PLC0415 - torch may be missing
        MIX,
        UP,
        Adapter,
        AdapterCard,
        write_adapter,
    )
    from tenbin.annotation.joint.network import AdapterShape, first_tensors  # noqa: PLC0415
    from tenbin.resources.checkpoints import find_checkpoint  # noqa: PLC0415

    checkpoint = find_checkpoint(str(model), "en")
    rng = np.random.default_rng(3)
    tensors = first_tensors(checkpoint, AdapterShape(rank=3, alpha=6.0, width=8), 3)
    for name, one in tensors.items():
        if name.endswith(UP) or name == MIX:
            tensors[name] = rng.normal(0, 0.3, one.shape)
    facts: dict[str, Any] = {
        "name": path.stem,
        "language": "en",
        "base": str(model),
        "base_fingerprint": checkpoint.identity.fingerprint,
        "rank": 3,
        "alpha": 6.0,
        "width": 8,
        "layer": 2,
        "share": 0.4,
    }
    card = AdapterCard(**facts | changes)
    write_adapter(str(path), Adapter(tensors=tensors, card=card))
    return path


@pytest.fixture(scope="session")
def tiny_adapter(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _save_tiny_adapter(tmp_path_factory.mktemp("adapters") / "own.safetensors", tiny_model)


@pytest.fixture(scope="session")
def tiny_mpnet_adapter(tiny_mpnet: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _save_tiny_adapter(tmp_path_factory.mktemp("adapters") / "own.safetensors", tiny_mpnet)


@pytest.fixture(scope="session")
def save_tiny_adapter() -> Callable[..., Path]:
    """What writes an adapter: path, base model, and what its card says otherwise."""
    return _save_tiny_adapter


JudgedSetMaker = Callable[..., Path]


@pytest.fixture
def make_judged_set(tmp_path: Path) -> JudgedSetMaker:
    """Make test sets whose translations are references with words lost or out of place."""

    def made(
        name: str = "made",
        pair: str = "de-en",
        *,
        seed: int = 1,
        segments: int = 60,
        systems: int = 3,
        kind: str = "esa",
        judgment: Callable[[float], float] = lambda share: 100 * share,
    ) -> Path:
        rng = np.random.default_rng(seed)
        words = np.array([f"w{letter}{number}" for letter in "abcdefgh" for number in range(9)])
        folder = tmp_path / name
        for part in ("references", "sources", "human-scores", f"system-outputs/{pair}"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        references = [rng.choice(words, size=int(rng.integers(6, 14))) for _ in range(segments)]
        lines = [" ".join(reference) for reference in references]
        for place in (f"references/{pair}.refA.txt", f"sources/{pair}.txt"):
            (folder / place).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        scores = []
        for number in range(systems):
            outputs = []
            for reference in references:
                kept = rng.random(len(reference)) > 0.1 + 0.6 * rng.random()
                output = np.where(kept, reference, rng.choice(words, size=len(reference)))
                outputs.append(" ".join(output))
                value = judgment(float(kept.mean()) + 0.1 * float(rng.standard_normal()))
                scores.append(f"S{number}\t{'None' if np.isnan(value) else repr(value)}\n")
            text = "".join(f"{line}\n" for line in outputs)
            path = folder / "system-outputs" / pair / f"S{number}.txt"
            path.write_text(text, encoding="utf-8")
        path = folder / "human-scores" / f"{pair}.{kind}.seg.score"
        path.write_text("".join(scores), encoding="utf-8")
        return folder

    return made
