#!/usr/bin/env python3
"""Runs what linalg-ext-compile produced for an NVIDIA GPU, from its manifest.

    from launch import load
    kernels = load("attention.json")
    kernels("attention", q, k, v, out)          # tensors of torch, on the GPU

docs/Manifest.md describes the manifest. Needs CUDA's driver (libcuda) and torch;
nothing of MLIR. Launches go to torch's current stream and return at once.

On the command line, without a GPU or torch, prints what would be launched:

    launch.py plan attention.json attention 2x8x100x64xf16 ... 0.125
"""

import ctypes
import json
import math
import os
import struct
import sys

# ---------------------------------------------------------------------------
# The manifest: no GPU and no torch needed here.
# ---------------------------------------------------------------------------


class ManifestError(Exception):
    """A manifest, or arguments, that cannot be launched; the text says why."""


def _truncating_quotient(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_OPERATORS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "ceildiv": lambda a, b: -(-a // b),
    "floordiv": lambda a, b: a // b,
    "div": _truncating_quotient,
    "mod": lambda a, b: a % b,
    "rem": lambda a, b: a - b * _truncating_quotient(a, b),
    "min": min,
    "max": max,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
}


class Shape(tuple):
    """The sizes of a buffer, its strides (row-major if they are not given), and how
    many elements its first one is behind a multiple of 16 bytes."""

    def __new__(cls, sizes, strides=None, offset=0):
        self = super().__new__(cls, sizes)
        if strides is None:
            strides, stride = [], 1
            for size in reversed(self):
                strides.insert(0, stride)
                stride *= max(size, 1)
        self.strides = tuple(strides)
        self.offset = offset
        return self


def evaluate(expression, arguments):
    """The value of an expression of the manifest.

    `arguments` are those of the entry: a Shape for a buffer, a number for a scalar.
    """
    if isinstance(expression, (int, float)):
        return expression
    if not isinstance(expression, dict) or len(expression) != 1:
        raise ManifestError("expected a number or one operator, got %r" % (expression,))
    ((operator, operands),) = expression.items()
    if operator == "dim":
        argument, dim = operands
        return arguments[argument][dim]
    if operator == "stride":
        argument, dim = operands
        return arguments[argument].strides[dim]
    if operator == "offset":
        return arguments[operands].offset
    if operator == "argument":
        return arguments[operands]
    if operator == "select":
        condition, yes, no = operands
        return evaluate(yes if evaluate(condition, arguments) else no, arguments)
    if operator not in _OPERATORS:
        raise ManifestError("expected one of %s, got %r" % (", ".join(_OPERATORS), operator))
    values = [evaluate(operand, arguments) for operand in operands]
    result = values[0]
    for value in values[1:]:
        result = _OPERATORS[operator](result, value)
    return result


class TensorMap:
    """How the hardware addresses boxes of a buffer, with all sizes known: the kind of
    the buffer, which one, its offset in bytes, and what cuTensorMapEncodeTiled takes."""

    def __init__(self, description, arguments):
        self.buffer = _buffer(description["buffer"], arguments)
        self.type = description["type"]
        self.sizes = [evaluate(e, arguments) for e in description["sizes"]]
        self.strides = [evaluate(e, arguments) for e in description["strides"]]
        self.box = description["box"]
        self.swizzle = description["swizzle"]

    def __str__(self):
        return "%s:%s sizes %s strides %s box %s swizzle %d" % (
            ":".join(map(str, self.buffer if self.buffer[-1] else self.buffer[:2])),
            self.type,
            "x".join(map(str, self.sizes)),
            "x".join(map(str, self.strides)),
            "x".join(map(str, self.box)),
            self.swizzle,
        )


def _buffer(description, arguments):
    """("argument", i), ("temporary", k) or ("constant", name), and an offset."""
    buffer = dict(description)
    offset = evaluate(buffer.pop("offset", 0), arguments)
    ((kind, which),) = buffer.items()
    return kind, which, offset


class Launch:
    """One launch with all sizes known: grid, block, shared memory, arguments.

    An argument is ("argument", i), ("temporary", k) or ("constant", name), a buffer,
    with its offset in bytes; or ("tensor_map", TensorMap); or (type, value). There are
    none if there is nothing to launch."""

    def __init__(self, launch, arguments):
        self.kernel = launch["kernel"]
        self.grid = tuple(evaluate(e, arguments) for e in launch["grid"])
        self.block = tuple(evaluate(e, arguments) for e in launch["block"])
        self.shared = evaluate(launch["shared_memory_bytes"], arguments)
        self.arguments = []
        for argument in launch["arguments"] if 0 not in self.grid else []:
            if "buffer" in argument:
                self.arguments.append(_buffer(argument["buffer"], arguments))
            elif "tensor_map" in argument:
                tensor_map = TensorMap(argument["tensor_map"], arguments)
                self.arguments.append(("tensor_map", tensor_map))
            else:
                value = evaluate(argument["value"], arguments)
                self.arguments.append((argument["type"], value))

    def __str__(self):
        return "%s grid %s block %s shared %d args %s" % (
            self.kernel,
            "x".join(map(str, self.grid)),
            "x".join(map(str, self.block)),
            self.shared,
            " ".join(
                ":".join(map(str, argument if argument[-1] else argument[:2]))
                for argument in self.arguments
            ),
        )


class Entry:
    """A function of the manifest."""

    def __init__(self, description):
        self.name = description["name"]
        self.arguments = description["arguments"]
        self.temporaries = description["temporaries"]
        self.launches = description["launches"]

    def check(self, values):
        """Checks shapes and numbers against the function's arguments."""
        if len(values) != len(self.arguments):
            raise ManifestError(
                "%s: expected %d arguments, got %d"
                % (self.name, len(self.arguments), len(values))
            )
        for number, (argument, value) in enumerate(zip(self.arguments, values)):
            where = "%s, argument %d: " % (self.name, number)
            if (argument["kind"] == "buffer") != isinstance(value, tuple):
                raise ManifestError(where + "expected a " + argument["kind"])
            if argument["kind"] != "buffer":
                continue
            shape = argument["shape"]
            if len(shape) != len(value) or any(
                size not in (None, actual) for size, actual in zip(shape, value)
            ):
                raise ManifestError(
                    where
                    + "expected the shape %s, got %s"
                    % (
                        "x".join("?" if s is None else str(s) for s in shape),
                        "x".join(map(str, value)),
                    )
                )
            # An argument without strides is dense: Kernels checks that.
            for dim, stride in enumerate(argument.get("strides") or ()):
                if stride not in (None, value.strides[dim]) and value[dim] > 1:
                    raise ManifestError(
                        where
                        + "expected the stride %d in dimension %d, got %d"
                        % (stride, dim, value.strides[dim])
                    )

    def plan(self, values):
        """The shapes of the temporary buffers, and the launches, for arguments of
        these shapes (Shape, or tuples of dense buffers) and numbers."""
        values = [
            Shape(value) if type(value) is tuple else value for value in values
        ]
        self.check(values)
        temporaries = [
            tuple(evaluate(size, values) for size in temporary["shape"])
            for temporary in self.temporaries
        ]
        return temporaries, [Launch(launch, values) for launch in self.launches]


def read_manifest(path):
    with open(path, encoding="utf-8") as file:
        manifest = json.load(file)
    if manifest.get("version") not in (2, 3) or manifest.get("target") != "nvidia":
        raise ManifestError(
            "expected a manifest of version 2 or 3 for the target nvidia, got version %r, %r"
            % (manifest.get("version"), manifest.get("target"))
        )
    return manifest


# ---------------------------------------------------------------------------
# The driver
# ---------------------------------------------------------------------------

# Enumerators of cuda.h.
_MAX_THREADS_PER_BLOCK = 1
_MAX_GRID_DIMS = (5, 6, 7)
_MAX_SHARED_MEMORY_OPTIN = 97
FUNC_MAX_DYNAMIC_SHARED_SIZE = 8
_JIT_ERROR_LOG_BUFFER = 5
_JIT_ERROR_LOG_BUFFER_SIZE = 6
_TENSOR_MAP_TYPES = {
    "i8": 0,
    "i16": 1,
    "i32": 3,
    "i64": 5,
    "f16": 6,
    "f32": 7,
    "f64": 8,
    "bf16": 9,
}
_TENSOR_MAP_SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
# The size and the alignment of a CUtensorMap.
_TENSOR_MAP_BYTES, _TENSOR_MAP_ALIGNMENT = 128, 64


class DriverError(Exception):
    """An error of CUDA's driver."""


class Driver:
    """The functions of libcuda that are needed, with errors as exceptions."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)

    def call(self, name, *arguments, context=None):
        """Calls a function of the driver; an error names it and the context."""
        status = getattr(self.lib, name)(*arguments)
        if status == 0:
            return
        text = ctypes.c_char_p()
        self.lib.cuGetErrorString(status, ctypes.byref(text))
        message = text.value.decode() if text.value else "error %d" % status
        where = "" if context is None else " (%s)" % context
        raise DriverError("%s: %s%s" % (name, message, where))

    def use_primary_context(self, device):
        """Makes torch's context current, which torch does lazily."""
        context = ctypes.c_void_p()
        self.call("cuCtxGetCurrent", ctypes.byref(context))
        if not context:
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
            self.call("cuCtxSetCurrent", context)

    def attribute(self, attribute, device):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
        return value.value

    def load_module(self, image):
        """Loads a cubin, or PTX, which the driver compiles."""
        log = ctypes.create_string_buffer(1 << 14)
        options = (ctypes.c_int * 2)(_JIT_ERROR_LOG_BUFFER, _JIT_ERROR_LOG_BUFFER_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        module = ctypes.c_void_p()
        try:
            self.call(
                "cuModuleLoadDataEx", ctypes.byref(module), image, 2, options, values
            )
        except DriverError as error:
            raise DriverError("%s\n%s" % (error, log.value.decode())) from None
        return module

    def get_function(self, module, name):
        function = ctypes.c_void_p()
        self.call(
            "cuModuleGetFunction",
            ctypes.byref(function),
            module,
            name.encode(),
            context=name,
        )
        return function


    def encode_tensor_map(self, tensor_map, pointer):
        """The kernel parameter for a tensor map of the buffer at `pointer`."""
        if tensor_map.type not in _TENSOR_MAP_TYPES:
            raise ManifestError(
                "expected a tensor map of %s, got %s"
                % (", ".join(_TENSOR_MAP_TYPES), tensor_map.type)
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


def _scalar(type_name, value):
    """A kernel parameter of that type."""
    if type_name == "i1":
        type_name = "i8"
    if type_name in ("f16", "bf16"):
        if type_name == "f16":
            bits = struct.pack("<e", value)
        else:
            # To the nearest, ties to even.
            (word,) = struct.unpack("<I", struct.pack("<f", value))
            if not math.isnan(value):
                word += 0x7FFF + ((word >> 16) & 1)
            bits = struct.pack("<H", (word >> 16) & 0xFFFF)
        return ctypes.c_uint16(struct.unpack("<H", bits)[0])
    types = {
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


# ---------------------------------------------------------------------------
# Kernels
# ---------------------------------------------------------------------------


def torch_type(type_name):
    """The dtype of torch for an element type of the manifest."""
    import torch

    names = {
        "f16": "float16",
        "bf16": "bfloat16",
        "f32": "float32",
        "f64": "float64",
        "f8E4M3FN": "float8_e4m3fn",
        "f8E5M2": "float8_e5m2",
        "i1": "bool",
        "i8": "int8",
        "i16": "int16",
        "i32": "int32",
        "i64": "int64",
    }
    if type_name not in names:
        raise ManifestError(
            "expected elements of %s, got %s" % (", ".join(names), type_name)
        )
    return getattr(torch, names[type_name])


class Kernels:
    """The functions of a manifest, ready to run on the current device."""

    ALIGNMENT = 16

    def __init__(self, path):
        import torch

        self.manifest = read_manifest(path)
        self.entries = {e["name"]: Entry(e) for e in self.manifest["entries"]}
        if self.manifest["image"] is None:
            raise ManifestError("%s names no image" % path)
        torch.cuda.init()
        self.device = torch.cuda.current_device()
        torch.empty(1, device="cuda")
        self.driver = Driver()
        self.driver.use_primary_context(self.device)
        directory = os.path.dirname(os.path.abspath(path))
        with open(os.path.join(directory, self.manifest["image"]), "rb") as file:
            self.module = self.driver.load_module(file.read() + b"\0")
        self.constants = None
        if self.manifest.get("constants_image"):
            name = os.path.join(directory, self.manifest["constants_image"])
            with open(name, "rb") as file:
                data = bytearray(file.read() or b"\0")
            self.constants = torch.frombuffer(data, dtype=torch.uint8).to(
                self._device_name()
            )
        self.functions = {}
        self.limits = {
            "grid": [self.driver.attribute(a, self.device) for a in _MAX_GRID_DIMS],
            "threads": self.driver.attribute(_MAX_THREADS_PER_BLOCK, self.device),
            "shared": self.driver.attribute(_MAX_SHARED_MEMORY_OPTIN, self.device),
        }

    def __call__(self, entry, *arguments):
        """Runs the function `entry` on tensors and numbers, on the current stream.

        Tensors are on this device; dense, row-major and at a multiple of 16 bytes,
        unless the manifest has strides or an offset for them. A tensor that is
        written must not overlap another.
        """
        self.prepare(entry, *arguments)()

    def prepare(self, entry, *arguments):
        """Checks arguments as __call__ does, and returns a function that launches
        with them, on the stream that is current then, as often as it is called:
        what to measure. It keeps the temporary buffers."""
        import torch

        if entry not in self.entries:
            raise ManifestError(
                "expected one of %s, got %s" % (", ".join(self.entries), entry)
            )
        entry = self.entries[entry]
        values = [
            Shape(
                a.shape, a.stride(), a.data_ptr() % self.ALIGNMENT // a.element_size()
            )
            if isinstance(a, torch.Tensor)
            else a
            for a in arguments
        ]
        shapes, launches = entry.plan(values)
        self._check_tensors(entry, arguments)
        self.driver.use_primary_context(self.device)
        # When they are freed, torch's allocator hands them out again only behind
        # these launches, in the order of the stream.
        temporaries = [
            torch.empty(
                shape, dtype=torch_type(temporary["type"]), device=self._device_name()
            )
            for shape, temporary in zip(shapes, entry.temporaries)
        ]
        prepared = [
            self._prepare_launch(
                launch, self._get_pointers(entry, arguments), temporaries
            )
            for launch in launches
            if 0 not in launch.grid
        ]

        def run():
            self._launch(prepared)

        run.keep = (arguments, temporaries)
        run.launches = prepared
        return run

    def prepare_each(self, entry, *arguments):
        """The launches of the function, each with a function that does it alone: to
        measure where its time goes. What they compute is not meant to be read: temporaries
        share memory, and hold what the whole has left in them."""
        whole = self.prepare(entry, *arguments)

        def prepare_one(launch):
            def run():
                self._launch([launch])

            run.keep = whole
            return run

        whole()
        return [(launch[0], prepare_one(launch)) for launch in whole.launches]

    def _launch(self, prepared):
        import torch

        stream = torch.cuda.current_stream(self.device).cuda_stream
        for launch, function, pointers, _ in prepared:
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

    def _device_name(self):
        return "cuda:%d" % self.device

    def _get_pointers(self, entry, arguments):
        """What kernels take for the tensors: their first element, less an offset."""
        pointers = {}
        for number, (description, tensor) in enumerate(zip(entry.arguments, arguments)):
            if description["kind"] != "buffer":
                continue
            pointer = tensor.data_ptr()
            offset = description.get("offset", 0)
            if offset is None:
                pointer -= pointer % self.ALIGNMENT
            else:
                pointer -= offset * tensor.element_size()
            pointers[number] = pointer
        return pointers

    def _check_tensors(self, entry, arguments):
        ranges = []
        for number, (description, tensor) in enumerate(zip(entry.arguments, arguments)):
            if description["kind"] != "buffer":
                continue
            where = "%s, argument %d: " % (entry.name, number)
            if tensor.dtype != torch_type(description["type"]):
                raise ManifestError(
                    where + "expected %s, got %s" % (description["type"], tensor.dtype)
                )
            if not tensor.is_cuda or tensor.device.index != self.device:
                raise ManifestError(
                    where
                    + "expected a tensor on %s, got one on %s"
                    % (self._device_name(), tensor.device)
                )
            if "strides" not in description and not tensor.is_contiguous():
                raise ManifestError(where + "expected a contiguous tensor")
            offset = description.get("offset", 0)
            before = 0 if offset is None else offset * tensor.element_size()
            misaligned = (tensor.data_ptr() - before) % self.ALIGNMENT
            if offset is not None and misaligned:
                raise ManifestError(
                    where + "expected a tensor aligned to %d bytes" % self.ALIGNMENT
                )
            begin = tensor.data_ptr()
            last = sum(
                (size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride())
            )
            extent = last + 1 if tensor.numel() else 0
            end = begin + extent * tensor.element_size()
            ranges.append((begin, end, "write" in description["access"], number))
        for begin, end, writes, number in ranges:
            for begin2, end2, _, number2 in ranges:
                if number != number2 and writes and begin < end2 and begin2 < end:
                    raise ManifestError(
                        "%s: argument %d, which is written, overlaps argument %d"
                        % (entry.name, number, number2)
                    )

    def _function(self, name, shared):
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

    def _prepare_launch(self, launch, arguments, temporaries):
        """(launch, its function, pointers to its parameters, the parameters);
        `arguments` are pointers."""
        for axis, size, limit in zip("xyz", launch.grid, self.limits["grid"]):
            if size > limit:
                raise ManifestError(
                    "%s: expected a grid of at most %d in %s, got %d"
                    % (launch.kernel, limit, axis, size)
                )
        if math.prod(launch.block) > self.limits["threads"]:
            raise ManifestError(
                "%s: expected at most %d threads per block, got %d"
                % (launch.kernel, self.limits["threads"], math.prod(launch.block))
            )
        if launch.shared > self.limits["shared"]:
            raise ManifestError(
                "%s: expected at most %d bytes of shared memory per block, got %d"
                % (launch.kernel, self.limits["shared"], launch.shared)
            )
        function = self._function(launch.kernel, launch.shared)

        def get_address(kind, which, offset):
            if kind == "argument":
                return arguments[which] + offset
            if kind == "temporary":
                return temporaries[which].data_ptr() + offset
            start = self.manifest["constants"][which]["offset"]
            return self.constants.data_ptr() + start + offset

        parameters = []
        for argument in launch.arguments:
            if argument[0] in ("argument", "temporary", "constant"):
                parameters.append(ctypes.c_void_p(get_address(*argument)))
            elif argument[0] == "tensor_map":
                address = get_address(*argument[1].buffer)
                parameters.append(self.driver.encode_tensor_map(argument[1], address))
            else:
                parameters.append(_scalar(*argument))
        pointers = (ctypes.c_void_p * max(1, len(parameters)))(
            *(ctypes.addressof(parameter) for parameter in parameters)
        )
        return launch, function, pointers, parameters


def load(path):
    """Loads a manifest and the code that it names; see Kernels."""
    return Kernels(path)


class Recorded:
    """`calls` calls of `function`, which launches on torch's current stream, as a CUDA
    graph: their time has nothing of what the host takes to launch."""

    def __init__(self, function, calls):
        import torch

        self.calls = calls
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

    def time_ms(self, replays=1):
        """The time of a call in milliseconds, the mean over all of `replays`."""
        import torch

        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(replays):
            self.graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / (replays * self.calls)


def time_ms(function, batches=5, milliseconds=100.0):
    """The median over `batches` of the time of one call of `function`, in
    milliseconds on the GPU; a batch takes about `milliseconds`."""
    recorded = Recorded(function, 20)
    once = 20 * recorded.time_ms()
    replays = max(1, round(milliseconds / max(once, 1e-3)))
    return sorted(recorded.time_ms(replays) for _ in range(batches))[batches // 2]


# ---------------------------------------------------------------------------
# Command line
# ---------------------------------------------------------------------------


def _parse_argument(text):
    """"4x?..." is no number: a shape with an element type, else a number."""
    parts = text.split("x")
    if parts[-1] and not parts[-1][0].isdigit() and parts[-1][0] in "fbi":
        return tuple(int(part) for part in parts[:-1])
    return float(text) if "." in text or "e" in text else int(text)


def main(arguments):
    if len(arguments) < 3 or arguments[0] != "plan":
        sys.exit(__doc__)
    try:
        entries = {e["name"]: Entry(e) for e in read_manifest(arguments[1])["entries"]}
        if arguments[2] not in entries:
            raise ManifestError(
                "expected one of %s, got %s" % (", ".join(entries), arguments[2])
            )
        temporaries, launches = entries[arguments[2]].plan(
            [_parse_argument(text) for text in arguments[3:]]
        )
    except ManifestError as error:
        sys.exit("launch.py: error: %s" % error)
    for number, shape in enumerate(temporaries):
        print("temporary %d: %s" % (number, "x".join(map(str, shape))))
    for launch in launches:
        print(launch)


if __name__ == "__main__":
    main(sys.argv[1:])
