//===- ExpandF8.h - Floats of 8 bits without instructions -------*- C++ -*-===//
//
// Expands ops on floats of 8 bits, and of 6 and 4, to ops on integers and on
// wider floats, for all targets.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_EXPANDF8_H
#define MLIR_EXT_CODEGEN_COMMON_EXPANDF8_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

struct ExpandF8Options {
  /// The target has instructions that convert f16 to f32. Then extensions go
  /// by way of f16 where its exponents reach. Otherwise they use integers.
  bool hasF16 = true;
};

/// Adds patterns that expand conversions of scalars and vectors from and to
/// floats of 8 bits: all those of MLIR, with a sign, and f8E8M0FNU; and from
/// and to f6E2M3FN, f6E3M2FN and f4E2M1FN.
///
/// - `arith.extf` from them to f16, bf16, f32 and f64. It is exact.
/// - `arith.truncf` to them from f16, bf16, f32 and f64. It rounds to the
///   nearest number, ties to even, once. What is too large becomes infinity,
///   or NaN in types without infinity, as in LLVM's `APFloat`. Types of less
///   than 8 bits have neither: what is too large, and NaN, becomes their
///   largest number. A truncation with another `roundingmode` does not match.
///
/// f8E8M0FNU has powers of two only, and no sign. Of two that are equally
/// near, its truncation takes the larger one; 0 becomes 2^-127, and a negative
/// number its absolute value. (Upstream's expansion, 22.1.8, rounds down, and
/// extends 2^-127 to 0.)
///
/// Extensions with `nnan` need no code for NaN. A truncation of what is
/// clamped to finite numbers of the type needs no code for larger numbers.
void populateExpandF8Patterns(RewritePatternSet &patterns,
                              const ExpandF8Options &options = {});

/// Rewrites `arith` ops on floats of up to 8 bits below `scope`. Upstream's
/// patterns make them compute in f32. Then `instructions`, patterns of a
/// target, lower the conversions that they match, and expansions lower the
/// others. The ops on narrow floats that are left only move bits. Ops on
/// tensors stay as they are. Fails, with an error, if there is an op that
/// upstream's patterns cannot convert.
LogicalResult expandF8(Operation *scope, const ExpandF8Options &options,
                       RewritePatternSet &&instructions);
LogicalResult expandF8(Operation *scope, const ExpandF8Options &options = {});

/// Returns true if `value`, scalars or vectors, is a minimum and a maximum with
/// two constants that are finite numbers of `type`. It may be NaN.
bool isClampedTo(Value value, FloatType type);

/// Returns true for a float of 8 bits, and for shaped types of such floats.
bool isF8(Type type);

/// The same for floats of 8, 6 and 4 bits. All of them except f8E8M0FNU can be
/// represented exactly in f16.
bool isNarrowFloat(Type type);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_EXPANDF8_H
