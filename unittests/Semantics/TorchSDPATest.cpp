//===- TorchSDPATest.cpp - scaled_dot_product_attention of PyTorch --------===//
//
// The function as importers write it, fused, executed, and compared with what
// its documentation says. With query [.., Hq, L, E], key [.., H, S, E] and
// value [.., H, S, Ev]:
//
//   softmax(query key^T scale + bias) value
//
// - bias is a float mask, 0 and -inf for a boolean mask (true takes part), or,
//   for is_causal, 0 on and below the diagonal that starts in the top left
//   corner; masks are broadcast to [.., Hq, L, S].
// - enable_gqa: a key head serves Hq / H query heads in a row.
// - dropout zeroes weights and scales the others by 1 / (1 - p). Which it
//   zeroes is an input here.
// - A row in which every key is masked is 0 (since version 2.5).
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

/// `x` at an index of the shape that it is broadcast to.
static double readBroadcast(const Tensor &x, const Index &index) {
  Index at(index.end() - x.rank(), index.end());
  for (int64_t dim = 0; dim < x.rank(); ++dim)
    if (x.shape[dim] == 1)
      at[dim] = 0;
  return x.at(at);
}

static std::vector<Tensor> torchAttention(const AttentionCall &call,
                                          const AttentionInputs &in) {
  int64_t rank = in.q.rank();
  int64_t queries = in.q.shape[rank - 2], depth = in.q.shape[rank - 1],
          keys = in.k.shape[rank - 2], columns = in.v.shape[rank - 1];
  int64_t group = rank >= 3 ? in.q.shape[rank - 3] / in.k.shape[rank - 3] : 1;
  double scale =
      call.scale ? *call.scale : 1 / std::sqrt(static_cast<double>(depth));
  oracle::Shape leading(in.q.shape.begin(), in.q.shape.end() - 2);
  oracle::Shape shape = leading;
  shape.insert(shape.end(), {queries, columns});
  Tensor out(shape);
  oracle::forEachIndex(leading, [&](const Index &lead) {
    Index kvLead = lead;
    if (rank >= 3)
      kvLead.back() /= group;
    auto at = [](Index index, int64_t i, int64_t j) {
      index.insert(index.end(), {i, j});
      return index;
    };
    for (int64_t i = 0; i < queries; ++i) {
      std::vector<double> scores(keys, 0.0);
      for (int64_t j = 0; j < keys; ++j) {
        for (int64_t d = 0; d < depth; ++d)
          scores[j] += in.q.at(at(lead, i, d)) * in.k.at(at(kvLead, j, d));
        scores[j] *= scale;
        if (call.mask == Mask::Float)
          scores[j] += readBroadcast(in.mask, at(lead, i, j));
        if (call.mask == Mask::Boolean &&
            readBroadcast(in.mask, at(lead, i, j)) == 0)
          scores[j] = -kInf;
        if (call.isCausal && j > i)
          scores[j] = -kInf;
      }
      double max = -kInf, sum = 0;
      for (double score : scores)
        max = std::max(max, score);
      if (max == -kInf)
        continue; // 0
      for (double score : scores)
        sum += std::exp(score - max);
      for (int64_t j = 0; j < keys; ++j) {
        double weight = std::exp(scores[j] - max) / sum;
        if (call.dropout != 0)
          weight *= in.keep.at(at(lead, i, j)) / (1 - call.dropout);
        for (int64_t e = 0; e < columns; ++e)
          out.at(at(lead, i, e)) += weight * in.v.at(at(kvLead, j, e));
      }
    }
  });
  return {out};
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

namespace {
class TorchSDPA : public SemanticsTest {
protected:
  static AttentionCall draw(Random &random) {
    AttentionCall call;
    auto size = [&](char letter, int64_t low, int64_t high) {
      call.sizes[letter] = random.integer(low, high);
    };
    size('a', 1, 2);
    size('b', 1, 2);
    size('h', 1, 2);
    size('g', 1, 1);
    size('m', 1, 5);
    size('n', 2, 9);
    size('d', 1, 4);
    size('e', 1, 4);
    // [N, L, E], [H, L, E] (the same to PyTorch), [N, H, L, E], and a rank
    // more.
    call.batch = random.pick<std::string>({"b", "b", "b", "ab", ""});
    call.hasHeads = call.batch != "b" || random.chance(0.7);
    call.type = random.pick<DType>(
        {DType::F32, DType::F32, DType::F16, DType::BF16, DType::F64});
    call.dynamic = random.pick<std::string>({"", "n", "m", "mn", "bn", "de"});
    if (random.chance(0.3))
      call.scale = random.uniform(0.2, 1.5);
    return call;
  }
  static void group(AttentionCall &call, Random &random) {
    call.hasHeads = true;
    call.sizes['g'] = random.integer(2, 3);
    if (random.chance(0.3))
      call.sizes['h'] = 1;
  }
  static void addMask(AttentionCall &call, Random &random, Mask kind) {
    call.mask = kind;
    std::string dims = call.batch + (call.hasHeads ? "H" : "") + "mn";
    dims =
        dims.substr(random.integer(0, static_cast<int64_t>(dims.size()) - 2));
    for (char &letter : dims)
      if (random.chance(0.25))
        letter = '1';
    call.maskDims = dims;
  }
  static void run(const AttentionCall &call, Random &random,
                  double masked = 0.3) {
    check(torchAttention, call, drawSpelling(call, random),
          makeInputs(call, random, masked, /*maskRows=*/true), random);
  }
};
} // namespace

TEST_F(TorchSDPA, EveryRankScaleAndValueDimension) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    if (random.chance(0.3))
      call.dynamic = "abmnde";
    run(call, random);
  });
}

