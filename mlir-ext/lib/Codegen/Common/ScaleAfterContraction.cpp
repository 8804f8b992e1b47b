//===- ScaleAfterContraction.cpp - (s a) b as s (a b) ---------------------===//
//
// Multiplies the result of a contraction by the factor of each row or column of
// an operand, instead of the operand. The result is smaller than the operand,
// and the contraction need not wait for the factor. There are two cases:
// processes that share the keys of an attention repair their weights by the
// state of all of them; and quantised operands have a scale for each row or
// tensor.
//
//===----------------------------------------------------------------------===//

#include "FloatContraction.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// An operand that an elementwise op computes as `rest` * `scale`, possibly
/// rounded.
struct ScaledOperand {
  arith::MulFOp product;
  Value rest;
  /// An operand of the elementwise op, and its map from the loops of the
  /// contraction.
  Value scale;
  AffineMap scaleMap;
};

struct MoveScale : OpInterfaceRewritePattern<linalg::LinalgOp> {
  /// With `ofStored`, only moves scales of operands that are stored in a
  /// narrower type, and that few rows read, or if both operands are stored in
  /// f8, which then is multiplied as it is. Sums must have at least 32 bits, so
  /// that they do not overflow without the scale.
  MoveScale(MLIRContext *context, bool ofStored, bool ofWeighted = false)
      : OpInterfaceRewritePattern(context), ofStored(ofStored),
        ofWeighted(ofWeighted) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> type = matchFloatContraction(rewriter, op);
    if (failed(type))
      return failure();
    if (ofStored && type->getElementTypeBitWidth() < 32)
      return rewriter.notifyMatchFailure(op, "sums have fewer than 32 bits");
    bool isOfF8 = ofStored && multipliesF8(op);
    for (OpOperand *input : op.getDpsInputOperands())
      if (std::optional<ScaledOperand> scaled = matchScale(op, *input, isOfF8);
          scaled &&
          (!ofStored || isOfF8 ||
           (isStoredNarrower(input->get()) && isReadByFewRows(op, *input)))) {
        rewrite(rewriter, op, *type, *scaled);
        return success();
      }
    return rewriter.notifyMatchFailure(
        op, "no operand has a factor that the contraction does not sum over");
  }

