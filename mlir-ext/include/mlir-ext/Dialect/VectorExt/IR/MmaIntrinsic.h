//===- MmaIntrinsic.h - Matrix instructions as data -------------*- C++ -*-===//
//
// What the layout analysis needs to know about a matrix instruction. Targets
// register these by name.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_MMAINTRINSIC_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_MMAINTRINSIC_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir/IR/Types.h"

#include <functional>
#include <string>

namespace mlir::vector_ext {

/// An instruction D[m, n] = A[m, k] * B[k, n] + C[m, n]. The lanes of one
/// subgroup, or of several, compute it together.
struct MmaIntrinsic {
  std::string name;
  int64_t m, n, k;
  /// The layouts of A ([m, k]), of B ([k, n]), and of C and D ([m, n]). For an
  /// instruction of several subgroups, each layout has that many subgroups.
  layout::Layout lhs, rhs, acc;
  /// Make the element types of A, of B, and of C and D.
  std::function<Type(MLIRContext *)> lhsType, rhsType, accType;
  /// Elements of A or B, which are integers, are unsigned.
  bool isLhsUnsigned = false, isRhsUnsigned = false;
  /// The instruction reads B from shared memory, through a descriptor like that
  /// of wgmma (Layout/SharedDescriptor.h). `rhs` is then unused.
  bool rhsInSharedMemory = false;
  /// Threads can start the instruction and wait for it later (`async_mma`). It
  /// then reads A from registers or from shared memory, through a descriptor.
  bool isAsynchronous = false;
  /// Each thread computes scalar products one after the other, k by k. So it
  /// needs its elements of A and B for one k at a time.
  bool isByThreads = false;
  /// The instruction uses fewer bits of A and B than they have. It is chosen
  /// only if a config or an option names it.
  bool isApproximate = false;
  /// The instruction sums with fewer bits than C and D have. A contraction sums
  /// only a few products with it, from zero, and threads add the results.
  bool hasShortSums = false;
  /// The instruction does not round subnormal numbers of A and B to zero.
  bool keepsSubnormals = false;
  /// A pass lowers the instruction. An instruction without a lowering is used
  /// only if a config names it.
  bool hasLowering = false;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_MMAINTRINSIC_H
