//===- AsyncConvertedTest.cpp - Weights that threads convert --------------===//
//
// Products with weights of 4 bits, which a kernel with roles copies as they are.
// Of few rows, threads load both operands of synchronous products from shared
// memory, where the copying role has put rows into order (docs/Decisions/0190).
//
//===----------------------------------------------------------------------===//

#include "AsyncKernelTest.h"
#include "Mutations.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::Random;
using oracle::Tensor;

namespace {
class AsyncConvertedTest : public AsyncKernelTest {
protected:
  static constexpr int64_t kGroup = 128;

  /// A product of `m` rows of f16 with [n, k] weights, two to a byte, in groups
  /// with a scale and a zero point each. All numbers are such that sums are
  /// exact in any order.
  struct Product {
    Product(int64_t m, int64_t n, int64_t k);
    std::string text;
    std::vector<Tensor> inputs;
    Tensor want;
  };

  /// Whether threads load both operands of synchronous products, in a kernel
  /// with roles that copies tiles.
  static bool loadsBoth(const GPUOutcome &outcome) {
    std::string text;
    llvm::raw_string_ostream(text) << **outcome.device;
    auto has = [&](const char *name) {
      return text.find(name) != std::string::npos;
    };
    return has("loaded = true") && has("nvgpu.tma.async.load") &&
           has("nvgpu.mma.sync") && !has("vector_ext.async_mma");
  }

  static bool isWait(mlir::Operation *op) {
    return mlir::isa<mlir::nvgpu::MBarrierTryWaitParityOp>(op);
  }
};
} // namespace

AsyncConvertedTest::Product::Product(int64_t m, int64_t n, int64_t k)
    : want({m, n}) {
  text = fill(R"(
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @main(%x: tensor<[M]x[K]xf16>, %w: tensor<[N]x[B]xi8>, %scale: tensor<[N]x[G]x1xf16>, %zero: tensor<[N]x[G]x1xf16>) -> tensor<[M]x[N]xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<[N]x[B]xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<[N]x[B]xi8>) outs(%0 : tensor<[N]x[B]xi8>) {
  ^bb0(%in: i8, %out: i8):
    %v = arith.andi %in, %c15 : i8
    linalg.yield %v : i8
  } -> tensor<[N]x[B]xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<[N]x[B]xi8>) outs(%0 : tensor<[N]x[B]xi8>) {
  ^bb0(%in: i8, %out: i8):
    %v = arith.shrui %in, %c4 : i8
    linalg.yield %v : i8
  } -> tensor<[N]x[B]xi8>
  %e0 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [[N], [B], 1] : tensor<[N]x[B]xi8> into tensor<[N]x[B]x1xi8>
  %e1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [[N], [B], 1] : tensor<[N]x[B]xi8> into tensor<[N]x[B]x1xi8>
  %cat = tensor.concat dim(2) %e0, %e1 : (tensor<[N]x[B]x1xi8>, tensor<[N]x[B]x1xi8>) -> tensor<[N]x[B]x2xi8>
  %flat = tensor.collapse_shape %cat [[0], [1, 2]] : tensor<[N]x[B]x2xi8> into tensor<[N]x[K]xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [[N], [G], 128] : tensor<[N]x[K]xi8> into tensor<[N]x[G]x128xi8>
  %1 = tensor.empty() : tensor<[N]x[G]x128xf16>
  %2 = linalg.generic {indexing_maps = [#id3, #group, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups, %zero, %scale : tensor<[N]x[G]x128xi8>, tensor<[N]x[G]x1xf16>, tensor<[N]x[G]x1xf16>) outs(%1 : tensor<[N]x[G]x128xf16>) {
  ^bb0(%in: i8, %z: f16, %s: f16, %out: f16):
    %v = arith.uitofp %in : i8 to f16
    %d = arith.subf %v, %z : f16
    %p = arith.mulf %d, %s : f16
    linalg.yield %p : f16
  } -> tensor<[N]x[G]x128xf16>
  %3 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<[N]x[G]x128xf16> into tensor<[N]x[K]xf16>
  %4 = tensor.empty() : tensor<[K]x[N]xf16>
  %5 = linalg.transpose ins(%3 : tensor<[N]x[K]xf16>) outs(%4 : tensor<[K]x[N]xf16>) permutation = [1, 0]
  %6 = tensor.empty() : tensor<[M]x[N]xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %8 = linalg.matmul ins(%x, %5 : tensor<[M]x[K]xf16>, tensor<[K]x[N]xf16>) outs(%7 : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  return %8 : tensor<[M]x[N]xf32>
})",
              "MNKBG", {m, n, k, k / 2, k / kGroup}, /*isDynamic=*/false);
  Random random(5);
  Tensor x({m, k}), w({n, k / 2}), scale({n, k / kGroup, 1}),
      zero({n, k / kGroup, 1});
  for (double &value : x.data)
    value = random.integer(-8, 8) / 8.0;
  for (double &value : w.data)
    value = random.integer(-128, 127);
  for (double &value : scale.data)
    value = random.chance(0.5) ? 0.25 : 0.125;
  for (double &value : zero.data)
    value = random.integer(5, 9);
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column)
      for (int64_t i = 0; i < k; ++i) {
        int64_t byte = static_cast<int64_t>(w.at({column, i / 2})) & 255,
                code = i % 2 == 0 ? byte & 15 : byte >> 4, group = i / kGroup;
        want.at({row, column}) += x.at({row, i}) *
                                  (code - zero.at({column, group, 0})) *
                                  scale.at({column, group, 0});
      }
  inputs = {x, w, scale, zero};
}

