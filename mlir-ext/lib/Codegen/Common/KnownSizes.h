//===- KnownSizes.h - Sizes that a program tells ----------------*- C++ -*-===//
//
// Private to Normalize.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_KNOWNSIZES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_KNOWNSIZES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds patterns that make sizes static that asserts, operands or casts
/// determine.
void populateKnownSizesPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_KNOWNSIZES_H
