//===- ConcurrencyTest.cpp - Strands, mbarriers, TMA and wgmma ------------===//
//
// What each op does, and each error, in small kernels.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include <cmath>

using namespace linalg_ext_test;
using mlir::linalg_ext::simt::Options;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

namespace {
class ConcurrencyTest : public SIMTTest {
protected:
  static void SetUpTestSuite() {
    SIMTTest::SetUpTestSuite();
    mlir::DialectRegistry registry;
    registry.insert<mlir::vector_ext::VectorExtDialect>();
    mlir::nvgpu_ext::registerIntrinsics(registry);
    context->appendDialectRegistry(registry);
  }

  /// Names of types for the kernels below.
  static constexpr const char *types = R"(
!b1 = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!b2 = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!token = !nvgpu.mbarrier.token
!tile = memref<8x8xf16, 3>
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x8xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!acc = !llvm.struct<(f32, f32, f32, f32)>
memref.global "private" @tile : !tile {alignment = 128}
memref.global "private" @low : !tile {alignment = 64}
memref.global "private" @rows : memref<64x16xf16, 3> {alignment = 128}
)";

  /// A kernel of `threads` threads on %x : memref<?xf32>. Thread 0 has
  /// initialised two mbarriers of one arrival, %b, and `prologue` runs on the
  /// host.
  Simulation runKernel(const std::string &body, int threads = 256,
                       const std::string &prologue = "",
                       Options::Order order = Options::Order::CopiesLast) {
    std::string text = kernel("%x : memref<512xf32>, %m : memref<20x16xf16>",
                              R"(
%ticks = arith.constant 1000 : index
%even = arith.constant false
%odd = arith.constant true
%one = arith.constant 1.0 : f32
%w = arith.divui %tx, %c32 : index
%is0 = arith.cmpi eq, %tx, %c0 : index
%is128 = arith.cmpi uge, %tx, %c128 : index
%low = arith.cmpi ult, %tx, %c128 : index
%b = nvgpu.mbarrier.create -> !b2
scf.if %is0 {
  nvgpu.mbarrier.init %b[%c0], %c1 : !b2
  nvgpu.mbarrier.init %b[%c1], %c1 : !b2
  nvvm.fence.mbarrier.init
}
gpu.barrier
)" + body,
                              threads);
    std::string start = "%threads = ";
    text.insert(text.find(start),
                "%c128 = arith.constant 128 : index\n" + prologue + "\n");
    SimulationOptions options;
    options.interpreter.order = order;
    options.interpreter.maxOps = 100000;
    oracle::Random random(1);
    matrix = oracle::random(random, {20, 16}, -1, 1, DType::F16);
    return run(types + globals + text, {Tensor(Shape{512}, 0.0), matrix},
               options);
  }

  void expectError(const std::string &body, const std::string &message,
                   int threads = 256, const std::string &prologue = "") {
    Simulation result = runKernel(body, threads, prologue);
    EXPECT_NE(result.error.find(message), std::string::npos)
        << "expected " << message << "\ngot " << result.error;
  }

  Tensor matrix;
  /// Put in front of @main.
  std::string globals;
};

const Options::Order orders[] = {Options::Order::CopiesFirst,
                                 Options::Order::CopiesLast,
                                 Options::Order::Seeded};
const char *makeMap = R"(
%any = memref.cast %m : memref<20x16xf16> to memref<*xf16>
%c8x = arith.constant 8 : index
%map = nvgpu.tma.create.descriptor %any box[%c8x, %c8x] : memref<*xf16> -> !map)";
} // namespace

//===----------------------------------------------------------------------===//
// Strands and mbarriers
//===----------------------------------------------------------------------===//

/// What is read is written again: first the same value, which does no harm, then
/// another one.
TEST_F(ConcurrencyTest, SameValueDoesNotOrderReads) {
  for (Options::Order order : orders) {
    Simulation result = runKernel(R"(
scf.if %low {
  scf.if %is0 {
    %v = memref.load %x[%c0] : memref<512xf32>
    memref.store %v, %x[%c128] : memref<512xf32>
  }
} else {
  %first = arith.cmpi eq, %tx, %c128 : index
  scf.if %first {
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %x[%c0] : memref<512xf32>
    memref.store %one, %x[%c0] : memref<512xf32>
  }
})",
                                  256, "", order);
    EXPECT_NE(result.error.find("data race: "), std::string::npos)
        << result.error;
  }
}

/// The second half of the threads writes, the first half waits and reads.
TEST_F(ConcurrencyTest, MBarrierOrdersStrands) {
  for (Options::Order order : orders)
    for (const char *wait :
         {"nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %ticks : !b2", ""}) {
      Simulation result = runKernel(std::string(R"(
scf.if %low {
)") + wait + R"(
  %from = arith.addi %tx, %c128 : index
  %v = memref.load %x[%from] : memref<512xf32>
  memref.store %v, %x[%tx] : memref<512xf32>
} else {
  %i = arith.index_cast %tx : index to i64
  %f = arith.sitofp %i : i64 to f32
  memref.store %f, %x[%tx] : memref<512xf32>
  nvvm.barrier id = %id number_of_threads = %n
  %first = arith.cmpi eq, %tx, %c128 : index
  scf.if %first {
    %t = nvgpu.mbarrier.arrive %b[%c0] : !b2 -> !token
  }
})",
                                    256,
                                    "%id = arith.constant 3 : i32\n"
                                    "%n = arith.constant 128 : i32",
                                    order);
      if (*wait) {
        ASSERT_TRUE(result.ok()) << result.error;
        EXPECT_EQ(result.arguments[0].data[5], 133);
      } else {
        EXPECT_NE(result.error.find("data race: "), std::string::npos);
      }
    }
}

