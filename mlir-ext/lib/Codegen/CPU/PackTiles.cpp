//===- PackTiles.cpp - Copies of tiles of a wide matrix -------------------===//
//
// In a tile of a wide matrix, rows are far apart in memory. If the distance is
// a multiple of a power of two, the rows share a few sets of each cache. These
// sets then lose lines of the tile before the next rows of the other operand
// use them (docs/Decisions/0095). A copy of the tile has its rows next to each
// other, and linalg-ext-vectorize-buffers prefetches the next tile while all
// rows use the copy.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Support/CPUTarget.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// If at least so many bytes divide both the distance of rows and the bytes of
/// a way, the rows are in an eighth of the sets or fewer.
static constexpr int64_t kSharedBytes = 512;

/// Returns the tensor that `value` is a slice of, or `value` if it is no slice.
static Value getWhole(Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  return value;
}

/// Returns whether the rows of `tile` may share a few sets of a cache. `tile`
/// is a part of the tensor `whole`, which has the same rank.
static bool mayShareSets(RankedTensorType tile, RankedTensorType whole) {
  ArrayRef<int64_t> sizes = tile.getShape(), all = whole.getShape();
  int64_t dim = sizes.size() - 1;
  while (dim > 0 && !ShapedType::isDynamic(sizes[dim]) &&
         sizes[dim] == all[dim])
    --dim;
  // Whole rows follow each other in memory.
  if (llvm::all_of(sizes.take_front(std::max<int64_t>(dim, 0)),
                   [](int64_t size) { return size == 1; }))
    return false;
  int64_t bytes = llvm::divideCeil(tile.getElementTypeBitWidth(), 8);
  for (int64_t size : all.drop_front(dim)) {
    if (ShapedType::isDynamic(size))
      return true;
    bytes *= size;
  }
  return std::gcd(bytes, CPUTarget::kWayBytes) >= kSharedBytes;
}

static bool isLastDim(AffineMap map, unsigned dim) {
  return map.getNumResults() > 0 &&
         map.getResults().back() == getAffineDimExpr(dim, map.getContext());
}

/// Returns the size of `type` in bytes, or none if it is unknown.
static std::optional<int64_t> getBytes(RankedTensorType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

LogicalResult mlir::linalg_ext::packTile(RewriterBase &rewriter,
                                         linalg::LinalgOp op,
                                         const PackTilesOptions &options) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumDpsInputs() != 2 || op.getNumReductionLoops() == 0 ||
      !linalg::isaContractionOpInterface(op))
    return rewriter.notifyMatchFailure(op, "not a contraction on tensors");
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isProjectedPermutation() || output.getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "no dimension is last");
  unsigned column = output.getDimPosition(output.getNumResults() - 1);
  OpOperand *left = nullptr, *right = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands())
    (isLastDim(op.getMatchingIndexingMap(operand), column) ? right : left) =
        operand;
  if (!left || !right)
    return rewriter.notifyMatchFailure(
        op, "not one operand is contiguous along the last dimension of the "
            "result");

  // Find the tile.
  auto type = cast<RankedTensorType>(right->get().getType());
  if (type.getElementType() != getElementTypeOrSelf(op->getResult(0)) ||
      !type.getElementType().isIntOrFloat())
    return rewriter.notifyMatchFailure(op, "the operand is extended");
  auto whole = cast<RankedTensorType>(getWhole(right->get()).getType());
  if (!right->get().getDefiningOp<tensor::ExtractSliceOp>() ||
      whole.getRank() != type.getRank() || !mayShareSets(type, whole))
    return rewriter.notifyMatchFailure(op, "its rows are in many sets");
  if (getBytes(type).value_or(options.minBytes) < options.minBytes ||
      getBytes(whole).value_or(options.minWholeBytes) < options.minWholeBytes)
    return rewriter.notifyMatchFailure(op, "a cache has it");

  // Find its uses.
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (!loop.isDefinedOutsideOfLoop(getWhole(left->get())))
      return rewriter.notifyMatchFailure(
          op, "a loop around it computes the other operand");
  int64_t rows = 1;
  AffineMap map = op.getMatchingIndexingMap(right);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator) && !map.isFunctionOfDim(dim))
      rows = ShapedType::isDynamic(ranges[dim])
                 ? std::max(rows, options.minRows)
                 : llvm::SaturatingMultiply<uint64_t>(rows, ranges[dim]);
  if (rows < options.minRows)
    return rewriter.notifyMatchFailure(op, "too few rows would read it again");

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(),
      tensor::getMixedSizes(rewriter, op.getLoc(), right->get()),
      type.getElementType());
  Value copy =
      linalg::CopyOp::create(rewriter, op.getLoc(), right->get(), empty)
          ->getResult(0);
  rewriter.modifyOpInPlace(op, [&] { right->set(copy); });
  return success();
}

namespace {
struct PackTile : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  PackTile(MLIRContext *context, const PackTilesOptions &options)
      : OpInterfaceRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    return packTile(rewriter, op, options);
  }

  PackTilesOptions options;
};
} // namespace

void mlir::linalg_ext::populatePackTilesPatterns(
    RewritePatternSet &patterns, const PackTilesOptions &options) {
  patterns.add<PackTile>(patterns.getContext(), options);
}
