#!/usr/bin/env python3
"""Products of few rows with integers of 4 and 8 bits, for digits.c.

usage: digits.py

Prints a function `p_N_K_gG_FORM_ROW` for each case: N columns, sums of K in groups of G, which have
a scale each. FORM says what the integers are: `s8` and `u8` less 128 are bytes, `u4` less 8 are
halves of bytes, the lower one first; `h8` are bytes whose products with scales
of f16 are rounded to f16. These are stored by columns. `z4` and `q4` are halves of bytes less a zero
point of each group, in a byte and in half of one. `ks8` and `ku8` are bytes that are stored row by
row, and `w4` and `o4` words of eight integers of a column less 8, lowest or highest first. `x3` behind any of them is for three rows,
`xn` for a number of rows that is not known. ROW is the type of the row.

example:
    digits.py > digits.mlir
"""

# Groups of a part of a vector, of one and of several; all of a column; columns that fill no block;
# weights of more than 256 KB, of which columns are computed together that are far apart.
CASES = [
    (130, 512, 128, "s8", "f32"),
    (129, 512, 64, "s8", "f16"),
    (133, 384, 384, "s8", "bf16"),
    (128, 768, 256, "u8", "f32"),
    (128, 512, 32, "s8", "f32"),
    (129, 320, 16, "u8", "bf16"),
    (131, 256, 8, "s8", "f16"),
    (129, 512, 32, "u4", "bf16"),
    (130, 1024, 128, "u4", "f16"),
    (134, 512, 16, "u4", "f32"),
    (131, 512, 512, "u4", "f32"),
    (130, 512, 32, "z4", "f32"),
    (132, 512, 16, "z4", "f16"),
    (129, 640, 32, "q4", "f16"),
    (128, 512, 128, "q4", "bf16"),
    (132, 512, 128, "h8", "f16"),
    (512, 1024, 32, "u4", "f16"),
    (516, 1024, 128, "u4", "bf16"),
    (518, 1024, 64, "u4", "f32"),
    (512, 1152, 32, "z4", "f32"),
    (520, 1088, 32, "q4", "f16"),
    (256, 1152, 128, "s8", "f16"),
    (260, 1024, 64, "s8x2", "f32"),
    (130, 704, 64, "s8x4", "f16"),
    (133, 384, 384, "u8x3", "bf16"),
    (128, 512, 32, "s8x2", "f32"),
    (144, 1152, 32, "u4x8", "f32"),
    (130, 1024, 128, "u4x5", "f16"),
    (129, 512, 16, "u4x7", "bf16"),
    (131, 512, 512, "u4x4", "f32"),
    (130, 640, 32, "q4x3", "f16"),
    (128, 512, 128, "ks8", "f32"),
    (192, 384, 384, "ks8", "f16"),
    (320, 96, 32, "ku8", "bf16"),
    (256, 180, 36, "ks8", "f32"),
    (130, 256, 64, "ks8", "f32"),
    (128, 512, 128, "w4", "f32"),
    (192, 384, 384, "o4", "f16"),
    (320, 96, 32, "w4", "bf16"),
    (256, 200, 40, "o4", "f32"),
    (192, 256, 128, "w4x3", "f32"),
    (128, 192, 64, "o4x2", "f16"),
    (192, 256, 128, "w4x8", "bf16"),
    (192, 384, 384, "ks8x2", "f16"),
    (320, 96, 32, "ku8x3", "bf16"),
    (256, 180, 36, "ks8x2", "f32"),
    (131, 512, 64, "u4x19", "f16"),
    (130, 704, 64, "s8x13", "f32"),
    (192, 384, 128, "w4x17", "f32"),
    (130, 512, 32, "u4xn", "f16"),
    (133, 512, 128, "s8xn", "f32"),
    (129, 640, 32, "q4xn", "f32"),
    (192, 384, 384, "ks8xn", "f16"),
    (192, 384, 128, "o4xn", "f32"),
]


