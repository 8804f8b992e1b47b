//===- OnnxAttentionTest.cpp - Attention of ONNX, opsets 23 to 25 ---------===//
//
// The operator as importers write it, fused, executed, and compared with what
// the operator's documentation says:
//
//   Y = softmax(softcap(scale Q K^T) + bias) V
//
// - K and V follow past_key and past_value; a kv head serves H / h query heads
//   in a row.
// - Query i is at position i + offset: the length of the past, or, of a cache
//   that is given as a whole (nonpad_kv_seqlen), its valid length less the
//   number of queries; 0 without either.
// - Causal: keys up to the position. Windows (opset 25): keys from
//   left_window_size before it to right_window_size after it.
// - attn_mask is boolean (true takes part), or added; a shorter one is padded
//   with -inf. Soft capping comes before the masks.
// - A row in which every key is masked is 0, in Y and in the weights.
//
//===----------------------------------------------------------------------===//

#include "SemanticsTest.h"

#include <cmath>
#include <limits>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Index;
using oracle::Random;
using oracle::Tensor;
using Mask = AttentionCall::Mask;

static constexpr double kInf = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// The specification
//===----------------------------------------------------------------------===//

/// Element [b, head, i, j] of a tensor that is packed as [b, i, heads * depth]
/// or not.
static double read(const Tensor &x, bool isPacked, int64_t numHeads, int64_t b,
                   int64_t head, int64_t i, int64_t j) {
  if (!isPacked)
    return x.at({b, head, i, j});
  int64_t depth = x.shape[2] / numHeads;
  return x.at({b, i, head * depth + j});
}

/// attn_mask, broadcast to [b, H, m, n], as a number to add.
static double readMask(const AttentionCall &call, const Tensor &mask, int64_t b,
                       int64_t head, int64_t i, int64_t j) {
  const int64_t full[] = {b, head, i, j};
  Index at;
  for (int64_t dim = 0; dim < mask.rank(); ++dim) {
    bool isLast = dim + 1 == mask.rank();
    int64_t value = full[4 - mask.rank() + dim];
    // Fewer keys are padded, and not broadcast even if there is one.
    if (isLast && value >= mask.shape[dim])
      return -kInf;
    at.push_back(mask.shape[dim] == 1 ? 0 : value);
  }
  if (call.mask == Mask::Float)
    return mask.at(at);
  return mask.at(at) != 0 ? 0.0 : -kInf;
}

