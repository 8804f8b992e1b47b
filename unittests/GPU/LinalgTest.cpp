//===- LinalgTest.cpp - Ops around attention as kernels -------------------===//
//
// What is in no online reduction: products, norms, reductions, elementwise ops.
// Programs are text, with the sizes of their tensors put in; each runs with
// static and with dynamic sizes.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "mlir/Parser/Parser.h"

#include <array>
#include <cmath>

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class LinalgTest : public GPUTest {
protected:
  static mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text,
                                                   mlir::ParserConfig(context));
  }

  static std::vector<GPUOptions> someOptions() {
    GPUOptions other;
    other.rows = 16;
    other.columns = 32;
    other.reduction = 16;
    other.threads = 256;
    GPUOptions narrow;
    narrow.rows = 128;
    narrow.threads = narrow.getLanes();
    return {{}, other, narrow};
  }
};
} // namespace

static Tensor draw(Random &random, const oracle::Shape &shape,
                   DType type = DType::F32) {
  return oracle::random(random, shape, -1, 1, type);
}

static Bounded relu(const Bounded &x) {
  return oracle::apply(
      x, DType::F32, 0, [](double v) { return v > 0 ? v : 0; },
      [](double, double e) { return e; });
}

TEST_F(LinalgTest, MatmulBiasRelu) {
  const char *text = R"(
func.func @main(%a: tensor<[M]x[K]xTYPE>, %b: tensor<[K]x[N]xTYPE>,
                %bias: tensor<[N]xf32>) -> tensor<[M]x[N]xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<[M]x[K]xTYPE>
  %n = tensor.dim %b, %c1 : tensor<[K]x[N]xTYPE>
  %d = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e = tensor.cast %d : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %r = linalg.matmul ins(%a, %b : tensor<[M]x[K]xTYPE>, tensor<[K]x[N]xTYPE>)
    outs(%f : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                       affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%r, %bias : tensor<[M]x[N]xf32>, tensor<[N]xf32>)
      outs(%e : tensor<[M]x[N]xf32>) {
  ^bb0(%x: f32, %bb: f32, %o: f32):
    %s = arith.addf %x, %bb : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<[M]x[N]xf32>
  return %y : tensor<[M]x[N]xf32>
})";
  Random random(1);
  unsigned number = 0;
  for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{{64, 64, 32},
                                                            {1, 1, 1},
                                                            {2, 2, 2},
                                                            {65, 33, 1},
                                                            {17, 130, 70},
                                                            {128, 1, 40},
                                                            {0, 16, 16},
                                                            {16, 16, 0}})
    for (auto [type, name] :
         {std::pair(DType::F16, "f16"), std::pair(DType::BF16, "bf16"),
          std::pair(DType::F32, "f32")}) {
      std::string program = text;
      for (size_t at; (at = program.find("TYPE")) != std::string::npos;)
        program.replace(at, 4, name);
      Tensor a = draw(random, {m, k}, type), b = draw(random, {k, n}, type),
             bias = draw(random, {n});
      Bounded sum = oracle::contract("mk,kn->mn", a, b, DType::F32);
      Bounded want =
          relu(oracle::add(sum, "mn", Bounded(bias), "n", DType::F32));
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " +
                   std::to_string(k) + " " + name);
      // Each of three types has each of three options, static and dynamic.
      GPUOptions options = someOptions()[number / 3 % 3];
      bool isDynamic = number++ % 2;
      GPUOutcome outcome = check(fill(program, "MNK", {m, n, k}, isDynamic),
                                 options, {a, b, bias}, {want});
      EXPECT_FALSE(outcome.isScalar()) << outcome.remarks;
      EXPECT_FALSE(outcome.fellBack() && type != DType::F32 &&
                   options.threads > options.getLanes())
          << outcome.remarks;
    }
}

// Two products of one operand that one op reads: a kernel, also of so few rows
// that sums are split.
TEST_F(LinalgTest, GatedProducts) {
  const char *text = R"(
func.func @main(%x: tensor<[M]x[K]xf16>, %g: tensor<[K]x[N]xf16>, %u: tensor<[K]x[N]xf16>) -> tensor<[M]x[N]xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<[M]x[K]xf16>
  %n = tensor.dim %g, %c1 : tensor<[K]x[N]xf16>
  %d = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e = tensor.cast %d : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %gate = linalg.matmul ins(%x, %g : tensor<[M]x[K]xf16>, tensor<[K]x[N]xf16>)
    outs(%f : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %up = linalg.matmul ins(%x, %u : tensor<[M]x[K]xf16>, tensor<[K]x[N]xf16>)
    outs(%f : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>,
                       affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<[M]x[N]xf32>, tensor<[M]x[N]xf32>)
      outs(%e : tensor<[M]x[N]xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.maximumf %a, %zero : f32
    %t = arith.mulf %s, %b : f32
    linalg.yield %t : f32
  } -> tensor<[M]x[N]xf32>
  return %y : tensor<[M]x[N]xf32>
})";
  GPUOptions chosen;
  chosen.rows = chosen.columns = chosen.reduction = 0;
  Random random(17);
  for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{
           {150, 136, 200}, {130, 68, 104}, {257, 33, 36}, {5, 136, 72},
           {40, 24, 8}, {3, 40, 1100}})
    for (bool isDynamic : {false, true}) {
      Tensor x = draw(random, {m, k}, DType::F16),
             g = draw(random, {k, n}, DType::F16),
             u = draw(random, {k, n}, DType::F16);
      Bounded gate = relu(oracle::contract("mk,kn->mn", x, g, DType::F32)),
              up = oracle::contract("mk,kn->mn", x, u, DType::F32);
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " +
                   std::to_string(k) + (isDynamic ? " dynamic" : ""));
      GPUOutcome outcome =
          check(fill(text, "MNK", {m, n, k}, isDynamic), chosen, {x, g, u},
                {oracle::product(gate, "mn", up, "mn", DType::F32)});
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    }
}

