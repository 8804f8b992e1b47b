#!/usr/bin/env python3
"""Compiles kernels of bench/gpu/decode on caches of 8 and 4 bits. Fails if one spills, or if the
loop with most products has more instructions of PTX than it is known to need.

usage: loops.py --compile=PROGRAM --bench=FILE [--slack=PERCENT] DIR

With a negative slack, each count is too large.
"""

import argparse
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import kernels  # noqa: E402

# Elements, type of a cache, and instructions of an iteration of a subgroup: of 32 keys, or
# of 64 if a byte has two elements (docs/Decisions/0159 and 0191).
KERNELS = {
    ("f16", "f8E4M3FN"): 481,
    ("bf16", "f8E4M3FN"): 739,
    ("f16", "i8"): 578,
    ("bf16", "i8"): 676,
    ("f16", "u4"): 802,
    ("bf16", "u4"): 789,
}


def count(path):
    """The instructions of the innermost loop with most products."""
    labels, loops, statements, products = {}, [], 0, 0
    for line in open(path):
        label = re.match(r"(\$L\w+):", line)
        if label:
            labels[label[1]] = statements, products
        # An instruction may take several lines.
        statements += line.count(";")
        products += line.count("mma.sync")
        jump = re.search(r"\bbra(?:\.uni)?\s+(\$L\w+);", line)
        if jump and jump[1] in labels:
            first, before = labels[jump[1]]
            loops.append((products - before, first - statements))
    return -max(loops)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compile", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--slack", type=int, default=3)
    parser.add_argument("output")
    options = parser.parse_args()
    module = kernels.load(options.bench)
    wrong = 0
    for (dtype, cache), known in KERNELS.items():
        base = os.path.join(options.output, "%s-%s" % (dtype, cache))
        with open(base + ".mlir", "w") as file:
            file.write(module.source(4, 128, dtype, cache))
        command = [options.compile, base + ".mlir", "--target=sm_90a", "--report=none"]
        command += ["-o", base + ".cubin", "--assembly=" + base + ".ptx"]
        subprocess.run(command, check=True)
        wrong += kernels.count_spilling(base)
        found, most = count(base + ".ptx"), known * (100 + options.slack) // 100
        if found > most:
            print("%s: expected at most %d instructions, got %d" % (base, most, found))
            wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
