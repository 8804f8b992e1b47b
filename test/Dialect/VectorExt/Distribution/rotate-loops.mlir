// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=rotate-loops --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=rotate-loops explain-schedule' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=rotate-loops --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=CLEAN
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-pipeline-products{steps=rotate-loops},canonicalize,cse)' --split-input-file | FileCheck %s --check-prefix=CLEAN

// Attention: the scores of n + 1 are issued before the product of n. The softmax
// of n + 1 is under that, but not what writes the registers of its operand, and
// of its accumulator.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @attention
// CHECK-SAME: (%[[Q:.*]]: vector<128x128xf16>, %[[KEYS:.*]]: memref<?x128xf16>, %[[VALUES:.*]]: memref<?x128xf16>, %[[END:.*]]: index, %[[SCALE:.*]]: vector<128x128xf32>)
// CHECK-DAG: %[[STEP:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : vector<128x128xf32>
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<0xFF800000> : vector<128xf32>
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[END]], %[[C0:.*]] : index
// CHECK: %[[R:.*]]:3 = scf.if %[[ANY]]
// The first iteration.
// CHECK: %[[K0:.*]] = vector.transfer_read %[[KEYS]][%[[C0]], %[[C0]]]
// CHECK: %[[OPEN0:.*]] = vector.contract {{.*}} %[[Q]], %[[K0]], %[[ZERO]]
// CHECK: %[[S0:.*]] = vector_ext.await %[[OPEN0]]
// CHECK: math.exp2
// CHECK: %[[P0:.*]] = arith.truncf
// CHECK-NOT: vector.contract
// CHECK: %[[L:.*]]:{{[0-9]+}} = scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %[[STEP]]
// CHECK-NEXT: %[[K:.*]] = vector.transfer_read %[[KEYS]][%[[I]], %[[C0]]]
// CHECK-NEXT: %[[OPENS:.*]] = vector.contract {{.*}} %[[Q]], %[[K]], %[[ZERO]]
// CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[VALUES]][%[[J:.*]], %[[C0]]]
// CHECK-NEXT: %[[OPENO:.*]] = vector.contract {{.*}} %[[P:.*]], %[[V]], %[[ACC:.*]] {{{.*}}}
// CHECK-NEXT: %[[S:.*]] = vector_ext.await %[[OPENS]]
// CHECK-NEXT: vector.multi_reduction <maximumf>, %[[S]]
// CHECK: %[[E:.*]] = math.exp2 %{{.*}} : vector<128x128xf32>
// CHECK: vector.multi_reduction <add>, %[[E]]
// CHECK: %[[O:.*]] = vector_ext.await %[[OPENO]]
// CHECK-DAG: %[[P1:.*]] = arith.truncf %[[E]]
// CHECK-DAG: %[[ACC1:.*]] = arith.mulf %{{.*}}, %[[O]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[I]], %[[P1]], %[[ACC1]]
// The last one.
// CHECK: vector.transfer_read %[[VALUES]]
// CHECK: %[[LAST:.*]] = vector.contract
// CHECK: vector_ext.await %[[LAST]]
// CHECK: } else {
// CHECK: scf.yield %[[ZERO]], %[[LOW]],
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @attention(%q: vector<128x128xf16>, %keys: memref<?x128xf16>, %values: memref<?x128xf16>, %n: index, %scale: vector<128x128xf32>) -> (vector<128x128xf32>, vector<128xf32>, vector<128xf32>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %low = arith.constant dense<0xFF800000> : vector<128xf32>
  %none = arith.constant dense<0.0> : vector<128xf32>
  // EXPLAIN: remark: schedule: issue product 0 of n + 1; issue product 1 of n; await product 0 of n + 1; 8 ops of n + 1; await product 1 of n; 2 ops of n + 1 (
  %r:3 = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero, %max = %low, %sum = %none) -> (vector<128x128xf32>, vector<128xf32>, vector<128xf32>) {
    %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x128xf16>, vector<128x128xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x128xf16>, vector<128x128xf16> into vector<128x128xf32>
    %m = vector.multi_reduction <maximumf>, %s, %max [1] : vector<128x128xf32> to vector<128xf32>
    %d = arith.subf %max, %m : vector<128xf32>
    %f = math.exp2 %d : vector<128xf32>
    %x = arith.mulf %s, %scale : vector<128x128xf32>
    %mb = vector.broadcast %m : vector<128xf32> to vector<128x128xf32>
    %mt = vector.transpose %mb, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
    %y = arith.subf %x, %mt : vector<128x128xf32>
    %e = math.exp2 %y : vector<128x128xf32>
    %sf = arith.mulf %sum, %f : vector<128xf32>
    %sum1 = vector.multi_reduction <add>, %e, %sf [1] : vector<128x128xf32> to vector<128xf32>
    %p = arith.truncf %e : vector<128x128xf32> to vector<128x128xf16>
    %fb = vector.broadcast %f : vector<128xf32> to vector<128x128xf32>
    %ft = vector.transpose %fb, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
    %acc1 = arith.mulf %ft, %acc : vector<128x128xf32>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x128xf16>, vector<128x128xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc1 : vector<128x128xf16>, vector<128x128xf16> into vector<128x128xf32>
    scf.yield %o, %m, %sum1 : vector<128x128xf32>, vector<128xf32>, vector<128xf32>
  }
  return %r#0, %r#1, %r#2 : vector<128x128xf32>, vector<128xf32>, vector<128xf32>
}

