"""The tokenizer of a model: texts as ids of subwords."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, FlagArray, SubwordFlag
from tenbin.annotation.encoders.library_tokenizer import LibraryTokenizer
from tenbin.annotation.encoders.tokenizer_file import TokenizedText, open_tokenizer_file
from tenbin.core.arrays import IdArray
from tenbin.core.errors import UnreadableFile
from tenbin.resources.checkpoints import Checkpoint
from tenbin.resources.scripts import load_scripts

_TEXTS_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Subwords:
    """A text as subwords.

    Attributes:
        ids: Ids of the subwords, special tokens around the text included.
        flags: The flags of each.
        before: Number of special tokens before the text.
        after: Number of special tokens after it.
    """

    ids: IdArray
    flags: FlagArray
    before: int
    after: int

    def __len__(self) -> int:
        return len(self.ids)


class SubwordTokenizer:
    """Splits texts into the subwords that a model was trained with."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Open the tokenizer of a folder.

        Raises:
            UnreadableFile: Its files are damaged or of an unknown type.
        """
        folder = checkpoint.folder
        self._folder = str(folder)
        self._tokenizer = open_tokenizer_file(folder) or LibraryTokenizer(folder)
        found = [self._tokenizer.special(role) for role in ("cls", "sep", "bos", "eos", "pad")]
        self._special_ids = np.array([one for one in found if one is not None], dtype=np.int32)
        unknown = self._tokenizer.special("unk")
        # GPT-2 has a single special token, and no byte is unknown to it.
        self._unknown = -1 if unknown is None or unknown in self._special_ids else int(unknown)

    @property
    def size(self) -> int:
        """The size of the vocabulary."""
        return self._tokenizer.size

    @property
    def longest(self) -> int | None:
        """The maximum number of subwords of an input; None if the tokenizer has no limit."""
        return self._tokenizer.longest

    @cached_property
    def _unspaced(self) -> BoolArray:
        """Which subwords, by id, are words in any context.

        Tokenizers take a string between two spaces for a word, which in Japanese is a sentence.
        Subwords that begin with a letter of a script without spaces count as words, unless they
        are marked as a continuation (``##``).
        """
        return begin_unspaced(self.texts(range(self.size)))

    def tokenize(self, texts: Sequence[str]) -> list[Subwords]:
        """Return the subwords of each text; nothing is truncated."""
        found: list[Subwords] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = [_encodable(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
            found += map(self._subwords, self._tokenizer.tokenize(some))
        return found

    @property
    def mask(self) -> int:
        """The id of what stands for a hidden subword; of an unknown one if there is none."""
        found = self._tokenizer.special("mask")
        return max(self._unknown, 0) if found is None else found

    def plain_ids(self, texts: Sequence[str], most: int | None = None) -> list[IdArray]:
        """Return the ids of the subwords of each text without special tokens, at most so many.

        Nothing else is known of them, which is several times as fast as `tokenize`.
        """
        found: list[IdArray] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = [_encodable(text) for text in texts[start : start + _TEXTS_AT_ONCE]]
            rows = self._tokenizer.plain(some)
            found += [np.array(row[:most], dtype=np.int32) for row in rows]
        return found

    def is_unknown(self, ids: IdArray) -> BoolArray:
        """Return which ids stand for subwords that the model does not know."""
        found: BoolArray = ids == self._unknown
        return found

    def pair_special_ids(self) -> tuple[IdArray, IdArray, IdArray, int]:
        """Return the special tokens before, between and after two texts that are read together.

        And how many of those between the texts belong to the first, by their token types: all
        where a model has one type only.

        Raises:
            UnreadableFile: The tokenizer puts nothing between two texts.
        """
        cut = self._tokenizer.tokenize_pair("a", "a")
        ids, types = (np.array(one, dtype=np.int32) for one in (cut.ids, cut.types))
        inside = np.flatnonzero(np.array(cut.added) == 0)
        gaps = np.flatnonzero(np.diff(inside) > 1)
        if len(gaps) != 1:
            raise UnreadableFile(
                self._folder,
                "its tokenizer has no sign for where one text ends and another begins",
                "Expected an encoder that reads two texts together, such as BERT or MPNet.",
            )
        end, begin = int(inside[gaps[0]]) + 1, int(inside[gaps[0] + 1])
        first = int((types[end:begin] == 0).sum())
        return ids[: inside[0]], ids[end:begin], ids[inside[-1] + 1 :], first

    def without_special_tokens(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the subwords of each text as strings, without special tokens."""
        known: dict[int, str] = {}
        found: list[list[str]] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = [_encodable(text.strip()) for text in texts[start : start + _TEXTS_AT_ONCE]]
            rows = self._tokenizer.plain(some)
            new = sorted({number for row in rows for number in row} - known.keys())
            known |= dict(zip(new, self.texts(new), strict=True))
            found += [[known[number] for number in row] for row in rows]
        return found

    def texts(self, ids: Sequence[int]) -> list[str]:
        """Return subwords as strings."""
        return self._tokenizer.names(ids)

    def _subwords(self, cut: TokenizedText) -> Subwords:
        ids, words = cut.ids, cut.words
        numbers = np.array(ids, dtype=np.int32)
        mask = np.array(cut.added, dtype=np.bool_)
        outside = np.flatnonzero(~mask)
        before = int(outside[0]) if len(outside) else len(ids) // 2
        after = len(ids) - int(outside[-1]) - 1 if len(outside) else len(ids) - before
        flags = np.zeros(len(ids), dtype=np.uint8)
        # Not isin(), which takes longer for a text than its subwords do.
        special = (numbers[:, np.newaxis] == self._special_ids).any(axis=1)
        flags[mask | special] |= np.uint8(SubwordFlag.SPECIAL)
        flags[numbers == self._unknown] |= np.uint8(SubwordFlag.UNKNOWN)
        if words is not None:
            pairs = enumerate(pairwise(words), start=1)
            going_on = [place for place, (one, other) in pairs if one is not None and one == other]
            inner = np.zeros(len(ids), dtype=np.bool_)
            inner[going_on] = True
            flags[inner & ~self._unspaced[numbers]] |= np.uint8(SubwordFlag.CONTINUES)
        return Subwords(numbers, flags, before, after)


def begin_unspaced(texts: Sequence[str]) -> BoolArray:
    """Return which texts begin with a letter of a script without spaces.

    >>> begin_unspaced(["猫", "cat", ""]).tolist()
    [True, False, False]
    """
    import regex  # noqa: PLC0415 - the standard library knows no script properties

    patterns = (script.pattern for script in load_scripts().values() if not script.spaced)
    letter = regex.compile(f"[{''.join(dict.fromkeys(patterns))}]")
    return np.array([letter.match(text) is not None for text in texts], dtype=np.bool_)


def _encodable(text: str) -> str:
    # Strings may have lone surrogates, which UTF-8 cannot encode.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
