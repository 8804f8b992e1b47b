//===- MemoryTest.cpp - What programs do with memory ----------------------===//
//
// Slices, concatenations, padding, caches that are updated in place, branches,
// calls, constants, memref arguments, temporaries: none of it is an error on a
// GPU, and kernels read and write what they are to.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"

#include <cmath>

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Index;
using oracle::Random;
using oracle::Shape;
using oracle::Tensor;

namespace {
class MemoryTest : public GPUTest {
protected:
  /// Runs a program whose first result may be written to input `destination`.
  static GPUOutcome run(const std::string &text,
                        const std::vector<Tensor> &inputs,
                        const std::vector<Bounded> &want,
                        std::optional<size_t> destination = std::nullopt) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(context));
    GPUOutcome outcome;
    if (!module)
      outcome.error = "cannot be parsed";
    else
      outcome = runOnGPU(*module, {}, inputs, want, destination);
    EXPECT_TRUE(outcome.ok()) << outcome.error << outcome.remarks << text;
    return outcome;
  }

  /// The buffers that the host allocates for kernels.
  static std::vector<mlir::MemRefType> getTemporaries(GPUOutcome &outcome) {
    std::vector<mlir::MemRefType> types;
    outcome.device.get().walk([&](mlir::memref::AllocOp alloc) {
      if (!alloc->getParentOfType<mlir::gpu::GPUModuleOp>())
        types.push_back(alloc.getType());
    });
    return types;
  }
};
} // namespace

static Tensor draw(Random &random, const Shape &shape,
                   DType type = DType::F32) {
  return oracle::random(random, shape, -1, 1, type);
}

/// A tensor of `shape` whose elements `element` computes.
static Tensor make(const Shape &shape,
                   const std::function<double(const Index &)> &element) {
  Tensor result(shape);
  oracle::forEachIndex(shape,
                       [&](const Index &at) { result.at(at) = element(at); });
  return result;
}

static Tensor scalar(double value) { return Tensor(Shape{}, value); }

