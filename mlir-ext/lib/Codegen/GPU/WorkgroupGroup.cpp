//===- WorkgroupGroup.cpp - The ops of one workgroup ----------------------===//
//
// See WorkgroupGroup.h. Plans tile-and-fuse of the root with a loop over
// workgroups. The plan tells which producers can be fused, and which of their
// loops the workgroups cut. For each of these producers, users first:
//
//   1. Reject it if ops outside of the group need it. What is no epilogue of a
//      contraction is yielded to ops behind the root: the scales of quantized
//      rows to what scales a product of these, and the sum that a norm is of.
//   2. If it is a reduction, exclude the loops that it lacks from tiling, and
//      plan again.
//   3. Reject it if several workgroups would compute the same elements and each
//      element needs a reduction or a contraction.
//
// The tile sizes follow from the sizes of the contractions, or from the length
// of the rows.
//
//===----------------------------------------------------------------------===//

#include "WorkgroupGroup.h"
#include "GatherOperands.h"

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Fusion/Plan/PlanForall.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/TileOperands.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// One loop computes at most this many contractions, such as those of queries,
/// keys, values and a gate. Registers hold the sums of all of them, so the tile
/// of each has fewer columns: with four contractions, a quarter.
static constexpr size_t kMaxContractions = 4;
/// The fewest columns of a tile of several contractions.
static constexpr int64_t kMinColumns = 16;

bool mlir::linalg_ext::isContraction(LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  return !dims.m.empty() || !dims.n.empty();
}

bool mlir::linalg_ext::isEmpty(LinalgOp op) {
  return llvm::is_contained(op.getStaticLoopRanges(), 0);
}

bool mlir::linalg_ext::reducesWholeRows(LinalgOp op, int64_t maxRow) {
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

WorkgroupGroup::WorkgroupGroup(LinalgOp root,
                               const TileToWorkgroupsOptions &options)
    : ForallGroup(root, root.getIteratorTypesArray()), root(root),
      options(options) {
  reset();
}

void WorkgroupGroup::reset() {
  clear();
  contractions.clear();
  yields.clear();
  if (isContraction(root))
    contractions.push_back(root);
  hasReduction = root.getNumReductionLoops() > 0;
}

/// Whether `op`, elementwise, is computed from the result of an op that
/// `isWanted` accepts, by way of other elementwise ops.
static bool follows(LinalgOp op, function_ref<bool(LinalgOp)> isWanted) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (unsigned i = 0; i < ops.size(); ++i)
    for (Value input : cast<LinalgOp>(ops[i]).getDpsInputs()) {
      auto producer = input.getDefiningOp<LinalgOp>();
      if (!producer)
        continue;
      if (isWanted(producer))
        return true;
      if (producer.getNumReductionLoops() == 0)
        ops.insert(producer);
    }
  return false;
}

/// Returns whether the elementwise op `op` depends on a reduction of a row.
static bool followsReduction(LinalgOp op) {
  return follows(op, [](LinalgOp producer) {
    return producer.getNumReductionLoops() > 0 && !isContraction(producer);
  });
}

/// Returns whether the elementwise op `op` can be computed with a contraction.
static bool followsContraction(LinalgOp op) {
  return follows(op, isContraction);
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

/// Whether `op` computes rows: it reduces them, or depends on a reduction.
static bool followsRows(LinalgOp op) {
  return op.getNumReductionLoops() > 0 || followsReduction(op);
}

/// Whether elements of `value` have 8 bits.
static bool hasBytes(Value value) {
  Type element = getElementTypeOrSelf(value);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 8;
}

bool WorkgroupGroup::accept(const PlannedProducer &producer, bool mayYield) {
  // 1. No other op needs it, or only ops behind the root, for which each
  // workgroup yields its tile. The tile is the same for all users. A reshape in
  // front of a contraction merges the dimensions of unpacked weights.
  if (llvm::is_contained(options.stored, producer.op))
    return false;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(producer.op)) {
    if (producer.severalTiles || !collapse->hasOneUse() ||
        !contains(*collapse->user_begin()) ||
        getDequantization(collapse.getSrc()).empty())
      return false;
    loops[collapse] = CutLoops(producer, cut.size()).mapping;
    return true;
  }
  auto op = dyn_cast<LinalgOp>(producer.op);
  if (!op || !readsElements(op) || !hasVectorElements(op) ||
      (!isFill(op) && producer.severalTiles))
    return false;
  // Bytes are transposed in front of asynchronous products, which cannot do
  // that
  // (`getOperandsToTranspose`).
  if (isa<linalg::TransposeOp>(producer.op) && !contractions.empty() &&
      options.ways.anyAsync() && hasBytes(op->getResult(0)))
    return false;
  bool isYielded = false;
  for (Operation *user : op->getUsers()) {
    if (isFill(op) || contains(user))
      continue;
    Operation *other = root->getBlock()->findAncestorOpInBlock(*user);
    if (!mayYield || !other || !root->isBeforeInBlock(other))
      return false;
    isYielded = true;
  }
  // The epilogue of a contraction stays with it.
  if (isYielded && (!contractions.empty() || isContraction(op) ||
                    (followsContraction(op) && !followsRows(op))))
    return false;
  CutLoops cutLoops(producer, cut.size());
  const llvm::SmallBitVector &left = cutLoops.all;
  if (isYielded && !followsRows(op) && left != cut)
    return false;

  // 2. A reduction leaves loops whole that it does not have.
  // A contraction that lacks a loop of the root sums a row, unless it is a
  // matrix product.
  bool isProduct = isContraction(op) && (left == cut || isMatrixProduct(op));
  if (isProduct) {
    if (left != cut || (contractions.empty() && hasReduction))
      return false;
    // Several contractions are all in front of the root, and share an operand
    // with the first.
    LinalgOp first = contractions.empty() ? op : contractions.front();
    if (first != op &&
        (first == root || contractions.size() == kMaxContractions ||
         !shareOperand(first, loops.find(first)->second, op, cutLoops.mapping)))
      return false;
    contractions.push_back(op);
  } else if (op.getNumReductionLoops() > 0) {
    // The epilogue of a contraction stays with it, and not with sums of integers
    // that zero points multiply.
    if (!contractions.empty() || left.none() ||
        (getElementTypeOrSelf(op->getResult(0)).isInteger() &&
         followsContraction(root) && !followsContraction(op)))
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
    cut = left;
  } else if (!contractions.empty() && left != cut && op.getNumLoops() > 0 &&
             (followsReduction(op) || followsContraction(op))) {
    // 3. Several workgroups would compute this operand of a contraction, and
    // each of its elements needs a reduction or another contraction.
    return false;
  }
  hasReduction |= op.getNumReductionLoops() > 0;
  if (isYielded)
    yields.push_back(op);
  loops[op] = std::move(cutLoops.mapping);
  return true;
}

