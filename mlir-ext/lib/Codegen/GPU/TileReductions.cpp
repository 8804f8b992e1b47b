//===- TileReductions.cpp - Reductions inside a workgroup -----------------===//
//
// Tiles the reductions of a workgroup so that their tiles fit into registers. A
// contraction becomes a loop of products, a long row a loop over pieces, and a
// long sum several chunks that are merged.
//
//===----------------------------------------------------------------------===//

#include "TileReductions.h"
#include "WorkgroupGroup.h"

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Fusion/Apply/PendingRoots.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Returns upper bounds of the loops of `op`: their static ranges, or the
/// bounds of the sizes of operands, which are tiles. Dynamic where no bound is
/// known.
static SmallVector<int64_t> getLoopBounds(LinalgOp op) {
  SmallVector<int64_t> bounds = op.getStaticLoopRanges();
  for (OpOperand &operand : op->getOpOperands())
    for (auto [position, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || !ShapedType::isDynamic(bounds[dim.getPosition()]))
        continue;
      FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB,
          ValueBoundsConstraintSet::Variable(operand.get(), position),
          /*stopCondition=*/nullptr, kClosedUpperBound);
      if (succeeded(bound))
        bounds[dim.getPosition()] = *bound;
    }
  return bounds;
}

/// Replaces `loop`, which runs at most one non-empty iteration, by its body.
static void inlineOnlyIteration(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<Value> arguments{loop.getLowerBound()};
  llvm::append_range(arguments, loop.getInitArgs());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), loop, arguments);
  rewriter.replaceOp(loop, yield.getOperands());
  rewriter.eraseOp(yield);
}

FailureOr<TileAndFuseResult>
mlir::linalg_ext::tileAndFuse(RewriterBase &rewriter, LinalgOp op,
                              TileAndFuseOptions options, Refusal &refusal) {
  options.fuseSiblings = false;
  FailureOr<FusionPlan> plan = planTileAndFuse(op, options, refusal);
  if (failed(plan))
    return failure();
  SmallVector<Operation *> fused;
  for (const PlannedProducer &producer : plan->levels.front().producers)
    if (producer.fused)
      fused.push_back(producer.op);
  PendingRoots originals(rewriter, fused);
  FailureOr<TileAndFuseResult> result =
      applyFusionPlan(rewriter, *plan, refusal);
  while (Operation *original = originals.next())
    if (isOpTriviallyDead(original))
      rewriter.eraseOp(original);
  return result;
}

/// Splits the sum of `op`, a contraction in a workgroup, into chunks of `chunk`
/// elements, which are merged.
static LogicalResult splitSum(RewriterBase &rewriter, LinalgOp op,
                              OpFoldResult chunk,
                              const TileToWorkgroupsOptions &options,
                              Refusal &refusal) {
  SmallVector<unsigned> sums;
  op.getReductionDims(sums);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto getLevel = [&](LoopKind kind, OpFoldResult size) {
    TilingLevel level;
    level.kind = kind;
    level.tileSizes.assign(ranges.size(), 0);
    std::optional<int64_t> constant = getConstantIntValue(size);
    level.tileSizes[sums.front()] = constant.value_or(ShapedType::kDynamic);
    if (!constant)
      level.dynamicSizes.push_back(cast<Value>(size));
    return level;
  };
  int64_t reduction =
      options.narrowReduction > 0 ? options.narrowReduction : options.reduction;
  TileAndFuseOptions fuse;
  fuse.yieldProducers = false;
  fuse.levels = {getLevel(LoopKind::Split, chunk),
                 getLevel(LoopKind::For, rewriter.getIndexAttr(reduction))};
  return tileAndFuse(rewriter, op, fuse, refusal);
}

