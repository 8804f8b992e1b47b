// Few rows meet a factor that is the same for four terms, but from lane to lane another. It could
// multiply their sum, if it were not used twice in each.

// RUN: linalg-ext-check-program %s --targets=cpu

#x = affine_map<(m, n, u, l) -> (m, u, l)>
#w = affine_map<(m, n, u, l) -> (n, l)>
#y = affine_map<(m, n, u, l) -> (m, n)>

// A sum without the factor would overflow: it multiplies each term.

func.func @large(%x: tensor<1x4x64xf32> {check.draw = "uniform 2.0e38 3.0e38"}, %w: tensor<128x64xf32> {check.draw = "uniform 0.00001 0.00002"}) -> tensor<1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128xf32>) -> tensor<1x128xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x4x64xf32>, tensor<128x64xf32>) outs(%z : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

func.func @scale(%x: tensor<1x4x64xf32>, %w: tensor<128x64xf32>, %s: tensor<128x64xf32>) -> tensor<1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128xf32>) -> tensor<1x128xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<1x4x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) outs(%z : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %acc: f32):
    %0 = arith.subf %b, %c : f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

func.func @scale_of_sum(%x: tensor<1x4x64xf32>, %w: tensor<128x64xf32>, %s: tensor<128x64xf32>) -> tensor<1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128xf32>) -> tensor<1x128xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<1x4x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) outs(%z : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.subf %0, %c : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

func.func @square(%x: tensor<1x4x64xf32>, %w: tensor<128x64xf32>) -> tensor<1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128xf32>) -> tensor<1x128xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x4x64xf32>, tensor<128x64xf32>) outs(%z : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

func.func @difference(%x: tensor<1x4x64xf32>, %w: tensor<128x64xf32>) -> tensor<1x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128xf32>) -> tensor<1x128xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x4x64xf32>, tensor<128x64xf32>) outs(%z : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}
