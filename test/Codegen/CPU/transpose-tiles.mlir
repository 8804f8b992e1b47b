// RUN: linalg-ext-opt %s --linalg-ext-prepare-operands=steps=transpose --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-prepare-operands{steps=transpose})' --split-input-file | FileCheck %s
// One row less than a vector has lanes.
// RUN: sed 's/<16x/<15x/g; s/\[16, /[15, /g' %s | linalg-ext-opt --linalg-ext-prepare-operands=steps=transpose --split-input-file | FileCheck %s --check-prefix=FEW

#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// The operand that does not change is transposed once; what is computed from the
// product keeps its order; its reduction and the second product read it as it is.

// CHECK-DAG: #[[QT:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[ST:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @loop(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<16x8xf32>
// CHECK:         %[[TRANSPOSED:.*]] = linalg.transpose ins(%[[Q]] : tensor<16x8xf32>)
// CHECK-SAME:      permutation = [1, 0]
// CHECK:         scf.for
// CHECK:           linalg.fill {{.*}} -> tensor<32x16xf32>
// CHECK:           linalg.generic {indexing_maps = [#[[QT]], #[[K]], #[[ST]]]
// CHECK-SAME:        ins(%[[TRANSPOSED]],
// CHECK:           linalg.generic {indexing_maps = [#[[ID]], #[[ID]]]
// CHECK:             linalg.index 1
// CHECK:             linalg.index 0
// CHECK:           linalg.generic {indexing_maps = [#[[SWAP]], #{{.*}}], iterator_types = ["parallel", "reduction"]}
// CHECK:           linalg.generic {indexing_maps = [#[[QT]], #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME:        ins({{.*}} : tensor<32x16xf32>, tensor<32x8xf32>)

// FEW-LABEL: func @loop(
// FEW-NOT:     linalg.transpose
// FEW-LABEL: func @negative_mask(
// FEW-NOT:     linalg.transpose
// FEW:         return
func.func @loop(%q: tensor<16x8xf32>, %k: tensor<256x8xf32>, %v: tensor<256x8xf32>,
                %max: tensor<16xf32>, %acc: tensor<16x8xf32>) -> (tensor<16xf32>, tensor<16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %e = tensor.empty() : tensor<16x32xf32>
  %r:2 = scf.for %i = %c0 to %c256 step %c32 iter_args(%m = %max, %o = %acc) -> (tensor<16xf32>, tensor<16x8xf32>) {
    %kt = tensor.extract_slice %k[%i, 0] [32, 8] [1, 1] : tensor<256x8xf32> to tensor<32x8xf32>
    %vt = tensor.extract_slice %v[%i, 0] [32, 8] [1, 1] : tensor<256x8xf32> to tensor<32x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
    %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %kt : tensor<16x8xf32>, tensor<32x8xf32>) outs(%z : tensor<16x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %ab = arith.mulf %a, %b : f32
      %sum = arith.addf %c, %ab : f32
      linalg.yield %sum : f32
    } -> tensor<16x32xf32>
    %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %row = linalg.index 0 : index
      %column = linalg.index 1 : index
      %visible = arith.cmpi sle, %column, %row : index
      %x = arith.select %visible, %a, %hidden : f32
      linalg.yield %x : f32
    } -> tensor<16x32xf32>
    %m1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%p : tensor<16x32xf32>) outs(%m : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %x = arith.maximumf %a, %b : f32
      linalg.yield %x : f32
    } -> tensor<16xf32>
    %o1 = linalg.matmul ins(%p, %vt : tensor<16x32xf32>, tensor<32x8xf32>) outs(%o : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %m1, %o1 : tensor<16xf32>, tensor<16x8xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<16x8xf32>
}

// -----

#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Lanes along the rows would read the mask element by element.

