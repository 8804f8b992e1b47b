//===- MultiplyF8.cpp - Contractions of f8 --------------------------------===//
//
// Programs widen both operands of a product of f8 first, to f16 or f32. Targets
// with instructions for f8 read them as they are. A contraction extends its
// operands to the type of its sums itself, which is exact. As an op of its own,
// the extension might be stored.
//
//===----------------------------------------------------------------------===//

#include "FloatContraction.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The operand of `value` that it only widens from f8, element by element, with
/// `map`, the indices of `value`, made those of the operand. Null if there is
/// none.
static Value getWidened(Value value, AffineMap &map) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      !op.isAllParallelLoops() || !op.hasPureTensorSemantics())
    return nullptr;
  auto extend = op.getBlock()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::ExtFOp>();
  OpOperand *input = op.getDpsInputOperand(0);
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap read = op.getMatchingIndexingMap(input);
  if (!extend || extend.getIn() != op.getBlock()->getArgument(0) ||
      !isF8(extend.getIn().getType()) || !written.isPermutation() ||
      !read.isProjectedPermutation())
    return nullptr;
  map = read.compose(inversePermutation(written)).compose(map);
  return input->get();
}

Value mlir::linalg_ext::getWeights(Value value) {
  while (auto op = value.getDefiningOp<linalg::GenericOp>()) {
    if (op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
        !op.isAllParallelLoops() ||
        llvm::any_of(op.getIndexingMapsArray(),
                     [](AffineMap map) { return !map.isIdentity(); }))
      return nullptr;
    Value yielded = op.getBlock()->getTerminator()->getOperand(0);
    while (Operation *convert = yielded.getDefiningOp()) {
      if (!isa<arith::ExtFOp, arith::TruncFOp>(convert))
        return nullptr;
      yielded = convert->getOperand(0);
    }
    if (yielded != op.getBlock()->getArgument(0))
      return nullptr;
    value = op.getDpsInputs().front();
  }
  auto softmax = value.getDefiningOp<SoftmaxOp>();
  return softmax && value == softmax->getResult(0) ? value : Value();
}

/// Returns whether one of the operands of `op`, with the indices `maps`, is
/// broadcast along a loop that is summed. `linalg.contract` has no such operands.
static bool isBroadcastInSum(linalg::LinalgOp op, ArrayRef<AffineMap> maps) {
  return llvm::any_of(
      llvm::enumerate(op.getIteratorTypesArray()), [&](auto loop) {
        return loop.value() == utils::IteratorType::reduction &&
               (!maps[0].isFunctionOfDim(loop.index()) ||
                !maps[1].isFunctionOfDim(loop.index()));
      });
}

/// Matches a sum in f32 of products of two operands, neither of which is
/// broadcast along a loop that is summed. Returns the type of the result.
static FailureOr<RankedTensorType> matchSumOfProducts(PatternRewriter &rewriter,
                                                      linalg::LinalgOp op) {
  FailureOr<RankedTensorType> type = matchFloatContraction(rewriter, op);
  if (failed(type))
    return failure();
  if (!type->getElementType().isF32() || op.getNumDpsInputs() != 2)
    return rewriter.notifyMatchFailure(op, "no sum of products in f32");
  if (isBroadcastInSum(op, op.getIndexingMapsArray()))
    return rewriter.notifyMatchFailure(op, "an operand is broadcast");
  return type;
}

namespace {
struct MultiplyF8 : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> type = matchSumOfProducts(rewriter, op);
    if (failed(type))
      return failure();
    // The payload may extend its operands, but must not round them.
    if (llvm::any_of(*op.getBlock(), [](Operation &nested) {
          return !isa<arith::ExtFOp, arith::MulFOp, arith::AddFOp,
                      linalg::YieldOp>(nested);
        }))
      return rewriter.notifyMatchFailure(op, "the payload rounds");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> operands;
    for (unsigned i : {0, 1}) {
      Value operand = getWidened(op.getDpsInputs()[i], maps[i]);
      if (!operand)
        return rewriter.notifyMatchFailure(op, "an operand is no widened f8");
      operands.push_back(operand);
    }
    if (isBroadcastInSum(op, maps))
      return rewriter.notifyMatchFailure(op, "values of f8 are broadcast");
    auto contract = linalg::ContractOp::create(
        rewriter, op.getLoc(), *type, operands, op.getDpsInits().front(),
        rewriter.getAffineMapArrayAttr(maps));
    // Attributes of linalg, such as memoized maps, belong to the named op.
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (!isa_and_nonnull<linalg::LinalgDialect>(attr.getNameDialect()))
        contract->setDiscardableAttr(attr.getName(), attr.getValue());
    rewriter.replaceOp(op, contract);
    return success();
  }
};

} // namespace

