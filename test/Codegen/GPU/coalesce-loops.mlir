// RUN: linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=steps=coalesce-loops --canonicalize --cse --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-prepare-launches{steps=coalesce-loops},canonicalize,cse)' --split-input-file | FileCheck %s

// A sum over heads, of which the number is not known, and 64 elements of each.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK: #[[$TIMES32:.*]] = affine_map<(d0) -> (d0 * 32)>
// CHECK-LABEL: func @heads
// CHECK-SAME:      %[[N:[^:]*]]: index
// CHECK:           %[[ALL:.*]] = {{.*}}%[[N]]
// CHECK:           %[[R:.*]] = scf.for %[[I:.*]] = %c0 to %[[ALL]] step %c1 iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<32x16xf32>) {
// CHECK:             %[[AT:.*]]:2 = affine.delinearize_index %[[I]] into (%[[N]], 2)
// CHECK:             %[[K:.*]] = affine.apply #[[$TIMES32]](%[[AT]]#1)
// CHECK:             vector.transfer_read %{{.*}}[%[[AT]]#0, %c0, %[[K]]]
// CHECK:             vector.transfer_read %{{.*}}[%c0, %[[AT]]#0, %[[K]]]
// CHECK:             %[[D:.*]] = vector.contract {{.*}} %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK-NOT:         scf.for
// CHECK:             scf.yield %[[D]]
// CHECK:           vector.transfer_write %[[R]]
func.func @heads(%n: index, %a: memref<?x32x64xf16>, %b: memref<16x?x64xf16>, %out: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %h = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %zero = arith.constant dense<0.0> : vector<32x16xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<32x16xf32>) {
      %t = scf.for %k = %c0 to %c64 step %c32 iter_args(%u = %s) -> (vector<32x16xf32>) {
        %x = vector.transfer_read %a[%i, %c0, %k], %h {in_bounds = [true, true]} : memref<?x32x64xf16>, vector<32x32xf16>
        %y = vector.transfer_read %b[%c0, %i, %k], %h {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<16x?x64xf16>, vector<16x32xf16>
        %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %u : vector<32x32xf16>, vector<16x32xf16> into vector<32x16xf32>
        scf.yield %d : vector<32x16xf32>
      }
      scf.yield %t : vector<32x16xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
    gpu.terminator
  }
  return
}

// -----

// Of three loops the two are made one between which nothing else is computed.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @twice
// CHECK:           scf.for %{{.*}} = %c0 to %c3 step
// CHECK:             scf.for %{{.*}} = %c0 to %c8 step
// CHECK-NOT:           scf.for
// CHECK:               vector.contract
func.func @twice(%a: memref<3x4x32x64xf16>, %b: memref<3x4x16x64xf16>, %out: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %h = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %zero = arith.constant dense<0.0> : vector<32x16xf32>
    %r = scf.for %l = %c0 to %c3 step %c1 iter_args(%v = %zero) -> (vector<32x16xf32>) {
      %w = arith.addf %v, %v : vector<32x16xf32>
      %q = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %w) -> (vector<32x16xf32>) {
        %t = scf.for %k = %c0 to %c64 step %c32 iter_args(%u = %s) -> (vector<32x16xf32>) {
          %x = vector.transfer_read %a[%l, %i, %c0, %k], %h {in_bounds = [true, true]} : memref<3x4x32x64xf16>, vector<32x32xf16>
          %y = vector.transfer_read %b[%l, %i, %c0, %k], %h {in_bounds = [true, true]} : memref<3x4x16x64xf16>, vector<16x32xf16>
          %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %u : vector<32x32xf16>, vector<16x32xf16> into vector<32x16xf32>
          scf.yield %d : vector<32x16xf32>
        }
        scf.yield %t : vector<32x16xf32>
      }
      scf.yield %q : vector<32x16xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
    gpu.terminator
  }
  return
}

// -----

// A division by a number that is not known would be one an iteration.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @negative_unknown
// CHECK:           scf.for
// CHECK-NEXT:        scf.for
func.func @negative_unknown(%n: index, %a: memref<4x32x?xf16>, %b: memref<4x16x?xf16>, %out: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %h = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %zero = arith.constant dense<0.0> : vector<32x16xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (vector<32x16xf32>) {
      %t = scf.for %k = %c0 to %n step %c32 iter_args(%u = %s) -> (vector<32x16xf32>) {
        %x = vector.transfer_read %a[%i, %c0, %k], %h {in_bounds = [true, true]} : memref<4x32x?xf16>, vector<32x32xf16>
        %y = vector.transfer_read %b[%i, %c0, %k], %h {in_bounds = [true, true]} : memref<4x16x?xf16>, vector<16x32xf16>
        %d = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %u : vector<32x32xf16>, vector<16x32xf16> into vector<32x16xf32>
        scf.yield %d : vector<32x16xf32>
      }
      scf.yield %t : vector<32x16xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
    gpu.terminator
  }
  return
}
