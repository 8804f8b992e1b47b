// What a sum starts from, which in a fused loop is that of the tiles before, is added at
// its end: 1 + ... + 1, a hundred times, is not lost beside 2^24, as each 1 would be. On
// vectors of each width, of f32 and of converted halves, and of rows (a product with ones).
// So is what a sum is filled with: a product of known sizes, and sums of columns.

// REQUIRES: mlir-runner

// DEFINE: %{options} =
// DEFINE: %{run} = linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{%{options}})' \
// DEFINE:   | mlir-runner -e main --entry-point-result=void %runner_libs | FileCheck %s

// REDEFINE: %{options} = cpu=avx512
// RUN: %if avx512 %{ %{run} %}
// REDEFINE: %{options} = cpu=avx2
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{options} = cpu=generic
// RUN: %{run}

// CHECK-COUNT-3: 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100{{\]}}
// CHECK-COUNT-3: 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100{{\]}}
// CHECK:         100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100{{\]}}
// CHECK:         100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100{{\]}}
// CHECK-COUNT-3: 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100{{\]}}

func.func private @printMemrefF32(tensor<*xf32>)

// The sums less what they started from.
func.func private @products(%m: index, %n: index, %k: index) {
  %one = arith.constant 1.0 : f32
  %large = arith.constant 0x4B800000 : f32
  %ae = tensor.empty(%m, %k) : tensor<?x?xf32>
  %a = linalg.fill ins(%one : f32) outs(%ae : tensor<?x?xf32>) -> tensor<?x?xf32>
  %be = tensor.empty(%k, %n) : tensor<?x?xf32>
  %b = linalg.fill ins(%one : f32) outs(%be : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = call @product(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print(%r) : (tensor<?x?xf32>) -> ()

  %half = arith.constant 1.0 : bf16
  %ahe = tensor.empty(%m, %k) : tensor<?x?xbf16>
  %ah = linalg.fill ins(%half : bf16) outs(%ahe : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %bhe = tensor.empty(%k, %n) : tensor<?x?xbf16>
  %bh = linalg.fill ins(%half : bf16) outs(%bhe : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %rh = call @product_of_halves(%ah, %bh) : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  call @print(%rh) : (tensor<?x?xf32>) -> ()

  %s = call @columns(%b) : (tensor<?x?xf32>) -> tensor<?xf32>
  %difference = call @less(%s, %large) : (tensor<?xf32>, f32) -> tensor<*xf32>
  call @printMemrefF32(%difference) : (tensor<*xf32>) -> ()

  %sf = call @columns_of_fill(%b) : (tensor<?x?xf32>) -> tensor<?xf32>
  %differencef = call @less(%sf, %large) : (tensor<?xf32>, f32) -> tensor<*xf32>
  call @printMemrefF32(%differencef) : (tensor<*xf32>) -> ()

  %as = tensor.cast %a : tensor<?x?xf32> to tensor<3x100xf32>
  %bs = tensor.cast %b : tensor<?x?xf32> to tensor<100x19xf32>
  %rs = call @product_of_fill(%as, %bs) : (tensor<3x100xf32>, tensor<100x19xf32>) -> tensor<3x19xf32>
  %rd = tensor.cast %rs : tensor<3x19xf32> to tensor<?x?xf32>
  call @print(%rd) : (tensor<?x?xf32>) -> ()
  return
}

func.func private @start(%m: index, %n: index) -> tensor<?x?xf32> attributes {no_inline} {
  %large = arith.constant 0x4B800000 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%large : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %f : tensor<?x?xf32>
}

func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %start = call @start(%m, %n) : (index, index) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%start : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @product_of_halves(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xbf16>
  %n = tensor.dim %b, %c1 : tensor<?x?xbf16>
  %start = call @start(%m, %n) : (index, index) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%start : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @columns(%b: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %large = arith.constant 0x4B800000 : f32
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %row = call @start(%c1, %n) : (index, index) -> tensor<?x?xf32>
  %start = tensor.collapse_shape %row [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<?x?xf32>) outs(%start : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %sum = arith.addf %o, %x : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @columns_of_fill(%b: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %large = arith.constant 0x4B800000 : f32
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %start = linalg.fill ins(%large : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<?x?xf32>) outs(%start : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %sum = arith.addf %o, %x : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @product_of_fill(%a: tensor<3x100xf32>, %b: tensor<100x19xf32>) -> tensor<3x19xf32> {
  %large = arith.constant 0x4B800000 : f32
  %e = tensor.empty() : tensor<3x19xf32>
  %start = linalg.fill ins(%large : f32) outs(%e : tensor<3x19xf32>) -> tensor<3x19xf32>
  %r = linalg.matmul ins(%a, %b : tensor<3x100xf32>, tensor<100x19xf32>)
      outs(%start : tensor<3x19xf32>) -> tensor<3x19xf32>
  return %r : tensor<3x19xf32>
}

func.func @less(%s: tensor<?xf32>, %large: f32) -> tensor<*xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %s, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%s : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.subf %x, %large : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %u = tensor.cast %r : tensor<?xf32> to tensor<*xf32>
  return %u : tensor<*xf32>
}

func.func @print(%t: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %large = arith.constant 0x4B800000 : f32
  %m = tensor.dim %t, %c0 : tensor<?x?xf32>
  %n = tensor.dim %t, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.subf %x, %large : f32
    linalg.yield %y : f32
  } -> tensor<?x?xf32>
  %u = tensor.cast %r : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  %c3 = arith.constant 3 : index
  %c19 = arith.constant 19 : index
  %c100 = arith.constant 100 : index
  call @products(%c3, %c19, %c100) : (index, index, index) -> ()
  return
}
