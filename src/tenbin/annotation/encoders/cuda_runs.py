"""Runs groups of texts on a CUDA device, which computes one group while another is fetched."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from tenbin.annotation.encoders.encoded import Float32Array

# Groups whose vectors are on their way; more would only take memory.
_MOST_PENDING = 4


def run_on_cuda(
    torch: Any,  # noqa: ANN401 - not imported here
    run: Callable[[list[int]], Any],
    groups: Iterable[list[int]],
    keep: Callable[[int, Float32Array], None],
) -> None:
    """Run each group and hand out the vectors of each of its texts.

    Vectors travel in the numbers they were computed in, through memory that the device can write
    to by itself, on a stream of their own: the next group does not wait for them.

    Args:
        torch: The library.
        run: Makes of a group a tensor on the device, one row per text.
        groups: Places of texts; a place that is repeated fills a group up and is fetched once.
        keep: Takes a place and its vectors.
    """
    copying = torch.cuda.Stream()
    pending: deque[tuple[list[int], Any, Any]] = deque()

    def fetch() -> None:
        places, host, done = pending.popleft()
        done.synchronize()
        for place, one in zip(places, host.float().numpy(), strict=True):
            keep(place, one)

    for group in groups:
        places = list(dict.fromkeys(group))
        output = run(group)[: len(places)]
        host = torch.empty(output.shape, dtype=output.dtype, pin_memory=True)
        copying.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(copying):
            host.copy_(output, non_blocking=True)
            # Or its memory would be given to the next group before it is read.
            output.record_stream(copying)
            pending.append((places, host, copying.record_event()))
        if len(pending) > _MOST_PENDING:
            fetch()
    while pending:
        fetch()
