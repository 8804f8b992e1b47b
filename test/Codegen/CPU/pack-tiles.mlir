// RUN: linalg-ext-opt %s --linalg-ext-prepare-operands=steps=pack --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-prepare-operands{steps=pack})' --split-input-file | FileCheck %s
// A cache of 1 MiB holds the tile and the whole matrix.
// RUN: sed 's/"l1_bytes" = [0-9]*/"l1_bytes" = 1048576/' %s | linalg-ext-opt --linalg-ext-prepare-operands=steps=pack --split-input-file | FileCheck %s --check-prefix=CACHED
// RUN: sed 's/"l2_bytes" = [0-9]*/"l2_bytes" = 16777216/' %s | linalg-ext-opt --linalg-ext-prepare-operands=steps=pack --split-input-file | FileCheck %s --check-prefix=CACHED

module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<
    "vector_bits" = 512, "l1_bytes" = 49152, "l2_bytes" = 1048576>>} {

// A tile of 128 of 3072 columns: its rows are 12 KiB apart.

// CHECK-LABEL: func @tile(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<32x512xf32>, %[[W:[a-z0-9]+]]: tensor<512x3072xf32>
// CHECK:         %[[TILE:.*]] = tensor.extract_slice %[[W]]
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<512x128xf32>
// CHECK:         %[[COPY:.*]] = linalg.copy ins(%[[TILE]] : tensor<512x128xf32>) outs(%[[E]] : tensor<512x128xf32>)
// CHECK:         linalg.matmul ins(%[[X]], %[[COPY]] :
// CACHED-LABEL: func @tile(
// CACHED-NOT:     linalg.copy
// CACHED:         return
func.func @tile(%x: tensor<32x512xf32>, %w: tensor<512x3072xf32>, %z: tensor<32x128xf32>, %j: index) -> tensor<32x128xf32> {
  %tile = tensor.extract_slice %w[0, %j] [512, 128] [1, 1] : tensor<512x3072xf32> to tensor<512x128xf32>
  %r = linalg.matmul ins(%x, %tile : tensor<32x512xf32>, tensor<512x128xf32>) outs(%z : tensor<32x128xf32>) -> tensor<32x128xf32>
  return %r : tensor<32x128xf32>
}

// Sizes that are not known are large enough. A part of a part is one of the whole, in a
// loop that changes only the place in both operands.

// CHECK-LABEL: func @dynamic(
// CHECK:         scf.for
// CHECK:           %[[PART:.*]] = tensor.extract_slice
// CHECK:           %[[TILE:.*]] = tensor.extract_slice %{{.*}} : tensor<?x?xf32> to tensor<64x?xf32>
// CHECK:           %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<64x?xf32>
// CHECK:           %[[COPY:.*]] = linalg.copy ins(%[[TILE]] : {{.*}}) outs(%[[E]]
// CHECK:           linalg.matmul ins(%[[PART]], %[[COPY]] :
func.func @dynamic(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %z: tensor<?x?xf32>, %m: index, %n: index, %j: index, %end: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %k = tensor.dim %w, %c0 : tensor<?x?xf32>
  %columns = tensor.extract_slice %w[0, %j] [%k, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %r = scf.for %i = %c0 to %end step %c64 iter_args(%acc = %z) -> tensor<?x?xf32> {
    %part = tensor.extract_slice %x[0, %i] [%m, 64] [1, 1] : tensor<?x?xf32> to tensor<?x64xf32>
    %rows = tensor.extract_slice %columns[%i, 0] [64, %n] [1, 1] : tensor<?x?xf32> to tensor<64x?xf32>
    %p = linalg.matmul ins(%part, %rows : tensor<?x64xf32>, tensor<64x?xf32>) outs(%acc : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %p : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// A tile of two of 12 heads, with 64 columns each.

// CHECK-LABEL: func @heads(
// CHECK:         linalg.copy ins(%{{.*}} : tensor<512x2x64xf32>)
func.func @heads(%x: tensor<40x512xf32>, %w: tensor<512x12x64xf32>, %z: tensor<40x2x64xf32>, %j: index) -> tensor<40x2x64xf32> {
  %tile = tensor.extract_slice %w[0, %j, 0] [512, 2, 64] [1, 1, 1] : tensor<512x12x64xf32> to tensor<512x2x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, h, n, k) -> (m, k)>, affine_map<(m, h, n, k) -> (k, h, n)>,
                                        affine_map<(m, h, n, k) -> (m, h, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %tile : tensor<40x512xf32>, tensor<512x2x64xf32>) outs(%z : tensor<40x2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<40x2x64xf32>
  return %r : tensor<40x2x64xf32>
}

// Too few rows use it.

// CHECK-LABEL: func @negative_few_rows(
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @negative_few_rows(%x: tensor<31x512xf32>, %w: tensor<512x3072xf32>, %z: tensor<31x128xf32>, %j: index) -> tensor<31x128xf32> {
  %tile = tensor.extract_slice %w[0, %j] [512, 128] [1, 1] : tensor<512x3072xf32> to tensor<512x128xf32>
  %r = linalg.matmul ins(%x, %tile : tensor<31x512xf32>, tensor<512x128xf32>) outs(%z : tensor<31x128xf32>) -> tensor<31x128xf32>
  return %r : tensor<31x128xf32>
}

// Rows that are 16400 bytes apart are in all sets of a cache.

// CHECK-LABEL: func @negative_all_sets(
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @negative_all_sets(%x: tensor<32x512xf32>, %w: tensor<512x4100xf32>, %z: tensor<32x128xf32>, %j: index) -> tensor<32x128xf32> {
  %tile = tensor.extract_slice %w[0, %j] [512, 128] [1, 1] : tensor<512x4100xf32> to tensor<512x128xf32>
  %r = linalg.matmul ins(%x, %tile : tensor<32x512xf32>, tensor<512x128xf32>) outs(%z : tensor<32x128xf32>) -> tensor<32x128xf32>
  return %r : tensor<32x128xf32>
}

// Whole rows are adjacent in memory.

// CHECK-LABEL: func @negative_whole_rows(
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @negative_whole_rows(%x: tensor<32x512xf32>, %w: tensor<4096x128xf32>, %z: tensor<32x128xf32>, %j: index) -> tensor<32x128xf32> {
  %tile = tensor.extract_slice %w[%j, 0] [512, 128] [1, 1] : tensor<4096x128xf32> to tensor<512x128xf32>
  %r = linalg.matmul ins(%x, %tile : tensor<32x512xf32>, tensor<512x128xf32>) outs(%z : tensor<32x128xf32>) -> tensor<32x128xf32>
  return %r : tensor<32x128xf32>
}

// So are the rows of one matrix of a batch, even if their number is unknown.

// CHECK-LABEL: func @negative_batch(
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @negative_batch(%x: tensor<1x?x?xf32>, %w: tensor<?x?x64xf32>, %z: tensor<1x?x64xf32>, %b: index, %j: index, %n: index) -> tensor<1x?x64xf32> {
  %tile = tensor.extract_slice %w[%b, %j, 0] [1, %n, 64] [1, 1, 1] : tensor<?x?x64xf32> to tensor<1x?x64xf32>
  %r = linalg.batch_matmul ins(%x, %tile : tensor<1x?x?xf32>, tensor<1x?x64xf32>) outs(%z : tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  return %r : tensor<1x?x64xf32>
}

// Halves are converted as they are loaded.

// CHECK-LABEL: func @negative_halves(
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @negative_halves(%x: tensor<32x512xf16>, %w: tensor<512x3072xf16>, %z: tensor<32x128xf32>, %j: index) -> tensor<32x128xf32> {
  %tile = tensor.extract_slice %w[0, %j] [512, 128] [1, 1] : tensor<512x3072xf16> to tensor<512x128xf16>
  %r = linalg.matmul ins(%x, %tile : tensor<32x512xf16>, tensor<512x128xf16>) outs(%z : tensor<32x128xf32>) -> tensor<32x128xf32>
  return %r : tensor<32x128xf32>
}

// As in attention, a loop computes the other operand: later rows use the tile again.

// CHECK-LABEL: func @negative_computed(
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @negative_computed(%x: tensor<32x512xf32>, %w: tensor<8192x3072xf32>, %z: tensor<32x128xf32>, %j: index) -> tensor<32x128xf32> {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c8192 = arith.constant 8192 : index
  %r = scf.for %i = %c0 to %c8192 step %c512 iter_args(%acc = %z) -> tensor<32x128xf32> {
    %e = tensor.empty() : tensor<32x512xf32>
    %p = linalg.exp ins(%x : tensor<32x512xf32>) outs(%e : tensor<32x512xf32>) -> tensor<32x512xf32>
    %s = scf.for %k = %c0 to %c512 step %c256 iter_args(%sum = %acc) -> tensor<32x128xf32> {
      %part = tensor.extract_slice %p[0, %k] [32, 256] [1, 1] : tensor<32x512xf32> to tensor<32x256xf32>
      %at = arith.addi %i, %k : index
      %tile = tensor.extract_slice %w[%at, %j] [256, 128] [1, 1] : tensor<8192x3072xf32> to tensor<256x128xf32>
      %t = linalg.matmul ins(%part, %tile : tensor<32x256xf32>, tensor<256x128xf32>) outs(%sum : tensor<32x128xf32>) -> tensor<32x128xf32>
      scf.yield %t : tensor<32x128xf32>
    }
    scf.yield %s : tensor<32x128xf32>
  }
  return %r : tensor<32x128xf32>
}
}
