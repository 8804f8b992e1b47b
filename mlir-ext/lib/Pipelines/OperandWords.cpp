//===- OperandWords.cpp - Words that operands are unpacked from -----------===//
//
// See OperandWords.h. A word is broadcast to the integers that it has. So this
// follows each dimension of the operand through broadcasts, transpositions and
// reshapes to the reads: the dimension that a read lacks is the position in a
// word.
//
//===----------------------------------------------------------------------===//

#include "OperandWords.h"
#include "LaunchUse.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A dimension of a value from which the operand is computed: which dimension
/// of the operand it is, or is a part of, and whether it is the innermost of
/// the parts.
struct PartOfDim {
  unsigned dim;
  bool isInnermost = true;
};

/// A value, what its dimensions are, and those along which it was repeated.
struct Read {
  Value value;
  SmallVector<PartOfDim> dims;
  SmallVector<std::pair<PartOfDim, int64_t>> repeated = {};
};
} // namespace

/// Follows `next` to the source of `cast`, which merges or splits dimensions.
/// Returns std::nullopt if it does something else.
static std::optional<Read> followReshape(vector::ShapeCastOp cast,
                                         const Read &next) {
  VectorType from = cast.getSourceVectorType(), to = cast.getResultVectorType();
  auto groups = getReassociationIndicesForReshape(
      MemRefType::get(from.getShape(), from.getElementType()),
      MemRefType::get(to.getShape(), to.getElementType()));
  if (!groups)
    return std::nullopt;
  Read source{cast.getSource(), {}, next.repeated};
  if (from.getRank() < to.getRank()) {
    // Only the last of several dimensions counts.
    for (ArrayRef<int64_t> group : *groups)
      source.dims.push_back(next.dims[group.back()]);
    return source;
  }
  for (auto [part, group] : llvm::zip_equal(next.dims, *groups))
    for (int64_t dim : group)
      source.dims.push_back(
          {part.dim, part.isInnermost && dim == group.back()});
  return source;
}

/// Follows `next` to the source of `broadcast`. Returns std::nullopt if that is
/// a scalar, or has a dimension of size 1 that is repeated.
static std::optional<Read> dropRepeated(vector::BroadcastOp broadcast,
                                        const Read &next) {
  auto type = dyn_cast<VectorType>(broadcast.getSourceType());
  ArrayRef<int64_t> shape = broadcast.getResultVectorType().getShape();
  if (!type || type.getShape() != shape.take_back(type.getRank()))
    return std::nullopt;
  size_t added = shape.size() - type.getRank();
  Read source{broadcast.getSource(), {}, next.repeated};
  for (size_t i = 0; i < added; ++i)
    source.repeated.emplace_back(next.dims[i], shape[i]);
  source.dims.append(next.dims.begin() + added, next.dims.end());
  return source;
}

/// Appends to `worklist` what `next` is computed from.
static void follow(const Read &next, SmallVectorImpl<Read> &worklist) {
  Operation *op = next.value.getDefiningOp();
  if (auto cast = dyn_cast<vector::ShapeCastOp>(op)) {
    if (std::optional<Read> source = followReshape(cast, next))
      worklist.push_back(*source);
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    if (std::optional<Read> source = dropRepeated(broadcast, next))
      worklist.push_back(*source);
  } else if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
    Read source{transpose.getVector(), next.dims, next.repeated};
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      source.dims[from] = next.dims[to];
    worklist.push_back(source);
  } else if (OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value operand : op->getOperands())
      if (isa<VectorType>(operand.getType()))
        worklist.push_back({operand, next.dims, next.repeated});
  }
}

/// Whether elements along the last dimension of what `op` reads are neighbours
/// in memory, and none of its positions are read from memory.
static bool readsRows(Operation *op) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    AffineMap map = read.getPermutationMap();
    return map.getNumResults() > 0 &&
           map.getResults().back() ==
               getAffineDimExpr(map.getNumDims() - 1, op->getContext());
  }
  auto gather = dyn_cast<vector_ext::TransferGatherOp>(op);
  if (!gather || !gather.getIndices().empty())
    return false;
  AffineMap map = gather.getBaseMap();
  return map.getResults().back() ==
         getAffineDimExpr(map.getNumDims() - 1, op->getContext());
}

/// Returns whether `read` reads words of `operand`: of all of its elements,
/// which are repeated along one dimension, the innermost of those that became
/// one. Scales and zero points have fewer elements, or are gathered.
static bool readsWords(const Read &read, VectorType operand) {
  auto type = cast<VectorType>(read.value.getType());
  if (read.repeated.size() != 1 || read.dims.empty() ||
      !type.getElementType().isSignlessInteger(32) ||
      !readsRows(read.value.getDefiningOp()))
    return false;
  // Other words of the same elements would be between those of the last
  // dimension.
  auto [position, count] = read.repeated.front();
  return position.isInnermost && 32 % count == 0 &&
         count * type.getNumElements() == operand.getNumElements() &&
         read.dims.back().dim + 1 == static_cast<unsigned>(operand.getRank());
}

std::optional<OperandWords> mlir::linalg_ext::getOperandWords(Value operand) {
  auto type = cast<VectorType>(operand.getType());
  Read whole{operand, {}};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    whole.dims.push_back({static_cast<unsigned>(dim)});
  SmallVector<Read> worklist{whole};
  llvm::SmallPtrSet<Value, 16> seen;
  while (!worklist.empty()) {
    Read next = worklist.pop_back_val();
    Operation *op = next.value.getDefiningOp();
    if (!op || !seen.insert(next.value).second)
      continue;
    if (!readsTile(op)) {
      follow(next, worklist);
    } else if (readsWords(next, type)) {
      auto [position, count] = next.repeated.front();
      return OperandWords{count, position.dim};
    }
  }
  return std::nullopt;
}
