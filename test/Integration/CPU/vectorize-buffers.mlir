// Runs ops of every kind that linalg-ext-vectorize-buffers treats differently, with
// sizes that fill no vector and no block, as scalar loops and as vectors of three
// widths. All values are small integers, so that every order of summation gives the
// same result.

// REQUIRES: mlir-runner

// DEFINE: %{options} =
// DEFINE: %{run} = linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{%{options}})' \
// DEFINE:   | mlir-runner -e main --entry-point-result=void %runner_libs | sed 's/base@ = [^ ]* //'

// REDEFINE: %{options} = vectorize=false
// RUN: %{run} > %t.scalar
// RUN: FileCheck %s < %t.scalar
// REDEFINE: %{options} = cpu=avx512
// RUN: %if avx512 %{ %{run} > %t.avx512 %}
// RUN: %if avx512 %{ diff %t.scalar %t.avx512 %}
// REDEFINE: %{options} = cpu=avx2
// RUN: %if avx2 %{ %{run} > %t.avx2 %}
// RUN: %if avx2 %{ diff %t.scalar %t.avx2 %}
// REDEFINE: %{options} = cpu=generic
// RUN: %{run} > %t.generic
// RUN: diff %t.scalar %t.generic

// The first product by hand: row 0 of a is (-2, 1, -1, 2), the columns of b are
// (-2, 0, 2, -1) and (1, -2, 0, 2).
// CHECK: sizes = [3, 2] strides = [2, 1]
// CHECK-NEXT: {{\[}}[0, 0],
// CHECK-NEXT: [3, 2],
// CHECK-NEXT: [-9, 4]]

#id2 = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
#columns = affine_map<(i, j) -> (j)>
#transposed = affine_map<(i, j) -> (j, i)>

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @print(%t: tensor<?x?xf32>) {
  %u = tensor.cast %t : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}

func.func @values(%n: index, %m: index) -> tensor<?x?xf32> {
  %empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<?x?xf32>) {
  ^bb0(%out: f32):
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %1 = arith.muli %i, %c7 : index
    %2 = arith.muli %j, %c3 : index
    %3 = arith.addi %1, %2 : index
    %4 = arith.remui %3, %c5 : index
    %5 = arith.subi %4, %c2 : index
    %6 = arith.index_cast %5 : index to i32
    %7 = arith.sitofp %6 : i32 to f32
    linalg.yield %7 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Lanes along n; two vectors of a row block, one vector, a masked one.
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Blocks of b are transposed in registers.
func.func @matmul_transposed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul indexing_maps = [
        affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
        affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Lanes along the reduction, combined at the end; sum and maximum in one op, the
// columns along a parallel dimension, everything to one number.
func.func @reductions(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -10.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %en = tensor.empty(%n) : tensor<?xf32>
  %em = tensor.empty(%m) : tensor<?xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<?xf32>) -> tensor<?xf32>
  %zm = linalg.fill ins(%zero : f32) outs(%em : tensor<?xf32>) -> tensor<?xf32>
  %ln = linalg.fill ins(%low : f32) outs(%en : tensor<?xf32>) -> tensor<?xf32>
  %r:2 = linalg.generic {indexing_maps = [#id2, #rows, #rows],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x?xf32>) outs(%zn, %ln : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x: f32, %s: f32, %b: f32):
    %0 = arith.mulf %x, %x : f32
    %1 = arith.addf %s, %0 : f32
    %2 = arith.maximumf %x, %b : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %c = linalg.reduce {arith.addf} ins(%a : tensor<?x?xf32>) outs(%zm : tensor<?xf32>)
      dimensions = [0]
  %e0 = tensor.empty() : tensor<f32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %t = linalg.reduce {arith.addf} ins(%a : tensor<?x?xf32>) outs(%z0 : tensor<f32>)
      dimensions = [0, 1]
  // Everything in one place: row i, column j is r0 + 10 r1 + 100 c + t.
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #rows, #columns, affine_map<(i, j) -> ()>, #id2],
      iterator_types = ["parallel", "parallel"]}
      ins(%r#0, %r#1, %c, %t : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>)
      outs(%e : tensor<?x?xf32>) {
  ^bb0(%r0: f32, %r1: f32, %cc: f32, %tt: f32, %out: f32):
    %ten = arith.constant 10.0 : f32
    %hundred = arith.constant 100.0 : f32
    %1 = arith.mulf %r1, %ten : f32
    %2 = arith.mulf %cc, %hundred : f32
    %3 = arith.addf %r0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    %5 = arith.addf %4, %tt : f32
    linalg.yield %5 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// An input that is strided along the lanes, one of bits, and coordinates.
func.func @strided(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %bits_empty = tensor.empty(%n, %m) : tensor<?x?xi1>
  %bits = linalg.generic {indexing_maps = [#id2, #id2],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x?xf32>) outs(%bits_empty : tensor<?x?xi1>) {
  ^bb0(%x: f32, %out: i1):
    %zero = arith.constant 0.0 : f32
    %0 = arith.cmpf oge, %x, %zero : f32
    linalg.yield %0 : i1
  } -> tensor<?x?xi1>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#transposed, #transposed, #id2],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %bits : tensor<?x?xf32>, tensor<?x?xi1>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %bit: i1, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %1 = arith.addf %x, %f : f32
    %2 = arith.select %bit, %1, %x : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A sum of shifted inputs: strides and windows.
func.func @convolution(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %n2 = arith.subi %n, %c2 : index
  %m2 = arith.subi %m, %c2 : index
  %k = call @values(%c2, %c2) : (index, index) -> tensor<?x?xf32>
  %n1 = arith.addi %n2, %c1 : index
  %m1 = arith.addi %m2, %c1 : index
  %e = tensor.empty(%n1, %m1) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.conv_2d ins(%a, %k : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func private @check(%n: index, %m: index, %k: index) {
  %a = call @values(%n, %k) : (index, index) -> tensor<?x?xf32>
  %b = call @values(%k, %m) : (index, index) -> tensor<?x?xf32>
  %bt = call @values(%m, %k) : (index, index) -> tensor<?x?xf32>
  %0 = call @matmul(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print(%0) : (tensor<?x?xf32>) -> ()
  %1 = call @matmul_transposed(%a, %bt) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print(%1) : (tensor<?x?xf32>) -> ()
  %2 = call @reductions(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print(%2) : (tensor<?x?xf32>) -> ()
  %3 = call @strided(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print(%3) : (tensor<?x?xf32>) -> ()
  %4 = call @convolution(%b) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print(%4) : (tensor<?x?xf32>) -> ()
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c17 = arith.constant 17 : index
  %c21 = arith.constant 21 : index
  %c32 = arith.constant 32 : index
  %c67 = arith.constant 67 : index
  call @check(%c3, %c2, %c4) : (index, index, index) -> ()
  call @check(%c1, %c67, %c17) : (index, index, index) -> ()
  call @check(%c67, %c21, %c32) : (index, index, index) -> ()
  call @check(%c21, %c32, %c67) : (index, index, index) -> ()
  call @check(%c17, %c17, %c2) : (index, index, index) -> ()
  return
}