/// Each element by at most an operation that rounds once.
static Bounded rounded(const Tensor &value, DType type) {
  Bounded result(value);
  for (int64_t i = 0; i < value.size(); ++i)
    result.error.data[i] =
        2 * oracle::getFormat(type).unitRoundoff * std::abs(value.data[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Parts of a tensor
//===----------------------------------------------------------------------===//

TEST_F(MemoryTest, Concat) {
  const char *rows = R"(
func.func @main(%a: tensor<[A]x[C]xTYPE>, %b: tensor<[B]x[C]xTYPE>) -> tensor<[S]x[C]xTYPE> {
  %r = tensor.concat dim(0) %a, %b : (tensor<[A]x[C]xTYPE>, tensor<[B]x[C]xTYPE>) -> tensor<[S]x[C]xTYPE>
  return %r : tensor<[S]x[C]xTYPE>
})";
  const char *columns = R"(
func.func @main(%a: tensor<[C]x[A]xTYPE>, %b: tensor<[C]x[B]xTYPE>) -> tensor<[C]x[S]xTYPE> {
  %r = tensor.concat dim(1) %a, %b : (tensor<[C]x[A]xTYPE>, tensor<[C]x[B]xTYPE>) -> tensor<[C]x[S]xTYPE>
  return %r : tensor<[C]x[S]xTYPE>
})";
  Random random(1);
  for (bool isDynamic : {false, true})
    for (auto [type, name] :
         {std::pair(DType::F32, "f32"), std::pair(DType::F16, "f16")})
      for (auto [a, b, c] : std::vector<std::array<int64_t, 3>>{
               {10, 5, 10}, {64, 32, 48}, {1, 130, 7}, {0, 3, 5}}) {
        // With nothing it is the other one, an argument.
        if (a == 0 && !isDynamic)
          continue;
        SCOPED_TRACE(std::to_string(a) + " + " + std::to_string(b) + " of " +
                     std::to_string(c) + " " + name);
        for (bool byRows : {true, false}) {
          std::string text = fill(byRows ? rows : columns, "ABCS",
                                  {a, b, c, a + b}, isDynamic);
          for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
            text.replace(at, 4, name);
          Tensor x = draw(random, byRows ? Shape{a, c} : Shape{c, a}, type);
          Tensor y = draw(random, byRows ? Shape{b, c} : Shape{c, b}, type);
          int64_t n = a;
          Tensor want = make(byRows ? Shape{a + b, c} : Shape{c, a + b},
                             [&](const Index &at) {
                               Index in = at;
                               int64_t &i = in[byRows ? 0 : 1];
                               if (i < n)
                                 return x.at(in);
                               i -= n;
                               return y.at(in);
                             });
          run(text, {x, y}, {want});
        }
      }
}

// What a kernel computes goes to its place: nothing else is allocated.
TEST_F(MemoryTest, ConcatOfComputedParts) {
  const char *text = R"(
func.func @main(%a: tensor<[M]x[D]xf32>, %b: tensor<[M]x[D]xf32>) -> tensor<[M]x[E]xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<[M]x[D]xf32>
  %de = tensor.empty(%m) : tensor<?x[D]xf32>
  %e = tensor.cast %de : tensor<?x[D]xf32> to tensor<[M]x[D]xf32>
  %x = linalg.exp ins(%a : tensor<[M]x[D]xf32>) outs(%e : tensor<[M]x[D]xf32>) -> tensor<[M]x[D]xf32>
  %y = linalg.negf ins(%b : tensor<[M]x[D]xf32>) outs(%e : tensor<[M]x[D]xf32>) -> tensor<[M]x[D]xf32>
  %r = tensor.concat dim(1) %x, %y : (tensor<[M]x[D]xf32>, tensor<[M]x[D]xf32>) -> tensor<[M]x[E]xf32>
  return %r : tensor<[M]x[E]xf32>
})";
  Random random(2);
  for (bool isDynamic : {false, true})
    for (auto [m, d] : {std::pair(33, 24), std::pair(5, 7)}) {
      Tensor a = draw(random, {m, d}), b = draw(random, {m, d});
      int64_t half = d;
      Tensor want = make({m, 2 * half}, [&](const Index &at) {
        return at[1] < half ? std::exp(a.at(at)) : -b.at({at[0], at[1] - half});
      });
      Bounded bounded = rounded(want, DType::F32);
      for (double &error : bounded.error.data)
        error *= oracle::kExpUlps;
      GPUOutcome outcome = run(
          fill(text, "MDE", {m, d, 2 * d}, isDynamic, "DE"), {a, b}, {bounded});
      EXPECT_EQ(outcome.total().launches, 2);
      EXPECT_TRUE(getTemporaries(outcome).empty()) << outcome.kernels;
    }
}

TEST_F(MemoryTest, Pad) {
  const char *text = R"(
func.func @main(%a: tensor<[M]x[N]xf16>, %v: f16) -> tensor<[P]x[Q]xf16> {
  %p = tensor.pad %a low[1, 2] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f16
  } : tensor<[M]x[N]xf16> to tensor<[P]x[Q]xf16>
  return %p : tensor<[P]x[Q]xf16>
})";
  Random random(3);
  for (bool isDynamic : {false, true})
    for (auto [m, n] :
         {std::pair(10, 10), std::pair(64, 30), std::pair(1, 1)}) {
      Tensor a = draw(random, {m, n}, DType::F16);
      int64_t rows = m, columns = n;
      Tensor want = make({rows + 4, columns + 2}, [&](const Index &at) {
        int64_t i = at[0] - 1, j = at[1] - 2;
        return i >= 0 && i < rows && j >= 0 && j < columns ? a.at({i, j}) : 0.5;
      });
      run(fill(text, "MNPQ", {m, n, m + 4, n + 2}, isDynamic), {a, scalar(0.5)},
          {want});
    }
}

