//===- ReadGatheredRows.cpp - Rows that a table names, read where used ----===//
//
// Weights that are quantized in the order of their activations have a table,
// which says the group of each element that is summed. Scales and zero points
// are gathered by it, and would be stored, once for each element of the
// weights. The op that reads them reads an element of the small tensor instead,
// at the entry of the table, which is one of its operands.
//
//===----------------------------------------------------------------------===//

#include "ReadGatheredRows.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The least times that each row is gathered, on average.
static constexpr int64_t kLeastUses = 4;

namespace {
/// A gather of rows, one of each page, that an operand is, also by way of a
/// reshape that splits dimensions.
struct GatheredRows {
  PagedGatherOp gather;
  tensor::ExpandShapeOp split;

  /// The dimensions of the operand that dimension `dim` of the gather became.
  ReassociationIndices getDims(int64_t dim) const {
    if (!split)
      return {dim};
    return tensor::ExpandShapeOp(split).getReassociationIndices()[dim];
  }
};
} // namespace

/// Finds rows of a tensor that is much smaller than all of the rows gathered,
/// for one sequence, of which only one dimension is split.
static std::optional<GatheredRows> findRows(OpOperand &operand) {
  GatheredRows rows;
  Value value = operand.get();
  rows.split = value.getDefiningOp<tensor::ExpandShapeOp>();
  if (rows.split)
    value = rows.split.getSrc();
  rows.gather = value.getDefiningOp<PagedGatherOp>();
  if (!rows.gather || !operand.get().hasOneUse() || !value.hasOneUse())
    return std::nullopt;
  PagedGatherOp gather = rows.gather;
  auto pool = cast<ShapedType>(gather.getPool().getType());
  auto type = cast<ShapedType>(value.getType());
  if (!gather.isPaged() || gather.getStarts() || gather.getLengths() ||
      gather.getOffset() || !gather.getBatchDims().empty() ||
      !pool.hasStaticShape() || !type.hasStaticShape() ||
      pool.getDimSize(gather.getPoolRowDim()) != 1 ||
      pool.getNumElements() > type.getNumElements() / kLeastUses ||
      cast<ShapedType>(gather.getTable().getType()).getDimSize(0) !=
          type.getDimSize(gather.getSequenceDim()))
    return std::nullopt;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != int64_t(gather.getSequenceDim()) && rows.getDims(dim).size() > 1)
      return std::nullopt;
  return rows;
}

/// Whether `op` masks or shifts integers.
static bool unpacks(linalg::GenericOp op) {
  return llvm::any_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<arith::ShRUIOp, arith::ShRSIOp, arith::AndIOp>(inner);
  });
}

/// Whether `op`, or an op that computes one of its operands for it alone,
/// unpacks integers.
static bool isOfUnpacked(linalg::GenericOp op) {
  return unpacks(op) || llvm::any_of(op.getInputs(), [](Value input) {
           auto source = input.getDefiningOp<linalg::GenericOp>();
           return source && input.hasOneUse() && source.isAllParallelLoops() &&
                  unpacks(source);
         });
}

/// Whether iterations of the innermost loop read adjacent elements of a row.
/// `map` is that of the operand that the rows are.
static bool isContiguous(const GatheredRows &rows, AffineMap map) {
  PagedGatherOp gather = rows.gather;
  int64_t last = cast<ShapedType>(gather.getPool().getType()).getRank() - 1;
  if (last == int64_t(*gather.getPoolPageDim()) ||
      last == int64_t(gather.getPoolRowDim()))
    return false;
  int64_t dim = rows.getDims(gather.getPoolDims()[last]).front();
  return map.getDimPosition(dim) == map.getNumDims() - 1;
}

/// The table of `rows`, with the dimensions that the operand has for it.
static Value buildTable(OpBuilder &b, Location loc, const GatheredRows &rows) {
  PagedGatherOp gather = rows.gather;
  Value table = gather.getTable();
  ReassociationIndices dims = rows.getDims(gather.getSequenceDim());
  if (dims.size() == 1)
    return table;
  SmallVector<int64_t> shape;
  for (int64_t dim : dims)
    shape.push_back(
        tensor::ExpandShapeOp(rows.split).getResultType().getDimSize(dim));
  ReassociationIndices all;
  for (size_t dim = 0; dim < dims.size(); ++dim)
    all.push_back(dim);
  return tensor::ExpandShapeOp::create(
      b, loc, cast<RankedTensorType>(table.getType()).clone(shape), table,
      ArrayRef<ReassociationIndices>(all));
}

