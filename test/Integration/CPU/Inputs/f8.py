"""Writes functions that convert floats of 8 bits, and of 4, from and to f32, by their bits,
as MLIR, and the table of them for f8.c."""

import sys

TYPES = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E8M0FNU", "f4E2M1FN"]

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
    text = FUNCTION.format(written="i32", result="f32", **names)
    if name.startswith("f4"):  # in a byte
        text = text.replace("bitcast %a : i8", "trunci %a : i8 to i4\n    %b = arith.bitcast %b4 : i4")
        text = text.replace("%b = arith.trunci", "%b4 = arith.trunci")
    print(text)
    names = {"name": "truncate_" + name, "op": "truncf", "read": "i32", "source": "f32"}
    text = FUNCTION.format(written="i8", result=name, **names)
    if name.startswith("f4"):
        text = text.replace("%d = arith.bitcast %c : f4E2M1FN to i8", "%d4 = arith.bitcast %c : f4E2M1FN to i4\n    %d = arith.extui %d4 : i4 to i8")
    print(text)