void WorkgroupGroup::growOnce(bool mayYield) {
  planUntilStable([&] {
    reset();
    // Once a reduction leaves a loop whole, all producers are asked again.
    Refusal refusal; // The loops are tiled later, or refused again.
    (void)plan(
        mayYield,
        [&](const PlannedProducer &producer) {
          return accept(producer, mayYield);
        },
        refusal);
  });
}

bool WorkgroupGroup::canYield() const {
  if (!contractions.empty() || isLong)
    return false;
  return llvm::all_of(yields, [&](LinalgOp op) {
    llvm::SmallBitVector own(cut.size());
    for (int64_t loop : loops.find(op)->second)
      if (isCut(loop))
        own.set(loop);
    return own == cut;
  });
}

void WorkgroupGroup::grow() {
  llvm::SmallBitVector parallel = cut;
  growOnce(/*mayYield=*/true);
  if (yields.empty() || (cut.any() && canYield()))
    return;
  cut = parallel;
  isLong = false;
  growOnce(/*mayYield=*/false);
}

int64_t WorkgroupGroup::getNumRows() {
  if (options.rowElements == 0)
    return options.rows;
  // Long rows are read again: those that are computed at a time have to fit
  // into a cache.
  if (isLong)
    return shortRow == 0 ? 1
                         : std::clamp<int64_t>(options.rowElements / shortRow,
                                               1, options.rows);
  // The longest row of the group decides. A row of unknown length is computed
  // in pieces.
  int64_t longest = 1;
  for (auto &[op, mapping] : loops) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    int64_t size = 1;
    for (auto [range, loop] :
         llvm::zip_equal(linalgOp.getStaticLoopRanges(), mapping))
      if (!isCut(loop))
        size *= ShapedType::isDynamic(range) ? options.rowTile : range;
    longest = std::max(longest, size);
  }
  return std::clamp<int64_t>(
      llvm::bit_floor<uint64_t>(options.rowElements / longest), 1,
      options.rows);
}

bool mlir::linalg_ext::isNarrow(LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), [](Value input) {
    Type type = getElementTypeOrSelf(input.getType());
    return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 16;
  });
}

/// Returns the innermost of `dims`, loops of `ranges`, with more than one
/// iteration: the loop that is cut.
static std::optional<unsigned> getCutDim(ArrayRef<unsigned> dims,
                                         ArrayRef<int64_t> ranges) {
  for (unsigned dim : llvm::reverse(dims))
    if (ranges[dim] != 1)
      return dim;
  return std::nullopt;
}

/// Returns the sizes of `contraction`, one of `products` of its loop, if they
/// are known. Dimensions of rows or columns that are not cut count as batches.
static std::optional<ProductSizes> getProductSizes(LinalgOp contraction,
                                                   size_t products) {
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  ProductSizes sizes;
  sizes.products = products;
  std::optional<unsigned> m = getCutDim(dims.m, ranges),
                          n = getCutDim(dims.n, ranges);
  sizes.rows = m ? ranges[*m] : 1;
  sizes.columns = n ? ranges[*n] : 1;
  for (ArrayRef<unsigned> group :
       {ArrayRef<unsigned>(dims.batch), ArrayRef<unsigned>(dims.m),
        ArrayRef<unsigned>(dims.n)})
    for (unsigned dim : group) {
      if (ShapedType::isDynamic(ranges[dim]))
        return std::nullopt;
      if (dim != m && dim != n)
        sizes.batch *= ranges[dim];
    }
  return sizes;
}

