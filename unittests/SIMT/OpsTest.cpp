//===- OpsTest.cpp - What threads do together and apart -------------------===//
//
// Ids, shuffles, reductions of subgroups, control flow that diverges, memory of
// workgroups and threads: each against a formula. Ops that do not depend on
// threads are compared with upstream's lowering in test/SIMT.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include <cmath>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

namespace {
class OpsTest : public SIMTTest {
protected:
  /// Runs a kernel whose threads each store i64 %r to their element.
  Tensor perThread(const std::string &body, int threads = 64,
                   const std::string &workgroup = "") {
    Simulation result =
        run(kernel("%o : memref<" + std::to_string(threads) + "xi64>",
                   body + "\nmemref.store %r, %o[%tx] : memref<" +
                       std::to_string(threads) + "xi64>",
                   threads, workgroup),
            {Tensor(Shape{threads})}, written());
    EXPECT_TRUE(result.ok()) << result.error;
    return result.ok() ? result.arguments[0] : Tensor(Shape{threads});
  }

  static SimulationOptions written() {
    SimulationOptions options;
    options.uninitialized = {0};
    return options;
  }

  void expectError(const std::string &body, const char *text, int threads = 64,
                   const std::string &workgroup = "") {
    Simulation result = run(kernel("", body, threads, workgroup));
    EXPECT_NE(result.error.find(text), std::string::npos) << result.error;
  }
};
} // namespace

