// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=sm_90a \
// RUN:   --linalg-ext-tile-to-workgroups='versions-by-m=16,64 ways=sync,async,persistent' | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=sm_90a \
// RUN:   --linalg-ext-tile-to-workgroups='versions-by-m=16,64 ways=sync,roles' | FileCheck %s --check-prefix=ROLES

// Where a launch may take kernels with asynchronous products, these have the rows for
// which there is a synchronous kernel otherwise: 17 to 64.

// CHECK-LABEL: func.func @unknown_rows(
// CHECK:         scf.forall {{.*}} step (16, 128)
// CHECK-NOT:     scf.forall {{.*}} =
// CHECK:         scf.forall {{.*}} step (128, 256)
// CHECK:         scf.forall {{.*}} step (192, 128)
// CHECK:         scf.forall {{.*}} step (128, 128)
// CHECK:         scf.forall {{.*}} step (64, 128)
// CHECK:         alone = true
// CHECK:         scf.forall {{.*}} step (64, 128)
// CHECK:         way = "async"
// CHECK-NOT:     scf.forall {{.*}} =
// CHECK:         return
func.func @unknown_rows(%x: tensor<?x256xf16>, %w: tensor<256x512xf16>,
                        %out: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<?x256xf16>, tensor<256x512xf16>)
                     outs(%out : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %r : tensor<?x512xf32>
}

// -----

// With rows that are no multiple of 16 bytes, the synchronous kernel is left. Each
// loop has iterations only if none before it has.

// CHECK-LABEL: func.func @unknown_sizes(
// CHECK:         %[[MORE:.*]] = arith.cmpi sgt, %[[M:.*]], %c16
// CHECK:         %[[ALIGNED:.*]] = arith.andi
// CHECK:         %[[FEW:.*]] = arith.cmpi sle, %[[M]], %c64
// CHECK:         %[[OTHER_FEW:.*]] = arith.andi %{{.*}}, %[[FEW]]
// CHECK:         %[[MANY:.*]] = arith.cmpi sgt, %[[M]], %c64
// CHECK:         arith.andi %{{.*}}, %[[MANY]]
// CHECK:         %[[SPLIT:.*]] = arith.andi %[[OTHER_FEW]], %{{.*}} : i1
// CHECK:         scf.forall {{.*}} step (16, 128)
// CHECK:         way = "async"
// CHECK:         way = "roles"
// CHECK:         alone = true
// CHECK:         way = "async"
// CHECK:         scf.if %[[SPLIT]]
// CHECK:           scf.forall {{.*}} step (64, 128)
// CHECK-NOT:     vector_ext.kernel
// CHECK:         linalg.matmul
func.func @unknown_sizes(%x: tensor<?x?xf16>, %w: tensor<?x?xf16>,
                         %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<?x?xf16>, tensor<?x?xf16>)
                     outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A kernel that computes an operand is synchronous, and so is one that was refused in
// each other way: it keeps the tile of few rows.

// CHECK-LABEL: func.func @computed(
// CHECK:         scf.forall {{.*}} step (16, 16)
// CHECK:         scf.forall {{.*}} step (64, 128)
// CHECK-NOT:     vector_ext.kernel
// CHECK:         scf.forall {{.*}} =
func.func @computed(%x: tensor<?x256xf16>, %w: tensor<512x256xi8>,
                    %out: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %e = tensor.empty() : tensor<512x256xf16>
  %wide = linalg.generic {
      indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<512x256xi8>) outs(%e : tensor<512x256xf16>) {
  ^bb0(%a: i8, %o: f16):
    %f = arith.sitofp %a : i8 to f16
    linalg.yield %f : f16
  } -> tensor<512x256xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %wide : tensor<?x256xf16>, tensor<512x256xf16>) outs(%out : tensor<?x512xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %af = arith.extf %a : f16 to f32
    %bf = arith.extf %b : f16 to f32
    %p = arith.mulf %af, %bf : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x512xf32>
  return %r : tensor<?x512xf32>
}

// -----

