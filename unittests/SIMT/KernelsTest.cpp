//===- KernelsTest.cpp - Whole kernels, by hand ---------------------------===//
//
// A matmul of tiles in workgroup memory, one with cp.async, ldmatrix and
// mma.sync, and a softmax of rows with shuffles, against the oracle, with sizes
// that the tiles do not divide. Each barrier is then taken out in turn, which
// must be found.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include <cmath>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

using KernelsTest = SIMTTest;

/// C = A B in f32: tiles of 16x16, a thread an element.
static const char *tiledMatmul = R"(
#ceil = affine_map<()[s0] -> (s0 ceildiv 16)>
#at = affine_map<(d0, d1) -> (d0 * 16 + d1)>
#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
gpu.module @kernels {
gpu.func @matmul(%a : memref<?x?xf32>, %b : memref<?x?xf32>, %c : memref<?x?xf32>)
    workgroup(%sa : memref<16x17xf32, #shared>, %sb : memref<16x17xf32, #shared>)
    kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %bx = gpu.block_id x
  %by = gpu.block_id y
  %row = affine.apply #at(%by, %ty)
  %column = affine.apply #at(%bx, %tx)
  %rowIn = arith.cmpi slt, %row, %m : index
  %columnIn = arith.cmpi slt, %column, %n : index
  %steps = affine.apply #ceil()[%k]
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> f32 {
    %ka = affine.apply #at(%i, %tx)
    %kb = affine.apply #at(%i, %ty)
    %kaIn = arith.cmpi slt, %ka, %k : index
    %kbIn = arith.cmpi slt, %kb, %k : index
    %aIn = arith.andi %rowIn, %kaIn : i1
    %bIn = arith.andi %columnIn, %kbIn : i1
    %x = scf.if %aIn -> f32 {
      %v = memref.load %a[%row, %ka] : memref<?x?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    %y = scf.if %bIn -> f32 {
      %v = memref.load %b[%kb, %column] : memref<?x?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %x, %sa[%ty, %tx] : memref<16x17xf32, #shared>
    memref.store %y, %sb[%ty, %tx] : memref<16x17xf32, #shared>
    gpu.barrier // 1
    %part = scf.for %j = %c0 to %c16 step %c1 iter_args(%p = %acc) -> f32 {
      %u = memref.load %sa[%ty, %j] : memref<16x17xf32, #shared>
      %v = memref.load %sb[%j, %tx] : memref<16x17xf32, #shared>
      %q = math.fma %u, %v, %p : f32
      scf.yield %q : f32
    }
    gpu.barrier // 2
    scf.yield %part : f32
  }
  %out = arith.andi %rowIn, %columnIn : i1
  scf.if %out {
    memref.store %sum, %c[%row, %column] : memref<?x?xf32>
  }
  gpu.return
}
}
func.func @main(%a : memref<?x?xf32>, %b : memref<?x?xf32>, %c : memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %gm = affine.apply #ceil()[%m]
  %gn = affine.apply #ceil()[%n]
  gpu.launch_func @kernels::@matmul blocks in (%gn, %gm, %c1) threads in (%c16, %c16, %c1)
    args(%a : memref<?x?xf32>, %b : memref<?x?xf32>, %c : memref<?x?xf32>)
  return
}
})";

