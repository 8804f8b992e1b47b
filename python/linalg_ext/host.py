"""Functions that linalg-ext-compile --emit=shared --manifest compiled for this CPU.

The code is called through MLIR's C interface: _mlir_ciface_f takes a pointer to a
descriptor for each buffer. A result that is a buffer, and several results, are returned
through a pointer, which is the first argument.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from typing import Any, Callable, Dict, List, Type

from .arrays import Array, check_arrays, get_arrays
from .errors import ManifestError
from .manifest import Manifest
from .program import Program

_SCALARS: Dict[str, Any] = {
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "ui8": ctypes.c_uint8,
    "ui16": ctypes.c_uint16,
    "ui32": ctypes.c_uint32,
    "ui64": ctypes.c_uint64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}

_NUMPY_TYPES = {
    "i1": "bool",
    "f16": "float16",
    "bf16": "uint16",  # Its bits: numpy has no such type.
    "f32": "float32",
    "f64": "float64",
}


def _numpy_type(where: str, name: str) -> str:
    """The type of numpy for elements of `name`. Those of f8 are their bits, too."""
    if name.startswith("f8E"):
        return "uint8"
    if name in _SCALARS and name[0] in "iu":
        return _NUMPY_TYPES.get(name) or name.replace("i", "int")
    if name not in _NUMPY_TYPES:
        raise ManifestError(where + "expected elements that numpy has, got %s" % name)
    return _NUMPY_TYPES[name]


def _descriptor(rank: int) -> Type[ctypes.Structure]:
    fields: List[Any] = [
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
    ]
    if rank > 0:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type("Descriptor%d" % rank, (ctypes.Structure,), {"_fields_": fields})


def _scalar_type(where: str, name: str) -> Any:
    if name not in _SCALARS:
        raise ManifestError(
            where + "expected a number of %s, got %s: pass it in a buffer"
            % (", ".join(_SCALARS), name)
        )
    return _SCALARS[name]


class Library(Program):
    """The functions of a shared library. They take arrays in the memory of the CPU:
    of numpy, of torch, and any with the buffer protocol or DLPack. bf16 is an array of
    torch or jax, or of uint16 with its bits; f8 likewise, with uint8. Results are arrays of
    numpy."""

    def __init__(self, manifest: Manifest) -> None:
        super().__init__(manifest)
        if manifest.image is None or manifest.format != "shared":
            raise ManifestError(
                "%s: expected a shared library (--emit=shared), got %r"
                % (manifest.path, manifest.format)
            )
        self._library = ctypes.CDLL(manifest.image)
        self._free = ctypes.CDLL(None).free
        self._free.argtypes, self._free.restype = [ctypes.c_void_p], None

    def check(self, entry: str, *arguments: Any) -> None:
        described = self.manifest.get_entry(entry)
        check_arrays(described, get_arrays(described, arguments), "cpu", 0)

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        described = self.manifest.get_entry(entry)
        values = get_arrays(described, arguments)
        check_arrays(described, values, "cpu", 0)
        parameters: List[Any] = []
        keep: List[Any] = [arguments, values]
        for number, (description, value) in enumerate(zip(described.arguments, values)):
            if description["kind"] == "buffer":
                keep.append(self._describe(value, description))
                parameters.append(ctypes.byref(keep[-1]))
                continue
            where = described.where(number)
            kind = _scalar_type(where, description["type"])
            number_type = float if description["type"].startswith("f") else int
            try:
                parameters.append(kind(number_type(value)))
            except (TypeError, ValueError) as error:
                raise ManifestError(
                    where + "expected a number of %s: %s" % (description["type"], error)
                ) from None

        results = [self._result_type(described.name, r) for r in described.results]
        # By [], it is an object of its own, with its own type of result.
        function = self._library["_mlir_ciface_" + described.name]
        indirect = len(results) > 1 or any(r["kind"] == "buffer" for r in described.results)
        direct_type = None
        if results and not indirect:
            direct_type = _scalar_type(described.name + ", result: ",
                                       described.results[0]["type"])
        fields = [("result%d" % i, kind) for i, kind in enumerate(results)]
        block_type = type("Results", (ctypes.Structure,), {"_fields_": fields})

        function.restype = direct_type

        def run() -> Any:
            if not indirect:
                return function(*parameters)
            block = block_type()
            function(ctypes.byref(block), *parameters)
            values = [
                self._take_result(getattr(block, name), description)
                for (name, _), description in zip(fields, described.results)
            ]
            return values[0] if len(values) == 1 else tuple(values)

        run.keep = keep  # type: ignore[attr-defined]
        return run

    @staticmethod
    def _describe(array: Array, description: Dict[str, Any]) -> ctypes.Structure:
        rank = len(array.sizes)
        offset = description.get("offset") or 0
        descriptor = _descriptor(rank)()
        descriptor.allocated = descriptor.aligned = array.address - offset * array.item_bytes
        descriptor.offset = offset
        if rank > 0:
            descriptor.sizes[:] = array.sizes
            descriptor.strides[:] = array.strides
        return descriptor

    @staticmethod
    def _result_type(name: str, description: Dict[str, Any]) -> Any:
        where = name + ", result: "
        if description["kind"] == "buffer":
            _numpy_type(where, description["type"])
            return _descriptor(len(description["shape"]))
        # In memory, a float of 16 bits is its bits.
        if description["type"] in ("f16", "bf16"):
            return ctypes.c_uint16
        return _scalar_type(where, description["type"])

    def _take_result(self, value: Any, description: Dict[str, Any]) -> Any:
        """An array of numpy that frees the buffer `value`; or a number."""
        if description["kind"] != "buffer":
            if description["type"] == "f16":
                return struct.unpack("<e", struct.pack("<H", value))[0]
            if description["type"] == "bf16":
                return struct.unpack("<f", struct.pack("<I", value << 16))[0]
            return value
        try:
            import numpy
        except ImportError:
            self._free(value.allocated)
            raise ManifestError(
                "expected numpy, in which buffers are returned; --options=out-params=true "
                "makes them arguments"
            ) from None
        rank = len(description["shape"])
        sizes = list(value.sizes) if rank else []
        dtype = numpy.dtype(_numpy_type("", description["type"]))
        if 0 in sizes:
            self._free(value.allocated)
            return numpy.empty(sizes, dtype)
        strides = [stride * dtype.itemsize for stride in value.strides] if rank else []
        count = 1 + sum((s - 1) * (t // dtype.itemsize) for s, t in zip(sizes, strides))
        address = value.aligned + value.offset * dtype.itemsize
        memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
        weakref.finalize(memory, self._free, value.allocated)
        return numpy.ndarray(sizes, dtype, memory, 0, strides)
