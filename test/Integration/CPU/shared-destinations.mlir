// Two tensors that a loop carries start as one slice of an uninitialised tensor, as CSE
// leaves the destinations of tiled loops. Upstream's bufferization (22.1.8) gives both
// one buffer, and 1 - 2 is 0. linalg-ext-prepare-destinations keeps them apart.
//
// REQUIRES: mlir-runner
//
// RUN: mlir-opt --load-pass-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(linalg-ext-prepare-destinations{steps=privatize}),%cpu_passes)' \
// RUN:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s

func.func private @printMemrefF32(tensor<*xf32>)

// CHECK-LABEL: sizes = [2, 3]
//  CHECK-NEXT: {{\[}}[-1, -1, -1],
//  CHECK-NEXT:       [-1, -1, -1]]

func.func private @differences(%rows: index, %columns: index) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %result = scf.for %i = %c0 to %rows step %c1 iter_args(%out = %e) -> (tensor<2x3xf32>) {
    %start = tensor.extract_slice %e[%i, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
    %row = tensor.extract_slice %out[%i, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
    %r:3 = scf.for %j = %c0 to %columns step %c1 iter_args(%x = %start, %y = %start, %z = %row)
        -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
      %xj = tensor.extract_slice %x[%j] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %yj = tensor.extract_slice %y[%j] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %zj = tensor.extract_slice %z[%j] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %ones = linalg.fill ins(%one : f32) outs(%xj : tensor<1xf32>) -> tensor<1xf32>
      %twos = linalg.fill ins(%two : f32) outs(%yj : tensor<1xf32>) -> tensor<1xf32>
      %d = linalg.sub ins(%ones, %twos : tensor<1xf32>, tensor<1xf32>) outs(%zj : tensor<1xf32>) -> tensor<1xf32>
      %x1 = tensor.insert_slice %ones into %x[%j] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %y1 = tensor.insert_slice %twos into %y[%j] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %z1 = tensor.insert_slice %d into %z[%j] [1] [1] : tensor<1xf32> into tensor<3xf32>
      scf.yield %x1, %y1, %z1 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
    }
    %next = tensor.insert_slice %r#2 into %out[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<2x3xf32>
    scf.yield %next : tensor<2x3xf32>
  }
  return %result : tensor<2x3xf32>
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = call @differences(%c2, %c3) : (index, index) -> tensor<2x3xf32>
  %u = tensor.cast %r : tensor<2x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
