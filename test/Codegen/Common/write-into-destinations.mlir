// RUN: linalg-ext-opt %s --linalg-ext-prepare-destinations=steps=write-into --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin --split-input-file \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-prepare-destinations{steps=write-into})' | FileCheck %s

// What is computed for the result is inserted; what is there already is copied.

// CHECK-LABEL: func.func @concat
// CHECK-SAME:    %[[A:[^:]*]]: tensor<?x8xf32>, %[[B:[^:]*]]: tensor<5x8xf32>
// CHECK:         %[[X:.*]] = linalg.exp
// CHECK:         %[[E:.*]] = tensor.empty
// CHECK:         %[[FIRST:.*]] = tensor.insert_slice %[[X]] into %[[E]]
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice %[[FIRST]]
// CHECK:         %[[COPY:.*]] = linalg.copy ins(%[[B]] : tensor<5x8xf32>) outs(%[[SLICE]]
// CHECK:         tensor.insert_slice %[[COPY]] into %[[FIRST]]
func.func @concat(%a: tensor<?x8xf32>, %b: tensor<5x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%m) : tensor<?x8xf32>
  %x = linalg.exp ins(%a : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %c = tensor.concat dim(0) %x, %b : (tensor<?x8xf32>, tensor<5x8xf32>) -> tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}

// -----

// What is cut off is sliced off. A source of one row or none has nothing left.