// The update of a cache: in place, at a position that is a number.
TEST_F(MemoryTest, UpdateInPlace) {
  const char *text = R"(
func.func @main(%cache: tensor<[H]x[N]x[D]xf16>, %new: tensor<[H]x[M]x[D]xf16>, %at: index) -> tensor<[H]x[N]x[D]xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %new, %c0 : tensor<[H]x[M]x[D]xf16>
  %m = tensor.dim %new, %c1 : tensor<[H]x[M]x[D]xf16>
  %source = tensor.cast %new : tensor<[H]x[M]x[D]xf16> to tensor<?x?x[D]xf16>
  %r = tensor.insert_slice %source into %cache[0, %at, 0] [%h, %m, [D]] [1, 1, 1]
    : tensor<?x?x[D]xf16> into tensor<[H]x[N]x[D]xf16>
  return %r : tensor<[H]x[N]x[D]xf16>
})";
  Random random(4);
  for (bool isDynamic : {false, true})
    for (auto [n, m, d, at] : std::vector<std::array<int64_t, 4>>{
             {40, 1, 64, 7}, {33, 5, 24, 28}, {9, 3, 5, 0}}) {
      Tensor cache = draw(random, {3, n, d}, DType::F16),
             fresh = draw(random, {3, m, d}, DType::F16);
      int64_t first = at, last = at + m;
      Tensor want = make({3, n, d}, [&](const Index &i) {
        return i[1] >= first && i[1] < last
                   ? fresh.at({i[0], i[1] - first, i[2]})
                   : cache.at(i);
      });
      GPUOutcome outcome =
          run(fill(text, "HNMD", {3, n, m, d}, isDynamic, "D"),
              {cache, fresh, scalar(at)}, {want}, /*destination=*/0);
      EXPECT_TRUE(getTemporaries(outcome).empty()) << outcome.kernels;
    }
}

// What the caller keeps is copied with the update, by one kernel: at the start,
// in the middle and at the end, along one dimension and two.
TEST_F(MemoryTest, UpdateOfReadOnly) {
  const char *text = R"(
func.func @main(%cache: tensor<[H]x[N]x[D]xf16> {bufferization.writable = false}, %new: tensor<3x[M]x[L]xf16>, %at: tensor<1xi64>) -> tensor<[H]x[N]x[D]xf16> {
  %c0 = arith.constant 0 : index
  %position = tensor.extract %at[%c0] : tensor<1xi64>
  %i = arith.index_cast %position : i64 to index
  %r = tensor.insert_slice %new into %cache[0, %i, 5] [3, [M], [L]] [1, 1, 1]
    : tensor<3x[M]x[L]xf16> into tensor<[H]x[N]x[D]xf16>
  return %r : tensor<[H]x[N]x[D]xf16>
})";
  Random random(16);
  for (bool isDynamic : {false, true})
    for (auto [n, m, d, l, at] :
         std::vector<std::array<int64_t, 5>>{{40, 1, 64, 8, 0},
                                             {33, 5, 24, 19, 28},
                                             {9, 9, 7, 1, 0},
                                             {90, 7, 40, 35, 50}}) {
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(l) + " at " +
                   std::to_string(at) + (isDynamic ? " dynamic" : ""));
      Tensor cache = draw(random, {3, n, d}, DType::F16),
             fresh = draw(random, {3, m, l}, DType::F16);
      int64_t first = at, last = at + m, end = 5 + l;
      Tensor want = make({3, n, d}, [&](const Index &i) {
        bool isFresh = i[1] >= first && i[1] < last && i[2] >= 5 && i[2] < end;
        return isFresh ? fresh.at({i[0], i[1] - first, i[2] - 5}) : cache.at(i);
      });
      GPUOutcome outcome = run(
          fill(text, "HNDML", {3, n, d, m, l}, isDynamic, "ML"),
          {cache, fresh, Tensor(Shape{1}, static_cast<double>(at))}, {want});
      EXPECT_FALSE(outcome.isScalar()) << outcome.remarks;
      // There is one for rows that start aligned beside it; one has no grid.
      if (!isDynamic)
        EXPECT_EQ(outcome.total().launches, 1);
      EXPECT_TRUE(getTemporaries(outcome).empty()) << outcome.kernels;
    }
}

