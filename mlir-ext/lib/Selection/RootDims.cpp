//===- RootDims.cpp - Roles of the dimensions of a root -------------------===//
//
// Classifies the dimensions of a root by its indexing maps: keys, rows,
// batches, columns. No op is matched by name.
//
// 1. Find the operand that is computed from the nearest op of a kind: a
//    reduction, or a given contraction.
// 2. Its parallel dimensions are the rows, its innermost reduction dimension
// the
//    keys. Rows that other operands have too are batches.
// 3. Parallel dimensions that it lacks are columns.
//
//===----------------------------------------------------------------------===//

#include "RootDims.h"
#include "RootOperands.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Selection/StaticSize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

std::optional<int64_t> RootDims::countRows() const {
  SmallVector<unsigned> dims;
  for (unsigned dim : rows)
    if (!llvm::is_contained(batches, dim))
      dims.push_back(dim);
  return getStaticSize(dims, ranges);
}

int64_t RootDims::countColumns() const {
  int64_t count = 1;
  for (auto [dim, range] : llvm::enumerate(ranges)) {
    if (dim == keys || llvm::is_contained(rows, dim) ||
        llvm::is_contained(otherReductions, dim))
      continue;
    count *= ShapedType::isDynamic(range) ? 512 : range;
  }
  return count;
}

int64_t RootDims::getElementBytes(Operation *root) const {
  int64_t bytes = 4;
  for (Value input : cast<DestinationStyleOpInterface>(root).getDpsInputs())
    if (Type element = getElementTypeOrSelf(input);
        input != online->get() && element.isIntOrFloat())
      bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return bytes;
}

/// Returns whether `op` is an online reduction, or a maximum or minimum from
/// which one is made although it is no op of its own (for example, with a sink
/// in its sum).
static bool isOnlineReduction(Operation *op) {
  if (isa<OnlineReductionOpInterface>(op))
    return true;
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  if (!repairable)
    return false;
  FailureOr<Accumulation> accumulation = repairable.getAccumulation();
  return succeeded(accumulation) && accumulation->kind != AccumulationKind::Sum;
}

/// Returns the input operand of `root` with the least distance. A distance of
/// -1 means none. Returns null if no operand has a distance.
static OpOperand *getNearestOperand(DestinationStyleOpInterface root,
                                    function_ref<int64_t(Value)> getDistance) {
  OpOperand *found = nullptr;
  int64_t nearest = -1;
  for (OpOperand *operand : root.getDpsInputOperands()) {
    int64_t distance = getDistance(operand->get());
    if (distance >= 0 && (!found || distance < nearest)) {
      found = operand;
      nearest = distance;
    }
  }
  return found;
}
/// Returns the roles of the dimensions of a root. One of its operands depends
/// on the nearest op for which `isSource` is true.
static FailureOr<RootDims>
getRootDimsFrom(Operation *root, function_ref<bool(Operation *)> isSource) {
  auto tiling = dyn_cast<TilingInterface>(root);
  auto maps = dyn_cast<IndexingMapOpInterface>(root);
  auto dps = dyn_cast<DestinationStyleOpInterface>(root);
  if (!tiling || !maps || !dps)
    return failure();

  // 1. Find the operand that the nearest source feeds.
  OpOperand *online = getNearestOperand(
      dps, [&](Value value) { return getDistance(value, isSource); });
  if (!online)
    return failure();

  // 2. The parallel dimensions of this operand are the rows, and its innermost
  //    reduction dimension is the keys.
  RootDims dims;
  dims.online = online;
  AffineMap map = maps.getMatchingIndexingMap(online);
  dims.ranges = maps.getStaticLoopRanges();
  for (auto [dim, iterator] : llvm::enumerate(tiling.getLoopIteratorTypes())) {
    if (!map.isFunctionOfDim(dim)) {
      if (iterator == utils::IteratorType::parallel)
        dims.columns.push_back(dim);
      continue;
    }
    if (iterator == utils::IteratorType::reduction) {
      dims.otherReductions.push_back(dim);
      continue;
    }
    dims.rows.push_back(dim);
    if (llvm::any_of(dps.getDpsInputOperands(), [&, dim = dim](auto *operand) {
          return operand != online &&
                 maps.getMatchingIndexingMap(operand).isFunctionOfDim(dim);
        }))
      dims.batches.push_back(dim);
  }
  if (dims.otherReductions.empty())
    return failure();
  dims.keys = dims.otherReductions.pop_back_val();
  return dims;
}

