//===- RuntimeCalls.cpp - Calls of the runtime library --------------------===//
//
// See RuntimeCalls.h.
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"
#include "mlir-ext/Support/Collective.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

StringRef RuntimeCalls::getTypeName(Type type) {
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isF32())
    return "f32";
  if (type.isF64())
    return "f64";
  if (type.isSignlessInteger(1))
    return "i1";
  if (type.isSignlessInteger(8))
    return "i8";
  if (type.isSignlessInteger(16))
    return "i16";
  if (type.isSignlessInteger(32))
    return "i32";
  if (type.isSignlessInteger(64))
    return "i64";
  return {};
}

static Value unrank(ImplicitLocOpBuilder &b, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return memref::CastOp::create(
      b, UnrankedMemRefType::get(type.getElementType(), {}), buffer);
}

/// Returns the axes as bits: bit i stands for axis i. No axes stand for all.
static Value getMask(ImplicitLocOpBuilder &b, ArrayRef<GridAxis> axes,
                     GridOp grid) {
  int64_t mask = 0;
  for (GridAxis axis : axes)
    mask |= int64_t(1) << axis;
  if (axes.empty())
    mask = (int64_t(1) << grid.getRank()) - 1;
  return arith::ConstantIntOp::create(b, b.getI64Type(), mask);
}

Value RuntimeCalls::allocate(ImplicitLocOpBuilder &b, RankedTensorType type,
                             ArrayRef<OpFoldResult> sizes) {
  // Allocate before the ops that compute the elements, so that these can be
  // written to the buffer.
  OpBuilder::InsertionGuard guard(b);
  if (type.hasStaticShape())
    b.setInsertionPointToStart(b.getInsertionBlock());
  SmallVector<Value> dynamicSizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(
          getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[dim]));
  return memref::AllocOp::create(
      b, MemRefType::get(type.getShape(), type.getElementType()), dynamicSizes);
}

void RuntimeCalls::materialize(ImplicitLocOpBuilder &b, Value tensor,
                               Value buffer) {
  bufferization::MaterializeInDestinationOp::create(
      b, Type(), tensor, buffer, /*restrict=*/true, /*writable=*/true);
}

Value RuntimeCalls::materialize(ImplicitLocOpBuilder &b, Value tensor) {
  Value buffer = allocate(b, cast<RankedTensorType>(tensor.getType()),
                          tensor::getMixedSizes(b, b.getLoc(), tensor));
  materialize(b, tensor, buffer);
  return buffer;
}

Value RuntimeCalls::toTensor(ImplicitLocOpBuilder &b, Type type, Value buffer) {
  return bufferization::ToTensorOp::create(b, type, buffer, /*restrict=*/true,
                                           /*writable=*/true);
}

/// Returns the shape of the grid as memref<*xi64>.
Value RuntimeCalls::getShape(ImplicitLocOpBuilder &b, FlatSymbolRefAttr name) {
  GridOp grid = getGrid(name);
  auto type = MemRefType::get({grid.getRank()}, b.getI64Type());
  memref::GlobalOp &global = globals[grid];
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto values = DenseIntElementsAttr::get(
        RankedTensorType::get({grid.getRank()}, b.getI64Type()),
        grid.getShape());
    global = memref::GlobalOp::create(
        b, (grid.getSymName() + "_shape").str(), b.getStringAttr("private"),
        type, values, /*constant=*/true, /*alignment=*/IntegerAttr());
    symbols.insert(global);
  }
  return unrank(b, memref::GetGlobalOp::create(b, type, global.getSymName()));
}

Operation *RuntimeCalls::call(ImplicitLocOpBuilder &b, const Twine &name,
                              StringRef collective, TypeRange results,
                              ValueRange operands) {
  std::string symbol = name.str();
  if (!symbols.lookup(symbol)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto callee = func::FuncOp::create(
        b, symbol, b.getFunctionType(operands.getTypes(), results));
    callee.setPrivate();
    callee->setAttr(kCollectiveAttrName, b.getStringAttr(collective));
    symbols.insert(callee);
  }
  return func::CallOp::create(b, symbol, results, operands);
}

Value RuntimeCalls::getProcessIndex(ImplicitLocOpBuilder &b,
                                    FlatSymbolRefAttr grid) {
  Operation *index = call(b, "linalg_ext_mpi_process_index", "process_index",
                          b.getI64Type(), getShape(b, grid));
  Value value =
      arith::IndexCastOp::create(b, b.getIndexType(), index->getResult(0));
  // State that it is not negative. Otherwise the bounds of loops that depend on
  // a position would have to handle that case.
  return affine::AffineMaxOp::create(
      b,
      AffineMap::get(1, 0, {b.getAffineDimExpr(0), b.getAffineConstantExpr(0)},
                     b.getContext()),
      value);
}

void RuntimeCalls::callCollective(ImplicitLocOpBuilder &b, StringRef name,
                                  ValueRange buffers, FlatSymbolRefAttr grid,
                                  ArrayRef<GridAxis> axes,
                                  ValueRange parameters) {
  SmallVector<Value> operands;
  for (Value buffer : buffers)
    operands.push_back(unrank(b, buffer));
  operands.push_back(getShape(b, grid));
  operands.push_back(getMask(b, axes, getGrid(grid)));
  llvm::append_range(operands, parameters);
  Type type = cast<MemRefType>(buffers.front().getType()).getElementType();
  call(b, "linalg_ext_mpi_" + name + "_" + getTypeName(type), name, TypeRange(),
       operands);
}

void RuntimeCalls::checkSize(ImplicitLocOpBuilder &b, BlockArgument argument,
                             int64_t dim, int64_t axes,
                             FlatSymbolRefAttr grid) {
  Value size = arith::IndexCastOp::create(
      b, b.getI64Type(), tensor::DimOp::create(b, argument, dim).getResult());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  call(b, "linalg_ext_mpi_check_size", "check_size", TypeRange(),
       {size, getShape(b, grid), number(axes), number(argument.getArgNumber()),
        number(dim)});
}