/// Warps of a warpgroup that take different branches wait for each other.
TEST_F(ConcurrencyTest, BranchesSplitStrands) {
  for (Options::Order order : orders) {
    Simulation result =
        runKernel(R"(
%first = arith.cmpi ult, %tx, %c32 : index
%r = scf.if %first -> f32 {
  nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %ticks : !b2
  %v = memref.load %x[%c64] : memref<512xf32>
  scf.yield %v : f32
} else {
  %last = arith.cmpi eq, %tx, %c64 : index
  scf.if %last {
    memref.store %one, %x[%c64] : memref<512xf32>
    %t = nvgpu.mbarrier.arrive %b[%c0] : !b2 -> !token
  }
  scf.yield %two : f32
}
%to = arith.addi %tx, %c128 : index
memref.store %r, %x[%to] : memref<512xf32>)",
                  128, "%two = arith.constant 2.0 : f32", order);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(result.arguments[0].data[128 + 3], 1);
    EXPECT_EQ(result.arguments[0].data[128 + 70], 2);
  }
}

TEST_F(ConcurrencyTest, DeadlocksInBranches) {
  expectError(R"(
%first = arith.cmpi ult, %tx, %c32 : index
scf.if %first {
  nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %ticks : !b2
} else {
  %second = arith.cmpi ult, %tx, %c64 : index
  scf.if %second {
    nvgpu.mbarrier.try_wait.parity %b[%c1], %even, %ticks : !b2
  } else {
    nvvm.barrier id = %id number_of_threads = %n
  }
})",
              "deadlock: threads 0 to 31 wait for a phase of parity 0 in phase "
              "0 of mbarrier 0 of group 0, which misses 1 of 1 arrivals and 0 "
              "bytes; threads 32 to 63 wait for a phase of parity 0 in phase 0 "
              "of mbarrier 1 of group 0, which misses 1 of 1 arrivals and 0 "
              "bytes; threads 64 to 127 wait at barrier 3, which misses 64 of "
              "128 threads",
              128,
              "%id = arith.constant 3 : i32\n%n = arith.constant 128 : i32");
}

TEST_F(ConcurrencyTest, TestWaitPolls) {
  std::string body = R"(
scf.if %is0 {
  %t = nvgpu.mbarrier.arrive.nocomplete %c[%c0], %c1 : !b1 -> !token
  %u = nvgpu.mbarrier.arrive %c[%c0] : !b1 -> !token
  scf.while : () -> () {
    %done = nvgpu.mbarrier.test.wait %c[%c0], %t : !b1, !token
    %more = arith.xori %done, %odd : i1
    scf.condition(%more)
  } do {
    scf.yield
  }
  %v = memref.load %x[%c1] : memref<512xf32>
  memref.store %v, %x[%c0] : memref<512xf32>
}
%other = arith.cmpi eq, %tx, %c128 : index
scf.if %other {
  memref.store %one, %x[%c1] : memref<512xf32>
  %t = nvgpu.mbarrier.arrive %c[%c0] : !b1 -> !token
})";
  std::string init = R"(
%c = nvgpu.mbarrier.create -> !b1
%c3 = arith.addi %c1, %c2 : index
nvgpu.mbarrier.init %c[%c0], %c3, predicate = %is0 : !b1
gpu.barrier
)";
  for (Options::Order order : orders) {
    Simulation result = runKernel(init + body, 256, "", order);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(result.arguments[0].data[0], 1);
  }
  size_t at = body.rfind("%t = nvgpu.mbarrier.arrive");
  expectError(init + body.substr(0, at) + "}",
              "deadlock: thread 0 waits in a loop for phase 0 of mbarrier 0 of "
              "group 1, which misses 1 of 3 arrivals and 0 bytes");
  expectError(init + "scf.if %is0 { %t = nvgpu.mbarrier.arrive.nocomplete "
                     "%c[%c0], %c3 : !b1 -> !token }",
              "expected less than the 3 arrivals that phase 0 of mbarrier 0 of "
              "group 1 misses, got 3");
}

TEST_F(ConcurrencyTest, MBarriersHaveAddresses) {
  Simulation result = runKernel(R"(
%p = nvgpu.mbarrier.get %b[%c0] : !b2 -> i64
%q = nvgpu.mbarrier.get %b[%c1] : !b2 -> i64
%d = arith.subi %q, %p : i64
%f = arith.sitofp %d : i64 to f32
memref.store %f, %x[%tx] : memref<512xf32>)");
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.arguments[0].data[3], 8);
}

TEST_F(ConcurrencyTest, MBarrierErrors) {
  std::string arrive = "%t = nvgpu.mbarrier.arrive %b[%c0] : !b2 -> !token\n";
  expectError("nvgpu.mbarrier.try_wait.parity %b[%c2], %even, %ticks : !b2",
              "out of bounds: expected an mbarrier of at least 0 and less than "
              "2, got 2");
  expectError(
      "scf.if %is0 { nvgpu.mbarrier.try_wait.parity %b[%c0], %even, "
      "%ticks : !b2 }",
      "deadlock: thread 0 waits for a phase of parity 0 in phase 0 of "
      "mbarrier 0 of group 0, which misses 1 of 1 arrivals and 0 bytes");
  expectError("scf.if %is0 { nvgpu.mbarrier.init %b[%c0], %c1 : !b2 }",
              "initialises mbarrier 0 of group 0 twice");
  expectError("%e = nvgpu.mbarrier.create -> !b1\n"
              "nvgpu.mbarrier.init %e[%c0], %c0, predicate = %is0 : !b1",
              "expected a count of 1 to 1048575, got 0");
  expectError("%e = nvgpu.mbarrier.create -> !b1\n"
              "%t = nvgpu.mbarrier.arrive %e[%c0] : !b1 -> !token",
              "uses mbarrier 0 of group 1, which is not initialised");
  expectError("%e = nvgpu.mbarrier.create -> !b1\n"
              "nvgpu.mbarrier.init %e[%c0], %c1, predicate = %is0 : !b1\n"
              "%is32 = arith.cmpi eq, %tx, %c32 : index\n"
              "scf.if %is32 { nvgpu.mbarrier.try_wait.parity %e[%c0], %odd, "
              "%ticks : !b1 }",
              "thread (32, 0, 0): data race: uses mbarrier 0 of group 1, which "
              "thread 0 initialised, with no barrier in between");
  expectError("scf.if %is0 { nvgpu.mbarrier.arrive.expect_tx %b[%c0], %c16 : "
              "!b2 }",
              "ends in phase 0 of mbarrier 0 of group 0, which misses 0 of 1 "
              "arrivals and 16 bytes");
  expectError("scf.if %is0 {\n nvgpu.mbarrier.arrive.expect_tx %b[%c0], %c16 : "
              "!b2\n" +
                  arrive + "}",
              "too many arrivals: expected at most 0 more in phase 0 of "
              "mbarrier 0 of group 0, got 1");
}

