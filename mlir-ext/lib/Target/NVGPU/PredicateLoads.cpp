//===- PredicateLoads.cpp - Loads without branches ------------------------===//
//
// A kernel looks up an element of a table in a branch, if the element exists.
// ptxas turns a branch around a load into a predicated load. But it puts the
// load directly before its use, and hides its latency with instructions that
// should run beside products. This step gives the load a predicate itself, and
// moves it to the other side of a barrier. It is a relaxed load, which ptxas
// leaves there.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most ops of a branch. With more, predicates would cost more than the
/// branch.
static constexpr int64_t kMostOps = 16;
/// The most loads in a loop. Each one takes a register between two barriers.
static constexpr int64_t kMostLoads = 2;

bool mlir::linalg_ext::isReadOnly(Value buffer) {
  buffer = getViewedBuffer(buffer);
  auto arg = dyn_cast<BlockArgument>(buffer);
  if (!arg)
    return false;
  auto kernel = dyn_cast<gpu::GPUFuncOp>(arg.getOwner()->getParentOp());
  if (!kernel || !arg.getOwner()->isEntryBlock())
    return false;
  unsigned number = arg.getArgNumber();
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  return number < function.getNumArguments() &&
         function.getArgAttr(number,
                             LLVM::LLVMDialect::getReadonlyAttrName()) &&
         function.getArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Returns whether `load`, which loads one element, can get a predicate.
static bool canPredicate(memref::LoadOp load) {
  Type type = load.getType();
  return type.isIntOrFloat() && (type.getIntOrFloatBitWidth() == 32 ||
                                 type.getIntOrFloatBitWidth() == 64) &&
         isReadOnly(load.getMemRef());
}

/// Returns whether `branch` only loads and computes scalars, and these ops may
/// run before it.
static bool canPredicate(scf::IfOp branch) {
  if (branch.getNumResults() == 0 || !branch.elseBlock() ||
      !llvm::all_of(branch.getResultTypes(),
                    [](Type type) { return type.isIntOrIndexOrFloat(); }))
    return false;
  int64_t numOps = 0, numLoads = 0;
  for (Block *block : {branch.thenBlock(), branch.elseBlock()})
    for (Operation &op : block->without_terminator()) {
      ++numOps;
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        ++numLoads;
        if (!canPredicate(load))
          return false;
      } else if (isa<vector::MaskedLoadOp>(op)) {
        ++numLoads;
        if (!op.hasAttr(kInvariantAttr))
          return false;
      } else if (op.getNumRegions() > 0 || !isPure(&op)) {
        return false;
      }
    }
  return numLoads > 0 && numOps <= kMostOps;
}

static vector::MaskedLoadOp predicateLoad(RewriterBase &rewriter,
                                          memref::LoadOp load,
                                          Value condition) {
  rewriter.setInsertionPoint(load);
  Location loc = load.getLoc();
  auto type = VectorType::get({1}, load.getType());
  Value mask = vector::FromElementsOp::create(
      rewriter, loc, VectorType::get({1}, rewriter.getI1Type()), condition);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  auto loaded =
      vector::MaskedLoadOp::create(rewriter, loc, type, load.getMemRef(),
                                   load.getIndices(), mask, zero);
  loaded->setAttr(kInvariantAttr, rewriter.getUnitAttr());
  rewriter.replaceOpWithNewOp<vector::ExtractOp>(load, loaded.getResult(), 0);
  return loaded;
}

/// Makes `load`, which has a predicate, also depend on `condition`.
static void restrict(RewriterBase &rewriter, vector::MaskedLoadOp load,
                     Value condition) {
  rewriter.setInsertionPoint(load);
  Location loc = load.getLoc();
  Value both = arith::AndIOp::create(
      rewriter, loc, vector::ExtractOp::create(rewriter, loc, load.getMask(), 0),
      condition);
  Value mask = vector::FromElementsOp::create(
      rewriter, loc, cast<VectorType>(load.getMask().getType()), both);
  rewriter.modifyOpInPlace(load, [&] { load.getMaskMutable().assign(mask); });
}

/// Moves `load`, and the computation of its address, before the last barrier
/// before it in its loop. The ops between two barriers then hide its latency.
static void moveInFrontOfBarrier(RewriterBase &rewriter,
                                 vector::MaskedLoadOp load) {
  Operation *barrier = load->getPrevNode();
  // No access may pass a wait for other launches.
  while (barrier && !isa<gpu::BarrierOp, NVVM::GriddepcontrolOp>(barrier))
    barrier = barrier->getPrevNode();
  if (!barrier || isa<NVVM::GriddepcontrolOp>(barrier))
    return;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return op->getBlock() == load->getBlock() && barrier->isBeforeInBlock(op);
  };
  SetVector<Operation *> slice;
  if (failed(getBackwardSlice(load.getOperation(), &slice, options)) ||
      !llvm::all_of(slice, [](Operation *op) {
        return op->getNumRegions() == 0 && isPure(op);
      }))
    return;
  slice.insert(load);
  for (Operation *op : slice)
    rewriter.moveOpBefore(op, barrier);
}

static void predicate(RewriterBase &rewriter, scf::IfOp branch) {
  rewriter.setInsertionPoint(branch);
  Value taken = branch.getCondition();
  Value one = arith::ConstantOp::create(rewriter, branch.getLoc(),
                                        rewriter.getBoolAttr(true));
  Value notTaken =
      arith::XOrIOp::create(rewriter, branch.getLoc(), taken, one);
  SmallVector<vector::MaskedLoadOp> loads;
  for (Block *block : {branch.thenBlock(), branch.elseBlock()})
    for (Operation &op :
         llvm::make_early_inc_range(block->without_terminator())) {
      rewriter.moveOpBefore(&op, branch);
      Value condition = block == branch.thenBlock() ? taken : notTaken;
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        loads.push_back(predicateLoad(rewriter, load, condition));
      } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
        restrict(rewriter, load, condition);
        loads.push_back(load);
      }
    }
  rewriter.setInsertionPoint(branch);
  SmallVector<Value> results;
  for (auto [lhs, rhs] : llvm::zip_equal(branch.thenYield().getOperands(),
                                         branch.elseYield().getOperands()))
    results.push_back(arith::SelectOp::create(rewriter, branch.getLoc(), taken,
                                              lhs, rhs));
  rewriter.replaceOp(branch, results);
  for (vector::MaskedLoadOp load : loads)
    moveInFrontOfBarrier(rewriter, load);
}

/// Returns the number of loads in branches of `block`, except for those in
/// loops.
static int64_t countLoads(Block &block) {
  int64_t count = 0;
  block.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op))
      return WalkResult::skip();
    auto load = dyn_cast<memref::LoadOp>(op);
    count += load && load->getBlock() != &block && isReadOnly(load.getMemRef());
    return WalkResult::advance();
  });
  return count;
}

void mlir::linalg_ext::predicateLoads(RewriterBase &rewriter,
                                      Operation *scope) {
  scope->walk([&](gpu::GPUFuncOp kernel) {
    // If a loop has too many loads, moving those before it gains nothing
    // either.
    bool hasFew = true;
    kernel.walk([&](scf::ForOp loop) {
      hasFew &= countLoads(*loop.getBody()) <= kMostLoads;
    });
    if (!hasFew)
      return;
    // Inner branches come first. Outer branches then contain none.
    SmallVector<scf::IfOp> branches;
    kernel.walk([&](scf::IfOp branch) { branches.push_back(branch); });
    for (scf::IfOp branch : branches)
      if (canPredicate(branch))
        predicate(rewriter, branch);
  });
}
