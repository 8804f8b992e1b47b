//===- Attention.cpp - Attention as frameworks define it ------------------===//
//
// See Attention.h.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include "Importer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <sstream>

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Index;
using oracle::Tensor;

static constexpr double kInf = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

int64_t AttentionCall::size(char letter) const {
  if (letter == '1')
    return 1;
  if (letter == 'H')
    return sizes.at('h') * sizes.at('g');
  if (letter == 'B') {
    int64_t product = 1;
    for (char part : batch + queryHeads())
      product *= size(part);
    return product;
  }
  return sizes.at(letter);
}

double AttentionCall::getScale() const {
  return scale.value_or(1.0 / std::sqrt(static_cast<double>(size('d'))));
}

DType AttentionCall::getAccumulatorType() const {
  return type == DType::F64 ? type : oracle::getStateType(getValueType());
}

std::string AttentionCall::queryHeads() const {
  return !hasHeads ? "" : size('g') == 1 ? "h" : "H";
}

std::string AttentionCall::order(const std::string &heads, char sequence,
                                 char depth) const {
  return layout == Layout::Sequence ? std::string{sequence} + heads + depth
                                    : heads + std::string{sequence, depth};
}

std::string AttentionCall::describe() const {
  std::ostringstream os;
  os << "batch=" << batch << (hasHeads ? "" : " no-heads")
     << (packedHeads ? " packed" : "") << " {";
  for (auto [letter, size] : sizes)
    os << letter << "=" << size
       << (dynamic.find(letter) != std::string::npos ? "? " : " ");
  os << "} " << oracle::getName(type);
  if (valueType)
    os << " values=" << oracle::getName(*valueType);
  if (stored)
    os << " stored=" << oracle::getName(*stored);
  if (scale)
    os << " scale=" << *scale;
  if (softcap != 0)
    os << " softcap=" << softcap;
  if (isCausal)
    os << " causal";
  if (leftWindow >= 0)
    os << " left=" << leftWindow;
  if (rightWindow >= 0)
    os << " right=" << rightWindow;
  if (mask != Mask::None)
    os << (mask == Mask::Boolean ? " bool-mask[" : " float-mask[") << maskDims
       << "]";
  if (hasPast)
    os << " past";
  if (hasLengths)
    os << " lengths";
  if (scoresOutput)
    os << " scores-output=" << *scoresOutput;
  if (dropout != 0)
    os << " dropout=" << dropout;
  if (layout != Layout::Heads)
    os << (layout == Layout::Sequence ? " sequence-first" : " depth-first");
  os << (hasRotary ? " rotary" : "") << (hasSlopes ? " slopes" : "")
     << (isOneInput ? " one-input" : "");
  return os.str();
}

std::string Spelling::describe() const {
  static const char *const headNames[] = {"grouped", "repeated", "batched"};
  static const char *const softmaxNames[] = {"named", "chain", "keep-dims",
                                             "expanded"};
  static const char *const normalizeNames[] = {"", " reciprocal",
                                               " log-sum-exp"};
  static const char *const guardNames[] = {"none", "in-chain", "by-bias",
                                           "by-scores"};
  std::ostringstream os;
  os << headNames[static_cast<int>(heads)]
     << (repeatByExpand ? "-by-expand" : "")
     << " softmax=" << softmaxNames[static_cast<int>(softmax)]
     << normalizeNames[static_cast<int>(normalize)]
     << (maxInit == MaxInit::Infinity ? ""
         : maxInit == MaxInit::NaN    ? " max-from-nan"
                                      : " max-from-lowest")
     << (argMax ? " argmax" : "") << (negativeSum ? " sum-from--0" : "")
     << (spreadRows ? " spread-rows" : "") << (splatScale ? " splat" : "")
     << (narrowScores ? " narrow-scores" : "")
     << (genericFills ? " generic-fills" : "")
     << " guard=" << guardNames[static_cast<int>(guard)]
     << (scaleOperands ? " scale-operands" : "")
     << (transposeKeys ? " transpose-keys" : "") << (biasTensor ? " bias" : "")
     << (concatByInsertSlice ? " insert-slice" : "")
     << (softcapIsOneOp ? " softcap-op" : "") << " "
     << oracle::getName(scoreType) << "/" << oracle::getName(softmaxType)
     << " mask=" << oracle::getName(maskType)
     << (maskUse == MaskUse::Convert         ? "(converted)"
         : maskUse == MaskUse::CompareInline ? "(inline)"
                                             : "")
     << " length=" << oracle::getName(lengthType);
  return os.str();
}

