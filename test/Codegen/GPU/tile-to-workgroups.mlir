// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 columns=32 reduction=8 max-row=64' --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-tile-to-workgroups{rows=16 columns=32 reduction=8 max-row=64},canonicalize,cse)' --split-input-file --verify-diagnostics | FileCheck %s

// A contraction is computed with what follows it, and reduced in a loop; its
// prologue is in that loop, and what it accumulates on in front of it.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @matmul
// CHECK:         scf.forall {{.*}} to (50, 70) step (16, 32)
// CHECK:           %[[ZEROS:.*]] = linalg.fill
// CHECK:           %[[C:.*]] = scf.for {{.*}} step %c8 iter_args(%[[ACC:.*]] = %[[ZEROS]])
// CHECK:             linalg.exp
// CHECK:             tensor.extract_slice %[[ACC]]
// CHECK:             linalg.matmul
// CHECK:           linalg.generic {{.*}} ins(%[[C]]
// CHECK:         } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
// CHECK-NOT:     linalg
func.func @matmul(%a: tensor<50x30xf32>, %b: tensor<30x70xf32>, %bias: tensor<70xf32>) -> tensor<50x70xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<50x30xf32>
  %e = tensor.empty() : tensor<50x70xf32>
  %x = linalg.exp ins(%a : tensor<50x30xf32>) outs(%ea : tensor<50x30xf32>) -> tensor<50x30xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<50x70xf32>) -> tensor<50x70xf32>
  %c = linalg.matmul ins(%x, %b : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<50x70xf32>, tensor<70xf32>) outs(%e : tensor<50x70xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<50x70xf32>
  return %r : tensor<50x70xf32>
}

// -----

// Rows that fit into a tile are reduced and used again within it.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @short_rows
// CHECK:         scf.forall (%{{.*}}) = (0) to (50) step (16)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT:     scf.forall (

// Longer ones are not: a loop sums them, and they are read once more.

// CHECK-LABEL: func @long_rows
// CHECK:         scf.forall (%{{.*}}) = (0) to (50) step (16)
// CHECK:           scf.for {{.*}} step %c64
// CHECK:             linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:         scf.forall {{.*}} to (50, 100) step (16, 32)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
func.func @short_rows(%x: tensor<50x60xf32>, %init: tensor<50xf32>) -> tensor<50x60xf32> {
  %e = tensor.empty() : tensor<50x60xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<50x60xf32>) outs(%init : tensor<50xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<50xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<50x60xf32>, tensor<50xf32>) outs(%e : tensor<50x60xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %d = arith.divf %v, %s : f32
    linalg.yield %d : f32
  } -> tensor<50x60xf32>
  return %y : tensor<50x60xf32>
}
func.func @long_rows(%x: tensor<50x100xf32>, %init: tensor<50xf32>) -> tensor<50x100xf32> {
  %e = tensor.empty() : tensor<50x100xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<50x100xf32>) outs(%init : tensor<50xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<50xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<50x100xf32>, tensor<50xf32>) outs(%e : tensor<50x100xf32>) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %d = arith.divf %v, %s : f32
    linalg.yield %d : f32
  } -> tensor<50x100xf32>
  return %y : tensor<50x100xf32>
}

// -----

// A contraction that another one reads is a kernel of its own.

// CHECK-LABEL: func @chain
// CHECK-COUNT-2: scf.forall (
// CHECK-NOT:     scf.forall (
func.func @chain(%a: tensor<50x30xf32>, %b: tensor<30x20xf32>, %c: tensor<20x40xf32>) -> tensor<50x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<50x20xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<50x20xf32>) -> tensor<50x20xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<50x30xf32>, tensor<30x20xf32>) outs(%z0 : tensor<50x20xf32>) -> tensor<50x20xf32>
  %e1 = tensor.empty() : tensor<50x40xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<50x40xf32>) -> tensor<50x40xf32>
  %r = linalg.matmul ins(%ab, %c : tensor<50x20xf32>, tensor<20x40xf32>) outs(%z1 : tensor<50x40xf32>) -> tensor<50x40xf32>
  return %r : tensor<50x40xf32>
}

