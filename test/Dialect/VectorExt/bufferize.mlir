// RUN: linalg-ext-opt %s --one-shot-bufferize=bufferize-function-boundaries --cse | FileCheck %s

// A gather from a tensor reads its buffer; what is written later goes to a copy
// only if it is still read.

// CHECK-LABEL: func.func @transfer_gather
// CHECK-SAME:    %[[POOL:.*]]: memref<8x64xf16, {{.*}}>, %[[ROWS:.*]]: vector<32xi32>
// CHECK-NOT:     memref.alloc
// CHECK:         vector_ext.transfer_gather %[[POOL]][%{{.*}}, %{{.*}}] indices(%[[ROWS]] : vector<32xi32>)
// CHECK-SAME:      : memref<8x64xf16, {{.*}}>, vector<32x64xf16>
func.func @transfer_gather(%pool: tensor<8x64xf16>, %rows: vector<32xi32>) -> vector<32x64xf16> {
  %c0 = arith.constant 0 : index
  %0 = vector_ext.transfer_gather %pool[%c0, %c0] indices(%rows : vector<32xi32>)
       {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x64xf16>, vector<32x64xf16>
  return %0 : vector<32x64xf16>
}

// CHECK-LABEL: func.func @read_before_write
// CHECK:         %[[COPY:.*]] = memref.alloc
// CHECK:         vector_ext.transfer_gather
func.func @read_before_write(%pool: tensor<8x64xf16>, %rows: vector<32xi32>, %x: f16) -> (vector<32x64xf16>, tensor<8x64xf16>) {
  %c0 = arith.constant 0 : index
  %1 = tensor.insert %x into %pool[%c0, %c0] : tensor<8x64xf16>
  %0 = vector_ext.transfer_gather %pool[%c0, %c0] indices(%rows : vector<32xi32>)
       {indexing_maps = [affine_map<(i, j)[r] -> (r, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x64xf16>, vector<32x64xf16>
  return %0, %1 : vector<32x64xf16>, tensor<8x64xf16>
}
