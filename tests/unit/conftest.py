"""A model small enough to be made for a test."""

import string
import warnings
from pathlib import Path
from typing import Any

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


@pytest.fixture(autouse=True)
def bare_defaults(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Default metrics are those of a machine without installed resources, whatever this one has."""
    store = ResourceStore(tmp_path_factory.mktemp("none") / "store")
    monkeypatch.setattr("tenbin.metrics.recommended.default_store", lambda: store)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import only
        modules = [
            pytest.importorskip(name, reason="the extra 'neural' is not installed")
            for name in ("torch", "transformers", "tokenizers")
        ]
        folder = tmp_path_factory.mktemp("models") / "tiny"
        save_tiny_model(folder, *modules)
    return folder