/// Whether `contraction` sums integers of 32 bits, which is what instructions
/// multiply bytes for.
static bool sumsIn32Bits(LinalgOp contraction) {
  return getElementTypeOrSelf(contraction->getResult(0)).isInteger(32);
}

ContractionTile WorkgroupGroup::getSyncTile() const {
  LinalgOp contraction = contractions.front();
  ContractionTile tile{options.rows, options.columns, options.reduction,
                       std::nullopt};
  // Bytes that are multiplied as they are: as many bytes of a row as of 16
  // bits.
  const bool areBytes =
      sumsIn32Bits(contraction) &&
      llvm::all_of(contraction.getDpsInputs(), [](Value input) {
        return getElementTypeOrSelf(input.getType()).isInteger(8);
      });
  const int64_t factor = areBytes ? 2 : 1;
  if (isNarrow(contraction)) {
    if (options.narrowReduction > 0)
      tile.reduction = options.narrowReduction;
    if (options.narrowRows > 0 && options.narrowColumns > 0) {
      tile.rows = options.narrowRows;
      tile.columns = options.narrowColumns;
      std::optional<ProductSizes> sizes =
          getProductSizes(contraction, contractions.size());
      if (options.useProcessors && sizes) {
        ProductTile chosen = chooseProductTile(
            *sizes, {tile.rows, tile.columns}, options.target);
        if (chosen.rows > 0) {
          bool isSmall = chosen.isAlone || chosen.rows < tile.rows ||
                         chosen.columns * sizes->products < tile.columns;
          if (isSmall && options.smallReduction > 0)
            tile.reduction = options.smallReduction;
          tile.rows = chosen.rows;
          tile.columns = chosen.columns;
          tile.reduction *= factor;
          return tile;
        }
      }
      // A tile of half of the rows is enough if it has all rows.
      linalg::ContractionDimensions dims =
          *linalg::inferContractionDims(contraction);
      SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
      int64_t rows = 1;
      for (unsigned dim : dims.m)
        rows = ShapedType::isDynamic(rows) || ShapedType::isDynamic(ranges[dim])
                   ? ShapedType::kDynamic
                   : rows * ranges[dim];
      while (tile.rows > 16 && !ShapedType::isDynamic(rows) &&
             tile.rows >= 2 * rows)
        tile.rows /= 2;
    }
  }
  tile.reduction *= factor;
  // Registers hold the sums of all contractions at the same time.
  tile.columns =
      std::max<int64_t>(tile.columns / llvm::PowerOf2Ceil(contractions.size()),
                        std::min<int64_t>(tile.columns, kMinColumns));
  return tile;
}

/// Whether the payload of `contraction` does not extend integers of both signs.
static bool haveOneSign(LinalgOp contraction) {
  bool isSigned = false, isUnsigned = false;
  for (Operation &op : contraction.getBlock()->without_terminator()) {
    isSigned |= isa<arith::ExtSIOp>(op);
    isUnsigned |= isa<arith::ExtUIOp>(op);
  }
  return !isSigned || !isUnsigned;
}

/// Whether asynchronous products of `contraction` read operands of 8 bits, all
/// of one format.
static bool readsTilesOf8Bits(LinalgOp contraction,
                              const WorkgroupGroup &group) {
  Type type = getTileElementType(contraction.getDpsInputs().front());
  bool isInteger = type && type.isInteger(8);
  return (isInteger ? sumsIn32Bits(contraction) && haveOneSign(contraction)
                    : group.options.asyncF8 && isTileTypeOf8Bits(type)) &&
         llvm::all_of(contraction.getDpsInputs(), [&](Value input) {
           return getTileElementType(input) == type;
         });
}

/// Returns why asynchronous products cannot read operands of the types that
/// `contraction` has, or an empty string. Ignores operands that `group`
/// computes.
static std::string explainNoTilesOf(LinalgOp contraction,
                                    const WorkgroupGroup &group) {
  bool has8Bits = readsTilesOf8Bits(contraction, group);
  SmallVector<unsigned> sums;
  contraction.getReductionDims(sums);
  SmallVector<OpOperand *> copied;
  if (group.options.copiesRows)
    copied = group.getOperandsOfOtherRows();
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    Operation *producer = operand->get().getDefiningOp();
    if ((producer && group.contains(producer)) ||
        llvm::is_contained(copied, operand))
      continue;
    // What is stored is not read as what it is computed from.
    std::string reason =
        llvm::is_contained(group.options.stored, producer)
            ? explainNoStoredTiles(operand->get(), group.options.hasAlignedRows)
            : explainNoTiles(operand->get(), has8Bits,
                             group.options.hasAlignedRows);
    if (!reason.empty())
      return reason;
    // Tensor cores transpose elements of 16 bits only.
    AffineMap map = contraction.getMatchingIndexingMap(operand);
    if (has8Bits && llvm::none_of(sums, [&](unsigned dim) {
          return map.getResults().back() ==
                 getAffineDimExpr(dim, map.getContext());
        }))
      return "an operand of 8 bits is not contiguous along what is summed";
  }
  return "";
}

