//===- WidenRows.cpp - Rows of decoding are converted once ----------------===//
//
// A contraction of few rows streams through its other operand. If the rows are
// f16 or bf16, they are converted to f32 again for each block of columns. In
// decoding, these are the queries for every few keys, and the weights of the
// softmax one by one. Since the rows are few, this pattern converts them to f32
// before the contraction, which is exact.
//
// Elements that the contraction dequantizes in f16 or bf16 are computed in f32,
// without the roundings between. Each would take two instructions for each
// vector, and a factor that is rounded could not follow the sum. So are those
// that an op in front dequantizes: tiles of f32 are transposed to the order of
// the lanes as they are written, and are extended once for all rows.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

namespace {
/// Computes values of f16 or bf16, in the payload of an op, in f32.
class WideTerms {
public:
  WideTerms(RewriterBase &rewriter, Block *payload)
      : rewriter(rewriter), payload(payload) {}

  /// Returns whether `value` can be computed in f32, and depends on integers or
  /// floats of 8 bits or less that the payload reads.
  bool isDequantized(Value value) {
    bool readsNarrow = false;
    llvm::SmallPtrSet<Value, 16> checked, seen;
    return canWiden(value, readsNarrow, checked, seen) && readsNarrow;
  }

  Value widen(Value value) {
    if (Value wide = widened.lookup(value))
      return wide;
    Value wide = build(value);
    widened[value] = wide;
    return wide;
  }

private:
  static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

  /// Returns whether `op` computes the same function in f32, but for roundings.
  static bool isExactOp(Operation *op) {
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
               arith::MaximumFOp, arith::MinimumFOp, arith::SelectOp>(op);
  }

  /// Sets `readsNarrow` if `value`, of any type, depends on narrow elements.
  void findNarrow(Value value, bool &readsNarrow,
                  llvm::SmallPtrSet<Value, 16> &seen) {
    if (!seen.insert(value).second)
      return;
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      readsNarrow |= arg.getOwner() == payload &&
                     arg.getType().isIntOrFloat() &&
                     (arg.getType().isInteger() ||
                      arg.getType().getIntOrFloatBitWidth() <= 8);
      return;
    }
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == payload)
      for (Value operand : op->getOperands())
        findNarrow(operand, readsNarrow, seen);
  }

  bool canWiden(Value value, bool &readsNarrow,
                llvm::SmallPtrSet<Value, 16> &checked,
                llvm::SmallPtrSet<Value, 16> &seen) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != payload) {
      findNarrow(value, readsNarrow, seen);
      return true;
    }
    if (!checked.insert(value).second)
      return true;
    if (!isExactOp(op)) {
      for (Value operand : op->getOperands())
        findNarrow(operand, readsNarrow, seen);
      auto truncate = dyn_cast<arith::TruncFOp>(op);
      return (truncate && truncate.getIn().getType().isF32()) ||
             isa<arith::SIToFPOp, arith::UIToFPOp, arith::ExtFOp>(op);
    }
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      if (isHalf(operand.getType()))
        return canWiden(operand, readsNarrow, checked, seen);
      findNarrow(operand, readsNarrow, seen);
      return true;
    });
  }

  Value build(Value value) {
    Operation *op = value.getDefiningOp();
    OpBuilder::InsertionGuard guard(rewriter);
    Type f32 = rewriter.getF32Type();
    if (!op || op->getBlock() != payload) {
      // Of an argument, or of a constant outside of the payload.
      rewriter.setInsertionPointToStart(payload);
      return arith::ExtFOp::create(rewriter, value.getLoc(), f32, value);
    }
    if (auto truncate = dyn_cast<arith::TruncFOp>(op))
      return truncate.getIn();
    rewriter.setInsertionPoint(op);
    IRMapping mapping;
    if (isExactOp(op))
      for (Value operand : op->getOperands())
        if (isHalf(operand.getType()))
          mapping.map(operand, widen(operand));
    Operation *wide = rewriter.clone(*op, mapping);
    wide->getResult(0).setType(f32);
    return wide->getResult(0);
  }

  RewriterBase &rewriter;
  Block *payload;
  llvm::DenseMap<Value, Value> widened;
};
} // namespace

/// Erases the ops of `payload` that nothing uses.
static void eraseUnused(RewriterBase &rewriter, Block *payload) {
  SmallVector<Operation *> ops;
  for (Operation &inner : payload->without_terminator())
    ops.push_back(&inner);
  for (Operation *inner : llvm::reverse(ops))
    if (isOpTriviallyDead(inner))
      rewriter.eraseOp(inner);
}