// -----

// Scores are sums of two products: the second one continues the first one without a
// wait, and the product of n is behind both.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @two_parts
// CHECK-SAME: (%[[Q1:.*]]: vector<128x64xf16>, %[[Q2:.*]]: vector<128x64xf16>, %[[K1:.*]]: memref<?x64xf16>, %[[K2:.*]]: memref<?x64xf16>, %[[VALUES:.*]]: memref<?x128xf16>
// CHECK: scf.for
// CHECK: %[[A:.*]] = vector.contract {{.*}} %[[Q1]], %{{.*}} subgroups = [2, 1]>} :
// CHECK-NOT: vector_ext.await
// CHECK: %[[B:.*]] = vector.contract {{.*}} %[[Q2]], %{{.*}}, %[[A]] {vector_ext.config = {{.*}}, vector_ext.continues} :
// CHECK-NOT: vector_ext.await
// CHECK: %[[O:.*]] = vector.contract
// CHECK-NEXT: vector_ext.await %[[B]]
// CHECK: vector_ext.await %[[O]]
// CHECK-NOT: vector_ext.await
// CHECK: scf.yield
func.func @two_parts(%q1: vector<128x64xf16>, %q2: vector<128x64xf16>, %k1: memref<?x64xf16>, %k2: memref<?x64xf16>, %values: memref<?x128xf16>, %n: index) -> (vector<128x128xf32>, vector<128xf32>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %low = arith.constant dense<0xFF800000> : vector<128xf32>
  // EXPLAIN: remark: schedule: issue product 0 of n + 1; issue product 1 of n + 1; issue product 2 of n; await product 1 of n + 1;
  %r:2 = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero, %max = %low) -> (vector<128x128xf32>, vector<128xf32>) {
    %ka = vector.transfer_read %k1[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<128x64xf16>
    %part = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q1, %ka, %zero : vector<128x64xf16>, vector<128x64xf16> into vector<128x128xf32>
    %kb = vector.transfer_read %k2[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<128x64xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q2, %kb, %part : vector<128x64xf16>, vector<128x64xf16> into vector<128x128xf32>
    %m = vector.multi_reduction <maximumf>, %s, %max [1] : vector<128x128xf32> to vector<128xf32>
    %d = arith.subf %max, %m : vector<128xf32>
    %f = math.exp2 %d : vector<128xf32>
    %mb = vector.broadcast %m : vector<128xf32> to vector<128x128xf32>
    %mt = vector.transpose %mb, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
    %y = arith.subf %s, %mt : vector<128x128xf32>
    %e = math.exp2 %y : vector<128x128xf32>
    %p = arith.truncf %e : vector<128x128xf32> to vector<128x128xf16>
    %fb = vector.broadcast %f : vector<128xf32> to vector<128x128xf32>
    %ft = vector.transpose %fb, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
    %acc1 = arith.mulf %ft, %acc : vector<128x128xf32>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x128xf16>, vector<128x128xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc1 : vector<128x128xf16>, vector<128x128xf16> into vector<128x128xf32>
    scf.yield %o, %m : vector<128x128xf32>, vector<128xf32>
  }
  return %r#0, %r#1 : vector<128x128xf32>, vector<128xf32>
}

// -----

// A product of two tiles: one stage. It is awaited where it is today.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @negative_product
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NOT: vector_ext.await
// CHECK: scf.yield
// CHECK: return
func.func @negative_product(%a: memref<128x?xf16>, %b: memref<?x128xf16>, %n: index) -> vector<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  // EXPLAIN: remark: schedule: issue product 0 of n; await product 0 of n (
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %x = vector.transfer_read %a[%c0, %i], %pad {in_bounds = [true, true]} : memref<128x?xf16>, vector<128x64xf16>
    %y = vector.transfer_read %b[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x128xf16>, vector<64x128xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %acc : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
    scf.yield %o : vector<128x128xf32>
  }
  return %r : vector<128x128xf32>
}

