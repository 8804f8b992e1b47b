// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_75 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not linalg-ext-opt %s --linalg-ext-gpu-to-nvvm=chip=gfx942 2>&1 | FileCheck %s --check-prefix=OTHER

// The pass replaces the description of another GPU, and no other device.
// CHECK: module attributes {dlti.target_system_spec = #dlti.target_system_spec<
// CHECK-SAME: "CPU" = #dlti.target_device_spec<"cores" = 4 : i64>
// CHECK-SAME: "GPU" = #dlti.target_device_spec<"lanes" = 32 : i64, "max_threads" = 1024 : i64, "processors" = 132 : i64
// CHECK-SAME: "async_rows" = 64 : i64
// CHECK-SAME: "intrinsics" = ["mma.sync.m16n8k16.f32.f16",
// CHECK-NOT: "lanes" = 64
// CHECK: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">]
// OLD: error: unknown chip: expected one of sm_80, {{.*}}, sm_90a, {{.*}}, got 'sm_75'
// OTHER: error: invalid option 'chip': expected one of sm_80, {{.*}}, got 'gfx942'
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"lanes" = 64 : i64>,
    "CPU" = #dlti.target_device_spec<"cores" = 4 : i64>>} {
gpu.module @kernels {
}
}
