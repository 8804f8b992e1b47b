// jnp.argmax and jnp.argmin: positions are an iota, equal terms are told apart by their positions,
// and a NaN is taken. Square roots of negative numbers are NaN.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0
// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --gpu-options=chip=gfx1201
// RUN: sed 's/101/9001/g; s/37/3/g' %s | linalg-ext-check-program - --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --entry=last_nan
// RUN: sed 's/-3 400/-9 1/g' %s | linalg-ext-check-program - --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --entry=last_nan

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
#c = affine_map<(a, b) -> (b)>

func.func @argmax(%x: tensor<37x101xf32> {check.draw = "choose 0.5 1 2 3"}) -> tensor<37xi32> {
  %ni = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i32
  %ei = tensor.empty() : tensor<37x101xi32>
  %io = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel","parallel"]} outs(%ei : tensor<37x101xi32>) {
  ^bb0(%o: i32):
    %b = linalg.index 1 : index
    %qi = arith.index_cast %b : index to i32
    linalg.yield %qi : i32
  } -> tensor<37x101xi32>
  %e1 = tensor.empty() : tensor<37xf32>
  %e2 = tensor.empty() : tensor<37xi32>
  %f1 = linalg.fill ins(%ni : f32) outs(%e1 : tensor<37xf32>) -> tensor<37xf32>
  %f2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<37xi32>) -> tensor<37xi32>
  %m:2 = linalg.generic {indexing_maps = [#m, #m, #r, #r], iterator_types = ["parallel","reduction"]} ins(%x, %io : tensor<37x101xf32>, tensor<37x101xi32>) outs(%f1, %f2 : tensor<37xf32>, tensor<37xi32>) {
  ^bb0(%v: f32, %i: i32, %a: f32, %n: i32):
    %g = arith.cmpf ogt, %v, %a : f32
    %nn = arith.cmpf une, %v, %v : f32
    %pv = arith.ori %g, %nn : i1
    %eq = arith.cmpf oeq, %v, %a : f32
    %lt = arith.cmpi slt, %i, %n : i32
    %tie = arith.andi %eq, %lt : i1
    %pi = arith.ori %pv, %tie : i1
    %s = arith.select %pv, %v, %a : f32
    %t = arith.select %pi, %i, %n : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<37xf32>, tensor<37xi32>)
  return %m#1 : tensor<37xi32>
}

func.func @argmin_of_columns(%x: tensor<101x37xf32>) -> tensor<37xi32> {
  %ni = arith.constant 0x7F800000 : f32
  %c0 = arith.constant 0 : i32
  %ei = tensor.empty() : tensor<101x37xi32>
  %io = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel","parallel"]} outs(%ei : tensor<101x37xi32>) {
  ^bb0(%o: i32):
    %b = linalg.index 0 : index
    %qi = arith.index_cast %b : index to i32
    linalg.yield %qi : i32
  } -> tensor<101x37xi32>
  %e1 = tensor.empty() : tensor<37xf32>
  %e2 = tensor.empty() : tensor<37xi32>
  %f1 = linalg.fill ins(%ni : f32) outs(%e1 : tensor<37xf32>) -> tensor<37xf32>
  %f2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<37xi32>) -> tensor<37xi32>
  %m:2 = linalg.generic {indexing_maps = [#m, #m, #c, #c], iterator_types = ["reduction","parallel"]} ins(%x, %io : tensor<101x37xf32>, tensor<101x37xi32>) outs(%f1, %f2 : tensor<37xf32>, tensor<37xi32>) {
  ^bb0(%v: f32, %i: i32, %a: f32, %n: i32):
    %g = arith.cmpf olt, %v, %a : f32
    %nn = arith.cmpf une, %v, %v : f32
    %pv = arith.ori %g, %nn : i1
    %eq = arith.cmpf oeq, %v, %a : f32
    %lt = arith.cmpi slt, %i, %n : i32
    %tie = arith.andi %eq, %lt : i1
    %pi = arith.ori %pv, %tie : i1
    %s = arith.select %pv, %v, %a : f32
    %t = arith.select %pi, %i, %n : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<37xf32>, tensor<37xi32>)
  return %m#1 : tensor<37xi32>
}

func.func @last_nan(%x: tensor<37x101xf32> {check.draw = "uniform -3 400"}) -> tensor<37xi32> {
  %ni = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i32
  %ei = tensor.empty() : tensor<37x101xi32>
  %io = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel","parallel"]} outs(%ei : tensor<37x101xi32>) {
  ^bb0(%o: i32):
    %b = linalg.index 1 : index
    %qi = arith.index_cast %b : index to i32
    linalg.yield %qi : i32
  } -> tensor<37x101xi32>
  %e1 = tensor.empty() : tensor<37xf32>
  %e2 = tensor.empty() : tensor<37xi32>
  %f1 = linalg.fill ins(%ni : f32) outs(%e1 : tensor<37xf32>) -> tensor<37xf32>
  %f2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<37xi32>) -> tensor<37xi32>
  %m:2 = linalg.generic {indexing_maps = [#m, #m, #r, #r], iterator_types = ["parallel","reduction"]} ins(%x, %io : tensor<37x101xf32>, tensor<37x101xi32>) outs(%f1, %f2 : tensor<37xf32>, tensor<37xi32>) {
  ^bb0(%v0: f32, %i: i32, %a: f32, %n: i32):
    %v = math.sqrt %v0 : f32
    %g = arith.cmpf ogt, %v, %a : f32
    %nn = arith.cmpf une, %v, %v : f32
    %pv = arith.ori %g, %nn : i1
    %eq = arith.cmpf oeq, %v, %a : f32
    %lt = arith.cmpi slt, %i, %n : i32
    %tie = arith.andi %eq, %lt : i1
    %pi = arith.ori %pv, %tie : i1
    %s = arith.select %pv, %v, %a : f32
    %t = arith.select %pi, %i, %n : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<37xf32>, tensor<37xi32>)
  return %m#1 : tensor<37xi32>
}
