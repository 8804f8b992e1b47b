//===- AttentionPrograms.cpp - Attention as importers write it ------------===//
//
// The IR of a call of attention in the spelling of a framework's importer.
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

namespace {
/// Writes one call.
class AttentionImporter {
public:
  using Value = Importer::Value;
  using Scalars = std::vector<std::string>;

  AttentionImporter(const AttentionCall &call, const Spelling &spelling)
      : call(call), spelling(spelling), im(getSizes(call), getDynamic(call)),
        heads(call.queryHeads()) {
    im.setGenericFills(spelling.genericFills);
    isGrouped = heads == "H" && spelling.heads == Spelling::Heads::Grouped;
    scoreDims = call.batch + (isGrouped ? "hg" : heads) + "mn";
  }

  ImportedAttention run();

private:
  static std::map<char, int64_t> getSizes(const AttentionCall &call) {
    std::map<char, int64_t> sizes = call.sizes;
    if (call.hasHeads) {
      sizes['H'] = call.size('H');
      sizes['Q'] = sizes['H'] * sizes['d'];
      sizes['K'] = sizes['h'] * sizes['d'];
      sizes['V'] = sizes['h'] * sizes['e'];
      sizes['O'] = sizes['H'] * sizes['e'];
    }
    sizes['B'] = call.size('B');
    if (call.hasRotary)
      sizes['r'] = sizes['R'] = sizes['d'] / 2;
    if (call.isOneInput)
      sizes['P'] = sizes['Q'] + sizes['K'] + sizes['V'];
    return sizes;
  }

  static std::string getDynamic(const AttentionCall &call) {
    bool isDynamic =
        call.dynamic.find_first_of(call.batch) != std::string::npos;
    return call.dynamic + (isDynamic ? "B" : "");
  }

  /// [b, s, heads * depth] to [b, heads, s, depth].
  Value unpack(const Value &x, char packed, char head, char depth) {
    Value split = im.expand(x, packed, {head, depth});
    return im.transpose(split, {'b', head, split.dims[1], depth});
  }
  /// x cos + rotate(x) sin, where rotate takes the second half of the depth,
  /// negated, in front of the first.
  Value rotate(const Value &x, const Value &cosine, const Value &sine) {
    std::string element = oracle::getName(x.type);
    Value low = im.slice(x, 'd', 'r', 0),
          high = im.slice(x, 'd', 'R', call.size('d') / 2);
    high =
        im.elementwise({high}, high.dims, x.type, [&](Payload &p, Scalars in) {
          return p.emit("arith.negf " + in[0] + " : " + element);
        });
    Value turned = im.concat(high, low, x.dims, spelling.concatByInsertSlice);
    return im.elementwise(
        {x, cosine, turned, sine}, x.dims, x.type, [&](Payload &p, Scalars in) {
          return p.arith("addf", p.arith("mulf", in[0], in[1], element),
                         p.arith("mulf", in[2], in[3], element), element);
        });
  }
  /// Repeats k or v for each query head.
  Value repeat(const Value &x) {
    std::string dims = x.dims;
    dims.insert(dims.find('h') + 1, "g");
    Value source = spelling.repeatByExpand ? im.expand(x, 'h', "h1") : x;
    Value spread = im.elementwise({source}, dims, x.type,
                                  [](Payload &, Scalars in) { return in[0]; });
    return im.collapse(spread, "hg", 'H');
  }
  /// Joins all batch dims, or splits them again.
  Value flatten(const Value &x) {
    std::string dims = call.batch + heads;
    return dims.size() == 1 ? x : im.collapse(x, dims, 'B');
  }
  Value unflatten(const Value &x) {
    std::string dims = call.batch + heads;
    return dims.size() == 1 ? x : im.expand(x, 'B', dims);
  }

  Value product(const Value &lhs, const Value &rhs, const std::string &outDims,
                DType type);
  Value readMask(Value mask);
  /// Whether a scalar of a boolean mask keeps its element.
  static std::string isKept(Payload &p, const std::string &mask, DType type) {
    return type == DType::I1
               ? mask
               : p.emit("arith.cmpi ne, " + mask + ", " + p.constant(0, type) +
                        " : " + oracle::getName(type));
  }
  /// Appends a condition: whether the query sees the key, by their positions.
  /// Returns its name, or nothing if every query sees every key. `lengths` is
  /// the scalar of the input of that name.
  std::string mayMeet(Payload &p, const std::string &lengths, bool causal,
                      bool window, bool padding);
  Value addMasks(Value scores, const std::optional<Value> &mask,
                 const std::optional<Value> &lengths);
  Value makeBias(const std::optional<Value> &mask,
                 const std::optional<Value> &lengths);
  Value softmax(const Value &scores);
  Value zeroRows(const Value &weights, const Value &of);
  Value dequantize(const Value &stored, const Value &scale);

