//===- RefineReshapes.h - Reshapes of fewer dimensions ----------*- C++ -*-===//
//
// Patterns of step 1 of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_REFINERESHAPES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_REFINERESHAPES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds patterns for a `tensor.expand_shape` of a `tensor.collapse_shape`. They
/// merge only the dimensions that are then split in another way. A
/// `tensor.reshape` becomes two such ops.
void populateRefineReshapesPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_REFINERESHAPES_H
