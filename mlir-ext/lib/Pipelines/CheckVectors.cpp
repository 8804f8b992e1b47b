//===- CheckVectors.cpp - Check of vector sizes ---------------------------===//
//
// On the way to LLVM, a vector of several dimensions becomes one vector for
// each row, and a one-dimensional vector becomes several registers. Compile
// time and code size grow with the number of elements, and an input program may
// have a vector type of any size. This pass reports an error for vectors of too
// many elements.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Fusion/Plan/CheckDims.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTCHECKVECTORSPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// True if `type` is a vector of more than `maxElements`.
static bool isTooLarge(Type type, int64_t maxElements) {
  auto vector = dyn_cast<VectorType>(type);
  int64_t elements = 1;
  return vector && llvm::any_of(vector.getShape(), [&](int64_t size) {
           return llvm::MulOverflow(elements, size, elements) ||
                  elements > maxElements;
         });
}

namespace {
struct LinalgExtCheckVectorsPass
    : public linalg_ext::impl::LinalgExtCheckVectorsPassBase<
          LinalgExtCheckVectorsPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(checkDims(getOperation())))
      return signalPassFailure();
    auto check = [&](Location loc, Type type) {
      if (!isTooLarge(type, maxElements))
        return WalkResult::advance();
      emitError(loc) << "expected vectors of at most " << maxElements.getValue()
                     << " elements, got " << type;
      signalPassFailure();
      return WalkResult::interrupt();
    };
    getOperation()->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (check(op->getLoc(), type).wasInterrupted())
          return WalkResult::interrupt();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (check(argument.getLoc(), argument.getType()).wasInterrupted())
              return WalkResult::interrupt();
      return WalkResult::advance();
    });
  }
};
} // namespace
