"""What the environment says about resources."""

import os
from pathlib import Path

from platformdirs import user_cache_path

CACHE_VARIABLE = "TENBIN_RESOURCES"
OFFLINE_VARIABLE = "TENBIN_OFFLINE"


def cache_folder(asked: Path | None) -> Path:
    """Return the folder of installed resources: as asked for, as the environment says, or usual.

    The usual one is below the user's folder for caches (XDG_CACHE_HOME on Linux).
    """
    named = os.environ.get(CACHE_VARIABLE, "")
    chosen = asked or (Path(named) if named else user_cache_path("tenbin") / "resources")
    return chosen.expanduser().absolute()


def is_offline(*, asked: bool) -> bool:
    """Return whether networks are out of bounds."""
    return asked or os.environ.get(OFFLINE_VARIABLE, "0") not in {"", "0"}
