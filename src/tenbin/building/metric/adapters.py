"""Adapters that a training begins with or learns from, and their base models."""

from tenbin.annotation.joint.adapter import Adapter, find_adapter
from tenbin.annotation.languages import Language, parse_language
from tenbin.core.errors import UsageError
from tenbin.resources.checkpoints import Checkpoint


def named(adapter: Adapter | None) -> dict[str, str] | None:
    """Return for a card which adapter it was."""
    if adapter is None:
        return None
    fingerprint = adapter.identity.fingerprint if adapter.identity else ""
    return {"name": adapter.card.name, "fingerprint": fingerprint}


def found_adapter(name: str, language: Language) -> Adapter | None:
    """Return an adapter of the language; None where none is named.

    Raises:
        UsageError: It judges texts of another language.
    """
    if not name:
        return None
    adapter = find_adapter(name)
    if parse_language(adapter.card.language).code != language.code:
        raise UsageError(
            f"{adapter.where}: it judges texts in {adapter.card.language!r}, and the judgments are "
            f"of texts in {language.tag!r}. Name another adapter, or other judgments."
        )
    return adapter


def check_base(adapter: Adapter, checkpoint: Checkpoint, parameter: str = "base_model") -> None:
    """Raise `UsageError` if an adapter was trained with another base model."""
    found, expected = checkpoint.identity.fingerprint, adapter.card.base_fingerprint
    if found != expected:
        raise UsageError(
            f"{adapter.where}: it was trained with the base model {adapter.card.base!r} of sha256 "
            f"{expected}, found {checkpoint.identity.name!r} of sha256 {found}. Name that model "
            f"(`{parameter}`), or train a new adapter."
        )
