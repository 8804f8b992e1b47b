//===- TileToThreads.cpp - Structured ops on buffers for threads ----------===//
//
// What tile-and-fuse has put into no loop (plain products, reductions of rows,
// elementwise ops) is cut here into pieces that threads can share. The pieces
// depend on the op alone, never on how many threads there are, so that results
// do not either. An op is cut where it has become one on buffers: that cannot
// make bufferization allocate or copy anything.
//
//   1. The sizes of a piece: a block of rows and columns of a contraction, else
//      as many of the inner dimensions as make it worth starting.
//   2. A loop over the pieces, with the op on views of its operands, and with
//      the fill that the op starts from.
//
//===----------------------------------------------------------------------===//

#include "VectorTile.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-tile-to-threads"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTTILETOTHREADSPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// What is not known is taken to be this large.
static constexpr int64_t kUnknownSize = 256;
/// A multiply-add of a contraction costs about this part of what an element of
/// another op does, which waits for memory.
static constexpr int64_t kContractionShare = 8;
/// Pieces of rows begin at a multiple of this many elements.
static constexpr int64_t kGranularity = 64;

static int64_t multiply(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? std::numeric_limits<int64_t>::max()
                                         : result;
}

/// The tile of each dimension of `op`, 0 where it is whole.
static SmallVector<int64_t> getTileSizes(LinalgOp op,
                                         const TileToThreadsOptions &options) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> tiles(ranges.size(), 0);
  int64_t work = 1, minWork = options.minWork;
  auto take = [&](unsigned dim, int64_t tile) {
    bool isDynamic = ShapedType::isDynamic(ranges[dim]);
    tiles[dim] = isDynamic ? tile : std::clamp<int64_t>(ranges[dim], 1, tile);
    work = multiply(work, tiles[dim]);
  };
  for (auto [range, iterator] : llvm::zip_equal(ranges, iterators))
    if (iterator != utils::IteratorType::parallel)
      work = multiply(work, ShapedType::isDynamic(range) ? kUnknownSize : range);

  // 1. A block of a contraction.
  if (linalg::isaContractionOpInterface(op)) {
    minWork = multiply(minWork, kContractionShare);
    linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
    for (auto [side, tile] : {std::make_pair(&dims.m, options.rows),
                              std::make_pair(&dims.n, options.columns)})
      for (unsigned dim : llvm::reverse(*side))
        if (ranges[dim] != 1) {
          take(dim, tile);
          break;
        }
  }

  // 2. Inner dimensions, until there is enough to do.
  bool isInnermost = true;
  for (int64_t dim = ranges.size() - 1; dim >= 0; --dim) {
    if (iterators[dim] != utils::IteratorType::parallel || tiles[dim] != 0)
      continue;
    int64_t missing = work >= minWork ? 1 : llvm::divideCeil(minWork, work);
    take(dim, isInnermost ? llvm::alignTo(missing, kGranularity) : missing);
    isInnermost = false;
  }
  for (auto [range, tile] : llvm::zip_equal(ranges, tiles))
    if (range == tile)
      tile = 0;
  return tiles;
}

FailureOr<scf::ForallOp>
mlir::linalg_ext::tileToThreads(RewriterBase &rewriter, LinalgOp op,
                                const TileToThreadsOptions &options,
                                std::string &reason) {
  if (!op.hasPureBufferSemantics()) {
    reason = "expected buffers, got tensors";
    return failure();
  }
  if (llvm::is_contained(op.getStaticLoopRanges(), 0)) {
    reason = "no iteration";
    return failure();
  }
  // 1. The pieces.
  SmallVector<int64_t> tiles = getTileSizes(op, options);
  if (llvm::all_of(tiles, [](int64_t tile) { return tile == 0; })) {
    reason = "it is one piece";
    return failure();
  }

  // 2. The loop.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> bounds, lower, upper, steps;
  for (Range range : op.createLoopRanges(rewriter, loc))
    bounds.push_back(range.size);
  for (auto [tile, bound] : llvm::zip_equal(tiles, bounds)) {
    if (tile == 0)
      continue;
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(bound);
    steps.push_back(rewriter.getIndexAttr(tile));
  }
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, steps,
                                    ValueRange(), std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  SmallVector<OpFoldResult> ivs, offsets;
  auto iv = loop.getInductionVars().begin();
  for (int64_t tile : tiles) {
    offsets.push_back(tile == 0 ? OpFoldResult(rewriter.getIndexAttr(0))
                                : OpFoldResult(*iv));
    if (tile != 0)
      ivs.push_back(*iv++);
  }
  SmallVector<Value> views = linalg::makeTiledShapes(
      rewriter, loc, op, op->getOperands(), ivs,
      getAsIndexOpFoldResult(rewriter.getContext(), tiles), bounds,
      /*omitPartialTileCheck=*/false);

  // 3. The op, and the fill in front of it.
  for (OpOperand &output : op.getDpsInitsMutable()) {
    linalg::FillOp fill = getAbsorbedFill(op, output.get());
    // Elements that no piece has would stay what they were.
    if (!fill || op.getMatchingIndexingMap(&output).getNumResults() !=
                     op.getNumParallelLoops())
      continue;
    linalg::FillOp::create(rewriter, fill.getLoc(), fill.value(),
                           views[output.getOperandNumber()]);
    rewriter.eraseOp(fill);
  }
  auto piece = cast<LinalgOp>(mlir::clone(rewriter, op, TypeRange(), views));
  linalg::offsetIndices(rewriter, piece, offsets);
  rewriter.eraseOp(op);
  return loop;
}

namespace {
struct LinalgExtTileToThreadsPass
    : public linalg_ext::impl::LinalgExtTileToThreadsPassBase<
          LinalgExtTileToThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (minWork < 1 || rows < 1 || columns < 1) {
      emitError(getOperation()->getLoc())
          << "expected 'min-work', 'rows' and 'columns' to be positive, got "
          << Twine(minWork.getValue()) << ", " << Twine(rows.getValue())
          << " and " << Twine(columns.getValue());
      return signalPassFailure();
    }
    TileToThreadsOptions options;
    options.minWork = minWork;
    options.rows = rows;
    options.columns = columns;
    IRRewriter rewriter(&getContext());
    // Copies are structured ops too.
    SmallVector<memref::CopyOp> copies;
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](memref::CopyOp op) {
      if (!op->getParentOfType<LoopLikeOpInterface>() &&
          isa<MemRefType>(op.getSource().getType()) &&
          isa<MemRefType>(op.getTarget().getType()))
        copies.push_back(op);
    });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    }
    // Fills last: other ops take them along.
    for (bool isFill : {false, true}) {
      ops.clear();
      getOperation()->walk([&](LinalgOp op) {
        if (isa<linalg::FillOp>(op) == isFill &&
            !op->getParentOfType<LoopLikeOpInterface>())
          ops.push_back(op);
      });
      for (LinalgOp op : ops) {
        std::string reason;
        if (failed(tileToThreads(rewriter, op, options, reason)))
          LDBG() << "not cut: " << reason << ": " << op;
      }
    }
  }
};
} // namespace
