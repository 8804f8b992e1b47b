// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=merge-masks --canonicalize --cse | FileCheck %s

// Scores behind a diagonal and behind the end: one bound, one select.

// CHECK-LABEL: func @both
// CHECK-SAME: %[[S:.*]]: vector<4x8xf32>, %[[LAST:.*]]: vector<4xi32>, %[[COUNT:.*]]: index
// CHECK-DAG: %[[HIDDEN:.*]] = arith.constant dense<0xFF800000> : vector<4x8xf32>
// CHECK: %[[LESS:.*]] = arith.subi %{{.*}} : i32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[LESS]] : i32 to vector<4xi32>
// CHECK: %[[BOUND:.*]] = arith.minsi %[[LAST]], %[[ALL]]
// CHECK: %[[ROWS:.*]] = vector.broadcast %[[BOUND]] : vector<4xi32> to vector<8x4xi32>
// CHECK: %[[END:.*]] = vector.transpose %[[ROWS]], [1, 0]
// CHECK: %[[VISIBLE:.*]] = arith.cmpi sle, %{{.*}}, %[[END]]
// CHECK-NOT: create_mask
// CHECK: %[[SCORES:.*]] = arith.select %[[VISIBLE]], %[[S]], %[[HIDDEN]]
// CHECK: %[[MAX:.*]] = vector.multi_reduction <maximumf>, %[[SCORES]]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[SCORES]]
// CHECK: %[[D:.*]] = arith.subf %[[SCALED]]
// CHECK: %[[W:.*]] = math.exp2 %[[D]]
// CHECK: vector.multi_reduction <add>, %[[W]]
func.func @both(%s: vector<4x8xf32>, %last: vector<4xi32>, %count: index) -> vector<4xf32> {
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %c = arith.constant dense<1.5> : vector<4x8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %lowest = arith.constant dense<0xFF800000> : vector<4xf32>
  %step = vector.step : vector<8xindex>
  %number = arith.index_cast %step : vector<8xindex> to vector<8xi32>
  %n = vector.broadcast %number : vector<8xi32> to vector<4x8xi32>
  %columns = vector.broadcast %last : vector<4xi32> to vector<8x4xi32>
  %m = vector.transpose %columns, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %n, %m : vector<4x8xi32>
  %t = arith.select %visible, %s, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %exists = vector.create_mask %c4, %count : vector<4x8xi1>
  %u = arith.select %exists, %t, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %max = vector.multi_reduction <maximumf>, %u, %lowest [1] : vector<4x8xf32> to vector<4xf32>
  %none = arith.cmpf oeq, %max, %lowest : vector<4xf32>
  %guarded = arith.select %none, %zeros, %max : vector<4xi1>, vector<4xf32>
  %row = vector.broadcast %guarded : vector<4xf32> to vector<8x4xf32>
  %r = vector.transpose %row, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %scaled = arith.mulf %t, %c : vector<4x8xf32>
  %d = arith.subf %scaled, %r : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %w = arith.select %exists, %p, %zero : vector<4x8xi1>, vector<4x8xf32>
  %sum = vector.multi_reduction <add>, %w, %zeros [1] : vector<4x8xf32> to vector<4xf32>
  return %sum : vector<4xf32>
}

// Scores are scaled by one of two numbers, which a row chooses.

// CHECK-LABEL: func @either_factor
// CHECK: arith.select %{{.*}} : vector<4x8xi1>
// CHECK-NOT: arith.select %{{.*}} : vector<4x8xi1>
// CHECK: return
func.func @either_factor(%s: vector<4x8xf32>, %last: vector<4xi32>, %count: index, %isHuge: vector<4xi1>, %isNone: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %one = arith.constant dense<1.0> : vector<4xf32>
  %log2e = arith.constant dense<1.44269502> : vector<4xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %lowest = arith.constant dense<0xFF800000> : vector<4xf32>
  %step = vector.step : vector<8xindex>
  %number = arith.index_cast %step : vector<8xindex> to vector<8xi32>
  %n = vector.broadcast %number : vector<8xi32> to vector<4x8xi32>
  %columns = vector.broadcast %last : vector<4xi32> to vector<8x4xi32>
  %m = vector.transpose %columns, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %n, %m : vector<4x8xi32>
  %t = arith.select %visible, %s, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %exists = vector.create_mask %c4, %count : vector<4x8xi1>
  %u = arith.select %exists, %t, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %max = vector.multi_reduction <maximumf>, %u, %lowest [1] : vector<4x8xf32> to vector<4xf32>
  %none = arith.cmpf oeq, %max, %lowest : vector<4xf32>
  %guarded = arith.select %none, %zeros, %max : vector<4xi1>, vector<4xf32>
  %factor = arith.select %isHuge, %one, %log2e : vector<4xi1>, vector<4xf32>
  %row = vector.broadcast %guarded : vector<4xf32> to vector<8x4xf32>
  %r = vector.transpose %row, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %wide = vector.broadcast %factor : vector<4xf32> to vector<8x4xf32>
  %factors = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %scaled = arith.mulf %t, %factors : vector<4x8xf32>
  %d = arith.subf %scaled, %r : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %w = arith.select %exists, %p, %zero : vector<4x8xi1>, vector<4x8xf32>
  %sum = vector.multi_reduction <add>, %w, %zeros [1] : vector<4x8xf32> to vector<4xf32>
  return %sum, %max : vector<4xf32>, vector<4xf32>
}

