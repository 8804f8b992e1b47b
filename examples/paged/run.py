#!/usr/bin/env python3
"""Decodes some tokens of some sequences with decode.mlir and block.mlir, on a CPU or a
GPU, from an empty cache, and compares every step with dense keys and values in f64.

  run.py                            compile for this CPU and run
  run.py --target=sm_90a            compile for a GPU and run there (takes torch)
  run.py --target=sm_90a --build=DIR    only compile, into DIR; needs no GPU
  run.py --target=sm_90a --load=DIR     only run what --build has left in DIR

Pages are taken in a shuffled order, which differs for keys and values, as sequences
grow across the ends of pages. What no step has stored is NaN in the pools. Entries of
pages that a sequence does not have yet name no page (-1, and beyond the pool). Sequences
begin in different steps: before, their length is 0. After the last step the pools must
have what was stored (in decode.mlir, the same bits) and NaN elsewhere. The exit status
is 1 if a step is wrong.

examples:
  python3 examples/paged/run.py
  python3 examples/paged/run.py --target=sm_90a --build=/tmp/paged
  python3 examples/paged/run.py --target=sm_90a --load=/tmp/paged
"""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from run_example import linalg_ext, numpy, softmax  # noqa: E402
from linalg_ext._terminal import ArgumentParser  # noqa: E402

ROWS = 16  # of a page
ALLOWED = 1e-5  # of f32, for results of about 1


class Host:
    """Arrays of numpy; a function returns its result."""

    def put(self, array):
        return array

    def get(self, array):
        return array

    def call(self, function, arguments, shape):
        return function(*arguments)


class Device:
    """Tensors of torch on a GPU; the result is the last argument."""

    def put(self, array):
        import torch

        return torch.from_numpy(array.copy()).cuda()

    def get(self, tensor):
        return tensor.cpu().numpy()

    def call(self, function, arguments, shape):
        result = self.put(numpy.full(shape, numpy.nan, numpy.float32))
        function(*arguments, result)
        return self.get(result)