// CHECK-LABEL: func.func @refused(
// CHECK:         scf.forall {{.*}} step (16, 128)
// CHECK:         scf.forall {{.*}} step (64, 128)
// CHECK-NOT:     vector_ext.kernel
// CHECK:         scf.forall {{.*}} =
module attributes {vector_ext.refused = [
    {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"},
    {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"},
    {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64,
     way = "roles"}]} {
  func.func @refused(%x: tensor<?x256xf16>, %w: tensor<256x512xf16>,
                     %out: tensor<?x512xf32>) -> tensor<?x512xf32> {
    %r = linalg.matmul ins(%x, %w : tensor<?x256xf16>, tensor<256x512xf16>)
                       outs(%out : tensor<?x512xf32>) -> tensor<?x512xf32>
    return %r : tensor<?x512xf32>
  }
}

// -----

// Workgroups dequantize weights in groups for few rows. Launches of many rows may store them
// in front, in a branch, and multiply them asynchronously; others are synchronous. The version
// of 64 rows has one tile of rows, so that the size of its chunks is a constant, and groups
// stay whole.

// CHECK-LABEL: func.func @dequantized(
// CHECK:         scf.forall {{.*}} to (%{{.*}}, 4096) step (16, 16)
// CHECK:         scf.forall {{.*}} to (%{{.*}}, 4096) step (64, 128)
// CHECK:         bufferization.alloc_tensor(%{{.*}}) : tensor<8x?x128xf32>
// CHECK-NEXT:    %{{.*}} = scf.forall (%{{.*}}) = (0) to (4096) step (512)
// CHECK:         scf.if
// CHECK:         %[[MEMORY:.*]] = bufferization.alloc_tensor() : tensor<4096x32x128xf16>
// CHECK:         %[[STORED:.*]] = scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (4096, 32, 128) {{.*}} shared_outs(%{{.*}} = %[[MEMORY]])
// CHECK:         %[[WEIGHTS:.*]] = tensor.collapse_shape %[[STORED]]
// CHECK:         scf.forall
// CHECK:         tensor.extract_slice %[[WEIGHTS]]
// CHECK:         way = "roles"
// CHECK:         scf.forall
// CHECK:         tensor.extract_slice %[[WEIGHTS]]
// CHECK:         way = "async"
// CHECK:         scf.forall {{.*}} step (128, 128)
// CHECK-NOT:     vector_ext.kernel
// CHECK:         return
func.func @dequantized(%x: tensor<?x4096xf16>, %w: tensor<4096x32x128xi8>, %s: tensor<4096x32xf16>,
                       %out: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %e = tensor.empty() : tensor<4096x32x128xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<4096x32x128xi8>, tensor<4096x32xf16>) outs(%e : tensor<4096x32x128xf16>) {
  ^bb0(%q: i8, %scale: f16, %o: f16):
    %f = arith.sitofp %q : i8 to f16
    %m = arith.mulf %f, %scale : f16
    linalg.yield %m : f16
  } -> tensor<4096x32x128xf16>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<4096x32x128xf16> into tensor<4096x4096xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c : tensor<?x4096xf16>, tensor<4096x4096xf16>) outs(%out : tensor<?x4096xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %u = arith.extf %a : f16 to f32
    %v = arith.extf %b : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}

// -----

// Eight products have enough tiles for all processors: each workgroup sums all elements.

#w = affine_map<(b, n, k) -> (b, n, k)>
#x = affine_map<(b, m, n, k) -> (b, m, k)>
#y = affine_map<(b, m, n, k) -> (b, n, k)>
#o = affine_map<(b, m, n, k) -> (b, m, n)>
// ROLES-LABEL: func.func @batch(
// ROLES:         scf.forall {{.*}} to (8, 16, 8192) step (1, 16, 128)
// ROLES-NOT:     scf.forall {{.*}} =
// ROLES:         way = "roles"
func.func @batch(%x: tensor<8x16x8192xf16>, %w: tensor<8x8192x8192xi8>,
                 %out: tensor<8x16x8192xf32>) -> tensor<8x16x8192xf32> {
  %e = tensor.empty() : tensor<8x8192x8192xf16>
  %c = linalg.generic {indexing_maps = [#w, #w], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<8x8192x8192xi8>) outs(%e : tensor<8x8192x8192xf16>) {
  ^bb0(%a: i8, %b: f16):
    %0 = arith.sitofp %a : i8 to f16
    linalg.yield %0 : f16
  } -> tensor<8x8192x8192xf16>
  %r = linalg.generic {indexing_maps = [#x, #y, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %c : tensor<8x16x8192xf16>, tensor<8x8192x8192xf16>) outs(%out : tensor<8x16x8192xf32>) {
  ^bb0(%a: f16, %b: f16, %s: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16x8192xf32>
  return %r : tensor<8x16x8192xf32>
}
