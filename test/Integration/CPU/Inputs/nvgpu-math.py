"""Takes the functions out of the gpu.module that it reads, puts calls of exact
functions in place of NVIDIA's instructions, and adds a main that compares with
the C library."""

import re
import sys

EXACT = {
    "ex2.approx.ftz.f": ("exp2", "%r = math.exp2 %x : f32"),
    "lg2.approx.f": ("log2", "%r = math.log2 %x : f32"),
    "rsqrt.approx.f": ("rsqrt", "%s = math.sqrt %x : f32\n %r = arith.divf %one, %s : f32"),
    "rcp.approx.ftz.f": ("rcp", "%r = arith.divf %one, %x : f32"),
    "div.full": ("div", "%r = arith.divf %x, %y : f32"),
}
# Name, the reference on f64, the range, the floor of relative errors, the largest
# error in units of 2^-24.
CASES = [
    ("tanh", "%r = math.tanh %x : f64", -0.7, 0.7, 1e-30, 4),
    ("tanh", "%r = math.tanh %x : f64", -20.0, 20.0, 1e-30, 4),
    ("exp", "%r = math.exp %x : f64", -4.0, 4.0, 1e-30, 8),
    ("exp2", "%r = math.exp2 %x : f64", -100.0, 100.0, 1e-30, 2),
    ("log", "%r = math.log %x : f64", 0.01, 9.0, 1.0, 3),
    ("log10", "%r = math.log10 %x : f64", 0.01, 9.0, 1.0, 3),
    ("rsqrt", "%s = math.sqrt %x : f64\n %r = arith.divf %one, %s : f64", 0.01, 9.0, 1e-30, 3),
    ("quotient", "%t = arith.constant 3.0 : f64\n %r = arith.divf %t, %x : f64", 0.01, 9.0, 1e-30, 3),
]
STEPS = 20011


def call(match):
    name = EXACT[match.group(1)][0]
    return "func.call @exact_%s(%s) : (%s) -> f32" % (name, match.group(2), match.group(3))


text = sys.stdin.read()
body = text[text.index("{", text.index("gpu.module")) + 1 :]
body = body[: body.rindex("}", 0, body.rindex("}"))]
print(re.sub(r'llvm.call_intrinsic "llvm.nvvm.([^"]+)"\(([^)]*)\) : \(([^)]*)\) -> f32', call, body))
for name, code in EXACT.values():
    second = ", %y: f32" if name == "div" else ""
    print(
        "func.func private @exact_%s(%%x: f32%s) -> f32 {\n"
        " %%one = arith.constant 1.0 : f32\n %s\n return %%r : f32\n}" % (name, second, code)
    )
print(
    "func.func private @printF64(f64)\nfunc.func private @printNewline()\n"
    "func.func private @printI64(i64)\nfunc.func private @printComma()"
)
for number, (name, code, low, high, floor, bound) in enumerate(CASES):
    step = (high - low) / STEPS
    print(
        """
func.func private @reference%(number)d(%%x: f64) -> f64 {
  %%one = arith.constant 1.0 : f64
  %(code)s
  return %%r : f64
}
func.func private @case%(number)d() {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%n = arith.constant %(steps)d : index
  %%zero = arith.constant 0.0 : f64
  %%low = arith.constant %(low).17e : f64
  %%step = arith.constant %(step).17e : f64
  %%floor = arith.constant %(floor).17e : f64
  %%unit = arith.constant 16777216.0 : f64
  %%max = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%m = %%zero) -> f64 {
    %%k = arith.index_cast %%i : index to i64
    %%f = arith.sitofp %%k : i64 to f64
    %%d = arith.mulf %%f, %%step : f64
    %%e = arith.addf %%low, %%d : f64
    %%x = arith.truncf %%e : f64 to f32
    %%wide = arith.extf %%x : f32 to f64
    %%y = func.call @lowered_%(name)s(%%x) : (f32) -> f32
    %%yw = arith.extf %%y : f32 to f64
    %%r = func.call @reference%(number)d(%%wide) : (f64) -> f64
    %%diff = arith.subf %%yw, %%r : f64
    %%abs = math.absf %%diff : f64
    %%size = math.absf %%r : f64
    %%atLeast = arith.maximumf %%size, %%floor : f64
    %%q = arith.divf %%abs, %%atLeast : f64
    %%new = arith.maximumf %%m, %%q : f64
    scf.yield %%new : f64
  }
  %%scaled = arith.mulf %%max, %%unit : f64
  %%bound = arith.constant %(bound).1f : f64
  %%fine = arith.cmpf ole, %%scaled, %%bound : f64
  %%verdict = arith.extui %%fine : i1 to i64
  func.call @printI64(%%verdict) : (i64) -> ()
  func.call @printComma() : () -> ()
  func.call @printF64(%%scaled) : (f64) -> ()
  func.call @printNewline() : () -> ()
  return
}"""
        % dict(
            number=number,
            name=name,
            code=code,
            low=low,
            step=step,
            floor=floor,
            bound=bound,
            steps=STEPS,
        )
    )
print("func.func @main() {")
for number in range(len(CASES)):
    print("  func.call @case%d() : () -> ()" % number)
for number, bits in enumerate(("0x00000000", "0x7F800000", "0xFF800000", "0x7FC00000")):
    print("  %%x%d = arith.constant %s : f32" % (number, bits))
    print("  %%y%d = func.call @lowered_tanh(%%x%d) : (f32) -> f32" % (number, number))
    print("  %%z%d = arith.extf %%y%d : f32 to f64" % (number, number))
    print("  func.call @printF64(%%z%d) : (f64) -> ()" % number)
    print("  func.call @printComma() : () -> ()")
print("  func.call @printNewline() : () -> ()\n  return\n}")
