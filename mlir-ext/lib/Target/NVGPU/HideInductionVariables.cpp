//===- HideInductionVariables.cpp - Shared address registers --------------===//
//
// In a loop with asynchronous copies, LLVM's strength reduction gives each
// address a separate register of 64 bits and increments all of them. This step
// routes the induction variable through inline assembly. LLVM then does not see
// that it is an induction variable, and computes all addresses from one
// register and constants.
//
//===----------------------------------------------------------------------===//

#include "CarriedWords.h"
#include "RegisterWorkarounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static void hideInductionVariable(RewriterBase &rewriter, scf::ForOp loop) {
  Value iv = loop.getInductionVar();
  Location loc = loop.getLoc();
  rewriter.setInsertionPointToStart(loop.getBody());
  Type type = rewriter.getI64Type();
  Value number = arith::IndexCastOp::create(rewriter, loc, type, iv);
  auto dialect = LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                           LLVM::AsmDialect::AD_ATT);
  Value hidden = LLVM::InlineAsmOp::create(
                     rewriter, loc, type, number, "mov.b64 $0, $1;", "=l,l",
                     /*has_side_effects=*/false, /*is_align_stack=*/false,
                     LLVM::TailCallKind::None, dialect, ArrayAttr())
                     .getResult(0);
  Value index = arith::IndexCastOp::create(rewriter, loc, iv.getType(), hidden);
  rewriter.replaceAllUsesExcept(iv, index, number.getDefiningOp());
}

void mlir::linalg_ext::hideInductionVariables(RewriterBase &rewriter,
                                              Operation *scope) {
  scope->walk([&](scf::ForOp loop) {
    if (loop.getInductionVar().getType().isIndex() &&
        !loop.getBody()->getOps<nvgpu::DeviceAsyncCopyOp>().empty() &&
        getCarriedWords(loop) >= kManyCarriedWords)
      hideInductionVariable(rewriter, loop);
  });
}
