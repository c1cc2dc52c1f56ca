"""SentencePiece models: what is read of a file, and what is refused."""

import struct
from pathlib import Path

import pytest

from tenbin.annotation.encoders.unigram import UnigramTokenizer
from tenbin.core.errors import UnreadableFile
from tenbin.formats.sentencepiece import PieceType, parse_sentencepiece, read_sentencepiece

PIECES = [
    ("<unk>", 0.0, PieceType.UNKNOWN),
    ("<s>", 0.0, PieceType.CONTROL),
    ("</s>", 0.0, PieceType.CONTROL),
    ("▁", -3.0, PieceType.NORMAL),
    ("▁a", -2.0, PieceType.NORMAL),
    ("b", -2.5, PieceType.NORMAL),
    ("ab", -1.0, PieceType.NORMAL),
    ("▁ab", -4.5, PieceType.NORMAL),
]
RULES = {"\uff21": "a", "\t": " ", "ﬁ": "fi", "e\u0301": "é"}


def message(fields: list[tuple[int, bytes | int]]) -> bytes:
    """Return a protocol buffer."""
    found = b""
    for number, value in fields:
        if isinstance(value, int):
            found += varint(number << 3) + varint(value)
        else:
            found += varint(number << 3 | 2) + varint(len(value)) + value
    return found


def varint(number: int) -> bytes:
    found = b""
    while number > 0x7F:
        found += bytes((number & 0x7F | 0x80,))
        number >>= 7
    return found + bytes((number,))


def double_array(rules: dict[str, str]) -> bytes:
    """Return rules as the library stores them: units of a trie, and replacements that end in 0."""
    replacements = b""
    trie: dict[int, object] = {}
    for key, value in rules.items():
        node = trie
        for byte in key.encode():
            node = node.setdefault(byte, {})  # type: ignore[assignment]
        node[0] = len(replacements)
        replacements += value.encode() + b"\0"
    units = {0: 0}
    waiting = [(0, trie)]
    free = 256
    while waiting:
        place, node = waiting.pop()
        base, free = free, free + 256
        units[place] |= (base ^ place) << 10 | (1 << 8 if 0 in node else 0)
        for label, child in node.items():
            if label == 0:
                units[base] = 1 << 31 | int(child)  # type: ignore[call-overload]
            else:
                units[base ^ label] = label
                waiting.append((base ^ label, child))  # type: ignore[arg-type]
    whole = [units.get(place, 0) for place in range(free)]
    content = struct.pack(f"<{len(whole)}I", *whole)
    return struct.pack("<I", len(content)) + content + replacements


def written(pieces: list[tuple[str, float, PieceType]], **changes: int) -> bytes:
    """Return a model."""
    listed: list[tuple[int, bytes | int]] = [
        (1, message([(1, text.encode()), (3, int(kind))]) + b"\x15" + struct.pack("<f", score))
        for text, score, kind in pieces
    ]
    trainer = message([(3, changes.get("model_type", 1))])
    normalizer: list[tuple[int, bytes | int]] = [
        (2, double_array(RULES)),
        (3, changes.get("prefix", 1)),
    ]
    return message([*listed, (2, trainer), (3, message(normalizer))])


def test_subwords_scores_types_and_rules_are_read(tmp_path: Path) -> None:
    path = tmp_path / "sp.model"
    path.write_bytes(written(PIECES))
    model = read_sentencepiece(path)
    assert model.pieces == tuple(text for text, *_ in PIECES)
    assert model.scores.tolist() == [score for _, score, _ in PIECES]
    assert model.types.tolist() == [int(kind) for *_, kind in PIECES]
    assert model.rules == RULES


def test_the_most_probable_subwords_are_taken() -> None:
    model = parse_sentencepiece(written(PIECES))
    found = [text if kind is PieceType.NORMAL else "" for text, _, kind in PIECES]
    tokenizer = UnigramTokenizer(found, model.scores.tolist(), model.rules, unknown=0)

    def split(text: str) -> list[str]:
        return [PIECES[one][0] for one in tokenizer.split(text)]

    assert split("ab") == ["▁", "ab"]  # -4 beside -4.5 in one and -4.5 as ▁a b
    assert split("abb") == ["▁", "ab", "b"]
    assert split("  \uff21\tb  ") == ["▁a", "▁", "b"]
    assert split("axxb") == ["▁a", "<unk>", "<unk>", "b"]
    # What looks like a special token of the model is text.
    assert "<s>" not in split("<s>")
    assert split(" \t ") == []
    assert tokenizer.normalized("ﬁ e\u0301") == "▁fi▁é"


def test_what_is_no_unigram_model_is_refused() -> None:
    for content in (
        b"",
        written(PIECES, model_type=2),
        written(PIECES, prefix=0),
        written([*PIECES, PIECES[3]]),
        written([*PIECES, ("", -1.0, PieceType.NORMAL)]),
        written([*PIECES, ("x", float("nan"), PieceType.NORMAL)]),
        written([*PIECES, ("<0x00>", -1.0, PieceType.BYTE)]),
    ):
        with pytest.raises(ValueError, match=r"."):
            parse_sentencepiece(content)


def test_damaged_models_are_refused_or_read_but_nothing_else(tmp_path: Path) -> None:
    whole = written(PIECES)
    path = tmp_path / "sp.model"
    refused = 0
    for place in range(0, len(whole), 7):
        for damaged in (whole[:place], whole[:place] + b"\xff" + whole[place + 1 :]):
            path.write_bytes(damaged)
            try:
                read_sentencepiece(path)
            except UnreadableFile:
                refused += 1
    assert refused > 10
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_sentencepiece(tmp_path / "missing")
