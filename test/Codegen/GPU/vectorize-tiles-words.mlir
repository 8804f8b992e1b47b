// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles --split-input-file | FileCheck %s

// Words have integers of eight columns. The tile of 64 columns starts at a multiple of eight, so
// it reads eight words of each row, and repeats each of them. The order of the integers in a
// word, a constant, is repeated as a whole. Rows in groups of 16 read one row of scales each.

// CHECK-LABEL: @columns
//       CHECK:   %[[WORDS:.*]] = vector.transfer_read %{{.*}} : tensor<64x16xi32>, vector<32x8xi32>
//       CHECK:   %[[FRONT:.*]] = vector.broadcast %[[WORDS]] : vector<32x8xi32> to vector<8x32x8xi32>
//       CHECK:   %[[BEHIND:.*]] = vector.transpose %[[FRONT]], [1, 2, 0]
//       CHECK:   vector.shape_cast %[[BEHIND]] : vector<32x8x8xi32> to vector<32x64xi32>
//       CHECK:   %[[ORDER:.*]] = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : vector<8xi64>
//       CHECK:   %[[PARTS:.*]] = vector.broadcast %[[ORDER]] : vector<8xi64> to vector<8x8xi64>
//       CHECK:   vector.shape_cast %[[PARTS]] : vector<8x8xi64> to vector<64xi64>
//       CHECK:   %[[SCALES:.*]] = vector.transfer_read %{{.*}} : tensor<4x128xf16>, vector<2x64xf16>
//       CHECK:   vector.broadcast %[[SCALES]] : vector<2x64xf16> to vector<16x2x64xf16>
//   CHECK-NOT:   gather
func.func @columns(%w: tensor<64x16xi32>, %s: tensor<4x128xf16>, %init: tensor<64x128xf16>) -> tensor<64x128xf16> {
  %order = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
  %c4 = arith.constant 4 : i32
  %c15 = arith.constant 15 : i32
  %r = scf.forall (%a, %b) = (0, 0) to (64, 128) step (32, 64) shared_outs(%o = %init) -> tensor<64x128xf16> {
    %e = tensor.empty() : tensor<32x64xf16>
    %t = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<32x64xf16>) {
    ^bb0(%u: f16):
      %k0 = linalg.index 0 : index
      %n0 = linalg.index 1 : index
      %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%a)[%k0]
      %n = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%b)[%n0]
      %word = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 8)>(%b)[%n0]
      %part = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) mod 8)>(%b)[%n0]
      %group = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 16)>(%a)[%k0]
      %x = tensor.extract %w[%k, %word] : tensor<64x16xi32>
      %i = tensor.extract %order[%part] : tensor<8xi64>
      %i32 = arith.trunci %i : i64 to i32
      %at = arith.muli %i32, %c4 : i32
      %y = arith.shrui %x, %at : i32
      %z = arith.andi %y, %c15 : i32
      %f = arith.sitofp %z : i32 to f16
      %scale = tensor.extract %s[%group, %n] : tensor<4x128xf16>
      %p = arith.mulf %f, %scale : f16
      linalg.yield %p : f16
    } -> tensor<32x64xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%a, %b] [32, 64] [1, 1] : tensor<32x64xf16> into tensor<64x128xf16>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return %r : tensor<64x128xf16>
}

// -----

// The last tile has fewer columns: words behind them are not read.

// CHECK-LABEL: @last_columns
//       CHECK:   %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<8xi1>
//       CHECK:   vector.transfer_read %{{.*}}, %[[MASK]] {{.*}} : tensor<9xi32>, vector<8xi32>
//   CHECK-NOT:   gather
func.func @last_columns(%w: tensor<9xi32>, %init: tensor<72xi32>) -> tensor<72xi32> {
  %r = scf.forall (%b) = (0) to (72) step (64) shared_outs(%o = %init) -> tensor<72xi32> {
    %size = affine.min affine_map<(d0) -> (-d0 + 72, 64)>(%b)
    %e = tensor.empty(%size) : tensor<?xi32>
    %t = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>], iterator_types = ["parallel"]} outs(%e : tensor<?xi32>) {
    ^bb0(%u: i32):
      %n0 = linalg.index 0 : index
      %word = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 8)>(%b)[%n0]
      %x = tensor.extract %w[%word] : tensor<9xi32>
      linalg.yield %x : i32
    } -> tensor<?xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%b] [%size] [1] : tensor<?xi32> into tensor<72xi32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<72xi32>
}

