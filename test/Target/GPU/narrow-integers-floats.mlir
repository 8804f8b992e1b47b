// RUN: linalg-ext-opt %s --linalg-ext-gpu-narrow-integers=steps=floats | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-gpu-narrow-integers{steps=floats})' | FileCheck %s

// The upper 16 bits, and the lower ones as the mantissa of 2^23, from which each
// constant takes 2^23 again. One conversion is left.

// CHECK-LABEL: func.func @positions
// CHECK: %[[FIRST:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[UPPER:.*]] = arith.andi %[[FIRST]], %c-65536_i32
// CHECK: %[[HIGH:.*]] = arith.sitofp %[[UPPER]] : i32 to f32
// CHECK: %[[LOWER:.*]] = arith.andi %[[FIRST]], %c65535_i32
// CHECK: %[[MANTISSA:.*]] = arith.ori %[[LOWER]], %c1258291200_i32
// CHECK: %[[LOW:.*]] = arith.bitcast %[[MANTISSA]] : i32 to f32
// CHECK-DAG: %[[LOWS:.*]] = vector.broadcast %[[LOW]] : f32 to vector<4xf32>
// CHECK-DAG: %[[CONSTANTS:.*]] = arith.constant dense<[0xCB000008, 0xCB000000, 0xCAFFFFFE, 0xCAFFFFEC]> : vector<4xf32>
// CHECK: %[[SMALL:.*]] = arith.addf %[[LOWS]], %[[CONSTANTS]]
// CHECK: %[[HIGHS:.*]] = vector.broadcast %[[HIGH]] : f32 to vector<4xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[HIGHS]], %[[SMALL]]
// CHECK: return %[[SUM]]
func.func @positions(%n: index) -> vector<4xf32> {
  %position = vector_ext.assume %n at_least 0 at_most 2147418112
  %first = arith.index_cast %position : index to i32
  %all = vector.broadcast %first : i32 to vector<4xi32>
  %constants = arith.constant dense<[-8, 0, 1, 10]> : vector<4xi32>
  %sums = arith.addi %all, %constants : vector<4xi32>
  %floats = arith.sitofp %sums : vector<4xi32> to vector<4xf32>
  return %floats : vector<4xf32>
}

// The position depends on a dynamic size.

// CHECK-LABEL: func.func @dynamic
// CHECK: memref.dim
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK-NOT: arith.sitofp
// CHECK: return
func.func @dynamic(%bias: memref<?xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %bias, %c0 : memref<?xf32>
  %position = vector_ext.assume %n at_least 0 at_most 2147418112
  %first = arith.index_cast %position : index to i32
  %all = vector.broadcast %first : i32 to vector<4xi32>
  %constants = arith.constant dense<[-8, 0, 1, 10]> : vector<4xi32>
  %sums = arith.addi %all, %constants : vector<4xi32>
  %floats = arith.sitofp %sums : vector<4xi32> to vector<4xf32>
  return %floats : vector<4xf32>
}

// A product that may be reassociated: with the scalar, and with each constant.

// CHECK-LABEL: func.func @product
// CHECK-SAME: %{{.*}}: index, %[[SLOPE:.*]]: f32
// CHECK: %[[FIRST:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[FLOAT:.*]] = arith.sitofp %[[FIRST]] : i32 to f32
// CHECK: %[[BASE:.*]] = arith.mulf %[[FLOAT]], %[[SLOPE]] : f32
// CHECK-DAG: %[[CONSTANTS:.*]] = arith.constant dense<[-8.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+01]> : vector<4xf32>
// CHECK-DAG: %[[SLOPES:.*]] = vector.broadcast %[[SLOPE]]
// CHECK-DAG: %[[BASES:.*]] = vector.broadcast %[[BASE]]
// CHECK: %[[R:.*]] = math.fma %[[CONSTANTS]], %[[SLOPES]], %[[BASES]]
// CHECK-NOT: arith.sitofp
// CHECK: return %[[R]]
func.func @product(%n: index, %slope: f32) -> vector<4xf32> {
  %position = vector_ext.assume %n at_least 0 at_most 2147418112
  %first = arith.index_cast %position : index to i32
  %all = vector.broadcast %first : i32 to vector<4xi32>
  %constants = arith.constant dense<[-8, 0, 1, 10]> : vector<4xi32>
  %sums = arith.addi %all, %constants : vector<4xi32>
  %floats = arith.sitofp %sums : vector<4xi32> to vector<4xf32>
  %slopes = vector.broadcast %slope : f32 to vector<4xf32>
  %r = arith.mulf %floats, %slopes fastmath<reassoc> : vector<4xf32>
  return %r : vector<4xf32>
}

