//===- PoolWorkgroupMemory.cpp - One block of workgroup memory ------------===//
//
// Replaces the workgroup allocations of a kernel by views of one block. Two
// allocations share memory if a barrier of all threads separates the last use
// of one from the first use of the other. The role that reads a ring may also
// reuse its memory, after a barrier of the role.
//
//   1. Collect the static allocations.
//   2. Find the first and the last use of each one.
//   3. Give each one the lowest offset without overlap with a live one.
//   4. Where copies of boxes (TMA) fill memory that threads have accessed
//      before, order these accesses before the copies. A barrier alone does not.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The alignment of a part in bytes: one word of each bank.
static constexpr int64_t partAlignment = 128;
/// The alignment of the block in bytes.
static constexpr int64_t blockAlignment = 1024;
/// The size of an mbarrier.
static constexpr int64_t barrierBytes = 8;

namespace {
/// A static allocation of workgroup memory: the buffer, and where it is in the
/// block.
struct Part {
  Value buffer;
  int64_t bytes;
  int64_t alignment;
  int64_t offset = 0;
  /// Whether the part has the slots of a ring that a separate role fills.
  bool isRing = false;
  /// The first and the last op of the kernel's block that uses it.
  Operation *first = nullptr, *last = nullptr;

  int64_t end() const { return offset + bytes; }
};
} // namespace

/// Returns whether `type` is a memref in workgroup memory, by either name of
/// this address space.
static bool isWorkgroup(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.getMemorySpace())
    return false;
  if (auto number = dyn_cast<IntegerAttr>(memref.getMemorySpace()))
    return number.getInt() == 3;
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
}

static FailureOr<Part> getPart(Location loc, Value buffer,
                               std::optional<int64_t> alignment) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return emitError(loc, "expected workgroup memory to be "
                          "#gpu.address_space<workgroup>, got ")
           << type;
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitError(loc, "expected workgroup memory of static shape with the "
                          "identity layout, got ")
           << type;
  Type element = type.getElementType();
  int64_t count = type.getNumElements();
  if (auto vector = dyn_cast<VectorType>(element)) {
    count *= vector.getNumElements();
    element = vector.getElementType();
  }
  int64_t bits = element.isIndex() ? 64 : 0;
  if (element.isIntOrFloat())
    bits = element.getIntOrFloatBitWidth();
  if (bits == 0)
    return emitError(loc, "expected workgroup memory of numbers, got ") << type;
  int64_t align = std::max(alignment.value_or(1), partAlignment);
  if (align > blockAlignment)
    return emitError(loc, "expected workgroup memory aligned to at most ")
           << blockAlignment << " bytes, got " << align;
  return Part{buffer, count * llvm::divideCeilSigned(bits, 8), align};
}

