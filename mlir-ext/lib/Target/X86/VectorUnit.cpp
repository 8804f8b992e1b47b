//===- VectorUnit.cpp - Vector registers of x86 ---------------------------===//
//
// The table of vector units, with one line for each generation of vector
// instructions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/X86/VectorUnit.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::linalg_ext;
using llvm::ArrayRef;
using llvm::StringRef;

// AVX-512 as in x86-64-v4. Masks on vectors of bytes and words need BW.
static const StringRef avx512Features[] = {"avx512f", "avx512bw", "avx512vl",
                                           "avx512dq"};
static const StringRef avx512VNNIFeatures[] = {
    "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vnni"};
// All processors with these features have VNNI, too.
static const StringRef avx512BF16Features[] = {
    "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vnni", "avx512bf16"};
static const StringRef avx2Features[] = {"avx2", "fma", "f16c"};

static const VectorUnit units[] = {
    {"avx512bf16", 512, 32, true, true, true, true, ByteDot::Fours, false,
     avx512BF16Features, 48 << 10, 1 << 20},
    {"avx512vnni", 512, 32, true, true, true, false, ByteDot::Fours, false,
     avx512VNNIFeatures, 48 << 10, 1 << 20},
    {"avx512", 512, 32, true, true, true, false, ByteDot::Pairs, false,
     avx512Features, 48 << 10, 1 << 20},
    {"avx2", 256, 16, true, true, false, false, ByteDot::Pairs, false,
     avx2Features, 32 << 10, 512 << 10},
    {"generic",
     128,
     16,
     false,
     false,
     false,
     false,
     ByteDot::None,
     false,
     {},
     32 << 10,
     256 << 10},
};

ArrayRef<VectorUnit> mlir::linalg_ext::getX86VectorUnits() { return units; }

const VectorUnit *mlir::linalg_ext::lookupX86VectorUnit(StringRef name) {
  const VectorUnit *unit =
      llvm::find_if(units, [&](const VectorUnit &u) { return u.name == name; });
  return unit == std::end(units) ? nullptr : unit;
}
