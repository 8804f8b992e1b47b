//===- SplitRows.cpp - Few rows of unknown number, and more than a few ----===//
//
// A product of few rows with weights that are stored narrower, also in 16 bits,
// converts them in registers as it reads them, if the number of rows is a
// constant. If it is not known, there may be one row or a thousand. So a branch
// computes up to `kMostSplitRows` rows in tiles of constant sizes, and another
// one all others:
//
//   if rows <= 32 {
//     for i = 0 to rows floordiv 8 * 8 step 8 { 8 rows }
//     for .. step 4 { 4 rows }
//     for .. step 1 { one row }
//   } else { op }
//
// Integers that are multiplied by digits of rows (DigitProduct.h) are faster
// for a few tiles of 8 rows than as stored numbers, and weights of 16 bits than
// if they are converted for fewer rows at a time. So a known number of rows has
// such tiles, too.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/TileProducts.h"
#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "ProductDims.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most rows that are computed in tiles of few rows: with digits, and with
/// numbers that each tile converts again.
static constexpr int64_t kMostSplitRows = 32, kMostConvertedRows = 8;

/// The rows of a tile.
static constexpr int64_t kMostRowsOfTile = 8, kFewRowsOfTile = 4;

/// The fewest elements of weights for which versions pay: those of a small
/// product take little time in any form.
static constexpr int64_t kLeastElements = 64 * 1024;

namespace {
/// A product, and how its rows are cut.
struct SplitProduct {
  linalg::LinalgOp op;
  /// The loop over rows, and its size, which may not be known.
  unsigned rowDim = 0;
  int64_t rows = 0;
  /// What dequantizes the weights, in the order of the block.
  SmallVector<Operation *> steps;
  /// What fills the destination, or null.
  linalg::FillOp fill;
  /// The rows of tiles, the largest one first.
  SmallVector<int64_t> tiles;
  int64_t most = 0;
};
} // namespace

/// Whether `step` unpacks integers of columns that lie side by side.
static bool unpacksColumns(linalg::LinalgOp step) {
  AffineMap written = step.getMatchingIndexingMap(step.getDpsInitOperand(0));
  AffineExpr last = written.getResults().back();
  return llvm::any_of(step.getDpsInputOperands(), [&](OpOperand *operand) {
    return isUnpackedFrom(step, *operand) &&
           !step.getMatchingIndexingMap(operand).isFunctionOfDim(
               cast<AffineDimExpr>(last).getPosition());
  });
}

/// Whether `steps` compute integers that digits multiply: by arithmetic only,
/// of bytes; of halves of bytes, if the weights are stored along the sum; or of
/// words, if they are stored along the columns, and unpacked along the sum.
static bool isOfIntegers(ArrayRef<Operation *> steps, bool isAlongSum) {
  bool hasIntegers = false;
  for (Operation *each : steps) {
    auto step = cast<linalg::LinalgOp>(each);
    bool unpacks = false;
    for (OpOperand *operand : step.getDpsInputOperands())
      unpacks |= isUnpackedFrom(step, *operand);
    for (OpOperand *operand : step.getDpsInputOperands()) {
      Type element = getElementTypeOrSelf(operand->get());
      bool isByte = element.isSignlessInteger(8),
           isWord = element.isSignlessInteger(32);
      hasIntegers |= isByte || isWord;
      if (isUnpackedFrom(step, *operand) && (isAlongSum ? isWord : isByte))
        return false;
    }
    if (unpacks && !isAlongSum && unpacksColumns(step))
      return false;
    // A term that is added to products is a sum of its own.
    for (Operation &inner : step.getBlock()->without_terminator())
      if (isa<arith::SelectOp, tensor::ExtractOp, arith::AddFOp>(inner))
        return false;
  }
  return hasIntegers;
}

/// Whether `op` extends factors of the type `element`, which few rows convert
/// in registers.
static bool isExtended(linalg::LinalgOp op, Type element) {
  Type result = getElementTypeOrSelf(op.getDpsInits().front());
  return (element.isF16() || element.isBF16()) && result.isF32();
}

