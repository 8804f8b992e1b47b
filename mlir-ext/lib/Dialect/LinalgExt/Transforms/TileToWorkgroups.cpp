//===- TileToWorkgroups.cpp - Every structured op in a workgroup ----------===//
//
// What tile-and-fuse has no root for (plain products, norms, reductions,
// elementwise ops) is tiled here, so that a GPU has a kernel for every op. From
// the last op backwards, each op that is in no workgroup yet is a root, and
// takes along the producers that nobody else uses and that are computed once:
//   - elementwise ops and fills;
//   - one contraction, of which the root is an epilogue, or several that read
//     an operand together (SwiGLU), which are summed in one loop;
//   - reductions of rows that fit into one tile.
// The workgroups are tiles of the root's parallel dimensions; a contraction,
// and a row that is too long, is reduced in a loop within each.
//
//===----------------------------------------------------------------------===//

#include "CreatedOps.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTTILETOWORKGROUPSPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

SmallVector<Attribute>
mlir::linalg_ext::getWorkgroupMapping(MLIRContext *context, unsigned numLoops) {
  constexpr unsigned kNumLinearDims = 10;
  SmallVector<Attribute> mapping;
  if (numLoops > kNumLinearDims)
    return mapping;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        context, static_cast<gpu::MappingId>(
                     static_cast<unsigned>(gpu::MappingId::LinearDim0) +
                     (numLoops - 1 - loop))));
  return mapping;
}

/// What a workgroup sums at a time, and the columns that each has at least.
static constexpr size_t kMaxContractions = 4;
static constexpr int64_t kMinColumns = 16;

namespace {
/// A root and the producers that are computed in its workgroups.
struct Group {
  Group(LinalgOp root, const TileToWorkgroupsOptions &options);

  bool contains(Operation *op) const { return loops.contains(op); }
  /// Takes `op` along if it may be.
  bool accept(LinalgOp op);
  /// The rows of a workgroup that reduces them.
  int64_t getNumRows();
  /// The tile of each of the root's loops; 0 where it is whole.
  SmallVector<int64_t> getTileSizes();

  LinalgOp root;
  /// Those of one iteration space, the one that sizes are chosen by first.
  SmallVector<LinalgOp, 1> contractions;
  bool hasReduction = false;
  /// There are rows that are computed piece by piece.
  bool isLong = false;
  /// If they are: the most that they have, if that is known; 0 otherwise.
  int64_t shortRow = 0;
  /// Chunks that the sums of contractions are split into; none if it is null.
  OpFoldResult chunk;
  TileToWorkgroupsOptions options;
  /// For each loop of an op the loop of the root that it is; -1 if it is none.
  llvm::MapVector<Operation *, SmallVector<int64_t>> loops;
  /// The loops of the root that may be cut.
  llvm::SmallBitVector cut;
};
} // namespace

static bool isContraction(LinalgOp op) {
  return linalg::isaContractionOpInterface(op);
}

static bool isFill(LinalgOp op) {
  return llvm::none_of(
             op.getDpsInputs(),
             [](Value input) { return isa<ShapedType>(input.getType()); }) &&
         op.getNumReductionLoops() == 0;
}

/// Whether `op` has no iteration, as its type says: upstream (22.1.8) takes a
/// size of zero for no tile.
static bool isEmpty(LinalgOp op) {
  return llvm::is_contained(op.getStaticLoopRanges(), 0);
}

/// Whether what `op` reduces fits into one tile.
static bool reducesWholeRows(LinalgOp op, int64_t maxRow) {
  int64_t size = 1;
  for (auto [range, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return false;
    size *= range;
  }
  return size <= maxRow;
}

Group::Group(LinalgOp root, const TileToWorkgroupsOptions &options)
    : root(root), options(options), cut(root.getNumLoops()) {
  SmallVector<int64_t> &own = loops[root];
  for (auto [loop, iterator] : llvm::enumerate(root.getIteratorTypesArray())) {
    own.push_back(loop);
    cut[loop] = iterator == utils::IteratorType::parallel;
  }
  if (isContraction(root))
    contractions.push_back(root);
  hasReduction = root.getNumReductionLoops() > 0;
}

/// Whether `op`, elementwise, needs what is reduced of a row.
static bool followsReduction(LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    auto producer = input.getDefiningOp<LinalgOp>();
    if (!producer || isContraction(producer))
      return false;
    return producer.getNumReductionLoops() > 0 || followsReduction(producer);
  });
}

/// Whether `op`, elementwise, can be computed where a contraction is.
static bool followsContraction(LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    auto producer = input.getDefiningOp<LinalgOp>();
    return producer && (isContraction(producer) ||
                        (producer.getNumReductionLoops() == 0 &&
                         followsContraction(producer)));
  });
}

/// Whether `a` and `b`, contractions whose loops are `loopsOfA` and `loopsOfB`
/// of a root, or -1, read an operand alike.
static bool shareOperand(LinalgOp a, ArrayRef<int64_t> loopsOfA, LinalgOp b,
                         ArrayRef<int64_t> loopsOfB) {
  auto getRead = [](LinalgOp op, OpOperand *operand, ArrayRef<int64_t> loops) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(operand).getResults(), [&](AffineExpr expr) {
          return loops[cast<AffineDimExpr>(expr).getPosition()];
        });
  };
  return llvm::any_of(a.getDpsInputOperands(), [&](OpOperand *first) {
    return llvm::any_of(b.getDpsInputOperands(), [&](OpOperand *second) {
      return first->get() == second->get() &&
             getRead(a, first, loopsOfA) == getRead(b, second, loopsOfB);
    });
  });
}

