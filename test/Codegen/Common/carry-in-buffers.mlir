// RUN: linalg-ext-opt %s --linalg-ext-prepare-destinations=steps=privatize | FileCheck %s

// What an iteration computes anew is written to the iteration argument.

// CHECK-LABEL: func @created
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK:       %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK:       scf.for {{.*}} iter_args(%[[LAST:.*]] = %[[COPY]])
// CHECK:         %[[Y:.*]] = linalg.exp ins(%[[LAST]]
// CHECK:         %[[W:.*]] = bufferization.materialize_in_destination %[[Y]] in %[[LAST]]
// CHECK:         scf.yield %[[W]]
func.func @created(%x: tensor<?x8xf32>, %rows: index, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %x) -> (tensor<?x8xf32>) {
    %e = tensor.empty(%rows) : tensor<?x8xf32>
    %y = linalg.exp ins(%last : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// It starts with what the function computes: no copy.

// CHECK-LABEL: func @while
// CHECK-NOT:   bufferization.alloc_tensor
// CHECK:       ^bb0(%[[I:.*]]: index, %[[LAST:.*]]: tensor<4x8xf32>):
// CHECK:         %[[Y:.*]] = linalg.exp
// CHECK:         %[[W:.*]] = bufferization.materialize_in_destination %[[Y]] in %[[LAST]]
// CHECK:         scf.yield %{{.*}}, %[[W]]
func.func @while(%x: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tensor.empty() : tensor<4x8xf32>
  %start = linalg.log ins(%x : tensor<4x8xf32>) outs(%first : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r:2 = scf.while (%i = %c0, %last = %start) : (index, tensor<4x8xf32>) -> (index, tensor<4x8xf32>) {
    %continues = arith.cmpi slt, %i, %n : index
    scf.condition(%continues) %i, %last : index, tensor<4x8xf32>
  } do {
  ^bb0(%i: index, %last: tensor<4x8xf32>):
    %e = tensor.empty() : tensor<4x8xf32>
    %y = linalg.exp ins(%last : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %y : index, tensor<4x8xf32>
  }
  return %r#1 : tensor<4x8xf32>
}

// CHECK-LABEL: func @negative_accumulated
// CHECK-NOT:   bufferization.materialize_in_destination
// CHECK:       return
func.func @negative_accumulated(%x: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (tensor<4x8xf32>) {
    %y = linalg.add ins(%sum, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%sum : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %y : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// The first argument is written before the second one takes its value, which is copied in
// front.

// CHECK-LABEL: func @exchanged
// CHECK:       scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK:         %[[S:.*]] = linalg.exp ins(%[[X]]
// CHECK:         %[[WX:.*]] = bufferization.materialize_in_destination %[[S]] in %[[X]]
// CHECK:         %[[WY:.*]] = bufferization.materialize_in_destination %[[COPY]] in %[[Y]]
// CHECK:         scf.yield %[[WX]], %[[WY]]
func.func @exchanged(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<4x8xf32>
    %s = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %s, %x : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %r#1 : tensor<4x8xf32>
}

// The argument is read while the new tensor is computed: another tensor than the argument
// is written, and copied. (An elementwise op, above, overwrites each element that it reads.)

// CHECK-LABEL: func @read_behind
// CHECK:       scf.for {{.*}} iter_args(%[[LAST:.*]] = %
// CHECK:         %[[OTHER:.*]] = bufferization.alloc_tensor() : tensor<8x8xf32>
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} outs(%[[OTHER]]
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%[[LAST]], %{{.*}}) outs(%[[F]]
// CHECK:         %[[W:.*]] = bufferization.materialize_in_destination %[[Y]] in %[[LAST]]
// CHECK:         scf.yield %[[W]]
func.func @read_behind(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %x) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = linalg.matmul ins(%last, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %y : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// It is read before: the last op writes to it.

// CHECK-LABEL: func @read_in_front
// CHECK-NOT:   bufferization.alloc_tensor() : tensor<8x8xf32>
// CHECK:       return
func.func @read_in_front(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %x) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = linalg.matmul ins(%last, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %e2 = tensor.empty() : tensor<8x8xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %z = linalg.matmul ins(%y, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f2 : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %z : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// Each branch writes to the argument, and so does what an inner loop begins with.

// CHECK-LABEL: func @branch_and_loop
// CHECK:       scf.for {{.*}} iter_args(%[[LAST:.*]] = %
// CHECK:         scf.if
// CHECK:           %[[L:.*]] = linalg.log ins(%[[LAST]]
// CHECK:           %[[W:.*]] = bufferization.materialize_in_destination %[[L]] in %[[LAST]]
// CHECK:           scf.yield %[[W]]
// CHECK:         else
// CHECK-NEXT:      scf.yield %[[LAST]]
// CHECK:         scf.for {{.*}} iter_args(%[[INNER:.*]] = %
// CHECK:           bufferization.materialize_in_destination %{{.*}} in %[[INNER]]
// CHECK-NOT:     bufferization.materialize_in_destination
// CHECK:       return
func.func @branch_and_loop(%x: tensor<4x8xf32>, %n: index, %c: i1) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %x) -> (tensor<4x8xf32>) {
    %y = scf.if %c -> (tensor<4x8xf32>) {
      %e = tensor.empty() : tensor<4x8xf32>
      %l = linalg.log ins(%last : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %l : tensor<4x8xf32>
    } else {
      scf.yield %last : tensor<4x8xf32>
    }
    %z = scf.for %j = %c0 to %n step %c1 iter_args(%inner = %y) -> (tensor<4x8xf32>) {
      %e = tensor.empty() : tensor<4x8xf32>
      %l = linalg.exp ins(%inner : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %l : tensor<4x8xf32>
    }
    scf.yield %z : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// What a branch computes is read together with the argument, which stays until then.

// CHECK-LABEL: func @read_behind_branch
// CHECK:       scf.for {{.*}} iter_args(%[[LAST:.*]] = %{{.*}}, %[[SUM:.*]] = %
// CHECK:         %[[Y:.*]] = scf.if
// CHECK-NOT:       bufferization.materialize_in_destination
// CHECK:         linalg.add ins(%[[LAST]], %[[Y]]
// CHECK:         bufferization.materialize_in_destination %[[Y]] in %[[LAST]]
func.func @read_behind_branch(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %n: index, %c: i1) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%last = %x, %sum = %y) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %z = scf.if %c -> (tensor<4x8xf32>) {
      %e = tensor.empty() : tensor<4x8xf32>
      %l = linalg.log ins(%last : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %l : tensor<4x8xf32>
    } else {
      scf.yield %last : tensor<4x8xf32>
    }
    %s = linalg.add ins(%last, %z : tensor<4x8xf32>, tensor<4x8xf32>) outs(%sum : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %z, %s : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// The condition hands on fewer values than it gets, in another order. Bufferization wants
// all buffers, in their order.

// CHECK-LABEL: func @hand_on_all
// CHECK:       %[[R:.*]]:4 = scf.while (%[[C:.*]] = %{{.*}}, %[[I:.*]] = %{{.*}}, %[[H:.*]] = %{{.*}}) : (i1, index, tensor<4x8xf32>) -> (i1, index, tensor<4x8xf32>, index)
// CHECK:         %[[TWICE:.*]] = arith.addi %[[I]], %[[I]]
// CHECK:         scf.condition(%[[C]]) %[[C]], %[[I]], %[[H]], %[[TWICE]]
// CHECK:       ^bb0(%{{.*}}: i1, %{{.*}}: index, %[[LAST:.*]]: tensor<4x8xf32>, %[[T:.*]]: index):
// CHECK:         arith.cmpi slt, %[[T]]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in %[[LAST]]
// CHECK:       return %[[R]]#2, %[[R]]#3
func.func @hand_on_all(%x: tensor<4x8xf32>, %n: index, %begin: i1) -> (tensor<4x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%c = %begin, %i = %c0, %last = %x) : (i1, index, tensor<4x8xf32>) -> (index, tensor<4x8xf32>) {
    %twice = arith.addi %i, %i : index
    scf.condition(%c) %twice, %last : index, tensor<4x8xf32>
  } do {
  ^bb0(%twice: index, %last: tensor<4x8xf32>):
    %e = tensor.empty() : tensor<4x8xf32>
    %y = linalg.exp ins(%last : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %next = arith.addi %twice, %c1 : index
    %more = arith.cmpi slt, %twice, %n : index
    scf.yield %more, %next, %y : i1, index, tensor<4x8xf32>
  }
  return %r#1, %r#0 : tensor<4x8xf32>, index
}
