#!/usr/bin/env python3
"""Compiles kernels of bench/gpu/attention, and fails if one spills more than it may.

usage: spills.py --compile=PROGRAM --bench=FILE DIR
"""

import argparse
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

# Head dimension, mask, queries of a key head, type, bytes that may be spilled.
KERNELS = (
    [(d, mask, 1, "f16", 0) for d in (16, 32, 64, 72, 80, 96) for mask in ("full", "causal")]
    + [
        (d, mask, 1, "bf16", 0)
        for d in (64, 80)
        for mask in ("padding", "window", "alibi", "softcap")
    ]
    + [(80, "causal", 8, "bf16", 0), (32, "tensor", 1, "f16", 0)]
    + [(d, "tensor", 1, "bf16", 0) for d in (64, 80, 96, 128)]
    + [(256, mask, 1, "f16", 0) for mask in ("full", "causal")]
    + [(128, mask, 1, "bf16", 80) for mask in ("full", "causal", "padding", "window", "softcap")]
)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compile", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("output")
    options = parser.parse_args()
    loader = importlib.machinery.SourceFileLoader("attention", options.bench)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("attention", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    wrong = 0
    for d, mask, group, dtype, most in KERNELS:
        base = os.path.join(options.output, "%d-%s-%d-%s" % (d, mask, group, dtype))
        with open(base + ".mlir", "w") as file:
            file.write(module.source(d, mask, group, dtype))
        command = [options.compile, base + ".mlir", "--target=sm_90a", "-o", base + ".cubin"]
        subprocess.run(command, check=True)
        for name, usage in json.load(open(base + ".json"))["kernels"].items():
            spilled, stack = usage["spill_store_bytes"], usage["stack_bytes"]
            if spilled > most or stack > most:
                print("%s, %s: expected at most %d bytes spilled, got %d (stack %d)"
                      % (base, name, most, spilled, stack))
                wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
