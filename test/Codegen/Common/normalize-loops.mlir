// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-normalize | FileCheck %s
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-normalize=unroll-loops=3 | FileCheck %s --check-prefix=UNROLL

// As `lax.scan` writes it: the counter is a tensor, and a tensor says whether to go on. The
// programs of test/Importers/StableHLO/scan-of-keys.mlir and Stock/layers-in-a-loop.mlir are
// executed.

#scalar = affine_map<() -> ()>

func.func @scan(%x: tensor<8xf32>, %w: tensor<3x8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %three = arith.constant dense<3> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %h = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<i1>
    %less = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%i, %three : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %c = arith.cmpi slt, %a, %b : i32
      linalg.yield %c : i1
    } -> tensor<i1>
    %c = tensor.extract %less[] : tensor<i1>
    scf.condition(%c) %i, %h : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<8xf32>):
    %i32 = tensor.extract %i[] : tensor<i32>
    %at = arith.index_cast %i32 : i32 to index
    %row = tensor.extract_slice %w[%at, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %y = linalg.mul ins(%h, %row : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %ei = tensor.empty() : tensor<i32>
    %next = linalg.add ins(%i, %one : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    scf.yield %next, %y : tensor<i32>, tensor<8xf32>
  }
  return %r#1, %r#0 : tensor<8xf32>, tensor<i32>
}
// CHECK-LABEL: @scan(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[W:[a-z0-9]+]]: tensor<3x8xf32>
//   CHECK-NOT:   scf.while
//       CHECK:   scf.for %[[I:.*]] = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%{{.*}} = %[[X]])
//       CHECK:     %[[AT:.*]] = arith.index_cast %[[I]]
//       CHECK:     tensor.extract_slice %[[W]][%[[AT]], 0] [1, 8]
//       CHECK:   return
// UNROLL-LABEL: @scan(
//  UNROLL-SAME:   %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[W:[a-z0-9]+]]: tensor<3x8xf32>
//   UNROLL-NOT:   scf
//       UNROLL:   tensor.extract_slice %[[W]][0, 0] [1, 8]
//       UNROLL:   tensor.extract_slice %[[W]][1, 0] [1, 8]
//       UNROLL:   tensor.extract_slice %[[W]][2, 0] [1, 8]
//   UNROLL-NOT:   tensor.extract_slice
//       UNROLL:   return

// -----

// What is computed says when to end. Such a number stays where kernels can compute it.

func.func @negative_until(%x: tensor<f32>) -> tensor<f32> {
  %most = arith.constant 100.0 : f32
  %r = scf.while (%h = %x) : (tensor<f32>) -> tensor<f32> {
    %a = tensor.extract %h[] : tensor<f32>
    %c = arith.cmpf olt, %a, %most : f32
    scf.condition(%c) %h : tensor<f32>
  } do {
  ^bb0(%h: tensor<f32>):
    %e = tensor.empty() : tensor<f32>
    %y = linalg.add ins(%h, %h : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
    scf.yield %y : tensor<f32>
  }
  return %r : tensor<f32>
}
// CHECK-LABEL: @negative_until(
//       CHECK:   scf.while (%[[H:.*]] = %{{.*}}) : (tensor<f32>) -> tensor<f32>
//       CHECK:     tensor.extract %[[H]][]
//       CHECK:     linalg.add

// -----

// One tensor of an integer is counted, the other one is computed from data: the index of the
// largest element.

#scalar = affine_map<() -> ()>

func.func @counter_and_token(%x: tensor<8xf32>, %n: tensor<i32>, %first: tensor<i32>) -> tensor<i32> {
  %start = arith.constant dense<0> : tensor<i32>
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i32
  %r:2 = scf.while (%i = %start, %token = %first) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %b = tensor.extract %n[] : tensor<i32>
    %c = arith.cmpi ne, %a, %b : i32
    scf.condition(%c) %i, %token : tensor<i32>, tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>, %token: tensor<i32>):
    %ei = tensor.empty() : tensor<i32>
    %ef = tensor.empty() : tensor<f32>
    %next = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%i : tensor<i32>) outs(%ei : tensor<i32>) {
    ^bb0(%a: i32, %o: i32):
      %one = arith.constant 1 : i32
      %v = arith.addi %a, %one : i32
      linalg.yield %v : i32
    } -> tensor<i32>
    %fm = linalg.fill ins(%low : f32) outs(%ef : tensor<f32>) -> tensor<f32>
    %fi = linalg.fill ins(%none : i32) outs(%ei : tensor<i32>) -> tensor<i32>
    %best:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x, %token : tensor<8xf32>, tensor<i32>) outs(%fm, %fi : tensor<f32>, tensor<i32>) {
    ^bb0(%a: f32, %t: i32, %m: f32, %at: i32):
      %k = linalg.index 0 : index
      %k32 = arith.index_cast %k : index to i32
      %other = arith.cmpi ne, %k32, %t : i32
      %more = arith.cmpf ogt, %a, %m : f32
      %is = arith.andi %other, %more : i1
      %v = arith.select %is, %a, %m : f32
      %w = arith.select %is, %k32, %at : i32
      linalg.yield %v, %w : f32, i32
    } -> (tensor<f32>, tensor<i32>)
    scf.yield %next, %best#1 : tensor<i32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}
