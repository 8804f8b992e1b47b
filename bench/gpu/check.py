#!/usr/bin/env python3
"""Checks kernels on the GPU against references in f64, and times them.

usage: check.py [--time] [--filter=TEXT] DIRECTORY...

Every NAME.check.json in the directories (bench/gpu/build copies them there) is a
list of cases:

    {"manifest": "softmax.json",       what linalg-ext-compile wrote; NAME.json
                                       if it is not given
     "entry": "softmax",               the function
     "reference": "softmax",           one of REFERENCES below
     "parameters": {"scale": 0.5},     of the reference
     "arguments": [                    those of the function, in order:
        {"shape": [5, 77]},            random normal, in the manifest's type;
        {"shape": [5, 77], "fill": "uniform", "scale": 10.0},
        {"value": 0.5},                a scalar (not passed to the reference)
        {"output": true, "shape": [5, 77]}],
     "tolerance": 1e-5,                largest error, relative to the largest
                                       element of the reference; see tolerance()
     "relative": 1e-3,                 if given, errors are relative to each
                                       element, or to this number for smaller ones
     "flops": 1e9, "bytes": 1e6,       of a call, for rates with --time
     "seed": 0}

Fills: normal, uniform (-1 to 1), positive (0 to 1), bool (a mask), zeros, ones,
arange; then times the scale.

An output is NaN before the run, and lies between guards that must keep their
contents; inputs must keep theirs. One line a case: ok or FAIL, the largest
absolute error, where it applies that of torch's scaled_dot_product_attention in the
same types, and with --time the time of a call and torch's. The exit status is 1
if a case fails.

examples:
    check.py /tmp/kernels               # what bench/gpu/build left there
    check.py --filter=softmax --time /tmp/kernels
"""

import glob
import itertools
import json
import os
import sys

try:
    import torch
except ModuleNotFoundError:  # --help needs none
    torch = None

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "python")]

from linalg_ext import load, time_ms, torch_type  # noqa: E402
from linalg_ext._terminal import ArgumentParser, track  # noqa: E402

GUARD_BYTES = 4096

# ---------------------------------------------------------------------------
# References: from tensors in f64, in the order of the inputs, to the outputs.
# ---------------------------------------------------------------------------


def reference_add(a, b):
    return [a + b]


def reference_transpose(x):
    return [x.transpose(-1, -2)]


def reference_matmul(a, b, transpose_a=False, transpose_b=False):
    if transpose_a:
        a = a.transpose(-1, -2)
    if transpose_b:
        b = b.transpose(-1, -2)
    return [a @ b]


def reference_bias_relu(x, bias):
    return [torch.relu(x + bias)]


def reference_matmul_bias_relu(a, b, bias, transpose_b=False):
    return [torch.relu(reference_matmul(a, b, transpose_b=transpose_b)[0] + bias)]


def reference_softmax(x, scale=1.0):
    return [torch.softmax(x * scale, dim=-1)]


def reference_rmsnorm_matmul(x, b, weight=None, epsilon=0.0, transpose_b=False):
    """rms(x) over the last dimension, times a weight if there is one, times b."""
    y = x / torch.sqrt((x * x).mean(dim=-1, keepdim=True) + epsilon)
    if weight is not None:
        y = y * weight
    return reference_matmul(y, b, transpose_b=transpose_b)


def attention_mask(m, n, causal, window, device):
    """Which of n keys each of m queries sees; None for all. Causal masks align
    the last query with the last key; a window is that many keys back."""
    if not causal and window is None:
        return None
    query = torch.arange(m, device=device)[:, None] + (n - m)
    key = torch.arange(n, device=device)[None, :]
    visible = torch.ones(m, n, dtype=torch.bool, device=device)
    if causal:
        visible &= key <= query
    if window is not None:
        visible &= key > query - window
    return visible