// Sizes that are multiples of 16 bytes, some of them, and none; in tiles that
// the pipeline chooses.
TEST_F(LinalgTest, ChosenTiles) {
  const char *text = R"(
func.func @main(%a: tensor<[M]x[K]xf16>, %b: tensor<[N]x[K]xf16>, %e: tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                      affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<[M]x[K]xf16>, tensor<[N]x[K]xf16>)
    outs(%f : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  return %r : tensor<[M]x[N]xf32>
})";
  GPUOptions chosen;
  chosen.rows = chosen.columns = chosen.reduction = 0;
  Random random(7);
  for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{
           {150, 264, 200}, {130, 68, 104}, {256, 128, 36}, {5, 136, 8}})
    for (bool isDynamic : {false, true}) {
      Tensor a = draw(random, {m, k}, DType::F16),
             b = draw(random, {n, k}, DType::F16), init = draw(random, {m, n});
      Bounded want = oracle::contract("mk,nk->mn", a, b, DType::F32);
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " +
                   std::to_string(k) + (isDynamic ? " dynamic" : ""));
      mlir::OwningOpRef<mlir::ModuleOp> module =
          parse(fill(text, "MNK", {m, n, k}, isDynamic));
      ASSERT_TRUE(module);
      GPUOutcome outcome = runOnGPU(*module, chosen, {a, b, init}, {want}, 2);
      EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    }
}

// Few rows: sums are split over workgroups. Several chunks, one that is not
// full, one alone, which is not merged; and many rows in the same program.
TEST_F(LinalgTest, FewRows) {
  const char *text = R"(
func.func @main(%a: tensor<[M]x[K]xbf16>, %b: tensor<[K]x[N]xbf16>, %d: tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %r = linalg.matmul ins(%a, %b : tensor<[M]x[K]xbf16>, tensor<[K]x[N]xbf16>)
    outs(%f : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  return %r : tensor<[M]x[N]xf32>
})";
  GPUOptions chosen;
  chosen.rows = chosen.columns = chosen.reduction = 0;
  Random random(8);
  for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{{1, 136, 1100},
                                                            {16, 33, 520},
                                                            {33, 24, 1030},
                                                            {70, 16, 530},
                                                            {3, 16, 0},
                                                            {5, 40, 500},
                                                            {40, 136, 131}})
    for (auto [isDynamic, fixed] :
         {std::pair(false, ""), std::pair(true, ""), std::pair(true, "M")}) {
      Tensor a = draw(random, {m, k}, DType::BF16),
             b = draw(random, {k, n}, DType::BF16);
      Bounded want = oracle::contract("mk,kn->mn", a, b, DType::F32);
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " +
                   std::to_string(k) + (isDynamic ? " dynamic but " : "") +
                   fixed);
      mlir::OwningOpRef<mlir::ModuleOp> module =
          parse(fill(text, "MNK", {m, n, k}, isDynamic, fixed));
      ASSERT_TRUE(module);
      GPUOutcome outcome =
          runOnGPU(*module, chosen, {a, b, Tensor({m, n})}, {want}, 2);
      EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    }
}

