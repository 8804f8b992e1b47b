//===- SelectConfigTest.cpp - The cost model of launches ------------------===//
//
// Properties of linalg-ext-select-config, of estimateLaunch and of rankConfigs
// on several GPUs, one of them made up, of another vendor. Lit tests check the
// choices on a known one.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/SelectConfig.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Target/NVGPU/Chips.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

/// A product of which one workgroup computes `rows` x `columns`, `sum` elements
/// of the sums in each iteration.
struct Tile {
  int64_t rows, columns, sum, threads;
};

const Tile kTiles[] = {{128, 128, 32, 128}, {128, 64, 64, 128},
                       {64, 64, 64, 128},   {64, 128, 32, 64},
                       {32, 256, 64, 128},  {256, 128, 64, 256},
                       {128, 128, 256, 128}};

/// A chip of another vendor: subgroups of 64 lanes, with two instructions, and
/// nothing that an NVIDIA GPU has.
GPUTarget getOtherTarget() {
  GPUTarget target;
  target.lanes = 64;
  target.processors = 304;
  target.threadRegisters = 512;
  target.processorRegisters = 128 << 10;
  target.sharedBytes = target.processorSharedBytes = 64 << 10;
  target.reservedSharedBytes = 0;
  target.matrixRows = target.matrixColumns = 16;
  target.matrixLoads = target.asyncCopies = 0;
  target.intrinsics = {"mfma.m16n16k16.f32.f16", "mfma.m32n32k8.f32.f16"};
  return target;
}

