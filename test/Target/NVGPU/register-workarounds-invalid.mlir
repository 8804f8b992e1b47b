// RUN: not linalg-ext-opt %s --linalg-ext-nvgpu-register-workarounds=workarounds=min-workgroups,spill -o /dev/null 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-nvgpu-register-workarounds | FileCheck %s --check-prefix=ALL

// CHECK: error: invalid option 'workarounds': expected recompute-after-loops, hide-induction-variables, recompute-swizzles, order-updates, pin-operands, keep-branches, predicate-loads, fetch-lines, free-slots, min-workgroups, got 'spill'

// ALL: gpu.func @f() kernel attributes {{{.*}}nvvm.minctasm = 3 : i32
gpu.module @kernels {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>, workgroup_bytes = 73728 : i64} {
    gpu.return
  }
}
