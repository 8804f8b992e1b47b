//===- GraphsMeaning.cpp - What test graphs compute -----------------------===//
//
// The inputs of a graph, and what it returns on them by the oracle.
//
//===----------------------------------------------------------------------===//

#include "GraphConstants.h"
#include "Graphs.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;

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
  if (spec.mask != MaskForm::Additive)
    return keep;
  return oracle::map(keep, [](double kept) { return kept ? 0.0 : -kInf; });
}

/// The first two dims in one.
static oracle::Shape flatten(oracle::Shape shape) {
  shape[1] *= shape[0];
  shape.erase(shape.begin());
  return shape;
}

/// Keys or values of at most `most`, as they are stored.
static oracle::Tensor randomStored(oracle::Random &random,
                                   const AttentionSpec &spec,
                                   const std::string &dims, double most) {
  if (!spec.stored)
    return oracle::random(random, spec.shape(dims), -most, most, spec.type);
  if (spec.packed) {
    oracle::Tensor bytes(spec.shape(spec.storedDims(dims)));
    for (double &byte : bytes.data)
      byte = static_cast<double>(random.integer(-128, 127));
    return bytes;
  }
  most /= AttentionSpec::storedScale;
  if (*spec.stored != DType::I8)
    return oracle::random(random, spec.shape(dims), -most, most, *spec.stored);
  oracle::Tensor codes(spec.shape(dims));
  for (double &code : codes.data)
    code =
        std::clamp(std::nearbyint(random.uniform(-most, most)), -128.0, 127.0);
  return codes;
}

