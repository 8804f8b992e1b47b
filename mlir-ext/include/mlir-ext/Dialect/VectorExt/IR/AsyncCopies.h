//===- AsyncCopies.h - Copies and loads of a target -------------*- C++ -*-===//
//
// How a target copies from global memory to workgroup memory without registers,
// and how it loads and copies through descriptors of buffers. A target registers these
// functions, as it registers its instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H

#include "mlir-ext/Layout/SharedDescriptor.h"
#include "mlir/IR/Builders.h"

#include <functional>

namespace mlir::vector_ext {

/// One copy by one thread of `width` contiguous elements.
struct AsyncCopy {
  Value destination;
  SmallVector<Value> destinationIndices;
  Value source;
  SmallVector<Value> sourceIndices;
  int64_t width = 1;
  /// The number of elements to copy, of index type. The other elements of the
  /// destination become 0. If null, all elements are copied.
  Value elements;
};

struct AsyncCopies {
  /// Builds `copies` and a wait for them. Null if the target has no such
  /// copies.
  std::function<void(OpBuilder &, Location, ArrayRef<AsyncCopy> copies)> build;
  /// Returns true if `op` only groups copies or waits for them.
  std::function<bool(Operation *)> isWait;
  /// Builds `copies` and, instead of a wait, an arrival of this thread at barrier
  /// `index` of `barriers` (`TileCopies`) once all its copies up to here are done.
  /// Null if the target has no such arrivals.
  std::function<void(OpBuilder &, Location, ArrayRef<AsyncCopy> copies,
                     Value barriers, Value index)>
      buildArriving;
};

/// How a target reads global memory through descriptors of buffers. A read
/// beyond the end of the buffer returns zeros, so it needs no branch.
struct BufferLoads {
  /// Builds a buffer of `count` contiguous elements of `memory`, from element
  /// `start` on: a memref of rank 1. `start` counts from
  /// the offset of `memory`, and is an index, as is `count`. Both must be the
  /// same in all threads of a subgroup.
  std::function<Value(OpBuilder &, Location, Value memory, Value start,
                      Value count)>
      build;
  /// Builds `value`, an index from 0 to 2^31 - 1 that is the same in all
  /// threads of a subgroup, in a form that shows this to the target.
  std::function<Value(OpBuilder &, Location, Value value)> makeUniform;
  /// Builds a load of a transposed matrix (`layout::TransposeAccess`): `type` is
  /// that of four elements of 16 bits, and `index` is where the chunk of this
  /// thread starts in `memory`, of rank 1 in workgroup memory. Null if the
  /// target has no such loads.
  std::function<Value(OpBuilder &, Location, VectorType type, Value memory,
                      Value index)>
      loadTransposed;
  /// Builds a copy of 16 bytes by each thread of a subgroup
  /// (`layout::LaneCopy`), from element `index` of the buffer `source`. Lane l
  /// fills the 16 bytes that are 16 l bytes behind element `start` of `target`,
  /// of rank 1 in workgroup memory. `start` must be the same in all threads of a
  /// subgroup. What is beyond the buffer becomes 0. Null if the target has no
  /// such copies.
  std::function<void(OpBuilder &, Location, Value source, Value index,
                     Value target, Value start)>
      copy;
  /// Builds a wait for all copies of this thread.
  std::function<void(OpBuilder &, Location)> waitForCopies;
  /// Returns true if `op` is such a wait.
  std::function<bool(Operation *)> isWait;
};

/// One copy of a box to workgroup memory, or from there.
struct TileCopy {
  /// What `TileCopies::describe` returned for the memory.
  Value source;
  /// The coordinates of the first element of the box, in the memory.
  SmallVector<Value> coordinates;
  /// The memory of the tile, with one dimension, and the offset in it at which
  /// the box starts, in elements.
  Value tile;
  int64_t start = 0;
  /// How many workgroups of the cluster the box is copied to, with `tile` and
  /// the barrier at the same place in each of them: all, if not 1.
  int64_t workgroups = 1;
};

/// How a target copies whole tiles from global memory. One thread starts a
/// copy, and all threads wait for it at a barrier in memory.
struct TileCopies {
  /// Builds, on the host, the descriptor of the buffer `memory` with which a
  /// kernel copies boxes of the shape `box`, which has the rank of the buffer.
  /// `sizes` are the sizes of the boxes of one launch; `box` has the largest
  /// ones.
  std::function<Value(OpBuilder &, Location, Value memory,
                      ArrayRef<int64_t> box, ArrayRef<OpFoldResult> sizes,
                      layout::SwizzleMode)>
      describe;
  /// Builds, at the start of the kernel, `count` barriers. Each completes a
  /// phase after `arrivals` arrivals. The start of a group of copies counts as
  /// an arrival, and the phase also waits for the copies. The thread for which
  /// `isFirst` is true initialises the barriers. A barrier of all threads has
  /// to follow.
  std::function<Value(OpBuilder &, Location, Value isFirst, int64_t count,
                      int64_t arrivals)>
      createBarriers;
  /// Builds the start of `copies` of `numBytes` bytes in total, for barrier
  /// `index`. At most one thread starts them: that for which `isStarter` is
  /// true. A null `isStarter` counts as true. If `numBytes` is the constant 0,
  /// the start is no arrival: an earlier start by this thread has counted the
  /// bytes of `copies`. Builds no control flow.
  std::function<void(OpBuilder &, Location, Value isStarter, Value barriers,
                     Value index, OpFoldResult numBytes,
                     ArrayRef<TileCopy> copies)>
      start;
  /// Builds an arrival at barrier `index` of each thread for which `isArriving`
  /// is true. A null `isArriving` counts as true. Builds no control flow.
  std::function<void(OpBuilder &, Location, Value isArriving, Value barriers,
                     Value index)>
      arrive;
  /// Builds a wait at barrier `index` for the end of the phase whose number has
  /// the last bit `parity`.
  std::function<void(OpBuilder &, Location, Value barriers, Value index,
                     Value parity)>
      wait;
  /// Returns whether `op` is such a wait.
  std::function<bool(Operation *)> isWait;
  /// Builds a fence. Accesses of this thread to workgroup memory, and writes of
  /// others that it has seen, are then ordered before later copies, and before
  /// reads of instructions that read tiles in place.
  std::function<void(OpBuilder &, Location)> fence;
  /// Builds an i1 that is true for one thread of each subgroup, which the
  /// target elects. All threads of the subgroup must execute it. The target
  /// knows that one thread takes a branch on this value. It then starts copies
  /// without a loop over lanes.
  std::function<Value(OpBuilder &, Location)> elect;
  /// Builds a barrier of the threads of a subgroup, all of which execute it. It
  /// orders their earlier reads of workgroup memory before everything that any
  /// of them does later.
  std::function<void(OpBuilder &, Location)> syncSubgroup;
  /// Builds the start of `copies` from workgroup memory to what they describe,
  /// by each thread that executes it.
  std::function<void(OpBuilder &, Location, ArrayRef<TileCopy> copies)>
      startStores;
  /// Builds a wait of each thread until all copies that it has started from
  /// workgroup memory have read what they copy.
  std::function<void(OpBuilder &, Location)> waitForStores;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H
