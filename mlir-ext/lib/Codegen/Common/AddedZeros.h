//===- AddedZeros.h - Sums with zero ----------------------------*- C++ -*-===//
//
// Private to Codegen/Common.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_ADDEDZEROS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_ADDEDZEROS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Replaces x + 0 by x in the payloads of structured ops below `scope`, where no
/// result depends on the sign of a zero of x + 0.
void dropAddedZeros(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_ADDEDZEROS_H
