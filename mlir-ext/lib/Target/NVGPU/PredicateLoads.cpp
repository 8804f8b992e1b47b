//===- PredicateLoads.cpp - Loads that a branch need not guard ------------===//
//
// What is loaded where it exists, as by masks at the edges, is loaded in a
// branch. The assembler moves nothing over branches: all that is loaded in one is
// in registers until the others are done. A load with a predicate is where it is
// used.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPUPREDICATELOADSPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;

/// True if `memory` is a buffer that the kernel only reads.
static bool isOnlyRead(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  auto arg = dyn_cast<BlockArgument>(memory);
  if (!arg)
    return false;
  auto kernel = dyn_cast<gpu::GPUFuncOp>(arg.getOwner()->getParentOp());
  return kernel && arg.getOwner()->isEntryBlock() &&
         kernel.getArgAttr(arg.getArgNumber(),
                           LLVM::LLVMDialect::getReadonlyAttrName());
}

static Value getLoadedMemory(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemRef();
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return load.getBase();
  return {};
}

/// True if an instruction loads `type`, of a load aligned to `alignment` if that
/// is not 0.
static bool isOneLoad(Type type, uint64_t alignment) {
  auto vector = dyn_cast<VectorType>(type);
  if (vector && vector.getRank() != 1)
    return false;
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrFloat())
    return false;
  int64_t width = element.getIntOrFloatBitWidth();
  int64_t bits = width * (vector ? vector.getNumElements() : 1);
  return width >= 16 && llvm::is_contained({16, 32, 64, 128}, bits) &&
         (!vector || bits <= width || int64_t(alignment) * 8 >= bits);
}

/// True if `branch` loads what it yields, from what is only read, and yields
/// what is known in front of it otherwise.
static bool isGuardedLoad(scf::IfOp branch) {
  if (branch.getNumResults() == 0 || !branch.elseBlock() ||
      !llvm::hasSingleElement(*branch.elseBlock()))
    return false;
  for (Operation &op : branch.thenBlock()->without_terminator()) {
    Value memory = getLoadedMemory(&op);
    if (!memory) {
      if (!isPure(&op) || op.getNumRegions() != 0)
        return false;
      continue;
    }
    uint64_t alignment = 0;
    if (auto load = dyn_cast<vector::LoadOp>(op))
      alignment = load.getAlignment().value_or(0);
    if (!isOnlyRead(memory) || !isOneLoad(op.getResult(0).getType(), alignment))
      return false;
  }
  return llvm::all_of(branch.thenYield().getOperands(), [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == branch.thenBlock() && getLoadedMemory(op) &&
           value.hasOneUse();
  });
}

static void predicate(RewriterBase &rewriter, scf::IfOp branch) {
  Location loc = branch.getLoc();
  Value condition = branch.getCondition();
  llvm::DenseMap<Operation *, unsigned> loads;
  for (auto [i, value] : llvm::enumerate(branch.thenYield().getOperands()))
    loads[value.getDefiningOp()] = i;
  SmallVector<Value> results(branch.getNumResults());
  for (Operation &op :
       llvm::make_early_inc_range(branch.thenBlock()->without_terminator())) {
    auto it = loads.find(&op);
    if (it == loads.end()) {
      rewriter.moveOpBefore(&op, branch);
      continue;
    }
    Value other = branch.elseYield().getOperand(it->second);
    Type type = op.getResult(0).getType();
    auto vectorType = dyn_cast<VectorType>(type);
    bool isScalar = !vectorType;
    if (isScalar)
      vectorType = VectorType::get({1}, type);
    rewriter.setInsertionPoint(branch);
    Value mask = vector::BroadcastOp::create(
        rewriter, loc, vectorType.clone(rewriter.getI1Type()), condition);
    if (isScalar)
      other = vector::BroadcastOp::create(rewriter, loc, vectorType, other);
    OperandRange indices = isScalar ? cast<memref::LoadOp>(op).getIndices()
                                    : cast<vector::LoadOp>(op).getIndices();
    Value loaded =
        vector::MaskedLoadOp::create(rewriter, loc, vectorType,
                                     getLoadedMemory(&op), indices, mask, other);
    if (isScalar)
      loaded = vector::ExtractOp::create(rewriter, loc, loaded, 0);
    results[it->second] = loaded;
  }
  rewriter.replaceOp(branch, results);
}

namespace {
struct LinalgExtNVGPUPredicateLoadsPass
    : public linalg_ext::impl::LinalgExtNVGPUPredicateLoadsPassBase<
          LinalgExtNVGPUPredicateLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::IfOp> branches;
    getOperation()->walk([&](scf::IfOp branch) {
      auto loop = dyn_cast<scf::ForOp>(branch->getParentOp());
      if (loop && !loop.getBody()->getOps<nvgpu::MmaSyncOp>().empty() &&
          isGuardedLoad(branch))
        branches.push_back(branch);
    });
    IRRewriter rewriter(&getContext());
    for (scf::IfOp branch : branches)
      predicate(rewriter, branch);
  }
};
} // namespace
