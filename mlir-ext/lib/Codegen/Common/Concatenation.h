//===- Concatenation.h - Tensors made of parts ------------------*- C++ -*-===//
//
// A concatenation is a view: whoever takes a slice of it may take it from the
// parts. What is asked about offsets is answered by polynomials, so that sizes
// may be dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_CONCATENATION_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_CONCATENATION_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// lhs - rhs, folded where that is known.
OpFoldResult subtract(OpBuilder &b, Location loc, OpFoldResult lhs,
                      OpFoldResult rhs);

/// Parts one behind the other along `dim`, which make up `result`.
struct Concatenation {
  Value result;
  int64_t dim;
  SmallVector<Value> parts;

  /// Where each part starts, and behind them where the last one ends.
  SmallVector<OpFoldResult> getSeams(OpBuilder &b) const;
};

/// `value` as a concatenation: a `tensor.concat`, or `tensor.insert_slice`s
/// that together cover a `tensor.empty`.
std::optional<Concatenation> getConcatenation(Value value);

/// The number of the part that provably has all of [offset, offset + size).
std::optional<unsigned> findPart(const Concatenation &concatenation,
                                 OpFoldResult offset, OpFoldResult size);

/// Builds what `slice`, a slice of `concatenation` of strides 1, has of part
/// `number`, which has all of it. `start` is where the part starts.
Value slicePart(RewriterBase &rewriter, tensor::ExtractSliceOp slice,
                const Concatenation &concatenation, unsigned number,
                OpFoldResult start);

/// What `slice` takes, from the parts of the concatenation that it is a slice
/// of: a slice of one part where it provably lies in one, a concatenation of
/// slices where it has all of the parts. Null for any other.
Value resolveSlice(RewriterBase &rewriter, tensor::ExtractSliceOp slice);

/// Takes [offsets, offsets + sizes) of `source`, of type `type`, which may lack
/// dimensions; of what is filled a part is filled.
Value takeSlice(RewriterBase &rewriter, Location loc, RankedTensorType type,
                Value source, ArrayRef<OpFoldResult> offsets,
                ArrayRef<OpFoldResult> sizes);

/// What a part is filled with that is no more than that; null for others.
Value getFilling(Value part);

/// Makes a `tensor.pad` below `scope` with one constant, along one dimension, a
/// concatenation with what is filled, where `filter` accepts it.
void viewPaddingAsParts(RewriterBase &rewriter, Operation *scope,
                        function_ref<bool(tensor::PadOp)> filter);

/// Makes those that are still there a `tensor.pad` again.
void restorePadding(RewriterBase &rewriter, Operation *scope);

/// Takes the sizes of the result of `op`, its only one, from its operands.
void foldSizes(RewriterBase &rewriter, Operation *op);

/// Whether `slice` provably has all of its source.
bool isWholeSlice(tensor::ExtractSliceOp slice);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_CONCATENATION_H
