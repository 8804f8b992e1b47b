//===- Repair.h - The vocabulary of repairs ---------------------*- C++ -*-===//
//
// What producers (OnlineReductionOpInterface) and consumers
// (RepairableOpInterface) say to each other.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_REPAIR_H
#define MLIR_EXT_INTERFACES_REPAIR_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::linalg_ext {

/// How a repair acts on a value: by multiplying it (softmax) or by adding to
/// it (log-softmax).
enum class RepairKind { Scale, Add };

/// When partial results are normalised: in every tile, or once after the loop.
enum class NormalizationForm { Eager, Delayed };

inline StringRef stringify(RepairKind kind) {
  return kind == RepairKind::Scale ? "scale" : "add";
}
inline StringRef stringify(NormalizationForm form) {
  return form == NormalizationForm::Eager ? "eager" : "delayed";
}

/// How the repair of an operand acts on the accumulator of a consumer.
struct AccumulatorRepair {
  /// The result (and init) that holds the accumulator.
  unsigned resultNumber;
  /// For each dimension of the repair, the dimension of the accumulator along
  /// which it acts.
  SmallVector<int64_t> accDims;
  /// The neutral element of the accumulation.
  TypedAttr neutral;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_INTERFACES_REPAIR_H