// A maximum that may be -infinity: the power of a hidden score would be NaN.

// CHECK-LABEL: func @negative_not_guarded
// CHECK: %[[P:.*]] = math.exp2
// CHECK: arith.select %{{.*}}, %[[P]]
func.func @negative_not_guarded(%s: vector<4x8xf32>, %visible: vector<4x8xi1>, %exists: vector<4x8xi1>, %max: vector<4x8xf32>) -> (vector<4x8xf32>, vector<4x8xf32>) {
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %t = arith.select %visible, %s, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %u = arith.select %exists, %t, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %d = arith.subf %t, %max : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %w = arith.select %exists, %p, %zero : vector<4x8xi1>, vector<4x8xf32>
  return %u, %w : vector<4x8xf32>, vector<4x8xf32>
}

// Only the end hides scores; a factor below 0 would make 2^infinity.

// CHECK-LABEL: func @negative_one_mask
// CHECK: %[[P:.*]] = math.exp2
// CHECK: arith.select %{{.*}}, %[[P]]
func.func @negative_one_mask(%s: vector<8xf32>, %exists: vector<8xi1>) -> (vector<8xf32>, vector<8xf32>) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %one = arith.constant dense<1.0> : vector<8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<8xf32>
  %u = arith.select %exists, %s, %hidden : vector<8xi1>, vector<8xf32>
  %d = arith.subf %s, %one : vector<8xf32>
  %p = math.exp2 %d : vector<8xf32>
  %w = arith.select %exists, %p, %zero : vector<8xi1>, vector<8xf32>
  return %u, %w : vector<8xf32>, vector<8xf32>
}

// CHECK-LABEL: func @negative_factor
// CHECK: %[[P:.*]] = math.exp2
// CHECK: arith.select %{{.*}}, %[[P]]
func.func @negative_factor(%s: vector<8xf32>, %visible: vector<8xi1>, %exists: vector<8xi1>) -> (vector<8xf32>, vector<8xf32>) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %one = arith.constant dense<1.0> : vector<8xf32>
  %c = arith.constant dense<-2.0> : vector<8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<8xf32>
  %t = arith.select %visible, %s, %hidden : vector<8xi1>, vector<8xf32>
  %u = arith.select %exists, %t, %hidden : vector<8xi1>, vector<8xf32>
  %scaled = arith.mulf %t, %c : vector<8xf32>
  %d = arith.subf %scaled, %one : vector<8xf32>
  %p = math.exp2 %d : vector<8xf32>
  %w = arith.select %exists, %p, %zero : vector<8xi1>, vector<8xf32>
  return %u, %w : vector<8xf32>, vector<8xf32>
}

// Different other values, and a mask of rows.

// CHECK-LABEL: func @negative_selects
// CHECK: arith.select
// CHECK: arith.select
func.func @negative_selects(%a: vector<8xi1>, %b: vector<8xi1>, %x: vector<8xf32>, %y: vector<8xf32>, %z: vector<8xf32>) -> vector<8xf32> {
  %t = arith.select %a, %x, %y : vector<8xi1>, vector<8xf32>
  %u = arith.select %b, %t, %z : vector<8xi1>, vector<8xf32>
  return %u : vector<8xf32>
}

// CHECK-LABEL: func @negative_mask_of_rows
// CHECK: vector.create_mask
// CHECK: arith.andi
func.func @negative_mask_of_rows(%last: vector<4xi32>, %rows: index, %count: index) -> vector<4x8xi1> {
  %step = vector.step : vector<8xindex>
  %number = arith.index_cast %step : vector<8xindex> to vector<8xi32>
  %n = vector.broadcast %number : vector<8xi32> to vector<4x8xi32>
  %columns = vector.broadcast %last : vector<4xi32> to vector<8x4xi32>
  %m = vector.transpose %columns, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %n, %m : vector<4x8xi32>
  %exists = vector.create_mask %rows, %count : vector<4x8xi1>
  %both = arith.andi %visible, %exists : vector<4x8xi1>
  return %both : vector<4x8xi1>
}

