//===- VectorUnit.h - Vector registers of processors ------------*- C++ -*-===//
//
// The parameters of vector registers and caches that CPU code generation uses,
// for any architecture. Target/<architecture> has the tables.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_CPU_VECTORUNIT_H
#define MLIR_EXT_TARGET_CPU_VECTORUNIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::linalg_ext {

/// How a processor multiplies integers of 8 bits, and adds products of
/// neighbours: as `ByteProducts` of Codegen/CPU/Transforms.h.
enum class ByteDot { None, Pairs, Fours, SignedFours };

struct VectorUnit {
  llvm::StringRef name;
  /// Width of a vector register in bits, and number of vector registers.
  int64_t bits;
  int64_t registers;
  /// Whether fused multiply-adds, conversions of f16, AVX-512 and `vdpbf16ps`
  /// are available.
  bool fma, f16, avx512, dotBF16;
  ByteDot byteDot;
  /// Whether the registers are those of SVE. LLVM must be told their width.
  bool sve;
  /// The CPU features that the unit requires, with their LLVM names.
  llvm::ArrayRef<llvm::StringRef> features;
  /// Sizes of the L1 data cache and of the L2 cache of a core, in bytes. They
  /// are those of the smaller current processors with this unit.
  int64_t l1Bytes, l2Bytes;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_CPU_VECTORUNIT_H
