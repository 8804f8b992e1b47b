//===- WidenRows.cpp - Rows of decoding are converted once ----------------===//
//
// A contraction of few rows streams through its other operand. If the rows are
// f16 or bf16, they are converted to f32 again for each block of columns. In
// decoding, these are the queries for every few keys, and the weights of the
// softmax one by one. Since the rows are few, this pattern converts them to f32
// before the contraction, which is exact.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The fewest columns that must use each element of a row.
static constexpr int64_t kLeastColumns = 16;

/// Returns whether the payload of `op` only extends what it reads of `operand`
/// to f32.
static bool isExtended(linalg::LinalgOp op, OpOperand &operand) {
  BlockArgument arg = op.getMatchingBlockArgument(&operand);
  auto type = dyn_cast<FloatType>(arg.getType());
  return type && type.getWidth() < 32 && !arg.use_empty() &&
         llvm::all_of(arg.getUsers(), [](Operation *user) {
           return isa<arith::ExtFOp>(user) &&
                  user->getResult(0).getType().isF32();
         });
}

/// Returns whether few rows read `streamed`, and `row` is read for many of its
/// columns.
static bool isRowOf(linalg::LinalgOp op, OpOperand &row, OpOperand &streamed,
                    int64_t mostRows) {
  AffineMap ofRow = op.getMatchingIndexingMap(&row),
            ofStreamed = op.getMatchingIndexingMap(&streamed);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!meetsFewRows(op, ofStreamed, ranges, mostRows))
    return false;
  int64_t columns = 1;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (!linalg::isParallelIterator(iterator) || ofRow.isFunctionOfDim(dim))
      continue;
    columns = ShapedType::isDynamic(ranges[dim])
                  ? std::max(columns, kLeastColumns)
                  : llvm::SaturatingMultiply<uint64_t>(columns, ranges[dim]);
  }
  return columns >= kLeastColumns;
}

/// Returns the outermost loop or branch around `op` in which `value` does not
/// change, or `op`.
static Operation *getPlace(Operation *op, Value value) {
  Operation *place = op;
  while (
      isa_and_nonnull<scf::ForOp, scf::IfOp>(place->getParentOp()) &&
      !place->getParentOp()->isAncestor(value.getParentRegion()->getParentOp()))
    place = place->getParentOp();
  return place;
}

/// Builds `value` converted to f32.
static linalg::GenericOp buildWide(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  // Takes the sizes from a value that does not need the op that computes
  // `value`.
  Value sized = value;
  if (auto op = value.getDefiningOp<DestinationStyleOpInterface>())
    sized = op.getTiedOpOperand(cast<OpResult>(value))->get();
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, sized), b.getF32Type());
  AffineMap same = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, TypeRange{empty.getType()}, ValueRange{value}, ValueRange{empty},
      ArrayRef{same, same}, iterators,
      [](OpBuilder &b, Location loc, ValueRange args) {
        Value result = arith::ExtFOp::create(b, loc, b.getF32Type(), args[0]);
        linalg::YieldOp::create(b, loc, result);
      });
}

/// If nothing else reads the input of `wide`, fuses the elementwise op that
/// computes it into `wide`.
static void fuseWithProducer(RewriterBase &rewriter, linalg::GenericOp wide) {
  OpOperand *input = wide.getDpsInputOperand(0);
  auto producer = input->get().getDefiningOp<linalg::GenericOp>();
  if (!producer || !producer->hasOneUse() ||
      producer->getBlock() != wide->getBlock() ||
      !linalg::areElementwiseOpsFusable(input))
    return;
  rewriter.setInsertionPoint(wide);
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, input);
  if (failed(fused))
    return;
  rewriter.replaceOp(wide, fused->replacements.lookup(wide.getResult(0)));
  rewriter.eraseOp(producer);
}

LogicalResult mlir::linalg_ext::widenRows(RewriterBase &rewriter,
                                          linalg::LinalgOp op, int64_t mostRows,
                                          bool dotBF16) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0 || op.getNumDpsInputs() < 2)
    return rewriter.notifyMatchFailure(op, "is no contraction of tensors");
  SmallVector<unsigned> rows;
  for (OpOperand *row : op.getDpsInputOperands()) {
    if (!isExtended(op, *row))
      continue;
    bool isRow = false, isPair = false;
    for (OpOperand *streamed : op.getDpsInputOperands()) {
      if (streamed == row || !isRowOf(op, *row, *streamed, mostRows))
        continue;
      isRow = true;
      // One instruction multiplies pairs of bf16 as they are.
      isPair |= dotBF16 && getElementTypeOrSelf(row->get()).isBF16() &&
                getElementTypeOrSelf(streamed->get()).isBF16();
    }
    if (isRow && !isPair)
      rows.push_back(row->getOperandNumber());
  }
  if (rows.empty())
    return rewriter.notifyMatchFailure(op, "no few rows are extended");
  OpBuilder::InsertionGuard guard(rewriter);
  for (unsigned number : rows) {
    OpOperand &row = op->getOpOperand(number);
    rewriter.setInsertionPoint(getPlace(op, row.get()));
    linalg::GenericOp wide = buildWide(rewriter, op.getLoc(), row.get());
    BlockArgument arg = op.getMatchingBlockArgument(&row);
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(number, wide.getResult(0));
      arg.setType(rewriter.getF32Type());
    });
    for (Operation *extension : llvm::make_early_inc_range(arg.getUsers()))
      rewriter.replaceOp(extension, arg);
    fuseWithProducer(rewriter, wide);
  }
  return success();
}
