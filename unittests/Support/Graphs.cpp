//===- Graphs.cpp - Test graphs -------------------------------------------===//
//
// The IR of a spec. See Graphs.h.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;

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
