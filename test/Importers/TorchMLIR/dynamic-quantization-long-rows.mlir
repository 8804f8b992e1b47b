// Rows of a down projection (8704 and 14336 numbers) that are quantized as they come. The numbers
// are integers, of which one in a row is 127 or nearly so: the scale is a simple number, and
// rounding is far from a tie, so that the bound is that of exact integers.

// A workgroup holds a row in registers. It writes the numbers and the scale of the row, which the
// product reads, too. Longer rows than 32768 have a kernel for each.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=gfx942
// RUN: sed 's/8704/14336/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1
// RUN: sed 's/8704/9001/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1
// RUN: sed 's/8704/40000/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=2

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @quantize_rows(%x: tensor<3x8704xi8> {check.draw = "uniform -127 127"}) -> (tensor<3x8704xi8>, tensor<3x1xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %wide0 = tensor.empty() : tensor<3x8704xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x8704xi8>) outs(%wide0 : tensor<3x8704xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<3x8704xf32>
  %abs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<3x8704xf32>) outs(%wide0 : tensor<3x8704xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.absf %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x8704xf32>
  %m0 = tensor.empty() : tensor<3x1xf32>
  %m1 = linalg.fill ins(%least : f32) outs(%m0 : tensor<3x1xf32>) -> tensor<3x1xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%abs : tensor<3x8704xf32>) outs(%m1 : tensor<3x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<3x1xf32>
  %scale = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%max : tensor<3x1xf32>) outs(%m0 : tensor<3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %range = arith.constant 127.0 : f32
    %eps = arith.constant 1.0e-12 : f32
    %0 = arith.maximumf %a, %eps : f32
    %1 = arith.divf %0, %range : f32
    linalg.yield %1 : f32
  } -> tensor<3x1xf32>
  %q0 = tensor.empty() : tensor<3x8704xi8>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%wide, %scale : tensor<3x8704xf32>, tensor<3x1xf32>) outs(%q0 : tensor<3x8704xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %lo = arith.constant -127.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.divf %a, %s : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %lo : f32
    %3 = arith.minimumf %2, %hi : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<3x8704xi8>
  return %q, %scale : tensor<3x8704xi8>, tensor<3x1xf32>
}
