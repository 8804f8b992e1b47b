"""A contestant of bench/cpu/blocks, in a process of its own.

usage: block.py export BLOCK PROGRAM FOLDER SEED
       block.py ours|torch|onnxruntime BLOCK LIBRARY FOLDER

`export` draws the arguments of PROGRAM and writes to FOLDER what the others read: the
arguments, the result in f64, and the block as ONNX, whose inputs are those that are no
weights. The others answer lines: `run` times one call and prints the seconds, of CPU time
or, with PEER_WALL in the environment, of the clock on the wall; `check` prints how far the
result is from that in f64, of its largest element.
"""

import ctypes
import importlib.machinery
import importlib.util
import json
import os
import re
import sys
import time
import types

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = ("x", "cos", "sin", "mask")


def load_case(name):
    path = os.path.join(os.path.dirname(HERE), "gpu", "programs")
    loader = importlib.machinery.SourceFileLoader("programs", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("programs", loader))
    loader.exec_module(module)
    return module, module.CASES["block-" + name]()


def read(folder):
    """The arguments, by name, in their order."""
    with open(os.path.join(folder, "arguments.json")) as file:
        shapes = json.load(file)
    return {
        name: np.fromfile(os.path.join(folder, name + ".bin"), np.float32).reshape(shape)
        for name, shape in shapes.items()
    }


def export(name, program, folder, seed):
    import torch

    with open(program) as file:
        text = file.read()
    signature = text[text.index("func.func") :].split("->")[0]
    shapes = {
        argument: [int(size) for size in shape.split("x")]
        for argument, shape in re.findall(r"%(\w+): tensor<([\dx]+)xf32>", signature)
    }
    programs, case = load_case(name)
    torch.manual_seed(seed)
    drawn = {
        argument: programs.draw(
            torch, lambda _: torch.float32, case, argument, {"shape": shape, "type": "f32"}, "cpu"
        )
        for argument, shape in shapes.items()
    }
    for argument, value in drawn.items():
        value.contiguous().numpy().tofile(os.path.join(folder, argument + ".bin"))
    with open(os.path.join(folder, "arguments.json"), "w") as file:
        json.dump(shapes, file)

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for argument, value in drawn.items():
                if argument not in INPUTS:
                    self.register_buffer(argument, value)

        def forward(self, *inputs):
            given = dict(zip(names, inputs))
            values = {n: given[n] if n in given else getattr(self, n) for n in drawn}
            return case.steps(torch, types.SimpleNamespace(**values))

    def tanh_gelu(x, approximate="none"):
        if approximate == "none":
            return torch_gelu(x)
        return 0.5 * x * (1 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x**3)))

    names = [argument for argument in drawn if argument in INPUTS]
    # Older versions cannot export the tanh form.
    torch_gelu, torch.nn.functional.gelu = torch.nn.functional.gelu, tanh_gelu
    with torch.inference_mode():
        wide = types.SimpleNamespace(**{n: v.double() for n, v in drawn.items()})
        case.steps(torch, wide).numpy().tofile(os.path.join(folder, "want.f64"))
        torch.onnx.export(
            Block(),
            tuple(drawn[n] for n in names),
            os.path.join(folder, "block.onnx"),
            input_names=names,
            output_names=["out"],
            opset_version=14,
        )


class Ours:
    """What linalg-ext-compile made, called as C does."""

    def __init__(self, name, library, arguments):
        self.function = getattr(ctypes.CDLL(library), "_mlir_ciface_%s_block" % name)
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]
        # What is freed keeps the arrays.
        self.arguments = [np.ascontiguousarray(value) for value in arguments.values()]
        self.described = [self.describe(value) for value in self.arguments]
        self.out = self.describe(arguments["x"])
        self.size = arguments["x"].size

    @staticmethod
    def describe(value):
        rank = value.ndim

        class Buffer(ctypes.Structure):
            _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p)]
            _fields_ += [("offset", ctypes.c_int64)]
            _fields_ += [(x, ctypes.c_int64 * rank) for x in ("sizes", "strides")]

        strides = [stride // value.itemsize for stride in value.strides]
        sizes = (ctypes.c_int64 * rank)(*value.shape)
        data = value.ctypes.data
        return Buffer(data, data, 0, sizes, (ctypes.c_int64 * rank)(*strides))

    def call(self):
        self.function(
            ctypes.byref(self.out), *[ctypes.byref(buffer) for buffer in self.described]
        )

    def release(self):
        self.free(self.out.allocated)

    def result(self):
        data = ctypes.cast(self.out.aligned, ctypes.POINTER(ctypes.c_float))
        return np.ctypeslib.as_array(data, (self.size,)).copy()


class Torch:
    def __init__(self, name, arguments, threads):
        import torch

        torch.set_num_threads(threads)
        self.torch, self.case = torch, load_case(name)[1]
        values = {n: torch.from_numpy(value) for n, value in arguments.items()}
        self.values = types.SimpleNamespace(**values)

    def call(self):
        with self.torch.inference_mode():
            self.out = self.case.steps(self.torch, self.values)

    def release(self):
        pass

    def result(self):
        return self.out.numpy().reshape(-1)


class OnnxRuntime:
    def __init__(self, folder, arguments, threads):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        # Threads that wait would take the next one's time.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if threads > 1:
            # As OMP_PROC_BIND does for others: all threads but the calling one.
            cores = ";".join(str(core) for core in range(2, threads + 1))
            options.add_session_config_entry("session.intra_op_thread_affinities", cores)
        self.session = onnxruntime.InferenceSession(
            os.path.join(folder, "block.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self.feeds = {n: value for n, value in arguments.items() if n in INPUTS}

    def call(self):
        self.out = self.session.run(None, self.feeds)

    def release(self):
        pass

    def result(self):
        return self.out[0].reshape(-1)


def main():
    kind, name, file, folder = sys.argv[1:5]
    if kind == "export":
        export(name, file, folder, int(sys.argv[5]))
        return
    arguments, threads = read(folder), int(os.environ.get("OMP_NUM_THREADS", "1"))
    if kind == "ours":
        peer = Ours(name, file, arguments)
    else:
        peer = Torch(name, arguments, threads) if kind == "torch" else OnnxRuntime(folder, arguments, threads)  # fmt: skip
    now = time.perf_counter if "PEER_WALL" in os.environ else time.process_time
    for line in sys.stdin:
        start = now()
        peer.call()
        seconds = now() - start
        if line.strip() == "check":
            want = np.fromfile(os.path.join(folder, "want.f64"), np.float64)
            difference = np.abs(peer.result() - want).max()
            print("%.3e" % (difference / np.abs(want).max()), flush=True)
        else:
            print("%.9f" % seconds, flush=True)
        peer.release()


if __name__ == "__main__":
    main()