/// Thread 0 copies 16 bytes, and `arrive` follows. The second half of the threads
/// waits, if `wait` does, and reads.
static std::string copyAndArrive(const std::string &arrive,
                                 const std::string &wait) {
  return R"(
%own = memref.get_global @tile : !tile
%address = nvgpu.mbarrier.get %b[%c0] : !b2 -> i64
%pointer = llvm.inttoptr %address : i64 to !llvm.ptr<3>
%nowhere = arith.constant 0 : i64
%null = llvm.inttoptr %nowhere : i64 to !llvm.ptr<3>
scf.if %is0 {
  %c = nvgpu.device_async_copy %m[%c2, %c0], %own[%c0, %c0], 8 : memref<20x16xf16> to !tile
)" + arrive +
         "\n}\nscf.if %is128 {\n" + wait + R"(
  %v = memref.load %own[%c0, %c2] : !tile
  %f = arith.extf %v : f16 to f32
  memref.store %f, %x[%tx] : memref<512xf32>
})";
}

TEST_F(ConcurrencyTest, CopiesArrive) {
  std::string arrive =
      "nvvm.cp.async.mbarrier.arrive %pointer {noinc = true} : !llvm.ptr<3>";
  std::string wait =
      "nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %ticks : !b2";
  for (Options::Order order : orders) {
    Simulation result =
        runKernel(copyAndArrive(arrive, wait), 256, "", order);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(result.arguments[0].data[200], matrix.at({2, 2}));
    // Whoever reads without a wait may read before the copy is done.
    result = runKernel(copyAndArrive(arrive, ""), 256, "", order);
    EXPECT_FALSE(result.ok());
  }
  expectError(copyAndArrive("", wait),
              "deadlock: threads 128 to 255 wait for a phase of parity 0");
  expectError(copyAndArrive(arrive + "\n" + arrive, wait),
              "too many arrivals: copies that arrive in phase ");
  expectError(copyAndArrive("nvvm.cp.async.mbarrier.arrive %pointer : "
                            "!llvm.ptr<3>",
                            wait),
              "without noinc is not supported");
  expectError(copyAndArrive("nvvm.cp.async.mbarrier.arrive %null {noinc = "
                            "true} : !llvm.ptr<3>",
                            wait),
              "uses what is not an mbarrier");
}

//===----------------------------------------------------------------------===//
// Barriers and registers
//===----------------------------------------------------------------------===//

static const char *numbers = R"(
%i0 = arith.constant 0 : i32
%i1 = arith.constant 1 : i32
%i2 = arith.constant 2 : i32
%i16 = arith.constant 16 : i32
%i33 = arith.constant 33 : i32
%i64 = arith.constant 64 : i32
%i128 = arith.constant 128 : i32
%i256 = arith.constant 256 : i32)";

/// Each half of the threads writes in its turn.
TEST_F(ConcurrencyTest, Turns) {
  std::string body = R"(
scf.if %is128 {
  nvvm.barrier id = %i1 number_of_threads = %i256
  %v = memref.load %x[%c0] : memref<512xf32>
  %s = arith.addf %v, %one : f32
  scf.if %last { memref.store %s, %x[%c0] : memref<512xf32> }
} else {
  scf.if %is0 { memref.store %one, %x[%c0] : memref<512xf32> }
  nvvm.barrier.arrive id = %i1 number_of_threads = %i256
})";
  std::string define = "%c255 = arith.constant 255 : index\n"
                       "%last = arith.cmpi eq, %tx, %c255 : index\n";
  for (Options::Order order : orders) {
    Simulation result = runKernel(define + body, 256, numbers, order);
    EXPECT_NE(result.error.find("data race: writes what was read"),
              std::string::npos)
        << result.error;
    std::string right = body;
    right.replace(right.find("scf.if %last"), 0,
                  "nvvm.barrier id = %i2 number_of_threads = %i128\n");
    result = runKernel(define + right, 256, numbers, order);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(result.arguments[0].data[0], 2);
  }
}

TEST_F(ConcurrencyTest, BarrierErrors) {
  expectError("scf.if %low { nvvm.barrier id = %i1 number_of_threads = %i256 }",
              "deadlock: threads 0 to 127 wait at barrier 1, which misses 128 "
              "of 256 threads",
              256, numbers);
  expectError("scf.if %low { nvvm.barrier.arrive id = %i1 number_of_threads = "
              "%i256 }",
              "ends with 128 of 256 threads at barrier 1", 256, numbers);
  expectError("nvvm.barrier id = %i16 number_of_threads = %i256",
              "expected a barrier of 0 to 15, got 16", 256, numbers);
  expectError("nvvm.barrier id = %i1 number_of_threads = %i33",
              "expected a positive multiple of 32 threads, got 33", 256,
              numbers);
  expectError("scf.if %is0 { nvvm.barrier id = %i1 number_of_threads = %i256 }",
              "divergent: reached by 1 of the 32 threads of subgroup 0", 256,
              numbers);
  expectError("scf.if %low {\n"
              "nvvm.barrier.arrive id = %i1 number_of_threads = %i256\n"
              "nvvm.barrier.arrive id = %i1 number_of_threads = %i256\n}",
              "subgroup 0 arrives twice at barrier 1", 256, numbers);
  expectError("scf.if %low {\n"
              "nvvm.barrier.arrive id = %i1 number_of_threads = %i256\n"
              "nvvm.barrier id = %i1 number_of_threads = %i128\n}",
              "expected 256 threads at barrier 1 as the others do, got 128",
              256, numbers);
}