// -----

// The left operand is computed, as in a product behind a norm or of quantised
// numbers: that of n + 1 under the product of n.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @computed_operand
// CHECK-NOT: scf.if
// CHECK: scf.for %[[I:.*]] = %c64{{.*}} to %c1024{{.*}} step %c64{{.*}} iter_args(%[[ACC:[^ ]*]] = %{{.*}}, %[[J:[^ ]*]] = %{{.*}}, %[[X:[^ ]*]] = %{{.*}})
// CHECK: %[[Y:.*]] = vector.transfer_read %{{.*}}[%[[J]], %{{.*}}]
// CHECK: %[[OPEN:.*]] = vector.contract {{.*}} %[[X]], %[[Y]], %[[ACC]] {
// CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %[[I]]]
// CHECK: arith.sitofp
// CHECK: %[[WIDE:.*]] = arith.mulf
// CHECK: %[[O:.*]] = vector_ext.await %[[OPEN]]
// CHECK: %[[X1:.*]] = arith.truncf %[[WIDE]]
// CHECK: scf.yield %[[O]], %[[I]], %[[X1]]
func.func @computed_operand(%a: memref<128x1024xi8>, %b: memref<1024x128xf16>, %scale: vector<128x64xf32>) -> vector<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %pad8 = arith.constant 0 : i8
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  // EXPLAIN: remark: schedule: issue product 0 of n; 3 ops of n + 1; await product 0 of n; 1 op of n + 1 (
  %r = scf.for %i = %c0 to %c1024 step %c64 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %q = vector.transfer_read %a[%c0, %i], %pad8 {in_bounds = [true, true]} : memref<128x1024xi8>, vector<128x64xi8>
    %w = arith.sitofp %q : vector<128x64xi8> to vector<128x64xf32>
    %s = arith.mulf %w, %scale : vector<128x64xf32>
    %x = arith.truncf %s : vector<128x64xf32> to vector<128x64xf16>
    %y = vector.transfer_read %b[%i, %c0], %pad {in_bounds = [true, true]} : memref<1024x128xf16>, vector<64x128xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %acc : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
    scf.yield %o : vector<128x128xf32>
  }
  return %r : vector<128x128xf32>
}

// -----

// Two products with an elementwise function between.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @two_products
// CHECK: scf.for
// CHECK: %[[OPENH:.*]] = vector.contract
// CHECK: %[[OPENO:.*]] = vector.contract
// CHECK: %[[H:.*]] = vector_ext.await %[[OPENH]]
// CHECK: math.tanh
// CHECK: vector_ext.await %[[OPENO]]
// CHECK: arith.truncf
// CHECK: scf.yield
func.func @two_products(%x: vector<128x64xf16>, %w1: memref<64x?xf16>, %w2: memref<?x64xf16>, %n: index) -> vector<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  // EXPLAIN: remark: schedule: issue product 0 of n + 1; issue product 1 of n; await product 0 of n + 1; 2 ops of n + 1; await product 1 of n; 1 op of n + 1 (
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %a = vector.transfer_read %w1[%c0, %i], %pad {in_bounds = [true, true]} : memref<64x?xf16>, vector<64x64xf16>
    %h = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %a, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %t = math.tanh %h : vector<128x64xf32>
    %u = arith.mulf %t, %h : vector<128x64xf32>
    %g = arith.truncf %u : vector<128x64xf32> to vector<128x64xf16>
    %b = vector.transfer_read %w2[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %g, %b, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %o : vector<128x64xf32>
  }
  return %r : vector<128x64xf32>
}