/// Collects the static allocations of `kernel`, a gpu.func or a gpu.launch, in
/// order.
static LogicalResult collectParts(Operation *kernel, SmallVector<Part> &parts) {
  auto func = dyn_cast<gpu::GPUFuncOp>(kernel);
  for (auto [index, buffer] : llvm::enumerate(
           func ? getWorkgroupAttributions(func)
                : getWorkgroupAttributions(cast<gpu::LaunchOp>(kernel)))) {
    std::optional<int64_t> alignment;
    if (auto attr = dyn_cast_or_null<IntegerAttr>(
            func ? func.getWorkgroupAttributionAttr(
                       index, LLVM::LLVMDialect::getAlignAttrName())
                 : Attribute()))
      alignment = attr.getInt();
    FailureOr<Part> part = getPart(buffer.getLoc(), buffer, alignment);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  WalkResult walked = kernel->walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp>(op) ||
        !isWorkgroup(op->getResult(0).getType()))
      return WalkResult::advance();
    std::optional<uint64_t> alignment =
        isa<memref::AllocOp>(op) ? cast<memref::AllocOp>(op).getAlignment()
                                 : cast<memref::AllocaOp>(op).getAlignment();
    FailureOr<Part> part = getPart(op->getLoc(), op->getResult(0), alignment);
    if (failed(part))
      return WalkResult::interrupt();
    part->isRing = op->hasAttr(vector_ext::getRingAttrName());
    parts.push_back(*part);
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

namespace {
/// The first and the last op of a block that use a part, if any does. Uses in
/// other blocks do not count.
struct Lifetime {
  Operation *first = nullptr, *last = nullptr;
};
} // namespace

/// Returns the ops that wait for `open`, the result of an asynchronous
/// instruction, or for a result that continues its chain. Follows the chain
/// through loops that carry it.
static SmallVector<Operation *> getEndsOfChain(Value open) {
  SmallVector<Operation *> ends;
  llvm::SetVector<Value> values;
  values.insert(open);
  for (unsigned i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      ends.push_back(user);
      if (isa<vector_ext::AsyncMmaOp>(user))
        values.insert_range(user->getResults());
      auto add = [&](Operation *op, unsigned number) {
        if (auto loop = dyn_cast<scf::ForOp>(op))
          values.insert(loop.getRegionIterArg(number));
        values.insert(op->getResult(number));
      };
      unsigned number = use.getOperandNumber();
      if (auto loop = dyn_cast<scf::ForOp>(user))
        add(loop, number - loop.getNumControlOperands());
      else if (isa<scf::YieldOp>(user) &&
               isa<scf::ForOp, scf::IfOp>(user->getParentOp()))
        add(user->getParentOp(), number);
    }
  return ends;
}

/// Finds the first and the last op of `block` that use `part`. If this is
/// unknown, these are the first and the last op of the block.
static Lifetime findLifetime(Block &block, const Part &part) {
  Lifetime life;
  auto use = [&](Operation *op) {
    Operation *here = block.findAncestorOpInBlock(*op);
    if (!here)
      return;
    if (!life.first || here->isBeforeInBlock(life.first))
      life.first = here;
    if (!life.last || life.last->isBeforeInBlock(here))
      life.last = here;
  };
  SmallVector<Value> names{part.buffer};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      use(user);
      // The instruction reads the memory until it is awaited. Slots of rings
      // are freed only after that.
      if (isa<vector_ext::AsyncMmaOp>(user) && !part.isRing)
        for (Operation *end : getEndsOfChain(user->getResult(0)))
          use(end);
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(names, user->getResults());
        continue;
      }
      // Other ops may pass the memory on, which is not followed further.
      if (user->hasTrait<OpTrait::IsTerminator>() ||
          llvm::any_of(user->getResultTypes(), isWorkgroup)) {
        use(&block.front());
        use(block.getTerminator());
      }
    }
  return life;
}

/// Returns the block of the only branch in the body of the kernel that uses
/// `part`, or null.
static Block *findBranch(Block &body, const Part &part) {
  Lifetime life = findLifetime(body, part);
  auto branch = dyn_cast_or_null<scf::IfOp>(life.first);
  return branch && life.first == life.last ? branch.thenBlock() : nullptr;
}

/// Returns whether the threads of a branch have finished with the ring
/// `earlier` before one of them uses `later`, which only this branch uses:
/// these threads have a barrier in between. By then, the threads that fill the
/// ring have written all of it.
static bool isReadBefore(Block &body, const Part &earlier, const Part &later) {
  Block *branch = earlier.isRing && !later.isRing ? findBranch(body, later)
                                                  : nullptr;
  if (!branch)
    return false;
  Lifetime before = findLifetime(*branch, earlier),
           after = findLifetime(*branch, later);
  if (!before.last || !after.first || !before.last->isBeforeInBlock(after.first))
    return false;
  for (Operation *op = before.last; op != after.first; op = op->getNextNode())
    if (isa<NVVM::BarrierOp>(op))
      return true;
  return false;
}

