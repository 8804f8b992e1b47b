//===- AttentionTest.cpp - Attention as kernels ---------------------------===//
//
// Cases that have a name, and what a kernel for attention must not waste.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

#include <limits>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

namespace {
class AttentionTest : public GPUTest {};
} // namespace

TEST_F(AttentionTest, Tiny) {
  AttentionSpec spec = addBatch(makeSpec(2, 2, 2, DType::F32), "bh", "bh");
  for (const char *dynamic : {"", "bhmn", "bhmnde"}) {
    spec.dynamic = dynamic;
    check(spec);
  }
}

/// Not only do head dimensions of models run, they run on tensor cores.
TEST_F(AttentionTest, HeadDimensions) {
  for (int64_t depth : {1, 2, 3, 16, 32, 64, 72, 80, 96, 128, 160, 256})
    for (DType type : {DType::F16, DType::BF16}) {
      AttentionSpec spec = makeSpec(33, 65, depth, type);
      spec.mask = depth % 3 ? MaskForm::None : MaskForm::Causal;
      if (depth % 5 == 0)
        spec.dynamic = "mn";
      GPUOutcome outcome = check(spec);
      // Of one element the weights times a vector are left.
      EXPECT_GT(outcome.total().mmas, 0) << depth << outcome.remarks;
      EXPECT_FALSE(outcome.isScalar()) << depth << outcome.remarks;
    }
}

TEST_F(AttentionTest, HeadDimensionsInF32) {
  for (int64_t depth : {1, 3, 16, 40, 64, 128})
    check(makeSpec(17, 33, depth, DType::F32));
}

/// In tiles that are chosen all products are done by threads, in one kernel, or
/// by tensor cores that are asked for. TF32 has a bound of its own: three of
/// its products are nearly those of f32.
TEST_F(AttentionTest, FusedInF32) {
  for (int64_t depth : {64, 72, 128})
    for (const char *products : {"fma", "tf32x3"}) {
      AttentionSpec spec = makeSpec(70, 130, depth, DType::F32);
      spec.mask = depth == 64    ? MaskForm::Causal
                  : depth == 128 ? MaskForm::Window
                                 : MaskForm::None;
      if (depth == 72)
        spec.dynamic = "mn";
      GPUOptions options;
      options.rows = options.columns = options.keys = 0;
      options.f32Products = products;
      // AMD's pipeline refuses others.
      if (options.isAMD() && options.f32Products != "fma")
        continue;
      GPUOutcome outcome = check(spec, options);
      EXPECT_FALSE(outcome.fellBack() || outcome.isScalar())
          << depth << products << outcome.remarks;
      EXPECT_EQ(outcome.total().launches, 1);
      EXPECT_EQ(outcome.total().mmas > 0, options.f32Products != "fma" ||
                                              options.hasMatrixProductsOfF32());
    }
}

/// Products that are given the type of their operands accumulate in f32.
TEST_F(AttentionTest, NarrowAccumulators) {
  for (DType type : {DType::F16, DType::BF16})
    for (const char *dynamic : {"", "mn"}) {
      AttentionSpec spec = makeSpec(70, 130, 64, type);
      spec.scoreType = spec.probType = spec.accType = spec.outType = type;
      spec.dynamic = dynamic;
      GPUOutcome outcome = check(spec);
      EXPECT_FALSE(outcome.fellBack() || outcome.isScalar()) << outcome.remarks;
      EXPECT_GT(outcome.total().mmas, 0);
    }
}

TEST_F(AttentionTest, DynamicHeadDimension) {
  for (DType type : {DType::F16, DType::F32}) {
    AttentionSpec spec = makeSpec(20, 40, 72, type);
    spec.dynamic = "mnde";
    GPUOutcome outcome = check(spec);
    EXPECT_FALSE(outcome.isScalar()) << outcome.remarks;
    EXPECT_EQ(outcome.total().mmas > 0,
              type == DType::F16 || GPUOptions().hasMatrixProductsOfF32());
  }
}