LogicalResult mlir::linalg_ext::widenTerms(RewriterBase &rewriter,
                                           linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || op.getNumReductionLoops() == 0 ||
      op->getNumResults() != 1 ||
      !getElementTypeOrSelf(op->getResultTypes().front()).isF32())
    return rewriter.notifyMatchFailure(op, "is no sum of f32");
  WideTerms terms(rewriter, op.getBlock());
  bool changed = false;
  for (auto extend :
       llvm::make_early_inc_range(op.getBlock()->getOps<arith::ExtFOp>())) {
    Value narrow = extend.getIn();
    if (!extend.getType().isF32() ||
        !(narrow.getType().isF16() || narrow.getType().isBF16()) ||
        !narrow.getDefiningOp() || !terms.isDequantized(narrow))
      continue;
    rewriter.replaceOp(extend, terms.widen(narrow));
    changed = true;
  }
  if (!changed)
    return rewriter.notifyMatchFailure(op, "dequantizes nothing to 16 bits");
  // What computed the values before has no users.
  eraseUnused(rewriter, op.getBlock());
  return success();
}

/// Lets the elementwise op `producer` compute its result in f32: from integers
/// or floats of 8 bits or less without the roundings between. Fails if it reads
/// none of these.
static FailureOr<linalg::GenericOp> widenResult(RewriterBase &rewriter,
                                                linalg::GenericOp producer) {
  Value yielded = producer.getBody()->getTerminator()->getOperand(0);
  WideTerms terms(rewriter, producer.getBody());
  if (!yielded.getDefiningOp() ||
      yielded.getDefiningOp()->getBlock() != producer.getBody() ||
      !terms.isDequantized(yielded))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(producer);
  auto type = cast<RankedTensorType>(producer.getResult(0).getType());
  Value init = producer.getDpsInits().front();
  Value empty = tensor::EmptyOp::create(
      rewriter, producer.getLoc(),
      tensor::getMixedSizes(rewriter, producer.getLoc(), init),
      rewriter.getF32Type(), type.getEncoding());
  auto wide = linalg::GenericOp::create(
      rewriter, producer.getLoc(), TypeRange{type.clone(rewriter.getF32Type())},
      producer.getDpsInputs(), ValueRange{empty},
      producer.getIndexingMapsArray(), producer.getIteratorTypesArray());
  rewriter.cloneRegionBefore(producer.getRegion(), wide.getRegion(),
                             wide.getRegion().begin());
  Block *payload = wide.getBody();
  payload->getArguments().back().setType(rewriter.getF32Type());
  Operation *yield = payload->getTerminator();
  yield->setOperand(0,
                    WideTerms(rewriter, payload).widen(yield->getOperand(0)));
  eraseUnused(rewriter, payload);
  return wide;
}

/// Returns the op that dequantizes `operand` to f16 or bf16 for `op` alone,
/// which extends it to f32. Returns null if there is none.
static linalg::GenericOp getDequantizing(linalg::LinalgOp op,
                                         OpOperand &operand) {
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  if (!isExtended(op, operand) || !producer || !producer->hasOneUse() ||
      producer->getBlock() != op->getBlock() ||
      !producer.isAllParallelLoops() || producer->getNumResults() != 1 ||
      producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0)))
    return nullptr;
  return producer;
}

LogicalResult mlir::linalg_ext::widenDequantized(RewriterBase &rewriter,
                                                 linalg::LinalgOp op,
                                                 bool dotBF16) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2)
    return rewriter.notifyMatchFailure(op, "is no contraction of tensors");
  for (unsigned number : {0, 1}) {
    OpOperand &weights = op->getOpOperand(number),
              &row = op->getOpOperand(1 - number);
    linalg::GenericOp producer = getDequantizing(op, weights);
    if (!producer)
      continue;
    // Pairs of bf16 are multiplied as they are where they follow each other.
    if (dotBF16 && op.getNumReductionLoops() == 1 &&
        getElementTypeOrSelf(weights.get()).isBF16())
      continue;
    FailureOr<linalg::GenericOp> wide = widenResult(rewriter, producer);
    if (failed(wide))
      continue;
    auto readWide = [&](OpOperand &operand, Value value) {
      BlockArgument arg = op.getMatchingBlockArgument(&operand);
      rewriter.modifyOpInPlace(op, [&] {
        operand.set(value);
        arg.setType(rewriter.getF32Type());
      });
      for (Operation *extension : llvm::make_early_inc_range(arg.getUsers()))
        rewriter.replaceOp(extension, arg);
    };
    readWide(weights, wide->getResult(0));
    rewriter.eraseOp(producer);
    if (isExtended(op, row)) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op);
      linalg::GenericOp rows = buildWide(rewriter, op.getLoc(), row.get());
      readWide(row, rows.getResult(0));
      fuseWithProducer(rewriter, rows);
    }
    return success();
  }
  return rewriter.notifyMatchFailure(
      op, "multiplies nothing that is dequantized to 16 bits");
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
