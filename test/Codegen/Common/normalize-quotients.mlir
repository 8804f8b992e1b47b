// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// The position of the last dimension is in the chunk of the other one.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @same_chunk
// CHECK:       %[[I:.*]] = linalg.index 0
// CHECK:       %[[J:.*]] = linalg.index 1
// CHECK:       %[[Q:.*]] = arith.divsi %[[I]], %c4
// CHECK:       %[[START:.*]] = arith.muli %[[Q]], %c4
// CHECK-DAG:   %[[FROM:.*]] = arith.cmpi sge, %[[J]], %[[START]]
// CHECK-DAG:   %[[END:.*]] = arith.addi %[[START]], %c4
// CHECK-DAG:   %[[BEFORE:.*]] = arith.cmpi slt, %[[J]], %[[END]]
// CHECK:       arith.andi %[[FROM]], %[[BEFORE]]
func.func @same_chunk(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.floordivsi %i, %c4 : index
    %q = arith.floordivsi %j, %c4 : index
    %c = arith.cmpi eq, %q, %p : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// What is not behind a position is not behind its chunk.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @same_chunk_in_front
// CHECK:       %[[I:.*]] = linalg.index 0
// CHECK:       %[[J:.*]] = linalg.index 1
// CHECK:       %[[Q:.*]] = arith.divsi %[[I]], %c4
// CHECK:       %[[START:.*]] = arith.muli %[[Q]], %c4
// CHECK:       %[[FROM:.*]] = arith.cmpi sge, %[[J]], %[[START]]
// CHECK:       %[[PAST:.*]] = arith.cmpi ule, %[[J]], %[[I]]
// CHECK-NOT:   arith.cmpi
// CHECK:       arith.andi %[[FROM]], %[[PAST]]
func.func @same_chunk_in_front(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c4 : index
    %q = arith.divui %j, %c4 : index
    %same = arith.cmpi eq, %p, %q : index
    %past = arith.cmpi ule, %j, %i : index
    %c = arith.andi %same, %past : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// Another chunk is in front or behind. Shifts are quotients.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @other_chunk
// CHECK:       %[[I:.*]] = linalg.index 0
// CHECK:       %[[J:.*]] = linalg.index 1
// CHECK:       %[[Q:.*]] = arith.divsi %[[I]], %c4
// CHECK:       %[[START:.*]] = arith.muli %[[Q]], %c4
// CHECK-DAG:   %[[BEFORE:.*]] = arith.cmpi slt, %[[J]], %[[START]]
// CHECK-DAG:   %[[END:.*]] = arith.addi %[[START]], %c4
// CHECK-DAG:   %[[FROM:.*]] = arith.cmpi sge, %[[J]], %[[END]]
// CHECK:       arith.ori %[[BEFORE]], %[[FROM]]
func.func @other_chunk(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.shrui %i, %c2 : index
    %q = arith.shrsi %j, %c2 : index
    %c = arith.cmpi ne, %p, %q : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// Two chunks: that of a position, and the one in front of it. The quotients are in either order.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @chunk_in_front
// CHECK:       %[[I:.*]] = linalg.index 0
// CHECK:       %[[J:.*]] = linalg.index 1
// CHECK:       %[[Q:.*]] = arith.divsi %[[I]], %c4
// CHECK:       %[[START:.*]] = arith.muli %[[Q]], %c4
// CHECK-DAG:   %[[BEGIN:.*]] = arith.addi %[[START]], %c-4
// CHECK-DAG:   %[[FROM:.*]] = arith.cmpi sge, %[[J]], %[[BEGIN]]
// CHECK-DAG:   %[[END:.*]] = arith.addi %[[START]], %c4
// CHECK-DAG:   %[[BEFORE:.*]] = arith.cmpi slt, %[[J]], %[[END]]
// CHECK:       arith.andi %[[FROM]], %[[BEFORE]]
func.func @chunk_in_front(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c4 : index
    %q = arith.divsi %j, %c4 : index
    %before = arith.subi %p, %c1 : index
    %near = arith.cmpi sle, %before, %q : index
    %d = arith.subi %q, %p : index
    %notAfter = arith.cmpi slt, %d, %c1 : index
    %c = arith.andi %near, %notAfter : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// A distance of chunks is 0 where they are one.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @distance_is_zero
// CHECK-NOT:   math.absi
// CHECK:       arith.muli
// CHECK:       arith.cmpi sge
// CHECK:       arith.cmpi slt
func.func @distance_is_zero(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c4 : index
    %q = arith.divsi %j, %c4 : index
    %d = arith.subi %q, %p : index
    %n = math.absi %d : index
    %c = arith.cmpi eq, %n, %c0 : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// A quotient of positions that is rounded down in f64 is one of integers.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @in_f64
// CHECK-NOT:   math.floor
// CHECK:       %[[Q:.*]] = arith.divsi %{{.*}}, %c4_i64
// CHECK:       arith.muli %[[Q]], %c4_i64
func.func @in_f64(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %f4 = arith.constant 4.0 : f64
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.index_cast %i : index to i64
    %jn = arith.index_cast %j : index to i64
    %fi = arith.sitofp %in : i64 to f64
    %fj = arith.sitofp %jn : i64 to f64
    %di = arith.divf %fi, %f4 : f64
    %dj = arith.divf %fj, %f4 : f64
    %li = math.floor %di : f64
    %lj = math.floor %dj : f64
    %p = arith.fptosi %li : f64 to i64
    %q = arith.fptosi %lj : f64 to i64
    %c = arith.cmpi eq, %p, %q : i64
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// So is one of any integer of 32 bits, which may be negative.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @in_f64_loaded
// CHECK-NOT:   math.floor
// CHECK:       arith.floordivsi %{{.*}}, %c4_i32
func.func @in_f64_loaded(%x: tensor<8x9xf32>, %r: tensor<8xi32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %f4 = arith.constant 4.0 : f64
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #row, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %r : tensor<8x9xf32>, tensor<8xi32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %n: i32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %f = arith.sitofp %n : i32 to f64
    %d = arith.divf %f, %f4 : f64
    %l = math.floor %d : f64
    %p = arith.fptosi %l : f64 to i32
    %in = arith.index_cast %i : index to i32
    %c = arith.cmpi eq, %p, %in : i32
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// An integer of 64 bits may be above 2^53, where f64 rounds.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_in_f64_loaded
// CHECK:       math.floor
func.func @negative_in_f64_loaded(%x: tensor<8x9xf32>, %r: tensor<8xi64>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %f4 = arith.constant 4.0 : f64
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #row, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %r : tensor<8x9xf32>, tensor<8xi64>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %n: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %f = arith.sitofp %n : i64 to f64
    %d = arith.divf %f, %f4 : f64
    %l = math.floor %d : f64
    %p = arith.fptosi %l : f64 to i64
    %in = arith.index_cast %i : index to i64
    %c = arith.cmpi eq, %p, %in : i64
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// f32 rounds quotients of numbers above 2^24.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_in_f32
// CHECK:       math.floor
func.func @negative_in_f32(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %f4 = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.index_cast %i : index to i64
    %f = arith.sitofp %in : i64 to f32
    %d = arith.divf %f, %f4 : f32
    %l = math.floor %d : f32
    %p = arith.fptosi %l : f32 to i64
    %jn = arith.index_cast %j : index to i64
    %c = arith.cmpi eq, %p, %jn : i64
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// 4.5 is no integer.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_fraction
// CHECK:       math.floor
func.func @negative_fraction(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %f4 = arith.constant 4.5 : f64
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.index_cast %i : index to i64
    %f = arith.sitofp %in : i64 to f64
    %d = arith.divf %f, %f4 : f64
    %l = math.floor %d : f64
    %p = arith.fptosi %l : f64 to i64
    %jn = arith.index_cast %j : index to i64
    %c = arith.cmpi eq, %p, %jn : i64
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// The quotient of a difference may be negative, and arith.divsi then rounds up.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_rounded_to_zero
// CHECK-NOT:   arith.muli
// CHECK:       arith.cmpi eq
func.func @negative_rounded_to_zero(%x: tensor<8x9xf32>, %n: index) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %u = arith.subi %i, %n : index
    %w = arith.subi %j, %n : index
    %p = arith.divsi %u, %c4 : index
    %q = arith.divsi %w, %c4 : index
    %c = arith.cmpi eq, %p, %q : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// arith.floordivsi rounds down, whatever the sign.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @counted_from
// CHECK:       %[[Q:.*]] = arith.floordivsi
// CHECK:       %[[START:.*]] = arith.muli %[[Q]], %c4
// CHECK:       arith.cmpi sge, %{{.*}}, %[[START]]
// CHECK-NOT:   arith.cmpi slt
func.func @counted_from(%x: tensor<8x9xf32>, %n: index) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %u = arith.subi %i, %n : index
    %w = arith.subi %j, %n : index
    %p = arith.floordivsi %u, %c4 : index
    %q = arith.floordivsi %w, %c4 : index
    %same = arith.cmpi eq, %p, %q : index
    %past = arith.cmpi sle, %j, %i : index
    %c = arith.andi %same, %past : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// Chunks of two sizes.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_two_divisors
// CHECK-NOT:   arith.muli
// CHECK:       arith.cmpi eq
func.func @negative_two_divisors(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c4 : index
    %q = arith.divsi %j, %c3 : index
    %c = arith.cmpi eq, %p, %q : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// What is not more than 4 behind a position may be in the chunk behind.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_end_of_next
// CHECK:       arith.cmpi sge
// CHECK:       arith.cmpi slt
// CHECK:       arith.cmpi sge, %{{.*}}, %c-4
func.func @negative_end_of_next(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c4 : index
    %q = arith.divsi %j, %c4 : index
    %same = arith.cmpi eq, %p, %q : index
    %k = arith.addi %i, %c4 : index
    %past = arith.cmpi sle, %j, %k : index
    %c = arith.andi %same, %past : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// A quotient less 1 where the signs differ and something remains, as floor_divide of JAX; a remainder
// with the sign of its divisor, as that of PyTorch. Positions have neither.
#m = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @sign_of_remainder
// CHECK-NOT:   arith.shrsi
// CHECK-NOT:   arith.remsi
// CHECK:       %[[Q:.*]] = arith.divsi %{{.*}}, %c4_i32
// CHECK-NOT:   arith.subi
// CHECK:       arith.cmpi eq, %[[Q]]
func.func @sign_of_remainder(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k4 = arith.constant 4 : i32
  %k31 = arith.constant 31 : i32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %jn = arith.index_cast %j : index to i32
    %p = arith.divsi %n, %k4 : i32
    %none = arith.cmpi eq, %n, %k0 : i32
    %bits = arith.shrsi %n, %k31 : i32
    %some = arith.ori %bits, %k1 : i32
    %sign = arith.select %none, %k0, %some : i32
    %differ = arith.cmpi ne, %sign, %k1 : i32
    %rest = arith.remsi %n, %k4 : i32
    %remains = arith.cmpi ne, %rest, %k0 : i32
    %both = arith.andi %differ, %remains : i1
    %less = arith.subi %p, %k1 : i32
    %q = arith.select %both, %less, %p : i32
    %c = arith.cmpi eq, %q, %jn : i32
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// A condition that another one also uses keeps its end: only keys in front of the row are in front of
// it, and keys of a prefix may be behind it.
#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_end_of_other
// CHECK:       %[[END:.*]] = arith.cmpi slt
// CHECK:       %[[CHUNK:.*]] = arith.andi %{{.*}}, %[[END]]
// CHECK:       %[[SEEN:.*]] = arith.andi %[[CHUNK]]
// CHECK:       %[[PREFIX:.*]] = arith.cmpi slt, %{{.*}}, %c20
// CHECK:       arith.andi %[[SEEN]], %[[PREFIX]]
func.func @negative_end_of_other(%x: tensor<?x?xf32>, %tokens: tensor<?x?xi1>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %tokens : tensor<?x?xf32>, tensor<?x?xi1>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %token: i1, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c8 : index
    %q = arith.divsi %j, %c8 : index
    %same = arith.cmpi eq, %p, %q : index
    %seen = arith.andi %same, %token : i1
    %past = arith.cmpi sle, %j, %i : index
    %prefix = arith.cmpi slt, %j, %c20 : index
    %first = arith.andi %seen, %past : i1
    %second = arith.andi %seen, %prefix : i1
    %c = arith.ori %first, %second : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// 65536 chunks of 65536 positions do not fit 32 bits.
#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_far_chunks
// CHECK:       arith.divsi
// CHECK:       arith.divsi
// CHECK:       arith.cmpi sle
func.func @negative_far_chunks(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %k = arith.constant 65536 : i32
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %p = arith.divsi %row, %k : i32
    %q = arith.divsi %column, %k : i32
    %more = arith.addi %p, %k : i32
    %c = arith.cmpi sle, %q, %more : i32
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// The second chunk of 64 positions ends at 128, which i8 does not have.
#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_narrow
// CHECK:       arith.divsi
// CHECK:       arith.divsi
// CHECK:       arith.cmpi sle
func.func @negative_narrow(%x: tensor<128x128xf32>, %e: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %k = arith.constant 64 : i8
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i8
    %column = arith.index_cast %j : index to i8
    %p = arith.divsi %row, %k : i8
    %q = arith.divsi %column, %k : i8
    %c = arith.cmpi sle, %q, %p : i8
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}
