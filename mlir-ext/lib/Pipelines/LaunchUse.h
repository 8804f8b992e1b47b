//===- LaunchUse.h - What a launch has in registers and memory --*- C++ -*-===//
//
// Counts the registers and the shared memory that the vectors of a launch need.
// linalg-ext-select-config and estimateLaunch use these numbers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_LAUNCHUSE_H
#define MLIR_EXT_LIB_PIPELINES_LAUNCHUSE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::linalg_ext {

/// Returns whether `op` reads a tile from memory: a transfer read or a gather
/// of rows. `op` may be null.
bool readsTile(Operation *op);

/// Returns the size of `type` in words of 32 bits. An index has two words.
int64_t getNumWords(VectorType type);

/// Returns whether `value` is computed from the result of a contraction in the
/// block of `contract`.
bool isComputedByContraction(Value value, Operation *contract);

/// What the contractions of a workgroup keep in registers at the same time.
/// Sizes are in words of 32 bits, and are the largest of any block.
struct RegisterUse {
  /// The results of contractions.
  int64_t results = 0;
  /// The operands that are read outside of the loop and kept in registers in
  /// it.
  int64_t held = 0;
  /// The fewest columns of a result with such an operand.
  int64_t columns = 0;
  /// The other tiles that a loop of several contractions reads, such as masks.
  /// They are in registers at the same time as the results.
  int64_t read = 0;
  /// The rows of the largest result.
  int64_t rows = 0;
};

/// Returns the use of registers of `launch`. With `countsComputed`, left
/// operands that other contractions compute count as held, because an
/// asynchronous instruction reads them later.
RegisterUse getRegisterUse(gpu::LaunchOp launch, bool countsComputed = false);

/// The bytes of shared memory that a loop needs.
struct SharedUse {
  /// One buffer for each tile that the loop copies.
  int64_t copied = 0;
  /// Buffers that are used in all iterations.
  int64_t held = 0;
};

/// Returns the use of shared memory of each loop with a contraction of
/// `contracts` that has a config.
llvm::MapVector<Operation *, SharedUse>
getSharedUse(ArrayRef<vector::ContractionOp> contracts);

/// What a launch without contractions reads.
struct ReadUse {
  /// The elements of the largest tile that a loop reads: of one row, or of
  /// several rows that the loop does not reduce.
  int64_t piece = 0;
  /// The elements of rows that are read once and kept in registers. If a row is
  /// reduced, only such rows count, since other rows are read when they are
  /// needed.
  int64_t held = 0;
};

/// Returns what `launch` reads. All numbers are 0 if it has a contraction.
ReadUse getReadUse(gpu::LaunchOp launch);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_LAUNCHUSE_H
