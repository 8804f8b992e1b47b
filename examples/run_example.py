"""What the run.py of each example does: compile, call, compare with f64.

  run.py                            compile for this CPU and call
  run.py --target=sm_90a            compile for a GPU and call on it (takes torch)
  run.py --target=sm_90a --build=DIR    only compile, into DIR
  run.py --target=sm_90a --load=DIR     only call what --build has left in DIR
  run.py --view=FILE                also write the page of --view (docs/View.md)

The package linalg_ext is taken from python/ of the source tree, unless it is installed
or PYTHONPATH names another one. `reference` returns the results in f64, and how much
each element may differ: bounds that follow from the types, not from measurements.

examples:
  python3 examples/sliding-window/run.py --view=window.html
  python3 examples/sliding-window/run.py --target=sm_90a --build=/tmp/window
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "python"))

import linalg_ext  # noqa: E402
from linalg_ext._terminal import ArgumentParser, import_numpy  # noqa: E402

numpy = import_numpy()

HALF = 2.0**-11  # the relative error of a rounding to f16


def round_half(array):
    """f16, and the f64 that has the same numbers."""
    half = array.astype(numpy.float16)
    return half, half.astype(numpy.float64)


def softmax(scores):
    """Of the last dimension, in f64. -inf counts as 0."""
    exps = numpy.exp(scores - scores.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True)


def attention(scores, values, subscripts):
    """softmax(scores) values in f64, and its bound if the weights, the result and
    nothing else are rounded to f16."""
    weights = softmax(scores)
    result = numpy.einsum(subscripts, weights, values)
    size = numpy.einsum(subscripts, weights, abs(values))
    # Weights below the normal range of f16 have an absolute error. They are rounded
    # before they are divided by a sum of at least 1.
    tiny = scores.shape[-1] * 2.0**-24 * abs(values).max()
    return result, 1.1 * HALF * (size + abs(result)) + tiny


def on_gpu(program, entry, arguments, results):
    """Calls `entry` on the GPU; results are its last arguments."""
    import torch

    tensors = [torch.from_numpy(numpy.ascontiguousarray(a)).cuda() for a in arguments]
    outs = [torch.from_numpy(numpy.full_like(r, 7)).cuda() for r in results]
    getattr(program, entry)(*tensors, *outs)
    torch.cuda.synchronize()
    return [out.cpu().numpy() for out in outs]


def main(file, entry, cases, make, reference, options=""):
    """Runs `entry` of the program `file` for each of `cases`, dicts of sizes.
    `options` are those of the pipeline, unless --options are given.

    `make(random, **case)` returns the arguments. `reference(*arguments)` returns a
    list with (result in f64, bound, dtype) for each result."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="host", help="the chip; the default is this CPU")
    parser.add_argument("--build", help="only compile, into this directory")
    parser.add_argument("--load", help="call what --build has left in this directory")
    parser.add_argument("--view", help="file for the page of --view")
    parser.add_argument("--options", default=options, help="options of the pipeline")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    name = os.path.basename(os.path.dirname(os.path.abspath(file)))
    flags = ["--view=" + given.view] if given.view else []
    if given.build:
        built = linalg_ext.build(file, given.build, given.target, options=given.options, flags=flags)
        print(built.report.strip().splitlines()[-1])
        return
    if given.load:
        program = linalg_ext.load(os.path.join(given.load, "program.json"))
    else:
        program = linalg_ext.compile(file, given.target, options=given.options, flags=flags)
        print(program.report.strip().splitlines()[-1])
    random = numpy.random.default_rng(given.seed)
    wrong = False
    for case in cases:
        arguments = make(random, **case)
        expected = reference(*arguments)
        if given.target == "host":
            results = getattr(program, entry)(*arguments)
            results = results if isinstance(results, (tuple, list)) else [results]
        else:
            shapes = [numpy.zeros(r.shape, dtype) for r, _, dtype in expected]
            results = on_gpu(program, entry, arguments, shapes)
        worst = 0.0
        for result, (exact, bound, _) in zip(results, expected):
            difference = abs(result.astype(numpy.float64) - exact)
            share = difference / numpy.maximum(bound, 1e-30)
            worst = max(worst, float(numpy.nan_to_num(share, nan=numpy.inf).max(initial=0.0)))
        wrong |= worst > 1
        sizes = ", ".join("%s = %s" % item for item in case.items())
        print("%s, %s: %.2f of the error bound%s" % (name, sizes, worst, "" if worst <= 1 else ": WRONG"))
    if wrong:
        sys.exit(1)
