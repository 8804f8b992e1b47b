// A flag says whether a mask is added: each score is selected, and the scores are not stored
// for a branch. The mask is read in any case, so its sizes must be those of the scores.

// RUN: linalg-ext-check-program %s --keys=16 --max-buffer-bytes=4000 --max-kernels=1 \
// RUN:   --sizes=3x37x16,3x45x16,3x45x16

#all = affine_map<(a, b, c) -> (a, b, c)>
#heads = affine_map<(a, b, c) -> (b, c)>

func.func @known(%q: tensor<3x37x16xf32>, %k: tensor<3x45x16xf32>, %v: tensor<3x45x16xf32>, %m: tensor<37x45xf32> {check.draw = "mask 0.3"}, %c: tensor<i1>) -> tensor<3x37x16xf32> {
  %zero = arith.constant 0.0 : f32
  %b = tensor.extract %c[] : tensor<i1>
  %kt0 = tensor.empty() : tensor<3x16x45xf32>
  %kt = linalg.transpose ins(%k : tensor<3x45x16xf32>) outs(%kt0 : tensor<3x16x45xf32>) permutation = [0, 2, 1]
  %s0 = tensor.empty() : tensor<3x37x45xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s2 = linalg.batch_matmul ins(%q, %kt : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%s1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s3 = scf.if %b -> tensor<3x37x45xf32> {
    %x = linalg.generic {indexing_maps = [#all, #heads, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s2, %m : tensor<3x37x45xf32>, tensor<37x45xf32>) outs(%s0 : tensor<3x37x45xf32>) {
    ^bb0(%a: f32, %d: f32, %o: f32):
      %y = arith.addf %a, %d : f32
      linalg.yield %y : f32
    } -> tensor<3x37x45xf32>
    scf.yield %x : tensor<3x37x45xf32>
  } else {
    scf.yield %s2 : tensor<3x37x45xf32>
  }
  %p = linalg.softmax dimension(2) ins(%s3 : tensor<3x37x45xf32>) outs(%s0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %o0 = tensor.empty() : tensor<3x37x16xf32>
  %o1 = linalg.fill ins(%zero : f32) outs(%o0 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%o1 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %y : tensor<3x37x16xf32>
}

func.func @causal_or_not(%q: tensor<3x?x16xf16>, %k: tensor<3x?x16xf16>, %v: tensor<3x?x16xf16>, %flag: i64) -> tensor<3x?x16xf32> {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %b = arith.cmpi eq, %flag, %one : i64
  %rows = tensor.dim %q, %c1 : tensor<3x?x16xf16>
  %keys = tensor.dim %k, %c1 : tensor<3x?x16xf16>
  %s0 = tensor.empty(%rows, %keys) : tensor<3x?x?xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %s2 = linalg.batch_matmul indexing_maps = [affine_map<(a, b, c, d) -> (a, b, d)>, affine_map<(a, b, c, d) -> (a, c, d)>, affine_map<(a, b, c, d) -> (a, b, c)>]
    ins(%q, %k : tensor<3x?x16xf16>, tensor<3x?x16xf16>) outs(%s1 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %s3 = scf.if %b -> tensor<3x?x?xf32> {
    %x = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s2 : tensor<3x?x?xf32>) outs(%s0 : tensor<3x?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %sees = arith.cmpi sle, %j, %i : index
      %y = arith.select %sees, %a, %hidden : f32
      linalg.yield %y : f32
    } -> tensor<3x?x?xf32>
    scf.yield %x : tensor<3x?x?xf32>
  } else {
    scf.yield %s2 : tensor<3x?x?xf32>
  }
  %p = linalg.softmax dimension(2) ins(%s3 : tensor<3x?x?xf32>) outs(%s0 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %o0 = tensor.empty(%rows) : tensor<3x?x16xf32>
  %o1 = linalg.fill ins(%zero : f32) outs(%o0 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<3x?x?xf32>, tensor<3x?x16xf16>) outs(%o1 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  return %y : tensor<3x?x16xf32>
}
