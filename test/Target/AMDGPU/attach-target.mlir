// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx90a | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx1201 | FileCheck %s --check-prefix=RDNA
// RUN: not linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx906 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not linalg-ext-opt %s --linalg-ext-gpu-to-rocdl=chip=sm_80 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: module attributes {dlti.target_system_spec = #dlti.target_system_spec<
// CHECK-SAME: "GPU" = #dlti.target_device_spec<"lanes" = 64 : i64, "max_threads" = 1024 : i64, "processors" = 110 : i64
// CHECK-SAME: "shared_bytes" = 65536 : i64
// CHECK-SAME: "matrix_loads" = 0 : i64, "async_copies" = 0 : i64, "async_rows" = 0 : i64
// CHECK-SAME: "intrinsics" = ["mfma.m16n16k16.f32.f16.transposed",
// CHECK: gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx90a">]
// RDNA: "lanes" = 32 : i64
// RDNA-SAME: "intrinsics" = ["wmma.gfx12.m16n16k16.f32.f8E4M3FN.transposed", {{.*}}"wmma.gfx12.m16n16k16.f32.f16.transposed",
// RDNA: gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx1201">]
// OLD: error: unknown chip: expected one of sm_80, {{.*}}, gfx90a, {{.*}}, got 'gfx906'
// OTHER: error: invalid option 'chip': expected one of gfx90a, {{.*}}, got 'sm_80'
gpu.module @kernels {
}
