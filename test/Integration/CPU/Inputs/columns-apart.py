#!/usr/bin/env python3
"""Products of few rows with weights that are stored by columns, for columns-apart.c.

usage: columns-apart.py

Prints a function `p_M_N_K_TYPE` for each case: M rows, `any` for an unknown number, N columns, sums of K. Rows and weights
are of TYPE, or, for `mixed`, rows of f32 and weights of f16. The sums are added to what is there.

example:
    columns-apart.py > columns.mlir
"""

CASES = [
    (1, 512, 256, "f32"),
    (1, 514, 257, "f32"),
    (1, 272, 1000, "f16"),
    (1, 258, 2048, "f16"),
    (1, 512, 512, "bf16"),
    (1, 1024, 520, "bf16"),
    (1, 260, 1030, "mixed"),
    (2, 512, 256, "f32"),
    (3, 516, 272, "f32"),
    (4, 272, 1000, "f16"),
    (5, 512, 512, "f16"),
    (8, 512, 1056, "bf16"),
    (7, 1032, 512, "bf16"),
    (8, 256, 520, "mixed"),
    (9, 256, 520, "f16"),
    (19, 258, 1032, "f16"),
    (32, 512, 528, "bf16"),
    (13, 130, 514, "bf16"),
    ("any", 260, 520, "f16"),
    ("any", 512, 1040, "bf16"),
]


def main():
    for m, n, k, name in CASES:
        x, w = ("f32", "f16") if name == "mixed" else (name, name)
        extend, a, b = "", "%u", "%v"
        function, m = f"p_{m}_{n}_{k}_{name}", "?" if m == "any" else m
        if x != "f32":
            extend, a = f"    %a = arith.extf %u : {x} to f32\n", "%a"
        if w != "f32":
            extend, b = extend + f"    %b = arith.extf %v : {w} to f32\n", "%b"
        print(
            f"""func.func @{function}(%x: tensor<{m}x{k}x{x}>, %w: tensor<{n}x{k}x{w}>, %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %w : tensor<{m}x{k}x{x}>, tensor<{n}x{k}x{w}>) outs(%c : tensor<{m}x{n}xf32>) {{
  ^bb0(%u: {x}, %v: {w}, %o: f32):
{extend}    %p = arith.mulf {a}, {b} : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }} -> tensor<{m}x{n}xf32>
  return %r : tensor<{m}x{n}xf32>
}}"""
        )


main()
