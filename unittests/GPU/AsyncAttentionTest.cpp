//===- AsyncAttentionTest.cpp - Attention on tiles in shared memory -------===//
//
// Attention whose products are asynchronous: queries, keys and values are
// copied to shared memory as whole tiles, and weights stay in registers. Sizes
// that tiles do not divide, all kinds of masks, and what is refused. Each case is
// compiled without roles and with them.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"
#include "Mutations.h"

#include <cmath>
#include <limits>
#include <regex>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;
using Order = mlir::linalg_ext::simt::Options::Order;

namespace {
class AsyncAttentionTest : public GPUTest {
protected:
  static GPUOptions makeOptions(int64_t rows = 0, int64_t keys = 0,
                                int64_t threads = 128) {
    GPUOptions options;
    options.rows = rows;
    options.columns = options.reduction = 0;
    options.keys = keys;
    options.threads = threads;
    options.chip = "sm_90a";
    options.asyncProducts = "true";
    options.roles = "false";
    return options;
  }

  /// Both products are asynchronous, and no other instruction is there.
  static bool isAsynchronous(const GPUOutcome &outcome) {
    auto has = [&](const char *text) {
      return outcome.kernels.find(text) != std::string::npos;
    };
    return has("vector_ext.async_mma") && has("nvgpu.tma.async.load") &&
           !has("nvgpu.mma.sync");
  }

  static void checkAsynchronous(const AttentionSpec &spec,
                                const GPUOptions &options = makeOptions(),
                                InputRange range = {}) {
    for (bool roles : {false, true}) {
      GPUOptions some = options;
      some.roles = roles ? "true" : "false";
      GPUOutcome outcome = check(spec, some, /*seed=*/1, range);
      EXPECT_TRUE(isAsynchronous(outcome))
          << spec.describe() << "\n"
          << outcome.remarks;
      EXPECT_EQ(outcome.kernels.find("nvvm.setmaxregister") !=
                    std::string::npos,
                roles)
          << spec.describe() << "\n"
          << outcome.remarks;
    }
  }
};
} // namespace

// Sizes that are chosen, rows of several swizzles, one and two panels.
TEST_F(AsyncAttentionTest, HeadDimensions) {
  for (int64_t depth : {16, 32, 64, 72, 80, 96, 128, 160, 192, 256}) {
    AttentionSpec spec =
        makeSpec(130, 150, depth, depth % 3 ? DType::F16 : DType::BF16);
    spec.mask = depth % 5 ? MaskForm::Causal : MaskForm::None;
    if (depth != 64)
      spec.dynamic = "mn";
    checkAsynchronous(spec);
  }
}

TEST_F(AsyncAttentionTest, ValuesOfOtherSize) {
  for (auto [depth, columns] :
       std::vector<std::pair<int64_t, int64_t>>{{192, 128}, {64, 80}}) {
    AttentionSpec spec = makeSpec(70, 140, depth);
    spec.sizes['e'] = columns;
    spec.dynamic = "mn";
    checkAsynchronous(spec);
  }
}

// One iteration and more in the unmasked loop and in the masked one, with one
// to four slots, in every order of copies and threads. Without a mask, keys
// that do not exist are masked.
TEST_F(AsyncAttentionTest, Loops) {
  for (int64_t slots : {1, 2, 4})
    for (int64_t length : {1, 70})
      for (Order order :
           {Order::CopiesFirst, Order::CopiesLast, Order::Seeded}) {
        SCOPED_TRACE(std::to_string(slots) + " slots, order " +
                     std::to_string(static_cast<int>(order)));
        AttentionSpec spec = makeSpec(length, length, 32);
        // Each number of slots has each mask.
        spec.mask = (slots == 2) == (order == Order::CopiesLast)
                        ? MaskForm::Causal
                        : MaskForm::None;
        spec.dynamic = "mn";
        GPUOptions options = makeOptions(64, 16);
        options.stages = slots;
        options.order = order;
        checkAsynchronous(spec, options);
      }
}

TEST_F(AsyncAttentionTest, Masks) {
  for (MaskForm mask :
       {MaskForm::Additive, MaskForm::Boolean, MaskForm::Causal,
        MaskForm::Window, MaskForm::Prefix, MaskForm::Lengths}) {
    AttentionSpec spec = addBatch(makeSpec(70, 110, 64), "b", "b");
    spec.mask = mask;
    spec.maskWidth = 20;
    spec.dynamic = spec.hasMaskInput() ? "bmn" : "mn";
    if (mask == MaskForm::Lengths)
      spec.maskDims = "b";
    else if (spec.hasMaskInput())
      spec.maskDims = "bmn";
    InputRange range;
    range.masked = 0.5;
    checkAsynchronous(spec, makeOptions(64, 32), range);
  }
}

// All keys of some rows are hidden, and all rows of some tiles.
TEST_F(AsyncAttentionTest, MaskedTiles) {
  AttentionSpec spec = makeSpec(70, 100, 32);
  spec.maskDims = "mn";
  spec.dynamic = "mn";
  for (MaskForm mask : {MaskForm::Boolean, MaskForm::Additive}) {
    spec.mask = mask;
    AttentionGraph graph = buildAttention(context, spec);
    Random random(1);
    std::vector<oracle::Tensor> inputs = graph.randomInputs(random);
    double masked = mask == MaskForm::Boolean
                        ? 0
                        : -std::numeric_limits<double>::infinity();
    for (int64_t row = 0; row < 70; ++row)
      for (int64_t key = 0; key < 100; ++key)
        if (row % 5 == 0 || (key >= 32 && key < 64))
          inputs[3].at({row, key}) = masked;
    GPUOutcome outcome = runOnGPU(graph, makeOptions(64, 32), inputs);
    EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
  }
}