private:
  bool ofStored, ofWeighted;

  /// With more rows, it is better to scale the operand: a tile of it is scaled
  /// once for all rows, and the unscaled result needs no tile.
  static bool isReadByFewRows(linalg::LinalgOp op, OpOperand &operand) {
    constexpr int64_t kFewRows = 16;
    return meetsFewRows(op, op.getMatchingIndexingMap(&operand),
                        op.getStaticLoopRanges(), kFewRows);
  }

  /// Whether `value`, in the body of an elementwise op, is an element of f8,
  /// extended, times factors that the body does not compute, possibly rounded.
  static bool isScaledF8(Value value) {
    if (auto round = value.getDefiningOp<arith::TruncFOp>())
      value = round.getIn();
    if (auto product = value.getDefiningOp<arith::MulFOp>()) {
      auto isFactor = [&](Value factor) {
        if (auto extend = factor.getDefiningOp<arith::ExtFOp>())
          factor = extend.getIn();
        return !isF8(factor.getType()) &&
               (isa<BlockArgument>(factor) ||
                factor.getParentBlock() != product->getBlock());
      };
      // Of a chain of products, one operand of each is followed.
      return (isFactor(product.getRhs()) && isScaledF8(product.getLhs())) ||
             (isFactor(product.getLhs()) && isScaledF8(product.getRhs()));
    }
    auto extend = value.getDefiningOp<arith::ExtFOp>();
    return extend && isF8(extend.getIn().getType()) &&
           isa<BlockArgument>(extend.getIn());
  }

  /// Whether elementwise ops compute all operands of `op` from tensors of f8
  /// and scales.
  bool multipliesF8(linalg::LinalgOp op) const {
    return llvm::all_of(op.getDpsInputs(), [&](Value input) {
      if (ofWeighted && getWeights(input))
        return true;
      auto source = input.getDefiningOp<linalg::GenericOp>();
      return source && source->getNumResults() == 1 &&
             source.isAllParallelLoops() &&
             isScaledF8(source.getBlock()->getTerminator()->getOperand(0));
    });
  }

  static bool isStoredNarrower(Value value) {
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
      value = collapse.getSrc();
    return !getDequantization(value).empty();
  }

  /// Matches an elementwise op before `input` with a factor that only depends
  /// on dimensions of the result of `op`. The factor may have dimensions of
  /// size one besides, and be a scalar, if `isOfF8`.
  static std::optional<ScaledOperand>
  matchScale(linalg::LinalgOp op, OpOperand &input, bool isOfF8) {
    // Dimensions that the scale does not have may be merged.
    auto collapse = input.get().getDefiningOp<tensor::CollapseShapeOp>();
    if (collapse && !collapse->hasOneUse())
      return std::nullopt;
    auto source = (collapse ? collapse.getSrc() : input.get())
                      .getDefiningOp<linalg::GenericOp>();
    if (!source || !source->hasOneUse() || source->getNumResults() != 1 ||
        source.getNumReductionLoops() != 0 || !source.hasPureTensorSemantics())
      return std::nullopt;
    AffineMap written =
        source.getMatchingIndexingMap(source.getDpsInitOperand(0));
    if (!written.isPermutation())
      return std::nullopt;
    AffineMap read = op.getMatchingIndexingMap(&input);
    AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));

    Value yielded = source.getBlock()->getTerminator()->getOperand(0);
    if (auto round = yielded.getDefiningOp<arith::TruncFOp>())
      yielded = round.getIn();
    auto product = yielded.getDefiningOp<arith::MulFOp>();
    if (!product || product->getBlock() != source.getBlock())
      return std::nullopt;
    for (bool isLhs : {true, false}) {
      Value factor = isLhs ? product.getLhs() : product.getRhs();
      Value rest = isLhs ? product.getRhs() : product.getLhs();
      if (auto extend = factor.getDefiningOp<arith::ExtFOp>())
        factor = extend.getIn();
      auto arg = dyn_cast<BlockArgument>(factor);
      if (isOfF8 && factor.getParentBlock() != source.getBlock())
        return ScaledOperand{
            product, rest, factor,
            AffineMap::get(op.getNumLoops(), 0, {}, op.getContext())};
      if (!arg || arg.getOwner() != source.getBlock() ||
          arg.getArgNumber() >= source.getNumDpsInputs())
        continue;
      OpOperand *operand = source.getMatchingOpOperand(arg);
      AffineMap map = source.getMatchingIndexingMap(operand);
      if (!map.isProjectedPermutation(/*allowZeroInResults=*/isOfF8))
        continue;
      // From the loops of the contraction: loop of the source -> dimension of
      // the operand -> loop of the contraction.
      AffineMap scaleMap = map.compose(inversePermutation(written));
      if (collapse) {
        std::optional<AffineMap> merged = collapseMap(scaleMap, collapse);
        if (!merged)
          continue;
        scaleMap = *merged;
      }
      scaleMap = scaleMap.compose(read);
      if (!llvm::all_of(scaleMap.getResults(), [&](AffineExpr expr) {
            return isa<AffineConstantExpr>(expr) ||
                   llvm::is_contained(result.getResults(), expr);
          }))
        continue;
      return ScaledOperand{product, rest, operand->get(), scaleMap};
    }
    return std::nullopt;
  }

  /// Returns `map`, whose inputs are the dimensions of the source of
  /// `collapse`, as a map of the dimensions of its result. Fails if a merged
  /// dimension is used.
  static std::optional<AffineMap>
  collapseMap(AffineMap map, tensor::CollapseShapeOp collapse) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults()) {
      if (isa<AffineConstantExpr>(expr)) {
        results.push_back(expr);
        continue;
      }
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      std::optional<unsigned> merged;
      for (auto [number, group] :
           llvm::enumerate(collapse.getReassociationIndices()))
        if (group.size() == 1 && group.front() == dim)
          merged = number;
      if (!merged)
        return std::nullopt;
      results.push_back(getAffineDimExpr(*merged, map.getContext()));
    }
    return AffineMap::get(collapse.getResultType().getRank(), 0, results,
                          map.getContext());
  }

  static void rewrite(PatternRewriter &rewriter, linalg::LinalgOp op,
                      RankedTensorType type, const ScaledOperand &scaled) {
    Value init = op.getDpsInits().front();
    Type element = type.getElementType();
    // The contraction is the only user of the source.
    rewriter.replaceOp(scaled.product, scaled.rest);
    ZeroContraction product = cloneOntoZero(rewriter, op);

    // init + scale * product. An init of zero is left out.
    int64_t rank = type.getRank();
    AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    SmallVector<AffineExpr> rows;
    for (AffineExpr expr : scaled.scaleMap.getResults())
      rows.push_back(isa<AffineConstantExpr>(expr)
                         ? expr
                         : rewriter.getAffineDimExpr(
                               llvm::find(result.getResults(), expr) -
                               result.getResults().begin()));
    SmallVector<Value> operands = {product.op->getResult(0), scaled.scale};
    SmallVector<AffineMap> maps = {
        identity, AffineMap::get(rank, 0, rows, rewriter.getContext())};
    auto fill = init.getDefiningOp<linalg::FillOp>();
    bool addsInit = !fill || !matchPattern(fill.value(), m_AnyZeroFloat());
    if (addsInit) {
      operands.push_back(init);
      maps.push_back(identity);
    }
    maps.push_back(identity);
    // The result stays where it is, such as in an argument of the function.
    Value output = addsInit ? init : fill.output();
    if (output.getDefiningOp<tensor::EmptyOp>())
      output = product.empty;
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange(type), operands, ValueRange(output), maps, iterators,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          auto convert = [&](Value value, Type to) -> Value {
            unsigned from = value.getType().getIntOrFloatBitWidth();
            unsigned bits = to.getIntOrFloatBitWidth();
            if (value.getType() == to)
              return value;
            if (from < bits)
              return arith::ExtFOp::create(b, loc, to, value);
            if (from > bits)
              return arith::TruncFOp::create(b, loc, to, value);
            // Between f16 and bf16.
            Value wide = arith::ExtFOp::create(b, loc, b.getF32Type(), value);
            return arith::TruncFOp::create(b, loc, to, wide);
          };
          Type wide = args[1].getType().getIntOrFloatBitWidth() >
                              element.getIntOrFloatBitWidth()
                          ? args[1].getType()
                          : element;
          Value value = arith::MulFOp::create(b, loc, convert(args[0], wide),
                                              convert(args[1], wide));
          if (addsInit)
            value =
                arith::AddFOp::create(b, loc, convert(args[2], wide), value);
          linalg::YieldOp::create(b, loc, convert(value, element));
        });
  }
};

