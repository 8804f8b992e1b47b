//===- Graphs.cpp - Test graphs -------------------------------------------===//
//
// The IR of a spec. See Graphs.h.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include "GraphConstants.h"

#include "Execute.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;

namespace {
/// Builds the ops of a graph; a value goes with the letters of its dims.
class GraphBuilder {
public:
  GraphBuilder(const AttentionSpec &spec, OpBuilder &b, Location loc)
      : spec(spec), ib(loc, b) {}

  RankedTensorType getType(const std::string &dims, DType type) {
    SmallVector<int64_t> shape;
    for (char letter : dims)
      shape.push_back(letter == '_'       ? 1
                      : isDynamic(letter) ? ShapedType::kDynamic
                                          : spec.size(letter));
    return RankedTensorType::get(shape, elementType(type));
  }

  /// The type with the first two dims in one.
  RankedTensorType getFlatType(const std::string &dims, DType type) {
    RankedTensorType full = getType(dims, type);
    SmallVector<int64_t> shape(full.getShape().drop_front());
    shape[0] *= full.getDimSize(0);
    return RankedTensorType::get(shape, full.getElementType());
  }
  static SmallVector<ReassociationIndices> getFlatGroups(size_t rank) {
    SmallVector<ReassociationIndices> groups = {{0, 1}};
    for (size_t i = 2; i < rank; ++i)
      groups.push_back({static_cast<int64_t>(i)});
    return groups;
  }

  /// Makes the letters' sizes known to `empty`.
  void declare(Value value, const std::string &dims) {
    for (auto [i, letter] : llvm::enumerate(dims))
      if (isDynamic(letter) && !dynamicSizes.count(letter))
        dynamicSizes[letter] = tensor::DimOp::create(ib, value, i);
  }

  Value empty(const std::string &dims, DType type) {
    SmallVector<Value> sizes;
    for (char letter : dims)
      if (isDynamic(letter))
        sizes.push_back(dynamicSizes.at(letter));
    return tensor::EmptyOp::create(ib, getType(dims, type), sizes);
  }

  Value fill(const std::string &dims, DType type, double value) {
    Value init = empty(dims, type);
    return linalg::FillOp::create(ib, constant(type, value), init).getResult(0);
  }

  Value constant(DType type, double value) {
    auto floatType = llvm::cast<FloatType>(elementType(type));
    llvm::APFloat number(value);
    bool lost;
    number.convert(floatType.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &lost);
    return arith::ConstantOp::create(ib, FloatAttr::get(floatType, number));
  }

  /// A parallel generic over `outDims`; the inputs are broadcast or transposed
  /// by their letters. `body` gets the elements of the inputs.
  Value elementwise(ArrayRef<std::pair<Value, std::string>> inputs,
                    const std::string &outDims, DType type,
                    function_ref<Value(ValueRange)> body) {
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    for (auto &[value, dims] : inputs) {
      operands.push_back(value);
      maps.push_back(getMap(dims, outDims));
    }
    maps.push_back(getMap(outDims, outDims));
    SmallVector<utils::IteratorType> iterators(outDims.size(),
                                               utils::IteratorType::parallel);
    return generic(operands, empty(outDims, type), maps, iterators, body);
  }

  /// Reduces `dims` along the spec's keys.
  Value reduce(Value input, const std::string &dims, DType type, double init,
               function_ref<Value(ValueRange)> body) {
    std::string outDims = getRows();
    Value filled = fill(outDims, type, init);
    if (spec.style.named)
      return linalg::ReduceOp::create(
                 ib, input, filled, spec.softmaxDim(),
                 [&](OpBuilder &nested, Location, ValueRange arguments) {
                   OpBuilder::InsertionGuard guard(ib);
                   ib.setInsertionPoint(nested.getInsertionBlock(),
                                        nested.getInsertionPoint());
                   linalg::YieldOp::create(ib, body(arguments));
                 })
          ->getResult(0);
    SmallVector<utils::IteratorType> iterators;
    for (char letter : dims)
      iterators.push_back(letter == spec.keys ? utils::IteratorType::reduction
                                              : utils::IteratorType::parallel);
    return generic(input, filled, {getMap(dims, dims), getMap(outDims, dims)},
                   iterators, body);
  }
  /// Sums `dims` along one of them.
  Value sumAlong(char letter, Value input, const std::string &dims,
                 DType type) {
    std::string outDims = dims;
    outDims.erase(outDims.find(letter), 1);
    SmallVector<utils::IteratorType> iterators;
    for (char other : dims)
      iterators.push_back(other == letter ? utils::IteratorType::reduction
                                          : utils::IteratorType::parallel);
    return generic(input, fill(outDims, type, 0.0),
                   {getMap(dims, dims), getMap(outDims, dims)}, iterators,
                   [&](ValueRange args) -> Value {
                     return arith::AddFOp::create(ib, args[1], args[0]);
                   });
  }
  /// The dims of what a chain computes for each row.
  std::string getRows() {
    if (!spec.style.keepDims)
      return withoutKeys(spec.scores);
    std::string rows = spec.scores;
    rows[rows.find(spec.keys)] = '_';
    return rows;
  }
  /// `value` of each row as an operand next to the scores.
  std::pair<Value, std::string> spread(Value value, DType type) {
    if (!spec.style.broadcast && !spec.style.named)
      return {value, getRows()};
    Value init = empty(spec.scores, type);
    return {linalg::BroadcastOp::create(ib, value, init, spec.softmaxDim())
                ->getResult(0),
            spec.scores};
  }
  Value row(Value value, DType type, function_ref<Value(Value)> body) {
    return elementwise({{value, getRows()}}, getRows(), type,
                       [&](ValueRange args) { return body(args[0]); });
  }
  Value cast(Value value, const std::string &dims, DType from, DType to) {
    if (from == to)
      return value;
    return elementwise({{value, dims}}, dims, to, [&](ValueRange args) {
      return convertScalarToDtype(ib, ib.getLoc(), args[0], elementType(to),
                                  false);
    });
  }
  Value multiply(Value value, const std::string &dims, DType type, double by) {
    return elementwise(
        {{value, dims}}, dims, type, [&](ValueRange args) -> Value {
          return arith::MulFOp::create(ib, args[0], constant(type, by));
        });
  }