template <typename F>
static void expectEach(const Tensor &got, F want) {
  for (int64_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(got.data[i], static_cast<double>(want(i))) << i;
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// %r is the value of the shuffle, or -1 where it is not valid.
static std::string shuffle(const std::string &mode, int offset, int width) {
  return "%x = arith.index_cast %tx : index to i32\n"
         "%offset = arith.constant " +
         std::to_string(offset) + " : i32\n%width = arith.constant " +
         std::to_string(width) + " : i32\n%v, %valid = gpu.shuffle " + mode +
         R"( %x, %offset, %width : i32
    %wide = arith.extsi %v : i32 to i64
    %minus = arith.constant -1 : i64
    %r = arith.select %valid, %wide, %minus : i64)";
}

TEST_F(OpsTest, ShufflesOfEveryMode) {
  for (int width : {8, 32})
    for (int offset : {0, 1, 5, 7}) {
      auto expect = [&](const char *mode, auto source) {
        SCOPED_TRACE(std::string(mode) + " " + std::to_string(offset) + " " +
                     std::to_string(width));
        expectEach(perThread(shuffle(mode, offset, width)), [&](int64_t i) {
          int64_t lane = i % 32, from = source(lane);
          bool valid = lane < width && from >= 0 && from < width;
          return valid ? i - lane + from : -1;
        });
      };
      expect("xor", [&](int64_t lane) { return lane ^ offset; });
      expect("up", [&](int64_t lane) { return lane - offset; });
      expect("down", [&](int64_t lane) { return lane + offset; });
      expect("idx", [&](int64_t) { return offset; });
    }
}

TEST_F(OpsTest, ShuffleOfHalfASubgroup) {
  // The first `width` threads are enough.
  std::string half = R"(
    %c16x = arith.constant 16 : index
    %lane = gpu.lane_id
    %p = arith.cmpi ult, %lane, %c16x : index
    %none = arith.constant -5 : i64
    %r = scf.if %p -> i64 {
  )" + shuffle("xor", 1, 16);
  half = half.replace(half.rfind("%r ="), 4, "%s =") +
         "\nscf.yield %s : i64 } else { scf.yield %none : i64 }";
  expectEach(perThread(half),
             [](int64_t i) { return i % 32 < 16 ? i ^ 1 : -5; });
}

TEST_F(OpsTest, Rotate) {
  expectEach(
      perThread(R"(
    %x = arith.index_cast %tx : index to i64
    %v, %valid = gpu.rotate %x, 3, 8 : i64
    %none = arith.constant -1 : i64
    %r = arith.select %valid, %v, %none : i64)"),
      [](int64_t i) { return i % 32 < 8 ? i - i % 32 + (i + 3) % 8 : -1; });
}

TEST_F(OpsTest, ReductionsOfSubgroups) {
  std::string x = "%x = arith.index_cast %tx : index to i64\n";
  expectEach(perThread(x + "%r = gpu.subgroup_reduce add %x : (i64) -> i64"),
             [](int64_t i) { return i < 32 ? 496 : 496 + 32 * 32; });
  expectEach(
      perThread(x + "%r = gpu.subgroup_reduce add %x cluster(size = 4) : (i64) "
                    "-> i64"),
      [](int64_t i) { return i / 4 * 16 + 6; });
  // Lanes l, l + 8: size 2, stride 8.
  expectEach(perThread(x + "%r = gpu.subgroup_reduce add %x cluster(size = 2, "
                           "stride = 8) : (i64) -> i64"),
             [](int64_t i) { return i + (i ^ 8); });
  expectEach(perThread(x + "%r = gpu.subgroup_reduce maxsi %x : (i64) -> i64"),
             [](int64_t i) { return i < 32 ? 31 : 63; });
  expectEach(perThread(x + "%r = gpu.all_reduce add %x {} : (i64) -> i64"),
             [](int64_t) { return 63 * 32; });
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

TEST_F(OpsTest, IdsOfThreeDimensions) {
  const char *text = R"(
    func.func @main(%o : memref<2x1x3x4x5x2x9xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c3)
                 threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c5, %sz = %c2) {
        %x = gpu.thread_id x
        %y = gpu.thread_id y
        %z = gpu.thread_id z
        %u = gpu.block_id x
        %w = gpu.block_id z
        %d = gpu.block_dim y
        %g = gpu.grid_dim z
        %lane = gpu.lane_id
        %subgroup = gpu.subgroup_id : index
        %global = gpu.global_id y
        %list = vector.from_elements %x, %y, %z, %u, %w, %d, %g, %lane, %subgroup : vector<9xindex>
        vector.store %list, %o[%bx, %by, %bz, %tx, %ty, %tz, %c0] : memref<2x1x3x4x5x2x9xindex>, vector<9xindex>
        gpu.terminator
      }
      return
    })";
  Simulation result =
      run(text, {Tensor(Shape{2, 1, 3, 4, 5, 2, 9})}, written());
  ASSERT_TRUE(result.ok()) << result.error;
  oracle::forEachIndex({2, 1, 3, 4, 5, 2}, [&](const oracle::Index &i) {
    int64_t linear = i[3] + 4 * (i[4] + 5 * i[5]);
    std::vector<int64_t> want = {i[3], i[4], i[5],        i[0],       i[2],
                                 5,    3,    linear % 32, linear / 32};
    for (int64_t n = 0; n < 9; ++n)
      EXPECT_EQ(result.arguments[0].at({i[0], i[1], i[2], i[3], i[4], i[5], n}),
                want[n])
          << n;
  });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST_F(OpsTest, LoopsOfDifferentLengths) {
  // The sum of i < t, of even i doubled.
  expectEach(perThread(R"(
    %zero = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %r = scf.for %i = %c0 to %tx step %c1 iter_args(%acc = %zero) -> i64 {
      %x = arith.index_cast %i : index to i64
      %odd = arith.remui %x, %two : i64
      %isOdd = arith.cmpi ne, %odd, %zero : i64
      %add = scf.if %isOdd -> i64 {
        scf.yield %x : i64
      } else {
        %d = arith.muli %x, %two : i64
        scf.yield %d : i64
      }
      %next = arith.addi %acc, %add : i64
      scf.yield %next : i64
    })"),
             [](int64_t t) {
               int64_t sum = 0;
               for (int64_t i = 0; i < t; ++i)
                 sum += i % 2 ? i : 2 * i;
               return sum;
             });
  // The sum of t, 2 t + 1, 3 t + 2, ...: each thread has a step of its own.
  expectEach(perThread(R"(
    %zero = arith.constant 0 : i64
    %step = arith.addi %tx, %c1 : index
    %r = scf.for %i = %tx to %c64 step %step iter_args(%acc = %zero) -> i64 {
      %x = arith.index_cast %i : index to i64
      %next = arith.addi %acc, %x : i64
      scf.yield %next : i64
    })"),
             [](int64_t t) {
               int64_t sum = 0;
               for (int64_t i = t; i < 64; i += t + 1)
                 sum += i;
               return sum;
             });
}

