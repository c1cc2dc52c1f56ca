"""Writes a model as transformers opens it: weights, configuration, tokenizer, and how it was made.

FOLDER/config.json            the shape of the model
FOLDER/model.safetensors      its weights, 32 bits each
FOLDER/tokenizer.json         the pieces and how text is cut into them
FOLDER/tokenizer_config.json  which of them are marks
FOLDER/training.json          from what, and how, it was made
"""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tenbin.annotation.encoders.libraries import quietly
from tenbin.building.bert.recipe import SPECIALS
from tenbin.building.bert.state import library_errors
from tenbin.core.errors import OutputError, UsageError
from tenbin.formats.output import umask, write_errors

TOKENIZER = "tokenizer.json"
CARD = "training.json"
_MAKING = ".tenbin-"


def check_free_folder(folder: Path) -> None:
    """Raise if a folder cannot be made there, before hours of training.

    Raises:
        UsageError: There is something of that name.
        OutputError: There is no folder to make it in.
    """
    if not folder.name:
        raise OutputError("the name of the output folder is empty; name a new folder with -o.")
    if folder.exists():
        raise UsageError(
            f"{folder}: there is such a {'folder' if folder.is_dir() else 'file'} already. Name "
            "another one with -o, or remove it."
        )
    parent = folder.resolve().parent
    if not parent.is_dir():
        raise OutputError(f"{folder}: there is no folder {parent}; make it first.")
    if not os.access(parent, os.W_OK):
        raise OutputError(f"{folder}: no permission to write in {parent}. Name another with -o.")


def write_model_folder(
    folder: Path,
    model: Any,  # noqa: ANN401 - of transformers
    tokenizer: str,
    card: Mapping[str, Any],
) -> None:
    """Write a model, whole or not at all.

    Args:
        folder: The folder to make.
        model: The model.
        tokenizer: The content of ``tokenizer.json``.
        card: How it was made.

    Raises:
        UsageError: There is such a folder by now.
        OutputError: Disk full, or no permission.
    """
    check_free_folder(folder)
    target = folder.resolve()
    with write_errors(str(folder)):
        making = Path(tempfile.mkdtemp(prefix=_MAKING, dir=target.parent))
        try:
            with quietly(), library_errors():
                model.to("cpu").save_pretrained(making)
            _write_texts(making, model.config, tokenizer, card)
            _make_readable(making)
            making.rename(target)
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise


def _write_texts(
    folder: Path,
    config: Any,  # noqa: ANN401 - of transformers
    tokenizer: str,
    card: Mapping[str, Any],
) -> None:
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    described = {
        # The general class, which takes all it needs from tokenizer.json.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": config.max_position_embeddings,
        "model_input_names": ["input_ids", "token_type_ids", "attention_mask"],
        "clean_up_tokenization_spaces": False,
        **dict(zip(names, SPECIALS, strict=True)),
    }
    texts = {
        TOKENIZER: tokenizer,
        "tokenizer_config.json": _json(described),
        CARD: _json(card),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _make_readable(folder: Path) -> None:
    """Give a folder and its files the permissions of any other new ones: some are private."""
    mask = umask()
    for path in folder.iterdir():
        path.chmod(0o666 & ~mask)
    folder.chmod(0o777 & ~mask)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
