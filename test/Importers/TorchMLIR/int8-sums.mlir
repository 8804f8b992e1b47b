// Products of integers are exact, also where sums wrap around: what they are added to is nearly
// 2^31. Both operands of each sign, as rows or columns of memory, with batches, for sizes that
// do not divide.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --targets=cpu --cpu-options=cpu=avx512vnni
// RUN: linalg-ext-check-program %s --targets=cpu --cpu-options=cpu=avx512
// RUN: linalg-ext-check-program %s --targets=cpu --cpu-options=cpu=avx2
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=0 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=0 --gpu-options=chip=gfx90a
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=0 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=0 --gpu-options=chip=gfx950
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=0 --gpu-options=chip=gfx1100
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=0 --gpu-options=chip=gfx1201

func.func @signed(%a: tensor<37x83xi8> {check.draw = "uniform -128 127"}, %b: tensor<83x45xi8> {check.draw = "uniform -128 127"}, %c: tensor<37x45xi32> {check.draw = "uniform 2147383648 2147483647"}) -> tensor<37x45xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<37x83xi8>, tensor<83x45xi8>) outs(%c : tensor<37x45xi32>) -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @unsigned(%a: tensor<37x83xi8> {check.draw = "uniform -128 127"}, %b: tensor<83x45xi8> {check.draw = "uniform -128 127"}, %c: tensor<37x45xi32> {check.draw = "uniform 2147383648 2147483647"}) -> tensor<37x45xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<37x83xi8>, tensor<83x45xi8>) outs(%c : tensor<37x45xi32>) -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

// Batches; the right operand lies with what is summed contiguous.
func.func @mixed(%a: tensor<3x21x70xi8> {check.draw = "uniform -128 127"}, %b: tensor<3x40x70xi8> {check.draw = "uniform -128 127"}) -> tensor<3x21x40xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x21x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x21x40xi32>) -> tensor<3x21x40xi32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x21x70xi8>, tensor<3x40x70xi8>) outs(%f : tensor<3x21x40xi32>) {
  ^bb0(%x: i8, %y: i8, %acc: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<3x21x40xi32>
  return %r : tensor<3x21x40xi32>
}

// The left operand lies transposed.
func.func @mixed_transposed(%a: tensor<70x33xi8> {check.draw = "uniform -128 127"}, %b: tensor<70x40xi8> {check.draw = "uniform -128 127"}) -> tensor<33x40xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<33x40xi32>) -> tensor<33x40xi32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<70x33xi8>, tensor<70x40xi8>) outs(%f : tensor<33x40xi32>) {
  ^bb0(%x: i8, %y: i8, %acc: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %2, %acc : i32
    linalg.yield %3 : i32
  } -> tensor<33x40xi32>
  return %r : tensor<33x40xi32>
}

// One row.
func.func @row(%a: tensor<1x96xi8> {check.draw = "uniform -128 127"}, %b: tensor<64x96xi8> {check.draw = "uniform -128 127"}) -> tensor<1x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x64xi32>) -> tensor<1x64xi32>
  %te = tensor.empty() : tensor<96x64xi8>
  %t = linalg.transpose ins(%b : tensor<64x96xi8>) outs(%te : tensor<96x64xi8>) permutation = [1, 0]
  %r = linalg.matmul ins(%a, %t : tensor<1x96xi8>, tensor<96x64xi8>) outs(%f : tensor<1x64xi32>) -> tensor<1x64xi32>
  return %r : tensor<1x64xi32>
}
