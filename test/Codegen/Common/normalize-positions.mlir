// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling --split-input-file | FileCheck %s

// What is computed from positions alone is computed where it is used.

// CHECK-LABEL: func @mask
// CHECK-COUNT-2: linalg.index 0
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @mask(%x: tensor<37xf32>, %y: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>) {
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37xi1>
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<37xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %c = arith.cmpi slt, %i, %c5 : index
    linalg.yield %c : i1
  } -> tensor<37xi1>
  %d = tensor.empty() : tensor<37xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%m, %x : tensor<37xi1>, tensor<37xf32>) outs(%d : tensor<37xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<37xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%m, %y : tensor<37xi1>, tensor<37xf32>) outs(%d : tensor<37xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %zero, %a : f32
    linalg.yield %s : f32
  } -> tensor<37xf32>
  return %0, %1 : tensor<37xf32>, tensor<37xf32>
}

// -----

// What is read at positions is read once, for a maximum and for the difference to it.

// CHECK-LABEL: func @read
// CHECK:         %[[X:.+]] = linalg.generic
// CHECK:           tensor.extract
// CHECK:         %[[M:.+]] = linalg.generic {{.*}} ins(%[[X]] : tensor<21x37xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[M]] :
// CHECK-NOT:     tensor.extract
// CHECK:         return
func.func @read(%t: tensor<37x21xf32>) -> tensor<21x37xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<21x37xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<21x37xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %t[%j, %i] : tensor<37x21xf32>
    %b = math.absf %a : f32
    linalg.yield %b : f32
  } -> tensor<21x37xf32>
  %r = tensor.empty() : tensor<21xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%r : tensor<21xf32>) -> tensor<21xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<21x37xf32>) outs(%f : tensor<21xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<21xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<21x37xf32>, tensor<21xf32>) outs(%e : tensor<21x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<21x37xf32>
  return %y : tensor<21x37xf32>
}

// -----

// Tables of rotations are read by elementwise ops only, each of which reads them: no tensor
// of them is stored.

// CHECK-LABEL: func @tables
// CHECK-COUNT-2: tensor.extract
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @tables(%t: tensor<8xf32>, %x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<16xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<16xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.divui %i, %c2 : index
    %a = tensor.extract %t[%j] : tensor<8xf32>
    linalg.yield %a : f32
  } -> tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%c, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%c, %y : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}
