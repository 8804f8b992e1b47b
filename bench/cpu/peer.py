"""PyTorch or ONNX Runtime as a contestant of bench/cpu/attention.

usage: peer.py torch|onnxruntime [--name]

Answers the lines it reads, as peer.h says, and besides

  shape HEADS LENGTH HEAD_DIM CAUSAL   takes this shape from now on

ONNX Runtime has MultiHeadAttention, and causal GroupQueryAttention, which alone have a
flash path on CPUs; the model is written here.
"""

import math
import os
import sys
import time

import numpy as np

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))
now = time.monotonic if "PEER_WALL" in os.environ else time.process_time


def random_values(count, limit, seed):
    """The numbers of peer.h: powers and sums modulo 2^32 in place of its recurrence."""
    powers = np.cumprod(np.full(count, 1664525, np.uint32), dtype=np.uint32)
    sums = np.cumsum(np.append(np.uint32(1), powers[:-1]), dtype=np.uint32)
    state = powers * np.uint32(seed) + sums * np.uint32(1013904223)
    return np.float32(limit) * ((state >> np.uint32(8)).astype(np.float32) / 2**23 - np.float32(1))


def forget_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5\n")


def peak_memory():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))


class Torch:
    def __init__(self):
        import torch

        self.torch = torch
        self.name = "PyTorch " + torch.__version__
        torch.set_num_threads(THREADS)

    def prepare(self, q, k, v, causal):
        self.inputs = [self.torch.from_numpy(x[None]) for x in (q, k, v)]
        self.causal = causal

    def call(self):
        with self.torch.inference_mode():
            self.out = self.torch.nn.functional.scaled_dot_product_attention(
                *self.inputs, is_causal=self.causal
            )

    def result(self):
        return self.out[0].numpy()


# Protocol buffers, as far as they are needed.
def varint(n):
    return bytes([n]) if n < 128 else bytes([n % 128 | 128]) + varint(n // 128)


def number(field, n):
    return varint(field * 8) + varint(n)


def data(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field * 8 + 2) + varint(len(content)) + content


def value(field, name, element, dims):
    shape = b"".join(data(1, number(1, d)) for d in dims)
    return data(field, data(1, name) + data(2, data(1, number(1, element) + data(2, shape))))


class OnnxRuntime:
    def __init__(self):
        import onnxruntime

        self.runtime = onnxruntime
        self.name = "ONNX Runtime " + onnxruntime.__version__

    def prepare(self, q, k, v, causal):
        heads, length, dim = q.shape
        tokens, cache = [1, length, heads * dim], [1, heads, length, dim]
        integers = {"last": length - 1, "total": length} if causal else {}
        inputs = ["q", "k", "v"] + (["", "", "last", "total"] if causal else [])
        outputs = {"out": tokens, **({"keys": cache, "values": cache} if causal else {})}
        attributes = {"num_heads": heads, **({"kv_num_heads": heads} if causal else {})}
        node = b"".join(data(1, x) for x in inputs) + b"".join(data(2, x) for x in outputs)
        node += data(4, "GroupQueryAttention" if causal else "MultiHeadAttention")
        for name, n in attributes.items():
            node += data(5, data(1, name) + number(3, n) + number(20, 2))
        graph = data(1, node + data(7, "com.microsoft")) + data(2, "attention")
        graph += b"".join(value(11, x, 1, tokens) for x in "qkv")
        graph += b"".join(value(11, x, 6, [1]) for x in integers)
        graph += b"".join(value(12, x, 1, dims) for x, dims in outputs.items())
        model = number(1, 8) + data(7, graph)
        model += data(8, data(1, "") + number(2, 17))
        model += data(8, data(1, "com.microsoft") + number(2, 1))

        options = self.runtime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
        # Threads that wait would take the next one's time.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = self.runtime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )
        wrap = self.runtime.OrtValue.ortvalue_from_numpy
        self.binding = self.session.io_binding()
        # These share the memory of the arrays. Outputs are written in place, as ours are.
        self.inputs = {
            name: wrap(np.ascontiguousarray(x.transpose(1, 0, 2)).reshape(tokens))
            for name, x in zip("qkv", (q, k, v))
        }
        self.inputs.update({x: wrap(np.array([n], np.int32)) for x, n in integers.items()})
        self.outputs = {name: wrap(np.ones(dims, np.float32)) for name, dims in outputs.items()}
        for name, x in self.inputs.items():
            self.binding.bind_ortvalue_input(name, x)
        for name, x in self.outputs.items():
            self.binding.bind_ortvalue_output(name, x)
        self.shape = length, heads, dim

    def call(self):
        self.session.run_with_iobinding(self.binding)

    def result(self):
        return self.outputs["out"].numpy().reshape(self.shape).transpose(1, 0, 2)


def check(q, k, v, causal, result):
    """The largest difference to f64 and the root of their mean square, about 2000 rows."""
    heads, length, dim = q.shape
    step = (heads * length // 2048) | 1
    differences = []
    for head in range(heads):
        rows = np.arange(-head * length % step, length, step)
        keys, values = k[head].astype(np.float64), v[head].astype(np.float64)
        scores = q[head][rows].astype(np.float64) @ keys.T / math.sqrt(dim)
        if causal:
            scores[np.arange(length) > rows[:, None]] = -math.inf
        weights = np.exp(scores - scores.max(1, keepdims=True))
        expected = weights @ values / weights.sum(1, keepdims=True)
        differences.append(result[head][rows] - expected)
    differences = np.abs(np.concatenate(differences))
    return differences.max(), np.sqrt(np.square(differences).mean())


def main():
    peer = {"torch": Torch, "onnxruntime": OnnxRuntime}[sys.argv[1]]()
    if "--name" in sys.argv:
        print(peer.name)
        return
    for line in sys.stdin:
        what, *shape = line.split()
        if what == "shape":
            heads, length, dim, causal = map(int, shape)
            # What is loaded when it is first needed is no memory of this call.
            small = [random_values(heads * 64 * dim, 1, 1).reshape(heads, 64, dim)] * 3
            peer.prepare(*small, bool(causal))
            peer.call()
            q, k, v = (
                random_values(heads * length * dim, limit, seed).reshape(heads, length, dim)
                for limit, seed in ((2, 1), (2, 2), (1, 3))
            )
            peer.prepare(q, k, v, bool(causal))
            forget_peak()
            before = peak_memory()
            peer.call()
            memory = peak_memory() - before
            answer = "0"
        elif what == "run":
            start = now()
            peer.call()
            answer = "%.9f" % (now() - start)
        elif what == "check":
            answer = "%.3e %.3e" % check(q, k, v, bool(causal), peer.result())
        elif what == "memory":
            answer = str(memory)
        print(answer, flush=True)


if __name__ == "__main__":
    main()