/// C = A B, f16 to f32: two subgroups, tiles of 32x16x16, copied one step
/// ahead.
static const char *mmaMatmul = R"(
#ceil16 = affine_map<()[s0] -> (s0 ceildiv 16)>
#ceil32 = affine_map<()[s0] -> (s0 ceildiv 32)>
#next = affine_map<(d0) -> (d0 + 16)>
#stage = affine_map<(d0) -> ((d0 floordiv 16) mod 2)>
#row = affine_map<(d0) -> (d0 floordiv 2)>
#column = affine_map<(d0) -> ((d0 mod 2) * 8)>
#laneRow = affine_map<(d0) -> (d0 mod 16)>
#laneColumn = affine_map<(d0) -> ((d0 floordiv 16) * 8)>
#warpRow = affine_map<(d0, d1) -> (d1 * 16 + d0 mod 16)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>
#tile16 = affine_map<(d0) -> (d0 * 16)>
#tile32 = affine_map<(d0) -> (d0 * 32)>
#outRow = affine_map<(d0, d1, d2) -> (d0 * 32 + d1 * 16 + d2 floordiv 4)>
#outColumn = affine_map<(d0, d1) -> (d0 * 16 + (d1 mod 4) * 2)>
#plus8 = affine_map<(d0) -> (d0 + 8)>
!a = memref<2x32x16xf16, 3>
!b = memref<2x16x16xf16, 3>
!token = !nvgpu.device.async.token
func.func private @copy(%a : memref<?x?xf16>, %b : memref<?x?xf16>, %sa : !a, %sb : !b,
                        %m0 : index, %n0 : index, %k0 : index, %tx : index) -> !token {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %n = memref.dim %b, %c1 : memref<?x?xf16>
  %stage = affine.apply #stage(%k0)
  %r = affine.apply #row(%tx)
  %c = affine.apply #column(%tx)
  %row = affine.apply #sum(%m0, %r)
  %column = affine.apply #sum(%k0, %c)
  %rowIn = arith.cmpi slt, %row, %m : index
  %columnIn = arith.cmpi slt, %column, %k : index
  %in = arith.andi %rowIn, %columnIn : i1
  %count = arith.select %in, %c8, %c0 : index
  %ca = nvgpu.device_async_copy %a[%row, %column], %sa[%stage, %r, %c], 8, %count : memref<?x?xf16> to !a
  %first = arith.cmpi ult, %tx, %c32 : index
  scf.if %first {
    %brow = affine.apply #sum(%k0, %r)
    %bcolumn = affine.apply #sum(%n0, %c)
    %browIn = arith.cmpi slt, %brow, %k : index
    %bcolumnIn = arith.cmpi slt, %bcolumn, %n : index
    %bin = arith.andi %browIn, %bcolumnIn : i1
    %bcount = arith.select %bin, %c8, %c0 : index
    %cb = nvgpu.device_async_copy %b[%brow, %bcolumn], %sb[%stage, %r, %c], 8, %bcount : memref<?x?xf16> to !b
  }
  %token = nvgpu.device_async_create_group %ca
  return %token : !token
}
func.func private @store(%c : memref<?x?xf32>, %d : vector<2x2xf32>, %row : index, %column : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %columnIn = arith.cmpi slt, %column, %n : index
  %below = affine.apply #plus8(%row)
  %top = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
  %bottom = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
  %rowIn = arith.cmpi slt, %row, %m : index
  %belowIn = arith.cmpi slt, %below, %m : index
  %topIn = arith.andi %rowIn, %columnIn : i1
  %bottomIn = arith.andi %belowIn, %columnIn : i1
  scf.if %topIn {
    vector.store %top, %c[%row, %column] {alignment = 8} : memref<?x?xf32>, vector<2xf32>
  }
  scf.if %bottomIn {
    vector.store %bottom, %c[%below, %column] {alignment = 8} : memref<?x?xf32>, vector<2xf32>
  }
  return
}
func.func @main(%a : memref<?x?xf16>, %b : memref<?x?xf16>, %c : memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %gm = affine.apply #ceil32()[%m]
  %gn = affine.apply #ceil16()[%n]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %gn, %gy = %gm, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%sa : !a, %sb : !b) {
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %m0 = affine.apply #tile32(%by)
    %n0 = affine.apply #tile16(%bx)
    %warp = gpu.subgroup_id : index
    %lane = gpu.lane_id
    %wr = affine.apply #warpRow(%lane, %warp)
    %lr = affine.apply #laneRow(%lane)
    %lc = affine.apply #laneColumn(%lane)
    %first = func.call @copy(%a, %b, %sa, %sb, %m0, %n0, %c0, %tx)
      : (memref<?x?xf16>, memref<?x?xf16>, !a, !b, index, index, index, index) -> !token
    %d:3 = scf.for %k0 = %c0 to %k step %c16 iter_args(%d0 = %zero, %d1 = %zero, %t = %first)
        -> (vector<2x2xf32>, vector<2x2xf32>, !token) {
      %k1 = affine.apply #next(%k0)
      %ahead = func.call @copy(%a, %b, %sa, %sb, %m0, %n0, %k1, %tx)
        : (memref<?x?xf16>, memref<?x?xf16>, !a, !b, index, index, index, index) -> !token
      nvgpu.device_async_wait %t {numGroups = 1 : i32}
      gpu.barrier // 1
      %stage = affine.apply #stage(%k0)
      %fa = nvgpu.ldmatrix %sa[%stage, %wr, %lc] {numTiles = 4 : i32, transpose = false} : !a -> vector<4x2xf16>
      %fb = nvgpu.ldmatrix %sb[%stage, %lr, %lc] {numTiles = 4 : i32, transpose = true} : !b -> vector<4x2xf16>
      %b0 = vector.extract_strided_slice %fb {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
      %b1 = vector.extract_strided_slice %fb {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
      %e0 = nvgpu.mma.sync(%fa, %b0, %d0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %e1 = nvgpu.mma.sync(%fa, %b1, %d1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      gpu.barrier // 2
      scf.yield %e0, %e1, %ahead : vector<2x2xf32>, vector<2x2xf32>, !token
    }
    %row = affine.apply #outRow(%by, %warp, %lane)
    %column = affine.apply #outColumn(%bx, %lane)
    %right = affine.apply #plus8(%column)
    func.call @store(%c, %d#0, %row, %column) : (memref<?x?xf32>, vector<2x2xf32>, index, index) -> ()
    func.call @store(%c, %d#1, %row, %right) : (memref<?x?xf32>, vector<2x2xf32>, index, index) -> ()
    gpu.terminator
  }
  return
})";

/// The softmax of each row by one subgroup: a lane has every 32nd column.
static const char *rowSoftmax = R"(
func.func @main(%x : memref<?x?xf32>, %y : memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %m, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %width = arith.constant 32 : i32
    %minus = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    // Lanes have different numbers of columns.
    %m0 = scf.for %i = %tx to %n step %c32 iter_args(%acc = %minus) -> f32 {
      %v = memref.load %x[%bx, %i] : memref<?x?xf32>
      %w = arith.maximumf %acc, %v : f32
      scf.yield %w : f32
    }
    %max:2 = scf.while (%v = %m0, %offset = %one) : (f32, i32) -> (f32, i32) {
      %more = arith.cmpi slt, %offset, %width : i32
      scf.condition(%more) %v, %offset : f32, i32
    } do {
    ^bb0(%v : f32, %offset : i32):
      %other, %valid = gpu.shuffle xor %v, %offset, %width : f32
      %w = arith.maximumf %v, %other : f32
      %next = arith.muli %offset, %two : i32
      scf.yield %w, %next : f32, i32
    }
    %s0 = scf.for %i = %tx to %n step %c32 iter_args(%acc = %zero) -> f32 {
      %v = memref.load %x[%bx, %i] : memref<?x?xf32>
      %d = arith.subf %v, %max#0 : f32
      %e = math.exp %d : f32
      %w = arith.addf %acc, %e : f32
      scf.yield %w : f32
    }
    %sum = gpu.subgroup_reduce add %s0 : (f32) -> f32
    scf.for %i = %tx to %n step %c32 {
      %v = memref.load %x[%bx, %i] : memref<?x?xf32>
      %d = arith.subf %v, %max#0 : f32
      %e = math.exp %d : f32
      %w = arith.divf %e, %sum : f32
      memref.store %w, %y[%bx, %i] : memref<?x?xf32>
    }
    gpu.terminator
  }
  return
})";

static std::string without(std::string text, const std::string &line) {
  size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, line.size(), "");
}

static void expectNear(const Tensor &got, const Tensor &want, double bound) {
  ASSERT_EQ(got.shape, want.shape);
  for (int64_t i = 0; i < want.size(); ++i)
    EXPECT_NEAR(got.data[i], want.data[i], bound) << i;
}

static SimulationOptions uninitialized(unsigned index) {
  SimulationOptions options;
  options.uninitialized = {index};
  return options;
}

TEST_F(KernelsTest, TiledMatmul) {
  oracle::Random random(1);
  for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{
           {33, 17, 40}, {1, 1, 1}, {16, 32, 16}, {5, 50, 3}}) {
    Tensor a = oracle::random(random, {m, k}, -1, 1, DType::F32);
    Tensor b = oracle::random(random, {k, n}, -1, 1, DType::F32);
    Simulation result =
        run(tiledMatmul, {a, b, Tensor(Shape{m, n})}, uninitialized(2));
    ASSERT_TRUE(result.ok()) << result.error;
    expectNear(result.arguments[2], oracle::contract("mk,kn->mn", a, b), 1e-5);
    const auto &statistics = result.statistics["matmul"];
    int64_t groups = (m + 15) / 16 * ((n + 15) / 16);
    EXPECT_EQ(statistics.workgroups, groups);
    EXPECT_EQ(statistics.barriers, groups * 2 * ((k + 15) / 16));
    EXPECT_EQ(statistics.workgroupBytes, 2 * 16 * 17 * 4);
  }
}

