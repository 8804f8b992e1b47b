// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(4)for(0,0,4)" fuse-consumers' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(4,5)for(0,0,4)" fuse-consumers' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=CUT

// A reduction of rows that are whole in a tile is in the loop, and starts from a fill
// of its tile. So is what follows it. A loop over columns leaves both behind.

// CHECK-LABEL: func @norm
// CHECK: scf.forall
// CHECK:   scf.for
// CHECK:     linalg.matmul
// CHECK:   %[[START:.*]] = linalg.fill
// CHECK:   %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} outs(%[[START]] : tensor<?xf32>)
// CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %[[SUM]] :
// CHECK:   scf.forall.in_parallel
// CHECK-NOT: linalg.generic
// CUT-LABEL: func @norm
// CUT: scf.forall.in_parallel
// CUT: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CUT: linalg.generic
func.func @norm(%a: tensor<10x8xf32>, %b: tensor<8x12xf32>) -> tensor<10x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<10x8xf32>, tensor<8x12xf32>) outs(%f : tensor<10x12xf32>) -> tensor<10x12xf32>
  %r = tensor.empty() : tensor<10xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%r : tensor<10xf32>) -> tensor<10xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%o : tensor<10x12xf32>) outs(%rf : tensor<10xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %m = arith.mulf %x, %x : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32 } -> tensor<10xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%o, %s : tensor<10x12xf32>, tensor<10xf32>) outs(%e : tensor<10x12xf32>) {
  ^bb0(%x: f32, %n: f32, %c: f32):
    %d = arith.divf %x, %n : f32
    linalg.yield %d : f32 } -> tensor<10x12xf32>
  return %y : tensor<10x12xf32>
}

// -----

// Dynamic sizes: the rows are whole, too.

// CHECK-LABEL: func @dynamic
// CHECK: scf.forall
// CHECK:   linalg.fill
// CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:   scf.forall.in_parallel
// CHECK-NOT: linalg.generic
// CUT-LABEL: func @dynamic
// CUT: scf.forall.in_parallel
// CUT: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tensor.empty(%m) : tensor<?xf32>
  %rf = linalg.fill ins(%least : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%o : tensor<?x?xf32>) outs(%rf : tensor<?xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %k = arith.maximumf %acc, %x : f32
    linalg.yield %k : f32 } -> tensor<?xf32>
  return %s : tensor<?xf32>
}