TEST_F(LinalgTest, BatchMatmulTransposed) {
  // b m k, b n k; and b k m, b k n.
  for (bool isLeft : {false, true}) {
    std::string maps =
        isLeft ? "affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, "
                 "k) -> (b, k, n)>"
               : "affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, "
                 "k) -> (b, n, k)>";
    std::string lhs = isLeft ? "[B]x[K]x[M]" : "[B]x[M]x[K]";
    std::string rhs = isLeft ? "[B]x[K]x[N]" : "[B]x[N]x[K]";
    std::string program =
        "func.func @main(%a: tensor<" + lhs + "xf16>, %b: tensor<" + rhs +
        "xf16>, %e: tensor<[B]x[M]x[N]xf32>) -> tensor<[B]x[M]x[N]xf32> {\n"
        "%r = linalg.batch_matmul indexing_maps = [" +
        maps + ", affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %b : tensor<" +
        lhs + "xf16>, tensor<" + rhs +
        "xf16>) outs(%e : tensor<[B]x[M]x[N]xf32>) -> "
        "tensor<[B]x[M]x[N]xf32>\nreturn %r : tensor<[B]x[M]x[N]xf32>\n}";
    Random random(2);
    for (int64_t batch : {0, 1, 3}) {
      int64_t m = 33, n = 66, k = 40;
      Tensor a =
          draw(random,
               isLeft ? oracle::Shape{batch, k, m} : oracle::Shape{batch, m, k},
               DType::F16);
      Tensor b =
          draw(random,
               isLeft ? oracle::Shape{batch, k, n} : oracle::Shape{batch, n, k},
               DType::F16);
      Tensor init = draw(random, {batch, m, n});
      Bounded want = oracle::addInit(
          oracle::contract(isLeft ? "bkm,bkn->bmn" : "bmk,bnk->bmn", a, b,
                           DType::F32),
          init, DType::F32, k);
      for (bool isDynamic : {false, true}) {
        mlir::OwningOpRef<mlir::ModuleOp> module =
            parse(fill(program, "BMNK", {batch, m, n, k}, isDynamic));
        ASSERT_TRUE(module);
        // The destination is an input.
        GPUOutcome outcome = runOnGPU(*module, {}, {a, b, init}, {want}, 2);
        EXPECT_TRUE(outcome.ok())
            << outcome.error << outcome.remarks << program;
        EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
      }
    }
  }
}

TEST_F(LinalgTest, ChainedMatmuls) {
  const char *text = R"(
func.func @main(%a: tensor<[M]x[K]xf16>, %b: tensor<[K]x[N]xf16>,
                %c: tensor<[N]x[P]xf16>, %e: tensor<[M]x[N]xf32>,
                %g: tensor<[M]x[P]xf32>) -> tensor<[M]x[P]xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %r = linalg.matmul ins(%a, %b : tensor<[M]x[K]xf16>, tensor<[K]x[N]xf16>)
    outs(%f : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<[M]x[P]xf32>) -> tensor<[M]x[P]xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(m, p, n) -> (m, n)>, affine_map<(m, p, n) -> (n, p)>,
                       affine_map<(m, p, n) -> (m, p)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r, %c : tensor<[M]x[N]xf32>, tensor<[N]x[P]xf16>)
      outs(%h : tensor<[M]x[P]xf32>) {
  ^bb0(%x: f32, %y: f16, %o: f32):
    %w = arith.extf %y : f16 to f32
    %p = arith.mulf %x, %w : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<[M]x[P]xf32>
  return %s : tensor<[M]x[P]xf32>
})";
  Random random(3);
  int64_t m = 40, n = 70, k = 33, p = 24;
  Tensor a = draw(random, {m, k}, DType::F16),
         b = draw(random, {k, n}, DType::F16),
         c = draw(random, {n, p}, DType::F16);
  Bounded want = oracle::contract(
      "mn,np->mp", oracle::contract("mk,kn->mn", a, b, DType::F32), Bounded(c),
      DType::F32);
  for (bool isDynamic : {false, true}) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        parse(fill(text, "MNKP", {m, n, k, p}, isDynamic));
    ASSERT_TRUE(module);
    GPUOutcome outcome = runOnGPU(
        *module, {}, {a, b, c, Tensor({m, n}), Tensor({m, p})}, {want}, 4);
    EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
  }
}

TEST_F(LinalgTest, RowSoftmax) {
  const char *text = R"(
func.func @main(%x: tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<[M]x[N]xf32>
  %n = tensor.dim %x, %c1 : tensor<[M]x[N]xf32>
  %d = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e = tensor.cast %d : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<[M]x[N]xf32>)
    outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  return %r : tensor<[M]x[N]xf32>
})";
  Random random(4);
  for (auto [m, n] : std::vector<std::array<int64_t, 2>>{{5, 2},
                                                         {64, 64},
                                                         {3, 777},
                                                         {33, 100},
                                                         {2, 5000},
                                                         {0, 10},
                                                         {7, 200},
                                                         {5, 1024},
                                                         {3, 1600},
                                                         {3, 65},
                                                         {2, 4097},
                                                         {1, 9004}})
    for (bool isDynamic : {false, true}) {
      Tensor x = oracle::random(random, {m, n}, -20, 20, DType::F32);
      Bounded want =
          oracle::softmax(x, 1, DType::F32, DType::F32, (n + 63) / 64);
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) +
                   (isDynamic ? " dynamic" : ""));
      GPUOutcome outcome =
          check(fill(text, "MN", {m, n}, isDynamic), {}, {x}, {want});
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    }
}

