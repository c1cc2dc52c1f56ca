"""Tokenizers of any kind, opened by transformers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tenbin.annotation.encoders.libraries import quietly, transformers_module
from tenbin.annotation.encoders.tokenizer_file import TokenizedText, is_limit
from tenbin.core.errors import ResourceError, UnreadableFile

# As in bert-score 0.3.13: without a prefix space these split the first word of a text differently
# from the same word after a space.
_PREFIXED = ("RobertaTokenizer", "GPT2Tokenizer")
# Of Japanese BERT: what an error names, and the packages that it then needs.
_PACKAGES = {
    "fugashi": "fugashi unidic-lite ipadic",
    "unidic_lite": "unidic-lite",
    "unidic dictionary": "unidic",
    "ipadic": "ipadic",
    "sudachipy": "sudachipy sudachidict_core",
    "rhoknp": "rhoknp",
    "sentencepiece": "sentencepiece",
}


class LibraryTokenizer:
    """A tokenizer of transformers, with the methods of `TokenizerFile`."""

    def __init__(self, place: Path) -> None:
        """Open the tokenizer of a folder.

        Raises:
            ResourceError: It needs a package that is not installed.
            UnreadableFile: Its files are damaged or of an unknown type.
        """
        folder = str(place)
        load = transformers_module().AutoTokenizer.from_pretrained
        try:
            with quietly():
                self._tokenizer: Any = load(folder, local_files_only=True)
                if type(self._tokenizer).__name__.removesuffix("Fast") in _PREFIXED:
                    self._tokenizer = load(folder, local_files_only=True, add_prefix_space=True)
        # Some tokenizers split words first, with a program and a dictionary of their own.
        except ImportError as error:
            raise ResourceError(
                f"{folder}: its tokenizer needs a package that is not installed "
                f"({_first_line(error)}). {_advice(error)}"
            ) from error
        # The libraries raise many types: KeyError, OSError, bare Exception from Rust.
        except Exception as error:
            problem = f"its tokenizer cannot be opened ({_first_line(error)})"
            raise UnreadableFile(folder, problem, "Fetch the model again.") from error

    @property
    def size(self) -> int:
        """The size of the vocabulary."""
        return len(self._tokenizer)

    @property
    def longest(self) -> int | None:
        """The maximum number of subwords of an input; None if the tokenizer has no limit."""
        found = int(self._tokenizer.model_max_length)
        return found if is_limit(found) else None

    def special(self, role: str) -> int | None:
        """Return the id of a special token, if there is one."""
        found = getattr(self._tokenizer, f"{role}_token_id", None)
        return None if found is None else int(found)

    def tokenize(self, texts: Sequence[str]) -> list[TokenizedText]:
        """Return texts with special tokens around them."""
        return self._cut(list(texts))

    def tokenize_pair(self, first: str, second: str) -> TokenizedText:
        """Return two texts that are read together."""
        return self._cut([first], [second])[0]

    def plain(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of texts without special tokens."""
        found: list[list[int]] = self._tokenizer(
            list(texts),
            add_special_tokens=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )["input_ids"]
        return found

    def names(self, ids: Sequence[int]) -> list[str]:
        """Return subwords as strings."""
        return [str(one) for one in self._tokenizer.convert_ids_to_tokens(list(ids))]

    def _cut(self, *texts: list[str]) -> list[TokenizedText]:
        cut = self._tokenizer(
            *texts,
            add_special_tokens=True,
            truncation=False,
            padding=False,
            return_attention_mask=False,
            return_token_type_ids=True,
            return_special_tokens_mask=True,
            verbose=False,
        )
        return [
            TokenizedText(
                cut["input_ids"][place],
                cut["special_tokens_mask"][place],
                cut["token_type_ids"][place],
                cut.word_ids(place) if self._tokenizer.is_fast else None,
            )
            for place in range(len(texts[0]))
        ]


def _advice(error: ImportError) -> str:
    """Return what to install for a tokenizer."""
    said = str(error).lower()
    wanted = [package for word, package in _PACKAGES.items() if word in said]
    return f"Run: pip install {' '.join(wanted)}" if wanted else "Install it with pip."


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
