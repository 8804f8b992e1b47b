//===- MmaChains.h - Instructions that continue sums ------------*- C++ -*-===//
//
// Which asynchronous instructions may add to an open result of another one.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_MMACHAINS_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_MMACHAINS_H

#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"

namespace mlir::vector_ext {

/// Returns whether `a` and `b`, asynchronous instructions, have one shape, and
/// the same registers for their results. They are performed in order then, so
/// one of them may continue the sums of the other, whatever they multiply.
inline bool areChained(const MmaIntrinsic &a, const MmaIntrinsic &b,
                       MLIRContext *context) {
  return a.m == b.m && a.n == b.n && a.k == b.k && a.acc == b.acc &&
         a.accType(context) == b.accType(context);
}

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_MMACHAINS_H
