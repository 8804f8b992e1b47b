"""Kernels for NVIDIA GPUs, launched by CUDA's driver (libcuda) on memory of torch."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import math
import os
import struct
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from .arrays import (
    ALIGNMENT,
    Array,
    check_arrays,
    get_arrays,
    get_shapes,
    is_torch_tensor,
    torch_type,
)
from .errors import DriverError, ManifestError
from .collectives import Collectives
from .manifest import Collective, Entry, Launch, Manifest, TensorMap
from .program import Program

# Enumerators of cuda.h.
_MAX_THREADS_PER_BLOCK = 1
_MAX_GRID_DIMS = (5, 6, 7)
_MULTIPROCESSOR_COUNT = 16
_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81
_MAX_SHARED_MEMORY_OPTIN = 97
_RESERVED_SHARED_MEMORY_PER_BLOCK = 111
_FUNC_SHARED_SIZE = 1
FUNC_MAX_DYNAMIC_SHARED_SIZE = 8
_JIT_ERROR_LOG_BUFFER = 5
_JIT_ERROR_LOG_BUFFER_SIZE = 6
_TENSOR_MAP_TYPES = {
    "i8": 0,
    # Copies keep the bits.
    "f8E4M3FN": 0,
    "f8E5M2": 0,
    "i16": 1,
    "i32": 3,
    "i64": 5,
    "f16": 6,
    "f32": 7,
    "f64": 8,
    "bf16": 9,
}
_TENSOR_MAP_SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
# Kernels count in 32 bits up to such a size (docs/Manifest.md): 2^31 - 2^16.
_MAX_TENSOR_MAP_SIZE = 2147418112
# The size and the alignment of a CUtensorMap.
_TENSOR_MAP_BYTES, _TENSOR_MAP_ALIGNMENT = 128, 64
_CLUSTER_DIMENSION, _PROGRAMMATIC_STREAM_SERIALIZATION = 4, 6
# The shared memory of a workgroup is a multiple of this.
_SHARED_MEMORY_UNIT = 128
# From this version on, graphs record launches that begin early (12.3).
_EARLY_LAUNCHES_VERSION = 12030


class _LaunchAttribute(ctypes.Structure):
    """A CUlaunchAttribute with up to three integers."""

    _fields_ = [
        ("id", ctypes.c_int),
        ("padding", ctypes.c_int),
        ("values", ctypes.c_uint * 3),
        ("rest", ctypes.c_char * 52),
    ]


class _LaunchConfig(ctypes.Structure):
    """A CUlaunchConfig."""

    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_LaunchAttribute)),
        ("count", ctypes.c_uint),
    ]


_BEGINS_EARLY = _LaunchAttribute(_PROGRAMMATIC_STREAM_SERIALIZATION, 0, (1, 0, 0))


class Driver:
    """The functions of libcuda that are needed, with errors as exceptions."""

    def __init__(self) -> None:
        try:
            self.lib = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DriverError("expected CUDA's driver: %s" % error) from None
        self.call("cuInit", 0)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        # Whether kernels that wait for earlier launches may begin in front of
        # their end.
        self.launches_with_attributes: bool = hasattr(self.lib, "cuLaunchKernelEx")
        self.launches_early: bool = (
            self.launches_with_attributes and version.value >= _EARLY_LAUNCHES_VERSION
        )
        self._get_current = self.lib.cuCtxGetCurrent
        self._primary: Dict[int, ctypes.c_void_p] = {}

    def call(self, name: str, *arguments: Any, context: Any = None) -> None:
        """Calls a function of the driver; an error names it and the context."""
        status = getattr(self.lib, name)(*arguments)
        if status == 0:
            return
        text = ctypes.c_char_p()
        self.lib.cuGetErrorString(status, ctypes.byref(text))
        message = text.value.decode() if text.value else "error %d" % status
        where = "" if context is None else " (%s)" % context
        raise DriverError("%s: %s%s" % (name, message, where))

    def use_primary_context(self, device: int) -> Optional[ctypes.c_void_p]:
        """Makes the context of torch on `device` that of this thread. Returns the one that
        was there, null in a thread in which torch has done nothing yet; None if it was
        the same, which takes a third of a microsecond."""
        primary = self._primary.get(device)
        if primary is None:
            primary = ctypes.c_void_p()
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(primary), device)
            self._primary[device] = primary
        context = ctypes.c_void_p()
        if self._get_current(ctypes.byref(context)) != 0:
            self.call("cuCtxGetCurrent", ctypes.byref(context))
        if context.value == primary.value:
            return None
        self.call("cuCtxSetCurrent", primary)
        return context

    def restore_context(self, context: Optional[ctypes.c_void_p]) -> None:
        """Gives the thread the context back that `use_primary_context` returned, also if it
        had none: torch's runtime is on device 0 then."""
        if context is not None:
            self.call("cuCtxSetCurrent", context)

    @contextlib.contextmanager
    def on_device(self, device: int) -> Iterator[None]:
        """With the context of torch on `device`."""
        context = self.use_primary_context(device)
        try:
            yield
        finally:
            self.restore_context(context)

    def attribute(self, attribute: int, device: int) -> int:
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
        return value.value

    def load_module(self, image: bytes) -> ctypes.c_void_p:
        """Loads a cubin, or PTX, which the driver compiles."""
        log = ctypes.create_string_buffer(1 << 14)
        options = (ctypes.c_int * 2)(_JIT_ERROR_LOG_BUFFER, _JIT_ERROR_LOG_BUFFER_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        module = ctypes.c_void_p()
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), image, 2, options, values)
        except DriverError as error:
            raise DriverError("%s\n%s" % (error, log.value.decode())) from None
        return module

    def get_function(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        function = ctypes.c_void_p()
        self.call(
            "cuModuleGetFunction",
            ctypes.byref(function),
            module,
            name.encode(),
            context=name,
        )
        return function

    def encode_tensor_map(self, tensor_map: TensorMap, pointer: int) -> Any:
        """The kernel parameter for a tensor map of the buffer at `pointer`."""
        if tensor_map.type not in _TENSOR_MAP_TYPES:
            raise ManifestError(
                "expected a tensor map of %s, got %s"
                % (", ".join(_TENSOR_MAP_TYPES), tensor_map.type)
            )
        if max(tensor_map.sizes) > _MAX_TENSOR_MAP_SIZE:
            raise ManifestError(
                "expected sizes of at most %d in a tensor map, got %s"
                % (_MAX_TENSOR_MAP_SIZE, tensor_map.sizes)
            )
        rank = len(tensor_map.sizes)
        memory = (ctypes.c_uint8 * (_TENSOR_MAP_BYTES + _TENSOR_MAP_ALIGNMENT))()
        start = -ctypes.addressof(memory) % _TENSOR_MAP_ALIGNMENT
        result = (ctypes.c_uint8 * _TENSOR_MAP_BYTES).from_buffer(memory, start)
        self.call(
            "cuTensorMapEncodeTiled",
            result,
            _TENSOR_MAP_TYPES[tensor_map.type],
            rank,
            ctypes.c_void_p(pointer),
            (ctypes.c_uint64 * rank)(*tensor_map.sizes),
            (ctypes.c_uint64 * rank)(*tensor_map.strides),
            (ctypes.c_uint32 * rank)(*tensor_map.box),
            (ctypes.c_uint32 * rank)(*([1] * rank)),
            0,  # not interleaved
            _TENSOR_MAP_SWIZZLES[tensor_map.swizzle],
            0,  # no promotion in the L2 cache
            0,  # what is out of bounds is 0
            context=tensor_map,
        )
        return result


def _pack_float(form: str, value: float) -> bytes:
    """The bytes of `value` as struct packs it; of infinity if it is too large."""
    try:
        return struct.pack(form, value)
    except OverflowError:
        return struct.pack(form, math.copysign(math.inf, value))


def make_scalar(type_name: str, value: Union[int, float]) -> Any:
    """A kernel parameter of that type."""
    value = float(value) if type_name[0] in "fb" else int(value)
    if type_name == "i1":
        type_name = "i8"
    if type_name in ("f16", "bf16"):
        if type_name == "f16":
            bits = _pack_float("<e", value)
        else:
            # To the nearest, ties to even.
            (word,) = struct.unpack("<I", _pack_float("<f", value))
            if not math.isnan(value):
                word += 0x7FFF + ((word >> 16) & 1)
            bits = struct.pack("<H", (word >> 16) & 0xFFFF)
        return ctypes.c_uint16(struct.unpack("<H", bits)[0])
    types: Dict[str, Any] = {
        "f32": ctypes.c_float,
        "f64": ctypes.c_double,
        "i8": ctypes.c_int8,
        "i16": ctypes.c_int16,
        "i32": ctypes.c_int32,
        "i64": ctypes.c_int64,
    }
    if type_name not in types:
        raise ManifestError(
            "expected a scalar of %s, f16 or bf16, got %s" % (", ".join(types), type_name)
        )
    return types[type_name](value)


# (launch, its function, pointers to its parameters, the parameters); of a collective
# operation, a function to call is second.
_Prepared = Tuple[Union[Launch, Collective], Any, Any, List[Any]]


class Kernels(Program):
    """The functions of a manifest, ready to run on the current device. They take
    tensors of torch on that device, and other arrays on it that have DLPack. Launches go
    to torch's current stream and return at once."""

    def __init__(
        self,
        manifest: Manifest,
        collectives: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> None:
        import torch

        super().__init__(manifest)
        self.collectives = None if collectives is None else Collectives(collectives)
        if manifest.image is None:
            raise ManifestError("%s: expected an image, found none" % manifest.path)
        torch.cuda.init()
        self._device_number: int = torch.cuda.current_device()
        self.device = "cuda:%d" % self._device_number
        torch.empty(1, device="cuda")
        self.driver = Driver()
        self.driver.use_primary_context(self._device_number)
        with open(manifest.image, "rb") as file:
            self.module = self.driver.load_module(file.read() + b"\0")
        self.constants = None
        if manifest.constants_image:
            with open(manifest.constants_image, "rb") as file:
                data = bytearray(file.read() or b"\0")
            self.constants = torch.frombuffer(data, dtype=torch.uint8).to(self.device)
        self.functions: Dict[str, Tuple[ctypes.c_void_p, int]] = {}
        attribute = self.driver.attribute
        self._max_grid = [attribute(a, self._device_number) for a in _MAX_GRID_DIMS]
        self._max_threads = attribute(_MAX_THREADS_PER_BLOCK, self._device_number)
        self._max_shared = attribute(_MAX_SHARED_MEMORY_OPTIN, self._device_number)
        self._processors = attribute(_MULTIPROCESSOR_COUNT, self._device_number)
        self._processor_shared = attribute(
            _MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, self._device_number
        )
        self._reserved_shared = attribute(
            _RESERVED_SHARED_MEMORY_PER_BLOCK, self._device_number
        )

    def check(self, entry: str, *arguments: Any) -> None:
        described = self.manifest.get_entry(entry)
        check_arrays(described, self._get_arrays(described, arguments), self.device, ALIGNMENT)

    @staticmethod
    def _get_arrays(entry: Entry, arguments: Sequence[Any]) -> List[Any]:
        """The arguments, with an Array for each buffer."""
        import torch

        def to_torch(value: Any) -> Any:
            # The producer orders the stream that writes it before torch's.
            foreign = hasattr(value, "__dlpack__") and not is_torch_tensor(value)
            on_gpu = foreign and value.__dlpack_device__()[0] == 2
            return torch.from_dlpack(value) if on_gpu else value

        return get_arrays(entry, [to_torch(value) for value in arguments])

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], None]:
        """Checks the arguments, and returns a function that launches with them, on the
        stream that is current then, as often as it is called. It keeps the temporary
        buffers.

        Tensors are on this device; dense, row-major and at a multiple of 16 bytes,
        unless the manifest has strides or an offset for them. A tensor that is
        written must not overlap another. Loops are unrolled here. If an argument of one
        integer says how often they run, it is read here, once: later calls launch as
        often.
        """
        import torch

        described = self.manifest.get_entry(entry)
        values = self._get_arrays(described, arguments)
        plan = None
        # What the elements or the process decide is planned behind the checks.
        if described.grid is None and not described.elements:
            plan = described.find_plan(get_shapes(described, values))
        check_arrays(described, values, self.device, ALIGNMENT, has_plan=plan is not None)
        if plan is None:
            process = None
            if described.grid is not None:
                collectives = self._get_collectives(described.name)
                process = collectives.get_process_index(described.grid)
            plan = described.plan(get_shapes(described, values), process)
        sizes, launches = plan
        # When they are freed, torch's allocator hands them out again only behind
        # these launches, in the order of the stream.
        temporaries = [
            torch.empty(shape, dtype=torch_type(temporary["type"]), device=self.device)
            for shape, temporary in zip(sizes, described.temporaries)
        ]
        pointers = self._get_pointers(described, values)
        with self.driver.on_device(self._device_number):
            prepared = [
                self._prepare_launch(launch, pointers, temporaries, described.name)
                for launch in launches
                if isinstance(launch, Collective) or 0 not in launch.grid
            ]

        def run() -> None:
            self._launch(prepared)

        run.keep = (arguments, values, temporaries)  # type: ignore[attr-defined]
        run.launches = prepared  # type: ignore[attr-defined]
        return run

    def prepare_each(
        self, entry: str, *arguments: Any
    ) -> List[Tuple[Launch, Callable[[], None]]]:
        """The launches of the function, each with a function that does it alone: to
        measure where its time goes. What they compute is not meant to be read: temporaries
        share memory, and hold what the whole has left in them."""
        whole = self.prepare(entry, *arguments)

        def prepare_one(launch: _Prepared) -> Callable[[], None]:
            def run() -> None:
                self._launch([launch])

            run.keep = whole  # type: ignore[attr-defined]
            return run

        whole()
        launches: List[_Prepared] = whole.launches  # type: ignore[attr-defined]
        return [
            (launch[0], prepare_one(launch))
            for launch in launches
            if isinstance(launch[0], Launch)
        ]

    def _get_collectives(self, entry: str) -> Collectives:
        if self.collectives is None:
            raise DriverError(
                "%s: expected a library of collective operations, which a program of "
                "several processes calls (load(..., collectives=...)), got none" % entry
            )
        return self.collectives

    def _launch(self, prepared: Sequence[_Prepared]) -> None:
        import torch

        stream = torch.cuda.current_stream(self._device_number).cuda_stream
        context = self.driver.use_primary_context(self._device_number)
        try:
            for launch, function, pointers, _ in prepared:
                if isinstance(launch, Collective):
                    assert self.collectives is not None
                    self.collectives.set_stream(stream)
                    function()
                    continue
                attributes = []
                if launch.waits and self.driver.launches_early:
                    attributes.append(_BEGINS_EARLY)
                if launch.cluster != (1, 1, 1):
                    attributes.append(_LaunchAttribute(_CLUSTER_DIMENSION, 0, launch.cluster))
                if attributes:
                    if not self.driver.launches_with_attributes:
                        raise DriverError(
                            "%s: expected a driver with clusters, CUDA 12 or later" % launch
                        )
                    count = len(attributes)
                    config = _LaunchConfig(
                        launch.grid,
                        launch.block,
                        launch.shared,
                        stream,
                        (_LaunchAttribute * count)(*attributes),
                        count,
                    )
                    self.driver.call(
                        "cuLaunchKernelEx",
                        ctypes.byref(config),
                        function,
                        pointers,
                        None,
                        context=launch,
                    )
                    continue
                self.driver.call(
                    "cuLaunchKernel",
                    function,
                    *launch.grid,
                    *launch.block,
                    launch.shared,
                    ctypes.c_void_p(stream),
                    pointers,
                    None,
                    context=launch,
                )
        finally:
            self.driver.restore_context(context)

    @staticmethod
    def _get_pointers(entry: Entry, values: Sequence[Any]) -> Dict[int, int]:
        """What kernels take for the tensors: their first element, less an offset."""
        pointers = {}
        for number, (description, array) in enumerate(zip(entry.arguments, values)):
            if description["kind"] != "buffer":
                continue
            pointer = array.address
            offset = description.get("offset", 0)
            if offset is None:
                pointer -= pointer % ALIGNMENT
            else:
                pointer -= offset * array.item_bytes
            pointers[number] = pointer
        return pointers

    def _function(self, name: str, shared: int) -> ctypes.c_void_p:
        """The kernel, allowed so much dynamic shared memory."""
        function, allowed = self.functions.get(name, (None, 0))
        if function is None:
            function = self.driver.get_function(self.module, name)
        if shared > allowed:
            self.driver.call(
                "cuFuncSetAttribute",
                function,
                FUNC_MAX_DYNAMIC_SHARED_SIZE,
                shared,
                context="%s: %d bytes of shared memory" % (name, shared),
            )
            allowed = shared
        self.functions[name] = (function, allowed)
        return function

    def _get_shared(self, launch: Launch, function: ctypes.c_void_p) -> int:
        """The dynamic shared memory that a launch asks for: so much that a processor has no
        room for more workgroups than in an even distribution, if the launch says so."""
        workgroups = math.prod(launch.grid)
        most = -(-workgroups // self._processors)
        if most > launch.workgroups_per_processor or not self.driver.launches_early:
            return launch.shared
        # A short launch would keep those behind it from its processors.
        if launch.shared == 0 and 2 * workgroups <= self._processors:
            return launch.shared
        fixed = ctypes.c_int()
        self.driver.call(
            "cuFuncGetAttribute",
            ctypes.byref(fixed),
            _FUNC_SHARED_SIZE,
            function,
            context=launch.kernel,
        )
        unit = _SHARED_MEMORY_UNIT
        others = -(-fixed.value // unit) * unit + self._reserved_shared
        # The least with which one more has no room.
        room = self._processor_shared // (most + 1) - others
        shared = max(room, 0) // unit * unit + unit
        fits = (
            shared + fixed.value <= self._max_shared
            and most * (shared + others) <= self._processor_shared
        )
        return max(shared, launch.shared) if fits else launch.shared

    def _prepare_launch(
        self,
        launch: Union[Launch, Collective],
        pointers: Dict[int, int],
        temporaries: Sequence[Any],
        entry: str = "",
    ) -> _Prepared:
        def get_address(kind: str, which: Any, offset: int) -> int:
            if kind == "argument":
                return pointers[which] + offset
            if kind == "temporary":
                return int(temporaries[which].data_ptr()) + offset
            assert self.constants is not None
            start: int = self.manifest.constants[which]["offset"]
            return int(self.constants.data_ptr()) + start + offset

        if isinstance(launch, Collective):
            run = self._get_collectives(entry).prepare(
                launch, lambda buffer: get_address(*buffer)
            )
            return launch, run, None, []
        for axis, size, limit in zip("xyz", launch.grid, self._max_grid):
            if size > limit:
                raise ManifestError(
                    "%s: expected a grid of at most %d in %s, got %d"
                    % (launch.kernel, limit, axis, size)
                )
        if math.prod(launch.block) > self._max_threads:
            raise ManifestError(
                "%s: expected at most %d threads per block, got %d"
                % (launch.kernel, self._max_threads, math.prod(launch.block))
            )
        if launch.shared > self._max_shared:
            raise ManifestError(
                "%s: expected at most %d bytes of shared memory per block, got %d"
                % (launch.kernel, self._max_shared, launch.shared)
            )
        function = self._function(launch.kernel, launch.shared)
        shared = self._get_shared(launch, function)
        if shared != launch.shared:
            function = self._function(launch.kernel, shared)
            # Other devices may share the plan.
            launch = copy.copy(launch)
            launch.shared = shared
        parameters: List[Any] = []
        for argument in launch.arguments:
            if argument[0] in ("argument", "temporary", "constant"):
                parameters.append(ctypes.c_void_p(get_address(*argument)))
            elif argument[0] == "tensor_map":
                address = get_address(*argument[1].buffer)
                parameters.append(self.driver.encode_tensor_map(argument[1], address))
            else:
                parameters.append(make_scalar(*argument))
        addresses = (ctypes.c_void_p * max(1, len(parameters)))(
            *(ctypes.addressof(parameter) for parameter in parameters)
        )
        return launch, function, addresses, parameters
