//===- CheckLowered.cpp - Check of a complete lowering --------------------===//
//
// A partial conversion leaves ops that it cannot convert, and hides them behind
// unrealized casts, without an error. The next consumer would report only the
// cast. This pass reports the first op of another dialect instead. It reports a
// cast only if there is no other op.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTCHECKLOWEREDPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// "of 'f8E4M3FN' to 'f32'", for an error; what casts hide is looked up.
static std::string describeTypes(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (op->getNumOperands() > 0) {
    os << " of ";
    llvm::interleaveComma(op->getOperandTypes(), os,
                          [&](Type type) { os << "'" << type << "'"; });
  }
  if (op->getNumResults() > 0) {
    os << " to ";
    llvm::interleaveComma(op->getResultTypes(), os,
                          [&](Type type) { os << "'" << type << "'"; });
  }
  return text;
}

/// Where `op` is from. Payloads of named ops have no location: what computes
/// with `op` may have one, or what it is in.
static Location getKnownLoc(Operation *op) {
  SetVector<Operation *> near;
  near.insert(op);
  // As far as a value that was cast, and stored.
  for (size_t i = 0; i < near.size() && near.size() < 64; ++i) {
    if (!isa<UnknownLoc>(near[i]->getLoc()))
      return near[i]->getLoc();
    for (Value operand : near[i]->getOperands())
      if (Operation *def = operand.getDefiningOp())
        near.insert(def);
    near.insert(near[i]->user_begin(), near[i]->user_end());
  }
  while (isa<UnknownLoc>(op->getLoc()) && op->getParentOp())
    op = op->getParentOp();
  return op->getLoc();
}

namespace {
struct LinalgExtCheckLoweredPass
    : public linalg_ext::impl::LinalgExtCheckLoweredPassBase<
          LinalgExtCheckLoweredPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    // Casts are only reported where nothing else explains them.
    Operation *first = nullptr;
    getOperation()->walk([&](Operation *op) {
      if (isa<ModuleOp>(op) ||
          llvm::is_contained(*dialects, op->getName().getDialectNamespace()))
        return WalkResult::advance();
      if (!first || isa<UnrealizedConversionCastOp>(first))
        first = op;
      return isa<UnrealizedConversionCastOp>(first) ? WalkResult::advance()
                                                    : WalkResult::interrupt();
    });
    if (!first)
      return;
    emitError(getKnownLoc(first))
        << "'" << first->getName() << "'" << describeTypes(first)
        << " is left behind the last pass; expected ops of "
        << llvm::join(*dialects, ", ") << " only";
    signalPassFailure();
  }
};
} // namespace
