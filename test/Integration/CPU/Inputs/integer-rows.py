#!/usr/bin/env python3
"""Products of few rows of bytes with bytes stored by columns, for integer-rows.c.

usage: integer-rows.py

Prints a function `p_MxNxK_AB` for each size: M rows, N columns, sums of K; A and B are the
signs of rows and columns, `s` or `u`.

example:
    integer-rows.py > rows.mlir
"""

import itertools

# One row, several blocks of rows, rows that are left; sums of less than a vector, of whole
# vectors and with a remainder. A panel of 16 x 9000 bytes would be too large.
SIZES = [(1, 45, 83), (4, 45, 256), (7, 45, 200), (9, 33, 64), (16, 45, 1029), (16, 5, 60), (16, 9, 9000)]


def main():
    for (m, n, k), left, right in itertools.product(SIZES, "su", "su"):
        extend = {"s": "extsi", "u": "extui"}
        x, y, z = f"tensor<{m}x{k}xi8>", f"tensor<{n}x{k}xi8>", f"tensor<{m}x{n}xi32>"
        print(
            f"""func.func @p_{m}x{n}x{k}_{left}{right}(%a: {x}, %b: {y}, %c: {z}) -> {z} {{
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}} ins(%a, %b : {x}, {y}) outs(%c : {z}) {{
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.{extend[left]} %x : i8 to i32
    %1 = arith.{extend[right]} %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  }} -> {z}
  return %r : {z}
}}"""
        )


if __name__ == "__main__":
    main()
