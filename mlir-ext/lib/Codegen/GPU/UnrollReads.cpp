//===- UnrollReads.cpp - Unrolling of loops that read ---------------------===//
//
// Each iteration of a loop that adds up loaded values waits for memory,
// although its addresses are known early. Unrolling issues the loads of several
// iterations at once. Loops with asynchronous copies or with writes are not
// unrolled.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `value`, in the body of `loop`, depends on an earlier
/// iteration.
static bool isCarried(scf::ForOp loop, Value value) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  if (failed(getBackwardSlice(value, &slice, options)))
    return true;
  auto isArg = [&](Value operand) {
    return llvm::is_contained(loop.getRegionIterArgs(), operand);
  };
  return isArg(value) || llvm::any_of(slice, [&](Operation *op) {
           return llvm::any_of(op->getOperands(), isArg);
         });
}

/// Returns whether `value` is workgroup memory that holds elements of all
/// iterations of a loop, such as scales (spread-loads).
static bool hasWords(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) &&
         type.getElementType().isInteger(32);
}

/// Returns whether an iteration of `loop` reads so much, in vectors of 16-bit
/// elements as wide as memory allows, that registers have no room for another
/// one: operands of products, which are loaded an iteration early.
static bool readsMuch(scf::ForOp loop) {
  constexpr int64_t kWideBits = 128, kManyReads = 8;
  int64_t reads = 0;
  loop.getBody()->walk([&](vector::LoadOp load) {
    VectorType type = load.getVectorType();
    if (type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() == 16 &&
        type.getNumElements() * 16 == kWideBits)
      ++reads;
  });
  return reads >= kManyReads;
}

/// Returns whether `loop` waits for memory. It must only read and compute, with
/// indices that do not depend on its results, and have at most `maxOps` ops.
static bool waitsForMemory(scf::ForOp loop, int64_t maxOps) {
  int64_t numOps = 0;
  bool reads = false;
  WalkResult walk = loop.getBody()->walk([&](Operation *op) {
    if (++numOps > maxOps || isa<LoopLikeOpInterface>(op))
      return WalkResult::interrupt();
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      return isCarried(loop, branch.getCondition()) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
    }
    if (isMemoryEffectFree(op))
      return WalkResult::advance();
    if (!hasSingleEffect<MemoryEffects::Read>(op) ||
        llvm::any_of(op->getOperands(), [&](Value value) {
          return hasWords(value) || isCarried(loop, value);
        }))
      return WalkResult::interrupt();
    reads = true;
    return WalkResult::advance();
  });
  // A loop that carries loaded values does not wait.
  bool carriesLoaded =
      llvm::any_of(loop.getYieldedValues(), [](Value yielded) {
        auto branch = yielded.getDefiningOp<scf::IfOp>();
        return branch && !isMemoryEffectFree(branch);
      });
  return reads && !carriesLoaded && !walk.wasInterrupted();
}

/// Returns whether an iteration of `loop` reads little and computes functions
/// of it, like a loop that merges the maxima, sums and results of chunks. Then
/// more iterations overlap.
static bool readsLittle(scf::ForOp loop) {
  constexpr int64_t kFewBits = 8 * 32;
  int64_t bits = 0;
  bool hasFunctions = false;
  loop.getBody()->walk([&](Operation *op) {
    hasFunctions |= isa_and_nonnull<math::MathDialect>(op->getDialect());
    if (op->getNumRegions() > 0 || isMemoryEffectFree(op))
      return;
    for (Type type : op->getResultTypes()) {
      auto vector = dyn_cast<VectorType>(type);
      Type element = getElementTypeOrSelf(type);
      bits += (vector ? vector.getNumElements() : 1) *
              (element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64);
    }
  });
  return hasFunctions && bits <= kFewBits;
}

void mlir::linalg_ext::unrollReads(Operation *scope, int64_t factor,
                                   int64_t maxOps) {
  if (factor == 1)
    return;
  SmallVector<scf::ForOp> loops;
  scope->walk([&](scf::ForOp loop) {
    if (loop->getParentOfType<gpu::LaunchOp>() &&
        waitsForMemory(loop, maxOps) && !readsMuch(loop))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    (void)loopUnrollByFactor(loop, readsLittle(loop) ? 2 * factor : factor);
}
