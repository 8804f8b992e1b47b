//===- ShardingTransformOps.cpp - Transform ops for shardings -------------===//
//
// The passes of Sharding as transform ops. Errors of their functions become
// silenceable failures if the program is unchanged.
//
//===----------------------------------------------------------------------===//

#include "PayloadOps.h"
#include "mlir-ext/Dialect/LinalgExt/TransformOps/LinalgExtTransformOps.h"
#include "mlir-ext/Sharding/Sharding.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Calls `function`, and returns the errors that it emits as a silenceable
/// failure.
static DiagnosedSilenceableFailure
silence(MLIRContext *context, function_ref<LogicalResult()> function) {
  SmallVector<Diagnostic> errors;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
      // Pass on remarks and warnings.
      if (diag.getSeverity() != DiagnosticSeverity::Error)
        return failure();
      errors.push_back(std::move(diag));
      return success();
    });
    result = function();
  }
  if (succeeded(result))
    return DiagnosedSilenceableFailure::success();
  return DiagnosedSilenceableFailure::silenceableFailure(std::move(errors));
}

void transform::LinalgExtAnnotateShardingOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getInPlaceEffects(getTargetMutable(), effects);
}

DiagnosedSilenceableFailure transform::LinalgExtAnnotateShardingOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  auto module = dyn_cast<ModuleOp>(target);
  if (!module)
    return refuse(*this, target, describeOther("a module", target));
  return silence(getContext(),
                 [&] { return annotateSharding(module, getSharding()); });
}

void transform::LinalgExtVerifyShardingOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getInPlaceEffects(getTargetMutable(), effects);
}

DiagnosedSilenceableFailure transform::LinalgExtVerifyShardingOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  auto function = dyn_cast<FunctionOpInterface>(target);
  if (!function)
    return refuse(*this, target, describeOther("a function", target));
  DiagnosedSilenceableFailure diag =
      silence(getContext(), [&] { return verifySharding(function); });
  if (diag.succeeded())
    prepareShardedPayloads(function);
  return diag;
}

void transform::LinalgExtLowerShardedOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::LinalgExtLowerShardedOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &results,
    TransformState &) {
  auto module = dyn_cast<ModuleOp>(target);
  if (!module)
    return refuse(*this, target, describeOther("a module", target));
  DiagnosedSilenceableFailure check = verifyPayloadIsSeparate(*this, target);
  if (!check.succeeded())
    return check;
  // The error is at an op that could not be replaced, after other ops have
  // been.
  if (failed(lowerShardedProgram(module)))
    return DiagnosedSilenceableFailure::definiteFailure();
  results.push_back(target);
  return DiagnosedSilenceableFailure::success();
}
