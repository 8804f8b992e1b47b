#!/usr/bin/env python3
"""Logits and their loss; see README.md and ../run_example.py."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import run_example  # noqa: E402
from run_example import numpy, round_half  # noqa: E402


def make(random, tokens, vocabulary):
    hidden = round_half(random.standard_normal((tokens, 256)))[0]
    weight = round_half(random.standard_normal((vocabulary, 256)) / 4)[0]
    return hidden, weight, random.integers(0, vocabulary, tokens)


def reference(hidden, weight, target):
    logits = hidden.astype(numpy.float64) @ weight.astype(numpy.float64).T
    size = abs(hidden.astype(numpy.float64)) @ abs(weight.astype(numpy.float64)).T
    rows = logits.max(-1)
    loss = rows + numpy.log(numpy.exp(logits - rows[:, None]).sum(-1)) - logits[numpy.arange(len(target)), target]
    # Products of f16 are exact in f32. A sum of n numbers has at most n roundings.
    bound = 2.0**-24 * (2 * 256 * size.max(-1) + logits.shape[1] + 8 * abs(rows) + 8)
    return [(loss, bound, numpy.float32)]


if __name__ == "__main__":
    cases = [dict(tokens=50, vocabulary=3001), dict(tokens=130, vocabulary=64), dict(tokens=1, vocabulary=1)]
    run_example.main(os.path.join(HERE, "loss.mlir"), "loss", cases, make, reference)
