//===- ScalarLoops.h - Loops that count in scalars --------------*- C++ -*-===//
//
// Patterns of step 1 of the normal form, and the unrolling that follows it on
// GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SCALARLOOPS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SCALARLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds patterns for `scf.while`. Loops carry scalars instead of tensors of one
/// element without dimensions. Elements of such tensors are computed where they
/// are read. A loop that counts up becomes an `scf.for`.
void populateScalarLoopsPatterns(RewritePatternSet &patterns);

/// Unrolls each `scf.for` below `scope` that carries tensors, is in no
/// workgroup, and is known to have at most `most` iterations, inner loops
/// first. Leaves loops that would become more than kMostUnrolledOps ops.
/// Returns the number of unrolled loops.
unsigned unrollTensorLoops(Operation *scope, int64_t most);

/// A layer of a model has about 200 ops, and a model has at most 100 layers.
constexpr int64_t kMostUnrolledOps = 20000;

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SCALARLOOPS_H