// Rows of dynamic length and 16 bits, in kernels for up to so many elements:
// with a length next to the bounds between them, aligned or not, and rows that
// are prefetched.
TEST_F(LinalgTest, RowSoftmaxOf16Bits) {
  const char *text = R"(
func.func @main(%x: tensor<[M]x[N]xTYPE>) -> tensor<[M]x[N]xTYPE> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<[M]x[N]xTYPE>
  %n = tensor.dim %x, %c1 : tensor<[M]x[N]xTYPE>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %h = tensor.empty(%m, %n) : tensor<?x?xTYPE>
  %xf = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<[M]x[N]xTYPE>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%v: TYPE, %o: f32):
    %w = arith.extf %v : TYPE to f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %r = linalg.softmax dimension(1) ins(%xf : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<?x?xf32>) outs(%h : tensor<?x?xTYPE>) {
  ^bb0(%v: f32, %o: TYPE):
    %w = arith.truncf %v : f32 to TYPE
    linalg.yield %w : TYPE
  } -> tensor<?x?xTYPE>
  return %y : tensor<?x?xTYPE>
})";
  Random random(9);
  unsigned number = 0;
  for (auto [m, n] : std::vector<std::array<int64_t, 2>>{{5, 257},
                                                         {3, 512},
                                                         {3, 513},
                                                         {5, 520},
                                                         {3, 1023},
                                                         {2, 2049},
                                                         {2, 3072},
                                                         {2, 3073},
                                                         {1, 4097},
                                                         {1, 4104},
                                                         {1, 6145},
                                                         {1, 8200},
                                                         {2, 12289},
                                                         {1, 20001},
                                                         {3, 24568},
                                                         {3, 24584}}) {
    bool isBF16 = number++ % 2 == 1;
    DType type = isBF16 ? DType::BF16 : DType::F16;
    std::string program = text;
    for (size_t at; (at = program.find("TYPE")) != std::string::npos;)
      program.replace(at, 4, isBF16 ? "bf16" : "f16");
    Tensor x = oracle::random(random, {m, n}, -8, 8, type);
    Bounded want = oracle::cast(
        oracle::softmax(x, 1, DType::F32, DType::F32, (n + 63) / 64), type);
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) +
                 (isBF16 ? " bf16" : " f16"));
    GPUOutcome outcome =
        check(fill(program, "MN", {m, n}, /*isDynamic=*/true), {}, {x}, {want});
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    // Nothing is prefetched for AMD GPUs.
    if (n >= 24568 && !GPUOptions().isAMD())
      EXPECT_NE(outcome.kernels.find("memref.prefetch"), std::string::npos);
  }
}

/// The loss of a classifier: of the logarithm of a softmax one element a row is
/// read, by number, and nothing is stored but a loss a row.
TEST_F(LinalgTest, CrossEntropy) {
  const char *text = R"(
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#id1 = affine_map<(m) -> (m)>
func.func @main(%x: tensor<[M]x[N]xf32>, %target: tensor<[M]xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %dm = tensor.dim %x, %c0 : tensor<[M]x[N]xf32>
  %dn = tensor.dim %x, %c1 : tensor<[M]x[N]xf32>
  %e0 = tensor.empty(%dm, %dn) : tensor<?x?xf32>
  %e = tensor.cast %e0 : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  %r0 = tensor.empty(%dm) : tensor<?xf32>
  %r = tensor.cast %r0 : tensor<?xf32> to tensor<[M]xf32>
  %fm = linalg.fill ins(%low : f32) outs(%r : tensor<[M]xf32>) -> tensor<[M]xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<[M]x[N]xf32>) outs(%fm : tensor<[M]xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<[M]x[N]xf32>, tensor<[M]xf32>) outs(%e : tensor<[M]x[N]xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<[M]x[N]xf32>
  %p = linalg.exp ins(%d : tensor<[M]x[N]xf32>) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%r : tensor<[M]xf32>) -> tensor<[M]xf32>
  %sum = linalg.reduce {arith.addf} ins(%p : tensor<[M]x[N]xf32>) outs(%fs : tensor<[M]xf32>) dimensions = [1]
  %log = linalg.log ins(%sum : tensor<[M]xf32>) outs(%r : tensor<[M]xf32>) -> tensor<[M]xf32>
  %all = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d, %log : tensor<[M]x[N]xf32>, tensor<[M]xf32>) outs(%e : tensor<[M]x[N]xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<[M]x[N]xf32>
  %loss = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%target : tensor<[M]xi64>) outs(%r : tensor<[M]xf32>) {
  ^bb0(%to: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %to : i64 to index
    %t = tensor.extract %all[%i, %j] : tensor<[M]x[N]xf32>
    %u = arith.negf %t : f32
    linalg.yield %u : f32
  } -> tensor<[M]xf32>
  %s = tensor.empty() : tensor<f32>
  %ft = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %total = linalg.reduce {arith.addf} ins(%loss : tensor<[M]xf32>) outs(%ft : tensor<f32>) dimensions = [0]
  %mean = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%total : tensor<f32>) outs(%s : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.index_cast %dm : index to i32
    %f = arith.sitofp %k : i32 to f32
    %t = arith.divf %a, %f : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %mean : tensor<f32>
})";
  Random random(10);
  for (auto [m, n] : std::vector<std::array<int64_t, 2>>{
           {40, 70}, {70, 301}, {1, 5}, {5, 32000}})
    for (bool isDynamic : {false, true}) {
      Tensor x = oracle::random(random, {m, n}, -8, 8, DType::F32), target({m});
      double sum = 0;
      for (int64_t i = 0; i < m; ++i) {
        int64_t at = random.integer(0, n - 1);
        target.at({i}) = static_cast<double>(at);
        double total = 0;
        for (int64_t j = 0; j < n; ++j)
          total += std::exp(x.at({i, j}) - 8);
        sum += 8 + std::log(total) - x.at({i, at});
      }
      Tensor want(oracle::Shape{}, sum / static_cast<double>(m)),
          error(oracle::Shape{}, 1e-4);
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) +
                   (isDynamic ? " dynamic" : ""));
      GPUOutcome outcome = check(fill(text, "MN", {m, n}, isDynamic), {},
                                 {x, target}, {{want, error}});
      EXPECT_FALSE(outcome.fellBack() || outcome.isScalar()) << outcome.remarks;
      // A single row has no loops of rows to be in.
      if (!isDynamic && m > 1)
        EXPECT_EQ(outcome.total().launches, 2);
    }
}