// -----

// A tile that starts in the middle of a word reads the word of each element.

// CHECK-LABEL: @negative_in_words
//       CHECK:   vector.gather
func.func @negative_in_words(%w: tensor<9xi32>, %start: index, %init: tensor<64xi32>) -> tensor<64xi32> {
  %r = scf.forall (%b) = (0) to (64) step (32) shared_outs(%o = %init) -> tensor<64xi32> {
    %e = tensor.empty() : tensor<32xi32>
    %t = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>], iterator_types = ["parallel"]} outs(%e : tensor<32xi32>) {
    ^bb0(%u: i32):
      %n0 = linalg.index 0 : index
      %word = affine.apply affine_map<(d0, d1)[s0] -> ((d0 + d1 + s0) floordiv 8)>(%b, %start)[%n0]
      %x = tensor.extract %w[%word] : tensor<9xi32>
      linalg.yield %x : i32
    } -> tensor<32xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%b] [32] [1] : tensor<32xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64xi32>
}

// -----

// The last tile has one group of 24 integers in place of two. The elements of a group are merged
// with the groups: those of the first ones come first, so nothing goes through memory.

// CHECK-LABEL: @fewer_groups
//       CHECK:   %[[GROUPS:.*]] = affine.min
//       CHECK:   %[[INSIDE:.*]] = vector.create_mask %[[GROUPS]], %{{.*}} : vector<2x12xi1>
//       CHECK:   vector.transfer_read %{{.*}}, %[[INSIDE]] {{.*}} vector<2x12xi8>
//       CHECK:   %[[SIZE:.*]] = affine.apply #{{.*}}()[%[[GROUPS]]]
//       CHECK:   %[[ALL:.*]] = vector.shape_cast %{{.*}} : vector<2x12x2xf16> to vector<48xf16>
//       CHECK:   %[[MASK:.*]] = vector.create_mask %[[SIZE]] : vector<48xi1>
//       CHECK:   vector.transfer_write %[[ALL]], %{{.*}}, %[[MASK]]
func.func @fewer_groups(%w: tensor<5x12xi8>, %init: tensor<120xf16>) -> tensor<120xf16> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %r = scf.forall (%a) = (0) to (5) step (2) shared_outs(%o = %init) -> tensor<120xf16> {
    %n = affine.min affine_map<(d0) -> (-d0 + 5, 2)>(%a)
    %size = affine.apply affine_map<(d0) -> (d0 * 24)>(%n)
    %from = affine.apply affine_map<(d0) -> (d0 * 24)>(%a)
    %part = tensor.extract_slice %w[%a, 0] [%n, 12] [1, 1] : tensor<5x12xi8> to tensor<?x12xi8>
    %e = tensor.empty(%n) : tensor<?x12x2xf16>
    %u = linalg.generic {indexing_maps = [affine_map<(g, b, i) -> (g, b)>, affine_map<(g, b, i) -> (g, b, i)>],
        iterator_types = ["parallel", "parallel", "parallel"]} ins(%part : tensor<?x12xi8>) outs(%e : tensor<?x12x2xf16>) {
    ^bb0(%byte: i8, %unused: f16):
      %i = linalg.index 2 : index
      %i8 = arith.index_cast %i : index to i8
      %at = arith.muli %i8, %c4 : i8
      %0 = arith.shrui %byte, %at : i8
      %1 = arith.andi %0, %c15 : i8
      %2 = arith.uitofp %1 : i8 to f16
      linalg.yield %2 : f16
    } -> tensor<?x12x2xf16>
    %all = tensor.collapse_shape %u [[0, 1, 2]] : tensor<?x12x2xf16> into tensor<?xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %all into %o[%from] [%size] [1] : tensor<?xf16> into tensor<120xf16>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<120xf16>
}
