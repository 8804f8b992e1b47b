//===- Graphs.cpp - Test graphs and their meaning -------------------------===//
//
// See Graphs.h.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include "Execute.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <cmath>
#include <limits>
#include <sstream>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;

static constexpr double kInf = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

const char *linalg_ext_test::getName(ContractionForm form) {
  switch (form) {
  case ContractionForm::Generic:
    return "generic";
  case ContractionForm::Named:
    return "named";
  case ContractionForm::Contract:
    return "contract";
  case ContractionForm::BatchMatmul:
    return "batch_matmul";
  }
  return "?";
}

const char *linalg_ext_test::getName(SoftmaxForm form) {
  switch (form) {
  case SoftmaxForm::Ext:
    return "ext";
  case SoftmaxForm::Named:
    return "named";
  case SoftmaxForm::Chain:
    return "chain";
  case SoftmaxForm::Guarded:
    return "guarded";
  }
  return "?";
}

const char *linalg_ext_test::getName(MaskForm form) {
  switch (form) {
  case MaskForm::None:
    return "none";
  case MaskForm::Additive:
    return "additive";
  case MaskForm::Boolean:
    return "boolean";
  case MaskForm::Causal:
    return "causal";
  }
  return "?";
}

oracle::Shape AttentionSpec::shape(const std::string &letters) const {
  oracle::Shape shape;
  for (char letter : letters)
    shape.push_back(size(letter));
  return shape;
}