TEST_F(ConcurrencyTest, Registers) {
  // 384 threads have 168 registers each.
  std::string roles = "scf.if %low { nvvm.setmaxregister decrease 24 } else { "
                      "nvvm.setmaxregister increase ";
  EXPECT_TRUE(runKernel(roles + "240 }", 384).ok());
  expectError(roles + "248 }",
              "deadlock: threads 256 to 383 wait at 'nvvm.setmaxregister' for "
              "10240 registers, of which 8192 are free",
              384);
  expectError("nvvm.setmaxregister decrease 176",
              "expected at most the 168 registers that a thread has, got 176",
              384);
  expectError("nvvm.setmaxregister decrease 40\n"
              "nvvm.setmaxregister increase 32",
              "expected at least the 40 registers that a thread has, got 32",
              384);
  expectError("scf.if %is0 { nvvm.setmaxregister decrease 24 }",
              "divergent: expected the 128 threads of the warpgroup, got 1",
              384);
}

TEST_F(ConcurrencyTest, Elect) {
  Simulation result = runKernel(R"(
%e = nvvm.elect.sync -> i1
scf.if %e { memref.store %one, %x[%tx] : memref<512xf32> })");
  ASSERT_TRUE(result.ok()) << result.error;
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(result.arguments[0].data[i], i % 32 == 0);
  expectError("scf.if %is0 { %e = nvvm.elect.sync -> i1 }",
              "divergent: reached by 1 of the 32 threads of subgroup 0");
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

static std::string load(const std::string &column, const std::string &row,
                        const std::string &tile = "%tile") {
  return "%tile = memref.get_global @tile : !tile\n"
         "scf.if %is0 {\n"
         "nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !b2\n"
         "nvgpu.tma.async.load %map[" +
         column + ", " + row + "], %b[%c0] to " + tile +
         " : !map, !b2 -> !tile\n}\n";
}
static const char *waitForLoad =
    "nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %ticks : !b2\n";
/// Writes the tile to %x by the first 64 threads.
static const char *copyOut = R"(
%in = arith.cmpi ult, %tx, %c64 : index
scf.if %in {
  %r = arith.divui %tx, %c8 : index
  %c = arith.remui %tx, %c8 : index
  %h = memref.load %tile[%r, %c] : !tile
  %f = arith.extf %h : f16 to f32
  memref.store %f, %x[%tx] : memref<512xf32>
})";
static const std::string mapAndBytes = std::string(makeMap) +
                                       "\n%bytes = arith.constant 128 : index\n"
                                       "%minus = arith.constant -3 : index";

TEST_F(ConcurrencyTest, BoxesAreClipped) {
  for (Options::Order order : orders)
    for (auto [name, at] : std::vector<std::pair<std::string, int>>{
             {"%c8", 8}, {"%c16", 16}, {"%c4", 4}, {"%minus", -3}}) {
      // Columns, then rows.
      for (bool columns : {true, false}) {
        Simulation result =
            runKernel(load(columns ? name : "%c0", columns ? "%c0" : name) +
                          waitForLoad + copyOut,
                      128, mapAndBytes, order);
        ASSERT_TRUE(result.ok()) << result.error;
        for (int r = 0; r < 8; ++r)
          for (int c = 0; c < 8; ++c) {
            int row = columns ? r : r + at, column = columns ? c + at : c;
            bool exists = row >= 0 && row < 20 && column >= 0 && column < 16;
            EXPECT_EQ(result.arguments[0].data[r * 8 + c],
                      exists ? matrix.data[row * 16 + column] : 0.0);
          }
      }
    }
}

