// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=wait | FileCheck %s

// A kernel for several chips waits if each of them has the instruction.

// CHECK-LABEL: gpu.module @later
// CHECK: nvvm.griddepcontrol wait
gpu.module @later [#nvvm.target<chip = "sm_100a">, #nvvm.target<chip = "sm_90">] {
  gpu.func @f(%a: memref<f32>, %x: f32) kernel {
    memref.store %x, %a[] : memref<f32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @negative_older
// CHECK-NOT: griddepcontrol
gpu.module @negative_older [#nvvm.target<chip = "sm_90">, #nvvm.target<chip = "sm_80">] {
  gpu.func @f(%a: memref<f32>, %x: f32) kernel {
    memref.store %x, %a[] : memref<f32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @negative_others
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return
gpu.module @negative_others [#nvvm.target<chip = "sm_90">, #rocdl.target<chip = "gfx942">] {
  gpu.func @f(%a: memref<f32>, %x: f32) kernel {
    memref.store %x, %a[] : memref<f32>
    gpu.return
  }
}
