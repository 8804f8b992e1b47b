//===- FuseRows.cpp - Loops over rows for a CPU ---------------------------===//
//
// See FuseRows.h. Without it, each reduction of a row that is larger than a
// cache reads it from memory again: a softmax of rows three times.
//
//   1. Plan tile-and-fuse of the root with a loop over its parallel dimensions.
//      A reduction among the producers excludes the loops that it lacks. Plan
//      again until no loop is excluded.
//   2. Count the bytes that the ops move on their own, and in one loop.
//   3. Choose how many rows an iteration has, and apply the plan.
//
// A row that does not fit into a cache is reduced online, in pieces, if the
// root is a reduction that depends on another one.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/FuseRows.h"

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Fusion/Plan/PlanForall.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// The size that is assumed for dynamic dimensions.
static constexpr int64_t kDynamicSize = 1024;

/// The loop pays if it saves at least 1 / kLeastSaving of the bytes that the
/// ops move.
static constexpr uint64_t kLeastSaving = 6;

static uint64_t countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return 0;
  uint64_t bytes = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  for (int64_t size : tensor.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(
        bytes, ShapedType::isDynamic(size) ? kDynamicSize : size);
  return bytes;
}

/// Returns the tensors that `op` reads: its inputs, the inits that it
/// accumulates in, and tensors that its payload extracts elements of.
static llvm::SmallSetVector<Value, 4> getReadTensors(LinalgOp op) {
  llvm::SmallSetVector<Value, 4> read;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    bool isInitialised =
        op.isDpsInput(&operand) || (op.payloadUsesValueFromOperand(&operand) &&
                                    !isFill(value.getDefiningOp()));
    if (isa<RankedTensorType>(value.getType()) && isInitialised)
      read.insert(value);
  }
  return read;
}

namespace {
/// A root, and the producers that are computed in the same loop over its rows.
class RowOps : private ForallGroup {
public:
  explicit RowOps(LinalgOp root)
      : ForallGroup(root, root.getIteratorTypesArray()), root(root) {}

  using ForallGroup::contains;
  LogicalResult grow(Refusal &refusal);
  /// Fails if one loop saves too little memory traffic.
  LogicalResult checkTraffic(Refusal &refusal) const;
  /// Returns the tile size of each loop of the root. Fails if a row is too
  /// long.
  FailureOr<SmallVector<int64_t>> getTileSizes(const CPUTarget &core,
                                               const CPUTileOptions &options,
                                               Refusal &refusal);

private:
  /// Adds a producer to the group if it belongs there. If `isFinal`, the loops
  /// that are cut are known, and only producers that have all of them belong
  /// there.
  bool accept(const PlannedProducer &producer, bool isFinal);
  /// Plans a loop over the dimensions in `cut`, and chooses the ops of the
  /// group.
  LogicalResult planRows(bool isFinal, Refusal &refusal);
  /// Returns the bytes of all rows that an iteration reads and writes if it has
  /// one element of each loop that is cut. Sets `isStrided` if the innermost
  /// dimension of some tensor with rows is cut, because the elements of a row
  /// are then far from each other.
  uint64_t countRowBytes(bool &isStrided) const;

  LinalgOp root;
  bool hasReduction = false;
};
} // namespace

bool RowOps::accept(const PlannedProducer &producer, bool isFinal) {
  auto op = dyn_cast<LinalgOp>(producer.op);
  if (!op || isMatrixProduct(op) || producer.severalTiles ||
      op->getBlock() != root->getBlock())
    return false;
  CutLoops cutLoops(producer, cut.size());
  if (cutLoops.isAmbiguous)
    return false;
  if (!isFill(op)) {
    // A value that several iterations need is computed once, before the loop.
    if (cutLoops.all.none() || (isFinal && cutLoops.all != cut))
      return false;
    // The loop can yield a result that other ops need, because each element is
    // computed once.
    if (op.getNumReductionLoops() > 0) {
      hasReduction = true;
      cut = cutLoops.all;
    }
  }
  loops[op] = std::move(cutLoops.mapping);
  return true;
}

LogicalResult RowOps::planRows(bool isFinal, Refusal &refusal) {
  clear();
  hasReduction = root.getNumReductionLoops() > 0;
  return plan(
      /*yieldProducers=*/true,
      [&](const PlannedProducer &producer) {
        return accept(producer, isFinal);
      },
      refusal);
}

