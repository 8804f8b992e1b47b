//===- MmaIntrinsic.h - Instructions of tensor cores, as data ---*- C++ -*-===//
//
// What an analysis of layouts has to know of an instruction. Targets provide
// these, keyed by name.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_MMAINTRINSIC_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_MMAINTRINSIC_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir/IR/Types.h"

#include <functional>
#include <string>

namespace mlir::vector_ext {

/// D[m, n] = A[m, k] * B[k, n] + C[m, n], by the lanes of a subgroup, or of
/// several, together.
struct MmaIntrinsic {
  std::string name;
  int64_t m, n, k;
  /// The layouts of A ([m, k]), B ([k, n]) and of C and D ([m, n]). An
  /// instruction of several subgroups has that many in its layouts.
  layout::Layout lhs, rhs, acc;
  /// Makes the types of the elements of A, B, and of C and D.
  std::function<Type(MLIRContext *)> lhsType, rhsType, accType;
  /// B is read from shared memory, through a descriptor as wgmma has them
  /// (Layout/SharedDescriptor.h); `rhs` then is not used.
  bool rhsInSharedMemory = false;
  /// Each thread does it one product after the other: what it needs of A and B
  /// for one k it needs for all of its sums, and then never again.
  bool isByThreads = false;
  /// It takes fewer bits of A and B than they have: it is for whoever asks.
  bool isApproximate = false;
  /// A pass lowers it. Others are there for whoever asks for them by name.
  bool hasLowering = false;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_MMAINTRINSIC_H
