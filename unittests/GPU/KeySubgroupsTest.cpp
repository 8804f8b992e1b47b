//===- KeySubgroupsTest.cpp - Keys of a row shared by subgroups -----------===//
//
// Parts of the subgroups of a workgroup reduce keys of their own, and what they
// have accumulated is merged after the loop.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include <limits>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

namespace {
class KeySubgroupsTest : public GPUTest {
protected:
  static AttentionSpec makeSpec(int64_t queries, int64_t keys, int64_t depth,
                                DType type = DType::F16) {
    AttentionSpec spec =
        addBatch(GPUTest::makeSpec(queries, keys, depth, type), "bh", "bh");
    spec.sizes['b'] = 1;
    spec.scale = 0.25;
    return spec;
  }

  static GPUOptions makeOptions(int64_t keySubgroups, int64_t rows = 64) {
    GPUOptions options;
    options.rows = rows;
    options.keys = 16;
    options.split = -1;
    options.keySubgroups = keySubgroups;
    options.threads = std::max(options.threads,
                               keySubgroups * options.getLanes());
    return options;
  }

  /// At most so many kernels: there is none for what parts leave.
  static GPUOutcome checkParts(const AttentionSpec &spec,
                               const GPUOptions &options, int64_t launches = 1,
                               InputRange range = {}) {
    GPUOutcome outcome = check(spec, options, 1, range);
    EXPECT_FALSE(outcome.fellBack() || outcome.isScalar()) << outcome.remarks;
    EXPECT_LE(outcome.total().launches, launches);
    return outcome;
  }
};
} // namespace

/// Lengths that all parts divide, or one part, or none; fewer keys than parts
/// take at a time, or none at all.
TEST_F(KeySubgroupsTest, Lengths) {
  for (int64_t keys : {16, 64, 65, 96, 150})
    for (int64_t parts : {2, 4})
      for (const char *dynamic : {"", "bn"}) {
        AttentionSpec spec = makeSpec(20, keys, 32);
        spec.dynamic = dynamic;
        checkParts(spec, makeOptions(parts));
      }
}

TEST_F(KeySubgroupsTest, NoKeys) {
  for (int64_t keys : {0, 1, 31, 32}) {
    AttentionSpec spec = makeSpec(4, keys, 16);
    spec.dynamic = "n";
    checkParts(spec, makeOptions(2));
  }
}

TEST_F(KeySubgroupsTest, Types) {
  for (DType type : {DType::F16, DType::BF16, DType::F32}) {
    GPUOutcome outcome = checkParts(makeSpec(33, 70, 24, type), makeOptions(2));
    EXPECT_EQ(outcome.total().mmas > 0,
              type != DType::F32 || GPUOptions().hasMatrixProductsOfF32());
  }
}

TEST_F(KeySubgroupsTest, HeadDimensions) {
  for (int64_t depth : {16, 40, 72, 80, 128})
    for (int64_t queries : {1, 8, 40}) {
      GPUOutcome outcome =
          checkParts(makeSpec(queries, 70, depth), makeOptions(4, 16));
      EXPECT_GT(outcome.total().mmas, 0);
    }
}

/// Some parts see nothing of a tile that others see.
TEST_F(KeySubgroupsTest, Masks) {
  for (MaskForm mask : {MaskForm::Causal, MaskForm::Window, MaskForm::Boolean,
                        MaskForm::Additive})
    for (int64_t keys : {128, 150})
      for (const char *dynamic : {"", "mn"}) {
        AttentionSpec spec = makeSpec(70, keys, 16);
        spec.mask = mask;
        spec.maskDims = "mn";
        spec.dynamic = dynamic;
        // Rows of a mask of dynamic length start aligned or not.
        checkParts(spec, makeOptions(2, 32), *dynamic ? 2 : 1);
      }
}

/// Parts of which nothing is visible leave the identity; rows of which nothing
/// is visible are 0, or whatever the program makes of them.
TEST_F(KeySubgroupsTest, MaskedParts) {
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
      if (key % 32 < 16)
        inputs[3].at({1, key}) = value;
      if (key % 32 >= 16)
        inputs[3].at({2, key}) = value;
    }
    for (bool eager : {false, true}) {
      GPUOptions options = makeOptions(2);
      options.eager = eager;
      AttentionGraph copy = buildAttention(context, spec);
      GPUOutcome outcome = runOnGPU(copy, options, inputs);
      EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
      EXPECT_EQ(outcome.total().launches, 1);
    }
  }
}

/// Chunks are those of workgroups, and parts of chunks those of subgroups.
TEST_F(KeySubgroupsTest, WithSplit) {
  for (int64_t keys : {128, 150}) {
    GPUOptions options = makeOptions(2, 16);
    options.split = 64;
    checkParts(makeSpec(4, keys, 32), options, /*launches=*/2);
  }
}

/// More threads than there are parts: the others share rows and columns.
TEST_F(KeySubgroupsTest, RowsColumnsAndKeys) {
  for (int64_t subgroups : {2, 4, 8}) {
    GPUOptions options = makeOptions(2, 32);
    options.threads = subgroups * options.getLanes();
    options.stages = 2;
    checkParts(makeSpec(64, 128, 32), options);
  }
}
