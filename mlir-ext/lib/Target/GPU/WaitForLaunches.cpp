//===- WaitForLaunches.cpp - Kernels that begin early ---------------------===//
//
// A kernel waits for earlier launches just before it first accesses memory that
// they may access. So a launcher may begin it before they have ended. The work
// before the wait, and the launch itself, then take no time
// (docs/Decisions/0125).
//
// A kernel that stores the results of a loop after the loop also allows the
// next kernels to be prepared: after its wait or, if hardware copies its tiles,
// before the stores, which may be in the branch of a role. Kernels of
// persistent workgroups, which store in a loop, do not. Kernels without a loop
// do not either, because the instruction would keep the assembler from moving
// stores.
//
// All threads wait, whatever they do afterwards. So when a kernel has ended,
// all earlier ones have ended, too, and waiting for the last one is enough.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `type` is memory of a workgroup or of a thread.
static bool isOfWorkgroup(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  auto space =
      memref
          ? dyn_cast_if_present<gpu::AddressSpaceAttr>(memref.getMemorySpace())
          : gpu::AddressSpaceAttr();
  return space && space.getValue() != gpu::AddressSpace::Global;
}

/// Returns whether `op`, or an op in it, may access memory that other launches
/// may access.
static bool mayAccess(Operation *op) {
  // Barriers of a workgroup, the ops that create them, and memory of a thread
  // do not count.
  if (isa<gpu::BarrierOp, nvgpu::MBarrierCreateOp, nvgpu::MBarrierInitOp,
          NVVM::FenceMbarrierInitOp, memref::AllocaOp>(op) ||
      isMemoryEffectFree(op))
    return false;
  // Their effects do not say that they access what a tensor map describes.
  if (isa<nvgpu::TmaAsyncLoadOp, nvgpu::TmaAsyncStoreOp>(op))
    return true;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return llvm::any_of(op->getRegions(), [](Region &region) {
      return llvm::any_of(region.getOps(),
                          [](Operation &nested) { return mayAccess(&nested); });
    });
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || op->getNumRegions() > 0)
    return true;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [](const auto &instance) {
    return !instance.getValue() ||
           !isOfWorkgroup(instance.getValue().getType());
  });
}

/// Returns whether `op`, or an op in it, stores to such memory.
static bool stores(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        auto effects = dyn_cast<MemoryEffectOpInterface>(nested);
        SmallVector<MemoryEffects::EffectInstance> writes;
        if (effects)
          effects.getEffects<MemoryEffects::Write>(writes);
        return isa<nvgpu::TmaAsyncStoreOp>(nested) ||
                       llvm::any_of(writes,
                                    [](const auto &write) {
                                      return write.getValue() &&
                                             isa<BaseMemRefType>(
                                                 write.getValue().getType()) &&
                                             !isOfWorkgroup(
                                                 write.getValue().getType());
                                    })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool hasLoop(Operation *op) {
  return op->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Returns whether hardware copies tiles for `kernel`.
static bool copiesTiles(gpu::GPUFuncOp kernel) {
  return kernel
      ->walk([](nvgpu::MBarrierCreateOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Returns the number of the lowest chip that `module` is compiled for, without
/// letters: 90 for sm_90a. Returns 0 if a chip is unknown or not NVIDIA's.
static int64_t getNumberOfChip(gpu::GPUModuleOp module) {
  std::optional<int64_t> lowest;
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute attr : targets) {
      auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr);
      StringRef chip = target ? target.getChip() : "";
      int64_t number = 0;
      if (!chip.consume_front("sm_") || chip.consumeInteger(10, number))
        return 0;
      lowest = std::min(lowest.value_or(number), number);
    }
  return lowest.value_or(0);
}

/// The op, from `it` on, that stores what a loop in front of it has computed.
/// The branch of a role is looked into. Null if there is none.
static Operation *findStoresBehindLoop(Block::iterator it, bool inRoles) {
  bool isBehindLoop = false;
  for (Operation &op : llvm::make_range(it, it->getBlock()->end())) {
    if (!stores(&op)) {
      isBehindLoop |= hasLoop(&op);
      continue;
    }
    if (!hasLoop(&op))
      return isBehindLoop ? &op : nullptr;
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && inRoles)
      for (Region &region : branch->getRegions())
        for (Operation &nested : region.getOps())
          if (stores(&nested))
            return findStoresBehindLoop(region.front().begin(), inRoles);
    return nullptr;
  }
  return nullptr;
}

void mlir::linalg_ext::waitForLaunches(ModuleOp module) {
  // The first chip with this instruction.
  constexpr int64_t kHopper = 90;
  module.walk([&](gpu::GPUModuleOp kernels) {
    if (getNumberOfChip(kernels) < kHopper)
      return;
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
      if (!kernel.isKernel() || waitsForLaunches(kernel))
        continue;
      Operation *first = nullptr;
      for (Operation &op : kernel.getBody().front()) {
        first = &op;
        if (mayAccess(&op))
          break;
      }
      OpBuilder b(first);
      NVVM::GriddepcontrolOp::create(b, kernel.getLoc(),
                                     NVVM::GridDepActionKind::wait);
      // Launches behind may be made ready where what a loop computes is stored
      // behind it.
      Operation *place =
          findStoresBehindLoop(Block::iterator(first), copiesTiles(kernel));
      if (!place)
        continue;
      // Those that copy tiles are slower beside others that wait for them.
      if (copiesTiles(kernel))
        b.setInsertionPoint(place);
      NVVM::GriddepcontrolOp::create(
          b, kernel.getLoc(), NVVM::GridDepActionKind::launch_dependents);
    }
  });
}

bool mlir::linalg_ext::waitsForLaunches(gpu::GPUFuncOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    auto wait = dyn_cast<NVVM::GriddepcontrolOp>(op);
    if (wait && wait.getKind() == NVVM::GridDepActionKind::wait)
      return true;
    if (mayAccess(&op))
      return false;
  }
  return false;
}
