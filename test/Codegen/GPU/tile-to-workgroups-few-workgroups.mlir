// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups="row-elements=2048 max-row=8192 row-tile=4096" --split-input-file | FileCheck %s

// The mean of 768 numbers is repeated for 784 rows of each of 16 images: it is stored, so
// that there are more than 16 workgroups.

// CHECK-LABEL: func @repeated
// CHECK:         %[[MEAN:.+]] = scf.forall
// CHECK:           "reduction"
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = {{.*}} to (16, 784, 768)
// CHECK:           tensor.extract_slice %[[MEAN]]
// CHECK-NOT:       "reduction"
// CHECK:         return
func.func @repeated(%x: tensor<16x784x768xf32>, %n: tensor<16x768xf32>) -> tensor<16x784x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, c) -> (b, c)>, affine_map<(b, c) -> (b)>], iterator_types = ["parallel", "reduction"]} ins(%n : tensor<16x768xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %en = tensor.empty() : tensor<16x768xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, c) -> (b, c)>, affine_map<(b, c) -> (b)>, affine_map<(b, c) -> (b, c)>], iterator_types = ["parallel", "parallel"]} ins(%n, %m : tensor<16x768xf32>, tensor<16xf32>) outs(%en : tensor<16x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x768xf32>
  %d = tensor.empty() : tensor<16x784x768xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, t, c) -> (b, t, c)>, affine_map<(b, t, c) -> (b, c)>, affine_map<(b, t, c) -> (b, t, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<16x784x768xf32>, tensor<16x768xf32>) outs(%d : tensor<16x784x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x784x768xf32>
  return %y : tensor<16x784x768xf32>
}

// -----

// Of few elements, a workgroup computes the mean as well.

// CHECK-LABEL: func @negative_few
// CHECK:         scf.forall
// CHECK:           "reduction"
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @negative_few(%x: tensor<16x40x768xf32>, %n: tensor<16x768xf32>) -> tensor<16x40x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, c) -> (b, c)>, affine_map<(b, c) -> (b)>], iterator_types = ["parallel", "reduction"]} ins(%n : tensor<16x768xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %en = tensor.empty() : tensor<16x768xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, c) -> (b, c)>, affine_map<(b, c) -> (b)>, affine_map<(b, c) -> (b, c)>], iterator_types = ["parallel", "parallel"]} ins(%n, %m : tensor<16x768xf32>, tensor<16xf32>) outs(%en : tensor<16x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x768xf32>
  %d = tensor.empty() : tensor<16x40x768xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, t, c) -> (b, t, c)>, affine_map<(b, t, c) -> (b, c)>, affine_map<(b, t, c) -> (b, t, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<16x40x768xf32>, tensor<16x768xf32>) outs(%d : tensor<16x40x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x40x768xf32>
  return %y : tensor<16x40x768xf32>
}