bool Group::accept(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getBlock() != root->getBlock() ||
      contains(op) || isEmpty(op))
    return false;
  // 1. Which of its loops are which of the root's.
  SmallVector<int64_t> mapping(op.getNumLoops(), -1);
  bool isSeen = false;
  for (OpOperand &use : op->getUses()) {
    auto user = dyn_cast<LinalgOp>(use.getOwner());
    if (!user || !contains(user)) {
      if (isFill(op))
        continue;
      return false;
    }
    AffineMap produced =
        op.getIndexingMapMatchingResult(cast<OpResult>(use.get()));
    AffineMap used = user.getMatchingIndexingMap(&use);
    if (!produced.isProjectedPermutation() || !used.isProjectedPermutation())
      return false;
    SmallVector<int64_t> here(op.getNumLoops(), -1);
    for (auto [to, from] :
         llvm::zip_equal(produced.getResults(), used.getResults()))
      here[cast<AffineDimExpr>(to).getPosition()] =
          loops[user][cast<AffineDimExpr>(from).getPosition()];
    // Loops that are not cut are whole, whichever they are.
    for (int64_t &loop : here)
      if (loop >= 0 && !cut.test(loop))
        loop = -1;
    if (isSeen && here != mapping && !isFill(op))
      return false;
    mapping = here;
    isSeen = true;
  }
  if (!isSeen)
    return false;

  // 2. A reduction leaves loops whole that it does not have.
  if (op.getNumReductionLoops() > 0) {
    llvm::SmallBitVector left(cut.size());
    for (int64_t loop : mapping)
      if (loop >= 0 && cut.test(loop))
        left.set(loop);
    bool isProduct = isContraction(op);
    if (isProduct && left != cut)
      return false;
    if (isProduct && contractions.empty() && hasReduction)
      return false;
    // Both are in front of the root, and neither of the other.
    if (isProduct && !contractions.empty()) {
      LinalgOp first = contractions.front();
      if (first == root || contractions.size() == kMaxContractions ||
          !shareOperand(first, loops.find(first)->second, op, mapping))
        return false;
    }
    if (!isProduct) {
      if (!contractions.empty() || left.none())
        return false;
      bool isWhole = reducesWholeRows(op, options.maxRow) &&
                     reducesWholeRows(root, options.maxRow);
      int64_t whole = 1;
      for (auto [loop, range] : llvm::enumerate(root.getStaticLoopRanges())) {
        if (!cut.test(loop) || left.test(loop))
          continue;
        isWhole &= !ShapedType::isDynamic(range);
        whole *= isWhole ? range : 1;
      }
      isWhole &= whole <= options.maxRow;
      if (!isWhole && !options.fuseLongRows)
        return false;
      isLong |= !isWhole;
    }
    if (isProduct)
      contractions.push_back(op);
    hasReduction = true;
    cut = left;
  } else if (!contractions.empty() &&
             (followsReduction(op) || followsContraction(op)) &&
             llvm::any_of(cut.set_bits(), [&](unsigned loop) {
               return !llvm::is_contained(mapping, loop);
             })) {
    // 3. An operand of a contraction that is behind another one, or reads a
    // row that is reduced, is computed there, once.
    return false;
  }
  loops[op] = mapping;
  return true;
}

int64_t Group::getNumRows() {
  if (options.rowElements == 0)
    return options.rows;
  // Those that run at a time have to fit into a cache if they are read again.
  if (isLong)
    return shortRow == 0 ? 1
                         : std::clamp<int64_t>(options.rowElements / shortRow,
                                               1, options.rows);
  // Of the longest row; of one of unknown length, a piece.
  int64_t longest = 1;
  for (auto &[op, mapping] : loops) {
    auto linalgOp = cast<LinalgOp>(op);
    int64_t size = 1;
    for (auto [range, loop] :
         llvm::zip_equal(linalgOp.getStaticLoopRanges(), mapping))
      if (loop < 0 || !cut.test(loop))
        size *= ShapedType::isDynamic(range) ? options.rowTile : range;
    longest = std::max(longest, size);
  }
  return std::clamp<int64_t>(
      llvm::bit_floor<uint64_t>(options.rowElements / longest), 1,
      options.rows);
}

/// Whether `op`, a contraction, is of elements of at most 16 bits.
static bool isNarrow(LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), [](Value input) {
    Type type = getElementTypeOrSelf(input.getType());
    return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 16;
  });
}

