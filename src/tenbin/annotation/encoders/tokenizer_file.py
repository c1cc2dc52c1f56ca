"""Tokenizers that are opened from ``tokenizer.json`` alone, without transformers.

To import transformers takes more than a second, and a tokenizer is needed even where all scores of
a run are cached. What transformers adds to the file differs by kind of tokenizer; here are only
those for which it adds nothing, or what the file has anyway. All others are opened by transformers.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from tenbin.annotation.encoders.settings import require_extra
from tenbin.formats.json_text import parse_json

ROLES = ("cls", "sep", "bos", "eos", "pad", "unk", "mask")
"""What special tokens stand for."""

_FILE, _CONFIG, _MAP = "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"
# Opened by transformers as the file is.
_GENERIC = {"PreTrainedTokenizerFast", "TokenizersBackend"}
# Made anew by transformers 5 from the vocabulary and the settings in the configuration.
# The special tokens that it then puts around two texts, which are 0 and 1, and the token types.
_WORD_PIECES: Mapping[str, tuple[list[str | int], list[int]]] = {
    "BertTokenizer": (["cls", 0, "sep", 1, "sep"], [0, 0, 0, 1, 1]),
    "MPNetTokenizer": (["cls", 0, "sep", "sep", 1, "sep"], [0] * 6),
}
# Settings that change how texts are cut, and are not looked at here.
_UNUSUAL = ("split_special_tokens", "add_bos_token", "add_eos_token", "add_prefix_space")
_MOST_CHARACTERS = 100  # of a word, of which BERT takes longer ones for unknown


class TokenizedText(NamedTuple):
    """A text, or two texts that are read together, as a tokenizer cuts them.

    Attributes:
        ids: The ids of the subwords and special tokens.
        added: 1 for special tokens that were added, else 0.
        types: The token type of each.
        words: The number of the word that each is part of, None for special tokens; None where the
            tokenizer does not say.
    """

    ids: list[int]
    added: list[int]
    types: list[int]
    words: list[int | None] | None


class TokenizerFile:
    """A tokenizer of the library tokenizers."""

    def __init__(self, tokenizer: Any, longest: int | None, special: Mapping[str, int]) -> None:  # noqa: ANN401 - of tokenizers
        """Take a tokenizer that neither pads nor truncates.

        Args:
            tokenizer: The tokenizer.
            longest: The maximum number of subwords of an input, if there is one.
            special: Ids of special tokens, by role.
        """
        self._tokenizer, self.longest, self._special = tokenizer, longest, special

    @property
    def size(self) -> int:
        """The size of the vocabulary."""
        return int(self._tokenizer.get_vocab_size())

    def special(self, role: str) -> int | None:
        """Return the id of a special token, if there is one."""
        return self._special.get(role)

    def tokenize(self, texts: Sequence[str]) -> list[TokenizedText]:
        """Return texts with special tokens around them."""
        return [_cut(one) for one in self._tokenizer.encode_batch(texts)]

    def tokenize_pair(self, first: str, second: str) -> TokenizedText:
        """Return two texts that are read together."""
        return _cut(self._tokenizer.encode(first, second))

    def plain(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of texts without special tokens."""
        found = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return [one.ids for one in found]

    def names(self, ids: Sequence[int]) -> list[str]:
        """Return subwords as strings."""
        return [str(self._tokenizer.id_to_token(one)) for one in ids]


def _cut(found: Any) -> TokenizedText:  # noqa: ANN401 - an encoding of tokenizers
    return TokenizedText(found.ids, found.special_tokens_mask, found.type_ids, found.word_ids)