def repeat_heads(x, heads):
    """Gives each of `heads` query heads its key head (grouped queries)."""
    return x.repeat_interleave(heads // x.shape[-3], dim=-3) if x.dim() > 2 else x


def to_heads_first(x, layout):
    """(..., heads, rows, head size) from the layout bhsd or bshd."""
    return x.transpose(-2, -3) if layout == "bshd" else x


def reference_attention(
    q, k, v, mask=None, causal=False, window=None, scale=None, softcap=None, layout="bhsd"
):
    """softmax(scale q k^T + mask) v; `mask` is a number added to each score, or a
    bool that says what is seen. Rows that see nothing are 0."""
    q, k, v = (to_heads_first(x, layout) for x in (q, k, v))
    k, v = (repeat_heads(x, q.shape[-3] if q.dim() > 2 else 1) for x in (k, v))
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows, columns = q.shape[-2], k.shape[-2]
    visible = attention_mask(rows, columns, causal, window, q.device)
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], columns)
    out = torch.empty(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    # One head at a time: the scores of all in f64 would fill the memory.
    for head in itertools.product(*map(range, q.shape[:-2])):
        scores = scale * q[head] @ k[head].transpose(-1, -2)
        if softcap is not None:
            scores = softcap * torch.tanh(scores / softcap)
        if visible is not None:
            scores = scores.masked_fill(~visible, float("-inf"))
        if mask is not None and mask.dtype == torch.bool:
            scores = scores.masked_fill(~mask[head], float("-inf"))
        elif mask is not None:
            scores = scores + mask[head]
        out[head] = torch.softmax(scores, dim=-1).nan_to_num(0.0) @ v[head]
    return [to_heads_first(out, layout).contiguous()]


def sdpa_attention(
    q, k, v, mask=None, causal=False, window=None, scale=None, softcap=None, layout="bhsd"
):
    """The same by torch's kernels, in the types of the tensors; None if they have
    no such thing."""
    if softcap is not None or q.dim() < 3:
        return None
    q, k, v = (to_heads_first(x, layout) for x in (q, k, v))
    rows, columns = q.shape[-2], k.shape[-2]
    # Torch aligns causal masks with the first key.
    plain = causal and window is None and rows == columns and mask is None
    visible = None
    if not plain:
        visible = attention_mask(rows, columns, causal, window, q.device)
        if mask is not None:
            if visible is not None:
                return None
            visible = mask if mask.dtype == torch.bool else mask.to(q.dtype)
    out = torch.nn.functional.scaled_dot_product_attention(
        q,
        k,
        v,
        attn_mask=visible,
        is_causal=plain,
        scale=scale,
        enable_gqa=q.shape[-3] != k.shape[-3],
    )
    return [to_heads_first(out, layout).contiguous()]


def reference_swap_rows(x):
    """Rows 2i and 2i + 1 change places."""
    return [x.reshape(-1, 2, *x.shape[1:]).flip(1).reshape(x.shape)]


def reference_unary(x, function):
    return [getattr(torch, function)(x)]


REFERENCES = {
    "add": reference_add,
    "attention": reference_attention,
    "bias_relu": reference_bias_relu,
    "matmul": reference_matmul,
    "matmul_bias_relu": reference_matmul_bias_relu,
    "rmsnorm_matmul": reference_rmsnorm_matmul,
    "softmax": reference_softmax,
    "swap_rows": reference_swap_rows,
    "transpose": reference_transpose,
    "unary": reference_unary,
}

# By the same name: torch's own kernels, in the types of the inputs.
PEERS = {
    "attention": sdpa_attention,
    "matmul": reference_matmul,
    "softmax": reference_softmax,
    "transpose": lambda x: [x.transpose(-1, -2).contiguous()],
}

# ---------------------------------------------------------------------------
# Cases
# ---------------------------------------------------------------------------


def make_input(description, dtype, generator):
    shape = description["shape"]
    fill = description.get("fill", "normal")
    scale = description.get("scale", 1.0)
    if dtype == torch.bool or fill == "bool":
        return torch.rand(shape, generator=generator, device="cuda") < 0.5
    if fill == "normal":
        values = torch.randn(shape, generator=generator, device="cuda")
    elif fill == "uniform":
        values = 2 * torch.rand(shape, generator=generator, device="cuda") - 1
    elif fill == "positive":
        values = 1 - torch.rand(shape, generator=generator, device="cuda")
    elif fill == "arange":
        values = torch.arange(
            torch.Size(shape).numel(), device="cuda", dtype=torch.float64
        ).reshape(shape)
    elif fill in ("zeros", "ones"):
        values = getattr(torch, fill)(shape, device="cuda")
    else:
        raise ValueError("unknown fill %r" % fill)
    return (values * scale).to(dtype)


class GuardedOutput:
    """A tensor of NaN, or of ones' bits, between guards."""

    def __init__(self, shape, dtype):
        count = torch.Size(shape).numel() * dtype.itemsize
        self.bytes = torch.full(
            (2 * GUARD_BYTES + count,), 0xAB, dtype=torch.uint8, device="cuda"
        )
        inside = self.bytes[GUARD_BYTES : GUARD_BYTES + count]
        self.tensor = inside.view(dtype).reshape(shape)
        self.tensor.fill_(float("nan") if dtype.is_floating_point else -1)
        self.end = GUARD_BYTES + count

    def is_intact(self):
        return bool(
            (self.bytes[:GUARD_BYTES] == 0xAB).all()
            and (self.bytes[self.end :] == 0xAB).all()
        )


def largest_error(actual, expected, relative=None):
    """The largest error, absolute or relative to max(element, `relative`); NaN
    where only one of two is NaN, infinity where only one is infinite."""
    if expected.numel() == 0:
        return 0.0
    actual = actual.to(torch.float64)
    error = (actual - expected).abs()
    if relative is not None:
        error = error / expected.abs().clamp(min=relative)
    same = (actual == expected) | (actual.isnan() & expected.isnan())
    error = error.masked_fill(same, 0.0)
    return float("nan") if error.isnan().any() else error.max().item()


def epsilon(dtype):
    return torch.finfo(dtype).eps if dtype.is_floating_point else 0.0


def tolerance(case, expected, output_type, inputs, peer_error):
    """The largest error to accept. Unless the case says: a rounding of the output
    and one of an intermediate in the inputs' type, f32's roundings of sums of
    1000 terms; and twice what torch's kernel loses."""
    size = expected.abs().nan_to_num(0.0, 0.0, 0.0).max().item() if expected.numel() else 0
    if "relative" in case:
        return case["tolerance"]
    if "tolerance" in case:
        return case["tolerance"] * max(size, 1e-30)
    narrow = max([epsilon(x.dtype) for x in inputs] + [0.0])
    bound = size * (epsilon(output_type) + narrow + 32 * epsilon(torch.float32))
    return max(bound, 2 * peer_error) if peer_error is not None else bound


def run_case(kernels, case, timed):
    """Returns whether the case is fine, and a line about it."""
    entry = kernels.entries[case["entry"]]
    generator = torch.Generator(device="cuda").manual_seed(case.get("seed", 0))
    arguments, inputs, outputs = [], [], []
    for description, argument in zip(case["arguments"], entry.arguments):
        if "value" in description:
            arguments.append(description["value"])
            continue
        dtype = torch_type(argument["type"])
        if description.get("output"):
            outputs.append(GuardedOutput(description["shape"], dtype))
            arguments.append(outputs[-1].tensor)
        else:
            inputs.append(make_input(description, dtype, generator))
            arguments.append(inputs[-1])
    copies = [x.clone() for x in inputs]
    kernels(case["entry"], *arguments)
    torch.cuda.synchronize()

    parameters = case.get("parameters", {})
    wide = [x.double() if x.dtype.is_floating_point else x for x in copies]
    expected = REFERENCES[case["reference"]](*wide, **parameters)
    peer = PEERS.get(case["reference"])
    peer_outputs = peer(*copies, **parameters) if peer else None

    ok, notes = True, []
    if len(expected) != len(outputs):
        ok = False
        notes.append("expected %d outputs, got %d" % (len(expected), len(outputs)))
    if not all(torch.equal(a, b) for a, b in zip(inputs, copies)):
        ok = False
        notes.append("an input was written")
    for number, (output, reference) in enumerate(zip(outputs, expected)):
        floor, peer_error = case.get("relative"), None
        if peer_outputs is not None:
            peer_error = largest_error(peer_outputs[number], reference, floor)
        error = largest_error(output.tensor, reference, floor)
        bound = tolerance(case, reference, output.tensor.dtype, copies, peer_error)
        if not error <= bound:  # Also where it is NaN.
            ok = False
        if not output.is_intact():
            ok = False
            notes.append("wrote outside of output %d" % number)
        notes.append("error %.2e (at most %.2e)" % (error, bound))
        if peer_error is not None:
            notes.append("torch %.2e" % peer_error)
    if timed:
        notes += timings(case, "", kernels.prepare(case["entry"], *arguments))
        if peer_outputs is not None:
            notes += timings(case, "torch ", lambda: peer(*copies, **parameters))
    return ok, "  ".join(notes)


def timings(case, name, function):
    """Notes on how long `function` takes and what rates that is."""
    milliseconds = time_ms(function)
    notes = ["%s%.4f ms" % (name, milliseconds)]
    if "flops" in case:
        notes.append("%.1f TFLOP/s" % (case["flops"] / milliseconds * 1e-9))
    if "bytes" in case:
        notes.append("%.0f GB/s" % (case["bytes"] / milliseconds * 1e-6))
    return notes


def describe(case):
    shapes = [
        "x".join(map(str, a["shape"])) for a in case["arguments"] if "shape" in a
    ]
    parameters = ["%s=%s" % item for item in case.get("parameters", {}).items()]
    return " ".join([case["entry"]] + shapes + parameters)


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--time", action="store_true", help="time each case")
    parser.add_argument("--filter", default="", help="run cases whose line has this text")
    parser.add_argument("directories", nargs="+")
    options = parser.parse_args()
    if torch is None:
        parser.error("expected a Python with torch, got " + sys.executable)

    total = failed = 0
    for directory in options.directories:
        for path in sorted(glob.glob(os.path.join(directory, "*.check.json"))):
            with open(path, encoding="utf-8") as file:
                cases = json.load(file)
            default = os.path.basename(path).replace(".check.json", ".json")
            loaded = {}
            for case in track(cases, "running cases of %s, case" % default, describe):
                text = describe(case)
                if options.filter not in text:
                    continue
                total += 1
                try:
                    name = case.get("manifest", default)
                    if name not in loaded:
                        loaded[name] = load(os.path.join(directory, name))
                    ok, notes = run_case(loaded[name], case, options.time)
                except Exception as error:  # One case must not end the others.
                    ok, notes = False, "%s: %s" % (type(error).__name__, error)
                failed += not ok
                print("%-4s %-50s %s" % ("ok" if ok else "FAIL", text, notes), flush=True)
    print("%d cases, %d failed" % (total, failed))
    if total == 0:
        print("no cases found")
    sys.exit(1 if failed or total == 0 else 0)


if __name__ == "__main__":
    main()
