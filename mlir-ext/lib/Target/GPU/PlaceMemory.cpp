//===- PlaceMemory.cpp - Memory of launches and kernels -------------------===//
//
// The pass linalg-ext-gpu-place-memory. Its steps are in ShareTemporaries.cpp
// and PoolWorkgroupMemory.cpp.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUPLACEMEMORYPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtGPUPlaceMemoryPass
    : public linalg_ext::impl::LinalgExtGPUPlaceMemoryPassBase<
          LinalgExtGPUPlaceMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    const NamedStep known[] = {
        {"check-workgroup-memory",
         [&] { return checkWorkgroupMemory(scope, maxBytes); }},
        {"share-temporaries",
         [&] {
           scope->walk([](func::FuncOp func) { shareTemporaries(func); });
           return success();
         }},
        {"pool-workgroup-memory",
         [&] { return poolWorkgroupMemory(scope, maxBytes); }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
