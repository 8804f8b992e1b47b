//===- AsyncCopies.h - Copies that bypass registers -------------*- C++ -*-===//
//
// How a target copies from global memory into the memory of a workgroup. A
// target registers this, as it registers its instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H

#include "mlir/IR/Builders.h"

#include <functional>

namespace mlir::vector_ext {

/// One copy by one thread: `width` elements in a row.
struct AsyncCopy {
  Value destination;
  SmallVector<Value> destinationIndices;
  Value source;
  SmallVector<Value> sourceIndices;
  int64_t width = 1;
  /// Number of elements to copy, an index; the others become 0. If null, all
  /// are copied.
  Value elements;
};

struct AsyncCopies {
  /// Builds `copies`, and waits for them.
  std::function<void(OpBuilder &, Location, ArrayRef<AsyncCopy> copies)> build;
  /// Returns true if `op` only groups copies or waits for them.
  std::function<bool(Operation *)> isWait;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H
