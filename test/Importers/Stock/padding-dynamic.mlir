// Run-time numbers on both sides of a dynamic size, which add nothing together. Another dimension is
// padded by constants, one of which is negative. More is shifted than there is.

// RUN: linalg-ext-check-program %s --sizes=7x16,-

func.func @shift_dynamic(%x: tensor<?x16xf32>, %n: tensor<i32> {check.draw = "choose 3"}) -> tensor<?x17xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n32 = tensor.extract %n[] : tensor<i32>
  %high = arith.index_cast %n32 : i32 to index
  %low = arith.subi %c0, %high : index
  %p = tensor.pad %x low[%low, 3] high[%high, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x16xf32> to tensor<?x17xf32>
  return %p : tensor<?x17xf32>
}

func.func @shift_dynamic_back(%x: tensor<?x16xf32>, %n: tensor<i32> {check.draw = "choose -70"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n32 = tensor.extract %n[] : tensor<i32>
  %high = arith.index_cast %n32 : i32 to index
  %low = arith.subi %c0, %high : index
  %p = tensor.pad %x low[%low, 0] high[%high, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x16xf32> to tensor<?x16xf32>
  return %p : tensor<?x16xf32>
}