TEST_F(AsyncAttentionTest, Variants) {
  AttentionSpec alibi = makeSpec(70, 90, 64);
  alibi.alibi = -0.25;
  alibi.mask = MaskForm::Causal;
  AttentionSpec softcap = makeSpec(70, 90, 64);
  softcap.softcap = 8;
  AttentionSpec sink = makeSpec(70, 90, 64);
  sink.softmaxForm = SoftmaxForm::Chain;
  sink.style.sink = true;
  AttentionSpec eager = makeSpec(70, 90, 64);
  for (AttentionSpec *spec : {&alibi, &softcap, &sink, &eager}) {
    spec->dynamic = "mn";
    GPUOptions options = makeOptions(64, 32);
    options.eager = spec == &eager;
    checkAsynchronous(*spec, options);
  }
  InputRange range;
  range.score = 1000;
  AttentionSpec large = makeSpec(70, 90, 64);
  large.dynamic = "mn";
  checkAsynchronous(large, makeOptions(64, 32), range);
  // Scores beyond the cap: not by a polynomial. Products are open meanwhile.
  softcap.sizes['n'] = 200;
  GPUOptions rotated = makeOptions(128, 32);
  rotated.rotateLoops = "true";
  for (double score : {1.0, 3.0, 20.0}) {
    range.score = score;
    checkAsynchronous(softcap, rotated, range);
  }
}

TEST_F(AsyncAttentionTest, GroupedQueries) {
  for (const char *dynamic : {"mn", "bhmn"}) {
    AttentionSpec spec = addBatch(makeSpec(66, 70, 64), "bhg", "bh");
    spec.sizes['g'] = 3;
    spec.mask = MaskForm::Causal;
    spec.dynamic = dynamic;
    checkAsynchronous(spec, makeOptions(64, 32));
  }
}

// Heads behind the sequence: rows of keys are apart.
TEST_F(AsyncAttentionTest, SequenceBeforeHeads) {
  AttentionSpec spec = makeSpec(70, 50, 64);
  spec.q = "bmhd";
  spec.out = "bmhe";
  spec.k = "bnhd";
  spec.v = "bnhe";
  spec.scores = "bhmn";
  spec.sizes['b'] = 2;
  spec.sizes['h'] = 3;
  spec.dynamic = "bmn";
  checkAsynchronous(spec, makeOptions(64, 32));
}

// Dimensions in front are merged: a tensor map has five.
TEST_F(AsyncAttentionTest, ManyBatches) {
  for (const char *dynamic : {"mn", "abchkmn"}) {
    AttentionSpec spec = addBatch(makeSpec(65, 40, 32), "abchk", "abchk");
    spec.sizes['c'] = spec.sizes['k'] = 1;
    spec.dynamic = dynamic;
    checkAsynchronous(spec, makeOptions(64, 32));
  }
}

TEST_F(AsyncAttentionTest, SplitKeys) {
  for (const char *dynamic : {"", "mn"}) {
    AttentionSpec spec = makeSpec(128, 200, 64);
    spec.dynamic = dynamic;
    GPUOptions options = makeOptions(64, 32);
    options.split = 64;
    checkAsynchronous(spec, options);
  }
}

// A thread of its own copies; others compute: 128 rows, or 64 that are asked for.
TEST_F(AsyncAttentionTest, RolesWithMasks) {
  for (MaskForm mask : {MaskForm::None, MaskForm::Causal, MaskForm::Window,
                        MaskForm::Additive, MaskForm::Lengths})
    for (int64_t length : {30, 100}) {
      AttentionSpec spec = addBatch(makeSpec(length, length, 32), "b", "b");
      spec.sizes['b'] = 1;
      spec.mask = mask;
      spec.maskWidth = 20;
      spec.dynamic = "bmn";
      if (mask == MaskForm::Lengths)
        spec.maskDims = "b";
      else if (spec.hasMaskInput())
        spec.maskDims = "mn";
      GPUOptions options = makeOptions(length == 30 ? 64 : 0, 32);
      options.order = mask == MaskForm::Causal ? Order::Seeded
                      : length == 30           ? Order::CopiesFirst
                                               : Order::CopiesLast;
      options.roles = "true";
      options.stages = length == 100 ? 2 : 0;
      InputRange range;
      range.masked = 0.5;
      GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
      EXPECT_TRUE(isAsynchronous(outcome)) << spec.describe() << "\n"
                                           << outcome.remarks;
      EXPECT_NE(outcome.kernels.find("nvvm.setmaxregister"), std::string::npos)
          << spec.describe() << "\n"
          << outcome.remarks;
    }
}

// A bias by position is a product of bf16, which that of scores continues,
// whatever these multiply: in all rotated loops. Distances have up to 10 bits,
// slopes 24. In persistent kernels, the next tile starts from its own distances.
TEST_F(AsyncAttentionTest, RolesWithBiasesByPosition) {
  for (DType type : {DType::F16, DType::BF16})
    for (MaskForm mask : {MaskForm::None, MaskForm::Causal, MaskForm::Window})
      for (bool persists : {false, true}) {
        AttentionSpec spec = addBatch(makeSpec(150, 150, 32, type), "bhg", "bh");
        spec.sizes['b'] = 1;
        spec.sizes['h'] = 2;
        spec.sizes['g'] = mask == MaskForm::Causal ? 1 : 2;
        if (mask == MaskForm::None)
          spec.sizes['n'] = persists ? 1000 : 50;
        spec.mask = mask;
        spec.maskWidth = 20;
        spec.dynamic = "bhmn";
        spec.alibi = type == DType::F16 ? -0.70710678 : 0.3;
        bool rotates = persists || mask != MaskForm::Window;
        GPUOptions options = makeOptions(64, 32);
        options.roles = "true";
        options.persistentKernels = persists ? "true" : "false";
        options.rotateLoops = rotates ? "true" : "false";
        options.processors = 2;
        options.order = persists ? Order::Seeded : Order::CopiesLast;
        GPUOutcome outcome = check(spec, options);
        EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
        // Two ones of bf16, of the right operand.
        EXPECT_EQ(outcome.kernels.find("1065369472") != std::string::npos,
                  rotates)
            << spec.describe() << "\n"
            << outcome.kernels;
      }
}

