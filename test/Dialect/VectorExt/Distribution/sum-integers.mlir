// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=sum-integers --canonicalize | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#mma = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16.transposed", subgroups = [1, 1], promote = [false, false]>
#mma_bf16 = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.bf16.transposed", subgroups = [1, 1], promote = [false, false]>
#wgmma = #vector_ext.contract_config<intrinsic = "wgmma.m64n8k16.f32.f16", subgroups = [1, 1], promote = [false, false]>
#mfma = #vector_ext.contract_config<intrinsic = "mfma.m16n16k16.f32.f16.transposed", subgroups = [1, 1], promote = [false, false]>

// A zero point for each column is subtracted behind the sum, times the sum of a row. The
// numbers are subnormal, and the sum is scaled.

// CHECK-LABEL: func @columns
//  CHECK-SAME:   %[[X:.*]]: vector<8x64xf16>, %[[B:.*]]: vector<32x64xi8>, %[[Z:.*]]: vector<32xf16>, %[[ACC:.*]]: vector<8x32xf32>
//   CHECK-DAG:   %[[ONES:.*]] = arith.constant dense<1.000000e+00> : vector<32x64xf16>
//   CHECK-DAG:   %[[SMALL:.*]] = arith.constant dense<5.960460e-08> : vector<32x64xf16>
//   CHECK-DAG:   %[[LARGE:.*]] = arith.constant dense<0x4B800000> : vector<8x32xf32>
//   CHECK-DAG:   %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<8x32xf32>
//       CHECK:   %[[ROWS:.*]] = vector.contract {{.*}} %[[X]], %[[ONES]], %[[ZEROS]] {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16.transposed"
//       CHECK:   %[[N:.*]] = arith.uitofp %{{.*}} : vector<32x64xi8> to vector<32x64xf16>
//       CHECK:   %[[W:.*]] = arith.mulf %[[N]], %[[SMALL]]
//       CHECK:   %[[SUM:.*]] = vector.contract {{.*}} %[[X]], %[[W]], %[[ZEROS]] {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16.transposed"
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[LARGE]]
//       CHECK:   %[[WIDE:.*]] = arith.extf %[[Z]] : vector<32xf16> to vector<32xf32>
//       CHECK:   %[[ZERO:.*]] = vector.broadcast %[[WIDE]] : vector<32xf32> to vector<8x32xf32>
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[ROWS]], %[[ZERO]]
//       CHECK:   %[[BOTH:.*]] = arith.subf %[[SCALED]], %[[PRODUCT]]
//       CHECK:   arith.addf %[[ACC]], %[[BOTH]]
func.func @columns(%x: vector<8x64xf16>, %b: vector<32x64xi8>, %z: vector<32xf16>, %acc: vector<8x32xf32>) -> vector<8x32xf32> {
  %c15 = arith.constant dense<15> : vector<32x64xi8>
  %0 = vector.broadcast %z : vector<32xf16> to vector<64x32xf16>
  %1 = vector.transpose %0, [1, 0] : vector<64x32xf16> to vector<32x64xf16>
  %2 = arith.andi %b, %c15 : vector<32x64xi8>
  %3 = arith.uitofp %2 : vector<32x64xi8> to vector<32x64xf16>
  %4 = arith.subf %3, %1 : vector<32x64xf16>
  %5 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %4, %acc {vector_ext.config = #mma} : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  return %5 : vector<8x32xf32>
}

// Signed integers in bf16, where 128 + n has the bits of n: 136 is subtracted.

// CHECK-LABEL: func @signed_bf16
//   CHECK-DAG:   %[[BASE:.*]] = arith.constant dense<1.280000e+02> : vector<32x64xbf16>
//   CHECK-DAG:   %[[OFFSET:.*]] = arith.constant dense<1.360000e+02> : vector<8x32xf32>
//       CHECK:   %[[FLIPPED:.*]] = arith.xori
//       CHECK:   %[[ROWS:.*]] = vector.contract
//       CHECK:   %[[N:.*]] = arith.uitofp %[[FLIPPED]]
//       CHECK:   %[[W:.*]] = arith.addf %[[N]], %[[BASE]]
//       CHECK:   %[[SUM:.*]] = vector.contract {{.*}} %[[W]]
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[ROWS]], %[[OFFSET]]
//       CHECK:   %[[BOTH:.*]] = arith.subf %[[SUM]], %[[PRODUCT]]
//       CHECK:   arith.addf %{{.*}}, %[[BOTH]]
func.func @signed_bf16(%x: vector<8x64xbf16>, %b: vector<32x64xi8>, %acc: vector<8x32xf32>) -> vector<8x32xf32> {
  %c15 = arith.constant dense<15> : vector<32x64xi8>
  %c8 = arith.constant dense<8> : vector<32x64xi8>
  %0 = arith.andi %b, %c15 : vector<32x64xi8>
  %1 = arith.xori %0, %c8 : vector<32x64xi8>
  %2 = arith.subi %1, %c8 : vector<32x64xi8>
  %3 = arith.sitofp %2 : vector<32x64xi8> to vector<32x64xbf16>
  %4 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %3, %acc {vector_ext.config = #mma_bf16} : vector<8x64xbf16>, vector<32x64xbf16> into vector<8x32xf32>
  return %4 : vector<8x32xf32>
}

// Nothing is subtracted: there is no sum of rows. What is merged behind the conversion is
// summed.

// CHECK-LABEL: func @merged
//       CHECK:   %[[W:.*]] = arith.mulf %{{.*}} : vector<16x32x2xf16>
//       CHECK:   %[[MERGED:.*]] = vector.shape_cast %[[W]] : vector<16x32x2xf16> to vector<16x64xf16>
//       CHECK:   vector.contract {{.*}} %[[MERGED]]
//   CHECK-NOT:   vector.contract
func.func @merged(%x: vector<8x64xf16>, %b: vector<16x32x2xi8>, %acc: vector<8x16xf32>) -> vector<8x16xf32> {
  %c15 = arith.constant dense<15> : vector<16x32x2xi8>
  %0 = arith.andi %b, %c15 : vector<16x32x2xi8>
  %1 = arith.sitofp %0 : vector<16x32x2xi8> to vector<16x32x2xf16>
  %2 = vector.shape_cast %1 : vector<16x32x2xf16> to vector<16x64xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc {vector_ext.config = #mma} : vector<8x64xf16>, vector<16x64xf16> into vector<8x16xf32>
  return %3 : vector<8x16xf32>
}

// 16 parts are 16 subgroups, whose threads have few registers.

// CHECK-LABEL: func @negative_many_parts
//       CHECK:   vector.contract
//   CHECK-NOT:   vector.contract
//       CHECK:   return
func.func @negative_many_parts(%x: vector<16x8x64xf16>, %b: vector<16x16x64xi8>, %acc: vector<16x8x16xf32>) -> vector<16x8x16xf32> {
  %c15 = arith.constant dense<15> : vector<16x16x64xi8>
  %c8 = arith.constant dense<8> : vector<16x16x64xi8>
  %0 = arith.andi %b, %c15 : vector<16x16x64xi8>
  %1 = arith.subi %0, %c8 : vector<16x16x64xi8>
  %2 = arith.sitofp %1 : vector<16x16x64xi8> to vector<16x16x64xf16>
  %3 = vector.contract {indexing_maps = [affine_map<(p, m, n, k) -> (p, m, k)>, affine_map<(p, m, n, k) -> (p, n, k)>, affine_map<(p, m, n, k) -> (p, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc {vector_ext.config = #mma} : vector<16x8x64xf16>, vector<16x16x64xf16> into vector<16x8x16xf32>
  return %3 : vector<16x8x16xf32>
}

// Tiles of an unknown number of columns, in a loop.

// CHECK-LABEL: func @dynamic
//       CHECK:   scf.for
//       CHECK:     vector.transfer_read
//       CHECK:     arith.uitofp
//       CHECK:     arith.mulf %{{.*}} : vector<32x64xf16>
//       CHECK:     vector.contract
//       CHECK:     arith.mulf %{{.*}} : vector<8x32xf32>
func.func @dynamic(%x: vector<8x64xf16>, %w: memref<?x64xi8>, %n: index, %acc: vector<8x32xf32>) -> vector<8x32xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %none = arith.constant 0 : i8
  %c15 = arith.constant dense<15> : vector<32x64xi8>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%a = %acc) -> (vector<8x32xf32>) {
    %b = vector.transfer_read %w[%i, %c0], %none {in_bounds = [true, true]} : memref<?x64xi8>, vector<32x64xi8>
    %0 = arith.andi %b, %c15 : vector<32x64xi8>
    %1 = arith.uitofp %0 : vector<32x64xi8> to vector<32x64xf16>
    %2 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %x, %1, %a {vector_ext.config = #mma} : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
    scf.yield %2 : vector<8x32xf32>
  }
  return %r : vector<8x32xf32>
}

// An instruction without a config, one that is asynchronous, and one that rounds subnormal
// numbers to zero.

// CHECK-LABEL: func @negative_instructions
// CHECK-COUNT-3: vector.contract
//     CHECK-NOT: vector.contract
//         CHECK: return
func.func @negative_instructions(%x: vector<8x64xf16>, %b: vector<64x64xi8>, %acc: vector<8x64xf32>) -> (vector<8x64xf32>, vector<8x64xf32>, vector<8x64xf32>) {
  %c15 = arith.constant dense<15> : vector<64x64xi8>
  %c8 = arith.constant dense<8> : vector<64x64xi8>
  %0 = arith.andi %b, %c15 : vector<64x64xi8>
  %1 = arith.subi %0, %c8 : vector<64x64xi8>
  %2 = arith.sitofp %1 : vector<64x64xi8> to vector<64x64xf16>
  %3 = arith.sitofp %1 : vector<64x64xi8> to vector<64x64xf16>
  %4 = arith.sitofp %1 : vector<64x64xi8> to vector<64x64xf16>
  %5 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
  %6 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %3, %acc {vector_ext.config = #wgmma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
  %7 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %4, %acc {vector_ext.config = #mfma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
  return %5, %6, %7 : vector<8x64xf32>, vector<8x64xf32>, vector<8x64xf32>
}

// Integers of 5 bits, and zero points that are summed: these are subtracted from each weight.

// CHECK-LABEL: func @negative_operands
//         CHECK: vector.contract
//         CHECK: math.fma
//         CHECK: vector.contract
//     CHECK-NOT: vector.contract
//         CHECK: return
func.func @negative_operands(%x: vector<8x64xf16>, %b: vector<32x64xi8>, %z: vector<32x64xf16>, %acc: vector<8x32xf32>) -> vector<8x32xf32> {
  %c15 = arith.constant dense<15> : vector<32x64xi8>
  %c31 = arith.constant dense<31> : vector<32x64xi8>
  %0 = arith.andi %b, %c31 : vector<32x64xi8>
  %1 = arith.uitofp %0 : vector<32x64xi8> to vector<32x64xf16>
  %2 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %1, %acc {vector_ext.config = #mma} : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  %3 = arith.andi %b, %c15 : vector<32x64xi8>
  %4 = arith.uitofp %3 : vector<32x64xi8> to vector<32x64xf16>
  %5 = arith.subf %4, %z : vector<32x64xf16>
  %6 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %5, %2 {vector_ext.config = #mma} : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  return %6 : vector<8x32xf32>
}

// With 16 rows, zero points are subtracted from each weight, by an fma that multiplies both by
// 2^-9. The sum makes up for it.

// CHECK-LABEL: func @many_rows
//  CHECK-SAME:   %[[X:.*]]: vector<16x64xf16>, %[[B:.*]]: vector<32x64xi8>, %{{.*}}: vector<32x1xf16>, %[[ACC:.*]]: vector<16x32xf32>
//   CHECK-DAG:   %[[SMALL:.*]] = arith.constant dense<1.953130e-03> : vector<32x64xf16>
//   CHECK-DAG:   %[[NEGATIVE:.*]] = arith.constant dense<-1.953130e-03> : vector<32x64xf16>
//   CHECK-DAG:   %[[LARGE:.*]] = arith.constant dense<5.120000e+02> : vector<16x32xf32>
//       CHECK:   %[[Z:.*]] = vector.broadcast
//       CHECK:   %[[ZERO:.*]] = arith.mulf %[[Z]], %[[NEGATIVE]]
//       CHECK:   %[[N:.*]] = arith.uitofp
//       CHECK:   %[[W:.*]] = math.fma %[[N]], %[[SMALL]], %[[ZERO]]
//       CHECK:   %[[SUM:.*]] = vector.contract {{.*}} %[[X]], %[[W]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[LARGE]]
//       CHECK:   arith.addf %[[ACC]], %[[SCALED]]
func.func @many_rows(%x: vector<16x64xf16>, %b: vector<32x64xi8>, %z: vector<32x1xf16>, %acc: vector<16x32xf32>) -> vector<16x32xf32> {
  %c15 = arith.constant dense<15> : vector<32x64xi8>
  %0 = vector.broadcast %z : vector<32x1xf16> to vector<32x64xf16>
  %1 = arith.andi %b, %c15 : vector<32x64xi8>
  %2 = arith.uitofp %1 : vector<32x64xi8> to vector<32x64xf16>
  %3 = arith.subf %2, %0 : vector<32x64xf16>
  %4 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %3, %acc {vector_ext.config = #mma} : vector<16x64xf16>, vector<32x64xf16> into vector<16x32xf32>
  return %4 : vector<16x32xf32>
}

// An asynchronous product that starts from zero, behind a reordering. An offset of the integers is
// subtracted, too.

// CHECK-LABEL: func @asynchronous
//  CHECK-SAME:   %[[B:.*]]: vector<64x64xi8>, %[[Z:.*]]: vector<64x64xf16>, %[[X:.*]]: vector<8x64xf16>
//   CHECK-DAG:   %[[SMALL:.*]] = arith.constant dense<1.953130e-03> : vector<64x64xf16>
//   CHECK-DAG:   %[[NEGATIVE:.*]] = arith.constant dense<-1.953130e-03> : vector<64x64xf16>
//   CHECK-DAG:   %[[OFFSET:.*]] = arith.constant dense<-1.562500e-02> : vector<64x64xf16>
//   CHECK-DAG:   %[[LARGE:.*]] = arith.constant dense<5.120000e+02> : vector<64x8xf32>
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[Z]], %[[NEGATIVE]]
//       CHECK:   %[[ZERO:.*]] = arith.addf %[[SCALED]], %[[OFFSET]]
//       CHECK:   %[[N:.*]] = arith.uitofp
//       CHECK:   %[[W:.*]] = math.fma %[[N]], %[[SMALL]], %[[ZERO]]
//       CHECK:   %[[RUNS:.*]] = vector.shape_cast %[[W]]
//       CHECK:   %[[TURNED:.*]] = vector.transpose %[[RUNS]]
//       CHECK:   %[[LHS:.*]] = vector.shape_cast %[[TURNED]]
//       CHECK:   %[[SUM:.*]] = vector.contract {{.*}} %[[LHS]], %[[X]]
//       CHECK:   %[[RESULT:.*]] = arith.mulf %[[SUM]], %[[LARGE]]
//       CHECK:   return %[[RESULT]]
func.func @asynchronous(%b: vector<64x64xi8>, %z: vector<64x64xf16>, %x: vector<8x64xf16>) -> vector<64x8xf32> {
  %c15 = arith.constant dense<15> : vector<64x64xi8>
  %c8 = arith.constant dense<8> : vector<64x64xi8>
  %zero = arith.constant dense<0.0> : vector<64x8xf32>
  %0 = arith.andi %b, %c15 : vector<64x64xi8>
  %1 = arith.subi %0, %c8 : vector<64x64xi8>
  %2 = arith.sitofp %1 : vector<64x64xi8> to vector<64x64xf16>
  %3 = arith.subf %2, %z : vector<64x64xf16>
  %4 = vector.shape_cast %3 : vector<64x64xf16> to vector<64x2x32xf16>
  %5 = vector.transpose %4, [0, 2, 1] : vector<64x2x32xf16> to vector<64x32x2xf16>
  %6 = vector.shape_cast %5 : vector<64x32x2xf16> to vector<64x64xf16>
  %7 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %6, %x, %zero {vector_ext.config = #wgmma} : vector<64x64xf16>, vector<8x64xf16> into vector<64x8xf32>
  return %7 : vector<64x8xf32>
}

// A zero point that is a constant.

// CHECK-LABEL: func @constant_zero_point
//   CHECK-DAG:   %[[SMALL:.*]] = arith.constant dense<1.953130e-03> : vector<64x64xf16>
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<-1.367190e-02> : vector<64x64xf16>
//       CHECK:   %[[N:.*]] = arith.uitofp
//       CHECK:   %[[W:.*]] = math.fma %[[N]], %[[SMALL]], %[[ZERO]]
//       CHECK:   vector.contract {{.*}} %[[W]], %
func.func @constant_zero_point(%b: vector<64x64xi8>, %x: vector<8x64xf16>) -> vector<64x8xf32> {
  %c15 = arith.constant dense<15> : vector<64x64xi8>
  %z = arith.constant dense<7.0> : vector<64x64xf16>
  %zero = arith.constant dense<0.0> : vector<64x8xf32>
  %0 = arith.andi %b, %c15 : vector<64x64xi8>
  %1 = arith.uitofp %0 : vector<64x64xi8> to vector<64x64xf16>
  %2 = arith.subf %1, %z : vector<64x64xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %2, %x, %zero {vector_ext.config = #wgmma} : vector<64x64xf16>, vector<8x64xf16> into vector<64x8xf32>
  return %3 : vector<64x8xf32>
}

// An asynchronous sum that goes on, bf16, which has too few bits, an instruction that rounds
// subnormal numbers to zero, and differences that something else reads.

// CHECK-LABEL: func @negative_differences
//   CHECK-NOT:   math.fma
//       CHECK:   return
func.func @negative_differences(%b: vector<64x64xi8>, %z: vector<64x64xf16>, %zb: vector<64x64xbf16>, %x: vector<16x64xf16>, %xb: vector<16x64xbf16>, %x8: vector<8x64xf16>, %acc8: vector<64x8xf32>, %acc: vector<16x64xf32>) -> (vector<64x8xf32>, vector<16x64xf32>, vector<16x64xf32>, vector<16x64xf32>, vector<64x64xf16>) {
  %c15 = arith.constant dense<15> : vector<64x64xi8>
  %0 = arith.andi %b, %c15 : vector<64x64xi8>
  %1 = arith.uitofp %0 : vector<64x64xi8> to vector<64x64xf16>
  %2 = arith.subf %1, %z : vector<64x64xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %2, %x8, %acc8 {vector_ext.config = #wgmma} : vector<64x64xf16>, vector<8x64xf16> into vector<64x8xf32>
  %4 = arith.uitofp %0 : vector<64x64xi8> to vector<64x64xbf16>
  %5 = arith.subf %4, %zb : vector<64x64xbf16>
  %6 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %xb, %5, %acc {vector_ext.config = #mma_bf16} : vector<16x64xbf16>, vector<64x64xbf16> into vector<16x64xf32>
  %7 = arith.uitofp %0 : vector<64x64xi8> to vector<64x64xf16>
  %8 = arith.subf %7, %z : vector<64x64xf16>
  %9 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %8, %acc {vector_ext.config = #mfma} : vector<16x64xf16>, vector<64x64xf16> into vector<16x64xf32>
  %10 = arith.uitofp %0 : vector<64x64xi8> to vector<64x64xf16>
  %11 = arith.subf %10, %z : vector<64x64xf16>
  %12 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %11, %acc {vector_ext.config = #mma} : vector<16x64xf16>, vector<64x64xf16> into vector<16x64xf32>
  return %3, %6, %9, %12, %11 : vector<64x8xf32>, vector<16x64xf32>, vector<16x64xf32>, vector<16x64xf32>, vector<64x64xf16>
}

// Loops that multiply what they have multiplied, as those of attention, have few registers. A
// sum that goes on is no such product.

// CHECK-LABEL: func @negative_chain
//       CHECK:   arith.subf
//   CHECK-NOT:   arith.constant dense<5.960460e-08>
// CHECK-COUNT-2: vector.contract
//   CHECK-NOT:   vector.contract
//       CHECK:   return
func.func @negative_chain(%x: vector<8x64xf16>, %b: vector<32x64xi8>, %z: vector<f16>, %v: vector<64x32xf16>, %acc: vector<8x32xf32>, %acc2: vector<8x64xf32>) -> vector<8x64xf32> {
  %c15 = arith.constant dense<15> : vector<32x64xi8>
  %1 = vector.broadcast %z : vector<f16> to vector<32x64xf16>
  %2 = arith.andi %b, %c15 : vector<32x64xi8>
  %3 = arith.uitofp %2 : vector<32x64xi8> to vector<32x64xf16>
  %4 = arith.subf %3, %1 : vector<32x64xf16>
  %5 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %4, %acc {vector_ext.config = #mma} : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  %6 = arith.truncf %5 : vector<8x32xf32> to vector<8x32xf16>
  %7 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %6, %v, %acc2 {vector_ext.config = #mma} : vector<8x32xf16>, vector<64x32xf16> into vector<8x64xf32>
  return %7 : vector<8x64xf32>
}

// CHECK-LABEL: func @goes_on
// CHECK-COUNT-3: vector.contract
func.func @goes_on(%x: vector<8x64xf16>, %b: vector<32x64xi8>, %z: vector<f16>, %w: vector<32x64xf16>, %acc: vector<8x32xf32>) -> vector<8x32xf32> {
  %c15 = arith.constant dense<15> : vector<32x64xi8>
  %1 = vector.broadcast %z : vector<f16> to vector<32x64xf16>
  %2 = arith.andi %b, %c15 : vector<32x64xi8>
  %3 = arith.uitofp %2 : vector<32x64xi8> to vector<32x64xf16>
  %4 = arith.subf %3, %1 : vector<32x64xf16>
  %5 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %4, %acc {vector_ext.config = #mma} : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  %6 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %w, %5 {vector_ext.config = #mma} : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  return %6 : vector<8x32xf32>
}
