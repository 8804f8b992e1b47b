// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=split-zero-points --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=split-all-zero-points --split-input-file | FileCheck %s --check-prefix=ALL

// The named op, with a zero point of each operand. Sums of rows and of columns, and the number
// of products times both.

// CHECK-DAG:   #[[IJ:map[0-9]*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[J:map[0-9]*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG:   #[[I:map[0-9]*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @named(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<?x?xi8>, %[[B:[a-z0-9]+]]: tensor<?x?xi8>, %[[ZA:[a-z0-9]+]]: i32, %[[ZB:[a-z0-9]+]]: i32
// CHECK:         %[[P:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[A]], %[[B]]
// CHECK-NOT:       arith.subi
// CHECK:         %[[ROWS:.*]] = linalg.generic {indexing_maps = [#[[IJ]], #[[I]]], {{.*}} ins(%[[A]]
// CHECK:           arith.extsi
// CHECK:         %[[COLUMNS:.*]] = linalg.generic {indexing_maps = [#[[IJ]], #[[J]]], {{.*}} ins(%[[B]]
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[ROWS]], %[[COLUMNS]]
// CHECK:           ^bb0(%[[X:.*]]: i32, %[[R:.*]]: i32, %[[C:.*]]: i32, %{{.*}}: i32):
// CHECK:           arith.muli %[[R]], %[[ZB]]
// CHECK:           arith.muli %[[C]], %[[ZA]]
// CHECK:           arith.muli %[[ZA]], %[[ZB]]
func.func @named(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %za: i32, %zb: i32, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<?x?xi8>, tensor<?x?xi8>, i32, i32) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// -----

// Unsigned elements of an elementwise op, whose zero point is of each row.

// CHECK-LABEL: func @rows(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<40x64xi8>, %[[Z:[a-z0-9]+]]: tensor<40xi8>, %[[B:[a-z0-9]+]]: tensor<64x24xi8>
// CHECK:         %[[P:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[A]], %[[B]]
// CHECK:           arith.extui
// CHECK:           arith.extsi
// CHECK:         %[[COLUMNS:.*]] = linalg.generic {{.*}} ins(%[[B]]
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[COLUMNS]], %[[Z]]
// CHECK:           arith.extui
func.func @rows(%a: tensor<40x64xi8>, %z: tensor<40xi8>, %b: tensor<64x24xi8>, %c: tensor<40x24xi32>) -> tensor<40x24xi32> {
  %e = tensor.empty() : tensor<40x64xi32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %z : tensor<40x64xi8>, tensor<40xi8>) outs(%e : tensor<40x64xi32>) {
  ^bb0(%0: i8, %1: i8, %o: i32):
    %2 = arith.extui %0 : i8 to i32
    %3 = arith.extui %1 : i8 to i32
    %4 = arith.subi %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<40x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %b : tensor<40x64xi32>, tensor<64x24xi8>) outs(%c : tensor<40x24xi32>) {
  ^bb0(%0: i32, %1: i8, %acc: i32):
    %2 = arith.extsi %1 : i8 to i32
    %3 = arith.muli %0, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}

// -----

// A zero point of each element that is summed stays.

// CHECK-LABEL: func @negative_summed(
// CHECK:         arith.subi
// CHECK:         arith.muli
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @negative_summed(%a: tensor<40x64xi8>, %z: tensor<64xi8>, %b: tensor<64x24xi8>, %c: tensor<40x24xi32>) -> tensor<40x24xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %z, %b : tensor<40x64xi8>, tensor<64xi8>, tensor<64x24xi8>) outs(%c : tensor<40x24xi32>) {
  ^bb0(%0: i8, %1: i8, %2: i8, %acc: i32):
    %3 = arith.extsi %0 : i8 to i32
    %4 = arith.extsi %1 : i8 to i32
    %5 = arith.subi %3, %4 : i32
    %6 = arith.extsi %2 : i8 to i32
    %7 = arith.muli %5, %6 : i32
    %8 = arith.addi %acc, %7 : i32
    linalg.yield %8 : i32
  } -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}

