"""Where the elements of an array are, whoever made it: numpy, torch, jax, array.array...

An array is anything that has the buffer protocol, or DLPack (`__dlpack__`).
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from .errors import ManifestError
from .manifest import Entry, Shape, find_process_grid, is_row_major

#: What a buffer without an `offset` in the manifest starts at a multiple of, on GPUs.
ALIGNMENT = 16


class Array(NamedTuple):
    """The memory of an array. `owner` keeps it alive."""

    address: int
    #: The name of the element type in manifests; "ui8" and so on if it is unsigned.
    type: str
    item_bytes: int
    sizes: Tuple[int, ...]
    #: In elements.
    strides: Tuple[int, ...]
    #: "cpu", "cuda:0", ...
    device: str
    read_only: bool
    owner: Any

    def get_range(self) -> Tuple[int, int]:
        """The addresses of the first byte and of the one after the last."""
        if 0 in self.sizes:
            return self.address, self.address
        steps = [(size - 1) * stride for size, stride in zip(self.sizes, self.strides)]
        first = sum(step for step in steps if step < 0)
        last = sum(step for step in steps if step > 0)
        return (
            self.address + first * self.item_bytes,
            self.address + (last + 1) * self.item_bytes,
        )

    def get_shape(self) -> Shape:
        return Shape(
            self.sizes, self.strides, self.address % ALIGNMENT // max(self.item_bytes, 1)
        )

    def get_element(self) -> int:
        """The only element, an integer. On a GPU, this waits for what writes it."""
        value = self.owner[0] if isinstance(self.owner, tuple) else self.owner
        value = value.item() if hasattr(value, "item") else memoryview(value).tolist()
        while isinstance(value, list):
            (value,) = value
        return int(value)


_TORCH_TYPES = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
    "bool": "i1",
    "int8": "i8",
    "uint8": "ui8",
    "int16": "i16",
    "uint16": "ui16",
    "int32": "i32",
    "uint32": "ui32",
    "int64": "i64",
    "uint64": "ui64",
}


def torch_type(type_name: str) -> Any:
    """The dtype of torch for an element type of the manifest."""
    import torch

    for torch_name, name in _TORCH_TYPES.items():
        if name == type_name:
            return getattr(torch, torch_name)
    raise ManifestError(
        "expected elements of %s, got %s" % (", ".join(_TORCH_TYPES.values()), type_name)
    )


def is_torch_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _from_torch(tensor: Any) -> Array:
    name = str(tensor.dtype).replace("torch.", "")
    return Array(
        tensor.data_ptr(),
        _TORCH_TYPES.get(name, name),
        tensor.element_size(),
        tuple(tensor.shape),
        tuple(tensor.stride()),
        str(tensor.device),
        False,
        tensor,
    )


# ---------------------------------------------------------------------------
# DLPack
# ---------------------------------------------------------------------------


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_DL_DEVICES = {1: "cpu", 2: "cuda", 3: "cuda_host", 10: "rocm"}
_DL_CODES = {0: "i", 1: "ui", 2: "f", 4: "bf"}


def _from_dlpack(value: Any) -> Array:
    capsule = value.__dlpack__()
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _DLTensor.from_address(get_pointer(capsule, b"dltensor"))
    rank = tensor.ndim
    sizes = tuple(tensor.shape[i] for i in range(rank))
    type_name = _DL_CODES.get(tensor.code, "code%d_" % tensor.code) + str(tensor.bits)
    if tensor.code == 6:
        type_name = "i1"
    strides = Shape(sizes).strides
    if tensor.strides:
        strides = tuple(tensor.strides[i] for i in range(rank))
    device = _DL_DEVICES.get(tensor.device_type, "device%d" % tensor.device_type)
    if device not in ("cpu", "cuda_host"):
        device += ":%d" % tensor.device_id
    # The capsule frees the tensor when it is collected itself.
    return Array(
        (tensor.data or 0) + tensor.byte_offset,
        type_name,
        max(tensor.bits // 8, 1) * tensor.lanes,
        sizes,
        strides,
        "cpu" if device == "cuda_host" else device,
        False,
        (value, capsule),
    )


# ---------------------------------------------------------------------------
# The buffer protocol
# ---------------------------------------------------------------------------


class _PyBuffer(ctypes.Structure):
    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
        ("internal", ctypes.c_void_p),
    ]


def _from_buffer(value: Any) -> Array:
    # A memoryview has all but the address. It also keeps the buffer from moving.
    view = memoryview(value)
    raw = _PyBuffer()
    get_buffer = ctypes.pythonapi.PyObject_GetBuffer
    get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int]
    get_buffer(view, ctypes.byref(raw), 0x0018)  # PyBUF_STRIDES
    address = raw.buf or 0
    release = ctypes.pythonapi.PyBuffer_Release
    release.argtypes, release.restype = [ctypes.POINTER(_PyBuffer)], None
    release(ctypes.byref(raw))
    code = view.format.lstrip("@=<") if sys.byteorder == "little" else view.format.lstrip("@=>")
    kinds = {**dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQN", "ui")}
    kinds.update(e="f", f="f", d="f")
    type_name = "%s%d" % (kinds[code], 8 * view.itemsize) if code in kinds else view.format
    if code == "?":
        type_name = "i1"
    strides = view.strides or ()
    # Elements of numpy may have no bytes (V0).
    item_bytes = max(view.itemsize, 1)
    if any(stride % item_bytes for stride in strides):
        raise ManifestError("expected strides of whole elements, got %s bytes" % (strides,))
    return Array(
        address,
        type_name,
        view.itemsize,
        tuple(view.shape or ()),
        tuple(stride // item_bytes for stride in strides),
        "cpu",
        view.readonly,
        view,
    )


# ---------------------------------------------------------------------------
# All of them
# ---------------------------------------------------------------------------


def get_array(value: Any) -> Optional[Array]:
    """Where the elements of `value` are; None if it is no array."""
    if is_torch_tensor(value):
        return _from_torch(value)
    try:
        return _from_buffer(value)
    except (TypeError, BufferError, ValueError):
        # Numpy has no buffers of some types of others, such as bfloat16.
        pass
    if not hasattr(value, "__dlpack__"):
        return None
    try:
        return _from_dlpack(value)
    except (TypeError, BufferError, ValueError) as error:
        raise ManifestError(
            "expected an array that can be passed on, got %s of %s: %s"
            % (type(value).__name__, getattr(value, "dtype", "unknown elements"), error)
        ) from None


def get_arrays(entry: Entry, arguments: Sequence[Any]) -> List[Any]:
    """The arguments with an Array for each buffer that the function takes. Numbers, and
    what is no array, stay as they are: Entry.check refuses those."""
    described = entry.arguments + [{"kind": "scalar"}] * len(arguments)
    arrays = []
    for number, (description, value) in enumerate(zip(described, arguments)):
        array = None
        if description["kind"] == "buffer":
            try:
                array = get_array(value)
            except ManifestError as error:
                raise ManifestError(entry.where(number) + str(error)) from None
        arrays.append(value if array is None else array)
    return arrays


def _has_type(array: Array, type_name: str) -> bool:
    """Integers of MLIR have no sign; bf16 and f8 may be given as their bits."""
    names = {type_name}
    if type_name.startswith("i") and type_name != "i1":
        names.add("u" + type_name)
    if type_name == "bf16":
        names.add("ui16")
    if type_name.startswith("f8E"):
        names.add("ui8")
    return array.type in names


def get_shapes(entry: Entry, values: Sequence[Any]) -> List[Any]:
    """What Entry.plan takes for `values`, those of get_arrays that Entry.check accepts."""
    shapes = []
    for number, value in enumerate(values):
        shape = value.get_shape() if isinstance(value, Array) else value
        if number in entry.elements:
            shape.element = value.get_element()
        shapes.append(shape)
    return shapes


def check_arrays(entry: Entry, values: Sequence[Any], device: str, alignment: int) -> None:
    """Checks what Entry.check needs no memory for, sizes that must be equal and other
    conditions, and then types, devices, strides, alignments and overlaps. `values` are
    those of get_arrays."""
    entry.check([v.get_shape() if isinstance(v, Array) else v for v in values])
    # Conditions on the index of the process are for Entry.plan.
    if find_process_grid(entry.checks) is None:
        entry.check_conditions(get_shapes(entry, values))
    ranges = []
    for number, (description, array) in enumerate(zip(entry.arguments, values)):
        if description["kind"] != "buffer":
            continue
        where = entry.where(number)
        if not _has_type(array, description["type"]):
            raise ManifestError(
                where + "expected elements of %s, got %s" % (description["type"], array.type)
            )
        if array.device != device:
            raise ManifestError(where + "expected an array on %s, got one on %s"
                                % (device, array.device))
        writes = "write" in description["access"]
        if writes and array.read_only:
            raise ManifestError(where + "expected an array that can be written, got one that "
                                "is read-only")
        for dim, (size, stride) in enumerate(zip(array.sizes, array.strides)):
            if writes and size > 1 and stride == 0 and 0 not in array.sizes:
                raise ManifestError(
                    where + "expected elements that do not overlap in an array that is "
                    "written, got the stride 0 in dimension %d" % dim
                )
        if "strides" not in description and not is_row_major(array.sizes, array.strides):
            raise ManifestError(
                where + "expected a contiguous array, got the strides %s for the shape %s"
                % (list(array.strides), list(array.sizes))
            )
        offset = description.get("offset", 0)
        misaligned = offset is not None and (
            array.address - offset * array.item_bytes) % (alignment or array.item_bytes)
        if misaligned and 0 not in array.sizes:
            raise ManifestError(
                where + "expected an array aligned to %d bytes, got an address %d bytes "
                "behind that" % (alignment or array.item_bytes, misaligned)
            )
        ranges.append((*array.get_range(), writes, number))
    for begin, end, writes, number in ranges:
        for begin2, end2, _, number2 in ranges:
            if number != number2 and writes and begin < end2 and begin2 < end:
                raise ManifestError(
                    "%s: expected buffers that do not overlap, but argument %d, which is "
                    "written, overlaps argument %d" % (entry.name, number, number2)
                )
