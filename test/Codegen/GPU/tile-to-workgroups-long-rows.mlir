// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 max-row=64 row-tile=8' --canonicalize | FileCheck %s

// Rows that may be longer than a tile are reduced piece by piece.

// CHECK-LABEL: func @unknown_length
// CHECK:         scf.forall {{.*}} step (16)
// CHECK:           scf.for {{.*}} step %c8
// CHECK:             linalg.reduce
func.func @unknown_length(%x: tensor<50x?xf32>, %out: tensor<50xf32>) -> tensor<50xf32> {
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x?xf32>) outs(%out : tensor<50xf32>) dimensions = [1]
  return %0 : tensor<50xf32>
}

// What reads a row again can do so in its workgroup, which then has one row; if the
// length is dynamic, up to 16 elements are for a loop with 8 rows a workgroup, each
// of one piece. Both are in a branch.

// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 max-row=64 row-tile=64 row-elements=128 versions-by-row-length=16' --canonicalize --cse | FileCheck %s --check-prefix=FUSED

// FUSED-LABEL: func @norm(
// FUSED-SAME:      %[[X:[^:]*]]: tensor<50x?xf32>, %[[OUT:[^:]*]]: tensor<50x?xf32>)
// FUSED:         %[[N:.*]] = tensor.dim %[[X]]
// FUSED:         %[[SHORT:.*]] = arith.cmpi sle, %[[N]], %c16
// FUSED:         %[[RESULT:.*]] = scf.if %[[SHORT]]
// FUSED:           scf.forall {{.*}} = (0) to (50) step (8)
// FUSED:           affine.min #{{.*}}()[%[[N]]]
// FUSED-NOT:       scf.for
// FUSED:           linalg.reduce
// FUSED:           linalg.generic
// FUSED:         } else {
// FUSED:           scf.forall {{.*}} in (50) shared_outs(%{{.*}} = %[[OUT]])
// FUSED:           scf.for {{.*}} step %c64
// FUSED:             linalg.reduce
// FUSED:           scf.for {{.*}} step %c64
// FUSED:             linalg.generic
// FUSED:         return %[[RESULT]]
func.func @norm(%x: tensor<50x?xf32>, %out: tensor<50x?xf32>) -> tensor<50x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x?xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<50x?xf32>, tensor<50xf32>) outs(%out : tensor<50x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<50x?xf32>
  return %1 : tensor<50x?xf32>
}

// Short rows are whole, as many as there may be elements.

// FUSED-LABEL: func @short(
// FUSED:         scf.forall {{.*}} step (4)
// FUSED-NOT:       scf.for
// FUSED:           linalg.reduce
// FUSED:           linalg.generic
func.func @short(%x: tensor<50x32xf32>, %out: tensor<50x32xf32>) -> tensor<50x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x32xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<50x32xf32>, tensor<50xf32>) outs(%out : tensor<50x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<50x32xf32>
  return %1 : tensor<50x32xf32>
}

// A sum of exponentials of a row has one loop with the maximum that it is
// relative to, and is repaired as that grows; a row of up to 16 elements, of which
// 8 rows are in a workgroup, is whole. What is computed of a row alone has the
// length from what is reduced.

// FUSED-LABEL: func @log_sum_exp(
// FUSED-SAME:      %[[X:[^:]*]]: tensor<50x?xf32>
// FUSED:         %[[N:.*]] = tensor.dim %[[X]]
// FUSED:         arith.cmpi sle, %[[N]], %c16
// FUSED:         scf.forall {{.*}} step (8)
// FUSED-NOT:       scf.for {{.*}} step
// FUSED:           arith.maximumf
// FUSED:           arith.addf
// FUSED:         scf.forall
// FUSED:           %[[STATE:.*]]:2 = scf.for {{.*}} step %c64 iter_args(
// FUSED:             arith.maximumf
// FUSED:             math.exp
// FUSED:             arith.addf
// FUSED:             scf.yield
// FUSED-NOT:       scf.for {{.*}} step
// FUSED:           math.log
// FUSED:         return

// A length that is known has one loop over workgroups.

