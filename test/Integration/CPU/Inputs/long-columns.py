#!/usr/bin/env python3
"""Elementwise ops of a column and a row, whose results have long columns, for long-columns.c.

usage: long-columns.py

Prints, for each size MxN, the functions `outer_MxN`, x[m] y[n], `exp_MxN`, x[m] exp(y[n]),
`bias_MxN`, a[m, n] + y[n] of f16, and `bytes_MxN`, a[m, n] y[n] of bytes; and `outer_any`
for unknown sizes.

example:
    long-columns.py > columns.mlir
"""

# Rows of less than a vector, of a few vectors with and without a remainder, and long ones;
# columns that the first cache holds, and longer ones.
SIZES = [(3, 70), (1025, 5), (900, 64), (801, 40), (1030, 97), (777, 200), (2000, 512)]


def op(name, m, n, inputs, body):
    """A function `name` of `inputs`: pairs of a tensor and the dimensions that it has."""
    size = f"{m}x{n}xf32"
    types = [type for type, _ in inputs]
    arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(types))
    maps = ", ".join(f"affine_map<(m, n) -> ({dims})>" for _, dims in inputs)
    elements = ", ".join(f"%{'xy'[i]}: {type[:-1].split('x')[-1]}" for i, type in enumerate(types))
    print(
        f"""func.func @{name}({arguments}, %c: tensor<{size}>) -> tensor<{size}> {{
  %r = linalg.generic {{indexing_maps = [{maps}, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}}
      ins({", ".join(f"%a{i}" for i in range(len(types)))} : {", ".join(types)})
      outs(%c : tensor<{size}>) {{
  ^bb0({elements}, %o: f32):
    {body}
    linalg.yield %r : f32
  }} -> tensor<{size}>
  return %r : tensor<{size}>
}}"""
    )


def main():
    for m, n in SIZES + [("?", "?")]:
        size = f"{m}x{n}"
        outer = [(f"tensor<{m}xf32>", "m"), (f"tensor<{n}xf32>", "n")]
        name = "any" if m == "?" else size
        op(f"outer_{name}", m, n, outer, "%r = arith.mulf %x, %y : f32")
        if m == "?":
            continue
        op(f"exp_{name}", m, n, outer, "%e = math.exp %y : f32\n    %r = arith.mulf %x, %e : f32")
        op(
            f"bias_{name}",
            m,
            n,
            [(f"tensor<{size}xf16>", "m, n"), (f"tensor<{n}xf16>", "n")],
            "%d = arith.extf %x : f16 to f32\n    %e = arith.extf %y : f16 to f32\n"
            "    %r = arith.addf %d, %e : f32",
        )
        op(
            f"bytes_{name}",
            m,
            n,
            [(f"tensor<{size}xi8>", "m, n"), (f"tensor<{n}xf32>", "n")],
            "%d = arith.sitofp %x : i8 to f32\n    %r = arith.mulf %d, %y : f32",
        )


main()