std::string AttentionSpec::describe() const {
  std::ostringstream os;
  if (scoresAreInput)
    os << scores << "," << v << "->" << out;
  else
    os << q << "," << k << "->" << scores << "," << v << "->" << out;
  os << " keys=" << keys << " {";
  const char *separator = "";
  for (auto [letter, size] : sizes) {
    os << separator << letter << "=" << size
       << (dynamic.find(letter) != std::string::npos ? "?" : "");
    separator = " ";
  }
  os << "} " << oracle::getName(type) << "/" << oracle::getName(scoreType)
     << "/" << oracle::getName(probType) << "/" << oracle::getName(accType)
     << "/" << oracle::getName(outType);
  if (scale)
    os << " scale=" << *scale;
  os << " mask=" << getName(mask);
  if (hasMaskInput())
    os << "[" << maskDims << "]";
  if (probFactor)
    os << " prob*" << *probFactor;
  if (!probDims.empty())
    os << " prob->" << probDims;
  os << " qk=" << getName(qkForm) << (qkSwapped ? "(swapped)" : "")
     << " softmax=" << getName(softmaxForm) << " pv=" << getName(pvForm)
     << (pvSwapped ? "(swapped)" : "");
  if (!rootLoops.empty())
    os << " loops=" << rootLoops;
  if (initIsInput)
    os << " init-is-input";
  if (returnScores)
    os << " returns-scores";
  if (returnWeights)
    os << " returns-weights";
  if (returnState)
    os << " returns-state";
  if (returnLogSumExp)
    os << " returns-log-sum-exp";
  if (rootForm != RootForm::Sum)
    os << " root-form=" << static_cast<int>(rootForm);
  return os.str();
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

namespace {
/// Builds the ops of a graph; a value goes with the letters of its dims.
class GraphBuilder {
public:
  GraphBuilder(const AttentionSpec &spec, OpBuilder &b, Location loc)
      : spec(spec), ib(loc, b) {}

  RankedTensorType getType(const std::string &dims, DType type) {
    SmallVector<int64_t> shape;
    for (char letter : dims)
      shape.push_back(isDynamic(letter) ? ShapedType::kDynamic
                                        : spec.size(letter));
    return RankedTensorType::get(shape, elementType(type));
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
    auto floatType = cast<FloatType>(elementType(type));
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
    std::string outDims = withoutKeys(dims);
    SmallVector<utils::IteratorType> iterators;
    for (char letter : dims)
      iterators.push_back(letter == spec.keys ? utils::IteratorType::reduction
                                              : utils::IteratorType::parallel);
    return generic(input, fill(outDims, type, init),
                   {getMap(dims, dims), getMap(outDims, dims)}, iterators,
                   body);
  }

  /// A contraction of the given form; `loops` names its iteration dims.
  Value contraction(ContractionForm form, Value lhs, const std::string &lhsDims,
                    Value rhs, const std::string &rhsDims, Value init,
                    const std::string &outDims, DType type, std::string &loops);
  /// The roots of negative tests.
  Value nonlinear(Value weights, Value v, Value init, std::string &loops);

  Value softmax(Value scores, Operation *&op, Value &max, Value &sum);
  Value softmaxChain(Value scores, bool guarded, Value &max, Value &sum);

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
      exprs.push_back(ib.getAffineDimExpr(loops.find(letter)));
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

Value GraphBuilder::nonlinear(Value weights, Value v, Value init,
                              std::string &loops) {
  oracle::Einsum einsum(spec.scores + "," + spec.v + "->" + spec.out);
  loops = spec.out + einsum.reduced;
  SmallVector<utils::IteratorType> iterators(spec.out.size(),
                                             utils::IteratorType::parallel);
  iterators.append(einsum.reduced.size(), utils::IteratorType::reduction);
  SmallVector<Value> inputs = {weights, v};
  SmallVector<AffineMap> maps = {getMap(spec.scores, loops),
                                 getMap(spec.v, loops)};
  if (spec.rootForm == RootForm::Twice) {
    inputs.push_back(weights);
    maps.push_back(maps[0]);
  }
  maps.push_back(getMap(spec.out, loops));
  Type element = elementType(spec.accType);
  return generic(inputs, init, maps, iterators, [&](ValueRange args) -> Value {
    SmallVector<Value> converted;
    for (Value arg : args)
      converted.push_back(
          convertScalarToDtype(ib, ib.getLoc(), arg, element, false));
    Value acc = converted.pop_back_val();
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

Value GraphBuilder::softmaxChain(Value scores, bool guarded, Value &stateMax,
                                 Value &stateSum) {
  const std::string &dims = spec.scores;
  DType type = spec.scoreType;
  std::string rows = withoutKeys(dims);
  Value max = reduce(scores, dims, type, -kInf, [&](ValueRange args) -> Value {
    return arith::MaximumFOp::create(ib, args[0], args[1]);
  });
  stateMax = max;
  if (guarded)
    max = elementwise({{max, rows}}, rows, type, [&](ValueRange args) -> Value {
      Value isMasked = arith::CmpFOp::create(ib, arith::CmpFPredicate::OEQ,
                                             args[0], constant(type, -kInf));
      return arith::SelectOp::create(ib, isMasked, constant(type, 0.0),
                                     args[0]);
    });
  Value exp = elementwise(
      {{scores, dims}, {max, rows}}, dims, type, [&](ValueRange args) -> Value {
        return math::ExpOp::create(
            ib, arith::SubFOp::create(ib, args[0], args[1]).getResult());
      });
  Value sum = reduce(exp, dims, type, 0.0, [&](ValueRange args) -> Value {
    return arith::AddFOp::create(ib, args[0], args[1]);
  });
  stateSum = sum;
  if (guarded)
    sum = elementwise({{sum, rows}}, rows, type, [&](ValueRange args) -> Value {
      Value isMasked = arith::CmpFOp::create(ib, arith::CmpFPredicate::OEQ,
                                             args[0], constant(type, 0.0));
      return arith::SelectOp::create(ib, isMasked, constant(type, 1.0),
                                     args[0]);
    });
  return elementwise({{exp, dims}, {sum, rows}}, dims, type,
                     [&](ValueRange args) -> Value {
                       return arith::DivFOp::create(ib, args[0], args[1]);
                     });
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
  case SoftmaxForm::Ext:
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
  SmallVector<std::pair<std::string, DType>> inputs;
  if (spec.scoresAreInput)
    inputs = {{spec.scores, spec.scoreType}, {spec.v, spec.type}};
  else
    inputs = {{spec.q, spec.type}, {spec.k, spec.type}, {spec.v, spec.type}};
  if (spec.hasMaskInput())
    inputs.push_back({spec.maskDims, spec.mask == MaskForm::Boolean
                                         ? DType::I1
                                         : spec.scoreType});
  if (spec.initIsInput)
    inputs.push_back({spec.out, spec.accType});
  SmallVector<Type> inputTypes, outputTypes;
  for (auto &[dims, type] : inputs)
    inputTypes.push_back(g.getType(dims, type));
  outputTypes.push_back(g.getType(spec.out, spec.outType));
  outputTypes.append(spec.returnScores + spec.returnWeights,
                     g.getType(spec.scores, spec.scoreType));
  if (spec.returnState)
    outputTypes.append(2, g.getType(g.withoutKeys(spec.scores),
                                    oracle::getStateType(spec.scoreType)));
  if (spec.returnLogSumExp)
    outputTypes.push_back(g.getType(g.withoutKeys(spec.scores),
                                    spec.softmaxForm == SoftmaxForm::Ext
                                        ? oracle::getStateType(spec.scoreType)
                                        : spec.scoreType));
  graph.func = func::FuncOp::create(b, loc, "main",
                                    b.getFunctionType(inputTypes, outputTypes));
  Block *entry = graph.func.addEntryBlock();
  g.ib.setInsertionPointToStart(entry);
  for (auto [argument, input] : llvm::zip(entry->getArguments(), inputs))
    g.declare(argument, input.first);
  auto arguments = entry->getArguments();
  Value v = arguments[spec.scoresAreInput ? 1 : 2];
  Value mask = spec.hasMaskInput() ? arguments[spec.maskInput()] : Value();

  // Scores.
  Value scores = arguments[0];
  if (!spec.scoresAreInput) {
    std::string loops;
    Value q = arguments[0], k = arguments[1];
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
    scores = g.elementwise({{scores, dims}}, dims, type,
                           [&](ValueRange args) -> Value {
                             return arith::MulFOp::create(
                                 ib, args[0], g.constant(type, *spec.scale));
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
    scores = g.elementwise(
        {{scores, dims}}, dims, type, [&](ValueRange args) -> Value {
          Value query = linalg::IndexOp::create(ib, dims.find(spec.queries));
          Value key = linalg::IndexOp::create(ib, dims.find(spec.keys));
          Value keep =
              arith::CmpIOp::create(ib, arith::CmpIPredicate::ule, key, query);
          return arith::SelectOp::create(ib, keep, args[0],
                                         g.constant(type, -kInf));
        });
    break;
  }

  // Weights.
  Value max, sum;
  Value weights = g.softmax(scores, graph.softmax, max, sum);
  auto castTo = [&](Value value, const std::string &dims, DType from,
                    DType to) -> Value {
    if (from == to)
      return value;
    Type element = convertElementType(context, to);
    return g.elementwise(
        {{value, dims}}, dims, to, [&](ValueRange args) -> Value {
          return convertScalarToDtype(ib, ib.getLoc(), args[0], element, false);
        });
  };
  Value softmaxWeights = weights, logSumExp;
  if (spec.returnLogSumExp)
    logSumExp = mlir::linalg_ext::buildLogSumExp(ib, ib.getLoc(), max, sum);
  weights = castTo(weights, dims, spec.scoreType, spec.probType);
  if (spec.rootForm == RootForm::Shifted)
    weights = g.elementwise({{weights, dims}}, dims, spec.probType,
                            [&](ValueRange args) -> Value {
                              return arith::AddFOp::create(
                                  ib, args[0], g.constant(spec.probType, 1.0));
                            });

  if (spec.probFactor)
    weights = g.elementwise(
        {{weights, dims}}, dims, spec.probType, [&](ValueRange args) -> Value {
          return arith::MulFOp::create(
              ib, args[0], g.constant(spec.probType, *spec.probFactor));
        });
  std::string probDims = spec.probDims.empty() ? dims : spec.probDims;
  if (probDims != dims)
    weights = g.elementwise({{weights, dims}}, probDims, spec.probType,
                            [&](ValueRange args) { return args[0]; });

  // The root.
  graph.rootLoops = spec.rootLoops;
  Value init = spec.initIsInput ? Value(arguments.back())
                                : g.fill(spec.out, spec.accType, 0.0);
  Value out;
  if (spec.rootForm != RootForm::Sum)
    out = g.nonlinear(weights, v, init, graph.rootLoops);
  else if (spec.pvSwapped)
    out = g.contraction(spec.pvForm, v, spec.v, weights, probDims, init,
                        spec.out, spec.accType, graph.rootLoops);
  else
    out = g.contraction(spec.pvForm, weights, probDims, v, spec.v, init,
                        spec.out, spec.accType, graph.rootLoops);
  graph.root = out.getDefiningOp();
  SmallVector<Value> results = {
      castTo(out, spec.out, spec.accType, spec.outType)};
  if (spec.returnScores)
    results.push_back(scores);
  if (spec.returnWeights)
    results.push_back(softmaxWeights);
  if (spec.returnState)
    results.append({max, sum});
  if (spec.returnLogSumExp)
    results.push_back(logSumExp);
  func::ReturnOp::create(ib, results);
  return graph;
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
AttentionGraph::tiles(const std::map<char, int64_t> &sizes) const {
  SmallVector<int64_t> tiles(rootLoops.size(), 0);
  for (auto [letter, size] : sizes)
    tiles[loop(letter)] = size;
  return tiles;
}

oracle::Tensor linalg_ext_test::makeKeep(const AttentionSpec &spec) {
  return oracle::Tensor(spec.shape(spec.maskDims), 1.0);
}

oracle::Tensor linalg_ext_test::makeMaskInput(const AttentionSpec &spec,
                                              const oracle::Tensor &keep) {
  if (spec.mask == MaskForm::Boolean)
    return keep;
  return oracle::map(keep, [](double kept) { return kept ? 0.0 : -kInf; });
}

std::vector<oracle::Tensor>
AttentionGraph::randomInputs(oracle::Random &random, InputRange range) const {
  std::vector<oracle::Tensor> inputs;
  if (spec.scoresAreInput) {
    inputs.push_back(oracle::random(random, spec.shape(spec.scores),
                                    -range.score, range.score, spec.scoreType));
  } else {
    // The sum of d products of uniform numbers in [-a, a] has the standard
    // deviation a^2 sqrt(d) / 3; twice that is made the wanted score.
    double numTerms = 1;
    for (char letter : spec.q)
      if (spec.scores.find(letter) == std::string::npos)
        numTerms *= static_cast<double>(spec.size(letter));
    double scale = std::fabs(spec.scale.value_or(1.0));
    double a = std::sqrt(1.5 * range.score / scale / std::sqrt(numTerms));
    inputs.push_back(
        oracle::random(random, spec.shape(spec.q), -a, a, spec.type));
    inputs.push_back(
        oracle::random(random, spec.shape(spec.k), -a, a, spec.type));
  }
  inputs.push_back(oracle::random(random, spec.shape(spec.v), -range.value,
                                  range.value, spec.type));
  if (spec.hasMaskInput()) {
    oracle::Tensor keep = makeKeep(spec);
    for (double &kept : keep.data)
      kept = random.chance(range.masked) ? 0 : 1;
    oracle::Tensor mask = makeMaskInput(spec, keep);
    if (spec.mask == MaskForm::Additive)
      for (double &value : mask.data)
        if (value == 0)
          value = oracle::roundTo(random.uniform(-1, 1), spec.scoreType);
    inputs.push_back(std::move(mask));
  }
  if (spec.initIsInput)
    inputs.push_back(oracle::random(random, spec.shape(spec.out), -range.value,
                                    range.value, spec.accType));
  return inputs;
}

/// A conversion to a type that has all numbers of `from` is exact.
static Bounded castIfNarrower(const Bounded &x, DType from, DType to) {
  oracle::FloatFormat source = oracle::getFormat(from),
                      target = oracle::getFormat(to);
  bool isExact = target.precision >= source.precision &&
                 target.minExponent <= source.minExponent &&
                 target.maxExponent >= source.maxExponent;
  return isExact ? x : oracle::cast(x, to);
}

std::vector<Bounded>
AttentionGraph::evaluate(const std::vector<oracle::Tensor> &inputs,
                         int64_t steps) const {
  const std::string &dims = spec.scores;
  Bounded scores = inputs[0];
  if (!spec.scoresAreInput)
    scores = oracle::contract(spec.q + "," + spec.k + "->" + dims, inputs[0],
                              inputs[1], spec.scoreType);
  if (spec.scale)
    scores = oracle::multiply(
        scores, oracle::roundTo(*spec.scale, spec.scoreType), spec.scoreType);
  switch (spec.mask) {
  case MaskForm::None:
    break;
  case MaskForm::Additive:
    scores = oracle::add(scores, dims, inputs[spec.maskInput()], spec.maskDims,
                         spec.scoreType);
    break;
  case MaskForm::Boolean:
    scores =
        oracle::maskOut(scores, dims, inputs[spec.maskInput()], spec.maskDims);
    break;
  case MaskForm::Causal: {
    oracle::Tensor keep(spec.shape({spec.queries, spec.keys}));
    oracle::forEachIndex(keep.shape, [&](const oracle::Index &index) {
      keep.at(index) = index[1] <= index[0];
    });
    scores = oracle::maskOut(scores, dims, keep, {spec.queries, spec.keys});
    break;
  }
  }
  // The chains of generics keep everything in the type of the scores.
  bool isChain = spec.softmaxForm != SoftmaxForm::Ext;
  DType state = isChain ? spec.scoreType : oracle::getStateType(spec.scoreType);
  int64_t dim = spec.softmaxDim();
  Bounded weights = oracle::softmax(scores, dim, state, spec.scoreType, steps);
  Bounded softmaxWeights = weights;
  weights = castIfNarrower(weights, spec.scoreType, spec.probType);
  if (spec.probFactor)
    weights = oracle::multiply(weights,
                               oracle::roundTo(*spec.probFactor, spec.probType),
                               spec.probType);
  weights = castIfNarrower(weights, spec.probType, spec.accType);
  Bounded values = castIfNarrower(inputs[spec.scoresAreInput ? 1 : 2],
                                  spec.type, spec.accType);
  Bounded out = oracle::contract(dims + "," + spec.v + "->" + spec.out, weights,
                                 values, spec.accType, /*repairs=*/steps);
  if (spec.initIsInput)
    out =
        oracle::addInit(out, inputs.back(), spec.accType, spec.size(spec.keys));
  std::vector<Bounded> results = {
      castIfNarrower(out, spec.accType, spec.outType)};
  if (spec.returnScores)
    results.push_back(scores);
  if (spec.returnWeights)
    results.push_back(softmaxWeights);
  if (spec.returnState) {
    oracle::BoundedState boundedState =
        oracle::softmaxState(scores, dim, state, steps);
    results.push_back(boundedState.max);
    results.push_back(boundedState.sum);
  }
  if (spec.returnLogSumExp) {
    // m + ln(l): what m and, relatively, l err by, and the roundings of ln and
    // +.
    oracle::BoundedState bounds =
        oracle::softmaxState(scores, dim, state, steps);
    Bounded lse = oracle::logSumExp(scores.value, dim);
    double u = oracle::getFormat(state).unitRoundoff();
    for (int64_t i = 0; i < lse.value.size(); ++i) {
      double value = lse.value.data[i], sum = bounds.sum.value.data[i];
      if (std::isfinite(value))
        lse.error.data[i] =
            bounds.max.error.data[i] + 1.1 * bounds.sum.error.data[i] / sum +
            u * (std::fabs(value) +
                 oracle::kExpUlps * (1 + std::fabs(std::log(sum))));
    }
    results.push_back(lse);
  }
  return results;
}
