//===- Decompose.cpp - LinalgExt ops as upstream ops ----------------------===//
//
// The last step before code generation. Rewrites the remaining ops of the
// dialect as structured ops of upstream, in an order that bufferizes in place.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Scalar building blocks
//===----------------------------------------------------------------------===//

static Value buildConstant(OpBuilder &b, Location loc, Type type,
                           double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

Value mlir::linalg_ext::buildGuardedReciprocal(OpBuilder &b, Location loc,
                                               Value value) {
  Value zero = buildConstant(b, loc, value.getType(), 0.0);
  Value one = buildConstant(b, loc, value.getType(), 1.0);
  Value isZero =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, value, zero);
  Value quotient = arith::DivFOp::create(b, loc, one, value);
  return arith::SelectOp::create(b, loc, isZero, zero, quotient);
}

Value mlir::linalg_ext::buildShiftedExp(OpBuilder &b, Location loc, Value value,
                                        Value max) {
  Type type = max.getType();
  Value minusInf = arith::ConstantOp::create(
      b, loc,
      FloatAttr::get(type,
                     APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                     /*Negative=*/true)));
  Value isMinusInf =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, max, minusInf);
  Value zero = buildConstant(b, loc, type, 0.0);
  Value guarded = arith::SelectOp::create(b, loc, isMinusInf, zero, max);
  Value shifted = arith::SubFOp::create(b, loc, value, guarded);
  return math::ExpOp::create(b, loc, shifted);
}

Value mlir::linalg_ext::buildLogSumExp(OpBuilder &b, Location loc, Value max,
                                       Value sum) {
  auto type = cast<RankedTensorType>(max.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, max), type.getElementType());
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange{max, sum}, empty,
             ArrayRef<AffineMap>{map, map, map}, iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value log = math::LogOp::create(b, loc, args[1]);
               Value lse = arith::AddFOp::create(b, loc, args[0], log);
               linalg::YieldOp::create(b, loc, lse);
             })
      .getResult(0);
}

static Value convertFloat(OpBuilder &b, Location loc, Value value, Type type) {
  return convertScalarToDtype(b, loc, value, type, /*isUnsignedCast=*/false);
}

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

namespace {
/// Builds linalg.generic ops on tensors that have either all dimensions of a
/// softmax ("full") or all but the one it reduces ("state").
struct SoftmaxBuilder {
  SoftmaxBuilder(OpBuilder &b, SoftmaxOp op)
      : b(b), loc(op.getLoc()), dimension(op.getDimension()),
        full(b.getMultiDimIdentityMap(op.getNumLoops())),
        state(full.dropResult(dimension)) {}

  using Body = function_ref<SmallVector<Value>(OpBuilder &, ValueRange)>;

  AffineMap mapOf(Value value) const {
    return cast<RankedTensorType>(value.getType()).getRank() ==
                   full.getNumResults()
               ? full
               : state;
  }

  /// Builds an elementwise op over the full domain if some operand is full, and
  /// over the state otherwise.
  SmallVector<Value> elementwise(ValueRange inputs, ValueRange inits,
                                 Body body) {
    bool anyFull = llvm::any_of(llvm::concat<const Value>(inputs, inits),
                                [&](Value v) { return mapOf(v) == full; });
    SmallVector<AffineMap> maps;
    int64_t numLoops = full.getNumDims() - (anyFull ? 0 : 1);
    for (Value value : llvm::concat<const Value>(inputs, inits))
      maps.push_back(anyFull ? mapOf(value)
                             : b.getMultiDimIdentityMap(numLoops));
    SmallVector<utils::IteratorType> iterators(numLoops,
                                               utils::IteratorType::parallel);
    return build(inputs, inits, maps, iterators, body);
  }

  /// Reduces `input`, which is full, into the state `init`.
  Value reduce(Value input, Value init, Body body) {
    SmallVector<utils::IteratorType> iterators(full.getNumDims(),
                                               utils::IteratorType::parallel);
    iterators[dimension] = utils::IteratorType::reduction;
    return build(input, init, {full, state}, iterators, body).front();
  }