TEST_F(LinalgTest, Reductions) {
  const char *text = R"(
func.func @main(%x: tensor<[M]x[N]xf32>) -> (tensor<[M]xf32>, tensor<[N]xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<[M]x[N]xf32>
  %n = tensor.dim %x, %c1 : tensor<[M]x[N]xf32>
  %dr = tensor.empty(%m) : tensor<?xf32>
  %er = tensor.cast %dr : tensor<?xf32> to tensor<[M]xf32>
  %dc = tensor.empty(%n) : tensor<?xf32>
  %ec = tensor.cast %dc : tensor<?xf32> to tensor<[N]xf32>
  %es = tensor.empty() : tensor<f32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<[M]xf32>) -> tensor<[M]xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<[N]xf32>) -> tensor<[N]xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<[M]x[N]xf32>) outs(%fr : tensor<[M]xf32>) dimensions = [1]
  %c = linalg.reduce {arith.addf} ins(%x : tensor<[M]x[N]xf32>) outs(%fc : tensor<[N]xf32>) dimensions = [0]
  %s = linalg.reduce {arith.addf} ins(%x : tensor<[M]x[N]xf32>) outs(%fs : tensor<f32>) dimensions = [0, 1]
  return %r, %c, %s : tensor<[M]xf32>, tensor<[N]xf32>, tensor<f32>
})";
  Random random(5);
  for (auto [m, n] : std::vector<std::array<int64_t, 2>>{
           {1, 1}, {2, 2}, {33, 65}, {3, 1500}, {0, 4}})
    for (bool isDynamic : {false, true}) {
      Tensor x = draw(random, {m, n});
      Tensor ones({m, n}, 1.0);
      std::vector<Bounded> want = {
          oracle::contract("mn,mn->m", x, ones, DType::F32),
          oracle::contract("mn,mn->n", x, ones, DType::F32),
          oracle::contract("mn,mn->", x, ones, DType::F32)};
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) +
                   (isDynamic ? " dynamic" : ""));
      check(fill(text, "MN", {m, n}, isDynamic), {}, {x}, want);
    }
}

/// x rsqrt(mean(x x) + eps) or (x - mean) rsqrt(var + eps), then a product.
TEST_F(LinalgTest, NormThenMatmul) {
  for (SoftmaxForm form : {SoftmaxForm::Rms, SoftmaxForm::LayerNorm})
    for (auto [m, n, e] : std::vector<std::array<int64_t, 3>>{
             {2, 3, 2}, {40, 96, 33}, {17, 200, 64}})
      for (bool isDynamic : {false, true}) {
        AttentionSpec spec;
        spec.scoresAreInput = true;
        spec.softmaxForm = form;
        spec.sizes = {{'m', m}, {'n', n}, {'d', 1}, {'e', e}};
        if (isDynamic)
          spec.dynamic = "mn";
        check(spec);
      }
}

