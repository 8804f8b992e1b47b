//===- RecomputeSwizzles.cpp - Addresses of loaded matrices ---------------===//
//
// Rows that ldmatrix loads from a swizzled tile are at the exclusive or of one
// number of a thread and constants. LLVM computes it in front of a loop, once
// for each constant, and ptxas spills where threads have few registers. This
// step passes the number through empty inline assembly in the loop, so that it
// alone stays in a register.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// From this number of threads on, a kernel with roles has at most 160 registers
/// for each of those that compute (Support/RoleRegisters.h).
static constexpr int32_t kManyThreads = 512;

namespace {
/// Computes addresses of matrices again in a loop.
class Recompute {
public:
  Recompute(RewriterBase &b, scf::ForOp loop) : b(b), loop(loop) {}

  void run(nvgpu::LdMatrixOp load);

private:
  bool dependsOnSwizzle(Value value);
  Value build(Value value);
  Value hide(Value value);

  RewriterBase &b;
  scf::ForOp loop;
  /// What is computed again, and the hidden numbers.
  IRMapping again;
};
} // namespace

/// Returns whether `op` is the exclusive or of a number and a constant.
static bool isSwizzle(Operation *op) {
  return isa_and_nonnull<arith::XOrIOp>(op) &&
         op->getResult(0).getType().isInteger(32) &&
         matchPattern(op->getOperand(1), m_Constant());
}

/// Returns whether `value` is computed in front of the loop from an exclusive or
/// with a constant, by casts and additions.
bool Recompute::dependsOnSwizzle(Value value) {
  Operation *op = value.getDefiningOp();
  return op && loop.isDefinedOutsideOfLoop(value) &&
         (isSwizzle(op) ||
          (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::AddIOp>(op) &&
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return dependsOnSwizzle(operand);
           })));
}

/// Builds `value`, a number of 32 bits, such that LLVM does not know it.
Value Recompute::hide(Value value) {
  if (Value known = again.lookupOrNull(value))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value hidden =
      LLVM::InlineAsmOp::create(
          b, loop.getLoc(), value.getType(), value, "", "=r,0",
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
          ArrayAttr())
          .getResult(0);
  again.map(value, hidden);
  return hidden;
}

/// Builds `value`, for which `dependsOnSwizzle` holds, at the insertion point.
Value Recompute::build(Value value) {
  Operation *op = value.getDefiningOp();
  IRMapping operands;
  for (Value operand : op->getOperands())
    if (isSwizzle(op) ? operand == op->getOperand(0)
                      : dependsOnSwizzle(operand))
      operands.map(operand, isSwizzle(op) ? hide(operand) : build(operand));
  return b.clone(*op, operands)->getResult(0);
}

void Recompute::run(nvgpu::LdMatrixOp load) {
  b.setInsertionPoint(load);
  for (OpOperand &index : load.getIndicesMutable())
    if (dependsOnSwizzle(index.get()))
      index.set(build(index.get()));
}

/// Returns the body of `loop`, and the blocks of branches in it: groups of
/// threads may skip an iteration.
static SmallVector<Block *> getBlocks(scf::ForOp loop) {
  SmallVector<Block *> blocks = {loop.getBody()};
  for (auto branch : loop.getBody()->getOps<scf::IfOp>())
    for (Region *region : branch.getRegions())
      if (!region->empty())
        blocks.push_back(&region->front());
  return blocks;
}

void mlir::linalg_ext::recomputeSwizzles(RewriterBase &rewriter,
                                         Operation *scope) {
  scope->walk([&](gpu::GPUFuncOp kernel) {
    std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
    if (!block || block->front() < kManyThreads)
      return;
    kernel.walk([&](scf::ForOp loop) {
      SmallVector<Block *> blocks = getBlocks(loop);
      if (llvm::all_of(blocks, [](Block *block) {
            return block->getOps<vector_ext::AsyncMmaOp>().empty();
          }))
        return;
      Recompute recompute(rewriter, loop);
      for (Block *block : blocks)
        for (auto load : llvm::to_vector(block->getOps<nvgpu::LdMatrixOp>()))
          recompute.run(load);
    });
  });
}
