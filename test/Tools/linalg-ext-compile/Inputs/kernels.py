"""What the tests of kernels of bench/gpu share."""

import importlib.machinery
import importlib.util
import json
import sys


def load(path):
    """The program at `path`, which has no suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader("bench", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def count_spilling(base, most=0):
    """The number of kernels of the manifest `base`.json that spill something, or more than
    `most` bytes. Prints these."""
    wrong = 0
    with open(base + ".json") as file:
        kernels = json.load(file)["kernels"]
    for name, usage in kernels.items():
        spilled, stack = usage["spill_store_bytes"], usage["stack_bytes"]
        if spilled > most or (stack > 0 and spilled == 0):
            print("%s, %s: expected at most %d bytes to be spilled, got %d (stack %d)"
                  % (base, name, most, spilled, stack))
            wrong += 1
    return wrong
