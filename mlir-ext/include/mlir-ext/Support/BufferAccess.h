//===- BufferAccess.h - Reads and writes of a memref ------------*- C++ -*-===//
//
// Queries on memrefs: which accesses a function makes to a buffer, and which
// buffers are distinct. Passes that set calling conventions use them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_BUFFERACCESS_H
#define MLIR_EXT_SUPPORT_BUFFERACCESS_H

#include "mlir/IR/Value.h"

namespace mlir::linalg_ext {

/// The accesses that may happen to a buffer. False means: provably not.
struct BufferAccess {
  bool mayRead = false;
  bool mayWrite = false;
};

/// Returns which accesses may happen to the elements of the memref `buffer`.
/// Follows all uses of `buffer`, of its views, of the iter_args and results of
/// loops that carry it, and of the arguments and results of functions that it
/// is passed to. An unknown use counts as a read and a write.
BufferAccess getBufferAccess(Value buffer);

/// Returns the buffer that `view` is a view of. Follows ops that implement
/// ViewLikeOpInterface (casts, reshapes, subviews) to the first value that no
/// such op defines. Two views of different buffers overlap only if the buffers
/// overlap.
Value getViewedBuffer(Value view);

/// Returns true if the views `a` and `b` do not overlap, because they view
/// different allocations, globals or arguments of the function. Assumes that
/// arguments of a function do not overlap. Returns false if this is not known.
bool areOfDistinctBuffers(Value a, Value b);

/// Returns true if `number` is a loaded element of a buffer, or if pure ops
/// compute it from one. Only code that can read this memory can compute it.
bool isOfMemory(Value number);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_BUFFERACCESS_H
