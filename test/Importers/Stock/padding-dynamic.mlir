// Run-time numbers on both sides of a dynamic size, which add nothing together. Another dimension is
// padded by constants, one of which is negative. More is shifted than there is.
// Pads that are an input, as ONNX's may be: nothing says which are negative, in which sum, or whether
// padding of the other side is cut off, too.

// RUN: linalg-ext-check-program %s --sizes=7x16,-,-

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

func.func @signs(%x: tensor<?x16xf32>, %n: tensor<i64> {check.draw = "choose -2"}, %m: tensor<i64> {check.draw = "choose 4"}) -> tensor<?x?xf32> {
  %zero = arith.constant 1.5 : f32
  %n64 = tensor.extract %n[] : tensor<i64>
  %m64 = tensor.extract %m[] : tensor<i64>
  %low = arith.index_cast %n64 : i64 to index
  %high = arith.index_cast %m64 : i64 to index
  %p = tensor.pad %x low[%low, %high] high[%high, %low] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x16xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

func.func @padding_is_cut_off(%x: tensor<?x16xf32>, %n: tensor<i64> {check.draw = "choose -9"}, %m: tensor<i64> {check.draw = "choose 12"}) -> tensor<?x?xf32> {
  %n64 = tensor.extract %n[] : tensor<i64>
  %m64 = tensor.extract %m[] : tensor<i64>
  %low = arith.index_cast %n64 : i64 to index
  %high = arith.index_cast %m64 : i64 to index
  %p = tensor.pad %x low[%high, 0] high[%low, %low] {
  ^bb0(%i: index, %j: index):
    %e = arith.addi %i, %j : index
    %k = arith.index_cast %e : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<?x16xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
