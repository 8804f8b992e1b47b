//===- TileProducts.cpp - Tiling of contractions for a CPU ----------------===//
//
// See TileProducts.h. Later passes decide for each tile which values stay in
// registers and whether to transpose an operand (linalg-ext-vectorize-buffers,
// linalg-ext-prepare-operands).
//
//   1. Choose the tile sizes.
//   2. Tile the last elementwise consumer by an scf.forall, and fuse the
//      contraction and the producers of its destination.
//   3. If tiles of the weights will be transposed, tile the columns of the
//      contraction again by an scf.for, and fuse the fill of its destination.
//   4. Tile the reduction dimension of the contraction by an scf.for.
//
// Operands that are stored narrower are dequantized in the innermost loop.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/TileProducts.h"
#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Selection/StaticSize.h"

#include "ProductDims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

FailureOr<ProductDims> mlir::linalg_ext::getProductDims(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || !linalg::isaContractionOpInterface(op))
    return failure();
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isProjectedPermutation() || output.getNumResults() == 0)
    return failure();
  ProductDims dims;
  unsigned last = output.getDimPosition(output.getNumResults() - 1);
  AffineMap left, right;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    (map.isFunctionOfDim(last) ? right : left) = map;
  }
  if (!left || !right)
    return failure();
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (linalg::isReductionIterator(iterator))
      dims.sums.push_back(dim);
    else if (!right.isFunctionOfDim(dim))
      dims.rows.push_back(dim);
    else if (left.isFunctionOfDim(dim))
      dims.batches.push_back(dim);
    else if (dim != last)
      dims.columns.push_back(dim);
  }
  dims.columns.push_back(last);
  return dims;
}

static CPULoopShape getShape(linalg::LinalgOp op, const ProductDims &dims) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  CPULoopShape shape;
  shape.batches = getStaticSize(dims.batches, ranges);
  shape.rows = getStaticSize(dims.rows, ranges);
  shape.columns = getStaticSize(dims.columns, ranges);
  shape.depth = getStaticSize(dims.sums, ranges);
  if (Type element = getElementTypeOrSelf(op->getResult(0));
      element.isIntOrFloat())
    shape.elementBytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return shape;
}

/// Returns the tile sizes of the outer loop, one for each loop of `op`.
static SmallVector<int64_t> getOuterSizes(linalg::LinalgOp op,
                                          const ProductDims &dims,
                                          const CPUTiles &tiles) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> sizes(ranges.size(), 0);
  for (unsigned dim : dims.batches)
    sizes[dim] = 1;
  // Goes from the innermost dimension outwards. A tile size of 0 stands for the
  // whole dimension.
  auto distribute = [&](ArrayRef<unsigned> of, int64_t missing) {
    for (unsigned dim : llvm::reverse(of)) {
      if (missing == 0)
        break;
      int64_t range = ranges[dim];
      sizes[dim] = std::max<int64_t>(
          ShapedType::isDynamic(range) ? missing : std::min(range, missing), 1);
      missing = std::max<int64_t>(missing / sizes[dim], 1);
    }
  };
  distribute(dims.columns, tiles.columns);
  distribute(dims.rows, tiles.rows);
  return sizes;
}

static bool isElementwiseOnTensors(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         linalg::isElementwise(op);
}

namespace {
/// The end of a chain of elementwise ops after a contraction. Each op of the
/// chain reads the one before it.
struct Epilogue {
  linalg::LinalgOp last;
  /// For each dimension of the contraction's result, the loop of `last` that
  /// runs over it.
  SmallVector<unsigned> loops;
};
} // namespace

