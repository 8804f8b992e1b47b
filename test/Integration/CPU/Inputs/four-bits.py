#!/usr/bin/env python3
"""Products of a row with integers of 4 bits that are packed in bytes, for four-bits.c.

usage: four-bits.py

Prints a function `p_MxNxK_gG_H_Z` for each case: M rows, N columns, sums of K in groups of G;
H is 1 if the upper part of a byte comes first; Z says what is subtracted from the integers:
`none`, `eight`, or the packed `zeros` of groups.

example:
    four-bits.py > bits.mlir
"""

# Groups of one vector, of a part of it and of several; columns that fill no block, and several
# rows, which multiply parts of words.
CASES = [
    (1, 65, 1024, 32, 0, "zeros"),
    (1, 130, 2048, 32, 1, "zeros"),
    (1, 66, 1024, 64, 0, "zeros"),
    (1, 65, 1024, 128, 1, "eight"),
    (1, 65, 1024, 128, 0, "zeros"),
    (1, 71, 512, 16, 0, "eight"),
    (1, 64, 768, 256, 0, "none"),
    (1, 64, 1152, 128, 0, "eight"),
    (1, 70, 1088, 32, 0, "zeros"),
    (3, 65, 1024, 32, 0, "zeros"),
]


def unpack(name, source, shape, high):
    """`name`: the parts of the bytes of `source`, whose last dimension is doubled."""
    rank = len(shape)
    dims = ", ".join(f"d{i}" for i in range(rank + 1))
    bytes_, parts = "x".join(map(str, shape)), "x".join(map(str, shape + (2,)))
    merged = "x".join(map(str, shape[:-1] + (2 * shape[-1],)))
    groups = ", ".join([f"[{i}]" for i in range(rank - 1)] + [f"[{rank - 1}, {rank}]"])
    iterators = ", ".join(['"parallel"'] * (rank + 1))
    first, second = ("%u", "%l") if high else ("%l", "%u")
    return f"""  %{name}e = tensor.empty() : tensor<{parts}xi8>
  %{name}p = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({", ".join(f"d{i}" for i in range(rank))})>,
      affine_map<({dims}) -> ({dims})>], iterator_types = [{iterators}]}}
      ins({source} : tensor<{bytes_}xi8>) outs(%{name}e : tensor<{parts}xi8>) {{
  ^bb0(%a: i8, %o: i8):
    %i = linalg.index {rank} : index
    %f = arith.cmpi eq, %i, %c0 : index
    %l = arith.andi %a, %c15 : i8
    %u = arith.shrui %a, %c4 : i8
    %part = arith.select %f, {first}, {second} : i8
    linalg.yield %part : i8
  }} -> tensor<{parts}xi8>
  %{name} = tensor.collapse_shape %{name}p [{groups}] : tensor<{parts}xi8> into tensor<{merged}xi8>
"""


def case(m, n, k, g, high, zero):
    count = k // g
    packed = f", %z: tensor<{n}x{count // 2}xi8>" if zero == "zeros" else ""
    zeros = unpack("zs", "%z", (n, count // 2), high) if packed else ""
    operands = f"%q, %s{', %zs' if packed else ''}"
    types = f"tensor<{n}x{count}x{g}xi8>, tensor<{n}x{count}xf32>" + (
        f", tensor<{n}x{count}xi8>" if packed else ""
    )
    maps = "affine_map<(n, g, k) -> (n, g, k)>, " + "affine_map<(n, g, k) -> (n, g)>, " * (2 if packed else 1)
    subtract = {
        "none": "    %d = arith.extui %a : i8 to i32",
        "eight": "    %i = arith.extui %a : i8 to i32\n    %d = arith.subi %i, %c8 : i32",
        "zeros": "    %i = arith.extui %a : i8 to i32\n    %j = arith.extui %offset : i8 to i32\n"
        "    %d = arith.subi %i, %j : i32",
    }[zero]
    print(
        f"""func.func @p_{m}x{n}x{k}_g{g}_{high}_{zero}(%x: tensor<{m}x{k}xf32>, %w: tensor<{n}x{k // 2}xi8>,
    %s: tensor<{n}x{count}xf32>{packed}, %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8 : i32
  %c15 = arith.constant 15 : i8
  %zero = arith.constant 0.0 : f32
{unpack("flat", "%w", (n, k // 2), high)}{zeros}  %q = tensor.expand_shape %flat [[0], [1, 2]] output_shape [{n}, {count}, {g}] : tensor<{n}x{k}xi8> into tensor<{n}x{count}x{g}xi8>
  %de = tensor.empty() : tensor<{n}x{count}x{g}xf32>
  %dq = linalg.generic {{indexing_maps = [{maps}affine_map<(n, g, k) -> (n, g, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}}
      ins({operands} : {types}) outs(%de : tensor<{n}x{count}x{g}xf32>) {{
  ^bb0(%a: i8, %scale: f32{", %offset: i8" if packed else ""}, %o: f32):
{subtract}
    %f = arith.sitofp %d : i32 to f32
    %p = arith.mulf %f, %scale : f32
    linalg.yield %p : f32
  }} -> tensor<{n}x{count}x{g}xf32>
  %b = tensor.collapse_shape %dq [[0], [1, 2]] : tensor<{n}x{count}x{g}xf32> into tensor<{n}x{k}xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %b : tensor<{m}x{k}xf32>, tensor<{n}x{k}xf32>) outs(%fill : tensor<{m}x{n}xf32>) {{
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  }} -> tensor<{m}x{n}xf32>
  return %r : tensor<{m}x{n}xf32>
}}"""
    )


def main():
    for arguments in CASES:
        case(*arguments)


main()
