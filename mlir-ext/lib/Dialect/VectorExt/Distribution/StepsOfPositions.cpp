//===- StepsOfPositions.cpp - Positions that grow evenly ------------------===//
//
// See StepsOfPositions.h. Ops that compute positions are sums and multiples of
// coordinates (vector.step), which broadcasts, transposes and casts arrange.
//
//===----------------------------------------------------------------------===//

#include "StepsOfPositions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Steps are no larger, so that they are exact as floats of few bits.
static constexpr int64_t kMostStep = 256;
/// Narrower positions may wrap around within a tile.
static constexpr unsigned kLeastBits = 32;
/// Larger constants in positions may make them wrap around.
static constexpr int64_t kMostConstant = int64_t(1) << 22;

/// Returns the dimension of the source of `op` that is dimension `dim` of the
/// result; std::nullopt if it is repeated along `dim`.
static std::optional<int64_t> getSourceDim(vector::BroadcastOp op,
                                           int64_t dim) {
  auto source = dyn_cast<VectorType>(op.getSourceType());
  auto type = cast<VectorType>(op.getType());
  int64_t of = source ? dim - (type.getRank() - source.getRank()) : -1;
  if (of < 0 || source.getDimSize(of) != type.getDimSize(dim))
    return std::nullopt;
  return of;
}

/// Returns the integer that all elements of `value` are, if it is a small
/// constant.
static std::optional<int64_t> getSplat(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.abs().ugt(kMostConstant))
    return std::nullopt;
  return constant.getSExtValue();
}

std::optional<int64_t> mlir::vector_ext::getStep(Value value, int64_t dim) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.isScalable() || !type.getElementType().isIntOrIndex() ||
      (type.getElementType().isInteger() &&
       type.getElementTypeBitWidth() < kLeastBits))
    return std::nullopt;
  if (getSplat(value))
    return 0;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<vector::StepOp>(op))
    return 1;
  if (auto transpose = dyn_cast_or_null<vector::TransposeOp>(op))
    return getStep(transpose.getVector(), transpose.getPermutation()[dim]);
  if (auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op)) {
    std::optional<int64_t> of = getSourceDim(broadcast, dim);
    return of ? getStep(broadcast.getSource(), *of) : 0;
  }
  if (isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp>(op))
    return getStep(op->getOperand(0), dim);
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<int64_t> lhs = getStep(op->getOperand(0), dim),
                         rhs = getStep(op->getOperand(1), dim);
  if (!lhs || !rhs)
    return std::nullopt;
  std::optional<int64_t> step;
  if (isa<arith::AddIOp>(op))
    step = *lhs + *rhs;
  else if (isa<arith::SubIOp>(op))
    step = *lhs - *rhs;
  else if (*lhs == 0 && *rhs == 0)
    step = 0;
  else if (std::optional<int64_t> by = getSplat(op->getOperand(1)))
    step = *lhs * *by;
  else if (std::optional<int64_t> by = getSplat(op->getOperand(0)))
    step = *rhs * *by;
  return step && std::abs(*step) <= kMostStep ? step : std::nullopt;
}

Value mlir::vector_ext::buildFirst(OpBuilder &b, Value value, int64_t dim) {
  auto type = cast<VectorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  Type result = type.getElementType();
  if (!shape.empty())
    result = VectorType::get(shape, result);
  Location loc = value.getLoc();
  auto spread = [&](Value source) -> Value {
    return source.getType() == result
               ? source
               : vector::BroadcastOp::create(b, loc, result, source);
  };
  auto build = [&](int64_t number) {
    auto element = b.getIntegerAttr(type.getElementType(), number);
    return spread(arith::ConstantOp::create(b, loc, element));
  };
  Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> splat = getSplat(value))
    return build(*splat);
  if (isa<vector::StepOp>(op))
    return build(0);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    std::optional<int64_t> of = getSourceDim(broadcast, dim);
    return spread(of ? buildFirst(b, broadcast.getSource(), *of)
                     : broadcast.getSource());
  }
  if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
    int64_t of = transpose.getPermutation()[dim];
    SmallVector<int64_t> order;
    for (int64_t source : transpose.getPermutation())
      if (source != of)
        order.push_back(source - (source > of ? 1 : 0));
    Value first = buildFirst(b, transpose.getVector(), of);
    return order.size() < 2 ? first
                            : vector::TransposeOp::create(b, loc, first, order);
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(buildFirst(b, operand, dim));
  return clone(b, op, result, operands)->getResult(0);
}
