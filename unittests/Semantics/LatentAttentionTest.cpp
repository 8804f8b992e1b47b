//===- LatentAttentionTest.cpp - Multi-head latent attention --------------===//
//
// The attention of DeepSeek-V2 as it decodes, fused, executed, and compared
// with its definition. Keys and values of all heads h are computed from one
// latent c[b, n, r]; a part of the keys, with the rotary embedding, is not, and
// is shared by the heads:
//
//   k[b, h, n] = (W_uk[h] c[b, n], k_r[b, n])
//   v[b, h, n] =  W_uv[h]^T c[b, n]
//   out[b, h, m] = softmax_n(scale (q_c[b, h, m], q_r[b, h, m]) . k[b, h, n]) v
//
// Programs do not compute k and v but absorb both matrices, so that a head's
// keys are (c, k_r) and its values c: with q_l = q_c W_uk,
//
//   p = softmax_n(scale (q_l . c + q_r . k_r)),   out = (p c) W_uv
//
// of which p c is the root: the scores are the sum of two contractions, and c
// is read twice in each tile of keys.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "SemanticsTest.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Index;
using oracle::Random;
using oracle::Tensor;
using Value = Importer::Value;
using Scalars = std::vector<std::string>;

static constexpr double kInf = std::numeric_limits<double>::infinity();

namespace {
/// How the scores are written.
enum class Scores {
  Sum,  ///< two contractions and an addition
  Onto, ///< the second contraction starts from the first
  Join, ///< one contraction of concatenated queries and the cache
};

/// Letters are those of the top of the file, and `x` the depth of q_c, `d` of
/// q_r, `e` of v, `C` (r + d) of the cache.
struct LatentCall {
  std::map<char, int64_t> sizes;
  std::string dynamic;
  DType type = DType::F32;
  bool isCausal = false;   ///< The last query sees all keys.
  bool hasLengths = false; ///< Of keys; of each batch, maybe 0.
  double scale = 1;

  // The spelling.
  Scores scores = Scores::Sum;
  bool hasCache = false; ///< c and k_r are slices of one tensor.
  bool absorbed = false; ///< q_l is an input.
  bool raise = true;
  bool isGuarded = false; ///< Within the chain.
  bool isNamed = false;   ///< linalg.softmax
  bool keepDims = false;

  int64_t size(char letter) const { return sizes.at(letter); }
};

struct LatentInputs {
  Tensor qc, qr, c, kr, uk, uv, lengths;
};

class LatentAttention : public SemanticsTest {
protected:
  static LatentCall draw(Random &random);
  static void run(const LatentCall &call, Random &random);
};
} // namespace

//===----------------------------------------------------------------------===//
// The definition
//===----------------------------------------------------------------------===//

static bool isVisible(const LatentCall &call, const LatentInputs &in, int64_t b,
                      int64_t m, int64_t n) {
  if (call.isCausal && n > m + call.size('n') - call.size('m'))
    return false;
  return !call.hasLengths || n < in.lengths.at({b});
}