/// Returns whether all threads have finished with `earlier` before one uses
/// `later`: there is a barrier in between, and the asynchronous copies into
/// `earlier` have arrived before it.
static bool isDoneBefore(const Part &earlier, const Part &later) {
  if (!earlier.last->isBeforeInBlock(later.first))
    return false;
  bool result = false;
  for (Operation *op = earlier.last; op != later.first; op = op->getNextNode())
    if (isa<gpu::BarrierOp>(op))
      result = true;
    else if (op != earlier.last && op->walk([](nvgpu::DeviceAsyncWaitOp) {
                                       return WalkResult::interrupt();
                                     }).wasInterrupted())
      // The wait may be for a copy into the earlier part.
      result = false;
  return result;
}

/// Finds a place for every part of the workgroup memory of `kernel`, a gpu.func
/// or a gpu.launch. Fails, with an error, if `maxBytes` are too few.
static LogicalResult planParts(Operation *kernel, int64_t maxBytes,
                               SmallVector<Part> &parts) {
  if (failed(collectParts(kernel, parts)))
    return failure();
  if (parts.empty())
    return success();
  WalkResult walked = kernel->walk([](gpu::DynamicSharedMemoryOp op) {
    op.emitOpError("expected no other dynamic workgroup memory in a kernel "
                   "with static allocations, which would overlap");
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  // Put each part at the first place where it overlaps no live part.
  Region &body = kernel->getRegion(0);
  bool isStructured = body.hasOneBlock();
  int64_t end = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (isStructured) {
      Lifetime life = findLifetime(body.front(), part);
      part.first = life.first ? life.first : body.front().getTerminator();
      part.last = life.last ? life.last : &body.front().front();
    }
    SmallVector<const Part *> others;
    for (const Part &other : ArrayRef(parts).take_front(i))
      if (!isStructured ||
          (!isDoneBefore(other, part) && !isDoneBefore(part, other) &&
           !isReadBefore(body.front(), other, part) &&
           !isReadBefore(body.front(), part, other)))
        others.push_back(&other);
    llvm::sort(others, [](const Part *a, const Part *b) {
      return a->offset < b->offset;
    });
    for (const Part *other : others) {
      if (part.offset + part.bytes <= other->offset)
        break;
      part.offset = std::max<int64_t>(
          part.offset, llvm::alignTo(other->end(), part.alignment));
    }
    end = std::max(end, part.end());
  }
  // mbarriers are static memory before the block.
  int64_t numBarriers = 0;
  kernel->walk([&](nvgpu::MBarrierCreateOp op) {
    numBarriers += op.getBarriers().getType().getNumBarriers();
  });
  end += llvm::alignTo(numBarriers * barrierBytes, blockAlignment);
  if (end > maxBytes)
    return kernel->emitOpError("expected at most ")
           << maxBytes << " bytes of workgroup memory, got " << end;
  return success();
}

namespace {
/// Whether copies of boxes fill a part, and whether threads read or write it by
/// other instructions than asynchronous products.
struct Accesses {
  bool areOfBoxes = false, areOfThreads = false;
};
} // namespace

static Accesses getAccesses(const Part &part) {
  Accesses result;
  SmallVector<Value> names{part.buffer};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(names, user->getResults());
      else if (isa<nvgpu::TmaAsyncLoadOp>(user))
        result.areOfBoxes = true;
      else if (!isa<memref::DeallocOp, vector_ext::AsyncMmaOp>(user))
        result.areOfThreads = true;
    }
  return result;
}