  const AttentionCall &call;
  const Spelling &spelling;
  Importer im;
  std::string heads, scoreDims;
  bool isGrouped;
  std::optional<Value> bias;
};
} // namespace

AttentionImporter::Value AttentionImporter::product(const Value &lhs,
                                                    const Value &rhs,
                                                    const std::string &outDims,
                                                    DType type) {
  if (spelling.heads != Spelling::Heads::Batched)
    return im.contraction(lhs, rhs, outDims, type);
  return unflatten(im.batchMatmul(flatten(lhs), flatten(rhs), type));
}

AttentionImporter::Value AttentionImporter::readMask(Value mask) {
  if (size_t at = mask.dims.find('s'); at != std::string::npos)
    mask = im.pad(mask, 's', 'n',
                  call.mask == AttentionCall::Mask::Boolean ? 0.0 : -kInf);
  if (isGrouped && mask.dims.find('H') != std::string::npos)
    mask = im.expand(mask, 'H', "hg");
  if (oracle::isFloat(mask.type) ||
      spelling.maskUse == Spelling::MaskUse::CompareInline)
    return mask;
  if (spelling.maskUse == Spelling::MaskUse::Compare)
    return mask.type == DType::I1
               ? mask
               : im.elementwise({mask}, mask.dims, DType::I1,
                                [&](Payload &p, Scalars in) {
                                  return isKept(p, in[0], mask.type);
                                });
  DType type = call.type;
  std::string element = oracle::getName(type);
  return im.elementwise({mask}, mask.dims, type, [&](Payload &p, Scalars in) {
    // An i1 of 1 is -1 as a signed number.
    bool isSigned = mask.type == DType::I32 || mask.type == DType::I64;
    std::string number =
        p.emit(std::string(isSigned ? "arith.sitofp " : "arith.uitofp ") +
               in[0] + " : " + oracle::getName(mask.type) + " to " + element);
    std::string inverted =
        p.arith("subf", p.constant(1, type), number, element);
    double lowest = type == DType::F16 ? -65504 : -1e9;
    return p.arith("mulf", inverted, p.constant(lowest, type), element);
  });
}

std::string AttentionImporter::mayMeet(Payload &p, const std::string &lengths,
                                       bool causal, bool window, bool padding) {
  auto compare = [&](const std::string &predicate, const std::string &a,
                     const std::string &b) {
    return p.emit("arith.cmpi " + predicate + ", " + a + ", " + b + " : index");
  };
  std::string query = p.index('m'), key = p.index('n'), length;
  if (call.hasLengths) {
    std::string narrow = oracle::getName(spelling.lengthType);
    std::string wide =
        spelling.lengthType == DType::I64
            ? lengths
            : p.emit("arith.extsi " + lengths + " : " + narrow + " to i64");
    length = p.emit("arith.index_cast " + wide + " : i64 to index");
    std::string offset = p.arith("subi", length, im.size('m'), "index");
    query = p.arith("addi", query, offset, "index");
  } else if (call.hasPast) {
    query = p.arith("addi", query, im.size('p'), "index");
  }
  std::string all;
  auto require = [&](const std::string &condition) {
    all = all.empty() ? condition : p.arith("andi", all, condition, "i1");
  };
  if (causal && call.isCausal)
    require(compare("sle", key, query));
  if (window && call.leftWindow >= 0)
    require(compare(
        "sge", key,
        p.arith("subi", query, p.constantIndex(call.leftWindow), "index")));
  if (window && call.rightWindow >= 0)
    require(compare(
        "sle", key,
        p.arith("addi", query, p.constantIndex(call.rightWindow), "index")));
  if (padding && call.hasLengths)
    require(compare("slt", key, length));
  return all;
}

static std::string selectOf(Payload &p, const std::string &condition,
                            const std::string &yes, const std::string &no,
                            DType type) {
  return p.emit("arith.select " + condition + ", " + yes + ", " + no + " : " +
                oracle::getName(type));
}

