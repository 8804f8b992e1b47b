//===- PlaceMemory.cpp - Memory of launches and kernels -------------------===//
//
// The pass linalg-ext-gpu-place-memory. Its steps are in
// PoolWorkgroupMemory.cpp and in Codegen/Common/ShareTemporaries.cpp.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "mlir-ext/Codegen/Common/ShareTemporaries.h"
#include "mlir-ext/Support/Collective.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUPLACEMEMORYPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether the host runs `op` in order, in the body of a function or in
/// loops of it.
static bool isOfHost(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa<scf::ForOp, scf::WhileOp>(parent))
    parent = parent->getParentOp();
  return isa<func::FuncOp>(parent);
}

/// Returns how `use` uses a buffer. Only launches and collective operations may
/// access buffers.
static BufferUse getUseByLaunch(OpOperand &use) {
  Operation *op = use.getOwner();
  // A tensor map is used where the buffer that it describes is used.
  if (isa<nvgpu::TmaCreateDescriptorOp>(op))
    return BufferUse::View;
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    // Launches with tokens may run in another order.
    bool isInOrder =
        !launch.getAsyncToken() && launch.getAsyncDependencies().empty();
    return isInOrder && isOfHost(op) ? BufferUse::Access : BufferUse::Unknown;
  }
  // Collective operations run in order with launches. An op that starts a
  // transfer is followed by a call that ends it, with the same buffers.
  if (!getCollective(op).empty())
    return isOfHost(op) ? BufferUse::Access : BufferUse::Unknown;
  BufferUse result = getBufferUse(use);
  return result == BufferUse::Access ? BufferUse::Unknown : result;
}

/// The alignment of each buffer in bytes, as for allocations.
static constexpr int64_t kBufferAlignment = 256;

namespace {
struct LinalgExtGPUPlaceMemoryPass
    : public linalg_ext::impl::LinalgExtGPUPlaceMemoryPassBase<
          LinalgExtGPUPlaceMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    FailureOr<GPUTarget> target = getGPUTarget(scope);
    if (failed(target))
      return signalPassFailure();
    const NamedStep known[] = {
        {"check-workgroup-memory",
         [&] { return checkWorkgroupMemory(scope, target->sharedBytes); }},
        {"share-temporaries",
         [&] {
           ShareTemporariesOptions options{kBufferAlignment, getUseByLaunch,
                                           /*inLoops=*/true};
           scope->walk(
               [&](func::FuncOp func) { shareTemporaries(func, options); });
           return success();
         }},
        {"pool-workgroup-memory",
         [&] { return poolWorkgroupMemory(scope, target->sharedBytes); }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
