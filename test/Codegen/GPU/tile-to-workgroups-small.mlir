// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a \
// RUN:   --linalg-ext-tile-to-workgroups='versions-by-m=16,64 ways=sync,async,persistent' | FileCheck %s

// A kernel that was refused as it is synchronous has small tiles, and no other way.

// CHECK-LABEL: func.func @small(
// CHECK:         scf.forall {{.*}} to (512, 512) step (16, 16)
// CHECK:           scf.for {{.*}} step %c16
// CHECK:         way = "sync"
// CHECK-NOT:     scf.forall {{.*}} =
// CHECK:         return
module attributes {vector_ext.refused = [
    {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "sync"}]} {
  func.func @small(%x: tensor<512x256xf16>, %w: tensor<256x512xf16>, %out: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %r = linalg.matmul ins(%x, %w : tensor<512x256xf16>, tensor<256x512xf16>) outs(%out : tensor<512x512xf32>) -> tensor<512x512xf32>
    return %r : tensor<512x512xf32>
  }
}
