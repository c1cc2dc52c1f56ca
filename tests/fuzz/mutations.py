"""Damage to a valid file: what editors, transfers, other programs and other people do to it.

A mutation takes bytes and a random generator and returns other bytes. Blind ones flip and cut;
others know that files have lines, columns, numbers in text and numbers in binary.
"""

import random
import re
from collections.abc import Callable

Mutation = Callable[[bytes, random.Random], bytes]

PIECES = (
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t",
    b"\t\t",
    b" ",
    b"\x0b",
    b"\x0c",
    b"\x1a",
    b"\x1c",
    "\x85".encode(),
    "\u00a0".encode(),
    "\u2028".encode(),
    "\u3000".encode(),
    "\U0001f469\u200d\U0001f52c".encode(),
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\xf4\x90\x80\x80",
    b'"',
    b"'",
    b"\\",
    b"\\ud800",
    b"\\u0000",
    b"|",
    b"||| ",
    b"#",
    b"None",
    b"null",
    b"{}",
    b"[]",
    b"{",
    b"]",
    b"../",
    b"%s",
    b"<",
    b"@",
)
NUMBERS = (
    b"0",
    b"-0",
    b"-1",
    b"1",
    b"2",
    b"255",
    b"65536",
    b"2147483647",
    b"2147483648",
    b"-2147483649",
    b"4294967296",
    b"9223372036854775807",
    b"9223372036854775808",
    b"1000000000000000000",
    b"1" + b"0" * 30,
    b"9" * 400,
    b"9" * 5000,
    b"1e5",
    b"1e308",
    b"-1e308",
    b"1e999",
    b"1e-999",
    b"nan",
    b"inf",
    b"-Infinity",
    b"0x10",
    b"1_0",
    b"1.2.3",
    b"+5",
    b" 7 ",
    b".",
    b"e",
    "\uff11\uff12".encode(),
    "\u0663".encode(),
    "\u00b2".encode(),
    b"true",
    b"[1]",
    b'"1"',
    b"1.5",
)
_BINARY = (
    *(0, 1, 2, 3, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1),
    *(2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1),
)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_DEPTH = 100_000
LARGEST = 400_000
"""Bytes of the largest file: damage may add, but not without end."""


def mutated(content: bytes, rng: random.Random) -> bytes:
    """Return the content after one to four mutations."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        content = rng.choice(MUTATIONS)(content, rng)[:LARGEST]
    return content


def _place(content: bytes, rng: random.Random) -> int:
    # Half of all damage goes where headers are.
    return rng.randint(0, min(64, len(content)) if rng.random() < 0.5 else len(content))


def _flip_bits(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _set_byte(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    if changed:
        changed[min(_place(content, rng), len(changed) - 1)] = rng.choice((0, 0xFF, 0x80, 0x7F))
    return bytes(changed)


def _cut_end(content: bytes, rng: random.Random) -> bytes:
    return content[: _place(content, rng)]


def _cut_out(content: bytes, rng: random.Random) -> bytes:
    start = _place(content, rng)
    return content[:start] + content[start + rng.choice((1, 2, 4, 8, 50)) :]


def _repeat(content: bytes, rng: random.Random) -> bytes:
    start = _place(content, rng)
    part = content[start : start + rng.choice((1, 4, 16, 200))]
    return content[:start] + part * rng.choice((2, 3, 50)) + content[start:]


def _insert(content: bytes, rng: random.Random) -> bytes:
    place = _place(content, rng)
    return content[:place] + rng.choice(PIECES) + content[place:]


def _change_number(content: bytes, rng: random.Random) -> bytes:
    found = list(_NUMBER.finditer(content[:20_000]))
    if not found:
        return _insert(content, rng)
    chosen = found[0] if rng.random() < 0.3 else rng.choice(found)
    return content[: chosen.start()] + rng.choice(NUMBERS) + content[chosen.end() :]


def _change_binary_number(content: bytes, rng: random.Random) -> bytes:
    width = rng.choice((1, 2, 4, 8))
    place = _place(content, rng)
    value = rng.choice(_BINARY) % (1 << (8 * width))
    order = rng.choice(("little", "big"))
    written = value.to_bytes(width, "little" if order == "little" else "big")
    return content[:place] + written + content[place + width :]


def _move_lines(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == 1:
        lines.insert(second, lines[first])
    else:
        del lines[first]
    return b"\n".join(lines)


def _move_columns(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    number = rng.randrange(len(lines))
    separator = next((one for one in (b"\t", b" ||| ", b",", b" ") if one in lines[number]), b" ")
    fields = lines[number].split(separator)
    kind = rng.randrange(4)
    if kind == 0:
        rng.shuffle(fields)
    elif kind == 1:
        fields.append(fields[0])
    elif kind == 2:
        fields.pop()
    else:
        fields[rng.randrange(len(fields))] = b""
    lines[number] = separator.join(fields)
    return b"\n".join(lines)


def _nest(content: bytes, rng: random.Random) -> bytes:
    place = _place(content, rng)
    opening = rng.choice((b"[", b"{", b"(", b'{"a":', b"<", b"-"))
    depth = rng.choice((5, 200, 200, 2000, 2000, _DEPTH // len(opening)))
    return content[:place] + opening * depth + content[place:]


def _lengthen(content: bytes, rng: random.Random) -> bytes:
    place = _place(content, rng)
    part = rng.choice((b"a", b" ", b"9", b"\xe3\x81\x82", b"a ", b"0-0 ", b"\\"))
    return content[:place] + part * rng.choice((300, 300, 5000, 5000, 70_000)) + content[place:]


MUTATIONS: tuple[Mutation, ...] = (
    _flip_bits,
    _set_byte,
    _cut_end,
    _cut_out,
    _repeat,
    _insert,
    _insert,
    _change_number,
    _change_number,
    _change_binary_number,
    _change_binary_number,
    _move_lines,
    _move_columns,
    _nest,
    _lengthen,
)
