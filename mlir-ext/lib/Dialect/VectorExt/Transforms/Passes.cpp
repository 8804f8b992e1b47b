//===- Passes.cpp - Passes of the VectorExt dialect -----------------------===//
//
// Thin: each pass calls one function.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Dialect/VectorExt/Transforms/Distribution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::vector_ext {
#define GEN_PASS_DEF_VECTOREXTDISTRIBUTEPASS
#include "mlir-ext/Dialect/VectorExt/Transforms/Passes.h.inc"
} // namespace mlir::vector_ext

using namespace mlir;
using namespace mlir::vector_ext;

/// The number of threads of the workgroups of `op`; fails with an error if it
/// is not known.
static FailureOr<int64_t> getNumThreads(Operation *op) {
  SmallVector<int64_t> sizes;
  if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
    for (Value size : {launch.getBlockSizeX(), launch.getBlockSizeY(),
                       launch.getBlockSizeZ()})
      sizes.push_back(getConstantIntValue(size).value_or(-1));
  } else if (auto known = cast<gpu::GPUFuncOp>(op).getKnownBlockSize()) {
    sizes.assign(known->begin(), known->end());
  }
  if (sizes.size() != 3 || sizes[0] < 1 || sizes[1] != 1 || sizes[2] != 1)
    return op->emitOpError() << "expected a constant block size of one "
                                "dimension to distribute vectors";
  return sizes[0];
}

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
    for (Operation *scope : scopes) {
      FailureOr<int64_t> threads = getNumThreads(scope);
      if (failed(threads))
        return signalPassFailure();
      if (lanes < 1 || *threads % lanes != 0) {
        scope->emitOpError()
            << "expected a block of a multiple of " << lanes.getValue()
            << " threads, got " << *threads;
        return signalPassFailure();
      }
      if (failed(distributeVectors(
              rewriter, scope,
              {lanes, *threads / lanes, matrixLoads, asyncCopies, buffers},
              {remarks, maxRegisters, maxProducts, maxSharedBytes})))
        return signalPassFailure();
    }
  }
};
} // namespace
