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

/// An order of the elements along one dimension of a tile. Instructions are
/// side by side along the dimension, and place `i` of them gets element
/// `getElement(i)` of the tile. The order permutes the digits of `i`, which
/// have the given sizes, slowest first. Without digits, place `i` gets element
/// `i`.
struct ElementOrder {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> order;

  /// Returns the element of place `place`.
  int64_t getElement(int64_t place) const;

  /// Rewrites `layout`, whose coordinates along `dim` are places, as a layout
  /// whose coordinates are elements. Fails if a digit of `layout` overlaps with
  /// two digits of the order.
  std::optional<layout::Layout> apply(const layout::Layout &layout,
                                      unsigned dim) const;
};

/// Returns the order along `dim` with which each thread of `layout` has runs of
/// consecutive elements, of at most `longest` if that is not 0. Neighbours in
/// registers become `apart` elements apart.
/// Fails if threads have no pairs of neighbours, or fewer than two blocks of
/// `apart` elements.
std::optional<ElementOrder> getOrderOfRuns(const layout::Layout &layout,
                                           unsigned dim, int64_t apart,
                                           int64_t longest = 0);

/// Renumbers the registers of `layout`: those along `dim` become the fastest,
/// in the order of their elements. The others keep their order.
layout::Layout putRegistersFirst(const layout::Layout &layout, unsigned dim);

/// The layouts of the operands and the result of a contraction. The dimensions
/// of each are in the order of its indexing map. `k` and `n` are the orders of
/// the reduction dimension and of the columns.
struct ContractLayouts {
  layout::Layout lhs, rhs, acc;
  ElementOrder k = {}, n = {};
};

/// Which operands of `contract`, the left one first, are unsigned integers.
std::pair<bool, bool> getUnsignedOperands(vector::ContractionOp contract);

/// The types of the elements of the operands of `contract` (see
/// getFormatsAttrName).
std::pair<Type, Type> getOperandTypes(vector::ContractionOp contract);

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