/// The rows and columns of the tiles of `contraction`, whose dimensions are
/// `dims`.
static std::pair<int64_t, int64_t>
getProductTile(LinalgOp contraction, const linalg::ContractionDimensions &dims,
               const TileToWorkgroupsOptions &options) {
  if (!isNarrow(contraction) || options.narrowRows == 0 ||
      options.narrowColumns == 0)
    return {options.rows, options.columns};
  int64_t rows = options.narrowRows, columns = options.narrowColumns;
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  auto getSize = [&](ArrayRef<unsigned> dims) {
    int64_t size = 1;
    for (unsigned dim : dims)
      size = ShapedType::isDynamic(size) || ShapedType::isDynamic(ranges[dim])
                 ? ShapedType::kDynamic
                 : size * ranges[dim];
    return size;
  };
  int64_t m = getSize(dims.m), n = getSize(dims.n), batch = getSize(dims.batch);
  auto isTooFew = [&] {
    return !ShapedType::isDynamic(m) && !ShapedType::isDynamic(n) &&
           !ShapedType::isDynamic(batch) &&
           llvm::divideCeilSigned(m, rows) *
                   llvm::divideCeilSigned(n, columns) * batch <
               options.workgroups;
  };
  // A tile of more rows than there are shares nothing.
  while (rows > 16 && !ShapedType::isDynamic(m) && rows >= 2 * m)
    rows /= 2;
  while (isTooFew() && (rows > 32 || columns > 32)) {
    int64_t &larger = columns >= rows ? columns : rows;
    larger /= 2;
  }
  return {rows, columns};
}

SmallVector<int64_t> Group::getTileSizes() {
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  SmallVector<int64_t> tiles(ranges.size(), 0);
  for (unsigned loop : cut.set_bits())
    tiles[loop] = 1;
  // The innermost loop of `candidates` that has more than one iteration.
  auto setInnermost = [&](ArrayRef<int64_t> candidates, int64_t tile) {
    for (int64_t loop : llvm::reverse(candidates)) {
      if (loop < 0 || !cut.test(loop) || ranges[loop] == 1 || tiles[loop] > 1)
        continue;
      tiles[loop] = ShapedType::isDynamic(ranges[loop])
                        ? tile
                        : std::clamp<int64_t>(ranges[loop], 1, tile);
      return;
    }
  };
  SmallVector<int64_t> all;
  for (unsigned loop : cut.set_bits())
    all.push_back(loop);
  if (!contractions.empty()) {
    LinalgOp contraction = contractions.front();
    linalg::ContractionDimensions dims =
        *linalg::inferContractionDims(contraction);
    const SmallVector<int64_t> &names = loops.find(contraction)->second;
    auto getLoops = [&](ArrayRef<unsigned> dims) {
      SmallVector<int64_t> result;
      for (unsigned dim : dims)
        result.push_back(names[dim]);
      return result;
    };
    auto [rows, columns] = getProductTile(contraction, dims, options);
    // The sums of all are held at a time.
    columns = std::max<int64_t>(
        columns / llvm::PowerOf2Ceil(contractions.size()),
        std::min<int64_t>(columns, kMinColumns));
    setInnermost(getLoops(dims.m), rows);
    setInnermost(getLoops(dims.n), columns);
  } else if (hasReduction) {
    setInnermost(all, getNumRows());
  } else {
    setInnermost(all, options.columns);
    setInnermost(all, options.rows);
  }
  // Loops of one iteration are none, if another one is left.
  unsigned numLeft = cut.count();
  for (unsigned loop : cut.set_bits())
    if (ranges[loop] == 1 && numLeft > 1) {
      tiles[loop] = 0;
      --numLeft;
    }
  return tiles;
}

/// The most that each loop of `op` may run: as its type says, or as the sizes
/// of its operands, which are tiles, are bounded. Dynamic if that is unknown.
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
          /*stopCondition=*/nullptr, /*closedUB=*/true);
      if (succeeded(bound))
        bounds[dim.getPosition()] = *bound;
    }
  return bounds;
}

/// Replaces `loop` by its body, for the first iteration: the only one, or one
/// of an empty tile.
static void inlineOnlyIteration(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<Value> arguments{loop.getLowerBound()};
  llvm::append_range(arguments, loop.getInitArgs());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), loop, arguments);
  rewriter.replaceOp(loop, yield.getOperands());
  rewriter.eraseOp(yield);
}

/// Sums `op`, a contraction in a workgroup, in chunks of `chunk` elements that
/// are merged.
static LogicalResult splitSum(RewriterBase &rewriter, LinalgOp op,
                              OpFoldResult chunk,
                              const TileToWorkgroupsOptions &options) {
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
  fuse.levels = {getLevel(LoopKind::Split, chunk),
                 getLevel(LoopKind::For, rewriter.getIndexAttr(reduction))};
  std::string reason;
  FailureOr<FusionPlan> plan = planTileAndFuse(op, fuse, reason);
  if (succeeded(plan) && succeeded(applyFusionPlan(rewriter, *plan, reason)))
    return success();
  op.emitRemark() << "not summed in chunks: " << reason;
  return failure();
}

