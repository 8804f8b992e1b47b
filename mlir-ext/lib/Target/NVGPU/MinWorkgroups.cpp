//===- MinWorkgroups.cpp - Workgroups on a processor ----------------------===//
//
// The assembler does not know how much dynamic shared memory a launch uses. It
// may limit the registers of a thread for more workgroups on a processor than
// shared memory allows, and spill. This step computes the number of workgroups
// that shared memory allows, and states it (nvvm.minctasm). It does so only if
// the registers for the largest loop and the largest asynchronous product are
// then available.
//
// Where a loop carries what it has loaded for its next iteration, the assembler
// would rather have more workgroups, and load late. There the step states how
// many the registers of that loop allow.
//
// Where a kernel without shared memory only sums what it loads, as where chunks are
// merged, the assembler takes 32 registers and spills a few. There the step states
// how many workgroups 40 registers allow, or more where it loads more together.
//
//===----------------------------------------------------------------------===//

#include "CarriedWords.h"
#include "RegisterWorkarounds.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the number of words of the largest awaited results that `loop`
/// computes with, and of the operands that it makes from them for the next
/// product, which take half of the bits. Returns 0 if there are none.
static int64_t getAwaitedWords(scf::ForOp loop) {
  int64_t most = 0;
  loop->walk([&](vector_ext::AwaitOp await) {
    int64_t words = 0;
    for (Value result : await.getResults())
      if (!llvm::all_of(result.getUsers(), llvm::IsaPred<scf::YieldOp>))
        words += cast<VectorType>(result.getType()).getNumElements();
    most = std::max(most, words + words / 2);
  });
  return most;
}

