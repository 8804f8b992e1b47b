// What was accumulated is repaired once for the maximum and the divisor together.
//
// REQUIRES: mlir-runner
//
// DEFINE: %{levels} =
// DEFINE: %{run} = mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-tile-and-fuse{%{levels}},linalg-ext-decompose,%cpu_passes)' \
// DEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
//
// REDEFINE: %{levels} = levels="for(0,0,2)" normalization=eager
// RUN: %{run}
// REDEFINE: %{levels} = levels="split(0,0,2)" normalization=eager
// RUN: %{run}
// REDEFINE: %{levels} = levels="for(0,0,2)"
// RUN: %{run}
//
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,2)" normalization=eager' | FileCheck %s --check-prefix=IR

// Scaled for the maximum alone, this would be 0: the divisor has a sink, and keeps
// the weights as small as they are.
// exp(-40 - 10) / (exp(20 - 10) + exp(-40 - 10) + 1) = exp(-60) / 1.0000454
// CHECK: {{\[\[}}8.7561{{[0-9]*}}e-27,{{ +}}1.7512{{[0-9]*}}e-26]]

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j, k) -> (i, j, k)>
#outer = affine_map<(i, j, k) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#rows = affine_map<(i) -> (i)>
func.func private @printMemrefF32(tensor<*xf32>)
func.func @f(%x: tensor<1x4xf32>, %v: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %xe = tensor.empty() : tensor<1x4xf32>
  %re = tensor.empty() : tensor<1xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%re : tensor<1xf32>) -> tensor<1xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<1x4xf32>) outs(%m0 : tensor<1xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<1x4xf32>, tensor<1xf32>) outs(%xe : tensor<1x4xf32>) {
  ^bb0(%a: f32, %max: f32, %o: f32):
    %0 = arith.subf %a, %max : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%re : tensor<1xf32>) -> tensor<1xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<1x4xf32>) outs(%l0 : tensor<1xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel"]} ins(%l, %m : tensor<1xf32>, tensor<1xf32>) outs(%re : tensor<1xf32>) {
  ^bb0(%sum: f32, %max: f32, %o: f32):
    %sink = arith.constant 20.0 : f32
    %0 = arith.subf %sink, %max : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1xf32>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %d : tensor<1x4xf32>, tensor<1xf32>) outs(%xe : tensor<1x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x4xf32>
  %oe = tensor.empty() : tensor<1x2xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x2xf32>) -> tensor<1x2xf32>
  %out = linalg.matmul {linalg_ext.root} ins(%w, %v : tensor<1x4xf32>, tensor<4x2xf32>) outs(%o0 : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %out : tensor<1x2xf32>
}