/// A sink, which takes part in the sum of each row and has no value: no softmax
/// that is recognised, but its maximum, exponentials and sum fuse all the same.
/// The first row sees nothing but its sink, and is 0.
TEST_F(LinalgTest, AttentionWithSinks) {
  const char *text = R"(
#qd = affine_map<(m, n, d) -> (m, d)>
#kd = affine_map<(m, n, d) -> (n, d)>
#mn3 = affine_map<(m, n, d) -> (m, n)>
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#m1 = affine_map<(m) -> (m)>
func.func @main(%q: tensor<[M]x[D]xf16>, %k: tensor<[N]x[D]xf16>, %v: tensor<[N]x[D]xf16>,
                %sink: tensor<[M]xf32>) -> tensor<[M]x[D]xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %dm = tensor.dim %q, %c0 : tensor<[M]x[D]xf16>
  %dn = tensor.dim %k, %c0 : tensor<[N]x[D]xf16>
  %e0 = tensor.empty(%dm, %dn) : tensor<?x?xf32>
  %e = tensor.cast %e0 : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  %h0 = tensor.empty(%dm, %dn) : tensor<?x?xf16>
  %h = tensor.cast %h0 : tensor<?x?xf16> to tensor<[M]x[N]xf16>
  %r0 = tensor.empty(%dm) : tensor<?xf32>
  %r = tensor.cast %r0 : tensor<?xf32> to tensor<[M]xf32>
  %o0 = tensor.empty(%dm) : tensor<?x[D]xf32>
  %o = tensor.cast %o0 : tensor<?x[D]xf32> to tensor<[M]x[D]xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %s = linalg.matmul indexing_maps = [#qd, #kd, #mn3]
    ins(%q, %k : tensor<[M]x[D]xf16>, tensor<[N]x[D]xf16>) outs(%fs : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<[M]x[N]xf32>) outs(%e : tensor<[M]x[N]xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %visible = arith.cmpi ult, %j, %i : index
    %t = arith.select %visible, %a, %low : f32
    linalg.yield %t : f32
  } -> tensor<[M]x[N]xf32>
  %fm = linalg.fill ins(%low : f32) outs(%r : tensor<[M]xf32>) -> tensor<[M]xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<[M]x[N]xf32>) outs(%fm : tensor<[M]xf32>) dimensions = [1]
  %top = linalg.generic {indexing_maps = [#m1, #m1, #m1], iterator_types = ["parallel"]}
      ins(%max, %sink : tensor<[M]xf32>, tensor<[M]xf32>) outs(%r : tensor<[M]xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.maximumf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<[M]xf32>
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%x, %top : tensor<[M]x[N]xf32>, tensor<[M]xf32>) outs(%e : tensor<[M]x[N]xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<[M]x[N]xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%r : tensor<[M]xf32>) -> tensor<[M]xf32>
  %sum = linalg.reduce {arith.addf} ins(%p : tensor<[M]x[N]xf32>) outs(%fl : tensor<[M]xf32>) dimensions = [1]
  %l = linalg.generic {indexing_maps = [#m1, #m1, #m1, #m1], iterator_types = ["parallel"]}
      ins(%sum, %top, %sink : tensor<[M]xf32>, tensor<[M]xf32>, tensor<[M]xf32>) outs(%r : tensor<[M]xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %t = arith.subf %c, %b : f32
    %u = math.exp %t : f32
    %w = arith.addf %a, %u : f32
    linalg.yield %w : f32
  } -> tensor<[M]xf32>
  %weights = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%p, %l : tensor<[M]x[N]xf32>, tensor<[M]xf32>) outs(%h : tensor<[M]x[N]xf16>) {
  ^bb0(%a: f32, %b: f32, %c: f16):
    %t = arith.divf %a, %b : f32
    %u = arith.truncf %t : f32 to f16
    linalg.yield %u : f16
  } -> tensor<[M]x[N]xf16>
  %fo = linalg.fill ins(%zero : f32) outs(%o : tensor<[M]x[D]xf32>) -> tensor<[M]x[D]xf32>
  %y = linalg.matmul ins(%weights, %v : tensor<[M]x[N]xf16>, tensor<[N]x[D]xf16>)
    outs(%fo : tensor<[M]x[D]xf32>) -> tensor<[M]x[D]xf32>
  return %y : tensor<[M]x[D]xf32>
})";
  Random random(8);
  int64_t d = 16;
  for (auto [m, n] : std::vector<std::array<int64_t, 2>>{
           {40, 70}, {70, 40}, {1, 1}, {17, 16}})
    for (bool isDynamic : {false, true})
      for (double largest : {1.0, 30.0}) {
        Tensor q = oracle::random(random, {m, d}, -largest, largest,
                                  DType::F16),
               k = oracle::random(random, {n, d}, -1, 1, DType::F16),
               v = draw(random, {n, d}, DType::F16),
               sink =
                   oracle::random(random, {m}, -largest, largest, DType::F32);
        Tensor want({m, d}), error({m, d});
        for (int64_t i = 0; i < m; ++i) {
          std::vector<double> scores;
          double top = sink.at({i});
          for (int64_t j = 0; j < std::min(i, n); ++j) {
            scores.push_back(0);
            for (int64_t c = 0; c < d; ++c)
              scores.back() += q.at({i, c}) * k.at({j, c});
            top = std::max(top, scores.back());
          }
          double sum = std::exp(sink.at({i}) - top);
          for (double &score : scores)
            sum += score = std::exp(score - top);
          for (int64_t c = 0; c < d; ++c) {
            double total = 0;
            for (size_t j = 0; j < scores.size(); ++j)
              total += scores[j] / sum * v.at({int64_t(j), c});
            want.at({i, c}) = total;
            // Weights in f16, of numbers of at most 1; scores of up to 500 in
            // f32.
            error.at({i, c}) = 1e-3;
          }
        }
        SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) +
                     (isDynamic ? " dynamic" : ""));
        GPUOutcome outcome = check(fill(text, "MND", {m, n, d}, isDynamic, "D"),
                                   {}, {q, k, v, sink}, {{want, error}});
        EXPECT_EQ(outcome.remarks.find("not fused"), std::string::npos)
            << outcome.remarks;
        EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
        EXPECT_EQ(outcome.total().launches, 1);
        if (m > 1)
          EXPECT_GT(outcome.total().mmas, 0);
      }
}

