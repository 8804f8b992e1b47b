//===- AsyncMma.h - Conversion of asynchronous products ---------*- C++ -*-===//
//
// Converts `vector_ext.async_mma` and `vector_ext.await` to wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_ASYNCMMA_H
#define MLIR_EXT_LIB_TARGET_NVGPU_ASYNCMMA_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::nvgpu_ext {

/// Fails, with an error, if an asynchronous instruction of `module` cannot be
/// converted: for another chip than sm_90a, if no descriptor has the
/// arrangement of an operand, or if an open result is used in another way than
/// the op allows.
LogicalResult checkAsyncMma(gpu::GPUModuleOp module);

/// The groups of instructions for which threads wait, in the order in which
/// they are committed.
struct AsyncGroups {
  /// The instructions that end a group: for each wait, the last instruction
  /// that it waits for, and the instructions whose results a loop carries.
  llvm::DenseSet<Operation *> ends;
  /// For each wait, the number of groups that may still be open after it. These
  /// are the groups that end between the last instruction that it waits for and
  /// the wait. If it waits for earlier instructions, these are the groups that
  /// end after the start of its chains.
  llvm::DenseMap<Operation *, int64_t> pending;
  /// For the first instruction of a chain, the left operands of later ones that
  /// are in registers and are computed before it. One fence is enough for all
  /// these registers. `fenced` has the instructions that read them.
  llvm::DenseMap<Operation *, SmallVector<Value>> operands;
  llvm::DenseSet<Operation *> fenced;
};

/// Returns the groups of `module`, which `checkAsyncMma` has accepted. Moves
/// computations of left operands before the first instruction of a chain if
/// they have no side effects.
AsyncGroups getAsyncGroups(gpu::GPUModuleOp module);

/// Adds conversions of `vector_ext.async_mma`, `vector_ext.await` and
/// `vector_ext.await_earlier` to wgmma.
/// `groups` must live as long as the patterns.
void populateAsyncMmaToNVVMPatterns(const LLVMTypeConverter &converter,
                                    const AsyncGroups &groups,
                                    RewritePatternSet &patterns);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_ASYNCMMA_H