  /// Creates an uninitialised tensor with the shape of `like`.
  Value empty(Value like, Type elementType) {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                   elementType);
  }

private:
  SmallVector<Value> build(ValueRange inputs, ValueRange inits,
                           ArrayRef<AffineMap> maps,
                           ArrayRef<utils::IteratorType> iterators, Body body) {
    auto generic = linalg::GenericOp::create(
        b, loc, inits.getTypes(), inputs, inits, maps, iterators,
        [&](OpBuilder &nested, Location loc, ValueRange args) {
          linalg::YieldOp::create(nested, loc, body(nested, args));
        });
    return llvm::to_vector_of<Value>(generic.getResults());
  }

  OpBuilder &b;
  Location loc;
  int64_t dimension;
  AffineMap full, state;
};
} // namespace

/// Builds the new maximum of `max` and `tileMax`, or the old one if it may
/// stay, and the factor that scales sums from the old maximum to the new one.
static SmallVector<Value> buildMaxAndScale(OpBuilder &b, SoftmaxOp op,
                                           SoftmaxBuilder &builder,
                                           Value tileMax, Value max,
                                           Value scale) {
  Location loc = op.getLoc();
  Type stateType = getElementTypeOrSelf(max);
  return builder.elementwise(
      tileMax, {max, scale},
      [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
        Value newMax = arith::MaximumFOp::create(b, loc, args[1], args[0]);
        std::optional<APFloat> threshold = op.getRescaleThreshold();
        if (!threshold)
          return {newMax, buildShiftedExp(b, loc, args[1], newMax)};
        // The comparison is false if the growth is NaN, for example for -inf -
        // (-inf).
        Value growth = arith::SubFOp::create(b, loc, newMax, args[1]);
        Value stays = arith::CmpFOp::create(
            b, loc, arith::CmpFPredicate::OLE, growth,
            buildConstant(b, loc, stateType, threshold->convertToDouble()));
        newMax = arith::SelectOp::create(b, loc, stays, args[1], newMax);
        Value isSame = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                             newMax, args[1]);
        Value factor = buildShiftedExp(b, loc, args[1], newMax);
        Value one = buildConstant(b, loc, stateType, 1.0);
        return {newMax, arith::SelectOp::create(b, loc, isSame, one, factor)};
      });
}

// Steps, with (m, l) the incoming state; each overwrites only what is no
// longer needed.
//   1. t  = max_d x
//   2. m' = max(m, t), c = e^(m - m')           over m and the scale
//      (m' = m and c = 1 where the old max stays)
//   3. p  = e^(x - m')                          over the result
//   4. l  = l c (and, eager, scale = l c)       over l
//   5. l' = l + sum_d p                         over l
//   6. eager: result = p / l', scale = scale / l'
FailureOr<SmallVector<Value>> mlir::linalg_ext::decomposeSoftmax(OpBuilder &b,
                                                                 SoftmaxOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("expected tensors to decompose, got buffers");
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value input = op.getInput();
  Value result = op.getOutputs()[0], max = op.getOutputs()[1],
        sum = op.getOutputs()[2], scale = op.getOutputs()[3];
  Type valueType = getElementTypeOrSelf(input);
  Type stateType = getElementTypeOrSelf(max);
  SoftmaxBuilder builder(b, op);

  // 1.
  Value minusInf = arith::ConstantOp::create(
      b, loc,
      FloatAttr::get(
          stateType,
          APFloat::getInf(cast<FloatType>(stateType).getFloatSemantics(),
                          /*Negative=*/true)));
  Value tileMax =
      linalg::FillOp::create(b, loc, minusInf, builder.empty(max, stateType))
          .getResult(0);
  tileMax = builder.reduce(
      input, tileMax, [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
        Value x = convertFloat(b, loc, args[0], stateType);
        return {arith::MaximumFOp::create(b, loc, x, args[1])};
      });

  // 2.
  SmallVector<Value> maxAndScale =
      buildMaxAndScale(b, op, builder, tileMax, max, scale);
  max = maxAndScale[0];
  scale = maxAndScale[1];

  // 3. Sum the weights before they are rounded to a narrow result.
  bool narrow = valueType != stateType;
  SmallVector<Value> inits{narrow ? builder.empty(input, stateType) : result};
  Value weights = builder.elementwise(
      {input, max}, inits,
      [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
        Value x = convertFloat(b, loc, args[0], stateType);
        return {buildShiftedExp(b, loc, x, args[1])};
      })[0];

  // 4.
  bool delayed = op.getDelayed();
  if (delayed) {
    sum = builder.elementwise(
        scale, sum, [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          return {arith::MulFOp::create(b, loc, args[1], args[0])};
        })[0];
  } else {
    SmallVector<Value> sums = builder.elementwise(
        {}, {sum, scale},
        [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          Value scaled = arith::MulFOp::create(b, loc, args[0], args[1]);
          return {scaled, scaled};
        });
    sum = sums[0];
    scale = sums[1];
  }

  // 5.
  sum = builder.reduce(
      weights, sum, [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
        return {arith::AddFOp::create(b, loc, args[1], args[0])};
      });

  // 6.
  if (!delayed) {
    SmallVector<Value> finals = builder.elementwise(
        sum, scale, [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          Value reciprocal = buildGuardedReciprocal(b, loc, args[0]);
          return {arith::MulFOp::create(b, loc, args[1], reciprocal)};
        });
    scale = finals[0];
    weights = builder.elementwise(
        sum, weights, [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          Value reciprocal = buildGuardedReciprocal(b, loc, args[0]);
          return {arith::MulFOp::create(b, loc, args[1], reciprocal)};
        })[0];
  }
  if (narrow)
    weights = builder.elementwise(
        weights, result,
        [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
          return {convertFloat(b, loc, args[0], valueType)};
        })[0];
  return SmallVector<Value>{weights, max, sum, scale};
}