/// Finds the rows of `op`, and what dequantizes its weights.
static FailureOr<SplitProduct> matchSplitProduct(RewriterBase &rewriter,
                                                 linalg::LinalgOp op,
                                                 const CPUTarget &core) {
  SplitProduct product;
  product.op = op;
  FailureOr<ProductDims> dims = getProductDims(op);
  if (failed(dims))
    return rewriter.notifyMatchFailure(op, "not a product of two tensors");
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (op.hasIndexSemantics() || hasDifferentSizes(op) ||
      llvm::is_contained(ranges, 0))
    return rewriter.notifyMatchFailure(op, "not a product of all elements");
  auto isLoop = [&](unsigned dim) { return ranges[dim] != 1; };
  SmallVector<unsigned> rows = llvm::filter_to_vector(dims->rows, isLoop);
  if (rows.size() != 1 || llvm::any_of(dims->batches, isLoop))
    return rewriter.notifyMatchFailure(op, "not one dimension of rows");
  product.rowDim = rows.front();
  product.rows = ranges[product.rowDim];
  llvm::SetVector<Operation *> steps;
  bool isAlongSum = false, isNarrow = false, isPair = false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    auto type = cast<RankedTensorType>(operand->get().getType());
    if (map.isFunctionOfDim(product.rowDim))
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    isAlongSum = last && llvm::is_contained(dims->sums, last.getPosition());
    if (type.hasStaticShape() && type.getNumElements() < kLeastElements)
      return rewriter.notifyMatchFailure(op, "the weights are small");
    isNarrow |= isAlongSum && type.hasStaticShape() &&
                isExtended(op, type.getElementType());
    isPair |= type.getElementType().isBF16() && core.dotBF16 != 0;
    for (linalg::LinalgOp step :
         getDequantization(operand->get(), ElementReads::OfRows))
      if (step->getBlock() == op->getBlock())
        steps.insert(step);
  }
  if (steps.empty() && !isNarrow)
    return rewriter.notifyMatchFailure(op, "no weights are converted");
  product.steps = steps.takeVector();
  llvm::sort(product.steps, [](Operation *first, Operation *second) {
    return first->isBeforeInBlock(second);
  });
  for (OpOperand &operand : op->getOpOperands())
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      if (!isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(product.rowDim))
        return rewriter.notifyMatchFailure(op, "rows are not read in order");
  product.fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  bool hasDigits =
      static_cast<ByteProducts>(core.byteDot) == ByteProducts::Fours &&
      core.getLanes(32) == 16 &&
      getElementTypeOrSelf(op.getDpsInits().front()).isF32() &&
      isOfIntegers(product.steps, isAlongSum);
  // More rows of 16 bits convert the weights again for fewer rows at a time.
  // Pairs of bf16 are not converted.
  bool isOf16Bits = product.steps.empty();
  product.most = hasDigits || (isOf16Bits && !isPair) ? kMostSplitRows
                                                      : kMostConvertedRows;
  if (ShapedType::isDynamic(product.rows)) {
    if (hasDigits || isOf16Bits)
      product.tiles.push_back(kMostRowsOfTile);
    product.tiles.append({kFewRowsOfTile, 1});
    return product;
  }
  if (product.rows <= kMostRowsOfTile || product.rows > product.most)
    return rewriter.notifyMatchFailure(op, "few rows are a tile, many are not");
  // Two tiles at least: a loop of one iteration would become a part of the
  // block, where what dequantizes the weights would be merged with that of the
  // rest.
  int64_t count = std::min(kMostRowsOfTile, product.rows / 2);
  product.tiles.push_back(count);
  if (int64_t rest = product.rows % count)
    product.tiles.push_back(rest);
  return product;
}

/// Returns rows `at` to `at` + `count` of `operand` of the product. Without
/// rows, returns all of `value`.
static Value getRows(OpBuilder &b, const SplitProduct &product,
                     OpOperand &operand, Value value, Value at, int64_t count,
                     SmallVectorImpl<OpFoldResult> &offsets,
                     SmallVectorImpl<OpFoldResult> &sizes) {
  linalg::LinalgOp op = product.op;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(product.rowDim))
    return value;
  Location loc = op.getLoc();
  sizes = tensor::getMixedSizes(b, loc, value);
  offsets.assign(sizes.size(), b.getIndexAttr(0));
  for (auto [number, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(product.rowDim)) {
      offsets[number] = at;
      sizes[number] = b.getIndexAttr(count);
    }
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, strides);
}

