//===- Passes.cpp - Passes of the VectorExt dialect -----------------------===//
//
// Each pass calls one C++ function.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/HoldOperands.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/MultiplyPositions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/RotateLoops.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Support/PatternSets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::vector_ext {
#define GEN_PASS_DEF_VECTOREXTDISTRIBUTEPASS
#define GEN_PASS_DEF_VECTOREXTPIPELINEPRODUCTSPASS
#define GEN_PASS_DEF_VECTOREXTSIMPLIFYPASS
#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h.inc"
} // namespace mlir::vector_ext

using namespace mlir;
using namespace mlir::vector_ext;

/// The most registers of 32 bits of one vector in a thread. The code of a
/// thread has an op for each of them.
static constexpr int64_t kMaxRegisters = 512;

/// The most products that a thread computes one by one, each of which is an
/// instruction. Tiles have at most 4096 (SelectLevels.cpp), in three loops:
/// before the tiles that a mask cuts, there, and behind them.
static constexpr int64_t kMaxProducts = 3 * 4096;

namespace {
struct VectorExtDistributePass
    : public vector_ext::impl::VectorExtDistributePassBase<
          VectorExtDistributePass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<linalg_ext::GPUTarget> target =
        linalg_ext::getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<Operation *> scopes;
    getOperation()->walk([&](Operation *op) {
      auto func = dyn_cast<gpu::GPUFuncOp>(op);
      if (isa<gpu::LaunchOp>(op) || (func && func.isKernel()))
        scopes.push_back(op);
    });
    if (asyncCopies && !getContext()
                            .getLoadedDialect<VectorExtDialect>()
                            ->getAsyncCopies()
                            .build)
      emitWarning(getOperation()->getLoc())
          << "'async-copies' has no effect: no target has registered "
             "asynchronous copies";
    const BufferLoads &loads =
        getContext().getLoadedDialect<VectorExtDialect>()->getBufferLoads();
    if (bufferLoads && !loads.build)
      emitWarning(getOperation()->getLoc())
          << "'buffer-loads' has no effect: no target has registered loads "
             "through descriptors of buffers";
    if (transposeLoads && !loads.loadTransposed)
      emitWarning(getOperation()->getLoc())
          << "'transpose-loads' has no effect: no target has registered loads "
             "that transpose";
    if (laneCopies && (!bufferLoads || !loads.copy))
      emitWarning(getOperation()->getLoc())
          << "'lane-copies' has no effect: expected 'buffer-loads', and a "
             "target that has registered copies from buffers";
    IRRewriter rewriter(&getContext());
    Workgroup workgroup;
    workgroup.numLanes = target->lanes;
    workgroup.hasMatrixLoads = matrixLoads;
    workgroup.hasAsyncCopies = asyncCopies;
    workgroup.hasWideWrites = wideWrites;
    workgroup.hasBufferLoads = bufferLoads;
    workgroup.hasTransposeLoads = transposeLoads;
    workgroup.hasLaneCopies = laneCopies;
    layout::SharedLayoutChoices sharedLayouts;
    DistributionOptions options;
    options.maxRegisters = kMaxRegisters;
    options.maxAccumulator = target->threadRegisters;
    options.maxProducts = kMaxProducts;
    options.remarks = remarks;
    options.sharedLayouts = &sharedLayouts;
    options.reportData = reportData;
    bool isTooLarge = false;
    for (Operation *scope : scopes) {
      if (succeeded(distributeKernel(rewriter, scope, workgroup, options)))
        continue;
      // Other kernels may be too large, too.
      if (!isa<gpu::LaunchOp>(scope) ||
          !recordTooLarge(getOperation(), scope, Refused::AllWays))
        return signalPassFailure();
      isTooLarge = true;
    }
    if (isTooLarge)
      signalPassFailure();
  }
};
} // namespace

/// Applies `fn`, which may refuse, to each launch in `scope`. Each refusal is
/// an error that begins with "cannot " and `what`, unless it is recorded on
/// `scope` as a refusal of `refused` (IR/Kernels.h).
static LogicalResult applyToLaunches(
    Operation *scope, StringRef what,
    llvm::function_ref<FailureOr<int64_t>(RewriterBase &, gpu::LaunchOp,
                                          linalg_ext::Refusal &)>
        fn,
    Refused refused = Refused::Way) {
  SmallVector<gpu::LaunchOp> launches;
  scope->walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
  IRRewriter rewriter(scope->getContext());
  LogicalResult result = success();
  for (gpu::LaunchOp launch : launches) {
    linalg_ext::Refusal refusal;
    if (succeeded(fn(rewriter, launch, refusal)))
      continue;
    result = emitError(refusal.op->getLoc())
             << "cannot " << what << ": " << refusal.text;
    if (!recordRefusal(scope, launch, refused))
      return result;
  }
  return result;
}

