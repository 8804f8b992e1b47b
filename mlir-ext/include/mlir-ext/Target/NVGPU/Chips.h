//===- Chips.h - NVIDIA chips -----------------------------------*- C++ -*-===//
//
// The table of NVIDIA chips.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_CHIPS_H
#define MLIR_EXT_TARGET_NVGPU_CHIPS_H

#include "mlir-ext/Support/GPUTarget.h"

#include <string>

namespace mlir::linalg_ext {

struct NVIDIAChip {
  /// The name in ptxas and LLVM, such as "sm_90a".
  llvm::StringRef name;
  /// The PTX version to emit, as an LLVM feature such as "+ptx80". It is the
  /// oldest version that supports the chip's instructions.
  llvm::StringRef ptx;
  /// The largest device with this chip.
  GPUTarget target;
  /// f8E4M3FN and f8E5M2 are converted by instructions (cvt of e4m3x2, e5m2x2).
  bool hasF8Conversions = false;
};

/// Returns the supported chips: those with bf16 mma.sync and cp.async.
llvm::ArrayRef<NVIDIAChip> getNVIDIAChips();

/// Returns the chip with the name `name`, or nullptr.
const NVIDIAChip *lookupNVIDIAChip(llvm::StringRef name);

/// Returns "expected one of sm_80, ..., got 'name'".
std::string explainUnknownNVIDIAChip(llvm::StringRef name);

/// Describes `chip` in the DLTI specification of `module`, and attaches its
/// `#nvvm.target` to every gpu.module. Both dialects must be loaded.
void attachNVIDIAChip(ModuleOp module, const NVIDIAChip &chip);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_NVGPU_CHIPS_H
