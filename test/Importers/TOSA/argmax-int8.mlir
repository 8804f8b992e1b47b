// The end of a quantized classifier: tosa.argmax of integers, as its lowering writes it (the
// position is the first result). Few values, so that many are equal: the first one counts.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1024 --max-kernels=1
// RUN: linalg-ext-check-program %s --max-buffer-bytes=1024 --max-kernels=1 --targets=gpu --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --targets=cpu --cpu-options="threads=openmp split=64"
// RUN: sed 's/sgt/ult/g; s/-128 : i8/-1 : i8/; s/-2147483648/-1/' %s | linalg-ext-check-program - --max-buffer-bytes=1024 --max-kernels=1

func.func @classes(%x: tensor<3x1001xi8> {check.draw = "uniform -7 7"}) -> tensor<3xi32> {
  %low = arith.constant -128 : i8
  %c0 = arith.constant 0 : i32
  %ei = tensor.empty() : tensor<3xi32>
  %fi = linalg.fill ins(%c0 : i32) outs(%ei : tensor<3xi32>) -> tensor<3xi32>
  %em = tensor.empty() : tensor<3xi8>
  %fm = linalg.fill ins(%low : i8) outs(%em : tensor<3xi8>) -> tensor<3xi8>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x1001xi8>) outs(%fi, %fm : tensor<3xi32>, tensor<3xi8>) {
  ^bb0(%new: i8, %position: i32, %old: i8):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.cmpi sgt, %new, %old : i8
    %3 = arith.select %2, %new, %old : i8
    %4 = arith.select %2, %1, %position : i32
    linalg.yield %4, %3 : i32, i8
  } -> (tensor<3xi32>, tensor<3xi8>)
  return %r#0 : tensor<3xi32>
}

// Along the channels of an image.
func.func @pixels(%x: tensor<2x7x33xi32> {check.draw = "uniform -3 3"}) -> tensor<2x33xi32> {
  %low = arith.constant -2147483648 : i32
  %c0 = arith.constant 0 : i32
  %ei = tensor.empty() : tensor<2x33xi32>
  %fi = linalg.fill ins(%c0 : i32) outs(%ei : tensor<2x33xi32>) -> tensor<2x33xi32>
  %fm = linalg.fill ins(%low : i32) outs(%ei : tensor<2x33xi32>) -> tensor<2x33xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<2x7x33xi32>) outs(%fi, %fm : tensor<2x33xi32>, tensor<2x33xi32>) {
  ^bb0(%new: i32, %position: i32, %old: i32):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.cmpi sgt, %new, %old : i32
    %3 = arith.select %2, %new, %old : i32
    %4 = arith.select %2, %1, %position : i32
    linalg.yield %4, %3 : i32, i32
  } -> (tensor<2x33xi32>, tensor<2x33xi32>)
  return %r#0 : tensor<2x33xi32>
}
