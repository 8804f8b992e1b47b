// RUN: linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=steps=assume-branches --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-prepare-launches{steps=assume-branches})' --split-input-file | FileCheck %s

// A kernel for rows of more than 512 elements, and at most 1024.

#size = affine_map<()[n] -> (n, 1024)>

// CHECK-LABEL: func @long
// CHECK-SAME:      %{{.*}}: index, %[[N:.*]]: index,
// CHECK:         gpu.launch
// CHECK-NEXT:      %[[ASSUMED:.*]] = vector_ext.assume %[[N]] at_least 513 at_most 1024
// CHECK-NEXT:      %[[SIZE:.*]] = affine.min #{{.*}}()[%[[ASSUMED]]]
// CHECK-NEXT:      vector.create_mask %[[SIZE]] : vector<1024xi1>
func.func @long(%rows: index, %n: index, %out: memref<?x1024xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %long = arith.cmpi sgt, %n, %c512 : index
  %short = arith.cmpi sle, %n, %c1024 : index
  %this = arith.andi %long, %short : i1
  scf.if %this {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %rows, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %size = affine.min #size()[%n]
      %mask = vector.create_mask %size : vector<1024xi1>
      vector.transfer_write %mask, %out[%bx, %c0] {in_bounds = [true]} : vector<1024xi1>, memref<?x1024xi1>
      gpu.terminator
    }
  }
  return
}

// -----

// The other region of a branch, of a disjunction, and two branches.

// CHECK-LABEL: func @nested
// CHECK-SAME:      %[[N:.*]]: index,
// CHECK:         gpu.launch
// CHECK-NEXT:      %[[ASSUMED:.*]] = vector_ext.assume %[[N]] at_least 4 at_most 9
// CHECK-NEXT:      vector.create_mask %[[ASSUMED]]
func.func @nested(%n: index, %out: memref<?x64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %true = arith.constant true
  %few = arith.cmpi slt, %n, %c4 : index
  %one = arith.cmpi eq, %n, %c1 : index
  %either = arith.ori %few, %one : i1
  %many = arith.cmpi ugt, %n, %c9 : index
  %notMany = arith.xori %many, %true : i1
  scf.if %either {
  } else {
    scf.if %notMany {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
        %mask = vector.create_mask %n : vector<64xi1>
        vector.transfer_write %mask, %out[%bx, %c0] {in_bounds = [true]} : vector<64xi1>, memref<?x64xi1>
        gpu.terminator
      }
    }
  }
  return
}

// -----

// A disjunction says nothing of its terms, nor does an unsigned comparison say
// that a number is positive.

// CHECK-LABEL: func @negative_either
// CHECK-NOT:     vector_ext.assume
func.func @negative_either(%n: index, %out: memref<?x64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %few = arith.cmpi slt, %n, %c9 : index
  %many = arith.cmpi sgt, %n, %c4 : index
  %either = arith.ori %few, %many : i1
  %large = arith.cmpi ugt, %n, %c9 : index
  %both = arith.andi %either, %large : i1
  scf.if %both {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %mask = vector.create_mask %n : vector<64xi1>
      vector.transfer_write %mask, %out[%bx, %c0] {in_bounds = [true]} : vector<64xi1>, memref<?x64xi1>
      gpu.terminator
    }
  }
  return
}

// -----

// Below an unsigned number: from 0 to the one before it.

// CHECK-LABEL: func @unsigned
// CHECK-SAME:      %[[N:.*]]: index,
// CHECK:         gpu.launch
// CHECK-NEXT:      vector_ext.assume %[[N]] at_least 0 at_most 8
func.func @unsigned(%n: index, %out: memref<?x64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %few = arith.cmpi ult, %n, %c9 : index
  scf.if %few {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %mask = vector.create_mask %n : vector<64xi1>
      vector.transfer_write %mask, %out[%bx, %c0] {in_bounds = [true]} : vector<64xi1>, memref<?x64xi1>
      gpu.terminator
    }
  }
  return
}
