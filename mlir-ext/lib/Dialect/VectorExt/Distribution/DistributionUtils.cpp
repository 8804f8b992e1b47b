//===- DistributionUtils.cpp - Helpers of distribution patterns -----------===//
//
// Helpers for registers, digits, shuffles and known divisors of indices.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;

Value mlir::vector_ext::extractRegister(ImplicitLocOpBuilder &builder,
                                        Value vector, int64_t reg) {
  if (auto elements = vector.getDefiningOp<vector::FromElementsOp>())
    return elements.getElements()[reg];
  return vector::ExtractOp::create(builder, vector, reg);
}

Value mlir::vector_ext::extractRegisters(ImplicitLocOpBuilder &builder,
                                         Value vector,
                                         ArrayRef<int64_t> registers) {
  int64_t size = registers.size();
  int64_t total = cast<VectorType>(vector.getType()).getNumElements();
  bool isContiguous = true;
  for (int64_t i = 0; i < size; ++i)
    isContiguous &= registers[i] == registers[0] + i;
  if (isContiguous && size == total)
    return vector;
  // Not from all of them, which would all be needed for that.
  if (auto elements = vector.getDefiningOp<vector::FromElementsOp>()) {
    auto type = cast<VectorType>(vector.getType());
    return vector::FromElementsOp::create(
        builder, VectorType::get({size}, type.getElementType()),
        llvm::map_to_vector(registers, [&](int64_t reg) -> Value {
          return elements.getElements()[reg];
        }));
  }
  if (isContiguous)
    return vector::ExtractStridedSliceOp::create(
        builder, vector, ArrayRef<int64_t>{registers[0]},
        ArrayRef<int64_t>{size}, ArrayRef<int64_t>{1});
  return vector::ShuffleOp::create(builder, vector, vector, registers);
}

Value mlir::vector_ext::addIndex(ImplicitLocOpBuilder &builder, Value value,
                                 int64_t constant) {
  if (constant == 0)
    return value;
  return builder.createOrFold<arith::AddIOp>(
      value, arith::ConstantIndexOp::create(builder, constant));
}

Value mlir::vector_ext::countBelow(ImplicitLocOpBuilder &builder, Value first,
                                   Value bound, int64_t size) {
  Value clamped = builder.createOrFold<arith::MaxSIOp>(
      bound, arith::ConstantIndexOp::create(builder, 0));
  clamped = builder.createOrFold<arith::MinSIOp>(
      clamped, arith::ConstantIndexOp::create(builder, size));
  return builder.createOrFold<arith::SubIOp>(
      builder.createOrFold<arith::IndexCastOp>(builder.getI32Type(), clamped),
      builder.createOrFold<arith::IndexCastOp>(builder.getI32Type(), first));
}

bool mlir::vector_ext::isKnownBelow(const layout::Layout &layout, unsigned dim,
                                    int64_t offset, Value bound) {
  std::optional<int64_t> least = getConstantIntValue(bound);
  if (auto max = bound.getDefiningOp<arith::MaxSIOp>())
    for (Value operand : max->getOperands())
      if (std::optional<int64_t> constant = getConstantIntValue(operand))
        least = std::max(least.value_or(*constant), *constant);
  if (!least)
    return false;
  int64_t largest = offset, place = 1;
  for (const layout::Digit &digit : llvm::reverse(layout.getDigits(dim))) {
    if (digit.axis != layout::Axis::Register)
      largest += (digit.size - 1) * place;
    place *= digit.size;
  }
  return largest < *least;
}

Value mlir::vector_ext::getDigit(ImplicitLocOpBuilder &builder, Value value,
                                 int64_t stride, int64_t size, int64_t bound) {
  if (size == 1)
    return arith::ConstantIndexOp::create(builder, 0);
  if (stride != 1)
    value = builder.createOrFold<arith::DivUIOp>(
        value, arith::ConstantIndexOp::create(builder, stride));
  if (stride * size < bound)
    value = builder.createOrFold<arith::RemUIOp>(
        value, arith::ConstantIndexOp::create(builder, size));
  return value;
}