/// With keys and values of every head, one query at a time; q_c is q_l, and
/// W_uk the identity, where the program takes that.
static Tensor latentAttention(const LatentCall &call, const LatentInputs &in) {
  auto size = [&](char letter) { return call.size(letter); };
  Tensor out({size('b'), size('h'), size('m'), size('e')});
  oracle::forEachIndex({size('b'), size('h'), size('m')}, [&](const Index &at) {
    int64_t b = at[0], h = at[1], m = at[2];
    std::vector<double> scores(size('n'), -kInf);
    double largest = -kInf, sum = 0;
    for (int64_t n = 0; n < size('n'); ++n) {
      if (!isVisible(call, in, b, m, n))
        continue;
      double score = 0;
      for (int64_t x = 0; x < in.qc.shape[3]; ++x) {
        double key = 0;
        for (int64_t r = 0; r < size('r'); ++r)
          key += (call.absorbed ? (x == r ? 1.0 : 0.0) : in.uk.at({h, x, r})) *
                 in.c.at({b, n, r});
        score += in.qc.at({b, h, m, x}) * key;
      }
      for (int64_t d = 0; d < size('d'); ++d)
        score += in.qr.at({b, h, m, d}) * in.kr.at({b, n, d});
      scores[n] = call.scale * score;
      largest = std::max(largest, scores[n]);
    }
    for (double &score : scores)
      sum += score = largest == -kInf ? 0 : std::exp(score - largest);
    for (int64_t e = 0; e < size('e'); ++e)
      for (int64_t n = 0; n < size('n'); ++n) {
        double value = 0;
        for (int64_t r = 0; r < size('r'); ++r)
          value += in.uv.at({h, r, e}) * in.c.at({b, n, r});
        if (sum > 0)
          out.at({b, h, m, e}) += scores[n] / sum * value;
      }
  });
  return out;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static Value addFloats(Importer &im, const Value &lhs, const Value &rhs) {
  return im.elementwise(
      {lhs, rhs}, lhs.dims, lhs.type, [&](Payload &p, Scalars in) {
        return p.arith("addf", in[0], in[1], oracle::getName(lhs.type));
      });
}

static Value maskOut(Importer &im, const Value &scores, const LatentCall &call,
                     const std::optional<Value> &lengths) {
  std::vector<Value> inputs = {scores};
  if (lengths)
    inputs.push_back(*lengths);
  return im.elementwise(
      inputs, scores.dims, scores.type, [&](Payload &p, Scalars in) {
        std::string key = p.index('n'), visible;
        if (call.isCausal) {
          std::string past =
              p.arith("subi", im.size('n'), im.size('m'), "index");
          std::string last = p.arith("addi", p.index('m'), past, "index");
          visible = p.emit("arith.cmpi sle, " + key + ", " + last + " : index");
        }
        if (lengths) {
          std::string length =
              p.emit("arith.index_cast " + in[1] + " : i8 to index");
          std::string isKey =
              p.emit("arith.cmpi slt, " + key + ", " + length + " : index");
          visible =
              visible.empty() ? isKey : p.arith("andi", visible, isKey, "i1");
        }
        return p.emit("arith.select " + visible + ", " + in[0] + ", " +
                      p.constant(-kInf, scores.type) + " : " +
                      oracle::getName(scores.type));
      });
}

static Value softmax(Importer &im, const Value &x, const LatentCall &call) {
  if (call.isNamed)
    return im.softmax(x, 'n');
  std::string element = oracle::getName(x.type);
  auto replace = [&](const Value &of, double special, double instead) {
    if (!call.isGuarded)
      return of;
    return im.elementwise({of}, of.dims, of.type, [&](Payload &p, Scalars in) {
      std::string is = p.emit("arith.cmpf oeq, " + in[0] + ", " +
                              p.constant(special, of.type) + " : " + element);
      return p.emit("arith.select " + is + ", " + p.constant(instead, of.type) +
                    ", " + in[0] + " : " + element);
    });
  };
  Value max =
      im.reduce(x, 'n', call.keepDims, -kInf, [&](Payload &p, Scalars in) {
        return p.arith("maximumf", in[0], in[1], element);
      });
  max = replace(max, -kInf, 0);
  Value exp =
      im.elementwise({x, max}, x.dims, x.type, [&](Payload &p, Scalars in) {
        return p.emit("math.exp " + p.arith("subf", in[0], in[1], element) +
                      " : " + element);
      });
  Value sum =
      im.reduce(exp, 'n', call.keepDims, 0, [&](Payload &p, Scalars in) {
        return p.arith("addf", in[0], in[1], element);
      });
  sum = replace(sum, 0, 1);
  return im.elementwise({exp, sum}, x.dims, x.type,
                        [&](Payload &p, Scalars in) {
                          return p.arith("divf", in[0], in[1], element);
                        });
}

static std::string write(const LatentCall &call) {
  std::map<char, int64_t> sizes = call.sizes;
  sizes['C'] = sizes['r'] + sizes['d'];
  Importer im(sizes, call.dynamic);
  DType type = call.type, wide = DType::F32;

  // The signature.
  Value qc = im.argument(call.absorbed ? "bhmr" : "bhmx", type);
  Value qr = im.argument("bhmd", type);
  std::optional<Value> cache, lengths;
  Value c, kr;
  if (call.hasCache) {
    cache = im.argument("bnC", type);
    c = im.slice(*cache, 'C', 'r', 0);
    kr = im.slice(*cache, 'C', 'd', sizes['r']);
  } else {
    c = im.argument("bnr", type);
    kr = im.argument("bnd", type);
  }
  Value ql = qc;
  if (!call.absorbed) {
    Value uk = im.argument("hxr", type);
    ql = im.convert(im.contraction(qc, uk, "bhmr", wide), type);
  }
  Value uv = im.argument("hre", type);
  if (call.hasLengths)
    lengths = im.argument("b", DType::I8);

  // Scores.
  Value scores;
  switch (call.scores) {
  case Scores::Sum:
    scores = addFloats(im, im.contraction(ql, c, "bhmn", wide),
                       im.contraction(qr, kr, "bhmn", wide));
    break;
  case Scores::Onto:
    scores = im.contractOnto(qr, kr, im.contraction(ql, c, "bhmn", wide));
    break;
  case Scores::Join:
    if (!cache)
      cache = im.concat(c, kr, "bnC", /*byInsertSlice=*/false);
    scores = im.contraction(im.concat(ql, qr, "bhmC", /*byInsertSlice=*/false),
                            *cache, "bhmn", wide);
    break;
  }
  scores = im.multiply(scores, call.scale);
  if (call.isCausal || call.hasLengths)
    scores = maskOut(im, scores, call, lengths);

  // The result.
  Value weights = im.convert(softmax(im, scores, call), type);
  Value latent = im.contraction(weights, c, "bhmr", wide);
  Value out = im.contraction(im.convert(latent, type), uv, "bhme", wide);
  return im.finish({im.convert(out, type)});
}

//===----------------------------------------------------------------------===//
// What it may err by
//===----------------------------------------------------------------------===//

static Bounded round(const Bounded &x, DType type) {
  return type == DType::F32 ? x : oracle::cast(x, type);
}

/// Along the last dim.
static Tensor join(const Tensor &x, const Tensor &y) {
  oracle::Shape shape = x.shape;
  shape.back() += y.shape.back();
  Tensor both(shape);
  oracle::forEachIndex(shape, [&](Index at) {
    double &value = both.at(at);
    bool isFirst = at.back() < x.shape.back();
    at.back() -= isFirst ? 0 : x.shape.back();
    value = isFirst ? x.at(at) : y.at(at);
  });
  return both;
}

static Bounded evaluate(const LatentCall &call, const LatentInputs &in,
                        int64_t steps) {
  DType type = call.type, wide = DType::F32;
  Bounded ql = in.qc;
  if (!call.absorbed)
    ql = round(oracle::contract("bhmx,hxr->bhmr", ql, in.uk, wide), type);
  // As one contraction, whose additions are at least as many.
  Bounded q(join(ql.value, in.qr), join(ql.error, Tensor(in.qr.shape)));
  Bounded scores =
      oracle::contract("bhmC,bnC->bhmn", q, join(in.c, in.kr), wide);
  scores = oracle::cast(oracle::multiply(scores, call.scale, wide), wide);
  Tensor keep(scores.value.shape);
  oracle::forEachIndex(keep.shape, [&](const Index &at) {
    keep.at(at) = isVisible(call, in, at[0], at[2], at[3]);
  });
  scores = oracle::maskOut(scores, "bhmn", keep, "bhmn");
  Bounded weights = round(oracle::softmax(scores, 3, wide, wide, steps), type);
  Bounded latent = oracle::contract("bhmn,bnr->bhmr", weights, in.c, wide,
                                    /*repairs=*/2 * steps);
  return round(
      oracle::contract("bhmr,hre->bhme", round(latent, type), in.uv, wide),
      type);
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

LatentCall LatentAttention::draw(Random &random) {
  LatentCall call;
  for (char letter : std::string("bhmrxde"))
    call.sizes[letter] = random.integer(1, 4);
  call.sizes['m'] = random.integer(1, 5);
  call.sizes['n'] = random.integer(2, 11);
  for (char letter : std::string("bhmn"))
    if (random.chance(0.4))
      call.dynamic += letter;
  call.type = random.pick<DType>({DType::F32, DType::F32, DType::F16});
  call.scale = random.uniform(0.2, 1.5);
  call.scores = random.pick<Scores>({Scores::Sum, Scores::Sum, Scores::Onto});
  call.hasCache = random.chance(0.3);
  call.absorbed = random.chance(0.3);
  call.isNamed = random.chance(0.3);
  call.keepDims = random.chance(0.3);
  return call;
}

void LatentAttention::run(const LatentCall &call, Random &random) {
  auto make = [&](const std::string &dims) {
    oracle::Shape shape;
    for (char letter : dims)
      shape.push_back(call.size(letter));
    return oracle::random(random, shape, -1.5, 1.5, call.type);
  };
  LatentInputs in = {make(call.absorbed ? "bhmr" : "bhmx"),
                     make("bhmd"),
                     make("bnr"),
                     make("bnd"),
                     make("hxr"),
                     make("hre"),
                     {}};
  Program program;
  program.text = write(call);
  program.rootLoops = "bhmrn";
  program.size = [&](char letter) { return call.size(letter); };
  program.raise = call.raise;
  program.numScores = call.scores == Scores::Join ? 1 : 2;
  program.inputs = {in.qc, in.qr};
  if (call.hasCache)
    program.inputs.push_back(join(in.c, in.kr));
  else
    program.inputs.insert(program.inputs.end(), {in.c, in.kr});
  if (!call.absorbed)
    program.inputs.push_back(in.uk);
  program.inputs.push_back(in.uv);
  if (call.hasLengths) {
    in.lengths = Tensor(oracle::Shape{call.size('b')});
    for (double &length : in.lengths.data)
      length = static_cast<double>(
          random.integer(call.raise || call.isGuarded ? 0 : 1, call.size('n')));
    program.inputs.push_back(in.lengths);
  }
  program.want = {latentAttention(call, in)};
  program.evaluate = [&](int64_t steps) -> std::vector<Bounded> {
    return {evaluate(call, in, steps)};
  };
  check(program, random);
}

TEST_F(LatentAttention, Decode) {
  forEachCase([](Random &random, int64_t) { run(draw(random), random); });
}

TEST_F(LatentAttention, Causal) {
  forEachCase([](Random &random, int64_t) {
    LatentCall call = draw(random);
    call.isCausal = true;
    run(call, random);
  });
}

TEST_F(LatentAttention, Lengths) {
  forEachCase([](Random &random, int64_t) {
    LatentCall call = draw(random);
    call.hasLengths = true;
    call.isCausal = random.chance(0.5);
    run(call, random);
  });
}

// The chain as it is: both of its states, and two contractions between them and
// the sources.
TEST_F(LatentAttention, Unraised) {
  forEachCase([](Random &random, int64_t) {
    LatentCall call = draw(random);
    call.raise = call.isNamed = false;
    // Every query sees a key.
    call.isCausal = random.chance(0.5);
    call.sizes['n'] = std::max(call.sizes['n'], call.sizes['m']);
    run(call, random);
  });
}

TEST_F(LatentAttention, Guarded) {
  forEachCase([](Random &random, int64_t) {
    LatentCall call = draw(random);
    call.raise = random.chance(0.5);
    call.isNamed = false;
    call.isGuarded = true;
    call.isCausal = random.chance(0.5);
    call.hasLengths = random.chance(0.5);
    run(call, random);
  });
}

// Concatenated queries meet the cache as it is stored; the values are a slice
// of it.
TEST_F(LatentAttention, ConcatenatedQueries) {
  forEachCase([](Random &random, int64_t) {
    LatentCall call = draw(random);
    call.scores = Scores::Join;
    call.isCausal = random.chance(0.5);
    call.hasLengths = random.chance(0.5);
    run(call, random);
  });
}