// FUSED-LABEL: func @log_sum_exp_static(
// FUSED:         scf.forall {{.*}} in (50)
// FUSED:           scf.for {{.*}} step %c64
// FUSED-NOT:     scf.forall {{.*}} shared_outs
#xy = affine_map<(i, j) -> (i, j)>
#x = affine_map<(i, j) -> (i)>
#id = affine_map<(i) -> (i)>
func.func @log_sum_exp(%x: tensor<50x?xf32>) -> tensor<50xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<50x?xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [#xy, #x, #x], iterator_types = ["parallel", "reduction"]}
      ins(%x, %0 : tensor<50x?xf32>, tensor<50xf32>) outs(%z : tensor<50xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %d = arith.subf %a, %m : f32
    %p = math.exp %d : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<50xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %1 : tensor<50xf32>, tensor<50xf32>) outs(%e : tensor<50xf32>) {
  ^bb0(%m: f32, %s: f32, %o: f32):
    %l = math.log %s : f32
    %r = arith.addf %l, %m : f32
    linalg.yield %r : f32
  } -> tensor<50xf32>
  return %2 : tensor<50xf32>
}
func.func @log_sum_exp_static(%x: tensor<50x300xf32>) -> tensor<50xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<50x300xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [#xy, #x, #x], iterator_types = ["parallel", "reduction"]}
      ins(%x, %0 : tensor<50x300xf32>, tensor<50xf32>) outs(%z : tensor<50xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %d = arith.subf %a, %m : f32
    %p = math.exp %d : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<50xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %1 : tensor<50xf32>, tensor<50xf32>) outs(%e : tensor<50xf32>) {
  ^bb0(%m: f32, %s: f32, %o: f32):
    %l = math.log %s : f32
    %r = arith.addf %l, %m : f32
    linalg.yield %r : f32
  } -> tensor<50xf32>
  return %2 : tensor<50xf32>
}

// Rows of two lengths: the kernel for short ones runs where both are short.

// FUSED-LABEL: func @two_lengths(
// FUSED-DAG:     %[[N:.*]] = tensor.dim %arg0
// FUSED-DAG:     %[[K:.*]] = tensor.dim %arg1
// FUSED:         %[[MOST:.*]] = arith.maxui %{{.*}}, %{{.*}} : index
// FUSED:         arith.cmpi sle, %[[MOST]], %c16
func.func @two_lengths(%x: tensor<50x?xf32>, %y: tensor<50x?xf32>, %e: tensor<50xf32>) -> tensor<50xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x?xf32>) outs(%z : tensor<50xf32>) dimensions = [1]
  %1 = linalg.reduce {arith.addf} ins(%y : tensor<50x?xf32>) outs(%z : tensor<50xf32>) dimensions = [1]
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%0, %1 : tensor<50xf32>, tensor<50xf32>) outs(%e : tensor<50xf32>) {
  ^bb0(%m: f32, %s: f32, %o: f32):
    %r = arith.mulf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<50xf32>
  return %2 : tensor<50xf32>
}

// Several versions ask for a length before any of them is tiled: tiling replaces
// sizes of what another op computes.

// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 max-row=64 row-tile=64 row-elements=128 versions-by-row-length=16,32,64' --canonicalize --cse | FileCheck %s --check-prefix=SEVERAL

// SEVERAL-LABEL: func @computed_rows(
// SEVERAL-SAME:      %[[Y:[^:]*]]: tensor<50x?xf32>
// SEVERAL:         %[[N:.*]] = tensor.dim %[[Y]]
// SEVERAL-DAG:     arith.cmpi sgt, %[[N]], %c16
// SEVERAL-DAG:     arith.cmpi sgt, %[[N]], %c32
// SEVERAL-DAG:     arith.cmpi sgt, %[[N]], %c64
// SEVERAL-COUNT-4: shared_outs({{.*}}) -> (tensor<50x?xf32>)
func.func @computed_rows(%y: tensor<50x?xf32>, %out: tensor<50x?xf32>) -> (tensor<50x?xf32>, tensor<50x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = linalg.exp ins(%y : tensor<50x?xf32>) outs(%out : tensor<50x?xf32>) -> tensor<50x?xf32>
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x?xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [#xy, #x, #xy], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<50x?xf32>, tensor<50xf32>) outs(%out : tensor<50x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<50x?xf32>
  return %x, %1 : tensor<50x?xf32>, tensor<50x?xf32>
}