std::optional<LaunchedKernels> WorkgroupGroup::getLaunchedKernels() const {
  if (contractions.size() != 1)
    return std::nullopt;
  LinalgOp contraction = contractions.front();
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  if (!explainNoTilesOf(contraction, *this).empty() ||
      !ShapedType::isDynamicShape(ranges))
    return std::nullopt;
  std::optional<unsigned> m =
      getCutDim(linalg::inferContractionDims(contraction)->m, ranges);
  int64_t rows = m ? ranges[*m] : 1;
  return chooseLaunchedKernels(
      ShapedType::isDynamic(rows) ? std::nullopt : std::optional(rows),
      getLimits(contraction), options.target);
}

/// Synchronous products of bytes take so many times their estimate, which is of
/// 16 bits: where what is summed is not contiguous, and where they are
/// converted (docs/Decisions/0097).
static constexpr double kNotContiguous = 1.4, kConverting = 1.5;

SmallVector<OpOperand *> WorkgroupGroup::getOperandsToTranspose() const {
  if (contractions.size() != 1 || !options.ways.anyAsync())
    return {};
  LinalgOp contraction = contractions.front();
  if (!readsTilesOf8Bits(contraction, *this))
    return {};
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  constexpr int64_t kRowBytes = 16;
  if (dims.k.size() != 1 || ShapedType::isDynamic(ranges[dims.k.front()]) ||
      ranges[dims.k.front()] % kRowBytes != 0)
    return {};
  AffineExpr sum = getAffineDimExpr(dims.k.front(), contraction.getContext());
  SmallVector<OpOperand *> moved;
  double bytes = 0;
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    Operation *producer = operand->get().getDefiningOp();
    if (!hasBytes(operand->get()) || !type.hasStaticShape() ||
        (producer && contains(producer)))
      return {};
    if (contraction.getMatchingIndexingMap(operand).getResults().back() ==
        sum) {
      if (!explainNoTiles(operand->get(), /*mayHave8Bits=*/true).empty())
        return {};
      continue;
    }
    moved.push_back(operand);
    bytes += 2.0 * type.getNumElements();
  }
  return !moved.empty() && paysInFront(getLimits(contraction), kNotContiguous,
                                       moved.size(), bytes,
                                       options.target.transposedBytesPerCycle)
             ? moved
             : SmallVector<OpOperand *>();
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsToConvert() const {
  if (contractions.size() != 1 || !options.ways.anyAsync())
    return {};
  LinalgOp contraction = contractions.front();
  if (contraction.getNumDpsInputs() != 2 ||
      !getElementTypeOrSelf(contraction->getResult(0)).isF32() ||
      readsTilesOf8Bits(contraction, *this))
    return {};
  SmallVector<OpOperand *> converted;
  double bytes = 0;
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    Value value = operand->get();
    auto type = cast<RankedTensorType>(value.getType());
    Operation *producer = value.getDefiningOp();
    bool isComputed = producer && contains(producer);
    bool isExtended = !isComputed && isTileTypeOf8Bits(type.getElementType());
    if (!isComputed && !isExtended) {
      if (!explainNoTiles(value).empty())
        return {};
      continue;
    }
    // Rows of f16 have twice the bytes of those of f8.
    int64_t row = type.getRank() == 0 ? 1 : type.getShape().back();
    // Blocks with a scale each are merged behind it.
    auto merge = value.getDefiningOp<tensor::CollapseShapeOp>();
    if (!type.hasStaticShape() ||
        (isComputed
             ? !explainNoStoredTiles(value).empty() ||
                   getDequantization(merge ? merge.getSrc() : value,
                                     /*mayReadElements=*/true)
                       .empty()
             : row % 8 != 0))
      return {};
    converted.push_back(operand);
    bytes += 3.0 * type.getNumElements();
  }
  ProductLimits limits = getLimits(contraction);
  limits.bits = 16;
  limits.hasShortSums = false;
  return !converted.empty() &&
                 paysInFront(limits, kConverting, converted.size(), bytes,
                             options.target.convertedBytesPerCycle)
             ? converted
             : SmallVector<OpOperand *>();
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsOfOtherRows() const {
  if (contractions.size() != 1 || !options.ways.anyAsync())
    return {};
  SmallVector<OpOperand *> others;
  LinalgOp contraction = contractions.front();
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    Value value = operand->get();
    Operation *producer = value.getDefiningOp();
    if ((producer && contains(producer)) || explainNoTiles(value).empty())
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    Type element = type.getElementType();
    if (type.getRank() < 2 || getTileElementType(value) != element ||
        !(element.isF16() || element.isBF16()))
      return {};
    others.push_back(operand);
  }
  return others;
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsToCopy() const {
  SmallVector<OpOperand *> copied = getOperandsOfOtherRows();
  if (copied.empty())
    return {};
  double bytes = 0;
  for (OpOperand *operand : copied) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    if (!type.hasStaticShape())
      return {};
    bytes += 2.0 * type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  return paysInFront(getLimits(contractions.front()), kNotAligned,
                     copied.size(), bytes, kCopiedBytesPerCycle)
             ? copied
             : SmallVector<OpOperand *>();
}