static Epilogue getEpilogue(linalg::LinalgOp op) {
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Epilogue epilogue{op, {}};
  for (unsigned i = 0; i < output.getNumResults(); ++i)
    epilogue.loops.push_back(output.getDimPosition(i));
  while (epilogue.last->getResult(0).hasOneUse()) {
    OpOperand &use = *epilogue.last->getResult(0).use_begin();
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!user || user->getBlock() != op->getBlock() ||
        !isElementwiseOnTensors(user) || user.isDpsInit(&use))
      break;
    AffineMap read = user.getMatchingIndexingMap(&use);
    if (!read.isPermutation())
      break;
    // Map the loops of the user to dimensions of the result.
    AffineMap written = epilogue.last.getMatchingIndexingMap(
        epilogue.last.getDpsInitOperand(0));
    for (unsigned &loop : epilogue.loops)
      loop = read.getDimPosition(*written.getResultPosition(
          getAffineDimExpr(loop, written.getContext())));
    epilogue.last = user;
  }
  return epilogue;
}

/// Returns the ops that loops over tiles of `last` can compute without
/// computing an element twice: elementwise ops and contractions that have no
/// other user, and fills of destinations. A fill may have other users, since it
/// costs nothing. Operands of contractions are dequantized in the loops, too,
/// again for each block of rows.
static llvm::SetVector<Operation *> collectFused(linalg::LinalgOp last) {
  llvm::SetVector<Operation *> fused;
  SmallVector<linalg::LinalgOp> worklist{last};
  while (!worklist.empty()) {
    linalg::LinalgOp op = worklist.pop_back_val();
    for (OpOperand &operand : op->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
      if (!producer || producer->getBlock() != last->getBlock())
        continue;
      if (op.isDpsInit(&operand)) {
        if (isa<linalg::FillOp>(producer.getOperation()) ||
            (isElementwiseOnTensors(producer) && producer->hasOneUse()))
          fused.insert(producer);
        continue;
      }
      if (succeeded(getProductDims(op))) {
        for (linalg::LinalgOp each :
             getDequantization(operand.get(), ElementReads::OfRows))
          if (each->getBlock() == last->getBlock())
            fused.insert(each);
        continue;
      }
      if (!isElementwiseOnTensors(op) || !producer->hasOneUse() ||
          !op.getMatchingIndexingMap(&operand).isPermutation())
        continue;
      if ((isElementwiseOnTensors(producer) ||
           succeeded(getProductDims(producer))) &&
          fused.insert(producer))
        worklist.push_back(producer);
    }
  }
  return fused;
}

static scf::SCFTilingOptions makeTiling(RewriterBase &rewriter,
                                        ArrayRef<int64_t> sizes) {
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), sizes));
  return tiling;
}

/// Tiles `op`, and fuses the producers of its operands that are in `fused`.
static FailureOr<scf::SCFTileAndFuseResult>
tileAndFuse(RewriterBase &rewriter, linalg::LinalgOp op,
            const scf::SCFTilingOptions &tiling,
            const llvm::SetVector<Operation *> &fused) {
  scf::SCFTileAndFuseOptions fusion;
  fusion.setTilingOptions(tiling);
  fusion.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!fused.contains(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  return scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), fusion);
}

/// Returns whether the operand with the columns is stored by columns. If so,
/// linalg-ext-prepare-operands transposes a tile of it for many rows.
static bool isTransposed(linalg::LinalgOp op, const ProductDims &dims) {
  std::optional<int64_t> rows =
      getStaticSize(dims.rows, op.getStaticLoopRanges());
  if (rows && *rows <= kFewRows)
    return false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isFunctionOfDim(dims.columns.back()))
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    return last && llvm::is_contained(dims.sums, last.getPosition()) &&
           getElementTypeOrSelf(operand->get()) ==
               getElementTypeOrSelf(op->getResult(0));
  }
  return false;
}

/// Returns the ops in the block of `op` that dequantize its operands.
static llvm::SetVector<Operation *> getDequantizing(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> ops;
  for (Value operand : op.getDpsInputs())
    for (linalg::LinalgOp each :
         getDequantization(operand, ElementReads::OfRows))
      if (each->getBlock() == op->getBlock())
        ops.insert(each);
  return ops;
}

