//===- NVGPU.h - Matrix instructions in assembly ----------------*- C++ -*-===//
//
// mma.sync of which no dialect has an op.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_NVGPU_H
#define LINALG_EXT_TEST_LIB_SIMT_NVGPU_H

#include "SIMT/Machine.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::linalg_ext::simt {

/// Runs assembly that is one mma.sync. Fails, with an error, for any other.
LogicalResult runMmaAssembly(LLVM::InlineAsmOp op, Machine &machine);

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_NVGPU_H