// Tiles of aligned rows of a bias are copied to shared memory. Others are read
// before the keys are waited for.
TEST_F(AsyncAttentionTest, RolesWithBiasesOf16Bits) {
  for (DType type : {DType::F16, DType::BF16})
    for (const char *rotate : {"false", "true"})
      for (int64_t keys : {40, 100}) {
        bool isF16 = type == DType::F16;
        AttentionSpec spec =
            addBatch(makeSpec(isF16 ? 70 : 140, keys, 16, type), "b", "b");
        spec.sizes['e'] = 32;
        spec.sizes['b'] = 2;
        spec.scoreType = type;
        spec.mask = MaskForm::Additive;
        spec.maskDims = isF16 ? "bmn" : "mn";
        spec.dynamic = "bmn";
        // Products start from f16. Three groups have addresses that are no bits.
        GPUOptions options = makeOptions(isF16 && keys == 100 ? 192 : 128, 32);
        options.roles = "true";
        options.rotateLoops = rotate;
        options.persistentKernels = keys == 40 ? "true" : "false";
        options.processors = 1;
        options.order = keys == 100 ? Order::Seeded
                        : isF16     ? Order::CopiesFirst
                                    : Order::CopiesLast;
        InputRange range;
        range.masked = 0.5;
        GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
        EXPECT_TRUE(isAsynchronous(outcome)) << spec.describe() << "\n"
                                             << outcome.remarks;
        EXPECT_NE(outcome.kernels.find("nvgpu.ldmatrix"), std::string::npos)
            << outcome.kernels;
      }
}

// Tiles of aligned rows of 32 bits have room for 8 more elements in a row,
// which boxes fill, in the last tile from behind the end of the keys.
TEST_F(AsyncAttentionTest, RolesWithBiasesOf32Bits) {
  for (const char *rotate : {"false", "true"})
    for (int64_t keys : {40, 100}) {
      AttentionSpec spec = addBatch(makeSpec(140, keys, 16), "b", "b");
      spec.sizes['b'] = 2;
      spec.mask = MaskForm::Additive;
      spec.maskDims = "bmn";
      spec.dynamic = "bmn";
      GPUOptions options = makeOptions(128, 32);
      options.roles = "true";
      options.rotateLoops = rotate;
      options.persistentKernels = keys == 40 ? "true" : "false";
      options.processors = 1;
      options.order = keys == 100 ? Order::Seeded : Order::CopiesLast;
      InputRange range;
      range.masked = 0.5;
      GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
      EXPECT_TRUE(isAsynchronous(outcome)) << spec.describe() << "\n"
                                           << outcome.remarks;
      EXPECT_NE(outcome.kernels.find("x128x40xf32"), std::string::npos)
          << outcome.kernels;
    }
}

// With 128 columns and a bias, memory has room for the queries of one tile.
// Threads hold them, so that the next tile begins early: several tiles of a
// workgroup, or one in some and two in others, with fewer rows and keys than
// tiles have, and none.
TEST_F(AsyncAttentionTest, RolesHoldQueries) {
  for (auto [type, bits] :
       {std::pair(DType::F16, DType::F16), std::pair(DType::F16, DType::F32)})
    for (auto [keys, processors] :
         {std::pair(8, 1), {200, 1}, {200, 3}, {0, 1}, {0, 4}}) {
      AttentionSpec spec = addBatch(makeSpec(140, keys, 128, type), "b", "b");
      spec.sizes['b'] = 2;
      spec.scoreType = bits;
      spec.mask = MaskForm::Additive;
      spec.maskDims = "bmn";
      spec.dynamic = "bmn";
      GPUOptions options = makeOptions();
      options.roles = options.rotateLoops = options.persistentKernels = "true";
      options.processors = processors;
      options.order = keys == 200 ? Order::Seeded : Order::CopiesFirst;
      InputRange range;
      range.masked = 0.5;
      GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
      EXPECT_TRUE(isAsynchronous(outcome)) << spec.describe() << "\n"
                                           << outcome.remarks;
      EXPECT_NE(outcome.kernels.find("persist = 1"), std::string::npos)
          << outcome.remarks;
      // In the first kernel, whose rows are aligned, no instruction reads its
      // left operand in shared memory.
      std::string first = outcome.kernels.substr(
          0, outcome.kernels.find("vector_ext.kernel = "));
      std::regex inMemory("async_mma \"[^\"]*\" %[a-z0-9_]+\\[");
      EXPECT_NE(first.find("async_mma"), std::string::npos) << first;
      EXPECT_FALSE(std::regex_search(first, inMemory)) << first;
    }
}

// Booleans are copied as bytes if rows have a multiple of 16 of them. Some
// tiles hide nothing, some rows everything.
TEST_F(AsyncAttentionTest, RolesWithBooleans) {
  for (const char *rotate : {"false", "true"})
    for (int64_t keys : {80, 144, 100})
      for (double masked : {0.0, 0.01, 0.5}) {
        AttentionSpec spec = addBatch(makeSpec(140, keys, 16), "b", "b");
        spec.sizes['b'] = 2;
        spec.mask = MaskForm::Boolean;
        spec.maskDims = keys == 144 ? "mn" : "bmn";
        spec.dynamic = "bmn";
        GPUOptions options = makeOptions(128, 64);
        options.roles = "true";
        options.rotateLoops = rotate;
        options.persistentKernels = keys == 80 ? "true" : "false";
        options.processors = 1;
        options.order = keys == 144 ? Order::Seeded : Order::CopiesFirst;
        InputRange range;
        range.masked = masked;
        GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
        EXPECT_TRUE(isAsynchronous(outcome)) << spec.describe() << "\n"
                                             << outcome.remarks;
        EXPECT_NE(outcome.kernels.find("128x64xi8"), std::string::npos)
            << outcome.kernels;
      }
}

