//===- Chips.h - Chips of NVIDIA --------------------------------*- C++ -*-===//
//
// What code generation must know about a chip.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_CHIPS_H
#define MLIR_EXT_TARGET_NVGPU_CHIPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mlir::linalg_ext {

struct NVIDIAChip {
  /// As ptxas and LLVM call it: "sm_90a".
  llvm::StringRef name;
  /// The version of PTX to emit, as a feature of LLVM's: the oldest that has
  /// the chip's instructions.
  llvm::StringRef ptx;
  /// The shared memory that one block may have.
  int64_t sharedMemoryBytes;
  /// The processors of the device of that chip that has most of them.
  int64_t processors;
};

/// The chips that are supported: those with bf16 mma.sync and cp.async.
llvm::ArrayRef<NVIDIAChip> getNVIDIAChips();

/// The chip of that name, or nullptr.
const NVIDIAChip *lookupNVIDIAChip(llvm::StringRef name);

/// "expected one of sm_80, ..., got 'name'".
std::string explainUnknownNVIDIAChip(llvm::StringRef name);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_NVGPU_CHIPS_H