std::vector<Tensor> AttentionInputs::list(const AttentionCall &call) const {
  std::vector<Tensor> inputs = {q};
  if (!call.isOneInput) {
    inputs.push_back(k);
    inputs.push_back(v);
  }
  if (call.mask != AttentionCall::Mask::None)
    inputs.push_back(mask);
  if (call.hasPast) {
    inputs.push_back(pastKey);
    inputs.push_back(pastValue);
  }
  if (call.hasLengths)
    inputs.push_back(lengths);
  if (call.dropout != 0)
    inputs.push_back(keep);
  if (call.hasSlopes)
    inputs.push_back(slopes);
  inputs.insert(inputs.end(), rotary.begin(), rotary.end());
  if (call.stored) {
    inputs.push_back(keyScale);
    inputs.push_back(valueScale);
  }
  return inputs;
}

/// Rounds `numbers` to what a cache stores, and returns the scales of the
/// cache.
static Tensor makeStored(const AttentionCall &call, oracle::Random &random,
                         Tensor &numbers, double range) {
  bool isInteger = call.stored == DType::I8;
  for (double &number : numbers.data)
    number = isInteger ? std::nearbyint(number / range * 127)
                       : oracle::roundTo(number, *call.stored);
  Tensor scale({call.size('h')});
  for (double &factor : scale.data)
    factor = oracle::roundTo(
        random.uniform(0.5, 1) * (isInteger ? range / 127 : 1), call.type);
  return scale;
}

