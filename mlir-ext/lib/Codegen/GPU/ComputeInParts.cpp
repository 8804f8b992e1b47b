//===- ComputeInParts.cpp - Elementwise ops on parts of large vectors -----===//
//
// A thread applies each elementwise op of an activation to all of its results
// before the next op. LLVM keeps this order, so that the assembler must hold
// two or three vectors with the size of the accumulator. This step applies all
// ops to a few elements before the next elements. It leaves bodies of loops
// with sums, because their elementwise ops overlap with products.
//
// What only these ops read, such as a bias, is then loaded in front of the
// first part. It may have been loaded in front of a wait for a residual, which
// the assembler does not move loads across: both would be held at the same
// time.
//
// A thread that sums a vector in registers computes all of its terms first. If
// these are more than its registers, `sumInParts` computes a few in front of
// the sums that read them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `value` is a one-dimensional vector of `size` elements.
static bool hasElements(Value value, int64_t size) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type && type.getRank() == 1 && !type.isScalable() &&
         type.getNumElements() == size;
}

/// Returns whether `op` computes elements of vectors of `size` elements, one by
/// one.
static bool isElementwise(Operation *op, int64_t size) {
  return OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) &&
         op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         hasElements(op->getResult(0), size);
}

/// Returns the ops of the block of `root` that are used only to compute `root`,
/// in program order.
static SmallVector<Operation *> getChain(Operation *root, int64_t size) {
  llvm::SetVector<Operation *> chain;
  chain.insert(root);
  // Visit ops backwards, so that all users of an op come before it.
  for (Operation *op = root->getPrevNode(); op; op = op->getPrevNode())
    if (!op->use_empty() && isElementwise(op, size) &&
        llvm::all_of(op->getUsers(),
                     [&](Operation *user) { return chain.contains(user); }))
      chain.insert(op);
  return SmallVector<Operation *>(llvm::reverse(chain));
}

/// Returns whether a thread that applies the ops of `chain` one after the other
/// holds more than one vector: some op has two users, and a function is
/// computed in between.
static bool holdsSeveral(ArrayRef<Operation *> chain) {
  return llvm::any_of(chain,
                      [](Operation *op) {
                        return isa<math::MathDialect>(op->getDialect());
                      }) &&
         llvm::any_of(chain.drop_back(), [](Operation *op) {
           return op->getResult(0).hasNUsesOrMore(2);
         });
}

/// Returns whether `op` is behind a loop in its block.
static bool isBehindLoop(Operation *op) {
  while ((op = op->getPrevNode()))
    if (isa<LoopLikeOpInterface>(op))
      return true;
  return false;
}