  /// The integers of `bytes`, each of which has two along its last dimension, as
  /// elements of `dims`.
  Value unpack(Value bytes, const std::string &dims) {
    std::string stored = spec.storedDims(dims);
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i)
      groups.push_back({i});
    groups.back().push_back(static_cast<int64_t>(dims.size()));
    auto type = llvm::cast<RankedTensorType>(bytes.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(1);
    SmallVector<Value> halves;
    for (bool isHigh : {false, true}) {
      Value half = elementwise(
          {{bytes, stored}}, stored, DType::I8, [&](ValueRange args) -> Value {
            Value number = arith::ConstantIntOp::create(
                ib, ib.getLoc(), isHigh ? 4 : 15, /*width=*/8);
            if (isHigh)
              return arith::ShRUIOp::create(ib, args[0], number);
            return arith::AndIOp::create(ib, args[0], number);
          });
      halves.push_back(tensor::ExpandShapeOp::create(
          ib, type.clone(shape), half, groups));
    }
    Value both = tensor::ConcatOp::create(
        ib, static_cast<int64_t>(dims.size()), halves);
    Value flat = tensor::CollapseShapeOp::create(
        ib, getType(dims, DType::I8), both, groups);
    return elementwise({{flat, dims}}, dims, DType::I8,
                       [&](ValueRange args) -> Value {
                         return arith::SubIOp::create(
                             ib, args[0],
                             arith::ConstantIntOp::create(ib, ib.getLoc(), 8,
                                                          /*width=*/8));
                       });
  }

  /// A contraction of the given form; `loops` names its iteration dims.
  Value contraction(ContractionForm form, Value lhs, const std::string &lhsDims,
                    Value rhs, const std::string &rhsDims, Value init,
                    const std::string &outDims, DType type, std::string &loops);
  /// The roots of negative tests.
  Value nonlinear(Value weights, const std::string &probDims, Value v,
                  Value init, std::string &loops);

  Value softmax(Value scores, Operation *&op, Value &max, Value &sum);
  Value softmaxChain(Value scores, bool guarded, Value &max, Value &sum);
  Value norm(Value scores, Value gamma, Value beta);
  Value normalizeRows(Value value, const std::string &dims, DType type);
  Value keepByIndex(Value scores, Value lengths);
  Value step(char step, Value weights, function_ref<Value(const char *)> input);
  Value reshape(const std::string &reshape, Value weights,
                const std::string &dims);

  std::string withoutKeys(std::string dims) {
    dims.erase(dims.find(spec.keys), 1);
    return dims;
  }

  const AttentionSpec &spec;
  ImplicitLocOpBuilder ib;

private:
  bool isDynamic(char letter) {
    return spec.dynamic.find(letter) != std::string::npos;
  }
  Type elementType(DType type) {
    return convertElementType(ib.getContext(), type);
  }
  AffineMap getMap(const std::string &dims, const std::string &loops) {
    SmallVector<AffineExpr> exprs;
    for (char letter : dims)
      exprs.push_back(loops.find(letter) == std::string::npos
                          ? ib.getAffineConstantExpr(0)
                          : ib.getAffineDimExpr(loops.find(letter)));
    return AffineMap::get(loops.size(), 0, exprs, ib.getContext());
  }
  Value generic(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                ArrayRef<utils::IteratorType> iterators,
                function_ref<Value(ValueRange)> body) {
    return linalg::GenericOp::create(
               ib, init.getType(), inputs, init, maps, iterators,
               [&](OpBuilder &nested, Location, ValueRange arguments) {
                 OpBuilder::InsertionGuard guard(ib);
                 ib.setInsertionPoint(nested.getInsertionBlock(),
                                      nested.getInsertionPoint());
                 Value result = body(arguments);
                 linalg::YieldOp::create(ib, result);
               })
        .getResult(0);
  }
  Value named(Value lhs, const std::string &lhsDims, Value rhs,
              const std::string &rhsDims, const std::string &outDims,
              Value init, std::string &loops);

  std::map<char, Value> dynamicSizes;
};
} // namespace

/// linalg.matmul or linalg.batch_matmul, plain or with one operand transposed;
/// null if the letters say something else.
Value GraphBuilder::named(Value lhs, const std::string &lhsDims, Value rhs,
                          const std::string &rhsDims,
                          const std::string &outDims, Value init,
                          std::string &loops) {
  size_t rank = outDims.size();
  if ((rank != 2 && rank != 3) || lhsDims.size() != rank ||
      rhsDims.size() != rank)
    return {};
  std::string batch = outDims.substr(0, rank - 2);
  char m = outDims[rank - 2], n = outDims[rank - 1];
  char k = 0;
  for (char letter : lhsDims)
    if (outDims.find(letter) == std::string::npos)
      k = letter;
  if (!k)
    return {};
  auto dims = [&](char row, char column) {
    return batch + std::string{row, column};
  };
  loops = outDims + k;
  SmallVector<Value> inputs = {lhs, rhs};
  auto make = [&](auto matmul, auto batchMatmul) -> Value {
    if (rank == 2)
      return decltype(matmul)::create(ib, ib.getLoc(), inputs, init)
          ->getResult(0);
    return decltype(batchMatmul)::create(ib, ib.getLoc(), inputs, init)
        ->getResult(0);
  };
  if (lhsDims == dims(m, k) && rhsDims == dims(k, n))
    return make(linalg::MatmulOp(), linalg::BatchMatmulOp());
  if (lhsDims == dims(m, k) && rhsDims == dims(n, k))
    return make(linalg::MatmulTransposeBOp(),
                linalg::BatchMatmulTransposeBOp());
  if (lhsDims == dims(k, m) && rhsDims == dims(k, n))
    return make(linalg::MatmulTransposeAOp(),
                linalg::BatchMatmulTransposeAOp());
  return {};
}

