//===- Chips.h - AMD chips --------------------------------------*- C++ -*-===//
//
// The table of AMD chips.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_CHIPS_H
#define MLIR_EXT_TARGET_AMDGPU_CHIPS_H

#include "mlir-ext/Support/GPUTarget.h"

#include <string>

namespace mlir::linalg_ext {

struct AMDChip {
  /// The name in LLVM, such as "gfx942".
  llvm::StringRef name;
  /// The largest device with this chip.
  GPUTarget target;
  /// LDS can be read transposed (ds_read_b64_tr_b16), and buffers can be loaded
  /// to LDS 16 bytes at a time (buffer_load_dwordx4 with lds).
  bool hasTransposeLoads = false, hasLaneCopies = false;
};

/// Returns the supported chips: those with MFMA or WMMA instructions of bf16.
llvm::ArrayRef<AMDChip> getAMDChips();

/// Returns the chip with the name `name`, or nullptr.
const AMDChip *lookupAMDChip(llvm::StringRef name);

/// Returns "expected one of gfx90a, ..., got 'name'".
std::string explainUnknownAMDChip(llvm::StringRef name);

/// Describes `chip` in the DLTI specification of `module`, and attaches its
/// `#rocdl.target` to every gpu.module. Both dialects must be loaded.
void attachAMDChip(ModuleOp module, const AMDChip &chip);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_AMDGPU_CHIPS_H