AttentionInputs linalg_ext_test::makeInputs(const AttentionCall &call,
                                            oracle::Random &random,
                                            double masked, bool maskRows) {
  auto shapeOf = [&](const std::string &dims) {
    oracle::Shape shape;
    for (char letter : dims)
      shape.push_back(call.size(letter));
    return shape;
  };
  std::string batch = call.batch, query = call.queryHeads(),
              kv = call.kvHeads();
  char keys = call.hasPast ? 'c' : 'n';
  auto draw = [&](const std::string &heads, char sequence, char depth,
                  double range, DType type) {
    oracle::Shape shape = shapeOf(batch + call.order(heads, sequence, depth));
    if (call.packedHeads)
      shape = {call.size('b'), call.size(sequence),
               call.size(heads[0]) * call.size(depth)};
    return oracle::random(random, shape, -range, range, type);
  };
  AttentionInputs inputs;
  // With this range, the scaled scores stay near 2.
  double range =
      std::sqrt(3.0 / std::sqrt(static_cast<double>(call.size('d'))) /
                std::max(call.getScale(), 0.1));
  inputs.q = draw(query, 'm', 'd', range, call.type);
  inputs.k = draw(kv, keys, 'd', range, call.type);
  inputs.v = draw(kv, keys, 'e', 1, call.getValueType());
  if (call.layout == AttentionCall::Layout::DepthFirst) {
    for (Tensor *tensor : {&inputs.k, &inputs.v})
      std::swap(tensor->shape[tensor->rank() - 1],
                tensor->shape[tensor->rank() - 2]);
  }
  if (call.isOneInput)
    inputs.q =
        oracle::random(random,
                       {call.size('b'), call.size('m'),
                        (call.size('H') + call.size('h')) * call.size('d') +
                            call.size('h') * call.size('e')},
                       -range, range, call.type);
  if (call.hasRotary)
    for (char sequence : {'m', keys}) {
      Tensor cosine(shapeOf(std::string{sequence, 'd'})), sine = cosine;
      int64_t depth = call.size('d');
      for (int64_t i = 0; i < cosine.size(); ++i) {
        double angle = static_cast<double>(i / depth) *
                       std::pow(10, -static_cast<double>(i % (depth / 2)));
        cosine.data[i] = oracle::roundTo(std::cos(angle), call.type);
        sine.data[i] = oracle::roundTo(std::sin(angle), call.type);
      }
      inputs.rotary.push_back(cosine);
      inputs.rotary.push_back(sine);
    }
  if (call.hasSlopes)
    inputs.slopes =
        oracle::random(random, shapeOf(query), 0.01, 0.2, call.type);
  if (call.hasPast) {
    inputs.pastKey = oracle::random(random, shapeOf(batch + kv + "pd"), -range,
                                    range, call.type);
    inputs.pastValue = oracle::random(random, shapeOf(batch + kv + "pe"), -1, 1,
                                      call.getValueType());
  }
  if (call.stored) {
    inputs.keyScale = makeStored(
        call, random, call.hasPast ? inputs.pastKey : inputs.k, range);
    inputs.valueScale = makeStored(
        call, random, call.hasPast ? inputs.pastValue : inputs.v, 1);
  }
  if (call.mask != AttentionCall::Mask::None) {
    inputs.mask = Tensor(shapeOf(call.maskDims));
    bool isBoolean = call.mask == AttentionCall::Mask::Boolean;
    for (double &value : inputs.mask.data) {
      bool kept = !random.chance(masked);
      value = isBoolean ? kept : kept ? random.uniform(-1, 1) : -kInf;
      value = oracle::roundTo(value, isBoolean ? DType::I1 : call.type);
    }
    int64_t row = inputs.mask.shape.back();
    for (int64_t from = 0; maskRows && from < inputs.mask.size(); from += row)
      if (random.chance(0.3))
        std::fill_n(inputs.mask.data.begin() + from, row,
                    isBoolean ? 0.0 : -kInf);
  }
  if (call.hasLengths) {
    inputs.lengths = Tensor(shapeOf(batch));
    for (double &length : inputs.lengths.data)
      length = static_cast<double>(random.integer(
          maskRows ? 0 : std::min(call.size('m'), call.size('n')),
          call.size('n')));
  }
  if (call.dropout != 0) {
    inputs.keep = Tensor(shapeOf(batch + query + "mn"));
    for (double &kept : inputs.keep.data)
      kept = random.chance(call.dropout) ? 0 : 1;
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Error bounds
//===----------------------------------------------------------------------===//

/// A conversion to a type that has all numbers of `from` is exact.
static Bounded convert(const Bounded &x, DType from, DType to) {
  oracle::FloatFormat source = oracle::getFormat(from),
                      target = oracle::getFormat(to);
  bool isExact = target.precision >= source.precision &&
                 target.minExponent <= source.minExponent &&
                 target.maxExponent >= source.maxExponent;
  return isExact ? x : oracle::cast(x, to);
}

/// x times a constant. The constant is rounded to `type`, and so is the
/// product.
static Bounded multiplyRounded(const Bounded &x, double factor, DType type) {
  return oracle::cast(oracle::multiply(x, factor, type), type);
}

/// Returns `x` as [batch, heads, sequence, depth]. Batch dims are joined, and
/// each head is repeated `copies` times.
static Tensor normalize(const AttentionCall &call, const Tensor &x,
                        int64_t numHeads, int64_t copies) {
  int64_t depth = call.packedHeads ? x.shape.back() / numHeads : x.shape.back();
  int64_t sequence = x.shape[x.rank() - 2];
  int64_t batch = x.size() / std::max<int64_t>(numHeads * sequence * depth, 1);
  Tensor out({batch, numHeads * copies, sequence, depth});
  oracle::forEachIndex(out.shape, [&](const Index &at) {
    int64_t head = at[1] / copies;
    int64_t offset =
        call.packedHeads
            ? ((at[0] * sequence + at[2]) * numHeads + head) * depth + at[3]
            : ((at[0] * numHeads + head) * sequence + at[2]) * depth + at[3];
    out.at(at) = x.data[offset];
  });
  return out;
}

std::vector<Bounded> linalg_ext_test::evaluate(const AttentionCall &call,
                                               const Spelling &spelling,
                                               const AttentionInputs &inputs,
                                               int64_t steps) {
  assert(!call.stored && !call.hasRotary && !call.hasSlopes &&
         !call.isOneInput && call.layout == AttentionCall::Layout::Heads &&
         "such programs are judged by their enclosure (ImporterTester.cpp)");
  DType type = call.type, score = spelling.scoreType,
        soft = spelling.softmaxType, acc = call.getAccumulatorType();
  int64_t kvHeads = call.hasHeads ? call.size('h') : 1;
  int64_t group = call.hasHeads ? call.size('g') : 1;
  AttentionCall unpacked = call;
  unpacked.packedHeads = false;
  auto withPast = [&](const Tensor &past, const Tensor &incoming) {
    Tensor all = normalize(call, incoming, kvHeads, group);
    if (!call.hasPast)
      return all;
    Tensor before = normalize(unpacked, past, kvHeads, group);
    Tensor joined({all.shape[0], all.shape[1], before.shape[2] + all.shape[2],
                   all.shape[3]});
    oracle::forEachIndex(joined.shape, [&](Index at) {
      double &out = joined.at(at);
      bool isPast = at[2] < before.shape[2];
      at[2] -= isPast ? 0 : before.shape[2];
      out = isPast ? before.at(at) : all.at(at);
    });
    return joined;
  };
  Bounded q = normalize(call, inputs.q, kvHeads * group, 1);
  Bounded k = withPast(inputs.pastKey, inputs.k);
  Bounded v = withPast(inputs.pastValue, inputs.v);

  double scale = call.getScale();
  if (spelling.scaleOperands) {
    q = multiplyRounded(q, std::sqrt(scale), type);
    k = multiplyRounded(k, std::sqrt(scale), type);
  }
  Bounded scores = oracle::contract("bhmd,bhnd->bhmn", convert(q, type, score),
                                    convert(k, type, score), score);
  if (!spelling.scaleOperands)
    scores = multiplyRounded(scores, scale, score);
  std::vector<Bounded> stages = {scores};
  if (call.softcap != 0)
    scores = multiplyRounded(
        oracle::tanh(multiplyRounded(scores, 1 / call.softcap, score), score),
        call.softcap, score);
  stages.push_back(scores);

  // The masks, as one tensor of the shape of the scores.
  Bounded bias(Tensor(scores.value.shape, 0.0));
  int64_t numBatches = scores.value.shape[0], numHeads = kvHeads * group;
  oracle::forEachIndex(bias.value.shape, [&](const Index &at) {
    double &out = bias.value.at(at);
    int64_t inner = call.batch.size() == 2 ? at[0] % call.size('b') : at[0];
    int64_t outer = call.batch.size() == 2 ? at[0] / call.size('b') : 0;
    if (call.mask != AttentionCall::Mask::None) {
      Index index;
      bool isShort = false;
      for (char letter : call.maskDims) {
        int64_t i = letter == 'a'   ? outer
                    : letter == 'b' ? inner
                    : letter == 'H' ? at[1]
                    : letter == 'm' ? at[2]
                    : letter == '1' ? 0
                                    : at[3];
        isShort |= letter == 's' && i >= call.size('s');
        index.push_back(i);
      }
      double value = isShort ? -kInf : inputs.mask.at(index);
      if (call.mask == AttentionCall::Mask::Boolean && !isShort)
        value = value != 0 ? 0 : -kInf;
      out += value;
    }
    int64_t length =
        call.hasLengths ? static_cast<int64_t>(inputs.lengths.data[at[0]]) : 0;
    int64_t query = at[2] + (call.hasLengths ? length - call.size('m')
                             : call.hasPast  ? call.size('p')
                                             : 0);
    bool meet = !(call.isCausal && at[3] > query) &&
                !(call.leftWindow >= 0 && at[3] < query - call.leftWindow) &&
                !(call.rightWindow >= 0 && at[3] > query + call.rightWindow) &&
                !(call.hasLengths && at[3] >= length);
    if (!meet)
      out = -kInf;
  });
  if (call.mask == AttentionCall::Mask::Float) {
    scores = oracle::add(scores, "bhmn", bias, "bhmn", score);
  } else {
    Tensor keep =
        oracle::map(bias.value, [](double x) { return x == 0 ? 1.0 : 0.0; });
    scores = oracle::maskOut(scores, "bhmn", keep, "bhmn");
  }
  stages.push_back(scores);

  Bounded weights = oracle::softmax(convert(scores, score, soft), 3,
                                    oracle::getStateType(soft), soft, steps);
  weights = convert(weights, soft, type);
  stages.push_back(weights);
  if (call.dropout != 0) {
    for (int64_t i = 0; i < weights.value.size(); ++i)
      if (inputs.keep.data[i] == 0)
        weights.value.data[i] = weights.error.data[i] = 0;
    weights = multiplyRounded(weights, 1 / (1 - call.dropout), type);
  }
  Bounded out =
      oracle::contract("bhmn,bhne->bhme", weights, v, acc, /*repairs=*/steps);
  out = convert(out, acc, type);

  // Back to the shapes of the results.
  auto reshape = [&](Bounded x, char last) {
    oracle::Shape shape;
    for (char letter : call.batch + call.queryHeads() + "m" + last)
      shape.push_back(call.size(letter));
    x.value.shape = x.error.shape = shape;
    return x;
  };
  std::vector<Bounded> results;
  if (call.packedHeads) {
    int64_t m = call.size('m'), e = call.size('e');
    oracle::Shape split = {numBatches, m, numHeads, e};
    out = oracle::rearrange(out, "bhme", "bmhe", split);
    out.value.shape = out.error.shape = {numBatches, m, numHeads * e};
    results.push_back(out);
  } else {
    results.push_back(reshape(out, 'e'));
  }
  if (call.scoresOutput) {
    DType from = *call.scoresOutput == 3 ? type : score;
    results.push_back(
        reshape(convert(stages[*call.scoresOutput], from, type), 'n'));
  }
  return results;
}