/// Rows are copied as tiles if their number of bytes is a multiple of this.
static constexpr int64_t kRowBytes = 16;
/// Rows of an instruction. With fewer, most of it would be idle.
static constexpr int64_t kLeastRows = 64;
/// Threads hold results of so many columns twice: those of an iteration, which
/// are added to the others.
static constexpr int64_t kMostColumns = 128;

/// Why `op` is not computed by instructions that multiply weights and values of
/// f8. Null if it may be.
static const char *explainNoF8Values(linalg::LinalgOp op) {
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (dims.k.size() != 1 || ShapedType::isDynamic(ranges[dims.k.front()]) ||
      ranges[dims.k.front()] % kRowBytes != 0)
    return "what is summed is no static multiple of 16 bytes";
  if (llvm::all_of(dims.m, [&](unsigned dim) {
        return !ShapedType::isDynamic(ranges[dim]) && ranges[dim] < kLeastRows;
      }))
    return "few rows";
  int64_t columns = 1;
  for (unsigned dim : dims.n)
    columns = ShapedType::isDynamic(ranges[dim]) ? kMostColumns + 1
                                                 : columns * ranges[dim];
  return columns > kMostColumns ? "no registers for the results of an iteration"
                                : nullptr;
}

Value mlir::linalg_ext::moveToEnd(OpBuilder &b, Location loc, Value values,
                                  AffineMap &map, unsigned k) {
  int64_t last = map.getNumResults() - 1;
  int64_t position =
      *map.getResultPosition(getAffineDimExpr(k, map.getContext()));
  if (position == last)
    return values;
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(last + 1));
  order.erase(order.begin() + position);
  order.push_back(position);
  map = AffineMap::get(map.getNumDims(), 0,
                       applyPermutation(map.getResults(), order),
                       map.getContext());
  Value empty = tensor::EmptyOp::create(
      b, loc, applyPermutation(tensor::getMixedSizes(b, loc, values), order),
      getElementTypeOrSelf(values));
  return linalg::TransposeOp::create(b, loc, values, empty, order)
      ->getResult(0);
}

/// Whether elementwise ops compute `value` from a softmax.
static bool followsSoftmax(Value value) {
  while (auto op = value.getDefiningOp<linalg::GenericOp>()) {
    if (op.getNumDpsInputs() == 0 || !op.isAllParallelLoops())
      return false;
    value = op.getDpsInputs().front();
  }
  return value.getDefiningOp<SoftmaxOp>() != nullptr;
}