/// `shuffle` of 32 bits.
static Value shuffleWord(ImplicitLocOpBuilder &builder, Value value,
                         Value index, ShuffleKind kind, int64_t numLanes) {
  Value width = arith::ConstantIntOp::create(builder, numLanes, 32);
  return gpu::ShuffleOp::create(builder, value, index, width,
                                kind == ShuffleKind::Idx
                                    ? gpu::ShuffleMode::IDX
                                    : gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

Value mlir::vector_ext::shuffle(ImplicitLocOpBuilder &builder, Value value,
                                Value index, ShuffleKind kind,
                                int64_t numLanes) {
  Type type = value.getType();
  if (type.isF32() || type.isInteger(32))
    return shuffleWord(builder, value, index, kind, numLanes);
  if (type.isIndex()) {
    Value wide =
        arith::IndexCastOp::create(builder, builder.getI64Type(), value);
    return arith::IndexCastOp::create(
        builder, type, shuffle(builder, wide, index, kind, numLanes));
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type)) {
    Value asInteger =
        arith::BitcastOp::create(builder, builder.getIntegerType(bits), value);
    return arith::BitcastOp::create(
        builder, type, shuffle(builder, asInteger, index, kind, numLanes));
  }
  Type word = builder.getI32Type();
  if (bits < 32) {
    Value wide = arith::ExtUIOp::create(builder, word, value);
    return arith::TruncIOp::create(
        builder, type, shuffleWord(builder, wide, index, kind, numLanes));
  }
  // Two words.
  Value shift = arith::ConstantIntOp::create(builder, 32, 64);
  Value low = arith::TruncIOp::create(builder, word, value);
  Value high = arith::TruncIOp::create(
      builder, word, arith::ShRUIOp::create(builder, value, shift));
  low = arith::ExtUIOp::create(
      builder, type, shuffleWord(builder, low, index, kind, numLanes));
  high = arith::ExtUIOp::create(
      builder, type, shuffleWord(builder, high, index, kind, numLanes));
  return arith::OrIOp::create(builder, low,
                              arith::ShLIOp::create(builder, high, shift));
}

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

static int64_t getKnownDivisor(AffineExpr expr, ArrayRef<int64_t> operands,
                               unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = getKnownDivisor(binary.getLHS(), operands, numDims);
  int64_t rhs = getKnownDivisor(binary.getRHS(), operands, numDims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return std::gcd(lhs, rhs);
  case AffineExprKind::Mul:
    return lhs * rhs;
  default: {
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (divisor && divisor.getValue() > 0 && lhs % divisor.getValue() == 0)
      return lhs / divisor.getValue();
    return 1;
  }
  }
}

static int64_t getKnownDivisor(Value index, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return std::abs(*constant);
  if (depth == 0)
    return 1;
  auto ofOperand = [&](Value operand) {
    return getKnownDivisor(operand, depth - 1);
  };
  if (auto arg = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && arg == loop.getInductionVar())
      return std::gcd(ofOperand(loop.getLowerBound()),
                      ofOperand(loop.getStep()));
    return 1;
  }
  Operation *op = index.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<int64_t> operands =
        llvm::map_to_vector(apply.getMapOperands(), ofOperand);
    return getKnownDivisor(apply.getAffineMap().getResult(0), operands,
                           apply.getAffineMap().getNumDims());
  }
  if (isa<arith::MulIOp>(op))
    return ofOperand(op->getOperand(0)) * ofOperand(op->getOperand(1));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp, arith::RemUIOp, arith::RemSIOp>(op))
    return std::gcd(ofOperand(op->getOperand(0)), ofOperand(op->getOperand(1)));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return ofOperand(op->getOperand(0));
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    AffineMap map = isa<affine::AffineMinOp>(op)
                        ? cast<affine::AffineMinOp>(op).getAffineMap()
                        : cast<affine::AffineMaxOp>(op).getAffineMap();
    SmallVector<int64_t> operands =
        llvm::map_to_vector(op->getOperands(), ofOperand);
    int64_t divisor = 0;
    for (AffineExpr expr : map.getResults())
      divisor =
          std::gcd(divisor, getKnownDivisor(expr, operands, map.getNumDims()));
    return divisor;
  }
  return 1;
}

int64_t mlir::vector_ext::getKnownDivisor(Value index) {
  return ::getKnownDivisor(index, /*depth=*/8);
}
