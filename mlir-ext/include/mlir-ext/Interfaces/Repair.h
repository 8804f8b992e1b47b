//===- Repair.h - The vocabulary of repairs ---------------------*- C++ -*-===//
//
// What producers (OnlineReductionOpInterface) and consumers
// (RepairableOpInterface) say to each other.
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

/// How a repair acts on a value: by multiplying it (softmax), by adding to it
/// (log-softmax), by a polynomial in how far the state moved (variance), or by
/// multiplying part of it (a norm that a bias is added to).
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

/// How a value depends on a state, told by how it moves when a measure t of the
/// state moves by dt (the difference of a running max, or the logarithm of the
/// ratio of a running sum, say): v exp(c dt) for a scaling, v + c dt for an
/// addition, c being the coefficient. A coefficient of 0 is no dependence.
///
/// A polynomial moves by sum_i v_i dt^i / i!, i from 1 to c, v_i being its i-th
/// derivative (`RepairableOpInterface::buildTangent`), which may depend on the
/// state itself. An addition is one with a constant derivative.
///
/// An affine value moves by (v - u) exp(c dt) + u, u being its constant term,
/// which does not move (`RepairableOpInterface::buildAffinePart`).
struct RepairDegree {
  RepairKind kind = RepairKind::Scale;
  double coefficient = 1.0;

  bool isInvariant() const { return coefficient == 0.0; }
};

/// A value that depends on the state: its degree, and which of its rows are
/// those of the state.
struct StateDependentValue {
  RepairDegree degree;
  RowGroups rows;
  /// The value was rounded after it met the state: repairing it is right up to
  /// rounding in its element type only.
  bool isRounded = false;
  /// The value depends on the state by a comparison too, which is the same for
  /// all states but those at which the measure is infinite.
  bool isCompared = false;
  /// The measure is the ratio of what may be negative: a scaling by it need not
  /// be by a positive factor.
  bool isSigned = false;
  /// Of an affine value: its dimensions along which the constant term varies,
  /// in order.
  SmallVector<int64_t> constantDims = {};
};

/// An operand that holds such a value.
struct StateDependentOperand {
  unsigned number = 0;
  StateDependentValue value;
};

/// A term of the Taylor series of a tensor in the measure of a state, mostly
/// the derivative: the same `constant` everywhere or, if that is null, `value`,
/// whose dimension i runs along dimension dims[i] of the tensor. It is uniform
/// along all others.
struct Tangent {
  TypedAttr constant;
  Value value;
  SmallVector<int64_t> dims;
};

/// An operand that depends on the state, and that term of it.
struct OperandTangent {
  unsigned number = 0;
  Tangent tangent;
};

/// The parts of an affine value: what is scaled when the state moves, and what
/// is not.
enum class AffinePart { Scaled, Constant };

/// An operand that depends on the state: it scales, or is affine and has `part`
/// (none where that is 0).
struct OperandPart {
  StateDependentOperand operand;
  std::optional<Tangent> part;
};

/// By which operation an op accumulates.
enum class AccumulationKind { Sum, Max, Min };

/// A result that goes with an accumulator: of what the accumulator holds it
/// says which terms these are, their positions say. No repair changes it.
struct CarriedResult {
  unsigned number = 0;
  /// What it may hold where the accumulator holds its neutral element.
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

/// How the repair of its operands acts on the accumulator of an op: `value` is
/// the accumulator as a value that depends on the state.
struct AccumulatorRepair {
  /// The result (and init) that holds the accumulator.
  unsigned resultNumber = 0;
  StateDependentValue value;
  /// The neutral element of the accumulation.
  TypedAttr neutral;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_INTERFACES_REPAIR_H
