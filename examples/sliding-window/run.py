#!/usr/bin/env python3
"""Attention in a window; see README.md and ../run_example.py."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import run_example  # noqa: E402
from run_example import numpy, round_half  # noqa: E402

WINDOW = 256


def make(random, batch, heads, tokens):
    shape = (batch, heads, tokens, 64)
    return tuple(round_half(random.standard_normal(shape))[0] for _ in range(3))


def reference(q, k, v):
    q, k, v = (x.astype(numpy.float64) for x in (q, k, v))
    scores = numpy.einsum("bhid,bhjd->bhij", q, k) / 8
    i, j = numpy.arange(q.shape[2])[:, None], numpy.arange(q.shape[2])[None]
    scores = numpy.where((j <= i) & (j > i - WINDOW), scores, -numpy.inf)
    result, bound = run_example.attention(scores, v, "bhij,bhjd->bhid")
    return [(result, bound, numpy.float16)]


if __name__ == "__main__":
    cases = [dict(batch=1, heads=2, tokens=700), dict(batch=2, heads=1, tokens=256), dict(batch=1, heads=3, tokens=17)]
    run_example.main(os.path.join(HERE, "attention.mlir"), "attention", cases, make, reference)
