"""Data on their way to a worker, with a cluster that is a folder."""

import hashlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlparse

import pytest

from tenbin.core.errors import ResourceError, UsageError
from tenbin.metrics.registry import load
from tenbin.resources.store.lookup import CACHE_VARIABLE
from tenbin.resources.store.manifest import parse_manifest
from tenbin.resources.store.store import default_store
from tenbin.tables.job import table_job
from tenbin.tables.spark.shipping import Shipment, ship

VECTORS = "".join(f"{word} {number} 1\n" for number, word in enumerate(["the", "cat", "sat"]))


class Cluster:
    """Takes files as Spark does, and has them in one folder afterwards."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def addFile(self, path: str) -> None:  # noqa: N802 - as Spark calls it
        place = Path(unquote(urlparse(path).path)) if path.startswith("file:") else Path(path)
        shutil.copy(place, self.root / place.name)

    def addArchive(self, path: str) -> None:  # noqa: N802
        archive, _, name = path.partition("#")
        shutil.unpack_archive(archive, self.root / name)

    def getRootDirectory(self) -> str:  # noqa: N802
        return str(self.root)

    def get(self, name: str) -> str:
        return str(self.root / name)


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    root, cache = tmp_path / "worker", tmp_path / "cache"
    root.mkdir()
    found = Cluster(root)
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(SparkFiles=found))
    monkeypatch.setenv(CACHE_VARIABLE, str(cache))
    default_store.cache_clear()
    yield found
    default_store.cache_clear()


def signature(spec: str) -> str:
    return str(load(spec).bind("en").signature())


def test_nothing_to_send(tmp_path: Path, worker: Cluster) -> None:
    sent = ship(worker, table_job(["chrf", "bleu"], "en"), tmp_path, installed=True)
    assert sent == Shipment()
    assert sent.received(["chrf", "bleu"]) == ["chrf", "bleu"]


def test_a_file_that_a_spec_names(tmp_path: Path, worker: Cluster) -> None:
    own = tmp_path / "own vectors.txt"
    own.write_text(VECTORS)
    spec = f'sv(vectors="{own}")'
    before = signature(spec)
    sent = ship(worker, table_job([spec], "en"), tmp_path, installed=False)
    own.unlink()
    (moved,) = sent.received([spec])
    assert moved == f'sv(vectors="{worker.root / own.name}")'
    assert signature(moved) == before


def test_a_folder_that_a_spec_names(tmp_path: Path, worker: Cluster) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    job = table_job(["chrf"], "en")
    named = type(job)((f'bertscore(model="{model}")',), job.language, job.metrics)
    sent = ship(worker, named, tmp_path, installed=False)
    assert sent.received(named.names) == [f'bertscore(model="{worker.root / "model"}")']
    assert (worker.root / "model" / "config.json").read_text() == "{}"


def test_a_parameter_that_is_no_data_stays_though_a_file_is_called_so(
    tmp_path: Path, worker: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "char").write_text("")
    monkeypatch.chdir(tmp_path)
    sent = ship(worker, table_job(["bleu(tokenizer=char)"], "en"), tmp_path, installed=False)
    assert sent == Shipment()


def test_two_files_of_one_name_are_refused(tmp_path: Path, worker: Cluster) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "v.txt").write_text(VECTORS)
    specs = [f'sv(vectors="{tmp_path / folder / "v.txt"}")' for folder in ("a", "b")]
    with pytest.raises(UsageError, match=r"two files are called 'v\.txt'"):
        ship(worker, table_job(specs, "en"), tmp_path, installed=False)


def test_an_installed_resource(
    tmp_path: Path, worker: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = tmp_path / "words.txt"
    stored.write_text(VECTORS)
    digest = hashlib.sha256(VECTORS.encode()).hexdigest()
    manifest = parse_manifest(
        '[own-vectors]\nkind = "vectors"\nversion = "1"\nlanguage = "en"\nlicence = "MIT"\n'
        f'description = "three words"\nsha256 = "{digest}"\nsize = {len(VECTORS)}\n'
        f'[[own-vectors.providers]]\ntype = "file"\npath = "{stored}"\n',
        "a test",
    )
    monkeypatch.setattr("tenbin.resources.store.store.bundled_manifest", lambda: manifest)
    default_store.cache_clear()
    spec = 'sv(vectors="own-vectors")'
    before = signature(spec)
    assert f"own-vectors={digest[:16]}" in before
    packed = tmp_path / "packed"
    packed.mkdir()
    sent = ship(worker, table_job([spec], "en"), packed, installed=True)
    stored.unlink()
    (form,) = [name for place, name in sent.resources.items() if place.startswith("prepared")]
    table = next(path for path in (worker.root / form).iterdir() if path.suffix != ".json")
    whole = table.read_bytes()
    table.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ResourceError, match="damaged while it was sent"):
        sent.received([spec])
    table.write_bytes(whole)
    # Nothing is converted again: the form arrived with the file.
    monkeypatch.setattr("tenbin.resources.store.preparation.PREPARATIONS", {})
    assert sent.received([spec]) == [spec]
    assert default_store().path("own-vectors").is_relative_to(worker.root)
    assert signature(spec) == before
