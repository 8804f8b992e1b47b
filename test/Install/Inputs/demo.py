"""What a user does with the installed packages: GPT-2's attention, and a page about it."""

import os
import sys

import linalg_ext
import numpy

print(linalg_ext.__file__)
page = os.path.join(sys.argv[2], "demo.html")
program = linalg_ext.compile(sys.argv[1], flags=["--view=" + page])
print(program.report)
q, k, v = numpy.random.default_rng(0).standard_normal((3, 12, 1024, 64)).astype("float32")
result = program.attention(q, k, v)
for head in range(12):
    scores = q[head].astype(float) @ k[head].astype(float).T / 8
    scores[~numpy.tri(1024, dtype=bool)] = -numpy.inf
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    expected = weights / weights.sum(-1, keepdims=True) @ v[head]
    assert abs(result[head] - expected).max() < 2e-5, abs(result[head] - expected).max()
print("right")
print("page:", open(page, encoding="utf-8").readline())