/// Replaces `op`, sum(p v), by sum(narrow(f p) v) / f, where f is `factor`, and
/// narrow rounds to `element`: p are `weights`, v are `values`, and `maps` the
/// indices of both and of the result, of type `type`.
static void multiplyScaledWeights(PatternRewriter &rewriter, linalg::LinalgOp op,
                                  RankedTensorType type, Value weights,
                                  Value values, ArrayRef<AffineMap> maps,
                                  Type element, float factor) {
  // The weights.
  Location loc = op.getLoc();
  auto wide = cast<RankedTensorType>(weights.getType());
  auto buildElementwise = [&](ValueRange inputs, Value empty, auto build) {
    AffineMap map = rewriter.getMultiDimIdentityMap(
        cast<RankedTensorType>(empty.getType()).getRank());
    SmallVector<AffineMap> maps(inputs.size() + 1, map);
    SmallVector<utils::IteratorType> iterators(map.getNumDims(),
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(rewriter, loc, empty.getType(), inputs,
                                     empty, maps, iterators, build)
        .getResult(0);
  };
  Value narrow = buildElementwise(
      weights,
      tensor::EmptyOp::create(rewriter, loc,
                              tensor::getMixedSizes(rewriter, loc, weights),
                              element),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value scale = arith::ConstantOp::create(
            b, loc, b.getFloatAttr(wide.getElementType(), factor));
        Value x = arith::MulFOp::create(b, loc, args[0], scale);
        linalg::YieldOp::create(
            b, loc, arith::TruncFOp::create(b, loc, element, x).getResult());
      });

  // The product.
  ZeroContraction zero = cloneOntoZero(rewriter, op);
  Value zeros =
      cast<DestinationStyleOpInterface>(zero.op).getDpsInits().front();
  rewriter.eraseOp(zero.op);
  auto product = linalg::ContractOp::create(
      rewriter, loc, type, ValueRange{narrow, values}, zeros,
      rewriter.getAffineMapArrayAttr(maps));
  Value init = op.getDpsInits().front();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  SmallVector<Value> inputs{product->getResult(0)};
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()))
    inputs.push_back(init);
  Value result = buildElementwise(
      inputs, zero.empty, [&](OpBuilder &b, Location loc, ValueRange args) {
        Value scale =
            arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1 / factor));
        Value x = arith::MulFOp::create(b, loc, args[0], scale);
        if (args.size() > 2)
          x = arith::AddFOp::create(b, loc, args[1], x);
        linalg::YieldOp::create(b, loc, x);
      });
  rewriter.replaceOp(op, result);
}

namespace {
/// sum(p v) as sum(p v'), where v' is v with what is summed last: bytes are not
/// transposed on their way to an instruction.
struct TransposeValues : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> type = matchSumOfProducts(rewriter, op);
    if (failed(type))
      return failure();
    Value weights = op.getDpsInputs()[0], values = op.getDpsInputs()[1];
    Type element = getElementTypeOrSelf(values);
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(element) ||
        getElementTypeOrSelf(weights) != element || !followsSoftmax(weights))
      return rewriter.notifyMatchFailure(op, "no weights and values of f8");
    if (const char *reason = explainNoF8Values(op))
      return rewriter.notifyMatchFailure(op, reason);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    unsigned k = linalg::inferContractionDims(op)->k.front();
    Value moved = moveToEnd(rewriter, op.getLoc(), values, maps[1], k);
    if (moved == values)
      return rewriter.notifyMatchFailure(op, "what is summed is last");
    rewriter.replaceOpWithNewOp<linalg::ContractOp>(
        op, *type, ValueRange{weights, moved}, op.getDpsInits().front(),
        rewriter.getAffineMapArrayAttr(maps));
    return success();
  }
};

/// sum(p v) as 2^-8 sum(f8(2^8 p) v).
struct RoundWeights : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  /// Weights are at most 1, and most are much smaller: with this factor, those
  /// of at least 2^-14 are normal numbers of f8E4M3FN, whose largest is 448.
  static constexpr float kFactor = 256;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> type = matchSumOfProducts(rewriter, op);
    if (failed(type))
      return failure();
    if (const char *reason = explainNoF8Values(op))
      return rewriter.notifyMatchFailure(op, reason);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Value weights = getWeights(op.getDpsInputs()[0]);
    Value values = getWidened(op.getDpsInputs()[1], maps[1]);
    if (!weights || !values)
      return rewriter.notifyMatchFailure(op, "no weights of values of f8");
    if (isBroadcastInSum(op, maps))
      return rewriter.notifyMatchFailure(op, "values of f8 are broadcast");
    Type element = getElementTypeOrSelf(values);
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(element))
      return rewriter.notifyMatchFailure(op, "no instruction multiplies them");

    multiplyScaledWeights(rewriter, op, *type, weights, values, maps, element,
                          kFactor);
    return success();
  }
};

