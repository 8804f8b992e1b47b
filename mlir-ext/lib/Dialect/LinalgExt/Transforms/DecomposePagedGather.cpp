//===- DecomposePagedGather.cpp - Paged gathers element by element --------===//
//
// The reference semantics of linalg_ext.paged_gather: a linalg.generic whose
// payload looks up one page and one element of it. A test guards every read, so
// the payload may be executed for any entries of the table, and with an empty
// table or pool.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Builds the payload. The sizes are built before the generic op.
class GatherPayload {
public:
  GatherPayload(PagedGatherOp op, OpBuilder &b) : op(op), loc(op.getLoc()) {
    pageSize = tensor::getMixedSize(b, loc, op.getPool(), op.getPoolRowDim());
    Value pool = op.getPool();
    int64_t listedDim = op.getPoolPageDim().value_or(op.getPoolRowDim());
    numListed = getSize(b, pool, listedDim);
    if (!op.isPaged())
      return;
    Value table = op.getTable();
    numEntries =
        getSize(b, table, cast<ShapedType>(table.getType()).getRank() - 1);
    if (auto size = dyn_cast<Value>(pageSize)) {
      // A page without rows has no rows to read. At least 1, so that nothing
      // divides by 0.
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      Value one = arith::ConstantIndexOp::create(b, loc, 1);
      Value isEmpty =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, size, zero);
      numListed = arith::SelectOp::create(b, loc, isEmpty, zero, numListed);
      pageSize = arith::MaxUIOp::create(b, loc, size, one).getResult();
    }
  }

  /// Builds the element of the result at `indices`. `length` and `start` are
  /// those of its sequence; each may be null.
  Value build(OpBuilder &b, ArrayRef<Value> indices, Value length, Value start);

private:
  Value getSize(OpBuilder &b, Value tensor, int64_t dim) {
    return getValueOrCreateConstantIndexOp(
        b, loc, tensor::getMixedSize(b, loc, tensor, dim));
  }
  Value add(OpBuilder &b, Value lhs, Value rhs) {
    return arith::AddIOp::create(b, loc, lhs, rhs);
  }
  /// Builds 0 <= index < size, in one comparison.
  Value isInBounds(OpBuilder &b, Value index, Value size) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                                 size);
  }
  Value buildIf(OpBuilder &b, Value condition,
                function_ref<Value(OpBuilder &)> buildThen);
  Value lookUp(OpBuilder &b, ArrayRef<Value> indices, Value entry);
  Value readPool(OpBuilder &b, ArrayRef<Value> indices, Value page, Value row);

  PagedGatherOp op;
  Location loc;
  OpFoldResult pageSize;
  /// The number of pages, or of rows in a packed pool.
  Value numListed;
  /// The number of entries of the table. For a table with a row for each
  /// sequence, the number of entries of a row.
  Value numEntries;
};
} // namespace

/// Builds the value of `buildThen` if `condition` is true, and 0 otherwise.
Value GatherPayload::buildIf(OpBuilder &b, Value condition,
                             function_ref<Value(OpBuilder &)> buildThen) {
  Type type = getElementTypeOrSelf(op.getOutput());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return scf::IfOp::create(
             b, loc, condition,
             [&](OpBuilder &b, Location loc) {
               scf::YieldOp::create(b, loc, buildThen(b));
             },
             [&](OpBuilder &b, Location loc) {
               scf::YieldOp::create(b, loc, zero);
             })
      .getResult(0);
}

/// Builds a look-up of the page that `entry` of the table of the sequence
/// names.
Value GatherPayload::lookUp(OpBuilder &b, ArrayRef<Value> indices,
                            Value entry) {
  SmallVector<Value> tableIndices;
  if (!op.hasFlatTable())
    for (int64_t dim : op.getBatchDims())
      tableIndices.push_back(indices[dim]);
  tableIndices.push_back(entry);
  Value page = tensor::ExtractOp::create(b, loc, op.getTable(), tableIndices);
  return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), page);
}

Value GatherPayload::readPool(OpBuilder &b, ArrayRef<Value> indices, Value page,
                              Value row) {
  SmallVector<Value> poolIndices;
  for (auto [dim, resultDim] : llvm::enumerate(op.getPoolDims())) {
    if (resultDim == PagedGatherOp::kPageDim)
      poolIndices.push_back(page);
    else if (static_cast<int64_t>(dim) == op.getPoolRowDim())
      poolIndices.push_back(row);
    else
      poolIndices.push_back(indices[resultDim]);
  }
  return tensor::ExtractOp::create(b, loc, op.getPool(), poolIndices);
}

