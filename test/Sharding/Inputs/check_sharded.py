#!/usr/bin/env python3
"""Runs one process of a program that linalg-ext-compile --shard compiled, and compares
its part of each result with that of the same program for one process.

usage: mpirun -n N check_sharded.py MPI_LIBRARY WHOLE PART SHARDING [options]

MPI_LIBRARY is the library made of mlir-ext/lib/Sharding/LinalgExtMPI.c. WHOLE and PART are
manifests: of the program for one process, and of that for several. SHARDING is the text
of --shard. Arguments are random: floats are normal, integers uniform.

  --tolerance=T   largest error, relative to the largest value (default 1e-5)
  --bits          results must be equal bit by bit
  --integers=N    integers are below N (default 2)
  --attention=S   also compare with the attention of q, k and v in f64, where the
                  scores are scaled by S
  --causal        row i of it sees the keys up to i + keys - rows
  --calls=N       call N times; if they are 1000 or more, the last nine tenths of them must
                  not need more than 1 KiB of memory each
  --shapes=S,..   the shape of each argument, such as 4x32x16, if sizes are dynamic; several
                  lists, separated by '/', are calls one after another
Exit status: 0, 1 if a result is wrong.
"""

import argparse
import ast
import ctypes
import os
import sys

import numpy

import linalg_ext


def get_rank():
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"):
        if name in os.environ:
            return int(os.environ[name])
    sys.exit("expected to be started by mpirun")


def get_memory():
    """What this process has in memory, in MiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2 ** 20


def parse(sharding):
    """The grid, for each argument and result the axes of each dimension, and the axes
    along which parts are stripes."""
    grid, tensors = sharding.replace("ring", "").split(":")
    arguments, results = (ast.literal_eval("[%s]" % part) for part in tensors.split("->"))
    sizes = grid.split("x")
    striped = [axis for axis, size in enumerate(sizes) if "striped" in size]
    return [int(size.split()[0]) for size in sizes], arguments, results, striped


def cut(whole, axes_of_dims, grid, position, striped):
    """The part of the process at `position` of the grid."""
    for dim, axes in enumerate(axes_of_dims):
        for axis in axes:
            if axis in striped:
                stripe = [slice(None)] * dim + [slice(position[axis], None, grid[axis])]
                whole = whole[tuple(stripe)]
            else:
                whole = numpy.split(whole, grid[axis], axis=dim)[position[axis]]
    return numpy.ascontiguousarray(whole).reshape(whole.shape)


def draw(argument, random, integers, shape):
    shape, kind = shape or argument["shape"], argument["type"]
    if kind == "bf16":
        values = random.standard_normal(shape).astype("float32")
        return (values.view("uint32") >> 16).astype("uint16")
    if kind.startswith("f"):
        return random.standard_normal(shape).astype("float" + kind[1:])
    if kind == "i1":
        return random.integers(0, 2, shape).astype("bool")
    return random.integers(0, integers, shape).astype("int" + kind[1:])


def widen(values, kind):
    if kind == "bf16":
        return (values.astype("uint32") << 16).view("float32").astype("float64")
    return values.astype("float64")


def attention(q, k, v, scale, causal):
    q, k, v = (x.astype("float64") for x in (q, k, v))
    scores = numpy.einsum("...md,...kd->...mk", q, k) * scale
    if causal:
        rows, keys = scores.shape[-2:]
        seen = numpy.arange(keys)[None] <= numpy.arange(rows)[:, None] + keys - rows
        scores = numpy.where(seen, scores, -numpy.inf)
    weights = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return numpy.einsum("...mk,...kd->...md", weights, v)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("library", "whole", "part", "sharding"):
        parser.add_argument(name)
    parser.add_argument("--tolerance", type=float, default=1e-5)
    parser.add_argument("--bits", action="store_true")
    parser.add_argument("--integers", type=int, default=2)
    parser.add_argument("--attention", type=float)
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--calls", type=int, default=1)
    parser.add_argument("--shapes", default="")
    args = parser.parse_args()

    ctypes.CDLL(args.library, mode=ctypes.RTLD_GLOBAL)
    whole, part = linalg_ext.load(args.whole), linalg_ext.load(args.part)
    (name, entry), = whole.entries.items()
    grid, argument_axes, result_axes, striped = parse(args.sharding)
    rank = get_rank()
    position = numpy.unravel_index(rank, grid)
    random = numpy.random.default_rng(7)
    status = 0

    def compare(number, value, reference, kind, what):
        nonlocal status
        reference = cut(numpy.asarray(reference), result_axes[number], grid, position,
                        striped)
        value = numpy.asarray(value).reshape(reference.shape)
        if args.bits and what == "one process":
            error, allowed = float((value != reference).sum()), 0
        else:
            value, reference = widen(value, kind), widen(reference, "f64" if
                                     what == "f64" else kind)
            error = abs(value - reference).max() / max(abs(reference).max(), 1e-30)
            allowed = args.tolerance
        if not (value.shape == reference.shape and error <= allowed):
            print(f"process {rank}, result {number}: expected an error of at most "
                  f"{allowed} to {what}, got {error}", file=sys.stderr)
            status = 1
        else:
            print(f"process {rank}, result {number}: error {error:.1e} to {what}")

    for text in args.shapes.split("/"):
        shapes = [[int(size) for size in shape.split("x")] for shape in text.split(",") if shape]
        shapes += [None] * (len(entry.arguments) - len(shapes))
        inputs = [draw(argument, random, args.integers, shape)
                  for argument, shape in zip(entry.arguments, shapes)]
        wanted = getattr(whole, name)(*inputs)
        parts = [cut(x, axes, grid, position, striped)
                 for x, axes in zip(inputs, argument_axes)]
        before = 0
        for call in range(args.calls):
            if call == args.calls // 10:
                before = get_memory()
            found = getattr(part, name)(*parts)
        if args.calls >= 1000:
            leaked = get_memory() - before
            allowed = 0.9 * args.calls / 1024
            if leaked > allowed:
                print(f"process {rank}: expected at most {allowed:.1f} MiB after "
                      f"{args.calls} calls, got {leaked:.1f}", file=sys.stderr)
                status = 1
            else:
                print(f"process {rank}: {args.calls} calls without a leak")
        if not isinstance(found, tuple):
            found, wanted = (found,), (wanted,)
        for number, (value, reference) in enumerate(zip(found, wanted)):
            compare(number, value, reference, entry.results[number]["type"], "one process")
        if args.attention is not None:
            reference = attention(*inputs[:3], args.attention, args.causal)
            compare(0, found[0], reference, entry.results[0]["type"], "f64")
    return status


if __name__ == "__main__":
    sys.exit(main())
