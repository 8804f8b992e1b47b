// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=approximate-exponents | FileCheck %s

// A soft cap of 50 in front of powers that become f16.

// CHECK-LABEL: func @cap
// CHECK: math.tanh %{{.*}} fastmath<afn>
func.func @cap(%s: vector<4x8xf32>, %row: vector<4x8xf32>, %visible: vector<4x8xi1>) -> (vector<4x8xf16>, vector<4xf32>, vector<4xf32>) {
  %c = arith.constant dense<50.0> : vector<4x8xf32>
  %log2e = arith.constant dense<1.44269502> : vector<4x8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %lowest = arith.constant dense<0xFF800000> : vector<4xf32>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %bent = math.tanh %s : vector<4x8xf32>
  %capped = arith.mulf %bent, %c : vector<4x8xf32>
  %masked = arith.select %visible, %capped, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %max = vector.multi_reduction <maximumf>, %masked, %lowest [1] : vector<4x8xf32> to vector<4xf32>
  %scaled = arith.mulf %masked, %log2e : vector<4x8xf32>
  %d = arith.subf %scaled, %row : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %sum = vector.multi_reduction <add>, %p, %zeros [1] : vector<4x8xf32> to vector<4xf32>
  %h = arith.truncf %p : vector<4x8xf32> to vector<4x8xf16>
  return %h, %max, %sum : vector<4x8xf16>, vector<4xf32>, vector<4xf32>
}

// Without a mask, the maximum is bent once for a row. Factors in front and behind are
// those of the row.

// CHECK-LABEL: func @max_of_cap
// CHECK-SAME: %[[S:[a-z0-9_]+]]: vector<4x8xf32>
// CHECK-DAG: %[[FOURTHS:.+]] = arith.constant dense<2.500000e-01> : vector<4xf32>
// CHECK-DAG: %[[CAPS:.+]] = arith.constant dense<5.000000e+01> : vector<4xf32>
// CHECK: %[[MOST:.+]] = vector.multi_reduction <maximumf>, %[[S]]
// CHECK: %[[SCALED:.+]] = arith.mulf %[[MOST]], %[[FOURTHS]]
// CHECK: %[[PART:.+]] = arith.divf %[[SCALED]], %[[CAPS]]
// CHECK: %[[BENT:.+]] = math.tanh %[[PART]] fastmath<afn> : vector<4xf32>
// CHECK: arith.maximumf %{{.+}}, %[[BENT]]
func.func @max_of_cap(%s: vector<4x8xf32>, %row: vector<4x8xf32>, %before: vector<4xf32>) -> (vector<4x8xf16>, vector<4xf32>) {
  %scale = arith.constant dense<0.25> : vector<4x8xf32>
  %cap = arith.constant dense<50.0> : vector<4x8xf32>
  %0 = arith.mulf %s, %scale : vector<4x8xf32>
  %1 = arith.divf %0, %cap : vector<4x8xf32>
  %2 = math.tanh %1 : vector<4x8xf32>
  %max = vector.multi_reduction <maximumf>, %2, %before [1] : vector<4x8xf32> to vector<4xf32>
  %d = arith.subf %2, %row : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %h = arith.truncf %p : vector<4x8xf32> to vector<4x8xf16>
  return %h, %max : vector<4x8xf16>, vector<4xf32>
}

// The least number is that of the type.

// CHECK-LABEL: func @max_of_half
// CHECK: %[[LEAST:.+]] = arith.constant dense<0xFC00> : vector<4xf16>
// CHECK: vector.multi_reduction <maximumf>, %{{.+}}, %[[LEAST]]
// CHECK: math.tanh %{{.+}} fastmath<afn> : vector<4xf16>
func.func @max_of_half(%s: vector<4x8xf16>, %before: vector<4xf16>) -> vector<4xf16> {
  %bent = math.tanh %s fastmath<afn> : vector<4x8xf16>
  %max = vector.multi_reduction <maximumf>, %bent, %before [1] : vector<4x8xf16> to vector<4xf16>
  return %max : vector<4xf16>
}

// A distance of two positions times a slope, in front of powers that become f16, in
// base e or, if scores are huge, in base 2.