bool WorkgroupGroup::paysInFront(const ProductLimits &limits, double factor,
                                 size_t launches, double bytes,
                                 double bytesPerCycle) const {
  LinalgOp contraction = contractions.front();
  std::optional<ProductSizes> sizes =
      getProductSizes(contraction, contractions.size());
  unsigned k = linalg::inferContractionDims(contraction)->k.front();
  int64_t depth = contraction.getStaticLoopRanges()[k];
  if (!sizes || ShapedType::isDynamic(sizes->rows) ||
      ShapedType::isDynamic(sizes->columns) || ShapedType::isDynamic(depth))
    return false;
  // Few rows have versions of their own.
  if (!options.versionsByM.empty() && sizes->rows <= options.versionsByM.back())
    return false;
  ContractionTile sync = getSyncTile();
  ProductKernel ofSync;
  ofSync.rows = sync.rows;
  ofSync.columns = sync.columns;
  ofSync.reduction = sync.reduction;
  ofSync.threads = options.threads;
  ProductKernel chosen = chooseProductKernel(sizes, depth, contractions.size(),
                                             ofSync, limits, options.target);
  if (chosen.way == vector_ext::ProductWay::Sync)
    return false;
  double time = estimateProductKernel(*sizes, depth * limits.bits / 16, chosen,
                                      options.target) +
                options.target.launchCycles * launches + bytes / bytesPerCycle;
  return !limits.ways.sync ||
         time < factor * estimateProductKernel(*sizes, depth, ofSync,
                                               options.target);
}

ProductLimits WorkgroupGroup::getLimits(LinalgOp contraction) const {
  ProductLimits limits;
  limits.ways = options.ways;
  limits.rows = options.asyncTile.rows;
  limits.columns = options.asyncTile.columns;
  limits.reduction = options.asyncReduction;
  limits.threads = options.threads;
  if (readsTilesOf8Bits(contraction, *this)) {
    limits.bits = 8;
    limits.hasShortSums =
        !getTileElementType(contraction.getDpsInputs().front()).isInteger();
  }
  return limits;
}

void WorkgroupGroup::chooseContractionTile() {
  tile = getSyncTile();
  if (!options.ways.anyAsync())
    return;
  LinalgOp contraction = contractions.front();
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  std::optional<int64_t> depth = 1;
  for (unsigned dim : dims.k)
    depth = !depth || ShapedType::isDynamic(ranges[dim])
                ? std::nullopt
                : std::optional(*depth * ranges[dim]);
  std::optional<ProductSizes> sizes =
      getProductSizes(contraction, contractions.size());
  if (sizes && (ShapedType::isDynamic(sizes->rows) ||
                ShapedType::isDynamic(sizes->columns)))
    sizes.reset();
  if (sizes)
    sizes->hasLines = llvm::all_of(contraction.getDpsInputs(), mayHaveLines);
  ProductKernel sync;
  sync.rows = tile.rows;
  sync.columns = tile.columns;
  sync.reduction = tile.reduction;
  sync.threads = options.threads;
  ProductLimits limits = getLimits(contraction);
  for (LinalgOp op : contractions)
    if (sync.reason.empty())
      sync.reason = explainNoTilesOf(op, *this);
  if (!sync.reason.empty()) {
    sync.reason = "sync: " + sync.reason;
    tile.kernel = sync;
    return;
  }
  std::optional<LaunchedKernels> launched;
  if (options.tiles != TileToWorkgroupsOptions::Tiles::Any)
    launched = getLaunchedKernels();
  if (launched)
    tile.kernel = options.tiles == TileToWorkgroupsOptions::Tiles::Many
                      ? launched->many[options.numberOfMany]
                  : options.tiles == TileToWorkgroupsOptions::Tiles::Lone &&
                          launched->lone.rows > 0
                      ? launched->lone
                      : launched->few;
  else
    tile.kernel = chooseProductKernel(sizes, depth, contractions.size(), sync,
                                      limits, options.target);
  tile.rows = tile.kernel->rows;
  tile.columns = tile.kernel->columns;
  tile.reduction = tile.kernel->reduction;
}

/// Whether `group`, of elementwise ops, writes wider elements than it reads of
/// each tensor of as many.
static bool widens(const WorkgroupGroup &group) {
  auto getBits = [](Value value) -> int64_t {
    Type element = getElementTypeOrSelf(value);
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  };
  int64_t written = getBits(group.root->getResult(0)), read = 0;
  for (auto &[op, mapping] : group.loops)
    if (auto linalgOp = dyn_cast<LinalgOp>(op))
      for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
        Operation *producer = operand->get().getDefiningOp();
        if (linalgOp.getMatchingIndexingMap(operand).isPermutation() &&
            !(producer && group.contains(producer)))
          read = std::max(read, getBits(operand->get()));
      }
  return read > 0 && read < written;
}

