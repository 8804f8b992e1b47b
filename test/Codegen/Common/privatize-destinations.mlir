// RUN: linalg-ext-opt %s --linalg-ext-prepare-destinations=steps=privatize --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-prepare-destinations{steps=privatize})' --split-input-file | FileCheck %s

// CHECK-LABEL: func @shared_fill
func.func @shared_fill(%a: tensor<4xf32>, %b: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[E0:.*]] = tensor.empty
  // CHECK: %[[F0:.*]] = linalg.fill {{.*}} outs(%[[E0]]
  // CHECK: %[[E1:.*]] = tensor.empty
  // CHECK: %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
  // CHECK: linalg.add {{.*}} outs(%[[F1]]
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%fill : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.reduce {{.*}} outs(%[[F0]]
  %1 = linalg.reduce {arith.addf} ins(%b : tensor<4x8xf32>) outs(%fill : tensor<4xf32>) dimensions = [1]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The size is not copied, only the fill and the tensor that it fills.

// CHECK-LABEL: func @shared_fill_dynamic
// CHECK-SAME:    %[[N:[^:]*]]: index
func.func @shared_fill_dynamic(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  // CHECK: %[[E0:.*]] = tensor.empty(%[[N]])
  // CHECK: %[[F0:.*]] = linalg.fill {{.*}} outs(%[[E0]]
  // CHECK: %[[E1:.*]] = tensor.empty(%[[N]])
  // CHECK: %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
  // CHECK: linalg.add {{.*}} outs(%[[F1]]
  %0 = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%fill : tensor<?xf32>) -> tensor<?xf32>
  // CHECK: linalg.sub {{.*}} outs(%[[F0]]
  %1 = linalg.sub ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%fill : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The init of a loop and a destination in it.

// CHECK-LABEL: func @across_a_loop
func.func @across_a_loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  // CHECK: %[[INIT:.*]] = tensor.empty
  // CHECK: scf.for {{.*}} iter_args(%[[ARG:.*]] = %[[INIT]])
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%arg = %empty) -> tensor<4xf32> {
    // CHECK: %[[INNER:.*]] = tensor.empty
    // CHECK: linalg.add ins(%[[ARG]], %{{.*}}) outs(%[[INNER]]
    %1 = linalg.add ins(%arg, %a : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The input of an elementwise op is overwritten where nothing uses it any more.

// CHECK-LABEL: func @reused_input
//  CHECK-SAME: (%[[A:.*]]: tensor<4xf32>)
func.func @reused_input(%a: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  // CHECK: %[[E0:.*]] = tensor.empty
  // CHECK-NEXT: %[[E:.*]] = tensor.empty
  // CHECK-NEXT: %[[ADD:.*]] = linalg.add {{.*}} outs(%[[E]]
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.exp ins(%[[ADD]] : tensor<4xf32>) outs(%[[ADD]] : tensor<4xf32>)
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// An argument belongs to the caller; an input that is used later is still needed.

// CHECK-LABEL: func @negative_input_in_use
//  CHECK-SAME: (%[[A:.*]]: tensor<4xf32>)
func.func @negative_input_in_use(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[E1:.*]] = tensor.empty
  // CHECK: %[[E0:.*]] = tensor.empty
  // CHECK: %[[EXP:.*]] = linalg.exp ins(%[[A]] {{.*}} outs(%[[E0]]
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: linalg.exp ins(%[[EXP]] {{.*}} outs(%[[E1]]
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The parts of a concatenation, and an op that writes to a tensor of the same
// type: the parts stay where they are inserted.

// CHECK-LABEL: func @parts_and_another
// CHECK:         %[[OTHER:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[WHOLE:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[WHOLE]][0] [4] [1]
// CHECK:         %[[ADDED:.*]] = linalg.add {{.*}} outs(%[[PART]]
// CHECK:         tensor.insert_slice %[[ADDED]] into %[[WHOLE]][0] [4] [1]
// CHECK:         linalg.sub {{.*}} outs(%[[OTHER]]
func.func @parts_and_another(%a: tensor<4xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %empty = tensor.empty() : tensor<8xf32>
  %part = tensor.extract_slice %empty[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%part : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert_slice %0 into %empty[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.insert_slice %a into %1[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %3 = linalg.sub ins(%b, %b : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Two concatenations.

// CHECK-LABEL: func @parts_of_two
// CHECK:         %[[SECOND:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[B:.*]] = tensor.extract_slice %[[SECOND]]
// CHECK:         %[[FIRST:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[A:.*]] = tensor.extract_slice %[[FIRST]]
// CHECK:         %[[SUM:.*]] = linalg.add {{.*}} outs(%[[A]]
// CHECK:         %[[REST:.*]] = linalg.sub {{.*}} outs(%[[B]]
// CHECK:         tensor.insert_slice %[[SUM]] into %[[FIRST]]
// CHECK:         tensor.insert_slice %[[REST]] into %[[SECOND]]
func.func @parts_of_two(%a: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %empty = tensor.empty() : tensor<8xf32>
  %part = tensor.extract_slice %empty[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%part : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.sub ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%part : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %0 into %empty[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %3 = tensor.insert_slice %1 into %empty[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What is computed in front of what it is inserted into moves behind it.

// CHECK-LABEL: func @part_is_early
// CHECK:         %[[FIRST:.*]] = tensor.insert_slice
// CHECK:         %[[LATE:.*]] = linalg.add
// CHECK:         tensor.insert_slice %[[LATE]] into %[[FIRST]][4] [4] [1]
func.func @part_is_early(%a: tensor<4xf32>) -> tensor<8xf32> {
  %own = tensor.empty() : tensor<4xf32>
  %early = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%own : tensor<4xf32>) -> tensor<4xf32>
  %empty = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %a into %empty[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %early into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Used in front of it, too.

// CHECK-LABEL: func @negative_part_is_used
// CHECK:         %[[EARLY:.*]] = linalg.add
// CHECK:         linalg.sub
// CHECK:         tensor.insert_slice
func.func @negative_part_is_used(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %own = tensor.empty() : tensor<4xf32>
  %early = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%own : tensor<4xf32>) -> tensor<4xf32>
  %own2 = tensor.empty() : tensor<4xf32>
  %used = linalg.sub ins(%early, %a : tensor<4xf32>, tensor<4xf32>) outs(%own2 : tensor<4xf32>) -> tensor<4xf32>
  %empty = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %a into %empty[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %early into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %used, %1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// What is computed for a buffer is computed in it, though something else reads it
// before it is done.

// CHECK-LABEL: func @in_buffer
//  CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[OUT:.*]]: memref<4x8xf32>)
//       CHECK: %[[T:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
//       CHECK: %[[E:.*]] = linalg.exp {{.*}} outs(%[[T]] : tensor<4x8xf32>)
//       CHECK: linalg.reduce {{.*}} ins(%[[E]]
//       CHECK: %[[R:.*]] = linalg.generic {{.*}} outs(%[[E]] : tensor<4x8xf32>)
//       CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[OUT]]
func.func @in_buffer(%x: tensor<4x8xf32>, %out: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce {arith.addf} ins(%0 : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4xf32>) outs(%0 : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.divf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  bufferization.materialize_in_destination %1 in restrict writable %out : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  return
}

// -----

// The buffer may be something else that is read, or is read.

// CHECK-LABEL: func @negative_accessed_buffer
//       CHECK: linalg.exp {{.*}} outs(%[[E:.*]] : tensor<4xf32>)
//   CHECK-NOT: to_tensor {{.*}} writable
//       CHECK: return
func.func @negative_accessed_buffer(%x: tensor<4xf32>, %a: memref<4xf32>, %b: memref<4xf32>) {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %0 in writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  %y = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  %other = tensor.empty() : tensor<4xf32>
  %1 = linalg.log ins(%y : tensor<4xf32>) outs(%other : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// What is there stays where the branch is not taken.

// CHECK-LABEL: func @negative_buffer_in_branch
//   CHECK-NOT: to_tensor
//       CHECK: scf.if
//       CHECK:   bufferization.materialize_in_destination
func.func @negative_buffer_in_branch(%x: tensor<4xf32>, %out: memref<4xf32>, %c: i1) {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  scf.if %c {
    bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return
}

// -----

// Each call that takes a tensor as unranked may write to it, and gets a copy if others
// read it.

func.func private @print(tensor<*xf32>)

// CHECK-LABEL: func @unranked_calls
// CHECK:         %[[E:.*]] = linalg.exp
// CHECK:         %[[C0:.*]] = bufferization.alloc_tensor() copy(%[[E]])
// CHECK:         %[[U0:.*]] = tensor.cast %[[C0]]
// CHECK:         call @print(%[[U0]])
// CHECK:         %[[C1:.*]] = bufferization.alloc_tensor() copy(%[[E]])
// CHECK:         %[[U1:.*]] = tensor.cast %[[C1]]
// CHECK:         call @print(%[[U1]])
// CHECK:         return %[[E]]
func.func @unranked_calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %u = tensor.cast %e : tensor<4xf32> to tensor<*xf32>
  call @print(%u) : (tensor<*xf32>) -> ()
  call @print(%u) : (tensor<*xf32>) -> ()
  return %e : tensor<4xf32>
}

// -----

func.func private @print(tensor<*xf32>)

// CHECK-LABEL: func @negative_last_use
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @negative_last_use(%x: tensor<4xf32>) {
  %empty = tensor.empty() : tensor<4xf32>
  %e = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %u = tensor.cast %e : tensor<4xf32> to tensor<*xf32>
  call @print(%u) : (tensor<*xf32>) -> ()
  return
}

// -----

func.func private @print(tensor<*xf32>)

// The function may write to its argument, and so not to that of its caller.

// CHECK-LABEL: func @unranked_argument
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[C:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK:         %[[U:.*]] = tensor.cast %[[C]]
// CHECK:         call @print(%[[U]])
func.func @unranked_argument(%x: tensor<4xf32>) {
  %u = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  call @print(%u) : (tensor<*xf32>) -> ()
  return
}

// -----

// A deallocation behind the allocation is left to upstream's pass. One in a branch is the
// program's own.

// CHECK-LABEL: func @deallocations
// CHECK:         memref.alloc
// CHECK:         memref.alloc
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @deallocations(%out: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  scf.if %c {
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// -----

// Regions that read what they start from get no part of another tensor in its place.

// CHECK-LABEL: func @branch_of_fill
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[F]]
// CHECK:         %[[START:.*]] = tensor.cast %[[S]]
// CHECK:         scf.if
// CHECK:           linalg.generic {{.*}} outs(%[[START]] :
// CHECK:           scf.yield %[[START]] :
func.func @branch_of_fill(%b: i1, %x: tensor<4xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%three : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %s = tensor.extract_slice %f[1] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %r = scf.if %b -> tensor<4xf32> {
    %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%s : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = arith.addf %a, %o : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } else {
    scf.yield %s : tensor<4xf32>
  }
  %i = tensor.insert_slice %r into %d[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %i : tensor<8xf32>
}