// Three groups of threads have room for them, too. Lanes load four neighbours of
// a row, and exchange bits.
TEST_F(AsyncAttentionTest, ThreeGroupsWithBooleans) {
  for (auto [dims, keys, masked] :
       {std::tuple{"bmn", 64, 0.0}, {"bmn", 128, 0.5}, {"bhmn", 128, 0.01},
        {"bn", 128, 0.5}}) {
    AttentionSpec spec = addBatch(makeSpec(200, 272, 64), "bh", "bh");
    bool isOfHeads = dims == llvm::StringRef("bhmn");
    spec.sizes['b'] = isOfHeads ? 1 : 2;
    spec.sizes['h'] = isOfHeads ? 2 : 1;
    spec.mask = MaskForm::Boolean;
    spec.maskDims = dims;
    spec.dynamic = "bmn";
    GPUOptions options = makeOptions(192, keys);
    options.roles = options.rotateLoops = options.persistentKernels = "true";
    options.processors = 1;
    options.order = masked == 0 ? Order::Seeded : Order::CopiesFirst;
    InputRange range;
    range.masked = masked;
    GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
    EXPECT_TRUE(isAsynchronous(outcome)) << spec.describe() << "\n"
                                         << outcome.remarks;
    EXPECT_NE(outcome.kernels.find("nvgpu.ldmatrix"), std::string::npos)
        << outcome.kernels;
  }
}

// A row of booleans says which keys of a sequence exist.
TEST_F(AsyncAttentionTest, RolesWithRowsOfBooleans) {
  for (const char *rotate : {"false", "true"})
    for (auto [keys, masked] :
         {std::pair{128, 0.0}, {128, 0.3}, {64, 0.3}, {80, 0.3}}) {
      AttentionSpec spec = addBatch(makeSpec(140, 336, 16), "b", "b");
      spec.sizes['b'] = 2;
      spec.mask = MaskForm::Boolean;
      spec.maskDims = "bn";
      spec.dynamic = "bmn";
      GPUOptions options = makeOptions(128, keys);
      options.roles = "true";
      options.rotateLoops = rotate;
      options.persistentKernels = rotate;
      options.processors = 1;
      options.order = masked == 0 ? Order::Seeded : Order::CopiesFirst;
      InputRange range;
      range.masked = masked;
      GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
      EXPECT_TRUE(isAsynchronous(outcome)) << spec.describe() << "\n"
                                           << outcome.remarks;
      EXPECT_NE(outcome.kernels.find("1x128xi8"), std::string::npos)
          << outcome.kernels;
    }
}

TEST_F(AsyncAttentionTest, RolesOfChosenSizes) {
  for (int64_t depth : {64, 80, 256}) {
    AttentionSpec spec = addBatch(
        makeSpec(70, 150, depth, depth % 3 ? DType::F16 : DType::BF16), "hg",
        "h");
    spec.sizes['h'] = 1;
    spec.dynamic = "mn";
    spec.mask = depth == 80 ? MaskForm::None : MaskForm::Causal;
    GPUOptions options = makeOptions();
    options.roles = "true";
    checkAsynchronous(spec, options);
  }
}

// More tiles than processors: workgroups compute several, an odd number of
// long and short ones in turn where the mask follows from positions.
TEST_F(AsyncAttentionTest, Persistent) {
  for (MaskForm mask :
       {MaskForm::None, MaskForm::Causal, MaskForm::Window, MaskForm::Lengths})
    for (int64_t processors : {1, 2}) {
      bool isF16 = (processors == 1) == (mask == MaskForm::Causal);
      AttentionSpec spec =
          addBatch(makeSpec(mask == MaskForm::None ? 40 : 150, 40, 16,
                            isF16 ? DType::F16 : DType::BF16),
                   "b", "b");
      spec.sizes['b'] = 3;
      spec.mask = mask;
      spec.maskWidth = 20;
      spec.maskDims = mask == MaskForm::Lengths ? "b" : "";
      spec.dynamic = "bmn";
      if (mask == MaskForm::Causal)
        spec.sizes['n'] = spec.sizes['m'];
      GPUOptions options = makeOptions(64, 16);
      options.roles = options.persistentKernels = "true";
      options.processors = processors;
      options.stages = isF16 ? 0 : 3;
      options.order = processors == 1 ? Order::CopiesFirst
                      : isF16         ? Order::Seeded
                                      : Order::CopiesLast;
      GPUOutcome outcome = check(spec, options);
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
      EXPECT_NE(outcome.kernels.find("nvvm.setmaxregister"), std::string::npos)
          << outcome.remarks;
      EXPECT_NE(outcome.kernels.find("persist = "), std::string::npos)
          << outcome.kernels;
    }
}

// No tile is lost, and none computed twice, whatever their number. Tiles of
// causal attention are in pairs, or, if pairs leave processors idle, ordered by
// length: all of them, or those of the last rounds.
TEST_F(AsyncAttentionTest, PersistentNumbersOfTiles) {
  struct Numbers {
    int64_t batches, rows, processors;
    MaskForm mask = MaskForm::Causal;
  };
  for (auto [batches, rows, processors, mask] :
       {Numbers{4, 70, 2, MaskForm::None},
        Numbers{1, 150, 2},   // pairs, of which one has one tile
        Numbers{3, 70, 2},    // by length: three rounds for two workgroups
        Numbers{2, 150, 5},   // by length: the second round has one tile
        Numbers{5, 70, 2},   // pairs, but for the last two rounds of them
        Numbers{7, 150, 3},  // the same, of rows of three tiles
        Numbers{7, 280, 4},  // of five tiles: the others begin in a second row
        Numbers{9, 130, 5},  // of three tiles, of which pairs leave one
        Numbers{3, 1000, 5}, // of 16 tiles: the others begin in a row
        Numbers{31, 70, 2},   // 31 pairs, of which 16 rounds leave one idle
        Numbers{8, 64, 1},    // pairs of rows of one tile
        Numbers{66, 9, 1}}) { // the same, more than places in a table
    AttentionSpec spec = addBatch(makeSpec(rows, 20, 16), "b", "b");
    spec.sizes['b'] = batches;
    spec.mask = mask;
    if (mask == MaskForm::Causal)
      spec.sizes['n'] = rows;
    spec.dynamic = "bmn";
    GPUOptions options = makeOptions(64, 32);
    options.roles = options.persistentKernels = "true";
    options.processors = processors;
    GPUOutcome outcome = check(spec, options);
    EXPECT_NE(outcome.kernels.find("persist = "), std::string::npos)
        << outcome.kernels;
  }
}