/// Rotary embeddings whose other half is read element by element, in the body
/// of the op that rotates: nothing that tiles or vectors of it could be read
/// with.
TEST_F(LinalgTest, RotaryEmbeddingsByExtract) {
  const char *text = R"(
#qd = affine_map<(m, n, d) -> (m, d)>
#kd = affine_map<(m, n, d) -> (n, d)>
#mn3 = affine_map<(m, n, d) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%q: tensor<[M]x[D]xf16>, %k: tensor<[N]x[D]xf16>, %v: tensor<[N]x[D]xf16>,
                %qcos: tensor<[M]x[D]xf32>, %qsin: tensor<[M]x[D]xf32>,
                %kcos: tensor<[N]x[D]xf32>, %ksin: tensor<[N]x[D]xf32>) -> tensor<[M]x[D]xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant [H] : index
  %all = arith.constant [D] : index
  %zero = arith.constant 0.0 : f32
  %dm = tensor.dim %q, %c0 : tensor<[M]x[D]xf16>
  %dn = tensor.dim %k, %c0 : tensor<[N]x[D]xf16>
  %e0 = tensor.empty(%dm, %dn) : tensor<?x?xf32>
  %e = tensor.cast %e0 : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  %h0 = tensor.empty(%dm, %dn) : tensor<?x?xf16>
  %h = tensor.cast %h0 : tensor<?x?xf16> to tensor<[M]x[N]xf16>
  %o0 = tensor.empty(%dm) : tensor<?x[D]xf32>
  %o = tensor.cast %o0 : tensor<?x[D]xf32> to tensor<[M]x[D]xf32>
  %eq0 = tensor.empty(%dm) : tensor<?x[D]xf16>
  %eq = tensor.cast %eq0 : tensor<?x[D]xf16> to tensor<[M]x[D]xf16>
  %ek0 = tensor.empty(%dn) : tensor<?x[D]xf16>
  %ek = tensor.cast %ek0 : tensor<?x[D]xf16> to tensor<[N]x[D]xf16>
  %qr = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q, %qcos, %qsin : tensor<[M]x[D]xf16>, tensor<[M]x[D]xf32>, tensor<[M]x[D]xf32>)
      outs(%eq : tensor<[M]x[D]xf16>) {
  ^bb0(%x: f16, %c: f32, %s: f32, %out: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %j2 = arith.addi %j, %half : index
    %j3 = arith.remui %j2, %all : index
    %y = tensor.extract %q[%i, %j3] : tensor<[M]x[D]xf16>
    %isLow = arith.cmpi ult, %j, %half : index
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %negated = arith.negf %yf : f32
    %z = arith.select %isLow, %negated, %yf : f32
    %xc = arith.mulf %xf, %c : f32
    %zs = arith.mulf %z, %s : f32
    %r = arith.addf %xc, %zs : f32
    %t = arith.truncf %r : f32 to f16
    linalg.yield %t : f16
  } -> tensor<[M]x[D]xf16>
  %kr = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%k, %kcos, %ksin : tensor<[N]x[D]xf16>, tensor<[N]x[D]xf32>, tensor<[N]x[D]xf32>)
      outs(%ek : tensor<[N]x[D]xf16>) {
  ^bb0(%x: f16, %c: f32, %s: f32, %out: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %j2 = arith.addi %j, %half : index
    %j3 = arith.remui %j2, %all : index
    %y = tensor.extract %k[%i, %j3] : tensor<[N]x[D]xf16>
    %isLow = arith.cmpi ult, %j, %half : index
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %negated = arith.negf %yf : f32
    %z = arith.select %isLow, %negated, %yf : f32
    %xc = arith.mulf %xf, %c : f32
    %zs = arith.mulf %z, %s : f32
    %r = arith.addf %xc, %zs : f32
    %t = arith.truncf %r : f32 to f16
    linalg.yield %t : f16
  } -> tensor<[N]x[D]xf16>
  %fs = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %s = linalg.matmul indexing_maps = [#qd, #kd, #mn3]
    ins(%qr, %kr : tensor<[M]x[D]xf16>, tensor<[N]x[D]xf16>) outs(%fs : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<[M]x[N]xf32>) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<[M]x[N]xf32>) outs(%h : tensor<[M]x[N]xf16>) {
  ^bb0(%a: f32, %b: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<[M]x[N]xf16>
  %fo = linalg.fill ins(%zero : f32) outs(%o : tensor<[M]x[D]xf32>) -> tensor<[M]x[D]xf32>
  %y = linalg.matmul ins(%w, %v : tensor<[M]x[N]xf16>, tensor<[N]x[D]xf16>)
    outs(%fo : tensor<[M]x[D]xf32>) -> tensor<[M]x[D]xf32>
  return %y : tensor<[M]x[D]xf32>
})";
  Random random(9);
  int64_t d = 32;
  auto rotate = [&](const Tensor &x, const Tensor &cos, const Tensor &sin) {
    Tensor result(x.shape);
    for (int64_t i = 0; i < x.shape[0]; ++i)
      for (int64_t j = 0; j < d; ++j) {
        double other = x.at({i, (j + d / 2) % d});
        result.at({i, j}) =
            oracle::roundTo(x.at({i, j}) * cos.at({i, j}) +
                                (j < d / 2 ? -other : other) * sin.at({i, j}),
                            DType::F16);
      }
    return result;
  };
  for (auto [m, n] :
       std::vector<std::array<int64_t, 2>>{{40, 70}, {1, 17}, {64, 32}})
    for (bool isDynamic : {false, true}) {
      Tensor q = draw(random, {m, d}, DType::F16),
             k = draw(random, {n, d}, DType::F16),
             v = draw(random, {n, d}, DType::F16);
      std::vector<Tensor> angles;
      for (int64_t length : {m, n}) {
        Tensor cos({length, d}), sin({length, d});
        for (int64_t i = 0; i < length; ++i)
          for (int64_t j = 0; j < d; ++j) {
            double angle = i * std::pow(10, -4.0 * (j % (d / 2)) / d);
            cos.at({i, j}) = oracle::roundTo(std::cos(angle), DType::F32);
            sin.at({i, j}) = oracle::roundTo(std::sin(angle), DType::F32);
          }
        angles.push_back(cos);
        angles.push_back(sin);
      }
      Tensor qr = rotate(q, angles[0], angles[1]),
             kr = rotate(k, angles[2], angles[3]), want({m, d}), error({m, d});
      for (int64_t i = 0; i < m; ++i) {
        std::vector<double> weights;
        double sum = 0;
        for (int64_t j = 0; j < n; ++j) {
          double score = 0;
          for (int64_t c = 0; c < d; ++c)
            score += qr.at({i, c}) * kr.at({j, c});
          weights.push_back(std::exp(score));
          sum += weights.back();
        }
        for (int64_t c = 0; c < d; ++c) {
          double total = 0;
          for (int64_t j = 0; j < n; ++j)
            total += weights[j] / sum * v.at({j, c});
          want.at({i, c}) = total;
          // Weights in f16; a rotated number may round the other way.
          error.at({i, c}) = 4e-3;
        }
      }
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) +
                   (isDynamic ? " dynamic" : ""));
      GPUOutcome outcome =
          check(fill(text, "MNDH", {m, n, d, d / 2}, isDynamic, "DH"), {},
                {q, k, v, angles[0], angles[1], angles[2], angles[3]},
                {{want, error}});
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    }
}

