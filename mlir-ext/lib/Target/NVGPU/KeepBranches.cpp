//===- KeepBranches.cpp - Functions in both branches ----------------------===//
//
// LLVM moves what two branches end with behind them. But if a branch computes
// with other units than the functions that both end with, these are in both on
// purpose: so that the unit for functions is busy meanwhile. Empty inline
// assembly at the end of a branch keeps LLVM from that. In a loop that carries
// many words, there are no registers for this.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"
#include "mlir-ext/Target/GPU/LowerMath.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Whether `region` computes functions, and yields what it has computed.
static bool hasFunctions(Region &region) {
  return !region.empty() &&
         region.front().getTerminator()->getNumOperands() != 0 &&
         region
             .walk(
                 [](LLVM::CallIntrinsicOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

void mlir::linalg_ext::keepBranches(RewriterBase &rewriter, Operation *scope) {
  scope->walk([&](scf::IfOp branch) {
    if (!hasFunctions(branch.getThenRegion()) ||
        !hasFunctions(branch.getElseRegion()) ||
        !hasRegistersForBranches(branch))
      return;
    for (Region *region : branch.getRegions()) {
      rewriter.setInsertionPoint(region->front().getTerminator());
      LLVM::InlineAsmOp::create(
          rewriter, branch.getLoc(), /*resultTypes=*/TypeRange(), ValueRange(),
          "", "", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr::get(scope->getContext(),
                                    LLVM::AsmDialect::AD_ATT),
          /*operand_attrs=*/ArrayAttr());
    }
  });
}