// The position is in memory: kernels read it.
TEST_F(MemoryTest, UpdateAtPositionInMemory) {
  const char *text = R"(
func.func @main(%cache: tensor<?x24xf32>, %new: tensor<1x24xf32>, %at: tensor<1xi64>) -> tensor<?x24xf32> {
  %c0 = arith.constant 0 : index
  %position = tensor.extract %at[%c0] : tensor<1xi64>
  %i = arith.index_cast %position : i64 to index
  %r = tensor.insert_slice %new into %cache[%i, 0] [1, 24] [1, 1]
    : tensor<1x24xf32> into tensor<?x24xf32>
  return %r : tensor<?x24xf32>
})";
  Random random(5);
  Tensor cache = draw(random, {11, 24}), fresh = draw(random, {1, 24});
  Tensor want = make({11, 24}, [&](const Index &i) {
    return i[0] == 9 ? fresh.at({0, i[1]}) : cache.at(i);
  });
  run(text, {cache, fresh, Tensor(Shape{1}, 9)}, {want}, /*destination=*/0);
}

// Slices as they are, rotated by halves (RoPE), and a reduction of one.
TEST_F(MemoryTest, Slices) {
  const char *text = R"(
func.func @main(%x: tensor<[B]x[M]x64xf16>) -> (tensor<[B]x[M]x64xf16>, tensor<[B]x[M]xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %nb = tensor.dim %x, %c0 : tensor<[B]x[M]x64xf16>
  %nm = tensor.dim %x, %c1 : tensor<[B]x[M]x64xf16>
  %a = tensor.extract_slice %x[0, 0, 0] [%nb, %nm, 32] [1, 1, 1] : tensor<[B]x[M]x64xf16> to tensor<?x?x32xf16>
  %b = tensor.extract_slice %x[0, 0, 32] [%nb, %nm, 32] [1, 1, 1] : tensor<[B]x[M]x64xf16> to tensor<?x?x32xf16>
  %e = tensor.empty(%nb, %nm) : tensor<?x?x32xf16>
  %n = linalg.negf ins(%b : tensor<?x?x32xf16>) outs(%e : tensor<?x?x32xf16>) -> tensor<?x?x32xf16>
  %c = tensor.concat dim(2) %n, %a : (tensor<?x?x32xf16>, tensor<?x?x32xf16>) -> tensor<?x?x64xf16>
  %r = tensor.cast %c : tensor<?x?x64xf16> to tensor<[B]x[M]x64xf16>
  %es = tensor.empty(%nb, %nm) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(b, m, d) -> (b, m, d)>, affine_map<(b, m, d) -> (b, m)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%b : tensor<?x?x32xf16>) outs(%z : tensor<?x?xf32>) {
  ^bb0(%in: f16, %acc: f32):
    %w = arith.extf %in : f16 to f32
    %t = arith.addf %w, %acc : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %sum = tensor.cast %s : tensor<?x?xf32> to tensor<[B]x[M]xf32>
  return %r, %sum : tensor<[B]x[M]x64xf16>, tensor<[B]x[M]xf32>
})";
  Random random(6);
  for (bool isDynamic : {false, true})
    for (auto [b, m] : {std::pair(2, 33), std::pair(1, 5)}) {
      Tensor x = draw(random, {b, m, 64}, DType::F16);
      Tensor rotated = make({b, m, 64}, [&](const Index &i) {
        return i[2] < 32 ? -x.at({i[0], i[1], i[2] + 32})
                         : x.at({i[0], i[1], i[2] - 32});
      });
      Bounded sums(make({b, m}, [&](const Index &i) {
        double sum = 0;
        for (int64_t d = 32; d < 64; ++d)
          sum += x.at({i[0], i[1], d});
        return sum;
      }));
      for (double &error : sums.error.data)
        error = 32 * 32 * 0x1p-24;
      run(fill(text, "BM", {b, m}, isDynamic), {x}, {rotated, sums});
    }
}

