// RUN: linalg-ext-opt %s -split-input-file -linalg-ext-split-concatenations=steps=read-parts -canonicalize -cse | FileCheck %s

// The seam is where a tile ends: two loops.

func.func @aligned(%past: tensor<64x5xf32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
//       CHECK: #[[$MAP0:.+]] = affine_map<()[s0] -> (s0 - 64)>
// CHECK-LABEL: func @aligned(
//  CHECK-SAME:     %[[PAST:[a-z0-9]+]]: tensor<64x5xf32>, %[[NEW:[a-z0-9]+]]: tensor<40x5xf32>, %[[INIT:[a-z0-9]+]]:
//   CHECK-DAG:   %[[C0:.+]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C64:.+]] = arith.constant 64 : index
//   CHECK-DAG:   %[[C104:.+]] = arith.constant 104 : index
//   CHECK-NOT:   tensor.concat
//       CHECK:   %[[FIRST:.+]] = scf.for %[[I:.+]] = %[[C0]] to %[[C64]] step %{{.+}} iter_args(%{{.+}} = %[[INIT]])
//       CHECK:     tensor.extract_slice %[[PAST]][%[[I]], 0] [8, 5]
//       CHECK:   %[[LAST:.+]] = scf.for %[[I:.+]] = %[[C64]] to %[[C104]] step %{{.+}} iter_args(%{{.+}} = %[[FIRST]])
//       CHECK:     %[[J:.+]] = affine.apply #[[$MAP0]]()[%[[I]]]
//       CHECK:     tensor.extract_slice %[[NEW]][%[[J]], 0] [8, 5]
//       CHECK:   return %[[LAST]]

// -----

// A slice of a slice: where the seam is in the loop is what counts.

func.func @offset(%past: tensor<66x5xf32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %k = tensor.concat dim(0) %past, %new : (tensor<66x5xf32>, tensor<40x5xf32>) -> tensor<106x5xf32>
  %outer = tensor.extract_slice %k[2, 0] [104, 5] [1, 1] : tensor<106x5xf32> to tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %outer[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
//       CHECK: #[[$MAP0:.+]] = affine_map<()[s0] -> (s0 + 2)>
//       CHECK: #[[$MAP1:.+]] = affine_map<()[s0] -> (s0 - 64)>
// CHECK-LABEL: func @offset(
//  CHECK-SAME:     %[[PAST:[a-z0-9]+]]: tensor<66x5xf32>, %[[NEW:[a-z0-9]+]]: tensor<40x5xf32>
//   CHECK-DAG:   %[[C0:.+]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C64:.+]] = arith.constant 64 : index
//   CHECK-DAG:   %[[C104:.+]] = arith.constant 104 : index
//   CHECK-NOT:   tensor.concat
//       CHECK:   scf.for %[[I:.+]] = %[[C0]] to %[[C64]]
//       CHECK:     %[[J:.+]] = affine.apply #[[$MAP0]]()[%[[I]]]
//       CHECK:     tensor.extract_slice %[[PAST]][%[[J]], 0] [8, 5]
//       CHECK:   scf.for %[[I:.+]] = %[[C64]] to %[[C104]]
//       CHECK:     %[[J:.+]] = affine.apply #[[$MAP1]]()[%[[I]]]
//       CHECK:     tensor.extract_slice %[[NEW]][%[[J]], 0] [8, 5]
//   CHECK-NOT:   scf.for

// -----

// One tile has both parts.

func.func @seam(%past: tensor<61x5xf32>, %new: tensor<43x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %k = tensor.concat dim(0) %past, %new : (tensor<61x5xf32>, tensor<43x5xf32>) -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
//       CHECK: #[[$MAP0:.+]] = affine_map<()[s0] -> (s0 - 61)>
// CHECK-LABEL: func @seam(
//  CHECK-SAME:     %[[PAST:[a-z0-9]+]]: tensor<61x5xf32>, %[[NEW:[a-z0-9]+]]: tensor<43x5xf32>
//   CHECK-DAG:   %[[C0:.+]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C56:.+]] = arith.constant 56 : index
//   CHECK-DAG:   %[[C64:.+]] = arith.constant 64 : index
//   CHECK-DAG:   %[[C104:.+]] = arith.constant 104 : index
//       CHECK:   %[[FIRST:.+]] = scf.for %[[I:.+]] = %[[C0]] to %[[C56]]
//       CHECK:     tensor.extract_slice %[[PAST]][%[[I]], 0] [8, 5]
//   CHECK-DAG:   %[[LEFT:.+]] = tensor.extract_slice %[[PAST]][56, 0] [5, 5]
//   CHECK-DAG:   %[[RIGHT:.+]] = tensor.extract_slice %[[NEW]][0, 0] [3, 5]
//       CHECK:   %[[E:.+]] = tensor.empty() : tensor<8x5xf32>
//       CHECK:   %[[F:.+]] = tensor.insert_slice %{{.+}} into %[[E]][0, 0] [5, 5]
//       CHECK:   %[[TILE:.+]] = tensor.insert_slice %{{.+}} into %[[F]][5, 0] [3, 5]
//       CHECK:   %[[MIDDLE:.+]] = linalg.reduce { arith.addf } ins(%[[TILE]] : tensor<8x5xf32>) outs(%[[FIRST]] :
//       CHECK:   scf.for %[[I:.+]] = %[[C64]] to %[[C104]] step %{{.+}} iter_args(%{{.+}} = %[[MIDDLE]])
//       CHECK:     %[[J:.+]] = affine.apply #[[$MAP0]]()[%[[I]]]
//       CHECK:     tensor.extract_slice %[[NEW]][%[[J]], 0] [8, 5]

// -----

// Lengths that are not known, of keys and of values.

#min = affine_map<(d0)[s0] -> (8, -d0 + s0)>
func.func @dynamic(%k0: tensor<?x5xf32>, %k1: tensor<?x5xf32>, %v0: tensor<?x5xf32>, %v1: tensor<?x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k = tensor.concat dim(0) %k0, %k1 : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  %v = tensor.concat dim(0) %v0, %v1 : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  %n = tensor.dim %k, %c0 : tensor<?x5xf32>
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %size = affine.min #min(%i)[%n]
    %t = tensor.extract_slice %k[%i, 0] [%size, 5] [1, 1] : tensor<?x5xf32> to tensor<?x5xf32>
    %u = tensor.extract_slice %v[%i, 0] [%size, 5] [1, 1] : tensor<?x5xf32> to tensor<?x5xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%t, %u : tensor<?x5xf32>, tensor<?x5xf32>) outs(%a : tensor<5xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %q = arith.addf %p, %o : f32
      linalg.yield %q : f32
    } -> tensor<5xf32>
    scf.yield %m : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @dynamic(
//  CHECK-SAME:     %[[K0:[a-z0-9]+]]: tensor<?x5xf32>, %[[K1:[a-z0-9]+]]: tensor<?x5xf32>, %[[V0:[a-z0-9]+]]: tensor<?x5xf32>, %[[V1:[a-z0-9]+]]: tensor<?x5xf32>
//   CHECK-DAG:   %[[C0:.+]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C8:.+]] = arith.constant 8 : index
//   CHECK-NOT:   tensor.concat
// All tiles of the first loop are whole, which lies in front of both seams.
//       CHECK:   %[[FIRST:.+]] = scf.for %[[I:.+]] = %[[C0]] to %[[END:.+]] step %[[C8]]
//       CHECK:     tensor.extract_slice %[[K0]][%[[I]], 0] [8, 5]
//       CHECK:     tensor.extract_slice %[[V0]][%[[I]], 0] [8, 5]
//       CHECK:   %[[MIDDLE:.+]] = scf.for %{{.+}} = %[[END]] to %{{.+}} step %[[C8]] iter_args(%{{.+}} = %[[FIRST]])
//   CHECK-DAG:     %[[KL:.+]] = tensor.extract_slice %[[K0]]
//   CHECK-DAG:     %[[KR:.+]] = tensor.extract_slice %[[K1]]
//   CHECK-DAG:     %[[K:.+]] = tensor.insert_slice %[[KL]] into
//   CHECK-DAG:     tensor.insert_slice %[[KR]] into %[[K]][
//   CHECK-DAG:     %[[VL:.+]] = tensor.extract_slice %[[V0]]
//   CHECK-DAG:     %[[VR:.+]] = tensor.extract_slice %[[V1]]
//   CHECK-DAG:     %[[V:.+]] = tensor.insert_slice %[[VL]] into
//   CHECK-DAG:     tensor.insert_slice %[[VR]] into %[[V]][
//       CHECK:   scf.for %{{.+}} step %[[C8]] iter_args(%{{.+}} = %[[MIDDLE]])
//       CHECK:     tensor.extract_slice %[[K1]]
//       CHECK:     tensor.extract_slice %[[V1]]
//       CHECK:   return

// -----

// What is behind the first part is a concatenation.

func.func @three(%a0: tensor<16x5xf32>, %a1: tensor<8x5xf32>, %a2: tensor<32x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c56 = arith.constant 56 : index
  %k = tensor.concat dim(0) %a0, %a1, %a2 : (tensor<16x5xf32>, tensor<8x5xf32>, tensor<32x5xf32>) -> tensor<56x5xf32>
  %r = scf.for %i = %c0 to %c56 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<56x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @three(
//  CHECK-SAME:     %[[A0:[a-z0-9]+]]: tensor<16x5xf32>, %[[A1:[a-z0-9]+]]: tensor<8x5xf32>, %[[A2:[a-z0-9]+]]: tensor<32x5xf32>
//   CHECK-NOT:   tensor.concat
//       CHECK:   %[[FIRST:.+]] = scf.for %[[I:.+]] = %c0 to %c16
//       CHECK:     tensor.extract_slice %[[A0]][%[[I]], 0] [8, 5]
// The second part is one tile.
//       CHECK:   %[[MIDDLE:.+]] = linalg.reduce { arith.addf } ins(%[[A1]] : tensor<8x5xf32>) outs(%[[FIRST]] :
//       CHECK:   scf.for %[[I:.+]] = %c24 to %c56 step %{{.+}} iter_args(%{{.+}} = %[[MIDDLE]])
//       CHECK:     tensor.extract_slice %[[A2]][%{{.+}}, 0] [8, 5]
//   CHECK-NOT:   scf.for

// -----

func.func @inserted(%past: tensor<64x5xf32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %e = tensor.empty() : tensor<104x5xf32>
  %f = tensor.insert_slice %new into %e[64, 0] [40, 5] [1, 1] : tensor<40x5xf32> into tensor<104x5xf32>
  %k = tensor.insert_slice %past into %f[0, 0] [64, 5] [1, 1] : tensor<64x5xf32> into tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @inserted(
//  CHECK-SAME:     %[[PAST:[a-z0-9]+]]: tensor<64x5xf32>, %[[NEW:[a-z0-9]+]]: tensor<40x5xf32>
//   CHECK-NOT:   tensor.insert_slice
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[PAST]]
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[NEW]]

// -----

// Iterations that are independent stay one loop.

func.func @forall(%past: tensor<61x5xf32>, %new: tensor<43x5xf32>, %init: tensor<104x5xf32>) -> tensor<104x5xf32> {
  %k = tensor.concat dim(0) %past, %new : (tensor<61x5xf32>, tensor<43x5xf32>) -> tensor<104x5xf32>
  %r = scf.forall (%i) = (0) to (104) step (8) shared_outs(%a = %init) -> tensor<104x5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %o = tensor.extract_slice %a[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.exp ins(%t : tensor<8x5xf32>) outs(%o : tensor<8x5xf32>) -> tensor<8x5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%i, 0] [8, 5] [1, 1] : tensor<8x5xf32> into tensor<104x5xf32>
    }
  }
  return %r : tensor<104x5xf32>
}
// CHECK-LABEL: func @forall(
//  CHECK-SAME:     %[[PAST:[a-z0-9]+]]: tensor<61x5xf32>, %[[NEW:[a-z0-9]+]]: tensor<43x5xf32>
//       CHECK:   scf.forall
//   CHECK-DAG:     %[[LEFT:.+]] = tensor.extract_slice %[[PAST]]
//   CHECK-DAG:     %[[RIGHT:.+]] = tensor.extract_slice %[[NEW]]
//       CHECK:     %[[F:.+]] = tensor.insert_slice %[[LEFT]] into
//       CHECK:     %[[TILE:.+]] = tensor.insert_slice %[[RIGHT]] into %[[F]][
//       CHECK:     linalg.exp ins(%[[TILE]] :
//   CHECK-NOT:   scf.forall (

// -----

// It is in memory anyway.

func.func @negative_returned(%past: tensor<64x5xf32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> (tensor<5xf32>, tensor<104x5xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r, %k : tensor<5xf32>, tensor<104x5xf32>
}
// CHECK-LABEL: func @negative_returned(
//       CHECK:   %[[K:.+]] = tensor.concat
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[K]]
//   CHECK-NOT:   scf.for

// -----

// The offset does not move with the loop.

func.func @negative_permuted(%past: tensor<16x5xf32>, %new: tensor<16x5xf32>, %at: tensor<4xindex>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k = tensor.concat dim(0) %past, %new : (tensor<16x5xf32>, tensor<16x5xf32>) -> tensor<32x5xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %init) -> tensor<5xf32> {
    %j = tensor.extract %at[%i] : tensor<4xindex>
    %t = tensor.extract_slice %k[%j, 0] [8, 5] [1, 1] : tensor<32x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @negative_permuted(
//       CHECK:   scf.for
//       CHECK:     tensor.insert_slice
//       CHECK:     tensor.insert_slice
//   CHECK-NOT:   scf.for

// -----

// What is padded is read where it is, too, and zero behind it.

func.func @padded(%x: tensor<61x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c72 = arith.constant 72 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<11x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<11x5xf32>) -> tensor<11x5xf32>
  %k = tensor.concat dim(0) %x, %f : (tensor<61x5xf32>, tensor<11x5xf32>) -> tensor<72x5xf32>
  %r = scf.for %i = %c0 to %c72 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<72x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @padded(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<61x5xf32>
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[X]]
//       CHECK:   %[[F:.+]] = linalg.fill {{.*}} -> tensor<8x5xf32>
//       CHECK:   tensor.insert_slice %{{.+}} into %[[F]][0, 0] [5, 5]
//       CHECK:   %[[LAST:.+]] = linalg.reduce { arith.addf } ins(%[[F]] : tensor<8x5xf32>)
//       CHECK:   return %[[LAST]]

// -----

// What nobody takes in loops is padded as it was.

func.func @negative_padded(%x: tensor<61x5xf32>) -> tensor<72x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<11x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<11x5xf32>) -> tensor<11x5xf32>
  %k = tensor.concat dim(0) %x, %f : (tensor<61x5xf32>, tensor<11x5xf32>) -> tensor<72x5xf32>
  return %k : tensor<72x5xf32>
}
// CHECK-LABEL: func @negative_padded(
//   CHECK-NOT:   tensor.concat
//       CHECK:   tensor.pad %{{.+}} low[0, 0] high[11, 0]

// -----

// So is a concatenation whose type leaves out what its parts know.

func.func @negative_padded_dynamic(%x: tensor<61x5xf32>) -> tensor<?x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<11x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<11x5xf32>) -> tensor<11x5xf32>
  %k = tensor.concat dim(0) %f, %x : (tensor<11x5xf32>, tensor<61x5xf32>) -> tensor<?x5xf32>
  return %k : tensor<?x5xf32>
}
// CHECK-LABEL: func @negative_padded_dynamic(
//       CHECK:   %[[P:.+]] = tensor.pad %{{.+}} low[11, 0] high[0, 0]
//       CHECK:   : tensor<61x5xf32> to tensor<72x5xf32>
//       CHECK:   tensor.cast %[[P]] : tensor<72x5xf32> to tensor<?x5xf32>

// -----

// Not what is filled on one side with two values.

func.func @negative_filled_twice(%x: tensor<61x5xf32>, %a: f32, %b: f32) -> tensor<72x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%a : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %d = tensor.empty() : tensor<7x5xf32>
  %g = linalg.fill ins(%b : f32) outs(%d : tensor<7x5xf32>) -> tensor<7x5xf32>
  %k = tensor.concat dim(0) %x, %f, %g : (tensor<61x5xf32>, tensor<4x5xf32>, tensor<7x5xf32>) -> tensor<72x5xf32>
  return %k : tensor<72x5xf32>
}
// CHECK-LABEL: func @negative_filled_twice(
//   CHECK-NOT:   tensor.pad
//       CHECK:   tensor.concat

// -----

// What a loop takes slices of is computed part by part, also by an op that drops a
// dimension. Behind a reshape, too.

func.func @computed(%past: tensor<1x64x5xf32>, %new: tensor<1x40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %two = arith.constant 2.0 : f32
  %k = tensor.concat dim(1) %past, %new : (tensor<1x64x5xf32>, tensor<1x40x5xf32>) -> tensor<1x104x5xf32>
  %e = tensor.empty() : tensor<104x5xf32>
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<1x104x5xf32>) outs(%e : tensor<104x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %two : f32
    linalg.yield %y : f32
  } -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %scaled[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @computed(
//  CHECK-SAME:     %[[PAST:[a-z0-9]+]]: tensor<1x64x5xf32>, %[[NEW:[a-z0-9]+]]: tensor<1x40x5xf32>
//   CHECK-NOT:   tensor.concat
//       CHECK:   %[[SCALED_PAST:.+]] = linalg.generic {{.*}} ins(%[[PAST]] : tensor<1x64x5xf32>)
//       CHECK:   %[[SCALED_NEW:.+]] = linalg.generic {{.*}} ins(%[[NEW]] : tensor<1x40x5xf32>)
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[SCALED_PAST]]
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[SCALED_NEW]]

func.func @reshaped(%past: tensor<1x?x5xf32>, %new: tensor<1x?x5xf32>, %n: index, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k = tensor.concat dim(1) %past, %new : (tensor<1x?x5xf32>, tensor<1x?x5xf32>) -> tensor<1x?x5xf32>
  %c = tensor.collapse_shape %k [[0, 1], [2]] : tensor<1x?x5xf32> into tensor<?x5xf32>
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %c[%i, 0] [8, 5] [1, 1] : tensor<?x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @reshaped(
//  CHECK-SAME:     %[[PAST:[a-z0-9]+]]: tensor<1x?x5xf32>, %[[NEW:[a-z0-9]+]]: tensor<1x?x5xf32>
//   CHECK-NOT:   tensor.concat
//   CHECK-DAG:   %[[FLAT_PAST:.+]] = tensor.extract_slice %[[PAST]][0, 0, 0] {{.*}} : tensor<1x?x5xf32> to tensor<?x5xf32>
//   CHECK-DAG:   %[[FLAT_NEW:.+]] = tensor.extract_slice %[[NEW]][0, 0, 0] {{.*}} : tensor<1x?x5xf32> to tensor<?x5xf32>
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[FLAT_PAST]]
//       CHECK:   scf.for
//       CHECK:   scf.for
//       CHECK:     tensor.extract_slice %[[FLAT_NEW]]

// Somebody needs all of it: it is computed from a concatenation in memory.

func.func @negative_returned(%past: tensor<64x5xf32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> (tensor<5xf32>, tensor<104x5xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
  %e = tensor.empty() : tensor<104x5xf32>
  %exp = linalg.exp ins(%k : tensor<104x5xf32>) outs(%e : tensor<104x5xf32>) -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %exp[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r, %exp : tensor<5xf32>, tensor<104x5xf32>
}
// CHECK-LABEL: func @negative_returned(
//       CHECK:   %[[K:.+]] = tensor.concat
//       CHECK:   linalg.exp ins(%[[K]]

// A part that is a gather is gathered where it is read: all of the pool is there, and the
// entries of each tile are looked up again. What is computed for each sequence is, too.

func.func @gathered(%pool: tensor<?x5xf32>, %table: tensor<?xi32>, %rows: tensor<1xi64>, %new: tensor<1x40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : i64
  %c104 = arith.constant 104 : index
  %se = tensor.empty() : tensor<1xi64>
  %starts = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>], iterator_types = ["parallel"]}
      ins(%rows : tensor<1xi64>) outs(%se : tensor<1xi64>) {
  ^bb0(%row: i64, %out: i64):
    %start = arith.muli %row, %c64 : i64
    linalg.yield %start : i64
  } -> tensor<1xi64>
  %c1 = arith.constant 1 : index
  %size = tensor.dim %pool, %c0 : tensor<?x5xf32>
  %pages = tensor.expand_shape %pool [[0, 1], [2]] output_shape [%size, 1, 5] : tensor<?x5xf32> into tensor<?x1x5xf32>
  %e = tensor.empty() : tensor<1x64x5xf32>
  %past = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pages : tensor<?x1x5xf32>) table(%table : tensor<?xi32>) starts(%starts : tensor<1xi64>)
      outs(%e : tensor<1x64x5xf32>) -> tensor<1x64x5xf32>
  %k = tensor.concat dim(1) %past, %new : (tensor<1x64x5xf32>, tensor<1x40x5xf32>) -> tensor<1x104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[0, %i, 0] [1, 8, 5] [1, 1, 1] : tensor<1x104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @gathered(
//  CHECK-SAME:     %[[POOL:[a-z0-9]+]]: tensor<?x5xf32>, %[[TABLE:[a-z0-9]+]]: tensor<?xi32>, %[[ROWS:[a-z0-9]+]]: tensor<1xi64>, %[[NEW:[a-z0-9]+]]:
//   CHECK-NOT:   linalg.generic
//   CHECK-NOT:   paged_gather
//       CHECK:   %[[FIRST:.+]] = scf.for %[[I:[a-z0-9]+]] =
//       CHECK:     %[[START:.+]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<1xi64>)
//       CHECK:     %[[TILE:.+]] = linalg_ext.paged_gather {{.*}} table(%[[TABLE]] : tensor<?xi32>) starts(%[[START]] : tensor<1xi64>) offset(%[[I]]) {{.*}} -> tensor<1x8x5xf32>
//       CHECK:     tensor.extract_slice %[[TILE]][0, 0, 0] [1, 8, 5] [1, 1, 1] : tensor<1x8x5xf32> to tensor<8x5xf32>
//       CHECK:   scf.for {{.*}} iter_args(%{{.+}} = %[[FIRST]])
//   CHECK-NOT:     paged_gather
//       CHECK:     tensor.extract_slice %[[NEW]]

// So is a payload that extracts elements, but none that computes with them.

func.func @extracted(%pool: tensor<?x5xf32>, %table: tensor<64xi32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %e = tensor.empty() : tensor<64x5xf32>
  %past = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<64xi32>) outs(%e : tensor<64x5xf32>) {
  ^bb0(%entry: i32, %out: f32):
    %j = linalg.index 1 : index
    %at = arith.index_cast %entry : i32 to index
    %x = tensor.extract %pool[%at, %j] : tensor<?x5xf32>
    linalg.yield %x : f32
  } -> tensor<64x5xf32>
  %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @extracted(
//   CHECK-NOT:   linalg.generic
//       CHECK:   scf.for
//       CHECK:     linalg.generic
//       CHECK:       tensor.extract
//       CHECK:   scf.for

func.func @negative_computed(%pool: tensor<?x5xf32>, %table: tensor<64xi32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %e = tensor.empty() : tensor<64x5xf32>
  %past = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<64xi32>) outs(%e : tensor<64x5xf32>) {
  ^bb0(%entry: i32, %out: f32):
    %j = linalg.index 1 : index
    %at = arith.index_cast %entry : i32 to index
    %x = tensor.extract %pool[%at, %j] : tensor<?x5xf32>
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<64x5xf32>
  %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    scf.yield %s : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @negative_computed(
//       CHECK:   %[[PAST:.+]] = linalg.generic
//       CHECK:   scf.for
//   CHECK-NOT:     linalg.generic
//       CHECK:     tensor.extract_slice %[[PAST]]

// A part is what another one is computed from. Both are gathered where they are read.

func.func @gathered_twice(%pool: tensor<?x5xf32>, %table: tensor<64xi32>, %new: tensor<40x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<64x5xf32>
  %past = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<64xi32>) outs(%e : tensor<64x5xf32>) {
  ^bb0(%entry: i32, %out: f32):
    %j = linalg.index 1 : index
    %at = arith.index_cast %entry : i32 to index
    %x = tensor.extract %pool[%at, %j] : tensor<?x5xf32>
    linalg.yield %x : f32
  } -> tensor<64x5xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%past : tensor<64x5xf32>) outs(%e : tensor<64x5xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.mulf %x, %two : f32
    linalg.yield %y : f32
  } -> tensor<64x5xf32>
  %v = tensor.concat dim(0) %scaled, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
  %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
  %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %init) -> tensor<5xf32> {
    %t = tensor.extract_slice %v[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
    %t2 = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
    %s2 = linalg.reduce { arith.mulf } ins(%t2 : tensor<8x5xf32>) outs(%s : tensor<5xf32>) dimensions = [0]
    scf.yield %s2 : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// CHECK-LABEL: func @gathered_twice(
//   CHECK-NOT:   linalg.generic
//       CHECK:   scf.for
//       CHECK:     linalg.generic
//       CHECK:       tensor.extract %
//       CHECK:     linalg.generic
//       CHECK:       arith.mulf
//       CHECK:   scf.for

// Copies of a loop that is split at a seam have copies of the gather in it.

func.func @copied_gathers(%pool: tensor<?x5xf32>, %table: tensor<64xi32>, %new: tensor<40x5xf32>, %x: tensor<6x5xf32>, %y: tensor<4x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %xy = tensor.concat dim(0) %x, %y : (tensor<6x5xf32>, tensor<4x5xf32>) -> tensor<10x5xf32>
  %q = scf.for %o = %c0 to %c10 step %c2 iter_args(%b = %init) -> tensor<5xf32> {
    %u = tensor.extract_slice %xy[%o, 0] [2, 5] [1, 1] : tensor<10x5xf32> to tensor<2x5xf32>
    %b2 = linalg.reduce { arith.addf } ins(%u : tensor<2x5xf32>) outs(%b : tensor<5xf32>) dimensions = [0]
    %e = tensor.empty() : tensor<64x5xf32>
    %past = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%table : tensor<64xi32>) outs(%e : tensor<64x5xf32>) {
    ^bb0(%entry: i32, %out: f32):
      %j = linalg.index 1 : index
      %at = arith.index_cast %entry : i32 to index
      %at2 = arith.addi %at, %o : index
      %z = tensor.extract %pool[%at2, %j] : tensor<?x5xf32>
      linalg.yield %z : f32
    } -> tensor<64x5xf32>
    %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
    %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %b2) -> tensor<5xf32> {
      %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
      %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
      scf.yield %s : tensor<5xf32>
    }
    scf.yield %r : tensor<5xf32>
  }
  return %q : tensor<5xf32>
}
// CHECK-LABEL: func @copied_gathers(
//       CHECK:   scf.for {{.*}} step %c2
//   CHECK-NOT:     linalg.generic
//       CHECK:     scf.for {{.*}} step %c8
//       CHECK:       linalg.generic
//       CHECK:     scf.for {{.*}} step %c8
//       CHECK:   scf.for {{.*}} step %c2
//   CHECK-NOT:     linalg.generic
//       CHECK:     scf.for {{.*}} step %c8
//       CHECK:       linalg.generic
//       CHECK:     scf.for {{.*}} step %c8

// All of the outer loop lies in the first part: what is behind the seam is gone, with its gather.

func.func @no_loop_behind(%pool: tensor<?x5xf32>, %table: tensor<64xi32>, %new: tensor<40x5xf32>, %x: tensor<6x5xf32>, %y: tensor<4x5xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %xy = tensor.concat dim(0) %x, %y : (tensor<6x5xf32>, tensor<4x5xf32>) -> tensor<10x5xf32>
  %q = scf.for %o = %c0 to %c10 step %c2 iter_args(%b = %init) -> tensor<5xf32> {
    %u = tensor.extract_slice %xy[%o, 0] [2, 5] [1, 1] : tensor<10x5xf32> to tensor<2x5xf32>
    %b2 = linalg.reduce { arith.addf } ins(%u : tensor<2x5xf32>) outs(%b : tensor<5xf32>) dimensions = [0]
    %e = tensor.empty() : tensor<64x5xf32>
    %past = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%table : tensor<64xi32>) outs(%e : tensor<64x5xf32>) {
    ^bb0(%entry: i32, %out: f32):
      %j = linalg.index 1 : index
      %at = arith.index_cast %entry : i32 to index
      %at2 = arith.addi %at, %o : index
      %z = tensor.extract %pool[%at2, %j] : tensor<?x5xf32>
      linalg.yield %z : f32
    } -> tensor<64x5xf32>
    %k = tensor.concat dim(0) %past, %new : (tensor<64x5xf32>, tensor<40x5xf32>) -> tensor<104x5xf32>
    %r = scf.for %i = %c0 to %c104 step %c8 iter_args(%a = %b2) -> tensor<5xf32> {
      %t = tensor.extract_slice %k[%i, 0] [8, 5] [1, 1] : tensor<104x5xf32> to tensor<8x5xf32>
      %s = linalg.reduce { arith.addf } ins(%t : tensor<8x5xf32>) outs(%a : tensor<5xf32>) dimensions = [0]
      scf.yield %s : tensor<5xf32>
    }
    scf.yield %r : tensor<5xf32>
  }
  return %q : tensor<5xf32>
}
// CHECK-LABEL: func @no_loop_behind(
//       CHECK:   scf.for {{.*}} step %c2
//   CHECK-NOT:     linalg.generic
//       CHECK:     scf.for {{.*}} step %c8
//       CHECK:       linalg.generic
//       CHECK:     scf.for {{.*}} step %c8
//   CHECK-NOT:   step %c2
//       CHECK:   return
