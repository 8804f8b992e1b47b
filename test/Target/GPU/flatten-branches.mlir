// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches --canonicalize | FileCheck %s

// A grid of none where the branch is not taken; a buffer of no size.

// CHECK-LABEL: func.func @host_knows
// CHECK-SAME:    %[[A:[^:]*]]: memref<?xf32>, %[[C:[^:]*]]: i1, %[[N:[^:]*]]: index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NOT:     scf.if
// CHECK:         %[[SIZE:.*]] = arith.select %[[C]], %[[N]], %[[C0]]
// CHECK-NEXT:    memref.alloc(%[[SIZE]])
// CHECK-NEXT:    %[[THEN:.*]] = arith.select %[[C]], %[[N]], %[[C0]]
// CHECK-NEXT:    gpu.launch blocks({{.*}}) in (%{{.*}} = %[[THEN]],
// CHECK:         %[[ELSE:.*]] = arith.select %[[C]], %[[C0]], %c1
// CHECK:         gpu.launch blocks({{.*}}) in (%{{.*}} = %[[ELSE]],
// CHECK:         memref.dealloc
func.func @host_knows(%a: memref<?xf32>, %c: i1, %n: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.if %c {
    %t = memref.alloc(%n) : memref<?xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %t[%bx] : memref<?xf32>
      %v = memref.load %t[%bx] : memref<?xf32>
      memref.store %v, %a[%bx] : memref<?xf32>
      gpu.terminator
    }
    memref.dealloc %t : memref<?xf32>
  } else {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %a[%bx] : memref<?xf32>
      gpu.terminator
    }
  }
  return
}

// Only the device knows: its threads do nothing.

// CHECK-LABEL: func.func @device_knows
// CHECK:         %[[C:.*]] = memref.load
// CHECK:         gpu.launch
// CHECK-NEXT:      scf.if %[[C]] {
// CHECK-NEXT:        memref.store
// CHECK-NEXT:      }
// CHECK-NEXT:      gpu.terminator
func.func @device_knows(%a: memref<8xf32>, %m: memref<i1>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %c = memref.load %m[] : memref<i1>
  scf.if %c {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %a[%bx] : memref<8xf32>
      gpu.terminator
    }
  }
  return
}

// Nested, with a number as a result.

// CHECK-LABEL: func.func @nested
// CHECK-NOT:     scf.if
// CHECK:         %[[BOTH:.*]] = arith.select %arg2, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    %[[GRID:.*]] = arith.select %arg1, %[[BOTH]], %{{.*}} : index
// CHECK-NEXT:    gpu.launch blocks({{.*}}) in (%{{.*}} = %[[GRID]],
// CHECK:         arith.select %arg1
// CHECK:         gpu.launch
func.func @nested(%a: memref<8xf32>, %c: i1, %d: i1, %n: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.if %c -> index {
    scf.if %d {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
        memref.store %zero, %a[%bx] : memref<8xf32>
        gpu.terminator
      }
    }
    scf.yield %n : index
  } else {
    scf.yield %c1 : index
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %r, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %zero, %a[%bx] : memref<8xf32>
    gpu.terminator
  }
  return
}

// A buffer cannot be chosen, and a copy is no launch.

// CHECK-LABEL: func.func @negative_buffer
// CHECK:         scf.if
// CHECK-LABEL: func.func @negative_copy
// CHECK:         scf.if
func.func @negative_buffer(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.if %c -> memref<8xf32> {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %a[%bx] : memref<8xf32>
      gpu.terminator
    }
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %b : memref<8xf32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %zero, %r[%bx] : memref<8xf32>
    gpu.terminator
  }
  return
}
func.func @negative_copy(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.if %c {
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %a[%bx] : memref<8xf32>
      gpu.terminator
    }
  }
  return
}

// A kernel of several blocks cannot be put into a branch.

// CHECK-LABEL: func.func @negative_blocks
// CHECK:         scf.if
// CHECK-NEXT:      gpu.launch
func.func @negative_blocks(%a: memref<8xf32>, %m: memref<i1>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %c = memref.load %m[] : memref<i1>
  scf.if %c {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %b = arith.cmpi ult, %bx, %c1 : index
      cf.cond_br %b, ^bb1, ^bb2
    ^bb1:
      memref.store %zero, %a[%bx] : memref<8xf32>
      cf.br ^bb2
    ^bb2:
      gpu.terminator
    }
  }
  return
}

