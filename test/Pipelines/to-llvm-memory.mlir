// Attention of sizes that are not known takes memory of constant size beyond its
// arguments, on one thread and on each of several; unfused, which shows that this test
// can fail, it takes the scores.

// DEFINE: %{options} =
// DEFINE: %{compile} = linalg-ext-compile %s --emit=llvm --mcpu=x86-64-v4 -o - --options='out-params=true %{options}'

// RUN: %{compile} | FileCheck %s --implicit-check-not='@malloc(i64 %'
// REDEFINE: %{options} = threads=openmp
// RUN: %{compile} | FileCheck %s --implicit-check-not='@malloc(i64 %'
// REDEFINE: %{options} = fuse=false
// RUN: %{compile} | FileCheck %s --check-prefix=UNFUSED

// CHECK-NOT: @aligned_alloc
// CHECK:     call {{.*}} @malloc(i64 {{[0-9]+}})
// CHECK-NOT: @aligned_alloc

// UNFUSED: call {{.*}} @malloc(i64 %

#same = affine_map<(b, i, j) -> (b, i, j)>

func.func @causal(%q: tensor<?x?x64xf32>, %k: tensor<?x?x64xf32>, %v: tensor<?x?x64xf32>)
    -> tensor<?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x64xf32>
  %m = tensor.dim %q, %c1 : tensor<?x?x64xf32>
  %n = tensor.dim %k, %c1 : tensor<?x?x64xf32>
  %e = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>,
                       affine_map<(b, i, j, d) -> (b, j, d)>,
                       affine_map<(b, i, j, d) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x64xf32>, tensor<?x?x64xf32>) outs(%f : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %xy = arith.mulf %x, %y : f32
    %r = arith.addf %o, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %masked = linalg.generic {indexing_maps = [#same, #same],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %visible = arith.cmpi sle, %j, %i : index
    %r = arith.select %visible, %x, %hidden : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<?x?x?xf32>)
      outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %oe = tensor.empty(%b, %m) : tensor<?x?x64xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %pv = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x64xf32>)
      outs(%of : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %pv : tensor<?x?x64xf32>
}