def unpack(n, k, source="w", result="q"):
    """The halves of the bytes of %source, as n x k integers."""
    return f"""  %{source}e = tensor.empty() : tensor<{n}x{k // 2}x2xi8>
  %{source}halves = linalg.generic {{indexing_maps = [affine_map<(n, k, p) -> (n, k)>, affine_map<(n, k, p) -> (n, k, p)>],
      iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%{source} : tensor<{n}x{k // 2}xi8>) outs(%{source}e : tensor<{n}x{k // 2}x2xi8>) {{
  ^bb0(%a: i8, %o: i8):
    %i = linalg.index 2 : index
    %f = arith.cmpi eq, %i, %c0 : index
    %l = arith.andi %a, %c15 : i8
    %u = arith.shrui %a, %c4 : i8
    %part = arith.select %f, %l, %u : i8
    linalg.yield %part : i8
  }} -> tensor<{n}x{k // 2}x2xi8>
  %{result} = tensor.collapse_shape %{source}halves [[0], [1, 2]] : tensor<{n}x{k // 2}x2xi8> into tensor<{n}x{k}xi8>
"""


def case_by_rows(n, k, g, form, row):
    name = f"p_{n}_{k}_g{g}_{form}_{row}"
    form, _, m = form.partition("x")
    m = "?" if m == "n" else int(m or 1)
    count = k // g
    is_word = form in ("w4", "o4")
    places = list(range(8))[:: -1 if form == "o4" else 1]
    shape, element = (f"{k // 8}x{n}", "i32") if is_word else (f"{k}x{n}", "i8")
    integers = f"""  %shifts = arith.constant dense<{[4 * place for place in places]}> : tensor<8xi32>
  %ue = tensor.empty() : tensor<{k // 8}x8x{n}xi32>
  %parts = linalg.generic {{indexing_maps = [affine_map<(k, p, n) -> (k, n)>, affine_map<(k, p, n) -> (p)>,
      affine_map<(k, p, n) -> (k, p, n)>], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%w, %shifts : tensor<{shape}xi32>, tensor<8xi32>) outs(%ue : tensor<{k // 8}x8x{n}xi32>) {{
  ^bb0(%a: i32, %s0: i32, %o: i32):
    %r = arith.shrui %a, %s0 : i32
    %m = arith.andi %r, %c15 : i32
    linalg.yield %m : i32
  }} -> tensor<{k // 8}x8x{n}xi32>
  %q = tensor.collapse_shape %parts [[0, 1], [2]] : tensor<{k // 8}x8x{n}xi32> into tensor<{k}x{n}xi32>
"""
    number = {
        "ks8": "    %f = arith.sitofp %a : i8 to f32",
        "ku8": "    %i = arith.extui %a : i8 to i32\n    %d = arith.subi %i, %c128 : i32\n"
        "    %f = arith.sitofp %d : i32 to f32",
    }.get(form, "    %d = arith.subi %a, %c8 : i32\n    %f = arith.sitofp %d : i32 to f32")
    extend = f"    %x32 = arith.extf %u : {row} to f32\n" if row != "f32" else ""
    print(
        f"""func.func @{name}(%x: tensor<{m}x{k}x{row}>, %w: tensor<{shape}x{element}>,
    %s: tensor<{count}x{n}xf32>, %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %c8 = arith.constant 8 : i32
  %c15 = arith.constant 15 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant 0.0 : f32
{integers if is_word else ""}  %groups = tensor.expand_shape {"%q" if is_word else "%w"} [[0, 1], [2]] output_shape [{count}, {g}, {n}] : tensor<{k}x{n}x{element}> into tensor<{count}x{g}x{n}x{element}>
  %de = tensor.empty() : tensor<{count}x{g}x{n}xf32>
  %dq = linalg.generic {{indexing_maps = [affine_map<(g, k, n) -> (g, k, n)>, affine_map<(g, k, n) -> (g, n)>,
      affine_map<(g, k, n) -> (g, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%groups, %s : tensor<{count}x{g}x{n}x{element}>, tensor<{count}x{n}xf32>) outs(%de : tensor<{count}x{g}x{n}xf32>) {{
  ^bb0(%a: {element}, %scale: f32, %o: f32):
{number}
    %p = arith.mulf %f, %scale : f32
    linalg.yield %p : f32
  }} -> tensor<{count}x{g}x{n}xf32>
  %b = tensor.collapse_shape %dq [[0, 1], [2]] : tensor<{count}x{g}x{n}xf32> into tensor<{k}x{n}xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %b : tensor<{m}x{k}x{row}>, tensor<{k}x{n}xf32>) outs(%fill : tensor<{m}x{n}xf32>) {{
  ^bb0(%u: {row}, %v: f32, %o: f32):
{extend}    %p = arith.mulf {"%x32" if extend else "%u"}, %v : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  }} -> tensor<{m}x{n}xf32>
  return %r : tensor<{m}x{n}xf32>
}}"""
    )


