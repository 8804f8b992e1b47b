//===- PipelineLoop.cpp - Reads of a loop ahead of their use --------------===//
//
// See PipelineLoop.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/PipelineLoop.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

bool mlir::linalg_ext::isWorkgroupMemory(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

bool mlir::linalg_ext::onlyReadsGlobalMemory(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect()) &&
                  effect.getValue() && !isWorkgroupMemory(effect.getValue());
         });
}

bool mlir::linalg_ext::mayWriteGlobalMemory(Operation *scope) {
  auto visit = [](Operation *op) {
    // Ops on groups of copies, waits and barriers do not state their effects.
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isa<gpu::BarrierOp, amdgpu::MemoryCounterWaitOp,
            nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>(op))
      return WalkResult::advance();
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    bool isSafe =
        effects && llvm::all_of(*effects, [](const auto &effect) {
          return isa<MemoryEffects::Read>(effect.getEffect()) ||
                 (effect.getValue() && isWorkgroupMemory(effect.getValue()));
        });
    return isSafe ? WalkResult::advance() : WalkResult::interrupt();
  };
  return scope->walk(visit).wasInterrupted();
}

Operation *mlir::linalg_ext::guardLoad(RewriterBase &b, memref::LoadOp load,
                                       Value predicate, TypedAttr otherwise) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(load);
  Location loc = load.getLoc();
  MemRefType type = load.getMemRefType();
  // An element that exists may be read in any case.
  if (type.hasStaticShape() && type.getNumElements() > 0) {
    Value first = arith::ConstantIndexOp::create(b, loc, 0);
    for (OpOperand &index : load.getIndicesMutable()) {
      Value guarded =
          arith::SelectOp::create(b, loc, predicate, index.get(), first);
      b.modifyOpInPlace(load, [&] { index.set(guarded); });
    }
    return load;
  }
  auto branch = scf::IfOp::create(b, loc, load.getType(), predicate,
                                  /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  Value none;
  if (otherwise)
    none = arith::ConstantOp::create(b, loc, otherwise);
  else
    none = ub::PoisonOp::create(b, loc, load.getType());
  scf::YieldOp::create(b, loc, none);
  b.setInsertionPointToStart(branch.thenBlock());
  Operation *moved = b.clone(*load);
  scf::YieldOp::create(b, loc, moved->getResults());
  b.replaceOp(load, branch);
  return branch;
}

void mlir::linalg_ext::guardBranch(RewriterBase &b, scf::IfOp branch,
                                   Value predicate) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch);
  Value both = arith::AndIOp::create(b, branch.getLoc(), branch.getCondition(),
                                     predicate);
  b.modifyOpInPlace(branch, [&] { branch.getConditionMutable().assign(both); });
}

FailureOr<scf::ForOp> mlir::linalg_ext::pipelineLoop(
    RewriterBase &rewriter, scf::ForOp loop,
    std::vector<std::pair<Operation *, unsigned>> schedule,
    scf::PipeliningOption::PredicateOpFn guard, StringRef what) {
  scf::PipeliningOption options;
  options.supportDynamicLoops = true;
  options.peelEpilogue = false;
  options.getScheduleFn =
      [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &result) {
        result = std::move(schedule);
      };
  options.predicateFn = std::move(guard);
  Location loc = loop.getLoc();
  FailureOr<scf::ForOp> pipelined =
      scf::pipelineForLoop(rewriter, loop, options);
  if (failed(pipelined))
    return emitError(loc) << "expected a loop whose " << what
                          << " can be pipelined, got one that upstream's "
                             "pipeliner refuses";
  return pipelined;
}
