//===- SplitWorkgroups.cpp - Smaller workgroups ---------------------------===//
//
// All threads of a workgroup run on one processor. If they neither synchronise
// nor exchange data, as in the merge of partial results, they can belong to
// several smaller workgroups, which run on several processors.
//
//   1. Check that the body uses no ids but block id x, thread id x and lane id,
//      and no op that involves other threads.
//   2. Reduce the block size and multiply the grid size.
//   3. Recompute the old block id and thread id in the body.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether the threads of `launch` are independent of each other, and
/// use no ids other than thread id x and block id x. They may also use the lane
/// id, unless workgroups of `threads` threads would cut a subgroup.
static bool isByThread(gpu::LaunchOp launch, int64_t threads) {
  // The most lanes of a subgroup of any GPU.
  constexpr int64_t kMostLanes = 64;
  // The other arguments of the body are other ids, and sizes.
  Value block = launch.getBlockIds().x;
  if (llvm::any_of(launch.getBody().getArguments(), [&](Value argument) {
        return argument != block && !argument.use_empty();
      }))
    return false;
  WalkResult walk = launch.getBody().walk([&](Operation *op) {
    if (isa<gpu::TerminatorOp>(op) ||
        (isa<gpu::LaneIdOp>(op) && threads % kMostLanes == 0))
      return WalkResult::advance();
    if (auto thread = dyn_cast<gpu::ThreadIdOp>(op))
      return thread.getDimension() == gpu::Dimension::x
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    // An allocation in a launch is shared by the workgroup.
    bool isKnown =
        isa<affine::AffineDialect, arith::ArithDialect, math::MathDialect,
            memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
            vector::VectorDialect>(op->getDialect());
    return (isKnown && !isa<memref::AllocOp, memref::AllocaOp>(op)) ||
                   isa<vector_ext::AssumeOp>(op)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

bool mlir::linalg_ext::splitWorkgroups(RewriterBase &rewriter,
                                       gpu::LaunchOp launch, int64_t threads) {
  auto isOne = [](Value size) { return getConstantIntValue(size) == 1; };
  std::optional<int64_t> all = getConstantIntValue(launch.getBlockSizeX());
  if (!all || *all <= threads || *all % threads != 0 ||
      !isOne(launch.getBlockSizeY()) || !isOne(launch.getBlockSizeZ()) ||
      launch.getClusterSizeX() || !isByThread(launch, threads))
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(launch);
  ImplicitLocOpBuilder b(launch.getLoc(), rewriter);
  Value parts = arith::ConstantIndexOp::create(b, *all / threads);
  Value grid = arith::MulIOp::create(b, launch.getGridSizeX(), parts);
  Value fewer = arith::ConstantIndexOp::create(b, threads);
  rewriter.modifyOpInPlace(launch, [&] {
    launch.getGridSizeXMutable().set(grid);
    launch.getBlockSizeXMutable().set(fewer);
  });

  // Rebuild the ids before the split.
  b.setInsertionPointToStart(&launch.getBody().front());
  Value block = launch.getBlockIds().x;
  Value whole = arith::DivUIOp::create(b, block, parts);
  Value part = arith::RemUIOp::create(b, block, parts);
  Value first = arith::MulIOp::create(b, part, fewer);
  llvm::SmallPtrSet<Operation *, 2> here{whole.getDefiningOp(),
                                         part.getDefiningOp()};
  rewriter.replaceAllUsesExcept(block, whole, here);
  launch.getBody().walk([&](gpu::ThreadIdOp thread) {
    rewriter.setInsertionPointAfter(thread);
    Value number = arith::AddIOp::create(rewriter, thread.getLoc(), first,
                                         thread.getResult());
    rewriter.replaceAllUsesExcept(thread, number, number.getDefiningOp());
  });
  return true;
}
