// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=0' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse --split-input-file | FileCheck %s --check-prefix=CPU
// RUN: linalg-ext-opt %s --linalg-ext-to-gpu-tiles='rows=0 keys=0 split=0 reduction=64' --split-input-file | FileCheck %s --check-prefix=TILES

#mk = affine_map<(d0, d1, d2) -> (d0, d2)>
#nk = affine_map<(d0, d1, d2) -> (d1, d2)>
#mn = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#id1 = affine_map<(d0) -> (d0)>

// The log-sum-exp of a product, and one element of each row of it: one loop over
// tiles of the product. Chunks of columns are workgroups of their own, for 16 of
// them to use all processors. On a CPU there is a loop over all columns.

// CHECK-LABEL: func.func @loss
//       CHECK: scf.forall {{.*}} step (128)
//       CHECK:   scf.forall
//       CHECK:     scf.for {{.*}} step %c128
//       CHECK:       linalg.generic {{.*}} ["parallel", "parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<128x?xf32>)
//       CHECK:       arith.maximumf
//       CHECK:       math.exp
//       CHECK:       arith.cmpi eq
//   CHECK-NOT: tensor<2048x32000xf32>
//       CHECK: return

// CPU-LABEL: func.func @loss
//       CPU: scf.forall
//   CPU-NOT:   scf.forall
//       CPU:   scf.for
//       CPU:     linalg.generic {{.*}} ["parallel", "parallel", "reduction"]}
//       CPU:     arith.maximumf
//       CPU:     arith.cmpi eq
//   CPU-NOT: tensor<2048x32000xf32>
//       CPU: return

// A tile is summed in a loop of its own, whose operands fit into shared memory.

// TILES-LABEL: func.func @loss
//   TILES-NOT: 2048x32000
//       TILES: scf.for {{.*}} step %c128
//       TILES:   %[[SUMS:.*]] = scf.for {{.*}} step %c64 iter_args({{.*}}) -> (vector<128x128xf32>)
//       TILES:     vector.contract {{.*}} : vector<128x64xf16>, vector<128x64xf16> into vector<128x128xf32>
//       TILES:   vector.multi_reduction <maximumf>, %{{.*}} : vector<128x128xf32> to vector<128xf32>
func.func @loss(%a: tensor<2048x1024xf16>, %b: tensor<32000x1024xf16>, %at: tensor<2048xi32>) -> tensor<2048xf32> {
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2048x32000xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2048x32000xf32>) -> tensor<2048x32000xf32>
  %s = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2048x1024xf16>, tensor<32000x1024xf16>) outs(%f : tensor<2048x32000xf32>) {
  ^bb0(%l: f16, %r: f16, %acc: f32):
    %lw = arith.extf %l : f16 to f32
    %rw = arith.extf %r : f16 to f32
    %p = arith.mulf %lw, %rw : f32
    %q = arith.addf %acc, %p : f32
    linalg.yield %q : f32
  } -> tensor<2048x32000xf32>
  %e1 = tensor.empty() : tensor<2048xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<2048xf32>) -> tensor<2048xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<2048x32000xf32>) outs(%f1 : tensor<2048xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.maximumf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<2048xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<2048x32000xf32>, tensor<2048xf32>) outs(%e : tensor<2048x32000xf32>) {
  ^bb0(%x: f32, %max: f32, %o: f32):
    %t = arith.subf %x, %max : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<2048x32000xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e1 : tensor<2048xf32>) -> tensor<2048xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<2048x32000xf32>) outs(%f2 : tensor<2048xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.addf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<2048xf32>
  %loss = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%at, %m, %l : tensor<2048xi32>, tensor<2048xf32>, tensor<2048xf32>) outs(%e1 : tensor<2048xf32>) {
  ^bb0(%to: i32, %max: f32, %sum: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %to : i32 to index
    %t = tensor.extract %s[%i, %j] : tensor<2048x32000xf32>
    %u = math.log %sum : f32
    %v = arith.addf %u, %max : f32
    %w = arith.subf %v, %t : f32
    linalg.yield %w : f32
  } -> tensor<2048xf32>
  return %loss : tensor<2048xf32>
}
