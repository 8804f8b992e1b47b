//===- VectorExtTransformOps.cpp - VectorExt transform ops ----------------===//
//
// Each op calls the C++ function of its pass.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/TransformOps/VectorExtTransformOps.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/RotateLoops.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::vector_ext;

//===----------------------------------------------------------------------===//
// DistributeOp
//===----------------------------------------------------------------------===//

void transform::VectorExtDistributeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::VectorExtDistributeOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  auto fail = [&](const Twine &reason) {
    DiagnosedSilenceableFailure error =
        emitSilenceableError() << "cannot distribute vectors" << reason;
    error.attachNote(target->getLoc()) << "payload op";
    return error;
  };
  if (!isa<gpu::LaunchOp, gpu::GPUFuncOp>(target))
    return fail(": expected 'gpu.launch' or 'gpu.func', got '" +
                target->getName().getStringRef() + "'");
  Workgroup workgroup;
  workgroup.hasMatrixLoads = getMatrixLoads();
  workgroup.hasAsyncCopies = getAsyncCopies();
  workgroup.hasWideWrites = getWideWrites();
  workgroup.hasBufferLoads = getBufferLoads();
  workgroup.hasTransposeLoads = getTransposeLoads();
  workgroup.hasLaneCopies = getLaneCopies();
  DistributionOptions options;
  // Errors of the function become reasons of the silenceable failure.
  std::vector<Diagnostic> reasons;
  LogicalResult result = failure();
  {
    ScopedDiagnosticHandler handler(
        target->getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          reasons.push_back(std::move(diagnostic));
          return success();
        });
    FailureOr<linalg_ext::GPUTarget> device = linalg_ext::getGPUTarget(target);
    if (succeeded(device)) {
      workgroup.numLanes = device->lanes;
      result = distributeKernel(rewriter, target, workgroup, options);
    }
  }
  if (succeeded(result))
    return DiagnosedSilenceableFailure::success();
  DiagnosedSilenceableFailure error = fail("");
  for (const Diagnostic &reason : reasons)
    error.attachNote(reason.getLocation()) << reason.str();
  return error;
}

//===----------------------------------------------------------------------===//
// StageTilesOp
//===----------------------------------------------------------------------===//

void transform::VectorExtStageTilesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

/// Applies `fn`, which may refuse, to `target`, a launch. `what` is the action
/// that the message says cannot be done.
static DiagnosedSilenceableFailure applyToLaunch(
    transform::TransformOpInterface op, Operation *target, StringRef what,
    llvm::function_ref<FailureOr<int64_t>(gpu::LaunchOp, linalg_ext::Refusal &)>
        fn) {
  auto launch = dyn_cast<gpu::LaunchOp>(target);
  linalg_ext::Refusal refusal;
  if (launch && succeeded(fn(launch, refusal)))
    return DiagnosedSilenceableFailure::success();
  DiagnosedSilenceableFailure error =
      emitSilenceableFailure(op->getLoc())
      << "cannot " << what << ": "
      << (launch ? refusal.text
                 : "expected 'gpu.launch', got '" +
                       target->getName().getStringRef().str() + "'");
  error.attachNote(target->getLoc()) << "payload op";
  return error;
}

DiagnosedSilenceableFailure transform::VectorExtStageTilesOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  return applyToLaunch(*this, target, "stage tiles",
                       [&](gpu::LaunchOp launch, linalg_ext::Refusal &refusal) {
                         return stageTiles(rewriter, launch, getSlots(), getCopiers(),
                                           refusal);
                       });
}

//===----------------------------------------------------------------------===//
// ShareTilesOp
//===----------------------------------------------------------------------===//

void transform::VectorExtShareTilesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::VectorExtShareTilesOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  return applyToLaunch(*this, target, "share tiles",
                       [&](gpu::LaunchOp launch, linalg_ext::Refusal &refusal) {
                         return shareTiles(rewriter, launch, getCluster(),
                                           refusal);
                       });
}