// Two tiles of 128 columns, each with more iterations than there are slots. The
// rows fill a tile, or do not.
TEST_F(AsyncConvertedTest, LoadedInEveryOrder) {
  for (int64_t rows : {6, 8})
    for (auto order : orders) {
      GPUOptions options;
      options.rows = options.columns = options.reduction = 0;
      options.chip = "sm_90a";
      options.processors = 1;
      options.order = order;
      options.onlyDevice = true;
      Product product(rows, 256, 1280);
      GPUOutcome outcome =
          check(product.text, options, product.inputs, {Bounded(product.want)});
      ASSERT_TRUE(outcome.ok());
      EXPECT_TRUE(loadsBoth(outcome)) << outcome.remarks;
    }
}

// A slot of weights is free as soon as they are in registers, but the copying role
// waits in front of that for the slot of rows and scales, which is free later. So
// one wait is implied by another. Its arrivals are mutated.
TEST_F(AsyncConvertedTest, MutationsOfLoadedAreFound) {
  using namespace mlir;
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  options.processors = 1;
  options.stages = 2;
  options.onlyDevice = true;
  Product product(8, 256, 768);
  GPUOutcome outcome =
      check(product.text, options, product.inputs, {Bounded(product.want)});
  ASSERT_TRUE(outcome.ok());
  ASSERT_TRUE(loadsBoth(outcome)) << outcome.remarks;
  auto isImplied = [](Operation *op) {
    auto branch = dyn_cast_or_null<scf::IfOp>(op->getParentOp());
    return isWait(op) && branch &&
           llvm::any_of(*branch->getBlock(), [&](Operation &other) {
             return isWait(&other) && other.isBeforeInBlock(branch);
           });
  };
  EXPECT_GE(checkMutations(*outcome.device, product.inputs, product.want, 0.01,
                           [&](Operation *op) { return !isImplied(op); }),
            35);
  std::string error;
  OwningOpRef<ModuleOp> copy = outcome.device->clone();
  int64_t numImplied = 0;
  copy->walk([&](Operation *op) {
    if (!isImplied(op))
      return;
    ++numImplied;
    op->erase();
  });
  EXPECT_EQ(numImplied, 1);
  EXPECT_FALSE(isWrong(*copy, product.inputs, product.want, 0.01, error))
      << error;
  copy = outcome.device->clone();
  copy->walk([](NVVM::FenceMbarrierInitOp fence) { fence.erase(); });
  EXPECT_TRUE(isWrong(*copy, product.inputs, product.want, 0.01, error));
}