// Chains of eight instructions, in which a turn is passed, over tiles whose rows
// and keys do not divide; with a mask, it is passed behind them. And tiles of
// 160 keys, of a workgroup each.
TEST_F(AsyncAttentionTest, TurnsAreTakenInChains) {
  for (auto [mask, keys] :
       {std::pair(MaskForm::None, 128), std::pair(MaskForm::Causal, 128),
        std::pair(MaskForm::None, 160)}) {
    AttentionSpec spec = addBatch(
        makeSpec(300, mask == MaskForm::Causal ? 300 : 420, 16), "b", "b");
    spec.sizes['b'] = 2;
    spec.mask = mask;
    spec.dynamic = "bmn";
    GPUOptions options = makeOptions(128, keys);
    options.roles = options.rotateLoops = "true";
    options.persistentKernels = keys == 128 ? "true" : "false";
    options.processors = 2;
    for (Order order :
         {Order::CopiesFirst, Order::CopiesLast, Order::Seeded}) {
      options.order = order;
      GPUOutcome outcome = check(spec, options);
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
      EXPECT_EQ(outcome.kernels.find("persist = ") != std::string::npos,
                keys == 128)
          << outcome.kernels;
    }
  }
}

// Values that are copied behind the next keys, by two slots or four.
TEST_F(AsyncAttentionTest, ValuesAreCopiedLater) {
  for (auto [stages, rows] : {std::pair(2, 100), std::pair(2, 300),
                              std::pair(2, 450), std::pair(4, 300)}) {
    AttentionSpec spec = addBatch(makeSpec(rows, rows, 16), "b", "b");
    spec.sizes['b'] = 3;
    spec.mask = MaskForm::Causal;
    spec.dynamic = "bmn";
    GPUOptions options = makeOptions(128, 128);
    options.roles = options.rotateLoops = options.persistentKernels = "true";
    options.processors = 2;
    options.stages = stages;
    for (Order order : {Order::CopiesFirst, Order::CopiesLast, Order::Seeded}) {
      options.order = order;
      EXPECT_NE(check(spec, options).kernels.find("nvgpu.tma.async.store"),
                std::string::npos);
    }
  }
}

// Rows that threads hold in registers: known keys, so many that they are held.
TEST_F(AsyncAttentionTest, RowsInRegisters) {
  AttentionSpec spec = makeSpec(150, 150 + 3072, 128, DType::F16);
  spec.sizes['e'] = 128;
  spec.mask = MaskForm::Causal;
  spec.alignsEnds = true;
  GPUOptions options = makeOptions(128, 128);
  options.roles = options.rotateLoops = options.persistentKernels = "true";
  options.processors = 1;
  for (Order order : {Order::CopiesFirst, Order::CopiesLast, Order::Seeded}) {
    options.order = order;
    EXPECT_NE(check(spec, options).kernels.find("nvgpu.ldmatrix"),
              std::string::npos);
  }
}

// Groups of rows over several tiles, which wait for no one but the copies, or take
// turns. With more iterations than slots, the slots of keys are waited for; with
// fewer, those of queries are.
TEST_F(AsyncAttentionTest, MutationsOfPersistentKernelsAreFound) {
  for (auto [turns, mask] :
       {std::pair(false, MaskForm::Lengths), std::pair(true, MaskForm::Lengths),
        std::pair(true, MaskForm::None), std::pair(true, MaskForm::Additive),
        std::pair(true, MaskForm::Causal)}) {
    // Three groups, whose results go through shared memory, or two. Without
    // lengths, they start the first product of the next tile early, from a bias
    // if there is one. With a diagonal, the role that copies passes where tiles
    // are.
    int64_t rows = turns ? 192 : 128;
    bool startsNext = mask != MaskForm::Lengths;
    AttentionSpec spec =
        addBatch(makeSpec(rows, startsNext ? 48 : 56, 16), "b", "b");
    spec.sizes['b'] = 6;
    spec.sizes['e'] = turns ? 64 : 16;
    spec.mask = mask;
    if (mask == MaskForm::Lengths)
      spec.maskDims = "b";
    if (mask == MaskForm::Additive)
      spec.maskDims = "bmn";
    GPUOptions options = makeOptions(rows, 16);
    options.roles = options.persistentKernels = "true";
    options.rotateLoops = turns ? "true" : "false";
    options.processors = 1;
    // Each slot is waited for: with fewer for three iterations, those of keys
    // would do for those of queries.
    options.stages = startsNext ? 5 : 2;
    AttentionGraph graph = buildAttention(context, spec);
    Random random(3);
    std::vector<oracle::Tensor> inputs = graph.randomInputs(random, {});
    // In a rotated loop with masks, behind another one; and without an
    // iteration.
    int64_t batch = 0;
    for (int64_t length : {56, turns ? 0 : 10, turns ? 40 : 10, 10, 10, 56})
      if (!startsNext)
        inputs[3].at({batch++}) = length;
    oracle::Tensor want = graph.evaluate(inputs, 5).front().value;
    GPUOutcome outcome = runOnGPU(graph, options, inputs);
    ASSERT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    ASSERT_NE(outcome.kernels.find("persist = "), std::string::npos)
        << outcome.remarks;
    ASSERT_EQ(outcome.kernels.find("nvvm.barrier.arrive") != std::string::npos,
              turns)
        << outcome.remarks;
    // Groups that take turns store results through shared memory.
    ASSERT_EQ(outcome.kernels.find("nvgpu.tma.async.store") !=
                  std::string::npos,
              turns)
        << outcome.kernels;
    EXPECT_GE(checkMutations(*outcome.device, inputs, want, 0.02), 30);
  }
}

