//===- LaunchNumbers.h - Formulas of the sizes of a launch ------*- C++ -*-===//
//
// Builds ops for formulas that are written once for numbers that are known when
// a kernel is compiled and for those of a launch (Selection/KeyChunks.h).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_LAUNCHNUMBERS_H
#define MLIR_EXT_SUPPORT_LAUNCHNUMBERS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::linalg_ext {

/// Builds unsigned arithmetic on indices, which must not be negative.
struct LaunchNumbers {
  using Value = mlir::Value;
  ImplicitLocOpBuilder b;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value add(Value lhs, Value rhs) {
    return b.createOrFold<arith::AddIOp>(lhs, rhs);
  }
  Value mul(Value lhs, Value rhs) {
    return b.createOrFold<arith::MulIOp>(lhs, rhs);
  }
  Value div(Value lhs, Value rhs) {
    return b.createOrFold<arith::DivUIOp>(lhs, rhs);
  }
  Value ceilDiv(Value lhs, Value rhs) {
    return b.createOrFold<arith::CeilDivUIOp>(lhs, rhs);
  }
  Value min(Value lhs, Value rhs) {
    return b.createOrFold<arith::MinUIOp>(lhs, rhs);
  }
  Value max(Value lhs, Value rhs) {
    return b.createOrFold<arith::MaxUIOp>(lhs, rhs);
  }
  Value less(Value lhs, Value rhs) {
    return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, lhs, rhs);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return b.createOrFold<arith::SelectOp>(condition, lhs, rhs);
  }
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_LAUNCHNUMBERS_H