// The least number of f32 guards the maximum, but its product is -infinity.

// CHECK-LABEL: func @negative_guard_overflows
// CHECK: %[[P:.*]] = math.exp2
// CHECK: arith.select %{{.*}}, %[[P]]
func.func @negative_guard_overflows(%s: vector<4x8xf32>, %last: vector<4x8xi32>, %n: vector<8x4xi32>, %exists: vector<4x8xi1>) -> (vector<4x8xf32>, vector<4x8xf32>) {
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %c = arith.constant dense<1.5> : vector<4x8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %least = arith.constant dense<-3.40282347e+38> : vector<4x8xf32>
  %m = vector.transpose %n, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %m, %last : vector<4x8xi32>
  %t = arith.select %visible, %s, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %u = arith.select %exists, %t, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %max = arith.maximumf %u, %least : vector<4x8xf32>
  %scaled = arith.mulf %t, %c : vector<4x8xf32>
  %most = arith.mulf %max, %c : vector<4x8xf32>
  %d = arith.subf %scaled, %most : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %w = arith.select %exists, %p, %zero : vector<4x8xi1>, vector<4x8xf32>
  return %u, %w : vector<4x8xf32>, vector<4x8xf32>
}

// The guard replaces what is not -infinity: the maximum may still be.

// CHECK-LABEL: func @negative_other_guard
// CHECK: %[[P:.*]] = math.exp2
// CHECK: arith.select %{{.*}}, %[[P]]
func.func @negative_other_guard(%s: vector<4x8xf32>, %last: vector<8x4xi32>, %n: vector<4x8xi32>, %exists: vector<4x8xi1>, %max: vector<4x8xf32>) -> (vector<4x8xf32>, vector<4x8xf32>) {
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %m = vector.transpose %last, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %n, %m : vector<4x8xi32>
  %t = arith.select %visible, %s, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %u = arith.select %exists, %t, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %some = arith.cmpf one, %max, %hidden : vector<4x8xf32>
  %guarded = arith.select %some, %zero, %max : vector<4x8xi1>, vector<4x8xf32>
  %d = arith.subf %t, %guarded : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %w = arith.select %exists, %p, %zero : vector<4x8xi1>, vector<4x8xf32>
  return %u, %w : vector<4x8xf32>, vector<4x8xf32>
}

// With a guard that holds, but the power has another user: it is computed anyway.

// CHECK-LABEL: func @negative_power_used
// CHECK: %[[P:.*]] = math.exp2
// CHECK-NOT: math.exp2
// CHECK: arith.select %{{.*}}, %[[P]]
func.func @negative_power_used(%s: vector<4x8xf32>, %last: vector<8x4xi32>, %n: vector<4x8xi32>, %exists: vector<4x8xi1>, %max: vector<4x8xf32>) -> (vector<4x8xf32>, vector<4x8xf32>, vector<4x8xf32>) {
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %m = vector.transpose %last, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %n, %m : vector<4x8xi32>
  %t = arith.select %visible, %s, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %u = arith.select %exists, %t, %hidden : vector<4x8xi1>, vector<4x8xf32>
  %none = arith.cmpf oeq, %max, %hidden : vector<4x8xf32>
  %guarded = arith.select %none, %zero, %max : vector<4x8xi1>, vector<4x8xf32>
  %d = arith.subf %t, %guarded : vector<4x8xf32>
  %p = math.exp2 %d : vector<4x8xf32>
  %w = arith.select %exists, %p, %zero : vector<4x8xi1>, vector<4x8xf32>
  return %u, %w, %p : vector<4x8xf32>, vector<4x8xf32>, vector<4x8xf32>
}

// In a kernel that will be rotated, bounds are merged in a loop of several iterations only if
// another loop goes on with its results, up to where it began.

