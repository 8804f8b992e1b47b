//===- DistributionUtils.cpp - Helpers of distribution --------------------===//
//
// Helpers for registers, digits of indices and shuffles.
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
  // Take the elements themselves. A slice of the whole vector would keep all of
  // its elements alive.
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
                                    int64_t offset,
                                    std::optional<int64_t> least) {
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

/// Builds a shuffle of a word of 32 bits.
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
  // The value has two words.
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
