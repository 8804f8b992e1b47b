// Each token is mixed with the next one: `F.pad(x, (0, 0, -1, 1))` of a batch and a number
// of tokens that are not known.

// RUN: linalg-ext-check-program %s --sizes=2x19x24,- --max-kernels=1
// RUN: linalg-ext-check-program %s --sizes=3x1x24,- --max-kernels=1

#id = affine_map<(b, t, c) -> (b, t, c)>
#channel = affine_map<(b, t, c) -> (c)>

func.func @dynamic(%x: tensor<?x?x24xf32>, %mix: tensor<24xf32>) -> tensor<?x?x24xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %shifted = tensor.pad %x low[0, -1, 0] high[0, 1, 0] {
  ^bb0(%b: index, %t: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<?x?x24xf32> to tensor<?x?x24xf32>
  %batch = tensor.dim %x, %c0 : tensor<?x?x24xf32>
  %tokens = tensor.dim %x, %c1 : tensor<?x?x24xf32>
  %e = tensor.empty(%batch, %tokens) : tensor<?x?x24xf32>
  %mixed = linalg.generic {indexing_maps = [#id, #id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %shifted, %mix : tensor<?x?x24xf32>, tensor<?x?x24xf32>, tensor<24xf32>) outs(%e : tensor<?x?x24xf32>) {
  ^bb0(%now: f32, %next: f32, %m: f32, %out: f32):
    %d = arith.subf %next, %now : f32
    %p = arith.mulf %d, %m : f32
    %s = arith.addf %now, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x24xf32>
  return %mixed : tensor<?x?x24xf32>
}