// -----

// What has no parallel dimension has one workgroup.

// CHECK-LABEL: func @scalar
// CHECK:         scf.forall (%{{.*}}) in (1) shared_outs(%[[O:.*]] = %arg1)
// CHECK:           %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[O]]
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK:             linalg.reduce
func.func @scalar(%x: tensor<100xf32>, %init: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<100xf32>) outs(%zeros : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// -----

// A dimension that a loop around has cut is a tile: what is computed of it in
// that loop stays whole, and the other one is summed step by step.

#lhs = affine_map<(m, n, k, r) -> (m, k)>
#rhs = affine_map<(m, n, k, r) -> (n, k, r)>
#out = affine_map<(m, n, k, r) -> (m, n)>
#tile = affine_map<(k)[s] -> (4, s - k)>

// CHECK-LABEL: func @tile_of_a_loop
// CHECK:         scf.forall
// CHECK:           scf.for {{.*}} step %c4
// CHECK:             %[[SIZE:.*]] = affine.min
// CHECK:             scf.for {{.*}} step %c1
// CHECK:               linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<16x?xf32>, tensor<32x?x1xf32>)
// CHECK-NOT:     scf.for %
func.func @tile_of_a_loop(%a: tensor<16x?xf32>, %b: tensor<32x?x?xf32>, %out: tensor<16x32xf32>, %k: index, %r: index) -> tensor<16x32xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = scf.forall (%i) in (1) shared_outs(%o = %out) -> (tensor<16x32xf32>) {
    %sum = scf.for %at = %c0 to %k step %c4 iter_args(%acc = %o) -> (tensor<16x32xf32>) {
      %size = affine.min #tile(%at)[%k]
      %x = tensor.extract_slice %a[0, %at] [16, %size] [1, 1] : tensor<16x?xf32> to tensor<16x?xf32>
      %y = tensor.extract_slice %b[0, %at, 0] [32, %size, %r] [1, 1, 1] : tensor<32x?x?xf32> to tensor<32x?x?xf32>
      %next = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
          ins(%x, %y : tensor<16x?xf32>, tensor<32x?x?xf32>) outs(%acc : tensor<16x32xf32>) {
      ^bb0(%v: f32, %w: f32, %c: f32):
        %m = arith.mulf %v, %w : f32
        %s = arith.addf %c, %m : f32
        linalg.yield %s : f32
      } -> tensor<16x32xf32>
      scf.yield %next : tensor<16x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o[0, 0] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<16x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %0 : tensor<16x32xf32>
}

// -----

// Contractions that read an operand together and meet in one op are summed in
// one loop, each in half of the columns.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @gated
// CHECK:         scf.forall {{.*}} to (50, 70) step (16, 16)
// CHECK:           scf.for
// CHECK:             linalg.matmul
// CHECK:             linalg.matmul
// CHECK:           }
// CHECK-NOT:       scf.for
// CHECK:           linalg.generic
// CHECK-NOT:     scf.forall (
func.func @gated(%x: tensor<50x30xf32>, %g: tensor<30x70xf32>, %u: tensor<30x70xf32>) -> tensor<50x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50x70xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<50x70xf32>) -> tensor<50x70xf32>
  %gate = linalg.matmul ins(%x, %g : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %up = linalg.matmul ins(%x, %u : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<50x70xf32>, tensor<50x70xf32>) outs(%e : tensor<50x70xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %s = arith.mulf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<50x70xf32>
  return %r : tensor<50x70xf32>
}

// -----

// What is read twice is computed once: the gate of x * sigmoid(x), say.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @gated_twice
// CHECK:         scf.for
// CHECK-COUNT-2:   linalg.matmul
// CHECK-NOT:       linalg.matmul
// CHECK:           scf.yield %{{[^,]+}}, %{{[^,]+}} :
// CHECK-NOT:     linalg.matmul
func.func @gated_twice(%x: tensor<50x30xf32>, %g: tensor<30x70xf32>, %u: tensor<30x70xf32>) -> tensor<50x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50x70xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<50x70xf32>) -> tensor<50x70xf32>
  %gate = linalg.matmul ins(%x, %g : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %up = linalg.matmul ins(%x, %u : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %gate, %up : tensor<50x70xf32>, tensor<50x70xf32>, tensor<50x70xf32>) outs(%e : tensor<50x70xf32>) {
  ^bb0(%v: f32, %again: f32, %w: f32, %o: f32):
    %t = math.tanh %again : f32
    %s = arith.mulf %v, %t : f32
    %y = arith.mulf %s, %w : f32
    linalg.yield %y : f32
  } -> tensor<50x70xf32>
  return %r : tensor<50x70xf32>
}

// -----

// Those that share nothing would read twice as much for each product.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @negative_gated_apart
// CHECK:         scf.forall
// CHECK:         scf.forall
func.func @negative_gated_apart(%x: tensor<50x30xf32>, %y: tensor<50x30xf32>, %g: tensor<30x70xf32>, %u: tensor<30x70xf32>) -> tensor<50x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50x70xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<50x70xf32>) -> tensor<50x70xf32>
  %gate = linalg.matmul ins(%x, %g : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %up = linalg.matmul ins(%y, %u : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<50x70xf32>, tensor<50x70xf32>) outs(%e : tensor<50x70xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %s = arith.mulf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<50x70xf32>
  return %r : tensor<50x70xf32>
}

// -----

// What follows a contraction is computed with it, not again for each tile of the
// next one.

// CHECK-LABEL: func @between
// CHECK:         scf.forall
// CHECK:           linalg.matmul
// CHECK:           linalg.exp
// CHECK:         scf.forall
// CHECK-NOT:       linalg.exp
// CHECK:           linalg.matmul
func.func @between(%x: tensor<50x30xf32>, %g: tensor<30x70xf32>, %u: tensor<70x90xf32>) -> tensor<50x90xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50x70xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<50x70xf32>) -> tensor<50x70xf32>
  %0 = linalg.matmul ins(%x, %g : tensor<50x30xf32>, tensor<30x70xf32>) outs(%zeros : tensor<50x70xf32>) -> tensor<50x70xf32>
  %1 = linalg.exp ins(%0 : tensor<50x70xf32>) outs(%e : tensor<50x70xf32>) -> tensor<50x70xf32>
  %e2 = tensor.empty() : tensor<50x90xf32>
  %zeros2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<50x90xf32>) -> tensor<50x90xf32>
  %2 = linalg.matmul ins(%1, %u : tensor<50x70xf32>, tensor<70x90xf32>) outs(%zeros2 : tensor<50x90xf32>) -> tensor<50x90xf32>
  return %2 : tensor<50x90xf32>
}

