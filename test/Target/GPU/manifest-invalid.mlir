// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --linalg-ext-gpu-manifest --split-input-file --verify-diagnostics

// expected-error @+1 {{expected results as arguments (out-params), got 1 results}}
func.func @result(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// -----

func.func @loop_of_floats(%a: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op cannot be expressed in a manifest: expected a loop around kernels to carry integers, and buffers in place, got 'f32'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %x) -> f32 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %f, %a[%tx] : memref<?xf32>
      gpu.terminator
    }
    %g = arith.addf %f, %f : f32
    scf.yield %g : f32
  }
  return
}

// -----

// A kernel computes whether to go on.
func.func @until(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 1.0 : f32
  // expected-error @+2 {{'memref.load' op cannot be expressed in a manifest: what is launched depends on memory of the device. Expected sizes, scalar arguments, and the element of an argument with one integer that no kernel writes}}
  scf.while : () -> () {
    %v = memref.load %a[%c0] : memref<4xf32>
    %c = arith.cmpf olt, %v, %most : f32
    scf.condition(%c)
  } do {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %most, %a[%tx] : memref<4xf32>
      gpu.terminator
    }
    scf.yield
  }
  return
}

// -----

// The condition has a kernel.
func.func @kernel_in_condition(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{'scf.while' op cannot be expressed in a manifest: a kernel computes whether the loop goes on. Expected a condition of sizes, scalar arguments and integers that are counted}}
  %r = scf.while (%i = %c0) : (index) -> index {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %one, %a[%tx] : memref<4xf32>
      gpu.terminator
    }
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----

func.func @assertion_in_loop(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %c = arith.cmpi slt, %i, %n : index
    // expected-error @+1 {{'cf.assert' op cannot be expressed in a manifest: expected assertions in front of loops around kernels}}
    cf.assert %c, "small"
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %a[%bx] : memref<4xf32>
      memref.store %v, %a[%tx] : memref<4xf32>
      gpu.terminator
    }
  }
  return
}

// -----

// The result of a loop.
func.func @assertion_behind_loop(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c1) -> index {
    %k2 = arith.addi %k, %k : index
    scf.yield %k2 : index
  }
  %c = arith.cmpi slt, %r, %n : index
  // expected-error @+1 {{'cf.assert' op cannot be expressed in a manifest: expected a condition that depends on no loop}}
  cf.assert %c, "small"
  return
}

// -----

func.func @load(%a: memref<4xf32>, %n: memref<2xindex>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'memref.load' op cannot be expressed in a manifest: what is launched depends on memory of the device. Expected sizes, scalar arguments, and the element of an argument with one integer that no kernel writes}}
  %grid = memref.load %n[%c1] : memref<2xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<4xf32>
    memref.store %v, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

// The launcher reads the number before it launches what writes it.
func.func @element_that_a_kernel_writes(%a: memref<4xf32>, %n: memref<i32>) {
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %two, %n[] : memref<i32>
    gpu.terminator
  }
  // expected-error @+1 {{'memref.load' op cannot be expressed in a manifest: what is launched depends on memory of the device. Expected sizes, scalar arguments, and the element of an argument with one integer that no kernel writes}}
  %number = memref.load %n[] : memref<i32>
  %grid = arith.index_cast %number : i32 to index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<4xf32>
    memref.store %v, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

// The strides of the argument are not those of a dense buffer.
func.func @offset_of_part(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %c: memref<4xf32>, %k: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'memref.subview' op cannot be expressed in a manifest: expected the offset of an argument, or of a part of a dense buffer}}
  %p = memref.subview %a[%k, 0] [1, 4] [1, 1] : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  %base, %x, %size, %stride = memref.extract_strided_metadata %p : memref<4xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %x, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %c[%bx] : memref<4xf32>
    memref.store %v, %c[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

// The host does not write to memory of the device.
func.func @store(%a: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'memref.store' op cannot be expressed in a manifest: expected launches, allocations, assertions, integer arithmetic and loops around these}}
  memref.store %x, %a[%c0] : memref<4xf32>
  return
}

// -----

func.func @xor(%a: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'arith.xori' op cannot be expressed in a manifest: expected constants, sizes and strides of buffers, sums, products, quotients, minima and maxima of integers, and comparisons}}
  %grid = arith.xori %n, %c1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<4xf32>
    memref.store %v, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

// A buffer is chosen.
func.func @select(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'arith.select' op cannot be expressed in a manifest: expected an argument, an allocation, or a reshape of one}}
  %d = arith.select %c, %a, %b : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %d[%bx] : memref<4xf32>
    memref.store %v, %d[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

// expected-error @+1 {{expected buffers of numbers with strides, got 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>'}}
func.func @layout(%a: memref<4xf32, affine_map<(i) -> (i floordiv 2)>>) {
  return
}

// -----

func.func @size_of_subview(%a: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'memref.subview' op cannot be expressed in a manifest: expected the size of an argument, an allocation or a reshape}}
  %b = memref.subview %a[0, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1]>>
  %grid = memref.dim %b, %c0 : memref<?xf32, strided<[1]>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx, %c0] : memref<?x?xf32>
    memref.store %v, %a[%tx, %c0] : memref<?x?xf32>
    gpu.terminator
  }
  return
}

// -----

// expected-error @+1 {{expected buffers, integers and floats as arguments, got 'vector<4xf32>'}}
func.func @vector(%a: vector<4xf32>) {
  return
}

// -----

func.func @temporary_of_vectors(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'memref.alloc' op expected a buffer of numbers with the identity layout, got 'memref<4xvector<4xf32>>'}}
  %b = memref.alloc() : memref<4xvector<4xf32>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %b[%bx] : memref<4xvector<4xf32>>
    memref.store %v, %b[%tx] : memref<4xvector<4xf32>>
    gpu.terminator
  }
  return
}

// -----

func.func @tokens(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected a launch in order, without tokens}}
  %token = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<4xf32>
    memref.store %v, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @unknown_cluster(%a: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected a known number of workgroups of a cluster}}
  gpu.launch clusters(%cx, %cy, %cz) in (%kx = %n, %ky = %c1, %kz = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<4xf32>
    memref.store %v, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @size_of_unranked(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.cast %a : memref<?xf32> to memref<*xf32>
  // expected-error @+1 {{expected a ranked buffer, got 'memref<*xf32>'}}
  %grid = memref.dim %b, %c0 : memref<*xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<?xf32>
    memref.store %v, %a[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @strides_of_temporary(%a: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  // expected-error @+1 {{'memref.extract_strided_metadata' op cannot be expressed in a manifest: expected the strides of an argument}}
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %b : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %strides#0, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %b[%bx, %bx] : memref<?x?xf32>
    memref.store %v, %a[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64xf16, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>

func.func @unknown_tensor_map(%a: memref<*xf16>, %b: memref<4xf16>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %map = nvgpu.tma.create.descriptor %a box[%c64] : memref<*xf16> -> !map
  // expected-error @+1 {{expected the tensor map of a dense buffer, or of the first elements of its dimensions, as a kernel argument, got}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.terminator
  }
  return
}