// CHECK-LABEL: func @negative_mask(
// CHECK-NOT:     linalg.transpose
func.func @negative_mask(%q: tensor<16x8xf32>, %k: tensor<256x8xf32>, %v: tensor<256x8xf32>,
                         %mask: tensor<16x256xf32>, %acc: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %e = tensor.empty() : tensor<16x32xf32>
  %r = scf.for %i = %c0 to %c256 step %c32 iter_args(%o = %acc) -> tensor<16x8xf32> {
    %kt = tensor.extract_slice %k[%i, 0] [32, 8] [1, 1] : tensor<256x8xf32> to tensor<32x8xf32>
    %vt = tensor.extract_slice %v[%i, 0] [32, 8] [1, 1] : tensor<256x8xf32> to tensor<32x8xf32>
    %mt = tensor.extract_slice %mask[0, %i] [16, 32] [1, 1] : tensor<16x256xf32> to tensor<16x32xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
    %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %kt : tensor<16x8xf32>, tensor<32x8xf32>) outs(%z : tensor<16x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %ab = arith.mulf %a, %b : f32
      %sum = arith.addf %c, %ab : f32
      linalg.yield %sum : f32
    } -> tensor<16x32xf32>
    %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s, %mt : tensor<16x32xf32>, tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %x = arith.addf %a, %b : f32
      linalg.yield %x : f32
    } -> tensor<16x32xf32>
    %o1 = linalg.matmul ins(%p, %vt : tensor<16x32xf32>, tensor<32x8xf32>) outs(%o : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %o1 : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// -----

#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>

// The tile leaves the loop.

// CHECK-LABEL: func @negative_yielded(
// CHECK-NOT:     linalg.transpose
func.func @negative_yielded(%q: tensor<16x8xf32>, %k: tensor<256x8xf32>, %out: tensor<16x256xf32>) -> tensor<16x256xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %e = tensor.empty() : tensor<16x32xf32>
  %r = scf.for %i = %c0 to %c256 step %c32 iter_args(%o = %out) -> tensor<16x256xf32> {
    %kt = tensor.extract_slice %k[%i, 0] [32, 8] [1, 1] : tensor<256x8xf32> to tensor<32x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
    %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%q, %kt : tensor<16x8xf32>, tensor<32x8xf32>) outs(%z : tensor<16x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %ab = arith.mulf %a, %b : f32
      %sum = arith.addf %c, %ab : f32
      linalg.yield %sum : f32
    } -> tensor<16x32xf32>
    %o1 = tensor.insert_slice %s into %o[0, %i] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<16x256xf32>
    scf.yield %o1 : tensor<16x256xf32>
  }
  return %r : tensor<16x256xf32>
}

// -----

#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#id = affine_map<(m, n) -> (m, n)>

// A slice that is the same in all iterations, of sizes that are not known.

// CHECK-LABEL: func @dynamic(
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice %{{.*}} : tensor<?x8xf32> to tensor<?x8xf32>
// CHECK:         linalg.transpose ins(%[[SLICE]] : tensor<?x8xf32>) outs(%{{.*}} : tensor<8x?xf32>)
// CHECK:         scf.for
func.func @dynamic(%q: tensor<?x8xf32>, %k: tensor<256x8xf32>, %max: tensor<?xf32>, %rows: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %r = scf.for %i = %c0 to %c256 step %c32 iter_args(%m = %max) -> tensor<?xf32> {
    %qt = tensor.extract_slice %q[0, 0] [%rows, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
    %kt = tensor.extract_slice %k[%i, 0] [32, 8] [1, 1] : tensor<256x8xf32> to tensor<32x8xf32>
    %e = tensor.empty(%rows) : tensor<?x32xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
    %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%qt, %kt : tensor<?x8xf32>, tensor<32x8xf32>) outs(%z : tensor<?x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %ab = arith.mulf %a, %b : f32
      %sum = arith.addf %c, %ab : f32
      linalg.yield %sum : f32
    } -> tensor<?x32xf32>
    %m1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%s : tensor<?x32xf32>) outs(%m : tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32):
      %x = arith.maximumf %a, %b : f32
      linalg.yield %x : f32
    } -> tensor<?xf32>
    scf.yield %m1 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Weights by columns, which many rows read: they are transposed, in front of the
