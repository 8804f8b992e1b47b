//===- NarrowLoops.cpp - Loops in 32 bits ---------------------------------===//
//
// Sizes of tensor maps are below 2^31, which `vector_ext.assume` states in
// kernels. So are the positions of tiles in the loops over these sizes, and
// most of what is computed from them. Upstream's patterns narrow `arith` ops
// (NarrowIntegers.cpp), but not what loops carry. This step does:
//
//   1. Replace comparisons with known results, such as whether a size is
//   negative.
//   2. Rebuild each loop whose bounds fit into 32 bits, and give the indices
//      that it carries 32 bits where they fit.
//
// Addresses in global memory keep 64 bits: they are computed from the results
// of these ops, as `index`.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "RangeAnalysis.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

constexpr static int64_t kMost = std::numeric_limits<int32_t>::max();

namespace {
/// Rebuilds loops with the ranges that a solver has found.
class LoopNarrowing {
public:
  LoopNarrowing(RewriterBase &b, DataFlowSolver &solver)
      : b(b), solver(solver) {}

  /// Decides what `loop` becomes. The solver must know all values.
  void plan(scf::ForOp loop);
  /// Rebuilds the loops.
  void run();

private:
  /// Whether the bounds of a loop become narrow, and which carried values do.
  struct Plan {
    scf::ForOp loop;
    bool narrowBounds;
    SmallVector<unsigned> carried;
  };

  std::optional<ConstantIntRanges> getRange(Value value);
  bool isNarrow(Value value);
  bool hasNarrowBounds(scf::ForOp loop);
  bool isNarrowCarried(scf::ForOp loop, unsigned number);
  Value cast(Value value, Type type);
  void rebuild(const Plan &plan);

  RewriterBase &b;
  DataFlowSolver &solver;
  SmallVector<Plan> plans;
};
} // namespace

std::optional<ConstantIntRanges> LoopNarrowing::getRange(Value value) {
  auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!state || state->getValue().isUninitialized())
    return std::nullopt;
  return state->getValue().getValue();
}

/// Returns whether `value` is an index from 0 to 2^31 - 1.
bool LoopNarrowing::isNarrow(Value value) {
  std::optional<ConstantIntRanges> range = getRange(value);
  return value.getType().isIndex() && range && range->smin().sge(0) &&
         range->smax().sle(kMost);
}

bool LoopNarrowing::hasNarrowBounds(scf::ForOp loop) {
  if (!llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(),
                               loop.getStep()},
                    [&](Value bound) { return isNarrow(bound); }))
    return false;
  // The induction variable is also compared after its last value.
  return getRange(loop.getUpperBound())->smax().getSExtValue() +
             getRange(loop.getStep())->smax().getSExtValue() - 1 <=
         kMost;
}

bool LoopNarrowing::isNarrowCarried(scf::ForOp loop, unsigned number) {
  return isNarrow(loop.getInitArgs()[number]) &&
         isNarrow(loop.getRegionIterArg(number)) &&
         isNarrow(loop.getYieldedValues()[number]) &&
         isNarrow(loop.getResult(number));
}

Value LoopNarrowing::cast(Value value, Type type) {
  return b.createOrFold<arith::IndexCastUIOp>(value.getLoc(), type, value);
}

void LoopNarrowing::plan(scf::ForOp loop) {
  Plan plan{loop, hasNarrowBounds(loop), {}};
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
    if (isNarrowCarried(loop, i))
      plan.carried.push_back(i);
  if (plan.narrowBounds || !plan.carried.empty())
    plans.push_back(plan);
}

void LoopNarrowing::run() {
  for (const Plan &plan : plans)
    rebuild(plan);
}

void LoopNarrowing::rebuild(const Plan &plan) {
  scf::ForOp loop = plan.loop;
  Type narrow = b.getI32Type(), index = b.getIndexType();
  b.setInsertionPoint(loop);
  SmallVector<Value> bounds{loop.getLowerBound(), loop.getUpperBound(),
                            loop.getStep()};
  if (plan.narrowBounds)
    for (Value &bound : bounds)
      bound = cast(bound, narrow);
  SmallVector<Value> inits(loop.getInitArgs());
  for (unsigned i : plan.carried)
    inits[i] = cast(inits[i], narrow);
  auto changed = scf::ForOp::create(b, loop.getLoc(), bounds[0], bounds[1],
                                    bounds[2], inits);
  changed->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (inits.empty())
    b.eraseOp(changed.getBody()->getTerminator());

  b.setInsertionPointToStart(changed.getBody());
  SmallVector<Value> arguments(changed.getBody()->getArguments());
  if (plan.narrowBounds)
    arguments.front() = cast(arguments.front(), index);
  for (unsigned i : plan.carried)
    arguments[i + 1] = cast(arguments[i + 1], index);
  b.mergeBlocks(loop.getBody(), changed.getBody(), arguments);
  Operation *yield = changed.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  for (unsigned i : plan.carried) {
    Value next = cast(yield->getOperand(i), narrow);
    b.modifyOpInPlace(yield, [&] { yield->setOperand(i, next); });
  }
  b.setInsertionPointAfter(changed);
  SmallVector<Value> results(changed.getResults());
  for (unsigned i : plan.carried)
    results[i] = cast(results[i], index);
  b.replaceOp(loop, results);
}

/// Narrows the loops of a kernel.
static LogicalResult narrowLoops(RewriterBase &b, gpu::GPUFuncOp kernel) {
  {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<RangeAnalysis>();
    if (failed(solver.initializeAndRun(kernel)))
      return failure();
    SmallVector<Operation *> ops;
    kernel->walk([&](arith::CmpIOp op) { ops.push_back(op); });
    RewritePatternSet patterns(b.getContext());
    arith::populateIntRangeOptimizationsPatterns(patterns, solver);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      return failure();
  }
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<RangeAnalysis>();
  if (failed(solver.initializeAndRun(kernel)))
    return failure();
  LoopNarrowing narrowing(b, solver);
  kernel->walk([&](scf::ForOp loop) { narrowing.plan(loop); });
  narrowing.run();
  return success();
}

LogicalResult mlir::linalg_ext::narrowLoops(RewriterBase &rewriter,
                                            Operation *scope) {
  SmallVector<gpu::GPUFuncOp> kernels;
  auto collect = [&](gpu::GPUFuncOp kernel) {
    if (llvm::any_of(kernel.getArgumentTypes(),
                     llvm::IsaPred<nvgpu::TensorMapDescriptorType>))
      kernels.push_back(kernel);
  };
  scope->walk(collect);
  for (gpu::GPUFuncOp kernel : kernels)
    if (failed(::narrowLoops(rewriter, kernel)))
      return failure();
  return success();
}
