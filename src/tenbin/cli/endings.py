"""What the program says when a signal ends it, and with which code.

Nothing else is imported here: the program can be interrupted while it still loads its modules.
"""

import signal
from typing import Final

EXIT_SIGNALLED: Final = 128
_MESSAGES = {
    "SIGINT": "tenbin: interrupted; no file was changed.\n",
    "SIGTERM": "tenbin: terminated; no file was changed.\n",
    "SIGHUP": "tenbin: the terminal was closed; no file was changed.\n",
}
# By number; Windows has no SIGHUP.
ENDINGS: Final = {
    int(getattr(signal, name)): message
    for name, message in _MESSAGES.items()
    if hasattr(signal, name)
}
