// What the tool says of programs that are fused, and that are not, and when a
// mark fails.

// RUN: linalg-ext-check-program %s --entry=attention --max-buffer-bytes=7360 \
// RUN:   --max-kernels=1 | FileCheck %s --check-prefix=FUSED
// FUSED: attention: cpu: fused; largest temporary {{[0-9]+}} bytes; error 0.{{[0-9]+}} of its bound
// FUSED: attention: gpu: fused; largest temporary {{[0-9]+}} bytes; kernels 1, scalar 0; error 0.{{[0-9]+}} of its bound

// Op by op.
// RUN: not linalg-ext-check-program %s --entry=attention --targets=cpu \
// RUN:   --cpu-options=fuse=false --max-buffer-bytes=7360 \
// RUN: | FileCheck %s --check-prefix=UNFUSED
// UNFUSED: attention: cpu: unfused (a temporary of 20044 bytes, at most 7360);
// UNFUSED-NEXT: expected fused
// RUN: linalg-ext-check-program %s --entry=attention --targets=cpu \
// RUN:   --cpu-options=fuse=false --max-buffer-bytes=7360 --expect=cpu:unfused \
// RUN:   --because="20044 bytes"
// RUN: not linalg-ext-check-program %s --entry=attention --targets=cpu \
// RUN:   --cpu-options=fuse=false --max-buffer-bytes=7360 --expect=cpu:unfused \
// RUN:   --because="kernels" | FileCheck %s --check-prefix=BECAUSE
// BECAUSE: expected the reason to contain 'kernels'

// A mark of a program that is fused.
// RUN: not linalg-ext-check-program %s --entry=attention --targets=cpu \
// RUN:   --max-buffer-bytes=7360 --expect=cpu:unfused \
// RUN: | FileCheck %s --check-prefix=BETTER
// BETTER: attention: cpu: fused
// BETTER-NEXT: expected unfused: better than its mark, which can be removed

// RUN: not linalg-ext-check-program %s --entry=attention --targets=gpu \
// RUN:   --max-kernels=0 | FileCheck %s --check-prefix=KERNELS
// KERNELS: attention: gpu: unfused (1 kernels, at most 0);

// One kernel, and no scalar code, but in tiles of the second choice.
// RUN: not linalg-ext-check-program %s --entry=double --targets=gpu \
// RUN:   --max-kernels=1 | FileCheck %s --check-prefix=FALLBACK
// FALLBACK: double: gpu: unfused (falls back to small tiles in one kernel or more: {{.*}} gives a thread {{.*}}; kernels 1, scalar 0;
// FALLBACK-NEXT: expected fused
// RUN: linalg-ext-check-program %s --entry=double --targets=gpu \
// RUN:   --expect=gpu:unfused --because="falls back"
// RUN: linalg-ext-check-program %s --entry=double --targets=gpu \
// RUN:   --may-fall-back="expected at most 512"
// RUN: not linalg-ext-check-program %s --entry=double --targets=gpu \
// RUN:   --may-fall-back="workgroup memory" | FileCheck %s --check-prefix=FALLBACK

// An error has the pass and its diagnostic.
// RUN: not linalg-ext-check-program %s --entry=attention --targets=cpu \
// RUN:   --cpu-options="levels=nonsense" | FileCheck %s --check-prefix=ERROR
// ERROR: attention: cpu: error (not compiled: linalg-ext-{{.*}}: {{.*}}nonsense

// A bound that says nothing is an error, whatever was computed.
// RUN: not linalg-ext-check-program %s --entry=cancels --targets=cpu \
// RUN: | FileCheck %s --check-prefix=VACUOUS
// VACUOUS: cancels: the bound says something of 0.000 of a result's elements, expected 0.500

// RUN: not linalg-ext-check-program %s --entry=none 2>&1 \
// RUN: | FileCheck %s --check-prefix=NONE
// NONE: no function to check
// RUN: not linalg-ext-check-program %s --expect=cpu:good 2>&1 \
// RUN: | FileCheck %s --check-prefix=STATE
// STATE: expected a target and a state like cpu:unfused, got 'cpu:good'
// RUN: not linalg-ext-check-program %s --targets=tpu 2>&1 \
// RUN: | FileCheck %s --check-prefix=TARGET
// TARGET: expected the targets cpu and gpu, got 'tpu'

func.func @attention(%q: tensor<3x37x16xf32>, %k: tensor<3x16x45xf32>,
                     %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x37x45xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>)
    outs(%f : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<3x37x45xf32>)
    outs(%e : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %e2 = tensor.empty() : tensor<3x37x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>)
    outs(%f2 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %o : tensor<3x37x16xf32>
}

func.func @double(%q: tensor<3x37x16xf64>, %k: tensor<3x16x45xf64>,
                     %v: tensor<3x45x16xf64>) -> tensor<3x37x16xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x37x45xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<3x37x45xf64>) -> tensor<3x37x45xf64>
  %s = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf64>, tensor<3x16x45xf64>)
    outs(%f : tensor<3x37x45xf64>) -> tensor<3x37x45xf64>
  %p = linalg.softmax dimension(2) ins(%s : tensor<3x37x45xf64>)
    outs(%e : tensor<3x37x45xf64>) -> tensor<3x37x45xf64>
  %e2 = tensor.empty() : tensor<3x37x16xf64>
  %f2 = linalg.fill ins(%zero : f64) outs(%e2 : tensor<3x37x16xf64>) -> tensor<3x37x16xf64>
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x37x45xf64>, tensor<3x45x16xf64>)
    outs(%f2 : tensor<3x37x16xf64>) -> tensor<3x37x16xf64>
  return %o : tensor<3x37x16xf64>
}

// (x + 1e9) - 1e9 in f32 is no number that a bound could hold to x.
func.func @cancels(%x: tensor<5xf32>) -> tensor<5xf32> {
  %c = arith.constant 1.0e9 : f32
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %c : f32
    %d = arith.subf %b, %c : f32
    linalg.yield %d : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}
