//===- PositionOperands.cpp - Operands of products of positions -----------===//
//
// See PositionOperands.h.
//
//===----------------------------------------------------------------------===//

#include "PositionOperands.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;

static constexpr int64_t kBytesOfRow = 2 * kPositionColumns;

//===----------------------------------------------------------------------===//
// The right operand
//===----------------------------------------------------------------------===//

SharedLayout RightOperands::getLayout(int64_t rows) {
  return *SharedLayout::getSwizzledPanels({rows, kPositionColumns}, {0, 1},
                                          /*bitWidth=*/16, kBytesOfRow);
}

/// Lets all threads write an operand to `memory`, which has words.
void RightOperands::write(Location loc, Value memory, int64_t rows,
                          int64_t step) {
  // A word has two columns. The halves of a row are the same, so it does not
  // matter that the swizzle exchanges them.
  constexpr int64_t kWords = kBytesOfRow / 4;
  auto buildIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Type i32 = b.getI32Type();
  auto buildWord = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, i32, value);
  };
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  auto loop = scf::ForOp::create(b, loc, thread, buildIndex(rows * kWords),
                                 launch.getBlockSizeOperandValues().x);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value word = loop.getInductionVar();
  Value row = arith::IndexCastOp::create(
      b, loc, i32, arith::DivUIOp::create(b, loc, word, buildIndex(kWords)));
  Value position = arith::SIToFPOp::create(
      b, loc, b.getF32Type(),
      arith::MulIOp::create(b, loc, row, buildWord(step)));
  // bf16 is the upper half of f32.
  Value bits = arith::BitcastOp::create(b, loc, i32, position);
  Value both = arith::OrIOp::create(
      b, loc, bits, arith::ShRUIOp::create(b, loc, bits, buildWord(16)));
  constexpr int64_t kOnes = 0x3F803F80;
  Value isPosition = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq,
      arith::AndIOp::create(b, loc, word, buildIndex(kWords / 2 - 1)),
      buildIndex(0));
  Value value =
      arith::SelectOp::create(b, loc, isPosition, both, buildWord(kOnes));
  memref::StoreOp::create(b, loc, value, memory, word);
}

/// Returns the memory of an operand, of bf16.
Value RightOperands::getMemory(int64_t rows, int64_t step) {
  Value &memory = memories[{rows, step}];
  if (memory)
    return memory;
  Location loc = launch.getLoc();
  OpBuilder::InsertionGuard guard(b);
  // The barrier of all threads that follows is that of rings.
  b.setInsertionPoint(*launch.getBody().front().getOps<RoleOp>().begin());
  SharedLayout layout = getLayout(rows);
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto getType = [&](Type element, int64_t bytes) {
    return MemRefType::get({layout.getSizeInBytes() / bytes}, element,
                           MemRefLayoutAttrInterface(), space);
  };
  Value bytes =
      memref::AllocOp::create(b, loc, getType(b.getI8Type(), 1),
                              b.getI64IntegerAttr(layout.getAlignment()));
  auto view = [&](Type element, int64_t size) -> Value {
    return memref::ViewOp::create(b, loc, getType(element, size), bytes,
                                  arith::ConstantIndexOp::create(b, loc, 0),
                                  ValueRange());
  };
  write(loc, view(b.getI32Type(), 4), rows, step);
  target.fence(b, loc);
  return memory = view(b.getBF16Type(), 2);
}

Value RightOperands::get(RoleOp role, int64_t rows, int64_t step) {
  Value &tile = tiles[{role, rows, step}];
  if (tile)
    return tile;
  Value memory = getMemory(rows, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&role.getBody().front());
  SharedLayout layout = getLayout(rows);
  return tile = SharedTileOp::create(
             b, role.getLoc(),
             VectorType::get(layout.getShape(), b.getBF16Type()), memory,
             SharedAttr::get(b.getContext(), layout));
}

//===----------------------------------------------------------------------===//
// The left operand
//===----------------------------------------------------------------------===//

LeftOperand::LeftOperand(OpBuilder &b, Location loc, int64_t rows)
    : b(b), loc(loc), rows(rows) {
  Type index = b.getIndexType(), i16 = b.getI16Type();
  Value column = spread(
      vector::StepOp::create(b, loc, VectorType::get(kPositionColumns, index)));
  number = arith::AndIOp::create(
      b, loc, arith::ShRSIOp::create(b, loc, column, spread(index, 1)),
      spread(index, 3));
  isEven = isEqual(arith::AndIOp::create(b, loc, column, spread(index, 1)), 0);
  isLow = isEqual(arith::ShRSIOp::create(b, loc, column, spread(index, 3)), 0);
  mask = select(isEqual(number, 2), spread(i16, -1), spread(i16, 0));
}

/// Builds the floats that are equal to `value`, integers.
Value LeftOperand::toFloats(Value value) {
  auto build = [&](Type element) -> Type {
    auto type = dyn_cast<VectorType>(value.getType());
    return type ? Type(type.clone(element)) : element;
  };
  if (getElementTypeOrSelf(value.getType()).isIndex())
    value = arith::IndexCastOp::create(b, loc, build(b.getI32Type()), value);
  return arith::SIToFPOp::create(b, loc, build(b.getF32Type()), value);
}

Value LeftOperand::buildParts(Value number) {
  auto type = dyn_cast<VectorType>(number.getType());
  auto getElements = [&](Type element) -> Type {
    return type ? Type(type.clone(element)) : element;
  };
  auto buildWord = [&](int64_t value) -> Value {
    Type i32 = b.getI32Type();
    return type ? spread(i32, value)
                : Value(arith::ConstantIntOp::create(b, loc, i32, value));
  };
  // The first 8 bits of a number are a part, and the rest has no others.
  SmallVector<Value> parts;
  Value rest = number;
  for (int part = 0; part < 3; ++part) {
    Value bits =
        arith::BitcastOp::create(b, loc, getElements(b.getI32Type()), rest);
    Value half = arith::TruncIOp::create(
        b, loc, getElements(b.getI16Type()),
        arith::ShRUIOp::create(b, loc, bits, buildWord(16)));
    parts.push_back(type ? half : spread(half));
    Value first = arith::BitcastOp::create(
        b, loc, number.getType(),
        arith::AndIOp::create(b, loc, bits, buildWord(0xFFFF0000)));
    rest = arith::SubFOp::create(b, loc, rest, first);
  }
  return select(isLow, select(isEven, parts[0], parts[1]),
                select(isEven, parts[2], spread(b.getI16Type(), 0)));
}

Value LeftOperand::buildFixed(Value factor, int64_t rowStep) {
  Type index = b.getIndexType();
  Value row = vector::TransposeOp::create(
      b, loc,
      vector::BroadcastOp::create(
          b, loc, VectorType::get({kPositionColumns, rows}, index),
          vector::StepOp::create(b, loc, VectorType::get(rows, index))),
      ArrayRef<int64_t>{1, 0});
  Value ofRow = arith::MulFOp::create(
      b, loc,
      toFloats(arith::MulIOp::create(b, loc, row, spread(index, rowStep))),
      spread(factor));
  Value zero =
      spread(arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f)));
  return buildParts(select(isEqual(number, 0), spread(factor),
                           select(isEqual(number, 1), ofRow, zero)));
}

Value LeftOperand::build(Value fixed, Value factor, Value start) {
  Value varied =
      buildParts(arith::MulFOp::create(b, loc, toFloats(start), factor));
  return arith::BitcastOp::create(
      b, loc, getType(b.getBF16Type()),
      arith::OrIOp::create(b, loc, arith::AndIOp::create(b, loc, varied, mask),
                           fixed));
}
