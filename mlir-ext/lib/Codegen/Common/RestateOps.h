//===- RestateOps.h - Ops as structured ops and reshapes --------*- C++ -*-===//
//
// Patterns of step 1 of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_RESTATEOPS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_RESTATEOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds patterns that rewrite `tensor.generate` as a structured op of
/// positions, `linalg.pack` and `linalg.unpack` as padding, reshapes and
/// transposes, poolings with disjoint windows as reductions of a reshape, and
/// convolutions of whole images as products.
/// RestateOps.cpp lists all of them.
void populateRestateOpsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_RESTATEOPS_H
