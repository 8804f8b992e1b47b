//===- GuardDivisions.h - Divisors that are never 0 -------------*- C++ -*-===//
//
// The last step of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_GUARDDIVISIONS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_GUARDDIVISIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Replaces divisors of integers in payloads of structured ops below `scope` by
/// 1 where they are 0, unless a divisor is the same in the whole op. Returns
/// the number of divisions that were changed.
unsigned guardDivisions(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_GUARDDIVISIONS_H
