//===- LoopNest.cpp - Loops over a structured op --------------------------===//
//
// See LoopNest.h. Emits a loop over whole blocks, and then smaller loops or a
// masked vector for the remainder.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LoopNest::LoopNest(OpBuilder &b, linalg::LinalgOp op)
    : b(b), op(op), loc(op.getLoc()), ivs(op.getNumLoops()) {
  for (Range range : op.createLoopRanges(b, loc))
    sizes.push_back(range.size);
}

OpFoldResult LoopNest::roundDown(OpFoldResult size, int64_t step) {
  AffineExpr s = b.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(0, 1, s.floorDiv(step) * step), {size});
}

SmallVector<Value> LoopNest::emitLoop(unsigned dim, OpFoldResult from,
                                      OpFoldResult to, int64_t step,
                                      ValueRange carried, LoopBody body) {
  std::optional<int64_t> lb = getConstantIntValue(from),
                         ub = getConstantIntValue(to);
  if (from == to || (lb && ub && *lb >= *ub))
    return Values(carried);
  Value start = getValueOrCreateConstantIndexOp(b, loc, from);
  if (lb && ub && *lb + step >= *ub) {
    ivs[dim] = start;
    return body(carried);
  }
  Value end = getValueOrCreateConstantIndexOp(b, loc, to);
  Value by = arith::ConstantIndexOp::create(b, loc, step);
  auto loop =
      scf::ForOp::create(b, loc, start, end, by, carried,
                         [&](OpBuilder &, Location, Value iv, ValueRange args) {
                           // The body shares the builder, which points into the
                           // loop for now.
                           ivs[dim] = iv;
                           Values results = body(args);
                           scf::YieldOp::create(b, loc, results);
                         });
  return Values(loop.getResults());
}

SmallVector<Value> LoopNest::emitLaneBlocks(
    unsigned dim, int64_t lanes, int64_t blockVectors, ValueRange carried,
    function_ref<Values(int64_t, Value, ValueRange)> body) {
  OpFoldResult size = sizes[dim];
  OpFoldResult blocks = roundDown(size, lanes * blockVectors);
  OpFoldResult vectors = roundDown(size, lanes);
  Values values(carried);
  if (blockVectors > 1)
    values = emitLoop(
        dim, b.getIndexAttr(0), blocks, lanes * blockVectors, values,
        [&](ValueRange args) { return body(blockVectors, Value(), args); });
  else
    blocks = b.getIndexAttr(0);
  values = emitLoop(dim, blocks, vectors, lanes, values,
                    [&](ValueRange args) { return body(1, Value(), args); });

  // Emit the remainder.
  auto emitMasked = [&]() {
    ivs[dim] = getValueOrCreateConstantIndexOp(b, loc, vectors);
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    OpFoldResult rest = affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(2, 0, d0 - d1), {size, vectors});
    Value mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get({lanes}, b.getI1Type()),
        getValueOrCreateConstantIndexOp(b, loc, rest));
    return body(1, mask, values);
  };
  std::optional<int64_t> constant = getConstantIntValue(size);
  if (constant)
    return *constant % lanes ? emitMasked() : values;
  Value some =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            getValueOrCreateConstantIndexOp(b, loc, vectors),
                            getValueOrCreateConstantIndexOp(b, loc, size));
  auto branch = scf::IfOp::create(b, loc, carried.getTypes(), some,
                                  /*withElseRegion=*/!carried.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Values results = emitMasked();
  if (!carried.empty()) {
    scf::YieldOp::create(b, loc, results);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, values);
  }
  return Values(branch.getResults());
}

void LoopNest::emitRowBlocks(std::optional<unsigned> rowDim, int64_t rows,
                             int64_t rest, function_ref<void(int64_t)> body) {
  if (!rowDim)
    return body(1);
  unsigned dim = *rowDim;
  OpFoldResult from = b.getIndexAttr(0), size = sizes[dim];
  for (int64_t block : {rows, rest, int64_t(1)}) {
    if (block == 0)
      continue;
    // Starts where the loop before ended, and takes as many blocks as fit.
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    OpFoldResult to =
        block == 1
            ? size
            : affine::makeComposedFoldedAffineApply(
                  b, loc,
                  AffineMap::get(2, 0, d0 + (d1 - d0).floorDiv(block) * block),
                  {from, size});
    emitLoop(dim, from, to, block, {}, [&](ValueRange) {
      body(block);
      return Values();
    });
    from = to;
  }
}
