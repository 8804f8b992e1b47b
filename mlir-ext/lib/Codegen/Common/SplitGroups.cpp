//===- SplitGroups.cpp - Groups that positions name become a dimension ----===//
//
// Scales may be repeated for the elements of a group, and be merged with the
// elements then, in one dimension. Normal form reads a scale where it is used:
// at a position divided by the elements of a group. A vector of a CPU reads
// nothing at positions. So the dimension becomes two, of which the scales have
// the first one, and are an operand. The columns of words, of which the scales
// have the merged dimension, are split in the same way.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns `value`, a position in the payload of an op, as an expression of its
/// loops. Returns null if it is no such expression.
static AffineExpr getPosition(Value value) {
  MLIRContext *context = value.getContext();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return getAffineDimExpr(index.getDim(), context);
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return {};
  AffineMap map = apply.getAffineMap();
  SmallVector<AffineExpr> operands;
  for (Value operand : apply.getMapOperands()) {
    operands.push_back(getPosition(operand));
    if (!operands.back())
      return {};
  }
  ArrayRef<AffineExpr> all(operands);
  return map.getResult(0).replaceDimsAndSymbols(
      all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
}

namespace {
/// A dimension of a tensor that is read at positions: loops that are merged in
/// it, or one loop of which it has every `group`-th iteration.
struct ReadDim {
  SmallVector<unsigned> loops;
  int64_t group = 1;
};
/// An element that a payload reads, and its position.
using Read = std::pair<tensor::ExtractOp, SmallVector<ReadDim>>;
} // namespace

/// Returns which loops of sizes `ranges` read a dimension of `size` elements at
/// `position`. Returns nothing if they do not read all of it in order.
static std::optional<ReadDim> getReadDim(AffineExpr position, int64_t size,
                                         ArrayRef<int64_t> ranges) {
  MLIRContext *context = position.getContext();
  for (unsigned first = 0; first < ranges.size(); ++first) {
    // Loops that follow each other, merged.
    AffineExpr merged = getAffineConstantExpr(0, context);
    int64_t count = 1;
    ReadDim read;
    for (unsigned loop = first; loop < ranges.size(); ++loop) {
      merged = merged * ranges[loop] + getAffineDimExpr(loop, context);
      count *= ranges[loop];
      read.loops.push_back(loop);
      if (count == size &&
          simplifyAffineExpr(position - merged, ranges.size(), 0) ==
              getAffineConstantExpr(0, context))
        return read;
      if (count > size)
        break;
    }
    if (size == 0 || ranges[first] % size != 0)
      continue;
    int64_t group = ranges[first] / size;
    if (position == getAffineDimExpr(first, context).floorDiv(group))
      return ReadDim{{first}, group};
  }
  return std::nullopt;
}

namespace {
struct SplitGroups : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        op->getNumResults() != 1 ||
        llvm::any_of(ranges, ShapedType::isDynamic) ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        !isUnpacked(op->getResult(0)))
      return rewriter.notifyMatchFailure(op, "dequantizes no words");
    if (!llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          return op.getMatchingIndexingMap(input).isProjectedPermutation();
        }))
      return rewriter.notifyMatchFailure(op, "reads an operand elsewhere");

    // 1. What is read at positions, and how many elements a group has.
    SmallVector<Read> reads;
    SmallVector<int64_t> groups(ranges.size(), 1);
    for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
      RankedTensorType type = extract.getTensor().getType();
      auto &[_, dims] = reads.emplace_back(extract, SmallVector<ReadDim>());
      for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
        AffineExpr position = getPosition(index);
        std::optional<ReadDim> read;
        if (position && !type.isDynamicDim(dim))
          read = getReadDim(position, type.getDimSize(dim), ranges);
        if (!read)
          return rewriter.notifyMatchFailure(op, "reads other positions");
        int64_t &group = groups[read->loops.front()];
        if (read->group > 1 && group > 1 && group != read->group)
          return rewriter.notifyMatchFailure(op, "has groups of two sizes");
        group = std::max(group, read->group);
        dims.push_back(*read);
      }
    }
    if (reads.empty() || !tensorsAreOutside(op))
      return rewriter.notifyMatchFailure(op, "reads nothing at positions");
    rewrite(rewriter, op, ranges, groups, reads);
    return success();
  }

