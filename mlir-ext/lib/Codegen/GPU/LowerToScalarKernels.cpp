//===- LowerToScalarKernels.cpp - Kernels of scalar code ------------------===//
//
// Creates a kernel for each op that no other pass has put into a kernel. A
// thread computes one iteration of the parallel dimensions with scalar code.
// This works for any shape, so all GPU pipelines fall back to it.
//
//   1. Rewrite memref.copy as a structured op.
//   2. Put stores of single elements into launches of one thread.
//   3. Replace each structured op outside of kernels by a gpu.launch.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool isOnBuffers(Operation *op) {
  return op->getNumResults() == 0 &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
}

/// Builds scalar code for the iteration at `ivs`, with sequential loops inside.
static LogicalResult buildIteration(RewriterBase &rewriter, TilingInterface op,
                                    ArrayRef<Range> domain,
                                    SmallVector<Value> &ivs,
                                    ArrayRef<utils::IteratorType> iterators) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = op.getLoc();
  for (auto [dim, iterator] : llvm::enumerate(iterators)) {
    if (iterator == utils::IteratorType::parallel)
      continue;
    auto toValue = [&](OpFoldResult value) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, value);
    };
    AffineExpr d0, d1;
    bindDims(rewriter.getContext(), d0, d1);
    OpFoldResult end = affine::makeComposedFoldedAffineApply(
        rewriter, loc, d0 + d1, {domain[dim].offset, domain[dim].size});
    auto loop = scf::ForOp::create(rewriter, loc, toValue(domain[dim].offset),
                                   toValue(end), toValue(domain[dim].stride));
    ivs[dim] = loop.getInductionVar();
    rewriter.setInsertionPointToStart(loop.getBody());
  }
  return op.generateScalarImplementation(rewriter, loc, ivs);
}

FailureOr<gpu::LaunchOp>
mlir::linalg_ext::lowerToScalarKernel(RewriterBase &rewriter,
                                      TilingInterface op, int64_t numThreads,
                                      Refusal &refusal) {
  if (!isOnBuffers(op))
    return refusal.set(RefusalKind::Other, op, "expected an op on buffers");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  MLIRContext *context = rewriter.getContext();

  // 1. Number all independent iterations.
  SmallVector<Range> domain = op.getIterationDomain(rewriter);
  SmallVector<utils::IteratorType> iterators = op.getLoopIteratorTypes();
  AffineExpr s0, s1;
  bindSymbols(context, s0, s1);
  OpFoldResult total = rewriter.getIndexAttr(1);
  SmallVector<OpFoldResult> counts;
  SmallVector<unsigned> parallel;
  for (auto [dim, iterator] : llvm::enumerate(iterators)) {
    if (iterator != utils::IteratorType::parallel)
      continue;
    parallel.push_back(dim);
    counts.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, s0.ceilDiv(s1), {domain[dim].size, domain[dim].stride}));
    total = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 * s1,
                                                  {total, counts.back()});
  }
  // The basis must not be zero. If it would be, nothing is launched, so any
  // number is right.
  for (OpFoldResult &count : counts)
    if (getConstantIntValue(count) == 0)
      count = rewriter.getIndexAttr(1);
  OpFoldResult grid = affine::makeComposedFoldedAffineApply(
      rewriter, loc, s0.ceilDiv(numThreads), {total});
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value threads = arith::ConstantIndexOp::create(rewriter, loc, numThreads);
  Value end = getValueOrCreateConstantIndexOp(rewriter, loc, total);
  auto launch = gpu::LaunchOp::create(
      rewriter, loc, getValueOrCreateConstantIndexOp(rewriter, loc, grid), one,
      one, threads, one, one);

  // 2. Build the iteration of a thread.
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value first =
      arith::MulIOp::create(rewriter, loc, launch.getBlockIds().x, threads);
  Value id =
      arith::AddIOp::create(rewriter, loc, first, launch.getThreadIds().x);
  Value exists =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, id, end);
  auto branch =
      scf::IfOp::create(rewriter, loc, exists, /*withElseRegion=*/false);
  gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPoint(branch.thenYield());
  SmallVector<Value> ivs(iterators.size());
  if (!parallel.empty()) {
    SmallVector<Value> indices{id};
    if (parallel.size() > 1)
      indices = SmallVector<Value>(ValueRange(
          affine::AffineDelinearizeIndexOp::create(rewriter, loc, id, counts)
              ->getResults()));
    AffineExpr index = getAffineSymbolExpr(2, context);
    for (auto [dim, value] : llvm::zip_equal(parallel, indices))
      ivs[dim] = getValueOrCreateConstantIndexOp(
          rewriter, loc,
          affine::makeComposedFoldedAffineApply(
              rewriter, loc, AffineMap::get(0, 3, s0 + index * s1),
              {domain[dim].offset, domain[dim].stride, OpFoldResult(value)}));
  }
  if (failed(buildIteration(rewriter, op, domain, ivs, iterators))) {
    rewriter.eraseOp(launch);
    return refusal.set(RefusalKind::Other, op,
                       "it has no scalar implementation");
  }
  rewriter.eraseOp(op);
  return launch;
}

