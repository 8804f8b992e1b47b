//===- TransposeTiles.cpp - Transposition of contractions -----------------===//
//
// The lanes of a contraction lie along the last dimension of its result. If its
// right operand is contiguous along the reduction instead (the keys in Q K^T),
// each step must transpose a block. If the left operand is invariant in the
// loop around the contraction, it is cheaper to transpose the left operand
// once, before the loop, and to swap the dimensions of the result. The lanes
// are then the rows of the left operand, and elements of the right operand are
// broadcast. Ops that read the result use another indexing map, and reductions
// of its rows reduce no lanes.
//
//   1. Find the two dimensions and the invariant operand.
//   2. Collect the tiles to transpose: the result, and the elementwise results
//      that depend on it. Only structured ops in this block may read them.
//   3. Rebuild the ops.
//
// If this is not possible and many rows use the right operand, the right
// operand is transposed instead, before the outermost loop in which it is
// invariant. So is an operand of weights that are stored by rows of the sums,
// such as a scale for each group of a column, if groups are long. What an op
// computes for the contraction alone, such as weights that it dequantizes, is
// written in the other order.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Selection/CPUTileSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A contraction C[..., m, ..., n] += A[m, k] B[n, k] in a loop.
struct StridedContraction {
  /// The operand that is transposed before `loop`.
  OpOperand *invariant = nullptr;
  /// The outermost loop in which the invariant operand does not change.
  scf::ForOp loop;
  unsigned rowDim = 0, columnDim = 0;
};

/// Tiles, each with the positions of the two dimensions in it.
using Tiles = llvm::MapVector<Value, std::pair<unsigned, unsigned>>;
} // namespace

static bool hasDim(AffineMap map, unsigned dim) {
  return map.isFunctionOfDim(dim);
}

/// Returns the dimension that is the last result of a projected permutation.
static std::optional<unsigned> getLastDim(AffineMap map) {
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return std::nullopt;
  return map.getDimPosition(map.getNumResults() - 1);
}

/// Returns whether `value`, or what it is a slice of, is the same in all
/// iterations of `loop`.
static bool isInvariant(scf::ForOp loop, Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && llvm::all_of(slice->getOperands(), [&](Value operand) {
           return loop.isDefinedOutsideOfLoop(operand);
         });
}

static FailureOr<StridedContraction>
matchContraction(linalg::LinalgOp op, int64_t minLanes, StringRef &reason) {
  reason = "it is not a contraction on tensors";
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || !linalg::isaContractionOpInterface(op))
    return failure();
  StridedContraction result;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> column = getLastDim(output);
  if (!column)
    return failure();
  result.columnDim = *column;

  reason = "no operand is strided along the last dimension of the result";
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  OpOperand *strided = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<unsigned> last = getLastDim(map);
    if (!last)
      return failure();
    if (!hasDim(map, *column))
      result.invariant = operand;
    else if (linalg::isReductionIterator(iterators[*last]))
      strided = operand;
  }
  if (!strided || !result.invariant)
    return failure();

  reason = "the other operand has no dimension of enough lanes next to the "
           "reduction";
  AffineMap map = op.getMatchingIndexingMap(result.invariant);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::optional<unsigned> row;
  for (AffineExpr expr : map.getResults().drop_back()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (linalg::isParallelIterator(iterators[dim]) && hasDim(output, dim) &&
        !hasDim(op.getMatchingIndexingMap(strided), dim) &&
        (ShapedType::isDynamic(ranges[dim]) || ranges[dim] >= minLanes))
      row = dim;
  }
  if (!row || !linalg::isReductionIterator(iterators[*getLastDim(map)]))
    return failure();
  result.rowDim = *row;

  reason = "no loop leaves the other operand alone";
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || !isInvariant(loop, result.invariant->get()))
      break;
    result.loop = loop;
  }
  if (!result.loop)
    return failure();
  return result;
}

/// Returns whether `value` is uninitialised, or a fill of something that is.
static bool isFresh(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getDpsInits().front();
  return value.getDefiningOp<tensor::EmptyOp>();
}

/// Returns whether vectors along `column` of the operand are contiguous, and
/// those along `row` strided.
static bool isContiguousAlong(AffineMap map, unsigned column, unsigned row) {
  return hasDim(map, row) && getLastDim(map) == column;
}

