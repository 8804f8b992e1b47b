//===- VectorUnit.h - Vector registers of processors ------------*- C++ -*-===//
//
// What code generation for a CPU must know about its vector registers, of
// whatever architecture. Target/<architecture> has the tables.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_CPU_VECTORUNIT_H
#define MLIR_EXT_TARGET_CPU_VECTORUNIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::linalg_ext {

struct VectorUnit {
  llvm::StringRef name;
  /// Width and number of the registers.
  int64_t bits;
  int64_t registers;
  /// Whether it has fused multiply-adds, AVX-512's instructions, and vdpbf16ps.
  bool fma, avx512, dotBF16;
  /// Whether its registers are SVE's, whose width LLVM must be told.
  bool sve;
  /// The CPU features that it takes, in LLVM's names.
  llvm::ArrayRef<llvm::StringRef> features;
  /// Data caches of a core, as large as in the smaller ones of the processors
  /// of today that have it.
  int64_t l1Bytes, l2Bytes;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_CPU_VECTORUNIT_H