/// Clones the product for the rows that `select` returns of each operand.
/// Returns the clone.
static linalg::LinalgOp
cloneProduct(OpBuilder &b, const SplitProduct &product, Value start,
             function_ref<Value(OpOperand &, Value)> select) {
  linalg::LinalgOp op = product.op;
  IRMapping mapping;
  for (Operation *step : product.steps)
    b.clone(*step, mapping);
  linalg::FillOp fill = product.fill;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    Value value = select(
        operand, isInit ? start : mapping.lookupOrDefault(operand.get()));
    if (isInit && fill)
      value = linalg::FillOp::create(b, op.getLoc(), fill.value(), value)
                  .getResult(0);
    operands.push_back(value);
  }
  return cast<linalg::LinalgOp>(
      clone(b, op, operands.back().getType(), operands));
}

/// Emits a loop over tiles of `count` rows from `from` to `to`, which writes
/// into `start`. Adds the product of the tile to `parts`.
static Value emitTiles(OpBuilder &b, const SplitProduct &product, Value from,
                       Value to, int64_t count, Value start,
                       SmallVectorImpl<linalg::LinalgOp> &parts) {
  linalg::LinalgOp op = product.op;
  Location loc = op.getLoc();
  auto loop = scf::ForOp::create(
      b, loc, from, to, arith::ConstantIndexOp::create(b, loc, count), start,
      [&](OpBuilder &inner, Location, Value at, ValueRange args) {
        SmallVector<OpFoldResult> offsets, sizes;
        linalg::LinalgOp part = cloneProduct(
            inner, product, args.front(), [&](OpOperand &operand, Value value) {
              return getRows(inner, product, operand, value, at, count, offsets,
                             sizes);
            });
        parts.push_back(part);
        // The destination is the last operand.
        SmallVector<OpFoldResult> strides(sizes.size(), inner.getIndexAttr(1));
        Value result = tensor::InsertSliceOp::create(
            inner, loc, part->getResult(0), args.front(), offsets, sizes,
            strides);
        scf::YieldOp::create(inner, loc, result);
      });
  return loop.getResult(0);
}

/// Emits the loops over tiles of all rows, whose number is `rows`.
static Value emitAllTiles(OpBuilder &b, const SplitProduct &product, Value rows,
                          Value start,
                          SmallVectorImpl<linalg::LinalgOp> &parts) {
  linalg::LinalgOp op = product.op;
  Location loc = op.getLoc();
  Value from = arith::ConstantIndexOp::create(b, loc, 0);
  for (int64_t count : product.tiles) {
    Value to = rows;
    if (count != product.tiles.back())
      to = getValueOrCreateConstantIndexOp(
          b, loc,
          affine::makeComposedFoldedAffineApply(
              b, loc, b.getAffineDimExpr(0).floorDiv(count) * count,
              OpFoldResult(rows)));
    start = emitTiles(b, product, from, to, count, start, parts);
    from = to;
  }
  return start;
}

LogicalResult
mlir::linalg_ext::splitRows(RewriterBase &rewriter, linalg::LinalgOp op,
                            const CPUTarget &core,
                            SmallVectorImpl<linalg::LinalgOp> &parts) {
  FailureOr<SplitProduct> product = matchSplitProduct(rewriter, op, core);
  if (failed(product))
    return failure();
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Value start = op.getDpsInits().front();
  if (product->fill)
    start = product->fill.output();
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  unsigned dim = *output.getResultPosition(
      getAffineDimExpr(product->rowDim, op.getContext()));
  Value rows = getValueOrCreateConstantIndexOp(
      rewriter, loc, tensor::getMixedSize(rewriter, loc, start, dim));
  Value result;
  if (!ShapedType::isDynamic(product->rows)) {
    result = emitAllTiles(rewriter, *product, rows, start, parts);
  } else {
    Value areFew = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ule, rows,
        arith::ConstantIndexOp::create(rewriter, loc, product->most));
    auto branch = scf::IfOp::create(
        rewriter, loc, areFew,
        [&](OpBuilder &b, Location) {
          scf::YieldOp::create(b, loc,
                               emitAllTiles(b, *product, rows, start, parts));
        },
        [&](OpBuilder &b, Location) {
          linalg::LinalgOp all =
              cloneProduct(b, *product, start,
                           [](OpOperand &, Value value) { return value; });
          parts.push_back(all);
          scf::YieldOp::create(b, loc, all->getResult(0));
        });
    result = branch.getResult(0);
  }
  rewriter.replaceOp(op, result);
  // Each op is erased after its users.
  for (Operation *step : llvm::reverse(product->steps))
    if (step->use_empty())
      rewriter.eraseOp(step);
  if (product->fill && product->fill->use_empty())
    rewriter.eraseOp(product->fill);
  return success();
}
