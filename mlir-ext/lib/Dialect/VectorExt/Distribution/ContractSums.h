//===- ContractSums.h - Operands and sums of instructions -------*- C++ -*-===//
//
// Private to the distribution of contractions. The registers that an
// instruction reads of each operand, and the sums that instructions compute.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTSUMS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTSUMS_H

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::vector_ext {

/// Returns the config of a contraction, or null.
ContractConfigAttr getContractConfig(Operation *op);

/// Returns which result of `map` is the dimension `dim`.
unsigned getResultPosition(AffineMap map, unsigned dim);

/// An operand of a contraction, in terms of the instruction.
struct InstructionOperand {
  Value registers;
  const layout::Layout &layout;
  const layout::Layout &atom;
  /// The positions in the operand of the two dimensions of the atom.
  unsigned first, second;
  /// The elements that instructions take.
  ElementOrder firstOrder = {}, secondOrder = {};

  /// Returns the registers of the atom whose first element is (i, j), in thread
  /// 0.
  SmallVector<int64_t> getRegisters(int64_t i, int64_t j) const {
    SmallVector<int64_t> result;
    for (int64_t reg = 0; reg < atom.getNumRegisters(); ++reg) {
      SmallVector<int64_t> at = atom.getCoordinate({0, 0, reg});
      SmallVector<int64_t> coordinate(layout.getRank(), 0);
      coordinate[first] = firstOrder.getElement(i + at[0]);
      coordinate[second] = secondOrder.getElement(j + at[1]);
      result.push_back(layout.getOwner(coordinate).reg);
    }
    return result;
  }

  /// Returns the offsets of the atoms along a dimension that thread 0 has.
  SmallVector<int64_t> getOffsets(unsigned dim, int64_t step) const {
    SmallVector<int64_t> result;
    for (int64_t i = 0; i < layout.getDimSize(dim); i += step) {
      SmallVector<int64_t> coordinate(layout.getRank(), 0);
      coordinate[dim] = (dim == first ? firstOrder : secondOrder).getElement(i);
      layout::Owner owner = layout.getOwner(coordinate);
      if (owner.lane == 0 && owner.subgroup == 0)
        result.push_back(i);
    }
    return result;
  }
};

/// Describes the accumulator of `op` in terms of the instruction.
InstructionOperand getAccOperand(vector::ContractionOp op,
                                 const MmaIntrinsic &intrinsic,
                                 const ContractDims &dims,
                                 Distributor &distributor,
                                 const ElementOrder &columns = {});

/// The results of instructions, by the coordinate of their first element.
using Sums = llvm::MapVector<std::pair<int64_t, int64_t>, Value>;

/// The number of products that instructions add before a thread does, if they
/// keep few bits of their sums (docs/Decisions/0084).
constexpr static int64_t kShortSum = 128;

/// Returns the number of chains that sum `size` products for each part of the
/// result.
int64_t getNumChains(vector::ContractionOp op, int64_t size);

/// Adds the sums of a later chain to `sums`.
void addSums(ImplicitLocOpBuilder &b, Sums &sums, const Sums &later);

/// Returns zeros, for the same parts of the result as `like`.
Sums getZeroSums(ImplicitLocOpBuilder &b, const Sums &like);

/// Returns the values from which the instructions of `op` start.
Sums getInitialSums(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                    const InstructionOperand &acc, ArrayRef<int64_t> rows,
                    ArrayRef<int64_t> columns);

/// Builds the result of `op` from the results of its instructions.
Value finishSums(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                 const InstructionOperand &acc, Sums &sums);

/// Returns the sums of all chains of `op`, whose results are `finished`.
Sums takeSums(ImplicitLocOpBuilder &b, vector::ContractionOp op,
              const InstructionOperand &acc, const MmaIntrinsic &intrinsic,
              ValueRange finished);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTSUMS_H
