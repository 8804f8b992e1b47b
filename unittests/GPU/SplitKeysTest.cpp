//===- SplitKeysTest.cpp - Keys of a row shared by workgroups -------------===//
//
// Few rows and many keys, as when text is generated: chunks of the keys are
// workgroups of one kernel, and another one merges what they have accumulated.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"
#include "mlir-ext/Selection/KeyChunks.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Chips.h"

#include <limits>

using namespace linalg_ext_test;
using namespace mlir::linalg_ext;
using oracle::DType;
using oracle::Tensor;

namespace {
class SplitKeysTest : public GPUTest {
protected:
  /// The `group` query heads of each of 2 x 2 key heads are the rows.
  static AttentionSpec makeSpec(int64_t group, int64_t keys, int64_t depth,
                                DType type = DType::F16) {
    AttentionSpec spec =
        addBatch(GPUTest::makeSpec(group, keys, depth, type), "bh", "bh");
    spec.scale = 0.25;
    return spec;
  }

  static GPUOptions makeOptions(int64_t split, int64_t keys = 16) {
    GPUOptions options;
    options.split = split;
    options.keys = keys;
    return options;
  }

  /// One kernel for the chunks and one that merges them, both with vectors.
  /// Without keys there are no chunks, so only the other kernel is launched.
  static GPUOutcome checkSplit(const AttentionSpec &spec,
                               const GPUOptions &options,
                               InputRange range = {}, int64_t launches = 2) {
    GPUOutcome outcome = check(spec, options, 1, range);
    EXPECT_FALSE(outcome.fellBack() || outcome.isScalar()) << outcome.remarks;
    EXPECT_EQ(outcome.total().launches, launches);
    return outcome;
  }
};
} // namespace

/// Chunks that divide the keys or do not, one tile each or several.
TEST_F(SplitKeysTest, Lengths) {
  for (int64_t keys : {17, 64, 65, 150})
    for (int64_t split : {16, 48}) {
      if (split >= keys)
        continue;
      for (const char *dynamic : {"", "bn"}) {
        AttentionSpec spec = makeSpec(4, keys, 32);
        spec.dynamic = dynamic;
        GPUOutcome outcome = checkSplit(spec, makeOptions(split));
        int64_t chunks = (keys + split - 1) / split;
        EXPECT_EQ(outcome.total().workgroups, 4 * chunks + 4);
      }
    }
}

/// A number of keys that is not known may turn out to be that of one chunk, or
/// of none.
TEST_F(SplitKeysTest, OneChunkOrNone) {
  for (int64_t keys : {0, 1, 15, 16}) {
    AttentionSpec spec = makeSpec(4, keys, 16);
    spec.dynamic = "n";
    checkSplit(spec, makeOptions(16), {}, keys == 0 ? 1 : 2);
  }
}

/// Chunks that a launch chooses are those that are chosen when sizes are known:
/// for fewer rows than processors, and for more.
TEST_F(SplitKeysTest, ChosenChunks) {
  GPUOptions options = makeOptions(/*split=*/0, /*keys=*/64);
  options.processors = 3;
  const AMDChip *amd = lookupAMDChip(options.chip);
  GPUTarget target =
      amd ? amd->target
          : lookupNVIDIAChip(options.chip.empty() ? "sm_80" : options.chip)
                ->target;
  target.setProcessors(options.processors);
  for (auto [tiles, keys] :
       {std::pair<int64_t, int64_t>(1, 257), {1, 700}, {2, 1700}, {4, 1030}}) {
    KnownNumbers numbers;
    int64_t chunk = chooseKeyChunk(numbers, keys, tiles, options.keys,
                                   KeyReads::Tiles, target);
    int64_t chunks = (keys + chunk - 1) / chunk;
    for (const char *dynamic : {"", "n", "bhn"}) {
      AttentionSpec spec = makeSpec(2, keys, 16);
      spec.sizes['b'] = 1;
      spec.sizes['h'] = tiles;
      spec.dynamic = dynamic;
      GPUOutcome outcome = check(spec, options);
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
      EXPECT_EQ(outcome.total().workgroups,
                chunks > 1 || *dynamic ? tiles * (chunks + 1) : tiles)
          << tiles << " tiles, " << keys << " keys, dynamic: " << dynamic;
    }
  }
}

TEST_F(SplitKeysTest, Types) {
  for (DType type : {DType::F16, DType::BF16, DType::F32}) {
    AttentionSpec spec = makeSpec(3, 70, 24, type);
    GPUOutcome outcome = checkSplit(spec, makeOptions(32));
    EXPECT_EQ(outcome.total().mmas > 0,
              type != DType::F32 || GPUOptions().hasMatrixProductsOfF32());
  }
}

/// Subgroups that find no rows share columns, as far as there are enough of
/// them; one query is as many equal rows as an instruction takes.
TEST_F(SplitKeysTest, HeadDimensions) {
  for (int64_t depth : {16, 40, 72, 80, 128})
    for (int64_t group : {1, 8}) {
      AttentionSpec spec = makeSpec(group, 70, depth);
      spec.sizes['b'] = 1;
      GPUOutcome outcome = checkSplit(spec, makeOptions(48, 32));
      EXPECT_GT(outcome.total().mmas, 0);
    }
}

