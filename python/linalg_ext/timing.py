"""The time of a function on the GPU, without what the host takes to launch."""

from __future__ import annotations

from typing import Any, Callable


class Recorded:
    """`calls` calls of `function`, which launches on torch's current stream, as a CUDA
    graph: their time has nothing of what the host takes to launch."""

    def __init__(self, function: Callable[[], Any], calls: int) -> None:
        import torch

        self.calls = calls
        # Replays use the code and the memory that belong to it.
        self.function = function
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):  # what is done at the first call only
                function()
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(calls):
                function()

    def time_ms(self, replays: int = 1) -> float:
        """The time of a call in milliseconds, the mean over all of `replays`."""
        import torch

        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(replays):
            self.graph.replay()
        end.record()
        end.synchronize()
        return float(begin.elapsed_time(end)) / (replays * self.calls)


def time_ms(
    function: Callable[[], Any], batches: int = 5, milliseconds: float = 100.0
) -> float:
    """The median over `batches` of the time of one call of `function`, in
    milliseconds on the GPU; a batch takes about `milliseconds`."""
    recorded = Recorded(function, 20)
    once = 20 * recorded.time_ms()
    replays = max(1, round(milliseconds / max(once, 1e-3)))
    return sorted(recorded.time_ms(replays) for _ in range(batches))[batches // 2]