/// sum(p v) as 2^-12 sum(f16(2^12 p) v), where the program rounds p to bf16 and
/// v are integers of at most 8 bits, or floats of 8 bits, converted to bf16.
struct WeightsInF16 : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  /// Weights are at most 1, or up to 2^4 where a score of up to 2^26 is its
  /// maximum: that is rounded after a product with log2(e) (FoldExp2.cpp). Larger
  /// scores overflow. With this factor, weights of at least 2^-26 are normal
  /// numbers of f16, whose largest is 65504.
  static constexpr float kFactor = 4096;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<RankedTensorType> type = matchSumOfProducts(rewriter, op);
    if (failed(type))
      return failure();
    if (llvm::any_of(op.getDpsInputs(), [](Value operand) {
          return !getElementTypeOrSelf(operand).isBF16();
        }))
      return rewriter.notifyMatchFailure(op, "no products of bf16");
    if (!hasFewRows(op))
      return rewriter.notifyMatchFailure(op, "many rows, or an unknown number");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Value weights = getWeights(op.getDpsInputs()[0]);
    if (!weights || !getElementTypeOrSelf(weights).isF32())
      return rewriter.notifyMatchFailure(op, "no weights of a softmax");
    Value values = convertToF16(rewriter, op.getDpsInputs()[1]);
    if (!values)
      return rewriter.notifyMatchFailure(op, "values are no small integers or f8");
    multiplyScaledWeights(rewriter, op, *type, weights, values, maps,
                          rewriter.getF16Type(), kFactor);
    return success();
  }

private:
  /// Returns whether one instruction has all rows of `op`. With more rows,
  /// conversions are few beside products.
  static bool hasFewRows(linalg::LinalgOp op) {
    constexpr int64_t kMostRows = 16;
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    if (failed(dims))
      return false;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    int64_t rows = 1;
    for (unsigned dim : dims->m) {
      if (ShapedType::isDynamic(ranges[dim]) || ranges[dim] > kMostRows)
        return false;
      rows *= ranges[dim];
    }
    return rows <= kMostRows;
  }

  /// Returns whether f16 has all numbers of `type`. The powers of two of f8E8M0
  /// are up to 2^127.
  static bool isExactInF16(Type type) {
    if (isF8(type))
      return !isa<Float8E8M0FNUType>(type);
    return type.isInteger() && type.getIntOrFloatBitWidth() <= 8;
  }

  /// Builds `value`, the result of a conversion to bf16 that is exact in f16, in
  /// f16. Returns null if it is not such a result.
  static Value convertToF16(PatternRewriter &rewriter, Value value) {
    // Unpacked integers are merged by a reshape.
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
      Value source = convertToF16(rewriter, collapse.getSrc());
      if (!source)
        return {};
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(collapse);
      return tensor::CollapseShapeOp::create(
          rewriter, collapse.getLoc(), source,
          collapse.getReassociationIndices());
    }
    auto op = value.getDefiningOp<linalg::GenericOp>();
    if (!op || op->getNumResults() != 1 || !op.isAllParallelLoops() ||
        !op.hasPureTensorSemantics() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return {};
    Operation *convert =
        op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
    if (!isa_and_nonnull<arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp>(
            convert) ||
        convert->getParentOp() != op)
      return {};
    if (!isExactInF16(convert->getOperand(0).getType()))
      return {};
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    Type f16 = rewriter.getF16Type();
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), value), f16);
    return linalg::GenericOp::create(
               rewriter, op.getLoc(), empty.getType(), op.getDpsInputs(), empty,
               op.getIndexingMapsArray(), op.getIteratorTypesArray(),
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 IRMapping mapping;
                 mapping.map(op.getBlock()->getArguments().drop_back(),
                             args.drop_back());
                 for (Operation &nested : op.getBlock()->without_terminator())
                   if (&nested != convert)
                     b.clone(nested, mapping);
                 Value number = mapping.lookupOrDefault(convert->getOperand(0));
                 Value result =
                     TypeSwitch<Operation *, Value>(convert)
                         .Case<arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp>(
                             [&](auto same) -> Value {
                               return decltype(same)::create(b, loc, f16, number);
                             });
                 linalg::YieldOp::create(b, loc, result);
               })
        .getResult(0);
  }
};
} // namespace

void mlir::linalg_ext::populateMultiplyF8Patterns(RewritePatternSet &patterns) {
  patterns.add<MultiplyF8, TransposeValues>(patterns.getContext());
}

void mlir::linalg_ext::populateRoundWeightsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<RoundWeights>(patterns.getContext());
}

void mlir::linalg_ext::populateWeightsInF16Patterns(
    RewritePatternSet &patterns) {
  patterns.add<WeightsInF16>(patterns.getContext());
}
