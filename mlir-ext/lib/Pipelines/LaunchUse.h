//===- LaunchUse.h - What a launch has in registers and memory --*- C++ -*-===//
//
// Counts what the vectors of a launch take. linalg-ext-select-config chooses by
// it, and estimateLaunch estimates by it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_LAUNCHUSE_H
#define MLIR_EXT_LIB_PIPELINES_LAUNCHUSE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::linalg_ext {

/// Returns whether `op`, which may be null, reads a tile, of rows that are
/// anywhere in memory or not.
bool readsTile(Operation *op);

/// Returns the size of `type` in words of 32 bits; an index has two.
int64_t getNumWords(VectorType type);

/// Returns whether a contraction of the block of `contract` is needed for
/// `value`.
bool isComputedByContraction(Value value, Operation *contract);

/// What the contractions of a workgroup have in registers at a time, in words
/// of 32 bits: the most of any block.
struct RegisterUse {
  /// Their results.
  int64_t results = 0;
  /// Operands that come from outside of the loop, if they are held in it, and
  /// the fewest columns of what they are contracted to.
  int64_t held = 0, columns = 0;
  /// What is read beside operands in the loop of two contractions or more, as
  /// masks are, which lives while their results do.
  int64_t read = 0;
  /// Rows of the largest result.
  int64_t rows = 0;
};

/// Returns the use of registers of `launch`. `countsComputed`: left operands
/// that other contractions compute are held as well, until an asynchronous
/// instruction has read them.
RegisterUse getRegisterUse(gpu::LaunchOp launch, bool countsComputed = false);

/// Bytes of shared memory of a loop: what it copies, of one buffer, and what is
/// there all the time.
struct SharedUse {
  int64_t copied = 0, held = 0;
};

/// Returns that of each loop of `contracts`, those of which have configs.
llvm::MapVector<Operation *, SharedUse>
getSharedUse(ArrayRef<vector::ContractionOp> contracts);

/// What a launch reads, if nothing is contracted.
struct ReadUse {
  /// The elements of the largest piece that is read in a loop: of one row, or
  /// of rows that the loop does not reduce.
  int64_t piece = 0;
  /// The elements of rows that are read once, and held: if any is reduced, of
  /// those that are, since others are read when they are needed.
  int64_t held = 0;
};

/// Returns what `launch` reads; nothing if it contracts something.
ReadUse getReadUse(gpu::LaunchOp launch);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_LAUNCHUSE_H