TEST_F(ConcurrencyTest, LoadErrors) {
  expectError(load("%c0", "%c0") + copyOut,
              "data race: reads what was written by the copies of mbarrier 0 "
              "of group 0, with no wait in between",
              128, mapAndBytes);
  // The wait of one warp is not that of the others.
  expectError(load("%c0", "%c0") + "%f0 = arith.cmpi ult, %tx, %c32 : index\n" +
                  "scf.if %f0 {\n" + waitForLoad + "}\n" + copyOut,
              "thread (32, 0, 0): data race: reads what was written", 128,
              mapAndBytes);
  expectError("%t = memref.get_global @low : !tile\n" +
                  load("%c0", "%c0", "%t") + waitForLoad,
              "misaligned: expected the address to be a multiple of 128 bytes, "
              "got a remainder of 64",
              128, mapAndBytes);
  expectError(load("%c0", "%c0") + waitForLoad,
              "received 64 bytes more than expected", 128,
              std::string(makeMap) + "\n%bytes = arith.constant 64 : index");
  expectError("%tile = memref.get_global @tile : !tile\n"
              "scf.if %is0 {\n"
              "nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile : !map, "
              "!b2 -> !tile\n"
              "%t = nvgpu.mbarrier.arrive %b[%c0] : !b2 -> !token\n}",
              "completes in phase 1", 128, mapAndBytes);
  // Ordinary writes in front of a copy need a fence of the proxy.
  std::string write = "%own = memref.get_global @tile : !tile\n"
                      "%half = arith.constant 1.0 : f16\n"
                      "scf.if %is0 {\n"
                      "memref.store %half, %own[%c0, %c0] : !tile\n";
  std::string fence = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}\n";
  expectError(write + "}\n" + load("%c0", "%c0") + waitForLoad,
              "a copy writes asynchronously what thread 0 wrote, with no "
              "fence.proxy in between",
              128, mapAndBytes);
  Simulation result =
      runKernel(write + fence + "}\n" + load("%c0", "%c0") + waitForLoad, 128,
                mapAndBytes);
  EXPECT_TRUE(result.ok()) << result.error;
  // Another thread that has seen them may execute it.
  std::string fenceOfThread1 = "%is1 = arith.cmpi eq, %tx, %c1 : index\n"
                               "scf.if %is1 {\n" + fence + "}\ngpu.barrier\n";
  result = runKernel(write + "}\ngpu.barrier\n" + fenceOfThread1 +
                         load("%c0", "%c0") + waitForLoad,
                     128, mapAndBytes);
  EXPECT_TRUE(result.ok()) << result.error;
  expectError(fenceOfThread1 + write + "}\ngpu.barrier\n" +
                  load("%c0", "%c0") + waitForLoad,
              "with no fence.proxy in between", 128, mapAndBytes);
  // So do ordinary reads in front of a copy: a load may end late.
  std::string again = "scf.if %is0 {\n"
                      "nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !b2\n"
                      "nvgpu.tma.async.load %map[%c0, %c8], %b[%c0] to %tile "
                      ": !map, !b2 -> !tile\n}\n"
                      "nvgpu.mbarrier.try_wait.parity %b[%c0], %odd, %ticks : "
                      "!b2\n";
  std::string readFirst = load("%c0", "%c0") + waitForLoad + copyOut + "\n";
  expectError(readFirst + "gpu.barrier\n" + again,
              "a copy writes asynchronously what thread 0 read, with no "
              "fence.proxy in between",
              128, mapAndBytes);
  expectError(fence + readFirst + "gpu.barrier\n" + again,
              "with no fence.proxy in between", 128, mapAndBytes);
  expectError(readFirst + fence + again,
              "a copy writes what was read by thread 1, with no barrier in "
              "between",
              128, mapAndBytes);
  for (const std::string &order :
       {fence + "gpu.barrier\n", "gpu.barrier\n" + fence}) {
    result = runKernel(readFirst + order + again, 128, mapAndBytes);
    EXPECT_TRUE(result.ok()) << result.error;
  }
  // So do those of cp.async.
  std::string copy = "%own = memref.get_global @tile : !tile\n"
                     "scf.if %is0 {\n"
                     "%c = nvgpu.device_async_copy %m[%c0, %c0], %own[%c0, %c0]"
                     ", 8 : memref<20x16xf16> to !tile\n"
                     "%g = nvgpu.device_async_create_group %c\n";
  std::string wait = "nvgpu.device_async_wait %g\n";
  expectError(copy + "}\n" + load("%c0", "%c0"),
              "what an asynchronous copy that is not complete writes", 128,
              mapAndBytes);
  expectError(copy + wait + "}\n" + load("%c0", "%c0"),
              "a copy writes asynchronously what thread 0 wrote", 128,
              mapAndBytes);
}

static std::string makeOtherMap(const std::string &source,
                                const std::string &type,
                                const std::string &box) {
  return source + "\n%bytes = arith.constant 128 : index\n" +
         "%c5 = arith.constant 5 : index\n%c8x = arith.constant 8 : index\n"
         "%any = memref.cast %from : " +
         type +
         " to memref<*xf16>\n%map = nvgpu.tma.create.descriptor %any box[" +
         box + "] : memref<*xf16> -> !map";
}

TEST_F(ConcurrencyTest, MapErrors) {
  std::string view = "%from = memref.subview %m[0, 1] [20, 8] [1, 1] : "
                     "memref<20x16xf16> to memref<20x8xf16, strided<[16, 1], "
                     "offset: 1>>";
  std::string type = "memref<20x8xf16, strided<[16, 1], offset: 1>>";
  expectError("", "misaligned: expected the address of a tensor map", 128,
              makeOtherMap(view, type, "%c8x, %c8x"));
  view = "%from = memref.alloc() : memref<20x12xf16>";
  expectError(load("%c0", "%c0"),
              "expected a stride of a multiple of 16 bytes, got 24 bytes of "
              "dimension 1",
              128, makeOtherMap(view, "memref<20x12xf16>", "%c8x, %c8x"));
  view = "%from = memref.alloc() : memref<20x16xf16>";
  expectError("", "expected at most the box of 'memref<8x8xf16, 3>'", 128,
              makeOtherMap(view, "memref<20x16xf16>", "%c8x, %c16"));
  expectError("", "expected a box of 2 dimensions, got 1", 128,
              makeOtherMap(view, "memref<20x16xf16>", "%c8x"));
  view = "%t = memref.alloc() : memref<16x20xf16>\n"
         "%from = memref.transpose %t (d0, d1) -> (d1, d0) : memref<16x20xf16> "
         "to memref<20x16xf16, strided<[1, 20]>>";
  expectError(
      "", "expected a stride of one element, got 40 bytes", 128,
      makeOtherMap(view, "memref<20x16xf16, strided<[1, 20]>>", "%c8x, %c8x"));
}

