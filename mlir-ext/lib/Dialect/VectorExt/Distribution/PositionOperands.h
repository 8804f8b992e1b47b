//===- PositionOperands.h - Operands of products of positions ---*- C++ -*-===//
//
// The operands of the product that MultiplyPositions.cpp describes.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_POSITIONOPERANDS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_POSITIONOPERANDS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <tuple>
#include <utility>

namespace mlir::vector_ext {

/// What an instruction sums: columns of bf16.
constexpr int64_t kPositionColumns = 16;

/// The right operands of a launch, by their rows and steps.
class RightOperands {
public:
  RightOperands(OpBuilder &b, gpu::LaunchOp launch, const TileCopies &target)
      : b(b), launch(launch), target(target) {}

  /// Returns the arrangement of an operand of `rows` rows.
  static layout::SharedLayout getLayout(int64_t rows);

  /// Returns the operand, for the threads of `role`.
  Value get(RoleOp role, int64_t rows, int64_t step);

private:
  Value getMemory(int64_t rows, int64_t step);
  void write(Location loc, Value memory, int64_t rows, int64_t step);

  OpBuilder &b;
  gpu::LaunchOp launch;
  const TileCopies &target;
  llvm::DenseMap<std::pair<int64_t, int64_t>, Value> memories;
  llvm::DenseMap<std::tuple<Operation *, int64_t, int64_t>, Value> tiles;
};

/// The left operand of a tile with `rows` rows. What is the same in all
/// iterations of a loop is built in front of it.
class LeftOperand {
public:
  LeftOperand(OpBuilder &b, Location loc, int64_t rows);

  /// Builds the bits of s = `factor` and s e i, for e = `rowStep`.
  Value buildFixed(Value factor, int64_t rowStep);
  /// Builds the operand from these and p = `start`.
  Value build(Value fixed, Value factor, Value start);

private:
  VectorType getType(Type element) {
    return VectorType::get({rows, kPositionColumns}, element);
  }
  Value spread(Value value) {
    return vector::BroadcastOp::create(
        b, loc, getType(getElementTypeOrSelf(value.getType())), value);
  }
  Value spread(Type type, int64_t value) {
    return spread(
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value)));
  }
  Value isEqual(Value lhs, int64_t rhs) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lhs,
                                 spread(b.getIndexType(), rhs));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value toFloats(Value value);
  /// Builds the bits of the parts of `number`, a scalar or an operand, in the
  /// columns that have them. The last columns have 0.
  Value buildParts(Value number);

  OpBuilder &b;
  Location loc;
  int64_t rows;
  /// Whose parts a column has, which part, and all bits where it has those of
  /// s p.
  Value number, isEven, isLow, mask;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_POSITIONOPERANDS_H