Value GraphBuilder::contraction(ContractionForm form, Value lhs,
                                const std::string &lhsDims, Value rhs,
                                const std::string &rhsDims, Value init,
                                const std::string &outDims, DType type,
                                std::string &loops) {
  oracle::Einsum einsum(lhsDims + "," + rhsDims + "->" + outDims);
  if (form == ContractionForm::Named) {
    std::string namedLoops;
    if (Value result =
            named(lhs, lhsDims, rhs, rhsDims, outDims, init, namedLoops)) {
      loops = namedLoops;
      return result;
    }
    form = ContractionForm::Generic;
  }
  // The contraction ops sum over dimensions of both operands only.
  for (char letter : einsum.reduced)
    if (lhsDims.find(letter) == std::string::npos ||
        rhsDims.find(letter) == std::string::npos)
      form = ContractionForm::Generic;
  if (loops.empty())
    loops = outDims + einsum.reduced;
  SmallVector<AffineMap> maps = {getMap(lhsDims, loops), getMap(rhsDims, loops),
                                 getMap(outDims, loops)};
  if (form == ContractionForm::Contract)
    return linalg::ContractOp::create(ib, init.getType(), ValueRange{lhs, rhs},
                                      ValueRange{init},
                                      ib.getAffineMapArrayAttr(maps))
        ->getResult(0);
  if (form == ContractionForm::BatchMatmul)
    return mlir::linalg_ext::BatchMatmulOp::create(ib, lhs, rhs, init, maps)
        ->getResult(0);
  SmallVector<utils::IteratorType> iterators;
  for (char letter : loops)
    iterators.push_back(outDims.find(letter) == std::string::npos
                            ? utils::IteratorType::reduction
                            : utils::IteratorType::parallel);
  Type element = elementType(type);
  return generic({lhs, rhs}, init, maps, iterators, [&](ValueRange args) {
    Value a = convertScalarToDtype(ib, ib.getLoc(), args[0], element, false);
    Value b = convertScalarToDtype(ib, ib.getLoc(), args[1], element, false);
    Value product = arith::MulFOp::create(ib, a, b);
    return Value(arith::AddFOp::create(ib, args[2], product));
  });
}

Value GraphBuilder::nonlinear(Value weights, const std::string &probDims,
                              Value v, Value init, std::string &loops) {
  oracle::Einsum einsum(probDims + "," + spec.v + "->" + spec.out);
  if (loops.empty())
    loops = spec.out + einsum.reduced;
  bool isReduction =
      spec.rootForm == RootForm::Reduce || spec.rootForm == RootForm::LogSumExp;
  SmallVector<utils::IteratorType> iterators;
  for (char letter : loops)
    iterators.push_back(spec.out.find(letter) == std::string::npos
                            ? utils::IteratorType::reduction
                            : utils::IteratorType::parallel);
  SmallVector<Value> inputs = {weights, v};
  SmallVector<AffineMap> maps = {getMap(probDims, loops),
                                 getMap(spec.v, loops)};
  if (isReduction) {
    inputs.pop_back();
    maps.pop_back();
  }
  if (spec.rootForm == RootForm::Twice) {
    inputs.push_back(weights);
    maps.push_back(maps[0]);
  }
  maps.push_back(getMap(spec.out, loops));
  Type element = elementType(spec.accType);
  if (loops == probDims && withoutKeys(probDims) == spec.out && isReduction &&
      spec.pvForm == ContractionForm::Named && spec.probType == spec.accType)
    return linalg::ReduceOp::create(
               ib, weights, init, static_cast<int64_t>(loops.find(spec.keys)),
               [&](OpBuilder &nested, Location, ValueRange args) {
                 OpBuilder::InsertionGuard guard(ib);
                 ib.setInsertionPoint(nested.getInsertionBlock(),
                                      nested.getInsertionPoint());
                 Value sum = arith::AddFOp::create(ib, args[0], args[1]);
                 linalg::YieldOp::create(ib, sum);
               })
        ->getResult(0);
  return generic(inputs, init, maps, iterators, [&](ValueRange args) -> Value {
    SmallVector<Value> converted;
    for (Value arg : args)
      converted.push_back(
          convertScalarToDtype(ib, ib.getLoc(), arg, element, false));
    Value acc = converted.pop_back_val();
    if (isReduction)
      return arith::AddFOp::create(ib, acc, converted[0]);
    Value term = arith::MulFOp::create(ib, converted[0], converted[1]);
    if (spec.rootForm == RootForm::Max)
      return arith::MaximumFOp::create(ib, acc, term);
    if (spec.rootForm != RootForm::Shifted)
      term = arith::MulFOp::create(
          ib, term,
          spec.rootForm == RootForm::Twice ? converted[2] : converted[0]);
    return arith::AddFOp::create(ib, acc, term);
  });
}

