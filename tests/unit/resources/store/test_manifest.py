"""The manifest: what it lists, and what it refuses."""

import re
from collections.abc import Callable
from importlib.resources import files

import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.core.resource import ResourceKind
from tenbin.resources.store.lookup import local_path
from tenbin.resources.store.manifest import (
    LOCAL,
    Manifest,
    ProviderType,
    bundled_manifest,
    is_inner_path,
    parse_manifest,
)
from tenbin.resources.store.preparation import PREPARATIONS

BUNDLED = 'type = "bundled"\nmember = "words.tsv"'
GOOD = (
    BUNDLED,
    'type = "package"\ndistribution = "words"\nmember = "words/a.dat"\nextra = "ja"',
    'type = "file"\npath = "/usr/share/words.dat"',
    'type = "npm"\ndistribution = "@team/words"\nversion = "1.0"\nmember = "package/a"',
    'type = "deb"\ndistribution = "words"\nversion = "1:7.5.0-1"\nmember = "usr/a"',
    'type = "url"\nurl = "https://example.org/a.zip"\nmember = "a"\narchive_size = 9',
)


def test_our_own_manifest_lists_what_the_documentation_promises() -> None:
    names = set(bundled_manifest())
    assert {"meteor-paraphrases-en", "sudachi-synonyms"} <= names
    assert {f"mythes-{language}" for language in ("cs", "de", "en", "es", "fr", "ru")} <= names
    assert bundled_manifest()["meteor-paraphrases-en"].kind is ResourceKind.PARAPHRASES
    assert list(bundled_manifest()) == sorted(names)


def test_our_own_manifest_names_no_host() -> None:
    text = files("tenbin.resources").joinpath("bundled", "manifest.toml").read_text("utf-8")
    assert re.findall(r"https?://\S+", text) == []


def test_our_own_bundled_files_are_there_and_forms_are_known() -> None:
    for entry in bundled_manifest().values():
        assert entry.prepare in {"", *PREPARATIONS}
        for provider in entry.providers:
            if provider.type is ProviderType.BUNDLED:
                assert local_path(provider) is not None, entry.name


def test_every_type_of_provider_is_read(manifest: Callable[..., Manifest]) -> None:
    entry = manifest(*GOOD)["words"]
    assert [one.type for one in entry.providers] == [
        "bundled",
        "package",
        "file",
        "npm",
        "deb",
        "url",
    ]
    assert [str(one) for one in entry.providers] == [
        "bundled words.tsv",
        "package words",
        "file /usr/share/words.dat",
        "npm @team/words@1.0",
        "deb words=1:7.5.0-1",
        "url https://example.org/a.zip",
    ]
    assert entry.file_name == "words.tsv"
    assert {one.type for one in entry.providers if one.type in LOCAL} == LOCAL


SPREAD = 'type = "wheels"\ndistributions = ["a", "b"]\nversion = "1"\nmember = "a"'


@pytest.mark.parametrize(
    ("provider", "name"),
    [
        ('type = "npm"\ndistribution = "@team/words"\nversion = "1.0"', "words.tar"),
        ('type = "url"\nurl = "https://example.org/all.zip?x=1"\narchive_size = 9', "all.zip.tar"),
    ],
)
def test_several_members_are_stored_as_one_file(
    manifest: Callable[..., Manifest], provider: str, name: str
) -> None:
    entry = manifest(f'{provider}\nmembers = ["package/a", "package/b"]')["words"]
    assert entry.providers[0].members == ("package/a", "package/b")
    assert entry.file_name == name


def test_a_package_of_any_version_needs_no_hash(manifest: Callable[..., Manifest]) -> None:
    entry = manifest(GOOD[1], sha256="")["words"]
    assert (entry.sha256, entry.size) == ("", 0)


