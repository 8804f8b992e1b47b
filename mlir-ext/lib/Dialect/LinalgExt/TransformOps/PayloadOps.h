//===- PayloadOps.h - What transform ops say of payload ops -----*- C++ -*-===//
//
// Failures and effects that the transform ops of this directory share.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMOPS_PAYLOADOPS_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMOPS_PAYLOADOPS_H

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#include <string>

namespace mlir::linalg_ext {

/// Returns a silenceable failure with a note at `payload`.
inline DiagnosedSilenceableFailure refuse(transform::TransformOpInterface op,
                                          Operation *payload,
                                          const Twine &message) {
  DiagnosedSilenceableFailure diag = emitSilenceableFailure(op) << message;
  diag.attachNote(payload->getLoc()) << "payload op";
  return diag;
}

/// Returns a message for an op that is not an `expected` one.
inline std::string describeOther(StringRef expected, Operation *payload) {
  return ("expected " + expected + ", got '" +
          payload->getName().getStringRef() + "'")
      .str();
}

/// Verifies that the payload is not the transform IR that is being interpreted.
inline DiagnosedSilenceableFailure
verifyPayloadIsSeparate(transform::TransformOpInterface op, Operation *target) {
  if (!target->isAncestor(op))
    return DiagnosedSilenceableFailure::success();
  DiagnosedDefiniteFailure diag = emitDefiniteFailure(
      op, "expected a payload op that does not contain this transform op");
  diag.attachNote(target->getLoc()) << "payload op";
  return diag;
}

/// The effects of an op that reads a handle and changes the payload in place.
inline void getInPlaceEffects(
    OpOperand &target,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  transform::onlyReadsHandle(target, effects);
  transform::modifiesPayload(effects);
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMOPS_PAYLOADOPS_H