// loop that leaves them alone.

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @rows_in_a_loop(
// CHECK-SAME:    %[[XS:[a-z0-9]+]]: tensor<256x24xf32>, %[[WS:[a-z0-9]+]]: tensor<40x24xf32>
// CHECK:         %[[WT:.*]] = linalg.transpose ins(%[[WS]] : tensor<40x24xf32>) outs({{.*}} : tensor<24x40xf32>) permutation = [1, 0]
// CHECK:         scf.for
// CHECK:           %[[ROWS:.*]] = tensor.extract_slice %[[XS]]
// CHECK:           linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]]
// CHECK-SAME:        ins(%[[ROWS]], %[[WT]] : tensor<64x24xf32>, tensor<24x40xf32>)

// FEW-LABEL: func @rows_in_a_loop(
// FEW:         linalg.transpose
func.func @rows_in_a_loop(%x: tensor<256x24xf32>, %w: tensor<40x24xf32>, %y: tensor<256x40xf32>) -> tensor<256x40xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %r = scf.for %i = %c0 to %c256 step %c64 iter_args(%out = %y) -> (tensor<256x40xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [64, 24] [1, 1] : tensor<256x24xf32> to tensor<64x24xf32>
    %ys = tensor.extract_slice %out[%i, 0] [64, 40] [1, 1] : tensor<256x40xf32> to tensor<64x40xf32>
    %p = linalg.matmul indexing_maps = [#x, #w, #y]
        ins(%xs, %w : tensor<64x24xf32>, tensor<40x24xf32>) outs(%ys : tensor<64x40xf32>) -> tensor<64x40xf32>
    %next = tensor.insert_slice %p into %out[%i, 0] [64, 40] [1, 1] : tensor<64x40xf32> into tensor<256x40xf32>
    scf.yield %next : tensor<256x40xf32>
  }
  return %r : tensor<256x40xf32>
}

// -----

#x = affine_map<(h, m, n, k) -> (h, m, k)>
#w = affine_map<(h, m, n, k) -> (h, n, k)>
#y = affine_map<(h, m, n, k) -> (h, m, n)>

// Rows of an unknown number are enough.

// CHECK-LABEL: func @dynamic_batches(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<?x?x?xf32>) {{.*}} permutation = [0, 2, 1]
func.func @dynamic_batches(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %p = linalg.batch_matmul indexing_maps = [#x, #w, #y]
      ins(%x, %w : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%y : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %p : tensor<?x?x?xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Few rows read the weights as they come; halves are converted as they lie.

// CHECK-LABEL: func @negative_few_rows(
// CHECK-NOT:     linalg.transpose
func.func @negative_few_rows(%x: tensor<31x24xf32>, %w: tensor<40x24xf32>, %y: tensor<31x40xf32>) -> tensor<31x40xf32> {
  %p = linalg.matmul indexing_maps = [#x, #w, #y]
      ins(%x, %w : tensor<31x24xf32>, tensor<40x24xf32>) outs(%y : tensor<31x40xf32>) -> tensor<31x40xf32>
  return %p : tensor<31x40xf32>
}

// CHECK-LABEL: func @negative_halves(
// CHECK-NOT:     linalg.transpose
func.func @negative_halves(%x: tensor<64x24xbf16>, %w: tensor<40x24xbf16>, %y: tensor<64x40xf32>) -> tensor<64x40xf32> {
  %p = linalg.matmul indexing_maps = [#x, #w, #y]
      ins(%x, %w : tensor<64x24xbf16>, tensor<40x24xbf16>) outs(%y : tensor<64x40xf32>) -> tensor<64x40xf32>
  return %p : tensor<64x40xf32>
}

// CHECK-LABEL: func @negative_rows_by_columns(
// CHECK-NOT:     linalg.transpose
func.func @negative_rows_by_columns(%x: tensor<64x24xf32>, %w: tensor<24x40xf32>, %y: tensor<64x40xf32>) -> tensor<64x40xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<64x24xf32>, tensor<24x40xf32>) outs(%y : tensor<64x40xf32>) -> tensor<64x40xf32>
  return %p : tensor<64x40xf32>
}

// -----

#x = affine_map<(m, n, g, s) -> (m, g, s)>
#w = affine_map<(m, n, g, s) -> (g, s, n)>
#s = affine_map<(m, n, g, s) -> (n, g)>
#y = affine_map<(m, n, g, s) -> (m, n)>

// A scale for each group of a column, of weights by rows of the sums: one row would
// read it again for each element of the group.

// CHECK-DAG: #[[S:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d1)>
// CHECK-LABEL: func @scales_of_groups(
// CHECK:         %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<40x6xf16>) outs({{.*}} : tensor<6x40xf16>) permutation = [1, 0]
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[S]], #{{.*}}]
func.func @scales_of_groups(%x: tensor<1x6x?xf32>, %w: tensor<6x?x40xi8>, %s: tensor<40x6xf16>, %y: tensor<1x40xf32>) -> tensor<1x40xf32> {
  %p = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<1x6x?xf32>, tensor<6x?x40xi8>, tensor<40x6xf16>) outs(%y : tensor<1x40xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f16, %acc: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.extf %c : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.mulf %a, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x40xf32>
  return %p : tensor<1x40xf32>
}

// -----

#x = affine_map<(m, n, g, s) -> (m, g, s)>
#w = affine_map<(m, n, g, s) -> (n, g, s)>
#s = affine_map<(m, n, g, s) -> (n, g)>
#y = affine_map<(m, n, g, s) -> (m, n)>

// Lanes lie along the sums of weights by columns.

// CHECK-LABEL: func @negative_scales_of_columns(
// CHECK-NOT:     linalg.transpose
func.func @negative_scales_of_columns(%x: tensor<1x6x?xf32>, %w: tensor<40x6x?xi8>, %s: tensor<40x6xf32>, %y: tensor<1x40xf32>) -> tensor<1x40xf32> {
  %p = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<1x6x?xf32>, tensor<40x6x?xi8>, tensor<40x6xf32>) outs(%y : tensor<1x40xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %acc: f32):
    %0 = arith.sitofp %b : i8 to f32
    %2 = arith.mulf %0, %c : f32
    %3 = arith.mulf %a, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x40xf32>
  return %p : tensor<1x40xf32>
}

// -----

#x = affine_map<(m, n, g, k) -> (m, g, k)>
#w = affine_map<(m, n, g, k) -> (n, g, k)>
#y = affine_map<(m, n, g, k) -> (m, n)>
#all = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g)>

// What is computed for the product alone is written by rows of the sums: columns last, and
// groups in front. This takes no pass over the tile, so it is for 9 rows, too.

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[GROUP:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
// CHECK-LABEL: func @dequantized(
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[D:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[GROUP]], #[[ROWS]]]
// CHECK-SAME:      outs(%{{.*}} : tensor<6x8x40xf32>)
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], #{{.*}}]
// CHECK-SAME:      ins(%{{.*}}, %[[D]] :
func.func @dequantized(%x: tensor<9x6x8xf32>, %w: tensor<40x6x8xi8>, %s: tensor<40x6xf32>, %y: tensor<9x40xf32>) -> tensor<9x40xf32> {
  %e = tensor.empty() : tensor<40x6x8xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<40x6x8xi8>, tensor<40x6xf32>) outs(%e : tensor<40x6x8xf32>) {
  ^bb0(%b: i8, %c: f32, %o: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<40x6x8xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #y]
      ins(%x, %d : tensor<9x6x8xf32>, tensor<40x6x8xf32>) outs(%y : tensor<9x40xf32>) -> tensor<9x40xf32>
  return %p : tensor<9x40xf32>
}

// CHECK-LABEL: func @negative_few_dequantized(
// CHECK:         linalg.generic {indexing_maps = [#[[ALL]], #[[GROUP]], #[[ALL]]]
// CHECK-LABEL: func @negative_two_users(
// CHECK:         linalg.generic {indexing_maps = [#[[ALL]], #[[GROUP]], #[[ALL]]]
func.func @negative_few_dequantized(%x: tensor<8x6x8xf32>, %w: tensor<40x6x8xi8>, %s: tensor<40x6xf32>, %y: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %e = tensor.empty() : tensor<40x6x8xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<40x6x8xi8>, tensor<40x6xf32>) outs(%e : tensor<40x6x8xf32>) {
  ^bb0(%b: i8, %c: f32, %o: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<40x6x8xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #y]
      ins(%x, %d : tensor<8x6x8xf32>, tensor<40x6x8xf32>) outs(%y : tensor<8x40xf32>) -> tensor<8x40xf32>
  return %p : tensor<8x40xf32>
}

func.func @negative_two_users(%x: tensor<9x6x8xf32>, %w: tensor<40x6x8xi8>, %s: tensor<40x6xf32>, %y: tensor<9x40xf32>) -> (tensor<9x40xf32>, tensor<40x6x8xf32>) {
  %e = tensor.empty() : tensor<40x6x8xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<40x6x8xi8>, tensor<40x6xf32>) outs(%e : tensor<40x6x8xf32>) {
  ^bb0(%b: i8, %c: f32, %o: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<40x6x8xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #y]
      ins(%x, %d : tensor<9x6x8xf32>, tensor<40x6x8xf32>) outs(%y : tensor<9x40xf32>) -> tensor<9x40xf32>
  return %p, %d : tensor<9x40xf32>, tensor<40x6x8xf32>
}
