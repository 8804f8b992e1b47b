// RUN: linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=steps=bound-masks --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-prepare-launches{steps=bound-masks})' --split-input-file | FileCheck %s

// A kernel for rows of more than 512 elements, two in a workgroup: there are
// workgroups only if there are that many.

#tiles = affine_map<()[n] -> (n ceildiv 2)>
#size = affine_map<()[n] -> (n, 1024)>

// CHECK-LABEL: func @long
// CHECK:         %[[SIZE:.*]] = affine.min
// CHECK:         %[[LEAST:.*]] = arith.constant 513 : index
// CHECK:         %[[BOUND:.*]] = arith.maxsi %[[SIZE]], %[[LEAST]] : index
// CHECK:         vector.create_mask %[[BOUND]] : vector<1024xi1>
func.func @long(%rows: index, %n: index, %out: memref<?x1024xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c513 = arith.constant 513 : index
  %c1025 = arith.constant 1025 : index
  %q = arith.divui %n, %c513 : index
  %long = arith.minui %q, %c1 : index
  %r = arith.divui %n, %c1025 : index
  %longer = arith.minui %r, %c1 : index
  %this = arith.subi %long, %longer : index
  %all = arith.muli %rows, %this : index
  %grid = affine.apply #tiles()[%all]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %size = affine.min #size()[%n]
    %mask = vector.create_mask %size : vector<1024xi1>
    vector.transfer_write %mask, %out[%bx, %c0] {in_bounds = [true]} : vector<1024xi1>, memref<?x1024xi1>
    gpu.terminator
  }
  return
}

// -----

// Of aligned rows the bound is a multiple, too: of 513 / 8 * 8 it is 512.

#size = affine_map<()[n] -> (n, 1024)>

// CHECK-LABEL: func @multiple
// CHECK:         %[[SIZE:.*]] = affine.min
// CHECK:         %[[LEAST:.*]] = arith.constant 512 : index
// CHECK:         arith.maxsi %[[SIZE]], %[[LEAST]] : index
func.func @multiple(%rows: index, %n: index, %out: memref<?x1024xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c513 = arith.constant 513 : index
  %q = arith.divui %n, %c513 : index
  %long = arith.minui %q, %c1 : index
  %grid = arith.muli %rows, %long : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %eighth = arith.divui %n, %c8 : index
    %same = arith.muli %eighth, %c8 : index
    %size = affine.min #size()[%same]
    %mask = vector.create_mask %size : vector<1024xi1>
    vector.transfer_write %mask, %out[%bx, %c0] {in_bounds = [true]} : vector<1024xi1>, memref<?x1024xi1>
    gpu.terminator
  }
  return
}

// -----

// A grid that is not 0 where rows are short says nothing of long ones, nor does
// a sum say anything of its terms.

// CHECK-LABEL: func @negative_short
// CHECK-NOT:     arith.maxsi
func.func @negative_short(%rows: index, %n: index, %out: memref<?x64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  %q = arith.divui %n, %c65 : index
  %long = arith.minui %q, %c1 : index
  %short = arith.subi %c1, %long : index
  %some = arith.addi %short, %q : index
  %grid = arith.muli %rows, %some : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %mask = vector.create_mask %n : vector<64xi1>
    vector.transfer_write %mask, %out[%bx, %c0] {in_bounds = [true]} : vector<64xi1>, memref<?x64xi1>
    gpu.terminator
  }
  return
}