/// Each mask as a tensor of its own, then their sum.
AttentionImporter::Value
AttentionImporter::makeBias(const std::optional<Value> &mask,
                            const std::optional<Value> &lengths) {
  DType type = call.type;
  std::vector<Value> parts;
  if (mask && !oracle::isFloat(mask->type))
    parts.push_back(
        im.elementwise({*mask}, mask->dims, type, [&](Payload &p, Scalars in) {
          return selectOf(p, isKept(p, in[0], mask->type), p.constant(0, type),
                          p.constant(-kInf, type), type);
        }));
  else if (mask)
    parts.push_back(*mask);
  auto add = [&](bool causal, bool window, bool padding) {
    std::vector<Value> inputs;
    if (lengths)
      inputs.push_back(*lengths);
    parts.push_back(im.elementwise(
        inputs, (lengths ? call.batch : "") + "mn", type,
        [&](Payload &p, Scalars in) {
          return selectOf(
              p, mayMeet(p, lengths ? in[0] : "", causal, window, padding),
              p.constant(0, type), p.constant(-kInf, type), type);
        }));
  };
  if (call.isCausal)
    add(true, false, false);
  if (call.leftWindow >= 0 || call.rightWindow >= 0)
    add(false, true, false);
  if (call.hasLengths)
    add(false, false, true);
  std::string dims;
  for (char letter : scoreDims) {
    bool isUsed = letter == 'm' || letter == 'n';
    for (const Value &part : parts)
      isUsed |= part.dims.find(letter) != std::string::npos;
    if (isUsed)
      dims += letter;
  }
  return im.elementwise(parts, dims, type, [&](Payload &p, Scalars in) {
    std::string sum = in[0];
    for (size_t i = 1; i < in.size(); ++i)
      sum = p.arith("addf", sum, in[i], oracle::getName(type));
    return sum;
  });
}

AttentionImporter::Value
AttentionImporter::addMasks(Value scores, const std::optional<Value> &mask,
                            const std::optional<Value> &lengths) {
  bool byPosition = call.isCausal || call.leftWindow >= 0 ||
                    call.rightWindow >= 0 || call.hasLengths;
  if (!mask && !byPosition)
    return scores;
  DType type = scores.type;
  auto addTo = [&](const Value &added) {
    return im.elementwise(
        {scores, added}, scores.dims, type, [&](Payload &p, Scalars in) {
          return p.arith("addf", in[0], p.convert(in[1], added.type, type),
                         oracle::getName(type));
        });
  };
  if (spelling.biasTensor) {
    bias = makeBias(mask, lengths);
    return addTo(*bias);
  }
  if (mask && !oracle::isFloat(mask->type))
    scores = im.elementwise(
        {scores, *mask}, scores.dims, type, [&](Payload &p, Scalars in) {
          return selectOf(p, isKept(p, in[1], mask->type), in[0],
                          p.constant(-kInf, type), type);
        });
  else if (mask)
    scores = addTo(*mask);
  if (!byPosition)
    return scores;
  std::vector<Value> inputs = {scores};
  if (lengths)
    inputs.push_back(*lengths);
  return im.elementwise(inputs, scores.dims, type, [&](Payload &p, Scalars in) {
    std::string meet = mayMeet(p, lengths ? in[1] : "", true, true, true);
    return selectOf(p, meet, in[0], p.constant(-kInf, type), type);
  });
}

