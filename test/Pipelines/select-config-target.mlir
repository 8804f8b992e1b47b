// RUN: linalg-ext-opt %s --linalg-ext-select-config --split-input-file | FileCheck %s

// The instructions are those of the module's target. Of two that fit, the one
// with the longest sum is chosen. 128 threads are two subgroups of 64 lanes.

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#acc = affine_map<(i, j, k) -> (i, j)>

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<
      "lanes" = 64, "matrix_rows" = 16, "matrix_columns" = 16,
      "intrinsics" = ["mfma.m16n16k16.f32.f16", "mfma.m32n32k8.f32.f16"]>>} {
  // CHECK-LABEL: @two_instructions
  // CHECK: threads(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %c128
  // CHECK: vector.contract {{.*}}intrinsic = "mfma.m16n16k16.f32.f16", subgroups = [2, 1]
  func.func @two_instructions(%a: memref<64x16xf16>, %b: memref<16x64xf16>, %c: memref<64x64xf32>) {
    %one = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %zero = arith.constant 0 : index
    %f16 = arith.constant 0.0 : f16
    %f32 = arith.constant dense<0.0> : vector<64x64xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
               threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
      %x = vector.transfer_read %a[%zero, %zero], %f16 {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
      %y = vector.transfer_read %b[%zero, %zero], %f16 {in_bounds = [true, true]} : memref<16x64xf16>, vector<16x64xf16>
      %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %x, %y, %f32 : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
      vector.transfer_write %d, %c[%zero, %zero] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
      gpu.terminator
    }
    return
  }
}

// -----

// A chip without the longer instruction.

#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (k, j)>
#acc = affine_map<(i, j, k) -> (i, j)>

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<
      "lanes" = 64, "intrinsics" = ["mfma.m32n32k8.f32.f16"]>>} {
  // CHECK-LABEL: @one_instruction
  // CHECK: intrinsic = "mfma.m32n32k8.f32.f16", subgroups = [2, 1]
  func.func @one_instruction(%x: vector<64x16xf16>, %y: vector<16x64xf16>, %c: memref<64x64xf32>) {
    %one = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %zero = arith.constant 0 : index
    %f32 = arith.constant dense<0.0> : vector<64x64xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
               threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
      %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %x, %y, %f32 : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
      vector.transfer_write %d, %c[%zero, %zero] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
      gpu.terminator
    }
    return
  }
}
