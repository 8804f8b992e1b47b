//===- KnownSizes.h - Sizes that a program tells ----------------*- C++ -*-===//
//
// Private to Normalize.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_KNOWNSIZES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_KNOWNSIZES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Patterns that make sizes static which asserts, operands or casts tell.
void populateKnownSizesPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_KNOWNSIZES_H
