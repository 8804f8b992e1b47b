// The error of the polynomials, over a sample of all floats, against f64.

// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: linalg-ext-compile %s --emit=obj -o %t.o --header=%t.dir/math.h.inc
// RUN: %host_cc -O2 -I%t.dir %S/Inputs/approximate-math.c %t.o -lm -o %t.exe && %t.exe | FileCheck %s

// CHECK-NOT: FAIL
// CHECK: exp(-inf) = 0
// CHECK: exp(inf) = inf
// CHECK: exp(nan) = nan
// CHECK: exp(0) = 1
// CHECK: exp(88.8) = inf
// CHECK: exp(-88) = 0
// CHECK: exp(-200) = 0
// CHECK: exp(1e+30) = inf

func.func @approximate_exp(%a: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
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