SmallVector<int64_t> WorkgroupGroup::getTileSizes() {
  if (!contractions.empty())
    chooseContractionTile();
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  SmallVector<int64_t> tiles(ranges.size(), 0);
  for (unsigned loop : cut.set_bits())
    tiles[loop] = 1;
  // The innermost loop of `candidates` that has more than one iteration.
  auto setInnermost = [&](ArrayRef<int64_t> candidates, int64_t tile) {
    for (int64_t loop : llvm::reverse(candidates)) {
      if (!isCut(loop) || ranges[loop] == 1 || tiles[loop] > 1)
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
    setInnermost(getLoops(dims.m), tile.rows);
    setInnermost(getLoops(dims.n), tile.columns);
  } else if (hasReduction) {
    setInnermost(all, getNumRows());
  } else {
    // Few elements of a thread, where writing takes longer than reading
    // (docs/Decisions/0097).
    constexpr int64_t kWidenedRows = 16;
    setInnermost(all, options.columns);
    setInnermost(all, widens(*this) ? std::min(options.rows, kWidenedRows)
                                    : options.rows);
  }
  // Do not tile a loop of one iteration, unless no other loop is left.
  unsigned numLeft = cut.count();
  for (unsigned loop : cut.set_bits())
    if (ranges[loop] == 1 && numLeft > 1) {
      tiles[loop] = 0;
      --numLeft;
    }
  return tiles;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// Looks for a dimension that `loop` of `op` runs along, of a tensor that the
/// group does not compute. Appends it to `dims`, unless `dims` has it or one
/// that is equal. Returns whether there is one.
static bool appendDim(const WorkgroupGroup &group, LinalgOp op, unsigned loop,
                      SmallVectorImpl<std::pair<Value, int64_t>> &dims) {
  using Variable = ValueBoundsConstraintSet::Variable;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (producer && group.contains(producer))
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (expr != getAffineDimExpr(loop, op.getContext()))
        continue;
      if (llvm::none_of(dims, [&, dim = dim](const auto &other) {
            return (other.first == operand.get() &&
                    other.second == int64_t(dim)) ||
                   ValueBoundsConstraintSet::areEqual(
                       Variable(other.first, other.second),
                       Variable(operand.get(), dim))
                       .value_or(false);
          }))
        dims.emplace_back(operand.get(), dim);
      return true;
    }
  }
  return false;
}

/// Returns versions by the length of rows, if rows are long. Rows of static
/// length have one kernel, unless they are too long for a workgroup to hold.
static Versions getVersionsByRow(const WorkgroupGroup &group) {
  if (!group.isLong)
    return {};
  Versions result;
  int64_t longest = 1;
  bool isStatic = true;
  for (auto &[op, mapping] : group.loops) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    unsigned numWhole = 0;
    for (auto [loop, range] : llvm::enumerate(linalgOp.getStaticLoopRanges())) {
      if (group.isCut(mapping[loop]) || range == 1)
        continue;
      if (++numWhole > 1)
        return {};
      isStatic &= !ShapedType::isDynamic(range);
      if (ShapedType::isDynamic(range))
        (void)appendDim(group, linalgOp, loop, result.dims);
      else
        longest = std::max(longest, range);
    }
  }
  if (result.dims.empty() != isStatic)
    return {};
  for (int64_t row : group.options.versionsByRowLength) {
    if (row < longest)
      continue;
    Version &version = result.versions.emplace_back();
    version.most = version.shortRow = row;
    version.options = group.options;
    version.options.rowTile = row;
    version.options.maxRow = std::max(version.options.maxRow, row);
    if (result.dims.empty())
      break;
  }
  return result;
}

/// Whether the right operand of `product` is computed from words of 8 bits,
/// which its workgroups convert.
static bool convertsBytes(const WorkgroupGroup &group, LinalgOp product) {
  llvm::SetVector<Value> values;
  values.insert(product.getDpsInputs()[1]);
  for (unsigned i = 0; i < values.size(); ++i) {
    auto type = dyn_cast<RankedTensorType>(values[i].getType());
    Operation *op = values[i].getDefiningOp();
    if (type && type.getRank() >= 2 && type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() == 8)
      return true;
    if (op && group.contains(op))
      values.insert_range(op->getOperands());
  }
  return false;
}

/// The elements that an op in front of `product` has in one group of what is
/// summed, such as those with one scale. 1 if there are no groups.
static int64_t getGroupSize(LinalgOp product, unsigned k) {
  OpOperand *operand = product.getDpsInputOperand(1);
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  std::optional<unsigned> dim =
      product.getMatchingIndexingMap(operand).getResultPosition(
          getAffineDimExpr(k, product.getContext()));
  if (!collapse || !dim)
    return 1;
  ReassociationIndices merged = collapse.getReassociationIndices()[*dim];
  int64_t size = 1;
  for (int64_t inner : ArrayRef(merged).drop_front())
    size *= collapse.getSrcType().getDimSize(inner);
  return size;
}