// -----

// Gradients of keys and values: scores and their gradients of n + 1, and both
// sums of n.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @four_products
// CHECK: scf.for
// CHECK-COUNT-4: vector.contract
// CHECK-NOT: vector.contract
// CHECK: scf.yield
func.func @four_products(%k: vector<128x64xf16>, %v: vector<128x64xf16>, %queries: memref<?x64xf16>, %douts: memref<?x64xf16>, %stats: memref<?xf32>, %deltas: memref<?xf32>, %n: index) -> (vector<128x64xf32>, vector<128x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %padf = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  // EXPLAIN: remark: schedule: issue product 0 of n + 1; issue product 2 of n + 1; issue product 1 of n; issue product 3 of n; 2 ops of n + 1; await product 0 of n + 1; 2 ops of n + 1; await product 2 of n + 1; 2 ops of n + 1; await product 1 of n; 1 op of n + 1; await product 3 of n; 1 op of n + 1 (
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%dv = %zero, %dk = %zero) -> (vector<128x64xf32>, vector<128x64xf32>) {
    %q = vector.transfer_read %queries[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %do = vector.transfer_read %douts[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %q2 = vector.transfer_read %queries[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %do2 = vector.transfer_read %douts[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %l = vector.transfer_read %stats[%i], %padf {in_bounds = [true]} : memref<?xf32>, vector<64xf32>
    %d = vector.transfer_read %deltas[%i], %padf {in_bounds = [true]} : memref<?xf32>, vector<64xf32>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %k, %q, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %lb = vector.broadcast %l : vector<64xf32> to vector<128x64xf32>
    %x = arith.subf %s, %lb : vector<128x64xf32>
    %p = math.exp2 %x : vector<128x64xf32>
    %p16 = arith.truncf %p : vector<128x64xf32> to vector<128x64xf16>
    %dv1 = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p16, %do2, %dv : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %dp = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %v, %do, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %db = vector.broadcast %d : vector<64xf32> to vector<128x64xf32>
    %y = arith.subf %dp, %db : vector<128x64xf32>
    %ds = arith.mulf %p, %y : vector<128x64xf32>
    %ds16 = arith.truncf %ds : vector<128x64xf32> to vector<128x64xf16>
    %dk1 = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %ds16, %q2, %dk : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %dv1, %dk1 : vector<128x64xf32>, vector<128x64xf32>
  }
  return %r#0, %r#1 : vector<128x64xf32>, vector<128x64xf32>
}

// -----

// A chain of a loop without a mask and one with a mask: the second one goes on
// with what the first one has started. The first iteration is one of either.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#end = affine_map<()[s0] -> (s0 * 64)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CLEAN-LABEL: func.func @chain
// CLEAN-SAME: %[[KEYS:[^:]*]]: memref<?x64xf16>, %[[VALUES:[^:]*]]: memref<?x64xf16>, %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CLEAN-DAG: %[[END:.*]] = affine.apply #{{.*}}()[%[[M]]]
// CLEAN-DAG: %[[HAS0:.*]] = arith.cmpi sgt, %[[N]], %c0
// CLEAN-DAG: %[[HAS1:.*]] = arith.cmpi slt, %[[N]], %[[END]]
// CLEAN: %[[ANY:.*]] = arith.ori %[[HAS0]], %[[HAS1]]
// CLEAN: scf.if %[[ANY]]
// CLEAN: %[[FIRST:.*]] = scf.if %[[HAS0]]
// CLEAN: vector.transfer_read %[[KEYS]][%c0, %c0]
// CLEAN-NOT: vector<128x64xi1>
// CLEAN: } else {
// CLEAN: vector.transfer_read %[[KEYS]][%[[N]], %c0]
// CLEAN: arith.select
// CLEAN: }
// CLEAN: %[[A:.*]]:3 = scf.for %{{.*}} = %c64 to %[[N]] step %c64
// CLEAN-COUNT-2: vector.contract
// CLEAN-NOT: vector<128x64xi1>
// CLEAN: scf.yield
// CLEAN: %[[SECOND:.*]] = arith.addi %[[N]], %c64
// CLEAN: %[[FROM:.*]] = arith.select %[[HAS0]], %[[N]], %[[SECOND]]
// CLEAN: scf.for %{{.*}} = %[[FROM]] to %[[END]] step %c64 iter_args(%{{.*}} = %[[A]]#0
// CLEAN: vector.contract
// CLEAN-NOT: vector_ext.await
// CLEAN: vector.contract
// CLEAN: arith.select
// CLEAN: scf.yield
// CLEAN: vector.contract
// CLEAN-NOT: vector.contract
// CLEAN: } else {
func.func @chain(%q: vector<128x64xf16>, %mask: vector<128x64xi1>, %keys: memref<?x64xf16>, %values: memref<?x64xf16>, %n: index, %m: index) -> vector<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  // EXPLAIN: remark: schedule: issue product 0 of n + 1; issue product 1 of n; await product 0 of n + 1; 1 op of n + 1; await product 1 of n; 1 op of n + 1 (
  %a = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %e = math.exp2 %s : vector<128x64xf32>
    %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %o : vector<128x64xf32>
  }
  %end = affine.apply #end()[%m]
  // EXPLAIN: remark: schedule: issue product 0 of n + 1; issue product 1 of n; await product 0 of n + 1; 2 ops of n + 1; await product 1 of n; 1 op of n + 1 (
  %b = scf.for %i = %n to %end step %c64 iter_args(%acc = %a) -> (vector<128x64xf32>) {
    %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %t = arith.select %mask, %s, %zero : vector<128x64xi1>, vector<128x64xf32>
    %e = math.exp2 %t : vector<128x64xf32>
    %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %o : vector<128x64xf32>
  }
  return %b : vector<128x64xf32>
}

// -----

// The loop with a mask is in front, and has exactly one iteration if there is a key: its
// last tile begins at `gap`, before the end. There is no choice, and no loop with a mask.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#last = affine_map<()[s0] -> (((s0 - 1) floordiv 64) * 64)>
#next = affine_map<()[s0] -> (s0 + 64)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CLEAN-LABEL: func.func @masked_first
// CLEAN-SAME: %[[KEYS:[^:]*]]: memref<?x64xf16>, %[[VALUES:[^:]*]]: memref<?x64xf16>, %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CLEAN: %[[LAST:.*]] = affine.apply
// CLEAN: %[[WHOLE:.*]] = arith.minsi %{{.*}}, %[[LAST]]
// CLEAN: %[[GAP:.*]] = arith.maxsi %[[WHOLE]], %c0
// CLEAN: %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %c0
// CLEAN: scf.if %[[ANY]]
// CLEAN-NOT: scf.if
// CLEAN: vector.transfer_read %[[KEYS]][%[[GAP]], %c0]
// CLEAN: arith.select
// CLEAN: scf.for %{{.*}} = %c0 to %[[GAP]] step %c64
// CLEAN-NOT: vector<128x64xi1>
// CLEAN: scf.yield
// CLEAN: vector.contract
// CLEAN-NOT: vector.contract
// CLEAN: } else {
func.func @masked_first(%q: vector<128x64xf16>, %mask: vector<128x64xi1>, %keys: memref<?x64xf16>, %values: memref<?x64xf16>, %n: index, %m: index) -> vector<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %seen = arith.maxsi %m, %c64 : index
  %upper = arith.minsi %seen, %n : index
  %last = affine.apply #last()[%upper]
  %whole = arith.minsi %m, %last : index
  %gap = arith.maxsi %whole, %c0 : index
  %next = affine.apply #next()[%gap]
  %end = arith.minsi %next, %n : index
  %a = scf.for %i = %gap to %end step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %t = arith.select %mask, %s, %zero : vector<128x64xi1>, vector<128x64xf32>
    %e = math.exp2 %t : vector<128x64xf32>
    %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %o : vector<128x64xf32>
  }
  %b = scf.for %i = %c0 to %gap step %c64 iter_args(%acc = %a) -> (vector<128x64xf32>) {
    %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %e = math.exp2 %s : vector<128x64xf32>
    %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %o : vector<128x64xf32>
  }
  return %b : vector<128x64xf32>
}

