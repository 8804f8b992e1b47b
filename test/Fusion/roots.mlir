// Which op becomes a root, if none is marked.

// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-raise --linalg-ext-tile-and-fuse='levels=for(0,0,4) explain=text' -o /dev/null 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-raise --linalg-ext-tile-and-fuse='levels=for(0,0,4)' | FileCheck %s --check-prefix=FUSED

// The second product needs the first one. So the first one is no root.

// CHECK:      roots.mlir:[[@LINE+15]]:8 in @second_needs_first
// CHECK-NEXT: root 'linalg.matmul'
// CHECK-NOT:  root 'linalg.matmul'
// CHECK-NOT:  sibling
// CHECK:      keep 'linalg.matmul'
func.func @second_needs_first(%s: tensor<6x10xf32>, %v: tensor<10x5xf32>, %k: tensor<10x6xf32>) -> (tensor<6x5xf32>, tensor<6x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<6x10xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<6x10xf32>) outs(%pe : tensor<6x10xf32>) -> tensor<6x10xf32>
  %ae = tensor.empty() : tensor<6x5xf32>
  %a0 = linalg.fill ins(%zero : f32) outs(%ae : tensor<6x5xf32>) -> tensor<6x5xf32>
  %a = linalg.matmul ins(%p, %v : tensor<6x10xf32>, tensor<10x5xf32>) outs(%a0 : tensor<6x5xf32>) -> tensor<6x5xf32>
  %ue = tensor.empty() : tensor<10x5xf32>
  %u0 = linalg.fill ins(%zero : f32) outs(%ue : tensor<10x5xf32>) -> tensor<10x5xf32>
  %u = linalg.matmul ins(%k, %a : tensor<10x6xf32>, tensor<6x5xf32>) outs(%u0 : tensor<10x5xf32>) -> tensor<10x5xf32>
  %b = linalg.matmul ins(%p, %u : tensor<6x10xf32>, tensor<10x5xf32>) outs(%a0 : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %a, %b : tensor<6x5xf32>, tensor<6x5xf32>
}

// -----

// Of two that do not need each other, the first one is the root, and the other one its
// sibling.

// CHECK:      roots.mlir:[[@LINE+10]]:8 in @independent
// CHECK-NEXT: root 'linalg.matmul'
// CHECK-NEXT: sibling 'linalg.matmul', dims of the root [-, -, 2]
// CHECK-NOT:  root 'linalg.matmul'{{$}}
func.func @independent(%s: tensor<6x10xf32>, %v: tensor<10x5xf32>, %w: tensor<10x5xf32>) -> (tensor<6x5xf32>, tensor<6x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<6x10xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<6x10xf32>) outs(%pe : tensor<6x10xf32>) -> tensor<6x10xf32>
  %ae = tensor.empty() : tensor<6x5xf32>
  %a0 = linalg.fill ins(%zero : f32) outs(%ae : tensor<6x5xf32>) -> tensor<6x5xf32>
  %a = linalg.matmul ins(%p, %v : tensor<6x10xf32>, tensor<10x5xf32>) outs(%a0 : tensor<6x5xf32>) -> tensor<6x5xf32>
  %b = linalg.matmul ins(%p, %w : tensor<6x10xf32>, tensor<10x5xf32>) outs(%a0 : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %a, %b : tensor<6x5xf32>, tensor<6x5xf32>
}

// -----

// An accumulation whose terms are no products is a root, too. It accumulates in f32.

// CHECK-LABEL: in @sum_of_quotients
// CHECK-NEXT:  root 'linalg.generic'
// FUSED-LABEL: func @sum_of_quotients
// FUSED:         scf.for {{.*}} -> (tensor<6x5xf32>, tensor<6xf32>, tensor<6xf32>)
// FUSED:           %[[Q:.*]] = arith.divf %{{.*}}, %{{.*}} : f16
// FUSED-NEXT:      %[[WIDE:.*]] = arith.extf %[[Q]] : f16 to f32
// FUSED-NEXT:      arith.addf %{{.*}}, %[[WIDE]] : f32
func.func @sum_of_quotients(%s: tensor<6x10xf16>, %w: tensor<10x5xf16>) -> tensor<6x5xf16> {
  %zero = arith.constant 0.0 : f16
  %pe = tensor.empty() : tensor<6x10xf16>
  %p = linalg.softmax dimension(1) ins(%s : tensor<6x10xf16>) outs(%pe : tensor<6x10xf16>) -> tensor<6x10xf16>
  %ae = tensor.empty() : tensor<6x5xf16>
  %a0 = linalg.fill ins(%zero : f16) outs(%ae : tensor<6x5xf16>) -> tensor<6x5xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(m, e, n) -> (m, n)>, affine_map<(m, e, n) -> (n, e)>, affine_map<(m, e, n) -> (m, e)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<6x10xf16>, tensor<10x5xf16>) outs(%a0 : tensor<6x5xf16>) {
  ^bb0(%x: f16, %y: f16, %acc: f16):
    %q = arith.divf %x, %y : f16
    %r = arith.addf %acc, %q : f16
    linalg.yield %r : f16
  } -> tensor<6x5xf16>
  return %a : tensor<6x5xf16>
}