TEST_F(ConcurrencyTest, Stores) {
  std::string write = R"(
%tile = memref.get_global @tile : !tile
%half = arith.constant 3.0 : f16
scf.if %is0 {
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %half, %tile[%i, %j] : !tile
    }
  }
)";
  std::string fence = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}\n";
  std::string store = "nvgpu.tma.async.store %tile to %map[%c8, %c16] : !tile "
                      "-> !map\nnvvm.cp.async.bulk.commit.group\n";
  std::string wait = "nvvm.cp.async.bulk.wait_group 0\n";
  std::string waitForRead = "nvvm.cp.async.bulk.wait_group 0 {read}\n";
  std::string read = "%v = memref.load %m[%c16, %c8] : memref<20x16xf16>\n";
  std::string overwrite = "memref.store %half, %tile[%c0, %c0] : !tile\n";
  for (Options::Order order : orders)
    for (const std::string &end :
         {wait + read + overwrite, waitForRead + overwrite}) {
      Simulation result =
          runKernel(write + fence + store + end + "}", 128, mapAndBytes, order);
      ASSERT_TRUE(result.ok()) << result.error;
      // Four rows exist.
      for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 16; ++column)
          EXPECT_EQ(result.arguments[1].data[row * 16 + column],
                    row >= 16 && column >= 8 ? 3.0
                                             : matrix.data[row * 16 + column]);
    }
  expectError(write + fence + store + waitForRead + read + "}",
              "data race: reads what was written by the stores of thread 0, "
              "with no wait in between",
              128, mapAndBytes);
  expectError(write + fence + store + overwrite + wait + "}",
              "data race: writes what was read by the stores of thread 0, with "
              "no wait in between",
              128, mapAndBytes);
  expectError(write + store + wait + "}",
              "a copy reads asynchronously what thread 0 wrote", 128,
              mapAndBytes);
  expectError("%tile = memref.get_global @tile : !tile\nscf.if %is0 {\n" +
                  store + wait + "}",
              "reads memory that was never written", 128, mapAndBytes);
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// D of 64x8 = A B + D, for A of 64x16 and B of 8x16 in @rows, both at `start`
/// (in units of 16 bytes, as an i64) and without a swizzle.
static std::string multiply(const std::string &before,
                            const std::string &after) {
  return R"(
%rows = memref.get_global @rows : memref<64x16xf16, 3>
%zero16 = arith.constant 0.5 : f16
%half = arith.cmpi ult, %tx, %c64 : index
scf.if %half {
  scf.for %j = %c0 to %c16 step %c1 {
    memref.store %zero16, %rows[%tx, %j] : memref<64x16xf16, 3>
  }
}
nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
gpu.barrier
%p = memref.extract_aligned_pointer_as_index %rows : memref<64x16xf16, 3> -> index
%q = arith.divui %p, %c16 : index
%s = arith.index_cast %q : index to i64
// Core matrices of 128 bytes: k by 128, rows by 256.
%offsets = arith.constant 68720001024 : i64
%d = arith.ori %s, %offsets : i64
%undef = llvm.mlir.undef : !acc
)" + before +
         R"(
%e = nvvm.wgmma.mma_async %d, %d, %undef, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<zero>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<neg>, <col>] : !acc -> !acc
)" + after;
}
static const char *fenceProducts = "nvvm.wgmma.fence.aligned\n";
static const char *finishProducts =
    "nvvm.wgmma.commit.group.sync.aligned\n"
    "nvvm.wgmma.wait.group.sync.aligned 0\n"
    "%f = llvm.extractvalue %e[0] : !acc\n"
    "memref.store %f, %x[%tx] : memref<512xf32>";

TEST_F(ConcurrencyTest, Products) {
  Simulation result = runKernel(multiply(fenceProducts, finishProducts), 128);
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.arguments[0].data[7], -4.0);
}

/// Rows of A that were never written make the same rows of the result
/// undefined, and no others. All of B must have been written.
TEST_F(ConcurrencyTest, ProductsOfFewRows) {
  std::string text = multiply(fenceProducts, finishProducts);
  auto writeRows = [&](int rows) {
    std::string few = text, test = "arith.cmpi ult, %tx, %c64 : index";
    few.replace(few.find(test), test.size(),
                "arith.cmpi ult, %tx, %few : index");
    return "%few = arith.constant " + std::to_string(rows) + " : index\n" + few;
  };
  Simulation result = runKernel(writeRows(32), 128);
  ASSERT_TRUE(result.ok()) << result.error;
  // Threads 0 to 63 have rows 0 to 31.
  EXPECT_EQ(result.arguments[0].data[63], -4.0);
  EXPECT_TRUE(std::isnan(result.arguments[0].data[64]));
  expectError(writeRows(4), "operand B reads memory that was never written",
              128);
}

/// Two f16 sums share a word.
TEST_F(ConcurrencyTest, ProductsOfF16) {
  std::string type = "!llvm.struct<(i32, i32)>";
  std::string text = multiply(fenceProducts, R"(
nvvm.wgmma.commit.group.sync.aligned
nvvm.wgmma.wait.group.sync.aligned 0
%f = llvm.extractvalue %e[1] : !acc
%bits = arith.bitcast %f : i32 to f32
memref.store %bits, %x[%tx] : memref<512xf32>)");
  for (size_t at = 0; (at = text.find("!acc", at)) != std::string::npos;)
    text.replace(at, 4, type);
  text.replace(text.find("D [<f32>"), 8, "D [<f16>");
  Simulation result = runKernel(text, 128);
  ASSERT_TRUE(result.ok()) << result.error;
  uint32_t words = 0xc400c400; // -4 and -4.
  float want;
  std::memcpy(&want, &words, sizeof(want));
  EXPECT_EQ(result.arguments[0].data[7], want);
}

/// Of two groups, the first one may be waited for alone.
TEST_F(ConcurrencyTest, Groups) {
  std::string product = " = nvvm.wgmma.mma_async %d, %d, %undef, "
                        "#nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, "
                        "#nvvm.wgmma_scale_out<zero>], A [<f16>, "
                        "#nvvm.wgmma_scale_in<one>, <row>], B [<f16>, "
                        "#nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc\n";
  std::string commit = "nvvm.wgmma.commit.group.sync.aligned\n";
  std::string second = commit + "%second" + product + commit +
                       "nvvm.wgmma.wait.group.sync.aligned 1\n";
  std::string last = "nvvm.wgmma.wait.group.sync.aligned 0\n";
  Simulation result = runKernel(
      multiply(fenceProducts,
               second + "%f = llvm.extractvalue %e[0] : !acc\n" + last),
      128);
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.statistics["main"].wgmmas, 2);
  expectError(
      multiply(fenceProducts,
               second + "%f = llvm.extractvalue %second[0] : !acc\n" + last),
      "uses the result of a product of warpgroup 0", 128);
}