/// Lets threads fence what they have accessed in the memory of `earlier` before
/// copies of boxes fill `later` there: in front of the last barrier in between.
/// To these copies, ordinary accesses are not ordered by a barrier.
static void fenceReusedMemory(const Part &earlier, const Part &later) {
  if (earlier.end() <= later.offset || later.end() <= earlier.offset ||
      !earlier.last || !earlier.last->isBeforeInBlock(later.first) ||
      !getAccesses(later).areOfBoxes || !getAccesses(earlier).areOfThreads)
    return;
  gpu::BarrierOp last;
  bool isFenced = false, anyFence = false;
  for (Operation *op = earlier.last; op != later.first; op = op->getNextNode())
    if (auto barrier = dyn_cast<gpu::BarrierOp>(op)) {
      last = barrier;
      isFenced = anyFence;
    } else if (isa<NVVM::FenceProxyOp>(op)) {
      anyFence = true;
    }
  if (!last || isFenced)
    return;
  OpBuilder b(last);
  NVVM::FenceProxyOp::create(
      b, last.getLoc(),
      NVVM::ProxyKindAttr::get(b.getContext(), NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(b.getContext(), NVVM::SharedSpace::shared_cta));
}

/// Replaces the parts by views of the block.
static void replaceParts(gpu::GPUFuncOp kernel, ArrayRef<Part> parts) {
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  auto poolType = MemRefType::get(
      {ShapedType::kDynamic}, builder.getI8Type(), MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(builder.getContext(),
                                 gpu::GPUDialect::getWorkgroupAddressSpace()));
  Value pool = gpu::DynamicSharedMemoryOp::create(builder, loc, poolType);
  for (const Part &part : parts) {
    Value buffer = part.buffer;
    Value offset =
        arith::ConstantIndexOp::create(builder, buffer.getLoc(), part.offset);
    Value view = memref::ViewOp::create(builder, buffer.getLoc(),
                                        cast<MemRefType>(buffer.getType()),
                                        pool, offset, ValueRange());
    for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    buffer.replaceAllUsesWith(view);
  }
  // The builder may stand before one of the allocations.
  for (const Part &part : parts)
    if (Operation *allocation = part.buffer.getDefiningOp())
      allocation->erase();
  // Attributions are arguments after the kernel's own arguments.
  unsigned attributions = kernel.getNumWorkgroupAttributions();
  kernel.getBody().front().eraseArguments(kernel.getNumArguments(),
                                          attributions);
  clearNumWorkgroupAttributions(kernel);
  kernel.removeWorkgroupAttribAttrsAttr();
}

LogicalResult mlir::linalg_ext::checkWorkgroupMemory(Operation *scope,
                                                     int64_t maxBytes) {
  LogicalResult result = success();
  WalkResult walked = scope->walk([&](gpu::LaunchOp launch) {
    SmallVector<Part> parts;
    if (succeeded(planParts(launch, maxBytes, parts)))
      return WalkResult::advance();
    result = failure();
    bool isRecorded =
        vector_ext::recordTooLarge(scope, launch, vector_ext::Refused::Slots);
    return isRecorded ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted() || failed(result));
}

LogicalResult mlir::linalg_ext::poolWorkgroupMemory(Operation *scope,
                                                    int64_t maxBytes) {
  SmallVector<std::pair<gpu::GPUFuncOp, SmallVector<Part>>> kernels;
  WalkResult walked = scope->walk([&](gpu::GPUFuncOp kernel) {
    SmallVector<Part> parts;
    if (kernel.isKernel() && failed(planParts(kernel, maxBytes, parts)))
      return WalkResult::interrupt();
    if (!parts.empty())
      kernels.emplace_back(kernel, std::move(parts));
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();

  llvm::DenseMap<Operation *, int64_t> sizes;
  for (auto &[kernel, parts] : kernels) {
    int64_t size = 0;
    for (const Part &part : parts)
      size = std::max(size, part.end());
    sizes[kernel] = size;
    for (const Part &later : parts)
      for (const Part &earlier : parts)
        fenceReusedMemory(earlier, later);
    replaceParts(kernel, parts);
    kernel->setAttr("workgroup_bytes",
                    OpBuilder(kernel).getI64IntegerAttr(size));
  }
  scope->walk([&](gpu::LaunchFuncOp launch) {
    Operation *kernel =
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel());
    int64_t size = sizes.lookup(kernel);
    if (size == 0)
      return;
    OpBuilder builder(launch);
    launch.getDynamicSharedMemorySizeMutable().assign(
        arith::ConstantIntOp::create(builder, launch.getLoc(), size, 32));
  });
  return success();
}
