//===- Processor.h - Target processor of the CPU pipeline -------*- C++ -*-===//
//
// Maps the name of a processor to its vector registers, its caches, and the
// target attributes for LLVM. The result depends on this machine only for the
// name "host".
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_PROCESSOR_H
#define MLIR_EXT_PIPELINES_PROCESSOR_H

#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Target/CPU/VectorUnit.h"

#include "mlir/Support/LLVM.h"
#include "llvm/TargetParser/Triple.h"

#include <string>
#include <vector>

namespace mlir::linalg_ext {

struct Processor {
  VectorUnit unit;
  /// UnknownArch if the code is for any architecture.
  llvm::Triple::ArchType arch = llvm::Triple::UnknownArch;
  /// The LLVM name of the processor. Empty if the code is for any processor.
  std::string cpu;
  /// LLVM features to add to those of `cpu` or to remove from them, such as
  /// "+avx2" or "-avx512f". They include those of `unit`.
  std::vector<std::string> features;
};

/// Returns the processor with the name `name`:
///   - "generic": any architecture with vectors of 128 bits;
///   - "host": this machine;
///   - an LLVM name of an x86-64 or AArch64 processor (x86-64-v3,
///     skylake-avx512, neoverse-n1, ...);
///   - "avx2", "avx512", "avx512vnni" or "avx512bf16": the least x86-64
///     processor with these instructions.
/// Fails, with the expected names in `error`, for other names.
FailureOr<Processor> lookupProcessor(StringRef name, std::string &error);

/// Returns the description of `processor` that modules carry. `l1Bytes` and
/// `l2Bytes` replace the sizes of its caches, if they are positive.
CPUTarget getCPUTargetOf(const Processor &processor, int64_t l1Bytes = 0,
                         int64_t l2Bytes = 0);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_PROCESSOR_H