TEST_F(ConcurrencyTest, ProductErrors) {
  expectError(multiply("", finishProducts),
              "expected a wgmma.fence before the first product", 128);
  expectError(multiply(fenceProducts, ""),
              "ends with products of warpgroup 0 that nothing has waited for",
              128);
  expectError(multiply(fenceProducts, "%f = llvm.extractvalue %e[0] : !acc"),
              "uses the result of a product of warpgroup 0 with no wait for it "
              "in between",
              128);
  expectError(multiply(fenceProducts,
                       "scf.if %is0 { memref.store %zero16, %rows[%c0, %c0] : "
                       "memref<64x16xf16, 3> }\n" +
                           std::string(finishProducts)),
              "data race: writes what was read by the products of warpgroup 0, "
              "with no wait in between",
              128);
  expectError("scf.if %is0 { nvvm.wgmma.fence.aligned }",
              "divergent: expected the 128 threads of warpgroup 0, got 1", 128);
  expectError(multiply(fenceProducts, R"(
%wide = nvvm.wgmma.mma_async %d, %d, %e, #nvvm.shape<m = 64, n = 8, k = 8>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<tf32>, #nvvm.wgmma_scale_in<one>, <row>], B [<tf32>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
)" + std::string(finishProducts)),
              "accumulates on an open product of another shape", 128);
  expectError(multiply(fenceProducts, R"(
nvvm.wgmma.commit.group.sync.aligned
nvvm.wgmma.wait.group.sync.aligned 0
%changed = llvm.insertvalue %one, %e[0] : !acc
%g = nvvm.wgmma.mma_async %d, %d, %changed, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
)"),
              "accumulates on a register that was written after the last "
              "wgmma.fence",
              128);
  std::string text = multiply(fenceProducts, finishProducts);
  std::string proxy = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}\n";
  text.replace(text.find(proxy), proxy.size(), "");
  expectError(text,
              "operand A reads asynchronously what thread 0 wrote, with no "
              "fence.proxy in between",
              128);
  text = multiply(fenceProducts, finishProducts);
  std::string bits = "68720001024 : i64";
  text.replace(text.find(bits), bits.size(), "562949953421312 : i64");
  expectError(
      text,
      "expected the descriptor of operand A to have a base offset of 0, "
      "got 1",
      128);
  // A stride of 64 KiB.
  text = multiply(fenceProducts, finishProducts);
  text.replace(text.find(bits), bits.size(), "17592186044416 : i64");
  expectError(text, "out of bounds: operand A reads bytes ", 128);
}

//===----------------------------------------------------------------------===//
// vector_ext.async_mma
//===----------------------------------------------------------------------===//

/// A of 64x16 and B of 16x8, both in workgroup memory, with the elements
/// (3 i + j) % 7 - 3 and (k + 2 n) % 5 - 2. If `inRegisters`, A is there
/// instead. `use` gets the open result %open.
static std::string multiplyTiles(bool inRegisters, const std::string &use) {
  std::string text = R"(
%ta = memref.get_global @ta : memref<1024xf16, #gpu.address_space<workgroup>>
%tb = memref.get_global @tb : memref<128xf16, #gpu.address_space<workgroup>>
%c3 = arith.constant 3 : index
%c5 = arith.constant 5 : index
%c7 = arith.constant 7 : index
%c512 = arith.constant 512 : index
%inA = arith.cmpi ult, %tx, %c64 : index
%inB = arith.cmpi ult, %tx, %c8 : index
scf.for %j = %c0 to %c16 step %c1 {
  %panel = arith.divui %j, %c8 : index
  %column = arith.remui %j, %c8 : index
  %t8 = arith.muli %tx, %c8 : index
  %at0 = arith.addi %t8, %column : index
  scf.if %inA {
    %v = func.call @valueOfA(%tx, %j) : (index, index) -> f16
    %p = arith.muli %panel, %c512 : index
    %at = arith.addi %at0, %p : index
    memref.store %v, %ta[%at] : memref<1024xf16, #gpu.address_space<workgroup>>
  }
  scf.if %inB {
    %n2 = arith.muli %tx, %c2 : index
    %sum = arith.addi %j, %n2 : index
    %mod = arith.remui %sum, %c5 : index
    %low2 = arith.subi %mod, %c2 : index
    %i = arith.index_cast %low2 : index to i32
    %v = arith.sitofp %i : i32 to f16
    %p = arith.muli %panel, %c64 : index
    %at = arith.addi %at0, %p : index
    memref.store %v, %tb[%at] : memref<128xf16, #gpu.address_space<workgroup>>
  }
}
nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
gpu.barrier
%lane = arith.remui %tx, %c32 : index
%warp16 = arith.muli %w, %c16 : index
%quarter = arith.divui %lane, %c4 : index
%row = arith.addi %warp16, %quarter : index
%in4 = arith.remui %lane, %c4 : index
%column = arith.muli %in4, %c2 : index
%zero = arith.constant dense<1.0> : vector<4xf32>
)";
  std::string elements;
  for (int i = 0; i < 8; ++i) {
    std::string n = std::to_string(i);
    text += "%ar" + n + " = arith.constant " + std::to_string(i / 2 % 2 * 8) +
            " : index\n%ac" + n + " = arith.constant " +
            std::to_string(i / 4 * 8 + i % 2) + " : index\n%r" + n +
            " = arith.addi %row, %ar" + n + " : index\n%k" + n +
            " = arith.addi %column, %ac" + n + " : index\n%a" + n +
            " = func.call @valueOfA(%r" + n + ", %k" + n +
            ") : (index, index) -> f16\n";
    elements += (i ? ", %a" : "%a") + n;
  }
  text += "%fragment = vector.from_elements " + elements + " : vector<8xf16>\n";
  std::string b = "%tb[%c0, %c0] in <[16, 8], order = [1, 0], bits = 16, panel "
                  "= 8, padding = 0, swizzle = [0, 0, 0]>, %zero : ";
  std::string bType =
      "memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>\n";
  text += "%open = vector_ext.async_mma \"wgmma.m64n8k16.f32.f16\" ";
  if (inRegisters)
    text += "%fragment, " + b + "vector<8xf16>, " + bType;
  else
    text += "%ta[%c0, %c0] in <[64, 16], order = [0, 1], bits = 16, panel = 8, "
            "padding = 0, swizzle = [0, 0, 0]>, " +
            b + "memref<1024xf16, #gpu.address_space<workgroup>>, " + bType;
  return text + use;
}
static const char *tileGlobals = R"(
memref.global "private" @ta : memref<1024xf16, #gpu.address_space<workgroup>>
memref.global "private" @tb : memref<128xf16, #gpu.address_space<workgroup>>
func.func private @valueOfA(%i : index, %j : index) -> f16 {
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %i3 = arith.muli %i, %c3 : index
  %s = arith.addi %i3, %j : index
  %m = arith.remui %s, %c7 : index
  %l = arith.subi %m, %c3 : index
  %n = arith.index_cast %l : index to i32
  %f = arith.sitofp %n : i32 to f16
  return %f : f16
}
)";
static std::string storeResult() {
  std::string text = "%d = vector_ext.await %open : vector<4xf32>\n";
  for (int i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    text += "%e" + n + " = vector.extract %d[" + n +
            "] : f32 from vector<4xf32>\n%rr" + n + " = arith.muli %r" + n +
            ", %c8 : index\n%at" + n + " = arith.addi %rr" + n + ", %k" + n +
            " : index\nmemref.store %e" + n + ", %x[%at" + n +
            "] : memref<512xf32>\n";
  }
  return text;
}

