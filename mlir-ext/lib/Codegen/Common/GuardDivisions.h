//===- GuardDivisions.h - Divisors that are never 0 -------------*- C++ -*-===//
//
// The last step to the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_GUARDDIVISIONS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_GUARDDIVISIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Lets the payloads of structured ops below `scope` divide integers by 1 where
/// a program would divide by 0, unless the divisor is known for the whole op.
/// Returns how many divisions have changed.
unsigned guardDivisions(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_GUARDDIVISIONS_H
