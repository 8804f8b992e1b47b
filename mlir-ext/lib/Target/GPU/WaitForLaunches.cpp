//===- WaitForLaunches.cpp - Kernels that begin early ---------------------===//
//
// A kernel waits for earlier launches just before it first accesses memory that
// they may access. So a launcher may begin it before they have ended. The work
// before the wait, and the launch itself, then take no time
// (docs/Decisions/0125).
//
// A kernel also says where the next kernels may be made ready. If hardware
// copies its tiles, that is where a thread has started its last copy: behind
// the loop of a role that only copies, or in the iteration of a loop that
// copies no more. If a processor has no room for two of its workgroups, it is
// where results are stored: there, earlier is slower (docs/Decisions/0188).
// Others say so behind their wait, those without a loop if their workgroups are
// few. Persistent workgroups, which store in a loop, do not: the end of their
// launch says it.
//
// Workgroups that are made ready in front of the end of others are placed on
// those processors that have room for them, as many as fit. The others then
// get none (docs/Decisions/0181). So the manifest says up to how many
// workgroups on a processor a launcher should see to an even distribution. It
// does so by shared memory, which the L1 cache then lacks. Kernels that read
// memory in loops need that cache.
//
// All threads wait, whatever they do afterwards. So when a kernel has ended,
// all earlier ones have ended, too, and waiting for the last one is enough.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Says that launches behind may be made ready, in one thread.
static constexpr const char *kLaunchDependents =
    "griddepcontrol.launch_dependents;";

/// The most workgroups on a processor that are distributed evenly.
static constexpr int64_t kMostEven = 16;

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

/// Returns whether `op` is in a loop of its kernel.
static bool isInLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>() != nullptr;
}

/// Returns whether `kernel` stores in a loop what others may read.
static bool storesInLoop(gpu::GPUFuncOp kernel) {
  return kernel
      ->walk([](LoopLikeOpInterface loop) {
        return !isInLoop(loop) && stores(loop) ? WalkResult::interrupt()
                                               : WalkResult::advance();
      })
      .wasInterrupted();
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

/// Says, behind the last copy in the body of `loop`, that launches behind may
/// be made ready, in iterations in which the thread that copies does not. Its
/// condition is one that does not change, and one of the iteration. Returns
/// whether there is such a copy.
static bool allowLaunchesBehindLastCopy(scf::ForOp loop) {
  nvgpu::TmaAsyncLoadOp last;
  for (auto copy : loop.getBody()->getOps<nvgpu::TmaAsyncLoadOp>())
    last = copy;
  Value predicate = last ? last.getPredicate() : Value();
  auto both =
      predicate ? predicate.getDefiningOp<arith::AndIOp>() : arith::AndIOp();
  if (!both)
    return false;
  Value thread = both.getLhs(), copies = both.getRhs();
  if (!loop.isDefinedOutsideOfLoop(thread))
    std::swap(thread, copies);
  if (!loop.isDefinedOutsideOfLoop(thread) ||
      loop.isDefinedOutsideOfLoop(copies))
    return false;
  OpBuilder b(loop.getContext());
  b.setInsertionPointAfter(last);
  Location loc = last.getLoc();
  Value always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  Value ends = arith::AndIOp::create(
      b, loc, thread, arith::XOrIOp::create(b, loc, copies, always));
  // A branch would end the block that multiplies.
  NVVM::InlinePtxOp::create(b, loc, TypeRange(), ValueRange(), ValueRange(),
                            b.getStringAttr(kLaunchDependents), ends);
  return true;
}

/// Says where the thread that starts the last copy of a tile has done so that
/// launches behind may be made ready. Returns false if that is not known, and
/// for persistent workgroups, which store in a loop.
static bool allowLaunchesBehindCopies(gpu::GPUFuncOp kernel) {
  // The last loop with copies that is in no other loop.
  Operation *last = nullptr;
  kernel->walk([&](nvgpu::TmaAsyncLoadOp copy) {
    Operation *outermost = nullptr;
    for (Operation *op = copy->getParentOp(); op != kernel;
         op = op->getParentOp())
      if (isa<LoopLikeOpInterface>(op))
        outermost = op;
    if (outermost)
      last = outermost;
  });
  if (!last || storesInLoop(kernel))
    return false;
  // The loop of a role that copies multiplies nothing.
  bool isOfRole = last->getParentOp() != kernel &&
                  !last->walk([](vector_ext::AsyncMmaOp) {
                         return WalkResult::interrupt();
                       }).wasInterrupted();
  if (!isOfRole) {
    auto loop = dyn_cast<scf::ForOp>(last);
    return loop && allowLaunchesBehindLastCopy(loop);
  }
  OpBuilder b(kernel.getContext());
  b.setInsertionPointAfter(last);
  NVVM::GriddepcontrolOp::create(b, kernel.getLoc(),
                                 NVVM::GridDepActionKind::launch_dependents);
  return true;
}

namespace {
/// What is known about the launches of a kernel: the most workgroup memory, in
/// bytes, and the most workgroups, also of each dimension. The largest number
/// if that is not known.
struct KernelLaunches {
  static constexpr int64_t kUnknown = std::numeric_limits<int32_t>::max();
  int64_t bytes = 0, workgroups = 0;
  std::array<int64_t, 3> grid = {0, 0, 0};
};
} // namespace

/// Returns what is known about the launches of each kernel in `module`.
static DenseMap<Operation *, KernelLaunches> getLaunches(ModuleOp module) {
  DenseMap<Operation *, KernelLaunches> all;
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernelAttr());
    if (!kernel)
      return;
    auto getNumber = [](Value value) {
      return getConstantIntValue(value).value_or(KernelLaunches::kUnknown);
    };
    int64_t bytes = 0, workgroups = 1;
    if (Value dynamic = launch.getDynamicSharedMemorySize())
      bytes = getNumber(dynamic);
    KernelLaunches &known = all[kernel];
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    for (auto [size, most] :
         llvm::zip_equal(ArrayRef({grid.x, grid.y, grid.z}), known.grid)) {
      int64_t number = getNumber(size);
      most = std::max(most, number);
      workgroups = std::min(workgroups * number, KernelLaunches::kUnknown);
    }
    known.bytes = std::max(known.bytes, bytes);
    known.workgroups = std::max(known.workgroups, workgroups);
  });
  return all;
}