TEST_F(TorchSDPA, BooleanMasks) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, Mask::Boolean);
    run(call, random, random.pick<double>({0.0, 0.3, 0.9}));
  });
}

// Converted to a float: (1 - mask) -1e9, of which nothing is left in a row in
// which a key is visible.
TEST_F(TorchSDPA, IntegerMasksAsNumbers) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, Mask::Boolean);
    Spelling spelling = drawSpelling(call, random);
    spelling.maskType =
        random.pick<DType>({DType::I1, DType::I8, DType::I32, DType::I64});
    spelling.maskUse = Spelling::MaskUse::Convert;
    AttentionInputs inputs =
        makeInputs(call, random, random.pick<double>({0.3, 0.9}), false);
    int64_t row = inputs.mask.shape.back();
    for (int64_t from = 0; from < inputs.mask.size(); from += row)
      inputs.mask.data[from + random.integer(0, row - 1)] = 1;
    check(torchAttention, call, spelling, inputs, random);
  });
}

// As BERT's: one integer for each key of a batch, [b, s].
TEST_F(TorchSDPA, KeyPaddingMasksOfIntegers) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.batch = "b";
    call.mask = Mask::Boolean;
    call.maskDims = "bn";
    Spelling spelling = drawSpelling(call, random);
    spelling.maskType = random.pick<DType>({DType::I8, DType::I32, DType::I64});
    AttentionInputs inputs = makeInputs(call, random, 0, false);
    if (random.chance(0.3))
      spelling.maskUse = Spelling::MaskUse::Convert;
    bool mayBeEmpty = spelling.maskUse != Spelling::MaskUse::Convert;
    for (int64_t b = 0; b < call.size('b'); ++b)
      for (int64_t n = random.integer(mayBeEmpty ? 0 : 1, call.size('n'));
           n < call.size('n'); ++n)
        inputs.mask.at({b, n}) = 0;
    check(
        [](const AttentionCall &call, const AttentionInputs &in) {
          AttentionCall aligned = call;
          AttentionInputs alignedInputs = in;
          aligned.maskDims = call.hasHeads ? "b11n" : "b1n";
          alignedInputs.mask.shape.insert(alignedInputs.mask.shape.begin() + 1,
                                          call.hasHeads ? 2 : 1, 1);
          return torchAttention(aligned, alignedInputs);
        },
        call, spelling, inputs, random);
  });
}

TEST_F(TorchSDPA, FloatMasks) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, Mask::Float);
    run(call, random, random.pick<double>({0.0, 0.3, 0.9}));
  });
}

TEST_F(TorchSDPA, CausalFromTheTopLeft) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.isCausal = true;
    run(call, random);
  });
}

TEST_F(TorchSDPA, GroupedQueries) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    group(call, random);
    if (random.chance(0.5))
      addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    else
      call.isCausal = random.chance(0.5);
    run(call, random);
  });
}

TEST_F(TorchSDPA, FullyMaskedRowsAreZero) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    run(call, random, /*masked=*/1.0);
  });
}

TEST_F(TorchSDPA, Dropout) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.dropout = random.uniform(0.1, 0.7);
    if (random.chance(0.3))
      group(call, random);
    if (random.chance(0.5))
      addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    run(call, random);
  });
}

// aten._safe_softmax: where(all(scores == -inf), 0, softmax(scores)).
TEST_F(TorchSDPA, SafeSoftmax) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    Spelling spelling = drawSpelling(call, random);
    spelling.guard = Spelling::Guard::ByScores;
    check(torchAttention, call, spelling,
          makeInputs(call, random, /*masked=*/0.3, /*maskRows=*/true), random);
  });
}

// All batch dims collapsed into that of linalg.batch_matmul, and back, of sizes
// that may all be dynamic. Upstream's patterns move the reshapes out of the way
// where at most one of them is; where they cannot, or are not run, it is fused
// through them.
TEST_F(TorchSDPA, BatchedMatmuls) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    Spelling spelling = drawSpelling(call, random);
    spelling.heads = Spelling::Heads::Batched;
    check(torchAttention, call, spelling,
          makeInputs(call, random, /*masked=*/0.3, /*maskRows=*/true), random);
  });
}

TEST_F(TorchSDPA, BatchedMatmulsBehindReshapes) {
  forEachCase([](Random &random, int64_t) {
    AttentionCall call = draw(random);
    call.batch = "b";
    call.hasHeads = true;
    addMask(call, random, random.pick<Mask>({Mask::Boolean, Mask::Float}));
    Spelling spelling = drawSpelling(call, random);
    spelling.heads = Spelling::Heads::Batched;
    spelling.foldReshapes = false;
    check(torchAttention, call, spelling,
          makeInputs(call, random, /*masked=*/0.3, /*maskRows=*/true), random);
  });
}