// CHECK-LABEL: func @slope
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<reassoc>
// CHECK: arith.mulf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : vector<8xf32>
func.func @slope(%s: vector<8xf32>, %distance: vector<8xi32>, %slope: f32, %isHuge: i1, %row: vector<8xf32>) -> vector<8xf16> {
  %log2e = arith.constant 1.44269502 : f32
  %one = arith.constant 1.0 : f32
  %slopes = vector.broadcast %slope : f32 to vector<8xf32>
  %float = arith.sitofp %distance : vector<8xi32> to vector<8xf32>
  %bias = arith.mulf %float, %slopes : vector<8xf32>
  %biased = arith.addf %s, %bias : vector<8xf32>
  %factor = arith.select %isHuge, %one, %log2e : f32
  %factors = vector.broadcast %factor : f32 to vector<8xf32>
  %scaled = arith.mulf %biased, %factors : vector<8xf32>
  %d = arith.subf %scaled, %row : vector<8xf32>
  %p = math.exp2 %d : vector<8xf32>
  %h = arith.truncf %p : vector<8xf32> to vector<8xf16>
  return %h : vector<8xf16>
}

// The product is a result, powers stay f32, both factors are positions, or none is.

// CHECK-LABEL: func @negative_slope
// CHECK-NOT: reassoc
// CHECK: return
func.func @negative_slope(%s: vector<8xf32>, %distance: vector<8xi32>, %slope: vector<8xf32>) -> (vector<8xf16>, vector<8xf32>, vector<8xf32>, vector<8xf16>, vector<8xf16>) {
  %float = arith.sitofp %distance : vector<8xi32> to vector<8xf32>
  %0 = arith.mulf %float, %slope : vector<8xf32>
  %1 = math.exp2 %0 : vector<8xf32>
  %2 = arith.truncf %1 : vector<8xf32> to vector<8xf16>
  %3 = arith.addf %float, %s : vector<8xf32>
  %4 = arith.mulf %slope, %float : vector<8xf32>
  %5 = math.exp2 %4 : vector<8xf32>
  %6 = arith.mulf %float, %float : vector<8xf32>
  %7 = math.exp2 %6 : vector<8xf32>
  %8 = arith.truncf %7 : vector<8xf32> to vector<8xf16>
  %9 = arith.mulf %3, %slope : vector<8xf32>
  %10 = math.exp2 %9 : vector<8xf32>
  %11 = arith.truncf %10 : vector<8xf32> to vector<8xf16>
  return %2, %0, %5, %8, %11 : vector<8xf16>, vector<8xf32>, vector<8xf32>, vector<8xf16>, vector<8xf16>
}

// Powers that stay f32, a factor that is too large, a product of two, and a result
// that is used by itself.

// CHECK-LABEL: func @negative_f32
// CHECK: math.tanh %{{[a-z0-9]+}} : vector<8xf32>
func.func @negative_f32(%s: vector<8xf32>) -> vector<8xf32> {
  %bent = math.tanh %s : vector<8xf32>
  %p = math.exp2 %bent : vector<8xf32>
  return %p : vector<8xf32>
}

// CHECK-LABEL: func @negative_factor
// CHECK: math.tanh %{{[a-z0-9]+}} : vector<8xf32>
func.func @negative_factor(%s: vector<8xf32>) -> vector<8xf16> {
  %c = arith.constant dense<200.0> : vector<8xf32>
  %bent = math.tanh %s : vector<8xf32>
  %capped = arith.mulf %bent, %c : vector<8xf32>
  %p = math.exp2 %capped : vector<8xf32>
  %h = arith.truncf %p : vector<8xf32> to vector<8xf16>
  return %h : vector<8xf16>
}

// CHECK-LABEL: func @negative_product
// CHECK: math.tanh %{{[a-z0-9]+}} : vector<8xf32>
func.func @negative_product(%s: vector<8xf32>) -> vector<8xf16> {
  %bent = math.tanh %s : vector<8xf32>
  %product = arith.mulf %bent, %s : vector<8xf32>
  %p = math.exp2 %product : vector<8xf32>
  %h = arith.truncf %p : vector<8xf32> to vector<8xf16>
  return %h : vector<8xf16>
}

