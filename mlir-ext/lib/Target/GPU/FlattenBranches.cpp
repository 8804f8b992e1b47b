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

/// Returns whether `load` reads an element that certainly exists.
static bool isInBounds(memref::LoadOp load) {
  return llvm::all_of(
      llvm::zip_equal(load.getIndices(), load.getMemRefType().getShape()),
      [](auto indexAndSize) {
        auto [value, size] = indexAndSize;
        std::optional<int64_t> index = getConstantIntValue(value);
        // A dynamic size is represented by a negative number, so the comparison
        // fails.
        return index && *index >= 0 && *index < size;
      });
}

/// Returns whether `op` divides by a maximum of a positive number and others.
static bool dividesByPositive(Operation *op) {
  if (!isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op))
    return false;
  auto max = op->getOperand(1).getDefiningOp<arith::MaxSIOp>();
  return max && llvm::any_of(max->getOperands(), [](Value operand) {
           return getConstantIntValue(operand).value_or(0) > 0;
         });
}

/// Returns whether only launches use `value` or values computed from it.
static bool isOnlyForLaunches(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return user->getParentOfType<gpu::LaunchOp>() ||
           (isPure(user) && !user->hasTrait<OpTrait::IsTerminator>() &&
            llvm::all_of(user->getResults(), isOnlyForLaunches));
  });
}

/// Returns whether `op` may stand before the branch that contains it. Either it
/// only computes a value, or it can be made to do nothing. A load does nothing
/// in a launch without workgroups; this does not help if only the device knows
/// whether the branch is taken. A buffer that is freed must be allocated in the
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
  // The tensor map of a launch that does nothing is not used.
  return isa<memref::AllocOp, nvgpu::TmaCreateDescriptorOp>(op) ||
         (isMemoryEffectFree(op) &&
          (isSpeculatable(op) || dividesByPositive(op)) &&
          op->getNumRegions() == 0);
}

/// Returns whether `a` and `b` are known not to be both true.
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
  // The value is greater than one number, and at most a lower one.
  if (lhs.getPredicate() == arith::CmpIPredicate::sle)
    std::swap(lhs, rhs);
  std::optional<int64_t> more = getConstantIntValue(lhs.getRhs()),
                         most = getConstantIntValue(rhs.getRhs());
  return lhs.getPredicate() == arith::CmpIPredicate::sgt &&
         rhs.getPredicate() == arith::CmpIPredicate::sle && more && most &&
         *more >= *most;
}

/// Returns whether `b` is known to be true if `a` is.
static bool implies(Value a, Value b) {
  auto any = b.getDefiningOp<arith::OrIOp>();
  return a == b ||
         (any && (implies(a, any.getLhs()) || implies(a, any.getRhs())));
}

namespace {
/// A condition under which a region runs: `isTaken` is true, or it is false.
struct Condition {
  Value isTaken;
  bool isElse;

  Value build(ImplicitLocOpBuilder &b) const {
    return isElse ? arith::XOrIOp::create(
                        b, isTaken,
                        arith::ConstantOp::create(b, b.getBoolAttr(true)))
                  : isTaken;
  }
  /// Returns whether this condition is known to hold if `other` does.
  bool follows(const Condition &other) const {
    if (other.isElse)
      return false;
    return isElse ? areExclusive(other.isTaken, isTaken)
                  : implies(other.isTaken, isTaken);
  }
};

/// Moves the ops in branches before the branches.
class BranchFlattener {
public:
  LogicalResult flatten(scf::IfOp op);

private:
  /// Makes `size`, an operand of `op`, 0 if `condition` is false.
  void makeEmptyUnless(const Condition &condition, Operation *op,
                       OpOperand &size);
  /// Makes `launch` do nothing if `condition` is false.
  void guardLaunch(gpu::LaunchOp launch, const Condition &condition);
  void flattenBlock(scf::IfOp op, Block &block, const Condition &condition);

  /// Makes `alloc` empty if `condition` is false. `alloc` may also be a view of
  /// an empty buffer.
  void shrink(memref::AllocOp alloc, const Condition &condition);
  void shrink(memref::SubViewOp view, const Condition &condition);

  /// For buffers that may be empty, and views of them: the dimension whose size
  /// is then 0.
  llvm::DenseMap<Value, int64_t> emptyDims;
  /// For launches and buffers: conditions without which they are empty already.
  llvm::DenseMap<Operation *, SmallVector<Condition>> known;
};
} // namespace

void BranchFlattener::makeEmptyUnless(const Condition &condition, Operation *op,
                                      OpOperand &size) {
  // If one version runs where the others do not, it may be in the else regions
  // of their branches. Then its own condition is enough.
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

// Makes an unused buffer empty. One size of 0 is enough for that. The other
// sizes stay, so that kernels still have one argument for each size, wherever
// it is used.
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

/// Moves the ops of `block`, a region of `op` that runs under `condition`,
/// before `op`. Deallocations in the region move after it.
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

/// Returns whether `value`, which a branch yields, may be selected after the
/// branch.
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
  // The inner branches come first. Branches in kernels are left alone.
  SmallVector<scf::IfOp> branches;
  func.walk([&](scf::IfOp op) {
    if (!op->getParentOfType<gpu::LaunchOp>())
      branches.push_back(op);
  });
  BranchFlattener flattener;
  for (scf::IfOp op : branches)
    (void)flattener.flatten(op);
}