TEST_F(ConcurrencyTest, AsyncMma) {
  for (bool inRegisters : {false, true}) {
    globals = tileGlobals;
    Simulation result =
        runKernel(multiplyTiles(inRegisters, storeResult()), 128);
    ASSERT_TRUE(result.ok()) << result.error;
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 8; ++j) {
        double want = 1;
        for (int k = 0; k < 16; ++k)
          want += ((3 * i + k) % 7 - 3) * ((k + 2 * j) % 5 - 2);
        EXPECT_EQ(result.arguments[0].data[i * 8 + j], want) << i << " " << j;
      }
  }
}

// Products finish in order: behind a wait for the second one, both have read
// their tiles; behind a wait for the first one, the second one still reads.
TEST_F(ConcurrencyTest, AsyncMmaOrder) {
  globals = tileGlobals;
  std::string second =
      "%open2 = vector_ext.async_mma \"wgmma.m64n8k16.f32.f16\" %ta[%c0, %c0] "
      "in <[64, 16], order = [0, 1], bits = 16, panel = 8, padding = 0, "
      "swizzle = [0, 0, 0]>, %tb[%c0, %c0] in <[16, 8], order = [1, 0], bits = "
      "16, panel = 8, padding = 0, swizzle = [0, 0, 0]>, %zero : "
      "memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, "
      "#gpu.address_space<workgroup>>, vector<4xf32>\n",
              wait = "%d2 = vector_ext.await %open2 : vector<4xf32>\n",
              write = "memref.store %a0, %ta[%tx] : memref<1024xf16, "
                      "#gpu.address_space<workgroup>>\n";
  Simulation result = runKernel(
      multiplyTiles(false, second + wait + write + storeResult()), 128);
  EXPECT_TRUE(result.ok()) << result.error;
  expectError(multiplyTiles(false, second + storeResult() + write + wait),
              "data race: writes what was read by the products of warpgroup 0",
              128);
  expectError(multiplyTiles(false, second + storeResult() +
                                       "%f = vector.extract %open2[0] : f32 "
                                       "from vector<4xf32>\n" +
                                       wait),
              "uses the result of a product of warpgroup 0 with no wait for it",
              128);
  expectError(multiplyTiles(false, second + storeResult()),
              "products of warpgroup 0", 128);
}

TEST_F(ConcurrencyTest, AsyncMmaErrors) {
  globals = tileGlobals;
  expectError(multiplyTiles(true, "%f = vector.extract %fragment[0] : f16 from "
                                  "vector<8xf16>\n" +
                                      storeResult()),
              "uses a register that a product of warpgroup 0 reads, with no "
              "wait for it in between",
              128);
  expectError(multiplyTiles(false, "%f = vector.extract %open[0] : f32 from "
                                   "vector<4xf32>\n" +
                                       storeResult()),
              "uses the result of a product of warpgroup 0 with no wait for it",
              128);
  expectError(multiplyTiles(false, "memref.store %a0, %ta[%tx] : memref<1024xf"
                                   "16, #gpu.address_space<workgroup>>\n" +
                                       storeResult()),
              "data race: writes what was read by the products of warpgroup 0",
              128);
  std::string text = multiplyTiles(false, storeResult());
  std::string start = "%ta[%c0, %c0]";
  text.replace(text.find(start), start.size(), "%ta[%w, %c0]");
  expectError(text, "expected the index of a tile to be the same", 128);
  text = multiplyTiles(false, storeResult());
  text.replace(text.find(start), start.size(), "%ta[%gx, %c0]");
  expectError(text,
              "out of bounds: operand A reads elements (1, 0) to (65, 16) of a "
              "tile of 64x16",
              128);
}