Value GraphBuilder::softmaxChain(Value scores, bool guarded, Value &max,
                                 Value &sum) {
  const std::string &dims = spec.scores;
  const ChainStyle &style = spec.style;
  DType type = spec.chainType();
  scores = cast(scores, dims, spec.scoreType, type);
  if (style.base2)
    scores = multiply(scores, dims, type, llvm::numbers::log2e);
  auto exp = [&](Value value) -> Value {
    return style.base2 ? Value(math::Exp2Op::create(ib, value))
                       : Value(math::ExpOp::create(ib, value));
  };
  /// select(value == singular, other, value)
  auto guard = [&](Value value, double singular, double other) {
    return row(value, type, [&](Value arg) -> Value {
      Value isMasked = arith::CmpFOp::create(ib, arith::CmpFPredicate::OEQ, arg,
                                             constant(type, singular));
      return arith::SelectOp::create(ib, isMasked, constant(type, other), arg);
    });
  };
  auto expMinus = [&](Value value) -> Value {
    auto other = spread(value, type);
    if (style.named) {
      Value difference =
          linalg::SubOp::create(ib, ValueRange{scores, other.first},
                                ValueRange{empty(dims, type)})
              ->getResult(0);
      if (!style.base2)
        return linalg::ExpOp::create(ib, ValueRange{difference},
                                     ValueRange{empty(dims, type)})
            ->getResult(0);
      return elementwise({{difference, dims}}, dims, type,
                         [&](ValueRange args) { return exp(args[0]); });
    }
    return elementwise(
        {{scores, dims}, other}, dims, type, [&](ValueRange args) {
          return exp(arith::SubFOp::create(ib, args[0], args[1]).getResult());
        });
  };

  Value weights, finiteMax;
  if (style.noMax) {
    weights = elementwise({{scores, dims}}, dims, type,
                          [&](ValueRange args) { return exp(args[0]); });
  } else {
    max = reduce(scores, dims, type, -kInf, [&](ValueRange args) -> Value {
      return arith::MaximumFOp::create(ib, args[0], args[1]);
    });
    finiteMax = guarded ? guard(max, -kInf, 0.0) : max;
    weights = expMinus(finiteMax);
  }
  if (spec.rootForm == RootForm::LogSumExp)
    return weights;
  sum = reduce(weights, dims, type, 0.0, [&](ValueRange args) -> Value {
    return arith::AddFOp::create(ib, args[0], args[1]);
  });
  Value divisor = guarded ? guard(sum, 0.0, 1.0) : sum;
  if (style.sink) {
    auto addSink = [&](ValueRange args) -> Value {
      Value difference = constant(type, kSink);
      if (finiteMax)
        difference = arith::SubFOp::create(ib, difference, args[1]);
      return arith::AddFOp::create(ib, args[0], exp(difference));
    };
    SmallVector<std::pair<Value, std::string>> rows = {{divisor, getRows()}};
    if (finiteMax)
      rows.push_back({finiteMax, getRows()});
    divisor = elementwise(rows, getRows(), type, addSink);
  }
  if (style.divideAfter) {
    sum = divisor;
    return cast(weights, dims, type, spec.scoreType);
  }
  if (style.lse) {
    Value lse = elementwise({{finiteMax, getRows()}, {divisor, getRows()}},
                            getRows(), type, [&](ValueRange args) -> Value {
                              Value log =
                                  style.base2
                                      ? Value(math::Log2Op::create(ib, args[1]))
                                      : Value(math::LogOp::create(ib, args[1]));
                              return arith::AddFOp::create(ib, args[0], log);
                            });
    weights = expMinus(lse);
  } else if (style.reciprocal) {
    Value inverse = row(divisor, type, [&](Value arg) -> Value {
      return arith::DivFOp::create(ib, constant(type, 1.0), arg);
    });
    weights = elementwise({{weights, dims}, spread(inverse, type)}, dims, type,
                          [&](ValueRange args) -> Value {
                            return arith::MulFOp::create(ib, args[0], args[1]);
                          });
  } else if (style.named) {
    Value other = spread(divisor, type).first;
    weights = linalg::DivOp::create(ib, ValueRange{weights, other},
                                    ValueRange{empty(dims, type)})
                  ->getResult(0);
  } else {
    weights = elementwise({{weights, dims}, spread(divisor, type)}, dims, type,
                          [&](ValueRange args) -> Value {
                            return arith::DivFOp::create(ib, args[0], args[1]);
                          });
  }
  return cast(weights, dims, type, spec.scoreType);
}

