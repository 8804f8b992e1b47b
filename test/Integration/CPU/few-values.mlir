// Products with integers of 4 bits, two to a byte, whose sums have the positions in bytes
// innermost: as scalar loops, and as vectors of three widths. Of AVX-512, dequantized
// numbers are looked up. All sums are of multiples of a quarter, so that their order does
// not matter; sizes fill no vector, and no block of columns.

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

// Computed by Python.
// CHECK: sizes = [2, 7] strides = [7, 1]
// CHECK-NEXT: {{\[}}[23.75, 8.25, 103.5, 90, 27.25, 117.5, 45.75],
// CHECK-NEXT: [-157.25, -42.25, -139.5, 76, 123.75, -223, -88.75]]

#w3 = affine_map<(n, g, s) -> (n, g, s)>
#of_group = affine_map<(n, g, s) -> (n, g)>

func.func private @printMemrefF32(tensor<*xf32>)

func.func @product(%x: tensor<2x3x74xf32>, %w: tensor<7x3x37xi8>, %scale: tensor<7x3xf32>, %zp: tensor<7x3xi8>) -> tensor<2x7xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<7x3x37xi8>
  %lo = linalg.generic {indexing_maps = [#w3, #w3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<7x3x37xi8>) outs(%eb : tensor<7x3x37xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<7x3x37xi8>
  %hi = linalg.generic {indexing_maps = [#w3, #w3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<7x3x37xi8>) outs(%eb : tensor<7x3x37xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<7x3x37xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1], [2, 3]] output_shape [7, 3, 37, 1] : tensor<7x3x37xi8> into tensor<7x3x37x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1], [2, 3]] output_shape [7, 3, 37, 1] : tensor<7x3x37xi8> into tensor<7x3x37x1xi8>
  %both = tensor.concat dim(3) %lo1, %hi1 : (tensor<7x3x37x1xi8>, tensor<7x3x37x1xi8>) -> tensor<7x3x37x2xi8>
  %codes = tensor.collapse_shape %both [[0], [1], [2, 3]] : tensor<7x3x37x2xi8> into tensor<7x3x74xi8>
  %ed = tensor.empty() : tensor<7x3x74xf32>
  %d = linalg.generic {indexing_maps = [#w3, #of_group, #of_group, #w3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%codes, %scale, %zp : tensor<7x3x74xi8>, tensor<7x3xf32>, tensor<7x3xi8>) outs(%ed : tensor<7x3x74xf32>) {
  ^bb0(%a: i8, %s: f32, %z: i8, %o: f32):
    %0 = arith.subi %a, %z : i8
    %1 = arith.sitofp %0 : i8 to f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<7x3x74xf32>
  %ey = tensor.empty() : tensor<2x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x7xf32>) -> tensor<2x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, g, s) -> (m, g, s)>, affine_map<(m, n, g, s) -> (n, g, s)>, affine_map<(m, n, g, s) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %d : tensor<2x3x74xf32>, tensor<7x3x74xf32>) outs(%f : tensor<2x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x7xf32>
  return %r : tensor<2x7xf32>
}

func.func @main() {
  %ex = tensor.empty() : tensor<2x3x74xf32>
  %x = linalg.generic {indexing_maps = [#w3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%ex : tensor<2x3x74xf32>) {
  ^bb0(%o: f32):
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %m = linalg.index 0 : index
    %g = linalg.index 1 : index
    %s = linalg.index 2 : index
    %0 = arith.muli %s, %c3 : index
    %1 = arith.addi %0, %g : index
    %2 = arith.muli %m, %c5 : index
    %3 = arith.addi %1, %2 : index
    %4 = arith.remui %3, %c7 : index
    %5 = arith.subi %4, %c3 : index
    %6 = arith.index_cast %5 : index to i32
    %7 = arith.sitofp %6 : i32 to f32
    linalg.yield %7 : f32
  } -> tensor<2x3x74xf32>
  %ew = tensor.empty() : tensor<7x3x37xi8>
  %w = linalg.generic {indexing_maps = [#w3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%ew : tensor<7x3x37xi8>) {
  ^bb0(%o: i8):
    %c101 = arith.constant 101 : index
    %c59 = arith.constant 59 : index
    %c37 = arith.constant 37 : index
    %n = linalg.index 0 : index
    %g = linalg.index 1 : index
    %s = linalg.index 2 : index
    %0 = arith.muli %n, %c101 : index
    %1 = arith.muli %g, %c59 : index
    %2 = arith.muli %s, %c37 : index
    %3 = arith.addi %0, %1 : index
    %4 = arith.addi %3, %2 : index
    %5 = arith.index_cast %4 : index to i8
    linalg.yield %5 : i8
  } -> tensor<7x3x37xi8>
  %es = tensor.empty() : tensor<7x3xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(n, g) -> (n, g)>], iterator_types = ["parallel", "parallel"]} outs(%es : tensor<7x3xf32>) {
  ^bb0(%o: f32):
    %c4 = arith.constant 4 : index
    %quarter = arith.constant 0.25 : f32
    %n = linalg.index 0 : index
    %g = linalg.index 1 : index
    %0 = arith.addi %n, %g : index
    %1 = arith.remui %0, %c4 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %quarter : f32
    %5 = arith.addf %4, %quarter : f32
    linalg.yield %5 : f32
  } -> tensor<7x3xf32>
  %ez = tensor.empty() : tensor<7x3xi8>
  %zp = linalg.generic {indexing_maps = [affine_map<(n, g) -> (n, g)>], iterator_types = ["parallel", "parallel"]} outs(%ez : tensor<7x3xi8>) {
  ^bb0(%o: i8):
    %n = linalg.index 0 : index
    %g = linalg.index 1 : index
    %0 = arith.addi %n, %g : index
    %1 = arith.addi %0, %g : index
    %2 = arith.index_cast %1 : index to i8
    linalg.yield %2 : i8
  } -> tensor<7x3xi8>
  %r = func.call @product(%x, %w, %scale, %zp) : (tensor<2x3x74xf32>, tensor<7x3x37xi8>, tensor<7x3xf32>, tensor<7x3xi8>) -> tensor<2x7xf32>
  %u = tensor.cast %r : tensor<2x7xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