/// Scores that are returned are computed again for tiles of columns, of which
/// nobody needs more than the tile at hand. Then with a product that is also
/// summed over a dimension of the values, of unknown size.
TEST_F(AttentionTest, ReturnedScores) {
  for (bool isSummed : {false, true})
    for (DType type : {DType::F16, DType::F32}) {
      AttentionSpec spec = makeSpec(20, 40, 24, type);
      spec.mask = MaskForm::Causal;
      spec.returnScores = true;
      spec.dynamic = "mnde";
      if (isSummed) {
        spec.v += 'r';
        spec.sizes['r'] = 5;
        spec.dynamic += 'r';
      }
      GPUOutcome outcome = check(spec);
      EXPECT_FALSE(outcome.isScalar()) << outcome.remarks;
    }
}

TEST_F(AttentionTest, SequenceLengths) {
  // Each length is known and not.
  bool isDynamic = false;
  for (int64_t queries : {1, 2, 17, 63, 64, 65}) {
    isDynamic = !isDynamic;
    for (int64_t keys : {1, 2, 17, 64, 65, 130}) {
      AttentionSpec spec = makeSpec(queries, keys, 16);
      spec.mask = (queries + keys) % 2 ? MaskForm::Causal : MaskForm::None;
      spec.dynamic = isDynamic ? "mn" : "";
      isDynamic = !isDynamic;
      check(spec);
    }
  }
}

TEST_F(AttentionTest, GroupedQueries) {
  for (int64_t group : {1, 4, 8}) {
    AttentionSpec spec = addBatch(makeSpec(18, 34, 32), "bhg", "bh");
    spec.sizes['g'] = group;
    spec.mask = MaskForm::Causal;
    GPUOutcome outcome = check(spec);
    EXPECT_GT(outcome.total().mmas, 0);
  }
}

/// Heads behind the sequence are a batch all the same, and no rows.
TEST_F(AttentionTest, SequenceBeforeHeads) {
  AttentionSpec spec = makeSpec(70, 50, 32);
  spec.q = spec.out = "bmhd";
  spec.out.back() = 'e';
  spec.k = "bnhd";
  spec.v = "bnhe";
  spec.scores = "bhmn";
  spec.sizes['b'] = 2;
  spec.sizes['h'] = 3;
  for (const char *dynamic : {"", "bmn"}) {
    spec.dynamic = dynamic;
    GPUOutcome outcome = check(spec);
    EXPECT_GT(outcome.total().mmas, 0);
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    // 2 x 3 heads of 2 tiles of rows.
    EXPECT_EQ(outcome.total().workgroups, 12);
  }
}

/// No row, no key, no batch.
TEST_F(AttentionTest, Empty) {
  for (char letter : std::string("bmn")) {
    AttentionSpec spec = addBatch(makeSpec(8, 8, 16), "b", "b");
    spec.sizes[letter] = 0;
    for (const char *dynamic : {"", "bmn"}) {
      spec.dynamic = dynamic;
      check(spec);
    }
  }
}

TEST_F(AttentionTest, MaskedRows) {
  AttentionSpec spec = makeSpec(40, 70, 32);
  spec.maskDims = "mn";
  for (MaskForm mask : {MaskForm::Boolean, MaskForm::Additive}) {
    spec.mask = mask;
    AttentionGraph graph = buildAttention(context, spec);
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    double masked = mask == MaskForm::Boolean
                        ? 0
                        : -std::numeric_limits<double>::infinity();
    for (int64_t row = 0; row < 40; row += 3)
      for (int64_t key = 0; key < 70; ++key)
        inputs[3].at({row, key}) = masked;
    // The first tiles of keys only.
    for (int64_t key = 0; key < 64; ++key)
      inputs[3].at({1, key}) = masked;
    GPUOutcome outcome = runOnGPU(graph, {}, inputs);
    EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
  }
}

