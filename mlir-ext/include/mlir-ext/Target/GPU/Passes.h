//===- Passes.h - What GPUs share ---------------------------*- C++ -*-===//
//
// See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_PASSES_H
#define MLIR_EXT_TARGET_GPU_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// In the body of `launch`, writes down what its grid says of the sizes of
/// masks, there being a workgroup: at least how many elements exist. True if
/// anything is known.
bool boundMasks(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Gives `launch` workgroups of `threads` threads, and as many times more of
/// them, if its threads have nothing to do with each other and it has a
/// multiple of that many, in one dimension. False, with the IR as it was,
/// otherwise.
bool splitWorkgroups(RewriterBase &rewriter, gpu::LaunchOp launch,
                     int64_t threads);

/// If the workgroups of `launch` read `elements` or more of a row each, the one
/// of their own number, lets them prefetch the row `distance` further, if so
/// many rows stay in a cache. False, with the IR as it was, otherwise.
bool prefetchRows(RewriterBase &rewriter, gpu::LaunchOp launch,
                  int64_t elements, int64_t distance);

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Target/GPU/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_PASSES_H