TEST_F(KernelsTest, TiledMatmulNeedsItsBarriers) {
  oracle::Random random(2);
  Tensor a = oracle::random(random, {20, 40}, -1, 1, DType::F32);
  Tensor b = oracle::random(random, {40, 20}, -1, 1, DType::F32);
  for (const char *barrier : {"gpu.barrier // 1", "gpu.barrier // 2"}) {
    Simulation result = run(without(tiledMatmul, barrier),
                            {a, b, Tensor(Shape{20, 20})}, uninitialized(2));
    EXPECT_NE(result.error.find("with no barrier in between"),
              std::string::npos)
        << result.error;
  }
}

TEST_F(KernelsTest, MmaMatmul) {
  oracle::Random random(3);
  for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{
           {50, 24, 40}, {1, 8, 8}, {32, 16, 16}, {130, 136, 64}}) {
    Tensor a = oracle::random(random, {m, k}, -1, 1, DType::F16);
    Tensor b = oracle::random(random, {k, n}, -1, 1, DType::F16);
    Simulation result =
        run(mmaMatmul, {a, b, Tensor(Shape{m, n})}, uninitialized(2));
    ASSERT_TRUE(result.ok()) << result.error;
    expectNear(result.arguments[2], oracle::contract("mk,kn->mn", a, b), 1e-5);
    const auto &statistics = result.statistics["main"];
    int64_t steps = (k + 15) / 16 * statistics.workgroups;
    EXPECT_EQ(statistics.workgroups, (m + 31) / 32 * ((n + 15) / 16));
    EXPECT_EQ(statistics.mmas, 4 * steps);
    EXPECT_EQ(statistics.ldmatrices, 4 * steps);
    EXPECT_EQ(statistics.asyncCopies, 96 * (steps + statistics.workgroups));
    EXPECT_EQ(statistics.workgroupBytes, 3072);
  }
}

