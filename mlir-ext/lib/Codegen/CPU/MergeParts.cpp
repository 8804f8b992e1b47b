//===- MergeParts.cpp - Unpacked integers are one dimension ---------------===//
//
// An op that unpacks integers of a word, such as packed zero points, writes
// them to a dimension of their own, which is small. A reshape then merges it
// with the dimension of the words. Vectors of such an op would have a lane for
// each part of one word. So the op computes the merged dimension instead: it
// reads word i / 8 for integer i, which is the same for several lanes.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Codegen/Common/CollapseElementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most parts of a word.
static constexpr int64_t kMostParts = 32;

/// Returns the elementwise op of which `op` merges the last two dimensions; the
/// last one has a known size, a small power of two. Returns null, with a reason
/// in `notifyMatchFailure`, if there is none.
static linalg::GenericOp getUnpacking(RewriterBase &rewriter,
                                      tensor::CollapseShapeOp op) {
  auto fail = [&](const char *reason) {
    (void)rewriter.notifyMatchFailure(op, reason);
    return linalg::GenericOp();
  };
  linalg::GenericOp generic = getElementwiseSource(op);
  if (!generic)
    return fail("its source is not elementwise");
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  for (const ReassociationIndices &group : ArrayRef(groups).drop_back())
    if (group.size() != 1)
      return fail("merges other dimensions");
  int64_t parts = op.getSrcType().getShape().back();
  if (groups.back().size() != 2 || ShapedType::isDynamic(parts) || parts < 2 ||
      parts > kMostParts || !llvm::isPowerOf2_64(parts))
    return fail("does not merge parts of words");
  return generic;
}

/// `map` on loops of which `dim` and the one behind it are merged, for an input
/// that has neither or `dim` alone, or both as its last dimensions: the input
/// is then merged, too. Returns std::nullopt for other inputs.
static std::optional<AffineMap> mergeMap(AffineMap map, unsigned dim,
                                         int64_t parts) {
  MLIRContext *context = map.getContext();
  AffineExpr word = getAffineDimExpr(dim, context),
             part = getAffineDimExpr(dim + 1, context);
  SmallVector<AffineExpr> results(map.getResults());
  if (map.isFunctionOfDim(dim + 1)) {
    size_t rank = results.size();
    if (rank < 2 || results[rank - 1] != part || results[rank - 2] != word)
      return std::nullopt;
    results.pop_back();
    for (AffineExpr expr : ArrayRef(results).drop_back())
      if (expr.isFunctionOfDim(dim) || expr.isFunctionOfDim(dim + 1))
        return std::nullopt;
  } else {
    for (AffineExpr &expr : results)
      expr = expr.replace(word, word.floorDiv(parts));
  }
  return AffineMap::get(map.getNumDims() - 1, 0, results, context);
}

/// Builds what `index` of the split loops is in the merged ones, as an integer
/// of `type`, which may be narrow: it wraps around as the conversion of the
/// index does.
static Value buildIndex(OpBuilder &b, Location loc, unsigned index,
                        unsigned dim, int64_t parts, Type type) {
  Value merged = linalg::IndexOp::create(b, loc, std::min(index, dim));
  auto convert = [&](Value value) -> Value {
    return type.isIndex() ? value
                          : arith::IndexCastOp::create(b, loc, type, value);
  };
  if (index < dim)
    return convert(merged);
  auto constant = [&](Type of, int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(of, value));
  };
  if (index == dim)
    return convert(arith::DivUIOp::create(b, loc, merged,
                                          constant(merged.getType(), parts)));
  // The lowest bits are the same in a narrow type.
  return arith::AndIOp::create(b, loc, convert(merged),
                               constant(type, parts - 1));
}

/// Copies the payload of `generic` to loops of which `dim` and the last one are
/// merged.
static void buildPayload(OpBuilder &b, Location loc, linalg::GenericOp generic,
                         ValueRange args, unsigned dim, int64_t parts) {
  IRMapping mapping;
  mapping.map(generic.getBody()->getArguments(), args);
  for (Operation &inner : *generic.getBody()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (!index) {
      if (!mapping.contains(&inner) &&
          !(inner.getNumResults() == 1 && mapping.contains(inner.getResult(0))))
        b.clone(inner, mapping);
      continue;
    }
    // A position is a narrow integer where it is used as one.
    bool isNarrow = true;
    for (Operation *user : index->getUsers()) {
      auto cast = dyn_cast<arith::IndexCastOp>(user);
      auto type = cast ? dyn_cast<IntegerType>(cast.getType()) : IntegerType();
      if (!type || (int64_t(1) << std::min(type.getWidth(), 32u)) < parts) {
        isNarrow = false;
        continue;
      }
      mapping.map(cast.getResult(),
                  buildIndex(b, loc, index.getDim(), dim, parts, type));
    }
    if (!isNarrow)
      mapping.map(index.getResult(), buildIndex(b, loc, index.getDim(), dim,
                                                parts, b.getIndexType()));
  }
}

LogicalResult mlir::linalg_ext::mergeParts(RewriterBase &rewriter,
                                           tensor::CollapseShapeOp op) {
  linalg::GenericOp generic = getUnpacking(rewriter, op);
  if (!generic)
    return failure();
  int64_t parts = op.getSrcType().getShape().back();
  unsigned dim = generic.getNumLoops() - 2;
  SmallVector<AffineMap> maps;
  bool anyWord = false;
  for (OpOperand *input : generic.getDpsInputOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    std::optional<AffineMap> merged = mergeMap(map, dim, parts);
    if (!merged)
      return rewriter.notifyMatchFailure(op, "an input has parts of its own");
    anyWord |= map.isFunctionOfDim(dim) && !map.isFunctionOfDim(dim + 1);
    maps.push_back(*merged);
  }
  if (!anyWord)
    return rewriter.notifyMatchFailure(op, "no input has words");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  Location loc = generic.getLoc();
  SmallVector<Value> inputs;
  for (OpOperand *input : generic.getDpsInputOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    Value value = input->get();
    if (map.isFunctionOfDim(dim + 1)) {
      SmallVector<ReassociationIndices> groups;
      int64_t rank = map.getNumResults();
      for (int64_t i = 0; i + 1 < rank; ++i)
        groups.push_back({i});
      groups.back().push_back(rank - 1);
      value = tensor::CollapseShapeOp::create(rewriter, loc, value, groups);
    }
    inputs.push_back(value);
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(dim + 1));
  Value empty = tensor::CollapseShapeOp::create(rewriter, loc,
                                                generic.getDpsInits().front(),
                                                op.getReassociationIndices());
  auto merged = linalg::GenericOp::create(
      rewriter, loc, TypeRange{op.getResultType()}, inputs, ValueRange{empty},
      maps,
      SmallVector<utils::IteratorType>(dim + 1, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        buildPayload(b, loc, generic, args, dim, parts);
      });
  rewriter.replaceOp(op, merged.getResult(0));
  rewriter.eraseOp(generic);
  return success();
}
