"""The store: names and files, states, hashes, offline, repair."""

import hashlib
import os
import re
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest

from tenbin.core.errors import (
    FingerprintMismatch,
    MissingResource,
    ProviderFailed,
    UnknownResource,
    UnreadableFile,
    UsageError,
)
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.resources.store import fingerprints
from tenbin.resources.store.lookup import CACHE_VARIABLE, OFFLINE_VARIABLE, State
from tenbin.resources.store.store import ResourceStore, default_store

Store = Callable[..., ResourceStore]
Maker = Callable[..., Path]
Client = Callable[..., None]
Calls = Callable[[], list[str]]
Visible = Callable[[], list[str]]


def file_provider(path: Path) -> str:
    return f'type = "file"\npath = "{path}"'


@pytest.fixture
def installed(store: Store, fake_client: Client, make_zip: Maker) -> ResourceStore:
    fake_client("pip", make_zip())
    opened = store()
    opened.install("words")
    return opened


def test_a_resource_is_installed_found_and_named(
    store: Store, fake_client: Client, make_zip: Maker, content: bytes, visible: Visible
) -> None:
    fake_client("pip", make_zip())
    opened = store()
    assert opened.state("words") == (State.MISSING, None)
    path = opened.install("words")
    sha256 = hashlib.sha256(content).hexdigest()
    assert path.read_bytes() == content
    assert visible() == [f"words@{sha256[:16]}/words.dat"]
    assert opened.path("words") == path
    assert opened.state("words") == (State.INSTALLED, path)
    assert opened.verify("words") is True
    identity = opened.identity("words")
    assert identity == ResourceIdentity(
        "words", ResourceKind.LEXICON, "1.0", "en", "CC0-1.0", sha256
    )
    assert identity.signature_entry == ("words", sha256[:16])


def test_nothing_is_fetched_twice(installed: ResourceStore, calls: Calls) -> None:
    assert installed.install("words") == installed.path("words")
    assert len(calls()) == 1


def test_reading_writes_nothing(store: Store) -> None:
    opened = store()
    for ask in (opened.path, opened.identity, opened.verify):
        with pytest.raises(MissingResource):
            ask("words")
    assert opened.remove("words") is False
    assert not opened.cache.exists()


def test_missing_says_the_command(store: Store) -> None:
    with pytest.raises(MissingResource, match=r"'words' is not installed\. Run: ") as caught:
        store().path("words")
    assert caught.value.command == "tenbin resources install words"
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("provider", "command"),
    [
        ('type = "package"\ndistribution = "nowords"\nmember = "a"', "pip install nowords"),
        (
            'type = "package"\ndistribution = "nowords"\nmember = "a"\nextra = "ja"',
            "pip install 'tenbin[ja]'",
        ),
        ('type = "file"\npath = "/nowhere/a.dat"', "put the file at /nowhere/a.dat"),
        ('type = "bundled"\nmember = "none"', "reinstall the package tenbin with pip"),
    ],
)
def test_missing_where_install_cannot_help(store: Store, provider: str, command: str) -> None:
    opened = store(provider)
    for ask in (opened.path, opened.install):
        with pytest.raises(MissingResource) as caught:
            ask("words")
        assert caught.value.command == command


def test_an_unknown_name_names_near_ones(store: Store) -> None:
    for ask in (store().entry, store().path, store().install, store().identity):
        with pytest.raises(UnknownResource, match=r"'wrods'.*Did you mean words\?"):
            ask("wrods")


def test_other_content_is_refused_with_both_hashes(
    store: Store, fake_client: Client, make_zip: Maker, content: bytes, visible: Visible
) -> None:
    other = content.replace(b"home", b"h0me")
    fake_client("pip", make_zip(**{"data/words.dat": other}))
    with pytest.raises(FingerprintMismatch) as caught:
        store().install("words")
    for data in (content, other):
        assert hashlib.sha256(data).hexdigest() in str(caught.value)
    assert "wheel words==1.0" in str(caught.value)
    assert visible() == []


def test_the_next_provider_is_asked(
    store: Store,
    provider: dict[str, str],
    fake_client: Client,
    make_deb: Maker,
    make_zip: Maker,
    content: bytes,
    calls: Calls,
) -> None:
    fake_client("npm", code=1, says="E404")
    fake_client("pip", make_zip(**{"data/words.dat": content[::-1]}))
    fake_client("apt-get", make_deb())
    opened = store(provider["npm"], provider["wheel"], provider["deb"])
    assert opened.install("words").read_bytes() == content
    assert [call.split()[0] for call in calls()] == ["npm", "pip", "apt-get"]