// -----

// A sum of products of two rows has the form of a contraction, and is one of a row. So
// is a sum of products of a row and a vector that all rows share, in front of rows.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @products_of_rows
// CHECK:         scf.forall (%{{.*}}) = (0) to (50) step (16)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @products_of_rows(%x: tensor<50x60xf32>, %y: tensor<50x60xf32>, %w: tensor<60xf32>) -> tensor<50x60xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50x60xf32>
  %re = tensor.empty() : tensor<50xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%re : tensor<50xf32>) -> tensor<50xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<50x60xf32>, tensor<50x60xf32>) outs(%z0 : tensor<50xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    linalg.yield %q : f32
  } -> tensor<50xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<50xf32>) -> tensor<50xf32>
  %t = linalg.generic {indexing_maps = [#id, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<50x60xf32>, tensor<60xf32>) outs(%z1 : tensor<50xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    linalg.yield %q : f32
  } -> tensor<50xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %s, %t : tensor<50x60xf32>, tensor<50xf32>, tensor<50xf32>) outs(%e : tensor<50x60xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %p = arith.subf %a, %b : f32
    %q = arith.subf %p, %c : f32
    linalg.yield %q : f32
  } -> tensor<50x60xf32>
  return %r : tensor<50x60xf32>
}

// -----

// The scale of a row is read by what divides the row, and returned. The
// workgroups that divide rows write it: no other kernel reduces them.