// -----

// Few rows: the sums of the weights would take as long as the product.

// CHECK-LABEL: func @negative_few_rows(
// CHECK:         linalg.quantized_matmul
// ALL-LABEL:   func @negative_few_rows(
// ALL-SAME:      %[[A:[a-z0-9]+]]: tensor<4x64xi8>, %[[B:[a-z0-9]+]]: tensor<64x24xi8>
// ALL-COUNT-3:   linalg.generic {{.*}}"reduction"]}
// ALL:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
func.func @negative_few_rows(%a: tensor<4x64xi8>, %b: tensor<64x24xi8>, %za: i32, %zb: i32, %c: tensor<4x24xi32>) -> tensor<4x24xi32> {
  %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x64xi8>, tensor<64x24xi8>, i32, i32) outs(%c : tensor<4x24xi32>) -> tensor<4x24xi32>
  return %r : tensor<4x24xi32>
}

// -----

// Without zero points, nothing changes.

// CHECK-LABEL: func @negative_plain(
// CHECK:         linalg.matmul
func.func @negative_plain(%a: tensor<40x64xi8>, %b: tensor<64x24xi8>, %c: tensor<40x24xi32>) -> tensor<40x24xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<40x64xi8>, tensor<64x24xi8>) outs(%c : tensor<40x24xi32>) -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}

// -----

// In a loop, sums of what the loop does not change are computed once, in front of it.

// CHECK-LABEL: func @loop(
// CHECK-SAME:      %[[W:[^:]*]]: tensor<64x24xi8>
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<64x24xi8>)
// CHECK:         scf.for
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %[[W]] :
// CHECK:           linalg.generic {{.*}}%[[SUMS]]
// CHECK:         return
func.func @loop(%b: tensor<64x24xi8>, %rows: tensor<5x40x64xi8>, %za: i32, %zb: i32, %c: tensor<40x24xi32>) -> tensor<40x24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %c) -> (tensor<40x24xi32>) {
    %a = tensor.extract_slice %rows[%i, 0, 0] [1, 40, 64] [1, 1, 1] : tensor<5x40x64xi8> to tensor<40x64xi8>
    %s = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<40x64xi8>, tensor<64x24xi8>, i32, i32) outs(%acc : tensor<40x24xi32>) -> tensor<40x24xi32>
    scf.yield %s : tensor<40x24xi32>
  }
  return %r : tensor<40x24xi32>
}

// -----

// Unsigned bytes that an op computes, times signed ones, whose sums a zero point needs: the bytes
// lose 128, and the product gets 128 times the sums. Without sums, and of an argument, it stays.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>

