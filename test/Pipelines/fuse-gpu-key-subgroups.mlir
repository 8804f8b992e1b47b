// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=16 keys=16 key-subgroups=2' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu levels="forall(1,16) for(0,0,0,16) parts(2)"' --split-input-file | FileCheck %s --check-prefix=LEVELS
// RUN: linalg-ext-opt %s --linalg-ext-to-gpu-tiles='rows=16 keys=16 key-subgroups=2' --split-input-file | FileCheck %s --check-prefix=VECTOR
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 key-subgroups=-1' --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu levels="for(0,0,0,16) parts(0)"' --split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu levels="forall(1,16) parts(2) for(0,0,0,16)"' --split-input-file 2>&1 | FileCheck %s --check-prefix=FORALL
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu levels="for(0,16) parts(2) for(0,0,0,16)"' --split-input-file 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu levels="for(0,0,0,16) parts(2) for(0,16)"' --split-input-file 2>&1 | FileCheck %s --check-prefix=LAST

// Two parts take 16 keys each of an iteration. Each has slots of its own, which
// are merged after the loop; what is left of 100 keys is added by one part.

// NONE: error: expected 'key-subgroups' to be from 0 to 32, got -1
// ZERO: expected one number of parts from 1 to 32, got 0
// FORALL: expected parts of a 'for' level that tiles one dimension by a constant, got 2 of a 'forall' level that tiles 2
// ROWS: expected parts of a reduction dimension, got parallel dimension 1
// LAST: expected the level of several parts to be the last one, got 0 of 2

// CHECK-LABEL: func @parts
// CHECK:       scf.forall
// CHECK:         %[[SLOTS:.*]]:3 = scf.for %[[I:.*]] = %c0{{.*}} to %c96{{.*}} step %c32{{.*}} -> (tensor<2x1x16x32xf32>, tensor<2x1x16xf32>, tensor<2x1x16xf32>)
// CHECK:           scf.forall (%[[PART:.*]]) in (2)
// CHECK:             %[[KEY:.*]] = affine.apply #{{.*}}(%[[I]], %[[PART]])
// CHECK:             tensor.extract_slice %{{.*}}[%[[PART]], 0, 0] [1, 1, 16]
// CHECK:             tensor.extract_slice %{{.*}}[0, 0, %[[KEY]]] [1, 16,
// CHECK:             linalg_ext.softmax dimension(2) online delayed
// CHECK:             tensor.parallel_insert_slice
// CHECK:           {mapping = [#gpu.warp<linear_dim_0>]}
// CHECK:         tensor.extract_slice %[[SLOTS]]#0[0, 0, 0, 0]
// CHECK:         tensor.extract_slice %[[SLOTS]]#0[1, 0, 0, 0]
// CHECK:         scf.for {{.*}} = %c96{{.*}} to %c100{{.*}} step %c16{{.*}} -> (tensor<1x16x32xf32>
// CHECK-NOT:       scf.forall (
// CHECK:           linalg_ext.softmax

// LEVELS-LABEL: func @parts
// LEVELS:      scf.for {{.*}} step %c32
// LEVELS:        scf.forall ({{.*}}) in (2)

// What is read is next to each other; all of it is read at once.

// VECTOR-LABEL: func @parts
// VECTOR:      %[[LOOP:.*]]:3 = scf.for {{.*}} -> (vector<2x16x32xf32>, vector<2x16xf32>, vector<2x16xf32>)
// VECTOR:        vector.transfer_read {{.*}} vector<16x32xf32>
// VECTOR:        vector.shape_cast {{.*}} : vector<16x32xf32> to vector<16x2x16xf32>
// VECTOR:        vector.transpose {{.*}}, [1, 0, 2]
// VECTOR:        vector.multi_reduction <maximumf>, {{.*}} [2] : vector<2x16x16xf32> to vector<2x16xf32>
// VECTOR:        vector.contract {{.*}} : vector<2x16x16xf32>, vector<2x16x32xf32> into vector<2x16x32xf32>
// VECTOR:      vector.extract %[[LOOP]]#{{.*}}[0]
// VECTOR:      vector.extract %[[LOOP]]#{{.*}}[1]
func.func @parts(%s: tensor<2x16x100xf32>, %v: tensor<2x100x32xf32>, %e: tensor<2x16x100xf32>,
                 %m: tensor<2x16xf32>, %o: tensor<2x16x32xf32>) -> tensor<2x16x32xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<2x16xf32>) -> tensor<2x16xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<2x16xf32>) -> tensor<2x16xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<2x16x100xf32>)
      outs(%e, %max, %sum, %m : tensor<2x16x100xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>)
      -> tensor<2x16x100xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<2x16x100xf32>, tensor<2x100x32xf32>)
      outs(%zeros : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  return %0 : tensor<2x16x32xf32>
}
