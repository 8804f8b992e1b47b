// An element of four blocks by branches on both positions, and a sum of two elements, each by a
// branch on another position. Parts along one position would branch along the other, and each
// would be a kernel: the op stays as it is.

// RUN: linalg-ext-check-program %s --entry=blocks --max-kernels=1
// RUN: linalg-ext-check-program %s --entry=both --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942 --max-kernels=1

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @blocks(%a: tensor<9x13xf32>, %b: tensor<9x20xf32>, %c: tensor<24x13xf32>, %d: tensor<24x20xf32>) -> tensor<33x33xf32> {
  %c9 = arith.constant 9 : index
  %c13 = arith.constant 13 : index
  %e = tensor.empty() : tensor<33x33xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<33x33xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %top = arith.cmpi ult, %i, %c9 : index
    %r = scf.if %top -> f32 {
      %left = arith.cmpi ult, %j, %c13 : index
      %s = scf.if %left -> f32 {
        %v = tensor.extract %a[%i, %j] : tensor<9x13xf32>
        scf.yield %v : f32
      } else {
        %q = arith.subi %j, %c13 : index
        %v = tensor.extract %b[%i, %q] : tensor<9x20xf32>
        scf.yield %v : f32
      }
      scf.yield %s : f32
    } else {
      %p = arith.subi %i, %c9 : index
      %left = arith.cmpi ult, %j, %c13 : index
      %s = scf.if %left -> f32 {
        %v = tensor.extract %c[%p, %j] : tensor<24x13xf32>
        scf.yield %v : f32
      } else {
        %q = arith.subi %j, %c13 : index
        %v = tensor.extract %d[%p, %q] : tensor<24x20xf32>
        scf.yield %v : f32
      }
      scf.yield %s : f32
    }
    linalg.yield %r : f32
  } -> tensor<33x33xf32>
  %1 = linalg.exp ins(%0 : tensor<33x33xf32>) outs(%e : tensor<33x33xf32>) -> tensor<33x33xf32>
  return %1 : tensor<33x33xf32>
}

func.func @both(%a: tensor<9x33xf32>, %b: tensor<24x33xf32>, %c: tensor<33x13xf32>, %d: tensor<33x20xf32>) -> tensor<33x33xf32> {
  %c9 = arith.constant 9 : index
  %c13 = arith.constant 13 : index
  %e = tensor.empty() : tensor<33x33xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<33x33xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %top = arith.cmpi ult, %i, %c9 : index
    %r = scf.if %top -> f32 {
      %v = tensor.extract %a[%i, %j] : tensor<9x33xf32>
      scf.yield %v : f32
    } else {
      %p = arith.subi %i, %c9 : index
      %v = tensor.extract %b[%p, %j] : tensor<24x33xf32>
      scf.yield %v : f32
    }
    %left = arith.cmpi ult, %j, %c13 : index
    %s = scf.if %left -> f32 {
      %v = tensor.extract %c[%i, %j] : tensor<33x13xf32>
      scf.yield %v : f32
    } else {
      %q = arith.subi %j, %c13 : index
      %v = tensor.extract %d[%i, %q] : tensor<33x20xf32>
      scf.yield %v : f32
    }
    %t = arith.mulf %r, %s : f32
    linalg.yield %t : f32
  } -> tensor<33x33xf32>
  %1 = linalg.exp ins(%0 : tensor<33x33xf32>) outs(%e : tensor<33x33xf32>) -> tensor<33x33xf32>
  return %1 : tensor<33x33xf32>
}
