#!/usr/bin/env python3
"""A step of decoding with grouped queries; see README.md and ../run_example.py."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import run_example  # noqa: E402
from run_example import numpy, round_half  # noqa: E402


def make(random, batch, cache):
    q = round_half(random.standard_normal((batch, 8, 4, 128)))[0]
    k = round_half(random.standard_normal((batch, 8, cache, 128)))[0]
    v = round_half(random.standard_normal((batch, 8, cache, 128)))[0]
    lengths = random.integers(1, cache + 1, batch).astype(numpy.int32)
    # What is behind the end counts for nothing, whatever it is.
    for sequence, length in enumerate(lengths):
        k[sequence, :, length:] = 60000
        v[sequence, :, length:] = -60000
    return q, k, v, lengths


def reference(q, k, v, lengths):
    q, k, v = (x.astype(numpy.float64) for x in (q, k, v))
    visible = numpy.arange(k.shape[2])[None] < lengths[:, None]
    v = numpy.where(visible[:, None, :, None], v, 0)
    scores = numpy.einsum("bhgd,bhjd->bhgj", q, k) * 0.08838834764
    scores = numpy.where(visible[:, None, None], scores, -numpy.inf)
    result, bound = run_example.attention(scores, v, "bhgj,bhjd->bhgd")
    return [(result, bound, numpy.float16)]


if __name__ == "__main__":
    cases = [dict(batch=3, cache=300), dict(batch=1, cache=4000), dict(batch=5, cache=1)]
    run_example.main(os.path.join(HERE, "decode.mlir"), "decode", cases, make, reference)
