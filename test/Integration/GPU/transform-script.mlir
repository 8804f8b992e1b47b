// The transform script of docs/GPU.md, as it stands there: the kernel is right, by the
// SIMT interpreter and a result in closed form, and becomes PTX.

// RUN: sed -n '/^## The same by a transform script/,/^## Options/p' %src_root/docs/GPU.md | sed -n '/^```mlir/,/^```$/p' | grep -v '^```' > %t.script.mlir
// RUN: linalg-ext-opt %s --transform-preload-library='transform-library-paths=%t.script.mlir' --transform-interpreter -o %t.launch.mlir
// RUN: linalg-ext-simt-runner %t.launch.mlir | FileCheck %s --check-prefix=WRONG
// RUN: FileCheck %s < %t.launch.mlir

// WRONG: {{^}}0{{$}}

// CHECK-LABEL: func.func private @attention
// CHECK-NOT:     70x130x
// CHECK:         gpu.launch
// CHECK:           nvgpu.ldmatrix
// CHECK:           nvgpu.mma.sync
// CHECK-NOT:     vector<32x64xf32>
// CHECK-NOT:     70x130x
// CHECK:       func.func @main

// The function alone, public, as far as PTX.
// RUN: sed -e '/^\/\/ Key j/,$d' -e 's/func.func private @attention/func.func @attention/' %s > %t.alone.mlir
// RUN: linalg-ext-opt %t.alone.mlir --transform-preload-library='transform-library-paths=%t.script.mlir' --transform-interpreter --linalg-ext-gpu-to-nvvm='chip=sm_90a' | FileCheck %s --check-prefix=PTX

// PTX: launch_manifest
// PTX: gpu.binary @kernels
// PTX-SAME: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

#q = affine_map<(m, k, d) -> (m, d)>
#k = affine_map<(m, k, d) -> (k, d)>
#s = affine_map<(m, k, d) -> (m, k)>
#p = affine_map<(m, d, k) -> (m, k)>
#v = affine_map<(m, d, k) -> (k, d)>
#o = affine_map<(m, d, k) -> (m, d)>
func.func private @attention(%q: tensor<70x64xf16>, %k: tensor<130x64xf16>, %v: tensor<130x64xf16>) -> tensor<70x64xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<70x130xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<70x130xf32>) -> tensor<70x130xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<70x64xf16>, tensor<130x64xf16>) outs(%s0 : tensor<70x130xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %ax = arith.extf %a : f16 to f32
    %bx = arith.extf %b : f16 to f32
    %ab = arith.mulf %ax, %bx : f32
    %sum = arith.addf %c, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<70x130xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<70x130xf32>) outs(%se : tensor<70x130xf32>) -> tensor<70x130xf32>
  %he = tensor.empty() : tensor<70x130xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<70x130xf32>) outs(%he : tensor<70x130xf16>) {
  ^bb0(%a: f32, %c: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<70x130xf16>
  %oe = tensor.empty() : tensor<70x64xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<70x64xf32>) -> tensor<70x64xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %v : tensor<70x130xf16>, tensor<130x64xf16>) outs(%o0 : tensor<70x64xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %ax = arith.extf %a : f16 to f32
    %bx = arith.extf %b : f16 to f32
    %ab = arith.mulf %ax, %bx : f32
    %sum = arith.addf %c, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<70x64xf32>
  return %o : tensor<70x64xf32>
}

// Key j has the score ln(j + 1), and so the weight (j + 1) / 8515; its value is j
// everywhere. Each row of the result is the sum of j (j + 1) / 8515, which is 86.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = arith.constant 70 : index
  %N = arith.constant 130 : index
  %D = arith.constant 64 : index
  %q = memref.alloc() : memref<70x64xf16>
  %k = memref.alloc() : memref<130x64xf16>
  %v = memref.alloc() : memref<130x64xf16>
  %one = arith.constant 1.0 : f16
  %share = arith.constant 64.0 : f32
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %D step %c1 {
      memref.store %one, %q[%i, %j] : memref<70x64xf16>
    }
  }
  scf.for %i = %c0 to %N step %c1 {
    scf.for %j = %c0 to %D step %c1 {
      %i1 = arith.addi %i, %c1 : index
      %ii = arith.index_cast %i1 : index to i32
      %x = arith.sitofp %ii : i32 to f32
      %ln = math.log %x : f32
      %part = arith.divf %ln, %share : f32
      %ph = arith.truncf %part : f32 to f16
      memref.store %ph, %k[%i, %j] : memref<130x64xf16>
      %i0 = arith.index_cast %i : index to i32
      %y = arith.sitofp %i0 : i32 to f32
      %yh = arith.truncf %y : f32 to f16
      memref.store %yh, %v[%i, %j] : memref<130x64xf16>
    }
  }
  %qt = bufferization.to_tensor %q restrict : memref<70x64xf16> to tensor<70x64xf16>
  %kt = bufferization.to_tensor %k restrict : memref<130x64xf16> to tensor<130x64xf16>
  %vt = bufferization.to_tensor %v restrict : memref<130x64xf16> to tensor<130x64xf16>
  %o = func.call @attention(%qt, %kt, %vt) : (tensor<70x64xf16>, tensor<130x64xf16>, tensor<130x64xf16>) -> tensor<70x64xf32>
  // How many elements are further than 0.1 from it.
  %want = arith.constant 86.0 : f32
  %bound = arith.constant 0.1 : f32
  %none = arith.constant 0 : i32
  %some = arith.constant 1 : i32
  %wrong = scf.for %i = %c0 to %M step %c1 iter_args(%n = %none) -> i32 {
    %inner = scf.for %j = %c0 to %D step %c1 iter_args(%l = %n) -> i32 {
      %x = tensor.extract %o[%i, %j] : tensor<70x64xf32>
      %d = arith.subf %x, %want : f32
      %a = math.absf %d : f32
      %right = arith.cmpf olt, %a, %bound : f32
      %more = arith.select %right, %none, %some : i32
      %next = arith.addi %l, %more : i32
      scf.yield %next : i32
    }
    scf.yield %inner : i32
  }
  vector.print %wrong : i32
  return
}