/// Adds the result of `op`, which reads a tile, if it must be transposed too.
/// Fails if `op` cannot read or compute transposed tiles.
static LogicalResult addTilesOf(linalg::LinalgOp op, OpOperand &use,
                                Tiles &tiles, StringRef &reason) {
  reason = "it is used by an op that is not structured";
  if (op->getDialect()->getNamespace() !=
          linalg::LinalgDialect::getDialectNamespace() ||
      isa<linalg::FillOp>(op) || !op.hasPureTensorSemantics() ||
      op.isDpsInit(&use))
    return failure();
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return failure();
  AffineMap map = op.getMatchingIndexingMap(&use);
  auto [rowPosition, columnPosition] = tiles.find(use.get())->second;
  unsigned row = map.getDimPosition(rowPosition);
  unsigned column = map.getDimPosition(columnPosition);

  reason = "an op reads something else along the same rows";
  bool computesTile = false;
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    AffineMap output = op.getMatchingIndexingMap(&operand);
    if (!hasDim(output, row) || !hasDim(output, column))
      continue;
    computesTile = true;
    if (op.getNumReductionLoops() != 0 || !isFresh(operand.get()))
      return failure();
    std::pair<unsigned, unsigned> positions(
        *output.getResultPosition(getAffineDimExpr(row, output.getContext())),
        *output.getResultPosition(
            getAffineDimExpr(column, output.getContext())));
    auto [it, added] =
        tiles.try_emplace(op.getTiedOpResult(&operand), positions);
    if (!added && it->second != positions)
      return failure();
  }
  if (!computesTile)
    return success();
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!tiles.contains(operand->get()) &&
        isContiguousAlong(op.getMatchingIndexingMap(operand), column, row))
      return failure();
  return success();
}

static FailureOr<Tiles> collectTiles(linalg::LinalgOp op,
                                     const StridedContraction &contraction,
                                     StringRef &reason) {
  Tiles tiles;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto getPosition = [&](unsigned dim) {
    return *output.getResultPosition(
        getAffineDimExpr(dim, output.getContext()));
  };
  reason = "its destination is used before";
  if (!isFresh(op.getDpsInits().front()))
    return failure();
  tiles.insert(
      {op->getResult(0),
       {getPosition(contraction.rowDim), getPosition(contraction.columnDim)}});
  // The loop appends to `tiles`, so it does not use iterators.
  for (unsigned i = 0; i < tiles.size(); ++i) {
    Value tile = tiles.begin()[i].first;
    for (OpOperand &use : tile.getUses()) {
      auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
      reason = "it is used by an op that is not structured";
      if (!user || user->getBlock() != op->getBlock() ||
          failed(addTilesOf(user, use, tiles, reason)))
        return failure();
    }
  }
  return tiles;
}

static SmallVector<int64_t> getSwap(int64_t rank,
                                    std::pair<unsigned, unsigned> positions) {
  auto swap = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(swap[positions.first], swap[positions.second]);
  return swap;
}

static AffineMap permuteResults(AffineMap map, ArrayRef<int64_t> permutation) {
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                        applyPermutation(map.getResults(), permutation),
                        map.getContext());
}

/// Builds a destination like the fresh value `init`, with permuted dimensions.
static Value buildDestination(RewriterBase &rewriter, Value init,
                              ArrayRef<int64_t> permutation) {
  Location loc = init.getLoc();
  auto type = cast<RankedTensorType>(init.getType());
  Value filled;
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    filled = fill.value();
    init = fill.getDpsInits().front();
  }
  SmallVector<OpFoldResult> sizes =
      init.getDefiningOp<tensor::EmptyOp>().getMixedSizes();
  Value result = tensor::EmptyOp::create(rewriter, loc,
                                         applyPermutation(sizes, permutation),
                                         type.getElementType());
  if (filled)
    result = linalg::FillOp::create(rewriter, loc, filled, result).getResult(0);
  return result;
}

/// Builds `op` again with the transposed operands and results that `transposed`
/// maps to.
static void rebuild(RewriterBase &rewriter, linalg::LinalgOp op,
                    const Tiles &tiles, IRMapping &transposed,
                    ArrayRef<int64_t> invariantSwap = {},
                    OpOperand *invariant = nullptr) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  SmallVector<Type> types;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    Value value = operand->get();
    auto it = tiles.find(value);
    if (it != tiles.end())
      map = permuteResults(map, getSwap(map.getNumResults(), it->second));
    else if (operand == invariant)
      map = permuteResults(map, invariantSwap);
    bool changes = it != tiles.end() || operand == invariant;
    inputs.push_back(changes ? transposed.lookup(value) : value);
    maps.push_back(map);
  }
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Value value = operand.get();
    auto it = tiles.find(op.getTiedOpResult(&operand));
    if (it != tiles.end()) {
      SmallVector<int64_t> swap = getSwap(map.getNumResults(), it->second);
      map = permuteResults(map, swap);
      value = buildDestination(rewriter, value, swap);
    }
    inits.push_back(value);
    maps.push_back(map);
    types.push_back(value.getType());
  }
  auto result =
      linalg::GenericOp::create(rewriter, op.getLoc(), types, inputs, inits,
                                maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), result.getRegion(),
                             result.getRegion().end());
  for (auto [from, to] : llvm::zip_equal(op->getResults(), result.getResults()))
    if (tiles.contains(from))
      transposed.map(from, to);
    else
      rewriter.replaceAllUsesWith(from, to);
  // Iterate in the order of memory.
  if (op.getNumReductionLoops() == 0 && maps.back().isPermutation()) {
    SmallVector<unsigned> order;
    for (AffineExpr expr : maps.back().getResults())
      order.push_back(cast<AffineDimExpr>(expr).getPosition());
    (void)linalg::interchangeGenericOp(rewriter, result, order);
  }
}