// Single elements, which the host would have to write.
TEST_F(MemoryTest, Elements) {
  const char *text = R"(
func.func @main(%x: tensor<[N]xf32>, %a: f32, %b: f32, %i: index) -> tensor<[N]xf32> {
  %two = tensor.from_elements %a, %b : tensor<2xf32>
  %y = tensor.insert_slice %two into %x[3] [2] [1] : tensor<2xf32> into tensor<[N]xf32>
  %z = tensor.insert %b into %y[%i] : tensor<[N]xf32>
  return %z : tensor<[N]xf32>
})";
  Random random(14);
  for (bool isDynamic : {false, true}) {
    Tensor x = draw(random, {9});
    Tensor want = make({9}, [&](const Index &i) {
      return i[0] == 3 ? 0.5 : i[0] == 4 || i[0] == 7 ? 0.25 : x.at(i);
    });
    run(fill(text, "N", {9}, isDynamic),
        {x, scalar(0.5), scalar(0.25), scalar(7)}, {want}, /*destination=*/0);
  }
}

// Rows that a table names. What is behind the length is anything, and is not
// followed out of the pool.
TEST_F(MemoryTest, EntriesBehindLength) {
  const char *text = R"(
func.func @main(%pool: tensor<[P]x24xf16>, %table: tensor<[N]xi32>, %length: index) -> tensor<[N]x24xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %n = tensor.dim %table, %c0 : tensor<[N]xi32>
  %de = tensor.empty(%n) : tensor<?x24xf16>
  %e = tensor.cast %de : tensor<?x24xf16> to tensor<[N]x24xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, d) -> (n)>, affine_map<(n, d) -> (n, d)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<[N]xi32>) outs(%e : tensor<[N]x24xf16>) {
  ^bb0(%entry: i32, %o: f16):
    %row = arith.index_cast %entry : i32 to index
    %d = linalg.index 1 : index
    %x = tensor.extract %pool[%row, %d] : tensor<[P]x24xf16>
    %i = linalg.index 0 : index
    %is = arith.cmpi slt, %i, %length : index
    %y = arith.select %is, %x, %zero : f16
    linalg.yield %y : f16
  } -> tensor<[N]x24xf16>
  return %r : tensor<[N]x24xf16>
})";
  Random random(15);
  for (bool isDynamic : {false, true}) {
    Tensor pool = draw(random, {7, 24}, DType::F16);
    int64_t length = 33;
    Tensor table = make({40}, [&](const Index &i) -> double {
      if (i[0] >= length)
        return i[0] % 2 ? -1 : 1 << 20;
      return random.integer(0, 6);
    });
    Tensor want = make({40, 24}, [&](const Index &i) {
      return i[0] < length
                 ? pool.at({static_cast<int64_t>(table.at({i[0]})), i[1]})
                 : 0;
    });
    GPUOutcome outcome =
        run(fill(text, "PN", {7, 40}, isDynamic),
            {pool, table, scalar(static_cast<double>(length))}, {want});
    EXPECT_FALSE(outcome.isScalar()) << outcome.remarks;
  }
}

//===----------------------------------------------------------------------===//
// Branches and calls
//===----------------------------------------------------------------------===//

