"""What one server lets its visitors use up."""

from dataclasses import dataclass

DEFAULT_BYTES = 100_000_000
DEFAULT_MINUTES = 60.0
DEFAULT_PARALLEL = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one server lets its visitors use up.

    Attributes:
        most_bytes: Size of one file, unpacked.
        most_stored: Size of all files and reports together.
        most_seconds: Time of one job.
        parallel: Jobs that run at a time; the others wait.
        most_waiting: Jobs that may wait.
        grace_seconds: How long a tab may be away, as while it is loaded again, before its jobs are
            cancelled.
    """

    most_bytes: int = DEFAULT_BYTES
    most_stored: int = 20 * DEFAULT_BYTES
    most_seconds: float = DEFAULT_MINUTES * 60
    parallel: int = DEFAULT_PARALLEL
    most_waiting: int = 1_000
    grace_seconds: float = 20.0
