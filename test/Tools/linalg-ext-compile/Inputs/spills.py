#!/usr/bin/env python3
"""Compiles kernels of bench/gpu/attention, and fails if one spills anything.

usage: spills.py --compile=PROGRAM --bench=FILE DIR
"""

import argparse
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

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
    for d, mask, group, dtype in KERNELS:
        base = os.path.join(options.output, "%d-%s-%d-%s" % (d, mask, group, dtype))
        with open(base + ".mlir", "w") as file:
            file.write(module.source(d, mask, group, dtype))
        command = [options.compile, base + ".mlir", "--target=sm_90a", "-o", base + ".cubin"]
        subprocess.run(command, check=True)
        for name, usage in json.load(open(base + ".json"))["kernels"].items():
            spilled, stack = usage["spill_store_bytes"], usage["stack_bytes"]
            if spilled > 0 or stack > 0:
                print("%s, %s: expected nothing to be spilled, got %d bytes (stack %d)"
                      % (base, name, spilled, stack))
                wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
