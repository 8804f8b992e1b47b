#!/usr/bin/env python3
"""Compiles programs for AMD chips to assembly and code objects, and fails if a
kernel has scratch memory or spills that KNOWN does not list, if a product has no
matrix instruction, or if the manifest lacks something.

usage: amd-kernels.py --compile=PROGRAM --bench=FILE --programs=FILE DIR
"""

import argparse
import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys

CHIPS = {
    "gfx90a": "v_mfma_f32_16x16x16",
    "gfx942": "v_mfma_f32_16x16x16",
    "gfx950": "v_mfma_f32_16x16x32",
    "gfx1100": "v_wmma_f32_16x16x16",
    "gfx1200": "v_wmma_f32_16x16x16",
}
# Head dimension, mask, queries of a key head.
ATTENTION = [(64, "full", 1), (64, "causal", 1), (128, "full", 4), (128, "causal", 4)]

# Falls short: what these kernels spill, at most. SGPRs are spilled to lanes of
# VGPRs, not to memory. gfx11 has two copies of each operand in registers.
KNOWN = {
    ("128-causal-4", "gfx90a"): {"sgpr_spills": 32},
    ("128-causal-4", "gfx942"): {"sgpr_spills": 32},
    ("128-causal-4", "gfx950"): {"sgpr_spills": 32},
    ("64-causal-1", "gfx950"): {"sgpr_spills": 32},
    ("128-full-4", "gfx1100"): {"vgpr_spills": 8, "scratch_bytes": 36},
    ("128-causal-4", "gfx1100"): {"vgpr_spills": 8, "scratch_bytes": 36},
}


def load(path):
    loader = importlib.machinery.SourceFileLoader("attention", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("attention", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def check(compile, source, base, chip, instruction, known):
    """Returns what is wrong, as a list of strings."""
    wrong = []

    def run(*arguments):
        subprocess.run([compile, source, "--target=" + chip, "--report=none", *arguments], check=True)

    run("--emit=isa", "-o", base + ".s", "--manifest=" + base + ".isa.json")
    run("-o", base + ".hsaco")
    with open(base + ".s") as file:
        isa = file.read()
    count = len(re.findall(instruction, isa))
    if count == 0:
        wrong.append("expected " + instruction + ", found none")
    with open(base + ".json") as file:
        manifest = json.load(file)
    for key, value in (("target", "amd"), ("chip", chip), ("format", "hsaco")):
        if manifest[key] != value:
            wrong.append("expected '%s' to be %s, got %s" % (key, value, manifest[key]))
    if not manifest["kernels"]:
        wrong.append("expected kernels, got none")
    for name, usage in manifest["kernels"].items():
        for key in ("vgpr_spills", "sgpr_spills", "scratch_bytes"):
            most = known.get(key, 0)
            if usage[key] > most:
                wrong.append("%s: expected at most %d %s, got %d" % (name, most, key, usage[key]))
            if most > 0 and usage[key] == 0:
                wrong.append("%s: has no %s; KNOWN need not list it" % (name, key))
        print(os.path.basename(base), name, count, usage)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compile", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("output")
    options = parser.parse_args()
    attention = load(options.bench)
    sources = [(options.programs, "programs")]
    for d, mask, group in ATTENTION:
        base = "%d-%s-%d" % (d, mask, group)
        path = os.path.join(options.output, base + ".mlir")
        with open(path, "w") as file:
            file.write(attention.source(d, mask, group, "f16"))
        sources.append((path, base))
    wrong = 0
    for chip, instruction in CHIPS.items():
        for source, name in sources:
            base = os.path.join(options.output, name + "-" + chip)
            known = KNOWN.get((name, chip), {})
            for text in check(options.compile, source, base, chip, instruction, known):
                print("%s, %s: %s" % (name, chip, text))
                wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