TEST_F(MemoryTest, Branch) {
  const char *text = R"(
func.func private @twice(%a: tensor<?x[N]xf32>) -> tensor<?x[N]xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x[N]xf32>
  %e = tensor.empty(%m) : tensor<?x[N]xf32>
  %r = linalg.add ins(%a, %a : tensor<?x[N]xf32>, tensor<?x[N]xf32>) outs(%e : tensor<?x[N]xf32>) -> tensor<?x[N]xf32>
  return %r : tensor<?x[N]xf32>
}
func.func @main(%a: tensor<?x[N]xf32>, %b: tensor<?x[N]xf32>, %k: index, %c: i1) -> tensor<?x[N]xf32> {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %m = tensor.dim %a, %c0 : tensor<?x[N]xf32>
  %e = tensor.empty(%m) : tensor<?x[N]xf32>
  %x = func.call @twice(%a) : (tensor<?x[N]xf32>) -> tensor<?x[N]xf32>
  %large = arith.cmpi sgt, %k, %c7 : index
  %r = scf.if %large -> tensor<?x[N]xf32> {
    %p = linalg.mul ins(%x, %b : tensor<?x[N]xf32>, tensor<?x[N]xf32>) outs(%e : tensor<?x[N]xf32>) -> tensor<?x[N]xf32>
    %i = scf.if %c -> tensor<?x[N]xf32> {
      %q = func.call @twice(%p) : (tensor<?x[N]xf32>) -> tensor<?x[N]xf32>
      scf.yield %q : tensor<?x[N]xf32>
    } else {
      scf.yield %p : tensor<?x[N]xf32>
    }
    scf.yield %i : tensor<?x[N]xf32>
  } else {
    scf.yield %b : tensor<?x[N]xf32>
  }
  return %r : tensor<?x[N]xf32>
})";
  Random random(7);
  for (int64_t n : {5, 64})
    for (int64_t k : {7, 8})
      for (bool c : {false, true}) {
        Tensor a = draw(random, {19, n}), b = draw(random, {19, n});
        Tensor want = make({19, n}, [&](const Index &i) {
          return k > 7 ? 2 * a.at(i) * b.at(i) * (c ? 2 : 1) : b.at(i);
        });
        run(fill(text, "N", {n}, false),
            {a, b, scalar(static_cast<double>(k)), scalar(c)},
            {rounded(want, DType::F32)});
      }
}

// What memory holds decides: both branches are launched, and one does nothing.
TEST_F(MemoryTest, BranchOnMemory) {
  const char *text = R"(
func.func @main(%a: tensor<?x24xf32>, %c: tensor<i1>) -> tensor<?x24xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x24xf32>
  %condition = tensor.extract %c[] : tensor<i1>
  %r = scf.if %condition -> tensor<?x24xf32> {
    %e = tensor.empty(%m) : tensor<?x24xf32>
    %p = linalg.add ins(%a, %a : tensor<?x24xf32>, tensor<?x24xf32>) outs(%e : tensor<?x24xf32>) -> tensor<?x24xf32>
    scf.yield %p : tensor<?x24xf32>
  } else {
    %e = tensor.empty(%m) : tensor<?x24xf32>
    %p = linalg.mul ins(%a, %a : tensor<?x24xf32>, tensor<?x24xf32>) outs(%e : tensor<?x24xf32>) -> tensor<?x24xf32>
    scf.yield %p : tensor<?x24xf32>
  }
  return %r : tensor<?x24xf32>
})";
  Random random(8);
  for (bool c : {false, true}) {
    Tensor a = draw(random, {21, 24});
    Tensor want = make({21, 24}, [&](const Index &i) {
      return c ? 2 * a.at(i) : a.at(i) * a.at(i);
    });
    run(text, {a, scalar(c)}, {rounded(want, DType::F32)});
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TEST_F(MemoryTest, Constants) {
  const char *text = R"(
func.func @main(%x: tensor<[M]x4xf32>) -> tensor<[M]x4xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<[M]x4xf32>
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 0.0, 3.0], [0.5, 0.0, 1.0, 0.0], [0.0, 0.0, -1.0, 1.0]]> : tensor<4x4xf32>
  %bias = arith.constant dense_resource<bias> : tensor<4xf32>
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %de = tensor.empty(%m) : tensor<?x4xf32>
  %e = tensor.cast %de : tensor<?x4xf32> to tensor<[M]x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x4xf32>) -> tensor<[M]x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<[M]x4xf32>, tensor<4x4xf32>) outs(%f : tensor<[M]x4xf32>) -> tensor<[M]x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>,
                       affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias, %half : tensor<[M]x4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<[M]x4xf32>) {
  ^bb0(%a: f32, %b: f32, %h: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %h : f32
    linalg.yield %t : f32
  } -> tensor<[M]x4xf32>
  return %r : tensor<[M]x4xf32>
}
{-# dialect_resources: { builtin: { bias: "0x040000000000803F0000004000004040000080BF" } } #-}
)";
  const double weights[4][4] = {
      {1, 2, 0, 0}, {0, 1, 0, 3}, {0.5, 0, 1, 0}, {0, 0, -1, 1}};
  const double bias[4] = {1, 2, 3, -1};
  Random random(9);
  for (bool isDynamic : {false, true}) {
    Tensor x = draw(random, {37, 4});
    Bounded want(make({37, 4}, [&](const Index &i) {
      double sum = bias[i[1]];
      for (int64_t k = 0; k < 4; ++k)
        sum += x.at({i[0], k}) * weights[k][i[1]];
      return sum / 2;
    }));
    for (double &error : want.error.data)
      error = 8 * 6 * 0x1p-24;
    run(fill(text, "M", {37}, isDynamic), {x}, {want});
  }
}

