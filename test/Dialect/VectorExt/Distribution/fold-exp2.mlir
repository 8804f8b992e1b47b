// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=fold-exp2 | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-simplify | FileCheck %s

// The scale takes the factor; the maximum has it in front of its broadcast.

// CHECK-LABEL: func @difference
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[MAX:.*]]: vector<4x1xf32>
// CHECK-DAG: %[[SCALE:.*]] = arith.constant dense<0.180336878> : vector<4x8xf32>
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant dense<1.44269502> : vector<4x1xf32>
// CHECK-DAG: %[[SCORES:.*]] = arith.mulf %[[X]], %[[SCALE]]
// CHECK-DAG: %[[SCALED:.*]] = arith.mulf %[[MAX]], %[[LOG2E]]
// CHECK: %[[ROWS:.*]] = vector.broadcast %[[SCALED]]
// CHECK: %[[D:.*]] = arith.subf %[[SCORES]], %[[ROWS]]
// CHECK: math.exp2 %[[D]]
func.func @difference(%x: vector<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %s = arith.mulf %x, %c : vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %s, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// CHECK-LABEL: func @negative_no_difference
// CHECK: math.exp %
func.func @negative_no_difference(%x: vector<4xf32>) -> vector<4xf32> {
  %p = math.exp %x : vector<4xf32>
  return %p : vector<4xf32>
}

// The least f32 has no product with log2(e). What is put in the place of scores
// becomes a number of its own, and so does a maximum of nothing else.

// CHECK-LABEL: func @hidden
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[HIDDEN:.*]]: vector<4x8xi1>, %[[MAX:.*]]: vector<4x1xf32>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-3.40282347E+38> : vector<4x8xf32>
// CHECK-DAG: %[[LEAST_ROW:.*]] = arith.constant dense<-3.40282347E+38> : vector<4x1xf32>
// CHECK-DAG: %[[SCORES:.*]] = arith.select %[[HIDDEN]], %[[LEAST]], %{{.*}}
// CHECK-DAG: %[[SCALED:.*]] = arith.mulf %[[MAX]], %{{.*}} : vector<4x1xf32>
// CHECK: %[[BOUNDED:.*]] = arith.maximumf %[[SCALED]], %[[LEAST_ROW]]
// CHECK: %[[ROWS:.*]] = vector.broadcast %[[BOUNDED]]
// CHECK: %[[D:.*]] = arith.subf %[[SCORES]], %[[ROWS]]
// CHECK: math.exp2 %[[D]]
func.func @hidden(%x: vector<4x8xf32>, %hidden: vector<4x8xi1>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %least = arith.constant dense<-3.40282347E+38> : vector<4x8xf32>
  %s = arith.mulf %x, %c : vector<4x8xf32>
  %h = arith.select %hidden, %least, %s : vector<4x8xi1>, vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %h, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// So does a constant from 2^27 on, of which a target may round one product and not
// the other.

// CHECK-LABEL: func @hidden_by_large
// CHECK-DAG: %[[LARGE:.*]] = arith.constant dense<-1.44269504E+9> : vector<4x8xf32>
// CHECK-DAG: arith.select %{{.*}}, %[[LARGE]], %{{.*}}
// CHECK: arith.maximumf
// CHECK: math.exp2
func.func @hidden_by_large(%x: vector<4x8xf32>, %hidden: vector<4x8xi1>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %large = arith.constant dense<-1.0e9> : vector<4x8xf32>
  %s = arith.mulf %x, %c : vector<4x8xf32>
  %h = arith.select %hidden, %large, %s : vector<4x8xi1>, vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %h, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// -10000 is small enough.

// CHECK-LABEL: func @hidden_by_small
// CHECK-NOT: arith.maximumf
// CHECK: math.exp2
func.func @hidden_by_small(%x: vector<4x8xf32>, %hidden: vector<4x8xi1>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %small = arith.constant dense<-1.0e4> : vector<4x8xf32>
  %s = arith.mulf %x, %c : vector<4x8xf32>
  %h = arith.select %hidden, %small, %s : vector<4x8xi1>, vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %h, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// What rescales a state has a difference for itself: it is 1 exactly if the maximum
// stays.

// CHECK-LABEL: func @rescaled
// CHECK-SAME: %[[OLD:.*]]: vector<4x1xf32>, %[[NEW:.*]]: vector<4x1xf32>
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant dense<1.44269502> : vector<4x1xf32>
// CHECK: %[[D:.*]] = arith.subf %[[OLD]], %[[NEW]]
// CHECK: %[[E:.*]] = arith.mulf %[[D]], %[[LOG2E]]
// CHECK: math.exp2 %[[E]]
func.func @rescaled(%old: vector<4x1xf32>, %new: vector<4x1xf32>) -> vector<4x1xf32> {
  %d = arith.subf %old, %new : vector<4x1xf32>
  %p = math.exp %d : vector<4x1xf32>
  return %p : vector<4x1xf32>
}

// Also where both are broadcast.

// CHECK-LABEL: func @rescaled_scalar
// CHECK: %[[OLD:.*]] = vector.broadcast
// CHECK: %[[NEW:.*]] = vector.broadcast
// CHECK: %[[D:.*]] = arith.subf %[[OLD]], %[[NEW]]
// CHECK: %[[E:.*]] = arith.mulf %[[D]]
// CHECK: math.exp2 %[[E]]
func.func @rescaled_scalar(%old: f32, %new: f32) -> vector<1xf32> {
  %o = vector.broadcast %old : f32 to vector<1xf32>
  %n = vector.broadcast %new : f32 to vector<1xf32>
  %d = arith.subf %o, %n : vector<1xf32>
  %p = math.exp %d : vector<1xf32>
  return %p : vector<1xf32>
}

// A guard between the broadcast and the difference leaves the maximum shared.

// CHECK-LABEL: func @guarded
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<4x8xf32>
// CHECK: %[[ROWS:.*]] = arith.select
// CHECK: %[[D:.*]] = arith.subf %[[SCALED]], %[[ROWS]]
// CHECK: math.exp2 %[[D]]
func.func @guarded(%x: vector<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %inf = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %s = arith.mulf %x, %c : vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %none = arith.cmpf oeq, %m, %inf : vector<4x8xf32>
  %g = arith.select %none, %zero, %m : vector<4x8xi1>, vector<4x8xf32>
  %d = arith.subf %s, %g : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// What is added to scores may be as large: a row whose maximum is has the factor 1.

// CHECK-LABEL: func @added
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant dense<1.44269502> : vector<4x1xf32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<4x1xf32>
// CHECK-DAG: %[[LARGE:.*]] = arith.constant dense<0x4D000000> : vector<4x1xf32>
// CHECK: %[[SIZE:.*]] = math.absf %[[MAX:.*]] : vector<4x1xf32>
// CHECK: %[[HUGE:.*]] = arith.cmpf oge, %[[SIZE]], %[[LARGE]]
// CHECK: %[[FACTOR:.*]] = arith.select %[[HUGE]], %[[ONE]], %[[LOG2E]]
// CHECK: %[[FACTORS:.*]] = vector.broadcast %[[FACTOR]] : vector<4x1xf32> to vector<4x8xf32>
// CHECK: arith.mulf %{{.*}}, %[[FACTORS]] : vector<4x8xf32>
// CHECK: arith.mulf %[[MAX]], %{{.*}} : vector<4x1xf32>
// CHECK: math.exp2
func.func @added(%x: vector<4x8xf32>, %mask: memref<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %b = vector.transfer_read %mask[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
  %s = arith.addf %x, %b : vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %s, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// A row without scores has a bound as its maximum, whose product would be infinite.

// CHECK-LABEL: func @bounded
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-3.40282347E+38> : vector<4x1xf32>
// CHECK: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<4x1xf32>
// CHECK: arith.maximumf %[[PRODUCT]], %[[LEAST]] : vector<4x1xf32>
// CHECK: math.exp2
func.func @bounded(%a: vector<4x16xf16>, %b: vector<8x16xf16>, %zero: vector<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %s = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %zero
    : vector<4x16xf16>, vector<8x16xf16> into vector<4x8xf32>
  %least = arith.constant dense<-3.0e38> : vector<4x1xf32>
  %m = arith.maximumf %max, %least : vector<4x1xf32>
  %g = vector.broadcast %m : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %s, %g : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// CHECK-LABEL: func @negative_bounded
// CHECK-NOT: arith.maximumf %{{.*}} : vector<4x1xf32>
// CHECK: return
func.func @negative_bounded(%a: vector<4x16xf16>, %b: vector<8x16xf16>, %zero: vector<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %s = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %zero
    : vector<4x16xf16>, vector<8x16xf16> into vector<4x8xf32>
  %g = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %s, %g : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// What a product starts from may be a mask: the base of huge rows does not matter.

// CHECK-LABEL: func @added_first
// CHECK: math.absf
// CHECK: arith.cmpf oge
// CHECK: math.exp2
func.func @added_first(%a: vector<4x16xf16>, %b: vector<8x16xf16>, %mask: memref<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = vector.transfer_read %mask[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
  %s = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %m
    : vector<4x16xf16>, vector<8x16xf16> into vector<4x8xf32>
  %g = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %s, %g : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// Sums with keys of few bits times the scale of their tensor are not huge: the factor is a
// constant. Other sums times a scale may be.

// CHECK-LABEL: func @scaled_cache
//   CHECK-NOT: arith.cmpf
//       CHECK: math.exp2
// CHECK-LABEL: func @scaled_sum
//       CHECK: arith.cmpf oge
//       CHECK: math.exp2
func.func @scaled_cache(%a: vector<4x16xbf16>, %b: vector<8x16xi8>, %scale: memref<bf16>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %keys = arith.sitofp %b : vector<8x16xi8> to vector<8x16xbf16>
  %s = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %keys, %zero
    : vector<4x16xbf16>, vector<8x16xbf16> into vector<4x8xf32>
  %number = memref.load %scale[] : memref<bf16>
  %wide = arith.extf %number : bf16 to f32
  %scales = vector.broadcast %wide : f32 to vector<4x8xf32>
  %scores = arith.mulf %s, %scales : vector<4x8xf32>
  %g = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %scores, %g : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}
func.func @scaled_sum(%a: vector<4x16xbf16>, %b: vector<8x16xbf16>, %scale: memref<bf16>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %s = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %zero
    : vector<4x16xbf16>, vector<8x16xbf16> into vector<4x8xf32>
  %number = memref.load %scale[] : memref<bf16>
  %wide = arith.extf %number : bf16 to f32
  %scales = vector.broadcast %wide : f32 to vector<4x8xf32>
  %scores = arith.mulf %s, %scales : vector<4x8xf32>
  %g = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %scores, %g : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}