// Two groups of rows, and loops that are longer than their slots.
TEST_F(AsyncAttentionTest, MutationsOfRolesAreFound) {
  // A tile of booleans has to be large enough to be copied.
  for (int64_t keys : {16, 64}) {
    AttentionSpec spec = makeSpec(128, 5 * keys, 16);
    if (keys == 64) {
      spec.mask = MaskForm::Boolean;
      spec.maskDims = "mn";
    }
    GPUOptions options = makeOptions(128, keys);
    options.roles = "true";
    options.stages = 2;
    AttentionGraph graph = buildAttention(context, spec);
    Random random(3);
    std::vector<oracle::Tensor> inputs = graph.randomInputs(random, {});
    oracle::Tensor want = graph.evaluate(inputs, 5).front().value;
    GPUOutcome outcome = runOnGPU(graph, options, inputs);
    ASSERT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    ASSERT_NE(outcome.kernels.find("nvvm.setmaxregister"), std::string::npos)
        << outcome.remarks;
    ASSERT_EQ(outcome.kernels.find("x64xi8") != std::string::npos, keys == 64)
        << outcome.kernels;
    EXPECT_GE(checkMutations(*outcome.device, inputs, want, 0.02), 30);
  }
}

// Groups issue their products in turn, in a loop over tiles and without one.
TEST_F(AsyncAttentionTest, Turns) {
  for (const char *persistent : {"true", "false"})
    for (MaskForm mask : {MaskForm::None, MaskForm::Causal, MaskForm::Window,
                          MaskForm::Lengths})
      for (int64_t rows : {128, 192}) {
        AttentionSpec spec = addBatch(
            makeSpec(200, mask == MaskForm::None ? 70 : 200, 16), "b", "b");
        // The window of the second tile is behind the keys.
        if (mask == MaskForm::Window && rows == 128)
          spec.sizes['n'] = 70;
        // Lanes exchange results of 64 columns.
        spec.sizes['e'] = rows == 192 && mask == MaskForm::None ? 64 : 32;
        spec.sizes['b'] = 2;
        spec.mask = mask;
        spec.maskWidth = 40;
        spec.maskDims = mask == MaskForm::Lengths ? "b" : "";
        spec.dynamic = "bmn";
        GPUOptions options = makeOptions(rows, 32);
        options.roles = options.rotateLoops = "true";
        options.persistentKernels = persistent;
        options.processors = 1;
        options.order = mask == MaskForm::Causal    ? Order::Seeded
                        : mask == MaskForm::Lengths ? Order::CopiesFirst
                                                    : Order::CopiesLast;
        GPUOutcome outcome = check(spec, options);
        EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
        EXPECT_NE(outcome.kernels.find("nvvm.barrier.arrive"),
                  std::string::npos)
            << spec.describe() << "\n"
            << outcome.remarks << outcome.kernels;
      }
}

// Each tile begins on the diagonal, and starts the first product of the next
// one. Tiles of 192 rows have two tiles of keys on it. There are more rows than
// keys, more keys than rows, and none. With 66 heads, a workgroup has more tiles
// than there are places in a table.
TEST_F(AsyncAttentionTest, TilesBeginOnDiagonals) {
  for (auto [rows, keys, processors, ofTile, heads] :
       {std::array<int64_t, 5>{300, 300, 1, 128, 2}, {520, 520, 2, 128, 2},
        {300, 100, 1, 128, 2}, {130, 300, 1, 128, 2}, {257, 1, 2, 128, 2},
        {200, 0, 1, 128, 2}, {400, 400, 1, 192, 2}, {300, 129, 1, 192, 2},
        {193, 0, 1, 192, 2}, {9, 9, 1, 128, 66}})
    for (const char *persistent : {"true", "false"}) {
      AttentionSpec spec = addBatch(
          makeSpec(rows, keys, 16, rows == 520 ? DType::BF16 : DType::F16),
          "hg", "h");
      spec.sizes['h'] = heads;
      spec.sizes['g'] = rows == 300 ? 2 : 1;
      spec.sizes['e'] = 64;
      spec.mask = MaskForm::Causal;
      spec.dynamic = "hgmn";
      GPUOptions options = makeOptions(ofTile, 128);
      options.roles = options.rotateLoops = "true";
      options.persistentKernels = persistent;
      options.processors = processors;
      options.order = rows == 300   ? Order::Seeded
                      : rows == 520 ? Order::CopiesFirst
                                    : Order::CopiesLast;
      GPUOutcome outcome = check(spec, options);
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
      bool isPersistent = std::string(persistent) == "true";
      EXPECT_EQ(outcome.kernels.find("nvgpu.tma.async.store") !=
                    std::string::npos,
                isPersistent)
          << outcome.kernels;
    }
}

// A diagonal may have any offset, and may be counted from the ends of rows and
// keys. Tiles of 128 rows then have two tiles of keys on it. Rows in front of all
// keys see none.
TEST_F(AsyncAttentionTest, DiagonalsWithOffsets) {
  struct Diagonal {
    int64_t rows, keys, offset;
    bool alignsEnds = false;
    int64_t ofTile = 128;
  };
  for (Diagonal diagonal :
       {Diagonal{257, 257, 1}, Diagonal{257, 257, -1}, Diagonal{257, 257, 127},
        Diagonal{257, 257, -128}, Diagonal{257, 257, 200},
        Diagonal{257, 257, -300}, Diagonal{130, 300, 0, true},
        Diagonal{300, 130, 0, true}, Diagonal{200, 500, 5, true, 192},
        Diagonal{390, 260, -70, false, 192}, Diagonal{200, 0, 3, true}}) {
    AttentionSpec spec =
        addBatch(makeSpec(diagonal.rows, diagonal.keys, 16), "h", "h");
    spec.sizes['h'] = 2;
    spec.sizes['e'] = 64;
    spec.mask = MaskForm::Causal;
    spec.maskOffset = diagonal.offset;
    spec.alignsEnds = diagonal.alignsEnds;
    spec.dynamic = "hmn";
    GPUOptions options = makeOptions(diagonal.ofTile, 128);
    options.roles = options.rotateLoops = options.persistentKernels = "true";
    options.processors = 1;
    options.order = diagonal.offset > 0   ? Order::Seeded
                    : diagonal.alignsEnds ? Order::CopiesFirst
                                          : Order::CopiesLast;
    GPUOutcome outcome = check(spec, options);
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    // The next tile begins early.
    EXPECT_NE(outcome.kernels.find("nvgpu.tma.async.store"), std::string::npos)
        << outcome.kernels;
  }
}

