// The counter of a loop is a result: what it is when the loop ends, entered or not.

// RUN: linalg-ext-check-program %s

func.func @entered(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  %start = arith.constant dense<0> : tensor<i32>
  %end = arith.constant 7 : i32
  %step = arith.constant dense<3> : tensor<i32>
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<i32>
  %r:2 = scf.while (%i = %start, %h = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi slt, %a, %end : i32
    scf.condition(%c) %i, %h : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<8xf32>):
    %y = linalg.mul ins(%h, %h : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.add ins(%i, %step : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    scf.yield %next, %y : tensor<i32>, tensor<8xf32>
  }
  return %r#1, %r#0 : tensor<8xf32>, tensor<i32>
}

func.func @not_entered(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  %start = arith.constant dense<5> : tensor<i32>
  %end = arith.constant 2 : i32
  %step = arith.constant dense<3> : tensor<i32>
  %e = tensor.empty() : tensor<8xf32>
  %ei = tensor.empty() : tensor<i32>
  %r:2 = scf.while (%i = %start, %h = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi slt, %a, %end : i32
    scf.condition(%c) %i, %h : tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<8xf32>):
    %y = linalg.mul ins(%h, %h : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.add ins(%i, %step : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) -> tensor<i32>
    scf.yield %next, %y : tensor<i32>, tensor<8xf32>
  }
  return %r#1, %r#0 : tensor<8xf32>, tensor<i32>
}
