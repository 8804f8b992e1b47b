// RUN: linalg-ext-opt %s --linalg-ext-nvgpu-attach-target=chip=sm_90a | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-nvgpu-attach-target=chip=sm_75 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not linalg-ext-opt %s --linalg-ext-gpu-to-nvvm=chip=gfx942 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]
// OLD: error: unknown chip: expected one of sm_80, {{.*}}, sm_90a, {{.*}}, got 'sm_75'
// OTHER: error: invalid option 'chip': expected one of sm_80, {{.*}}, got 'gfx942'
gpu.module @kernels {
}