/// Reduces `op`, in a workgroup, in a loop if it is long; with `isLong` its
/// parallel loops may be long as well. There is no loop, but a bound, if a
/// piece is known to be all (`isOnePiece`). The sums of a contraction are
/// split into chunks of `chunk`, if there is one.
static LogicalResult tileReduction(RewriterBase &rewriter, LinalgOp op,
                                   const TileToWorkgroupsOptions &options,
                                   bool isLong = false, bool isOnePiece = false,
                                   OpFoldResult chunk = {}) {
  bool isProduct = isContraction(op);
  if (!isProduct && !isLong && reducesWholeRows(op, options.maxRow))
    return success();
  if (isProduct && chunk && succeeded(splitSum(rewriter, op, chunk, options)))
    return success();
  SmallVector<OpFoldResult> tiles(op.getNumLoops(), rewriter.getIndexAttr(0));
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // What a loop around has cut is a tile as it is: cut again, it would have to
  // be kept in memory.
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
  bool isInnermost = true, isAny = false;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    isInnermost &= isLong || !(isReduced(loop) && isTile(loop));
  for (int64_t loop = op.getNumLoops() - 1; loop >= 0; --loop) {
    if (!isReduced(loop) || isTile(loop))
      continue;
    int64_t tile = !isInnermost ? 1
                   : isProduct  ? reduction
                                : std::min(options.rowTile, options.maxRow);
    isInnermost = false;
    if (!ShapedType::isDynamic(ranges[loop]) && ranges[loop] <= tile)
      continue;
    tiles[loop] = rewriter.getIndexAttr(tile);
    isAny = true;
  }
  if (!isAny)
    return success();
  scf::SCFTileAndFuseOptions fuse;
  fuse.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForOp)
      .setTileSizes(tiles);
  // What the loop accumulates on is computed in front of it.
  fuse.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer, bool isDestination)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        auto linalgOp = dyn_cast<LinalgOp>(producer.getOwner());
        bool accumulates = isDestination && op.getNumReductionLoops() > 0;
        if (accumulates || !linalgOp || linalgOp.getNumReductionLoops() > 0)
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(op.getOperation()), fuse);
  if (failed(result))
    return failure();
  SmallVector<Value> values;
  for (Value value : op->getResults())
    values.push_back(result->replacements[value]);
  rewriter.replaceOp(op, values);
  // Where other dimensions are cut, too, it is not the row that is a piece.
  if (isOnePiece && result->loops.size() == 1)
    if (auto loop = cast<scf::ForOp>(result->loops.front());
        getConstantIntValue(loop.getStep()) == options.rowTile)
      inlineOnlyIteration(rewriter, loop);
  return success();
}

/// Whether the size of what `op` reduces has no constant bound.
static bool reducesUnbounded(LinalgOp op) {
  return op.hasPureTensorSemantics() &&
         llvm::any_of(
             llvm::zip_equal(getLoopBounds(op), op.getIteratorTypesArray()),
             [](auto loop) {
               auto [bound, iterator] = loop;
               return ShapedType::isDynamic(bound) &&
                      iterator == utils::IteratorType::reduction;
             });
}

/// Whether `producer`, of an operand of an op in `block`, can be computed in
/// the workgroup of that op: it has no parallel dimension either, nobody else
/// needs it, and it starts from nothing but fills.
static bool goesAlong(LinalgOp producer, Block *block) {
  return producer && producer->getBlock() == block &&
         producer.hasPureTensorSemantics() && producer->hasOneUse() &&
         producer.getNumParallelLoops() == 0 && !isEmpty(producer) &&
         llvm::all_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
           return cast<ShapedType>(init.get().getType()).hasStaticShape() &&
                  (init.get().getDefiningOp<linalg::FillOp>() ||
                   !producer.payloadUsesValueFromOperand(&init));
         });
}

/// Copies `op`, which has no parallel dimension and writes to `outputs`, to
/// where `rewriter` is, with fills that it starts from and producers that go
/// along. Appends what is copied to `copies`.
static void copyWithProducers(RewriterBase &rewriter, LinalgOp op,
                              ValueRange outputs,
                              SmallVectorImpl<LinalgOp> &copies) {
  Location loc = op.getLoc();
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<LinalgOp>();
    if (!goesAlong(producer, op->getBlock()))
      continue;
    SmallVector<Value> places;
    for (Value init : producer.getDpsInits())
      places.push_back(tensor::EmptyOp::create(
          rewriter, loc, cast<ShapedType>(init.getType()).getShape(),
          getElementTypeOrSelf(init)));
    copyWithProducers(rewriter, producer, places, copies);
    unsigned number = cast<OpResult>(input->get()).getResultNumber();
    mapping.map(input->get(), copies.back()->getResult(number));
  }
  SmallVector<Value> inits;
  for (auto [init, output] : llvm::zip_equal(op.getDpsInits(), outputs)) {
    inits.push_back(output);
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      inits.back() = linalg::FillOp::create(rewriter, loc, fill.value(), output)
                         .getResult(0);
  }
  auto copy = cast<LinalgOp>(rewriter.clone(*op, mapping));
  rewriter.modifyOpInPlace(copy,
                           [&] { copy.getDpsInitsMutable().assign(inits); });
  copies.push_back(copy);
}

