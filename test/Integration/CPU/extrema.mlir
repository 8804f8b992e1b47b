// Maxima and minima along rows and columns of sizes that divide nothing, with
// NaN, infinities and zeros of both signs anywhere, on each target. C compares them
// with what IEEE 754 says of maximum and minimum, but for the sign of zeros.

// DEFINE: %{mcpu} =
// DEFINE: %{check} = linalg-ext-compile %s --mcpu=%{mcpu} --emit=obj -o %t.o --header=%t.dir/extrema.h.inc \
// DEFINE:   && %host_cc -O1 -I%t.dir %S/Inputs/extrema.c %t.o -lm -o %t.exe && %t.exe | FileCheck %s

// RUN: rm -rf %t.dir && mkdir -p %t.dir
// REDEFINE: %{mcpu} = x86-64
// RUN: %{check}
// REDEFINE: %{mcpu} = x86-64-v3
// RUN: %if avx2 %{ %{check} %}
// REDEFINE: %{mcpu} = x86-64-v4
// RUN: %if avx512 %{ %{check} %}

// CHECK-NOT: FAIL
// CHECK: 4000 cases passed

func.func @row_max(%a: tensor<?x?xf32>, %m: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x?xf32>) outs(%m : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.maximumf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @column_max(%a: tensor<?x?xf32>, %m: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<?x?xf32>) outs(%m : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.maximumf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @row_min(%a: tensor<?x?xf32>, %m: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x?xf32>) outs(%m : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.minimumf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @column_min(%a: tensor<?x?xf32>, %m: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<?x?xf32>) outs(%m : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.minimumf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
