// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512bf16 --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512bf16 --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s --check-prefix=AHEAD

// Columns are interleaved in pairs of steps, the last one with 0; rows have their pairs
// next to each other.

// CHECK-LABEL: func @matmul_of_pairs
func.func @matmul_of_pairs(%a: memref<16x9xbf16>, %b: memref<9x16xbf16>, %c: memref<16x16xf32>) {
  // CHECK-COUNT-1: memref.alloca() {{.*}} : memref<256xbf16>
  // CHECK-NOT: memref.alloca
  // CHECK: scf.for {{.*}} to %c8{{.*}} step %c2
  // CHECK:   vector.interleave {{.*}} : vector<16xbf16> -> vector<32xbf16>
  // CHECK: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : vector<16xbf16>
  // CHECK: vector.interleave %{{.*}}, %[[NONE]]
  // CHECK: scf.for {{.*}} step %c2
  // CHECK:   vector.load %{{.*}} : memref<16x9xbf16>, vector<2xbf16>
  // CHECK-COUNT-8: x86{{(vector)?}}.avx512.dot
  // CHECK: scf.yield
  // CHECK: vector.from_elements
  // CHECK-COUNT-8: x86{{(vector)?}}.avx512.dot
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x9xbf16>, memref<9x16xbf16>) outs(%c : memref<16x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// A sum that is not known to be short is not packed.

// CHECK-LABEL: func @negative_long
func.func @negative_long(%a: memref<9x?xbf16>, %b: memref<?x16xbf16>, %c: memref<9x16xf32>) {
  // CHECK-NOT: memref.alloca
  // CHECK-NOT: x86{{(vector)?}}.
  // CHECK: vector.fma
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<9x?xbf16>, memref<?x16xbf16>) outs(%c : memref<9x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Few rows are not packed: two vectors of the other operand take turns, next to two
// neighbours of the row. What is odd is converted.

// CHECK-LABEL: func @few_rows
func.func @few_rows(%a: memref<2x?xbf16>, %b: memref<?x16xbf16>, %c: memref<2x16xf32>) {
  // CHECK-NOT: memref.alloca
  // CHECK: scf.for {{.*}} step %c2
  // CHECK:   vector.interleave {{.*}} : vector<16xbf16> -> vector<32xbf16>
  // CHECK-COUNT-2: x86{{(vector)?}}.avx512.dot
  // CHECK-NOT: x86{{(vector)?}}.
  // CHECK: scf.for {{.*}} step %c1
  // CHECK-COUNT-2: vector.fma
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x?xbf16>, memref<?x16xbf16>) outs(%c : memref<2x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Where both factors are contiguous along the sum, pairs are along the lanes.

// CHECK-LABEL: func @few_rows_transposed
func.func @few_rows_transposed(%a: memref<2x64xbf16>, %b: memref<500x64xbf16>, %c: memref<2x500xf32>) {
  // CHECK: scf.for {{.*}} to %c496{{.*}} step %c8
  // CHECK-NOT: arith.extf
  // CHECK-COUNT-16: x86{{(vector)?}}.avx512.dot {{.*}} : vector<32xbf16> -> vector<16xf32>
  // CHECK-NOT: arith.extf
  // CHECK: vector.shuffle
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x64xbf16>, memref<500x64xbf16>) outs(%c : memref<2x500xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Of more rows, square tiles: 4 by 4 columns, and then the other 4 rows. Each asks for its
// half of the 16 lines that 4 columns take, in the order of memory.

// CHECK-LABEL: func @few_rows_in_parts
func.func @few_rows_in_parts(%a: memref<8x128xbf16>, %b: memref<512x128xbf16>, %c: memref<8x512xf32>) {
  // CHECK: scf.for {{.*}} step %c4
  // CHECK:   scf.for %[[ROW:.*]] = %c0{{.*}} to %c8{{.*}} step %c4
  // CHECK:     arith.muli %[[ROW]], %c2
  // CHECK-COUNT-8: memref.prefetch
  // CHECK-NOT: memref.prefetch
  // CHECK:     scf.for {{.*}} step %c32
  // CHECK-COUNT-16: x86{{(vector)?}}.avx512.dot
  // CHECK-NOT: x86{{(vector)?}}.avx512.dot
  // CHECK: vector.shuffle
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x128xbf16>, memref<512x128xbf16>) outs(%c : memref<8x512xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// 2 blocks of 16 columns take 128 shuffles to transpose, where the lanes of 8 rows' sums
// take 240 and as many additions as that half: pairs stay together, and there is nothing to
// combine. Between products of a pair, a line of what comes next is asked for.

// CHECK-LABEL: func @few_rows_of_blocks
func.func @few_rows_of_blocks(%a: memref<8x64xbf16>, %b: memref<512x64xbf16>, %c: memref<8x512xf32>) {
  // CHECK: scf.for {{.*}} to %c512{{.*}} step %c16
  // CHECK:   scf.for {{.*}} to %c64{{.*}} step %c32
  // CHECK-COUNT-16: vector.bitcast {{.*}} : vector<32xbf16> to vector<16xi32>
  // CHECK-COUNT-64: vector.shuffle
  // CHECK-NOT: vector.shuffle
  // CHECK: llvm.fence
  // CHECK: memref.prefetch
  // CHECK-COUNT-8: x86{{(vector)?}}.avx512.dot
  // CHECK-NOT: x86{{(vector)?}}.avx512.dot
  // CHECK: llvm.fence
  // CHECK-NEXT: arith
  // CHECK: memref.prefetch
  // CHECK-COUNT-120: x86{{(vector)?}}.avx512.dot
  // CHECK-NOT: x86{{(vector)?}}.avx512.dot
  // AHEAD-LABEL: func @few_rows_of_blocks
  // AHEAD-COUNT-16: memref.prefetch
  // AHEAD-NOT: memref.prefetch
  // CHECK-NOT: vector.shuffle
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x64xbf16>, memref<512x64xbf16>) outs(%c : memref<8x512xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// 6 rows are not worth it.

// AHEAD-LABEL: func @negative_few_rows_of_blocks
// AHEAD:       x86{{(vector)?}}.avx512.dot
// CHECK-LABEL: func @negative_few_rows_of_blocks
func.func @negative_few_rows_of_blocks(%a: memref<6x64xbf16>, %b: memref<512x64xbf16>, %c: memref<6x512xf32>) {
  // CHECK-NOT: vector<16xi32>
  // CHECK: x86{{(vector)?}}.avx512.dot
  // CHECK: vector.shuffle
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<6x64xbf16>, memref<512x64xbf16>) outs(%c : memref<6x512xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Pairs along the last of three sums, and rows in blocks of four: the loop along which vectors of the
// streamed operand follow each other is inside, where rows cannot share its prefetches.

// CHECK-LABEL: func @three_sums(
//       CHECK:   x86vector.avx512.dot
//       CHECK:   return
func.func @three_sums(%x: memref<6x2x8x32xbf16>, %w: memref<192x2x8x32xbf16>, %y: memref<6x192xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, p, g, k) -> (m, p, g, k)>, affine_map<(m, n, p, g, k) -> (n, p, g, k)>, affine_map<(m, n, p, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<6x2x8x32xbf16>, memref<192x2x8x32xbf16>) outs(%y : memref<6x192xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