// A mask that adds the same large number to all scores of a row, in whose
// rounding the scores vanish: the weights are equal, and so each result is the
// mean of the values.
TEST_F(AttentionTest, ScoresAreLostInMasks) {
  for (oracle::DType type : {oracle::DType::F16, oracle::DType::F32})
    for (double mask : {-1e9, -3e9, -1e10, -1e12, -1e20, -1e38, 1e9, 3e9}) {
      AttentionSpec spec = makeSpec(17, 40, 16, type);
      spec.mask = MaskForm::Additive;
      spec.maskDims = "mn";
      AttentionGraph graph = buildAttention(context, spec);
      oracle::Random random(1);
      std::vector<oracle::Tensor> inputs = graph.randomInputs(random, {});
      oracle::Tensor &masks = inputs[spec.inputNumber("mask")];
      for (double &value : masks.data)
        value = oracle::roundTo(mask, oracle::DType::F32);
      const oracle::Tensor &values = inputs[spec.inputNumber("v")];
      oracle::Tensor mean({17, 16});
      for (int64_t m = 0; m < 17; ++m)
        for (int64_t e = 0; e < 16; ++e)
          for (int64_t n = 0; n < 40; ++n)
            mean.at({m, e}) += values.at({n, e}) / 40;
      double u = oracle::getFormat(type).unitRoundoff;
      oracle::Bounded want(mean, oracle::Tensor(mean.shape, 64 * u));
      GPUOutcome outcome = runOnGPU(*graph.module, {}, inputs, {want});
      EXPECT_TRUE(outcome.ok()) << mask << " " << outcome.error;
    }
}

TEST_F(AttentionTest, LargeScores) {
  InputRange range;
  range.score = 1000;
  for (DType type : {DType::F16, DType::F32})
    check(makeSpec(20, 130, 16, type), {}, 1, range);
}

TEST_F(AttentionTest, Variants) {
  AttentionSpec window = makeSpec(70, 70, 32);
  window.mask = MaskForm::Window;
  window.maskWidth = 20;
  check(window);
  AttentionSpec alibi = makeSpec(40, 70, 32);
  alibi.alibi = -0.25;
  alibi.mask = MaskForm::Causal;
  check(alibi);
  AttentionSpec softcap = makeSpec(40, 70, 32);
  softcap.softcap = 8;
  check(softcap);
  AttentionSpec lengths = addBatch(makeSpec(20, 100, 32), "b", "b");
  lengths.sizes['b'] = 3;
  lengths.mask = MaskForm::Lengths;
  lengths.maskDims = "b";
  check(lengths);
}

TEST_F(AttentionTest, TileSizes) {
  for (int64_t rows : {16, 32, 64, 128})
    for (int64_t keys : {16, 32, 64})
      for (int64_t threads : {32, 64, 128, 256}) {
        GPUOptions options;
        options.rows = rows;
        options.keys = keys;
        options.threads = threads;
        AttentionSpec spec = makeSpec(70, 70, 32);
        spec.dynamic = "mn";
        check(spec, options);
      }
}

/// Levels that are asked for. The first is a loop over workgroups, also where
/// it has one iteration.
TEST_F(AttentionTest, GivenLevels) {
  for (const char *levels :
       {"forall(64) for(0,0,16)", "forall(16,16) for(0,0,32)",
        "forall(100) split(0,0,32)", "forall(32) for(0,0,64) for(0,0,16)"})
    for (const char *dynamic : {"", "mn"}) {
      GPUOptions options;
      options.levels = levels;
      AttentionSpec spec = makeSpec(40, 70, 32);
      spec.dynamic = dynamic;
      GPUOutcome outcome = check(spec, options);
      EXPECT_FALSE(outcome.fellBack() || outcome.isScalar()) << levels << "\n"
                                                             << outcome.remarks;
    }
}

/// Rows that are cut twice: no vector holds what the loop over the inner rows
/// computes, and kernels of scalar code are what is left.
TEST_F(AttentionTest, RowsCutTwice) {
  for (const char *levels :
       {"forall(8) for(4) for(0,0,8)", "forall(8) forall(4) for(0,0,8)",
        "forall(8) for(4) split(0,0,16) for(0,0,8)"})
    for (const char *dynamic : {"", "mn"}) {
      GPUOptions options;
      options.levels = levels;
      AttentionSpec spec = makeSpec(10, 20, 8);
      spec.dynamic = dynamic;
      check(spec, options);
    }
}

//===----------------------------------------------------------------------===//
// What the kernel does
//===----------------------------------------------------------------------===//