@pytest.mark.parametrize(
    ("provider", "problem"),
    [
        ('type = "ftp"', "ftp"),
        ('member = "a"', "without a type"),
        ('type = "bundled"', "lacks member"),
        ('type = "bundled"\nmember = "a"\nurl = "https://x.org"', "that it cannot have: url"),
        ('type = "bundled"\nmember = "../a"', "member = '../a' is not valid"),
        ('type = "bundled"\nmember = "/etc/passwd"', "not valid"),
        ('type = "bundled"\nmember = "C:\\\\a"', "not valid"),
        ('type = "bundled"\nmember = ""', "not valid"),
        ('type = "deb"\ndistribution = "-o=x"\nmember = "a"', "distribution = '-o=x'"),
        ('type = "deb"\ndistribution = "a b"\nmember = "a"', "not valid"),
        ('type = "npm"\ndistribution = "../a"\nversion = "1"\nmember = "a"', "not valid"),
        ('type = "wheel"\ndistribution = "a"\nversion = "--x"\nmember = "a"', "version = '--x'"),
        ('type = "wheel"\ndistribution = "a"\nversion = 1\nmember = "a"', "must be of type str"),
        ('type = "url"\nurl = "http://example.org/a"', "url = 'http://example.org/a'"),
        ('type = "url"\nurl = "https://user:secret@example.org/a"', "not valid"),
        ('type = "url"\nurl = "https://example.org/a.zip"\nmember = "a"', "archive_size"),
        ('type = "url"\nurl = "https://example.org/a.zip"\nmembers = ["a", "b"]', "archive_size"),
        (f'{SPREAD}\npieces = ["x"]', "needs one of the pieces for each"),
        (f'{SPREAD}\npieces = ["x", "../y"]', "member = '../y'"),
        (f'{SPREAD}\npieces = "xy"', "must be of type list"),
        ('type = "deb"\ndistribution = "a"', "needs either member or members"),
        ('type = "deb"\ndistribution = "a"\nmember = "a"\nmembers = ["b", "c"]', "needs either"),
        ('type = "deb"\ndistribution = "a"\nmembers = "ab"', "members = 'ab' must be of type list"),
        ('type = "deb"\ndistribution = "a"\nmembers = ["a"]', "two or more files of different"),
        ('type = "deb"\ndistribution = "a"\nmembers = ["a/b", "c/b"]', "of different names"),
        ('type = "deb"\ndistribution = "a"\nmembers = ["a", "../b"]', "member = '../b'"),
        ('type = "deb"\ndistribution = "a"\nmembers = ["a", 3]', "must be of type str"),
        ('type = "bundled"\nmember = "a"\nmembers = ["a", "b"]', "that it cannot have: members"),
        ('type = "deb"\ndistribution = "a"\nmember = "a"\narchive_size = -1', "negative"),
        ('type = "deb"\ndistribution = "a"\nmember = "a"\narchive_size = true', "type int"),
    ],
)
def test_a_provider_that_cannot_be(
    manifest: Callable[..., Manifest], provider: str, problem: str
) -> None:
    with pytest.raises(UnreadableFile, match=re.escape(problem)):
        manifest(provider)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"kind": "song"}, "song"),
        ({"licence": ""}, "lacks licence"),
        ({"sha256": "abc"}, "sha256 = 'abc'"),
        ({"sha256": ""}, "needs sha256 and size"),
        ({"colour": "red"}, "that it cannot have: colour"),
        ({"prepare": "../x"}, "prepare = '../x'"),
        ({"name": "Words"}, "name = 'Words'"),
        ({"description": "two\\nlines"}, "description"),
    ],
)
def test_an_entry_that_cannot_be(
    manifest: Callable[..., Manifest], fields: dict[str, str], problem: str
) -> None:
    with pytest.raises(UnreadableFile, match=re.escape(problem)):
        manifest(BUNDLED, **fields)


def test_a_resource_of_several_languages_names_them(manifest_source: Callable[..., str]) -> None:
    listed = 'languages = ["de", "zh-TW"]\n'
    providers = f"\n[[words.providers]]\n{BUNDLED}\n"
    several = manifest_source(language="mul") + listed + providers
    assert parse_manifest(several, "mine.toml")["words"].languages == ("de", "zh-TW")
    for wrong, said in (
        (manifest_source(language="de") + listed, "its language must be 'mul'"),
        (manifest_source(language="mul") + "languages = [3]\n", "must be of type str"),
        (manifest_source(language="mul") + 'languages = "de"\n', "must be of type list"),
    ):
        with pytest.raises(UnreadableFile, match=re.escape(said)):
            parse_manifest(wrong + providers, "mine.toml")


@pytest.mark.parametrize("text", ["x = [", "words = 3", "[words]\nproviders = 3", "[words]"])
def test_a_text_that_is_no_manifest(text: str) -> None:
    with pytest.raises(UnreadableFile, match=r"mine\.toml: not a manifest of resources"):
        parse_manifest(text, "mine.toml")


def test_providers_must_be_tables(manifest_source: Callable[..., str]) -> None:
    for wrong in ("providers = []", "providers = [3]", 'providers = "bundled"'):
        with pytest.raises(UnreadableFile, match="provider"):
            parse_manifest(manifest_source() + wrong, "mine.toml")


@pytest.mark.parametrize("path", ["", "/a", "..", "a/..", "a/../b", "a\\b", "c:a", "a\0b"])
def test_paths_that_lead_elsewhere(path: str) -> None:
    assert not is_inner_path(path)
