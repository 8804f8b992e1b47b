//===- Threads.cpp - From scf.forall to OpenMP ----------------------------===//
//
// Before convert-scf-to-openmp: rewrites scf.forall as scf.parallel. After it:
// moves buffers out of the iterations, and sets clauses.
//
// Each thread needs private temporary buffers. An allocation in the body of a
// parallel loop stays there (upstream's buffer-loop-hoisting does not move it)
// until this pass moves it from the iteration to the thread, and no further.
// Threads therefore share only buffers that they read, and buffers that they
// write in disjoint parts.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Threads.h"
#include "mlir-ext/Codegen/CPU/Passes.h"
#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTSHAREAMONGTHREADSPASS
#include "mlir-ext/Codegen/CPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Before the conversion
//===----------------------------------------------------------------------===//

LogicalResult mlir::linalg_ext::mapForallToThreads(RewriterBase &rewriter,
                                                   Operation *scope) {
  SmallVector<scf::ForallOp> shared, nested;
  scope->walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
    bool isNested = loop->getParentOfType<scf::ForallOp>() ||
                    loop->getParentOfType<scf::ParallelOp>();
    (isNested ? nested : shared).push_back(loop);
  });
  for (scf::ForallOp loop : llvm::concat<scf::ForallOp>(shared, nested))
    if (loop.getNumResults() != 0)
      return loop.emitError("expected a loop on buffers for threads to share, "
                            "got one with ")
             << loop.getNumResults() << " results";
  // The inner loops come first, because rewriting an outer loop erases them.
  for (scf::ForallOp loop : llvm::reverse(nested))
    if (failed(scf::forallToForLoop(rewriter, loop)))
      return failure();
  for (scf::ForallOp loop : shared) {
    rewriter.modifyOpInPlace(loop, [&] { loop.removeMappingAttr(); });
    if (failed(scf::forallToParallelLoop(rewriter, loop)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// After it
//===----------------------------------------------------------------------===//

/// Moves the allocations in the body of `loop` before the loop.
static void hoistBuffers(RewriterBase &rewriter, omp::WsloopOp loop) {
  SmallVector<memref::AllocaOp> onStack;
  SmallVector<memref::AllocOp> onHeap;
  loop->walk([&](Operation *op) {
    if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      onStack.push_back(alloca);
    else if (auto alloc = dyn_cast<memref::AllocOp>(op))
      onHeap.push_back(alloc);
  });
  for (memref::AllocaOp alloca : onStack) {
    if (alloca->getNumOperands() == 0) {
      rewriter.moveOpBefore(alloca, loop);
      continue;
    }
    // A buffer of unknown size is allocated on the heap. On the stack, the
    // buffers of all iterations would add up.
    rewriter.setInsertionPoint(alloca);
    auto alloc = memref::AllocOp::create(
        rewriter, alloca.getLoc(), alloca.getType(), alloca.getDynamicSizes(),
        alloca.getSymbolOperands(), alloca.getAlignmentAttr());
    rewriter.setInsertionPoint(alloca->getBlock()->getTerminator());
    memref::DeallocOp::create(rewriter, alloca.getLoc(), alloc);
    rewriter.replaceOp(alloca, alloc);
  }
  for (memref::AllocOp alloc : onHeap) {
    if (alloc->getNumOperands() != 0)
      continue;
    memref::DeallocOp free;
    for (Operation *user : alloc->getUsers())
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user))
        free = dealloc;
    if (!free || free->getBlock() != alloc->getBlock())
      continue;
    rewriter.moveOpBefore(alloc, loop);
    rewriter.moveOpAfter(free, loop);
  }
}

/// Inlines each `memref.alloca_scope` in the body of `nest`.
static void inlineScopes(RewriterBase &rewriter, omp::LoopNestOp nest) {
  for (auto scope :
       llvm::make_early_inc_range(nest.getOps<memref::AllocaScopeOp>())) {
    Block *body = &scope.getBodyRegion().front();
    Operation *end = body->getTerminator();
    rewriter.inlineBlockBefore(body, scope);
    rewriter.replaceOp(scope, end->getOperands());
    rewriter.eraseOp(end);
  }
}

/// Builds the condition that `nest` has more than one iteration. Returns null
/// if this is known to be true.
static Value hasSeveralIterations(RewriterBase &rewriter,
                                  omp::LoopNestOp nest) {
  Location loc = nest.getLoc();
  Value several;
  for (auto [lower, upper, step] :
       llvm::zip_equal(nest.getLoopLowerBounds(), nest.getLoopUpperBounds(),
                       nest.getLoopSteps())) {
    std::optional<int64_t> from = getConstantIntValue(lower),
                           to = getConstantIntValue(upper),
                           by = getConstantIntValue(step);
    if (from && to && by && *from + *by < *to)
      return nullptr;
    Value second = arith::AddIOp::create(rewriter, loc, lower, step);
    Value more = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       second, upper);
    several =
        several ? arith::OrIOp::create(rewriter, loc, several, more) : more;
  }
  return several;
}

void mlir::linalg_ext::finishParallelLoops(RewriterBase &rewriter,
                                           omp::ParallelOp parallel) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<omp::WsloopOp> loops(parallel.getOps<omp::WsloopOp>());
  for (omp::WsloopOp loop : loops) {
    auto nest = dyn_cast<omp::LoopNestOp>(loop.getWrappedLoop());
    if (!nest)
      continue;
    hoistBuffers(rewriter, loop);
    inlineScopes(rewriter, nest);
    rewriter.modifyOpInPlace(loop, [&] {
      if (!loop.getScheduleKind())
        loop.setScheduleKind(omp::ClauseScheduleKind::Dynamic);
      if (loops.size() == 1 && loop.getReductionVars().empty())
        loop.setNowait(true);
    });
    if (loops.size() != 1 || parallel.getIfExpr())
      continue;
    rewriter.setInsertionPoint(parallel);
    if (Value several = hasSeveralIterations(rewriter, nest))
      rewriter.modifyOpInPlace(
          parallel, [&] { parallel.getIfExprMutable().assign(several); });
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LinalgExtShareAmongThreadsPass
    : public linalg_ext::impl::LinalgExtShareAmongThreadsPassBase<
          LinalgExtShareAmongThreadsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    createConvertSCFToOpenMPPass()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    Operation *scope = getOperation();
    IRRewriter rewriter(&getContext());
    const NamedStep known[] = {
        {"tile",
         [&] {
           tileAllToThreads(rewriter, scope);
           return success();
         }},
        {"parallel", [&] { return mapForallToThreads(rewriter, scope); }},
        {"convert",
         [&]() -> LogicalResult {
           // Upstream's pass runs on modules only.
           if (!isa<ModuleOp>(scope))
             return emitError(scope->getLoc())
                    << "expected a module with 'steps=convert', got '"
                    << scope->getName() << "'";
           OpPassManager pm(scope->getName());
           pm.addPass(createConvertSCFToOpenMPPass());
           return runPipeline(pm, scope);
         }},
        {"finish", [&] {
           SmallVector<omp::ParallelOp> regions;
           scope->walk(
               [&](omp::ParallelOp parallel) { regions.push_back(parallel); });
           for (omp::ParallelOp parallel : regions)
             finishParallelLoops(rewriter, parallel);
           return success();
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
