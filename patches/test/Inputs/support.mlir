
// What the tests share: random numbers in [-3, 3).
func.func @random(%n: index, %m: index, %seed: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 12.9898 : f32
  %c1 = arith.constant 78.233 : f32
  %big = arith.constant 43758.5453 : f32
  %half = arith.constant 0.5 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<?x?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i32 = arith.index_cast %i : index to i32
    %j32 = arith.index_cast %j : index to i32
    %x = arith.sitofp %i32 : i32 to f32
    %y = arith.sitofp %j32 : i32 to f32
    %0 = arith.mulf %x, %c0 : f32
    %1 = arith.mulf %y, %c1 : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.addf %2, %seed : f32
    %4 = math.sin %3 : f32
    %5 = arith.mulf %4, %big : f32
    %6 = math.floor %5 : f32
    %7 = arith.subf %5, %6 : f32
    %8 = arith.subf %7, %half : f32
    %9 = arith.mulf %8, %six : f32
    linalg.yield %9 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func private @printMemrefF32(tensor<*xf32>)
