// Loops whose iterations compute a new tensor from the last one, as layers do. Each row is
// multiplied by [[1, 1], [1, 0]] ten times: F(n) are Fibonacci's numbers, and [a, b] becomes
// [a F(11) + b F(10), a F(10) + b F(9)].
//
// REQUIRES: mlir-runner
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s

// CHECK:      {{\[\[}}89,{{ +}}55],
// CHECK-NEXT: [487,{{ +}}301],
// CHECK-NEXT: [-144,{{ +}}-89]]
// CHECK:      {{\[\[}}89,{{ +}}55],
// CHECK-NEXT: [487,{{ +}}301],
// CHECK-NEXT: [-144,{{ +}}-89]]
// A tensor that two calls take as unranked: each may write to its own.
// CHECK:      {{\[\[}}89,{{ +}}55],
// CHECK-NEXT: [487,{{ +}}301],
// CHECK-NEXT: [-144,{{ +}}-89]]
// Halves of a tensor that change places three times: one is read when it has been written.
// CHECK: [2,{{ +}}3,{{ +}}0,{{ +}}1]
// A tensor that takes the place of two others: 1 / 2 + 4, then 4.5 / 2 + 4.5, then itself.
// CHECK: [6.75]
// CHECK: [6.75]
// A branch hands on what is then overwritten: 2 x, and 1.
// CHECK: [1,{{ +}}3,{{ +}}5,{{ +}}7]
// A slice is read behind the branch that computes the next tensor: 1 + e, 2 + e^2.
// CHECK: [3.71828,{{ +}}9.38906]
// A loop reads what it overwrites.
// CHECK: [4,{{ +}}5,{{ +}}8,{{ +}}12]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @for(%x: tensor<?x2xf32>, %w: tensor<2x2xf32>, %times: index) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%last = %x) -> (tensor<?x2xf32>) {
    %e = tensor.empty(%n) : tensor<?x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
    %y = linalg.matmul ins(%last, %w : tensor<?x2xf32>, tensor<2x2xf32>) outs(%f : tensor<?x2xf32>) -> tensor<?x2xf32>
    scf.yield %y : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

func.func @while(%x: tensor<?x2xf32>, %w: tensor<2x2xf32>, %times: index) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %r:2 = scf.while (%i = %c0, %last = %x) : (index, tensor<?x2xf32>) -> (index, tensor<?x2xf32>) {
    %continues = arith.cmpi slt, %i, %times : index
    scf.condition(%continues) %i, %last : index, tensor<?x2xf32>
  } do {
  ^bb0(%i: index, %last: tensor<?x2xf32>):
    %e = tensor.empty(%n) : tensor<?x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
    %y = linalg.matmul ins(%last, %w : tensor<?x2xf32>, tensor<2x2xf32>) outs(%f : tensor<?x2xf32>) -> tensor<?x2xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %y : index, tensor<?x2xf32>
  }
  return %r#1 : tensor<?x2xf32>
}

