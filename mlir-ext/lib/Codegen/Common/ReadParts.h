//===- ReadParts.h - Slices of concatenations -------------------*- C++ -*-===//
//
// The steps of readParts, which ReadParts.cpp calls. Each step has a file.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_READPARTS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_READPARTS_H

#include "Concatenation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::linalg_ext {

/// Builds `expr`, whose symbols are `operands`, folded if possible.
inline OpFoldResult buildExpr(OpBuilder &b, Location loc, AffineExpr expr,
                              ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(0, operands.size(), expr), operands);
}

/// Builds the minimum of `values`, folded if possible.
inline OpFoldResult buildMin(OpBuilder &b, Location loc,
                             ArrayRef<OpFoldResult> values) {
  if (values.size() == 1)
    return values.front();
  return affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::getMultiDimIdentityMap(values.size(), b.getContext()),
      values);
}

/// Builds the maximum of `values`, folded if possible.
inline OpFoldResult buildMax(OpBuilder &b, Location loc,
                             ArrayRef<OpFoldResult> values) {
  if (values.size() == 1)
    return values.front();
  return affine::makeComposedFoldedAffineMax(
      b, loc, AffineMap::getMultiDimIdentityMap(values.size(), b.getContext()),
      values);
}

/// Returns whether all users of `value` take slices or sizes of it.
bool isOnlySliced(Value value);

/// Returns the concatenation that `slice` is a slice of, directly or through
/// other slices. All users of the concatenation must take slices of it.
std::optional<Concatenation> getSliced(tensor::ExtractSliceOp slice);

/// Returns the slices of concatenations below `scope`. A slice of a slice
/// becomes one slice first. Slices without users are erased.
SmallVector<tensor::ExtractSliceOp> findSlices(RewriterBase &rewriter,
                                               Operation *scope);

/// Splits the loops below `scope` that move slices of a concatenation across a
/// seam, the end of one of its parts (SplitAtSeams.cpp).
void splitLoopsAtSeams(RewriterBase &rewriter, Operation *scope);

/// Builds `slice`, a slice of `concatenation`, from a slice of each part, which
/// may be empty. Returns the result (AssembleParts.cpp).
Value assembleParts(RewriterBase &rewriter, tensor::ExtractSliceOp slice,
                    const Concatenation &concatenation);

/// Marks the gathers below `scope` that are parts of concatenations, if loops
/// take slices of these. Copies of the gathers have the mark, too
/// (GatheredParts.cpp).
void markGatheredParts(Operation *scope);

/// Removes the marks below `scope`, and returns the ops that had one.
SetVector<Operation *> takeGatheredParts(Operation *scope);

/// Computes slices of the ops `gathers` where the slices are taken, if nothing
/// else reads the ops and all slices are in loops. Does the same for the ops
/// that these gather from. Erases ops that have no users afterwards.
void computeGatheredSlices(RewriterBase &rewriter,
                           SetVector<Operation *> gathers);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_READPARTS_H
