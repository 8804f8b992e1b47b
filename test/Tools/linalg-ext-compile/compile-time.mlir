// Attention of dynamic batch and lengths, causal, becomes PTX in less than five
// seconds of a processor.

// RUN: bash -c 'ulimit -t 5; exec linalg-ext-compile %s --target=sm_90a --emit=ptx -o -' | FileCheck %s
// RUN: sed 's/x64x/x128x/g' %s > %t.128.mlir
// RUN: bash -c 'ulimit -t 5; exec linalg-ext-compile %t.128.mlir --target=sm_90a --emit=ptx -o -' | FileCheck %s

// A program that takes longer is ended.
// RUN: not --crash bash -c 'ulimit -t 1; exec %python -c "while True: pass"'

// CHECK: .entry attention_kernel
// CHECK: wgmma.mma_async

func.func @attention(%q: tensor<?x?x64xf16>, %k: tensor<?x?x64xf16>, %v: tensor<?x?x64xf16>) -> tensor<?x?x64xf16> {
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %scale = arith.constant 1.250000000e-01 : f32
  %ib = arith.constant 0 : index
  %sb = tensor.dim %q, %ib : tensor<?x?x64xf16>
  %im = arith.constant 1 : index
  %sm = tensor.dim %q, %im : tensor<?x?x64xf16>
  %in = arith.constant 1 : index
  %sn = tensor.dim %k, %in : tensor<?x?x64xf16>
  %e0 = tensor.empty(%sb, %sm, %sn) : tensor<?x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %qk = linalg.generic {indexing_maps = [affine_map<(b, m, n, d) -> (b, m, d)>, affine_map<(b, m, n, d) -> (b, n, d)>, affine_map<(b, m, n, d) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x64xf16>, tensor<?x?x64xf16>) outs(%f0 : tensor<?x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qk : tensor<?x?x?xf32>) outs(%e0 : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %scaled = arith.mulf %x, %scale : f32
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %visible = arith.cmpi ule, %n, %m : index
    %masked = arith.select %visible, %scaled, %hidden : f32
    linalg.yield %masked : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x?x?xf32>)
      outs(%e0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %ep = tensor.empty(%sb, %sm, %sn) : tensor<?x?x?xf16>
  %ph = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>,
      affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<?x?x?xf32>) outs(%ep : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x?xf16>
  %e1 = tensor.empty(%sb, %sm) : tensor<?x?x64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %pv = linalg.generic {indexing_maps = [affine_map<(b, m, n, d) -> (b, m, n)>, affine_map<(b, m, n, d) -> (b, n, d)>, affine_map<(b, m, n, d) -> (b, m, d)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%ph, %v : tensor<?x?x?xf16>, tensor<?x?x64xf16>) outs(%f1 : tensor<?x?x64xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x64xf32>
  %epv = tensor.empty(%sb, %sm) : tensor<?x?x64xf16>
  %pvh = linalg.generic {indexing_maps = [affine_map<(b, m, d) -> (b, m, d)>,
      affine_map<(b, m, d) -> (b, m, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pv : tensor<?x?x64xf32>) outs(%epv : tensor<?x?x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x64xf16>
  return %pvh : tensor<?x?x64xf16>
}
