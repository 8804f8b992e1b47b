//===- MapForallToLaunch.cpp - A kernel for each loop over workgroups -----===//
//
// Upstream's transform.gpu.map_forall_to_blocks needs trip counts that are
// constants. Here the host computes them; any number of loops is one dimension
// of the grid.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTMAPFORALLTOLAUNCHPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

FailureOr<gpu::LaunchOp>
mlir::linalg_ext::mapForallToLaunch(RewriterBase &rewriter,
                                    scf::ForallOp forall, int64_t numThreads,
                                    std::string &reason) {
  if (forall->getNumResults() != 0) {
    reason = "expected a loop on buffers, got one with results";
    return failure();
  }
  if (!isMemoryEffectFree(forall.getTerminator()) ||
      !forall.getTerminator().getBody()->empty()) {
    reason = "expected an empty terminator";
    return failure();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(forall);
  Location loc = forall.getLoc();

  // 1. The grid.
  AffineExpr lower = rewriter.getAffineSymbolExpr(0),
             upper = rewriter.getAffineSymbolExpr(1),
             step = rewriter.getAffineSymbolExpr(2);
  AffineMap countMap = AffineMap::get(0, 3, (upper - lower).ceilDiv(step));
  AffineMap productMap = AffineMap::get(0, 2, lower * upper);
  SmallVector<OpFoldResult> counts;
  OpFoldResult total = rewriter.getIndexAttr(1);
  for (auto [lower, upper, step] :
       llvm::zip_equal(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                       forall.getMixedStep())) {
    counts.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, countMap, {lower, upper, step}));
    total = affine::makeComposedFoldedAffineApply(rewriter, loc, productMap,
                                                  {total, counts.back()});
  }
  // Where nothing is launched any basis will do, but one of zero.
  for (OpFoldResult &count : counts)
    if (getConstantIntValue(count) == 0)
      count = rewriter.getIndexAttr(1);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value threads = arith::ConstantIndexOp::create(rewriter, loc, numThreads);
  Value grid = getValueOrCreateConstantIndexOp(rewriter, loc, total);
  auto launch =
      gpu::LaunchOp::create(rewriter, loc, grid, one, one, threads, one, one);

  // 2. The induction variables, the last one fastest.
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value id = launch.getBlockIds().x;
  SmallVector<Value> ids;
  if (counts.size() == 1)
    ids.push_back(id);
  else
    llvm::append_range(
        ids, affine::AffineDelinearizeIndexOp::create(rewriter, loc, id, counts)
                 .getResults());
  AffineMap ivMap =
      AffineMap::get(0, 3, lower + upper * step); // lower + id * step
  SmallVector<Value> ivs;
  for (auto [id, lower, step] :
       llvm::zip_equal(ids, forall.getMixedLowerBound(), forall.getMixedStep()))
    ivs.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, ivMap, {lower, OpFoldResult(id), step})));

  // 3. The body.
  auto terminator = gpu::TerminatorOp::create(rewriter, loc);
  rewriter.eraseOp(forall.getTerminator());
  rewriter.inlineBlockBefore(forall.getBody(), terminator, ivs);
  rewriter.eraseOp(forall);
  return launch;
}

namespace {
struct LinalgExtMapForallToLaunchPass
    : public linalg_ext::impl::LinalgExtMapForallToLaunchPassBase<
          LinalgExtMapForallToLaunchPass> {
  using Base::Base;

  void runOnOperation() override {
    if (numThreads < 1 || numThreads > 1024) {
      emitError(getOperation()->getLoc())
          << "expected 'num-threads' to be between 1 and 1024, got "
          << Twine(numThreads.getValue());
      return signalPassFailure();
    }
    SmallVector<scf::ForallOp> foralls;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      auto forall = dyn_cast<scf::ForallOp>(op);
      if (!forall)
        return WalkResult::advance();
      foralls.push_back(forall);
      return WalkResult::skip();
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp forall : foralls) {
      // Only loops over workgroups, if they say what they are.
      std::optional<ArrayAttr> mapping = forall.getMapping();
      if (mapping && llvm::any_of(*mapping, [](Attribute attr) {
            return !isa<gpu::GPUBlockMappingAttr>(attr);
          }))
        continue;
      std::string reason;
      if (failed(mapForallToLaunch(rewriter, forall, numThreads, reason)))
        forall.emitRemark() << "no kernel: " << reason;
    }
  }
};
} // namespace