/// Returns whether `op` does arithmetic, and does not only move elements.
static bool computes(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return true;
  if (linalgOp.getNumReductionLoops() > 0)
    return true;
  return llvm::any_of(*linalgOp.getBlock(), [](Operation &nested) {
    return nested.getNumOperands() > 0 &&
           !nested.hasTrait<OpTrait::IsTerminator>();
  });
}

/// Moves `stores`, which are in one block with only pure ops between them, into
/// a launch of one thread.
static void mapStoresToLaunch(RewriterBase &rewriter,
                              ArrayRef<memref::StoreOp> stores) {
  memref::StoreOp last = stores.back();
  Location loc = last.getLoc();
  rewriter.setInsertionPointAfter(last);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto launch =
      gpu::LaunchOp::create(rewriter, loc, one, one, one, one, one, one);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Operation *end = gpu::TerminatorOp::create(rewriter, loc);
  for (memref::StoreOp store : stores)
    rewriter.moveOpBefore(store, end);
}

/// Moves stores of single elements in `scope` that are outside of kernels into
/// launches.
static void mapStoresToLaunches(RewriterBase &rewriter, Operation *scope) {
  SmallVector<SmallVector<memref::StoreOp>> runs;
  Operation *last = nullptr;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Stores in a payload belong to the kernel of the op.
    if (isa<gpu::LaunchOp, gpu::GPUModuleOp, TilingInterface>(op)) {
      last = nullptr;
      return WalkResult::skip();
    }
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (!last || last->getBlock() != op->getBlock())
        runs.emplace_back();
      runs.back().push_back(store);
      last = op;
    } else if (!isPure(op)) {
      last = nullptr;
    }
    return WalkResult::advance();
  });
  for (ArrayRef<memref::StoreOp> run : runs)
    mapStoresToLaunch(rewriter, run);
}

LogicalResult mlir::linalg_ext::lowerToScalarKernels(RewriterBase &rewriter,
                                                     Operation *scope,
                                                     int64_t numThreads,
                                                     bool report,
                                                     bool requireFusion) {
  // 1. Rewrite copies as structured ops.
  SmallVector<Operation *> left;
  SmallVector<memref::CopyOp> copies;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op)) {
      op->walk([&](Operation *nested) {
        if (isa<TilingInterface>(nested) && !isa<memref::CopyOp>(nested))
          left.push_back(nested);
      });
      return WalkResult::skip();
    }
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      copies.push_back(copy);
    return WalkResult::advance();
  });
  if (!left.empty()) {
    left.front()->emitOpError()
        << "is left in the program of a workgroup, expected vectors";
    return failure();
  }
  for (memref::CopyOp copy : copies) {
    // Copies of unranked memory are left to the host.
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      continue;
    rewriter.setInsertionPoint(copy);
    linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    rewriter.eraseOp(copy);
  }

  mapStoresToLaunches(rewriter, scope);

  // 2. Build the kernels.
  bool anyError = false;
  SmallVector<TilingInterface> ops;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (auto tiling = dyn_cast<TilingInterface>(op);
        tiling && isOnBuffers(op)) {
      ops.push_back(tiling);
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  for (TilingInterface op : ops) {
    Refusal refusal;
    Location loc = op.getLoc();
    StringRef name = op->getName().getStringRef();
    bool isError = requireFusion && computes(op);
    if (failed(lowerToScalarKernel(rewriter, op, numThreads, refusal))) {
      op.emitRemark() << "no kernel: " << refusal.text;
      continue;
    }
    anyError |= isError;
    if (isError || report)
      (isError ? emitError(loc) : emitRemark(loc))
          << "'" << name
          << "' is done one scalar at a time: it is in no workgroup";
  }
  return failure(anyError);
}
