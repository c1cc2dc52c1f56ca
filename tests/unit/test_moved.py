"""Old names of modules still import, and say where the module is now."""

import importlib
import subprocess
import sys

import pytest

from tenbin.moved import MOVED


@pytest.mark.parametrize("old", sorted(MOVED))
def test_an_old_name_is_the_module_at_its_new_place(old: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=MOVED[old]):
        found = importlib.import_module(old)
    new = importlib.import_module(MOVED[old])
    names = [name for name in vars(new) if not name.startswith("_")]
    assert names
    assert all(getattr(found, name) is getattr(new, name) for name in names)


def test_an_old_name_can_be_imported_first() -> None:
    program = "from tenbin.library.calls import score; import tenbin; print(score is tenbin.score)"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"


def test_what_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("tenbin.library.nothing")
