// Activations of 16 bits and weights of 8, summed up in 64 bits (TFLite's int16x8, whose sums
// have 48); then a bias, a multiplier for each column, a shift that rounds, and a clamp.

// A GPU multiplies i64 one product at a time, in one kernel.
// RUN: linalg-ext-check-program %s --max-buffer-bytes=32768 --max-kernels=1 --expect=gpu:unfused


#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @int16x8(%wide: tensor<37x96xi32> {check.draw = "uniform -32768 32767"}, %w: tensor<80x96xi8> {check.draw = "uniform -127 127"},
                   %bias: tensor<80xi64> {check.draw = "uniform -1000000 1000000"}, %multiplier: tensor<80xi32> {check.draw = "uniform 16384 32767"}) -> tensor<37x80xi32> {
  %ex = tensor.empty() : tensor<37x96xi16>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<37x96xi32>) outs(%ex : tensor<37x96xi16>) {
  ^bb0(%a: i32, %o: i16):
    %0 = arith.trunci %a : i32 to i16
    linalg.yield %0 : i16
  } -> tensor<37x96xi16>
  %c0 = arith.constant 0 : i64
  %shift = arith.constant 34 : i64
  %half = arith.constant 8589934592 : i64
  %low = arith.constant -32768 : i64
  %high = arith.constant 32767 : i64
  %e = tensor.empty() : tensor<37x80xi64>
  %fill = linalg.fill ins(%c0 : i64) outs(%e : tensor<37x80xi64>) -> tensor<37x80xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<37x96xi16>, tensor<80x96xi8>) outs(%fill : tensor<37x80xi64>) {
  ^bb0(%a: i16, %b: i8, %o: i64):
    %0 = arith.extsi %a : i16 to i64
    %1 = arith.extsi %b : i8 to i64
    %2 = arith.muli %0, %1 : i64
    %3 = arith.addi %o, %2 : i64
    linalg.yield %3 : i64
  } -> tensor<37x80xi64>
  %er = tensor.empty() : tensor<37x80xi16>
  %r = linalg.generic {indexing_maps = [#id, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %bias, %multiplier : tensor<37x80xi64>, tensor<80xi64>, tensor<80xi32>) outs(%er : tensor<37x80xi16>) {
  ^bb0(%a: i64, %b: i64, %f: i32, %o: i16):
    %0 = arith.addi %a, %b : i64
    %1 = arith.extsi %f : i32 to i64
    %2 = arith.muli %0, %1 : i64
    %3 = arith.addi %2, %half : i64
    %4 = arith.shrsi %3, %shift : i64
    %5 = arith.maxsi %4, %low : i64
    %6 = arith.minsi %5, %high : i64
    %7 = arith.trunci %6 : i64 to i16
    linalg.yield %7 : i16
  } -> tensor<37x80xi16>
  %ei = tensor.empty() : tensor<37x80xi32>
  %i = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<37x80xi16>) outs(%ei : tensor<37x80xi32>) {
  ^bb0(%a: i16, %o: i32):
    %0 = arith.extsi %a : i16 to i32
    linalg.yield %0 : i32
  } -> tensor<37x80xi32>
  return %i : tensor<37x80xi32>
}