// Sizes that are not known: the kernel for few tiles, and that for many. The
// other one has no workgroup.
TEST_F(AsyncAttentionTest, FewAndManyTiles) {
  // A tile of 128 rows takes less time than one of 192. Three and two take
  // about the same.
  // Booleans are copied if rows have a multiple of 16.
  for (auto [rows, keys, mask] : {std::tuple{128, 300, MaskForm::None},
                                  {384, 300, MaskForm::None},
                                  {128, 304, MaskForm::Boolean},
                                  {384, 304, MaskForm::Boolean},
                                  {384, 300, MaskForm::Boolean}}) {
    AttentionSpec spec = addBatch(makeSpec(rows, keys, 64), "b", "b");
    spec.mask = mask;
    spec.maskDims = "bmn";
    spec.sizes['e'] = 64;
    spec.sizes['b'] = 1;
    spec.dynamic = "bmn";
    GPUOptions options = makeOptions();
    options.roles = "auto";
    options.processors = 1;
    options.order = rows == 128 ? Order::CopiesFirst : Order::CopiesLast;
    InputRange range;
    range.masked = 0.1;
    GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    // Three groups compute in one of them, two in the other.
    int64_t threads = 0;
    for (const auto &entry : outcome.deviceSimulation.statistics)
      if (entry.getValue().workgroups > 0)
        threads += entry.getValue().threads;
    EXPECT_EQ(threads, rows == 128 ? 384 : 512)
        << outcome.remarks << outcome.kernels;
  }
}

// Products start from a bias of f16. As many tiles of 128 rows as processors
// take a kernel of two groups that starts no product for another tile, and more
// take one of three. Some elements are -infinity, all of the first tiles of some
// rows, too, and rows of 300 are not copied.
TEST_F(AsyncAttentionTest, FewAndManyTilesWithBiases) {
  const std::string text = R"(
#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#p = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @main(%q: tensor<?x?x64xf16>, %k: tensor<?x?x64xf16>, %v: tensor<?x?x64xf16>, %bias: tensor<?x?x?xf16>) -> tensor<?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x64xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x64xf16>
  %n = tensor.dim %k, %c1 : tensor<?x?x64xf16>
  %e = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x64xf16>, tensor<?x?x64xf16>) outs(%f : tensor<?x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %c: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %0 = arith.mulf %x1, %y1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %bias : tensor<?x?x?xf32>, tensor<?x?x?xf16>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %y: f16, %z: f32):
    %y1 = arith.extf %y : f16 to f32
    %1 = arith.addf %x, %y1 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  %weights = linalg.softmax dimension(2) ins(%biased : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e16 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %w16 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weights : tensor<?x?x?xf32>) outs(%e16 : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %y: f16):
    %1 = arith.truncf %x : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x?x?xf16>
  %eo = tensor.empty(%b, %m) : tensor<?x?x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %out = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w16, %v : tensor<?x?x?xf16>, tensor<?x?x64xf16>) outs(%fo : tensor<?x?x64xf32>) {
  ^bb0(%x: f16, %y: f16, %c: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %0 = arith.mulf %x1, %y1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x64xf32>
  return %out : tensor<?x?x64xf32>
}
)";
  for (auto [rows, keys] : {std::pair<int64_t, int64_t>{100, 304},
                            {128, 300},
                            {130, 304},
                            {384, 200}}) {
    Random random(1);
    oracle::Tensor q = oracle::random(random, {1, rows, 64}, -0.5, 0.5,
                                      DType::F16),
                   k = oracle::random(random, {1, keys, 64}, -0.5, 0.5,
                                      DType::F16),
                   v = oracle::random(random, {1, keys, 64}, -2, 2, DType::F16),
                   bias = oracle::random(random, {1, rows, keys}, -3, 3,
                                         DType::F16);
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < keys; ++n)
        if ((n - m % 7) % 5 == 0 || (m % 3 == 0 && n < 192))
          bias.at({0, m, n}) = -std::numeric_limits<double>::infinity();
    oracle::Bounded want(oracle::Tensor({1, rows, 64}));
    for (int64_t m = 0; m < rows; ++m) {
      std::vector<double> weights(keys);
      double sum = 0;
      for (int64_t n = 0; n < keys; ++n) {
        double score = bias.at({0, m, n});
        for (int64_t d = 0; d < 64; ++d)
          score += q.at({0, m, d}) * k.at({0, n, d});
        sum += weights[n] = std::exp(score);
      }
      for (int64_t e = 0; e < 64; ++e)
        for (int64_t n = 0; n < keys; ++n) {
          double term = weights[n] / sum * v.at({0, n, e});
          want.value.at({0, m, e}) += term;
          // A weight is rounded to f16, relative to the largest one.
          want.error.at({0, m, e}) +=
              std::fabs(term) * std::ldexp(1, -9) + std::ldexp(1, -20);
        }
    }
    GPUOptions options = makeOptions();
    options.roles = "auto";
    options.processors = 1;
    options.order = rows < 130 ? Order::CopiesFirst : Order::CopiesLast;
    // Subgroups vote about references (KeepReferences.cpp), of -infinity too.
    if (rows != 128)
      options.rescaleThreshold = "5.5";
    GPUOutcome outcome = check(text, options, {q, k, v, bias}, {want});
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    int64_t threads = 0;
    for (const auto &entry : outcome.deviceSimulation.statistics)
      if (entry.getValue().workgroups > 0)
        threads += entry.getValue().threads;
    EXPECT_EQ(threads, rows <= 128 ? 384 : 512)
        << rows << outcome.remarks << outcome.kernels;
  }
}

