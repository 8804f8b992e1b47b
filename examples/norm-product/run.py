#!/usr/bin/env python3
"""RMSNorm and a product; see README.md and ../run_example.py."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import run_example  # noqa: E402
from run_example import HALF, numpy, round_half  # noqa: E402


def make(random, rows):
    x = round_half(random.standard_normal((rows, 1024)) * random.choice([0.1, 1, 20], (rows, 1)))[0]
    g = round_half(random.uniform(0.5, 1.5, 1024))[0]
    w = round_half(random.standard_normal((1024, 768)) / 32)[0]
    return x, g, w


def reference(x, g, w):
    x, g, w = (array.astype(numpy.float64) for array in (x, g, w))
    normed = x / numpy.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * g
    result = normed @ w
    # The normed rows and the result are rounded to f16. Fused, the rows are rounded with
    # the norm of their first tiles, and scaled afterwards: what is below the normal
    # range of f16 then has an absolute error, times how much the norm grows.
    size = abs(normed) @ abs(w)
    tiny = 2.0**-18 * abs(w).sum(0)
    return [(result, 1.1 * HALF * (2 * size + abs(result)) + tiny, numpy.float16)]


if __name__ == "__main__":
    cases = [dict(rows=100), dict(rows=1), dict(rows=257)]
    # Tiles of rows and columns, and in them a loop over parts of a row: see README.md.
    levels = "levels='forall(64,64) for(0,0,64)'"
    run_example.main(os.path.join(HERE, "norm.mlir"), "norm_product", cases, make, reference, levels)