def open_tokenizer_file(folder: Path) -> TokenizerFile | None:
    """Return the tokenizer of a folder; None if transformers may make another one of the files.

    A file that is damaged gives None too: transformers says what is wrong with it.
    """
    require_extra("a model (model=...)")
    try:
        config = parse_json((folder / _CONFIG).read_bytes())
        stored = (folder / _FILE).read_bytes()
        content = parse_json(stored)
        if not _is_as_it_is(config, content, folder):
            return None
        tokenizer = import_module("tokenizers").Tokenizer.from_str(stored.decode("utf-8"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        special = _special_ids(config, content)
    # The library raises a bare Exception.
    except Exception:  # noqa: BLE001
        return None
    if special is None or not _marks_as_usual(config, tokenizer, special):
        return None
    longest = config.get("model_max_length")
    return TokenizerFile(tokenizer, longest if is_limit(longest) else None, special)


def _is_as_it_is(config: Mapping[str, Any], content: Mapping[str, Any], folder: Path) -> bool:
    """Return whether transformers would cut texts as the file alone does."""
    generic = config.get("tokenizer_class") in _GENERIC
    if not (generic or _kind(config) in _WORD_PIECES) or any(config.get(key) for key in _UNUSUAL):
        return False
    if "auto_map" in config or (folder / "added_tokens.json").exists():
        return False
    if any(_text(one) != _text(config.get(key)) for key, one in _mapped(folder).items()):
        return False
    listed = config.get("added_tokens_decoder") or {}
    own = {str(one["id"]): one["content"] for one in content.get("added_tokens", [])}
    if any(own.get(number) != one["content"] for number, one in listed.items()):
        return False
    return generic or _is_usual(config, content)


def _is_usual(config: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    """Return whether a file of word pieces is the one that its configuration would give."""
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": config.get("tokenize_chinese_chars", True),
        "strip_accents": config.get("strip_accents"),
        "lowercase": config.get("do_lower_case", True),
    }
    roles = ("cls", "sep", "pad", "unk", "mask")
    model = content["model"]
    pieces = {
        "type": "WordPiece",
        "unk_token": _text(config.get("unk_token")),
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": _MOST_CHARACTERS,
    }
    return (
        all(_text(config.get(f"{role}_token")) for role in roles)
        and content["normalizer"] == normalizer
        and content["pre_tokenizer"] == {"type": "BertPreTokenizer"}
        and all(model.get(key) == value for key, value in pieces.items())
    )


def _marks_as_usual(config: Mapping[str, Any], tokenizer: Any, special: Mapping[str, int]) -> bool:  # noqa: ANN401 - of tokenizers
    """Return whether special tokens stand around texts as transformers would put them."""
    expected = _WORD_PIECES.get(_kind(config))
    if expected is None:
        return True
    places, types = expected
    # Each text is one subword that every such tokenizer knows.
    text, mask = _text(config["mask_token"]), special["mask"]
    found = tokenizer.encode(text, text)
    ids = [special[one] if isinstance(one, str) else mask for one in places]
    return bool(found.ids == ids and found.type_ids == types)


def _kind(config: Mapping[str, Any]) -> str:
    return str(config.get("tokenizer_class", "")).removesuffix("Fast")


def _special_ids(config: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the ids of special tokens by role; None if the file lacks one that is named."""
    known = {one["content"]: int(one["id"]) for one in content["added_tokens"] if one["special"]}
    named = {role: _text(config.get(f"{role}_token")) for role in ROLES}
    found = {role: known.get(name) for role, name in named.items() if name}
    given = {role: number for role, number in found.items() if number is not None}
    return given if len(given) == len(found) else None


def _mapped(folder: Path) -> dict[str, Any]:
    """Return the special tokens that a file of their own names, as older models have it."""
    place = folder / _MAP
    found = parse_json(place.read_bytes()) if place.exists() else {}
    return {key: one for key, one in found.items() if not isinstance(one, list)}


def _text(token: Any) -> str:  # noqa: ANN401 - of JSON
    """Return the text of a special token, which is a string or an object."""
    found = token.get("content") if isinstance(token, dict) else token
    return found if isinstance(found, str) else ""


def is_limit(longest: Any) -> bool:  # noqa: ANN401 - of JSON
    """Return whether a number limits inputs: transformers writes a very large one for no limit."""
    return isinstance(longest, int) and 0 < longest < 2**31 - 1
