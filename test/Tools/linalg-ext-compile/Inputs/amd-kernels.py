#!/usr/bin/env python3
"""Compiles programs for AMD chips to assembly and code objects. Fails if a kernel has
scratch memory or spills that KNOWN does not list, if a loop has not the matrix products
that its tile takes, narrow loads or a loop over lanes, or if the manifest lacks something.

usage: amd-kernels.py --compile=PROGRAM --bench=DIRECTORY --programs=FILE DIR
"""

import argparse
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys

# The k of the products of 16 x 16 x k, and lanes.
CHIPS = {
    "gfx90a": (16, 64),
    "gfx942": (16, 64),
    "gfx950": (32, 64),
    "gfx1100": (16, 32),
    "gfx1200": (16, 32),
}
# Head dimension, mask, queries of a key head.
ATTENTION = [(64, "causal", 1), (128, "full", 4)]
# Tiles of which the products are counted: a subgroup has 16 rows.
ROWS, KEYS = 64, 64

# Falls short: what these kernels spill, at most. SGPRs are spilled to lanes of
# VGPRs, not to memory.
# Each page that a subgroup reads has a descriptor of four SGPRs.
KNOWN = {
    ("paged-16", "gfx90a"): {"sgpr_spills": 64},
    ("paged-16", "gfx942"): {"sgpr_spills": 64},
    ("paged-16", "gfx950"): {"sgpr_spills": 128},
    ("paged-16", "gfx1100"): {"sgpr_spills": 96},
    ("paged-16", "gfx1200"): {"sgpr_spills": 96},
}


def load(directory, name):
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(directory, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def check_usage(manifest, chip, known):
    """Returns what is wrong with the manifest, as a list of strings."""
    wrong = []
    for key, value in (("target", "amd"), ("chip", chip), ("format", "hsaco")):
        if manifest[key] != value:
            wrong.append("expected '%s' to be %s, got %s" % (key, value, manifest[key]))
    if not manifest["kernels"]:
        wrong.append("expected kernels, got none")
    spilled = {key: 0 for key in known}
    for name, usage in manifest["kernels"].items():
        for key in ("vgpr_spills", "sgpr_spills", "scratch_bytes"):
            most = known.get(key, 0)
            spilled[key] = max(spilled.get(key, 0), usage[key])
            if usage[key] > most:
                wrong.append("%s: expected at most %d %s, got %d" % (name, most, key, usage[key]))
    for key in known:
        if spilled[key] == 0:
            wrong.append("no kernel has %s; KNOWN need not list it" % key)
    return wrong


def check_loop(row, products):
    """Returns what is wrong with the main loop of a kernel, as a list of strings."""
    wrong = []
    loop = row["loop"]
    if products is not None and loop.get("product", 0) != products:
        wrong.append("expected %d products, got %d" % (products, loop.get("product", 0)))
    if not loop.get("buffer load 16"):
        wrong.append("expected loads of 16 bytes from buffers, got none")
    for kind in ("lds read 2", "buffer load", "global load", "global load 16", "scratch"):
        if loop.get(kind):
            wrong.append("expected no '%s' in the loop, got %d" % (kind, loop[kind]))
    if row["lane_loop"]:
        wrong.append("expected no loop over lanes, got one")
    return ["%s: %s" % (row["kernel"], text) for text in wrong]


def disassemble(objdump, base, chip):
    """The products that the machine code of the code object has."""
    text = subprocess.run(
        [objdump, "-d", "--mcpu=" + chip, base + ".hsaco"], check=True, capture_output=True, text=True
    ).stdout
    return len(re.findall(r"\bv_(?:mfma|wmma)_f32_16x16x(?:16|32)", text))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compile", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--objdump")
    parser.add_argument("output")
    options = parser.parse_args()
    amd, attention, paged = [load(options.bench, name) for name in ("amd", "attention", "paged")]
    # Name -> the file, the head dimension if the products are counted, and whether the
    # loops of products are checked.
    sources = {"programs": (options.programs, None, False)}
    texts = {"paged-16": (paged.source(16, prefill=False), None)}
    for d, mask, group in ATTENTION:
        texts["%d-%s-%d" % (d, mask, group)] = (attention.source(d, mask, group, "f16"), d)
    for name, (text, d) in texts.items():
        path = os.path.join(options.output, name + ".mlir")
        with open(path, "w") as file:
            file.write(text)
        sources[name] = (path, d, True)
    wrong = 0
    for chip, (k, lanes) in CHIPS.items():
        for name, (source, d, checks_loops) in sources.items():
            base = os.path.join(options.output, name + "-" + chip)
            kernels, manifest = amd.compile_program(options.compile, source, chip, base)
            messages = check_usage(manifest, chip, KNOWN.get((name, chip), {}))
            with open(base + ".s") as file:
                isa = file.read()
            emitted = len(re.findall(r"\bv_(?:mfma|wmma)_f32_16x16x(?:16|32)", isa))
            if emitted == 0:
                messages.append("expected matrix products, got none")
            if options.objdump and disassemble(options.objdump, base, chip) != emitted:
                messages.append("expected %d products in the machine code, got %d"
                                % (emitted, disassemble(options.objdump, base, chip)))
            rows = amd.describe(kernels, manifest, chip) if checks_loops else []
            for row in rows:
                messages += check_loop(row, None)
                print(name, chip, row)
            if d == 128 and rows:
                tile = "rows=%d keys=%d threads=%d" % (ROWS, KEYS, 4 * lanes)
                products = KEYS // 16 * d // k + d // 16 * KEYS // k
                for row in amd.report(options.compile, source, chip, base + "-tile", options=tile):
                    messages += check_loop(row, products)
            for text in messages:
                print("%s, %s: %s" % (name, chip, text))
                wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