/// Normalisations of rows other than softmax, in the type of the scores.
Value GraphBuilder::norm(Value scores, Value gamma, Value beta) {
  const std::string &dims = spec.scores;
  DType type = spec.scoreType;
  std::string rows = getRows();
  double inverseSize = 1.0 / static_cast<double>(spec.size(spec.keys));
  auto add = [&](ValueRange args) -> Value {
    return arith::AddFOp::create(ib, args[0], args[1]);
  };
  auto mul = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(ib, a, b);
  };
  auto combine = [&](Value perRow, function_ref<Value(Value, Value)> body) {
    return elementwise({{scores, dims}, spread(perRow, type)}, dims, type,
                       [&](ValueRange args) { return body(args[0], args[1]); });
  };
  auto reduceSum = [&](Value value) {
    return reduce(value, dims, type, 0.0, add);
  };
  auto sumOfSquares = [&](Value value) {
    return reduceSum(
        elementwise({{value, dims}}, dims, type,
                    [&](ValueRange args) { return mul(args[0], args[0]); }));
  };
  bool divides = spec.softmaxForm == SoftmaxForm::LayerNormQuotient;
  auto rsqrt = [&](Value value) -> Value {
    Value mean = mul(value, constant(type, inverseSize));
    Value more = arith::AddFOp::create(ib, mean, constant(type, kEpsilon));
    if (divides)
      return math::SqrtOp::create(ib, more);
    return math::RsqrtOp::create(ib, more);
  };
  auto center = [&] {
    Value mean = row(reduceSum(scores), type, [&](Value x) {
      return mul(x, constant(type, inverseSize));
    });
    return combine(mean, [&](Value x, Value perRow) -> Value {
      return arith::SubFOp::create(ib, x, perRow);
    });
  };
  switch (spec.softmaxForm) {
  case SoftmaxForm::Rms:
  case SoftmaxForm::RmsInline: {
    Value sum = sumOfSquares(scores);
    bool isInline = spec.softmaxForm == SoftmaxForm::RmsInline;
    if (!isInline)
      sum = row(sum, type, rsqrt);
    Value scaled = combine(sum, [&](Value x, Value perRow) {
      return mul(x, isInline ? rsqrt(perRow) : perRow);
    });
    return elementwise({{scaled, dims}, {gamma, {spec.keys}}}, dims, type,
                       [&](ValueRange args) { return mul(args[0], args[1]); });
  }
  case SoftmaxForm::L1:
  case SoftmaxForm::MaxAbs: {
    Value magnitudes = elementwise({{scores, dims}}, dims, type,
                                   [&](ValueRange args) -> Value {
                                     return math::AbsFOp::create(ib, args[0]);
                                   });
    Value perRow =
        spec.softmaxForm == SoftmaxForm::L1
            ? reduceSum(magnitudes)
            : reduce(magnitudes, dims, type, -kInf,
                     [&](ValueRange args) -> Value {
                       return arith::MaximumFOp::create(ib, args[0], args[1]);
                     });
    return combine(perRow, [&](Value x, Value divisor) -> Value {
      return arith::DivFOp::create(ib, x, divisor);
    });
  }
  case SoftmaxForm::Center:
    return center();
  case SoftmaxForm::LayerNorm:
  case SoftmaxForm::LayerNormBias:
  case SoftmaxForm::LayerNormQuotient: {
    scores = center();
    Value scaled = combine(row(sumOfSquares(scores), type, rsqrt),
                           [&](Value x, Value perRow) -> Value {
                             if (divides)
                               return arith::DivFOp::create(ib, x, perRow);
                             return mul(x, perRow);
                           });
    if (!spec.hasBias())
      return scaled;
    return elementwise(
        {{scaled, dims}, {gamma, {spec.keys}}, {beta, {spec.keys}}}, dims, type,
        [&](ValueRange args) -> Value {
          return arith::AddFOp::create(ib, mul(args[0], args[1]), args[2]);
        });
  }
  default:
    llvm_unreachable("not a norm");
  }
}

/// x / sqrt(sum(x x) + eps), summed over what the scores do not have.
Value GraphBuilder::normalizeRows(Value value, const std::string &dims,
                                  DType type) {
  std::string rows;
  SmallVector<utils::IteratorType> iterators;
  for (char letter : dims) {
    bool isRow = spec.scores.find(letter) != std::string::npos;
    iterators.push_back(isRow ? utils::IteratorType::parallel
                              : utils::IteratorType::reduction);
    if (isRow)
      rows += letter;
  }
  Value sum = generic(
      value, fill(rows, type, 0.0), {getMap(dims, dims), getMap(rows, dims)},
      iterators, [&](ValueRange args) -> Value {
        Value square = arith::MulFOp::create(ib, args[0], args[0]);
        return arith::AddFOp::create(ib, args[1], square);
      });
  return elementwise(
      {{value, dims}, {sum, rows}}, dims, type, [&](ValueRange args) -> Value {
        Value more =
            arith::AddFOp::create(ib, args[1], constant(type, kEpsilon));
        Value root = math::SqrtOp::create(ib, more);
        return arith::DivFOp::create(ib, args[0], root);
      });
}

/// Masks by the position of the key.
Value GraphBuilder::keepByIndex(Value scores, Value lengths) {
  const std::string &dims = spec.scores;
  SmallVector<std::pair<Value, std::string>> inputs = {{scores, dims}};
  if (lengths)
    inputs.push_back({lengths, spec.maskDims});
  using Predicate = arith::CmpIPredicate;
  return elementwise(
      inputs, dims, spec.scoreType, [&](ValueRange args) -> Value {
        Value query = linalg::IndexOp::create(ib, dims.find(spec.queries));
        Value key = linalg::IndexOp::create(ib, dims.find(spec.keys));
        Value width = arith::ConstantIndexOp::create(ib, spec.maskWidth);
        Value keep;
        switch (spec.mask) {
        case MaskForm::Causal:
          keep = arith::CmpIOp::create(ib, Predicate::ule, key, query);
          break;
        case MaskForm::Window: {
          Value distance = arith::SubIOp::create(ib, key, query);
          Value other = arith::SubIOp::create(ib, query, key);
          distance = arith::MaxSIOp::create(ib, distance, other);
          keep = arith::CmpIOp::create(ib, Predicate::sle, distance, width);
          break;
        }
        case MaskForm::Prefix: {
          Value isPrefix =
              arith::CmpIOp::create(ib, Predicate::ult, key, width);
          keep = arith::CmpIOp::create(ib, Predicate::ule, key, query);
          keep = arith::OrIOp::create(ib, keep, isPrefix);
          break;
        }
        default: {
          Value length =
              arith::IndexCastOp::create(ib, ib.getIndexType(), args[1]);
          keep = arith::CmpIOp::create(ib, Predicate::slt, key, length);
        }
        }
        return arith::SelectOp::create(ib, keep, args[0],
                                       constant(spec.scoreType, -kInf));
      });
}

