//===- AsyncSkipsTest.cpp - Groups of threads that skip tiles -------------===//
//
// Attention whose tiles of rows have three groups of threads. Those that have no
// row of the last tile skip it: they wait for tiles of keys, free their slots and
// take turns as others do, and start the first product of the next tile.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"
#include "Mutations.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;
using Order = mlir::linalg_ext::simt::Options::Order;

namespace {
class AsyncSkipsTest : public GPUTest {
protected:
  static GPUOptions makeOptions(int64_t keys, int64_t processors) {
    GPUOptions options;
    options.rows = 192;
    options.columns = options.reduction = 0;
    options.keys = keys;
    options.threads = 128;
    options.chip = "sm_90a";
    options.asyncProducts = options.roles = options.rotateLoops =
        options.persistentKernels = "true";
    options.processors = processors;
    return options;
  }

  static bool hasSkips(const GPUOutcome &outcome) {
    return outcome.kernels.find("vector_ext.skips_rows") != std::string::npos;
  }
};
} // namespace

// Of 200 rows, the second tile has 8. One workgroup has several tiles, or a tile
// of its own. Sizes are not known. Where products start from a bias, nobody skips.
TEST_F(AsyncSkipsTest, Results) {
  struct Case {
    MaskForm mask;
    int64_t rows, keys, processors;
    Order order;
  };
  for (auto [mask, rows, keys, processors, order] :
       {Case{MaskForm::Additive, 200, 48, 1, Order::CopiesFirst},
        Case{MaskForm::Boolean, 200, 272, 1, Order::CopiesLast},
        Case{MaskForm::Boolean, 330, 48, 2, Order::Seeded},
        Case{MaskForm::Boolean, 20, 128, 9, Order::Seeded}}) {
    AttentionSpec spec =
        addBatch(makeSpec(rows, keys, 64, DType::F16), "bh", "bh");
    spec.sizes['b'] = 2;
    spec.sizes['h'] = 3;
    spec.scoreType = DType::F16;
    spec.mask = mask;
    spec.maskDims = "bmn";
    spec.dynamic = "bhmn";
    GPUOptions options = makeOptions(128, processors);
    options.order = order;
    InputRange range;
    range.masked = 0.5;
    GPUOutcome outcome = check(spec, options, /*seed=*/1, range);
    EXPECT_EQ(hasSkips(outcome), mask == MaskForm::Boolean) << spec.describe() << "\n"
                                   << outcome.kernels;
  }
}

// One group that is left of two would wait for each of its products.
TEST_F(AsyncSkipsTest, TwoGroups) {
  AttentionSpec spec = addBatch(makeSpec(200, 272, 64, DType::F16), "b", "b");
  spec.sizes['b'] = 2;
  spec.mask = MaskForm::Boolean;
  spec.maskDims = "bmn";
  spec.dynamic = "bmn";
  GPUOptions options = makeOptions(128, 1);
  options.rows = 128;
  EXPECT_FALSE(hasSkips(check(spec, options)));
}

// What groups without rows do is needed. A turn, and a wait for another tile of
// the same iteration, imply that others have waited for the same tile. So all
// waits are removed, in a kernel without turns, which means the same.
TEST_F(AsyncSkipsTest, MutationsAreFound) {
  using namespace mlir;
  for (double masked : {0.0, 0.5}) {
    AttentionSpec spec = addBatch(makeSpec(200, 384, 64, DType::F16), "b", "b");
    spec.sizes['b'] = 3;
    spec.mask = MaskForm::Boolean;
    spec.maskDims = "bmn";
    InputRange range;
    range.masked = masked;
    GPUOptions options = makeOptions(128, 1);
    AttentionGraph graph = buildAttention(context, spec);
    Random random(3);
    std::vector<oracle::Tensor> inputs = graph.randomInputs(random, range);
    oracle::Tensor want = graph.evaluate(inputs, 5).front().value;
    GPUOutcome outcome = runOnGPU(graph, options, inputs);
    ASSERT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    ASSERT_TRUE(hasSkips(outcome)) << outcome.remarks;
    auto isWait = [](Operation *op) {
      return isa<nvgpu::MBarrierTryWaitParityOp>(op);
    };
    EXPECT_GE(checkMutations(*outcome.device, inputs, want, 0.02,
                             [&](Operation *op) {
                               return isOfSkippedTile(op) && !isWait(op) &&
                                      !isa<NVVM::FenceProxyOp>(op);
                             }),
              10);
    OwningOpRef<ModuleOp> copy = outcome.device->clone();
    copy->walk([](Operation *op) {
      if (isa<NVVM::BarrierOp, NVVM::BarrierArriveOp>(op))
        op->erase();
    });
    std::string error;
    EXPECT_FALSE(isWrong(*copy, inputs, want, 0.02, error)) << error;
    copy->walk([&](Operation *op) {
      if (isOfSkippedTile(op) && isWait(op))
        op->erase();
    });
    EXPECT_TRUE(isWrong(*copy, inputs, want, 0.02, error));
  }
}