func.func @halves(%x: tensor<4xf32>, %times: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%last = %x) -> (tensor<4xf32>) {
    %a = tensor.extract_slice %last[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %b = tensor.extract_slice %last[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %half = tensor.insert_slice %b into %last[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
    %both = tensor.insert_slice %a into %half[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
    scf.yield %both : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

#id = affine_map<(i) -> (i)>
func.func @branch(%x: tensor<1xf32>, %y: tensor<1xf32>, %times: index) -> (tensor<1xf32>, tensor<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %times step %c1 iter_args(%a = %x, %b = %y) -> (tensor<1xf32>, tensor<1xf32>) {
    %isFirst = arith.cmpi slt, %i, %c2 : index
    %u = scf.if %isFirst -> tensor<1xf32> {
      %e = tensor.empty() : tensor<1xf32>
      %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<1xf32>, tensor<1xf32>) outs(%e : tensor<1xf32>) {
      ^bb0(%p: f32, %q: f32, %o: f32):
        %half = arith.constant 0.5 : f32
        %0 = arith.mulf %p, %half : f32
        %1 = arith.addf %0, %q : f32
        linalg.yield %1 : f32
      } -> tensor<1xf32>
      scf.yield %sum : tensor<1xf32>
    } else {
      scf.yield %b : tensor<1xf32>
    }
    scf.yield %u, %u : tensor<1xf32>, tensor<1xf32>
  }
  return %r#0, %r#1 : tensor<1xf32>, tensor<1xf32>
}

func.func @handed_on(%x: tensor<4xf32>, %y: tensor<4xf32>, %times: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %times step %c1 iter_args(%a = %x, %s = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %isFirst = arith.cmpi slt, %i, %c2 : index
    %t = scf.if %isFirst -> tensor<4xf32> {
      scf.yield %a : tensor<4xf32>
    } else {
      %e = tensor.empty() : tensor<4xf32>
      %q = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %q : tensor<4xf32>
    }
    %w = linalg.fill ins(%zero : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %n = linalg.add ins(%s, %t : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w, %n : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

func.func @slice(%x: tensor<4xf32>, %y: tensor<2xf32>, %times: index) -> (tensor<4xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %times step %c1 iter_args(%a = %x, %s = %y) -> (tensor<4xf32>, tensor<2xf32>) {
    %isFirst = arith.cmpi slt, %i, %c2 : index
    %v = tensor.extract_slice %a[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %e = tensor.empty() : tensor<4xf32>
    %t = scf.if %isFirst -> tensor<4xf32> {
      %q = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %q : tensor<4xf32>
    } else {
      %q = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %q : tensor<4xf32>
    }
    %n = linalg.add ins(%s, %v : tensor<2xf32>, tensor<2xf32>) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %t, %n : tensor<4xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<2xf32>
}

func.func @loop(%x: tensor<4xf32>, %y: tensor<4xf32>, %times: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %times step %c1 iter_args(%a = %x, %s = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = scf.for %j = %c0 to %times step %c1 iter_args(%b = %a) -> (tensor<4xf32>) {
      %v = tensor.extract_slice %a[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %k = arith.remui %i, %c4 : index
      %q = tensor.insert_slice %v into %b[%k] [1] [1] : tensor<1xf32> into tensor<4xf32>
      scf.yield %q : tensor<4xf32>
    }
    %n = linalg.add ins(%s, %a : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w, %n : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

func.func @main() {
  %x = arith.constant dense<[[1.0, 0.0], [3.0, 4.0], [-1.0, -1.0]]> : tensor<3x2xf32>
  %w = arith.constant dense<[[1.0, 1.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %times = arith.constant 10 : index
  %rows = tensor.cast %x : tensor<3x2xf32> to tensor<?x2xf32>
  %0 = call @for(%rows, %w, %times) : (tensor<?x2xf32>, tensor<2x2xf32>, index) -> tensor<?x2xf32>
  %u0 = tensor.cast %0 : tensor<?x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %1 = call @while(%rows, %w, %times) : (tensor<?x2xf32>, tensor<2x2xf32>, index) -> tensor<?x2xf32>
  %u1 = tensor.cast %1 : tensor<?x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  %three = arith.constant 3 : index
  %y = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %2 = call @halves(%y, %three) : (tensor<4xf32>, index) -> tensor<4xf32>
  %u2 = tensor.cast %2 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %four = arith.constant dense<4.0> : tensor<1xf32>
  %3:2 = call @branch(%one, %four, %three) : (tensor<1xf32>, tensor<1xf32>, index) -> (tensor<1xf32>, tensor<1xf32>)
  %u3 = tensor.cast %3#0 : tensor<1xf32> to tensor<*xf32>
  %u4 = tensor.cast %3#1 : tensor<1xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()
  %4:2 = call @handed_on(%y, %y, %three) : (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>)
  %u5 = tensor.cast %4#1 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u5) : (tensor<*xf32>) -> ()
  %two = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %5:2 = call @slice(%y, %zeros, %two) : (tensor<4xf32>, tensor<2xf32>, index) -> (tensor<4xf32>, tensor<2xf32>)
  %u6 = tensor.cast %5#1 : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%u6) : (tensor<*xf32>) -> ()
  %6:2 = call @loop(%y, %y, %three) : (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>)
  %u7 = tensor.cast %6#1 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u7) : (tensor<*xf32>) -> ()
  return
}
