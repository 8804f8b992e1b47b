//===- Concatenation.h - Slices of concatenations ---------------*- C++ -*-===//
//
// Replaces slices of concatenated tensors by slices of their parts. Offsets and
// sizes are compared as polynomials (IndexPolynomial.h), so that sizes may be
// dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_CONCATENATION_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_CONCATENATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns lhs - rhs, folded if both are constant.
OpFoldResult subtract(OpBuilder &b, Location loc, OpFoldResult lhs,
                      OpFoldResult rhs);

/// A tensor `result` that is the concatenation of `parts` along `dim`.
struct Concatenation {
  Value result;
  int64_t dim;
  SmallVector<Value> parts;

  /// Returns the offset of each part along `dim`, and the end of the last part.
  SmallVector<OpFoldResult> getSeams(OpBuilder &b) const;
};

/// Returns `value` as a concatenation of at least two parts. It may be a
/// `tensor.concat`, or a chain of `tensor.insert_slice` ops that together cover
/// a `tensor.empty`.
std::optional<Concatenation> getConcatenation(Value value);

/// Returns the number of the part that provably contains the range
/// [offset, offset + size), or std::nullopt.
std::optional<unsigned> findPart(const Concatenation &concatenation,
                                 OpFoldResult offset, OpFoldResult size);

/// Builds `slice` from part `number` of `concatenation`. `slice` must be a
/// slice of `concatenation` with strides 1, and must lie in this part. `start`
/// is the offset of the part.
Value slicePart(RewriterBase &rewriter, tensor::ExtractSliceOp slice,
                const Concatenation &concatenation, unsigned number,
                OpFoldResult start);

/// Builds `slice` from the parts of the concatenation that it is a slice of.
/// Returns a slice of one part if it provably lies in this part. Returns a
/// concatenation of slices if it contains all parts. Returns null otherwise.
Value resolveSlice(RewriterBase &rewriter, tensor::ExtractSliceOp slice);

/// Returns whether the payload of `op` may run at any position, such as those
/// of other parts of a concatenation. It must not read tensors, and must not
/// divide by a number that may be 0.
bool mayRunAnywhere(linalg::LinalgOp op);

/// Creates the slice [offsets, offsets + sizes) of `source`. Its type is
/// `type`, which may drop dimensions of size 1. For a `linalg.fill`, creates a
/// smaller fill instead. For a broadcast, slices its operand if the slice has
/// one element along each broadcast dimension.
Value takeSlice(RewriterBase &rewriter, Location loc, RankedTensorType type,
                Value source, ArrayRef<OpFoldResult> offsets,
                ArrayRef<OpFoldResult> sizes);

/// Returns the fill value if `part` is the result of a `linalg.fill`, null
/// otherwise.
Value getFilling(Value part);

/// Rewrites each `tensor.pad` below `scope` that `filter` accepts as a
/// `tensor.concat` with filled tensors. Applies if it pads one dimension with a
/// constant.
void viewPaddingAsParts(RewriterBase &rewriter, Operation *scope,
                        function_ref<bool(tensor::PadOp)> filter);

/// The inverse: rewrites each `tensor.concat` below `scope` of one tensor with
/// filled tensors before or after it as a `tensor.pad`.
void restorePadding(RewriterBase &rewriter, Operation *scope);

/// Replaces each `tensor.dim` of the single result of `op` by the size that
/// reifyDimOfResult computes from the operands.
void foldSizes(RewriterBase &rewriter, Operation *op);

/// Concatenates keys instead of scores: if an online reduction below `scope`
/// reduces concatenated scores of several products, one product of concatenated
/// keys replaces them. Also merges the products of the weights with the values
/// of each part, whose sum is the result. Returns the number of concatenations
/// and sums that were removed.
unsigned joinParts(RewriterBase &rewriter, Operation *scope);

/// Returns whether an online reduction computes `value`, directly or followed
/// by elementwise ops, such as a rounding of weights.
bool isOfOnlineReduction(Value value);

/// Returns whether `op` is an elementwise structured op on tensors.
bool isElementwiseOnTensors(Operation *op);

/// Returns whether a slice of the result of `op` can be computed from slices of
/// its operands, without computing an element twice.
bool computesSlices(Operation *op);

/// Returns the dimension of `operand` that dimension `dim` of the iteration
/// domain of `op` reads, or -1 if `operand` lacks it. Fails if it is read in
/// another way.
FailureOr<int64_t> getOperandDim(IndexingMapOpInterface op, OpOperand &operand,
                                 unsigned dim);

/// Returns the same for dimension `dim` of the result of `op`, which satisfies
/// `computesSlices`.
FailureOr<int64_t> getSourceDim(Operation *op, OpOperand &operand, int64_t dim);

/// Returns whether `slice` provably takes all of its source along `dim`.
bool takesWhole(tensor::ExtractSliceOp slice, int64_t dim);

/// Returns whether `slice` provably covers its whole source.
bool isWholeSlice(tensor::ExtractSliceOp slice);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_CONCATENATION_H