TEST_F(LinalgTest, Elementwise) {
  const char *text = R"(
func.func @main(%x: tensor<[A]x[B]x[C]xf16>, %y: tensor<[C]x[A]xf32>) -> tensor<[B]x[A]x[C]xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<[A]x[B]x[C]xf16>
  %b = tensor.dim %x, %c1 : tensor<[A]x[B]x[C]xf16>
  %c = tensor.dim %x, %c2 : tensor<[A]x[B]x[C]xf16>
  %d = tensor.empty(%b, %a, %c) : tensor<?x?x?xf32>
  %e = tensor.cast %d : tensor<?x?x?xf32> to tensor<[B]x[A]x[C]xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, a, c) -> (a, b, c)>, affine_map<(b, a, c) -> (c, a)>,
                       affine_map<(b, a, c) -> (b, a, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<[A]x[B]x[C]xf16>, tensor<[C]x[A]xf32>)
      outs(%e : tensor<[B]x[A]x[C]xf32>) {
  ^bb0(%p: f16, %q: f32, %o: f32):
    %w = arith.extf %p : f16 to f32
    %s = arith.addf %w, %q : f32
    linalg.yield %s : f32
  } -> tensor<[B]x[A]x[C]xf32>
  return %r : tensor<[B]x[A]x[C]xf32>
})";
  Random random(6);
  for (auto [a, b, c] : std::vector<std::array<int64_t, 3>>{
           {2, 2, 2}, {1, 1, 1}, {5, 7, 70}, {33, 1, 17}, {3, 0, 5}})
    for (bool isDynamic : {false, true}) {
      Tensor x = draw(random, {a, b, c}, DType::F16), y = draw(random, {c, a});
      Bounded want =
          oracle::add(oracle::rearrange(Bounded(x), "abc", "bac", {b, a, c}),
                      "bac", Bounded(y), "ca", DType::F32);
      check(fill(text, "ABC", {a, b, c}, isDynamic), {}, {x, y}, {want});
    }
}