/// Puts `root`, which has no parallel dimension, into one workgroup, and what
/// is there for it only with it.
static void putIntoOneWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                const TileToWorkgroupsOptions &options) {
  Location loc = root.getLoc();
  rewriter.setInsertionPoint(root);
  SmallVector<Value> outputs;
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (Value output : root.getDpsInits()) {
    sizes.push_back(tensor::getMixedSizes(rewriter, loc, output));
    auto fill = output.getDefiningOp<linalg::FillOp>();
    outputs.push_back(fill ? fill.getDpsInits().front() : output);
  }
  auto forall = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)}, outputs,
      rewriter.getArrayAttr(getWorkgroupMapping(rewriter.getContext(), 1)));
  rewriter.setInsertionPointToStart(forall.getBody());
  SmallVector<LinalgOp> copies;
  copyWithProducers(rewriter, root, forall.getRegionIterArgs(), copies);
  LinalgOp inner = copies.back();
  rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [result, arg, sizes] : llvm::zip_equal(
           inner->getResults(), forall.getRegionIterArgs(), sizes)) {
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0)),
        strides(sizes.size(), rewriter.getIndexAttr(1));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result, arg, offsets,
                                          sizes, strides);
  }
  rewriter.replaceOp(root, forall.getResults());
  for (LinalgOp op : copies)
    if (op.getNumReductionLoops() > 0 &&
        failed(tileReduction(rewriter, op, options)))
      op.emitRemark() << "reduced at once: it cannot be tiled";
}

/// The size of `loop` of `op`, built in front of it.
static Value getLoopSize(RewriterBase &rewriter, LinalgOp op, unsigned loop) {
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  return getValueOrCreateConstantIndexOp(rewriter, op.getLoc(),
                                         domain[loop].size);
}

namespace {
/// A way to tile a group, for at most `most` iterations of a loop.
struct Version {
  int64_t most = 0;
  TileToWorkgroupsOptions options;
  int64_t shortRow = 0;
  bool splitsSums = false;
};

/// Ways to tile a group, ascending, beside the one for everything else, by
/// the size of a loop of the root.
struct Versions {
  int64_t loop = -1;
  SmallVector<Version> versions;
};
} // namespace

/// By the length of rows, if they are long, of one loop, and of dynamic size.
static Versions getVersionsByRow(const Group &group) {
  Versions result;
  if (!group.isLong)
    return result;
  LinalgOp root = group.root;
  for (auto [loop, range] : llvm::enumerate(root.getStaticLoopRanges())) {
    if (group.cut.test(loop) || range == 1)
      continue;
    if (result.loop >= 0 || !ShapedType::isDynamic(range))
      return {};
    result.loop = loop;
  }
  for (int64_t row : group.options.shortRows) {
    Version &version = result.versions.emplace_back();
    version.most = version.shortRow = row;
    version.options = group.options;
    version.options.rowTile = row;
    version.options.maxRow = std::max(version.options.maxRow, row);
  }
  return result;
}

/// By the number of rows of a contraction: few wait for the columns' operand to
/// be read, by all workgroups that it takes, each of which sums a part.
static Versions getVersionsByRows(const Group &group) {
  if (group.contractions.empty() || group.options.fewRows.empty())
    return {};
  LinalgOp product = group.contractions.front();
  if (!isNarrow(product))
    return {};
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(product);
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  llvm::erase_if(dims.m, [&](unsigned dim) { return ranges[dim] == 1; });
  if (dims.m.size() > 1 || dims.n.empty() || dims.k.size() != 1)
    return {};
  int64_t rows = dims.m.empty() ? 1 : ranges[dims.m.front()];
  Versions result;
  if (!dims.m.empty())
    result.loop = group.loops.find(product)->second[dims.m.front()];
  for (int64_t most : group.options.fewRows) {
    if (!ShapedType::isDynamic(rows) && most < rows)
      continue;
    Version &version = result.versions.emplace_back();
    version.most = most;
    version.options = group.options;
    version.options.narrowRows = most;
    // With longer sums an iteration each thread copies some of the rows, too,
    // and waits half as often.
    version.options.narrowReduction *= 2;
    version.options.workgroups = 1;
    version.splitsSums = true;
    if (!ShapedType::isDynamic(rows))
      break;
  }
  return result;
}

/// Multiplies the iterations of `forall` by `times`, computed in front of it.
static void multiplyIterations(RewriterBase &rewriter, scf::ForallOp forall,
                               Value times) {
  rewriter.setInsertionPoint(forall);
  SmallVector<OpFoldResult> bounds = forall.getMixedUpperBound();
  Value bound =
      getValueOrCreateConstantIndexOp(rewriter, forall.getLoc(), bounds[0]);
  bounds[0] = arith::MulIOp::create(rewriter, forall.getLoc(), bound, times)
                  .getResult();
  SmallVector<Value> dynamicBounds;
  SmallVector<int64_t> staticBounds;
  dispatchIndexOpFoldResults(bounds, dynamicBounds, staticBounds);
  rewriter.modifyOpInPlace(forall, [&] {
    forall.getDynamicUpperBoundMutable().assign(dynamicBounds);
    forall.setStaticUpperBound(staticBounds);
  });
}

/// As many workgroups as wait for memory at a time: two on each processor.
static constexpr int64_t kFewRowsWorkgroups = 264;

