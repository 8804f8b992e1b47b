//===- PagedGatherTilingInterfaceImpl.cpp - Tiles of paged gathers --------===//
//
// TilingInterface of linalg_ext.paged_gather. A tile takes slices of the lists
// along the sequences, and of the dimensions that the pool and the result
// share. It takes all pages, rows and entries of a table, since any of them may
// be read, and adds its position in the sequence to the offset.
//
//===----------------------------------------------------------------------===//

#include "ResultTiling.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

using OpFoldResults = SmallVector<OpFoldResult>;

/// Builds the slice of `operand` that the tile of the result at `offsets` reads
/// or writes.
static Operation *sliceOperand(PagedGatherOp op, OpBuilder &b,
                               OpOperand &operand,
                               ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  Value source = operand.get();
  bool isTensor = isa<RankedTensorType>(source.getType());
  OpFoldResults sourceOffsets, sourceSizes;
  for (int64_t dim = 0, e = op.getShape(&operand).size(); dim < e; ++dim) {
    if (std::optional<int64_t> resultDim = op.getResultDim(operand, dim)) {
      sourceOffsets.push_back(offsets[*resultDim]);
      sourceSizes.push_back(sizes[*resultDim]);
      continue;
    }
    sourceOffsets.push_back(b.getIndexAttr(0));
    sourceSizes.push_back(isTensor ? tensor::getMixedSize(b, loc, source, dim)
                                   : memref::getMixedSize(b, loc, source, dim));
  }
  OpFoldResults strides(sourceOffsets.size(), b.getIndexAttr(1));
  if (isTensor)
    return tensor::ExtractSliceOp::create(b, loc, source, sourceOffsets,
                                          sourceSizes, strides);
  return memref::SubViewOp::create(b, loc, source, sourceOffsets, sourceSizes,
                                   strides);
}

/// Returns whether tiles cut some dimension of `operand`.
static bool isCut(PagedGatherOp op, OpOperand &operand) {
  return llvm::any_of(
      llvm::seq<int64_t>(0, op.getShape(&operand).size()),
      [&](int64_t dim) { return op.getResultDim(operand, dim).has_value(); });
}

/// Builds the position of row 0 of a tile that starts at `tileOffset` along the
/// sequence. Returns null if it is 0.
static Value getStart(PagedGatherOp op, OpBuilder &b, OpFoldResult tileOffset) {
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  OpFoldResult offset = b.getIndexAttr(0);
  if (op.getOffset())
    offset = op.getOffset();
  OpFoldResult start = affine::makeComposedFoldedAffineApply(
      b, op.getLoc(), d0 + d1, {offset, tileOffset});
  if (isZeroInteger(start))
    return Value();
  return getValueOrCreateConstantIndexOp(b, op.getLoc(), start);
}

namespace {
struct PagedGatherTiling
    : public ResultTiling<PagedGatherTiling, PagedGatherOp> {
  // LLVM 23 overloads it. What is defined below must not hide that.
  using ResultTiling::getTiledImplementation;

  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return cast<PagedGatherOp>(op).getIteratorTypesArray();
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    auto gather = cast<PagedGatherOp>(op);
    SmallVector<Range> domain;
    for (int64_t dim = 0; dim < gather.getNumLoops(); ++dim)
      domain.push_back(
          {b.getIndexAttr(0),
           linalg::createFoldedDimOp(b, op->getLoc(), gather.getOutput(), dim),
           b.getIndexAttr(1)});
    return domain;
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    auto gather = cast<PagedGatherOp>(op);
    TilingResult result;
    SmallVector<Value> operands(op->getOperands());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isCut(gather, operand))
        continue;
      Operation *slice = sliceOperand(gather, b, operand, offsets, sizes);
      operands[operand.getOperandNumber()] = slice->getResult(0);
      // Ops that compute the pool or the table stay outside of the loops.
      if (!gather.isLookedUp(operand))
        result.generatedSlices.push_back(slice);
    }
    SmallVector<Type> types;
    if (op->getNumResults() == 1)
      types.push_back(operands.back().getType());
    Value start = getStart(gather, b, offsets[gather.getSequenceDim()]);
    auto tiled = cast<PagedGatherOp>(mlir::clone(b, op, types, operands));
    tiled.getOffsetMutable().assign(start ? ValueRange(start) : ValueRange());
    result.tiledOps.push_back(tiled);
    result.tiledValues.assign(tiled->result_begin(), tiled->result_end());
    return result;
  }
};
} // namespace

void mlir::linalg_ext::registerPagedGatherTilingInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    PagedGatherOp::attachInterface<PagedGatherTiling>(*context);
  });
}
