//===- RecomputeAfterLoops.cpp - Addresses that no loop carries along -----===//
//
// What a kernel computes from the number of a thread, LLVM computes once: what
// is needed in front of loops and behind them is in registers throughout. The
// number is read again behind them, in a way that LLVM does not look into.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPURECOMPUTEAFTERLOOPSPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;

/// Reads the number of the thread along `dimension` anew.
static LLVM::InlineAsmOp readAgain(OpBuilder &b, Location loc,
                                   gpu::Dimension dimension) {
  std::string text =
      ("mov.u32 $0, %tid." + gpu::stringifyDimension(dimension) + ";").str();
  auto dialect =
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  return LLVM::InlineAsmOp::create(
      b, loc, b.getI32Type(), ValueRange(), text, "=r",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, dialect, ArrayAttr());
}

namespace {
/// Numbers of the thread that were read anew, and their dimensions.
using NumbersReadAgain = llvm::DenseMap<Operation *, gpu::Dimension>;

/// Builds what is used behind `loop`, and computed in front of it, again.
class Recomputation {
public:
  Recomputation(RewriterBase &rewriter, scf::ForOp loop,
                NumbersReadAgain &numbers)
      : rewriter(rewriter), loop(loop), numbers(numbers) {}

  void run() {
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Operation *> behind;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      behind.push_back(op);
    for (Operation *top : behind)
      top->walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          if (Value again = build(operand.get()))
            rewriter.modifyOpInPlace(op, [&] { operand.set(again); });
      });
  }

private:
  std::optional<gpu::Dimension> getThreadDimension(Operation *op) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return id.getDimension();
    auto it = numbers.find(op);
    if (it != numbers.end())
      return it->second;
    return std::nullopt;
  }

  /// True if `value` is computed in front of the loop, from the number of a
  /// thread, by ops that can be repeated.
  bool isOfThread(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop->getBlock() ||
        !op->isBeforeInBlock(loop) || op->getNumRegions() != 0 ||
        op->getNumResults() != 1 ||
        !(isPure(op) || getThreadDimension(op)) ||
        !isa<IndexType, IntegerType, MemRefType>(value.getType()))
      return false;
    auto [it, isNew] = ofThread.try_emplace(op, false);
    if (isNew) {
      bool result = getThreadDimension(op).has_value();
      for (Value operand : op->getOperands())
        result |= isOfThread(operand);
      ofThread[op] = result;
      return result;
    }
    return it->second;
  }

  /// What `value` is behind the loop; null if it stays.
  Value build(Value value) {
    if (Value again = mapping.lookupOrNull(value))
      return again;
    if (!isOfThread(value))
      return {};
    Operation *op = value.getDefiningOp();
    if (std::optional<gpu::Dimension> dimension = getThreadDimension(op)) {
      Location loc = op->getLoc();
      LLVM::InlineAsmOp read = readAgain(rewriter, loc, *dimension);
      numbers[read] = *dimension;
      Value number = read.getResult(0);
      if (value.getType().isIndex()) {
        // There are at most 1024 of them, which LLVM is to know.
        Value most = arith::ConstantIntOp::create(rewriter, loc,
                                                  number.getType(), 1023);
        number = arith::AndIOp::create(rewriter, loc, number, most);
        number = arith::IndexCastUIOp::create(rewriter, loc, value.getType(),
                                              number);
      }
      mapping.map(value, number);
      return number;
    }
    for (Value operand : op->getOperands())
      (void)build(operand);
    rewriter.clone(*op, mapping);
    return mapping.lookup(value);
  }

  RewriterBase &rewriter;
  scf::ForOp loop;
  NumbersReadAgain &numbers;
  IRMapping mapping;
  llvm::DenseMap<Operation *, bool> ofThread;
};

struct LinalgExtNVGPURecomputeAfterLoopsPass
    : public linalg_ext::impl::LinalgExtNVGPURecomputeAfterLoopsPassBase<
          LinalgExtNVGPURecomputeAfterLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      // What is built between two loops, and needed behind the second one too,
      // is built again there.
      SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
      NumbersReadAgain numbers;
      for (scf::ForOp loop : loops)
        Recomputation(rewriter, loop, numbers).run();
    });
  }
};
} // namespace