/// The chunks of the sums of the contraction of `group`, computed in front of
/// the root: as many as there may be for all workgroups to run at a time; null
/// where one chunk is known to be all.
static OpFoldResult getChunk(RewriterBase &rewriter, Group &group) {
  SmallVector<unsigned> sums;
  LinalgOp contraction = group.contractions.front();
  contraction.getReductionDims(sums);
  if (sums.size() != 1)
    return {};
  Value sum = getLoopSize(rewriter, contraction, sums.front());
  rewriter.setInsertionPoint(group.root);
  SmallVector<Range> domain = cast<TilingInterface>(group.root.getOperation())
                                  .getIterationDomain(rewriter);
  ImplicitLocOpBuilder b(group.root.getLoc(), rewriter);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto ceilDiv = [&](Value value, Value by) -> Value {
    Value less = b.createOrFold<arith::SubIOp>(by, constant(1));
    return b.createOrFold<arith::DivUIOp>(
        b.createOrFold<arith::AddIOp>(value, less), by);
  };
  Value tiles = constant(1);
  for (auto [range, tile] : llvm::zip_equal(domain, group.getTileSizes()))
    if (tile != 0)
      tiles = b.createOrFold<arith::MulIOp>(
          tiles,
          ceilDiv(getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size),
                  constant(tile)));
  Value wanted = b.createOrFold<arith::MaxUIOp>(
      b.createOrFold<arith::DivUIOp>(
          constant(kFewRowsWorkgroups),
          b.createOrFold<arith::MaxUIOp>(tiles, constant(1))),
      constant(1));
  Value unit =
      constant(group.options.narrowReduction > 0 ? group.options.narrowReduction
                                                 : group.options.reduction);
  Value chunk =
      b.createOrFold<arith::MulIOp>(ceilDiv(ceilDiv(sum, wanted), unit), unit);
  chunk =
      b.createOrFold<arith::MaxUIOp>(chunk, constant(group.options.minSplit));
  std::optional<int64_t> known = getConstantIntValue(chunk),
                         all = getConstantIntValue(sum);
  if (all && *all <= known.value_or(group.options.minSplit))
    return {};
  return getAsOpFoldResult(chunk);
}

/// Makes one loop of neighbouring loops in `block` that run alike and of which
/// neither needs the other's result.
static void fuseSiblingLoops(RewriterBase &rewriter, Block *block) {
  auto first = block->getOps<scf::ForOp>();
  if (first.empty())
    return;
  scf::ForOp target = *first.begin();
  SmallVector<scf::ForOp> others(std::next(first.begin()), first.end());
  for (scf::ForOp source : others) {
    bool runsAlike =
        isEqualConstantIntOrValue(target.getLowerBound(),
                                  source.getLowerBound()) &&
        isEqualConstantIntOrValue(target.getUpperBound(),
                                  source.getUpperBound()) &&
        isEqualConstantIntOrValue(target.getStep(), source.getStep());
    if (!runsAlike ||
        failed(moveOperationDependencies(rewriter, source, target)))
      continue;
    rewriter.moveOpAfter(source, target);
    target = fuseIndependentSiblingForLoops(target, source, rewriter);
  }
}

/// Tiles `op`, the root of `group` or a copy of it, and what the group has with
/// it, into a loop over workgroups, which is returned. Fails if upstream does.
static FailureOr<scf::ForallOp> tileGroup(RewriterBase &rewriter, Group &group,
                                          LinalgOp op) {
  const TileToWorkgroupsOptions &options = group.options;
  // 1. The workgroups.
  SmallVector<int64_t> sizes = group.getTileSizes();
  SmallVector<OpFoldResult> tiles =
      getAsIndexOpFoldResult(rewriter.getContext(), sizes);
  scf::SCFTileAndFuseOptions fuse;
  unsigned numLoops = llvm::count_if(sizes, [](int64_t s) { return s != 0; });
  fuse.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp)
      .setTileSizes(tiles)
      .setMapping(getWorkgroupMapping(rewriter.getContext(), numLoops));
  fuse.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!group.contains(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(op.getOperation()), fuse);
  if (failed(result))
    return failure();
  auto forall = cast<scf::ForallOp>(result->loops.front());
  SmallVector<Value> values;
  for (Value value : op->getResults())
    values.push_back(result->replacements[value]);
  rewriter.replaceOp(op, values);
  for (Operation *producer : result->fusedProducers)
    if (isOpTriviallyDead(producer))
      rewriter.eraseOp(producer);

  // 2. Loops within them.
  if (!group.isLong) {
    for (Operation *op : result->tiledAndFusedOps)
      if (auto tiled = dyn_cast<LinalgOp>(op);
          tiled && tiled.getNumReductionLoops() > 0)
        if (failed(tileReduction(rewriter, tiled, options, /*isLong=*/false,
                                 /*isOnePiece=*/false, group.chunk)))
          tiled.emitRemark() << "reduced at once: it cannot be tiled";
    if (group.contractions.size() > 1)
      fuseSiblingLoops(rewriter, forall.getBody());
    return forall;
  }
  // From the last one: what is fused into the loops behind may have no use
  // then.
  SmallVector<LinalgOp> ops;
  for (Operation *op : result->tiledAndFusedOps)
    if (auto tiled = dyn_cast<LinalgOp>(op))
      ops.push_back(tiled);
  llvm::sort(ops, [](LinalgOp a, LinalgOp b) { return b->isBeforeInBlock(a); });
  for (LinalgOp tiled : ops) {
    // Nobody else asks for its sizes, or for parts that were tiled again.
    auto dps = cast<DestinationStyleOpInterface>(tiled.getOperation());
    for (OpResult value : tiled->getResults())
      for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
        if (auto dim = dyn_cast<tensor::DimOp>(user))
          rewriter.modifyOpInPlace(dim, [&] {
            dim.getSourceMutable().assign(dps.getTiedOpOperand(value)->get());
          });
        else if (isa<tensor::ExtractSliceOp>(user) && user->use_empty())
          rewriter.eraseOp(user);
      }
    if (isOpTriviallyDead(tiled))
      rewriter.eraseOp(tiled);
    else if (failed(tileReduction(rewriter, tiled, options, /*isLong=*/true,
                                  /*isOnePiece=*/group.shortRow > 0)))
      tiled.emitRemark() << "computed at once: it cannot be tiled";
  }
  return forall;
}

