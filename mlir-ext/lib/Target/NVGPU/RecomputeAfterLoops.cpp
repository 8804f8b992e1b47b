//===- RecomputeAfterLoops.cpp - Rematerialisation of addresses -----------===//
//
// A kernel computes addresses from its thread id. LLVM computes a common
// subexpression only once, so an address that is needed before and after a loop
// occupies registers in the loop. This step computes it again after the loop.
// It reads the thread id by inline assembly, so that LLVM cannot merge both
// computations.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Registers of the machine that were read anew, and their names.
using RegistersReadAgain = llvm::DenseMap<Operation *, std::string>;

/// Computes values again that were computed before `loop` and are used after
/// it.
class Recomputation {
public:
  Recomputation(RewriterBase &rewriter, scf::ForOp loop,
                RegistersReadAgain &registers)
      : rewriter(rewriter), loop(loop), registers(registers) {}

  void run() {
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Operation *> behind;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      behind.push_back(op);
    for (Operation *top : behind)
      top->walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          if (isRecomputed(operand.get())) {
            Value again = build(operand.get());
            rewriter.modifyOpInPlace(op, [&] { operand.set(again); });
          }
      });
  }

private:
  /// The register that `op` reads; empty if it reads none.
  std::string getRegister(Operation *op) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return ("%tid." + gpu::stringifyDimension(id.getDimension())).str();
    return registers.lookup(op);
  }

  bool isInFront(Operation *op) {
    return op && op->getBlock() == loop->getBlock() &&
           op->isBeforeInBlock(loop);
  }

  /// True if `value` is computed before the loop, from the number of a
  /// thread, by ops that can be repeated.
  bool isRecomputed(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isInFront(op))
      return false;
    if (!getRegister(op).empty())
      return true;
    if (op->getNumRegions() != 0 || op->getNumResults() != 1 || !isPure(op) ||
        !isa<IndexType, IntegerType, MemRefType>(value.getType()))
      return false;
    auto [it, isNew] = recomputed.try_emplace(op, false);
    if (!isNew)
      return it->second;
    bool result = llvm::any_of(op->getOperands(), [&](Value operand) {
      return isRecomputed(operand);
    });
    recomputed[op] = result;
    return result;
  }

  /// Returns the value, after the loop, that replaces `value`.
  Value build(Value value) {
    if (Value again = mapping.lookupOrNull(value))
      return again;
    Operation *op = value.getDefiningOp();
    if (std::string name = getRegister(op); !name.empty()) {
      mapping.map(value, readAgain(value, name));
      return mapping.lookup(value);
    }
    for (Value operand : op->getOperands())
      if (isRecomputed(operand))
        (void)build(operand);
    rewriter.clone(*op, mapping);
    return mapping.lookup(value);
  }

  /// Reads the register `name`, whose value is `value`, by inline assembly,
  /// which LLVM does not look into.
  Value readAgain(Value value, StringRef name) {
    Location loc = value.getLoc();
    auto dialect = LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                             LLVM::AsmDialect::AD_ATT);
    auto read = LLVM::InlineAsmOp::create(
        rewriter, loc, rewriter.getI32Type(), ValueRange(),
        ("mov.u32 $0, " + name + ";").str(), "=r",
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, dialect, ArrayAttr());
    registers[read] = name.str();
    Value number = read.getResult(0);
    if (!value.getType().isIndex())
      return number;
    // Shows LLVM that there are at most 1024.
    Value most =
        arith::ConstantIntOp::create(rewriter, loc, number.getType(), 1023);
    number = arith::AndIOp::create(rewriter, loc, number, most);
    return arith::IndexCastUIOp::create(rewriter, loc, value.getType(), number);
  }

  RewriterBase &rewriter;
  scf::ForOp loop;
  RegistersReadAgain &registers;
  IRMapping mapping;
  llvm::DenseMap<Operation *, bool> recomputed;
};
} // namespace

void mlir::linalg_ext::recomputeAfterLoops(RewriterBase &rewriter,
                                           Operation *scope) {
  scope->walk([&](gpu::GPUFuncOp kernel) {
    // What is built between two loops, and needed after the second one too,
    // is built again there.
    SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
    RegistersReadAgain registers;
    for (scf::ForOp loop : loops)
      Recomputation(rewriter, loop, registers).run();
  });
}