/// Chunks of which nothing is visible leave the identity; rows of which nothing
/// is visible are 0, or whatever the program makes of them.
TEST_F(SplitKeysTest, MaskedChunks) {
  constexpr double hidden = -std::numeric_limits<double>::infinity();
  for (MaskForm mask : {MaskForm::Boolean, MaskForm::Additive}) {
    AttentionSpec spec = makeSpec(4, 100, 16);
    spec.mask = mask;
    spec.maskDims = "mn";
    AttentionGraph graph = buildAttention(context, spec);
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    double value = mask == MaskForm::Boolean ? 0 : hidden;
    for (int64_t key = 0; key < 100; ++key) {
      inputs[3].at({0, key}) = value;
      if (key < 32 || key >= 64)
        inputs[3].at({1, key}) = value;
      if (key < 64)
        inputs[3].at({2, key}) = value;
    }
    for (bool eager : {false, true}) {
      GPUOptions options = makeOptions(32);
      options.eager = eager;
      AttentionGraph copy = buildAttention(context, spec);
      GPUOutcome outcome = runOnGPU(copy, options, inputs);
      EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
      EXPECT_EQ(outcome.total().launches, 2);
    }
  }
}

/// Loops over keys that a mask bounds leave some chunks without an iteration.
TEST_F(SplitKeysTest, EmptyChunks) {
  AttentionSpec lengths = makeSpec(4, 130, 16);
  lengths.mask = MaskForm::Lengths;
  lengths.maskDims = "b";
  AttentionSpec causal = makeSpec(40, 130, 16);
  causal.mask = MaskForm::Causal;
  causal.sizes['b'] = 1;
  AttentionSpec window = causal;
  window.mask = MaskForm::Window;
  window.maskWidth = 7;
  for (AttentionSpec spec : {lengths, causal, window})
    for (const char *dynamic : {"", "mn"}) {
      spec.dynamic = dynamic;
      checkSplit(spec, makeOptions(32));
    }
}

TEST_F(SplitKeysTest, LargeScores) {
  InputRange range;
  range.score = 1000;
  checkSplit(makeSpec(4, 130, 16), makeOptions(32), range);
}

/// What else is made of the states is made of the merged ones.
TEST_F(SplitKeysTest, LogSumExp) {
  AttentionSpec spec = makeSpec(4, 100, 16);
  spec.returnLogSumExp = true;
  spec.mask = MaskForm::Lengths;
  spec.maskDims = "b";
  EXPECT_EQ(check(spec, makeOptions(32)).total().launches, 2);
}

/// Groups are rows also where there is a dimension of one query behind them; of
/// one head there is one row.
TEST_F(SplitKeysTest, OneQuery) {
  AttentionSpec spec = makeSpec(1, 100, 32);
  spec.q = "bhgmd";
  spec.scores = "bhgmn";
  spec.out = "bhgme";
  for (int64_t group : {1, 4}) {
    spec.sizes['g'] = group;
    GPUOutcome outcome = checkSplit(spec, makeOptions(48));
    EXPECT_GT(outcome.total().mmas, 0);
    // All of a group in one workgroup.
    EXPECT_EQ(outcome.total().workgroups, 4 * 3 + 4);
  }
}

/// Without being told: long keys of few rows, and nothing else.
TEST_F(SplitKeysTest, Choice) {
  auto countLaunches = [](AttentionSpec spec) {
    spec.sizes['b'] = spec.sizes['h'] = 1;
    return check(spec, makeOptions(0)).total().launches;
  };
  EXPECT_EQ(countLaunches(makeSpec(4, 300, 16)), 2);
  EXPECT_EQ(countLaunches(makeSpec(4, 60, 16)), 1);
  EXPECT_EQ(countLaunches(makeSpec(40, 300, 16)), 1);
  AttentionSpec dynamic = makeSpec(4, 60, 16);
  dynamic.dynamic = "bn";
  EXPECT_EQ(countLaunches(dynamic), 2);
  dynamic.dynamic = "bmn";
  EXPECT_EQ(countLaunches(dynamic), 1);
}

/// Subgroups that are workgroups exchange nothing: there are the tiles of keys
/// and values in shared memory, and a barrier for each.
TEST_F(SplitKeysTest, SubgroupsOfTheirOwn) {
  GPUOptions options = makeOptions(64);
  options.threads = options.getLanes();
  for (int64_t group : {1, 4}) {
    AttentionSpec spec = makeSpec(group, 128, 64);
    spec.sizes['b'] = spec.sizes['h'] = 1;
    GPUOutcome outcome = checkSplit(spec, options);
    auto total = outcome.total();
    // What is between barriers differs on AMD GPUs.
    if (options.isAMD())
      continue;
    // Of 16 keys and 64 columns of f16, twice as there are two stages; and of
    // several rows 16 of the result in f32, to be written in long runs.
    bool isWide = group > 1;
    EXPECT_EQ(total.workgroupBytes, 2 * 2 * 16 * 64 * 2 + isWide * 16 * 64 * 4);
    // One for each of 4 x 2 tiles, and two for each of the results of 2 chunks;
    // none of them waits for another subgroup.
    EXPECT_EQ(total.barriers, 8 + isWide * 2 * 2);
    auto shared = checkSplit(spec, makeOptions(64, 64)).total();
    EXPECT_LT(total.barriers, shared.barriers);
    EXPECT_LT(total.wavefronts.actual, shared.wavefronts.actual);
  }
}