// A constant factor.

// CHECK-LABEL: func.func @constant_factor
// CHECK: %[[FLOAT:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK: %[[BASE:.*]] = arith.mulf %[[FLOAT]], %{{.*}} : f32
// CHECK: %[[BASES:.*]] = vector.broadcast %[[BASE]]
// CHECK: %[[R:.*]] = math.fma %{{.*}}, %{{.*}}, %[[BASES]]
// CHECK-NOT: arith.sitofp
// CHECK: return %[[R]]
func.func @constant_factor(%n: index) -> vector<4xf32> {
  %position = vector_ext.assume %n at_least 0 at_most 2147418112
  %first = arith.index_cast %position : index to i32
  %all = vector.broadcast %first : i32 to vector<4xi32>
  %constants = arith.constant dense<[-8, 0, 1, 10]> : vector<4xi32>
  %sums = arith.addi %all, %constants : vector<4xi32>
  %floats = arith.sitofp %sums : vector<4xi32> to vector<4xf32>
  %slopes = arith.constant dense<0.25> : vector<4xf32>
  %r = arith.mulf %floats, %slopes fastmath<reassoc> : vector<4xf32>
  return %r : vector<4xf32>
}

// A product that may not, and one with a factor for each position.

// CHECK-LABEL: func.func @negative_products
// CHECK-NOT: math.fma
// CHECK: return
func.func @negative_products(%n: index, %slope: f32, %many: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %position = vector_ext.assume %n at_least 0 at_most 2147418112
  %first = arith.index_cast %position : index to i32
  %all = vector.broadcast %first : i32 to vector<4xi32>
  %constants = arith.constant dense<[-8, 0, 1, 10]> : vector<4xi32>
  %sums = arith.addi %all, %constants : vector<4xi32>
  %floats = arith.sitofp %sums : vector<4xi32> to vector<4xf32>
  %slopes = vector.broadcast %slope : f32 to vector<4xf32>
  %r = arith.mulf %floats, %slopes : vector<4xf32>
  %t = arith.mulf %floats, %many fastmath<reassoc> : vector<4xf32>
  return %r, %t : vector<4xf32>, vector<4xf32>
}

// A sum that may wrap, of which one wraps, few different constants, large ones, and
// another type.

// CHECK-LABEL: func.func @negative_others
// CHECK-COUNT-5: arith.sitofp %{{.*}} : vector<4x
// CHECK-NOT: arith.bitcast
// CHECK: return
func.func @negative_others(%any: i32, %n: index) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf16>) {
  %position = vector_ext.assume %n at_least 0 at_most 2147483640
  %first = arith.index_cast %position : index to i32
  %anys = vector.broadcast %any : i32 to vector<4xi32>
  %all = vector.broadcast %first : i32 to vector<4xi32>
  %small = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %most = arith.constant dense<[0, 1, 2, 8]> : vector<4xi32>
  %few = arith.constant dense<[0, 1, 2, 1]> : vector<4xi32>
  %large = arith.constant dense<[0, 1, 2, -4194304]> : vector<4xi32>
  %0 = arith.addi %anys, %small : vector<4xi32>
  %1 = arith.addi %all, %most : vector<4xi32>
  %2 = arith.addi %all, %few : vector<4xi32>
  %3 = arith.addi %all, %large : vector<4xi32>
  %4 = arith.addi %all, %small : vector<4xi32>
  %5 = arith.sitofp %0 : vector<4xi32> to vector<4xf32>
  %6 = arith.sitofp %1 : vector<4xi32> to vector<4xf32>
  %7 = arith.sitofp %2 : vector<4xi32> to vector<4xf32>
  %8 = arith.sitofp %3 : vector<4xi32> to vector<4xf32>
  %9 = arith.sitofp %4 : vector<4xi32> to vector<4xf16>
  return %5, %6, %7, %8, %9 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf16>
}
