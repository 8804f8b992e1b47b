#!/usr/bin/env python3
"""One process of a program that fails. usage: fail_sharded.py MPI_LIBRARY DIRECTORY HOW

HOW: dies (process 1, with a signal, after a first call), hangs (process 1, instead of a
second call), three (there is one process too many), sizes (the parts differ).
"""

import os
import signal
import sys
import time

import numpy

import linalg_ext
from check_sharded import get_rank


def main():
    library, directory, how = sys.argv[1:]
    name = "d.json" if how == "sizes" else "a.json"
    program = linalg_ext.load(os.path.join(directory, name), collectives=library)
    rank = get_rank()
    if how == "sizes":
        keys = 8 if rank == 0 else 12
        shapes = [(2, 10, 16), (2, keys, 16), (2, keys, 16)]
    else:
        shapes = [a["shape"] for a in program.entries["attention"].arguments]
    arguments = [numpy.ones(shape, "f4") for shape in shapes]
    if how in ("dies", "hangs"):
        program.attention(*arguments)
        if rank == 1 and how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if rank == 1:
            print("HANGS", flush=True)
            time.sleep(600)
    program.attention(*arguments)
    print("RESULT", flush=True)


if __name__ == "__main__":
    main()
