//===- Passes.h - What GPUs share ---------------------------*- C++ -*-===//
//
// See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_PASSES_H
#define MLIR_EXT_TARGET_GPU_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Target/GPU/Passes.h.inc"

/// Makes `launch` two, of which the first, which is returned, is for rows whose
/// length is a multiple of `bytes` bytes: those of the buffers from outside
/// whose rows, of dynamic length, it reads or writes vectors of. There it is
/// known: by the products that are the sizes and strides of these buffers in
/// the body. Whichever is not wanted has a grid of 0. Fails, with the IR as it
/// was, if there are no such buffers.
FailureOr<gpu::LaunchOp> versionLaunch(RewriterBase &rewriter,
                                       gpu::LaunchOp launch, int64_t bytes);

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Target/GPU/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_PASSES_H
