//===- ScalarLoops.h - Loops that count in scalars --------------*- C++ -*-===//
//
// Patterns of the first step of the normal form, and what follows it on GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SCALARLOOPS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SCALARLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Lets an `scf.while` hand on scalars in place of tensors of one element
/// without dimensions, computes elements of such tensors where they are read,
/// and rewrites an `scf.while` that counts up as an `scf.for`.
void populateScalarLoopsPatterns(RewritePatternSet &patterns);

/// Unrolls each `scf.for` below `scope` that carries tensors, is in no
/// workgroup and is known to have at most `most` iterations, inner ones first.
/// Leaves one that would become more than kMostUnrolledOps ops. Returns how
/// many are gone.
unsigned unrollTensorLoops(Operation *scope, int64_t most);

/// A layer of a model has about 200 ops, and a model 100 layers at most.
constexpr int64_t kMostUnrolledOps = 20000;

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SCALARLOOPS_H
