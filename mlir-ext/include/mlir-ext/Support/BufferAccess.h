//===- BufferAccess.h - Who reads and writes a buffer -----------*- C++ -*-===//
//
// For calling conventions: what a function does to the buffers it is given.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_BUFFERACCESS_H
#define MLIR_EXT_SUPPORT_BUFFERACCESS_H

#include "mlir/IR/Value.h"

namespace mlir::linalg_ext {

struct BufferAccess {
  bool mayRead = false;
  bool mayWrite = false;
};

/// What may be done to the elements of `buffer`, a memref, through it and
/// through its views and what loops carry of it. Uses that are not understood
/// count as both.
BufferAccess getBufferAccess(Value buffer);

/// The buffer that `view` is a view of: follows casts, reshapes and subviews up
/// to an argument or an allocation. Two views of different buffers may overlap
/// only where the buffers do.
Value getViewedBuffer(Value view);

/// True if `a` and `b`, views, are known not to overlap: they are of different
/// allocations, constants or arguments of the function, of which there is no
/// pair that overlaps.
bool areOfDistinctBuffers(Value a, Value b);

/// True if `number` is computed, by pure ops, from an element of a buffer: who
/// cannot read memory does not know it.
bool isOfMemory(Value number);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_BUFFERACCESS_H
