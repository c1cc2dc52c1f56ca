"""Converts a file into the form in which it is looked up, once, and caches the result.

A form is a function that reads the stored file and fills an empty folder. It runs inside a staging
folder, so that a prepared folder is complete or not there. Its record has the hash of each of its
files; these are compared when a folder is opened, once per state of a file. The result can always
be made again from the file, and is, with a warning, if it was damaged; it therefore never has a
fingerprint in a signature: the file has.
"""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path

from tenbin.core.errors import ResourceError, UnreadableFile
from tenbin.core.progress import Advance, step
from tenbin.resources.store.fingerprints import FingerprintCache, file_sha256
from tenbin.resources.store.staging import StagingArea

Prepare = Callable[[Path, Path], None]

# Form to 'module:function'. A form whose file layout changes gets a new name, so that folders of
# the old layout are not opened: paraphrase-index-1, paraphrase-index-2.
PREPARATIONS: dict[str, str] = {
    "encoder-folder-1": "tenbin.resources.checkpoints:prepare_checkpoint",
    "lexicon-table-1": "tenbin.resources.lexicons.files:prepare_lexicon",
    "paraphrase-index-1": "tenbin.resources.paraphrases:prepare_paraphrase_index",
    "sentence-network-1": "tenbin.resources.sentence_network:prepare_sentence_network",
    "vector-lengths-1": "tenbin.resources.vectors.lengths:prepare_lengths",
    "vectors-auto-1": "tenbin.resources.vectors.conversion:prepare_vectors",
    "vectors-float16-1": "tenbin.resources.vectors.conversion:prepare_float16",
    "vectors-float32-1": "tenbin.resources.vectors.conversion:prepare_float32",
    "vectors-int8-1": "tenbin.resources.vectors.conversion:prepare_int8",
}

_log = logging.getLogger(__name__)
_RECORD = "prepared.json"
_KEY_DIGITS = 32
_PARTS = 1_000  # of a conversion
Report = Callable[[float], None]

# Receiver of the progress of conversions in this thread; by default a step of its own.
_receiver: ContextVar[tuple[Report | None] | None] = ContextVar("receiver", default=None)


def prepare_function(form: str) -> Prepare:
    """Return the function that makes a form."""
    if form not in PREPARATIONS:
        raise ValueError(f"{form!r} is not a known form of resources: {', '.join(PREPARATIONS)}")
    module, _, function = PREPARATIONS[form].partition(":")
    found: Prepare = getattr(import_module(module), function)
    return found


class PreparedFolders:
    """The prepared forms of files, by form and fingerprint of the file."""

    def __init__(self, cache: Path, area: StagingArea, fingerprints: FingerprintCache) -> None:
        self._root = cache / "prepared"
        self._area = area
        self._fingerprints = fingerprints

    def place(self, form: str, fingerprint: str) -> Path:
        """Return the folder of a form of a file, whether it exists or not."""
        return self._root / f"{form}@{fingerprint[:_KEY_DIGITS]}"

    def made(self, fingerprint: str) -> list[Path]:
        """Return the folders of all complete forms of a file."""
        found = sorted(self._root.glob(f"*@{fingerprint[:_KEY_DIGITS]}"))
        return [folder for folder in found if is_complete(folder)]

    def ready(self, form: str, fingerprint: str) -> Path | None:
        """Return the folder of a form of a file; None if it does not exist or is damaged."""
        target = self.place(form, fingerprint)
        return target if self._is_unchanged(target) else None

    def make(self, source: Path, form: str, fingerprint: str) -> Path:
        """Return a form of a file, made now unless another process has done so meanwhile."""
        target = self.place(form, fingerprint)
        with self._area.locked(target.name):
            if not self._is_unchanged(target):
                if target.exists():
                    _log.warning(
                        "note: the converted form of %s was damaged and is made again from the "
                        "file (%s).",
                        source.name,
                        target,
                    )
                with self._area.folder(target.name) as folder:
                    _fill(folder / "prepared", source, form)
                    self._area.publish(folder / "prepared", target, target.name)
                for name, (_, sha256) in (_recorded(target) or {}).items():
                    self._fingerprints.record(target / name, sha256)
        return target

    def _is_unchanged(self, folder: Path) -> bool:
        if not is_complete(folder):
            return False
        try:
            return all(
                self._fingerprints.fingerprint(folder / name) == sha256
                for name, (_, sha256) in (_recorded(folder) or {}).items()
            )
        except UnreadableFile:
            return False

    def discard(self, form: str, fingerprint: str) -> None:
        """Remove a form of a file, if it is there."""
        target = self.place(form, fingerprint)
        with self._area.locked(target.name):
            self._area.withdraw(target, target.name)


def is_complete(folder: Path) -> bool:
    """Return whether the files of a prepared folder are the recorded ones, in names and sizes."""
    record = _recorded(folder)
    if record is None:
        return False
    try:
        sizes = {
            path.relative_to(folder).as_posix(): path.stat().st_size
            for path in folder.rglob("[!.]*")  # systems leave hidden files of their own
            if path.is_file() and path != folder / _RECORD
        }
    except OSError:
        return False
    return sizes == {name: size for name, (size, _) in record.items()}


def first_difference(folder: Path) -> tuple[Path, str, str] | None:
    """Return the first file that has changed, with its old and new hash; None if there is none.

    An incomplete folder has none: it counts as not made.
    """
    try:
        for name, (_, expected) in (_recorded(folder) or {}).items():
            found = file_sha256(folder / name)
            if found != expected:
                return folder / name, expected, found
    except UnreadableFile:
        return None
    return None


def _recorded(folder: Path) -> dict[str, tuple[int, str]] | None:
    """Return size and hash of each file of a prepared folder; None if the record is damaged."""
    try:
        record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        found = {str(name): (int(size), str(sha256)) for name, (size, sha256) in record.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return found or None


def check_received(folder: Path) -> None:
    """Raise `ResourceError` if a prepared folder that was sent here has changed."""
    if not is_complete(folder) or first_difference(folder) is not None:
        raise ResourceError(
            f"{folder.name} was damaged while it was sent to this machine. Run again."
        )


def _fill(folder: Path, source: Path, form: str) -> None:
    folder.mkdir()
    prepare_function(form)(source, folder)
    made = sorted(path for path in folder.rglob("*") if path.is_file())
    record = {
        path.relative_to(folder).as_posix(): [path.stat().st_size, file_sha256(path)]
        for path in made
    }
    (folder / _RECORD).write_text(json.dumps(record, indent=1), encoding="utf-8")


@contextmanager
def conversions_reported_to(report: Report | None) -> Iterator[None]:
    """Report the progress of conversions in the block, from 0 to 1, instead of opening a step."""
    token = _receiver.set((report,))
    try:
        yield
    finally:
        _receiver.reset(token)


@contextmanager
def conversion_progress(label: str, *, wanted: bool) -> Iterator[Report | None]:
    """Open a step for a conversion, if wanted; yield what takes the share that is done."""
    receiver = _receiver.get()
    if receiver is not None:
        yield receiver[0]
        return
    if not wanted:
        yield None
        return
    with step(label, _PARTS) as advance:
        yield _in_parts(advance)


def _in_parts(advance: Advance) -> Report:
    shown = 0

    def report(share: float) -> None:
        nonlocal shown
        now = int(share * _PARTS)
        if now > shown:
            advance(now - shown)
            shown = now

    return report