// -log(1 + exp(-2) + exp(-3) + exp(-4))
// CHECK: {{\[\[}}-0.18518{{[23]}}]]
//
// IR-LABEL: func.func @log(
// IR:         scf.for
// IR:           %[[SUM:.+]] = linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<f32>, tensor<f32>)
// IR-NEXT:      ^bb0(%[[X:.+]]: f32, %[[Y:.+]]: f32, %{{.+}}: f32):
// IR-NEXT:        arith.addf %[[X]], %[[Y]]
// IR:           %[[REPAIRED:.+]] = linalg.generic {{.*}} ins(%[[SUM]] :
// IR:           linalg.reduce { arith.maximumf } {{.*}} outs(%[[REPAIRED]] :
func.func @log(%x: tensor<1x1x4xf32>) -> tensor<1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %xe = tensor.empty() : tensor<1x1x4xf32>
  %re = tensor.empty() : tensor<1x1xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%re : tensor<1x1xf32>) -> tensor<1x1xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<1x1x4xf32>) outs(%m0 : tensor<1x1xf32>) dimensions = [2]
  %y = linalg.generic {indexing_maps = [#all, #outer, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m : tensor<1x1x4xf32>, tensor<1x1xf32>) outs(%xe : tensor<1x1x4xf32>) {
  ^bb0(%a: f32, %max: f32, %o: f32):
    %0 = arith.subf %a, %max : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x4xf32>
  %p = linalg.exp ins(%y : tensor<1x1x4xf32>) outs(%xe : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%re : tensor<1x1xf32>) -> tensor<1x1xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<1x1x4xf32>) outs(%l0 : tensor<1x1xf32>) dimensions = [2]
  %g = linalg.log ins(%l : tensor<1x1xf32>) outs(%re : tensor<1x1xf32>) -> tensor<1x1xf32>
  %z = linalg.generic {indexing_maps = [#all, #outer, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %g : tensor<1x1x4xf32>, tensor<1x1xf32>) outs(%xe : tensor<1x1x4xf32>) {
  ^bb0(%a: f32, %log: f32, %o: f32):
    %0 = arith.subf %a, %log : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x4xf32>
  %out = linalg.reduce { arith.maximumf } ins(%z : tensor<1x1x4xf32>) outs(%m0 : tensor<1x1xf32>) dimensions = [2] {linalg_ext.root}
  return %out : tensor<1x1xf32>
}

// One factor acts along the rows, one along the columns. They are not combined.
// CHECK: {{\[\[}}0.25,{{ +}}0.410164],
// CHECK-NEXT: [0.25,{{ +}}0.25]]
//
// IR-LABEL: func.func @rows_and_columns(
// IR:         scf.for
// IR:           %[[ROWS:.+]] = linalg_ext.batch_matmul
// IR:           %[[COLUMNS:.+]] = linalg_ext.batch_matmul {{.*}}, %[[ROWS]] :
// IR:           linalg.matmul {{.*}} outs(%[[COLUMNS]] :
func.func @rows_and_columns(%a: tensor<2x4xf32>, %b: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ae = tensor.empty() : tensor<2x4xf32>
  %be = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %oe = tensor.empty() : tensor<2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %p = linalg.exp ins(%a : tensor<2x4xf32>) outs(%ae : tensor<2x4xf32>) -> tensor<2x4xf32>
  %q = linalg.exp ins(%b : tensor<4x2xf32>) outs(%be : tensor<4x2xf32>) -> tensor<4x2xf32>
  %rows = linalg.reduce { arith.addf } ins(%p : tensor<2x4xf32>) outs(%z : tensor<2xf32>) dimensions = [1]
  %columns = linalg.reduce { arith.addf } ins(%q : tensor<4x2xf32>) outs(%z : tensor<2xf32>) dimensions = [0]
  %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %rows : tensor<2x4xf32>, tensor<2xf32>) outs(%ae : tensor<2x4xf32>) {
  ^bb0(%x: f32, %sum: f32, %o: f32):
    %0 = arith.divf %x, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x4xf32>
  %d = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %columns : tensor<4x2xf32>, tensor<2xf32>) outs(%be : tensor<4x2xf32>) {
  ^bb0(%x: f32, %sum: f32, %o: f32):
    %0 = arith.divf %x, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<4x2xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x2xf32>) -> tensor<2x2xf32>
  %out = linalg.matmul {linalg_ext.root} ins(%c, %d : tensor<2x4xf32>, tensor<4x2xf32>) outs(%o0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %out : tensor<2x2xf32>
}
func.func @main() {
  // The last key weighs most, and has no value.
  %x = arith.constant dense<[[-40.0, -90.0, -70.0, 10.0]]> : tensor<1x4xf32>
  %v = arith.constant dense<[[1.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]> : tensor<4x2xf32>
  %r = func.call @f(%x, %v) : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  %u = tensor.cast %r : tensor<1x2xf32> to tensor<*xf32>
  func.call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  %y = arith.constant dense<[[[1.0, 2.0, 5.0, 3.0]]]> : tensor<1x1x4xf32>
  %s = func.call @log(%y) : (tensor<1x1x4xf32>) -> tensor<1x1xf32>
  %t = tensor.cast %s : tensor<1x1xf32> to tensor<*xf32>
  func.call @printMemrefF32(%t) : (tensor<*xf32>) -> ()
  %a = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<2x4xf32>
  %b = arith.constant dense<[[0.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 2.0]]> : tensor<4x2xf32>
  %c = func.call @rows_and_columns(%a, %b) : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  %d = tensor.cast %c : tensor<2x2xf32> to tensor<*xf32>
  func.call @printMemrefF32(%d) : (tensor<*xf32>) -> ()
  return
}