/// A widened number that is rounded to a type that has all of its numbers, as
/// without the factor between, is only widened.
struct FoldRoundedExtension : OpRewritePattern<arith::TruncFOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto extend = op.getIn().getDefiningOp<arith::ExtFOp>();
    if (!extend || op.getRoundingmode())
      return rewriter.notifyMatchFailure(op, "rounds no widened number");
    auto from = cast<FloatType>(getElementTypeOrSelf(extend.getIn().getType()));
    auto to = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (from.getWidth() >= to.getWidth() ||
        !APFloat::isRepresentableBy(from.getFloatSemantics(),
                                    to.getFloatSemantics()))
      return rewriter.notifyMatchFailure(op, "the type lacks some numbers");
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(),
                                               extend.getIn());
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateScaleAfterContractionPatterns(
    RewritePatternSet &patterns) {
  patterns.add<MoveScale>(patterns.getContext(), /*ofStored=*/false);
  // Without the factor, the source may compute nothing.
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns,
                                                 patterns.getContext());
}

void mlir::linalg_ext::populateScaleAfterDequantizationPatterns(
    RewritePatternSet &patterns, bool ofWeighted) {
  patterns.add<MoveScale>(patterns.getContext(), /*ofStored=*/true, ofWeighted);
  patterns.add<FoldRoundedExtension>(patterns.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns,
                                                 patterns.getContext());
}
