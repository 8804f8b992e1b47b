//===- AsyncMma.h - Conversion of asynchronous products ----------*- C++
//-*-===//
//
// wgmma, from `vector_ext.async_mma` and `vector_ext.await`.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_ASYNCMMA_H
#define MLIR_EXT_LIB_TARGET_NVGPU_ASYNCMMA_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::nvgpu_ext {

/// Fails, with an error, if an asynchronous instruction of `module` cannot be
/// converted: for another chip than sm_90a, if no descriptor has the
/// arrangement of an operand, or if an open result is used in another way than
/// the op allows.
LogicalResult checkAsyncMma(gpu::GPUModuleOp module);

/// Adds conversions of `vector_ext.async_mma` and `vector_ext.await` to wgmma.
void populateAsyncMmaToNVVMPatterns(const LLVMTypeConverter &converter,
                                    RewritePatternSet &patterns);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_ASYNCMMA_H
