// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx2 --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target='chip=neoverse-v1 l1-bytes=4096 l2-bytes=65536' --split-input-file | FileCheck %s --check-prefix=SVE
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=generic --split-input-file | FileCheck %s --check-prefix=GENERIC --implicit-check-not=features
// RUN: not linalg-ext-opt %s --linalg-ext-attach-target='chip=avx2 l2-bytes=4096' 2>&1 | FileCheck %s --check-prefix=CACHES
// RUN: not linalg-ext-opt %s --linalg-ext-attach-target='chip=avx2 l1-bytes=-1' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not linalg-ext-opt %s --linalg-ext-attach-target='chip=sm_80 l1-bytes=4096' 2>&1 | FileCheck %s --check-prefix=GPU

// CACHES: error: expected 'l2_bytes' of the device 'CPU' to be at least 'l1_bytes', got 4096 : i64
// NEGATIVE: error: expected 'l1-bytes' and 'l2-bytes' not to be negative, got -1 and 0
// GPU: error: expected 'l1-bytes' and 'l2-bytes' only of a CPU, got the chip sm_80
// RUN: not linalg-ext-opt %s --linalg-ext-attach-target='chip=generic processors=8' 2>&1 | FileCheck %s --check-prefix=CPU-PROCESSORS
// CPU-PROCESSORS: error: expected 'processors' only of a GPU, got the chip generic
// RUN: not linalg-ext-opt %s --linalg-ext-attach-target='chip=sm_90a processors=-1' 2>&1 | FileCheck %s --check-prefix=NEGATIVE-PROCESSORS
// NEGATIVE-PROCESSORS: error: expected 'processors' not to be negative, got -1
// RUN: linalg-ext-opt %s --linalg-ext-attach-target='chip=sm_90a processors=114' | FileCheck %s --check-prefix=PROCESSORS
// PROCESSORS: "processors" = 114 : i64

// CHECK: module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<
// CHECK-SAME: "vector_bits" = 256 : i64, "vector_registers" = 16 : i64, "shuffle_bits" = 128 : i64,
// CHECK-SAME: "converts_f16" = 1 : i64, "broadcasts_f16" = 1 : i64, "avx512" = 0 : i64, "dot_bf16" = 0 : i64, "byte_dot" = 1 : i64, "sve" = 0 : i64,
// CHECK-SAME: "l1_bytes" = 32768 : i64, "l2_bytes" = 524288 : i64,
// CHECK-SAME: "name" = "x86-64-v3", "features" = ["+avx2", "+fma", "+f16c"]>>}
// SVE: "vector_bits" = 256 : i64, "vector_registers" = 32 : i64, "shuffle_bits" = 256 : i64,
// SVE-SAME: "broadcasts_f16" = 0 : i64,
// SVE-SAME: "sve" = 1 : i64, "l1_bytes" = 4096 : i64, "l2_bytes" = 65536 : i64, "name" = "neoverse-v1"
// GENERIC: "vector_bits" = 128 : i64, {{.*}}"converts_f16" = 0 : i64, "broadcasts_f16" = 0 : i64,
module {
}

// -----

// Another description of a CPU is replaced. Other devices stay.

// CHECK: module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"lanes" = 64 : i64>,
// CHECK-SAME: "CPU" = #dlti.target_device_spec<"vector_bits" = 256 : i64
// CHECK-NOT: 1024 : i64
// GENERIC: "vector_bits" = 128 : i64
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"vector_bits" = 1024>,
    "GPU" = #dlti.target_device_spec<"lanes" = 64>>} {
}