/// Returns whether an op of `launch` may write the memory that `load` reads. Ops
/// without effects that are known, such as waits, write what they have as an
/// operand.
static bool mayWriteSource(gpu::LaunchOp launch, Operation *load) {
  llvm::SmallPtrSet<Value, 2> sources;
  for (Value operand : load->getOperands())
    if (isa<BaseMemRefType>(operand.getType()))
      sources.insert(getViewedBuffer(operand));
  return launch
      .walk([&](Operation *op) {
        if (isMemoryEffectFree(op) || op->getNumRegions() != 0)
          return WalkResult::advance();
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        bool writes = llvm::any_of(op->getOperands(), [&](Value operand) {
          return isa<BaseMemRefType>(operand.getType()) &&
                 sources.contains(getViewedBuffer(operand)) &&
                 (!effects ||
                  effects.getEffectOnValue<MemoryEffects::Write>(operand));
        });
        return writes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `op` loads from memory of the workgroup.
static bool loadsFromWorkgroup(Operation *op) {
  return op->getNumResults() > 0 && !isMemoryEffectFree(op) &&
         llvm::any_of(op->getOperandTypes(), [](Type type) {
           auto memref = dyn_cast<MemRefType>(type);
           return memref &&
                  gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
         });
}

/// Moves ops behind the last loop in front of `root` to it if only they and
/// `chain`, which ends with `root`, use them: loads of what the launch does not
/// write, and what is computed from these without effects. Leaves those behind
/// which nothing is loaded from memory of the workgroup.
static void moveReads(RewriterBase &b, gpu::LaunchOp launch,
                      ArrayRef<Operation *> chain) {
  Operation *root = chain.back();
  llvm::SmallPtrSet<Operation *, 32> users(chain.begin(), chain.end());
  SmallVector<Operation *> moved;
  bool isBefore = false;
  for (Operation *op = root->getPrevNode();
       op && !isa<LoopLikeOpInterface>(op); op = op->getPrevNode()) {
    bool isShared = loadsFromWorkgroup(op);
    isBefore |= isShared;
    auto isVector = llvm::IsaPred<VectorType>;
    if (isShared || users.contains(op) || op->use_empty() ||
        op->getNumRegions() != 0 ||
        !llvm::all_of(op->getResultTypes(), isVector) ||
        !llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return users.contains(user); }))
      continue;
    if (!isPure(op) && (!isBefore || !hasSingleEffect<MemoryEffects::Read>(op) ||
                        mayWriteSource(launch, op)))
      continue;
    users.insert(op);
    moved.push_back(op);
  }
  for (Operation *op : llvm::reverse(moved))
    b.moveOpBefore(op, root);
}

/// Returns elements `first` to `first + size` of `value`.
static Value buildPart(RewriterBase &b, Location loc, Value value,
                       int64_t first, int64_t size) {
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return arith::ConstantOp::create(
        b, loc,
        cast<TypedAttr>(elements.resizeSplat(
            VectorType::get({size}, elements.getElementType()))));
  // So `sink-loads` can move what only this part needs to it.
  if (auto elements = value.getDefiningOp<vector::FromElementsOp>())
    return vector::FromElementsOp::create(
        b, loc, VectorType::get({size}, elements.getType().getElementType()),
        elements.getElements().slice(first, size));
  return vector::ExtractStridedSliceOp::create(b, loc, value, first, size, 1);
}

/// Applies `chain` to elements `first` to `first + part` of its operands.
/// Returns this part of its result.
static Value computePart(RewriterBase &b, ArrayRef<Operation *> chain,
                         int64_t size, int64_t first, int64_t part) {
  IRMapping parts;
  for (Operation *op : chain) {
    for (Value operand : op->getOperands())
      if (!parts.contains(operand) && hasElements(operand, size))
        parts.map(operand, buildPart(b, op->getLoc(), operand, first, part));
    Type ofPart = VectorType::get(
        {part}, getElementTypeOrSelf(op->getResult(0).getType()));
    Operation *copy =
        clone(b, op, TypeRange(ofPart),
              llvm::map_to_vector(op->getOperands(), [&](Value operand) {
                return parts.lookupOrDefault(operand);
              }));
    parts.map(op->getResult(0), copy->getResult(0));
  }
  return parts.lookup(chain.back()->getResult(0));
}

/// Erases the ops of `chain`, whose result has no user left.
static void eraseChain(RewriterBase &b, ArrayRef<Operation *> chain) {
  for (Operation *op : llvm::reverse(chain))
    b.eraseOp(op);
}

static void computeChain(RewriterBase &b, ArrayRef<Operation *> chain,
                         int64_t size, int64_t part) {
  Operation *root = chain.back();
  Location loc = root->getLoc();
  auto type = cast<VectorType>(root->getResult(0).getType());
  b.setInsertionPoint(root);
  Value all = ub::PoisonOp::create(b, loc, type);
  for (int64_t first = 0; first < size; first += part)
    all = vector::InsertStridedSliceOp::create(
        b, loc, computePart(b, chain, size, first, part), all, first, 1);
  b.replaceAllUsesWith(root->getResult(0), all);
  eraseChain(b, chain);
}

/// If all users of `root` extract one element each, in its block, returns them
/// by the part that they read, in program order. Empty otherwise.
static SmallVector<SmallVector<vector::ExtractOp>>
getReadsOfParts(Operation *root, int64_t size, int64_t part) {
  SmallVector<SmallVector<vector::ExtractOp>> reads(size / part);
  for (Operation *user : root->getUsers()) {
    auto extract = dyn_cast<vector::ExtractOp>(user);
    if (!extract || user->getBlock() != root->getBlock() ||
        extract.hasDynamicPosition() || extract.getStaticPosition().size() != 1)
      return {};
    reads[extract.getStaticPosition().front() / part].push_back(extract);
  }
  for (SmallVector<vector::ExtractOp> &ofPart : reads)
    llvm::sort(ofPart, [](Operation *left, Operation *right) {
      return left->isBeforeInBlock(right);
    });
  return reads;
}

void mlir::linalg_ext::sumInParts(RewriterBase &rewriter, gpu::LaunchOp launch,
                                  int64_t minRegisters, int64_t part) {
  SmallVector<Operation *> roots;
  launch.walk([&](Operation *op) {
    if (op->getNumResults() != 1)
      return;
    auto type = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!type || type.getRank() != 1 || type.isScalable() ||
        !type.getElementType().isIntOrFloat())
      return;
    int64_t size = type.getNumElements(),
            registers =
                llvm::divideCeil(size * type.getElementTypeBitWidth(), 32);
    if (registers >= minRegisters && size % part == 0 &&
        isElementwise(op, size))
      roots.push_back(op);
  });
  for (Operation *root : roots) {
    int64_t size =
        cast<VectorType>(root->getResult(0).getType()).getNumElements();
    SmallVector<SmallVector<vector::ExtractOp>> reads =
        getReadsOfParts(root, size, part);
    if (reads.empty())
      continue;
    SmallVector<Operation *> chain = getChain(root, size);
    for (auto [i, ofPart] : llvm::enumerate(reads)) {
      if (ofPart.empty())
        continue;
      rewriter.setInsertionPoint(ofPart.front());
      Value elements = computePart(rewriter, chain, size, i * part, part);
      for (vector::ExtractOp read : ofPart) {
        rewriter.setInsertionPoint(read);
        rewriter.replaceOpWithNewOp<vector::ExtractOp>(
            read, elements, read.getStaticPosition().front() - i * part);
      }
    }
    eraseChain(rewriter, chain);
  }
}

void mlir::linalg_ext::computeInParts(RewriterBase &rewriter,
                                      gpu::LaunchOp launch, int64_t minElements,
                                      int64_t part) {
  SmallVector<Operation *> roots;
  launch.walk([&](Operation *op) {
    if (op->getNumResults() != 1)
      return;
    auto type = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!type || type.getRank() != 1 || type.isScalable())
      return;
    int64_t size = type.getNumElements();
    if (size < minElements || size % part != 0 || !isElementwise(op, size))
      return;
    // If all users are elementwise ops in this block, `op` is in their chain.
    if (!llvm::all_of(op->getUsers(), [&](Operation *user) {
          return user->getBlock() == op->getBlock() &&
                 isElementwise(user, size);
        }))
      roots.push_back(op);
  });
  for (Operation *root : roots) {
    int64_t size =
        cast<VectorType>(root->getResult(0).getType()).getNumElements();
    SmallVector<Operation *> chain = getChain(root, size);
    if (!holdsSeveral(chain) || !isBehindLoop(root))
      continue;
    moveReads(rewriter, launch, chain);
    computeChain(rewriter, chain, size, part);
  }
}