// CHECK-LABEL: func @rotated_in_front
// CHECK: scf.for
// CHECK-NOT: vector.create_mask
// CHECK: arith.minsi %{{.*}} : vector<4xi32>
// CHECK: scf.for
// CHECK: vector.create_mask
// CHECK: arith.andi %{{.*}} : vector<4x8xi1>
func.func @rotated_in_front(%s: vector<4x8xf32>, %last: vector<4xi32>, %first: index, %n: index, %m: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %hidden = arith.constant dense<0xFF800000> : vector<4x8xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %step = vector.step : vector<8xindex>
    %columns = arith.index_cast %step : vector<8xindex> to vector<8xi32>
    %number = vector.broadcast %columns : vector<8xi32> to vector<4x8xi32>
    %rows = vector.broadcast %last : vector<4xi32> to vector<8x4xi32>
    %bound = vector.transpose %rows, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
    %0 = scf.for %k = %first to %n step %c8 iter_args(%sum = %s) -> (vector<4x8xf32>) {
      %before = arith.cmpi sle, %number, %bound : vector<4x8xi32>
      %left = arith.subi %n, %k : index
      %exists = vector.create_mask %c4, %left : vector<4x8xi1>
      %visible = arith.andi %before, %exists : vector<4x8xi1>
      %kept = arith.select %visible, %sum, %hidden : vector<4x8xi1>, vector<4x8xf32>
      scf.yield %kept : vector<4x8xf32>
    }
    %1 = scf.for %k = %c0 to %first step %c8 iter_args(%sum = %0) -> (vector<4x8xf32>) {
      %before = arith.cmpi sle, %number, %bound : vector<4x8xi32>
      %left = arith.subi %n, %k : index
      %exists = vector.create_mask %c4, %left : vector<4x8xi1>
      %visible = arith.andi %before, %exists : vector<4x8xi1>
      %kept = arith.select %visible, %sum, %hidden : vector<4x8xi1>, vector<4x8xf32>
      scf.yield %kept : vector<4x8xf32>
    }
    vector.transfer_write %1, %m[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 384 : i64, way = "roles"}}
  return
}

// A third condition, such as the start of a window, is between both.

// CHECK-LABEL: func @third_condition
// CHECK-SAME: %{{.*}}: vector<4xi32>, %[[THIRD:.*]]: vector<4x8xi1>, %[[COUNT:.*]]: index
// CHECK-NOT: create_mask
// CHECK: %[[BOUND:.*]] = arith.minsi {{.*}} : vector<4xi32>
// CHECK: %[[ROWS:.*]] = vector.broadcast %[[BOUND]] : vector<4xi32> to vector<8x4xi32>
// CHECK: %[[END:.*]] = vector.transpose %[[ROWS]], [1, 0]
// CHECK: %[[VISIBLE:.*]] = arith.cmpi sle, %{{.*}}, %[[END]]
// CHECK: %[[ALL:.*]] = arith.andi %[[THIRD]], %[[VISIBLE]]
// CHECK: return %[[ALL]]
func.func @third_condition(%last: vector<4xi32>, %third: vector<4x8xi1>, %count: index) -> vector<4x8xi1> {
  %c4 = arith.constant 4 : index
  %step = vector.step : vector<8xindex>
  %number = arith.index_cast %step : vector<8xindex> to vector<8xi32>
  %n = vector.broadcast %number : vector<8xi32> to vector<4x8xi32>
  %columns = vector.broadcast %last : vector<4xi32> to vector<8x4xi32>
  %m = vector.transpose %columns, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %n, %m : vector<4x8xi32>
  %both = arith.andi %third, %visible : vector<4x8xi1>
  %exists = vector.create_mask %c4, %count : vector<4x8xi1>
  %all = arith.andi %both, %exists : vector<4x8xi1>
  return %all : vector<4x8xi1>
}

// Nothing is merged if the conjunction with the third condition is used elsewhere.

// CHECK-LABEL: func @negative_conjunction_used
// CHECK: arith.andi
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: arith.andi %{{.*}}, %[[MASK]]
func.func @negative_conjunction_used(%last: vector<4xi32>, %third: vector<4x8xi1>, %count: index) -> (vector<4x8xi1>, vector<4x8xi1>) {
  %c4 = arith.constant 4 : index
  %step = vector.step : vector<8xindex>
  %number = arith.index_cast %step : vector<8xindex> to vector<8xi32>
  %n = vector.broadcast %number : vector<8xi32> to vector<4x8xi32>
  %columns = vector.broadcast %last : vector<4xi32> to vector<8x4xi32>
  %m = vector.transpose %columns, [1, 0] : vector<8x4xi32> to vector<4x8xi32>
  %visible = arith.cmpi sle, %n, %m : vector<4x8xi32>
  %both = arith.andi %third, %visible : vector<4x8xi1>
  %exists = vector.create_mask %c4, %count : vector<4x8xi1>
  %all = arith.andi %both, %exists : vector<4x8xi1>
  return %both, %all : vector<4x8xi1>, vector<4x8xi1>
}