// What a branch frees, and has not allocated, is freed in one case only.

// CHECK-LABEL: func.func @negative_dealloc
// CHECK:         scf.if
func.func @negative_dealloc(%a: memref<8xf32>, %t: memref<8xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.if %c {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %a[%bx] : memref<8xf32>
      gpu.terminator
    }
    memref.dealloc %t : memref<8xf32>
  }
  return
}

// There may be no element n if the branch is not taken; for the launch it does
// not matter, which then has no workgroups.

// CHECK-LABEL: func.func @load_for_launch
// CHECK-NOT:     scf.if
// CHECK-LABEL: func.func @load_in_bounds
// CHECK-NOT:     scf.if
// CHECK-LABEL: func.func @negative_load
// CHECK:         scf.if
func.func @load_for_launch(%a: memref<8xf32>, %x: memref<?xf32>, %c: i1, %n: index) {
  %c1 = arith.constant 1 : index
  scf.if %c {
    %v = memref.load %x[%n] : memref<?xf32>
    %w = arith.negf %v : f32
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %w, %a[%bx] : memref<8xf32>
      gpu.terminator
    }
  }
  return
}
func.func @load_in_bounds(%a: memref<8xf32>, %c: i1) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.if %c -> f32 {
    %v = memref.load %a[%c1] : memref<8xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %v, %a[%bx] : memref<8xf32>
      gpu.terminator
    }
    scf.yield %v : f32
  } else {
    scf.yield %zero : f32
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %r, %a[%bx] : memref<8xf32>
    gpu.terminator
  }
  return
}
func.func @negative_load(%a: memref<8xf32>, %x: memref<?xf32>, %c: i1, %n: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.if %c -> f32 {
    %v = memref.load %x[%n] : memref<?xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %v, %a[%bx] : memref<8xf32>
      gpu.terminator
    }
    scf.yield %v : f32
  } else {
    scf.yield %zero : f32
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %r, %a[%bx] : memref<8xf32>
    gpu.terminator
  }
  return
}

// A view of a buffer of no size has none, either.

// CHECK-LABEL: func.func @views
// CHECK-SAME:    %[[C:[^:]*]]: i1, %[[N:[^:]*]]: index, %[[K:[^:]*]]: index
// CHECK-NOT:     scf.if
// CHECK:         %[[ROWS:.*]] = arith.select %[[C]], %[[N]], %{{.*}} : index
// CHECK-NEXT:    %[[ALLOC:.*]] = memref.alloc(%[[ROWS]], %[[K]])
// CHECK-NEXT:    %[[VIEWED:.*]] = arith.select %[[C]], %[[N]], %{{.*}} : index
// CHECK-NEXT:    memref.subview %[[ALLOC]][0, 0] [%[[VIEWED]], 40] [1, 1]
func.func @views(%c: i1, %n: index, %k: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.if %c {
    %t = memref.alloc(%n, %k) : memref<?x?xf32>
    %v = memref.subview %t[0, 0] [%n, 40] [1, 1] : memref<?x?xf32> to memref<?x40xf32, strided<[?, 1]>>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %v[%bx, %c1] : memref<?x40xf32, strided<[?, 1]>>
      gpu.terminator
    }
    memref.dealloc %t : memref<?x?xf32>
  }
  return
}

// A division by a positive number leaves the branch, and another one does not.

// CHECK-LABEL: func.func @divides
// CHECK:         %[[PART:.*]] = arith.divui
// CHECK-NOT:     scf.if
// CHECK:         arith.select %{{.*}}, %[[PART]], %c0

// CHECK-LABEL: func.func @negative_divides
// CHECK:         scf.if
// CHECK:         arith.divui
func.func @divides(%a: memref<?xf32>, %c: i1, %n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.if %c {
    %positive = arith.maxsi %m, %c1 : index
    %part = arith.divui %n, %positive : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %part, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %a[%bx] : memref<?xf32>
      gpu.terminator
    }
  }
  return
}

func.func @negative_divides(%a: memref<?xf32>, %c: i1, %n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.if %c {
    %part = arith.divui %n, %m : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %part, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %a[%bx] : memref<?xf32>
      gpu.terminator
    }
  }
  return
}
