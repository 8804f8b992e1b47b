#!/usr/bin/env python3
"""Calls the collective operations that a manifest has, by linalg_ext.Collectives, on
random memory of the host in place of that of a GPU, and compares with what they say.

usage: mpirun -n N call_collectives.py LIBRARY MANIFEST ENTRY
"""

import itertools
import os
import sys

import numpy

import linalg_ext
from linalg_ext.manifest import find_process_grid


def main():
    library, path, name = sys.argv[1:]
    collectives = linalg_ext.Collectives(library)
    entry = linalg_ext.read_manifest(path).get_entry(name)
    grid = find_process_grid(entry.launches) or [
        argument["numbers"]
        for launch in entry.launches if "collective" in launch
        for argument in launch["arguments"] if "numbers" in argument][0]
    process = collectives.get_process_index(grid)
    shapes = [tuple(a["shape"]) for a in entry.arguments]
    _, launches = entry.plan(shapes, process)
    position = numpy.unravel_index(process, grid)

    def draw(number, process, shape):
        return numpy.random.default_rng([number, process]).standard_normal(shape, dtype="f4")

    started = {}
    for number, launch in enumerate(launches):
        if not isinstance(launch, linalg_ext.Collective):
            continue
        buffers = [a for a in launch.arguments if isinstance(a[0], tuple)]
        arrays = [draw(number, process, shape) for _, shape in buffers]
        axes, *parameter = [v for kind, v in launch.arguments if kind == "i64"]
        if launch.name == "pass_wait":
            arrays, wanted = started.pop(str(buffers[0][0]))
        else:
            along = [range(n) if axes >> axis & 1 else [position[axis]]
                     for axis, n in enumerate(grid)]
            members = [int(numpy.ravel_multi_index(p, grid)) for p in itertools.product(*along)]
            parts = [draw(number, member, buffers[0][1]) for member in members]
            me = members.index(process)
            wanted = {"all_reduce": lambda: sum(parts),
                      "all_gather": lambda: numpy.concatenate(parts, axis=parameter[0]),
                      "all_to_all": lambda: numpy.concatenate(
                          [numpy.split(part, len(parts), axis=parameter[0])[me]
                           for part in parts], axis=parameter[1]),
                      "pass_start": lambda: parts[me - 1]}[launch.name]()
        addresses = {str(b[0]): a.ctypes.data for b, a in zip(buffers, arrays)}
        collectives.prepare(launch, lambda buffer: addresses[str(buffer)])()
        if launch.name == "pass_start":
            started[str(buffers[0][0])] = (arrays, wanted)
            continue
        error = abs(arrays[-1].reshape(wanted.shape) - wanted).max()
        if not error <= 1e-6:
            print("process %d, %s: expected an error of at most 1e-6, got %s"
                  % (process, launch, error), file=sys.stderr)
            return 1
        sys.stdout.write("process %d: %s is right\n" % (process, launch.name))
    return len(started) > 0


if __name__ == "__main__":
    sys.exit(main())
