//===- RefineReshapes.h - Reshapes of fewer dimensions ----------*- C++ -*-===//
//
// Patterns of the first step of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_REFINERESHAPES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_REFINERESHAPES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Merges no more dimensions than are split in another way, where a
/// `tensor.expand_shape` follows a `tensor.collapse_shape`. A `tensor.reshape`
/// becomes two such ops.
void populateRefineReshapesPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_REFINERESHAPES_H
