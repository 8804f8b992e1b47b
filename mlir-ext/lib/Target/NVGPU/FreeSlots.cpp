//===- FreeSlots.cpp - Slots that are freed behind products ---------------===//
//
// Behind the loop of a product, threads free its last slot, and apply an
// activation to what they have summed. Nothing needs that the slot is free, so the
// assembler frees it when it has nothing better to do: near the end of the
// activation. Meanwhile the role that copies waits, and so does the other group
// of threads that takes turns. A fence behind the arrival keeps the activation
// behind both: it depends on nothing that the fence orders, but the assembler
// does not move an arrival across a fence, and starts the fence at once, since
// it takes long.
//
// Where nothing fills the slots again, no slot is freed behind the loop, and
// threads convert what they have summed at once. The assembler then converts
// what it takes for the sums of the instructions that are open in the loop, and
// serialises these (C7514). A fence behind the wait prevents that, too.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Functions of a thread behind an arrival that delay it by more than a fence
/// takes.
static constexpr int64_t kManyFunctions = 32;

/// Returns the number of functions that instructions compute in the block of
/// `op` behind it.
static int64_t countFunctionsBehind(Operation *op) {
  int64_t functions = 0;
  while ((op = op->getNextNode()))
    functions += isa<LLVM::CallIntrinsicOp>(op);
  return functions;
}

/// Returns the first arrival behind `await` in its block. Unset if something
/// else that has effects comes before it.
static nvgpu::MBarrierArriveExpectTxOp
getArrival(vector_ext::AwaitOp await) {
  for (Operation *op = await->getNextNode(); op; op = op->getNextNode()) {
    if (auto arrival = dyn_cast<nvgpu::MBarrierArriveExpectTxOp>(op))
      return arrival;
    if (!isMemoryEffectFree(op))
      break;
  }
  return {};
}

/// Returns whether threads free slots in `loop`, and do not wait for each other
/// there: other threads fill the slots.
static bool freesSlots(scf::ForOp loop) {
  Block *body = loop.getBody();
  return !body->getOps<nvgpu::MBarrierArriveExpectTxOp>().empty() &&
         body->getOps<gpu::BarrierOp>().empty();
}

void mlir::linalg_ext::freeSlotsEarly(RewriterBase &rewriter,
                                      Operation *scope) {
  SmallVector<Operation *> fenced;
  scope->walk([&](vector_ext::AwaitOp await) {
    scf::ForOp loop;
    for (Operation *op = await->getPrevNode(); op && !loop;
         op = op->getPrevNode())
      loop = dyn_cast<scf::ForOp>(op);
    auto arrival = getArrival(await);
    if (loop && arrival && countFunctionsBehind(arrival) >= kManyFunctions)
      fenced.push_back(arrival);
    else if (loop && !arrival && freesSlots(loop))
      fenced.push_back(await);
  });
  for (Operation *op : fenced) {
    rewriter.setInsertionPointAfter(op);
    LLVM::FenceOp::create(rewriter, op->getLoc(),
                          LLVM::AtomicOrdering::acq_rel, "block");
  }
}
