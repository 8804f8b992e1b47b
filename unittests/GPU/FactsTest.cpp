//===- FactsTest.cpp - Facts survive canonicalisation ---------------------===//
//
// What passes tell each other is in the IR as ops, attributes and regions, not
// as arithmetic (docs/Rationale/Facts.md). So canonicalisation and CSE may run
// before each pass: there are the same kernels, with the same accesses to
// memory, and results are right.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"

#include <map>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class FactsTest : public GPUTest {
protected:
  /// Compiles and runs `text` with and without cleaning up, and compares.
  static void compare(const std::string &text, const GPUOptions &options,
                      const std::vector<Tensor> &inputs, const Bounded &want,
                      std::optional<size_t> destination = std::nullopt);
};
} // namespace

/// How many launches there are, and accesses of which width.
static std::map<std::string, int64_t> countOps(ModuleOp module) {
  std::map<std::string, int64_t> counts;
  module.walk([&](Operation *op) {
    std::string name = op->getName().getStringRef().str();
    if (isa<vector::LoadOp, vector::StoreOp>(op)) {
      llvm::raw_string_ostream os(name);
      os << " " << op->getOperandTypes() << " " << op->getResultTypes();
    } else if (!isa<gpu::LaunchFuncOp, gpu::GPUFuncOp, gpu::BarrierOp,
                    nvgpu::DeviceAsyncCopyOp, nvgpu::LdMatrixOp,
                    nvgpu::MmaSyncOp>(op)) {
      return;
    }
    ++counts[name];
  });
  return counts;
}

void FactsTest::compare(const std::string &text, const GPUOptions &options,
                        const std::vector<Tensor> &inputs, const Bounded &want,
                        std::optional<size_t> destination) {
  std::map<std::string, int64_t> counts[2];
  for (bool cleanUp : {false, true}) {
    GPUOptions all = options;
    all.cleanUp = cleanUp;
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(context));
    ASSERT_TRUE(module);
    GPUOutcome outcome = runOnGPU(*module, all, inputs, {want}, destination);
    ASSERT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    counts[cleanUp] = countOps(*outcome.device);
  }
  EXPECT_EQ(counts[0], counts[1]);
}

// Versions by length, of which some prefetch, and by alignment.
TEST_F(FactsTest, Rows) {
  const char *text = R"(
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>)
    outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})";
  Random random(1);
  Tensor x = oracle::random(random, {3, 268}, -4, 4, DType::F32);
  compare(text, {}, {x}, oracle::softmax(x, 1, DType::F32, DType::F32, 5));
}

// Versions by the number of rows, of chunks and by alignment; tiles that take
// turns in buffers.
TEST_F(FactsTest, Products) {
  const char *text = R"(
func.func @main(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>)
    outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})";
  GPUOptions chosen;
  chosen.rows = chosen.columns = chosen.reduction = 0;
  chosen.stages = 3;
  Random random(2);
  for (auto [m, n, k] :
       std::vector<std::array<int64_t, 3>>{{5, 40, 1040}, {70, 16, 88}}) {
    Tensor a = oracle::random(random, {m, k}, -1, 1, DType::F16),
           b = oracle::random(random, {k, n}, -1, 1, DType::F16);
    compare(text, chosen, {a, b, Tensor({m, n})},
            oracle::contract("mk,kn->mn", a, b, DType::F32), 2);
  }
}
