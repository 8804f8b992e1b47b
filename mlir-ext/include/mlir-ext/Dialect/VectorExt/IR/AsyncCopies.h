//===- AsyncCopies.h - Copies that bypass registers -------------*- C++ -*-===//
//
// How a target copies from global memory to workgroup memory without registers.
// A target registers these functions, as it registers its instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H

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
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_ASYNCCOPIES_H
