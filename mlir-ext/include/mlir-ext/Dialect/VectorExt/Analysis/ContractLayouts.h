//===- ContractLayouts.h - Layouts of a contraction -------------*- C++ -*-===//
//
// Layouts of the operands and the result of a contraction. If an instruction
// computes the contraction, they are the layouts of the instruction, repeated
// over the tile and the subgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_CONTRACTLAYOUTS_H
#define MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_CONTRACTLAYOUTS_H

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace mlir::vector_ext {

/// The iteration dimensions of a contraction that has one row dimension m, one
/// column dimension n and one reduction dimension k. All others have size one.
/// A further parallel dimension of the result counts parts: other subgroups
/// compute each part, and they share neither rows nor columns.
struct ContractDims {
  unsigned m, n, k;
  std::optional<unsigned> parts;

  /// Returns the number of parts of a contraction with iteration `bounds`.
  int64_t getNumParts(ArrayRef<int64_t> bounds) const {
    return parts ? bounds[*parts] : 1;
  }
};

/// The order in which the elements of one dimension of a tile go to
/// instructions: place `i` of the instructions, which are side by side, has
/// element `getElement(i)` of the tile. The digits of `i`, of the given sizes,
/// slowest first, are put into another order. Without digits each place has its
/// own element.
struct ElementOrder {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> order;

  /// Returns the element of place `place`.
  int64_t getElement(int64_t place) const;

  /// Returns `layout`, of places along `dim`, as one of elements. Fails if a
  /// digit of `layout` crosses one of the order.
  std::optional<layout::Layout> apply(const layout::Layout &layout,
                                      unsigned dim) const;
};

/// The order along `dim` in which each thread of `layout` has consecutive
/// elements. What are neighbours in registers are `apart` elements apart. Fails
/// if threads have no pairs of neighbours, or fewer elements than two blocks of
/// `apart`.
std::optional<ElementOrder> getOrderOfRuns(const layout::Layout &layout,
                                           unsigned dim, int64_t apart);

/// Numbers the registers of `layout` anew: first those along `dim`, in the
/// order of their elements, then all others as before.
layout::Layout putRegistersFirst(const layout::Layout &layout, unsigned dim);

/// The layouts of the operands and the result of a contraction. Each has its
/// dimensions in the order of the indexing map of that operand. `k` and `n` are
/// the orders of the elements that are summed, and of the columns.
struct ContractLayouts {
  layout::Layout lhs, rhs, acc;
  ElementOrder k = {}, n = {};
};

/// Which operands of `contract`, the left one first, are unsigned integers.
std::pair<bool, bool> getUnsignedOperands(vector::ContractionOp contract);

/// Finds the dimensions of `contract`. Fails, with the reason in `refusal`,
/// unless there is one dimension for each of m, n and k. All others must have
/// size one.
FailureOr<ContractDims> getContractDims(vector::ContractionOp contract,
                                        linalg_ext::Refusal &refusal);

/// Returns the layouts of `contract` with the instruction and the subgroups of
/// `config`. Fails, with the reason in `refusal`, if the instruction is not
/// registered, has other element types or another number of lanes, or does not
/// divide the tile of each subgroup, or if the subgroups do not divide those of
/// the workgroup, or if there are to be runs of an operand that threads do not
/// have in registers.
FailureOr<ContractLayouts> getContractLayouts(vector::ContractionOp contract,
                                              ContractConfigAttr config,
                                              const Workgroup &workgroup,
                                              linalg_ext::Refusal &refusal);

/// Returns the layouts of a contraction that threads compute one product at a
/// time, for a result with layout `acc`. Every thread holds all operand
/// elements that its result elements need.
ContractLayouts getScalarContractLayouts(vector::ContractionOp contract,
                                         const layout::Layout &acc);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_CONTRACTLAYOUTS_H