AttentionImporter::Value AttentionImporter::softmax(const Value &scores) {
  if (spelling.softmax == Spelling::Softmax::Named)
    return im.softmax(scores, 'n');
  bool expanded = spelling.softmax == Spelling::Softmax::Expanded;
  bool keepDim = spelling.softmax == Spelling::Softmax::KeepDims;
  bool guarded = spelling.guard == Spelling::Guard::InChain;
  DType type = scores.type;
  std::string element = oracle::getName(type);
  // x, but `instead` where it is `special`.
  auto replace = [&](const Value &x, double special, double instead) {
    return im.elementwise({x}, x.dims, type, [&](Payload &p, Scalars in) {
      std::string is = p.emit("arith.cmpf oeq, " + in[0] + ", " +
                              p.constant(special, type) + " : " + element);
      return selectOf(p, is, p.constant(instead, type), in[0], type);
    });
  };
  using MaxInit = Spelling::MaxInit;
  bool fromNaN = spelling.maxInit == MaxInit::NaN;
  double start = fromNaN ? std::numeric_limits<double>::quiet_NaN()
                 : spelling.maxInit == MaxInit::Infinity ? -kInf
                 : type == DType::F16                    ? -65504
                 : type == DType::BF16 ? -3.3895313892515355e38
                                       : -3.4028234663852886e38;
  Value max =
      spelling.argMax && !keepDim
          ? im.reduceWithIndex(scores, 'n', start)
          : im.reduce(scores, 'n', keepDim, start, [&](Payload &p, Scalars in) {
              return p.arith(fromNaN ? "maxnumf" : "maximumf", in[0], in[1],
                             element);
            });
  // As broadcast_in_dim has it.
  auto spread = [&](const Value &row) {
    if (!spelling.spreadRows)
      return row;
    return im.elementwise({row}, scores.dims, row.type,
                          [](Payload &, Scalars in) { return in[0]; });
  };
  if (expanded)
    max = im.expand(max, 'm', "m1");
  if (guarded)
    max = replace(max, -kInf, 0);
  auto exponential = [&](const Value &of) {
    return im.elementwise(
        {scores, spread(of)}, scores.dims, type, [&](Payload &p, Scalars in) {
          return p.emit("math.exp " + p.arith("subf", in[0], in[1], element) +
                        " : " + element);
        });
  };
  Value exp = exponential(max);
  Value sum =
      im.reduce(exp, 'n', keepDim || expanded, spelling.negativeSum ? -0.0 : 0,
                [&](Payload &p, Scalars in) {
                  return p.arith("addf", in[1], in[0], element);
                });
  if (guarded)
    sum = replace(sum, 0, 1);
  if (spelling.normalize == Spelling::Normalize::LogSumExp)
    return exponential(
        im.elementwise({max, sum}, sum.dims, type, [&](Payload &p, Scalars in) {
          std::string log = p.emit("math.log " + in[1] + " : " + element);
          return p.arith("addf", in[0], log, element);
        }));
  if (spelling.normalize == Spelling::Normalize::Reciprocal) {
    Value inverse =
        im.elementwise({sum}, sum.dims, type, [&](Payload &p, Scalars in) {
          return p.arith("divf", p.constant(1, type), in[0], element);
        });
    return im.elementwise({exp, spread(inverse)}, scores.dims, type,
                          [&](Payload &p, Scalars in) {
                            return p.arith("mulf", in[0], in[1], element);
                          });
  }
  return im.elementwise({exp, spread(sum)}, scores.dims, type,
                        [&](Payload &p, Scalars in) {
                          return p.arith("divf", in[0], in[1], element);
                        });
}

/// The weights, but 0 in the rows in which all of `of` is -inf.
AttentionImporter::Value AttentionImporter::zeroRows(const Value &weights,
                                                     const Value &of) {
  Value isMasked =
      im.elementwise({of}, of.dims, DType::I1, [&](Payload &p, Scalars in) {
        return p.emit("arith.cmpf oeq, " + in[0] + ", " +
                      p.constant(-kInf, of.type) + " : " +
                      oracle::getName(of.type));
      });
  bool keepDim = spelling.softmax != Spelling::Softmax::Chain;
  Value all = im.reduce(isMasked, 'n', keepDim, 1, [](Payload &p, Scalars in) {
    return p.arith("andi", in[0], in[1], "i1");
  });
  return im.elementwise({weights, all}, weights.dims, weights.type,
                        [&](Payload &p, Scalars in) {
                          return selectOf(p, in[1], p.constant(0, weights.type),
                                          in[0], weights.type);
                        });
}

/// Converts `stored` to the type of `scale`, and multiplies by it.
AttentionImporter::Value
AttentionImporter::dequantize(const Value &stored, const Value &scale) {
  return im.elementwise(
      {stored, scale}, stored.dims, scale.type, [&](Payload &p, Scalars in) {
        std::string type = oracle::getName(scale.type);
        std::string wide =
            stored.type == DType::I8
                ? p.emit("arith.sitofp " + in[0] + " : i8 to " + type)
                : p.convert(in[0], stored.type, scale.type);
        return p.arith("mulf", wide, in[1], type);
      });
}