LogicalResult RowOps::grow(Refusal &refusal) {
  planUntilStable([&] {
    (void)planRows(/*isFinal=*/false, refusal); // it is refused below, or again
  });
  if (cut.any() && failed(planRows(/*isFinal=*/true, refusal)))
    return failure();
  if (cut.none() || !hasReduction || loops.size() < 2)
    return refusal.set(RefusalKind::Intended, root,
                       "no reduction of rows is fused with another op");
  return success();
}

LogicalResult RowOps::checkTraffic(Refusal &refusal) const {
  uint64_t alone = 0, together = 0;
  llvm::SmallDenseSet<Value> seen;
  for (auto &[key, mapping] : loops) {
    auto op = cast<LinalgOp>(key);
    if (isFill(op))
      continue;
    for (Value value : getReadTensors(op)) {
      alone += countBytes(value.getType());
      Operation *source = value.getDefiningOp();
      if (!(source && contains(source)) && seen.insert(value).second)
        together += countBytes(value.getType());
    }
    for (Value result : op->getResults()) {
      alone += countBytes(result.getType());
      if (op == root || llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !contains(user);
          }))
        together += countBytes(result.getType());
    }
  }
  if (alone < together + alone / kLeastSaving)
    return refusal.set(
        RefusalKind::DoesNotPay, root,
        llvm::formatv(
            "one loop over rows would move {0} bytes, the ops move {1}",
            together, alone));
  return success();
}

uint64_t RowOps::countRowBytes(bool &isStrided) const {
  // Each op has its own tile, and so has each tensor that is computed
  // elsewhere.
  uint64_t bytes = 0;
  llvm::SmallDenseSet<Value> seen;
  auto add = [&](LinalgOp op, ArrayRef<int64_t> mapping, OpOperand &operand,
                 Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.getElementType().isIntOrFloat() ||
        !seen.insert(value).second)
      return;
    uint64_t size = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    bool hasCutDim = false, hasRow = false;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      int64_t ofRoot = loop ? mapping[loop.getPosition()] : -1;
      hasCutDim = isCut(ofRoot);
      if (hasCutDim)
        continue;
      hasRow |= type.getDimSize(dim) != 1;
      int64_t range = type.getDimSize(dim);
      size = llvm::SaturatingMultiply<uint64_t>(
          size, ShapedType::isDynamic(range) ? kDynamicSize : range);
    }
    bytes = llvm::SaturatingAdd(bytes, size);
    isStrided |= hasRow && hasCutDim;
  };
  for (auto &[key, mapping] : loops) {
    auto op = cast<LinalgOp>(key);
    for (OpOperand &operand : op->getOpOperands()) {
      if (op.isDpsInput(&operand))
        add(op, mapping, operand, operand.get());
      else
        add(op, mapping, operand, op.getTiedOpResult(&operand));
    }
  }
  return std::max<uint64_t>(bytes, 1);
}

