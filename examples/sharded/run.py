#!/usr/bin/env python3
"""A causal attention on several processes; see README.md.

usage: run.py build DIR PROCESSES [--cut=ring|keys|heads] [--mpicc=mpicc]
       mpirun -n PROCESSES run.py DIR [--tokens=65536] [--heads=1]

`build` compiles the program of one process, and the library of collective operations.
Then each process draws its parts, calls, and compares some of its rows with f64.

examples:
  python3 examples/sharded/run.py build /tmp/ring 4 --cut=ring
  mpirun -n 4 python3 examples/sharded/run.py /tmp/ring --tokens=4096
"""

import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import run_example  # noqa: E402
from run_example import ROOT, linalg_ext, numpy  # noqa: E402
from linalg_ext._terminal import ArgumentParser  # noqa: E402

CUTS = {
    "ring": "%d striped: [[], [0]], [[], ring [0]], [[], ring [0]] -> [[], [0]]",
    "keys": "%d: [], [[], [0]], [[], [0]] -> []",
    "heads": "%d: [[0]], [[0]], [[0]] -> [[0]]",
}
DEPTH, CHECKED = 64, 16


def find_source():
    """Where LinalgExtMPI.c is: in this tree, or where it is installed."""
    for directory in (os.path.join(ROOT, "mlir-ext", "lib", "Sharding"),
                      "/usr/share/linalg-ext", "/usr/local/share/linalg-ext"):
        path = os.path.join(directory, "LinalgExtMPI.c")
        if os.path.exists(path):
            return path
    sys.exit("run.py: error: expected LinalgExtMPI.c of linalg-ext, found none")


def build(directory, processes, cut, mpicc):
    os.makedirs(directory, exist_ok=True)
    stem = os.path.join(directory, "attention")
    compiler = linalg_ext.compiler.find_compiler()
    subprocess.run([compiler, os.path.join(HERE, "attention.mlir"), "--emit=shared",
                    "--report=none", "--shard=" + CUTS[cut] % processes, "-o", stem + ".so",
                    "--manifest=" + stem + ".json"], check=True)
    subprocess.run([mpicc, "-O2", "-fPIC", "-shared", find_source(), "-o",
                    os.path.join(directory, "liblinalg_ext_mpi.so")], check=True)
    with open(os.path.join(directory, "cut.json"), "w") as file:
        json.dump({"cut": cut, "processes": processes}, file)


def get_rank():
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"):
        if name in os.environ:
            return int(os.environ[name])
    sys.exit("run.py: error: expected to be started by mpirun or srun")


def draw(which, head, tokens):
    """A head of q, k or v. Every process draws the same."""
    random = numpy.random.default_rng([which, head])
    return random.standard_normal((tokens, DEPTH), dtype=numpy.float32)


def run(directory, tokens, heads):
    with open(os.path.join(directory, "cut.json")) as file:
        described = json.load(file)
    cut, processes = described["cut"], described["processes"]
    rank = get_rank()
    program = linalg_ext.load(os.path.join(directory, "attention.json"),
                              collectives=os.path.join(directory, "liblinalg_ext_mpi.so"))
    # The heads, and the rows of q and of k and v, that this process has.
    my_heads, rows, keys = range(heads), slice(None), slice(None)
    if cut == "heads":
        my_heads = range(rank * heads // processes, (rank + 1) * heads // processes)
    elif cut == "keys":
        keys = slice(rank * tokens // processes, (rank + 1) * tokens // processes)
    else:
        rows = keys = slice(rank, None, processes)
    take = lambda which, part: numpy.stack([draw(which, h, tokens)[part] for h in my_heads])
    q, k, v = take(0, rows), take(1, keys), take(2, keys)
    start = time.monotonic()
    found = program.attention(q, k, v)
    seconds = time.monotonic() - start

    worst = 0
    checked = numpy.unique(numpy.linspace(0, q.shape[1] - 1, CHECKED).astype(int))
    positions = numpy.arange(tokens)[rows][checked]
    for number, head in enumerate(my_heads):
        whole_k, whole_v = (draw(which, head, tokens).astype(numpy.float64) for which in (1, 2))
        scores = q[number, checked].astype(numpy.float64) @ whole_k.T * 0.125
        scores = numpy.where(numpy.arange(tokens)[None] <= positions[:, None], scores, -numpy.inf)
        want = run_example.softmax(scores) @ whole_v
        error = abs(found[number, checked] - want).max() / abs(want).max()
        worst = max(worst, error if error == error else numpy.inf)  # also if there is a NaN
    right = worst <= 1e-5
    sys.stdout.write("process %d of %d, %s: %d heads, %d rows, %d keys, %.2f s, error %.1e%s\n" % (
        rank, processes, cut, q.shape[0], q.shape[1], k.shape[1], seconds, worst,
        "" if right else ": WRONG"))
    return 0 if right else 1


def main():
    if sys.argv[1:2] == ["build"]:
        parser = ArgumentParser(description=__doc__)
        parser.add_argument("directory")
        parser.add_argument("processes", type=int)
        parser.add_argument("--cut", choices=CUTS, default="ring")
        parser.add_argument("--mpicc", default="mpicc")
        options = parser.parse_args(sys.argv[2:])
        build(options.directory, options.processes, options.cut, options.mpicc)
        return 0
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("directory")
    parser.add_argument("--tokens", type=int, default=65536)
    parser.add_argument("--heads", type=int, default=1)
    options = parser.parse_args()
    return run(options.directory, options.tokens, options.heads)


if __name__ == "__main__":
    sys.exit(main())
