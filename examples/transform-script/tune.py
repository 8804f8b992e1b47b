#!/usr/bin/env python3
"""Tries tile sizes in a transform script, and says which are fastest on this CPU.

usage: tune.py [--heads=12] [--tokens=1024] [--rounds=5] [--threads] [--write=FILE]

Each line of schedule.mlir with a comment "try A B ..." has a number to vary. All
combinations are compiled: linalg-ext-opt applies the script, linalg-ext-compile compiles
what comes out. Each result is compared with the first one, and each program is timed in
turn with the others. The last line is the fastest; --write writes the script with its
numbers.

example:
    tune.py --tokens=512 --write=/tmp/schedule.mlir
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "python"))

import linalg_ext  # noqa: E402
from linalg_ext._terminal import ArgumentParser, import_numpy, track  # noqa: E402

numpy = import_numpy()

NUMBER = re.compile(r"(= transform\.param\.constant )(\d+)( : .*// try )([0-9 ]+)")


def find_opt():
    for name in (os.environ.get("LINALG_EXT_OPT"), "linalg-ext-opt", os.path.join(ROOT, "build/bin/linalg-ext-opt")):
        if name and shutil.which(name):
            return shutil.which(name)
    sys.exit("tune.py: error: expected linalg-ext-opt in PATH or in $LINALG_EXT_OPT, found none")


def substitute(script, numbers):
    """The script with these numbers in place of those that vary."""
    left = iter(numbers)
    return NUMBER.sub(lambda m: m[1] + str(next(left)) + m[3] + m[4], script)


def compile_with(opt, script, work, options):
    schedule = os.path.join(work, "schedule.mlir")
    with open(schedule, "w", encoding="utf-8") as f:
        f.write(script)
    done = subprocess.run(
        [
            opt,
            os.path.join(HERE, "attention.mlir"),
            "--transform-preload-library=transform-library-paths=" + schedule,
            "--transform-interpreter",
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        sys.exit("tune.py: error: the script failed:\n" + done.stderr)
    return linalg_ext.compile(done.stdout, options=options)


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", action="store_true", help="use OpenMP's threads")
    parser.add_argument("--script", default=os.path.join(HERE, "schedule.mlir"))
    parser.add_argument("--write", help="file for the script with the fastest numbers")
    given = parser.parse_args()
    with open(given.script, encoding="utf-8") as f:
        script = f.read()
    tried = [[int(n) for n in m[4].split()] for m in NUMBER.finditer(script)]
    if not tried:
        sys.exit("tune.py: error: expected a number with a comment 'try A B ...' in the script, found none")
    opt = find_opt()
    random = numpy.random.default_rng(0)
    shape = (given.heads, given.tokens, 64)
    q, k, v = (random.standard_normal(shape).astype(numpy.float32) for _ in range(3))
    first, runs = None, {}
    for numbers in track(list(itertools.product(*tried)), "compiling"):
        with tempfile.TemporaryDirectory() as work:
            program = compile_with(opt, substitute(script, numbers), work, "threads=openmp" if given.threads else "")
        result = program.attention(q, k, v)
        if first is None:
            first = result
        error = abs(result - first).max()
        if not error < 1e-4:
            sys.exit("tune.py: error: %s differs by %.1e from the first result" % (numbers, error))
        runs[numbers] = program.attention.prepare(q, k, v)
    times = {numbers: [] for numbers in runs}
    for _ in track(range(given.rounds), "timing, round", lambda _: ""):
        for numbers, run in runs.items():
            start = time.perf_counter()
            run()
            times[numbers].append(1e3 * (time.perf_counter() - start))
    ranked = sorted(times, key=lambda numbers: sorted(times[numbers])[len(times[numbers]) // 2])
    for numbers in reversed(ranked):
        all_times = sorted(times[numbers])
        print(
            "%-14s %8.2f ms (%.2f to %.2f)"
            % (" ".join(map(str, numbers)), all_times[len(all_times) // 2], all_times[0], all_times[-1])
        )
    print("fastest:", " ".join(map(str, ranked[0])))
    if given.write:
        with open(given.write, "w", encoding="utf-8") as f:
            f.write(substitute(script, ranked[0]))


if __name__ == "__main__":
    main()
