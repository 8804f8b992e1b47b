//===- ContractLayouts.h - Layouts of a contraction -------------*- C++ -*-===//
//
// A contraction that an instruction performs has the layouts of the
// instruction, repeated over the tile and the subgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_CONTRACTLAYOUTS_H
#define MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_CONTRACTLAYOUTS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::vector_ext {

/// The iteration dimensions of a contraction of one row, one column and one
/// reduction dimension, besides dimensions of size one.
struct ContractDims {
  unsigned m, n, k;
};

/// The layouts of the operands and the result of a contraction, each in the
/// order of dimensions that the contraction's indexing maps give it.
struct ContractLayouts {
  layout::Layout lhs, rhs, acc;
};

/// Finds the dimensions of `contract`. Fails, with the reason, unless each of
/// M, N and K is one dimension; all others must be of size one.
FailureOr<ContractDims> getContractDims(vector::ContractionOp contract,
                                        std::string &reason);

/// The layouts that `config` gives `contract`. Fails, with the reason, if the
/// instruction is not known, is for other element types, or does not divide the
/// tile of each subgroup.
FailureOr<ContractLayouts> getContractLayouts(vector::ContractionOp contract,
                                              ContractConfigAttr config,
                                              const Workgroup &workgroup,
                                              std::string &reason);

/// The layouts of a contraction that threads perform one product at a time,
/// whose result has `acc`: every thread has what its elements need.
ContractLayouts getScalarContractLayouts(vector::ContractionOp contract,
                                         const layout::Layout &acc);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_CONTRACTLAYOUTS_H
