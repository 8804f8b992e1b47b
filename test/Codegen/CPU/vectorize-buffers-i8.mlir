// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512vnni --linalg-ext-vectorize-buffers --cse | FileCheck %s --check-prefixes=CHECK,FOURS
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512 --linalg-ext-vectorize-buffers --cse | FileCheck %s --check-prefixes=CHECK,PAIRS
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=neoverse-n1 --linalg-ext-vectorize-buffers --cse | FileCheck %s --check-prefixes=CHECK,SIGNED
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=generic --linalg-ext-vectorize-buffers --cse | FileCheck %s --check-prefixes=CHECK,NONE

// Two signed operands: rows are made unsigned as they are broadcast, and what packing the
// columns sums is subtracted. The last step has zeros beside it.

// CHECK-LABEL: func @signed
// FOURS:         memref.alloca() {{.*}} : memref<{{[0-9]+}}xi8>
// FOURS:         vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// FOURS:         llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// FOURS:         arith.subi {{.*}} : vector<16xi32>
// FOURS:         vector.load %{{.*}} : memref<16x9xi8>, vector<4xi8>
// FOURS:         arith.xori
// FOURS:         llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// PAIRS:         memref.alloca() {{.*}} : memref<{{[0-9]+}}xi16>
// PAIRS:         arith.extsi {{.*}} : vector<16xi8> to vector<16xi16>
// PAIRS:         vector.interleave {{.*}} : vector<16xi16> -> vector<32xi16>
// PAIRS:         llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
// SIGNED-NOT:    arith.xori
// SIGNED:        llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"
// NONE-NOT:      call_intrinsic
// NONE:          arith.muli
func.func @signed(%a: memref<16x9xi8>, %b: memref<9x32xi8>, %c: memref<16x32xi32>) {
  linalg.matmul ins(%a, %b : memref<16x9xi8>, memref<9x32xi8>) outs(%c : memref<16x32xi32>)
  return
}

// Unsigned rows and signed columns are what the instruction takes.

// CHECK-LABEL: func @mixed
// FOURS-NOT:     arith.xori
// FOURS:         llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// FOURS-NOT:     arith.xori
// PAIRS:         arith.extui {{.*}} : vector<16xi8> to vector<16xi16>
// SIGNED:        arith.xori
// SIGNED:        llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"
// CHECK:         return
func.func @mixed(%a: memref<16x9xi8>, %b: memref<9x32xi8>, %c: memref<16x32xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x9xi8>, memref<9x32xi8>) outs(%c : memref<16x32xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// Few rows of bytes that lie along the sum, as the columns do: lanes along the sum. The highest bits
// of the columns are inverted; sums of the rows make up for it. Several blocks of rows have a panel.

// CHECK-LABEL: func @few_rows
// FOURS-DAG:     %[[SUMS:.*]] = memref.alloca() {{.*}} : memref<96xi32>
// FOURS-DAG:     %[[PANEL:.*]] = memref.alloca() {{.*}} : memref<1152xi8>
// FOURS:         %[[X:.*]] = vector.load %{{.*}} : memref<6x130xi8>, vector<64xi8>
// FOURS:         vector.store %[[X]], %[[PANEL]]
// FOURS:         llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %{{.*}}, %[[X]])
// FOURS:         vector.maskedload
// FOURS:         arith.subi
// FOURS:         vector.store %{{.*}}, %[[SUMS]]
// FOURS:         scf.for
// FOURS:           vector.load %[[SUMS]]
// FOURS:           scf.for
// FOURS:             %[[W:.*]] = vector.load %{{.*}} : memref<32x130xi8>, vector<64xi8>
// FOURS:             vector.load %[[PANEL]]
// FOURS:             %[[U:.*]] = arith.xori %[[W]],
// FOURS:             llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[U]], %{{.*}})
// SIGNED-NOT:    arith.xori
// SIGNED:        llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"
// PAIRS-NOT:     call_intrinsic
// PAIRS:         return
func.func @few_rows(%a: memref<6x130xi8>, %b: memref<32x130xi8>, %c: memref<6x32xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<6x130xi8>, memref<32x130xi8>) outs(%c : memref<6x32xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// A batch of one.

// CHECK-LABEL: func @one_batch
// FOURS:         llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK:         return
func.func @one_batch(%a: memref<1x2x130xi8>, %b: memref<1x32x130xi8>, %c: memref<1x2x32xi32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : memref<1x2x130xi8>, memref<1x32x130xi8>) outs(%c : memref<1x2x32xi32>)
  return
}

// The sums of signed rows would be those of each batch.

// CHECK-LABEL: func @batches
// FOURS-NOT:     vpdpbusd
// SIGNED:        call_intrinsic
// CHECK:         return
func.func @batches(%a: memref<3x2x130xi8>, %b: memref<3x32x130xi8>, %c: memref<3x2x32xi32>) {
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x2x130xi8>, memref<3x32x130xi8>) outs(%c : memref<3x2x32xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
