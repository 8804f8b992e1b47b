//===- OtherIteration.cpp - Values of another iteration -------------------===//
//
// See OtherIteration.h, and Rings.h for what is asked before.
//
//===----------------------------------------------------------------------===//

#include "OtherIteration.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Returns whether `op` only computes or, if `mayRead`, also reads memory.
static bool isComputation(Operation *op, bool mayRead) {
  if (op->getNumRegions() == 0 && isPure(op))
    return true;
  if (!mayRead || (op->getNumRegions() != 0 && !isa<scf::IfOp>(op)))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

/// Does the same as `followsFromIteration` (Rings.h), for the previous
/// iteration if `isBefore`. `seen` has the values on which others depend, for
/// each of the two iterations.
static bool followsFromIteration(Value value, scf::ForOp loop, bool isBefore,
                                 bool mayRead, llvm::DenseSet<Value> seen[2]) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value) ||
      !seen[isBefore].insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op) {
    OpOperand *yielded =
        loop.getTiedLoopYieldedValue(cast<BlockArgument>(value));
    return !isBefore && yielded &&
           followsFromIteration(yielded->get(), loop, /*isBefore=*/true,
                                mayRead, seen);
  }
  if (op->getBlock() != loop.getBody() || !isComputation(op, mayRead))
    return false;
  llvm::SetVector<Value> operands(op->getOperands().begin(),
                                  op->getOperands().end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  return llvm::all_of(operands, [&](Value operand) {
    return followsFromIteration(operand, loop, isBefore, mayRead, seen);
  });
}

bool mlir::vector_ext::followsFromIteration(Value value, scf::ForOp loop,
                                            bool mayRead) {
  llvm::DenseSet<Value> seen[2];
  return ::followsFromIteration(value, loop, /*isBefore=*/false, mayRead, seen);
}

bool mlir::vector_ext::mayWrite(scf::ForOp loop) {
  WalkResult walk = loop.walk([](Operation *op) -> WalkResult {
    // An await has a write effect only to order accesses.
    if (isa<AwaitOp>(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    bool writes =
        !effects ||
        llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
          return isa<MemoryEffects::Write>(effect.getEffect()) &&
                 effect.getResource() != RingResource::get();
        });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

Value OtherIteration::build(Value value, bool isBefore) {
  if (value == loop.getInductionVar())
    return isBefore ? before : number;
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    return before ? build(loop.getTiedLoopYieldedValue(argument)->get(), true)
                  : loop.getTiedLoopInit(argument)->get();
  }
  if (Value known = built[isBefore].lookup(value))
    return known;
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, build(operand, isBefore));
  Value result = b.clone(*op, operands)
                     ->getResult(cast<OpResult>(value).getResultNumber());
  return built[isBefore][value] = result;
}