/// Fuses `root`, a reduction whose rows do not fit into a cache, with a
/// reduction of the same rows that it depends on: one loop over pieces of a row
/// carries both.
static LogicalResult fuseLongRows(RewriterBase &rewriter, LinalgOp root,
                                  const CPUTarget &core,
                                  const CPUTileOptions &options,
                                  Exactness exactness, Refusal &refusal) {
  SmallVector<unsigned> reduced;
  root.getReductionDims(reduced);
  if (reduced.size() != 1)
    return refusal.set(RefusalKind::Other, root,
                       "expected a reduction of one dimension");
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  TileAndFuseOptions fuse;
  fuse.exactness = exactness;
  fuse.levels.resize(2);
  fuse.levels[0].kind = LoopKind::Forall;
  for (TilingLevel &level : fuse.levels)
    level.tileSizes.assign(ranges.size(), 0);
  for (auto [loop, iterator] : llvm::enumerate(root.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel)
      fuse.levels[0].tileSizes[loop] = 1;
  int64_t piece = options.keys > 0 ? options.keys : core.l1Bytes / 8;
  fuse.levels[1].tileSizes[reduced.front()] = piece;
  if (root.getNumParallelLoops() == 0)
    fuse.levels.erase(fuse.levels.begin());
  FailureOr<FusionPlan> plan = planTileAndFuse(root, fuse, refusal);
  if (succeeded(plan) && plan->states.empty())
    return refusal.set(RefusalKind::Intended, root,
                       "it depends on no reduction of the same rows");
  if (succeeded(plan))
    plan = dryRunFusionPlan(*plan, refusal);
  if (failed(plan))
    return failure();
  return success(succeeded(applyCheckedPlan(rewriter, *plan, refusal)));
}

FailureOr<SmallVector<int64_t>>
RowOps::getTileSizes(const CPUTarget &core, const CPUTileOptions &options,
                     Refusal &refusal) {
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  SmallVector<int64_t> tiles(ranges.size(), 0);
  bool isStrided = false;
  uint64_t rowBytes = countRowBytes(isStrided), cache = core.l2Bytes / 2;
  // Such a loop was measured seven times slower than the ops on their own.
  if (isStrided)
    return refusal.set(RefusalKind::DoesNotPay, root,
                       "the elements of a row are not next to each other");
  if (rowBytes > cache)
    return refusal.set(
        RefusalKind::DoesNotPay, root,
        llvm::formatv("the rows of an iteration have {0} KiB, expected at most "
                      "{1} KiB, half of the L2 cache",
                      rowBytes / 1024, cache / 1024));
  // Take rows from the innermost dimension outwards, until they fill a part of
  // the cache. Enough blocks must be left for the threads to share.
  int64_t missing = std::max<int64_t>(llvm::bit_floor(cache / 4 / rowBytes), 1);
  if (options.rows > 0)
    missing = options.rows;
  for (unsigned loop : llvm::reverse(llvm::to_vector(cut.set_bits()))) {
    int64_t range = ranges[loop];
    tiles[loop] = ShapedType::isDynamic(range)
                      ? missing
                      : std::clamp<int64_t>(range, 1, missing);
    missing = std::max<int64_t>(missing / tiles[loop], 1);
  }
  return tiles;
}

LogicalResult mlir::linalg_ext::fuseRows(RewriterBase &rewriter, LinalgOp root,
                                         const CPUTarget &core,
                                         const CPUTileOptions &options,
                                         Exactness exactness,
                                         Refusal &refusal) {
  if (!root.hasPureTensorSemantics())
    return refusal.set(RefusalKind::RootOnBuffers, root,
                       "expected tensors, got buffers");
  // Upstream's tiling (22.1.8) takes a tile size of zero for "not tiled".
  if (llvm::is_contained(root.getStaticLoopRanges(), 0))
    return refusal.set(RefusalKind::Other, root, "no iteration");
  if (isFill(root) || isMatrixProduct(root))
    return refusal.set(RefusalKind::Intended, root, "it reads no rows");
  RowOps group(root);
  if (failed(group.grow(refusal)) || failed(group.checkTraffic(refusal)))
    return failure();
  FailureOr<SmallVector<int64_t>> sizes =
      group.getTileSizes(core, options, refusal);
  if (failed(sizes)) {
    Refusal ofPieces;
    if (succeeded(
            fuseLongRows(rewriter, root, core, options, exactness, ofPieces)))
      return success();
    if (!ofPieces.op)
      refusal = ofPieces;
    return failure();
  }
  TileAndFuseOptions fuse;
  TilingLevel &level = fuse.levels.emplace_back();
  level.kind = LoopKind::Forall;
  level.tileSizes = *sizes;
  fuse.fuseSiblings = false;
  fuse.mayFuse = [&](const PlannedProducer &producer) {
    return group.contains(producer.op);
  };
  FailureOr<FusionPlan> plan = planTileAndFuse(root, fuse, refusal);
  if (succeeded(plan))
    plan = dryRunFusionPlan(*plan, refusal);
  if (failed(plan))
    return failure();
  return success(succeeded(applyCheckedPlan(rewriter, *plan, refusal)));
}

void mlir::linalg_ext::fuseAllRows(
    RewriterBase &rewriter, Operation *scope, const CPUTarget &core,
    const CPUTileOptions &options, Exactness exactness,
    function_ref<void(LinalgOp, const Refusal &)> onRefused) {
  llvm::SmallPtrSet<Operation *, 16> refused;
  auto findLast = [&] {
    LinalgOp last;
    scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<LoopLikeOpInterface>(op))
        return WalkResult::skip();
      if (auto linalgOp = dyn_cast<LinalgOp>(op);
          linalgOp && !refused.contains(op) && !isOpTriviallyDead(op))
        last = linalgOp;
      return WalkResult::advance();
    });
    return last;
  };
  while (LinalgOp root = findLast()) {
    Operation *op = root;
    Refusal refusal;
    OpBuilder::InsertionGuard guard(rewriter);
    if (succeeded(fuseRows(rewriter, root, core, options, exactness, refusal)))
      continue;
    if (!refusal.op) // all ops are new
      return;
    onRefused(root, refusal);
    refused.insert(op);
  }
}