// -----

// The second products read other buffers: each loop finishes what it has
// started.

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [2, 1]>

// CLEAN-LABEL: func.func @negative_chain
// CLEAN: %[[A:.*]] = scf.if
// CLEAN: scf.for
// CLEAN: } else {
// CLEAN: scf.if
// CLEAN: scf.for
// CLEAN: } else {
// CLEAN: scf.yield %[[A]]
func.func @negative_chain(%q: vector<128x64xf16>, %keys: memref<?x64xf16>, %values: memref<?x64xf16>, %others: memref<?x64xf16>, %n: index, %m: index) -> vector<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  // EXPLAIN: remark: schedule
  %a = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %e = math.exp2 %s : vector<128x64xf32>
    %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
    %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %o : vector<128x64xf32>
  }
  // EXPLAIN: remark: schedule
  %b = scf.for %i = %n to %m step %c64 iter_args(%acc = %a) -> (vector<128x64xf32>) {
    %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %q, %k, %zero : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    %e = math.exp2 %s : vector<128x64xf32>
    %p = arith.truncf %e : vector<128x64xf32> to vector<128x64xf16>
    %v = vector.transfer_read %others[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %v, %acc : vector<128x64xf16>, vector<64x64xf16> into vector<128x64xf32>
    scf.yield %o : vector<128x64xf32>
  }
  return %b : vector<128x64xf32>
}