// CHECK-DAG:   #[[MIN:.*]] = affine_map<()[s0] -> (1, s0)>
// CHECK-DAG:   #[[OFFSET:.*]] = affine_map<()[s0] -> (0, s0)>
// CHECK-DAG:   #[[ROWS:.*]] = affine_map<()[s0] -> (0, s0 - 1)>
// CHECK-LABEL: func.func @cut_off
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK:         %[[D:.*]] = tensor.dim
// CHECK:         %[[M:.*]] = affine.min #[[MIN]]()[%[[D]]]
// CHECK:         %[[O:.*]] = affine.max #[[OFFSET]]()[%[[M]]]
// CHECK:         %[[R:.*]] = affine.max #[[ROWS]]()[%[[D]]]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[A]][%[[O]], 0] [%[[R]], 8] [1, 1]
// CHECK:         linalg.fill
// CHECK:         linalg.copy ins(%[[S]]
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [%[[R]], 8] [1, 1]
// CHECK-NOT:     tensor.pad
func.func @cut_off(%a: tensor<?x8xf32>, %v: f32) -> tensor<?x10xf32> {
  %p = tensor.pad %a low[-1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x8xf32> to tensor<?x10xf32>
  return %p : tensor<?x10xf32>
}

// -----

// A slice of a source that has no elements would be invalid.

// CHECK-LABEL: func.func @of_nothing
// CHECK-NOT:     tensor.extract_slice %arg0
// CHECK:         linalg.fill
// CHECK-NOT:     tensor.pad
func.func @of_nothing(%a: tensor<?x0xf32>, %h: index, %v: f32) -> tensor<?x?xf32> {
  %p = tensor.pad %a low[%h, 0] high[0, %h] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x0xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

// The result has no room for the source.

// CHECK-LABEL: func.func @no_room
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<4xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[A]][0] [3] [1]
// CHECK:         linalg.copy ins(%[[S]]
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[2] [3] [1]
// CHECK-NOT:     tensor.pad
func.func @no_room(%a: tensor<4xf32>, %h: index, %v: f32) -> tensor<5xf32> {
  %p = tensor.pad %a low[2] high[%h] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %p : tensor<5xf32>
}

// -----

// CHECK-LABEL: func.func @pad
// CHECK:         linalg.fill ins(%arg1 : f32)
// CHECK:         linalg.copy ins(%arg0
// CHECK:         tensor.insert_slice
// CHECK-NOT:     tensor.pad
func.func @pad(%a: tensor<?x8xf32>, %v: f32) -> tensor<?x10xf32> {
  %p = tensor.pad %a low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x8xf32> to tensor<?x10xf32>
  return %p : tensor<?x10xf32>
}

// -----

// One destination in front of the branch, of the size of the branch taken.

// CHECK-LABEL: func.func @branch
// CHECK-SAME:    %[[A:[^:]*]]: tensor<?x8xf32>, %[[B:[^:]*]]: tensor<?x8xf32>, %[[C:[^:]*]]: i1
// CHECK-DAG:     %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[B]], %c0
// CHECK:         %[[SIZE:.*]] = arith.select %[[C]], %[[M]], %[[N]]
// CHECK:         %[[E:.*]] = bufferization.alloc_tensor(%[[SIZE]]) : tensor<?x8xf32>
// CHECK:         scf.if %[[C]]
// CHECK:           %[[X:.*]] = linalg.exp
// CHECK:           %[[Y:.*]] = bufferization.materialize_in_destination %[[X]] in %[[E]]
// CHECK:           scf.yield %[[Y]]
// CHECK:         } else {
// CHECK:           %[[Z:.*]] = linalg.copy ins(%[[B]] : tensor<?x8xf32>) outs(%[[E]]
// CHECK:           scf.yield %[[Z]]
func.func @branch(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %c: i1) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %r = scf.if %c -> tensor<?x8xf32> {
    %e = tensor.empty(%m) : tensor<?x8xf32>
    %x = linalg.exp ins(%a : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %x : tensor<?x8xf32>
  } else {
    scf.yield %b : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

// The destination of the outer branch is that of the inner one.

// CHECK-LABEL: func.func @nested
// CHECK:         %[[E:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK-NOT:     alloc_tensor
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             bufferization.materialize_in_destination %{{.*}} in %[[E]]
// CHECK:           } else {
// CHECK:             linalg.copy ins(%arg0 : tensor<8xf32>) outs(%[[E]]
func.func @nested(%a: tensor<8xf32>, %c: i1, %d: i1) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.if %c -> tensor<8xf32> {
    %i = scf.if %d -> tensor<8xf32> {
      %x = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %x : tensor<8xf32>
    } else {
      scf.yield %a : tensor<8xf32>
    }
    scf.yield %i : tensor<8xf32>
  } else {
    %y = linalg.log ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Both write over one tensor: that is its place.

// CHECK-LABEL: func.func @negative_update
// CHECK-NOT:     tensor.empty
// CHECK:         scf.if
// CHECK:           tensor.insert_slice
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %arg0
func.func @negative_update(%cache: tensor<16x8xf32>, %new: tensor<1x8xf32>, %c: i1, %i: index) -> tensor<16x8xf32> {
  %r = scf.if %c -> tensor<16x8xf32> {
    %x = tensor.insert_slice %new into %cache[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
    scf.yield %x : tensor<16x8xf32>
  } else {
    scf.yield %cache : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// -----

// The size is only known in the branch.

// CHECK-LABEL: func.func @negative_size
// CHECK-NOT:     materialize_in_destination
func.func @negative_size(%a: tensor<16xf32>, %m: memref<index>, %c: i1) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> tensor<?xf32> {
    %n = memref.load %m[] : memref<index>
    %e = tensor.empty(%n) : tensor<?xf32>
    %s = tensor.extract_slice %a[0] [%n] [1] : tensor<16xf32> to tensor<?xf32>
    %x = linalg.exp ins(%s : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  } else {
    %s = tensor.extract_slice %a[0] [%c1] [1] : tensor<16xf32> to tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Equal elements are a number; others, and shapes, stay.

// CHECK-LABEL: func.func @splat
// CHECK-DAG:     arith.constant dense<{{.*}}> : tensor<2xf32>
// CHECK-DAG:     arith.constant dense<4> : tensor<1xindex>
// CHECK:         linalg.fill ins(%{{.*}} : f32)
func.func @splat(%a: tensor<4xf32>, %d: tensor<2x2xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<4xf32>) {
  %s = arith.constant dense<0.5> : tensor<4xf32>
  %o = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %shape = arith.constant dense<4> : tensor<1xindex>
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.mul ins(%a, %s : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.reshape %d(%shape) : (tensor<2x2xf32>, tensor<1xindex>) -> tensor<4xf32>
  return %x, %o, %y : tensor<4xf32>, tensor<2xf32>, tensor<4xf32>
}

// -----

// Tiles of workgroups are left alone.

// CHECK-LABEL: func.func @negative_workgroup
// CHECK:         scf.forall
// CHECK:           tensor.concat
func.func @negative_workgroup(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%out = %o) -> tensor<4x16xf32> {
    %x = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %y = tensor.extract_slice %b[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %c = tensor.concat dim(1) %x, %y : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %out[%i, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<4x16xf32>
    }
  }
  return %r : tensor<4x16xf32>
}

// -----

// What is read-only is copied by the op that inserts.

// CHECK-LABEL: func @insert_read_only
//  CHECK-SAME: (%[[CACHE:.*]]: tensor<4x9xf32> {{.*}}, %[[NEW:.*]]: tensor<4x2xf32>, %[[AT:.*]]: index)
//       CHECK: %[[E:.*]] = tensor.empty() : tensor<4x9xf32>
//       CHECK: linalg.generic {{.*}} ins(%[[CACHE]] : tensor<4x9xf32>) outs(%[[E]] : tensor<4x9xf32>)
//  CHECK-NEXT: ^bb0(%[[OLD:.*]]: f32, %{{.*}}: f32):
//       CHECK:   %[[I:.*]] = linalg.index 0
//       CHECK:   %[[J:.*]] = linalg.index 1
//       CHECK:   %[[REL:.*]] = arith.subi %[[J]], %[[AT]]
//       CHECK:   %[[IN:.*]] = arith.cmpi ult, %[[REL]], %{{.*}}
//       CHECK:   %[[COLUMN:.*]] = arith.minui %[[REL]], %{{.*}}
//       CHECK:   %[[X:.*]] = tensor.extract %[[NEW]][%[[I]], %[[COLUMN]]]
//       CHECK:   arith.select %[[IN]], %[[X]], %[[OLD]]
func.func @insert_read_only(%cache: tensor<4x9xf32> {bufferization.writable = false}, %new: tensor<4x2xf32>, %at: index) -> tensor<4x9xf32> {
  %r = tensor.insert_slice %new into %cache[0, %at] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x9xf32>
  return %r : tensor<4x9xf32>
}

// -----

// One row, without the dimension of size 1.

// CHECK-LABEL: func @insert_read_only_row
//  CHECK-SAME: (%[[CACHE:.*]]: tensor<4x9xf32> {{.*}}, %[[NEW:.*]]: tensor<9xf32>, %[[AT:.*]]: index)
//       CHECK: linalg.generic {{.*}} ins(%[[CACHE]] : tensor<4x9xf32>)
//  CHECK-NEXT: ^bb0(%[[OLD:.*]]: f32, %{{.*}}: f32):
//       CHECK:   %[[I:.*]] = linalg.index 0
//       CHECK:   %[[REL:.*]] = arith.subi %[[I]], %[[AT]]
//       CHECK:   %[[IN:.*]] = arith.cmpi ult, %[[REL]], %{{.*}}
//       CHECK:   %[[J:.*]] = linalg.index 1
//       CHECK:   %[[X:.*]] = tensor.extract %[[NEW]][%[[J]]]
//       CHECK:   arith.select %[[IN]], %[[X]], %[[OLD]]
func.func @insert_read_only_row(%cache: tensor<4x9xf32> {bufferization.writable = false}, %new: tensor<9xf32>, %at: index) -> tensor<4x9xf32> {
  %r = tensor.insert_slice %new into %cache[%at, 0] [1, 9] [1, 1] : tensor<9xf32> into tensor<4x9xf32>
  return %r : tensor<4x9xf32>
}

// -----

// The result keeps its encoding.

// CHECK-LABEL: func @insert_encoded
//       CHECK: tensor.empty() : tensor<4x9xf32, "e">
//       CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x9xf32, "e">)
func.func @insert_encoded(%cache: tensor<4x9xf32, "e"> {bufferization.writable = false}, %new: tensor<9xf32, "e">, %at: index) -> tensor<4x9xf32, "e"> {
  %r = tensor.insert_slice %new into %cache[%at, 0] [1, 9] [1, 1] : tensor<9xf32, "e"> into tensor<4x9xf32, "e">
  return %r : tensor<4x9xf32, "e">
}

// -----

// What may be nothing is read nowhere.

// CHECK-LABEL: func @negative_insert_read_only_dynamic
//       CHECK: tensor.insert_slice
func.func @negative_insert_read_only_dynamic(%cache: tensor<9xf32> {bufferization.writable = false}, %new: tensor<?xf32>, %n: index) -> tensor<9xf32> {
  %r = tensor.insert_slice %new into %cache[0] [%n] [1] : tensor<?xf32> into tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// A constant that a payload reads is filled once, in front of the op.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @constant_in_payload
//       CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<16xf32>
//       CHECK: linalg.generic
//       CHECK:   tensor.extract %[[F]]
func.func @constant_in_payload(%x: tensor<8xindex>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<1.5> : tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: index, %o: f32):
    %v = tensor.extract %c[%i] : tensor<16xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// So is one that is in the payload itself.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @constant_of_payload
//       CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<16xf32>
//       CHECK: linalg.generic
//       CHECK:   tensor.extract %[[F]]
func.func @constant_of_payload(%x: tensor<8xindex>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: index, %o: f32):
    %c = arith.constant dense<1.5> : tensor<16xf32>
    %v = tensor.extract %c[%i] : tensor<16xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A destination of another type is not the one of the branches.

// CHECK-LABEL: func @negative_destination_of_other_type
//  CHECK-SAME: (%[[X:.*]]: tensor<8xf32>, %[[D:.*]]: tensor<8xf32>
//       CHECK: %[[A:.*]] = bufferization.alloc_tensor
//       CHECK: %[[R:.*]] = scf.if
//       CHECK:   linalg.copy {{.*}} outs(%[[A]] : tensor<?xf32>)
//       CHECK:   bufferization.materialize_in_destination %{{.*}} in %[[A]]
//       CHECK: bufferization.materialize_in_destination %[[R]] in %[[D]]
func.func @negative_destination_of_other_type(%x: tensor<8xf32>, %d: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %k = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
    scf.yield %k : tensor<?xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %v = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %k = tensor.cast %v : tensor<8xf32> to tensor<?xf32>
    scf.yield %k : tensor<?xf32>
  }
  %w = bufferization.materialize_in_destination %r in %d : (tensor<?xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %w : tensor<8xf32>
}

// -----

// There is no constant of arith for a complex number.

// CHECK-LABEL: func @negative_complex
//       CHECK: arith.constant dense<(1.000000e+00,2.000000e+00)>
func.func @negative_complex() -> tensor<4xcomplex<f32>> {
  %c = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  return %c : tensor<4xcomplex<f32>>
}

// -----

// What replaces the padding would have no encoding.

// CHECK-LABEL: @negative_encoding(
// CHECK:         tensor.pad
func.func @negative_encoding(%a: tensor<?x8xf32, "e">, %v: f32) -> tensor<?x10xf32, "e"> {
  %p = tensor.pad %a low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x8xf32, "e"> to tensor<?x10xf32, "e">
  return %p : tensor<?x10xf32, "e">
}