/// Returns whether `op` multiplies bytes that are contiguous along its only
/// sum, for an instruction that sums the products of neighbours.
static bool sumsBytesAlongLanes(linalg::LinalgOp op, const ProductDims &dims,
                                const CPUTarget &core) {
  auto dot = static_cast<ByteProducts>(core.byteDot);
  return (dot == ByteProducts::Fours || dot == ByteProducts::SignedFours) &&
         dims.sums.size() == 1 &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
           return getElementTypeOrSelf(operand->get()).isInteger(8) &&
                  op.getMatchingIndexingMap(operand).getResults().back() ==
                      getAffineDimExpr(dims.sums.front(), op.getContext());
         });
}

/// Returns whether digits of rows may multiply the integers that `op`
/// dequantizes with arithmetic only, and that are contiguous along its sum.
/// They are read in the order of memory, word by word for all rows
/// (RowsOfDigits.cpp).
static bool multipliesDigits(linalg::LinalgOp op, const ProductDims &dims,
                             const CPUTarget &core) {
  if (static_cast<ByteProducts>(core.byteDot) != ByteProducts::Fours ||
      core.getLanes(32) != 16)
    return false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<linalg::LinalgOp> steps = getDequantization(operand->get());
    if (steps.empty() || !map.isFunctionOfDim(dims.columns.back()))
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || !llvm::is_contained(dims.sums, last.getPosition()))
      return false;
    bool hasIntegers = false;
    for (linalg::LinalgOp step : steps) {
      for (Value input : step.getDpsInputs())
        hasIntegers |= getElementTypeOrSelf(input).isSignlessInteger(8);
      for (Operation &inner : step.getBlock()->without_terminator())
        if (isa<arith::SelectOp, tensor::ExtractOp>(inner))
          return false;
    }
    return hasIntegers;
  }
  return false;
}

/// Returns the tile sizes of `op`. If an operand is dequantized, each strip of
/// few columns reads all of the few rows again. So these rows should stay in
/// the first cache.
static CPUTiles chooseTiles(linalg::LinalgOp op, const ProductDims &dims,
                            const CPUTarget &core,
                            const CPUTileOptions &options) {
  CPULoopShape shape = getShape(op, dims);
  if (sumsBytesAlongLanes(op, dims, core))
    shape.fewRows = kFewRowsOfBytes;
  CPUTiles tiles = chooseCPUProductTiles(shape, core, options);
  if (tiles.keys == 0 && !getDequantizing(op).empty() &&
      !multipliesDigits(op, dims, core))
    tiles.keys = chooseSumsOfFewRows(shape, core);
  return tiles;
}

/// Cuts the columns of a contraction into strips, and fills its destination
/// strip by strip. Returns the contraction in the loop, or `op` if it is not
/// cut.
static linalg::LinalgOp tileStrips(RewriterBase &rewriter, linalg::LinalgOp op,
                                   const CPUTarget &core) {
  FailureOr<ProductDims> dims = getProductDims(op);
  if (failed(dims) || !isTransposed(op, *dims))
    return op;
  CPUTiles tiles;
  tiles.columns = getStripColumns(core);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(),
                       sizes = getOuterSizes(op, *dims, tiles);
  bool isWhole = true;
  for (unsigned dim : dims->columns)
    isWhole &= sizes[dim] == ranges[dim];
  if (isWhole)
    return op;
  Operation *fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  llvm::SetVector<Operation *> fused = getDequantizing(op);
  if (fill)
    fused.insert(fill);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      tileAndFuse(rewriter, op, makeTiling(rewriter, sizes), fused);
  if (failed(tiled))
    return op;
  rewriter.replaceOp(op, tiled->replacements.lookup(op->getResult(0)));
  for (Operation *each : fused)
    if (each->use_empty())
      rewriter.eraseOp(each);
  return cast<linalg::LinalgOp>(tiled->tiledAndFusedOps.front());
}