TEST_F(OpsTest, WhileLoopsOfDifferentLengths) {
  // The steps of Collatz's sequence from t + 1 to 1.
  expectEach(perThread(R"(
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %zero = arith.constant 0 : i64
    %x = arith.index_cast %tx : index to i64
    %first = arith.addi %x, %one : i64
    %end:2 = scf.while (%n = %first, %count = %zero) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi ne, %n, %one : i64
      scf.condition(%more) %count, %n : i64, i64
    } do {
    ^bb0(%count : i64, %n : i64):
      %odd = arith.andi %n, %one : i64
      %isOdd = arith.cmpi eq, %odd, %one : i64
      %m = arith.muli %n, %three : i64
      %up = arith.addi %m, %one : i64
      %down = arith.divui %n, %two : i64
      %next = arith.select %isOdd, %up, %down : i64
      %more = arith.addi %count, %one : i64
      scf.yield %next, %more : i64, i64
    }
    %r = arith.addi %end#0, %zero : i64)"),
             [](int64_t t) {
               int64_t count = 0;
               for (int64_t n = t + 1; n != 1; ++count)
                 n = n % 2 ? 3 * n + 1 : n / 2;
               return count;
             });
}

TEST_F(OpsTest, Choices) {
  expectEach(perThread(R"(
    %k = arith.remui %tx, %c4 : index
    %r = scf.index_switch %k -> i64
    case 0 {
      %v = arith.constant 10 : i64
      scf.yield %v : i64
    }
    case 2 {
      %v = arith.constant 20 : i64
      scf.yield %v : i64
    }
    default {
      %v = arith.index_cast %tx : index to i64
      scf.yield %v : i64
    })"),
             [](int64_t t) { return t % 4 == 0   ? 10
                                    : t % 4 == 2 ? 20
                                                 : t; });
  expectEach(perThread(R"(
    %zero = arith.constant 0 : i64
    %r = affine.if affine_set<(d0) : (d0 mod 3 == 0, d0 - 9 >= 0)>(%tx) -> i64 {
      %s = affine.for %i = 0 to 10 step 3 iter_args(%acc = %zero) -> i64 {
        %x = arith.index_cast %i : index to i64
        %n = arith.addi %acc, %x : i64
        affine.yield %n : i64
      }
      affine.yield %s : i64
    } else {
      affine.yield %zero : i64
    })"),
             [](int64_t t) { return t % 3 == 0 && t >= 9 ? 18 : 0; });
}

TEST_F(OpsTest, BranchesThatAllThreadsTake) {
  std::string function = R"(
    func.func private @count(%n : index) -> i64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %two = arith.constant 2 : i64
      cf.br ^head(%c0, %zero : index, i64)
    ^head(%i : index, %acc : i64):
      %more = arith.cmpi ult, %i, %n : index
      cf.cond_br %more, ^body, ^exit
    ^body:
      %next = arith.addi %acc, %two : i64
      %j = arith.addi %i, %c1 : index
      cf.br ^head(%j, %next : index, i64)
    ^exit:
      return %acc : i64
    })";
  Simulation result =
      run(function + kernel("%o : memref<4xi64>",
                            "%r = func.call @count(%c8) : (index) -> i64\n"
                            "memref.store %r, %o[%tx] : memref<4xi64>",
                            4),
          {Tensor(Shape{4})}, written());
  ASSERT_TRUE(result.ok()) << result.error;
  expectEach(result.arguments[0], [](int64_t) { return 16; });
  result = run(function +
               kernel("", "%r = func.call @count(%tx) : (index) -> i64", 4));
  EXPECT_NE(result.error.find("expected the condition of a branch to be the "
                              "same for all threads, got 0 and 1"),
            std::string::npos)
      << result.error;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(OpsTest, MemoryOfAThread) {
  expectEach(perThread(R"(
    %a = memref.alloca() : memref<4xi64>
    %x = arith.index_cast %tx : index to i64
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %x, %a[%i] : memref<4xi64>
    }
    %r = memref.load %a[%c2] : memref<4xi64>)"),
             [](int64_t t) { return t; });
}

