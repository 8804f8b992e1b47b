//===- AwaitBehindLoops.cpp - Products that loops carry -------------------===//
//
// A loop that sums products starts those of an iteration and waits for them.
// While it waits for the next tiles and starts the next products, nothing is
// multiplied, unless other groups of threads do. This step lets the loop carry
// the products: an iteration starts its own ones behind those of the previous
// iteration, and waits for the latter before their tiles are written again.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::AsyncMmaOp;
using vector_ext::AwaitEarlierOp;
using vector_ext::AwaitOp;

/// Whether `op` may write a tile that an instruction reads, or wait for other
/// threads.
static bool mayWriteTile(Operation *op) {
  if (op->getNumRegions() != 0 || isa<gpu::BarrierOp>(op))
    return true;
  return !isMemoryEffectFree(op) && !isa<AsyncMmaOp, AwaitOp>(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>) &&
         !hasSingleEffect<MemoryEffects::Read>(op);
}

/// If `await` ends an iteration of a loop that only hands its results on, to
/// the same instructions of the next one, moves it behind the loop. Each
/// iteration awaits the instructions of the previous one instead, in front of
/// the barrier behind which their tiles are written again. So one iteration is
/// multiplied while threads prepare the next one.
static void awaitBehindLoop(RewriterBase &rewriter, AwaitOp await) {
  auto loop = dyn_cast<scf::ForOp>(await->getParentOp());
  if (!loop)
    return;
  // 1. Chains from what the loop carries to what it yields.
  Operation *yield = loop.getBody()->getTerminator(), *end = nullptr;
  SmallVector<unsigned> carried;
  for (auto [input, result] :
       llvm::zip_equal(await.getInputs(), await.getResults())) {
    if (!result.hasOneUse() || *result.user_begin() != yield)
      return;
    unsigned number = result.use_begin()->getOperandNumber();
    BlockArgument argument = loop.getRegionIterArg(number);
    auto op = input.getDefiningOp<AsyncMmaOp>();
    if (!op || op->getBlock() != loop.getBody())
      return;
    if (!end || end->isBeforeInBlock(op))
      end = op;
    // What is in registers would be written before the instructions read it.
    while (op && op.getLhsLayout() && op.getAcc() != argument)
      op = op.getAcc().getDefiningOp<AsyncMmaOp>();
    if (!op || !op.getLhsLayout() || !argument.hasOneUse())
      return;
    carried.push_back(number);
  }
  // 2. Up to the barrier, nobody writes; nor behind the wait, where tiles of
  // this iteration are no longer read.
  Operation *barrier = nullptr;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == await)
      break;
    if (!mayWriteTile(&op))
      continue;
    if (!isa<gpu::BarrierOp>(op) || op.isBeforeInBlock(end))
      return;
    barrier = &op;
    break;
  }
  if (!barrier)
    return;
  for (Operation *op = await->getNextNode(); op != yield;
       op = op->getNextNode())
    if (!isa<gpu::BarrierOp>(op) && mayWriteTile(op))
      return;
  // 3. Waits.
  rewriter.setInsertionPoint(barrier);
  AwaitEarlierOp::create(rewriter, await.getLoc(), await.getInputs());
  rewriter.replaceOp(await, SmallVector<Value>(await.getInputs()));
  rewriter.setInsertionPointAfter(loop);
  SmallVector<Value> open =
      llvm::map_to_vector(carried, [&](unsigned number) -> Value {
        return loop.getResult(number);
      });
  auto behind = AwaitOp::create(rewriter, await.getLoc(), open);
  for (auto [value, result] : llvm::zip_equal(open, behind.getResults()))
    rewriter.replaceAllUsesExcept(value, result, behind);
}

void mlir::linalg_ext::awaitBehindLoops(RewriterBase &rewriter,
                                        gpu::LaunchOp launch) {
  SmallVector<AwaitOp> awaits;
  launch.walk([&](AwaitOp await) { awaits.push_back(await); });
  for (AwaitOp await : awaits)
    awaitBehindLoop(rewriter, await);
}
