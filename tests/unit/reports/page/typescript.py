"""Checks plain values against the interfaces that a TypeScript file declares."""

import re
from collections.abc import Iterator
from typing import Any

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_INTERFACE = re.compile(r"export interface (\w+) \{(.*?)\n\}", re.DOTALL)
_ALIAS = re.compile(r"export type (\w+) =\s*(.*?);\n", re.DOTALL)
_FIELD = re.compile(r"(\w+): (.*?);\s*(?=\w+: |$)", re.DOTALL)
_TOKEN = re.compile(r'"[^"]*"|\w+|[\[\]()<>|,]')
_PLAIN: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


class Schema:
    """The declarations of a file.

    Only what the page's data needs: interfaces, aliases, unions, arrays, tuples and literals.
    """

    def __init__(self, text: str) -> None:
        plain = _COMMENT.sub("", text)
        self.interfaces = {
            name: dict(_FIELD.findall(body.strip())) for name, body in _INTERFACE.findall(plain)
        }
        self.aliases = dict(_ALIAS.findall(plain))

    def faults(self, value: Any, declared: str, place: str = "") -> list[str]:
        """Return where a value is not of a declared type."""
        parsed, rest = _union(_TOKEN.findall(declared))
        assert not rest, declared
        return list(self._faults(value, parsed, place or declared))

    def _faults(self, value: Any, kind: Any, place: str) -> Iterator[str]:
        form, inner = kind
        if form == "union":
            found = [list(self._faults(value, one, place)) for one in inner]
            if all(found):
                yield min(found, key=lambda faults: (len(faults) != 1, faults))[0]
        elif form in {"array", "tuple"}:
            yield from self._listed(value, kind, place)
        elif form == "literal":
            if value != inner or type(value) is not type(inner):
                yield f"{place}: {value!r:.40} is not {inner!r}"
        else:
            yield from self._named(value, inner, place)

    def _listed(self, value: Any, kind: Any, place: str) -> Iterator[str]:
        form, inner = kind
        if not isinstance(value, list) or (form == "tuple" and len(value) != len(inner)):
            yield f"{place}: {value!r:.40} is no such list"
            return
        kinds = inner if form == "tuple" else [inner] * len(value)
        for number, (one, own) in enumerate(zip(value, kinds, strict=True)):
            yield from self._faults(one, own, f"{place}[{number}]")

    def _named(self, value: Any, name: str, place: str) -> Iterator[str]:
        if name in _PLAIN:
            right = isinstance(value, _PLAIN[name])
            if not right or (isinstance(value, bool) and name == "number"):
                yield f"{place}: {value!r:.40} is no {name}"
        elif name == "Record":
            if not isinstance(value, dict):
                yield f"{place}: {value!r:.40} is no object"
        elif name in self.aliases:
            yield from self.faults(value, self.aliases[name], place)
        else:
            fields = self.interfaces[name]
            if not isinstance(value, dict):
                yield f"{place}: {value!r:.40} is no {name}"
                return
            if value.keys() != fields.keys():
                yield f"{place}: fields differ by {sorted(value.keys() ^ fields.keys())}"
                return
            for key, own in fields.items():
                yield from self.faults(value[key], own, f"{place}.{key}")


def _union(tokens: list[str]) -> tuple[Any, list[str]]:
    kinds = []
    if tokens[0] == "|":
        tokens = tokens[1:]
    while True:
        kind, tokens = _single(tokens)
        kinds.append(kind)
        if not tokens or tokens[0] != "|":
            return (kinds[0] if len(kinds) == 1 else ("union", kinds)), tokens
        tokens = tokens[1:]


def _single(tokens: list[str]) -> tuple[Any, list[str]]:
    first, rest = tokens[0], tokens[1:]
    kind: Any
    if first == "(":
        kind, rest = _union(rest)
        rest = rest[1:]
    elif first == "[":
        parts = []
        while rest[0] != "]":
            part, rest = _union(rest)
            parts.append(part)
            rest = rest[1:] if rest[0] == "," else rest
        kind, rest = ("tuple", parts), rest[1:]
    elif first.startswith('"'):
        kind = ("literal", first[1:-1])
    elif first.isdecimal():
        kind = ("literal", int(first))
    else:
        kind = ("name", first)
        if rest[:1] == ["<"]:
            rest = rest[rest.index(">") + 1 :]
    while rest[:2] == ["[", "]"]:
        kind, rest = ("array", kind), rest[2:]
    return kind, rest