namespace {
struct DecomposeSoftmax : public OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "expected tensors, got buffers");
    FailureOr<SmallVector<Value>> values = decomposeSoftmax(rewriter, op);
    if (failed(values))
      return failure();
    rewriter.replaceOp(op, *values);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// diag
//===----------------------------------------------------------------------===//

/// Returns whether `value` is a tensor filled with zeros.
static bool isZeroTensor(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getDpsInputOperand(0)->get();
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Returns the diag op that computes `value`, looking through casts of its
/// type.
static DiagOp getDiag(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value.getDefiningOp<DiagOp>();
}

/// Computes a product with diag(v) without the matrix. Let (i, j) be the
/// dimensions of the matrix. If one of them is contracted, j becomes i: acc +=
/// v_i * x_i. If both are kept, only the elements with i = j are updated. If
/// the product starts from zeros and has the layout of the other operand, that
/// operand is scaled in place.
struct FoldDiagProduct : public OpRewritePattern<BatchMatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchMatmulOp op,
                                PatternRewriter &rewriter) const override {
    for (unsigned side : {0, 1})
      if (auto diag = getDiag(op.getInputs()[side])) {
        fold(op, diag, side, rewriter);
        return success();
      }
    return rewriter.notifyMatchFailure(op, "no operand is a diagonal matrix");
  }

  void fold(BatchMatmulOp op, DiagOp diag, unsigned side,
            PatternRewriter &rewriter) const {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap diagMap = maps[side], outMap = maps[2];
    unsigned rank = diagMap.getNumResults();
    unsigned row = diagMap.getDimPosition(rank - 2);
    unsigned column = diagMap.getDimPosition(rank - 1);
    bool bothKept =
        outMap.isFunctionOfDim(row) && outMap.isFunctionOfDim(column);
    unsigned numDims = outMap.getNumDims();
    SmallVector<AffineMap> newMaps{diagMap.dropResult(rank - 1), maps[1 - side],
                                   outMap};
    if (!bothKept) {
      // The contracted dimension is replaced by the other one.
      unsigned gone = outMap.isFunctionOfDim(column) ? row : column;
      unsigned kept = gone == row ? column : row;
      SmallVector<AffineExpr> names;
      for (unsigned dim = 0, next = 0; dim < numDims; ++dim)
        names.push_back(rewriter.getAffineDimExpr(dim == gone ? 0 : next++));
      names[gone] = names[kept];
      --numDims;
      for (AffineMap &map : newMaps)
        map = map.replaceDimsAndSymbols(names, {}, numDims, 0);
    }
    SmallVector<utils::IteratorType> iterators(numDims,
                                               utils::IteratorType::reduction);
    for (AffineExpr expr : newMaps[2].getResults())
      iterators[cast<AffineDimExpr>(expr).getPosition()] =
          utils::IteratorType::parallel;

    Value other = op.getInputs()[1 - side], init = op.getOutputs()[0];
    bool onZeros = !op->getResults().empty() && isZeroTensor(init);
    bool inPlace = onZeros && !bothKept && newMaps[1] == newMaps[2] &&
                   other.getType() == init.getType();
    SmallVector<Value> inputs{diag.getInput()};
    if (inPlace) {
      init = other;
      newMaps.erase(newMaps.begin() + 1);
    } else {
      inputs.push_back(other);
    }
    Type type = getElementTypeOrSelf(init);
    auto generic = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), inputs, init, newMaps,
        iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
          Value v = convertFloat(b, loc, args[0], type);
          Value x = convertFloat(b, loc, args[1], type);
          bool isFloat = isa<FloatType>(type);
          Value value = isFloat ? Value(arith::MulFOp::create(b, loc, v, x))
                                : Value(arith::MulIOp::create(b, loc, v, x));
          if (!inPlace)
            value = isFloat
                        ? Value(arith::AddFOp::create(b, loc, args[2], value))
                        : Value(arith::AddIOp::create(b, loc, args[2], value));
          if (bothKept) {
            Value i = linalg::IndexOp::create(b, loc, row);
            Value j = linalg::IndexOp::create(b, loc, column);
            Value onDiagonal =
                arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, i, j);
            value = arith::SelectOp::create(b, loc, onDiagonal, value, args[2]);
          }
          linalg::YieldOp::create(b, loc, value);
        });
    rewriter.replaceOp(op, generic);
  }
};

