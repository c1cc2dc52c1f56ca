"""The tokenizer of a model: texts as numbers of pieces."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, FlagArray, PieceFlag
from tenbin.annotation.encoders.quiet_imports import quietly, transformers_module
from tenbin.core.arrays import IdArray
from tenbin.core.errors import UnreadableFile
from tenbin.resources.checkpoints import Checkpoint
from tenbin.resources.scripts import load_scripts

# As bert-score 0.3.13 does, for these cut the first word of a text otherwise than the same word
# after a blank.
_PREFIXED = ("RobertaTokenizer", "GPT2Tokenizer")
_TEXTS_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A text in pieces.

    Attributes:
        ids: Numbers of the pieces, those that the model wants around a text included.
        flags: What is known about each.
        before: How many marks stand before the text.
        after: How many stand after it.
    """

    ids: IdArray
    flags: FlagArray
    before: int
    after: int

    def __len__(self) -> int:
        return len(self.ids)


class WordPieces:
    """Cuts texts as a model was trained to read them."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Open the tokenizer of a folder.

        Raises:
            UnreadableFile: Its files are damaged, or of a kind that nobody knows.
        """
        folder = str(checkpoint.folder)
        load = transformers_module().AutoTokenizer.from_pretrained
        try:
            with quietly():
                self._cutter: Any = load(folder, local_files_only=True)
                if type(self._cutter).__name__.removesuffix("Fast") in _PREFIXED:
                    self._cutter = load(folder, local_files_only=True, add_prefix_space=True)
        # The libraries raise whatever comes: KeyError, OSError, bare Exception from Rust.
        except Exception as error:
            problem = f"its tokenizer cannot be opened ({_first_line(error)})"
            raise UnreadableFile(folder, problem, "Fetch the model again.") from error
        marks = ("cls_token_id", "sep_token_id", "bos_token_id", "eos_token_id", "pad_token_id")
        found = [getattr(self._cutter, name, None) for name in marks]
        self._marks = np.array([mark for mark in found if mark is not None], dtype=np.int32)
        unknown = getattr(self._cutter, "unk_token_id", None)
        # GPT-2 names one mark for everything, and knows every byte.
        self._unknown = -1 if unknown is None or unknown in self._marks else int(unknown)

    @property
    def size(self) -> int:
        """How many pieces there are."""
        return len(self._cutter)

    @property
    def longest(self) -> int | None:
        """How many pieces the model should get at once; None where the tokenizer does not say."""
        found = int(self._cutter.model_max_length)
        return found if found < np.iinfo(np.int32).max else None

    @cached_property
    def _unspaced(self) -> BoolArray:
        """Which pieces, by number, are words of their own wherever they stand.

        Tokenizers take what stands between two blanks for a word, which in Japanese is a sentence.
        Pieces that begin with a letter of a script without spaces count as words, unless they say
        themselves that they go on with one (``##``).
        """
        import regex  # noqa: PLC0415 - the standard library knows no script properties

        patterns = (script.pattern for script in load_scripts().values() if not script.spaced)
        letter = regex.compile(f"[{''.join(dict.fromkeys(patterns))}]")
        texts = self.texts(range(self.size))
        return np.array([letter.match(text) is not None for text in texts], dtype=np.bool_)

    def cut(self, texts: Sequence[str]) -> list[Pieces]:
        """Return the pieces of each text, however long it is."""
        found: list[Pieces] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = [_encodable(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
            cut = self._cutter(
                some,
                add_special_tokens=True,
                truncation=False,
                padding=False,
                return_attention_mask=False,
                return_token_type_ids=False,
                return_special_tokens_mask=True,
                verbose=False,
            )
            for place in range(len(some)):
                words = cut.word_ids(place) if self._cutter.is_fast else None
                added = cut["special_tokens_mask"][place]
                found.append(self._pieces(cut["input_ids"][place], added, words))
        return found

    def inner(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of each text as text, without marks around it."""
        known: dict[int, str] = {}
        found: list[list[str]] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = [_encodable(text.strip()) for text in texts[start : start + _TEXTS_AT_ONCE]]
            rows = self._cutter(some, add_special_tokens=False, verbose=False)["input_ids"]
            new = sorted({number for row in rows for number in row} - known.keys())
            known |= dict(zip(new, self.texts(new), strict=True))
            found += [[known[number] for number in row] for row in rows]
        return found

    def texts(self, ids: Sequence[int]) -> list[str]:
        """Return pieces as text."""
        return [str(piece) for piece in self._cutter.convert_ids_to_tokens(list(ids))]

    def _pieces(self, ids: list[int], added: list[int], words: list[int | None] | None) -> Pieces:
        numbers = np.array(ids, dtype=np.int32)
        mask = np.array(added, dtype=np.bool_)
        outside = np.flatnonzero(~mask)
        before = int(outside[0]) if len(outside) else len(ids) // 2
        after = len(ids) - int(outside[-1]) - 1 if len(outside) else len(ids) - before
        flags = np.zeros(len(ids), dtype=np.uint8)
        flags[mask | np.isin(numbers, self._marks)] |= np.uint8(PieceFlag.SPECIAL)
        flags[numbers == self._unknown] |= np.uint8(PieceFlag.UNKNOWN)
        if words is not None:
            pairs = enumerate(pairwise(words), start=1)
            going_on = [place for place, (one, other) in pairs if one is not None and one == other]
            inner = np.zeros(len(ids), dtype=np.bool_)
            inner[going_on] = True
            flags[inner & ~self._unspaced[numbers]] |= np.uint8(PieceFlag.CONTINUES)
        return Pieces(numbers, flags, before, after)


def _encodable(text: str) -> str:
    # A library user may hand over lone surrogates, which have no UTF-8.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
