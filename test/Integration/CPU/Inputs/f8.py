"""Writes functions that convert floats of 8 bits from and to f32, by their bits, as MLIR,
and the table of them for f8.c."""

import sys

TYPES = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E8M0FNU"]

FUNCTION = """
func.func @{name}(%x: tensor<?x{read}>, %y: tensor<?x{written}>) -> tensor<?x{written}> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%x : tensor<?x{read}>) outs(%y : tensor<?x{written}>) {{
  ^bb0(%a: {read}, %o: {written}):
    %b = arith.bitcast %a : {read} to {source}
    %c = arith.{op} %b : {source} to {result}
    %d = arith.bitcast %c : {result} to {written}
    linalg.yield %d : {written}
  }} -> tensor<?x{written}>
  return %r : tensor<?x{written}>
}}"""

for name in TYPES:
    if sys.argv[1] == "header":
        print("FORMAT(%s)" % name)
        continue
    names = {"name": "extend_" + name, "op": "extf", "read": "i8", "source": name}
    print(FUNCTION.format(written="i32", result="f32", **names))
    names = {"name": "truncate_" + name, "op": "truncf", "read": "i32", "source": "f32"}
    print(FUNCTION.format(written="i8", result=name, **names))