/// Returns into how many parts the `steps` of each of `tiles` are divided, from
/// `least` to `most`: those with which workgroups take the least time, one after
/// the other. A processor has about 20 subgroups. Steps that are left over are
/// executed by all subgroups of a workgroup, and count twice
/// (docs/Decisions/0105).
static int64_t chooseParts(int64_t tiles, int64_t steps, int64_t least,
                           int64_t most, const GPUTarget &target) {
  constexpr int64_t kSubgroups = 20;
  auto getTime = [&](int64_t parts) {
    int64_t workgroups =
        target.processors * std::max<int64_t>(kSubgroups / parts, 1);
    return llvm::divideCeil(tiles, workgroups) *
           (steps / parts + 2 * (steps % parts));
  };
  int64_t best = most;
  for (int64_t parts = most - 1; parts >= least; --parts)
    if (getTime(parts) <= getTime(best))
      best = parts;
  return best;
}

/// Lets `version`, of a product with few rows whose operand of bytes is
/// converted, have workgroups of few columns. Their subgroups sum parts: each
/// loads its operands itself, and the parts are merged in shared memory, in the
/// same kernel (docs/Decisions/0065).
static void sumInParts(Version &version, LinalgOp product, int64_t rows,
                       unsigned n, unsigned k) {
  constexpr int64_t kReduction = 128, kMaxReduction = 256, kMaxParts = 16;
  const GPUTarget &target = version.options.target;
  // Tiles of parts lie side by side: each has whole groups.
  int64_t group = getGroupSize(product, k);
  int64_t reduction = std::max(kReduction, group);
  if (group < 1 || reduction > kMaxReduction || reduction % group != 0)
    return;
  int64_t least = std::max<int64_t>(version.options.threads / target.lanes, 1);
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  int64_t parts = least;
  int64_t columns = 32;
  if (!ShapedType::isDynamic(ranges[n])) {
    // So many subgroups of a processor have enough on their way from memory:
    // twice as many where a tile has half of the columns, and of the registers.
    // Of more columns, fewer workgroups read the rows; but few rows with many
    // scales wait for these.
    int64_t subgroups = 16;
    bool hasManyScales = rows <= 8 && group > 1 && group < 64;
    if (llvm::divideCeilSigned(ranges[n], columns) <
        (hasManyScales ? 4 : 2) * target.processors) {
      columns /= 2;
      subgroups *= 2;
    }
    int64_t tiles = llvm::divideCeil(ranges[n], columns);
    parts = llvm::bit_floor<uint64_t>(
        std::max<int64_t>(subgroups * target.processors / tiles, 1));
    parts = std::clamp(parts, least, kMaxParts);
  }
  // Each has a tile.
  if (!ShapedType::isDynamic(ranges[k]))
    parts = std::min<int64_t>(
        parts,
        llvm::bit_floor<uint64_t>(std::max<int64_t>(ranges[k] / reduction, 1)));
  if (parts < 2)
    return;
  if (!ShapedType::isDynamic(ranges[n]) && !ShapedType::isDynamic(ranges[k]) &&
      ranges[k] / reduction % parts != 0)
    parts =
        chooseParts(llvm::divideCeil(ranges[n], columns), ranges[k] / reduction,
                    std::min(least, parts), kMaxParts, target);
  version.parts = parts;
  version.options.narrowColumns = columns;
  version.options.narrowReduction = reduction;
  version.splitsSums = false;
}

/// Returns versions by the number of rows of a contraction. A contraction of
/// few rows waits until its right operand has been read. So as many workgroups
/// as memory needs read it, and each sums a part.
static Versions getVersionsByRows(const WorkgroupGroup &group) {
  if (group.contractions.empty() || group.options.versionsByM.empty())
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
  if (ShapedType::isDynamic(rows)) {
    int64_t loop = group.loops.find(product)->second[dims.m.front()];
    for (auto &[op, mapping] : group.loops)
      for (auto [own, ofRoot] : llvm::enumerate(mapping))
        if (auto linalgOp = dyn_cast<LinalgOp>(op);
            linalgOp && ofRoot == loop && result.dims.empty())
          (void)appendDim(group, linalgOp, own, result.dims);
    if (result.dims.empty())
      return {};
  }
  for (int64_t most : group.options.versionsByM) {
    if (!ShapedType::isDynamic(rows) && most < rows)
      continue;
    Version &version = result.versions.emplace_back();
    version.most = most;
    version.options = group.options;
    version.options.narrowRows = most;
    // With longer sums an iteration each thread copies some of the rows, too,
    // and waits half as often.
    version.options.narrowReduction *= 2;
    version.options.useProcessors = false;
    // They wait for memory.
    version.options.ways = {};
    version.splitsSums = true;
    if (group.options.target.asyncCopies && group.contractions.size() == 1 &&
        most <= group.options.target.matrixRows &&
        convertsBytes(group, product))
      sumInParts(version, product, rows, dims.n.back(), dims.k.front());
    if (!ShapedType::isDynamic(rows))
      break;
  }
  return result;
}

