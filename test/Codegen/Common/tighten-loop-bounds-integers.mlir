// RUN: linalg-ext-opt %s --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s

// Conditions on integers of other types than index.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// A coordinate is not negative, and fits in 32 bits.

// CHECK-LABEL: func @extended_coordinate
//       CHECK:   scf.for {{.*}} to %c16 step
//   CHECK-NOT:     arith.cmpi
//       CHECK:     scf.yield
//   CHECK-NOT:   scf.for {{.*}} to %c64
//       CHECK:   return
func.func @extended_coordinate(%x: tensor<4x64xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %column = affine.apply #at(%k, %j)
      %narrow = arith.index_cast %column : index to i32
      %wide = arith.extui %narrow : i32 to i64
      %c20 = arith.constant 20 : i64
      %c = arith.cmpi slt, %wide, %c20 : i64
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A difference may be negative. As an unsigned number, it is large then.

// CHECK-LABEL: func @negative_extended_difference
//       CHECK:   scf.for {{.*}} to %c64 step
//       CHECK:     arith.cmpi
//   CHECK-NOT:   scf.for
//       CHECK:   return
func.func @negative_extended_difference(%x: tensor<4x64xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %column = affine.apply #at(%k, %j)
      %difference = arith.subi %column, %i : index
      %narrow = arith.index_cast %difference : index to i32
      %wide = arith.extui %narrow : i32 to i64
      %c20 = arith.constant 20 : i64
      %c = arith.cmpi slt, %wide, %c20 : i64
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @negative_unsigned_difference
//       CHECK:   scf.for {{.*}} to %c64 step
//       CHECK:     arith.cmpi
//   CHECK-NOT:   scf.for
//       CHECK:   return
func.func @negative_unsigned_difference(%x: tensor<4x64xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %column = affine.apply #at(%k, %j)
      %difference = arith.subi %column, %i : index
      %narrow = arith.index_cast %difference : index to i32
      %wide = arith.index_castui %narrow : i32 to index
      %c20 = arith.constant 20 : index
      %c = arith.cmpi slt, %wide, %c20 : index
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// With 4 bits, the coordinate begins again at each multiple of 16.

// CHECK-LABEL: func @negative_few_bits
//       CHECK:   scf.for {{.*}} to %c64 step
//       CHECK:     arith.cmpi
//   CHECK-NOT:   scf.for
//       CHECK:   return
func.func @negative_few_bits(%x: tensor<4x64xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %column = affine.apply #at(%k, %j)
      %narrow = arith.index_cast %column : index to i4
      %c7 = arith.constant 7 : i4
      %c = arith.cmpi ult, %narrow, %c7 : i4
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @negative_truncated
//       CHECK:   scf.for {{.*}} to %c64 step
//       CHECK:     arith.cmpi
//   CHECK-NOT:   scf.for
//       CHECK:   return
func.func @negative_truncated(%x: tensor<4x64xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %column = affine.apply #at(%k, %j)
      %wide = arith.index_cast %column : index to i64
      %narrow = arith.trunci %wide : i64 to i4
      %c7 = arith.constant 7 : i4
      %c = arith.cmpi ult, %narrow, %c7 : i4
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
