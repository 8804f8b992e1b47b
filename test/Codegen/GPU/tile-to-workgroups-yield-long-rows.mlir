// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='max-row=64 row-tile=32 row-elements=64 versions-by-row-length=64,128,256' --split-input-file | FileCheck %s

// Rows of 200 elements are longer than a tile, but the version for up to 256 holds them: the workgroups
// yield the maxima, too.

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @held
// CHECK:       %[[R:.*]]:2 = scf.forall
// CHECK-COUNT-2:         tensor.parallel_insert_slice
// CHECK-NOT:   scf.forall
// CHECK:       return %[[R]]#{{[01]}}, %[[R]]#{{[01]}}
func.func @held(%x: tensor<5x200xf32>) -> (tensor<5x200xf32>, tensor<5xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %r0 = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%least : f32) outs(%r0 : tensor<5xf32>) -> tensor<5xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x200xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.maximumf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %e = tensor.empty() : tensor<5x200xf32>
  %q = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %n : tensor<5x200xf32>, tensor<5xf32>) outs(%e : tensor<5x200xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<5x200xf32>
  return %q, %n : tensor<5x200xf32>, tensor<5xf32>
}

// -----

// No version holds rows of 300 elements, and nothing says how long others are: loops compute them in
// pieces, and the maxima are a kernel of their own.

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_too_long
// CHECK:       scf.forall {{.*}} -> (tensor<5xf32>)
// CHECK:       scf.forall {{.*}} -> (tensor<5x300xf32>)
func.func @negative_too_long(%x: tensor<5x300xf32>) -> (tensor<5x300xf32>, tensor<5xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %r0 = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%least : f32) outs(%r0 : tensor<5xf32>) -> tensor<5xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x300xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.maximumf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %e = tensor.empty() : tensor<5x300xf32>
  %q = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %n : tensor<5x300xf32>, tensor<5xf32>) outs(%e : tensor<5x300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<5x300xf32>
  return %q, %n : tensor<5x300xf32>, tensor<5xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_unknown_length
// CHECK:       scf.forall {{.*}} -> (tensor<5xf32>)
// CHECK:       scf.forall {{.*}} -> (tensor<5x?xf32>)
func.func @negative_unknown_length(%x: tensor<5x?xf32>, %e: tensor<5x?xf32>) -> (tensor<5x?xf32>, tensor<5xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %r0 = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%least : f32) outs(%r0 : tensor<5xf32>) -> tensor<5xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x?xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.maximumf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %q = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %n : tensor<5x?xf32>, tensor<5xf32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<5x?xf32>
  return %q, %n : tensor<5x?xf32>, tensor<5xf32>
}
