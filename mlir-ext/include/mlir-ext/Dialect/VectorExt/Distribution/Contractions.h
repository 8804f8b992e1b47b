//===- Contractions.h - Contractions before distribution --------*- C++ -*-===//
//
// What is done to contractions so that instructions compute them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::vector_ext {

/// Replaces `contract`, the product of a vector and a matrix, by one of two
/// matrices for which there is an instruction: rows (or columns) that are all
/// the same are added, and one of the result is taken. Fails, with the reason,
/// if it is something else or no instruction fits.
FailureOr<vector::ContractionOp>
widenContraction(RewriterBase &rewriter, vector::ContractionOp contract,
                 std::string &reason);

/// Lets `contract` take what its operands extend, if that is of one type and it
/// sums in the type that they are extended to, so that nothing else is
/// computed: that is what instructions do. Returns true if it did.
bool foldExtensions(RewriterBase &rewriter, vector::ContractionOp contract);

/// Asks for the layouts of every contraction in `scope` that has a
/// `vector_ext.config`: `vector_ext.to_layout` ops around it. Operands to be
/// promoted are first asked for in a blocked layout. Fails, with an error at
/// the contraction, if a config does not fit; nothing is changed then.
LogicalResult anchorContractions(RewriterBase &rewriter, Operation *scope,
                                 const Workgroup &workgroup);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H
