//===- GraphSteps.cpp - Steps between softmax and product -----------------===//
//
// Norms of scores and rows, masks by position, elementwise steps and reshapes
// of a graph of attention.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;

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
  Value offset;
  if (spec.mask == MaskForm::Causal &&
      (spec.maskOffset != 0 || spec.alignsEnds)) {
    offset = arith::ConstantIndexOp::create(ib, spec.maskOffset);
    if (spec.alignsEnds) {
      Value keys = ib.createOrFold<tensor::DimOp>(
          scores, static_cast<int64_t>(dims.find(spec.keys)));
      Value queries = ib.createOrFold<tensor::DimOp>(
          scores, static_cast<int64_t>(dims.find(spec.queries)));
      offset = arith::AddIOp::create(ib, offset,
                                     arith::SubIOp::create(ib, keys, queries));
    }
  }
  return elementwise(
      inputs, dims, spec.scoreType, [&](ValueRange args) -> Value {
        Value query = linalg::IndexOp::create(ib, dims.find(spec.queries));
        Value key = linalg::IndexOp::create(ib, dims.find(spec.keys));
        Value width = arith::ConstantIndexOp::create(ib, spec.maskWidth);
        Value keep;
        switch (spec.mask) {
        case MaskForm::Causal:
          // With an offset, the last visible key may be in front of key 0.
          if (offset)
            query = arith::AddIOp::create(ib, query, offset);
          keep = arith::CmpIOp::create(
              ib, offset ? Predicate::sle : Predicate::ule, key, query);
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