/// Says, at `b`, that launches behind may be made ready, if a launch of at most
/// `mostWorkgroups` says so, and launches are as `launches` says.
static void allowLaunchesOfFew(OpBuilder &b, Location loc,
                               const KernelLaunches &launches,
                               int64_t mostWorkgroups) {
  if (launches.workgroups <= mostWorkgroups) {
    NVVM::GriddepcontrolOp::create(b, loc,
                                   NVVM::GridDepActionKind::launch_dependents);
    return;
  }
  if (launches.workgroups < KernelLaunches::kUnknown)
    return;
  // Reading a size takes as long as some loads.
  Value workgroups;
  for (auto [dimension, most] : llvm::enumerate(launches.grid)) {
    if (most <= 1)
      continue;
    Value size =
        gpu::GridDimOp::create(b, loc, static_cast<gpu::Dimension>(dimension));
    workgroups =
        workgroups ? arith::MulIOp::create(b, loc, workgroups, size) : size;
  }
  Value most = arith::ConstantIndexOp::create(b, loc, mostWorkgroups);
  Value areFew = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule,
                                       workgroups, most);
  NVVM::InlinePtxOp::create(b, loc, TypeRange(), ValueRange(), ValueRange(),
                            b.getStringAttr(kLaunchDependents), areFew);
}

/// Lets `kernel` wait in front of the first access to memory that other
/// launches may access.
static void waitInFrontOfAccesses(gpu::GPUFuncOp kernel,
                                  const KernelLaunches &launches,
                                  const GPUTarget &target) {
  Operation *first = nullptr;
  for (Operation &op : kernel.getBody().front()) {
    first = &op;
    if (mayAccess(&op))
      break;
  }
  OpBuilder b(first);
  NVVM::GriddepcontrolOp::create(b, kernel.getLoc(),
                                 NVVM::GridDepActionKind::wait);
  bool copies = copiesTiles(kernel);
  bool hasRoomForTwo = 2 * (launches.bytes + target.reservedSharedBytes) <=
                       target.processorSharedBytes;
  if (copies && hasRoomForTwo && allowLaunchesBehindCopies(kernel))
    return;
  Operation *place =
      findStoresBehindLoop(Block::iterator(first), /*inRoles=*/copies);
  // Launches beside a kernel that copies tiles make it slower. Those behind one
  // without loops whose workgroups take turns, too.
  if (copies && place)
    b.setInsertionPoint(place);
  if (place)
    NVVM::GriddepcontrolOp::create(b, kernel.getLoc(),
                                   NVVM::GridDepActionKind::launch_dependents);
  else if (!copies && !storesInLoop(kernel))
    allowLaunchesOfFew(b, kernel.getLoc(), launches,
                       kMostEven * target.processors);
}

LogicalResult mlir::linalg_ext::waitForLaunches(ModuleOp module) {
  FailureOr<GPUTarget> target = getGPUTarget(module);
  if (failed(target))
    return failure();
  DenseMap<Operation *, KernelLaunches> launches = getLaunches(module);
  // The first chip with this instruction.
  constexpr int64_t kHopper = 90;
  module.walk([&](gpu::GPUModuleOp kernels) {
    if (getNumberOfChip(kernels) < kHopper)
      return;
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
      if (kernel.isKernel() && !waitsForLaunches(kernel))
        waitInFrontOfAccesses(kernel, launches.lookup(kernel), *target);
  });
  return success();
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

/// Returns whether `kernel` reads memory in a loop other than by copies to the
/// memory of its workgroup.
static bool readsInLoop(gpu::GPUFuncOp kernel) {
  return kernel
      ->walk([](Operation *op) {
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        if (!effects || !isInLoop(op) || isa<nvgpu::DeviceAsyncCopyOp>(op))
          return WalkResult::advance();
        SmallVector<MemoryEffects::EffectInstance> reads;
        effects.getEffects<MemoryEffects::Read>(reads);
        bool ofOthers = llvm::any_of(reads, [](const auto &read) {
          return read.getValue() &&
                 isa<BaseMemRefType>(read.getValue().getType()) &&
                 !isOfWorkgroup(read.getValue().getType());
        });
        return ofOthers ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

int64_t mlir::linalg_ext::getEvenWorkgroups(gpu::LaunchFuncOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!kernel || launch.hasClusterSize() || !waitsForLaunches(kernel))
    return 0;
  // With 4, an H200 has 60 KiB of L1 cache left, and with more 28 KiB.
  constexpr int64_t kEvenWithCache = 4;
  return readsInLoop(kernel) ? kEvenWithCache : kMostEven;
}