// ALL-DAG:     #[[ID:map[0-9]*]] = affine_map<(d0, d1) -> (d0, d1)>
// ALL-DAG:     #[[COL:map[0-9]*]] = affine_map<(d0, d1) -> (d1)>
// ALL-LABEL:   func @unsigned(
// ALL-SAME:      %[[X:[a-z0-9]+]]: tensor<40x64xf32>, %[[W:[a-z0-9]+]]: tensor<64x24xi8>
// ALL:           %[[Q:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<40x64xf32>)
// ALL:           %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[W]] : tensor<64x24xi8>)
// ALL:           %[[S:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<40x64xi8>)
// ALL:             arith.xori %{{.*}}, %c-128_i8
// ALL:           %[[P:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[W]] : tensor<40x64xi8>, tensor<64x24xi8>)
// ALL-NOT:         arith.extui
// ALL:             linalg.yield
// ALL:           linalg.generic {indexing_maps = [#[[ID]], #[[COL]], #[[ID]]], {{.*}} ins(%[[P]], %[[SUMS]]
// ALL:             %[[MORE:.*]] = arith.muli %{{.*}}, %c128_i32
// ALL:             arith.addi %{{.*}}, %[[MORE]]
func.func @unsigned(%x: tensor<40x64xf32>, %w: tensor<64x24xi8>, %c: tensor<40x24xi32>) -> (tensor<40x24xi32>, tensor<24xi32>) {
  %zero = arith.constant 0 : i32
  %eq = tensor.empty() : tensor<40x64xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x64xf32>) outs(%eq : tensor<40x64xi8>) {
  ^bb0(%a: f32, %o: i8):
    %0 = arith.fptoui %a : f32 to i8
    linalg.yield %0 : i8
  } -> tensor<40x64xi8>
  %es = tensor.empty() : tensor<24xi32>
  %zs = linalg.fill ins(%zero : i32) outs(%es : tensor<24xi32>) -> tensor<24xi32>
  %s = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%w : tensor<64x24xi8>) outs(%zs : tensor<24xi32>) {
  ^bb0(%a: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %o, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<24xi32>
  %r = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w : tensor<40x64xi8>, tensor<64x24xi8>) outs(%c : tensor<40x24xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<40x24xi32>
  return %r, %s : tensor<40x24xi32>, tensor<24xi32>
}

// ALL-LABEL:   func @negative_argument(
// ALL-NOT:       arith.xori
// ALL:           return
func.func @negative_argument(%q: tensor<40x64xi8>, %w: tensor<64x24xi8>, %c: tensor<40x24xi32>) -> (tensor<40x24xi32>, tensor<24xi32>) {
  %zero = arith.constant 0 : i32
  %es = tensor.empty() : tensor<24xi32>
  %zs = linalg.fill ins(%zero : i32) outs(%es : tensor<24xi32>) -> tensor<24xi32>
  %s = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%w : tensor<64x24xi8>) outs(%zs : tensor<24xi32>) {
  ^bb0(%a: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %o, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<24xi32>
  %r = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w : tensor<40x64xi8>, tensor<64x24xi8>) outs(%c : tensor<40x24xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<40x24xi32>
  return %r, %s : tensor<40x24xi32>, tensor<24xi32>
}

// ALL-LABEL:   func @negative_no_sums(
// ALL-NOT:       arith.xori
// ALL:           return
func.func @negative_no_sums(%x: tensor<40x64xf32>, %w: tensor<64x24xi8>, %c: tensor<40x24xi32>) -> tensor<40x24xi32> {
  %eq = tensor.empty() : tensor<40x64xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x64xf32>) outs(%eq : tensor<40x64xi8>) {
  ^bb0(%a: f32, %o: i8):
    %0 = arith.fptoui %a : f32 to i8
    linalg.yield %0 : i8
  } -> tensor<40x64xi8>
  %r = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w : tensor<40x64xi8>, tensor<64x24xi8>) outs(%c : tensor<40x24xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}

// -----

// Windows: the sums of an operand have the loops of its windows. Their sizes are those of an empty
// tensor, as in a pooling.

// CHECK-DAG:   #[[WINDOW:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1 + d2)>
// CHECK-LABEL: func @windows
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<5x9xi8>, %[[W:[a-z0-9]+]]: tensor<40x5x3xi8>
// CHECK:       %[[SIZE:.+]] = tensor.empty() : tensor<3xi8>
// CHECK:       linalg.generic {{.*}}["reduction", "parallel", "reduction"]} ins(%[[X]], %[[SIZE]]
// CHECK:         arith.addi
func.func @windows(%x: tensor<5x9xi8>, %w: tensor<40x5x3xi8>, %init: tensor<40x7xi32>) -> tensor<40x7xi32> {
  %y = linalg.generic {indexing_maps = [affine_map<(o, l, c, k) -> (c, l + k)>, affine_map<(o, l, c, k) -> (o, c, k)>, affine_map<(o, l, c, k) -> (o, l)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<5x9xi8>, tensor<40x5x3xi8>) outs(%init : tensor<40x7xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %three = arith.constant 3 : i32
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %r = arith.subi %q, %three : i32
    %m = arith.muli %p, %r : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<40x7xi32>
  return %y : tensor<40x7xi32>
}
