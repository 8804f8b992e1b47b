//===- FlattenBranches.cpp - Launches out of branches ---------------------===//
//
// A launcher runs launches, and loops around them, without branches. This step
// moves the body of a branch before the branch. A launch of a branch that is
// not taken must then do nothing. If the host knows the condition, the launch
// gets an empty grid. If only the device knows it, the body of the kernel
// becomes conditional.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Whether `load` reads an element that there is.
static bool isInBounds(memref::LoadOp load) {
  return llvm::all_of(
      llvm::zip_equal(load.getIndices(), load.getMemRefType().getShape()),
      [](auto indexAndSize) {
        auto [value, size] = indexAndSize;
        std::optional<int64_t> index = getConstantIntValue(value);
        // A dynamic size is negative.
        return index && *index >= 0 && *index < size;
      });
}

/// Whether nothing but launches needs `value`, or what is computed from it.
static bool isOnlyForLaunches(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return user->getParentOfType<gpu::LaunchOp>() ||
           (isPure(user) && !user->hasTrait<OpTrait::IsTerminator>() &&
            llvm::all_of(user->getResults(), isOnlyForLaunches));
  });
}

/// Whether `op` may stand before the branch that it is in: it does nothing
/// but compute a value, or there is a way for it to do nothing. A load does
/// nothing in a launch without workgroups, which there is not if only the
/// device knows whether the branch is taken; and what is freed must be of the
/// branch.
static bool canLeave(Operation *op, bool isTakenByDevice) {
  if (auto launch = dyn_cast<gpu::LaunchOp>(op))
    return launch.getBody().hasOneBlock();
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    auto alloc = dealloc.getMemref().getDefiningOp<memref::AllocOp>();
    return alloc && alloc->getBlock() == op->getBlock();
  }
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return !isTakenByDevice &&
           (isInBounds(load) || isOnlyForLaunches(load.getResult()));
  // Nobody uses the tensor map of a launch that does nothing.
  return isa<memref::AllocOp, nvgpu::TmaCreateDescriptorOp>(op) ||
         (isMemoryEffectFree(op) && isSpeculatable(op) &&
          op->getNumRegions() == 0);
}

/// Whether `a` and `b` are known not to be true at once.
static bool areExclusive(Value a, Value b) {
  for (auto [both, other] : {std::pair(a, b), std::pair(b, a)})
    if (auto op = both.getDefiningOp<arith::AndIOp>())
      return areExclusive(op.getLhs(), other) ||
             areExclusive(op.getRhs(), other);
  for (auto [negated, other] : {std::pair(a, b), std::pair(b, a)})
    if (auto op = negated.getDefiningOp<arith::XOrIOp>())
      if (op.getLhs() == other && getConstantIntValue(op.getRhs()) == -1)
        return true;
  auto lhs = a.getDefiningOp<arith::CmpIOp>(),
       rhs = b.getDefiningOp<arith::CmpIOp>();
  if (!lhs || !rhs || lhs.getLhs() != rhs.getLhs())
    return false;
  if (lhs.getRhs() == rhs.getRhs())
    return lhs.getPredicate() == arith::invertPredicate(rhs.getPredicate());
  // More than one number, and at most a lower one.
  if (lhs.getPredicate() == arith::CmpIPredicate::sle)
    std::swap(lhs, rhs);
  std::optional<int64_t> more = getConstantIntValue(lhs.getRhs()),
                         most = getConstantIntValue(rhs.getRhs());
  return lhs.getPredicate() == arith::CmpIPredicate::sgt &&
         rhs.getPredicate() == arith::CmpIPredicate::sle && more && most &&
         *more >= *most;
}

/// Whether `b` is known to be true where `a` is.
static bool implies(Value a, Value b) {
  auto any = b.getDefiningOp<arith::OrIOp>();
  return a == b ||
         (any && (implies(a, any.getLhs()) || implies(a, any.getRhs())));
}

namespace {
/// When a region runs: where `isTaken` is true, or where it is false.
struct Condition {
  Value isTaken;
  bool isElse;

  Value build(ImplicitLocOpBuilder &b) const {
    return isElse ? arith::XOrIOp::create(
                        b, isTaken,
                        arith::ConstantOp::create(b, b.getBoolAttr(true)))
                  : isTaken;
  }
  /// Whether this is known to be true where `other` is.
  bool follows(const Condition &other) const {
    if (other.isElse)
      return false;
    return isElse ? areExclusive(other.isTaken, isTaken)
                  : implies(other.isTaken, isTaken);
  }
};

/// Moves what is in branches in front of them.
class BranchFlattener {
public:
  LogicalResult flatten(scf::IfOp op);

private:
  /// Makes `size`, which `op` has, 0 where `condition` is false.
  void makeEmptyUnless(const Condition &condition, Operation *op,
                       OpOperand &size);
  /// Makes `launch` do nothing where `condition` is false.
  void guardLaunch(gpu::LaunchOp launch, const Condition &condition);
  void flattenBlock(scf::IfOp op, Block &block, const Condition &condition);

  /// Makes `alloc`, or a view of one that is empty, empty where `condition` is
  /// false.
  void shrink(memref::AllocOp alloc, const Condition &condition);
  void shrink(memref::SubViewOp view, const Condition &condition);