/// Returns whether roles of `kernel` share the registers of a processor. One
/// workgroup then has all of them, which linalg-ext-gpu-convert-kernels states.
static bool sharesOutRegisters(gpu::GPUFuncOp kernel) {
  return kernel
      ->walk([](NVVM::SetMaxRegisterOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The number of threads of a processor that hides the latency of the loads of
/// large workgroups whose loops do not load ahead.
static constexpr int64_t kManyThreads = 1024;

/// Returns whether `kernel` computes products in registers of subgroups.
static bool multiplies(gpu::GPUFuncOp kernel) {
  return kernel
      ->walk([](Operation *op) {
        return nvgpu_ext::isMmaSync(op) ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `kernel` is known to have no more workgroups than there are
/// processors.
static bool isAlone(gpu::GPUFuncOp kernel, const GPUTarget &target) {
  std::optional<ArrayRef<int32_t>> grid = kernel.getKnownGridSize();
  int64_t workgroups = 1;
  if (grid)
    for (int32_t size : *grid)
      workgroups *= size;
  return grid && workgroups <= target.processors;
}

/// Returns whether `loop` carries a vector that it loads.
static bool loadsAhead(scf::ForOp loop) {
  return llvm::any_of(loop.getYieldedValues(),
                      [](Value value) { return isLoaded(value); });
}

/// Returns the number of words of the rows that `loop` loads ahead. Products
/// read these as they are.
static int64_t getWordsOfRows(scf::ForOp loop) {
  int64_t words = 0;
  for (Value value : loop.getYieldedValues()) {
    int64_t own = getWords(value.getType());
    while (Operation *op = value.getDefiningOp()) {
      if (!isa<vector::BitCastOp, vector::FromElementsOp, LLVM::ExtractValueOp,
               LLVM::InlineAsmOp, vector::ExtractOp>(op) ||
          op->getNumOperands() == 0)
        break;
      value = op->getOperand(0);
    }
    auto type = dyn_cast<VectorType>(value.getType());
    if (type && isa<FloatType>(type.getElementType()) &&
        type.getElementTypeBitWidth() == 16 &&
        isa_and_present<vector::LoadOp, vector::MaskedLoadOp, scf::IfOp>(
            value.getDefiningOp()))
      words += own;
  }
  return words;
}

/// The registers for numbers that lanes exchange in a loop, and for the words
/// that say which.
static constexpr int64_t kExchangeRegisters = 24;

/// Returns whether `shuffle` exchanges a number of 32 bits of a table, which
/// each lane has selected. Numbers of 16 bits are packed at once.
static bool isOfWideTable(gpu::ShuffleOp shuffle) {
  return shuffle.getMode() == gpu::ShuffleMode::IDX &&
         shuffle.getValue().getDefiningOp<arith::SelectOp>() &&
         llvm::none_of(shuffle.getShuffleResult().getUsers(),
                       [](Operation *user) {
                         return isa<vector::FromElementsOp>(user) &&
                                llvm::any_of(user->getUsers(),
                                             llvm::IsaPred<arith::TruncIOp>);
                       });
}

/// Returns the registers of `loop` for numbers of a table that the lanes of a
/// subgroup hold, if it reads one.
static int64_t getTableRegisters(scf::ForOp loop) {
  bool readsTable = loop->walk([](gpu::ShuffleOp shuffle) {
                          return isOfWideTable(shuffle)
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
  return readsTable ? kExchangeRegisters : 0;
}

/// The least and the most registers of a thread that merges chunks, those for
/// addresses, and the fewest words that it sums.
static constexpr int64_t kMergingRegisters = 40, kMostMergingRegisters = 128,
                         kAddressRegisters = 24, kMergedWords = 8;
/// From this number of words in an iteration on, more registers are asked for.
static constexpr int64_t kManyMergedWords = 32;

/// Returns the number of words that `op` loads.
static int64_t getLoadedWords(Operation *op) {
  int64_t words = 0;
  op->walk([&](Operation *nested) {
    if (isa<memref::LoadOp, vector::LoadOp>(nested))
      words += getWords(nested->getResult(0).getType());
  });
  return words;
}

/// Returns the registers of a thread of `kernel`, if it only sums values that
/// each thread loads in a loop, and the sums and the loaded values fit into
/// `kMergingRegisters`; otherwise 0. LLVM unrolls loops of few chunks, and then
/// starts all loads together.
static int64_t getMergingRegisters(gpu::GPUFuncOp kernel) {
  constexpr int64_t kFewChunks = 16;
  int64_t words = 0, loaded = 0;
  WalkResult walk = kernel->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      words = std::max(words, getCarriedWords(loop));
      std::optional<APInt> trips = loop.getStaticTripCount();
      loaded = std::max(loaded, getLoadedWords(loop) *
                                    (trips && trips->ule(kFewChunks)
                                         ? trips->getSExtValue()
                                         : 1));
    }
    bool isMore =
        nvgpu_ext::isMmaSync(op) ||
        isa<gpu::ShuffleOp, gpu::BarrierOp, vector_ext::AsyncMmaOp>(op) ||
        isa_and_nonnull<math::MathDialect>(op->getDialect());
    return isMore ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted() || words < kMergedWords ||
      2 * words >= kMergingRegisters)
    return 0;
  return std::clamp(words + loaded + kAddressRegisters, kMergingRegisters,
                    kMostMergingRegisters);
}

/// Returns the most words that an iteration of a loop of `kernel` loads. Only
/// loops that compute functions count, such as one that merges maxima, sums and
/// results of chunks. Returns 0 if threads exchange values, or if a loop
/// carries too much to be such a loop. The assembler does not start loads
/// together if it has no registers for them.
static int64_t getMergedWords(gpu::GPUFuncOp kernel) {
  int64_t most = 0;
  WalkResult walk = kernel->walk([&](Operation *op) {
    if (nvgpu_ext::isMmaSync(op) ||
        isa<gpu::ShuffleOp, gpu::BarrierOp, vector_ext::AsyncMmaOp>(op))
      return WalkResult::interrupt();
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return WalkResult::advance();
    int64_t words = getLoadedWords(loop);
    bool hasFunctions =
        loop.getBody()
            ->walk([](LLVM::CallIntrinsicOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    // A loop that carries more than these registers does not merge chunks.
    if (getCarriedWords(loop) > kMergingRegisters)
      return WalkResult::interrupt();
    if (hasFunctions)
      most = std::max(most, words);
    return WalkResult::advance();
  });
  return walk.wasInterrupted() ? 0 : most;
}

void mlir::linalg_ext::setMinWorkgroups(Operation *scope,
                                        const GPUTarget &target) {
  StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
  scope->walk([&](gpu::GPUFuncOp kernel) {
    auto bytes = kernel->getAttrOfType<IntegerAttr>("workgroup_bytes");
    std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
    if (!block || kernel->hasAttr(name) || sharesOutRegisters(kernel))
      return;
    int64_t threads = 1, needed = 0;
    bool isAhead = false;
    for (int32_t size : *block)
      threads *= size;
    if (int64_t registers = bytes ? 0 : getMergingRegisters(kernel);
        registers > 0 && threads > 0)
      kernel->setAttr(
          name, Builder(kernel).getI32IntegerAttr(std::max<int64_t>(
                    target.processorRegisters / (threads * registers), 1)));
    else if (int64_t words = bytes ? 0 : getMergedWords(kernel);
             words >= kManyMergedWords && threads > 0)
      kernel->setAttr(name, Builder(kernel).getI32IntegerAttr(std::max<int64_t>(
                                target.processorRegisters /
                                    (threads * (words + kMergingRegisters + 8)),
                                1)));
    if (!bytes)
      return;
    kernel->walk([&](scf::ForOp loop) {
      isAhead |= loadsAhead(loop);
      int64_t awaited = getAwaitedWords(loop);
      // Rows need no other registers. Bytes do, for the values that they are
      // converted to.
      needed =
          std::max(needed, getCarriedWords(loop) - getWordsOfRows(loop) / 2 +
                               awaited + getTableRegisters(loop) +
                               (awaited == 0 ? target.loopRegisters
                                             : target.asyncLoopRegisters));
    });
    // The assembler rejects an instruction whose registers do not fit, even
    // outside of loops.
    kernel->walk([&](vector_ext::AsyncMmaOp product) {
      int64_t words =
          cast<VectorType>(product.getResult().getType()).getNumElements();
      needed = std::max(needed, words + words / 2 + target.asyncLoopRegisters);
    });
    int64_t workgroups = target.getWorkgroupsOfShared(bytes.getInt());
    if (isAhead && threads > 0) {
      workgroups =
          std::clamp<int64_t>(target.processorRegisters / (needed * threads), 1,
                              std::max<int64_t>(workgroups, 1));
      // A scheduler has a quarter of the registers. If small workgroups do not
      // fill all schedulers alike, some of these are for no thread.
      int64_t ofAll = llvm::alignDown(workgroups * threads, target.groupThreads);
      if (threads < target.groupThreads && ofAll > 0)
        workgroups = ofAll / threads;
    }
    // Nothing says how many registers products without a loop need, such as
    // those of attention to few keys. One workgroup with half of the threads
    // would get the registers of two. If each processor has at most one, it may
    // have them.
    else if (needed == 0 && multiplies(kernel)) {
      bool hasHalf = 2 * threads == kManyThreads && workgroups >= 2;
      workgroups = !hasHalf ? 0 : isAlone(kernel, target) ? 1 : 2;
    }
    // The assembler ignores more threads than a processor has.
    if (workgroups > 0 && threads > 0 &&
        workgroups * threads <= target.processorThreads &&
        needed <= target.processorRegisters / (workgroups * threads))
      kernel->setAttr(name, Builder(kernel).getI32IntegerAttr(workgroups));
  });
}