LogicalResult mlir::linalg_ext::transposeTiles(RewriterBase &rewriter,
                                               linalg::LinalgOp op,
                                               int64_t minLanes) {
  // 1. Find the contraction.
  StringRef reason;
  FailureOr<StridedContraction> contraction =
      matchContraction(op, minLanes, reason);
  if (failed(contraction))
    return rewriter.notifyMatchFailure(op, reason);

  // 2. Collect the tiles.
  FailureOr<Tiles> tiles = collectTiles(op, *contraction, reason);
  if (failed(tiles))
    return rewriter.notifyMatchFailure(op, reason);
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (auto &[tile, positions] : *tiles)
    ops.insert_range(tile.getUsers());
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });

  // 3. Transpose the operand before the loop, then rebuild each op.
  OpBuilder::InsertionGuard guard(rewriter);
  OpOperand *invariant = contraction->invariant;
  Value value = invariant->get();
  AffineMap map = op.getMatchingIndexingMap(invariant);
  unsigned rank = map.getNumResults();
  SmallVector<int64_t> swap =
      getSwap(rank, {*map.getResultPosition(getAffineDimExpr(
                         contraction->rowDim, map.getContext())),
                     rank - 1});
  if (!contraction->loop.isDefinedOutsideOfLoop(value))
    rewriter.moveOpBefore(value.getDefiningOp(), contraction->loop);
  rewriter.setInsertionPoint(contraction->loop);
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(),
      applyPermutation(tensor::getMixedSizes(rewriter, op.getLoc(), value),
                       swap),
      getElementTypeOrSelf(value));
  IRMapping transposed;
  transposed.map(value, linalg::TransposeOp::create(rewriter, op.getLoc(),
                                                    value, empty, swap)
                            ->getResult(0));
  for (Operation *each : sorted)
    rebuild(rewriter, cast<linalg::LinalgOp>(each), *tiles, transposed, swap,
            each == op ? invariant : nullptr);
  for (Operation *each : llvm::reverse(sorted))
    rewriter.eraseOp(each);
  return success();
}

/// If `value` is a slice, moves it before the outermost loop around `op` in
/// which it does not change. Returns that loop, or `op`.
static Operation *hoistOperand(RewriterBase &rewriter, Operation *op,
                               Value value) {
  Operation *place = op;
  for (auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
       loop && isInvariant(loop, value);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    place = loop;
  Operation *slice = value.getDefiningOp();
  if (slice && place->isAncestor(slice) && slice != place)
    rewriter.moveOpBefore(slice, place);
  return place;
}

/// Returns the elementwise op that computes `value`, if only `user` reads that
/// tile. Such an op may just as well write it in another order of dimensions.
static linalg::GenericOp getOwnProducer(Value value, linalg::LinalgOp user) {
  auto producer = value.getDefiningOp<linalg::GenericOp>();
  if (!producer || !producer->hasOneUse() || producer->getNumResults() != 1 ||
      producer->getBlock() != user->getBlock() ||
      !producer.hasPureTensorSemantics() || !producer.isAllParallelLoops() ||
      !isFresh(producer.getDpsInits().front()) ||
      producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0)) ||
      !producer.getMatchingIndexingMap(producer.getDpsInitOperand(0))
           .isPermutation())
    return nullptr;
  return producer;
}

/// Lets `producer` write its result with permuted dimensions.
static Value buildPermuted(RewriterBase &rewriter, linalg::GenericOp producer,
                           ArrayRef<int64_t> permutation) {
  rewriter.setInsertionPoint(producer);
  SmallVector<AffineMap> maps = producer.getIndexingMapsArray();
  maps.back() = permuteResults(maps.back(), permutation);
  Value init =
      buildDestination(rewriter, producer.getDpsInits().front(), permutation);
  auto result = linalg::GenericOp::create(
      rewriter, producer.getLoc(), init.getType(), producer.getDpsInputs(),
      init, maps, producer.getIteratorTypesArray());
  rewriter.cloneRegionBefore(producer.getRegion(), result.getRegion(),
                             result.getRegion().end());
  return result.getResult(0);
}