private:
  static bool tensorsAreOutside(linalg::GenericOp op) {
    return llvm::all_of(op.getBody()->getOps<tensor::ExtractOp>(),
                        [&](tensor::ExtractOp extract) {
                          return extract.getTensor().getParentRegion() !=
                                 &op.getRegion();
                        });
  }

  /// Clones the payload of `op`, with `args` for what it reads. `loops` are the
  /// new loops of each of its loops.
  static void clonePayload(OpBuilder &b, Location loc, linalg::GenericOp op,
                           ArrayRef<SmallVector<int64_t>> loops,
                           ArrayRef<int64_t> groups, ArrayRef<Read> reads,
                           ValueRange args) {
    IRMapping mapping;
    for (OpOperand *input : op.getDpsInputOperands())
      mapping.map(op.getMatchingBlockArgument(input),
                  args[input->getOperandNumber()]);
    for (auto [number, read] : llvm::enumerate(reads))
      mapping.map(read.first->getResult(0),
                  args[op.getNumDpsInputs() + number]);
    for (Operation &inner : *op.getBody()) {
      if (isa<tensor::ExtractOp>(inner))
        continue;
      auto index = dyn_cast<linalg::IndexOp>(inner);
      if (!index) {
        b.clone(inner, mapping);
        continue;
      }
      ArrayRef<int64_t> of = loops[index.getDim()];
      Value position = linalg::IndexOp::create(b, loc, of.front());
      if (of.size() == 2) {
        AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
        Value inGroup = linalg::IndexOp::create(b, loc, of.back());
        position = affine::AffineApplyOp::create(
            b, loc, AffineMap::get(2, 0, d0 * groups[index.getDim()] + d1),
            ValueRange{position, inGroup});
      }
      mapping.map(index.getResult(), position);
    }
  }

  static void rewrite(PatternRewriter &rewriter, linalg::GenericOp op,
                      ArrayRef<int64_t> ranges, ArrayRef<int64_t> groups,
                      ArrayRef<Read> reads) {
    Location loc = op.getLoc();
    // The new loops of each loop.
    SmallVector<SmallVector<int64_t>> loops, sizes;
    int64_t count = 0;
    for (auto [range, group] : llvm::zip_equal(ranges, groups)) {
      loops.push_back({count++});
      sizes.push_back({range});
      if (group == 1)
        continue;
      loops.back().push_back(count++);
      sizes.back() = {range / group, group};
    }
    // `value`, whose dimensions are merged `from` loops.
    auto split = [&](Value value, ArrayRef<SmallVector<int64_t>> from,
                     SmallVectorImpl<Value> &values,
                     SmallVectorImpl<AffineMap> &maps) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      SmallVector<ReassociationIndices> reassociation;
      SmallVector<int64_t> shape;
      SmallVector<AffineExpr> results;
      for (ArrayRef<int64_t> merged : from) {
        ReassociationIndices &indices = reassociation.emplace_back();
        for (int64_t loop : merged) {
          indices.push_back(results.size());
          results.push_back(rewriter.getAffineDimExpr(loop));
          for (auto [of, size] : llvm::zip_equal(loops, sizes))
            for (auto [one, extent] : llvm::zip_equal(of, size))
              if (one == loop)
                shape.push_back(extent);
        }
      }
      if (type && shape.size() != from.size())
        value = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape),
                                              value, reassociation);
      values.push_back(value);
      maps.push_back(AffineMap::get(count, 0, results, rewriter.getContext()));
    };

    // 2. The operands, and those that were read at positions.
    SmallVector<Value> inputs, inits;
    SmallVector<AffineMap> maps;
    auto getLoops = [&](AffineMap map) {
      return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
        return loops[cast<AffineDimExpr>(expr).getPosition()];
      });
    };
    for (OpOperand *input : op.getDpsInputOperands())
      split(input->get(), getLoops(op.getMatchingIndexingMap(input)), inputs,
            maps);
    for (auto [extract, dims] : reads) {
      SmallVector<SmallVector<int64_t>> from;
      for (const ReadDim &dim : dims) {
        SmallVector<int64_t> &merged = from.emplace_back();
        if (dim.group > 1)
          merged.push_back(loops[dim.loops.front()].front());
        else
          for (unsigned loop : dim.loops)
            llvm::append_range(merged, loops[loop]);
      }
      split(extract.getTensor(), from, inputs, maps);
    }
    OpOperand *init = op.getDpsInitOperand(0);
    split(init->get(), getLoops(op.getMatchingIndexingMap(init)), inits, maps);

    // 3. The op, and its result with the dimensions merged again.
    auto built = linalg::GenericOp::create(
        rewriter, loc, TypeRange{inits.front().getType()}, inputs, inits, maps,
        SmallVector<utils::IteratorType>(count, utils::IteratorType::parallel),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          clonePayload(b, loc, op, loops, groups, reads, args);
        });
    Value result = built->getResult(0);
    if (result.getType() != op->getResult(0).getType()) {
      SmallVector<ReassociationIndices> reassociation;
      for (ArrayRef<int64_t> of : loops)
        reassociation.emplace_back(of.begin(), of.end());
      result =
          tensor::CollapseShapeOp::create(rewriter, loc, result, reassociation);
    }
    rewriter.replaceOp(op, result);
  }
};
} // namespace

void mlir::linalg_ext::populateSplitGroupsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitGroups>(patterns.getContext());
}