/// As many chunks save more than it takes to merge them.
static constexpr int64_t kLeastChunks = 5;

/// Appends `version` to `versions`, in parts if launches of many tiles get a
/// kernel of their own, and those of few split their sums.
static void addByTiles(const WorkgroupGroup &group, Versions &versions,
                       Version version) {
  using Tiles = TileToWorkgroupsOptions::Tiles;
  WorkgroupGroup same(group);
  same.options = version.options;
  if (std::optional<LaunchedKernels> kernels = same.getLaunchedKernels()) {
    LinalgOp contraction = group.contractions.front();
    if (contraction.getNumReductionLoops() == 1) {
      Version &split = versions.versions.emplace_back(version);
      split.options.tiles = Tiles::Few;
      split.options.narrowReduction = kernels->few.reduction;
      split.splitsSums = true;
      split.leastChunks = kLeastChunks;
    }
    for (auto number : llvm::seq<int64_t>(0, kernels->many.size())) {
      Version &many = versions.versions.emplace_back(version);
      many.options.tiles = Tiles::Many;
      many.options.numberOfMany = number;
      many.isCompared = true;
    }
    if (kernels->lone.rows > 0) {
      Version &lone = versions.versions.emplace_back(version);
      lone.options.tiles = Tiles::Lone;
      lone.isCompared = true;
    }
    version.options.tiles = Tiles::Few;
  }
  versions.versions.push_back(std::move(version));
}

/// Appends to `versions` the version with asynchronous products of operands
/// whose rows have a dynamic length, where this length is a multiple of 16
/// bytes, and then lets `general` have none.
static void addAlignedVersion(const WorkgroupGroup &group, Versions &versions,
                              Version &general) {
  if (!group.options.ways.anyAsync() || group.contractions.empty())
    return;
  Version aligned;
  aligned.most = ShapedType::kDynamic;
  aligned.options = group.options;
  for (LinalgOp contraction : group.contractions)
    for (Value operand : contraction.getDpsInputs()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && group.contains(producer))
        continue;
      auto rows =
          getDynamicRows(operand, readsTilesOf8Bits(contraction, group));
      if (rows && !llvm::is_contained(aligned.alignedRows, *rows))
        aligned.alignedRows.push_back(*rows);
    }
  if (aligned.alignedRows.empty())
    return;
  aligned.options.hasAlignedRows = true;
  for (LinalgOp contraction : group.contractions)
    for (Value operand : contraction.getDpsInputs()) {
      Operation *producer = operand.getDefiningOp();
      if (!(producer && group.contains(producer)) &&
          !explainNoTiles(operand, readsTilesOf8Bits(contraction, group),
                          /*hasAlignedRows=*/true)
               .empty())
        return;
    }
  addByTiles(group, versions, std::move(aligned));
  general.options.ways = {};
}

/// Appends to `versions` those of operands that are copied in front, to rows of
/// a multiple of 128 bytes: one for many tiles and one for few.
static void addCopyingVersions(const WorkgroupGroup &group,
                               Versions &versions) {
  // Of those for many, the one whose last round wastes least.
  constexpr int64_t kNumberOfMany = 1;
  if (!group.yields.empty() || group.getOperandsOfOtherRows().empty())
    return;
  LinalgOp contraction = group.contractions.front();
  if (!ShapedType::isDynamicShape(contraction.getStaticLoopRanges()))
    return;
  Version copying;
  copying.most = ShapedType::kDynamic;
  copying.options = group.options;
  copying.options.hasAlignedRows = copying.options.copiesRows = true;
  copying.options.tiles = TileToWorkgroupsOptions::Tiles::Many;
  copying.options.numberOfMany = kNumberOfMany;
  copying.isCompared = true;
  WorkgroupGroup same(group);
  same.options = copying.options;
  std::optional<LaunchedKernels> kernels = same.getLaunchedKernels();
  if (!kernels || kernels->many.size() <= kNumberOfMany)
    return;
  versions.versions.push_back(copying);
  copying.options.tiles = TileToWorkgroupsOptions::Tiles::Lone;
  copying.isCompared = false;
  versions.versions.push_back(std::move(copying));
}

Versions mlir::linalg_ext::getVersions(const WorkgroupGroup &group) {
  Versions result = getVersionsByRow(group);
  if (result.versions.empty())
    result = getVersionsByRows(group);
  // All sizes, or those that are larger.
  if (result.versions.empty() || !result.dims.empty()) {
    Version general;
    general.most = ShapedType::kDynamic;
    general.options = group.options;
    addAlignedVersion(group, result, general);
    addCopyingVersions(group, result);
    addByTiles(group, result, std::move(general));
  }
  return result;
}