/// The weights stay in registers: only K and V are in shared memory, with one
/// barrier each for a tile of keys, and no bank serves two rows at a time.
TEST_F(AttentionTest, WeightsStayInRegisters) {
  for (int64_t depth : {64, 128})
    for (DType type : {DType::F16, DType::BF16}) {
      GPUOptions options;
      options.stages = 1;
      GPUOutcome outcome = check(makeSpec(64, 256, depth, type), options);
      auto total = outcome.total();
      EXPECT_EQ(total.launches, 1);
      EXPECT_FALSE(outcome.fellBack() || outcome.isScalar());
      // 64 x 256 x depth products each.
      EXPECT_EQ(total.mmas, 2 * 64 * 256 * depth / options.getMatrixProducts());
      if (options.isAMD()) {
        // One barrier for each tile; and of wide results in f32, on their way
        // through a tile, at most four.
        EXPECT_LE(total.workgroupBytes, 64 * depth * (2 + 2 + 4));
        EXPECT_GE(total.barriers, 4 * 2);
        EXPECT_LE(total.barriers, 4 * 2 + 4);
        EXPECT_EQ(outcome.deviceTotal().mmas, total.mmas);
        EXPECT_EQ(outcome.deviceTotal().barriers, total.barriers);
        continue;
      }
      EXPECT_EQ(total.bankConflicts(), 0);
      // Tiles of 64 x depth of K and V, 16 bytes a copy, in 4 iterations; and
      // of K in a fifth one, of nothing.
      int64_t elements = 64 * depth;
      EXPECT_EQ(total.asyncCopies, (4 * 2 + 1) * elements * 2 / 16);
      // 256 elements an instruction, and four subgroups that all load them.
      EXPECT_EQ(total.ldmatrices, 4 * 2 * 4 * elements / 256);
      // Results of 128 columns are written by way of a tile, too, with a
      // barrier before it is written and one before it is read. The others have
      // one before each is read, and one before the first is copied.
      bool isWide = depth == 128;
      EXPECT_EQ(total.workgroupBytes, (2 + isWide) * elements * 2);
      EXPECT_EQ(total.barriers, 1 + 4 * 2 + 2 * isWide);
      // The same behind the last passes.
      auto device = outcome.deviceTotal();
      EXPECT_EQ(device.mmas, total.mmas);
      EXPECT_EQ(device.ldmatrices, total.ldmatrices);
      EXPECT_EQ(device.asyncCopies, total.asyncCopies);
      EXPECT_EQ(device.barriers, total.barriers);
      EXPECT_EQ(device.bankConflicts(), 0);
      EXPECT_LE(device.workgroupBytes, total.workgroupBytes);
    }
}

/// Without any one of its barriers, or of the waits for copies in its loop, a
/// kernel is wrong, and that is seen.
TEST_F(AttentionTest, EveryBarrierIsNeeded) {
  for (int64_t depth : {64, 128}) {
    GPUOptions options;
    options.keys = 32;
    AttentionSpec spec = makeSpec(64, 128, depth);
    AttentionGraph graph = buildAttention(context, spec);
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    GPUOutcome outcome = runOnGPU(graph, options, inputs);
    ASSERT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    SimulationOptions simulation;
    simulation.interpreter.subgroupSize = options.getLanes();
    simulation.uninitialized = {static_cast<unsigned>(inputs.size())};
    inputs.emplace_back(
        outcome.deviceSimulation.arguments[inputs.size()].shape);
    auto collect = [](mlir::ModuleOp module) {
      std::vector<mlir::Operation *> found;
      module.walk([&](mlir::Operation *op) {
        if (llvm::isa<mlir::gpu::BarrierOp>(op) ||
            (llvm::isa<mlir::nvgpu::DeviceAsyncWaitOp>(op) &&
             op->getParentOfType<mlir::LoopLikeOpInterface>()))
          found.push_back(op);
      });
      return found;
    };
    // Around the first tile's copies and in the loop, and around the tile by
    // way of which wide results are written.
    size_t count = collect(*outcome.device).size();
    EXPECT_GE(count, depth == 64 || options.isAMD() ? 2u : 4u);
    for (size_t i = 0; i < count; ++i) {
      mlir::OwningOpRef<mlir::ModuleOp> module = outcome.device->clone();
      mlir::Operation *op = collect(*module)[i];
      std::string name = op->getName().getStringRef().str();
      op->erase();
      std::string error = simulate(*module, "main", inputs, simulation).error;
      EXPECT_TRUE(error.find("with no barrier in between") !=
                      std::string::npos ||
                  error.find("an asynchronous copy that is not complete") !=
                      std::string::npos)
          << "depth " << depth << ", without " << i << " of " << count << ", "
          << name << ": " << error;
    }
  }
}