/// Returns whether `op` accumulates a maximum or a minimum.
static bool accumulatesExtremum(Operation *op) {
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  FailureOr<Accumulation> accumulation =
      repairable ? repairable.getAccumulation()
                 : FailureOr<Accumulation>(failure());
  return succeeded(accumulation) && accumulation->kind != AccumulationKind::Sum;
}

/// Returns the tile sizes of the reduction loops of `op` in a workgroup, where
/// 0 does not tile. With `isLong`, its parallel loops may be long as well, and
/// are tiled, too. With `isRow`, a contraction is not treated as a matrix
/// product.
static SmallVector<int64_t>
getReductionTiles(LinalgOp op, const TileToWorkgroupsOptions &options,
                  bool isLong, bool isRow) {
  bool isProduct = !isRow && isContraction(op);
  SmallVector<int64_t> tiles(op.getNumLoops(), 0);
  if (!isProduct && !isLong && reducesWholeRows(op, options.maxRow))
    return tiles;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // An enclosing loop has already cut this dimension into tiles. If it were cut
  // again, the larger tile would have to be in memory.
  SmallVector<int64_t> bounds = getLoopBounds(op);
  auto isReduced = [&](int64_t loop) {
    return (isLong || op.getIteratorTypesArray()[loop] ==
                          utils::IteratorType::reduction) &&
           ranges[loop] != 1;
  };
  auto isTile = [&](int64_t loop) {
    return ShapedType::isDynamic(ranges[loop]) &&
           !ShapedType::isDynamic(bounds[loop]);
  };
  int64_t reduction = isProduct && isNarrow(op) && options.narrowReduction > 0
                          ? options.narrowReduction
                          : options.reduction;
  bool isInnermost = true;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    isInnermost &= isLong || !(isReduced(loop) && isTile(loop));
  for (int64_t loop = op.getNumLoops() - 1; loop >= 0; --loop) {
    if (!isReduced(loop) || isTile(loop))
      continue;
    int64_t tile = !isInnermost ? 1
                   : isProduct  ? reduction
                                : std::min(options.rowTile, options.maxRow);
    isInnermost = false;
    if (ShapedType::isDynamic(ranges[loop]) || ranges[loop] > tile)
      tiles[loop] = tile;
  }
  return tiles;
}

LogicalResult
mlir::linalg_ext::tileReduction(RewriterBase &rewriter, LinalgOp op,
                                const TileToWorkgroupsOptions &options,
                                Refusal &refusal, bool isLong, bool isOnePiece,
                                OpFoldResult chunk, bool isRow, int64_t parts) {
  if (chunk && isContraction(op)) {
    if (succeeded(splitSum(rewriter, op, chunk, options, refusal)))
      return success();
    if (!refusal.op)
      return failure();
    op.emitRemark() << "not summed in chunks: " << refusal.text;
  }
  TileAndFuseOptions fuse;
  fuse.yieldProducers = false;
  TilingLevel &level = fuse.levels.emplace_back();
  level.tileSizes = getReductionTiles(op, options, isLong, isRow);
  if (llvm::all_of(level.tileSizes, [](int64_t size) { return size == 0; }))
    return success();
  if (parts > 1 && !isRow && !isLong && isContraction(op)) {
    level.parts = parts;
    level.mapping = {gpu::GPUWarpMappingAttr::get(rewriter.getContext(),
                                                  gpu::MappingId::LinearDim0)};
  }
  fuse.mayFuse = [&](const PlannedProducer &producer) {
    // The sum of a long row is repaired as the maximum grows on which its terms
    // depend.
    if (producer.partial)
      return isLong && !isOnePiece && accumulatesExtremum(producer.op);
    auto linalgOp = dyn_cast<LinalgOp>(producer.op);
    return linalgOp ? linalgOp.getNumReductionLoops() == 0
                    : isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
                          producer.op);
  };
  FailureOr<TileAndFuseResult> result =
      tileAndFuse(rewriter, op, fuse, refusal);
  if (failed(result)) {
    if (!refusal.op)
      return failure();
    op.emitRemark() << "computed at once: " << refusal.text;
    return success();
  }
  // If other dimensions are cut as well, the loop is not one over pieces of the
  // row.
  if (isOnePiece && result->loops.size() == 1)
    if (auto loop = cast<scf::ForOp>(result->loops.front().getOperation());
        getConstantIntValue(loop.getStep()) == options.rowTile)
      inlineOnlyIteration(rewriter, loop);
  return success();
}

