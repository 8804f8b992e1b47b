//===- Passes.cpp - Passes of the VectorExt dialect -----------------------===//
//
// Each pass calls one C++ function.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::vector_ext {
#define GEN_PASS_DEF_VECTOREXTDISTRIBUTEPASS
#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h.inc"
} // namespace mlir::vector_ext

using namespace mlir;
using namespace mlir::vector_ext;

namespace {
struct VectorExtDistributePass
    : public vector_ext::impl::VectorExtDistributePassBase<
          VectorExtDistributePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> scopes;
    getOperation()->walk([&](Operation *op) {
      auto func = dyn_cast<gpu::GPUFuncOp>(op);
      if (isa<gpu::LaunchOp>(op) || (func && func.isKernel()))
        scopes.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    Workgroup workgroup{lanes,       1,       matrixLoads,
                        asyncCopies, buffers, wideWrites};
    layout::SharedLayoutChoices sharedLayouts;
    DistributionOptions options{remarks, maxRegisters, maxProducts,
                                maxSharedBytes, &sharedLayouts};
    for (Operation *scope : scopes)
      if (failed(distributeKernel(rewriter, scope, workgroup, options)))
        return signalPassFailure();
  }
};
} // namespace
