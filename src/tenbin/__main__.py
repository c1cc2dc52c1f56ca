"""``python -m tenbin``, and the ``tenbin`` command itself."""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

from tenbin.cli.endings import ENDINGS, EXIT_SIGNALLED


def run() -> NoReturn:
    """Run the command of this process and end the process."""
    _end_at_once_if_asked()
    if "_ARGCOMPLETE" in os.environ:
        from tenbin.cli.completion import answer_shell  # noqa: PLC0415 - at the tab key alone

        answer_shell()
    # After the line above: importing takes long enough to be interrupted.
    from tenbin.cli.interrupts import ending_signal, leave, own_process  # noqa: PLC0415
    from tenbin.cli.main import main  # noqa: PLC0415

    own_process()
    code = main()
    if ending_signal() is not None:
        leave(code)
    sys.exit(code)


def _end_at_once_if_asked() -> None:
    """Let signals end the program without a traceback; nothing has been begun yet."""
    for number in ENDINGS:
        # What is ignored (nohup) stays so.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _at_once)


def _at_once(number: int, _frame: FrameType | None) -> None:
    os.write(2, ENDINGS[number].encode())
    os._exit(EXIT_SIGNALLED + number)


if __name__ == "__main__":
    run()
