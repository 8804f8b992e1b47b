// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' --split-input-file --verify-diagnostics

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// An arrangement that no descriptor has.
gpu.module @kernels {
  gpu.func @arrangement(%a: vector<8xf16>, %b: memref<192xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected an arrangement of 'rhs' that the instruction reads: rows are padded by 16 bytes}}
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in <[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 16, swizzle = [1, 4, 3]>, %c
       : vector<8xf16>, memref<192xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %1 = vector_ext.await %0 : vector<4xf32>
    gpu.return
  }
}

// -----

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// (R2)
gpu.module @kernels {
  gpu.func @no_wait(%a: vector<8xf16>, %b: memref<128xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected one use of an open result, got 0}}
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.return
  }
}

// -----

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// (R2)
gpu.module @kernels {
  gpu.func @read_early(%a: vector<8xf16>, %b: memref<128xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected an open result to be used in its block, by 'vector_ext.await' or as the accumulator of an instruction of the same shape}}
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    // expected-note @+1 {{got this use}}
    %1 = arith.addf %0, %c : vector<4xf32>
    gpu.return
  }
}

// -----

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// Other chips have no wgmma.
gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  gpu.func @chip(%a: vector<8xf16>, %b: memref<128xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{of 'wgmma.m64n8k16.f32.f16' expects the chip sm_90a, got sm_90}}
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %1 = vector_ext.await %0 : vector<4xf32>
    gpu.return
  }
}

// -----

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// (R3) Branches without products may be between a product and its wait. A loop may not.
gpu.module @kernels {
  gpu.func @wait_behind_a_loop(%a: vector<8xf16>, %b: memref<128xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>, %p: i1) {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{expected an open result to be used in its block, by 'vector_ext.await' or as the accumulator of an instruction of the same shape}}
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    cf.br ^loop
  ^loop:
    cf.cond_br %p, ^loop, ^end
  ^end:
    // expected-note @+1 {{got this use}}
    %1 = vector_ext.await %0 : vector<4xf32>
    gpu.return
  }
}

// -----

#a = #vector_ext.shared<[64, 16], order = [0, 1], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// (R2) A loop carries an open result, and another op reads it behind the loop.
gpu.module @kernels {
  gpu.func @carried(%at: memref<1024xf16, #gpu.address_space<workgroup>>, %bt: memref<128xf16, #gpu.address_space<workgroup>>, %out: memref<4xf32>, %acc: vector<4xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0, %acc : index, vector<4xf32>)
  ^head(%i: index, %sum: vector<4xf32>):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    // expected-error @+1 {{expected an open result to be used in its block, by 'vector_ext.await' or as the accumulator of an instruction of the same shape}}
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %sum
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    vector_ext.await_earlier %0 : vector<4xf32>
    %next = arith.addi %i, %c1 : index
    // expected-note @+1 {{got this use}}
    cf.br ^head(%next, %0 : index, vector<4xf32>)
  ^end:
    vector.store %sum, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

#a = #vector_ext.shared<[64, 16], order = [0, 1], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// (R2) A loop carries an open result, and two chains continue it.
gpu.module @kernels {
  gpu.func @carried_to_two(%at: memref<1024xf16, #gpu.address_space<workgroup>>, %bt: memref<128xf16, #gpu.address_space<workgroup>>, %out: memref<4xf32>, %acc: vector<4xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0, %acc : index, vector<4xf32>)
  ^head(%i: index, %sum: vector<4xf32>):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    // expected-error @+1 {{expected an open result to be used in its block, by 'vector_ext.await' or as the accumulator of an instruction of the same shape}}
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %sum
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %sum
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %2 = vector_ext.await %1 : vector<4xf32>
    vector.store %2, %out[%c0] : memref<4xf32>, vector<4xf32>
    %next = arith.addi %i, %c1 : index
    // expected-note @+1 {{got this use}}
    cf.br ^head(%next, %0 : index, vector<4xf32>)
  ^end:
    %3 = vector_ext.await %sum : vector<4xf32>
    vector.store %3, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}
