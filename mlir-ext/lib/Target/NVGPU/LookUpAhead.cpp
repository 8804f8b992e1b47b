//===- LookUpAhead.cpp - Entries of page tables an iteration early --------===//
//
// A role that copies gathered rows reads where they are, waits until a slot is
// free, and starts the copies, first for keys and then for values. Each entry
// of the page table takes hundreds of cycles to arrive. If starting the copies
// takes the threads nearly all of an iteration, they have no time left to wait
// for entries. This step lets them read the entries in the previous iteration
// (docs/Decisions/0104).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/LoopSlice.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace {
/// A branch that reads an entry if it exists, and the ops of the loop that it
/// needs, in their order.
struct LookUp {
  scf::IfOp branch;
  SmallVector<Operation *> needed;
};
} // namespace

/// Returns whether `op` reads an integer from global memory.
static bool readsEntry(Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load || !load.getType().isIntOrIndex())
    return false;
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
      load.getMemRefType().getMemorySpace());
  return !space || space.getValue() == gpu::AddressSpace::Global;
}

/// Returns what `branch`, which is in the body of `loop`, needs to read an
/// entry. Fails if it does anything else, or needs a value that the loop
/// carries.
static FailureOr<LookUp> getLookUp(scf::ForOp loop, scf::IfOp branch) {
  if (branch.getNumResults() != 1 ||
      !branch.getResult(0).getType().isIntOrIndex())
    return failure();
  FailureOr<SmallVector<Operation *>> needed =
      linalg_ext::getNeededByBranch(loop, branch, readsEntry);
  if (failed(needed))
    return failure();
  return LookUp{branch, std::move(*needed)};
}

/// Builds `lookUps` for iteration `iv`, if `exists` is true.
static SmallVector<Value> cloneFor(RewriterBase &b, scf::ForOp loop,
                                   ArrayRef<LookUp> lookUps, Value iv,
                                   Value exists) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iv);
  SmallVector<Value> entries;
  for (LookUp lookUp : lookUps) {
    for (Operation *op : lookUp.needed)
      if (!mapping.contains(op))
        b.clone(*op, mapping);
    auto branch = cast<scf::IfOp>(b.clone(*lookUp.branch, mapping));
    b.setInsertionPoint(branch);
    Value both = arith::AndIOp::create(b, branch.getLoc(),
                                       branch.getCondition(), exists);
    b.modifyOpInPlace(branch,
                      [&] { branch.getConditionMutable().assign(both); });
    b.setInsertionPointAfter(branch);
    entries.push_back(branch.getResult(0));
  }
  return entries;
}

static void lookUpAhead(RewriterBase &b, scf::ForOp loop) {
  bool waits = llvm::any_of(*loop.getBody(),
                            llvm::IsaPred<nvgpu::MBarrierTryWaitParityOp>);
  if (!waits || !loop.getInitArgs().empty() || loop.getUnsignedCmp())
    return;
  SmallVector<LookUp> lookUps;
  for (auto branch : loop.getBody()->getOps<scf::IfOp>()) {
    FailureOr<LookUp> lookUp = getLookUp(loop, branch);
    if (succeeded(lookUp))
      lookUps.push_back(std::move(*lookUp));
  }
  if (lookUps.empty())
    return;
  Location loc = loop.getLoc();
  auto isBefore = [&](Value iv) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, iv,
                                 loop.getUpperBound());
  };
  b.setInsertionPoint(loop);
  Value lower = loop.getLowerBound();
  SmallVector<Value> first = cloneFor(b, loop, lookUps, lower, isBefore(lower));
  b.setInsertionPointToStart(loop.getBody());
  Value next =
      arith::AddIOp::create(b, loc, loop.getInductionVar(), loop.getStep());
  SmallVector<Value> ahead = cloneFor(b, loop, lookUps, next, isBefore(next));
  FailureOr<LoopLikeOpInterface> carried = loop.replaceWithAdditionalYields(
      b, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return ahead; });
  assert(succeeded(carried) && "a loop with one block can carry more");
  for (auto [lookUp, entry] : llvm::zip_equal(
           lookUps, cast<scf::ForOp>(**carried).getRegionIterArgs()))
    b.replaceOp(lookUp.branch, entry);
}

void mlir::nvgpu_ext::lookUpAhead(Operation *scope) {
  SmallVector<scf::ForOp> loops;
  scope->walk([&](vector_ext::RoleOp role) {
    // Roles of a single thread start few copies, and have no registers to
    // spare.
    if (!role.getSingle())
      role.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  });
  IRRewriter rewriter(scope->getContext());
  for (scf::ForOp loop : loops)
    ::lookUpAhead(rewriter, loop);
}
