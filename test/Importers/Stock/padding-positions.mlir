// Padding that depends on the position, which cuts off its own elements from the other side, or
// shifts a tensor. The sizes say that an unknown number is negative.

// RUN: linalg-ext-check-program %s

func.func @cut(%x: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %p = tensor.pad %x low[0, -3] high[0, 4] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<2x2xf32> to tensor<2x3xf32>
  return %p : tensor<2x3xf32>
}

func.func @shift_left(%x: tensor<8x16xf32>, %n: tensor<i32> {check.draw = "choose 5"}) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %n32 = tensor.extract %n[] : tensor<i32>
  %high = arith.index_cast %n32 : i32 to index
  %low = arith.subi %c0, %high : index
  %p = tensor.pad %x low[0, %low] high[0, %high] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<8x16xf32> to tensor<8x16xf32>
  return %p : tensor<8x16xf32>
}

func.func @shift_right(%x: tensor<8x16xf32>, %n: tensor<i32> {check.draw = "choose -3"}) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %n32 = tensor.extract %n[] : tensor<i32>
  %high = arith.index_cast %n32 : i32 to index
  %low = arith.subi %c0, %high : index
  %p = tensor.pad %x low[0, %low] high[0, %high] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<8x16xf32> to tensor<8x16xf32>
  return %p : tensor<8x16xf32>
}

// Run-time numbers cut more off than they add: the result is smaller than the source.

func.func @crop(%x: tensor<8x16xf32>, %n: tensor<i32> {check.draw = "choose 5"}, %m: tensor<i32> {check.draw = "choose -3"}) -> tensor<5x12xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n32 = tensor.extract %n[] : tensor<i32>
  %m32 = tensor.extract %m[] : tensor<i32>
  %a = arith.index_cast %n32 : i32 to index
  %b = arith.index_cast %m32 : i32 to index
  %lowa = arith.subi %c0, %a : index
  %higha = arith.subi %a, %c3 : index
  %lowb = arith.subi %c0, %b : index
  %highb = arith.subi %b, %c4 : index
  %p = tensor.pad %x low[%lowa, %lowb] high[%higha, %highb] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<8x16xf32> to tensor<5x12xf32>
  return %p : tensor<5x12xf32>
}

func.func @no_room(%x: tensor<4x16xf32>, %n: tensor<i32> {check.draw = "choose -1"}) -> tensor<5x16xf32> {
  %n32 = tensor.extract %n[] : tensor<i32>
  %high = arith.index_cast %n32 : i32 to index
  %p = tensor.pad %x low[2, 0] high[%high, 0] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<4x16xf32> to tensor<5x16xf32>
  return %p : tensor<5x16xf32>
}
