#!/usr/bin/env python3
"""Runs one process of an attention, and compares its part of the result with
attention in f64 on all of the inputs.

usage: mpirun -n N check_attention.py MPI_LIBRARY MANIFEST GRID IN... -> OUT [options]

MPI_LIBRARY is the library made of mlir-ext/runtime/LinalgExtMPI.c, GRID the shape of
the grid (2x2). IN and OUT say for each dimension of q, k, v and the result along
which axes of the grid it is cut, as in split_axes: `-.0` is [[], [0]]. Shapes are
those of the whole tensors, as heads x rows x depth.

  --shape=H,M,K,D   heads, queries, keys, depth
  --scale=S         of the scores
  --causal          row i sees the keys up to i + K - M
  --tolerance=T     largest error, relative to the largest value (default 1e-5)
  --calls=N         how often to call (default 1)
  --type=T          f32 (default), f16
Exit status: 0, 1 if a result is wrong.
"""

import argparse
import ctypes
import os
import sys

import numpy

import linalg_ext


def get_rank():
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"):
        if name in os.environ:
            return int(os.environ[name])
    return 0


def cut(whole, spec, grid, position):
    """The part of the process at `position` of the grid."""
    for dim, axes in enumerate(spec.split(".")):
        for axis in [] if axes == "-" else map(int, axes.split(",")):
            whole = numpy.split(whole, grid[axis], axis=dim)[position[axis]]
    return numpy.ascontiguousarray(whole)


def attention(q, k, v, scale, causal):
    q, k, v = (x.astype("f8") for x in (q, k, v))
    scores = numpy.einsum("hmd,hkd->hmk", q, k) * scale
    if causal:
        rows, keys = scores.shape[1:]
        seen = numpy.arange(keys)[None] <= numpy.arange(rows)[:, None] + keys - rows
        scores = numpy.where(seen, scores, -numpy.inf)
    weights = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    return numpy.einsum("hmk,hkd->hmd", weights / weights.sum(axis=-1, keepdims=True), v)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("library")
    parser.add_argument("manifest")
    parser.add_argument("grid")
    parser.add_argument("specs", nargs=4)
    parser.add_argument("--shape", required=True)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--tolerance", type=float, default=1e-5)
    parser.add_argument("--calls", type=int, default=1)
    parser.add_argument("--type", default="f32")
    parser.add_argument("--save")
    args = parser.parse_args()

    ctypes.CDLL(args.library, mode=ctypes.RTLD_GLOBAL)
    program = linalg_ext.load(args.manifest)
    grid = [int(size) for size in args.grid.split("x")]
    position = numpy.unravel_index(get_rank(), grid)
    heads, rows, keys, depth = map(int, args.shape.split(","))
    random = numpy.random.default_rng(7)
    dtype = {"f32": "float32", "f16": "float16"}[args.type]
    inputs = [random.standard_normal((heads, count, depth)).astype(dtype)
              for count in (rows, keys, keys)]
    parts = [cut(x, spec, grid, position) for x, spec in zip(inputs, args.specs)]
    for _ in range(args.calls):
        result = program.attention(*parts)
    want = cut(attention(*inputs, args.scale, args.causal), args.specs[3], grid, position)
    if args.save:
        numpy.save(f"{args.save}.{get_rank()}.npy", result)
    error = abs(result.astype("f8") - want).max() / abs(want).max()
    if not error <= args.tolerance:
        print(f"process {get_rank()}: expected an error of at most {args.tolerance}, "
              f"got {error}", file=sys.stderr)
        return 1
    print(f"process {get_rank()}: error {error:.1e}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
