//===- GatherByRows.cpp - Paged gathers copy whole rows -------------------===//
//
// A gather that no contraction reads page by page copies its rows. Decomposed
// into elements, each element would look its page up. Here a loop looks up the
// page of a row, and the row is one slice of the pool, which vectors copy.
//
//===----------------------------------------------------------------------===//

#include "RowsInPool.h"

#include "mlir-ext/Codegen/CPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

using OpFoldResults = SmallVector<OpFoldResult>;

namespace {
/// The dimensions of a gather whose loops find a row, and the dimensions of a
/// row.
struct RowDims {
  SmallVector<int64_t> loops, row;
};
} // namespace

/// Returns the dimensions of `gather`. Fails if rows are empty, or not
/// contiguous in the pool and in the result.
static FailureOr<RowDims> getRowDims(PagedGatherOp gather) {
  RowDims dims;
  int64_t rank = gather.getNumLoops();
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isLoop = dim == static_cast<int64_t>(gather.getSequenceDim()) ||
                  llvm::is_contained(gather.getBatchDims(), dim);
    (isLoop ? dims.loops : dims.row).push_back(dim);
  }
  if (dims.row.empty() || dims.row.back() != rank - 1 ||
      gather.getPoolDims().back() != rank - 1)
    return failure();
  // Upstream's verifier rejects slices of rows without columns.
  auto type = cast<RankedTensorType>(gather.getOutput().getType());
  if (llvm::any_of(dims.row,
                   [&](int64_t dim) { return type.getDimSize(dim) == 0; }))
    return failure();
  return dims;
}

/// Returns the offsets and sizes of the result's part at `indices`, which has
/// one index for each dimension in `dims.loops`.
static std::pair<OpFoldResults, OpFoldResults>
getRowOfResult(OpBuilder &b, PagedGatherOp gather, const RowDims &dims,
               ValueRange indices) {
  OpFoldResults offsets(gather.getNumLoops(), b.getIndexAttr(0)),
      sizes = tensor::getMixedSizes(b, gather.getLoc(), gather.getOutput());
  for (auto [dim, index] : llvm::zip_equal(dims.loops, indices)) {
    offsets[dim] = index;
    sizes[dim] = b.getIndexAttr(1);
  }
  return {offsets, sizes};
}

/// Returns the type of a slice of `tensor` that keeps only the dimensions in
/// `kept`.
static RankedTensorType getSliceType(Value tensor, ArrayRef<int64_t> kept) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : kept)
    shape.push_back(type.getDimSize(dim));
  return RankedTensorType::get(shape, type.getElementType());
}

/// Copies the row at `located` to `row`, and returns the new value of `row`.
static Value copyRow(OpBuilder &b, PagedGatherOp gather, const RowDims &dims,
                     const RowsInPool &located, ValueRange indices, Value row) {
  Location loc = gather.getLoc();
  Value pool = gather.getPool();
  OpFoldResults offsets, sizes = tensor::getMixedSizes(b, loc, pool);
  SmallVector<int64_t> kept;
  SmallVector<AffineExpr> exprs;
  for (auto [dim, resultDim] : llvm::enumerate(gather.getPoolDims())) {
    auto inRow = llvm::find(dims.row, resultDim);
    if (inRow != dims.row.end()) {
      offsets.push_back(b.getIndexAttr(0));
      kept.push_back(dim);
      exprs.push_back(b.getAffineDimExpr(inRow - dims.row.begin()));
      continue;
    }
    sizes[dim] = b.getIndexAttr(1);
    if (resultDim == PagedGatherOp::kPageDim)
      offsets.push_back(located.page);
    else if (static_cast<int64_t>(dim) == gather.getPoolRowDim())
      offsets.push_back(located.row);
    else
      offsets.push_back(
          indices[llvm::find(dims.loops, resultDim) - dims.loops.begin()]);
  }
  OpFoldResults strides(offsets.size(), b.getIndexAttr(1));
  Value source = tensor::ExtractSliceOp::create(
      b, loc, getSliceType(pool, kept), pool, offsets, sizes, strides);
  int64_t rank = dims.row.size();
  AffineMap maps[] = {AffineMap::get(rank, 0, exprs, b.getContext()),
                      b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, row.getType(), source, row, maps, iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args.front());
             })
      .getResult(0);
}

/// Gathers the row at `indices` into `init`, and returns the new value of
/// `init`.
static Value gatherRow(OpBuilder &b, PagedGatherOp gather, const RowDims &dims,
                       ValueRange indices, Value init) {
  Location loc = gather.getLoc();
  auto getIndex = [&](int64_t dim) {
    return indices[llvm::find(dims.loops, dim) - dims.loops.begin()];
  };
  SmallVector<Value> sequence =
      llvm::map_to_vector(gather.getBatchDims(), getIndex);
  RowsInPool located =
      locateRows(b, gather, sequence, getIndex(gather.getSequenceDim()),
                 b.getIndexAttr(1), /*numRows=*/1);
  auto [offsets, sizes] = getRowOfResult(b, gather, dims, indices);
  OpFoldResults strides(offsets.size(), b.getIndexAttr(1));
  Value row = tensor::ExtractSliceOp::create(
      b, loc, getSliceType(init, dims.row), init, offsets, sizes, strides);
  // Each branch yields the whole result. If it yielded the row only, which is a
  // row of the pool or zeros, the strides of the row would be unknown.
  auto insert = [&, &offsets = offsets, &sizes = sizes](OpBuilder &b,
                                                        Value rows) -> Value {
    return tensor::InsertSliceOp::create(b, loc, rows, init, offsets, sizes,
                                         strides);
  };
  return scf::IfOp::create(
             b, loc, located.exist,
             [&](OpBuilder &b, Location loc) {
               Value copied = copyRow(b, gather, dims, located, indices, row);
               scf::YieldOp::create(b, loc, insert(b, copied));
             },
             [&](OpBuilder &b, Location loc) {
               Value zero = arith::ConstantOp::create(
                   b, loc, b.getZeroAttr(getElementTypeOrSelf(init)));
               Value filled =
                   linalg::FillOp::create(b, loc, zero, row).getResult(0);
               scf::YieldOp::create(b, loc, insert(b, filled));
             })
      .getResult(0);
}

FailureOr<scf::ForOp> mlir::linalg_ext::gatherByRows(RewriterBase &rewriter,
                                                     PagedGatherOp gather) {
  if (!gather.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(gather, "it is not on tensors");
  FailureOr<RowDims> dims = getRowDims(gather);
  if (failed(dims))
    return rewriter.notifyMatchFailure(gather,
                                       "rows are not contiguous, or empty");
  Location loc = gather.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(gather);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  SmallVector<Value> begins(dims->loops.size(), zero),
      steps(dims->loops.size(), one), ends;
  for (int64_t dim : dims->loops)
    ends.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        tensor::getMixedSize(rewriter, loc, gather.getOutput(), dim)));
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, begins, ends, steps, ValueRange(gather.getOutput()),
      [&](OpBuilder &b, Location, ValueRange indices, ValueRange inits) {
        return scf::ValueVector{
            gatherRow(b, gather, *dims, indices, inits.front())};
      });
  rewriter.replaceOp(gather, nest.results);
  return nest.loops.front();
}
