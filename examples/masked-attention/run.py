#!/usr/bin/env python3
"""Attention with a mask of the caller; see README.md and ../run_example.py."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import run_example  # noqa: E402
from run_example import numpy, round_half  # noqa: E402


def make(random, batch, heads, queries, keys):
    q = round_half(random.standard_normal((batch, heads, queries, 64)))[0]
    k = round_half(random.standard_normal((batch, heads, keys, 64)))[0]
    v = round_half(random.standard_normal((batch, heads, keys, 64)))[0]
    # Causal, and each sequence ends somewhere; then holes at random. Each query sees
    # a key, except for one that sees none.
    ends = random.integers(1, keys + 1, batch)
    i, j = numpy.arange(queries)[:, None], numpy.arange(keys)[None]
    mask = (j <= i + keys - queries) & (j < ends[:, None, None])
    mask &= random.random((batch, queries, keys)) < 0.8
    mask[:, :, 0] = True
    mask[0, 0] = False
    return q, k, v, mask


def reference(q, k, v, mask):
    q, k, v = (x.astype(numpy.float64) for x in (q, k, v))
    scores = numpy.einsum("bhid,bhjd->bhij", q, k) / 8
    scores = numpy.where(mask[:, None], scores, -numpy.inf)
    # A query that sees no key gets 0.
    blind = numpy.isinf(scores.max(-1))[..., None]
    result, bound = run_example.attention(numpy.where(blind, 0, scores), v, "bhij,bhjd->bhid")
    return [(numpy.where(blind, 0, result), bound, numpy.float16)]


if __name__ == "__main__":
    cases = [
        dict(batch=2, heads=3, queries=100, keys=100),
        dict(batch=1, heads=2, queries=33, keys=257),
        dict(batch=3, heads=1, queries=1, keys=1),
    ]
    run_example.main(os.path.join(HERE, "attention.mlir"), "attention", cases, make, reference)
