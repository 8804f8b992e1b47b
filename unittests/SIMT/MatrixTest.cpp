//===- MatrixTest.cpp - mma.sync and ldmatrix -----------------------------===//
//
// mma.sync against a naive product, where the fragments are loaded by addresses
// that the PTX ISA's figures give, written here as lists of rows and columns;
// ldmatrix against the maps that it documents.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include <cmath>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

namespace {
class MatrixTest : public SIMTTest {
protected:
  /// Loads `count` elements of a fragment one by one from memref %`name`: for
  /// element i, (row, column) = (group + rows[i], 2 * inGroup + columns[i]), or
  /// with `transposed` the other way round.
  static std::string load(const std::string &name, const std::string &memref,
                          const std::string &element,
                          const std::vector<int> &rows,
                          const std::vector<int> &columns, bool transposed) {
    std::string text, list;
    for (size_t i = 0; i < rows.size(); ++i) {
      std::string n = name + std::to_string(i);
      text += "%r" + n + "k = arith.constant " + std::to_string(rows[i]) +
              " : index\n%q" + n + "k = arith.constant " +
              std::to_string(columns[i]) + " : index\n%r" + n +
              " = arith.addi %group, %r" + n + "k : index\n%q" + n +
              " = arith.addi %twice, %q" + n + "k : index\n";
      std::string at =
          transposed ? "%q" + n + ", %r" + n : "%r" + n + ", %q" + n;
      text += "%" + n + " = memref.load %" + name + "[" + at + "] : " + memref +
              "\n";
      list += (i ? ", %" : "%") + n;
    }
    return text + "%" + name + "f = vector.from_elements " + list + " : " +
           "vector<" + std::to_string(rows.size() / 2) + "x2x" + element +
           ">\n";
  }

  void expectProduct(int k, const std::string &type, const std::string &acc);
};
} // namespace

void MatrixTest::expectProduct(int k, const std::string &type,
                               const std::string &acc) {
  std::string ks = std::to_string(k);
  std::string a = "memref<16x" + ks + "x" + type + ">";
  std::string b = "memref<" + ks + "x8x" + type + ">";
  std::string c = "memref<16x8x" + acc + ">";
  std::vector<int> aRows = {0, 0, 8, 8}, aColumns = {0, 1, 0, 1};
  std::vector<int> bRows = {0, 0}, bColumns = {0, 1};
  if (k == 16) {
    aRows = {0, 0, 8, 8, 0, 0, 8, 8};
    aColumns = {0, 1, 0, 1, 8, 9, 8, 9};
    bRows = {0, 0, 0, 0};
    bColumns = {0, 1, 8, 9};
  }
  std::vector<int> cRows = {0, 0, 8, 8}, cColumns = {0, 1, 0, 1};
  std::string body = R"(
    %group = arith.divui %tx, %c4 : index
    %rest = arith.remui %tx, %c4 : index
    %twice = arith.muli %rest, %c2 : index
  )" + load("x", a, type, aRows, aColumns, false) +
                     load("y", b, type, bRows, bColumns, true) +
                     load("z", c, acc, cRows, cColumns, false);
  auto fragment = [](size_t rows, const std::string &element) {
    return "vector<" + std::to_string(rows / 2) + "x2x" + element + ">";
  };
  body += "%d = nvgpu.mma.sync(%xf, %yf, %zf) {mmaShape = [16, 8, " + ks +
          "]} : (" + fragment(aRows.size(), type) + ", " +
          fragment(bRows.size(), type) + ", " + fragment(4, acc) + ") -> " +
          fragment(4, acc) + "\n";
  for (int i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    body += "%d" + n + " = vector.extract %d[" + std::to_string(i / 2) + ", " +
            std::to_string(i % 2) + "] : " + acc + " from " + fragment(4, acc) +
            "\nmemref.store %d" + n + ", %o[%rz" + n + ", %qz" + n +
            "] : " + c + "\n";
  }
  std::string text =
      kernel("%x : " + a + ", %y : " + b + ", %z : " + c + ", %o : " + c, body);
  oracle::Random random(k);
  DType in = type == "f16" ? DType::F16 : DType::BF16;
  DType out = acc == "f16" ? DType::F16 : DType::F32;
  Tensor x = oracle::random(random, {16, k}, -2, 2, in);
  Tensor y = oracle::random(random, {k, 8}, -2, 2, in);
  Tensor z = oracle::random(random, {16, 8}, -2, 2, out);
  SimulationOptions options;
  options.uninitialized = {3};
  Simulation result = run(text, {x, y, z, Tensor(Shape{16, 8})}, options);
  ASSERT_TRUE(result.ok()) << result.error;
  Tensor want = oracle::contract("mk,kn->mn", x, y);
  double u = oracle::getFormat(out).unitRoundoff;
  for (int64_t i = 0; i < want.size(); ++i) {
    want.data[i] += z.data[i];
    EXPECT_NEAR(result.arguments[3].data[i], want.data[i],
                2 * u * std::fabs(want.data[i]) + 1e-12)
        << i;
  }
  EXPECT_EQ(result.statistics["main"].mmas, 1);
}

