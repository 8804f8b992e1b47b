// Canonicalization erases the annotation of an argument that nothing uses. Its part is that
// of the caller nonetheless.
//
// RUN: linalg-ext-opt %s --linalg-ext-shard="sharding='2: [[0]], [[], [0]], [ring [0]] -> [[0]]'" | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-shard="sharding='2: [[0]], [[0]], [] -> [[0]]'" 2>&1 | FileCheck %s --check-prefix=DIVIDE

// DIVIDE: error: expected a multiple of 2, the number of processes that share dimension 0 of 'tensor<3x8xf32>', got 3

// CHECK: func.func @f(%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<3x4xf32>, %{{.*}}: tensor<3xf32>) -> tensor<2xf32>
func.func @f(%x: tensor<4xf32>, %unused: tensor<3x8xf32>, %ring: tensor<6xf32>) -> tensor<4xf32> {
  %y = math.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
