//===- TilePayload.h - Vector form of a structured op -----------*- C++ -*-===//
//
// Private to VectorizeTiles. Plans and builds the vector form of one structured
// op. Its operands are TileValues.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_TILEPAYLOAD_H
#define MLIR_EXT_LIB_CODEGEN_GPU_TILEPAYLOAD_H

#include "TileValue.h"

#include "mlir-ext/Support/ExtremeCondition.h"
#include "mlir-ext/Support/Refusal.h"

#include <optional>

namespace mlir::linalg_ext {

/// How an op chooses the maximum or minimum of terms along one dimension. It
/// chooses the first of equal terms.
struct TileChoice {
  /// maximumf, minimumf, maxnumf, minnumf, or a maximum or minimum of integers.
  vector::CombiningKind kind;
  /// Which NaN is chosen. If one may be, `kind` is maximumf or minimumf.
  NaNTerms nans = NaNTerms::None;
  /// The output that holds the extreme, its terms, and the neutral element.
  unsigned output = 0;
  Value term;
  TypedAttr neutral;
  /// The output that is a flag, if there is one: no term is chosen from the
  /// first one on for which its term, `stopTerm`, is not 0.
  std::optional<unsigned> stop;
  Value stopTerm;
  /// For each output, its value if a term is chosen. Null for `output` and
  /// `stop`.
  SmallVector<Value> chosen;
  /// The dimensions along which terms are chosen, of more than one element.
  SmallVector<int64_t> dims;
};

/// The plan for the vectorisation of a structured op.
struct TilePayloadPlan {
  /// Extent of the iteration domain.
  TileShape shape;
  /// For each output, the op of the payload that combines the accumulator with
  /// a term, and this term. Null if the output is not a reduction.
  SmallVector<Operation *> combiners;
  SmallVector<Value> combined;
  /// Set if the op chooses the extreme term and other values with it (arg-max).
  /// There are no combiners then.
  std::optional<TileChoice> choice;
};

/// Plans the vectorisation of `op`. `shapes` has one entry for each operand. A
/// vector has at most `maxElements` elements. Fails, with the reason in
/// `refusal`, if `op` has no vector form.
FailureOr<TilePayloadPlan> planTilePayload(linalg::LinalgOp op,
                                           ArrayRef<TileShape> shapes,
                                           int64_t maxElements,
                                           Refusal &refusal);

/// Builds the vector form of `op` before `op`. `read` returns the value of an
/// operand as a tile with the given bounds. Returns one vector for each result.
/// Its dims are dimensions of the result.
SmallVector<TileValue> buildTilePayload(
    OpBuilder &b, linalg::LinalgOp op, const TilePayloadPlan &plan,
    function_ref<TileValue(OpOperand &, ArrayRef<int64_t> bounds)> read);

/// Returns the bound of each dimension of `operand`: that of the iteration
/// dimension in `plan` that indexes it, or 1.
SmallVector<int64_t> getOperandBounds(linalg::LinalgOp op, OpOperand &operand,
                                      const TilePayloadPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEPAYLOAD_H