class SelectConfigTest : public ::testing::Test {
protected:
  SelectConfigTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAll(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The launch of a product with configs and buffers, for `target`.
  gpu::LaunchOp select(const Tile &tile, const GPUTarget &target) {
    constexpr const char *text = R"(
      #lhs = affine_map<(i, j, k) -> (i, k)>
      #rhs = affine_map<(i, j, k) -> (k, j)>
      #acc = affine_map<(i, j, k) -> (i, j)>
      func.func @f(%a: memref<?x?xf16>, %b: memref<?x?xf16>,
                   %c: memref<?x?xf32>, %n: index) {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %step = arith.constant {2} : index
        %threads = arith.constant {3} : index
        gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
            threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {{
          %h = arith.constant 0.0 : f16
          %zero = arith.constant dense<0.0> : vector<{0}x{1}xf32>
          %sum = scf.for %k = %c0 to %n step %step iter_args(%s = %zero)
              -> (vector<{0}x{1}xf32>) {{
            %x = vector.transfer_read %a[%c0, %k], %h {{in_bounds = [true, true]}
                : memref<?x?xf16>, vector<{0}x{2}xf16>
            %y = vector.transfer_read %b[%k, %c0], %h {{in_bounds = [true, true]}
                : memref<?x?xf16>, vector<{2}x{1}xf16>
            %d = vector.contract {{indexing_maps = [#lhs, #rhs, #acc],
                iterator_types = ["parallel", "parallel", "reduction"],
                kind = #vector.kind<add>} %x, %y, %s
                : vector<{0}x{2}xf16>, vector<{2}x{1}xf16>
                  into vector<{0}x{1}xf32>
            scf.yield %d : vector<{0}x{1}xf32>
          }
          vector.transfer_write %sum, %c[%c0, %c0] {{in_bounds = [true, true]}
              : vector<{0}x{1}xf32>, memref<?x?xf32>
          gpu.terminator
        }
        return
      })";
    module = parseSourceString<ModuleOp>(llvm::formatv(false, text, tile.rows,
                                                       tile.columns, tile.sum,
                                                       tile.threads)
                                             .str(),
                                         &context);
    if (!module)
      return {};
    setGPUTarget(*module, target);
    PassManager pm(&context);
    LinalgExtSelectConfigPassOptions options;
    options.maxBuffers = 4;
    pm.addPass(createLinalgExtSelectConfigPass(options));
    gpu::LaunchOp launch;
    if (succeeded(pm.run(*module)))
      module->walk([&](gpu::LaunchOp op) { launch = op; });
    return launch;
  }

  /// The instruction of the only contraction of `launch`; empty if it has none.
  static std::string getIntrinsic(gpu::LaunchOp launch) {
    std::string name;
    launch.walk([&](vector::ContractionOp op) {
      if (auto config = op->getAttrOfType<vector_ext::ContractConfigAttr>(
              vector_ext::VectorExtDialect::getConfigAttrName()))
        name = config.getIntrinsic().str();
    });
    return name;
  }

  /// Calls `check` with each chip and each tile.
  void forEach(function_ref<void(const Tile &, const GPUTarget &)> check) {
    SmallVector<std::pair<std::string, GPUTarget>, 0> targets;
    targets.emplace_back("other", getOtherTarget());
    for (const char *chip : {"sm_80", "sm_86", "sm_90a"})
      targets.emplace_back(chip, lookupNVIDIAChip(chip)->target);
    for (auto &[name, target] : targets)
      for (const Tile &tile : kTiles) {
        SCOPED_TRACE(llvm::formatv("{0}: {1} x {2} x {3}, {4} threads", name,
                                   tile.rows, tile.columns, tile.sum,
                                   tile.threads)
                         .str());
        check(tile, target);
      }
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// Instructions are those of the target, also of one that has no lowering here.
TEST_F(SelectConfigTest, instructionsAreThoseOfTheTarget) {
  forEach([&](const Tile &tile, const GPUTarget &target) {
    gpu::LaunchOp launch = select(tile, target);
    ASSERT_TRUE(launch);
    std::string name = getIntrinsic(launch);
    EXPECT_TRUE(llvm::is_contained(target.intrinsics, name)) << name;
  });
  GPUTarget other = getOtherTarget();
  // The longest sum first.
  EXPECT_EQ(getIntrinsic(select(kTiles[0], other)), "mfma.m16n16k16.f32.f16");
  other.intrinsics = {"mfma.m32n32k8.f32.f16"};
  EXPECT_EQ(getIntrinsic(select(kTiles[0], other)), "mfma.m32n32k8.f32.f16");
}

// Buffers fit into the shared memory of a workgroup if one does, and threads
// are whole subgroups.
TEST_F(SelectConfigTest, launchesFit) {
  forEach([&](const Tile &tile, const GPUTarget &target) {
    gpu::LaunchOp launch = select(tile, target);
    ASSERT_TRUE(launch);
    LaunchEstimate estimate = estimateLaunch(launch, target);
    int64_t one = 2 * tile.sum * (tile.rows + tile.columns);
    EXPECT_LE(estimate.sharedBytes, std::max(target.sharedBytes, one));
    EXPECT_EQ(estimate.workgroups > 0, one <= target.sharedBytes);
    EXPECT_EQ(estimate.threads % target.lanes, 0);
    EXPECT_GE(estimate.threads, tile.threads);
    EXPECT_LE(estimate.threads, target.maxThreads);
    EXPECT_GT(estimate.cycles, 0);
  });
}

// A machine with more of anything is no slower, and runs no fewer workgroups.
TEST_F(SelectConfigTest, moreIsNotWorse) {
  forEach([&](const Tile &tile, const GPUTarget &target) {
    gpu::LaunchOp launch = select(tile, target);
    ASSERT_TRUE(launch);
    LaunchEstimate estimate = estimateLaunch(launch, target);
    for (int64_t GPUTarget::*rate :
         {&GPUTarget::matrixProducts, &GPUTarget::threadProducts,
          &GPUTarget::sharedBytesPerCycle, &GPUTarget::processorRegisters,
          &GPUTarget::processorThreads, &GPUTarget::processorSharedBytes}) {
      GPUTarget more = target;
      more.*rate *= 2;
      LaunchEstimate better = estimateLaunch(launch, more);
      EXPECT_LE(better.cycles, estimate.cycles);
      EXPECT_GE(better.workgroups, estimate.workgroups);
    }
    for (int64_t GPUTarget::*latency :
         {&GPUTarget::memoryLatency, &GPUTarget::iterationLatency}) {
      GPUTarget more = target;
      more.*latency *= 2;
      EXPECT_GE(estimateLaunch(launch, more).cycles, estimate.cycles);
    }
  });
}

// More products, or more bytes to copy, take no less time in an iteration.
TEST_F(SelectConfigTest, moreWorkTakesLonger) {
  for (const GPUTarget &target : {GPUTarget(), getOtherTarget()})
    for (int64_t Tile::*size : {&Tile::rows, &Tile::columns, &Tile::sum}) {
      double least = 0;
      int64_t shared = 0;
      for (int64_t elements : {32, 64, 128}) {
        Tile tile{64, 64, 32, 128};
        tile.*size = elements;
        gpu::LaunchOp launch = select(tile, target);
        ASSERT_TRUE(launch);
        // With the same buffers.
        launch->setAttr(vector_ext::VectorExtDialect::getBuffersAttrName(),
                        Builder(&context).getI64IntegerAttr(2));
        LaunchEstimate estimate = estimateLaunch(launch, target);
        double time =
            double(estimate.cycles) * tile.rows * tile.columns * tile.sum;
        EXPECT_GE(time, least) << elements;
        EXPECT_GE(estimate.sharedBytes, shared) << elements;
        least = time;
        shared = estimate.sharedBytes;
      }
    }
}

// The first one is the compiler's choice. The others fit, are in the order of
// the model, and are the same when it is asked again.
TEST_F(SelectConfigTest, rankingIsStable) {
  constexpr const char *text = R"(
    func.func @f(%a: tensor<2048x1024xf16>, %b: tensor<1024x2048xf16>,
                 %c: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
      %0 = linalg.matmul
          ins(%a, %b : tensor<2048x1024xf16>, tensor<1024x2048xf16>)
          outs(%c : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
      return %0 : tensor<2048x2048xf32>
    })";
  module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  ConfigChoice choices[] = {{"rows", {"64", "128"}},
                            {"reduction", {"32", "256"}},
                            {"stages", {"1", "4"}}};
  for (const char *chip : {"sm_80", "sm_86", "sm_90a"}) {
    SCOPED_TRACE(chip);
    FailureOr<SmallVector<RankedConfig>> ranked =
        rankConfigs(*module, chip, "", choices);
    ASSERT_TRUE(succeeded(ranked));
    ASSERT_GT(ranked->size(), 2u);
    EXPECT_EQ(ranked->front().options, "");
    auto others = ArrayRef(*ranked).drop_front();
    for (const RankedConfig &config : others) {
      EXPECT_GT(config.estimate.workgroups, 0) << config.options;
      EXPECT_LE(config.estimate.sharedBytes,
                lookupNVIDIAChip(chip)->target.sharedBytes)
          << config.options;
    }
    auto getKey = [](const RankedConfig &config) {
      return std::tuple(config.estimate.spills, config.estimate.cycles,
                        llvm::count(config.options, '='));
    };
    EXPECT_TRUE(llvm::is_sorted(
        others, [&](const RankedConfig &a, const RankedConfig &b) {
          return getKey(a) < getKey(b);
        }));
    FailureOr<SmallVector<RankedConfig>> again =
        rankConfigs(*module, chip, "", choices);
    ASSERT_TRUE(succeeded(again));
    EXPECT_TRUE(llvm::equal(*ranked, *again,
                            [](const RankedConfig &a, const RankedConfig &b) {
                              return a.options == b.options;
                            }));
  }
}

} // namespace
