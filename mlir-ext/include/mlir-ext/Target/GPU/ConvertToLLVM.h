//===- ConvertToLLVM.h - Kernels to LLVM, for all vendors -------*- C++ -*-===//
//
// The parts that conversions of kernels to NVVM and to ROCDL have in common.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_CONVERTTOLLVM_H
#define MLIR_EXT_TARGET_GPU_CONVERTTOLLVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
class LLVMTypeConverter;
} // namespace mlir

namespace mlir::linalg_ext {

/// Rewrites ops of `module` that no conversion supports within their dialects.
/// Shuffles become shuffles of words of 32 bits. Reductions over subgroups of
/// `lanes` lanes become shuffles. Vectors get the ranks that LLVM has. Declares
/// the block of dynamic shared memory, if `module` uses it.
LogicalResult prepareForLLVM(gpu::GPUModuleOp module, unsigned lanes);

/// Adds the patterns for arith, math, memref, vector, index, cf and ub, and for
/// `gpu.dynamic_shared_memory`.
void populateCommonToLLVMPatterns(const LLVMTypeConverter &converter,
                                  RewritePatternSet &patterns);

/// Moves the patterns of `from` to `patterns`, except those for arith and math.
/// Upstream's patterns for these call libraries even where there is an
/// instruction.
void addWithoutMath(RewritePatternSet from, RewritePatternSet &patterns);

/// Emits an error at the first op of `module` that is neither of the LLVM
/// dialect nor of the dialect `vendor`, that calls a function that is neither
/// in `module` nor in `callable`, or that has a float of more than 64 bits.
/// `name` names the vendor's dialect in messages.
LogicalResult checkConverted(gpu::GPUModuleOp module, StringRef vendor,
                             StringRef name, ArrayRef<StringRef> callable);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_CONVERTTOLLVM_H
