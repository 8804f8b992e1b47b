"""The errors of math functions: generates what is measured, and checks a table of it.

usage: math.py mlir                  prints a function for each op and type
       math.py header                prints a C line for each of these
       math.py check TABLE.md FILES  checks what Inputs/math.c has printed, on each
                                     processor, against the table in docs/Math.md
       math.py table FILES           prints that table
       math.py check-gpu TABLE.md FILES, table-gpu FILES
                                     the same of the second table, of GPUs: FILES are of
                                     Inputs/math.c with FILES
       math.py check-amd TABLE.md FILES, table-amd FILES
                                     the same of the third table, of AMD GPUs

Each function takes three arguments, of which it uses as many as its op has. A float
that is an exponent of fpowi, or the number of ipowi, is converted to an integer.
"""

import math
import re
import sys

UNARY = (
    "absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor"
    " log log10 log1p log2 round roundeven rsqrt sin sinh sqrt tan tanh trunc"
).split()
BINARY = ["atan2", "copysign", "powf"]
TERNARY = ["fma", "clampf"]
CLASSES = ["isfinite", "isinf", "isnan", "isnormal"]
POWERS = [-3, -1, 0, 1, 2, 3, 4, 7]
TYPES = ["f16", "bf16", "f32", "f64"]
INTEGERS = ["absi", "ctlz", "ctpop", "cttz", "ipowi"]


def ops():
    """(name in the table, name of the function, lines of the payload)."""
    for name in UNARY:
        yield name, name, ["%r = math.NAME %x : T"]
    for name in BINARY:
        yield name, name, ["%r = math.NAME %x, %y : T"]
    yield "fma", "fma", ["%r = math.fma %x, %y, %z : T"]
    yield "clampf", "clampf", ["%r = math.clampf %x to [%y, %z] : T"]
    for name in CLASSES:
        yield name, name, ["%b = math.NAME %x : T", "%r = arith.uitofp %b : i1 to T"]
    for i, part in enumerate(["sine", "cosine"]):
        pair = ["%s, %c = math.sincos %x : T"]
        zero = ["%%r = arith.addf %%%s, %%none : T" % "sc"[i]]
        yield "sincos", "sincos_" + part, ["%none = arith.constant -0.0 : T"] + pair + zero
    yield "fpowi", "fpowi", ["%i = arith.fptosi %y : T to i32", "%r = math.fpowi %x, %i : T, i32"]
    for n in POWERS:
        yield "fpowi", "fpowi_%s%d" % ("m" if n < 0 else "", abs(n)), [
            "%%n = arith.constant %d : i32" % n,
            "%r = math.fpowi %x, %n : T, i32",
        ]


FUNCTION = """
func.func @{name}_{type}(%xs: tensor<?x{type}>, %ys: tensor<?x{type}>, %zs: tensor<?x{type}>,
                         %out: tensor<?x{type}>) -> tensor<?x{type}> {{
  %0 = linalg.generic {{indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}}
      ins(%xs, %ys, %zs : tensor<?x{type}>, tensor<?x{type}>, tensor<?x{type}>)
      outs(%out : tensor<?x{type}>) {{
  ^bb0(%x: {type}, %y: {type}, %z: {type}, %o: {type}):
    {payload}
    linalg.yield %r : {type}
  }} -> tensor<?x{type}>
  return %0 : tensor<?x{type}>
}}"""


def print_mlir():
    print("#id = affine_map<(i) -> (i)>")
    for op, name, payload in ops():
        for kind in TYPES:
            text = "\n    ".join(payload).replace("NAME", op)
            text = re.sub(r"\bT\b", kind, text)
            print(FUNCTION.format(name=name, type=kind, payload=text))
    for op in INTEGERS:
        operands = "%x, %y" if op == "ipowi" else "%x"
        text = "%%r = math.%s %s : i32" % (op, operands)
        print(FUNCTION.format(name=op, type="i32", payload=text))
    print(CONVERSION)


CONVERSION = """
func.func @double_to_bf16(%xs: tensor<?xf64>, %out: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%xs : tensor<?xf64>) outs(%out : tensor<?xbf16>) {
  ^bb0(%x: f64, %o: bf16):
    %r = arith.truncf %x : f64 to bf16
    linalg.yield %r : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}"""


def print_header():
    for op, name, _ in ops():
        for kind in TYPES:
            print("FUNCTION(%s, %s)" % (name, kind))


# The titles in front of the tables.
TITLES = {
    "cpu": "# Math functions on CPUs",
    "gpu": "# Math functions on GPUs",
    "amd": "# Math functions on AMD GPUs",
}


def read(names, target="cpu"):
    """The largest error of each op and type, and the lines that say what is wrong. On
    GPUs, of what is lowered in all forms."""
    errors, wrong, measured = {}, [], set()
    for file in names:
        for line in open(file):
            words = line.split()
            if not words or words[0] == "WRONG":
                wrong += [line.rstrip()] if words else []
                continue
            op, kind, error = words[0].split("_")[0], words[1], float(words[2])
            measured.add((words[0], kind))
            errors[op, kind] = max(errors.get((op, kind), 0), error)
    for op, name, _ in ops() if target != "cpu" else ():
        for kind in TYPES:
            if (name, kind) not in measured:
                errors.pop((op, kind), None)
    return errors, wrong


def order(errors):
    return [op for op in dict.fromkeys(op for op, _, _ in ops()) if (op, "f32") in errors]


def print_table(names, target="cpu"):
    errors, _ = read(names, target)
    print("| op | " + " | ".join(TYPES) + " |\n|---|" + "---|" * len(TYPES))
    for op in order(errors):
        # Up, to two digits.
        cells = [
            "%.2f" % (math.ceil(errors[op, kind] * 100) / 100) if (op, kind) in errors else "-"
            for kind in TYPES
        ]
        print("| `math.%s` | %s |" % (op, " | ".join(cells)))


def read_table(table, target="cpu"):
    """The errors that docs/Math.md has of each op and type."""
    found = {}
    page = ("\n" + open(table).read()).partition("\n%s\n" % TITLES[target])[2]
    for line in page.partition("\n# ")[0].splitlines():
        match = re.match(r"\| `math\.(\w+)` \|(.*)\|$", line)
        if match:
            for kind, cell in zip(TYPES, match.group(2).split("|")):
                if cell.strip() != "-":
                    found[match.group(1), kind] = float(cell)
    return found


def check(table, names, target="cpu"):
    errors, wrong = read(names, target)
    for line in wrong:
        print("FAIL:", line)
    found = read_table(table, target)
    differ = set(found) ^ set(errors)
    if {op for op, _ in differ} - ({"fma"} if target == "cpu" else set()):
        print("FAIL: the table and the ops differ in", sorted(differ))
    for key in sorted(set(found) & set(errors)):
        # Other versions of libm round a few arguments otherwise.
        if not errors[key] <= 1.1 * found[key] + 0.01:
            print("FAIL: math.%s of %s: at most %s expected, got %s" % (*key, found[key], errors[key]))
    print("%d errors compared" % len(errors))


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "mlir":
        print_mlir()
    elif command == "header":
        print_header()
    elif command.startswith("table"):
        print_table(arguments, command[6:] or "cpu")
    else:
        check(arguments[0], arguments[1:], command[6:] or "cpu")