TEST_F(OpsTest, MemoryOfAWorkgroup) {
  // An allocation, a global and dynamic memory; each reversed by its threads.
  const char *text = R"(
    memref.global "private" @shared : memref<64xi64, 3>
    func.func @main(%o : memref<2x64xi64>) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %bytes = arith.constant 520 : i32
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
                 dynamic_shared_memory_size %bytes {
        %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
        %d = memref.view %all[%c8][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xi64, #gpu.address_space<workgroup>>
        %g = memref.get_global @shared : memref<64xi64, 3>
        %a = memref.alloc() : memref<64xi64, 3>
        %sum = arith.addi %bx, %tx : index
        %x = arith.index_cast %sum : index to i64
        %y = arith.subi %c63, %tx : index
        memref.store %x, %g[%tx] : memref<64xi64, 3>
        gpu.barrier
        %p = memref.load %g[%y] : memref<64xi64, 3>
        memref.store %p, %a[%tx] : memref<64xi64, 3>
        nvvm.barrier0
        %q = memref.load %a[%y] : memref<64xi64, 3>
        memref.store %q, %d[%tx] : memref<64xi64, #gpu.address_space<workgroup>>
        nvvm.barrier
        %r = memref.load %d[%y] : memref<64xi64, #gpu.address_space<workgroup>>
        memref.store %r, %o[%bx, %tx] : memref<2x64xi64>
        gpu.terminator
      }
      return
    })";
  Simulation result = run(text, {Tensor(Shape{2, 64})}, written());
  ASSERT_TRUE(result.ok()) << result.error;
  expectEach(result.arguments[0],
             [](int64_t i) { return i / 64 + 63 - i % 64; });
  EXPECT_EQ(result.statistics["main"].barriers, 6);
  EXPECT_EQ(result.statistics["main"].workgroupBytes, 528 + 512 + 512);
}

TEST_F(OpsTest, BarriersOfSubgroups) {
  std::string exchange = R"(
    %all = arith.constant -1 : i32
    %x = arith.index_cast %tx : index to i64
    memref.store %x, %s[%tx] : memref<64xi64, 3>
    nvvm.bar.warp.sync %all : i32
    %c31 = arith.constant 31 : index
    %y = arith.xori %tx, %c31 : index
    %r = memref.load %s[%y] : memref<64xi64, 3>)";
  expectEach(perThread(exchange, 64, "%s : memref<64xi64, 3>"),
             [](int64_t t) { return t ^ 31; });
  // Only one of the subgroups gets there.
  Simulation result =
      run(kernel("",
                 "%p = arith.cmpi ult, %tx, %c32 : index\n scf.if %p {" +
                     exchange + "\n}\n gpu.barrier",
                 64, "%s : memref<64xi64, 3>"));
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.statistics["main"].subgroupBarriers, 1);
  EXPECT_EQ(result.statistics["main"].barriers, 1);
  expectError(R"(
    %some = arith.constant 1 : i32
    nvvm.bar.warp.sync %some : i32)",
              "expected a mask of all 32 threads of the subgroup, got 1");
}

TEST_F(OpsTest, GroupsOfCopiesFinishInOrder) {
  // Two copies ahead; the first is waited for while the second is pending.
  const char *body = R"(
    %first = nvgpu.device_async_copy %m[%c0], %s[%c0], 4 : memref<8xi32> to memref<8xi32, 3>
    %g = nvgpu.device_async_create_group %first
    %second = nvgpu.device_async_copy %m[%c4], %s[%c4], 4 : memref<8xi32> to memref<8xi32, 3>
    %h = nvgpu.device_async_create_group %second
    nvgpu.device_async_wait %g
    %x = vector.load %s[%c0] : memref<8xi32, 3>, vector<4xi32>
    nvgpu.device_async_wait %h {numGroups = 0 : i32}
    %y = vector.load %s[%c4] : memref<8xi32, 3>, vector<4xi32>
    vector.store %x, %o[%c4] : memref<8xi32>, vector<4xi32>
    vector.store %y, %o[%c0] : memref<8xi32>, vector<4xi32>)";
  Simulation result =
      run(kernel("%o : memref<8xi32>, %m : memref<8xi32>", body, 1,
                 "%s : memref<8xi32, 3>"),
          {Tensor(Shape{8}), Tensor({8}, {0, 1, 2, 3, 4, 5, 6, 7})}, written());
  ASSERT_TRUE(result.ok()) << result.error;
  expectEach(result.arguments[0], [](int64_t i) { return (i + 4) % 8; });
}

