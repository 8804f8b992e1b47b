// Weights [K, N] of 4 bits in five groups of 96, with zero points: halves of bytes are unpacked to a
// dimension of their own, which is then merged. The sums over groups and in a group are contiguous, but
// tiles of what is unpacked are in one group, so that both loops stay.

// RUN: linalg-ext-check-program %s --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --gpu-options=chip=sm_89
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --gpu-options=chip=gfx1201

func.func @groups_of_96(%x0: tensor<1x480xbf16>, %w0: tensor<5x48x200xi8> {check.draw = "uniform -128 127"}, %s: tensor<5x200xbf16>, %zz: tensor<5x200xi8> {check.draw = "uniform 0 15"}) -> tensor<1x200xf32> {
  %z = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %x = tensor.expand_shape %x0 [[0],[1,2]] output_shape [1, 5, 96] : tensor<1x480xbf16> into tensor<1x5x96xbf16>
  %eu = tensor.empty() : tensor<5x48x2x200xi8>
  %un = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%w0 : tensor<5x48x200xi8>) outs(%eu : tensor<5x48x2x200xi8>) {
  ^bb0(%a: i8, %o: i8):
    %c15 = arith.constant 15 : i8
    %c4 = arith.constant 4 : i8
    %ix = linalg.index 2 : index
    %ic = arith.index_cast %ix : index to i8
    %sh = arith.muli %ic, %c4 : i8
    %v = arith.shrui %a, %sh : i8
    %n4 = arith.andi %v, %c15 : i8
    linalg.yield %n4 : i8
  } -> tensor<5x48x2x200xi8>
  %w = tensor.collapse_shape %un [[0],[1,2],[3]] : tensor<5x48x2x200xi8> into tensor<5x96x200xi8>
  %ed = tensor.empty() : tensor<5x96x200xbf16>
  %dw = linalg.generic {indexing_maps = [affine_map<(g,k,n)->(g,k,n)>, affine_map<(g,k,n)->(g,n)>, affine_map<(g,k,n)->(g,n)>, affine_map<(g,k,n)->(g,k,n)>], iterator_types = ["parallel","parallel","parallel"]} ins(%w, %s, %zz : tensor<5x96x200xi8>, tensor<5x200xbf16>, tensor<5x200xi8>) outs(%ed : tensor<5x96x200xbf16>) {
  ^bb0(%q: i8, %sc: bf16, %zv: i8, %o: bf16):
    %fq = arith.uitofp %q : i8 to bf16
    %fz = arith.uitofp %zv : i8 to bf16
    %fl = arith.subf %fq, %fz : bf16
    %dq = arith.mulf %fl, %sc : bf16
    linalg.yield %dq : bf16
  } -> tensor<5x96x200xbf16>
  %e = tensor.empty() : tensor<1x200xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x200xf32>) -> tensor<1x200xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n,g,k)->(m,g,k)>, affine_map<(m,n,g,k)->(g,k,n)>, affine_map<(m,n,g,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction","reduction"]} ins(%x, %dw : tensor<1x5x96xbf16>, tensor<5x96x200xbf16>) outs(%f : tensor<1x200xf32>) {
  ^bb0(%a: bf16, %c: bf16, %o: f32):
    %ae = arith.extf %a : bf16 to f32
    %be = arith.extf %c : bf16 to f32
    %p = arith.mulf %ae, %be : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x200xf32>
  return %r : tensor<1x200xf32>
}
