//===- AsyncReferencesTest.cpp - Votes about references of rows -----------===//
//
// With a rescale threshold, the subgroups of asynchronous kernels vote whether
// all rows keep their references (KeepReferences.cpp). References move in no
// tile, in some, and in all, with scores of both signs.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include <cmath>
#include <limits>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;

namespace {
class AsyncReferencesTest : public GPUTest {
protected:
  static GPUOptions makeOptions(int64_t rows, const char *threshold) {
    GPUOptions options;
    options.rows = rows;
    options.columns = options.reduction = 0;
    options.keys = 64;
    options.threads = 128;
    options.chip = "sm_90a";
    options.asyncProducts = options.roles = "true";
    options.rotateLoops = options.persistentKernels = "true";
    options.processors = 1;
    options.rescaleThreshold = threshold;
    return options;
  }

  /// Whether subgroups vote. Without masks, nothing else does.
  static bool votes(GPUOutcome &outcome) {
    bool found = false;
    if (outcome.device)
      outcome.device->walk([&](mlir::Operation *op) {
        found |= op->getName().getStringRef() == "nvvm.vote.sync";
      });
    return found;
  }
};
} // namespace

// Whether references move depends on the scores and the threshold.
TEST_F(AsyncReferencesTest, Thresholds) {
  for (auto [rows, depth, type] :
       {std::tuple{192, 64, DType::F16}, {128, 32, DType::BF16}})
    for (auto [threshold, score] :
         {std::pair{"5.5", 2.0}, {"0.5", 2.0}, {"1", 30.0}, {"0", 2.0}})
      for (MaskForm mask : {MaskForm::None, MaskForm::Causal}) {
        AttentionSpec spec = makeSpec(200, 330, depth, type);
        spec.mask = mask;
        spec.dynamic = "mn";
        InputRange range;
        range.score = score;
        GPUOutcome outcome =
            check(spec, makeOptions(rows, threshold), /*seed=*/1, range);
        EXPECT_TRUE(votes(outcome)) << spec.describe() << "\n"
                                    << outcome.remarks;
      }
}

// Scores rise or fall along the keys, and are of one sign. Where all are
// negative, their bits have the reverse order.
TEST_F(AsyncReferencesTest, ScoresOfOneSign) {
  for (double sign : {-1.0, 1.0})
    for (double slope : {-1.0, 1.0}) {
      AttentionSpec spec = makeSpec(128, 448, 64);
      GPUOptions options = makeOptions(128, "2");
      AttentionGraph graph = buildAttention(context, spec);
      Random random(5);
      std::vector<oracle::Tensor> inputs = graph.randomInputs(random, {});
      oracle::forEachIndex(inputs[0].shape, [&](const oracle::Index &index) {
        inputs[0].at(index) = 0.5;
      });
      // 64 terms of at most 1, and a scale of 1 / 8: up to 30.
      oracle::forEachIndex(inputs[1].shape, [&](const oracle::Index &index) {
        int64_t key = index[index.size() - 2];
        double rise = slope > 0 ? key / 448.0 : 1 - key / 448.0;
        inputs[1].at(index) =
            sign * (1 + std::round(64 * 6 * rise) / 64);
      });
      GPUOutcome outcome = runOnGPU(graph, options, inputs);
      EXPECT_TRUE(outcome.ok())
          << sign << " " << slope << outcome.error << outcome.remarks;
      EXPECT_TRUE(votes(outcome)) << outcome.remarks;
    }
}

// A NaN reaches its row, and no other one.
TEST_F(AsyncReferencesTest, NaN) {
  for (double sign : {-1.0, 1.0}) {
    AttentionSpec spec = makeSpec(128, 320, 64);
    AttentionGraph graph = buildAttention(context, spec);
    Random random(7);
    std::vector<oracle::Tensor> inputs = graph.randomInputs(random, {});
    double nan = std::numeric_limits<double>::quiet_NaN();
    oracle::Index first(inputs[0].rank(), 0);
    first[inputs[0].rank() - 2] = 37;
    inputs[0].at(first) = sign < 0 ? -nan : nan;
    GPUOutcome outcome = runOnGPU(graph, makeOptions(128, "5.5"), inputs);
    EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    EXPECT_TRUE(votes(outcome)) << outcome.remarks;
  }
}

// Scores of keys are infinite: of the first tiles, whose rows have no reference
// yet, of some of each tile, and of the last tiles.
TEST_F(AsyncReferencesTest, Infinities) {
  double infinity = std::numeric_limits<double>::infinity();
  for (auto [begin, end, step] :
       {std::tuple{0, 140, 1}, {5, 320, 9}, {130, 320, 1}})
    for (double sign : {-1.0, 1.0}) {
      AttentionSpec spec = makeSpec(128, 320, 64);
      AttentionGraph graph = buildAttention(context, spec);
      Random random(11);
      std::vector<oracle::Tensor> inputs = graph.randomInputs(random, {});
      oracle::forEachIndex(inputs[0].shape, [&](const oracle::Index &index) {
        if (index.back() == 0)
          inputs[0].at(index) = 0.5;
      });
      for (int64_t key = begin; key < end; key += step) {
        oracle::Index at(inputs[1].rank(), 0);
        at[at.size() - 2] = key;
        inputs[1].at(at) = sign * infinity;
      }
      GPUOutcome outcome = runOnGPU(graph, makeOptions(128, "5.5"), inputs);
      EXPECT_TRUE(outcome.ok()) << begin << " " << sign << " " << outcome.error
                                << outcome.remarks;
      EXPECT_TRUE(votes(outcome)) << outcome.remarks;
    }
}