//===----------------------------------------------------------------------===//
// PersistWorkgroupsOp
//===----------------------------------------------------------------------===//

void transform::VectorExtPersistWorkgroupsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::VectorExtPersistWorkgroupsOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  return applyToLaunch(*this, target, "persist workgroups",
                       [&](gpu::LaunchOp launch, linalg_ext::Refusal &refusal) {
                         return persistWorkgroups(rewriter, launch,
                                                  getDirections(), refusal);
                       });
}

//===----------------------------------------------------------------------===//
// AssignRolesOp
//===----------------------------------------------------------------------===//

void transform::VectorExtAssignRolesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::VectorExtAssignRolesOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  return applyToLaunch(*this, target, "assign roles",
                       [&](gpu::LaunchOp launch, linalg_ext::Refusal &refusal) {
                         return assignRoles(rewriter, launch, /*groups=*/1, refusal);
                       });
}

//===----------------------------------------------------------------------===//
// LowerRingsOp
//===----------------------------------------------------------------------===//

void transform::VectorExtLowerRingsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::VectorExtLowerRingsOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  return applyToLaunch(*this, target, "lower rings",
                       [&](gpu::LaunchOp launch, linalg_ext::Refusal &refusal) {
                         return lowerRings(rewriter, launch, refusal);
                       });
}

//===----------------------------------------------------------------------===//
// RotateLoopsOp
//===----------------------------------------------------------------------===//

void transform::VectorExtRotateLoopsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::VectorExtRotateLoopsOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  RotateOptions options{static_cast<int64_t>(getRegisters()),
                        getExplainSchedule()};
  linalg_ext::Refusal refusal;
  FailureOr<int64_t> count = rotateLoops(rewriter, target, options, refusal);
  if (failed(count))
    return emitDefiniteFailure() << "expected a valid description of the device";
  if (*count > 0)
    return DiagnosedSilenceableFailure::success();
  DiagnosedSilenceableFailure error =
      emitSilenceableError()
      << "cannot rotate loops: "
      << (refusal.isSet() ? refusal.text
                          : "expected asynchronous products in a loop, and an "
                            "order that is better than that of the loop");
  error.attachNote(target->getLoc()) << "payload op";
  return error;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void transform::VectorExtApplyExcessPrecisionPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateExcessPrecisionPatterns(patterns);
}

void transform::VectorExtApplyFactorOutOfSumsPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFactorOutOfSumsPatterns(patterns);
}

void transform::VectorExtApplyFactorOutOfMaxPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFactorOutOfMaxPatterns(patterns);
}

void transform::VectorExtApplyApproximateExponentsPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateApproximateExponentsPatterns(patterns);
}

void transform::VectorExtApplyMergeMasksPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateMergeMasksPatterns(patterns);
}

void transform::VectorExtApplyFoldFirstFactorsPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFoldFirstFactorsPatterns(patterns);
}

void transform::VectorExtApplyFoldExp2PatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFoldExp2Patterns(patterns);
}

void transform::VectorExtApplyNarrowComparisonsPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateNarrowComparisonsPatterns(patterns);
}

void transform::VectorExtApplyWidenContractionPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateWidenContractionPatterns(patterns);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class VectorExtTransformDialectExtension
    : public transform::TransformDialectExtension<
          VectorExtTransformDialectExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(
      VectorExtTransformDialectExtension)

  using Base::Base;

  void init() {
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<ub::UBDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    declareGeneratedDialect<VectorExtDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "mlir-ext/Dialect/VectorExt/TransformOps/VectorExtTransformOps.cpp.inc"
        >();
  }
};
} // namespace

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/VectorExt/TransformOps/VectorExtTransformOps.cpp.inc"

void mlir::vector_ext::registerTransformDialectExtension(
    DialectRegistry &registry) {
  registry.addExtensions<VectorExtTransformDialectExtension>();
}
