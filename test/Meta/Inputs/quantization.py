"""Compiles a product of two operands of each format for each chip, and prints which instruction
multiplies, as the table of docs/Quantization.md; then what of that page differs, and which of
the files that it names are no tests."""

import pathlib
import re
import subprocess
import sys

FORMATS = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f4E2M1FN", "i8"]
CHIPS = ["sm_80", "sm_89", "sm_90a", "sm_120", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200"]
INSTRUCTION = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n\d+(k\d+)\.\w+\.(\w+)\.\w+"
    r"|mma\.sync\.aligned\.(m\d+n\d+k\d+)\.row\.col\.\w+\.(\w+)\.\w+"
    r"|v_mfma_[fi]32_(\d+x\d+x\d+)_?(\w+)|v_wmma_[fi]32_(\d+x\d+x\d+)_(\w+)"
)


def product(name):
    is_integer = name.startswith("i")
    result, zero = ("i32", "0") if is_integer else ("f32", "0.0")
    extend, multiply, add = ("extsi", "muli", "addi") if is_integer else ("extf", "mulf", "addf")
    x, y = f"tensor<256x256x{name}>", f"tensor<256x256x{result}>"
    return f"""
func.func @{name}(%x: {x}, %w: {x}) -> {y} {{
  %z = arith.constant {zero} : {result}
  %e = tensor.empty() : {y}
  %i = linalg.fill ins(%z : {result}) outs(%e : {y}) -> {y}
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %w : {x}, {x}) outs(%i : {y}) {{
  ^bb0(%a: {name}, %b: {name}, %o: {result}):
    %0 = arith.{extend} %a : {name} to {result}
    %1 = arith.{extend} %b : {name} to {result}
    %2 = arith.{multiply} %0, %1 : {result}
    %3 = arith.{add} %o, %2 : {result}
    linalg.yield %3 : {result}
  }} -> {y}
  return %r : {y}
}}"""


def name_of(match):
    shape, kind = [group for group in match.groups() if group]
    way = re.search(r"wgmma|mma\b|mfma|wmma", match.group(0)).group(0)
    return f"`{way}` {kind}"


def compile_for(chip):
    pipeline = "linalg-ext-to-nvvm" if chip.startswith("sm") else "linalg-ext-to-rocdl"
    options = f"chip={chip}" + (" async-products=true" if chip == "sm_90a" else "")
    text = subprocess.run(
        ["linalg-ext-opt", "-", f"--{pipeline}={options}"],
        input="".join(map(product, FORMATS)), capture_output=True, text=True, check=True,
    ).stdout
    # Kernels are one text of the assembler, in which each begins with its name.
    found = {}
    for part in re.split(r"\.entry |\\0A(?=\w+_kernel:)", text):
        name = re.match(r"(\w+?)_kernel\b", part)
        if name:
            found.setdefault(name.group(1), set()).update(map(name_of, INSTRUCTION.finditer(part)))
    return [", ".join(sorted(found.get(name, []))) or "threads" for name in FORMATS]


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs/Quantization.md").read_text()
    rows = ["| chip | " + " | ".join(FORMATS) + " |", "|---" * (len(FORMATS) + 1) + "|"]
    rows += [f"| {chip} | " + " | ".join(compile_for(chip)) + " |" for chip in CHIPS]
    wrong = [row for row in rows if row not in page.splitlines()]
    files = set(re.findall(r"`(\w+/[\w-]+\.mlir)`", page))
    wrong += [name for name in files if not (root / "test/Importers" / name).exists()]
    print(f"{len(rows)} rows and {len(files)} files, {len(wrong)} wrong")
    print("\n".join(wrong))


main()
