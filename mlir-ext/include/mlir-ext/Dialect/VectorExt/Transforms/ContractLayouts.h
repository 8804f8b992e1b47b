//===- ContractLayouts.h - Layouts of a contraction -------------*- C++ -*-===//
//
// A contraction that an instruction performs has the layouts of the
// instruction, repeated over the tile and the subgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_CONTRACTLAYOUTS_H
#define MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_CONTRACTLAYOUTS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Dialect/VectorExt/Transforms/LayoutAnalysis.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::vector_ext {

/// The iteration dimensions of a contraction of one row, one column and one
/// reduction dimension, besides dimensions of size one. A further parallel
/// dimension of the result, in front of these, counts parts: what subgroups
/// compute that share neither rows nor columns.
struct ContractDims {
  unsigned m, n, k;
  std::optional<unsigned> parts;

  /// The parts of a contraction of `bounds`.
  int64_t getNumParts(ArrayRef<int64_t> bounds) const {
    return parts ? bounds[*parts] : 1;
  }
};

/// The layouts of the operands and the result of a contraction, each in the
/// order of dimensions that the contraction's indexing maps give it.
struct ContractLayouts {
  layout::Layout lhs, rhs, acc;
};

/// Finds the dimensions of `contract`. Fails, with the reason, unless each of
/// M, N and K is one dimension; all others but one, the parts, must be of size
/// one.
FailureOr<ContractDims> getContractDims(vector::ContractionOp contract,
                                        std::string &reason);

/// The layouts that `config` gives `contract`. Fails, with the reason, if the
/// instruction is not known, is for other element types, or does not divide the
/// tile of each subgroup. Each part is that of other subgroups.
FailureOr<ContractLayouts> getContractLayouts(vector::ContractionOp contract,
                                              ContractConfigAttr config,
                                              const Workgroup &workgroup,
                                              std::string &reason);

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

/// The layouts of a contraction that threads perform one product at a time,
/// whose result has `acc`: every thread has what its elements need.
ContractLayouts getScalarContractLayouts(vector::ContractionOp contract,
                                         const layout::Layout &acc);

/// Asks for the layouts of every contraction in `scope` that has a
/// `vector_ext.config`: `vector_ext.to_layout` ops around it. Operands to be
/// promoted are first asked for in a blocked layout. Fails, with an error at
/// the contraction, if a config does not fit; nothing is changed then.
LogicalResult anchorContractions(RewriterBase &rewriter, Operation *scope,
                                 const Workgroup &workgroup);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_CONTRACTLAYOUTS_H
