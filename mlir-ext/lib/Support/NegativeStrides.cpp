//===- NegativeStrides.cpp - Addresses that may go down -------------------===//
//
// See NegativeStrides.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/NegativeStrides.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

void mlir::linalg_ext::allowNegativeStrides(Operation *scope) {
  SmallVector<Operation *> worklist;
  scope->walk([&](LLVM::MulOp op) {
    APInt stride;
    if (matchPattern(op.getRhs(), m_ConstantInt(&stride)) &&
        stride.isNegative())
      worklist.push_back(op);
  });
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (auto pointer = dyn_cast<LLVM::GEPOp>(op)) {
      pointer.setNoWrapFlags(LLVM::bitEnumClear(pointer.getNoWrapFlags(),
                                                LLVM::GEPNoWrapFlags::nuw));
      continue;
    }
    if (!isa<LLVM::AddOp, LLVM::MulOp>(op))
      continue;
    auto flags = cast<LLVM::IntegerOverflowFlagsInterface>(op);
    if (!flags.hasNoUnsignedWrap())
      continue;
    flags.setOverflowFlags(LLVM::bitEnumClear(flags.getOverflowFlags(),
                                              LLVM::IntegerOverflowFlags::nuw));
    llvm::append_range(worklist, op->getUsers());
  }
}