// CHECK-LABEL: func @negative_result
// CHECK: math.tanh %{{[a-z0-9]+}} : vector<8xf32>
func.func @negative_result(%s: vector<8xf32>) -> (vector<8xf16>, vector<8xf32>) {
  %bent = math.tanh %s : vector<8xf32>
  %p = math.exp2 %bent : vector<8xf32>
  %h = arith.truncf %p : vector<8xf32> to vector<8xf16>
  return %h, %bent : vector<8xf16>, vector<8xf32>
}

// An activation that is rounded to 16 bits: x / (1 + exp(-x)), times another factor.

// CHECK-LABEL: func @silu
// CHECK: math.exp %{{.*}} fastmath<afn>
func.func @silu(%x: vector<8xf32>, %up: vector<8xf32>) -> vector<8xbf16> {
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %minus = arith.negf %x : vector<8xf32>
  %e = math.exp %minus : vector<8xf32>
  %d = arith.addf %e, %ones : vector<8xf32>
  %s = arith.divf %x, %d : vector<8xf32>
  %p = arith.mulf %s, %up : vector<8xf32>
  %h = arith.truncf %p : vector<8xf32> to vector<8xbf16>
  return %h : vector<8xbf16>
}

// What is not rounded, differences (exp(x) - 1, near 0), a sum with numbers of any
// sign, and a power of a power.

// CHECK-LABEL: func @negative_exp
// CHECK-COUNT-5: math.exp %{{[a-z0-9]+}} : vector<8xf32>
func.func @negative_exp(%x: vector<8xf32>) -> (vector<8xf32>, vector<8xf16>, vector<8xf16>, vector<8xf16>) {
  %minus_one = arith.constant dense<-1.0> : vector<8xf32>
  %e0 = math.exp %x : vector<8xf32>
  %h0 = arith.truncf %e0 : vector<8xf32> to vector<8xf16>
  %y = arith.mulf %x, %x : vector<8xf32>
  %e1 = math.exp %y : vector<8xf32>
  %d1 = arith.addf %e1, %minus_one : vector<8xf32>
  %h1 = arith.truncf %d1 : vector<8xf32> to vector<8xf16>
  %z = arith.negf %y : vector<8xf32>
  %e2 = math.exp %z : vector<8xf32>
  %d2 = arith.addf %e2, %x : vector<8xf32>
  %h2 = arith.truncf %d2 : vector<8xf32> to vector<8xf16>
  %w = arith.addf %x, %y : vector<8xf32>
  %e3 = math.exp %w : vector<8xf32>
  %f3 = math.log %e3 : vector<8xf32>
  %h3 = arith.truncf %f3 : vector<8xf32> to vector<8xf16>
  %e4 = math.exp %e0 : vector<8xf32>
  return %e4, %h1, %h2, %h3 : vector<8xf32>, vector<8xf16>, vector<8xf16>, vector<8xf16>
}

// A subnormal power would be 0: one of two shares is a number, but 0 / 0 is none, and a
// factor may be huge. Behind a sum with 1, and in front of a division by it, 0 will do.

// CHECK-LABEL: func @negative_subnormal
// CHECK-COUNT-3: math.exp %{{[a-z0-9]+}} : vector<8xf32>
// CHECK: math.exp %{{.*}} fastmath<afn>
func.func @negative_subnormal(%x: vector<8xf32>, %y: vector<8xf32>) -> (vector<8xf16>, vector<8xbf16>, vector<8xf16>) {
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %e0 = math.exp %x : vector<8xf32>
  %e1 = math.exp %y : vector<8xf32>
  %s = arith.addf %e0, %e1 : vector<8xf32>
  %share = arith.divf %e0, %s : vector<8xf32>
  %0 = arith.truncf %share : vector<8xf32> to vector<8xf16>
  %z = arith.negf %x : vector<8xf32>
  %e2 = math.exp %z : vector<8xf32>
  %p = arith.mulf %e2, %y : vector<8xf32>
  %1 = arith.truncf %p : vector<8xf32> to vector<8xbf16>
  %w = arith.negf %y : vector<8xf32>
  %e3 = math.exp %w : vector<8xf32>
  %more = arith.addf %e3, %ones : vector<8xf32>
  %q = arith.divf %e3, %more : vector<8xf32>
  %2 = arith.truncf %q : vector<8xf32> to vector<8xf16>
  return %0, %1, %2 : vector<8xf16>, vector<8xbf16>, vector<8xf16>
}
