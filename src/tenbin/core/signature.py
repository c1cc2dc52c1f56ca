"""What a score means, in one line that can be read back."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import quote, unquote

from tenbin.core.errors import SpecError

# Readable in a paper; everything else that could break the grammar is percent-encoded.
_PLAIN = " ()[]{}=,;+*/\\<>!?@#$&'\"~^`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A metric, every choice that can change its number, and the versions that computed it.

    Fields are separated by ``|`` and keys from values by ``:``, as in sacrebleu; keys that
    sacrebleu has too have the same names. Resources carry the hash of their content.

    >>> str(Signature(metric="ter", fields=(("case", "lc"),), versions=(("tenbin", "0.1.0"),)))
    'ter|case:lc|version:tenbin=0.1.0'
    """

    metric: str
    fields: tuple[tuple[str, str], ...] = ()
    resources: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        reserved = {"resource", "version"} & {key for key, _ in self.fields}
        keys = [key for key, _ in self.fields]
        if reserved or len(set(keys)) != len(keys):
            raise ValueError(f"signature fields must be distinct and not reserved: {keys}")

    def of_run(self, *fields: tuple[str, str]) -> Self:
        """Return the signature with the facts of a run (language, references, seed) first."""
        return replace(self, fields=fields + self.fields)

    def get(self, key: str) -> str | None:
        """Return the value of a field, or None."""
        return dict(self.fields).get(key)

    def differences(self, other: "Signature", *, ignoring: Collection[str] = ()) -> list[str]:
        """Return in words what is different in another signature, one text for each entry.

        Args:
            other: The signature that is now there.
            ignoring: Fields that may differ, such as those of random draws.

        >>> old, new = Signature.parse("ter|case:lc"), Signature.parse("ter|case:mixed|norm:no")
        >>> old.differences(new)
        ["case was 'lc' and is 'mixed'", "norm was not there and is 'no'"]
        """
        found = (
            [] if self.metric == other.metric else [_change("metric", self.metric, other.metric)]
        )
        for label in ("fields", "resources", "versions"):
            old, new = dict(getattr(self, label)), dict(getattr(other, label))
            prefix = "" if label == "fields" else f"{label.removesuffix('s')} of "
            found += [
                _change(f"{prefix}{key}", old.get(key), new.get(key))
                for key in dict.fromkeys([*old, *new])
                if old.get(key) != new.get(key) and key not in ignoring
            ]
        return found

    def __str__(self) -> str:
        parts = [_escaped(self.metric)]
        parts += [f"{_escaped(key)}:{_escaped(value)}" for key, value in self.fields]
        for label, entries in (("resource", self.resources), ("version", self.versions)):
            parts += [f"{label}:{_escaped(key)}={_escaped(value)}" for key, value in entries]
        return "|".join(parts)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the signature that ``str`` printed."""
        metric, *parts = text.split("|")
        fields: list[tuple[str, str]] = []
        resources: list[tuple[str, str]] = []
        versions: list[tuple[str, str]] = []
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon:
                raise SpecError(f"cannot read the signature {text!r}: {part!r} lacks a ':'.")
            if key in {"resource", "version"}:
                name, _, content = value.partition("=")
                target = resources if key == "resource" else versions
                target.append((unquote(name), unquote(content)))
            else:
                fields.append((unquote(key), unquote(value)))
        return cls(
            metric=unquote(metric),
            fields=tuple(fields),
            resources=tuple(resources),
            versions=tuple(versions),
        )


def _change(what: str, old: str | None, new: str | None) -> str:
    before, after = ("not there" if value is None else repr(value) for value in (old, new))
    return f"{what} was {before} and is {after}"


def _escaped(text: str) -> str:
    # quote() leaves letters, digits and _.-~ alone; '=' separates a resource from its hash.
    return "".join(
        character
        if (character.isalnum() or character in _PLAIN.replace("=", ""))
        else quote(character, safe="")
        for character in text
    )
