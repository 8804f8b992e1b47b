// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --linalg-ext-gpu-pipeline-loops --split-input-file | FileCheck %s

// Two tiles in turns: each is read before the barrier of the other one.

!lds = memref<64xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.func @turns
// CHECK:       scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.load
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.load
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.yield
gpu.module @kernels {
  gpu.func @turns(%n: index, %x: f16, %at: index, %from: index, %zero: f16) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k = memref.alloc() : !lds
    %v = memref.alloc() : !lds
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f16 {
      gpu.barrier
      memref.store %x, %k[%at] : !lds
      gpu.barrier
      %b = memref.load %k[%from] : !lds
      %c = arith.addf %a, %b : f16
      gpu.barrier
      memref.store %c, %v[%at] : !lds
      gpu.barrier
      %d = memref.load %v[%from] : !lds
      scf.yield %d : f16
    }
    gpu.return
  }
}

// -----

// One tile is read until the end of an iteration.

!lds = memref<64xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.func @negative_one_tile
// CHECK:       scf.for
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.load
gpu.module @kernels {
  gpu.func @negative_one_tile(%n: index, %x: f16, %at: index, %from: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k = memref.alloc() : !lds
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
      memref.store %x, %k[%at] : !lds
      gpu.barrier
      %b = memref.load %k[%from] : !lds
      memref.store %b, %k[%from] : !lds
    }
    gpu.return
  }
}

// -----

// A tile that is read before the loop, and, through a view, one that is read
// behind it.

!lds = memref<64xf16, #gpu.address_space<workgroup>>
!bytes = memref<128xi8, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.func @negative_outside
// CHECK:       scf.for
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.load
// CHECK:         gpu.barrier
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:  }
gpu.module @kernels {
  gpu.func @negative_outside(%n: index, %x: f16, %at: index, %from: index, %out: memref<?xf16>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k = memref.alloc() : !lds
    %v = memref.alloc() : !bytes
    %view = memref.view %v[%c0][] : !bytes to !lds
    %first = memref.load %k[%from] : !lds
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
      memref.store %first, %k[%at] : !lds
      gpu.barrier
      %b = memref.load %k[%from] : !lds
      %old = memref.load %view[%from] : !lds
      %c = arith.addf %old, %b : f16
      gpu.barrier
      memref.store %c, %view[%at] : !lds
      gpu.barrier
    }
    %again = memref.view %v[%c0][] : !bytes to !lds
    %last = memref.load %again[%from] : !lds
    memref.store %last, %out[%at] : memref<?xf16>
    gpu.return
  }
}

// -----

// Threads may read what others write to global memory.

!lds = memref<64xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.func @negative_global
// CHECK:       scf.for
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    gpu.barrier
gpu.module @kernels {
  gpu.func @negative_global(%n: index, %x: f16, %at: index, %from: index, %out: memref<?xf16>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
      memref.store %x, %out[%at] : memref<?xf16>
      gpu.barrier
      %b = memref.load %out[%from] : memref<?xf16>
      memref.store %b, %out[%i] : memref<?xf16>
    }
    gpu.return
  }
}
