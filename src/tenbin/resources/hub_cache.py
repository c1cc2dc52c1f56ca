"""Models in the local cache of the Hugging Face Hub, by their names there: ``owner/name``.

Only the folder is read, in the layout of huggingface_hub: ``models--OWNER--NAME/refs/main`` has the
revision, ``snapshots/REVISION`` its files. Nothing is ever fetched: scoring uses no network.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tenbin.core.errors import MissingResource, UnreadableFile, UsageError
from tenbin.formats.files import exists

_NAME = re.compile(
    r"(?P<owner>[A-Za-z0-9][\w.-]*)/(?P<name>[A-Za-z0-9][\w.-]*)(@(?P<revision>[0-9a-f]{7,64}))?",
    re.ASCII,
)
_LONGEST = 96
_REVISION = re.compile(r"[\w.-]+", re.ASCII)
_PATTERNS = ("*.json", "*.txt", "*.model", "*.safetensors")
_PRINTED_DIGITS = 12


class HubSnapshot(NamedTuple):
    """One revision of a model in the cache.

    Attributes:
        name: Its name on the hub and the beginning of the revision: ``owner/name@revision``.
        folder: Its files.
        revision: The revision.
    """

    name: str
    folder: Path
    revision: str


def is_hub_name(name: str) -> bool:
    """Return whether a name can be that of a model on the hub, be it there or not.

    >>> is_hub_name("tohoku-nlp/bert-base-japanese-v3"), is_hub_name("owner/name@0123abc")
    (True, True)
    >>> is_hub_name("models/own/bert"), is_hub_name("../bert"), is_hub_name("bert")
    (False, False, False)
    """
    found = _NAME.fullmatch(name)
    plain = name.partition("@")[0]
    return found is not None and len(plain) <= _LONGEST and not {"..", "--"} & _doubled(plain)


def _doubled(name: str) -> set[str]:
    return {name[place : place + 2] for place in range(len(name) - 1)}


def hub_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of the cache, as the environment says and huggingface_hub finds it.

    >>> hub_folder({"HF_HOME": "/data/models"}).as_posix()
    '/data/models/hub'
    """
    known = os.environ if environment is None else environment
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if known.get(variable):
            return Path(os.path.expandvars(known[variable])).expanduser()
    home = known.get("HF_HOME") or str(
        Path(known.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    )
    return Path(os.path.expandvars(home)).expanduser() / "hub"


def fetch_command(name: str) -> str:
    """Return the command that puts a model into the cache, on a machine with a network."""
    plain, _, revision = name.partition("@")
    wanted = " ".join(f"--include '{pattern}'" for pattern in _PATTERNS)
    return f"hf download {plain} {f'--revision {revision} ' if revision else ''}{wanted}"


def find_hub_snapshot(name: str) -> HubSnapshot:
    """Return the files of a model in the local cache.

    Args:
        name: ``owner/name``, then the revision of ``refs/main``; or ``owner/name@REVISION``, of
            which the beginning is enough.

    Raises:
        MissingResource: It is not there; the message has the command that fetches it.
        UnreadableFile: What is there is no entry of a cache.
        UsageError: Several revisions are there, and none is named.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is not the name of a model on the hub")
    entry = hub_folder() / f"models--{found['owner']}--{found['name']}"
    plain = f"{found['owner']}/{found['name']}"
    snapshots = _snapshots(entry)
    if found["revision"]:
        fitting = [one for one in snapshots if one.startswith(found["revision"])]
    else:
        main = _main_revision(entry)
        fitting = snapshots if main is None else [one for one in snapshots if one == main]
    if not fitting:
        raise MissingResource(name, fetch_command(name), _reason(entry))
    if len(fitting) > 1:
        raise UsageError(
            f"{entry} has several revisions of {plain} ({', '.join(fitting)}). Name one: "
            f'model="{plain}@{fitting[0][:_PRINTED_DIGITS]}".'
        )
    revision = fitting[0]
    label = f"{plain}@{revision[:_PRINTED_DIGITS]}"
    return HubSnapshot(label, entry / "snapshots" / revision, revision)


def _snapshots(entry: Path) -> list[str]:
    try:
        return sorted(path.name for path in (entry / "snapshots").iterdir() if path.is_dir())
    except OSError:
        return []


def _main_revision(entry: Path) -> str | None:
    """Return the revision that the cache takes for the newest; None if it does not say."""
    path = entry / "refs" / "main"
    try:
        found = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        problem = f"cannot be read ({error})"
        raise UnreadableFile(str(path), problem, "Fetch the model again.") from error
    if _REVISION.fullmatch(found) is None:
        problem = "does not name a revision"
        raise UnreadableFile(str(path), problem, "Fetch the model again.")
    return found


def _reason(entry: Path) -> str:
    there = "has no such revision" if exists(entry) else "is neither a folder here nor"
    return (
        f"{there} in the local cache of Hugging Face models ({entry.parent}), and scoring uses no "
        "network. Fetch it, or copy the folder "
        f"{entry.name} from the cache of a machine that has one"
    )