// CHECK-LABEL: func @yields_scales
// CHECK:         %[[F:.*]]:2 = scf.forall
// CHECK:           linalg.generic {{.*}}"reduction"
// CHECK:           %[[S:.*]] = linalg.generic
// CHECK:           %[[Q:.*]] = linalg.generic
// CHECK:           tensor.parallel_insert_slice
// CHECK:           tensor.parallel_insert_slice
// CHECK-NOT:     scf.forall
// CHECK:         return %[[F]]#0, %[[F]]#1
func.func @yields_scales(%x: tensor<?x48xf32>, %m0: tensor<?xf32>, %q0: tensor<?x48xi8>) -> (tensor<?x48xi8>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %m1 = linalg.fill ins(%zero : f32) outs(%m0 : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x48xf32>) outs(%m1 : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = math.absf %a : f32
    %1 = arith.maximumf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%max : tensor<?xf32>) outs(%m0 : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.constant 0.0078125 : f32
    %0 = arith.mulf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %scale : tensor<?x48xf32>, tensor<?xf32>) outs(%q0 : tensor<?x48xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %0 = arith.divf %a, %s : f32
    %1 = arith.fptosi %0 : f32 to i8
    linalg.yield %1 : i8
  } -> tensor<?x48xi8>
  return %q, %scale : tensor<?x48xi8>, tensor<?xf32>
}

// -----

// A sum of rows and of a product is read twice. It is no row: it stays with the
// product, and is read again.

// CHECK-LABEL: func @negative_yields
// CHECK:         %[[H:.*]] = scf.forall
// CHECK:         scf.forall
// CHECK:         return %{{.*}}, %[[H]]
func.func @negative_yields(%a: tensor<64x32xf16>, %b: tensor<32x48xf16>, %x: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x48xf16>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %h = linalg.add ins(%p, %x : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %m0 = tensor.empty() : tensor<64xf32>
  %m1 = linalg.fill ins(%zero : f32) outs(%m0 : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%h : tensor<64x48xf32>) outs(%m1 : tensor<64xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %0 = arith.mulf %v, %v : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%h, %s : tensor<64x48xf32>, tensor<64xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%v: f32, %r: f32, %o: f32):
    %0 = math.rsqrt %r : f32
    %1 = arith.mulf %v, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x48xf32>
  return %n, %h : tensor<64x48xf32>, tensor<64x48xf32>
}

// -----

// Bytes whose sums have 32 bits are multiplied as they are, as many of a row as
// would have 16 bits each. For other sums they are extended.

// CHECK-LABEL: func @bytes
// CHECK-DAG:     %[[STEP:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[STEP64:.*]] = arith.constant 8 : index
// CHECK:         scf.forall
// CHECK:           scf.for {{.*}} step %[[STEP]]
// CHECK:         scf.forall
// CHECK:           scf.for {{.*}} step %[[STEP64]]
func.func @bytes(%a: tensor<64x48xi8>, %b: tensor<48x64xi8>, %c: tensor<64x64xi32>, %d: tensor<64x64xi64>) -> (tensor<64x64xi32>, tensor<64x64xi64>) {
  %0 = linalg.matmul ins(%a, %b : tensor<64x48xi8>, tensor<48x64xi8>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<64x48xi8>, tensor<48x64xi8>) outs(%d : tensor<64x64xi64>) -> tensor<64x64xi64>
  return %0, %1 : tensor<64x64xi32>, tensor<64x64xi64>
}

// -----

// CHECK-LABEL: func @negative_empty
// CHECK-NOT:     scf.forall
func.func @negative_empty(%a: tensor<0x512xf32>, %b: tensor<512x512xf32>, %c: tensor<0x512xf32>) -> tensor<0x512xf32> {
  // expected-remark @below {{in no workgroup: no iteration}}
  %0 = linalg.matmul ins(%a, %b : tensor<0x512xf32>, tensor<512x512xf32>) outs(%c : tensor<0x512xf32>) -> tensor<0x512xf32>
  return %0 : tensor<0x512xf32>
}
