// A derivative that is as large as the root, and what the plan says it costs.

// RUN: linalg-ext-opt %s -o /dev/null --linalg-ext-tile-and-fuse='levels=for(0,0,4)' --remarks-filter-analyse='linalg-ext.*' 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s -o /dev/null --linalg-ext-tile-and-fuse='levels=for(0,0,4) explain=text' 2>&1 | FileCheck %s --check-prefix=PLAN

// CHECK: remark: [Analysis] derivative | {{.*}} | Function=squares | Op=linalg.generic, Reason="its derivative in the result of 'linalg.generic' is accumulated too, and takes as many operations as the root"
// CHECK-NOT: derivative |

// PLAN-LABEL: in @squares
// PLAN: repair root 'linalg.generic': add a polynomial of degree 2
// PLAN: derivatives: FLOPs 0 -> {{[0-9]+}}, read 0 ->
// PLAN-LABEL: in @plain
// PLAN: repair root 'linalg.generic': add a polynomial of degree 1
// PLAN: derivatives: FLOPs 0 -> {{[0-9]+}}, read 0 ->
#tile = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#p = affine_map<(m, e, n) -> (m, n)>
#v = affine_map<(m, e, n) -> (n, e)>
#o = affine_map<(m, e, n) -> (m, e)>
func.func @squares(%x: tensor<6x16xf32>, %v: tensor<16x5xf32>) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 16.0 : f32
  %re = tensor.empty() : tensor<6xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%re : tensor<6xf32>) -> tensor<6xf32>
  %s = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x16xf32>) outs(%s0 : tensor<6xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.divf %a, %n : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6xf32>
  %de = tensor.empty() : tensor<6x16xf32>
  %d = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<6x16xf32>, tensor<6xf32>) outs(%de : tensor<6x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  %oe = tensor.empty() : tensor<6x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x5xf32>) -> tensor<6x5xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%d, %v : tensor<6x16xf32>, tensor<16x5xf32>) outs(%o0 : tensor<6x5xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x5xf32>
  return %o : tensor<6x5xf32>
}

func.func @plain(%x: tensor<6x16xf32>, %v: tensor<16x5xf32>) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 16.0 : f32
  %re = tensor.empty() : tensor<6xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%re : tensor<6xf32>) -> tensor<6xf32>
  %s = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x16xf32>) outs(%s0 : tensor<6xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.divf %a, %n : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6xf32>
  %de = tensor.empty() : tensor<6x16xf32>
  %d = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<6x16xf32>, tensor<6xf32>) outs(%de : tensor<6x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  %oe = tensor.empty() : tensor<6x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x5xf32>) -> tensor<6x5xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%d, %v : tensor<6x16xf32>, tensor<16x5xf32>) outs(%o0 : tensor<6x5xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x5xf32>
  return %o : tensor<6x5xf32>
}
