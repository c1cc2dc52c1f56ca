"""Every resource that a signature names comes with its terms."""

from tenbin.core.report import ResourceLicence
from tenbin.core.signature import Signature
from tenbin.resources.function_words import (
    METEOR_LANGUAGES,
    OWN_LANGUAGES,
    FunctionWordSource,
    load_function_words,
)
from tenbin.resources.licences import licences_of
from tenbin.resources.store.manifest import bundled_manifest
from tenbin.version import __version__


def of_resources(*names: str) -> list[ResourceLicence]:
    signature = Signature(metric="m", resources=tuple((name, "0123456789abcdef") for name in names))
    return list(licences_of([signature]))


def test_all_of_the_manifest_have_a_licence() -> None:
    found = of_resources(*bundled_manifest())
    assert len(found) == len(bundled_manifest())
    assert all(one.licence and one.version and one.source for one in found)


def test_function_words_have_the_licence_that_they_state() -> None:
    for language in (*METEOR_LANGUAGES, *OWN_LANGUAGES):
        stated = load_function_words(FunctionWordSource.LANGUAGE, language).identity
        (found,) = of_resources(stated.name)
        assert (found.licence, found.version) == (stated.licence, stated.version)


def test_programs_come_once_and_tenbin_first() -> None:
    versions = (("sacrebleu", "2.6.0"), ("tenbin", __version__))
    found = licences_of([Signature(metric=name, versions=versions) for name in ("bleu", "ter")])
    assert [one.resource for one in found] == ["tenbin", "sacrebleu"]
    assert found[1].licence == "Apache-2.0"
    assert found[1].source == "package sacrebleu"


def test_files_of_the_user_and_unknown_programs_state_nothing() -> None:
    signature = Signature(
        metric="m", resources=(("mine.txt", "00ff"),), versions=(("no-such-program", "1"),)
    )
    assert {(one.resource, one.version, one.licence) for one in licences_of([signature])} == {
        ("mine.txt", "00ff", ""),
        ("no-such-program", "1", ""),
    }
