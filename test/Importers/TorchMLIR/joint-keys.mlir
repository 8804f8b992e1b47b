// Queries of an image see the keys of a text, too, which lie in front of theirs (Stable
// Diffusion 3). Loops end at the seam, and begin there: no tile is put together of both.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=8000 --keys=16
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm='chip=sm_90a keys=16' \
// RUN:   --mlir-print-ir-after=linalg-ext-split-concatenations -o /dev/null 2>&1 \
// RUN: | FileCheck %s

// CHECK:      scf.forall
// CHECK:      scf.for
// CHECK:        tensor.extract_slice %arg1[
// CHECK:        tensor.extract_slice %arg3[
// CHECK:      scf.for
// CHECK:        tensor.extract_slice %arg1[{{.*}}] [1, %c5
// CHECK:        tensor.extract_slice %arg3[{{.*}}] [1, %c5
// CHECK:      scf.for %{{[a-z0-9]+}} = %c21
// CHECK:        tensor.extract_slice %arg2[
// CHECK-NOT:  tensor.extract_slice %arg1[
// CHECK:        tensor.extract_slice %arg4[

func.func @joint_keys(%q: tensor<2x37x16xf16>, %k_t: tensor<2x21x16xf16>, %k_u: tensor<2x131x16xf16>, %v_t: tensor<2x21x16xf16>, %v_u: tensor<2x131x16xf16>)
    -> tensor<2x37x16xf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000000e-01 : f32
  %k = tensor.concat dim(1) %k_t, %k_u
      : (tensor<2x21x16xf16>, tensor<2x131x16xf16>) -> tensor<2x152x16xf16>
  %v = tensor.concat dim(1) %v_t, %v_u
      : (tensor<2x21x16xf16>, tensor<2x131x16xf16>) -> tensor<2x152x16xf16>
  %s_e = tensor.empty() : tensor<2x37x152xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<2x37x152xf32>) -> tensor<2x37x152xf32>
  %s = linalg.contract indexing_maps = [affine_map<(h, i, j, d) -> (h, i, d)>, affine_map<(h, i, j, d) -> (h, j, d)>, affine_map<(h, i, j, d) -> (h, i, j)>]
      ins(%q, %k : tensor<2x37x16xf16>, tensor<2x152x16xf16>) outs(%s_0 : tensor<2x37x152xf32>) -> tensor<2x37x152xf32>
  %m_e = tensor.empty() : tensor<2x37x152xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x37x152xf32>)
      outs(%m_e : tensor<2x37x152xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %r = arith.mulf %x0, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x37x152xf32>
  %w = linalg.softmax dimension(2) ins(%m : tensor<2x37x152xf32>) outs(%s_e : tensor<2x37x152xf32>) -> tensor<2x37x152xf32>
  %wn_e = tensor.empty() : tensor<2x37x152xf16>
  %wn = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<2x37x152xf32>)
      outs(%wn_e : tensor<2x37x152xf16>) {
  ^bb0(%x0: f32, %o: f16):
    %r = arith.truncf %x0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x37x152xf16>
  %p_e = tensor.empty() : tensor<2x37x16xf32>
  %p_0 = linalg.fill ins(%zero : f32) outs(%p_e : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %p = linalg.contract indexing_maps = [affine_map<(h, i, e, j) -> (h, i, j)>, affine_map<(h, i, e, j) -> (h, j, e)>, affine_map<(h, i, e, j) -> (h, i, e)>]
      ins(%wn, %v : tensor<2x37x152xf16>, tensor<2x152x16xf16>) outs(%p_0 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %out_e = tensor.empty() : tensor<2x37x16xf16>
  %out = linalg.generic {indexing_maps = [affine_map<(h, i, e) -> (h, i, e)>, affine_map<(h, i, e) -> (h, i, e)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x37x16xf32>)
      outs(%out_e : tensor<2x37x16xf16>) {
  ^bb0(%x0: f32, %o: f16):
    %r = arith.truncf %x0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x37x16xf16>
  return %out : tensor<2x37x16xf16>
}
