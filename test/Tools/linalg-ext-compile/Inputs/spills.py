#!/usr/bin/env python3
"""Compiles kernels of bench/gpu, and fails if one spills anything (but SPILLED): of
attention, or with --linalg of products and rows.

usage: spills.py --compile=PROGRAM --bench=FILE [--linalg] DIR
"""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import kernels  # noqa: E402

# Head dimension, mask, queries of a key head, type.
KERNELS = (
    [
        (d, mask, 1, "f16")
        for d in (16, 32, 64, 72, 80, 88, 96, 104, 112, 120, 128, 256)
        for mask in ("full", "causal")
    ]
    + [
        (d, mask, 1, "bf16")
        for d in (64, 80, 96, 128)
        for mask in ("padding", "window", "alibi", "softcap", "tensor")
    ]
    + [(d, "full", 4, "f16") for d in (72, 80, 96, 128)]
    + [(80, "causal", 8, "bf16"), (32, "tensor", 1, "f16")]
    + [(d, "tensor", 1, "bf16") for d in (104, 112)]
    + [(128, "causal", 4, "bf16"), (128, "causal", 8, "bf16"), (128, "padding", 8, "bf16")]
)

# The bytes that kernels may spill. This one has three groups of rows and a bias by position:
# 4 bytes are loaded outside of loops, and 16 are of the role that copies. It is faster than a
# kernel that spills nothing (docs/Decisions/0164).
SPILLED = {"64-alibi-1-bf16": 20}

# Products with an epilogue: left and right operand, sizes, type, epilogue, options. Rows
# are whole lines of the cache or not, tiles divide the sizes or not.
NN, NT, TN = ("m, k", "k, n"), ("m, k", "n, k"), ("k, m", "k, n")
PRODUCTS = [
    (order, sizes, dtype, epilogue, "")
    for order, sizes, dtype in (
        (NT, (4104, 4104, 1032), "f16"),
        (NN, (4104, 4104, 4104), "bf16"),
        (NN, (3072, 3072, 1024), "f16"),
        (TN, (4096, 4096, 1024), "bf16"),
        (NN, (1000, 1000, 1000), "f16"),
    )
    for epilogue in ("", "silu", "residual")
] + [
    (NT, (4104, 4104, 1032), "f16", "residual", "clusters=true"),
    (NN, (4096, 4096, 1024), "bf16", "residual", "rows=128 columns=256 roles=true persistent-kernels=true"),
]  # fmt: skip
# Others of bench/gpu/linalg that have spilled.
ROWS = ("softmax-f32-8192", "norm-f16")


def get_sources(bench, isLinalg):
    """The name, the program and the options of each kernel."""
    if not isLinalg:
        for d, mask, group, dtype in KERNELS:
            yield "%d-%s-%d-%s" % (d, mask, group, dtype), bench.source(d, mask, group, dtype), ""
        return
    for number, ((left, right), sizes, dtype, epilogue, options) in enumerate(PRODUCTS):
        name = "%d-%s-%s-%s" % (number, "x".join(map(str, sizes)), dtype, epilogue)
        text = bench.matmul(dtype, epilogue, left=left, right=right, sizes=sizes)
        yield name, text, options
    for name in ROWS:
        yield name, bench.PROGRAMS[name](), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compile", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--linalg", action="store_true")
    parser.add_argument("output")
    options = parser.parse_args()
    module = kernels.load(options.bench)
    wrong = 0
    for name, text, given in get_sources(module, options.linalg):
        base = os.path.join(options.output, name)
        with open(base + ".mlir", "w") as file:
            file.write(text)
        command = [options.compile, base + ".mlir", "--target=sm_90a", "-o", base + ".cubin"]
        subprocess.run(command + ["--options=" + given, "--report=none"], check=True)
        wrong += kernels.count_spilling(base, SPILLED.get(name, 0))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
