// The gate of a decoder with weights of 8 bits and a scale for each column, and a number of tokens
// that is not known: on CPUs, each of both products is computed in tiles of few rows, or for all of
// them, and what follows reads either.

// RUN: linalg-ext-check-program %s --sizes=1x512,-,-,-,- --max-kernels=1
// RUN: linalg-ext-check-program %s --sizes=7x512,-,-,-,- --targets=cpu
// RUN: linalg-ext-check-program %s --sizes=33x512,-,-,-,- --targets=cpu
// RUN: linalg-ext-check-program %s --sizes=0x512,-,-,-,- --targets=cpu

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

func.func @gate(%x: tensor<?x512xf16>, %w0: tensor<144x512xi8> {check.draw = "uniform -127 127"}, %s0: tensor<144xf16> {check.draw = "uniform 0.0005 0.001"},
    %w1: tensor<144x512xi8> {check.draw = "uniform -127 127"}, %s1: tensor<144xf16> {check.draw = "uniform 0.0005 0.001"}) -> tensor<?x144xf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x512xf16>
  %we = tensor.empty() : tensor<144x512xf16>
  %ye = tensor.empty(%m) : tensor<?x144xf32>
  %re = tensor.empty(%m) : tensor<?x144xf16>
  %d0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w0, %s0 : tensor<144x512xi8>, tensor<144xf16>) outs(%we : tensor<144x512xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %b : f16
    linalg.yield %1 : f16
  } -> tensor<144x512xf16>
  %f0 = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x144xf32>) -> tensor<?x144xf32>
  %p0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %d0 : tensor<?x512xf16>, tensor<144x512xf16>) outs(%f0 : tensor<?x144xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x144xf32>
  %d1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w1, %s1 : tensor<144x512xi8>, tensor<144xf16>) outs(%we : tensor<144x512xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %b : f16
    linalg.yield %1 : f16
  } -> tensor<144x512xf16>
  %f1 = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x144xf32>) -> tensor<?x144xf32>
  %p1 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %d1 : tensor<?x512xf16>, tensor<144x512xf16>) outs(%f1 : tensor<?x144xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x144xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %p1 : tensor<?x144xf32>, tensor<?x144xf32>) outs(%re : tensor<?x144xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %one = arith.constant 1.0 : f32
    %0 = arith.negf %a : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %a, %2 : f32
    %4 = arith.mulf %3, %b : f32
    %5 = arith.truncf %4 : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<?x144xf16>
  return %r : tensor<?x144xf16>
}
