//===- Repair.h - Types for repairs of accumulators -------------*- C++ -*-===//
//
// The types that OnlineReductionOpInterface (of producers) and
// RepairableOpInterface (of consumers) have in common.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_REPAIR_H
#define MLIR_EXT_INTERFACES_REPAIR_H

#include "mlir-ext/Interfaces/RepairRows.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <optional>

namespace mlir::linalg_ext {

/// How a repair acts on a value, with an example of each kind:
/// - Scale multiplies the value (softmax).
/// - Add adds to the value (log-softmax).
/// - Polynomial adds a polynomial in the change of the state (variance).
/// - Affine multiplies a part of the value (a norm to which a bias is added).
enum class RepairKind { Scale, Add, Polynomial, Affine };

/// When partial results are normalised: in every tile, or once after the loop.
enum class NormalizationForm { Eager, Delayed };

inline StringRef stringify(RepairKind kind) {
  switch (kind) {
  case RepairKind::Scale:
    return "scale";
  case RepairKind::Add:
    return "add";
  case RepairKind::Polynomial:
    return "polynomial";
  case RepairKind::Affine:
    return "affine";
  }
  llvm_unreachable("unknown kind of repair");
}
inline StringRef stringify(NormalizationForm form) {
  return form == NormalizationForm::Eager ? "eager" : "delayed";
}

/// How a value v depends on a state. Let t be a measure of the state, for
/// example a running maximum or the logarithm of a running sum. Let c be the
/// coefficient. When t changes by dt, v becomes
///
/// - Scale: v exp(c dt),
/// - Add: v + c dt,
/// - Polynomial: v + sum_i v_i dt^i / i! for i from 1 to c, where v_i is the
///   i-th derivative (`RepairableOpInterface::buildTangent`). v_i may itself
///   depend on the state. An addition is a polynomial with a constant
///   derivative.
/// - Affine: (v - u) exp(c dt) + u, where the constant term u does not change
///   (`RepairableOpInterface::buildAffinePart`).
///
/// If c is 0, v does not depend on the state.
struct RepairDegree {
  RepairKind kind = RepairKind::Scale;
  double coefficient = 1.0;

  bool isInvariant() const { return coefficient == 0.0; }
};

/// A value that depends on the state. It has a degree, and it tells which rows
/// of the value belong to which row of the state.
struct StateDependentValue {
  RepairDegree degree;
  RowGroups rows;
  /// The value was rounded after it was computed from the state. A repair is
  /// then exact only up to rounding in the element type of the value.
  bool isRounded = false;
  /// The value also depends on the state through a comparison. The comparison
  /// has the same result for all states except those with an infinite measure.
  bool isCompared = false;
  /// The measure is a ratio of values that may be negative. A factor computed
  /// from it may then be negative too.
  bool isSigned = false;
  /// For an affine value: the dimensions of the value along which the constant
  /// term varies, in ascending order.
  SmallVector<int64_t> constantDims = {};
};

/// An operand that holds a state-dependent value.
struct StateDependentOperand {
  unsigned number = 0;
  StateDependentValue value;
};

/// A term of the Taylor series of a tensor in the measure of a state. It is
/// mostly the first derivative. If `constant` is not null, the term has this
/// value everywhere. Otherwise it is `value`, whose dimension i runs along
/// dimension dims[i] of the tensor, and it is uniform along all other
/// dimensions.
struct Tangent {
  TypedAttr constant;
  Value value;
  SmallVector<int64_t> dims;
};

/// An operand that depends on the state, with a term of its Taylor series.
struct OperandTangent {
  unsigned number = 0;
  Tangent tangent;
};

/// The parts of an affine value. The scaled part is multiplied when the state
/// changes. The constant part does not change.
enum class AffinePart { Scaled, Constant };

/// An operand that depends on the state. Its degree is a scaling, or it is
/// affine and `part` is the requested part of it (std::nullopt if that part is
/// 0).
struct OperandPart {
  StateDependentOperand operand;
  std::optional<Tangent> part;
};

/// The operation with which an op accumulates.
enum class AccumulationKind { Sum, Max, Min };

/// A result that is carried with an accumulator. It tells which terms the
/// accumulator holds, for example their positions. Repairs do not change it.
struct CarriedResult {
  unsigned number = 0;
  /// A value that it may hold where the accumulator holds its neutral element.
  TypedAttr identity;
};

/// What an op accumulates, in which result, over which iteration dimensions.
/// All other results of the op are carried.
struct Accumulation {
  AccumulationKind kind = AccumulationKind::Sum;
  unsigned resultNumber = 0;
  /// The neutral element of the accumulation.
  TypedAttr neutral;
  SmallVector<unsigned> dims;
  SmallVector<CarriedResult> carried;
};

/// How a repair of the operands of an op acts on its accumulator. `value`
/// describes the accumulator as a value that depends on the state.
struct AccumulatorRepair {
  /// The result (and init) that holds the accumulator.
  unsigned resultNumber = 0;
  StateDependentValue value;
  /// The neutral element of the accumulation.
  TypedAttr neutral;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_INTERFACES_REPAIR_H