// -----

// Somebody else might read what the loop writes.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

// CLEAN-LABEL: func.func @negative_writes
// CLEAN-NOT: vector_ext.await
// CLEAN: return
func.func @negative_writes(%x: vector<64x64xf16>, %b: memref<?x64xf16>, %c: memref<?x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  scf.for %i = %c0 to %n step %c64 {
    %y = vector.transfer_read %b[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    // EXPLAIN: remark: no schedule: an op in the loop does more than to compute and read
    vector.transfer_write %o, %c[%i, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x64xf32>
  }
  return
}

// -----

// What a loop hands on, but does not compute.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

func.func @negative_hands_on(%x: vector<64x64xf16>, %y: vector<64x64xf16>, %n: index) -> vector<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  // EXPLAIN: remark: no schedule: the loop hands on a value that its body does not compute
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %last = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %last : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    scf.yield %o, %acc : vector<64x64xf32>, vector<64x64xf32>
  }
  return %r#0 : vector<64x64xf32>
}

// -----

// A product in a branch.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

func.func @negative_branch(%x: vector<64x64xf16>, %y: vector<64x64xf16>, %condition: i1, %n: index) -> vector<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    // EXPLAIN: remark: no schedule: an asynchronous product is in a branch or an inner loop
    %p = scf.if %condition -> vector<64x64xf32> {
      %z = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %o : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %z : vector<64x64xf32>
    } else {
      scf.yield %o : vector<64x64xf32>
    }
    scf.yield %p : vector<64x64xf32>
  }
  return %r : vector<64x64xf32>
}

// -----

// Nothing fits into so few registers.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n256k16.f32.f16", subgroups = [1, 1]>

func.func @negative_registers(%x: vector<128x64xf16>, %b: memref<?x256xf16>, %n: index) -> vector<128x256xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  // EXPLAIN: remark: no schedule: no order of its products needs at most 255 registers
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %y = vector.transfer_read %b[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x256xf16>, vector<64x256xf16>
    %o = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %acc : vector<128x64xf16>, vector<64x256xf16> into vector<128x256xf32>
    scf.yield %o : vector<128x256xf32>
  }
  return %r : vector<128x256xf32>
}