Value GatherPayload::build(OpBuilder &b, ArrayRef<Value> indices, Value length,
                           Value start) {
  Value position = indices[op.getSequenceDim()];
  if (op.getOffset())
    position = add(b, position, op.getOffset());
  Value isInside;
  if (length)
    isInside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                     position, length);
  auto test = [&](Value condition) -> Value {
    return isInside ? arith::AndIOp::create(b, loc, isInside, condition)
                    : condition;
  };
  if (!op.isPaged()) {
    Value row = add(b, position, start);
    return buildIf(b, test(isInBounds(b, row, numListed)), [&](OpBuilder &b) {
      return readPool(b, indices, /*page=*/Value(), row);
    });
  }
  AffineExpr d0, s0;
  bindDims(b.getContext(), d0);
  bindSymbols(b.getContext(), s0);
  auto apply = [&](AffineExpr expr, Value of) {
    return getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(
            b, loc, AffineMap::get(1, 1, expr), {of, pageSize}));
  };
  Value entry = apply(d0.floorDiv(s0), position),
        row = apply(d0 % s0, position);
  // The condition depends only on the page, so rows of a page share the reads
  // of the table.
  Value isListed;
  if (length)
    isListed =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, entry,
                              apply((d0 + (s0 - 1)).floorDiv(s0), length));
  if (start)
    entry = add(b, entry, start);
  Value hasEntry = isInBounds(b, entry, numEntries);
  if (isListed)
    hasEntry = arith::AndIOp::create(b, loc, isListed, hasEntry);
  return buildIf(b, hasEntry, [&](OpBuilder &b) {
    Value page = lookUp(b, indices, entry);
    return buildIf(b, test(isInBounds(b, page, numListed)), [&](OpBuilder &b) {
      return readPool(b, indices, page, row);
    });
  });
}

/// The most ops between a gather and an op that reduces: reshapes, and ops that
/// convert and scale the elements.
static constexpr unsigned kMostSteps = 6;

/// Returns whether an op that reduces reads the result of `op`, directly or
/// through reshapes and elementwise ops.
static bool isReduced(Operation *op, unsigned steps) {
  return steps > 0 && llvm::any_of(op->getUsers(), [&](Operation *user) {
           if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
             return isReduced(user, steps - 1);
           auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
           return linalgOp && (linalgOp.getNumReductionLoops() > 0 ||
                               isReduced(user, steps - 1));
         });
}

namespace {
struct DecomposePagedGather : public OpRewritePattern<PagedGatherOp> {
  DecomposePagedGather(MLIRContext *context, bool keepGathers)
      : OpRewritePattern(context), keepGathers(keepGathers) {}

  LogicalResult matchAndRewrite(PagedGatherOp op,
                                PatternRewriter &rewriter) const override {
    if (keepGathers && isReduced(op, kMostSteps))
      return rewriter.notifyMatchFailure(op, "an op that reduces reads it");
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "expected tensors, got buffers");
    GatherPayload payload(op, rewriter);
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (MutableOperandRange lists :
         {op.getStartsMutable(), op.getLengthsMutable()})
      for (OpOperand &list : lists) {
        inputs.push_back(list.get());
        maps.push_back(op.getMatchingIndexingMap(&list));
      }
    maps.push_back(op.getMatchingIndexingMap(&op.getOutputMutable()));
    auto generic = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutput(),
        maps, op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          SmallVector<Value> indices;
          for (int64_t dim = 0; dim < op.getNumLoops(); ++dim)
            indices.push_back(linalg::IndexOp::create(b, loc, dim));
          auto toIndex = [&](Value value) {
            return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(),
                                                      value);
          };
          Value start, length;
          if (op.getStarts())
            start = toIndex(args.front());
          if (op.getLengths())
            length = toIndex(args.drop_back().back());
          linalg::YieldOp::create(b, loc,
                                  payload.build(b, indices, length, start));
        });
    rewriter.replaceOp(op, generic);
    return success();
  }

  bool keepGathers;
};
} // namespace

void mlir::linalg_ext::populateDecomposePagedGatherPatterns(
    RewritePatternSet &patterns, bool keepGathers) {
  patterns.add<DecomposePagedGather>(patterns.getContext(), keepGathers);
}
