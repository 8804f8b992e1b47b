//===- PayloadBuilder.h - The vectors of a payload --------------*- C++ -*-===//
//
// Evaluates the payload of a structured op, for TilePayload.cpp.
// PayloadPositions.cpp has positions, and reads of tensors at them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_PAYLOADBUILDER_H
#define MLIR_EXT_LIB_CODEGEN_GPU_PAYLOADBUILDER_H

#include "TilePayload.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns whether a table is looked up in the payload of `op` at two indices
/// that depend on the same dimension, such as a page of keys and a row of it.
bool looksUpAlongDiagonals(linalg::LinalgOp op);

/// Evaluates the payload of `op`. Builds only what is needed. Both branches of
/// an `scf.if` are evaluated, for all elements. Only reads in a branch are
/// masked, by its condition (the *guard* of the branch).
class PayloadBuilder {
public:
  PayloadBuilder(OpBuilder &b, linalg::LinalgOp op, const TilePayloadPlan &plan,
                 function_ref<TileValue(OpOperand &, ArrayRef<int64_t>)> read)
      : b(b), op(op), loc(op.getLoc()), plan(plan), read(read),
        repeatsRuns(!looksUpAlongDiagonals(op)) {}

  TileValue evaluate(Value value);
  TileValue reduce(unsigned output);
  SmallVector<TileValue> choose(const TileChoice &choice);

private:
  /// Returns the positions of the terms along the dimensions `chosen`, in the
  /// order of the loops, as a vector of `dims`. `number` is set to the number
  /// of terms.
  Value buildPositions(ArrayRef<int64_t> chosen, ArrayRef<int64_t> dims,
                       int64_t &number);
  Value reduce(vector::CombiningKind kind, Value vector,
               const TileValue &accumulator, ArrayRef<int64_t> dims,
               ArrayRef<int64_t> reduced, SmallVector<int64_t> &kept);
  /// Returns `value` at `position` along `dim`, if it depends on positions
  /// alone.
  std::optional<TileValue> evaluateAt(Value value, int64_t dim,
                                      const TileValue &position);
  /// Sums `value` along `reduced` where `condition`, a vector of `dims`, holds.
  TileValue sumWhere(Value condition, Value value, ArrayRef<int64_t> dims,
                     ArrayRef<int64_t> reduced);
  /// Replaces the elements of `term`, whose dimensions are `dims`, from the
  /// first one with a flag on. Returns whether there is one.
  TileValue findStop(const TileChoice &choice, ArrayRef<int64_t> dims,
                     TileValue &term);
  /// Returns the flag after the tile, in which there is one if `isFound`.
  /// Nothing is better once it was set before the tile.
  TileValue updateStop(const TileChoice &choice, const TileValue &isFound,
                       ArrayRef<int64_t> kept, Value &isBetter);
  TileValue evaluateArgument(BlockArgument arg);
  TileValue evaluateAffine(AffineExpr expr, ArrayRef<TileValue> dims,
                            ArrayRef<TileValue> symbols);
  std::optional<TileValue> evaluateByBits(AffineBinaryOpExpr expr,
                                          const TileValue &lhs);
  TileValue evaluateBranch(scf::IfOp branch, unsigned number);
  std::optional<TileValue> getGuard(Block *block);
  TileValue gather(tensor::ExtractOp op);
  TileValue gatherRows(Value table, SmallVector<Value> offsets,
                       ArrayRef<TileValue> indices,
                       std::optional<TileValue> guard, const TileShape &shape);
  Value readRows(Value table, ArrayRef<Value> offsets,
                 ArrayRef<AffineExpr> position, ArrayRef<int64_t> dims,
                 VectorType type, const TileShape &shape);
  std::optional<TileValue> gatherRepeated(Value table,
                                          const SmallVector<Value> &offsets,
                                          SmallVector<TileValue> indices);
  TileValue readConstant(Value table, ArrayRef<Value> offsets,
                         ArrayRef<TileValue> indices);
  TileValue readGuarded(tensor::ExtractOp extract, Value table,
                         ValueRange indices, Value guard);
  TileValue evaluateTableIndex(tensor::ExtractOp extract, unsigned number,
                                Value index);
  template <typename OpTy>
  TileValue createIndexOp(const TileValue &lhs, const TileValue &rhs);
  SmallVector<int64_t> getMaskedDims(ArrayRef<int64_t> dims) const;
  std::optional<TileValue> contract(Operation *combiner, Value product,
                                    const TileValue &accumulator,
                                    ArrayRef<int64_t> reduced);

  OpBuilder &b;
  linalg::LinalgOp op;
  Location loc;
  const TilePayloadPlan &plan;
  function_ref<TileValue(OpOperand &, ArrayRef<int64_t>)> read;
  /// Whether quotients and remainders of positions are repeated elements.
  /// Copies of pages match what is computed for each position.
  bool repeatsRuns;
  DenseMap<Value, TileValue> values;
};

template <typename OpTy>
TileValue PayloadBuilder::createIndexOp(const TileValue &lhs,
                                        const TileValue &rhs) {
  SmallVector<int64_t> dims = getCommonDims({lhs, rhs});
  Value left = broadcastTo(b, loc, lhs, dims, plan.shape.bounds);
  Value right = broadcastTo(b, loc, rhs, dims, plan.shape.bounds);
  return {b.createOrFold<OpTy>(loc, left, right), dims};
}

/// Whether `def` is in the payload of `op`.
inline bool isIn(Operation *def, linalg::LinalgOp op) {
  return op->getRegion(0).isAncestor(def->getParentRegion());
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_PAYLOADBUILDER_H