Value GraphBuilder::step(char step, Value weights,
                         function_ref<Value(const char *)> input) {
  const std::string &dims = spec.scores;
  DType type = spec.probType;
  auto each = [&](function_ref<Value(Value)> body) {
    return elementwise({{weights, dims}}, dims, type,
                       [&](ValueRange args) { return body(args[0]); });
  };
  auto mul = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(ib, a, b);
  };
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddFOp::create(ib, a, b);
  };
  auto keepAbove = [&](Value x, double limit) -> Value {
    Value keep = arith::CmpFOp::create(ib, arith::CmpFPredicate::UGT, x,
                                       constant(type, limit));
    return arith::SelectOp::create(ib, keep, x, constant(type, 0.0));
  };
  switch (step) {
  case 'f':
    return multiply(weights, dims, type, kFactor);
  case 'g':
    return each([&](Value x) -> Value {
      return arith::DivFOp::create(ib, x, constant(type, kOtherFactor));
    });
  case 'n':
    return each([&](Value x) -> Value { return arith::NegFOp::create(ib, x); });
  case 'a':
    return each([&](Value x) -> Value { return math::AbsFOp::create(ib, x); });
  case 'r':
    return each([&](Value x) -> Value {
      return arith::MaximumFOp::create(ib, x, constant(type, 0.0));
    });
  case 'p':
    return each([&](Value x) { return keepAbove(x, 0.0); });
  case 't':
    return each([&](Value x) { return keepAbove(x, kThreshold); });
  case 'q':
    return each([&](Value x) { return mul(x, x); });
  case 's':
    return each([&](Value x) -> Value { return math::SqrtOp::create(ib, x); });
  case 'c':
    return each([&](Value x) {
      return add(mul(x, constant(type, kFactor)),
                 mul(x, constant(type, kOtherFactor)));
    });
  case 'C': {
    Value one = multiply(weights, dims, type, kFactor);
    Value two = multiply(weights, dims, type, kOtherFactor);
    return elementwise({{one, dims}, {two, dims}}, dims, type,
                       [&](ValueRange args) { return add(args[0], args[1]); });
  }
  case 'x':
    return each([&](Value x) { return add(x, mul(x, x)); });
  case '+':
    return each([&](Value x) { return add(x, constant(type, 1.0)); });
  case 'k':
  case 'K': {
    std::string columns = dims;
    columns.erase(columns.find(spec.queries), 1);
    Value sums = sumAlong(spec.queries, weights, dims, type);
    return elementwise(
        {{weights, dims}, {sums, columns}}, dims, type, [&](ValueRange args) {
          return step == 'k' ? mul(args[0], args[1]) : add(args[0], args[1]);
        });
  }
  case 'e':
    return each([&](Value x) -> Value { return math::ExpOp::create(ib, x); });
  case 'd':
    return elementwise({{weights, dims}, {input("keep"), dims}}, dims, type,
                       [&](ValueRange args) -> Value {
                         Value scaled = arith::DivFOp::create(
                             ib, args[0], constant(type, kKept));
                         return arith::SelectOp::create(ib, args[1], scaled,
                                                        constant(type, 0.0));
                       });
  case 'D':
    return elementwise({{weights, dims}, {input("drop"), dims}}, dims, type,
                       [&](ValueRange args) {
                         return mul(mul(args[0], args[1]),
                                    constant(type, 1.0 / kKept));
                       });
  case 'm': {
    std::string loops;
    std::string mix = {'j', spec.keys};
    return contraction(ContractionForm::Generic, weights, dims, input("mix"),
                       mix, fill(dims, type, 0.0), dims, type, loops);
  }
  case 'R': {
    SmallVector<ReassociationIndices> groups = getFlatGroups(dims.size());
    auto full = getType(dims, type);
    Value merged = tensor::CollapseShapeOp::create(ib, getFlatType(dims, type),
                                                   weights, groups);
    return tensor::ExpandShapeOp::create(ib, full, merged, groups);
  }
  default:
    llvm_unreachable("not a step");
  }
}

/// One of the spec's reshapes of `weights`, which has `dims`.
Value GraphBuilder::reshape(const std::string &reshape, Value weights,
                            const std::string &dims) {
  size_t arrow = reshape.find('>');
  std::string from = reshape.substr(0, arrow), to = reshape.substr(arrow + 1);
  std::string newDims = AttentionSpec::reshaped(dims, reshape);
  if (from.size() == to.size())
    return elementwise({{weights, dims}}, newDims, spec.probType,
                       [](ValueRange args) { return args[0]; });
  bool merges = from.size() > to.size();
  SmallVector<ReassociationIndices> groups;
  const std::string &flat = merges ? newDims : dims;
  int64_t next = 0;
  for (char letter : flat) {
    bool isGroup = letter == (merges ? to : from)[0];
    groups.emplace_back();
    for (size_t i = 0, n = isGroup ? std::max(from.size(), to.size()) : 1;
         i < n; ++i)
      groups.back().push_back(next++);
  }
  if (merges) {
    Value merged = tensor::CollapseShapeOp::create(
        ib, getType(newDims, spec.probType), weights, groups);
    declare(merged, newDims);
    return merged;
  }
  // The size of one letter may be what is left of the dim.
  for (char letter : to) {
    if (!isDynamic(letter) || dynamicSizes.count(letter))
      continue;
    Value size = tensor::DimOp::create(ib, weights, dims.find(from));
    for (char other : to)
      if (other != letter) {
        Value by = isDynamic(other)
                       ? dynamicSizes.at(other)
                       : arith::ConstantIndexOp::create(ib, spec.size(other))
                             .getResult();
        size = arith::DivUIOp::create(ib, size, by);
      }
    dynamicSizes[letter] = size;
  }
  SmallVector<OpFoldResult> sizes;
  for (char letter : newDims) {
    if (!isDynamic(letter))
      sizes.push_back(ib.getIndexAttr(spec.size(letter)));
    else
      sizes.push_back(dynamicSizes.at(letter));
  }
  return tensor::ExpandShapeOp::create(ib, getType(newDims, spec.probType),
                                       weights, groups, sizes);
}

