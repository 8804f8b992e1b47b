"""Calls of a library of collective operations, liblinalg_ext_nccl or another one."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, List, Sequence, Union

from .errors import DriverError
from .manifest import Collective, row_major_strides


def _describe(address: int, shape: Sequence[int]) -> Any:
    """The descriptor of a dense buffer: its address twice, offset, sizes and strides."""
    fields = [address, address, 0, *shape, *row_major_strides(shape)]
    return (ctypes.c_int64 * len(fields))(*fields)


class Collectives:
    """The library. All processes of a program load it, and call the same functions of it
    in the same order."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path = os.fspath(path)
        try:
            self.lib = ctypes.CDLL(self.path)
        except OSError as error:
            raise DriverError("expected a library of collective operations: %s" % error) from None
        if hasattr(self.lib, "linalg_ext_nccl_error"):
            get_error = self.lib.linalg_ext_nccl_error
            get_error.restype = ctypes.c_char_p
            reason = get_error()
            if reason:
                raise DriverError(reason.decode())

    def get_process_index(self, grid: Sequence[int]) -> int:
        """The index of this process in a grid of that shape."""
        function = self._get("linalg_ext_mpi_process_index")
        function.restype = ctypes.c_int64
        numbers = (ctypes.c_int64 * len(grid))(*grid)
        descriptor = _describe(ctypes.addressof(numbers), [len(grid)])
        return int(function(ctypes.c_int64(1), descriptor))

    def set_stream(self, stream: int) -> None:
        """Operations run behind what is in this stream of CUDA."""
        if hasattr(self.lib, "linalg_ext_nccl_set_stream"):
            self.lib.linalg_ext_nccl_set_stream(ctypes.c_void_p(stream))

    def prepare(
        self, collective: Collective, get_address: Callable[[Any], int]
    ) -> Callable[[], None]:
        """A function that calls the operation on these buffers."""
        function = self._get(collective.function)
        function.restype = None
        keep: List[Any] = []
        parameters: List[Any] = []
        for kind, value in collective.arguments:
            if kind == "numbers":
                numbers = (ctypes.c_int64 * len(value))(*value)
                keep.append(numbers)
                kind, value = ctypes.addressof(numbers), [len(value)]
            elif isinstance(kind, tuple):
                kind = get_address(kind)
            else:
                parameters.append(ctypes.c_int64(value))
                continue
            parameters += [ctypes.c_int64(len(value)), _describe(kind, value)]

        def run() -> None:
            function(*parameters)

        run.keep = keep  # type: ignore[attr-defined]
        return run

    def _get(self, name: str) -> Any:
        if not hasattr(self.lib, name):
            raise DriverError(
                "%s: expected a library of collective operations with %s, got one without"
                % (self.path, name)
            )
        return getattr(self.lib, name)