static std::vector<Tensor> onnxAttention(const AttentionCall &call,
                                         const AttentionInputs &in) {
  int64_t numBatches = call.size('b'), kvHeads = call.size('h'),
          heads = call.size('h') * call.size('g'), queries = call.size('m'),
          depth = call.size('d'), columns = call.size('e');
  int64_t past = call.hasPast ? call.size('p') : 0;
  int64_t keys = past + call.size(call.hasPast ? 'c' : 'n');
  double scale =
      call.scale ? *call.scale : 1 / std::sqrt(static_cast<double>(depth));
  bool packed = call.packedHeads;
  auto key = [&](int64_t b, int64_t head, int64_t j, int64_t d) {
    return j < past ? in.pastKey.at({b, head, j, d})
                    : read(in.k, packed, kvHeads, b, head, j - past, d);
  };
  auto value = [&](int64_t b, int64_t head, int64_t j, int64_t e) {
    return j < past ? in.pastValue.at({b, head, j, e})
                    : read(in.v, packed, kvHeads, b, head, j - past, e);
  };

  Tensor out = packed ? Tensor({numBatches, queries, heads * columns})
                      : Tensor({numBatches, heads, queries, columns});
  Tensor debug({numBatches, heads, queries, keys});
  oracle::forEachIndex({numBatches, heads, queries}, [&](const Index &row) {
    int64_t b = row[0], head = row[1], i = row[2];
    int64_t kvHead = head / (heads / kvHeads);
    int64_t offset = past;
    if (call.hasLengths)
      offset = static_cast<int64_t>(in.lengths.at({b})) - queries;
    std::vector<double> scores(keys);
    double max = -kInf, sum = 0;
    for (int64_t j = 0; j < keys; ++j) {
      double score = 0;
      for (int64_t d = 0; d < depth; ++d)
        score +=
            read(in.q, packed, heads, b, head, i, d) * key(b, kvHead, j, d);
      score *= scale;
      double capped = call.softcap > 0
                          ? call.softcap * std::tanh(score / call.softcap)
                          : score;
      double bias = 0;
      if (call.mask != Mask::None)
        bias += readMask(call, in.mask, b, head, i, j);
      int64_t position = i + offset;
      if (call.isCausal && !(j <= position))
        bias = -kInf;
      if (call.leftWindow >= 0 && !(position - call.leftWindow <= j))
        bias = -kInf;
      if (call.rightWindow >= 0 && !(j <= position + call.rightWindow))
        bias = -kInf;
      if (call.hasLengths && !(j < in.lengths.at({b})))
        bias = -kInf;
      scores[j] = capped + bias;
      max = std::max(max, scores[j]);
      const double stages[] = {score, capped, scores[j]};
      if (call.scoresOutput && *call.scoresOutput < 3)
        debug.at({b, head, i, j}) = stages[*call.scoresOutput];
    }
    bool isMasked = max == -kInf;
    for (double score : scores)
      sum += isMasked ? 0 : std::exp(score - max);
    for (int64_t j = 0; j < keys; ++j) {
      double weight = isMasked ? 0 : std::exp(scores[j] - max) / sum;
      if (call.scoresOutput == 3)
        debug.at({b, head, i, j}) = weight;
      for (int64_t e = 0; e < columns; ++e)
        (packed ? out.at({b, i, head * columns + e})
                : out.at({b, head, i, e})) += weight * value(b, kvHead, j, e);
    }
  });
  if (call.scoresOutput)
    return {out, debug};
  return {out};
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

namespace {
class OnnxAttention : public SemanticsTest {
protected:
  /// Sizes, types and spellings at random; the features are the families'.
  static AttentionCall draw(Random &random) {
    AttentionCall call;
    auto size = [&](char letter, int64_t low, int64_t high) {
      call.sizes[letter] = random.integer(low, high);
    };
    size('b', 1, 2);
    size('h', 1, 2);
    size('g', 1, 1);
    size('m', 1, 5);
    size('n', 2, 9);
    size('d', 1, 4);
    size('e', 1, 4);
    call.type = random.pick<DType>(
        {DType::F32, DType::F32, DType::F16, DType::BF16, DType::F64});
    call.dynamic = random.pick<std::string>({"", "n", "m", "mn", "bn", "de"});
    if (random.chance(0.15))
      call.valueType =
          random.pick<DType>({DType::F16, DType::BF16, DType::F32});
    if (random.chance(0.3))
      call.scale = random.uniform(0.2, 1.5);
    return call;
  }
  static void group(AttentionCall &call, Random &random) {
    call.sizes['g'] = random.integer(2, 3);
  }
  static void addPast(AttentionCall &call, Random &random) {
    call.hasPast = true;
    call.sizes['p'] = random.integer(1, 5);
    call.sizes['c'] = random.integer(1, 5);
    call.sizes['n'] = call.sizes['p'] + call.sizes['c'];
    if (call.dynamic.find('n') != std::string::npos)
      call.dynamic += random.pick<std::string>({"pc", "p", "c"});
  }
  static void pack(AttentionCall &call) {
    call.packedHeads = true;
    // A packed dimension is the product of two sizes, which the importer writes
    // as a number.
    if (call.dynamic.find('d') != std::string::npos)
      call.dynamic = "bmn";
  }
  /// A mask of any kind and shape.
  static void addMask(AttentionCall &call, Random &random, Mask kind) {
    call.mask = kind;
    std::string dims = "bHmn";
    dims = dims.substr(random.integer(0, 2));
    for (char &letter : dims)
      if (letter != 'n' && random.chance(0.25))
        letter = '1';
    if (random.chance(0.2)) {
      dims.back() = 's';
      call.sizes['s'] = random.integer(1, call.sizes['n']);
    }
    call.maskDims = dims;
  }
  static void run(const AttentionCall &call, Random &random,
                  double masked = 0.3) {
    check(onnxAttention, call, drawSpelling(call, random),
          makeInputs(call, random, masked, /*maskRows=*/true), random);
  }
  /// The importer itself sees to it that fully masked rows are 0.
  static void runGuarded(const AttentionCall &call, Random &random,
                         Spelling::Guard guard,
                         Spelling::Softmax softmax = Spelling::Softmax::Chain) {
    Spelling spelling = drawSpelling(call, random);
    spelling.guard = guard;
    if (guard == Spelling::Guard::ByBias)
      spelling.biasTensor = true;
    if (guard == Spelling::Guard::InChain) {
      spelling.softmaxType = oracle::getStateType(call.type);
      spelling.softmax = softmax;
    }
    check(onnxAttention, call, spelling,
          makeInputs(call, random, /*masked=*/0.3, /*maskRows=*/true), random);
  }
};
} // namespace

TEST_F(OnnxAttention, SelfAndCrossAttention) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    if (random.chance(0.3))
      call.dynamic = "bmnde";
    run(call, random);
  });
}

