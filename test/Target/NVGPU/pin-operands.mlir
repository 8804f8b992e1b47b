// RUN: linalg-ext-opt %s --linalg-ext-nvgpu-register-workarounds=workarounds=pin-operands | FileCheck %s

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

gpu.module @kernels {
  // A loop carries an operand of an instruction, or a vector with this operand: it is pinned.

  // CHECK-LABEL: gpu.func @carried
  // CHECK: scf.for
  // CHECK: %[[NEXT:.*]] = arith.truncf %{{.*}} : vector<16xf32> to vector<16xf16>
  // CHECK: %[[WORDS:.*]] = vector.bitcast %[[NEXT]] : vector<16xf16> to vector<8xi32>
  // CHECK: %[[FIRST:.*]] = vector.extract %[[WORDS]][0]
  // CHECK: %[[ASM:.*]] = llvm.inline_asm has_side_effects {{.*}} "", "=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7" %[[FIRST]], {{.*}} -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
  // CHECK: %[[OUT:.*]] = llvm.extractvalue %[[ASM]][0]
  // CHECK: %[[PINNED:.*]] = vector.from_elements %[[OUT]], {{.*}} : vector<8xi32>
  // CHECK: %[[VALUE:.*]] = vector.bitcast %[[PINNED]] : vector<8xi32> to vector<16xf16>
  // CHECK: scf.yield %{{.*}}, %[[VALUE]], %{{.*}}
  gpu.func @carried(%in: memref<?xf32>, %out: memref<4xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %first = arith.constant dense<1.0> : vector<16xf16>
    %other = arith.constant dense<1.0> : vector<2xf16>
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %bt = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf16, #gpu.address_space<workgroup>>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %first, %q = %other) -> (vector<4xf32>, vector<16xf16>, vector<2xf16>) {
      %a = vector.extract_strided_slice %p {offsets = [0], sizes = [8], strides = [1]} : vector<16xf16> to vector<8xf16>
      %open = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %bt[%c0, %c0] in #b, %acc
         : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
      %e = vector.load %in[%i] : memref<?xf32>, vector<16xf32>
      %sum = vector_ext.await %open : vector<4xf32>
      %next = arith.truncf %e : vector<16xf32> to vector<16xf16>
      %r = arith.negf %q : vector<2xf16>
      scf.yield %sum, %next, %r : vector<4xf32>, vector<16xf16>, vector<2xf16>
    }
    vector.store %r#0, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }

  // A vector that is loaded for the next iteration is pinned as words.

  // CHECK-LABEL: gpu.func @loaded
  // CHECK: scf.for
  // CHECK: %[[NEXT:.*]] = vector.load %{{.*}} : memref<?xi8>, vector<8xi8>
  // CHECK: %[[WORDS:.*]] = vector.bitcast %[[NEXT]] : vector<8xi8> to vector<2xi32>
  // CHECK: llvm.inline_asm has_side_effects {{.*}} "", "=r,=r,0,1"
  // CHECK: %[[PINNED:.*]] = vector.from_elements %{{.*}} : vector<2xi32>
  // CHECK: %[[VALUE:.*]] = vector.bitcast %[[PINNED]] : vector<2xi32> to vector<2xi32>
  // CHECK: scf.yield %{{.*}}, %[[VALUE]]
  gpu.func @loaded(%in: memref<?xi8>, %out: memref<8xi8>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0> : vector<8xi8>
    %first = vector.load %in[%c0] : memref<?xi8>, vector<8xi8>
    %words = vector.bitcast %first : vector<8xi8> to vector<2xi32>
    %r:2 = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %zero, %w = %words) -> (vector<8xi8>, vector<2xi32>) {
      %at = arith.addi %i, %c8 : index
      %ahead = vector.load %in[%at] : memref<?xi8>, vector<8xi8>
      %next = vector.bitcast %ahead : vector<8xi8> to vector<2xi32>
      %x = vector.bitcast %w : vector<2xi32> to vector<8xi8>
      %s = arith.addi %sum, %x : vector<8xi8>
      scf.yield %s, %next : vector<8xi8>, vector<2xi32>
    }
    vector.store %r#0, %out[%c0] : memref<8xi8>, vector<8xi8>
    gpu.return
  }

  // A loop that carries only what no instruction reads.

  // CHECK-LABEL: gpu.func @negative_other
  // CHECK-NOT: llvm.inline_asm
  // CHECK: gpu.return
  gpu.func @negative_other(%out: memref<2xf16>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = arith.constant dense<1.0> : vector<2xf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %first) -> (vector<2xf16>) {
      %next = arith.negf %q : vector<2xf16>
      scf.yield %next : vector<2xf16>
    }
    vector.store %r, %out[%c0] : memref<2xf16>, vector<2xf16>
    gpu.return
  }
}