TEST_F(KernelsTest, MmaMatmulNeedsItsBarriers) {
  oracle::Random random(4);
  Tensor a = oracle::random(random, {32, 64}, -1, 1, DType::F16);
  Tensor b = oracle::random(random, {64, 16}, -1, 1, DType::F16);
  auto expectError = [&](const std::string &text, const char *message) {
    Simulation result =
        run(text, {a, b, Tensor(Shape{32, 16})}, uninitialized(2));
    EXPECT_NE(result.error.find(message), std::string::npos) << result.error;
  };
  expectError(without(mmaMatmul, "gpu.barrier // 1"),
              "with no barrier in between");
  expectError(without(mmaMatmul, "gpu.barrier // 2"),
              "with no barrier in between");
  expectError(
      without(mmaMatmul, "nvgpu.device_async_wait %t {numGroups = 1 : i32}"),
      "an asynchronous copy that is not complete");
}

TEST_F(KernelsTest, RowSoftmax) {
  oracle::Random random(5);
  for (int64_t n : {1, 31, 100}) {
    Tensor x = oracle::random(random, {3, n}, -5, 5, DType::F32);
    Simulation result =
        run(rowSoftmax, {x, Tensor(Shape{3, n})}, uninitialized(1));
    ASSERT_TRUE(result.ok()) << result.error;
    expectNear(result.arguments[1], oracle::softmax(x, 1).result, 1e-6);
    EXPECT_EQ(result.statistics["main"].shuffles, 3 * 6);
  }
}

TEST_F(KernelsTest, WhatWasNotWrittenIsSeen) {
  Simulation result =
      run("func.func @main(%x : memref<2xf32>) -> f32 {\n"
          "%c1 = arith.constant 1 : index\n"
          "%c0 = arith.constant 0 : index\n"
          "%v = memref.load %x[%c0] : memref<2xf32>\n"
          "memref.store %v, %x[%c1] : memref<2xf32>\n return %v : f32\n}",
          {Tensor(Shape{2}, 3.0)});
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.outputs[0].data[0], 3.0);
  result = run("func.func @main(%x : memref<2xf32>) { return }",
               {Tensor(Shape{2}, 3.0)}, uninitialized(0));
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_TRUE(std::isnan(result.arguments[0].data[1]));
}
