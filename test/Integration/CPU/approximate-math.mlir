// The error of the polynomials, over a sample of all floats, against f64.

// DEFINE: %{mcpu} =
// DEFINE: %{slack} = 1
// DEFINE: %{check} = linalg-ext-compile %s --mcpu=%{mcpu} --emit=obj -o %t.o --header=%t.dir/math.h.inc \
// DEFINE:   && %host_cc -O2 -DSLACK=%{slack} -I%t.dir %S/Inputs/approximate-math.c %t.o -lm -o %t.exe && %t.exe | FileCheck %s

// RUN: rm -rf %t.dir && mkdir -p %t.dir
// Without fused multiply-adds.
// REDEFINE: %{mcpu} = x86-64
// REDEFINE: %{slack} = 1.2
// RUN: %{check}
// REDEFINE: %{slack} = 1
// REDEFINE: %{mcpu} = x86-64-v3
// RUN: %if avx2 %{ %{check} %}
// REDEFINE: %{mcpu} = x86-64-v4
// RUN: %if avx512 %{ %{check} %}

// CHECK-NOT: FAIL
// CHECK: exp(-inf) = 0
// CHECK: exp(inf) = inf
// CHECK: exp(nan) = nan
// CHECK: exp(0) = 1
// CHECK: exp(88.8) = inf
// CHECK: exp(-88) = 6.05{{.*}}e-39
// CHECK: exp(-200) = 0
// CHECK: exp(1e+30) = inf
// CHECK: exp(-inf - 0) = 0
// CHECK: exp(inf - 0) = inf
// CHECK: exp(nan - 0) = nan
// CHECK: exp(0 - 0) = 1
// CHECK: exp(88.8 - 0) = inf
// CHECK: exp(-200 - 0) = 0
// CHECK: exp(1e+30 - 0) = inf
// CHECK: exp(-1e+30 - 0) = 0

func.func @approximate_exp(%a: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @approximate_exp_of_difference(%a: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%x: f32, %zero: f32):
    %d = arith.subf %x, %zero : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @approximate_tanh(%a: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.tanh ins(%a : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @approximate_erf(%a: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.erf ins(%a : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