/// With two stages a tile is copied while another is computed on.
TEST_F(AttentionTest, Stages) {
  for (int64_t stages : {1, 2}) {
    GPUOptions options;
    options.stages = stages;
    options.keys = 32;
    for (int64_t keys : {1, 32, 33, 64, 200}) {
      AttentionSpec spec = makeSpec(40, keys, 64);
      spec.dynamic = keys % 3 ? "mn" : "";
      spec.mask = keys % 2 ? MaskForm::Causal : MaskForm::None;
      check(spec, options);
    }
  }
}

/// Tiles of 64 x 192 have two buffers where two workgroups fit into a processor
/// with them, and one where they fit with that only. Either is right.
TEST_F(AttentionTest, TilesTakeTurns) {
  for (const char *chip : {"sm_80", "sm_90"}) {
    GPUOptions options;
    options.chip = chip;
    AttentionSpec spec = makeSpec(40, 150, 192);
    spec.dynamic = "mn";
    GPUOutcome outcome = check(spec, options);
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    bool hasTwo = outcome.kernels.find("memref<24576xf16, #gpu.address_space<"
                                       "workgroup>>") != std::string::npos;
    EXPECT_EQ(hasTwo, options.chip == "sm_90");
  }
}

/// Tiles that are chosen beside large accumulators, full and with remainders:
/// the order of sums and factors is given there.
TEST_F(AttentionTest, LargeAccumulators) {
  for (int64_t depth : {96, 104, 128}) {
    GPUOptions options;
    options.rows = options.keys = 0;
    options.threads = 128;
    AttentionSpec spec = makeSpec(130, 77, depth, DType::BF16);
    spec.dynamic = "mn";
    spec.mask = depth == 104 ? MaskForm::Causal : MaskForm::None;
    EXPECT_FALSE(check(spec, options).fellBack()) << depth;
  }
}

/// Maxima are rescaled lazily: accumulators are scaled in a branch that threads
/// take by themselves.
TEST_F(AttentionTest, LazilyRescaledMaxima) {
  for (const char *threshold : {"0", "2", "8"})
    for (int64_t depth : {16, 64, 80})
      for (double largest : {1.0, 30.0}) {
        GPUOptions options;
        options.rescaleThreshold = threshold;
        options.keys = 16;
        AttentionSpec spec = makeSpec(40, 77, depth, DType::BF16);
        spec.mask = depth == 64 ? MaskForm::Causal : MaskForm::None;
        GPUOutcome outcome =
            check(spec, options, 1, InputRange{largest, 1.0, 0.3});
        EXPECT_FALSE(outcome.fellBack());
        EXPECT_NE(outcome.kernels.find("scf.if"), std::string::npos);
        EXPECT_NE(outcome.kernels.find("-> (vector<"), std::string::npos);
      }
}

/// Sums over lanes are combined behind the loop: in it there are shuffles for
/// the maximum alone.
TEST_F(AttentionTest, SumsAreCombinedOnce) {
  GPUOptions options;
  int64_t shuffles[2];
  for (int64_t tiles : {2, 4})
    shuffles[tiles / 4] =
        check(makeSpec(64, 64 * tiles, 64), options).total().shuffles;
  // As many behind the loop as in each of its iterations; of gfx11 fewer, since
  // there the weights move between lanes, too.
  int64_t each = (shuffles[1] - shuffles[0]) / 2;
  if (llvm::StringRef(options.chip).starts_with("gfx11"))
    EXPECT_LT(shuffles[0], 3 * each);
  else
    EXPECT_EQ(shuffles[0], 3 * each);
}