ImportedAttention AttentionImporter::run() {
  std::string batch = call.batch, kv = call.kvHeads();
  char keys = call.hasPast ? 'c' : 'n';
  DType type = call.type;

  // The signature.
  std::optional<Value> all;
  auto argument = [&](char packed, const std::string &head, char sequence,
                      char depth, DType of) {
    if (call.packedHeads)
      return im.argument(std::string{'b', sequence, packed}, of);
    std::string dims = batch + call.order(head, sequence, depth);
    if (call.layout == AttentionCall::Layout::DepthFirst && sequence == keys)
      dims = batch + head + std::string{depth, sequence};
    return im.argument(dims, of);
  };
  // The one input is [b, m, P]: the heads of q, those of k, and those of v.
  auto part = [&](char packed, int64_t offset, char sequence) {
    return im.rename(im.slice(*all, 'P', packed, offset),
                     std::string{'b', sequence, packed});
  };
  if (call.isOneInput)
    all = im.argument("bmP", type);
  int64_t qSize = im.hasLetter('Q') ? im.staticSize('Q') : 0,
          kSize = im.hasLetter('K') ? im.staticSize('K') : 0;
  auto stored = [&](bool isPast, DType of) {
    return isPast == call.hasPast ? call.stored.value_or(of) : of;
  };
  Value q = all ? part('Q', 0, 'm') : argument('Q', heads, 'm', 'd', type);
  Value k = all ? part('K', qSize, keys)
                : argument('K', kv, keys, 'd', stored(false, type));
  Value v = all ? part('V', qSize + kSize, keys)
                : argument('V', kv, keys, 'e',
                           stored(false, call.getValueType()));
  std::optional<Value> mask, lengths, keep;
  if (call.mask != AttentionCall::Mask::None) {
    std::string dims = call.maskDims;
    if (heads == "h")
      std::replace(dims.begin(), dims.end(), 'H', 'h');
    mask = im.argument(dims, call.mask == AttentionCall::Mask::Boolean
                                 ? spelling.maskType
                                 : type);
  }
  std::optional<Value> pastKey, pastValue;
  if (call.hasPast) {
    pastKey = im.argument(batch + kv + "pd", stored(true, type));
    pastValue =
        im.argument(batch + kv + "pe", stored(true, call.getValueType()));
  }
  if (call.hasLengths)
    lengths = im.argument(batch, spelling.lengthType);
  if (call.dropout != 0)
    keep = im.argument(batch + heads + "mn", DType::I1);
  std::optional<Value> slopes;
  if (call.hasSlopes)
    slopes = im.argument(heads, type);
  std::vector<Value> rotary;
  if (call.hasRotary)
    for (char sequence : {'m', 'm', keys, keys})
      rotary.push_back(im.argument(std::string{sequence, 'd'}, type));

  std::optional<Value> keyScale, valueScale;
  if (call.stored) {
    keyScale = im.argument("h", type);
    valueScale = im.argument("h", call.getValueType());
  }

  // Heads and cache.
  if (call.packedHeads) {
    q = unpack(q, 'Q', heads[0], 'd');
    k = unpack(k, 'K', 'h', 'd');
    v = unpack(v, 'V', 'h', 'e');
  }
  if (call.stored) {
    Value &keysOfCache = call.hasPast ? *pastKey : k,
          &valuesOfCache = call.hasPast ? *pastValue : v;
    keysOfCache = dequantize(keysOfCache, *keyScale);
    valuesOfCache = dequantize(valuesOfCache, *valueScale);
  }
  if (call.hasRotary) {
    q = rotate(q, rotary[0], rotary[1]);
    k = rotate(k, rotary[2], rotary[3]);
  }
  if (call.hasPast) {
    bool byInsertSlice = spelling.concatByInsertSlice;
    k = im.concat(*pastKey, k, batch + kv + "nd", byInsertSlice);
    v = im.concat(*pastValue, v, batch + kv + "ne", byInsertSlice);
  }
  if (isGrouped) {
    q = im.expand(q, 'H', "hg");
  } else if (heads == "H") {
    k = repeat(k);
    v = repeat(v);
  }
  if (mask)
    mask = readMask(*mask);

  // Scores.
  double scale = call.getScale();
  if (spelling.scaleOperands) {
    q = im.multiply(q, std::sqrt(scale));
    k = im.multiply(k, std::sqrt(scale));
  }
  if ((spelling.transposeKeys && call.layout == AttentionCall::Layout::Heads) ||
      spelling.heads == Spelling::Heads::Batched)
    k = im.transpose(k, k.dims.substr(0, k.dims.size() - 2) + "dn");
  Value scores = product(q, k, scoreDims, spelling.scoreType);
  if (spelling.narrowScores)
    scores = im.convert(scores, type);
  if (!spelling.scaleOperands && spelling.splatScale)
    scores = im.elementwise(
        {scores, im.fill(scores.dims, scores.type, scale)}, scores.dims,
        scores.type, [&](Payload &p, Scalars in) {
          return p.arith("mulf", in[0], in[1], oracle::getName(scores.type));
        });
  else if (!spelling.scaleOperands)
    scores = im.multiply(scores, scale);
  if (slopes) {
    Value slope = isGrouped ? im.expand(*slopes, 'H', "hg") : *slopes;
    std::string element = oracle::getName(scores.type);
    scores = im.elementwise(
        {scores, slope}, scoreDims, scores.type, [&](Payload &p, Scalars in) {
          std::string distance =
              p.arith("subi", p.index('n'), p.index('m'), "index");
          std::string number =
              p.emit("arith.index_cast " + distance + " : index to i32");
          number = p.emit("arith.sitofp " + number + " : i32 to " + element);
          return p.arith("addf", in[0],
                         p.arith("mulf", p.convert(in[1], type, scores.type),
                                 number, element),
                         element);
        });
  }
  std::vector<Value> stages = {scores};
  if (call.softcap != 0) {
    // Three ops, or one as after elementwise fusion.
    auto tanh = [&](Payload &p, const std::string &x) {
      return p.emit("math.tanh " + x + " : " + oracle::getName(scores.type));
    };
    if (spelling.softcapIsOneOp) {
      scores = im.elementwise(
          {scores}, scoreDims, scores.type, [&](Payload &p, Scalars in) {
            std::string element = oracle::getName(scores.type);
            std::string x =
                p.arith("mulf", in[0],
                        p.constant(1 / call.softcap, scores.type), element);
            return p.arith("mulf", tanh(p, x),
                           p.constant(call.softcap, scores.type), element);
          });
    } else {
      scores = im.multiply(scores, 1 / call.softcap);
      scores = im.elementwise(
          {scores}, scoreDims, scores.type,
          [&](Payload &p, Scalars in) { return tanh(p, in[0]); });
      scores = im.multiply(scores, call.softcap);
    }
  }
  stages.push_back(scores);
  scores = addMasks(scores, mask, lengths);
  stages.push_back(scores);

  // Weights.
  scores = im.convert(scores, spelling.softmaxType);
  Value weights = softmax(scores);
  if (spelling.guard == Spelling::Guard::ByScores)
    weights = zeroRows(weights, scores);
  if (spelling.guard == Spelling::Guard::ByBias && bias)
    weights = zeroRows(weights, *bias);
  weights = im.convert(weights, type);
  stages.push_back(weights);
  if (keep) {
    Value kept = isGrouped ? im.expand(*keep, 'H', "hg") : *keep;
    weights = im.elementwise(
        {weights, kept}, scoreDims, type, [&](Payload &p, Scalars in) {
          return selectOf(p, in[1], in[0], p.constant(0, type), type);
        });
    weights = im.multiply(weights, 1 / (1 - call.dropout));
  }

  // The result.
  std::string outDims = scoreDims.substr(0, scoreDims.size() - 1) + "e";
  Value out = product(weights, v, outDims, call.getAccumulatorType());
  out = im.convert(out, type);
  auto joinHeads = [&](const Value &x) {
    return isGrouped ? im.collapse(x, "hg", 'H') : x;
  };
  out = joinHeads(out);
  if (call.packedHeads) {
    out = im.transpose(out, "bm" + heads + "e");
    out = im.collapse(out, heads + "e", 'O');
  }
  if (!call.packedHeads && call.layout == AttentionCall::Layout::Sequence)
    out = im.transpose(out, batch + "m" + heads + "e");
  std::vector<Value> results = {out};
  if (call.scoresOutput)
    results.push_back(joinHeads(im.convert(stages[*call.scoresOutput], type)));
  if (spelling.heads == Spelling::Heads::Batched && !spelling.foldReshapes)
    outDims = "Bme";
  return {im.finish(results), outDims + "n"};
}

ImportedAttention linalg_ext_test::importAttention(const AttentionCall &call,
                                                   const Spelling &spelling) {
  return AttentionImporter(call, spelling).run();
}