// CHECK-LABEL: @counter_and_token(
//       CHECK:   scf.while ({{.*}}) : (i32, tensor<i32>) -> {{.*}}tensor<i32>

// -----

// More iterations, an unknown number, and a loop over tiles of a workgroup.

func.func @negative_unroll(%x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> tensor<8xf32> {
    %y = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> tensor<8xf32> {
    %y = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  %t = scf.forall (%j) in (4) shared_outs(%all = %e) -> tensor<8xf32> {
    %at = arith.muli %j, %c2 : index
    %tile = tensor.extract_slice %x[%at] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %e2 = tensor.empty() : tensor<2xf32>
    %u = scf.for %i = %c0 to %c2 step %c1 iter_args(%h = %tile) -> tensor<2xf32> {
      %y = linalg.exp ins(%h : tensor<2xf32>) outs(%e2 : tensor<2xf32>) -> tensor<2xf32>
      scf.yield %y : tensor<2xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %all[%at] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r, %s, %t : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// UNROLL-LABEL: @negative_unroll(
//       UNROLL:   scf.for
//       UNROLL:   scf.for
//       UNROLL:   scf.forall
//       UNROLL:     scf.for

// -----

// Behind the loop, the counter is 9. A loop that is not entered leaves it.

func.func @counter(%x: tensor<8xf32>, %n: tensor<i32>) -> (tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<i32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %seven = arith.constant 7 : i32
  %three = arith.constant dense<3> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<i32>
  %r:2 = scf.while (%i = %zero, %h = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi slt, %a, %seven : i32
    scf.condition(%c) %i, %h : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<8xf32>):
    %y = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.add ins(%i, %three : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    scf.yield %next, %y : tensor<i32>, tensor<8xf32>
  }
  %b = tensor.extract %n[] : tensor<i32>
  %s:2 = scf.while (%i = %three, %h = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi sgt, %b, %a : i32
    scf.condition(%c) %i, %h : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<8xf32>):
    %y = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.add ins(%i, %one : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    scf.yield %next, %y : tensor<i32>, tensor<8xf32>
  }
  return %r#1, %r#0, %s#1, %s#0 : tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<i32>
}
// CHECK-LABEL: @counter(
//       CHECK:   %[[NINE:.*]] = arith.constant dense<9> : tensor<i32>
//       CHECK:   scf.for %{{.*}} = %c0_i32 to %c7_i32 step %c3_i32
//       CHECK:   %[[N:.*]] = tensor.extract %{{.*}}[] : tensor<i32>
//       CHECK:   scf.for %{{.*}} = %c3_i32 to %[[N]] step %c1_i32
//       CHECK:   %[[ENTERED:.*]] = arith.cmpi sgt, %[[N]], %c3_i32
//       CHECK:   %[[LAST:.*]] = arith.select %[[ENTERED]], %{{.*}}, %c3_i32
//       CHECK:   %[[S:.*]] = tensor.from_elements %[[LAST]]
//       CHECK:   return %{{.*}}, %[[NINE]], %{{.*}}, %[[S]]

// -----

// A counter that goes down, one that overflows, and one whose step is unknown.

func.func @negative_counter(%x: tensor<8xf32>, %step: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %seven = arith.constant 7 : i32
  %down = arith.constant dense<-1> : tensor<i32>
  %zero8 = arith.constant dense<0> : tensor<i8>
  %most8 = arith.constant 120 : i8
  %step8 = arith.constant dense<100> : tensor<i8>
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<i32>
  %ei8 = tensor.empty() : tensor<i8>
  %r:2 = scf.while (%i = %zero, %h = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi slt, %a, %seven : i32
    scf.condition(%c) %i, %h : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<8xf32>):
    %y = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.add ins(%i, %down : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    scf.yield %next, %y : tensor<i32>, tensor<8xf32>
  }
  %s:2 = scf.while (%i = %zero8, %h = %x) : (tensor<i8>, tensor<8xf32>) -> (tensor<i8>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i8>
    %c = arith.cmpi slt, %a, %most8 : i8
    scf.condition(%c) %i, %h : tensor<i8>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i8>, %h: tensor<8xf32>):
    %y = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.add ins(%i, %step8 : tensor<i8>, tensor<i8>) outs(%ei8 : tensor<i8>) -> tensor<i8>
    scf.yield %next, %y : tensor<i8>, tensor<8xf32>
  }
  %t:2 = scf.while (%i = %zero, %h = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi slt, %a, %seven : i32
    scf.condition(%c) %i, %h : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<8xf32>):
    %y = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.add ins(%i, %step : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    scf.yield %next, %y : tensor<i32>, tensor<8xf32>
  }
  return %r#1, %s#1, %t#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// CHECK-LABEL: @negative_counter(
// CHECK-COUNT-3: scf.while
//   CHECK-NOT:   scf.for
//       CHECK:   return

// -----

// Products of products leave 64 bits, and a launcher has no bits: kernels compute such numbers.

#scalar = affine_map<() -> ()>

func.func @negative_random(%n: i32) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %factor = arith.constant dense<1664525> : tensor<i32>
  %e = tensor.empty() : tensor<i32>
  %r:2 = scf.while (%i = %zero, %h = %one) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi slt, %a, %n : i32
    scf.condition(%c) %i, %h : tensor<i32>, tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<i32>):
    %next = linalg.add ins(%i, %one : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
    %p = linalg.mul ins(%h, %factor : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
    scf.yield %next, %p : tensor<i32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}
// CHECK-LABEL: @negative_random(
//       CHECK:   scf.for {{.*}} -> (tensor<i32>)

// -----

// The inner loop begins with what the outer one computes from data.

func.func @negative_begins_with_token(%x: tensor<8xi32>, %n: index, %first: tensor<i32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%token = %first) -> (tensor<i32>) {
    %last = scf.while (%k = %token) : (tensor<i32>) -> tensor<i32> {
      %a = tensor.extract %k[] : tensor<i32>
      %ten = arith.constant 10 : i32
      %c = arith.cmpi slt, %a, %ten : i32
      scf.condition(%c) %k : tensor<i32>
    } do {
    ^bb0(%k: tensor<i32>):
      %e = tensor.empty() : tensor<i32>
      %next = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%k : tensor<i32>) outs(%e : tensor<i32>) {
      ^bb0(%a: i32, %o: i32):
        %one = arith.constant 1 : i32
        %v = arith.addi %a, %one : i32
        linalg.yield %v : i32
      } -> tensor<i32>
      scf.yield %next : tensor<i32>
    }
    %sum = linalg.reduce { arith.addi } ins(%x : tensor<8xi32>) outs(%last : tensor<i32>) dimensions = [0]
    scf.yield %sum : tensor<i32>
  }
  return %r : tensor<i32>
}
// CHECK-LABEL: @negative_begins_with_token(
//       CHECK:   scf.while {{.*}} : (tensor<i32>) -> tensor<i32>