  /// For memory that may be empty, and for views of it: the dimension whose
  /// size is 0 then.
  llvm::DenseMap<Value, int64_t> emptyDims;
  /// The conditions without which a launch, or memory, is empty already.
  llvm::DenseMap<Operation *, SmallVector<Condition>> known;
};
} // namespace

void BranchFlattener::makeEmptyUnless(const Condition &condition, Operation *op,
                                      OpOperand &size) {
  // A version that runs where others do not may be in the second regions of
  // their branches: its own condition is enough.
  SmallVector<Condition> &others = known[op];
  if (llvm::any_of(others, [&](const Condition &other) {
        return condition.follows(other);
      }))
    return;
  others.push_back(condition);
  ImplicitLocOpBuilder b(op->getLoc(), op);
  size.set(arith::SelectOp::create(b, condition.build(b), size.get(),
                                   arith::ConstantIndexOp::create(b, 0)));
}

void BranchFlattener::guardLaunch(gpu::LaunchOp launch,
                                  const Condition &condition) {
  if (!isOfMemory(condition.isTaken))
    return makeEmptyUnless(condition, launch, launch.getGridSizeXMutable());
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  Value isRun = condition.build(b);
  Block &body = launch.getBody().front();
  b.setInsertionPointToStart(&body);
  auto branch = scf::IfOp::create(b, isRun, /*withElseRegion=*/false);
  Block *then = branch.thenBlock();
  then->getOperations().splice(then->begin(), body.getOperations(),
                               std::next(branch->getIterator()),
                               std::prev(body.end()));
}

// Memory that is not used is empty. For that, one size of 0 is enough. The
// others stay as they are, so that kernels still have one argument for each
// size, wherever it is used.
void BranchFlattener::shrink(memref::AllocOp alloc,
                             const Condition &condition) {
  if (alloc.getDynamicSizes().empty())
    return;
  ArrayRef<int64_t> shape = alloc.getType().getShape();
  emptyDims[alloc] =
      std::distance(shape.begin(), llvm::find(shape, ShapedType::kDynamic));
  makeEmptyUnless(condition, alloc, alloc.getDynamicSizesMutable()[0]);
}

void BranchFlattener::shrink(memref::SubViewOp view,
                             const Condition &condition) {
  auto known = emptyDims.find(view.getSource());
  if (known == emptyDims.end() || view.getDroppedDims().any() ||
      !view.isDynamicSize(known->second))
    return;
  int64_t dim = known->second;
  emptyDims[view] = dim;
  makeEmptyUnless(condition, view,
                  view->getOpOperand(view.getIndexOfDynamicSize(dim)));
}

/// Moves what is in `block`, a region of `op` that runs under `condition`,
/// before it, and frees after it what the region frees.
void BranchFlattener::flattenBlock(scf::IfOp op, Block &block,
                                   const Condition &condition) {
  for (Operation &inner :
       llvm::make_early_inc_range(block.without_terminator())) {
    if (isa<memref::DeallocOp>(inner)) {
      inner.moveAfter(op);
      continue;
    }
    inner.moveBefore(op);
    if (auto launch = dyn_cast<gpu::LaunchOp>(inner))
      guardLaunch(launch, condition);
    if (isOfMemory(condition.isTaken))
      continue;
    if (auto alloc = dyn_cast<memref::AllocOp>(inner))
      shrink(alloc, condition);
    else if (auto view = dyn_cast<memref::SubViewOp>(inner))
      shrink(view, condition);
  }
}

/// Whether `value`, yielded by a branch, may be chosen after it.
static bool canSelect(Value value) {
  return value.getType().isIntOrIndexOrFloat();
}

LogicalResult BranchFlattener::flatten(scf::IfOp op) {
  SmallVector<Block *> blocks{op.thenBlock()};
  if (op.elseBlock())
    blocks.push_back(op.elseBlock());
  bool launches = false;
  for (Block *block : blocks)
    for (Operation &inner : block->without_terminator()) {
      if (!canLeave(&inner, isOfMemory(op.getCondition())))
        return failure();
      launches |= isa<gpu::LaunchOp>(inner);
    }
  if (!launches || !llvm::all_of(op.getResults(), canSelect))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value isTaken = op.getCondition();
  flattenBlock(op, *op.thenBlock(), {isTaken, /*isElse=*/false});
  if (op.elseBlock())
    flattenBlock(op, *op.elseBlock(), {isTaken, /*isElse=*/true});
  b.setInsertionPoint(op);
  SmallVector<Value> results;
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    results.push_back(arith::SelectOp::create(b, isTaken,
                                              op.thenYield().getOperand(i),
                                              op.elseYield().getOperand(i)));
  op.replaceAllUsesWith(results);
  op.erase();
  return success();
}

void mlir::linalg_ext::flattenBranches(func::FuncOp func) {
  // Inner ones first, and none of a kernel.
  SmallVector<scf::IfOp> branches;
  func.walk([&](scf::IfOp op) {
    if (!op->getParentOfType<gpu::LaunchOp>())
      branches.push_back(op);
  });
  BranchFlattener flattener;
  for (scf::IfOp op : branches)
    (void)flattener.flatten(op);
}