/// Builds a diagonal matrix that is not folded element by element.
struct DecomposeDiag : public OpRewritePattern<DiagOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DiagOp op,
                                PatternRewriter &rewriter) const override {
    Type type = getElementTypeOrSelf(op.getOutput());
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    int64_t numLoops = op.getNumLoops();
    auto generic = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), op.getInput(),
        op.getOutput(), op.getIndexingMapsArray(), iterators,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value row = linalg::IndexOp::create(b, loc, numLoops - 2);
          Value column = linalg::IndexOp::create(b, loc, numLoops - 1);
          Value onDiagonal = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::eq, row, column);
          Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
          Value element =
              arith::SelectOp::create(b, loc, onDiagonal, args[0], zero);
          linalg::YieldOp::create(b, loc, element);
        });
    rewriter.replaceOp(op, generic);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// batch_matmul
//===----------------------------------------------------------------------===//

struct BatchMatmulToContract : public OpRewritePattern<BatchMatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchMatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto contract = linalg::ContractOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), op.getInputs(),
        op.getOutputs(), op.getIndexingMaps());
    contract->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, contract);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateFoldDiagPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldDiagProduct>(patterns.getContext(), /*benefit=*/2);
}

void mlir::linalg_ext::populateDecomposePatterns(RewritePatternSet &patterns,
                                                 bool keepGathers) {
  populateFoldDiagPatterns(patterns);
  populateDecomposePagedGatherPatterns(patterns, keepGathers);
  populateDecomposeStoreRowsPatterns(patterns);
  patterns.add<DecomposeSoftmax, DecomposeDiag, BatchMatmulToContract>(
      patterns.getContext());
}

void mlir::linalg_ext::unshareEmptyTensors(RewriterBase &rewriter,
                                           Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<tensor::EmptyOp> empties;
  scope->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
  for (tensor::EmptyOp op : empties) {
    // Next to the original. In the block of the use, the copy might be in a
    // loop.
    rewriter.setInsertionPointAfter(op);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      if (!isa<tensor::DimOp>(use.getOwner()))
        uses.push_back(&use);
    if (uses.empty())
      continue;
    for (OpOperand *use : ArrayRef(uses).drop_back()) {
      Operation *copy = rewriter.clone(*op);
      rewriter.modifyOpInPlace(use->getOwner(),
                               [&] { use->set(copy->getResult(0)); });
    }
  }
}

LogicalResult mlir::linalg_ext::decomposeLinalgExtOps(
    Operation *scope, RewriterBase::Listener *listener, bool keepGathers) {
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  config.setListener(listener);
  // Fold products with diag first, so that the remaining diag ops have no such
  // users.
  RewritePatternSet fold(scope->getContext());
  populateFoldDiagPatterns(fold);
  RewritePatternSet decompose(scope->getContext());
  populateDecomposePatterns(decompose, keepGathers);
  if (failed(applyPatternsGreedily(scope, std::move(fold), config)))
    return failure();
  if (failed(applyPatternsGreedily(scope, std::move(decompose), config)))
    return failure();
  IRRewriter rewriter(scope->getContext(), listener);
  unshareEmptyTensors(rewriter, scope);
  return success();
}
