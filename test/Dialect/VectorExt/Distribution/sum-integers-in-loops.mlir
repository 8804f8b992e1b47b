// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=sum-integers --canonicalize | FileCheck %s

#queries = affine_map<(m, n, k) -> (m, k)>
#keys = affine_map<(m, n, k) -> (n, k)>
#values = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#mma = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16.transposed", subgroups = [1, 1], promote = [false, false]>
#mma_bf16 = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.bf16.transposed", subgroups = [1, 1], promote = [false, false]>

// Queries of bf16 times 128 + n start from -136 times the sum of a query. Values in the upper
// half of a byte are 16 times as large, until they are divided behind the loop. 8 times the sum
// of weights, which are rounded first, is subtracted there.

// CHECK-LABEL: func @bf16
//  CHECK-SAME:   %[[Q:.*]]: vector<8x64xbf16>
//   CHECK-DAG:   %[[ONES:.*]] = arith.constant dense<1.000000e+00> : vector<64x64xbf16>
//   CHECK-DAG:   %[[OFFSET:.*]] = arith.constant dense<-1.360000e+02> : vector<8x64xf32>
//   CHECK-DAG:   %[[BASE:.*]] = arith.constant dense<1.280000e+02> : vector<64x64xbf16>
//   CHECK-DAG:   %[[LARGE:.*]] = arith.constant dense<1266679808> : vector<2xi32>
//   CHECK-DAG:   %[[EIGHT:.*]] = arith.constant dense<8.000000e+00> : vector<8xf32>
//   CHECK-DAG:   %[[SMALL:.*]] = arith.constant dense<2.44140625E-4> : vector<8xf32>
//       CHECK:   %[[SHIFTS:.*]] = arith.muli
//       CHECK:   %[[SUMS:.*]] = vector.contract {{.*}} %[[Q]], %[[ONES]]
//       CHECK:   %[[START:.*]] = arith.mulf %[[SUMS]], %[[OFFSET]]
//       CHECK:   %[[R:.*]]:2 = scf.for
//       CHECK:     %[[N:.*]] = arith.uitofp {{.*}} to vector<64x64xbf16>
//       CHECK:     %[[KEYS:.*]] = arith.addf %[[N]], %[[BASE]]
//       CHECK:     vector.contract {{.*}} %[[Q]], %[[KEYS]], %[[START]]
//       CHECK:     %[[ROUNDED:.*]] = arith.truncf
//       CHECK:     %[[BITS:.*]] = arith.shli {{.*}} : vector<2xi16>
//       CHECK:     %[[UNITS:.*]] = arith.bitcast %[[BITS]] : vector<2xi16> to vector<2xf16>
//       CHECK:     %[[ALL:.*]] = vector.broadcast %[[UNITS]] : vector<2xf16> to vector<64x32x2xf16>
//       CHECK:     %[[M:.*]] = arith.uitofp {{.*}} to vector<64x32x2xf16>
//       CHECK:     %[[W:.*]] = arith.mulf %[[M]], %[[ALL]]
//       CHECK:     %[[VALUES:.*]] = vector.shape_cast %[[W]]
//       CHECK:     vector.contract {{.*}} %[[ROUNDED]], %[[VALUES]]
//       CHECK:     %[[EXACT:.*]] = arith.extf %[[ROUNDED]]
//       CHECK:     vector.multi_reduction <add>, %[[EXACT]]
//       CHECK:   %[[WIDE:.*]] = arith.extui %[[SHIFTS]] : vector<2xi8> to vector<2xi32>
//       CHECK:   %[[EXPONENTS:.*]] = arith.subi %[[LARGE]], %{{.*}} : vector<2xi32>
//       CHECK:   arith.bitcast %[[EXPONENTS]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[R]]#0
//       CHECK:   %[[ZEROS:.*]] = arith.mulf %[[R]]#1, %[[EIGHT]]
//       CHECK:   arith.subf %[[SCALED]]
//       CHECK:   arith.mulf %[[R]]#1, %[[SMALL]]
func.func @bf16(%q: vector<8x64xbf16>, %k: memref<?x64xi8>, %v: memref<?x32xi8>, %n: index, %factor: vector<8xf32>, %other: vector<8xf32>, %acc: vector<8x64xf32>) -> (vector<8x64xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i8
  %k15 = arith.constant dense<15> : vector<64x64xi8>
  %k8 = arith.constant dense<8> : vector<64x64xi8>
  %c15 = arith.constant dense<15> : vector<64x32x2xi8>
  %c8 = arith.constant dense<8> : vector<64x32x2xi8>
  %four = arith.constant dense<4> : vector<2xi8>
  %zeros = arith.constant dense<0.0> : vector<8x64xf32>
  %none8 = arith.constant dense<0.0> : vector<8xf32>
  %scale = arith.constant dense<4096.0> : vector<8x64xf32>
  %step = vector.step : vector<2xindex>
  %bytes = arith.index_cast %step : vector<2xindex> to vector<2xi8>
  %shifts = arith.muli %bytes, %four : vector<2xi8>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%o = %zeros, %l = %none8) -> (vector<8x64xf32>, vector<8xf32>) {
    %kb = vector.transfer_read %k[%i, %c0], %none {in_bounds = [true, true]} : memref<?x64xi8>, vector<64x64xi8>
    %k1 = arith.andi %kb, %k15 : vector<64x64xi8>
    %k2 = arith.subi %k1, %k8 : vector<64x64xi8>
    %k3 = arith.sitofp %k2 : vector<64x64xi8> to vector<64x64xbf16>
    %s = vector.contract {indexing_maps = [#queries, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %q, %k3, %zeros {vector_ext.config = #mma_bf16} : vector<8x64xbf16>, vector<64x64xbf16> into vector<8x64xf32>
    %p = math.exp2 %s : vector<8x64xf32>
    %scaled = arith.mulf %p, %scale : vector<8x64xf32>
    %rounded = arith.truncf %scaled : vector<8x64xf32> to vector<8x64xf16>
    %vb = vector.transfer_read %v[%i, %c0], %none {in_bounds = [true, true]} : memref<?x32xi8>, vector<64x32xi8>
    %v0 = vector.broadcast %vb : vector<64x32xi8> to vector<2x64x32xi8>
    %vt = vector.transpose %v0, [1, 2, 0] : vector<2x64x32xi8> to vector<64x32x2xi8>
    %vs = vector.broadcast %shifts : vector<2xi8> to vector<64x32x2xi8>
    %vh = arith.shrui %vt, %vs : vector<64x32x2xi8>
    %v1 = arith.andi %vh, %c15 : vector<64x32x2xi8>
    %v2 = arith.subi %v1, %c8 : vector<64x32x2xi8>
    %v3 = arith.sitofp %v2 : vector<64x32x2xi8> to vector<64x32x2xf16>
    %v4 = vector.shape_cast %v3 : vector<64x32x2xf16> to vector<64x64xf16>
    %f0 = vector.broadcast %factor : vector<8xf32> to vector<64x8xf32>
    %f1 = vector.transpose %f0, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %o1 = arith.mulf %f1, %o : vector<8x64xf32>
    %o2 = vector.contract {indexing_maps = [#queries, #values, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rounded, %v4, %o1 {vector_ext.config = #mma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
    %l1 = arith.mulf %l, %factor : vector<8xf32>
    %l2 = vector.multi_reduction <add>, %p, %l1 [1] : vector<8x64xf32> to vector<8xf32>
    scf.yield %o2, %l2 : vector<8x64xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8x64xf32>, vector<8xf32>
}

// Weights that are summed in front of their rounding are summed behind it.

// CHECK-LABEL: func @summed_first
//       CHECK:   scf.for
//       CHECK:     math.exp2
//   CHECK-NOT:     vector.multi_reduction
//       CHECK:     %[[ROUNDED:.*]] = arith.truncf
//       CHECK:     %[[EXACT:.*]] = arith.extf %[[ROUNDED]]
//       CHECK:     vector.multi_reduction <add>, %[[EXACT]]
//       CHECK:     vector.contract {{.*}} %[[ROUNDED]]
func.func @summed_first(%q: vector<8x64xbf16>, %k: memref<?x64xi8>, %v: memref<?x32xi8>, %n: index, %factor: vector<8xf32>, %other: vector<8xf32>, %acc: vector<8x64xf32>) -> (vector<8x64xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i8
  %k15 = arith.constant dense<15> : vector<64x64xi8>
  %k8 = arith.constant dense<8> : vector<64x64xi8>
  %c15 = arith.constant dense<15> : vector<64x32x2xi8>
  %c8 = arith.constant dense<8> : vector<64x32x2xi8>
  %four = arith.constant dense<4> : vector<2xi8>
  %zeros = arith.constant dense<0.0> : vector<8x64xf32>
  %none8 = arith.constant dense<0.0> : vector<8xf32>
  %scale = arith.constant dense<4096.0> : vector<8x64xf32>
  %step = vector.step : vector<2xindex>
  %bytes = arith.index_cast %step : vector<2xindex> to vector<2xi8>
  %shifts = arith.muli %bytes, %four : vector<2xi8>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%o = %zeros, %l = %none8) -> (vector<8x64xf32>, vector<8xf32>) {
    %kb = vector.transfer_read %k[%i, %c0], %none {in_bounds = [true, true]} : memref<?x64xi8>, vector<64x64xi8>
    %k1 = arith.andi %kb, %k15 : vector<64x64xi8>
    %k2 = arith.subi %k1, %k8 : vector<64x64xi8>
    %k3 = arith.sitofp %k2 : vector<64x64xi8> to vector<64x64xbf16>
    %s = vector.contract {indexing_maps = [#queries, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %q, %k3, %zeros {vector_ext.config = #mma_bf16} : vector<8x64xbf16>, vector<64x64xbf16> into vector<8x64xf32>
    %p = math.exp2 %s : vector<8x64xf32>
    %l1 = arith.mulf %l, %factor : vector<8xf32>
    %l2 = vector.multi_reduction <add>, %p, %l1 [1] : vector<8x64xf32> to vector<8xf32>
    %scaled = arith.mulf %p, %scale : vector<8x64xf32>
    %rounded = arith.truncf %scaled : vector<8x64xf32> to vector<8x64xf16>
    %vb = vector.transfer_read %v[%i, %c0], %none {in_bounds = [true, true]} : memref<?x32xi8>, vector<64x32xi8>
    %v0 = vector.broadcast %vb : vector<64x32xi8> to vector<2x64x32xi8>
    %vt = vector.transpose %v0, [1, 2, 0] : vector<2x64x32xi8> to vector<64x32x2xi8>
    %vs = vector.broadcast %shifts : vector<2xi8> to vector<64x32x2xi8>
    %vh = arith.shrui %vt, %vs : vector<64x32x2xi8>
    %v1 = arith.andi %vh, %c15 : vector<64x32x2xi8>
    %v2 = arith.subi %v1, %c8 : vector<64x32x2xi8>
    %v3 = arith.sitofp %v2 : vector<64x32x2xi8> to vector<64x32x2xf16>
    %v4 = vector.shape_cast %v3 : vector<64x32x2xf16> to vector<64x64xf16>
    %f0 = vector.broadcast %factor : vector<8xf32> to vector<64x8xf32>
    %f1 = vector.transpose %f0, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %o1 = arith.mulf %f1, %o : vector<8x64xf32>
    %o2 = vector.contract {indexing_maps = [#queries, #values, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rounded, %v4, %o1 {vector_ext.config = #mma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
    scf.yield %o2, %l2 : vector<8x64xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8x64xf32>, vector<8xf32>
}

// In f16, scores are sums of subnormal numbers, and are scaled. Weights that are rounded as they
// are leave their sum as it is.

// CHECK-LABEL: func @f16
//   CHECK-DAG:   arith.constant dense<-4.76837158E-7> : vector<8x64xf32>
//   CHECK-DAG:   %[[LARGE:.*]] = arith.constant dense<0x4B800000> : vector<8x64xf32>
//       CHECK:   %[[R:.*]]:2 = scf.for
//       CHECK:     %[[SUM:.*]] = vector.contract
//       CHECK:     arith.mulf %[[SUM]], %[[LARGE]]
//       CHECK:   arith.subf
//       CHECK:   return %{{.*}}, %[[R]]#1
func.func @f16(%q: vector<8x64xf16>, %k: memref<?x64xi8>, %v: memref<?x32xi8>, %n: index, %factor: vector<8xf32>, %other: vector<8xf32>, %acc: vector<8x64xf32>) -> (vector<8x64xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i8
  %k15 = arith.constant dense<15> : vector<64x64xi8>
  %k8 = arith.constant dense<8> : vector<64x64xi8>
  %c15 = arith.constant dense<15> : vector<64x32x2xi8>
  %c8 = arith.constant dense<8> : vector<64x32x2xi8>
  %four = arith.constant dense<4> : vector<2xi8>
  %zeros = arith.constant dense<0.0> : vector<8x64xf32>
  %none8 = arith.constant dense<0.0> : vector<8xf32>
  %scale = arith.constant dense<4096.0> : vector<8x64xf32>
  %step = vector.step : vector<2xindex>
  %bytes = arith.index_cast %step : vector<2xindex> to vector<2xi8>
  %shifts = arith.muli %bytes, %four : vector<2xi8>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%o = %zeros, %l = %none8) -> (vector<8x64xf32>, vector<8xf32>) {
    %kb = vector.transfer_read %k[%i, %c0], %none {in_bounds = [true, true]} : memref<?x64xi8>, vector<64x64xi8>
    %k1 = arith.andi %kb, %k15 : vector<64x64xi8>
    %k2 = arith.subi %k1, %k8 : vector<64x64xi8>
    %k3 = arith.sitofp %k2 : vector<64x64xi8> to vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#queries, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %q, %k3, %zeros {vector_ext.config = #mma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
    %p = math.exp2 %s : vector<8x64xf32>
    %scaled = arith.mulf %p, %scale : vector<8x64xf32>
    %rounded = arith.truncf %p : vector<8x64xf32> to vector<8x64xf16>
    %vb = vector.transfer_read %v[%i, %c0], %none {in_bounds = [true, true]} : memref<?x32xi8>, vector<64x32xi8>
    %v0 = vector.broadcast %vb : vector<64x32xi8> to vector<2x64x32xi8>
    %vt = vector.transpose %v0, [1, 2, 0] : vector<2x64x32xi8> to vector<64x32x2xi8>
    %vs = vector.broadcast %shifts : vector<2xi8> to vector<64x32x2xi8>
    %vh = arith.shrui %vt, %vs : vector<64x32x2xi8>
    %v1 = arith.andi %vh, %c15 : vector<64x32x2xi8>
    %v2 = arith.subi %v1, %c8 : vector<64x32x2xi8>
    %v3 = arith.sitofp %v2 : vector<64x32x2xi8> to vector<64x32x2xf16>
    %v4 = vector.shape_cast %v3 : vector<64x32x2xf16> to vector<64x64xf16>
    %f0 = vector.broadcast %factor : vector<8xf32> to vector<64x8xf32>
    %f1 = vector.transpose %f0, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %o1 = arith.mulf %f1, %o : vector<8x64xf32>
    %o2 = vector.contract {indexing_maps = [#queries, #values, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rounded, %v4, %o1 {vector_ext.config = #mma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
    %l1 = arith.mulf %l, %factor : vector<8xf32>
    %l2 = vector.multi_reduction <add>, %p, %l1 [1] : vector<8x64xf32> to vector<8xf32>
    scf.yield %o2, %l2 : vector<8x64xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8x64xf32>, vector<8xf32>
}

// Without a zero point, the sum of weights stays as it is.

// CHECK-LABEL: func @no_zero_point
//       CHECK:   %[[P:.*]] = math.exp2
//       CHECK:   vector.multi_reduction <add>, %[[P]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf
//       CHECK:   return %[[SCALED]]
func.func @no_zero_point(%q: vector<8x64xbf16>, %k: memref<?x64xi8>, %v: memref<?x32xi8>, %n: index, %factor: vector<8xf32>, %other: vector<8xf32>, %acc: vector<8x64xf32>) -> (vector<8x64xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i8
  %k15 = arith.constant dense<15> : vector<64x64xi8>
  %k8 = arith.constant dense<8> : vector<64x64xi8>
  %c15 = arith.constant dense<15> : vector<64x32x2xi8>
  %c8 = arith.constant dense<8> : vector<64x32x2xi8>
  %four = arith.constant dense<4> : vector<2xi8>
  %zeros = arith.constant dense<0.0> : vector<8x64xf32>
  %none8 = arith.constant dense<0.0> : vector<8xf32>
  %scale = arith.constant dense<4096.0> : vector<8x64xf32>
  %step = vector.step : vector<2xindex>
  %bytes = arith.index_cast %step : vector<2xindex> to vector<2xi8>
  %shifts = arith.muli %bytes, %four : vector<2xi8>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%o = %zeros, %l = %none8) -> (vector<8x64xf32>, vector<8xf32>) {
    %kb = vector.transfer_read %k[%i, %c0], %none {in_bounds = [true, true]} : memref<?x64xi8>, vector<64x64xi8>
    %k1 = arith.andi %kb, %k15 : vector<64x64xi8>
    %k2 = arith.subi %k1, %k8 : vector<64x64xi8>
    %k3 = arith.sitofp %k2 : vector<64x64xi8> to vector<64x64xbf16>
    %s = vector.contract {indexing_maps = [#queries, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %q, %k3, %zeros {vector_ext.config = #mma_bf16} : vector<8x64xbf16>, vector<64x64xbf16> into vector<8x64xf32>
    %p = math.exp2 %s : vector<8x64xf32>
    %scaled = arith.mulf %p, %scale : vector<8x64xf32>
    %rounded = arith.truncf %scaled : vector<8x64xf32> to vector<8x64xf16>
    %vb = vector.transfer_read %v[%i, %c0], %none {in_bounds = [true, true]} : memref<?x32xi8>, vector<64x32xi8>
    %v0 = vector.broadcast %vb : vector<64x32xi8> to vector<2x64x32xi8>
    %vt = vector.transpose %v0, [1, 2, 0] : vector<2x64x32xi8> to vector<64x32x2xi8>
    %vs = vector.broadcast %shifts : vector<2xi8> to vector<64x32x2xi8>
    %vh = arith.shrui %vt, %vs : vector<64x32x2xi8>
    %v1 = arith.andi %vh, %c15 : vector<64x32x2xi8>

    %v3 = arith.sitofp %v1 : vector<64x32x2xi8> to vector<64x32x2xf16>
    %v4 = vector.shape_cast %v3 : vector<64x32x2xf16> to vector<64x64xf16>
    %f0 = vector.broadcast %factor : vector<8xf32> to vector<64x8xf32>
    %f1 = vector.transpose %f0, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %o1 = arith.mulf %f1, %o : vector<8x64xf32>
    %o2 = vector.contract {indexing_maps = [#queries, #values, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rounded, %v4, %o1 {vector_ext.config = #mma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
    %l1 = arith.mulf %l, %factor : vector<8xf32>
    %l2 = vector.multi_reduction <add>, %p, %l1 [1] : vector<8x64xf32> to vector<8xf32>
    scf.yield %o2, %l2 : vector<8x64xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8x64xf32>, vector<8xf32>
}

// A loop that starts from another result keeps the differences of its values.

// CHECK-LABEL: func @negative_loop_starts_elsewhere
//       CHECK:   arith.subi {{.*}} : vector<64x32x2xi8>
//       CHECK:   return %[[R:.*]]#0, %[[R]]#1
func.func @negative_loop_starts_elsewhere(%q: vector<8x64xbf16>, %k: memref<?x64xi8>, %v: memref<?x32xi8>, %n: index, %factor: vector<8xf32>, %other: vector<8xf32>, %acc: vector<8x64xf32>) -> (vector<8x64xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i8
  %k15 = arith.constant dense<15> : vector<64x64xi8>
  %k8 = arith.constant dense<8> : vector<64x64xi8>
  %c15 = arith.constant dense<15> : vector<64x32x2xi8>
  %c8 = arith.constant dense<8> : vector<64x32x2xi8>
  %four = arith.constant dense<4> : vector<2xi8>
  %zeros = arith.constant dense<0.0> : vector<8x64xf32>
  %none8 = arith.constant dense<0.0> : vector<8xf32>
  %scale = arith.constant dense<4096.0> : vector<8x64xf32>
  %step = vector.step : vector<2xindex>
  %bytes = arith.index_cast %step : vector<2xindex> to vector<2xi8>
  %shifts = arith.muli %bytes, %four : vector<2xi8>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%o = %acc, %l = %none8) -> (vector<8x64xf32>, vector<8xf32>) {
    %kb = vector.transfer_read %k[%i, %c0], %none {in_bounds = [true, true]} : memref<?x64xi8>, vector<64x64xi8>
    %k1 = arith.andi %kb, %k15 : vector<64x64xi8>
    %k2 = arith.subi %k1, %k8 : vector<64x64xi8>
    %k3 = arith.sitofp %k2 : vector<64x64xi8> to vector<64x64xbf16>
    %s = vector.contract {indexing_maps = [#queries, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %q, %k3, %zeros {vector_ext.config = #mma_bf16} : vector<8x64xbf16>, vector<64x64xbf16> into vector<8x64xf32>
    %p = math.exp2 %s : vector<8x64xf32>
    %scaled = arith.mulf %p, %scale : vector<8x64xf32>
    %rounded = arith.truncf %scaled : vector<8x64xf32> to vector<8x64xf16>
    %vb = vector.transfer_read %v[%i, %c0], %none {in_bounds = [true, true]} : memref<?x32xi8>, vector<64x32xi8>
    %v0 = vector.broadcast %vb : vector<64x32xi8> to vector<2x64x32xi8>
    %vt = vector.transpose %v0, [1, 2, 0] : vector<2x64x32xi8> to vector<64x32x2xi8>
    %vs = vector.broadcast %shifts : vector<2xi8> to vector<64x32x2xi8>
    %vh = arith.shrui %vt, %vs : vector<64x32x2xi8>
    %v1 = arith.andi %vh, %c15 : vector<64x32x2xi8>
    %v2 = arith.subi %v1, %c8 : vector<64x32x2xi8>
    %v3 = arith.sitofp %v2 : vector<64x32x2xi8> to vector<64x32x2xf16>
    %v4 = vector.shape_cast %v3 : vector<64x32x2xf16> to vector<64x64xf16>
    %f0 = vector.broadcast %factor : vector<8xf32> to vector<64x8xf32>
    %f1 = vector.transpose %f0, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %o1 = arith.mulf %f1, %o : vector<8x64xf32>
    %o2 = vector.contract {indexing_maps = [#queries, #values, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rounded, %v4, %o1 {vector_ext.config = #mma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
    %l1 = arith.mulf %l, %factor : vector<8xf32>
    %l2 = vector.multi_reduction <add>, %p, %l1 [1] : vector<8x64xf32> to vector<8xf32>
    scf.yield %o2, %l2 : vector<8x64xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8x64xf32>, vector<8xf32>
}

// So does one whose sum of weights has another factor.

// CHECK-LABEL: func @negative_other_factor
//       CHECK:   arith.subi {{.*}} : vector<64x32x2xi8>
//       CHECK:   return %[[R:.*]]#0, %[[R]]#1
func.func @negative_other_factor(%q: vector<8x64xbf16>, %k: memref<?x64xi8>, %v: memref<?x32xi8>, %n: index, %factor: vector<8xf32>, %other: vector<8xf32>, %acc: vector<8x64xf32>) -> (vector<8x64xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i8
  %k15 = arith.constant dense<15> : vector<64x64xi8>
  %k8 = arith.constant dense<8> : vector<64x64xi8>
  %c15 = arith.constant dense<15> : vector<64x32x2xi8>
  %c8 = arith.constant dense<8> : vector<64x32x2xi8>
  %four = arith.constant dense<4> : vector<2xi8>
  %zeros = arith.constant dense<0.0> : vector<8x64xf32>
  %none8 = arith.constant dense<0.0> : vector<8xf32>
  %scale = arith.constant dense<4096.0> : vector<8x64xf32>
  %step = vector.step : vector<2xindex>
  %bytes = arith.index_cast %step : vector<2xindex> to vector<2xi8>
  %shifts = arith.muli %bytes, %four : vector<2xi8>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%o = %zeros, %l = %none8) -> (vector<8x64xf32>, vector<8xf32>) {
    %kb = vector.transfer_read %k[%i, %c0], %none {in_bounds = [true, true]} : memref<?x64xi8>, vector<64x64xi8>
    %k1 = arith.andi %kb, %k15 : vector<64x64xi8>
    %k2 = arith.subi %k1, %k8 : vector<64x64xi8>
    %k3 = arith.sitofp %k2 : vector<64x64xi8> to vector<64x64xbf16>
    %s = vector.contract {indexing_maps = [#queries, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %q, %k3, %zeros {vector_ext.config = #mma_bf16} : vector<8x64xbf16>, vector<64x64xbf16> into vector<8x64xf32>
    %p = math.exp2 %s : vector<8x64xf32>
    %scaled = arith.mulf %p, %scale : vector<8x64xf32>
    %rounded = arith.truncf %scaled : vector<8x64xf32> to vector<8x64xf16>
    %vb = vector.transfer_read %v[%i, %c0], %none {in_bounds = [true, true]} : memref<?x32xi8>, vector<64x32xi8>
    %v0 = vector.broadcast %vb : vector<64x32xi8> to vector<2x64x32xi8>
    %vt = vector.transpose %v0, [1, 2, 0] : vector<2x64x32xi8> to vector<64x32x2xi8>
    %vs = vector.broadcast %shifts : vector<2xi8> to vector<64x32x2xi8>
    %vh = arith.shrui %vt, %vs : vector<64x32x2xi8>
    %v1 = arith.andi %vh, %c15 : vector<64x32x2xi8>
    %v2 = arith.subi %v1, %c8 : vector<64x32x2xi8>
    %v3 = arith.sitofp %v2 : vector<64x32x2xi8> to vector<64x32x2xf16>
    %v4 = vector.shape_cast %v3 : vector<64x32x2xf16> to vector<64x64xf16>
    %f0 = vector.broadcast %factor : vector<8xf32> to vector<64x8xf32>
    %f1 = vector.transpose %f0, [1, 0] : vector<64x8xf32> to vector<8x64xf32>
    %o1 = arith.mulf %f1, %o : vector<8x64xf32>
    %o2 = vector.contract {indexing_maps = [#queries, #values, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rounded, %v4, %o1 {vector_ext.config = #mma} : vector<8x64xf16>, vector<64x64xf16> into vector<8x64xf32>
    %l1 = arith.mulf %l, %other : vector<8xf32>
    %l2 = vector.multi_reduction <add>, %p, %l1 [1] : vector<8x64xf32> to vector<8xf32>
    scf.yield %o2, %l2 : vector<8x64xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8x64xf32>, vector<8xf32>
}