static LogicalResult tileToWorkgroupImpl(RewriterBase &rewriter, LinalgOp root,
                                         const TileToWorkgroupsOptions &options,
                                         std::string &reason);

LogicalResult
mlir::linalg_ext::tileToWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                  const TileToWorkgroupsOptions &options,
                                  std::string &reason) {
  CreatedOps created(rewriter);
  LogicalResult result = tileToWorkgroupImpl(rewriter, root, options, reason);
  if (failed(result))
    created.eraseUnused();
  return result;
}

static LogicalResult tileToWorkgroupImpl(RewriterBase &rewriter, LinalgOp root,
                                         const TileToWorkgroupsOptions &options,
                                         std::string &reason) {
  if (isEmpty(root)) {
    reason = "no iteration";
    return failure();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  if (!root.hasPureTensorSemantics()) {
    reason = "expected tensors, got buffers";
    return failure();
  }
  // 1. What is computed with it.
  Group group(root, options);
  for (size_t i = 0; i < group.loops.size(); ++i) {
    // Nearest first: a producer's users are decided before it is.
    SmallVector<LinalgOp> producers;
    for (auto &[op, mapping] : group.loops)
      for (Value operand : op->getOperands())
        if (auto producer = operand.getDefiningOp<LinalgOp>())
          if (!group.contains(producer) &&
              !llvm::is_contained(producers, producer))
            producers.push_back(producer);
    llvm::sort(producers, [](LinalgOp a, LinalgOp b) {
      return a->getBlock() == b->getBlock() && b->isBeforeInBlock(a);
    });
    if (llvm::none_of(producers, [&](LinalgOp op) { return group.accept(op); }))
      break;
  }
  if (group.cut.none()) {
    putIntoOneWorkgroup(rewriter, root, options);
    return success();
  }

  // 2. Sizes that are known when the kernel is launched.
  Versions versions = getVersionsByRow(group);
  if (versions.versions.empty())
    versions = getVersionsByRows(group);
  if (!versions.versions.empty() &&
      (versions.loop < 0 ||
       !ShapedType::isDynamic(root.getStaticLoopRanges()[versions.loop]))) {
    group.options = versions.versions.front().options;
    if (versions.versions.front().splitsSums)
      group.chunk = getChunk(rewriter, group);
    versions.versions.clear();
  }
  Location loc = root.getLoc();
  rewriter.setInsertionPoint(root);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  // 1 if `value` is at least `bound`, 0 otherwise.
  auto isAtLeast = [&](Value value, Value bound) -> Value {
    Value quotient = arith::DivUIOp::create(rewriter, loc, value, bound);
    return arith::MinUIOp::create(rewriter, loc, quotient, one);
  };
  // Loops, and 1 or 0 where they have iterations or not.
  SmallVector<std::pair<scf::ForallOp, Value>> loops;
  // Tiles a copy of the root, for where `times` is 1.
  auto addLoop = [&](Value times) {
    rewriter.setInsertionPoint(root);
    auto copy = cast<LinalgOp>(rewriter.clone(*root));
    FailureOr<scf::ForallOp> forall = tileGroup(rewriter, group, copy);
    if (failed(forall)) {
      reason = "it cannot be tiled for some of its sizes";
      return failure();
    }
    loops.emplace_back(*forall, times);
    return success();
  };
  // If it is not known whether there is more than one chunk, tiles a copy for
  // where there is: with one, nothing need be merged. Makes `times` 0 there.
  auto addLoopOfChunks = [&](Value &times) -> LogicalResult {
    auto chunk = dyn_cast_if_present<Value>(group.chunk);
    if (!chunk)
      return success();
    SmallVector<unsigned> sums;
    LinalgOp contraction = group.contractions.front();
    contraction.getReductionDims(sums);
    Value sum = getLoopSize(rewriter, contraction, sums.front());
    rewriter.setInsertionPoint(root);
    Value isSplit =
        isAtLeast(sum, arith::AddIOp::create(rewriter, loc, chunk, one));
    Value split = arith::MulIOp::create(rewriter, loc, times, isSplit);
    if (failed(addLoop(split)))
      return failure();
    rewriter.setInsertionPoint(root);
    times = arith::SubIOp::create(rewriter, loc, times, split);
    group.chunk = {};
    return success();
  };
  Value size, rest = one;
  if (!versions.versions.empty())
    size = getLoopSize(rewriter, root, versions.loop);
  for (const Version &version : versions.versions) {
    rewriter.setInsertionPoint(root);
    Value isLarger = isAtLeast(
        size, arith::ConstantIndexOp::create(rewriter, loc, version.most + 1));
    Value times = arith::SubIOp::create(rewriter, loc, rest, isLarger);
    rest = isLarger;
    group.options = version.options;
    group.shortRow = version.shortRow;
    if (version.splitsSums)
      group.chunk = getChunk(rewriter, group);
    LogicalResult added = addLoopOfChunks(times);
    if (succeeded(added))
      added = addLoop(times);
    group.options = options;
    group.shortRow = 0;
    group.chunk = {};
    if (failed(added))
      return failure();
  }
  if (failed(addLoopOfChunks(rest)))
    return failure();

  // 3. The others, or all.
  FailureOr<scf::ForallOp> forall = tileGroup(rewriter, group, root);
  if (failed(forall)) {
    reason = "it cannot be tiled";
    return failure();
  }
  if (loops.empty())
    return success();
  // All but one have no iteration: their results are what they start from.
  loops.emplace_back(*forall, rest);
  for (auto [i, loop] : llvm::enumerate(loops)) {
    multiplyIterations(rewriter, loop.first, loop.second);
    if (i > 0)
      rewriter.modifyOpInPlace(loop.first, [&, i = i, loop = loop]() mutable {
        loop.first.getOutputsMutable().assign(loops[i - 1].first.getResults());
      });
  }
  return success();
}

namespace {
struct LinalgExtTileToWorkgroupsPass
    : public linalg_ext::impl::LinalgExtTileToWorkgroupsPassBase<
          LinalgExtTileToWorkgroupsPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // Chunks of sums are stored with an op of it.
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    TileToWorkgroupsOptions options;
    options.rows = rows;
    options.columns = columns;
    options.reduction = reduction;
    options.narrowRows = narrowRows;
    options.narrowColumns = narrowColumns;
    options.narrowReduction = narrowReduction;
    options.workgroups = workgroups;
    options.maxRow = maxRow;
    options.rowTile = rowTile;
    options.fuseLongRows = fuseLongRows;
    options.rowElements = rowElements;
    options.shortRows.assign(shortRows.begin(), shortRows.end());
    options.fewRows.assign(fewRows.begin(), fewRows.end());
    options.minSplit = minSplit;
    for (auto [name, sizes] : {std::pair("short-rows", &options.shortRows),
                               std::pair("few-rows", &options.fewRows)})
      if (!llvm::is_sorted(*sizes) ||
          llvm::any_of(*sizes, [](int64_t size) { return size < 1; })) {
        emitError(getOperation()->getLoc())
            << "expected '" << name << "' to be positive and ascending";
        return signalPassFailure();
      }
    if (options.minSplit < 1) {
      emitError(getOperation()->getLoc())
          << "expected 'min-split' to be positive, got " << options.minSplit;
      return signalPassFailure();
    }
    if (options.narrowRows < 0 || options.narrowColumns < 0 ||
        options.narrowReduction < 0) {
      emitError(getOperation()->getLoc())
          << "expected tile sizes of narrow elements not to be negative, got "
             "narrow-rows = "
          << options.narrowRows
          << ", narrow-columns = " << options.narrowColumns
          << ", narrow-reduction = " << options.narrowReduction;
      return signalPassFailure();
    }
    if (options.rows < 1 || options.columns < 1 || options.reduction < 1 ||
        options.maxRow < 1 || options.rowTile < 1) {
      emitError(getOperation()->getLoc())
          << "expected positive tile sizes, got rows = " << options.rows
          << ", columns = " << options.columns
          << ", reduction = " << options.reduction
          << ", max-row = " << options.maxRow
          << ", row-tile = " << options.rowTile;
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    // What is in workgroups already reduces nothing that has no bound.
    SmallVector<LinalgOp> unbounded;
    getOperation()->walk([&](LinalgOp op) {
      if (op->getParentOfType<scf::ForallOp>() && reducesUnbounded(op))
        unbounded.push_back(op);
    });
    for (LinalgOp op : unbounded)
      if (failed(tileReduction(rewriter, op, options)))
        op.emitRemark() << "reduced at once: it cannot be tiled";

    llvm::SmallPtrSet<Operation *, 8> refused;
    while (LinalgOp root = findLast(refused)) {
      std::string reason;
      Operation *op = root;
      if (failed(tileToWorkgroup(rewriter, root, options, reason))) {
        op->emitRemark() << "in no workgroup: " << reason;
        refused.insert(op);
      }
    }
  }

private:
  /// The last op in no workgroup that is used.
  LinalgOp findLast(const llvm::SmallPtrSetImpl<Operation *> &refused) {
    LinalgOp last;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<scf::ForallOp>(op))
        return WalkResult::skip();
      if (auto linalgOp = dyn_cast<LinalgOp>(op);
          linalgOp && !refused.contains(op) && !isOpTriviallyDead(op) &&
          linalgOp.hasPureTensorSemantics())
        last = linalgOp;
      return WalkResult::advance();
    });
    return last;
  }
};
} // namespace
