//===- Processor.h - What a CPU pipeline generates code for -----*- C++ -*-===//
//
// A name becomes vector registers, caches, and the attributes that tell LLVM
// the same. What comes of a name does not depend on the machine, but of "host".
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_PROCESSOR_H
#define MLIR_EXT_PIPELINES_PROCESSOR_H

#include "mlir-ext/Target/CPU/VectorUnit.h"

#include "mlir/Support/LLVM.h"
#include "llvm/TargetParser/Triple.h"

#include <string>
#include <vector>

namespace mlir::linalg_ext {

struct Processor {
  VectorUnit unit;
  /// UnknownArch: the code is for any.
  llvm::Triple::ArchType arch = llvm::Triple::UnknownArch;
  /// LLVM's name; empty where the code is for any.
  std::string cpu;
  /// What instructions it has beside those of `cpu`, or lacks, and those of
  /// `unit`: "+avx2".
  std::vector<std::string> features;
};

/// The processor called `name`: "generic" (any architecture with vectors of 128
/// bits), "host" (this machine), what LLVM calls an x86-64 or AArch64 processor
/// (x86-64-v3, skylake-avx512, neoverse-n1, ...), or avx2, avx512 or
/// avx512bf16, the least x86-64 processor with these instructions. Fails with
/// what was expected.
FailureOr<Processor> lookupProcessor(StringRef name, std::string &error);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_PROCESSOR_H