def case(n, k, g, form, row):
    name = f"p_{n}_{k}_g{g}_{form}_{row}"
    form, _, m = form.partition("x")
    m = "?" if m == "n" else int(m or 1)
    count = k // g
    half = form in ("u4", "z4", "q4")
    # Zero points are an operand of their own, and may be halves of bytes.
    packed, has_zeros = form == "q4", form in ("z4", "q4")
    zeros = f", %z: tensor<{n}x{count // 2 if packed else count}xi8>" if has_zeros else ""
    zero_points = "%zq" if packed else "%z"
    codes, integers = ("%q", unpack(n, k)) if half else ("%w", "")
    number = {
        "s8": "    %f = arith.sitofp %a : i8 to f32",
        "h8": "    %f = arith.sitofp %a : i8 to f16",
        "u8": "    %i = arith.extui %a : i8 to i32\n    %d = arith.subi %i, %c128 : i32\n"
        "    %f = arith.sitofp %d : i32 to f32",
        "u4": "    %i = arith.extui %a : i8 to i32\n    %d = arith.subi %i, %c8 : i32\n"
        "    %f = arith.sitofp %d : i32 to f32",
        "z4": "    %i = arith.extui %a : i8 to i32\n    %j = arith.extui %zero_point : i8 to i32\n"
        "    %d = arith.subi %i, %j : i32\n    %f = arith.sitofp %d : i32 to f32",
    }["z4" if has_zeros else form]
    integers += unpack(n, count, "z", "zq") if packed else ""
    weight = "f16" if form == "h8" else "f32"
    extend = f"    %x32 = arith.extf %u : {row} to f32\n" if row != "f32" else ""
    factor = "%x32" if extend else "%u"
    if form == "h8":
        extend += "    %w32 = arith.extf %v : f16 to f32\n"
    other = "%w32" if form == "h8" else "%v"
    print(
        f"""func.func @{name}(%x: tensor<{m}x{k}x{row}>, %w: tensor<{n}x{k // 2 if half else k}xi8>,
    %s: tensor<{n}x{count}x{weight}>{zeros}, %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8 : i32
  %c15 = arith.constant 15 : i8
  %c128 = arith.constant 128 : i32
  %zero = arith.constant 0.0 : f32
{integers}  %groups = tensor.expand_shape {codes} [[0], [1, 2]] output_shape [{n}, {count}, {g}] : tensor<{n}x{k}xi8> into tensor<{n}x{count}x{g}xi8>
  %de = tensor.empty() : tensor<{n}x{count}x{g}x{weight}>
  %dq = linalg.generic {{indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>,
      {"affine_map<(n, g, k) -> (n, g)>, " if has_zeros else ""}affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%groups, %s{", " + zero_points if has_zeros else ""} : tensor<{n}x{count}x{g}xi8>, tensor<{n}x{count}x{weight}>{f", tensor<{n}x{count}xi8>" if has_zeros else ""}) outs(%de : tensor<{n}x{count}x{g}x{weight}>) {{
  ^bb0(%a: i8, %scale: {weight}{", %zero_point: i8" if has_zeros else ""}, %o: {weight}):
{number}
    %p = arith.mulf %f, %scale : {weight}
    linalg.yield %p : {weight}
  }} -> tensor<{n}x{count}x{g}x{weight}>
  %b = tensor.collapse_shape %dq [[0], [1, 2]] : tensor<{n}x{count}x{g}x{weight}> into tensor<{n}x{k}x{weight}>
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %b : tensor<{m}x{k}x{row}>, tensor<{n}x{k}x{weight}>) outs(%fill : tensor<{m}x{n}xf32>) {{
  ^bb0(%u: {row}, %v: {weight}, %o: f32):
{extend}    %p = arith.mulf {factor}, {other} : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  }} -> tensor<{m}x{n}xf32>
  return %r : tensor<{m}x{n}xf32>
}}"""
    )


def main():
    for arguments in CASES:
        (case_by_rows if arguments[3][:2] in ("ks", "ku", "w4", "o4") else case)(*arguments)


main()
