// torch, as a training step that clips queries and keys writes it (QK-Clip): the largest
// score of each head, scores.amax(dim=(-2, -1)), beside attention. It is the largest maximum
// of a row, so that no scores are stored.

// RUN: linalg-ext-check-program %s --sizes=4x37x64,4x53x64,4x53x64 --max-buffer-bytes=7000 --targets=gpu
// RUN: linalg-ext-check-program %s --sizes=4x37x64,4x53x64,4x53x64 --targets=cpu

func.func @main(%q: tensor<4x?x64xf16>, %k: tensor<4x?x64xf16>, %v: tensor<4x?x64xf16>) -> (tensor<4x?x64xf32>, tensor<4xf32>) {
  %r1 = arith.constant 1 : index
  %r2 = tensor.dim %q, %r1 : tensor<4x?x64xf16>
  %r3 = arith.constant 1 : index
  %r4 = tensor.dim %k, %r3 : tensor<4x?x64xf16>
  %r5 = tensor.empty(%r2, %r4) : tensor<4x?x?xf32>
  %r6 = arith.constant 0.0 : f32
  %r7 = linalg.fill ins(%r6 : f32) outs(%r5 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %r8 = linalg.generic {indexing_maps = [affine_map<(h, m, n, d) -> (h, m, d)>, affine_map<(h, m, n, d) -> (h, n, d)>, affine_map<(h, m, n, d) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<4x?x64xf16>, tensor<4x?x64xf16>) outs(%r7 : tensor<4x?x?xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x?x?xf32>
  %r9 = tensor.empty(%r2, %r4) : tensor<4x?x?xf32>
  %r10 = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r8 : tensor<4x?x?xf32>) outs(%r9 : tensor<4x?x?xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %c = arith.constant 0.25 : f32
    %p = arith.mulf %a0, %c : f32
    linalg.yield %p : f32
  } -> tensor<4x?x?xf32>
  %r11 = tensor.empty(%r2) : tensor<4x?xf32>
  %r12 = arith.constant 0xFF800000 : f32
  %r13 = linalg.fill ins(%r12 : f32) outs(%r11 : tensor<4x?xf32>) -> tensor<4x?xf32>
  %r14 = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r10 : tensor<4x?x?xf32>) outs(%r13 : tensor<4x?xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %x = arith.maximumf %a0, %o : f32
    linalg.yield %x : f32
  } -> tensor<4x?xf32>
  %r15 = tensor.empty(%r2, %r4) : tensor<4x?x?xf32>
  %r16 = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r10, %r14 : tensor<4x?x?xf32>, tensor<4x?xf32>) outs(%r15 : tensor<4x?x?xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.subf %a0, %a1 : f32
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<4x?x?xf32>
  %r17 = arith.constant 0.0 : f32
  %r18 = linalg.fill ins(%r17 : f32) outs(%r11 : tensor<4x?xf32>) -> tensor<4x?xf32>
  %r19 = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r16 : tensor<4x?x?xf32>) outs(%r18 : tensor<4x?xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %x = arith.addf %a0, %o : f32
    linalg.yield %x : f32
  } -> tensor<4x?xf32>
  %r20 = tensor.empty(%r2, %r4) : tensor<4x?x?xf16>
  %r21 = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r16, %r19 : tensor<4x?x?xf32>, tensor<4x?xf32>) outs(%r20 : tensor<4x?x?xf16>) {
  ^bb0(%a0: f32, %a1: f32, %o: f16):
    %x = arith.divf %a0, %a1 : f32
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<4x?x?xf16>
  %r22 = tensor.empty(%r2) : tensor<4x?x64xf32>
  %r23 = arith.constant 0.0 : f32
  %r24 = linalg.fill ins(%r23 : f32) outs(%r22 : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
  %r25 = linalg.generic {indexing_maps = [affine_map<(h, m, d, n) -> (h, m, n)>, affine_map<(h, m, d, n) -> (h, n, d)>, affine_map<(h, m, d, n) -> (h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%r21, %v : tensor<4x?x?xf16>, tensor<4x?x64xf16>) outs(%r24 : tensor<4x?x64xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x?x64xf32>
  %r26 = tensor.empty() : tensor<4xf32>
  %r27 = arith.constant 0xFF800000 : f32
  %r28 = linalg.fill ins(%r27 : f32) outs(%r26 : tensor<4xf32>) -> tensor<4xf32>
  %r29 = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%r10 : tensor<4x?x?xf32>) outs(%r28 : tensor<4xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %x = arith.maximumf %a0, %o : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r25, %r29 : tensor<4x?x64xf32>, tensor<4xf32>
}