TEST_F(MatrixTest, ProductsOf16Bits) {
  expectProduct(16, "f16", "f32");
  expectProduct(16, "f16", "f16");
  expectProduct(8, "f16", "f32");
  expectProduct(8, "f16", "f16");
  expectProduct(16, "bf16", "f32");
}

/// Runs ldmatrix of `matrices` matrices on 32 rows of 8 numbers, number 8 r + c
/// in row r; lane l gives row (5 l + 3) mod 32, so that the order of addresses
/// counts. Returns what each lane got.
static std::string ldmatrixKernel(int matrices, bool transpose) {
  std::string n = std::to_string(matrices);
  return R"(
    %row = vector.load %m[%tx, %c0] : memref<32x8xf16>, vector<8xf16>
    vector.store %row, %s[%tx, %c0] : memref<32x8xf16, 3>, vector<8xf16>
    gpu.barrier
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %p = arith.muli %tx, %c5 : index
    %q = arith.addi %p, %c3 : index
    %r = arith.remui %q, %c32 : index
    %f = nvgpu.ldmatrix %s[%r, %c0] {numTiles = )" +
         n + " : i32, transpose = " + (transpose ? "true" : "false") +
         "} : memref<32x8xf16, 3> -> vector<" + n + R"(x2xf16>
    %g = vector.shape_cast %f : vector<)" +
         n + "x2xf16> to vector<" + std::to_string(2 * matrices) + R"(xf16>
    vector.store %g, %o[%tx, %c0] : memref<32x)" +
         std::to_string(2 * matrices) + "xf16>, vector<" +
         std::to_string(2 * matrices) + "xf16>";
}

TEST_F(MatrixTest, LdMatrix) {
  Tensor numbers(Shape{32, 8});
  for (int64_t i = 0; i < 256; ++i)
    numbers.data[i] = static_cast<double>(i);
  for (int matrices : {1, 2, 4})
    for (bool transpose : {false, true}) {
      Simulation result = run(kernel("%m : memref<32x8xf16>, %o : memref<32x" +
                                         std::to_string(2 * matrices) + "xf16>",
                                     ldmatrixKernel(matrices, transpose), 32,
                                     "%s : memref<32x8xf16, 3>"),
                              {numbers, Tensor(Shape{32, 2 * matrices})});
      ASSERT_TRUE(result.ok()) << result.error;
      for (int lane = 0; lane < 32; ++lane)
        for (int matrix = 0; matrix < matrices; ++matrix)
          for (int half : {0, 1}) {
            // The figure of ldmatrix: thread l holds row l / 4, elements 2 (l %
            // 4) and the next; with .trans row and column change places.
            int row = lane / 4, column = lane % 4 * 2 + half;
            if (transpose)
              std::swap(row, column);
            int source = (5 * (8 * matrix + row) + 3) % 32;
            EXPECT_EQ(result.arguments[1].at({lane, 2 * matrix + half}),
                      8 * source + column)
                << lane << " " << matrix << " " << half;
          }
      EXPECT_EQ(result.statistics["main"].ldmatrices, 1);
      // Rows of 16 bytes one after the other fill the banks.
      EXPECT_EQ(result.statistics["main"].wavefronts.ideal, 4 + matrices);
    }
}

TEST_F(MatrixTest, ErrorsOfLdMatrix) {
  auto has = [](const Simulation &result, const char *text) {
    EXPECT_NE(result.error.find(text), std::string::npos) << result.error;
  };
  std::string fill = R"(
    %zero = arith.constant dense<0.0> : vector<16xf16>
    vector.store %zero, %s[%tx, %c0] : memref<32x16xf16, 3>, vector<16xf16>
    gpu.barrier
  )";
  std::string type = " {numTiles = 4 : i32, transpose = false} : "
                     "memref<32x16xf16, 3> -> vector<4x2xf16>";
  std::string s = "%s : memref<32x16xf16, 3>";
  has(run(kernel("", fill + "%f = nvgpu.ldmatrix %s[%tx, %c4]" + type, 32, s)),
      "misaligned: expected the address to be a multiple of 16");
  has(run(kernel("", fill + "%f = nvgpu.ldmatrix %s[%tx, %c16]" + type, 32, s)),
      "out of bounds: expected index 1 to be at least 0 and less than 16");
  has(run(kernel("",
                 fill +
                     "%p = arith.cmpi ult, %tx, %c8 : index\n scf.if %p {"
                     "%f = nvgpu.ldmatrix %s[%tx, %c0]" +
                     type + "\n}",
                 32, s)),
      "divergent: reached by 8 of the 32 threads of subgroup 0, not by thread "
      "8");
  has(run(kernel("", fill + "%f = nvgpu.ldmatrix %s[%tx, %c0]" + type, 16, s)),
      "expected a subgroup of 32 threads, got 16");
}