/// Tiles the reduction dimension of a contraction, and dequantizes operands in
/// the loop.
static void tileSums(RewriterBase &rewriter, linalg::LinalgOp op,
                     const CPUTarget &core, const CPUTileOptions &options) {
  FailureOr<ProductDims> dims = getProductDims(op);
  if (failed(dims))
    return;
  int64_t size = chooseTiles(op, *dims, core, options).keys;
  if (size == 0)
    return;
  llvm::SetVector<Operation *> fused = getDequantizing(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> sizes(op.getNumLoops(), 0);
  sizes[dims->sums.back()] = size;
  // If operands are dequantized, a tile has `size` elements over all reduction
  // dimensions together, such as groups and the elements of a group.
  for (unsigned dim : llvm::reverse(dims->sums)) {
    if (fused.empty() || ShapedType::isDynamic(ranges[dim]))
      break;
    sizes[dim] = std::clamp<int64_t>(ranges[dim], 1, size);
    size = std::max<int64_t>(size / sizes[dim], 1);
  }
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      tileAndFuse(rewriter, op, makeTiling(rewriter, sizes), fused);
  if (failed(tiled))
    return;
  rewriter.replaceOp(op, tiled->replacements.lookup(op->getResult(0)));
  // Erase each op after its users.
  for (Operation *each : fused)
    if (each->use_empty())
      rewriter.eraseOp(each);
}

LogicalResult mlir::linalg_ext::tileProduct(RewriterBase &rewriter,
                                            linalg::LinalgOp op,
                                            const CPUTarget &core,
                                            const CPUTileOptions &options) {
  // 1. Choose the tile sizes.
  FailureOr<ProductDims> dims = getProductDims(op);
  if (failed(dims))
    return rewriter.notifyMatchFailure(op, "not a product of two tensors");
  // Upstream's tiling crashes on empty loops (22.1.8).
  if (llvm::is_contained(op.getStaticLoopRanges(), 0))
    return rewriter.notifyMatchFailure(op, "it multiplies nothing");
  if (hasDifferentSizes(op))
    return rewriter.notifyMatchFailure(op, "its operands differ in a size");
  CPUTiles tiles = chooseTiles(op, *dims, core, options);
  if (tiles.rows == 0 && tiles.columns == 0 && tiles.keys == 0)
    return rewriter.notifyMatchFailure(op, "it is one tile");
  SmallVector<int64_t> sizes = getOuterSizes(op, *dims, tiles);
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; })) {
    tileSums(rewriter, tileStrips(rewriter, op, core), core, options);
    return success();
  }

  // 2. Build the outer loop, with what the product is added to and what is
  //    computed from it.
  Epilogue epilogue = getEpilogue(op);
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> outer(epilogue.last.getNumLoops(), 0);
  for (auto [i, loop] : llvm::enumerate(epilogue.loops))
    outer[loop] = sizes[output.getDimPosition(i)];
  llvm::SetVector<Operation *> fused = collectFused(epilogue.last);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      tileAndFuse(rewriter, epilogue.last,
                  makeTiling(rewriter, outer)
                      .setLoopType(scf::SCFTilingOptions::LoopType::ForallOp),
                  fused);
  if (failed(tiled))
    return rewriter.notifyMatchFailure(op, "it cannot be tiled");
  for (auto [from, to] : tiled->replacements)
    rewriter.replaceAllUsesWith(from, to);
  fused.insert(epilogue.last);
  // Producers come after the ops that read them. Fills may have other users.
  while (llvm::any_of(fused, [](Operation *each) { return each->use_empty(); }))
    for (Operation *each : llvm::to_vector(fused))
      if (each->use_empty()) {
        fused.remove(each);
        rewriter.eraseOp(each);
      }

  // 3 and 4. Build the loops over strips and over sums.
  for (Operation *each : tiled->tiledAndFusedOps)
    if (auto product = dyn_cast<linalg::LinalgOp>(each))
      tileSums(rewriter, tileStrips(rewriter, product, core), core, options);
  return success();
}
