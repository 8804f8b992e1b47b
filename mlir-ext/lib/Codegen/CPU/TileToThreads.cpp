//===- TileToThreads.cpp - Tiling of other ops for threads ----------------===//
//
// Tiles the ops that tile-and-fuse has put into no loop (plain products,
// reductions of rows, elementwise ops) into pieces for threads. The pieces
// depend on the op only and not on the number of threads, so the results do not
// depend on it either. The pass runs after bufferization, so tiling cannot
// introduce allocations or copies.
//
//   1. Choose the size of a piece: a block of rows and columns for a
//      contraction, otherwise inner dimensions until a piece is worth starting.
//   2. Create an scf.forall over the pieces. Its body has the op on views, and
//      the fill that initialises its output.
//
//===----------------------------------------------------------------------===//

#include "CopyOps.h"
#include "RegisterTile.h"

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-tile-to-threads"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// The cost of an element of an op that is no contraction, in multiply-adds of
/// a contraction. Such an op waits for memory.
static constexpr int64_t kContractionShare = 8;
/// Each piece of a row begins at a multiple of this many elements.
static constexpr int64_t kGranularity = 64;

namespace {
/// Computes the tile of each dimension of an op. If sizes are dynamic, the
/// computation is built before the op.
class PieceSizes {
public:
  PieceSizes(OpBuilder &b, LinalgOp op, ArrayRef<OpFoldResult> sizes)
      : b(b), loc(op.getLoc()), op(op), sizes(sizes),
        tiles(sizes.size(), b.getIndexAttr(0)), work(b.getIndexAttr(1)) {}

  SmallVector<OpFoldResult> compute(const TileToThreadsOptions &options);

private:
  /// Cuts `dim` into tiles of `tile`, or of more, so that they begin with whole
  /// words of what is unpacked. Leaves it whole if it is not larger.
  void cut(unsigned dim, OpFoldResult tile);
  OpFoldResult atLeastOne(OpFoldResult size) {
    return affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 1,
                       {b.getAffineSymbolExpr(0), b.getAffineConstantExpr(1)},
                       b.getContext()),
        {size});
  }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }

  OpBuilder &b;
  Location loc;
  LinalgOp op;
  ArrayRef<OpFoldResult> sizes;
  SmallVector<OpFoldResult> tiles;
  /// The iterations of a piece, as far as it has been chosen.
  OpFoldResult work;
};
} // namespace

void PieceSizes::cut(unsigned dim, OpFoldResult tile) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  if (int64_t multiple = getTileMultiple(op, dim); multiple > 1)
    tile = apply(s0.ceilDiv(multiple) * multiple, {tile});
  tiles[dim] = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(0, 2, {s0, s1}, b.getContext()),
      {tile, sizes[dim]});
  work = apply(s0 * s1, {work, tiles[dim]});
  // The step of a loop must not be zero, even if the loop has no iteration.
  tiles[dim] = atLeastOne(tiles[dim]);
}

SmallVector<OpFoldResult>
PieceSizes::compute(const TileToThreadsOptions &options) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  for (auto [size, iterator] : llvm::zip_equal(sizes, iterators))
    if (iterator != utils::IteratorType::parallel)
      work = apply(s0 * s1, {work, size});

  // 1. Choose a block of a contraction.
  int64_t minWork = options.minWork;
  llvm::SmallBitVector isCut(sizes.size());
  if (linalg::isaContractionOpInterface(op)) {
    minWork *= kContractionShare;
    linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
    for (auto [side, tile] : {std::make_pair(&dims.m, options.rows),
                              std::make_pair(&dims.n, options.columns)})
      for (unsigned dim : llvm::reverse(*side))
        if (!isConstantIntValue(sizes[dim], 1)) {
          cut(dim, b.getIndexAttr(tile));
          isCut.set(dim);
          break;
        }
  }

  // 2. Add inner dimensions, until there is enough work.
  bool isInnermost = true;
  for (int64_t dim = sizes.size() - 1; dim >= 0; --dim) {
    if (iterators[dim] != utils::IteratorType::parallel || isCut.test(dim))
      continue;
    AffineExpr missing = b.getAffineConstantExpr(minWork).ceilDiv(s0);
    if (isInnermost)
      missing = missing.ceilDiv(kGranularity) * kGranularity;
    cut(dim, apply(missing, {atLeastOne(work)}));
    isInnermost = false;
  }
  return tiles;
}

FailureOr<scf::ForallOp>
mlir::linalg_ext::tileToThreads(RewriterBase &rewriter, LinalgOp op,
                                const TileToThreadsOptions &options,
                                Refusal &refusal) {
  if (!op.hasPureBufferSemantics())
    return refusal.set(RefusalKind::Other, op, "expected buffers, got tensors");
  if (llvm::is_contained(op.getStaticLoopRanges(), 0))
    return refusal.set(RefusalKind::Other, op, "no iteration");
  if (options.minWork > std::numeric_limits<int64_t>::max() / 16)
    return refusal.set(RefusalKind::Intended, op, "it is one piece");

  // 1. Choose the pieces. There is nothing to do if there is only one.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes, lower, upper, steps;
  for (Range range : op.createLoopRanges(rewriter, loc))
    sizes.push_back(range.size);
  SmallVector<OpFoldResult> tiles =
      PieceSizes(rewriter, op, sizes).compute(options);
  for (auto [tile, size] : llvm::zip_equal(tiles, sizes)) {
    // Leave the dimension whole, if its type shows that one tile covers it.
    if (isEqualConstantIntOrValue(tile, size))
      tile = rewriter.getIndexAttr(0);
    if (isZeroInteger(tile))
      continue;
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(size);
    steps.push_back(tile);
  }
  if (steps.empty())
    return refusal.set(RefusalKind::Intended, op, "it is one piece");

  // 2. Build the loop.
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, steps,
                                    ValueRange(), std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  SmallVector<OpFoldResult> ivs = getAsOpFoldResult(loop.getInductionVars()),
                            offsets;
  auto *iv = ivs.begin();
  for (OpFoldResult tile : tiles)
    offsets.push_back(isZeroInteger(tile) ? tile : *iv++);
  SmallVector<Value> views = linalg::makeTiledShapes(
      rewriter, loc, op, op->getOperands(), ivs, tiles, sizes,
      /*omitPartialTileCheck=*/false);

  // 3. Build the op, and the fill before it.
  for (OpOperand &output : op.getDpsInitsMutable()) {
    linalg::FillOp fill = getAbsorbedFill(op, output.get());
    // Elements that are in no piece would keep their old values.
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

void mlir::linalg_ext::tileAllToThreads(RewriterBase &rewriter,
                                        Operation *scope) {
  TileToThreadsOptions options;
  // Copies become structured ops, too.
  replaceCopies(rewriter, scope, [](memref::CopyOp op) {
    return !op->getParentOfType<LoopLikeOpInterface>();
  });
  // Fills come last, because other ops take them along.
  for (bool isFill : {false, true}) {
    SmallVector<LinalgOp> ops;
    scope->walk([&](LinalgOp op) {
      if (isa<linalg::FillOp>(op) == isFill &&
          !op->getParentOfType<LoopLikeOpInterface>())
        ops.push_back(op);
    });
    for (LinalgOp op : ops) {
      Refusal refusal;
      if (failed(tileToThreads(rewriter, op, options, refusal)))
        LDBG() << "not cut: " << refusal.text << ": " << op;
    }
  }
}