def test_all_reasons_are_told(store: Store, provider: dict[str, str], fake_client: Client) -> None:
    fake_client("npm", code=1, says="E404 words")
    lacking = file_provider(Path("/nowhere/words"))
    with pytest.raises(ProviderFailed) as caught:
        store(lacking, provider["npm"], provider["deb"]).install("words")
    told = str(caught.value)
    assert "file /nowhere/words: not available here" in told
    assert "npm @team/words@1.0: npm ended with code 1 and printed: E404 words" in told
    assert "deb words: the program apt-get is not installed" in told


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_offline_calls_nobody(
    store: Store,
    provider: dict[str, str],
    fake_client: Client,
    make_zip: Maker,
    calls: Calls,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    for client in ("pip", "npm", "apt-get"):
        fake_client(client, make_zip())
    monkeypatch.setattr("tenbin.resources.store.providers.download", None)
    monkeypatch.setenv(OFFLINE_VARIABLE, "1" if how == "environment" else "0")
    address = 'type = "url"\nurl = "https://example.org/words.dat"'
    opened = store(*provider.values(), address, offline=how == "argument")
    with pytest.raises(ProviderFailed) as caught:
        opened.install("words")
    assert str(caught.value).count("nothing was fetched") == len(provider) + 1
    assert calls() == []


def test_offline_uses_what_is_at_hand(
    store: Store, provider: dict[str, str], tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "words.dat").write_bytes(content)
    opened = store(provider["deb"], file_provider(tmp_path / "words.dat"), offline=True)
    assert opened.install("words") == opened.path("words") == tmp_path / "words.dat"
    assert opened.state("words")[0] is State.FILE
    assert opened.identity("words").version == "1.0"


def test_a_file_of_the_system_in_another_version_is_passed_over(
    store: Store,
    provider: dict[str, str],
    tmp_path: Path,
    content: bytes,
    fake_client: Client,
    make_deb: Maker,
) -> None:
    fake_client("apt-get", make_deb())
    system = tmp_path / "system.dat"
    opened = store(file_provider(system), provider["deb"])
    for other in (content[::-1], b"short"):
        system.write_bytes(other)
        with pytest.raises(MissingResource):
            opened.path("words")
    path = opened.install("words")
    assert path != system
    assert path.name == "system.dat"
    assert path.read_bytes() == content


def test_a_bundled_file_that_was_changed(
    store: Store, content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bundled").mkdir()
    (tmp_path / "bundled" / "words.dat").write_bytes(content)
    monkeypatch.setattr("tenbin.resources.store.lookup.files", lambda _: tmp_path)
    opened = store('type = "bundled"\nmember = "words.dat"')
    assert opened.path("words") == tmp_path / "bundled" / "words.dat"
    assert opened.state("words")[0] is State.BUNDLED
    assert opened.remove("words") is False
    (tmp_path / "bundled" / "words.dat").write_bytes(b"changed")
    for ask in (opened.path, opened.verify, opened.install):
        with pytest.raises(FingerprintMismatch, match="Tenbin itself is damaged"):
            ask("words")


def test_data_of_an_installed_package_in_any_version(store: Store) -> None:
    text = 'type = "package"\ndistribution = "sacrebleu"\nmember = "sacrebleu/__init__.py"'
    opened = store(text, sha256="")
    identity = opened.identity("words")
    assert identity.version == version("sacrebleu")
    data = opened.path("words").read_bytes()
    assert identity.fingerprint == hashlib.sha256(data).hexdigest()
    assert opened.state("words")[0] is State.PACKAGE
    assert opened.install("words") == opened.path("words")
    assert opened.verify("words") is True


def test_a_changed_file_is_noticed_and_repaired(installed: ResourceStore, content: bytes) -> None:
    path = installed.path("words")
    path.write_bytes(content[:-1])
    for ask in (installed.path, installed.identity, installed.verify):
        with pytest.raises(FingerprintMismatch, match="tenbin resources install words"):
            ask("words")
    assert installed.state("words") == (State.DAMAGED, None)
    assert installed.install("words") == path
    assert path.read_bytes() == content


def test_a_change_that_keeps_size_and_time_is_found(
    installed: ResourceStore, content: bytes
) -> None:
    path = installed.path("words")
    state = path.stat()
    path.write_bytes(content[::-1])
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    for ask in (installed.path, installed.identity, installed.verify):
        with pytest.raises(FingerprintMismatch, match="tenbin resources install words"):
            ask("words")
    installed.install("words")
    assert installed.verify("words")


def test_a_damaged_copy_gives_way_to_a_file_at_hand(
    store: Store,
    provider: dict[str, str],
    tmp_path: Path,
    content: bytes,
    fake_client: Client,
    make_deb: Maker,
    visible: Visible,
) -> None:
    system = tmp_path / "words.dat"
    fake_client("apt-get", make_deb())
    opened = store(file_provider(system), provider["deb"])
    opened.install("words").write_bytes(b"damaged")
    system.write_bytes(content)
    assert opened.install("words") == opened.path("words") == system
    assert visible() == []


def test_a_failed_repair_leaves_the_copy_as_it_is(
    installed: ResourceStore, fake_client: Client
) -> None:
    path = installed.path("words")
    path.write_bytes(b"damaged")
    fake_client("pip", code=1)
    with pytest.raises(ProviderFailed):
        installed.install("words")
    assert path.read_bytes() == b"damaged"


def test_a_new_version_replaces_the_old_one(
    installed: ResourceStore, store: Store, fake_client: Client, make_zip: Maker, visible: Visible
) -> None:
    assert installed.path("words").is_file()
    newer = b"new words"
    digest = hashlib.sha256(newer).hexdigest()
    opened = store(version="2.0", data=newer)
    with pytest.raises(MissingResource, match="in another version"):
        opened.path("words")
    fake_client("pip", make_zip(**{"data/words.dat": newer}))
    assert opened.install("words").read_bytes() == newer
    assert visible() == [f"words@{digest[:16]}/words.dat"]


def test_remove(installed: ResourceStore, visible: Visible) -> None:
    assert installed.remove("words") is True
    assert visible() == []
    assert installed.remove("words") is False
    with pytest.raises(MissingResource):
        installed.path("words")


def test_the_file_is_readable_for_others(installed: ResourceStore) -> None:
    mask = os.umask(0)
    os.umask(mask)
    path = installed.path("words")
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    assert path.parent.stat().st_mode & 0o777 == 0o777 & ~mask


def test_the_users_own_file(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "my table.tsv"
    path.write_bytes(b"mine")
    opened = store()
    expected = hashlib.sha256(b"mine").hexdigest()
    monkeypatch.chdir(tmp_path)
    for name in (path, str(path), "./my table.tsv", "my table.tsv", Path("my table.tsv")):
        assert opened.path(name) == path
        identity = opened.identity(name, kind=ResourceKind.PARAPHRASES, language="cs")
        assert identity == ResourceIdentity(
            "my table.tsv", ResourceKind.PARAPHRASES, "local", "cs", "unknown", expected
        )
    assert opened.identity(path).kind is None


def test_a_name_of_the_manifest_goes_before_a_file(
    installed: ResourceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words").write_bytes(b"mine")
    monkeypatch.chdir(tmp_path)
    assert installed.identity("words").version == "1.0"
    assert installed.identity("./words").version == "local"
    assert installed.identity(Path("words")).version == "local"


def test_the_hash_of_the_users_file_is_remembered_and_renewed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.tsv"
    path.write_bytes(b"first")
    # A file of this moment is not remembered.
    tomorrow = time.time_ns() + 24 * 3600 * 10**9
    monkeypatch.setattr(fingerprints, "time", SimpleNamespace(time_ns=lambda: tomorrow))
    opened = store()
    first = opened.identity(path).fingerprint
    assert len(list((opened.cache / ".fingerprints").iterdir())) == 1
    path.write_bytes(b"other")
    assert opened.identity(path).fingerprint != first


def test_files_that_are_not_there(store: Store, tmp_path: Path) -> None:
    for ask in (store().path, store().identity):
        with pytest.raises(UnreadableFile, match="no such file"):
            ask("./none.tsv")
        with pytest.raises(UnreadableFile, match="no such file"):
            ask(tmp_path / "none.tsv")
        with pytest.raises(UnreadableFile, match="directory"):
            ask(tmp_path)


def test_a_resource_of_another_kind_is_refused(installed: ResourceStore) -> None:
    assert installed.identity("words", kind=ResourceKind.LEXICON).kind == "lexicon"
    with pytest.raises(UsageError, match="of kind lexicon, expected vectors"):
        installed.identity("words", kind=ResourceKind.VECTORS)


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert ResourceStore().cache.name == "resources"
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert ResourceStore().cache == tmp_path / "xdg" / "tenbin" / "resources"
    monkeypatch.setenv(CACHE_VARIABLE, "")
    assert ResourceStore().cache.name == "resources"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE_VARIABLE, "mine")
    assert ResourceStore().cache == tmp_path / "mine"
    assert ResourceStore(tmp_path / "other").cache == tmp_path / "other"
    assert default_store() is default_store()


def test_our_own_manifest_is_the_default(tmp_path: Path) -> None:
    opened = ResourceStore(tmp_path)
    assert opened.entry("meteor-paraphrases-en").language == "en"
    assert re.fullmatch(r"[0-9a-f]{64}", opened.entry("mythes-de").sha256)
    assert [one.name for one in opened.entries()] == sorted(one.name for one in opened.entries())