TEST_F(OpsTest, CopiesFillWithZeros) {
  const char *body = R"(
    %n = arith.addi %c1, %c2 : index
    %copy = nvgpu.device_async_copy %m[%c4], %s[%c0], 4, %n : memref<7xi32> to memref<4xi32, 3>
    %g = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %g
    %x = vector.load %s[%c0] : memref<4xi32, 3>, vector<4xi32>
    vector.store %x, %o[%c0] : memref<4xi32>, vector<4xi32>)";
  Simulation result =
      run(kernel("%o : memref<4xi32>, %m : memref<7xi32>", body, 1,
                 "%s : memref<4xi32, 3>"),
          {Tensor(Shape{4}), Tensor({7}, {0, 1, 2, 3, 4, 5, 6})}, written());
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.arguments[0].data, std::vector<double>({4, 5, 6, 0}));
}

//===----------------------------------------------------------------------===//
// Number formats
//===----------------------------------------------------------------------===//

TEST_F(OpsTest, ArithmeticRoundsToItsType) {
  for (auto [name, type] :
       {std::pair("f16", DType::F16), std::pair("bf16", DType::BF16),
        std::pair("f32", DType::F32), std::pair("f64", DType::F64)}) {
    std::string v = std::string("vector<1000x") + name + ">";
    std::string text = "func.func @main(%a : " + v + ", %b : " + v + ") -> (" +
                       v + ", " + v + ", " + v + ", " + v + ") {\n";
    for (const char *op : {"addf", "subf", "mulf", "divf"})
      text +=
          std::string("%") + op + " = arith." + op + " %a, %b : " + v + "\n";
    text += "return %addf, %subf, %mulf, %divf : " + v + ", " + v + ", " + v +
            ", " + v + "\n}";
    oracle::Random random(11);
    Tensor a = oracle::random(random, {1000}, -100, 100, type);
    Tensor b = oracle::random(random, {1000}, -3, 3, type);
    Simulation result = run(text, {a, b});
    ASSERT_TRUE(result.ok()) << result.error;
    for (int64_t i = 0; i < 1000; ++i) {
      double x = a.data[i], y = b.data[i];
      // A double holds the exact product of two floats, and rounding twice does
      // no harm where the first format has twice the precision and two bits.
      double want[4] = {x + y, x - y, x * y, x / y};
      for (int op = 0; op < 4; ++op)
        ASSERT_EQ(result.outputs[op].data[i], oracle::roundTo(want[op], type))
            << name << " " << op << " " << x << " " << y;
    }
  }
}

TEST_F(OpsTest, ErrorsOfOps) {
  expectError("%x = arith.divui %c1, %tx : index", "division by zero");
  expectError("%f = arith.constant false\n cf.assert %f, \"as expected\"",
              "assertion failed: as expected");
  expectError("scf.for %i = %c0 to %c4 step %c0 {}",
              "expected a positive step, got 0");
  expectError("%d = gpu.dynamic_shared_memory : memref<?xi8, "
              "#gpu.address_space<workgroup>>",
              "launched without dynamic workgroup memory");
  expectError("%v = arith.constant dense<0> : vector<4xi32>\n"
              "%e = vector.extract %v[%tx] : i32 from vector<4xi32>",
              "thread (4, 0, 0): out of bounds: expected position 0 to be at "
              "least 0 and less than 4, got 4");
  Simulation result = run("func.func @main() { gpu.barrier\n return }");
  EXPECT_NE(result.error.find("'gpu.barrier' outside of a gpu.launch"),
            std::string::npos);
  result = run("func.func @main(%m : memref<4x?xf32>) { return }",
               {Tensor(Shape{5, 2})});
  EXPECT_NE(result.error.find("got size 5 of dimension 0"), std::string::npos);
  for (const char *text : {"func.func @main(%m : memref<*xf32>) { return }",
                           "func.func @main(%m : tensor<f32>) { return }"}) {
    result = run(text, {Tensor(Shape{})});
    EXPECT_NE(result.error.find("are not supported"), std::string::npos)
        << result.error;
  }
}