class Cache:
    """A pool of pages on the device, its table, and the same rows in f64 without pages."""

    def __init__(self, random, device, batch, steps, heads, dim):
        entries = -(-steps // ROWS)
        pages = batch * entries + 2
        self.device, self.free = device, list(random.permutation(pages))
        self.table = numpy.full((batch, entries), -1, numpy.int32)
        self.table[:, 1::2] = 1 << 30
        self.pool = device.put(numpy.full((pages, ROWS, heads, dim), numpy.nan, numpy.float32))
        self.dense = numpy.full((batch, steps, heads, dim), numpy.nan)

    def grow(self, lengths):
        """Takes a page for each sequence whose last row is the first one of a page."""
        for b, length in enumerate(lengths):
            if length % ROWS == 1:
                self.table[b, length // ROWS] = self.free.pop()

    def append(self, lengths, rows):
        """To the dense ones; the compiled program stores its own in the pool."""
        for b, length in enumerate(lengths):
            if length:
                self.dense[b, length - 1] = rows[b]

    def error(self, lengths):
        """The largest difference of what is stored; infinite if anything else is."""
        pool = self.device.get(self.pool)
        unused, worst = numpy.ones(pool.shape[:2], bool), 0.0
        for b, length in enumerate(lengths):
            for i in range(length):
                page, row = self.table[b, i // ROWS], i % ROWS
                worst = max(worst, get_error(pool[page, row], self.dense[b, i]))
                unused[page, row] = False
        return worst if numpy.isnan(pool[unused]).all() else math.inf


def get_error(got, exact):
    difference = abs(got.astype(numpy.float64) - exact)
    return float(numpy.nan_to_num(difference, nan=numpy.inf).max(initial=0.0))


def attend(q, keys, values, lengths):
    """Queries [batch, key heads, group, dim] to the first rows of each sequence."""
    result = numpy.zeros(q.shape)
    for b, n in enumerate(lengths):
        if n:
            scores = numpy.einsum("hgd,nhd->hgn", q[b], keys[b, :n]) / math.sqrt(q.shape[-1])
            result[b] = numpy.einsum("hgn,nhd->hgd", softmax(scores), values[b, :n])
    return result


class Decode:
    """decode.mlir: 2 key heads, 4 query heads of each, 64 elements."""

    heads, dim, allowed_stored = 2, 64, 0.0

    def __init__(self, random, device, steps):
        self.random, self.device = random, device

    def step(self, function, caches, lengths):
        batch = len(lengths)
        q = self.random.standard_normal((batch, 2, 4, 64)).astype(numpy.float32)
        rows = self.random.standard_normal((2, batch, 2, 64)).astype(numpy.float32)
        for cache, new in zip(caches, rows):
            cache.append(lengths, new)
        put, (k, v) = self.device.put, caches
        arguments = [put(q), put(rows[0]), put(rows[1])]
        arguments += [k.pool, put(k.table), v.pool, put(v.table), put(lengths)]
        got = self.device.call(function, arguments, q.shape)
        return get_error(got, attend(q.astype(numpy.float64), k.dense, v.dense, lengths))


class Block:
    """block.mlir: a block of LLaMA of 128 features, 4 query heads on 2 key heads of 32."""

    heads, dim, allowed_stored = 2, 32, ALLOWED

    def __init__(self, random, device, steps):
        self.random, self.device = random, device

        def draw(scale, *shape):
            return random.uniform(-scale, scale, shape).astype(numpy.float32)

        self.weights = [draw(1, 128), draw(0.3, 128, 128), draw(0.3, 128, 64), draw(0.3, 128, 64)]
        self.weights += [draw(0.1, 128, 128), draw(1, 128), draw(0.2, 128, 256)]
        self.weights += [draw(0.2, 128, 256), draw(0.1, 256, 128)]
        angles = numpy.arange(steps)[:, None] * 10000.0 ** (-2 * (numpy.arange(32) % 16) / 32)
        self.weights += [f(angles).astype(numpy.float32) for f in (numpy.cos, numpy.sin)]
        self.given = [device.put(weight) for weight in self.weights]

    def step(self, function, caches, lengths):
        batch = len(lengths)
        x = self.random.uniform(-1, 1, (batch, 128)).astype(numpy.float32)
        positions = lengths - 1
        put, (k, v) = self.device.put, caches
        exact = self.reference(x.astype(numpy.float64), caches, positions, lengths)
        arguments = [put(x), *self.given, k.pool, put(k.table), v.pool, put(v.table)]
        arguments += [put(positions.astype(numpy.int32)), put(lengths)]
        return get_error(self.device.call(function, arguments, x.shape), exact)

    def reference(self, x, caches, positions, lengths):
        norm1, w_q, w_k, w_v, w_o, norm2, gate, up, down, cosines, sines = (
            weight.astype(numpy.float64) for weight in self.weights
        )

        def normalize(x, weight):
            return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * weight

        def rotate(x):
            at = numpy.maximum(positions, 0)
            partner = numpy.concatenate([-x[..., 16:], x[..., :16]], -1)
            return x * cosines[at][:, None] + partner * sines[at][:, None]

        normed, batch = normalize(x, norm1), len(x)
        q = rotate((normed @ w_q).reshape(batch, 4, 32)).reshape(batch, 2, 2, 32)
        caches[0].append(lengths, rotate((normed @ w_k).reshape(batch, 2, 32)))
        caches[1].append(lengths, (normed @ w_v).reshape(batch, 2, 32))
        attended = attend(q, caches[0].dense, caches[1].dense, lengths)
        x = x + attended.reshape(batch, 128) @ w_o
        normed = normalize(x, norm2)
        gated = normed @ gate
        return x + (gated / (1 + numpy.exp(-gated)) * (normed @ up)) @ down


def run(name, kind, program, device, batch, steps, seed):
    random = numpy.random.default_rng(seed)
    loop = kind(random, device, steps)
    caches = [Cache(random, device, batch, steps, kind.heads, kind.dim) for _ in range(2)]
    worst = 0.0
    for step in range(steps):
        # A sequence begins 7 steps behind the one before it.
        lengths = numpy.maximum(step + 1 - 7 * numpy.arange(batch), 0).astype(numpy.int32)
        for cache in caches:
            cache.grow(lengths)
        error = loop.step(program[name], caches, lengths)
        if not error <= ALLOWED:
            print("%s: step %d: error %.2e: WRONG" % (name, step, error))
        worst = max(worst, error)
    stored = max(cache.error(lengths) for cache in caches)
    text = "%s: %d steps of %d sequences, largest error %.2e, of stored rows %.2e"
    print(text % (name, steps, batch, worst, stored))
    return worst <= ALLOWED and stored <= kind.allowed_stored


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="host", help="the chip; the default is this CPU")
    parser.add_argument("--build", help="only compile, into this directory")
    parser.add_argument("--load", help="run what --build has left in this directory")
    parser.add_argument("--batch", type=int, default=3, help="sequences")
    parser.add_argument("--steps", type=int, default=50, help="tokens of the first sequence")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    device, is_right = Host() if given.target == "host" else Device(), True
    for name, kind in (("decode", Decode), ("block", Block)):
        file = os.path.join(HERE, name + ".mlir")
        if given.build:
            linalg_ext.build(file, os.path.join(given.build, name), given.target)
            continue
        if given.load:
            program = linalg_ext.load(os.path.join(given.load, name, "program.json"))
        else:
            program = linalg_ext.compile(file, given.target)
        is_right &= run(name, kind, program, device, given.batch, given.steps, given.seed)
    sys.exit(not is_right)


if __name__ == "__main__":
    main()
