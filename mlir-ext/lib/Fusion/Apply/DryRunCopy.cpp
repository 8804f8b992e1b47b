//===- DryRunCopy.cpp - A copy for trying a plan first --------------------===//
//
// Collects the ops of a plan with the constants, sizes and uninitialised
// tensors that they use, clones them, and maps the plan to the clones. See
// DryRunCopy.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Apply/DryRunCopy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The plan for a copy of the IR it was made for.
FusionPlan mlir::linalg_ext::mapPlan(const FusionPlan &plan,
                                     const IRMapping &mapping) {
  FusionPlan mapped = plan;
  auto map = [&](Operation *&op) { op = mapping.lookup(op); };
  map(mapped.root);
  llvm::erase_if(mapped.siblings, [](const PlannedSibling &sibling) {
    return !sibling.isFused(); // is not copied
  });
  for (PlannedSibling &sibling : mapped.siblings)
    map(sibling.op);
  auto mapSizes = [&](TilingLevel &level) {
    for (Value &size : level.dynamicSizes)
      size = mapping.lookup(size);
  };
  llvm::for_each(mapped.options.levels, mapSizes);
  if (Operation *&chained = mapped.options.chainedContraction)
    chained = mapping.lookupOrNull(chained);
  for (PlannedLevel &level : mapped.levels) {
    mapSizes(level.level);
    for (PlannedProducer &producer : level.producers)
      map(producer.op);
  }
  for (PlannedState &state : mapped.states)
    map(state.producer);
  for (Operation *&op : mapped.stateDependent)
    map(op);
  for (auto &[op, number] : mapped.stateDependentOperands)
    map(op);
  for (PlannedConsumer &consumer : mapped.consumers)
    consumer.op = mapping.lookupOrNull(consumer.op);
  for (PlannedRepair &repair : mapped.repairs) {
    map(repair.accumulator);
    for (PlannedFactor &factor : repair.factors) {
      map(factor.source);
      for (PlannedTerm &derivative : factor.derivatives)
        map(derivative.op);
      if (factor.unscaled)
        map(factor.unscaled->op);
    }
  }
  return mapped;
}

/// Returns whether `op` is copied together with its users, so that sizes which
/// are known for the original are known for the copy.
static bool isCopied(Operation *op) {
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return cast.getSource().getDefiningOp<tensor::EmptyOp>();
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<tensor::EmptyOp, tensor::DimOp>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          llvm::all_of(op->getOperandTypes(), llvm::IsaPred<IndexType>) &&
          llvm::all_of(op->getResultTypes(), llvm::IsaPred<IndexType>));
}

/// Copies the root, its producers, and the constants and shapes that they use
/// into `block`. All other values become arguments of `block`.
void mlir::linalg_ext::copyForDryRun(const FusionPlan &plan, Block &block,
                                     IRMapping &mapping) {
  SetVector<Operation *> ops;
  std::function<void(Operation *)> collect = [&](Operation *op) {
    if (ops.contains(op))
      return;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *source = operand.getDefiningOp();
        if (source && !op->isAncestor(source) && isCopied(source))
          collect(source);
      }
    });
    ops.insert(op);
  };
  SmallVector<Operation *> planned{plan.root};
  for (const PlannedLevel &level : plan.levels)
    for (const PlannedProducer &producer : level.producers)
      planned.push_back(producer.op);
  for (const PlannedConsumer &consumer : plan.consumers)
    if (consumer.depth > 0)
      planned.push_back(consumer.op);
  llvm::sort(planned, [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  });
  planned.erase(llvm::unique(planned), planned.end());
  for (Operation *op : planned)
    collect(op);

  OpBuilder b = OpBuilder::atBlockEnd(&block);
  for (Operation *op : ops) {
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()) &&
            !mapping.contains(operand))
          mapping.map(operand,
                      block.addArgument(operand.getType(), operand.getLoc()));
    });
    b.clone(*op, mapping);
  }
  for (const PlannedLevel &level : plan.levels)
    for (Value size : level.level.dynamicSizes)
      if (!mapping.contains(size))
        mapping.map(size, block.addArgument(size.getType(), size.getLoc()));
  // The results must have a user after the loops, as they have in the program.
  SmallVector<Value> results(mapping.lookup(plan.root)->getResults());
  for (const PlannedConsumer &consumer : plan.consumers)
    if (consumer.depth > 0)
      llvm::append_range(results, mapping.lookup(consumer.op)->getResults());
  for (const PlannedSibling &sibling : plan.siblings)
    if (sibling.isFused())
      llvm::append_range(results, mapping.lookup(sibling.op)->getResults());
  UnrealizedConversionCastOp::create(b, plan.root->getLoc(), b.getI1Type(),
                                     results);
}

DryRun mlir::linalg_ext::makeDryRun(const FusionPlan &plan) {
  Operation *scope =
      plan.root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
  DryRun dryRun;
  dryRun.module = ModuleOp::create(scope->getLoc());
  Operation *copy = scope->cloneWithoutRegions();
  dryRun.module->push_back(copy);
  dryRun.block = &copy->getRegion(0).emplaceBlock();
  IRMapping mapping;
  copyForDryRun(plan, *dryRun.block, mapping);
  dryRun.plan = mapPlan(plan, mapping);
  return dryRun;
}
