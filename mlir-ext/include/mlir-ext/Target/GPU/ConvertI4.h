//===- ConvertI4.h - Unpacked integers of 4 bits to f16 ---------*- C++ -*-===//
//
// What threads of a GPU do with bytes of two integers each.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_CONVERTI4_H
#define MLIR_EXT_TARGET_GPU_CONVERTI4_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds patterns that convert integers of 4 bits to f16, and with `hasBF16` to
/// bf16. They are unpacked from a vector of bytes: each byte twice, shifted
/// right by 0 and by 4, and masked; signed ones have 8 flipped, and 8
/// subtracted. The number of integers must be a multiple of 8. The results are
/// exact.
void populateConvertI4Patterns(RewritePatternSet &patterns, bool hasBF16);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_CONVERTI4_H