TEST_F(OnnxAttention, GroupedAndMultiQuery) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    group(call, random);
    if (random.chance(0.3))
      call.sizes['h'] = 1; // Multi-query.
    run(call, random);
  });
}

TEST_F(OnnxAttention, PackedHeads) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    if (random.chance(0.5))
      group(call, random);
    pack(call);
    run(call, random);
  });
}

TEST_F(OnnxAttention, BooleanMasks) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    if (random.chance(0.3))
      group(call, random);
    addMask(call, random, Mask::Boolean);
    run(call, random, random.chance(0.5) ? 0.3 : 0.9);
  });
}

TEST_F(OnnxAttention, FloatMasks) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    if (random.chance(0.3))
      group(call, random);
    addMask(call, random, Mask::Float);
    run(call, random, random.chance(0.5) ? 0.3 : 0.9);
  });
}

TEST_F(OnnxAttention, CausalWithPast) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.isCausal = true;
    if (random.chance(0.7))
      addPast(call, random);
    if (random.chance(0.3))
      group(call, random);
    if (random.chance(0.3))
      addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    run(call, random);
  });
}

TEST_F(OnnxAttention, SoftcapComesBeforeTheMasks) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.softcap = random.uniform(0.5, 4);
    if (random.chance(0.7))
      addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    call.isCausal = random.chance(0.3);
    run(call, random);
  });
}

TEST_F(OnnxAttention, PaddedCache) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.hasLengths = true;
    // Negative offsets leave the first queries without any key.
    call.isCausal = random.chance(0.6);
    if (random.chance(0.3))
      group(call, random);
    if (random.chance(0.3))
      addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    run(call, random);
  });
}

TEST_F(OnnxAttention, Windows) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.leftWindow = random.integer(-1, 3);
    call.rightWindow = random.integer(call.leftWindow < 0 ? 0 : -1, 3);
    call.isCausal = random.chance(0.4);
    if (random.chance(0.4))
      addPast(call, random);
    else
      call.hasLengths = random.chance(0.4);
    if (random.chance(0.3))
      addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    run(call, random);
  });
}

TEST_F(OnnxAttention, ScoresAsASecondOutput) {
  forEachCase([](Random &random, int64_t i) {
    AttentionCall call = draw(random);
    call.scoresOutput = i % 4;
    if (random.chance(0.5))
      call.softcap = random.uniform(0.5, 4);
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    if (random.chance(0.3))
      group(call, random);
    run(call, random);
  });
}

TEST_F(OnnxAttention, Everything) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    if (random.chance(0.5))
      group(call, random);
    if (random.chance(0.3))
      pack(call);
    if (random.chance(0.4))
      addPast(call, random);
    else
      call.hasLengths = random.chance(0.4);
    if (random.chance(0.5))
      addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    call.isCausal = random.chance(0.5);
    if (random.chance(0.3))
      call.leftWindow = random.integer(0, 3);
    if (random.chance(0.3))
      call.softcap = random.uniform(0.5, 4);
    if (random.chance(0.2))
      call.scoresOutput = random.integer(0, 3);
    run(call, random);
  });
}

//===----------------------------------------------------------------------===//
// Fully masked rows, made 0 by the importer
//===----------------------------------------------------------------------===//

//   m' = m == -inf ? 0 : m,  exp(x - m') / (l == 0 ? 1 : l)
TEST_F(OnnxAttention, RowsGuardedWithinTheSoftmax) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    runGuarded(call, random, Spelling::Guard::InChain);
  });
}

TEST_F(OnnxAttention, RowsGuardedWithinASoftmaxThatKeepsDims) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    runGuarded(call, random, Spelling::Guard::InChain,
               Spelling::Softmax::KeepDims);
  });
}

TEST_F(OnnxAttention, RowsGuardedByTheBias) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    call.isCausal = random.chance(0.5);
    runGuarded(call, random, Spelling::Guard::ByBias);
  });
}