FailureOr<RootDims> mlir::linalg_ext::getRootDims(Operation *root,
                                                  Operation *chained) {
  if (!chained)
    return getRootDimsFrom(root, isOnlineReduction);
  return getRootDimsFrom(root, [&](Operation *op) { return op == chained; });
}

/// Returns how many ops lie between `value` and the nearest reduction that it
/// depends on, or -1 if there is none. Contractions do not count as reductions.
static int64_t getDistanceToRowReduction(Value value) {
  return getDistance(value, [](Operation *op) {
    auto reduction = dyn_cast<linalg::LinalgOp>(op);
    return reduction && reduction.getNumReductionLoops() > 0 &&
           !linalg::isaContractionOpInterface(reduction);
  });
}

FailureOr<RootDims> mlir::linalg_ext::getRowRootDims(Operation *root) {
  auto linalgRoot = dyn_cast<linalg::LinalgOp>(root);
  if (!linalgRoot || linalgRoot.getNumReductionLoops() == 0)
    return failure();
  OpOperand *online = getNearestOperand(cast<DestinationStyleOpInterface>(root),
                                        getDistanceToRowReduction);
  if (!online)
    return failure();
  RootDims dims;
  dims.online = online;
  dims.ranges = linalgRoot.getStaticLoopRanges();
  AffineMap map = linalgRoot.getMatchingIndexingMap(online);
  SmallVector<unsigned> reductions;
  linalgRoot.getReductionDims(reductions);
  dims.keys = reductions.pop_back_val();
  dims.otherReductions = reductions;
  for (auto [dim, iterator] :
       llvm::enumerate(linalgRoot.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel)
      (map.isFunctionOfDim(dim) ? dims.rows : dims.columns).push_back(dim);
  // Dimensions that a matrix with these columns has as well are batches.
  for (unsigned dim : dims.rows)
    if (llvm::any_of(linalgRoot.getDpsInputOperands(), [&](auto *operand) {
          AffineMap other = linalgRoot.getMatchingIndexingMap(operand);
          return other.isFunctionOfDim(dim) &&
                 llvm::any_of(dims.columns, [&](unsigned column) {
                   return other.isFunctionOfDim(column);
                 });
        }))
      dims.batches.push_back(dim);
  return dims;
}

bool mlir::linalg_ext::isReducedProduct(const RootDims &dims,
                                        std::optional<int64_t> depth) {
  return dims.columns.empty() && dims.otherReductions.empty() && depth != 0;
}

/// The most terms of a sum of a product that loops reduce without storing it.
/// If sums are longer, the stored product has better tiles, which save more
/// than storing costs. (8192 x 8192 of f16 on an H200: with 768 terms the loops
/// take 1.2 times as long; both are equal at about 570.)
static constexpr int64_t kMostTerms = 512;

FailureOr<RootDims> mlir::linalg_ext::getReducedProductDims(Operation *root) {
  auto isContraction = [](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return linalgOp && linalg::isaContractionOpInterface(linalgOp);
  };
  auto repairable = dyn_cast<RepairableOpInterface>(root);
  if (!repairable || failed(repairable.getAccumulation()) ||
      isa<OnlineReductionOpInterface>(root) || isContraction(root))
    return failure();
  FailureOr<RootDims> dims = getRootDimsFrom(root, isContraction);
  if (failed(dims))
    return failure();
  std::optional<int64_t> depth = getDepth(dims->online->get());
  // These loops read rows only once if they are normalised before. A sum along
  // another dimension than the columns, such as heads, is stored: for 64 heads
  // of 2048 x 4096 scores, loops took six times as long.
  AffineMap map =
      cast<IndexingMapOpInterface>(root).getMatchingIndexingMap(dims->online);
  bool isInnermost = map.getNumResults() > 0 &&
                     map.getResults().back() ==
                         getAffineDimExpr(dims->keys, root->getContext());
  bool hasNorm = getDistanceToRowReduction(dims->online->get()) >= 0;
  if (!isReducedProduct(*dims, depth) ||
      (!hasNorm && (!isInnermost || !depth || *depth > kMostTerms)))
    return failure();
  return dims;
}