/// Splits the program of `launch` into roles, unless its mark forbids it.
static FailureOr<int64_t> assignMarkedRoles(RewriterBase &rewriter,
                                            gpu::LaunchOp launch,
                                            linalg_ext::Refusal &refusal) {
  std::optional<KernelMark> mark = getKernelMark(launch);
  if (mark && mark->way != ProductWay::Roles)
    return 0;
  return assignRoles(rewriter, launch, mark ? mark->groups : 1, refusal);
}

namespace {
struct VectorExtPipelineProductsPass
    : public vector_ext::impl::VectorExtPipelineProductsPassBase<
          VectorExtPipelineProductsPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    auto stage = [&](RewriterBase &rewriter, gpu::LaunchOp launch,
                     linalg_ext::Refusal &refusal) {
      return stageTiles(rewriter, launch, slots, /*copiers=*/0, refusal);
    };
    auto persist = [&](RewriterBase &rewriter, gpu::LaunchOp launch,
                       linalg_ext::Refusal &refusal) -> FailureOr<int64_t> {
      std::optional<KernelMark> mark = getKernelMark(launch);
      if (!mark || mark->persist == 0)
        return 0;
      return persistWorkgroups(rewriter, launch, mark->persist, refusal);
    };
    auto share = [&](RewriterBase &rewriter, gpu::LaunchOp launch,
                     linalg_ext::Refusal &refusal) -> FailureOr<int64_t> {
      std::optional<KernelMark> mark = getKernelMark(launch);
      if (!mark || mark->cluster == 1)
        return 0;
      return shareTiles(rewriter, launch, mark->cluster, refusal);
    };
    const linalg_ext::NamedStep known[] = {
        {"stage-tiles",
         [&] {
           return applyToLaunches(scope, "stage tiles", stage,
                                  Refused::AllWays);
         }},
        {"share-tiles",
         [&] { return applyToLaunches(scope, "share tiles", share); }},
        {"persist-workgroups",
         [&] { return applyToLaunches(scope, "persist workgroups", persist); }},
        {"assign-roles",
         [&] {
           return applyToLaunches(scope, "assign roles", assignMarkedRoles);
         }},
        {"multiply-positions",
         [&] {
           return applyToLaunches(scope, "multiply positions",
                                  multiplyPositions);
         }},
        {"hold-operands",
         [&] { return applyToLaunches(scope, "hold operands", holdOperands); }},
        {"rotate-loops",
         [&] {
           IRRewriter rewriter(&getContext());
           linalg_ext::Refusal refusal;
           RotateOptions options;
           options.explainSchedule = explainSchedule;
           return rotateLoops(rewriter, scope, options, refusal);
         }},
        {"lower-rings",
         [&] { return applyToLaunches(scope, "lower rings", lowerRings); }}};
    if (failed(linalg_ext::runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace

/// Adds the patterns of upstream's canonicalisation.
static void populateCanonicalizations(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
}

static constexpr linalg_ext::PatternSet kPatternSets[] = {
    {"excess-precision", populateExcessPrecisionPatterns},
    {"fold-exp2", populateFoldExp2Patterns},
    {"approximate-exponents", populateApproximateExponentsPatterns},
    {"start-from-bias", populateStartFromBiasPatterns},
    {"factor-out-of-max", populateFactorOutOfMaxPatterns},
    {"factor-out-of-sums", populateFactorOutOfSumsPatterns},
    {"scale-weights", populateScaleWeightsPatterns},
    {"small-differences", populateSmallDifferencesPatterns},
    {"sum-integers", populateSumIntegersPatterns},
    {"widen-stores", populateWidenStoresPatterns},
    {"narrow-comparisons", populateNarrowComparisonsPatterns},
    {"merge-masks", populateMergeMasksPatterns},
    {"fold-first-factors", populateFoldFirstFactorsPatterns},
    {"split-positions", populateSplitPositionsPatterns},
    {"drop-assumes", populateDropAssumesPatterns},
    {"canonicalize-leaves", populateCanonicalizations, /*maxIterations=*/1,
     /*onlyLeaves=*/true}};

namespace {
struct VectorExtSimplifyPass
    : public vector_ext::impl::VectorExtSimplifyPassBase<
          VectorExtSimplifyPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<std::string> names(patterns.begin(), patterns.end());
    if (names.empty())
      names = {"fold-exp2", "factor-out-of-max", "narrow-comparisons"};
    if (failed(
            linalg_ext::applyPatternSets(getOperation(), kPatternSets, names)))
      signalPassFailure();
  }
};
} // namespace