Value GraphBuilder::softmax(Value scores, Operation *&op, Value &max,
                            Value &sum) {
  const std::string &dims = spec.scores;
  switch (spec.softmaxForm) {
  case SoftmaxForm::Chain:
    return softmaxChain(scores, /*guarded=*/false, max, sum);
  case SoftmaxForm::Guarded:
    return softmaxChain(scores, /*guarded=*/true, max, sum);
  case SoftmaxForm::Named:
    op = linalg::SoftmaxOp::create(ib, TypeRange{scores.getType()}, scores,
                                   empty(dims, spec.scoreType),
                                   ib.getI64IntegerAttr(spec.softmaxDim()));
    return op->getResult(0);
  default:
    break;
  }
  std::string rows = withoutKeys(dims);
  DType state = oracle::getStateType(spec.scoreType);
  SmallVector<Value> inits = {empty(dims, spec.scoreType),
                              fill(rows, state, -kInf), fill(rows, state, 0.0),
                              empty(rows, state)};
  op =
      mlir::linalg_ext::SoftmaxOp::create(ib, scores, inits, spec.softmaxDim());
  max = op->getResult(1);
  sum = op->getResult(2);
  return op->getResult(0);
}

AttentionGraph linalg_ext_test::buildAttention(MLIRContext *context,
                                               const AttentionSpec &spec) {
  AttentionGraph graph;
  graph.spec = spec;
  OpBuilder b(context);
  Location loc = b.getUnknownLoc();
  graph.module = ModuleOp::create(b, loc);
  b.setInsertionPointToEnd(graph.module->getBody());
  GraphBuilder g(spec, b, loc);

  // The signature.
  std::vector<GraphInput> inputs = spec.inputs();
  SmallVector<Type> inputTypes, outputTypes;
  auto isFlat = [&](const GraphInput &input) {
    return spec.isFlat(input.dims) &&
           (input.name == "q" || input.name == "k" || input.name == "v");
  };
  for (const GraphInput &input : inputs)
    inputTypes.push_back(isFlat(input) ? g.getFlatType(input.dims, input.type)
                                       : g.getType(input.dims, input.type));
  Type outType = g.getType(spec.out, spec.outType);
  outputTypes.push_back(
      spec.isFlat(spec.out) ? g.getFlatType(spec.out, spec.outType) : outType);
  outputTypes.append(spec.returnScores + spec.returnWeights,
                     g.getType(spec.scores, spec.scoreType));
  if (spec.returnState)
    outputTypes.append(
        2, g.getType(g.getRows(), spec.isChain()
                                      ? spec.chainType()
                                      : oracle::getStateType(spec.scoreType)));
  if (spec.secondRoot)
    outputTypes.push_back(outType);
  if (spec.returnWeightSums)
    outputTypes.push_back(g.getType(g.withoutKeys(spec.scores), spec.probType));
  if (spec.returnLogSumExp)
    outputTypes.push_back(g.getType(
        g.getRows(), spec.isChain() ? spec.chainType()
                                    : oracle::getStateType(spec.scoreType)));
  graph.func = func::FuncOp::create(b, loc, "main",
                                    b.getFunctionType(inputTypes, outputTypes));
  Block *entry = graph.func.addEntryBlock();
  g.ib.setInsertionPointToStart(entry);
  SmallVector<Value> arguments;
  for (auto [argument, input] : llvm::zip(entry->getArguments(), inputs)) {
    Value value = argument;
    if (isFlat(input))
      value = tensor::ExpandShapeOp::create(
          g.ib, g.getType(input.dims, input.type), argument,
          g.getFlatGroups(input.dims.size()));
    g.declare(value, input.dims);
    arguments.push_back(value);
  }
  for (auto [argument, input] : llvm::zip(arguments, inputs)) {
    const std::string &dims = input.name == "k"   ? spec.k
                              : input.name == "v" ? spec.v
                                                  : input.dims;
    if (spec.stored && (input.name == "k" || input.name == "v")) {
      if (spec.packed)
        argument = g.unpack(argument, dims);
      argument = g.multiply(g.cast(argument, dims, input.type, spec.type), dims,
                            spec.type, AttentionSpec::storedScale);
    }
    if (spec.prologue &&
        (input.name == "q" || input.name == "k" || input.name == "v"))
      argument = g.multiply(argument, dims, spec.type, *spec.prologue);
  }
  auto getInput = [&](const char *name) {
    return arguments[spec.inputNumber(name)];
  };
  Value v = getInput("v");
  Value mask = spec.hasMaskInput() ? getInput("mask") : Value();

  // Scores.
  Value scores = arguments[0];
  if (!spec.scoresAreInput) {
    std::string loops;
    Value q = arguments[0], k = arguments[1];
    if (spec.normalizeQK) {
      q = g.normalizeRows(q, spec.q, spec.type);
      k = g.normalizeRows(k, spec.k, spec.type);
    }
    Value init = g.fill(spec.scores, spec.scoreType, 0.0);
    scores = spec.qkSwapped
                 ? g.contraction(spec.qkForm, k, spec.k, q, spec.q, init,
                                 spec.scores, spec.scoreType, loops)
                 : g.contraction(spec.qkForm, q, spec.q, k, spec.k, init,
                                 spec.scores, spec.scoreType, loops);
    graph.firstContraction = scores.getDefiningOp();
  }
  const std::string &dims = spec.scores;
  DType type = spec.scoreType;
  ImplicitLocOpBuilder &ib = g.ib;
  if (spec.scale)
    scores = g.multiply(scores, dims, type, *spec.scale);
  if (spec.softcap)
    scores = g.elementwise({{scores, dims}}, dims, type,
                           [&](ValueRange args) -> Value {
                             Value cap = g.constant(type, *spec.softcap);
                             Value x = arith::DivFOp::create(ib, args[0], cap);
                             x = math::TanhOp::create(ib, x);
                             return arith::MulFOp::create(ib, x, cap);
                           });
  if (spec.alibi)
    scores = g.elementwise(
        {{scores, dims}}, dims, type, [&](ValueRange args) -> Value {
          Value query = linalg::IndexOp::create(ib, dims.find(spec.queries));
          Value key = linalg::IndexOp::create(ib, dims.find(spec.keys));
          Value distance = arith::IndexCastOp::create(
              ib, ib.getI32Type(),
              arith::SubIOp::create(ib, key, query).getResult());
          Value bias = arith::SIToFPOp::create(ib, args[0].getType(), distance);
          bias = arith::MulFOp::create(ib, bias, g.constant(type, *spec.alibi));
          return arith::AddFOp::create(ib, args[0], bias);
        });
  switch (spec.mask) {
  case MaskForm::None:
    break;
  case MaskForm::Additive:
    scores = g.elementwise({{scores, dims}, {mask, spec.maskDims}}, dims, type,
                           [&](ValueRange args) -> Value {
                             return arith::AddFOp::create(ib, args[0], args[1]);
                           });
    break;
  case MaskForm::Boolean:
    scores = g.elementwise({{scores, dims}, {mask, spec.maskDims}}, dims, type,
                           [&](ValueRange args) -> Value {
                             return arith::SelectOp::create(
                                 ib, args[1], args[0], g.constant(type, -kInf));
                           });
    break;
  case MaskForm::Causal:
  case MaskForm::Window:
  case MaskForm::Prefix:
  case MaskForm::Lengths:
    scores = g.keepByIndex(scores, mask);
    break;
  }

  // Weights.
  Value max, sum;
  auto findInput = [&](const char *name) {
    return spec.inputNumber(name) < inputs.size() ? getInput(name) : Value();
  };
  Value weights = spec.isNorm()
                      ? g.norm(scores, findInput("gamma"), findInput("beta"))
                      : g.softmax(scores, graph.softmax, max, sum);
  Value softmaxWeights = weights, logSumExp;
  if (spec.returnLogSumExp)
    logSumExp = mlir::linalg_ext::buildLogSumExp(ib, ib.getLoc(), max, sum);
  if (spec.rootForm != RootForm::LogSumExp)
    weights = g.cast(weights, dims, spec.scoreType, spec.probType);
  for (char step : spec.path)
    weights = g.step(step, weights, getInput);
  if (spec.rootForm == RootForm::Shifted)
    weights = g.step('+', weights, getInput);
  Value reshaped = weights;
  std::string reshapedDims = dims;
  for (const std::string &reshape : spec.reshapes) {
    weights = g.reshape(reshape, weights, reshapedDims);
    reshapedDims = AttentionSpec::reshaped(reshapedDims, reshape);
  }
  if (spec.probFactor)
    weights =
        g.multiply(weights, reshapedDims, spec.probType, *spec.probFactor);
  std::string probDims = spec.weightDims();
  if (probDims != reshapedDims)
    weights = g.elementwise({{weights, reshapedDims}}, probDims, spec.probType,
                            [&](ValueRange args) { return args[0]; });

  // The root.
  graph.rootLoops = spec.rootLoops;
  Value init =
      spec.initIsInput ? arguments.back() : g.fill(spec.out, spec.accType, 0.0);
  auto contract = [&](ContractionForm form, Value init, std::string &loops) {
    if (spec.pvSwapped)
      return g.contraction(form, v, spec.v, weights, probDims, init, spec.out,
                           spec.accType, loops);
    return g.contraction(form, weights, probDims, v, spec.v, init, spec.out,
                         spec.accType, loops);
  };
  Value out;
  if (spec.rootForm != RootForm::Sum)
    out = g.nonlinear(weights, probDims, v, init, graph.rootLoops);
  else
    out = contract(spec.pvForm, init, graph.rootLoops);
  graph.root = out.getDefiningOp();
  Type accElement = convertElementType(context, spec.accType);
  auto finish = [&](Value out) {
    // What the rows still lack.
    Value perRow = spec.rootForm == RootForm::LogSumExp ? max
                   : spec.style.divideAfter             ? sum
                                                        : Value();
    if (perRow)
      out = g.elementwise({{out, spec.out}, {perRow, g.getRows()}}, spec.out,
                          spec.accType, [&](ValueRange args) -> Value {
                            Value other = convertScalarToDtype(
                                ib, loc, args[1], accElement, false);
                            if (spec.rootForm == RootForm::LogSumExp) {
                              Value log = math::LogOp::create(ib, args[0]);
                              return arith::AddFOp::create(ib, other, log);
                            }
                            return arith::DivFOp::create(ib, args[0], other);
                          });
    return g.cast(out, spec.out, spec.accType, spec.outType);
  };
  SmallVector<Value> results = {finish(out)};
  if (spec.isFlat(spec.out))
    results[0] = tensor::CollapseShapeOp::create(
        ib, outputTypes[0], results[0], g.getFlatGroups(spec.out.size()));
  if (spec.returnScores)
    results.push_back(scores);
  if (spec.returnWeights)
    results.push_back(softmaxWeights);
  if (spec.returnState)
    results.append({max, sum});
  if (spec.secondRoot) {
    std::string loops;
    results.push_back(finish(contract(
        ContractionForm::Generic, g.fill(spec.out, spec.accType, 0.0), loops)));
  }
  if (spec.returnWeightSums)
    results.push_back(
        g.sumAlong(spec.keys, reshaped, spec.scores, spec.probType));
  if (spec.returnLogSumExp)
    results.push_back(logSumExp);
  func::ReturnOp::create(ib, results);
  return graph;
}
