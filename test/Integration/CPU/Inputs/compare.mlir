// What the execution tests share; they prepend themselves to this file.

func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

// `n` values in [-3, 3] without a pattern: 3 sin(0), 3 sin(17), 3 sin(34), ...
func.func @values(%n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %c17 = arith.constant 17 : index
    %j = arith.muli %i, %c17 : index
    %k = arith.index_cast %j : index to i32
    %x = arith.sitofp %k : i32 to f32
    %s = math.sin %x : f32
    %c3 = arith.constant 3.0 : f32
    %y = arith.mulf %s, %c3 : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Prints how many values of `a` and `b` differ by more than 1e-5, or are NaN,
// and a comma.
func.func @print_mismatches(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<i64>
  %f = linalg.fill ins(%c0 : i64) outs(%e : tensor<i64>) -> tensor<i64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%f : tensor<i64>) {
  ^bb0(%x: f32, %y: f32, %n: i64):
    %d = arith.subf %x, %y : f32
    %m = math.absf %d : f32
    %tolerance = arith.constant 1.0e-5 : f32
    %wrong = arith.cmpf ugt, %m, %tolerance : f32
    %one = arith.extui %wrong : i1 to i64
    %sum = arith.addi %n, %one : i64
    linalg.yield %sum : i64
  } -> tensor<i64>
  %n = tensor.extract %0[] : tensor<i64>
  call @printI64(%n) : (i64) -> ()
  call @printComma() : () -> ()
  return
}