// A constant of equal elements is a number: no buffer of its size.
TEST_F(MemoryTest, SplatConstant) {
  const char *text = R"(
func.func @main(%x: tensor<40x24xf32>, %y: tensor<24x33xf32>) -> tensor<40x33xf32> {
  %c = arith.constant dense<0.125> : tensor<40x33xf32>
  %z = arith.constant dense<0.0> : tensor<40x33xf32>
  %e = tensor.empty() : tensor<40x33xf32>
  %s = linalg.matmul ins(%x, %y : tensor<40x24xf32>, tensor<24x33xf32>) outs(%z : tensor<40x33xf32>) -> tensor<40x33xf32>
  %t = linalg.mul ins(%s, %c : tensor<40x33xf32>, tensor<40x33xf32>) outs(%e : tensor<40x33xf32>) -> tensor<40x33xf32>
  return %t : tensor<40x33xf32>
})";
  Random random(10);
  Tensor x = draw(random, {40, 24}), y = draw(random, {24, 33});
  Bounded sum = oracle::contract("mk,kn->mn", x, y, DType::F32);
  Bounded want = oracle::multiply(sum, 0.125, DType::F32);
  GPUOutcome outcome = run(text, {x, y}, {want});
  EXPECT_TRUE(getTemporaries(outcome).empty()) << outcome.kernels;
  EXPECT_EQ(outcome.kernels.find("memref.global"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Functions on buffers
//===----------------------------------------------------------------------===//

// What lighthouse writes.
TEST_F(MemoryTest, MemRefArguments) {
  const char *text = R"(
func.func @main(%a: memref<[M]x[K]xf16>, %b: memref<[K]x[N]xf16>, %c: memref<[M]x[N]xf32>) {
  %zero = arith.constant 0.0 : f32
  %ta = bufferization.to_tensor %a restrict : memref<[M]x[K]xf16> to tensor<[M]x[K]xf16>
  %tb = bufferization.to_tensor %b restrict : memref<[K]x[N]xf16> to tensor<[K]x[N]xf16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<[M]x[K]xf16>
  %n = memref.dim %b, %c1 : memref<[K]x[N]xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%ta, %tb : tensor<[M]x[K]xf16>, tensor<[K]x[N]xf16>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%p : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = tensor.cast %r : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  bufferization.materialize_in_destination %t in restrict writable %c : (tensor<[M]x[N]xf32>, memref<[M]x[N]xf32>) -> ()
  return
})";
  Random random(11);
  for (bool isDynamic : {false, true})
    for (auto [m, n, k] :
         std::vector<std::array<int64_t, 3>>{{64, 32, 48}, {33, 17, 5}}) {
      Tensor a = draw(random, {m, k}, DType::F16),
             b = draw(random, {k, n}, DType::F16);
      Bounded sum = oracle::contract("mk,kn->mn", a, b, DType::F32);
      Bounded want = oracle::multiply(sum, -1, DType::F32);
      GPUOutcome outcome =
          run(fill(text, "MNK", {m, n, k}, isDynamic), {a, b}, {want});
      EXPECT_TRUE(getTemporaries(outcome).empty()) << outcome.kernels;
    }
}

// Rows with something between them, known and not, and an offset.
TEST_F(MemoryTest, StridedArguments) {
  const char *text = R"(
func.func @main(%a: memref<[M]x[N]xf16, strided<[X, 1], offset: Y>>, %c: memref<[M]x[N]xf16, strided<[Z, 1]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ta = bufferization.to_tensor %a restrict : memref<[M]x[N]xf16, strided<[X, 1], offset: Y>> to tensor<[M]x[N]xf16>
  %m = memref.dim %a, %c0 : memref<[M]x[N]xf16, strided<[X, 1], offset: Y>>
  %n = memref.dim %a, %c1 : memref<[M]x[N]xf16, strided<[X, 1], offset: Y>>
  %de = tensor.empty(%m, %n) : tensor<?x?xf16>
  %e = tensor.cast %de : tensor<?x?xf16> to tensor<[M]x[N]xf16>
  %r = linalg.add ins(%ta, %ta : tensor<[M]x[N]xf16>, tensor<[M]x[N]xf16>) outs(%e : tensor<[M]x[N]xf16>) -> tensor<[M]x[N]xf16>
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<[M]x[N]xf16>, memref<[M]x[N]xf16, strided<[Z, 1]>>) -> ()
  return
})";
  Random random(12);
  for (bool isDynamic : {false, true})
    for (auto [row, offset] : {std::pair("?", "?"), std::pair("40", "8"),
                               std::pair("41", "3"), std::pair("40", "?")})
      for (auto [m, n] : {std::pair(33, 24), std::pair(7, 5)}) {
        Tensor a = draw(random, {m, n}, DType::F16);
        Tensor want = make({m, n}, [&](const Index &i) { return 2 * a.at(i); });
        std::string program = fill(text, "MN", {m, n}, isDynamic);
        for (auto [from, to] :
             {std::pair("X", row), std::pair("Y", offset), std::pair("Z", row)})
          for (size_t at; (at = program.find(from)) != std::string::npos;)
            program.replace(at, 1, to);
        run(program, {a}, {want});
      }
}

