//===- RowsInPool.cpp - Where rows of a sequence lie ----------------------===//
//
// See RowsInPool.h.
//
//===----------------------------------------------------------------------===//

#include "RowsInPool.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static Value readIndex(OpBuilder &b, Location loc, Value list,
                       ValueRange indices) {
  Value element = tensor::ExtractOp::create(b, loc, list, indices);
  return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), element);
}

static Value apply(OpBuilder &b, Location loc, AffineExpr expr,
                   ArrayRef<OpFoldResult> operands) {
  return getValueOrCreateConstantIndexOp(
      b, loc, affine::makeComposedFoldedAffineApply(b, loc, expr, operands));
}

static Value compare(OpBuilder &b, Location loc, arith::CmpIPredicate predicate,
                     Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
}

/// Returns the size of `tensor` along `dim`. For a slice it is the size that
/// the slice states: the slice may be in a loop that the size does not depend
/// on.
static OpFoldResult getMixedSize(OpBuilder &b, Location loc, Value tensor,
                                 int64_t dim) {
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
      slice && slice.getDroppedDims().none())
    return slice.getMixedSizes()[dim];
  return tensor::getMixedSize(b, loc, tensor, dim);
}

static Value getSize(OpBuilder &b, Location loc, Value tensor, int64_t dim) {
  return getValueOrCreateConstantIndexOp(b, loc,
                                         getMixedSize(b, loc, tensor, dim));
}

/// Builds the number of the page that the table has at `entry`. If `isListed`
/// is false, the result is a number that no page has.
static Value lookUp(OpBuilder &b, PagedGatherOp gather, ValueRange sequence,
                    Value entry, Value isListed) {
  return scf::IfOp::create(
             b, gather.getLoc(), isListed,
             [&](OpBuilder &b, Location loc) {
               SmallVector<Value> indices;
               if (!gather.hasFlatTable())
                 indices.append(sequence.begin(), sequence.end());
               indices.push_back(entry);
               scf::YieldOp::create(
                   b, loc, readIndex(b, loc, gather.getTable(), indices));
             },
             [&](OpBuilder &b, Location loc) {
               Value none = arith::ConstantIndexOp::create(
                   b, loc, PagedGatherOp::kPageDim);
               scf::YieldOp::create(b, loc, none);
             })
      .getResult(0);
}

RowsInPool mlir::linalg_ext::locateRows(OpBuilder &b, PagedGatherOp gather,
                                        ValueRange sequence, Value iv,
                                        OpFoldResult size, int64_t numRows) {
  Location loc = gather.getLoc();
  AffineExpr d0, d1, s0;
  bindDims(b.getContext(), d0, d1);
  bindSymbols(b.getContext(), s0);
  Value isWhole = compare(b, loc, arith::CmpIPredicate::eq,
                          getValueOrCreateConstantIndexOp(b, loc, size),
                          arith::ConstantIndexOp::create(b, loc, numRows));
  auto require = [&](Value condition) {
    isWhole = arith::AndIOp::create(b, loc, isWhole, condition);
  };
  Value position = iv;
  if (gather.getOffset())
    position = apply(b, loc, d0 + d1, {iv, gather.getOffset()});
  Value end = apply(b, loc, d0 + numRows, {position});
  if (gather.getLengths())
    require(compare(b, loc, arith::CmpIPredicate::sle, end,
                    readIndex(b, loc, gather.getLengths(), sequence)));
  Value start;
  if (gather.getStarts())
    start = readIndex(b, loc, gather.getStarts(), sequence);

  Value pool = gather.getPool();
  int64_t poolRows = gather.getPoolRowDim();
  RowsInPool located;
  if (!gather.isPaged()) {
    located.row = arith::AddIOp::create(b, loc, position, start);
    Value last = apply(b, loc, d0 + (numRows - 1), {located.row});
    Value count = getSize(b, loc, pool, poolRows);
    require(compare(b, loc, arith::CmpIPredicate::ult, located.row, count));
    require(compare(b, loc, arith::CmpIPredicate::ult, last, count));
    located.exist = isWhole;
    return located;
  }
  Value numPages = getSize(b, loc, pool, *gather.getPoolPageDim());
  OpFoldResult pageSize = getMixedSize(b, loc, pool, poolRows);
  if (auto rows = dyn_cast<Value>(pageSize)) {
    // If pages have no rows, no page exists, and the divisor is 1 instead of 0.
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value isEmpty = compare(b, loc, arith::CmpIPredicate::eq, rows, zero);
    numPages = arith::SelectOp::create(b, loc, isEmpty, zero, numPages);
    pageSize = arith::MaxUIOp::create(b, loc, rows, one).getResult();
  }
  located.row = apply(b, loc, d0 % s0, {position, pageSize});
  if (numRows > 1)
    require(compare(b, loc, arith::CmpIPredicate::sle, located.row,
                    apply(b, loc, s0 - numRows, {pageSize})));
  Value entry = apply(b, loc, d0.floorDiv(s0), {position, pageSize});
  if (start)
    entry = arith::AddIOp::create(b, loc, entry, start);
  Value table = gather.getTable();
  require(
      compare(b, loc, arith::CmpIPredicate::ult, entry,
              getSize(b, loc, table,
                      cast<RankedTensorType>(table.getType()).getRank() - 1)));
  located.page = lookUp(b, gather, sequence, entry, isWhole);
  located.exist =
      compare(b, loc, arith::CmpIPredicate::ult, located.page, numPages);
  return located;
}