/// What the bytes of `packed` mean: the low half first.
static oracle::Tensor unpack(const oracle::Tensor &packed) {
  oracle::Shape shape = packed.shape;
  shape.back() *= 2;
  oracle::Tensor result(shape);
  for (size_t i = 0; i < packed.data.size(); ++i) {
    auto byte = static_cast<unsigned>(static_cast<int>(packed.data[i])) & 0xff;
    result.data[2 * i] = static_cast<double>(byte & 15) - 8;
    result.data[2 * i + 1] = static_cast<double>(byte >> 4) - 8;
  }
  return result;
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
    inputs.push_back(randomStored(random, spec, spec.k, a));
  }
  inputs.push_back(randomStored(random, spec, spec.v, range.value));
  if (spec.hasMaskInput()) {
    oracle::Tensor keep = makeKeep(spec);
    for (double &kept : keep.data)
      kept = spec.mask == MaskForm::Lengths
                 ? static_cast<double>(random.integer(0, spec.size(spec.keys)))
             : random.chance(range.masked) ? 0
                                           : 1;
    oracle::Tensor mask = makeMaskInput(spec, keep);
    if (spec.mask == MaskForm::Additive)
      for (double &value : mask.data)
        if (value == 0)
          value = oracle::roundTo(random.uniform(-1, 1), spec.scoreType);
    inputs.push_back(std::move(mask));
  }
  std::vector<GraphInput> all = spec.inputs();
  while (inputs.size() < all.size()) {
    const GraphInput &input = all[inputs.size()];
    oracle::Tensor tensor(spec.shape(input.dims));
    if (input.name == "keep" || input.name == "drop")
      for (double &value : tensor.data)
        value = random.chance(kKept);
    else
      tensor = oracle::random(random, tensor.shape, -range.value, range.value,
                              input.type);
    inputs.push_back(std::move(tensor));
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (spec.isFlat(all[i].dims) &&
        (all[i].name == "q" || all[i].name == "k" || all[i].name == "v"))
      inputs[i].shape = flatten(inputs[i].shape);
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

/// Which keys the masks by position keep.
static oracle::Tensor keepByIndex(const AttentionSpec &spec,
                                  const oracle::Tensor *lengths) {
  std::string dims = {spec.queries, spec.keys};
  if (lengths)
    dims = spec.maskDims + spec.keys;
  oracle::Tensor keep(spec.shape(dims));
  oracle::forEachIndex(keep.shape, [&](const oracle::Index &index) {
    int64_t key = index.back(), query = index[0];
    switch (spec.mask) {
    case MaskForm::Window:
      keep.at(index) = std::abs(key - query) <= spec.maskWidth;
      break;
    case MaskForm::Prefix:
      keep.at(index) = key <= query || key < spec.maskWidth;
      break;
    case MaskForm::Lengths: {
      oracle::Index row(index.begin(), index.end() - 1);
      keep.at(index) = static_cast<double>(key) < lengths->at(row);
      break;
    }
    default:
      int64_t before =
          spec.alignsEnds ? spec.size(spec.keys) - spec.size(spec.queries) : 0;
      keep.at(index) = key <= query + before + spec.maskOffset;
    }
  });
  return keep;
}

/// Calls body(index, index of the row).
static void forEachOfRows(
    const oracle::Shape &shape, int64_t dim,
    function_ref<void(const oracle::Index &, const oracle::Index &)> body) {
  oracle::forEachIndex(shape, [&](const oracle::Index &index) {
    oracle::Index row = index;
    row.erase(row.begin() + dim);
    body(index, row);
  });
}

/// The scores as the exponential of a chain sees them: what its style adds to
/// their errors.
static Bounded styleScores(const AttentionSpec &spec, Bounded x,
                           int64_t steps) {
  const ChainStyle &style = spec.style;
  int64_t dim = spec.softmaxDim();
  DType type = spec.chainType();
  double u = oracle::getFormat(type).unitRoundoff;
  if (style.base2) {
    // The exponents are (x c - max) with a rounded c, times ln 2 in the repair.
    x = oracle::multiply(x, oracle::roundTo(llvm::numbers::log2e, type), type);
    for (double &value : x.value.data)
      value *= llvm::numbers::ln2;
    for (double &error : x.error.data)
      error *= llvm::numbers::ln2;
  }
  oracle::Tensor max = oracle::reduceMax(x.value, dim);
  oracle::Tensor magnitude(max.shape);
  forEachOfRows(x.value.shape, dim,
                [&](const oracle::Index &index, const oracle::Index &row) {
                  if (std::isfinite(x.value.at(index)))
                    magnitude.at(row) = std::max(magnitude.at(row),
                                                 std::fabs(x.value.at(index)));
                });
  forEachOfRows(x.value.shape, dim,
                [&](const oracle::Index &index, const oracle::Index &row) {
                  double value = x.value.at(index);
                  if (!std::isfinite(value) || !std::isfinite(max.at(row)))
                    return;
                  double &error = x.error.at(index);
                  if (style.base2)
                    error += 2 * u * (std::fabs(value - max.at(row)) + error);
                  if (style.lse) {
                    // Of m + log l, in each step once as the new and once as
                    // the old.
                    double lse =
                        magnitude.at(row) +
                        std::log(static_cast<double>(x.value.shape[dim]) + 1);
                    error += static_cast<double>(2 * steps) * u *
                             (lse + oracle::kExpUlps *
                                        std::fabs(lse - magnitude.at(row) + 1));
                  }
                });
  return x;
}

/// The softmax over one more key, without that.
static Bounded softmaxWithSink(const AttentionSpec &spec, const Bounded &x,
                               int64_t steps, oracle::ExpForm form) {
  int64_t dim = spec.softmaxDim();
  oracle::Shape shape = x.value.shape;
  ++shape[dim];
  Bounded more(oracle::Tensor(
      shape, kSink * (spec.style.base2 ? llvm::numbers::ln2 : 1.0)));
  oracle::forEachIndex(x.value.shape, [&](const oracle::Index &index) {
    more.value.at(index) = x.value.at(index);
    more.error.at(index) = x.error.at(index);
  });
  Bounded all = oracle::softmax(more, dim, spec.chainType(), spec.chainType(),
                                steps, form);
  Bounded weights = x;
  oracle::forEachIndex(x.value.shape, [&](const oracle::Index &index) {
    weights.value.at(index) = all.value.at(index);
    weights.error.at(index) = all.error.at(index);
  });
  return weights;
}

/// The normalisations that are no softmax.
static Bounded evaluateNorm(const AttentionSpec &spec, const Bounded &x,
                            const oracle::Tensor *gamma,
                            const oracle::Tensor *beta) {
  const std::string &dims = spec.scores;
  DType type = spec.scoreType;
  std::string rows = dims;
  rows.erase(rows.find(spec.keys), 1);
  std::string keys(1, spec.keys);
  auto sum = [&](const Bounded &terms) {
    return oracle::contract(dims + "," + keys + "->" + rows, terms,
                            oracle::Tensor(spec.shape(keys), 1.0), type);
  };
  auto abs = [](double value) { return std::fabs(value); };
  auto same = [](double, double error) { return error; };
  double inverseSize =
      oracle::roundTo(1.0 / static_cast<double>(spec.size(spec.keys)), type);
  auto center = [&] {
    Bounded mean = oracle::multiply(sum(x), -inverseSize, type);
    return oracle::add(x, dims, mean, rows, type);
  };
  auto scaleByRms = [&](const Bounded &y) {
    Bounded mean = oracle::multiply(
        sum(oracle::product(y, dims, y, dims, type)), inverseSize, type);
    Bounded inverse = oracle::apply(
        mean, type, oracle::kExpUlps + 2,
        [](double s) { return 1 / std::sqrt(s + kEpsilon); },
        [](double s, double e) {
          double low = std::max(s - e, 0.0) + kEpsilon;
          return 1 / std::sqrt(low) - 1 / std::sqrt(s + e + kEpsilon);
        });
    return oracle::product(y, dims, inverse, rows, type);
  };
  switch (spec.softmaxForm) {
  case SoftmaxForm::Rms:
  case SoftmaxForm::RmsInline:
    return oracle::product(scaleByRms(x), dims, *gamma, keys, type);
  case SoftmaxForm::LayerNorm:
    return scaleByRms(center());
  case SoftmaxForm::LayerNormBias:
  case SoftmaxForm::LayerNormQuotient:
    return oracle::add(
        oracle::product(scaleByRms(center()), dims, *gamma, keys, type), dims,
        *beta, keys, type);
  case SoftmaxForm::L1:
  case SoftmaxForm::MaxAbs: {
    Bounded magnitudes = oracle::apply(x, type, 0, abs, same);
    Bounded perRow = sum(magnitudes);
    if (spec.softmaxForm == SoftmaxForm::MaxAbs) {
      perRow.value = oracle::reduceMax(magnitudes.value, spec.softmaxDim());
      perRow.error = oracle::reduceMax(magnitudes.error, spec.softmaxDim());
    }
    Bounded inverse = oracle::apply(
        perRow, type, 4, [](double s) { return 1 / s; },
        [](double s, double e) { return s > e ? 1 / (s - e) - 1 / s : kInf; });
    return oracle::product(x, dims, inverse, rows, type);
  }
  default:
    return center();
  }
}

/// See GraphBuilder::normalizeRows.
static Bounded normalizeRows(const AttentionSpec &spec, const Bounded &x,
                             const std::string &dims) {
  std::string rows, others;
  for (char letter : dims)
    (spec.scores.find(letter) == std::string::npos ? others : rows) += letter;
  Bounded sum =
      oracle::contract(dims + "," + others + "->" + rows,
                       oracle::product(x, dims, x, dims, spec.type),
                       oracle::Tensor(spec.shape(others), 1.0), spec.type);
  Bounded inverse = oracle::apply(
      sum, spec.type, 6, [](double s) { return 1 / std::sqrt(s + kEpsilon); },
      [](double s, double e) {
        double low = std::max(s - e, 0.0) + kEpsilon;
        return 1 / std::sqrt(low) - 1 / std::sqrt(s + e + kEpsilon);
      });
  return oracle::product(x, dims, inverse, rows, spec.type);
}

/// A letter of the path; see GraphBuilder::step.
static Bounded
evaluateStep(const AttentionSpec &spec, char step, const Bounded &x,
             function_ref<const oracle::Tensor &(const char *)> input) {
  const std::string &dims = spec.scores;
  DType type = spec.probType;
  auto same = [](double, double error) { return error; };
  auto above = [&](double limit) {
    return oracle::apply(
        x, type, 0,
        [=](double p) { return p > limit || std::isnan(p) ? p : 0; },
        [=](double p, double e) {
          return std::fabs(p - limit) > e ? (p > limit ? e : 0)
                                          : std::fabs(p) + e;
        });
  };
  switch (step) {
  case 'f':
    return oracle::multiply(x, kFactor, type);
  case 'g':
    return oracle::multiply(x, 1 / kOtherFactor, type);
  case 'n':
    return oracle::multiply(x, -1, type);
  case 'a':
    return oracle::apply(
        x, type, 0, [](double p) { return std::fabs(p); }, same);
  case 'r':
    return oracle::apply(
        x, type, 0,
        [](double p) { return std::isnan(p) ? p : std::max(p, 0.0); }, same);
  case 'p':
    return above(0);
  case 't':
    return above(kThreshold);
  case 'q':
    return oracle::product(x, dims, x, dims, type);
  case 's':
    return oracle::apply(
        x, type, 2, [](double p) { return std::sqrt(p); },
        [](double p, double e) {
          return std::max(std::sqrt(p + e) - std::sqrt(p),
                          std::sqrt(p) - std::sqrt(std::max(p - e, 0.0)));
        });
  case 'c':
  case 'C':
    return oracle::apply(
        x, type, 3, [](double p) { return p * (kFactor + kOtherFactor); },
        [](double, double e) { return e * (kFactor + kOtherFactor); });
  case 'x':
    return oracle::add(oracle::product(x, dims, x, dims, type), dims, x, dims,
                       type);
  case '+':
    return oracle::apply(
        x, type, 1, [](double p) { return p + 1; }, same);
  case 'k':
  case 'K': {
    std::string columns = dims;
    columns.erase(columns.find(spec.queries), 1);
    Bounded sums = oracle::contract(
        dims + "," + std::string{spec.queries} + "->" + columns, x,
        Bounded(oracle::Tensor(spec.shape({spec.queries}), 1.0)), type);
    return step == 'k' ? oracle::product(x, dims, sums, columns, type)
                       : oracle::add(x, dims, sums, columns, type);
  }
  case 'e':
    return oracle::apply(
        x, type, oracle::kExpUlps, [](double p) { return std::exp(p); },
        [](double p, double e) { return std::exp(p) * std::expm1(e); });
  case 'd': {
    Bounded scaled = oracle::multiply(x, 1 / kKept, type);
    const oracle::Tensor &keep = input("keep");
    for (int64_t i = 0; i < keep.size(); ++i)
      if (keep.data[i] == 0)
        scaled.value.data[i] = scaled.error.data[i] = 0;
    return scaled;
  }
  case 'D':
    return oracle::multiply(oracle::product(x, dims, input("drop"), dims, type),
                            oracle::roundTo(1 / kKept, type), type);
  case 'm':
    return oracle::contract(dims + "," + std::string{'j', spec.keys} + "->" +
                                dims,
                            x, input("mix"), type);
  default:
    return x;
  }
}

/// The largest product of `weights` and v, or of `start`.
static Bounded maxContract(const AttentionSpec &spec, const Bounded &weights,
                           const std::string &dims, const Bounded &values,
                           Bounded start) {
  std::string all =
      spec.out + oracle::Einsum(dims + "," + spec.v + "->" + spec.out).reduced;
  oracle::Shape shape = spec.shape(all);
  Bounded terms = oracle::product(
      oracle::rearrange(weights, dims, all, shape), all,
      oracle::rearrange(values, spec.v, all, shape), all, spec.accType);
  oracle::Tensor error = start.error;
  oracle::forEachIndex(shape, [&](const oracle::Index &index) {
    oracle::Index at(index.begin(), index.begin() + spec.out.size());
    double term = terms.value.at(index);
    double &largest = start.value.at(at);
    if (std::isnan(term) || std::isnan(largest))
      largest = std::nan("");
    else
      largest = std::max(largest, term);
    error.at(at) = std::max(error.at(at), terms.error.at(index));
  });
  start.error = error;
  return start;
}

std::vector<Bounded>
AttentionGraph::evaluate(const std::vector<oracle::Tensor> &given,
                         int64_t steps, oracle::ExpForm form) const {
  const std::string &dims = spec.scores;
  std::vector<GraphInput> all = spec.inputs();
  std::vector<oracle::Tensor> inputs = given;
  for (size_t i = 0; i < inputs.size(); ++i)
    inputs[i].shape = spec.shape(all[i].dims);
  auto input = [&](const char *name) -> const oracle::Tensor & {
    return inputs[spec.inputNumber(name)];
  };
  auto operand = [&](const char *name) -> Bounded {
    bool isStored = spec.stored && (name[0] == 'k' || name[0] == 'v');
    Bounded value = isStored && spec.packed ? unpack(input(name)) : input(name);
    if (isStored)
      value = oracle::multiply(value, AttentionSpec::storedScale, spec.type);
    if (spec.prologue)
      value = oracle::multiply(
          value, oracle::roundTo(*spec.prologue, spec.type), spec.type);
    return value;
  };

  auto row = [&](const char *name, const std::string &rowDims) {
    Bounded x = operand(name);
    return spec.normalizeQK ? normalizeRows(spec, x, rowDims) : x;
  };

  // Scores.
  Bounded scores = inputs[0];
  if (!spec.scoresAreInput)
    scores =
        oracle::contract(spec.q + "," + spec.k + "->" + dims, row("q", spec.q),
                         row("k", spec.k), spec.scoreType);
  if (spec.scale)
    scores = oracle::multiply(
        scores, oracle::roundTo(*spec.scale, spec.scoreType), spec.scoreType);
  if (spec.softcap) {
    double cap = *spec.softcap;
    scores = oracle::multiply(scores, 1 / cap, spec.scoreType);
    scores = oracle::multiply(oracle::tanh(scores, spec.scoreType), cap,
                              spec.scoreType);
  }
  if (spec.alibi) {
    oracle::Tensor bias(spec.shape({spec.queries, spec.keys}));
    oracle::forEachIndex(bias.shape, [&](const oracle::Index &index) {
      bias.at(index) = *spec.alibi * static_cast<double>(index[1] - index[0]);
    });
    scores = oracle::add(scores, dims, bias, {spec.queries, spec.keys},
                         spec.scoreType);
  }
  switch (spec.mask) {
  case MaskForm::None:
    break;
  case MaskForm::Additive:
    scores =
        oracle::add(scores, dims, input("mask"), spec.maskDims, spec.scoreType);
    break;
  case MaskForm::Boolean:
    scores = oracle::maskOut(scores, dims, input("mask"), spec.maskDims);
    break;
  case MaskForm::Lengths:
    scores = oracle::maskOut(scores, dims, keepByIndex(spec, &input("mask")),
                             spec.maskDims + spec.keys);
    break;
  default:
    scores = oracle::maskOut(scores, dims, keepByIndex(spec, nullptr),
                             {spec.queries, spec.keys});
  }

  // Weights. A chain keeps everything in one type.
  bool isChain = spec.softmaxForm != SoftmaxForm::Ext;
  DType state =
      isChain ? spec.chainType() : oracle::getStateType(spec.scoreType);
  int64_t dim = spec.softmaxDim();
  Bounded seen = scores, weights;
  if (spec.isNorm()) {
    auto find = [&](const char *name) {
      return spec.inputNumber(name) < all.size() ? &input(name) : nullptr;
    };
    weights = evaluateNorm(spec, scores, find("gamma"), find("beta"));
  } else {
    if (spec.isChain())
      seen = styleScores(spec, scores, steps);
    weights = spec.style.sink
                  ? softmaxWithSink(spec, seen, steps, form)
                  : oracle::softmax(seen, dim, state, state, steps, form);
    weights = castIfNarrower(weights, state, spec.scoreType);
  }
  // Rows that are masked as a whole: 0 / 0 for the chain that does not care.
  oracle::Tensor lost(scores.value.shape);
  if (spec.softmaxForm == SoftmaxForm::Chain) {
    oracle::Tensor max = oracle::reduceMax(scores.value, dim);
    forEachOfRows(lost.shape, dim,
                  [&](const oracle::Index &index, const oracle::Index &row) {
                    lost.at(index) = max.at(row) == -kInf;
                  });
  }
  auto lose = [](Bounded x, const oracle::Tensor &lost) {
    for (int64_t i = 0; i < lost.size(); ++i)
      if (lost.data[i] > 0) {
        x.value.data[i] = 0;
        x.error.data[i] = -1;
      }
    return x;
  };
  Bounded softmaxWeights = lose(weights, lost);
  weights = castIfNarrower(weights, spec.scoreType, spec.probType);
  for (char step : spec.path)
    weights = evaluateStep(spec, step, weights, input);
  if (spec.rootForm == RootForm::Shifted)
    weights = evaluateStep(spec, '+', weights, input);
  Bounded reshaped = weights;
  // A reshape gives the same elements other indices.
  std::string rootDims = dims;
  oracle::Tensor lostWeights = lost;
  for (const std::string &reshape : spec.reshapes) {
    std::string next = AttentionSpec::reshaped(rootDims, reshape);
    bool transposes = rootDims.size() == next.size();
    for (oracle::Tensor *tensor :
         {&weights.value, &weights.error, &lostWeights}) {
      if (transposes)
        *tensor = oracle::rearrange(Bounded(*tensor), rootDims, next,
                                    spec.shape(next))
                      .value;
      else
        tensor->shape = spec.shape(next);
    }
    rootDims = next;
  }
  if (spec.probFactor)
    weights = oracle::multiply(weights,
                               oracle::roundTo(*spec.probFactor, spec.probType),
                               spec.probType);

  // The root.
  weights = castIfNarrower(weights, spec.probType, spec.accType);
  Bounded values = castIfNarrower(operand("v"), spec.type, spec.accType);
  std::string einsum = rootDims + "," + spec.v + "->" + spec.out;
  oracle::Tensor ones(spec.shape(spec.v), 1.0);
  oracle::Tensor lostOut = oracle::contract(einsum, lostWeights, ones);
  int64_t numTerms = spec.size(spec.keys);
  auto finish = [&](Bounded out) {
    if (spec.style.divideAfter)
      for (int64_t i = 0; i < 3; ++i)
        out = oracle::cast(out, spec.accType);
    return lose(castIfNarrower(out, spec.accType, spec.outType), lostOut);
  };
  // A chain repairs by up to two factors a tile.
  int64_t repairs = isChain ? 2 * steps : steps;
  Bounded out;
  switch (spec.rootForm) {
  case RootForm::Max: {
    Bounded start = oracle::Tensor(spec.shape(spec.out));
    out = maxContract(spec, weights, rootDims, values,
                      spec.initIsInput ? Bounded(input("init")) : start);
    break;
  }
  case RootForm::LogSumExp: {
    oracle::BoundedState bounded =
        oracle::softmaxState(seen, dim, state, steps, form);
    out = bounded.max;
    for (int64_t i = 0; i < out.value.size(); ++i) {
      double sum = bounded.sum.value.data[i], error = bounded.sum.error.data[i];
      out.value.data[i] += std::log(sum);
      out.error.data[i] += error < sum ? -std::log1p(-error / sum) : kInf;
    }
    std::string rows = dims;
    rows.erase(rows.find(spec.keys), 1);
    out = oracle::apply(
        oracle::rearrange(out, rows, spec.out, spec.shape(spec.out)),
        spec.accType, oracle::kExpUlps + 2, [](double x) { return x; },
        [](double, double e) { return e; });
    // The logarithm and the maximum may cancel.
    double u = oracle::getFormat(spec.accType).unitRoundoff;
    Bounded max =
        oracle::rearrange(bounded.max, rows, spec.out, spec.shape(spec.out));
    for (int64_t i = 0; i < out.value.size(); ++i)
      out.error.data[i] += (oracle::kExpUlps + 2) * u *
                           (std::fabs(max.value.data[i]) +
                            std::log(static_cast<double>(numTerms)) + 1);
    break;
  }
  case RootForm::Square:
  case RootForm::Twice:
    weights =
        oracle::product(weights, rootDims, weights, rootDims, spec.accType);
    repairs *= 2;
    [[fallthrough]];
  default:
    out = oracle::contract(einsum, weights,
                           spec.rootForm == RootForm::Reduce ? Bounded(ones)
                                                             : values,
                           spec.accType, repairs);
  }
  Bounded second = finish(out);
  if (spec.initIsInput && spec.rootForm != RootForm::Max)
    out = oracle::addInit(out, input("init"), spec.accType, numTerms);
  std::vector<Bounded> results = {finish(out)};
  if (spec.isFlat(spec.out)) {
    results[0].value.shape = flatten(results[0].value.shape);
    results[0].error.shape = results[0].value.shape;
  }
  if (spec.returnScores)
    results.push_back(scores);
  if (spec.returnWeights)
    results.push_back(softmaxWeights);
  if (spec.returnState) {
    oracle::BoundedState boundedState =
        oracle::softmaxState(scores, dim, state, steps, form);
    oracle::Tensor rows(boundedState.max.value.shape);
    forEachOfRows(lost.shape, dim,
                  [&](const oracle::Index &index, const oracle::Index &row) {
                    rows.at(row) = lost.at(index);
                  });
    for (const Bounded &result :
         {boundedState.max, lose(boundedState.sum, rows)}) {
      results.push_back(result);
      if (spec.style.keepDims) {
        for (oracle::Tensor *tensor :
             {&results.back().value, &results.back().error})
          tensor->shape.insert(tensor->shape.begin() + dim, 1);
      }
    }
  }
  if (spec.secondRoot)
    results.push_back(second);
  if (spec.returnWeightSums) {
    std::string rows = dims, keys = {spec.keys};
    rows.erase(rows.find(spec.keys), 1);
    oracle::Tensor ones(spec.shape(keys), 1.0);
    std::string sum = dims + "," + keys + "->" + rows;
    results.push_back(
        lose(oracle::contract(sum, reshaped, ones, spec.probType, repairs),
             oracle::contract(sum, lost, ones)));
  }
  if (spec.returnLogSumExp) {
    // m + ln(l): what m and, relatively, l err by, and the roundings of ln and
    // +.
    oracle::BoundedState bounds =
        oracle::softmaxState(scores, dim, state, steps, form);
    Bounded lse = oracle::logSumExp(scores.value, dim);
    double u = oracle::getFormat(state).unitRoundoff;
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