//===----------------------------------------------------------------------===//
// Temporaries
//===----------------------------------------------------------------------===//

// Products one behind the other, each with a temporary: at most two at a time.
TEST_F(MemoryTest, TemporariesTakeTurns) {
  const char *text = R"(
func.func @main(%x: tensor<[M]x32xf32>, %w: tensor<32x32xf32>) -> tensor<[M]x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<[M]x32xf32>
  %de = tensor.empty(%m) : tensor<?x32xf32>
  %e = tensor.cast %de : tensor<?x32xf32> to tensor<[M]x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x32xf32>) -> tensor<[M]x32xf32>
  %1 = linalg.matmul ins(%x, %w : tensor<[M]x32xf32>, tensor<32x32xf32>) outs(%z : tensor<[M]x32xf32>) -> tensor<[M]x32xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<[M]x32xf32>, tensor<32x32xf32>) outs(%z : tensor<[M]x32xf32>) -> tensor<[M]x32xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<[M]x32xf32>, tensor<32x32xf32>) outs(%z : tensor<[M]x32xf32>) -> tensor<[M]x32xf32>
  %4 = linalg.matmul ins(%3, %w : tensor<[M]x32xf32>, tensor<32x32xf32>) outs(%z : tensor<[M]x32xf32>) -> tensor<[M]x32xf32>
  %5 = linalg.matmul ins(%4, %w : tensor<[M]x32xf32>, tensor<32x32xf32>) outs(%z : tensor<[M]x32xf32>) -> tensor<[M]x32xf32>
  return %5 : tensor<[M]x32xf32>
})";
  Random random(13);
  for (bool isDynamic : {false, true}) {
    Tensor x = draw(random, {40, 32}), w = draw(random, {32, 32});
    Bounded product(x);
    for (int i = 0; i < 5; ++i)
      product = oracle::contract("mk,kn->mn", product, Bounded(w), DType::F32);
    GPUOutcome outcome =
        run(fill(text, "M", {40}, isDynamic), {x, w}, {product});
    // One block. What is static takes turns with the result, too.
    std::vector<mlir::MemRefType> blocks = getTemporaries(outcome);
    ASSERT_EQ(blocks.size(), 1u) << print(*outcome.device);
    if (!isDynamic)
      EXPECT_LE(blocks[0].getNumElements() *
                    blocks[0].getElementTypeBitWidth() / 8,
                2 * 40 * 32 * 4);
  }
}
