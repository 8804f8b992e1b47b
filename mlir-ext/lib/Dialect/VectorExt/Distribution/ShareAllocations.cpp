//===- ShareAllocations.cpp - Temporaries of a workgroup are shared -------===//
//
// Some tiles are written to memory and read again: those of which a part is
// read at a place that is known only at run time, and those that are reshaped
// in a way that vectors do not support. A buffer in the body of a workgroup
// would belong to one thread, and no thread has all of a tile. This step moves
// it to shared memory:
//
//   1. Find the accesses of the buffer, also through views. Only reads and
//      writes of vectors are known to be done by all threads together.
//   2. Give the buffer and its views the memory space.
//   3. Put barriers around ops that write to it: after them, so that all is
//      written before it is read, and before them, because it may have been
//      read before.
//
//===----------------------------------------------------------------------===//

#include "ShareAllocations.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::vector_ext;

namespace {
/// The uses of a buffer, in program order.
struct Uses {
  SmallVector<Operation *> views, accesses, frees;
};
} // namespace

/// Returns whether all threads of the workgroup reach `op` in `scope`, as often
/// as each other.
static bool isReachedTogether(Operation *op, Operation *scope) {
  while ((op = op->getParentOp()) != scope)
    if (!isa<scf::ForOp, scf::IfOp>(op))
      return false;
  return true;
}

/// Finds the uses of `alloc`. Fails if there are other uses than reads and
/// writes of vectors by a whole workgroup.
static FailureOr<Uses> findUses(memref::AllocOp alloc, Operation *scope) {
  Uses uses;
  DenseSet<Value> names{alloc.getMemref()};
  WalkResult result = scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (llvm::none_of(op->getOperands(),
                      [&](Value operand) { return names.contains(operand); }))
      return WalkResult::advance();
    if (isa<memref::DeallocOp>(op)) {
      uses.frees.push_back(op);
      return WalkResult::advance();
    }
    if (isa<memref::SubViewOp, memref::CastOp, memref::ExpandShapeOp,
            memref::CollapseShapeOp, memref::ReinterpretCastOp,
            memref::ExtractStridedMetadataOp>(op)) {
      uses.views.push_back(op);
      names.insert(op->getResult(0));
      return WalkResult::advance();
    }
    if (!isa<vector::TransferReadOp, vector::TransferWriteOp>(op) ||
        !isReachedTogether(op, scope))
      return WalkResult::interrupt();
    uses.accesses.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return uses;
}

/// Allocates shared memory for `alloc` at the start of `scope`, as much as it
/// may need. Returns a buffer with the sizes of `alloc` there, or null if these
/// are not bounded.
static Value allocateShared(RewriterBase &rewriter, memref::AllocOp alloc,
                            Operation *scope) {
  MemRefType type = alloc.getType();
  Attribute space = gpu::AddressSpaceAttr::get(
      scope->getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  MemRefType shared = MemRefType::Builder(type).setMemorySpace(space);
  int64_t bytes = (type.getElementTypeBitWidth() + 7) / 8;
  for (int64_t size : type.getShape())
    if (ShapedType::isStatic(size))
      bytes *= size;
  for (Value size : alloc.getDynamicSizes()) {
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
        /*closedUB=*/true);
    if (failed(bound))
      return {};
    bytes *= *bound;
  }
  Location loc = alloc.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&scope->getRegion(0).front());
  if (shared.hasStaticShape())
    return memref::AllocOp::create(rewriter, loc, shared,
                                   alloc.getAlignmentAttr());
  auto memory = MemRefType::get({bytes}, rewriter.getI8Type(),
                                MemRefLayoutAttrInterface(), space);
  Value buffer =
      memref::AllocOp::create(rewriter, loc, memory, alloc.getAlignmentAttr());
  Value start = arith::ConstantIndexOp::create(rewriter, loc, 0);
  rewriter.setInsertionPoint(alloc);
  return memref::ViewOp::create(rewriter, loc, shared, buffer, start,
                                alloc.getDynamicSizes());
}

/// Moves `alloc` to shared memory, unless it has other uses than vectors.
static void shareAllocation(RewriterBase &rewriter, memref::AllocOp alloc,
                            Operation *scope) {
  MemRefType type = alloc.getType();
  if (type.getMemorySpace() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return;
  FailureOr<Uses> uses = findUses(alloc, scope);
  Value buffer =
      succeeded(uses) ? allocateShared(rewriter, alloc, scope) : Value();
  if (!buffer)
    return;
  Attribute space = cast<MemRefType>(buffer.getType()).getMemorySpace();
  for (Operation *view : uses->views)
    rewriter.modifyOpInPlace(view, [&] {
      Value result = view->getResult(0);
      result.setType(MemRefType::Builder(cast<MemRefType>(result.getType()))
                         .setMemorySpace(space));
    });
  for (Operation *free : uses->frees)
    rewriter.eraseOp(free);
  rewriter.replaceAllUsesWith(alloc.getMemref(), buffer);
  rewriter.eraseOp(alloc);
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation *access : uses->accesses) {
    if (!isa<vector::TransferWriteOp>(access))
      continue;
    rewriter.setInsertionPoint(access);
    createBarrier(rewriter, access->getLoc());
    rewriter.setInsertionPointAfter(access);
    createBarrier(rewriter, access->getLoc());
  }
}

void mlir::vector_ext::shareAllocations(RewriterBase &rewriter,
                                        Operation *scope) {
  SmallVector<memref::AllocOp> allocations;
  scope->getRegion(0).walk(
      [&](memref::AllocOp alloc) { allocations.push_back(alloc); });
  for (memref::AllocOp alloc : allocations)
    shareAllocation(rewriter, alloc, scope);
}