LogicalResult mlir::linalg_ext::transposeStridedOperand(RewriterBase &rewriter,
                                                        linalg::LinalgOp op,
                                                        int64_t minRows) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return rewriter.notifyMatchFailure(op, "not a contraction on tensors");
  // The op may also be a contraction with more operands, such as the scales of
  // groups of weights.
  bool isContraction = linalg::isaContractionOpInterface(op);
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> column = getLastDim(output);
  if (!column)
    return rewriter.notifyMatchFailure(op, "no dimension is last");
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // Lanes lie along the last dimension of the operand that has all sums of
  // another operand.
  auto isReadAlongColumns = [&](AffineMap map) {
    return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      AffineMap other = op.getMatchingIndexingMap(operand);
      return getLastDim(other) == column &&
             llvm::all_of(map.getResults(), [&](AffineExpr expr) {
               unsigned dim = cast<AffineDimExpr>(expr).getPosition();
               return linalg::isParallelIterator(iterators[dim]) ||
                      hasDim(other, dim);
             });
    });
  };
  OpOperand *strided = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<unsigned> last = getLastDim(map);
    if (last && hasDim(map, *column) &&
        linalg::isReductionIterator(iterators[*last]) &&
        (isContraction || isReadAlongColumns(map)))
      strided = operand;
  }
  if (!strided)
    return rewriter.notifyMatchFailure(
        op, "no operand is strided along the last dimension of the result");
  // Halves are converted, and multiplied in pairs, in the order in which they
  // lie in memory.
  if (isContraction && getElementTypeOrSelf(strided->get()) !=
                           getElementTypeOrSelf(op->getResult(0)))
    return rewriter.notifyMatchFailure(op, "the operand is extended");
  AffineMap map = op.getMatchingIndexingMap(strided);
  int64_t rows = 1;
  for (auto [dim, range] : llvm::enumerate(ranges))
    if (!hasDim(map, dim))
      rows = ShapedType::isDynamic(range)
                 ? std::max(rows, minRows)
                 : llvm::SaturatingMultiply<uint64_t>(rows, range);
  // If an op computes the operand for the product alone, no other pass over the
  // tile is needed.
  Value value = strided->get();
  linalg::GenericOp producer = getOwnProducer(value, op);
  if (rows < (producer ? kFewRows + 1 : minRows) || ranges[*column] == 1)
    return rewriter.notifyMatchFailure(op, "too few rows would read it again");

  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = op.getLoc();
  unsigned rank = map.getNumResults();
  unsigned position =
      *map.getResultPosition(getAffineDimExpr(*column, map.getContext()));
  Value transposed;
  SmallVector<int64_t> order = getSwap(rank, {position, rank - 1});
  if (producer) {
    // The columns become the last dimension, and the other dimensions keep
    // their order. Then the rows of the sums follow each other.
    order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::rotate(order.begin() + position, order.begin() + position + 1,
                order.end());
    transposed = buildPermuted(rewriter, producer, order);
  } else {
    rewriter.setInsertionPoint(hoistOperand(rewriter, op, value));
    Value empty = tensor::EmptyOp::create(
        rewriter, loc,
        applyPermutation(tensor::getMixedSizes(rewriter, loc, value), order),
        getElementTypeOrSelf(value));
    transposed = linalg::TransposeOp::create(rewriter, loc, value, empty, order)
                     ->getResult(0);
  }

  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs[strided->getOperandNumber()] = transposed;
  maps[strided->getOperandNumber()] = permuteResults(map, order);
  rewriter.setInsertionPoint(op);
  auto result =
      linalg::GenericOp::create(rewriter, loc, op->getResultTypes(), inputs,
                                op.getDpsInits(), maps, iterators);
  rewriter.cloneRegionBefore(op->getRegion(0), result.getRegion(),
                             result.getRegion().end());
  rewriter.replaceOp(op, result);
  if (producer)
    rewriter.eraseOp(producer);
  return success();
}

namespace {
struct TransposeTiles : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  TransposeTiles(MLIRContext *context, int64_t minLanes)
      : OpInterfaceRewritePattern(context, /*benefit=*/2), minLanes(minLanes) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    return transposeTiles(rewriter, op, minLanes);
  }

  int64_t minLanes;
};

struct TransposeStridedOperand
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  TransposeStridedOperand(MLIRContext *context, int64_t minRows)
      : OpInterfaceRewritePattern(context), minRows(minRows) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    return transposeStridedOperand(rewriter, op, minRows);
  }

  int64_t minRows;
};
} // namespace

void mlir::linalg_ext::populateTransposeTilesPatterns(
    RewritePatternSet &patterns, int64_t minLanes) {
  patterns.add<TransposeTiles>(patterns.getContext(), minLanes);
  patterns.add<TransposeStridedOperand>(patterns.getContext(), 2 * minLanes);
}