/// Returns whether the tiles of the operands of `op`, a contraction, are too
/// large for one step: for shared memory, or because the code has an
/// instruction for each product of a thread.
static bool isTooLarge(LinalgOp op, ArrayRef<int64_t> bounds,
                       const GPUTarget &target) {
  constexpr int64_t kProducts = 4096;
  uint64_t bytes = 0, products = 1;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !type.getElementType().isIntOrFloat())
      continue;
    uint64_t size = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        size =
            llvm::SaturatingMultiply<uint64_t>(size, bounds[dim.getPosition()]);
    bytes = llvm::SaturatingAdd(bytes, size);
  }
  for (int64_t bound : bounds)
    products = llvm::SaturatingMultiply<uint64_t>(products, bound);
  // The rest of the memory is for a second buffer, or for other tiles.
  return bytes > uint64_t(target.sharedBytes) / 4 * 3 ||
         (!isNarrow(op) && products > uint64_t(kProducts * kProductThreads));
}

/// Returns an upper bound of the number of rows of `op`. Dimensions without a
/// bound count as one row.
static uint64_t getNumRows(LinalgOp op, ArrayRef<int64_t> bounds) {
  uint64_t rows = 1;
  for (auto [bound, iterator] :
       llvm::zip_equal(bounds, op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel &&
        !ShapedType::isDynamic(bound))
      rows = llvm::SaturatingMultiply<uint64_t>(rows, bound);
  return std::max<uint64_t>(rows, 1);
}

/// Returns whether no other op of the block reads the tensors that `op`
/// reduces, or those from which they are computed. A norm, for example, reads
/// its tile again.
static bool readsAlone(LinalgOp op) {
  SmallVector<Operation *> readers{op};
  llvm::SmallPtrSet<Operation *, 8> known{op};
  for (unsigned i = 0; i < readers.size(); ++i)
    for (Value operand : readers[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || producer->getBlock() != op->getBlock() ||
          !isa<RankedTensorType>(operand.getType()) ||
          isa<tensor::EmptyOp, linalg::FillOp>(producer))
        continue;
      for (Operation *user : producer->getUsers())
        if (user->getBlock() == op->getBlock() && !known.contains(user) &&
            isa<LinalgOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
          return false;
      if (known.insert(producer).second)
        readers.push_back(producer);
    }
  return true;
}

bool mlir::linalg_ext::needsReductionLoop(
    LinalgOp op, const TileToWorkgroupsOptions &options) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0)
    return false;
  SmallVector<int64_t> bounds = getLoopBounds(op);
  uint64_t row = 1;
  for (auto [bound, iterator] :
       llvm::zip_equal(bounds, op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(bound))
      return true;
    row = llvm::SaturatingMultiply<uint64_t>(row, bound);
  }
  if (!isContraction(op))
    return llvm::SaturatingMultiply(row, getNumRows(op, bounds)) >
               static_cast<uint64_t>(options.maxRow) &&
           readsAlone(op);
  return !llvm::is_contained(bounds, ShapedType::kDynamic) &&
         isTooLarge(op, bounds, options.target);
}

TileToWorkgroupsOptions
mlir::linalg_ext::getOptionsForRows(LinalgOp op,
                                    TileToWorkgroupsOptions options) {
  uint64_t fits = options.maxRow / getNumRows(op, getLoopBounds(op));
  options.maxRow = llvm::bit_floor(std::max<uint64_t>(fits, 1));
  return options;
}