// Weights that are rounded to f8, if that is asked for, are within the bound of
// docs/Decisions/0085: of each weight p <= 1, p (2^-4 + 4 * 33 * 2^-13) + 2^-18.
// The scores are products of f8, too, whose sums have about 13 bits.
TEST_F(AsyncAttentionTest, RoundedWeights) {
  constexpr int64_t kRows = 70, kKeys = 96, kDepth = 64;
  const std::string text = R"(
#rows = affine_map<(m, n) -> (m, n)>
func.func @main(%q: tensor<70x64xf8E4M3FN>, %k: tensor<96x64xf8E4M3FN>, %v: tensor<96x64xf8E4M3FN>) -> tensor<70x64xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<70x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x96xf32>) -> tensor<70x96xf32>
  %s = linalg.contract indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>]
      ins(%q, %k : tensor<70x64xf8E4M3FN>, tensor<96x64xf8E4M3FN>) outs(%z : tensor<70x96xf32>) -> tensor<70x96xf32>
  %x = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<70x96xf32>) outs(%e : tensor<70x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<70x96xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<70x96xf32>) outs(%e : tensor<70x96xf32>) -> tensor<70x96xf32>
  %pe = tensor.empty() : tensor<70x96xf16>
  %h = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<70x96xf32>) outs(%pe : tensor<70x96xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<70x96xf16>
  %ve = tensor.empty() : tensor<96x64xf16>
  %w = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<96x64xf8E4M3FN>) outs(%ve : tensor<96x64xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<96x64xf16>
  %oe = tensor.empty() : tensor<70x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<70x64xf32>) -> tensor<70x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(m, e, n) -> (m, n)>, affine_map<(m, e, n) -> (n, e)>, affine_map<(m, e, n) -> (m, e)>]
      ins(%h, %w : tensor<70x96xf16>, tensor<96x64xf16>) outs(%oz : tensor<70x64xf32>) -> tensor<70x64xf32>
  return %o : tensor<70x64xf32>
}
)";
  Random random(1);
  oracle::Tensor q = oracle::random(random, {kRows, kDepth}, -2, 2,
                                    DType::F8E4M3FN),
                 k = oracle::random(random, {kKeys, kDepth}, -2, 2,
                                    DType::F8E4M3FN),
                 v = oracle::random(random, {kKeys, kDepth}, -2, 2,
                                    DType::F8E4M3FN);
  const double ofSums = 4 * 33 * std::ldexp(1, -13);
  oracle::Bounded want(oracle::Tensor({kRows, kDepth}));
  for (int64_t m = 0; m < kRows; ++m) {
    std::vector<double> scores(kKeys);
    double most = 0, largest = -std::numeric_limits<double>::infinity();
    for (int64_t n = 0; n < kKeys; ++n) {
      double magnitude = 0;
      for (int64_t d = 0; d < kDepth; ++d) {
        scores[n] += 0.125 * q.at({m, d}) * k.at({n, d});
        magnitude += 0.125 * std::fabs(q.at({m, d}) * k.at({n, d}));
      }
      most = std::max(most, ofSums * magnitude);
      largest = std::max(largest, scores[n]);
    }
    double sum = 0;
    for (double score : scores)
      sum += std::exp(score - largest);
    for (int64_t e = 0; e < kDepth; ++e) {
      double value = 0, error = 0;
      for (int64_t n = 0; n < kKeys; ++n) {
        double p = std::exp(scores[n] - largest), of = v.at({n, e});
        value += p * of / sum;
        error += std::fabs(of) / sum *
                 (p * (std::ldexp(1, -4) + ofSums + std::expm1(2 * most)) +
                  std::ldexp(1, -18));
      }
      want.value.at({m, e}) = value;
      want.error.at({m, e}) = error;
    }
  }
  GPUOptions options = makeOptions();
  double worst[2];
  for (bool isRounded : {false, true}) {
    options.f8Products = isRounded ? "rounded" : "f8";
    GPUOutcome outcome = check(text, options, {q, k, v}, {want});
    // The products of scores, and those of weights.
    auto count = [&](llvm::StringRef type) {
      llvm::SmallVector<llvm::StringRef> lines;
      llvm::StringRef(outcome.kernels).split(lines, '\n');
      return llvm::count_if(lines, [&](llvm::StringRef line) {
        return line.contains("vector_ext.async_mma ") && line.contains(type);
      });
    };
    EXPECT_GT(count(".f32.e4m3"), 0) << outcome.remarks << outcome.kernels;
    EXPECT_EQ(count(".f32.f16") == 0, isRounded) << outcome.remarks;
    worst[isRounded] = outcome.worstRatio;
  }
  // Weights have 4 bits, and not 11: the errors are others.
  EXPECT_GT(worst[1], 4 * worst[0]);
}

// No row, no key, no batch.
TEST_F(AsyncAttentionTest, Empty) {
  for (char letter : std::string("bmn")) {
    AttentionSpec spec = addBatch(makeSpec(8, 8, 16), "b", "b");
    spec.sizes[letter] = 0;
    spec.dynamic = "bmn";
    check(spec, makeOptions());
  }
}

// Rows of 72 bytes, products of f32, rows of a size that is not known, and few
// rows: compiled in another way.
TEST_F(AsyncAttentionTest, Refused) {
  AttentionSpec odd = makeSpec(70, 40, 36), wide = makeSpec(70, 40, 32, DType::F32),
                unknown = makeSpec(70, 40, 32), few = makeSpec(8, 40, 32);
  odd.dynamic = wide.dynamic = "mn";
  unknown.dynamic = "mnde";
  for (const AttentionSpec &spec : {odd, wide, unknown, few}) {
    GPUOutcome outcome = check(spec, makeOptions());
    EXPECT_FALSE(isAsynchronous(outcome)) << spec.describe();
    // All of this is seen before tiling: no attempt is needed.
    EXPECT_FALSE(outcome.fellBack()) << spec.describe();
  }
}