/// The element of `rows` for `entry` of the table. `getIndex` returns the
/// position along a dimension of the operand. 0 if there is no such row.
static Value buildElement(OpBuilder &b, Location loc, const GatheredRows &rows,
                          Value entry, function_ref<Value(int64_t)> getIndex) {
  PagedGatherOp gather = rows.gather;
  Value pool = gather.getPool();
  int64_t pageDim = *gather.getPoolPageDim();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (!entry.getType().isIndex())
    entry = arith::IndexCastOp::create(b, loc, b.getIndexType(), entry);
  Value count = arith::ConstantIndexOp::create(
      b, loc, cast<ShapedType>(pool.getType()).getDimSize(pageDim));
  Value isRow =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, entry, count);
  entry = arith::SelectOp::create(b, loc, isRow, entry, zero);
  SmallVector<Value> indices;
  for (auto [position, dim] : llvm::enumerate(gather.getPoolDims())) {
    if (int64_t(position) == pageDim)
      indices.push_back(entry);
    else if (int64_t(position) == gather.getPoolRowDim())
      indices.push_back(zero);
    else
      indices.push_back(getIndex(rows.getDims(dim).front()));
  }
  Value element = tensor::ExtractOp::create(b, loc, pool, indices);
  Value none =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(element.getType()));
  return arith::SelectOp::create(b, loc, isRow, element, none);
}

namespace {
struct ReadGatheredRows : OpRewritePattern<linalg::GenericOp> {
  ReadGatheredRows(MLIRContext *context, bool ofContiguous)
      : OpRewritePattern(context), ofContiguous(ofContiguous) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        !isOfUnpacked(op))
      return rewriter.notifyMatchFailure(op, "unpacks no integers");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      std::optional<GatheredRows> rows = findRows(*operand);
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!rows || !map.isProjectedPermutation() ||
          cast<ShapedType>(rows->gather.getPool().getType())
                  .getDimSize(*rows->gather.getPoolPageDim()) == 0 ||
          (ofContiguous && !isContiguous(*rows, map)))
        continue;
      // 1. The table is the operand.
      SmallVector<AffineExpr> ofTable;
      for (int64_t dim : rows->getDims(rows->gather.getSequenceDim()))
        ofTable.push_back(map.getResult(dim));
      Value table = buildTable(rewriter, op.getLoc(), *rows);
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[operand->getOperandNumber()] =
          AffineMap::get(op.getNumLoops(), 0, ofTable, rewriter.getContext());
      SmallVector<Value> inputs(op.getInputs());
      inputs[operand->getOperandNumber()] = table;
      // 2. The payload reads an element of the rows in its place.
      auto built = linalg::GenericOp::create(
          rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getOutputs(),
          maps, op.getIteratorTypesArray(),
          [&](OpBuilder &b, Location loc, ValueRange args) {
            IRMapping mapping;
            for (auto [from, to] :
                 llvm::zip_equal(op.getBody()->getArguments(), args))
              mapping.map(from, to);
            mapping.map(op.getBody()->getArgument(operand->getOperandNumber()),
                        buildElement(b, loc, *rows,
                                     args[operand->getOperandNumber()],
                                     [&](int64_t dim) -> Value {
                                       return linalg::IndexOp::create(
                                           b, loc, map.getDimPosition(dim));
                                     }));
            for (Operation &inner : *op.getBody())
              b.clone(inner, mapping);
          });
      built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      rewriter.replaceOp(op, built);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads no rows that a table names");
  }

private:
  bool ofContiguous;
};
} // namespace

void mlir::linalg_ext::populateReadGatheredRowsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReadGatheredRows>(patterns.getContext(),
                                 /*ofContiguous=*/false);
}

void mlir::linalg_ext::populateReadContiguousRowsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReadGatheredRows>(patterns.getContext(), /*ofContiguous=*/true);
}
