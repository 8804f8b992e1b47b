#!/usr/bin/env python3
"""Compiles programs for AMD chips to assembly and code objects. Fails if a kernel has
scratch memory or spills that KNOWN does not list, if a loop has not the matrix products
that its tile takes, narrow loads or a loop over lanes, if the manifest lacks something,
or if the table of docs/AMD.md has other numbers.

usage: amd-kernels.py --compile=PROGRAM --bench=DIRECTORY --programs=FILE --table=FILE DIR
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
# What is to be in the machine code as often as in the assembly.
INSTRUCTIONS = r"\bv_(?:mfma|wmma)_f32_16x16x(?:16|32)|\bds_read_b64_tr_b16|\bbuffer_load_dwordx4 .* lds\b"
# Tiles of which the products are counted, as options, and how many numbers a workgroup
# of four subgroups multiplies for one in an iteration. A few queries of a page fill the
# 16 rows of a product.
TILES = {
    "matmul": ("rows=64 columns=128 reduction=64", 64 * 128 * 64),
    "attention-64-causal": ("rows=64 keys=64", 2 * 64 * 64 * 64),
    "attention-128-full": ("rows=64 keys=64", 2 * 64 * 64 * 128),
    "attention-256-causal": ("rows=32 keys=32", 2 * 32 * 32 * 256),
    "paged-16": ("keys=64", 2 * 16 * 64 * 128),
}
# Chips of the same families: their kernels differ in the number of processors alone.
OTHERS = ["gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1201"]

# Falls short: what kernels spill, at most, by program and chip.
KNOWN = {("paged-16", "gfx950, options"): {"sgpr_spills": 2}}


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


def check_copies(row):
    """Returns what is wrong with a loop that copies to LDS, and reads it transposed."""
    loop = row["loop"]
    wrong = []
    if loop.get("perm"):
        wrong.append("expected no thread to transpose, got %d 'perm'" % loop["perm"])
    for kind in ("lds copy", "lds read transposed"):
        if not loop.get(kind):
            wrong.append("expected '%s' in the loop, got none" % kind)
    return ["%s: %s" % (row["kernel"], text) for text in wrong]


def read_table(path):
    """(program, chip) -> the cells of the row of the table in the page."""
    with open(path) as file:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
                for line in file if line.startswith("| ")]
    return {(row[0], row[1]): row for row in rows if len(row) == 18}


def check_table(amd, table, name, chip, rows):
    """Returns how the table differs from the kernel with the most products. llvm-mca's
    cycles are not compared."""
    best = amd.get_best(rows)
    if not best or (name, chip) not in table:
        return ["expected a row of %s in the table, got none" % name]
    want, got = amd.get_cells(name, chip, best)[:-1], table[(name, chip)][:-1]
    return [] if want == got else ["expected the row | %s | in the table, got | %s |"
                                   % (" | ".join(want), " | ".join(got))]


def check_loop(row):
    """Returns what is wrong with the main loop of a kernel, as a list of strings."""
    wrong = []
    loop = row["loop"]
    if not loop.get("buffer load 16") and not loop.get("lds copy"):
        wrong.append("expected loads of 16 bytes from buffers, got none")
    for kind in ("lds read 2", "buffer load", "global load", "global load 16", "scratch", "lane spill"):
        if loop.get(kind):
            wrong.append("expected no '%s' in the loop, got %d" % (kind, loop[kind]))
    if row["lane_loop"]:
        wrong.append("expected no loop over lanes, got one")
    return ["%s: %s" % (row["kernel"], text) for text in wrong]


def check_pages(kernels, amd):
    """Returns what is wrong with kernels that read pages, as a list of strings: all pages are
    buffers, those of the last keys, too."""
    wrong = []
    for name, lines in kernels.items():
        if not amd.get_main_loop(lines):
            continue
        counts = amd.count(lines)
        if counts.get("global load 16"):
            wrong.append("%s: expected rows of pages from buffers, got %d global loads"
                         % (name, counts["global load 16"]))
        if not counts.get("first lane"):
            wrong.append("%s: expected the number of the subgroup in scalar registers" % name)
    return wrong


def check_machine_code(objdump, base, chip):
    """Returns how many more or fewer of INSTRUCTIONS the code object has than the
    assembly."""
    with open(base + ".s") as file:
        emitted = len(re.findall(INSTRUCTIONS, file.read()))
    if emitted == 0:
        return ["expected matrix products, got none"]
    if not objdump:
        return []
    text = subprocess.run(
        [objdump, "-d", "--mcpu=" + chip, base + ".hsaco"], check=True, capture_output=True, text=True
    ).stdout
    decoded = len(re.findall(INSTRUCTIONS, text))
    if decoded == emitted:
        return []
    return ["expected %d of %s in the machine code, got %d" % (emitted, INSTRUCTIONS, decoded)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compile", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--objdump")
    parser.add_argument("--table", required=True)
    parser.add_argument("output")
    options = parser.parse_args()
    amd = load(options.bench, "amd")
    table = read_table(options.table)
    # Name -> the file, and whether the loops of products are checked.
    sources = {"programs": (options.programs, False)}
    for name, path in amd.write_programs(options.output).items():
        sources[name] = (path, True)
    wrong = 0
    runs = [(chip, chip, "") for chip in CHIPS] + [("gfx950", "gfx950, options", amd.GFX950)]
    for chip, label, extra in runs:
        k, lanes = CHIPS[chip]
        for name, (source, checks_loops) in sources.items():
            base = os.path.join(options.output, name + "-" + label.replace(", ", "-"))
            kernels, manifest = amd.compile_program(options.compile, source, chip, base, extra)
            messages = check_usage(manifest, chip, KNOWN.get((name, label), {}))
            messages += check_machine_code(options.objdump, base, chip)
            rows = amd.describe(kernels, manifest, chip) if checks_loops else []
            for row in rows:
                messages += check_loop(row)
                print(name, label, row)
            if checks_loops:
                messages += check_table(amd, table, name, label, rows)
                tile, numbers = TILES[name]
                want = numbers // (16 * 16 * k) // 4
                tile += " threads=%d " % (4 * lanes) + extra
                for kernel, products in amd.get_products(options.compile, source, chip, tile).items():
                    if products != want:
                        messages.append("%s: expected %d products in a tile of %s, got %d"
                                        % (kernel, want, tile, products))
            if name.startswith("paged"):
                messages += check_pages(kernels, amd)
            if extra and name == "attention-128-full":
                for row in rows:
                    messages += check_copies(row)
            for text in messages:
                print("%s, %s: %s" % (name, label, text))
                wrong += 1
    for chip in OTHERS:
        base = os.path.join(options.output, chip)
        _, manifest = amd.compile_program(options.compile, options.programs, chip, base)
        for text in check_usage(manifest, chip, {}) + check_machine_code(options.objdump, base, chip):
            print("%s: %s" % (chip, text))
            wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
