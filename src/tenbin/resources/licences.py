"""Under which terms the data and programs behind a score come."""

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, metadata

from tenbin.core.report import ResourceLicence
from tenbin.core.signature import Signature
from tenbin.resources.store.manifest import bundled_manifest

_TENBIN = "tenbin"
# Data that are made from what is bundled or installed, and have no entry of their own.
_FAMILIES = {
    "meteor-function-words-": ("1.5", "LGPL-2.1-only", "bundled meteor"),
    "function-words-ja": ("1", "Apache-2.0", "bundled function-words"),
    "function-words-zh": ("1", "Apache-2.0", "bundled function-words"),
    "wordfreq-": ("", "CC-BY-SA-4.0", "package wordfreq"),
}
_LONGEST = 80
_CLASSIFIER = "License :: OSI Approved :: "


def licences_of(signatures: Iterable[Signature]) -> tuple[ResourceLicence, ...]:
    """Return resources and programs that signatures name, each once: Tenbin first.

    A file of the user's own has neither licence nor source here.
    """
    found: dict[str, ResourceLicence] = {}
    for signature in signatures:
        for name, fingerprint in signature.resources:
            found.setdefault(name, _of_resource(name, fingerprint))
        for name, version in signature.versions:
            found.setdefault(name, _of_program(name, version))
    return tuple(sorted(found.values(), key=lambda one: (one.resource != _TENBIN, one.resource)))


def _of_resource(name: str, fingerprint: str) -> ResourceLicence:
    entry = bundled_manifest().get(name)
    if entry is None:
        family = next((facts for start, facts in _FAMILIES.items() if name.startswith(start)), None)
        version, licence, source = family or ("", "", "")
        return ResourceLicence(
            resource=name, version=version or fingerprint, licence=licence, source=source
        )
    return ResourceLicence(
        resource=name,
        version=entry.version,
        licence=entry.licence,
        source=str(entry.providers[0]),
    )


def _of_program(name: str, version: str) -> ResourceLicence:
    try:
        stated = metadata(name)
    except (PackageNotFoundError, ValueError):
        return ResourceLicence(resource=name, version=version, licence="", source="")
    expressions = stated.get_all("License-Expression") or [""]
    licence = expressions[0] or _classified(stated.get_all("Classifier") or ())
    # Some packages put the whole text there.
    written = (stated.get_all("License") or [""])[0].partition("\n")[0]
    licence = licence or (written if len(written) <= _LONGEST else "")
    return ResourceLicence(
        resource=name, version=version, licence=licence, source=f"package {name}"
    )


def _classified(classifiers: Iterable[str]) -> str:
    own = [one.removeprefix(_CLASSIFIER) for one in classifiers if one.startswith(_CLASSIFIER)]
    return " AND ".join(own)
