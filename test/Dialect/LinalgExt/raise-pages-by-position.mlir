// RUN: linalg-ext-opt %s --linalg-ext-raise --canonicalize --cse --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-raise,canonicalize,cse)' --split-input-file | FileCheck %s

// The payload divides the position by the rows of a page, whose number is that of the
// pool, reads the table of a layer, and selects zero behind the length.

// CHECK-LABEL: func.func @pages
// CHECK-SAME:    %[[POOL:[a-z0-9]+]]: tensor<?x?x2x16xf32>, %[[TABLES:[a-z0-9]+]]: tensor<3x?x?xi32>, %[[LENGTHS:[a-z0-9]+]]: tensor<?xi32>, %[[LAYER:[a-z0-9]+]]: index
// CHECK:         %[[TABLE:.*]] = tensor.extract_slice %[[TABLES]][%[[LAYER]], 0, 0] [1, %{{.*}}, %{{.*}}] [1, 1, 1] : tensor<3x?x?xi32> to tensor<?x?xi32>
// CHECK:         linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2, 3] pool(%[[POOL]] : tensor<?x?x2x16xf32>) table(%[[TABLE]] : tensor<?x?xi32>) lengths(%[[LENGTHS]] : tensor<?xi32>)
// CHECK-NOT:     tensor.extract %
func.func @pages(%pool: tensor<?x?x2x16xf32>, %tables: tensor<3x?x?xi32>, %lengths: tensor<?xi32>, %layer: index, %q: tensor<?x2x16xf32>, %e: tensor<?x?x2x16xf32>, %o: tensor<?x2x?xf32>) -> tensor<?x2x?xf32> {
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %pool, %c1 : tensor<?x?x2x16xf32>
  %zero = arith.constant 0.0 : f32
  %k = linalg.generic {indexing_maps = [affine_map<(b, s, h, d) -> (b)>, affine_map<(b, s, h, d) -> (b, s, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%lengths : tensor<?xi32>) outs(%e : tensor<?x?x2x16xf32>) {
  ^bb0(%length: i32, %out: f32):
    %b = linalg.index 0 : index
    %s = linalg.index 1 : index
    %h = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = arith.floordivsi %s, %rows : index
    %first = arith.muli %number, %rows : index
    %row = arith.subi %s, %first : index
    %entry = tensor.extract %tables[%layer, %b, %number] : tensor<3x?x?xi32>
    %page = arith.index_cast %entry : i32 to index
    %x = tensor.extract %pool[%page, %row, %h, %d] : tensor<?x?x2x16xf32>
    %end = arith.index_cast %length : i32 to index
    %outside = arith.cmpi sle, %end, %s : index
    %y = arith.select %outside, %zero, %x : f32
    linalg.yield %y : f32
  } -> tensor<?x?x2x16xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, h, s, d) -> (b, h, d)>, affine_map<(b, h, s, d) -> (b, s, h, d)>, affine_map<(b, h, s, d) -> (b, h, s)>]
      ins(%q, %k : tensor<?x2x16xf32>, tensor<?x?x2x16xf32>) outs(%o : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
  return %r : tensor<?x2x?xf32>
}

// -----

// Keys and values of all layers lie in one pool. All rows count, and positions have 64
// bits.

// CHECK-LABEL: func.func @pool_of_layers
// CHECK-SAME:    %[[POOL:[a-z0-9]+]]: tensor<3x24x2x4x16xf32>, %[[TABLE:[a-z0-9]+]]: tensor<2x5xi64>
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[POOL]][2, 0, 1, 0, 0] [1, 24, 1, 4, 16] {{.*}} to tensor<24x4x16xf32>
// CHECK:         linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] pool(%[[PART]] : tensor<24x4x16xf32>) table(%[[TABLE]] : tensor<2x5xi64>)
// CHECK-NOT:       lengths
func.func @pool_of_layers(%pool: tensor<3x24x2x4x16xf32>, %table: tensor<2x5xi64>, %q: tensor<2x16xf32>, %e: tensor<2x20x16xf32>, %o: tensor<2x20xf32>) -> tensor<2x20xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : i64
  %k = linalg.generic {indexing_maps = [affine_map<(b, s, d) -> (b, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x20x16xf32>) {
  ^bb0(%out: f32):
    %b = linalg.index 0 : index
    %s = linalg.index 1 : index
    %d = linalg.index 2 : index
    %s64 = arith.index_cast %s : index to i64
    %number = arith.divsi %s64, %four : i64
    %row = arith.remsi %s64, %four : i64
    %n = arith.index_cast %number : i64 to index
    %r = arith.index_cast %row : i64 to index
    %entry = tensor.extract %table[%b, %n] : tensor<2x5xi64>
    %page = arith.index_cast %entry : i64 to index
    %x = tensor.extract %pool[%c2, %page, %c1, %r, %d] : tensor<3x24x2x4x16xf32>
    linalg.yield %x : f32
  } -> tensor<2x20x16xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, s, d) -> (b, d)>, affine_map<(b, s, d) -> (b, s, d)>, affine_map<(b, s, d) -> (b, s)>]
      ins(%q, %k : tensor<2x16xf32>, tensor<2x20x16xf32>) outs(%o : tensor<2x20xf32>) -> tensor<2x20xf32>
  return %r : tensor<2x20xf32>
}

// -----

// Not pages: the pool has 8 rows in a page, and the position is divided by 4.

// CHECK-LABEL: func.func @negative_half_pages
// CHECK-NOT:     paged_gather
func.func @negative_half_pages(%pool: tensor<24x8x16xf32>, %table: tensor<2x5xi64>, %q: tensor<2x16xf32>, %e: tensor<2x20x16xf32>, %o: tensor<2x20xf32>) -> tensor<2x20xf32> {
  %four = arith.constant 4 : index
  %k = linalg.generic {indexing_maps = [affine_map<(b, s, d) -> (b, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x20x16xf32>) {
  ^bb0(%out: f32):
    %b = linalg.index 0 : index
    %s = linalg.index 1 : index
    %d = linalg.index 2 : index
    %number = arith.divui %s, %four : index
    %row = arith.remui %s, %four : index
    %entry = tensor.extract %table[%b, %number] : tensor<2x5xi64>
    %page = arith.index_cast %entry : i64 to index
    %x = tensor.extract %pool[%page, %row, %d] : tensor<24x8x16xf32>
    linalg.yield %x : f32
  } -> tensor<2x20x16xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, s, d) -> (b, d)>, affine_map<(b, s, d) -> (b, s, d)>, affine_map<(b, s, d) -> (b, s)>]
      ins(%q, %k : tensor<2x16xf32>, tensor<2x20x16xf32>) outs(%o : tensor<2x20xf32>) -> tensor<2x20xf32>
  return %r : tensor<2x20xf32>
}

// -----

// Not zero behind the length, but one: the select stays.

// CHECK-LABEL: func.func @negative_one_behind
// CHECK-NOT:     paged_gather
func.func @negative_one_behind(%pool: tensor<24x4x16xf32>, %table: tensor<2x5xi64>, %lengths: tensor<2xi32>, %q: tensor<2x16xf32>, %e: tensor<2x20x16xf32>, %o: tensor<2x20xf32>) -> tensor<2x20xf32> {
  %four = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %k = linalg.generic {indexing_maps = [affine_map<(b, s, d) -> (b)>, affine_map<(b, s, d) -> (b, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%lengths : tensor<2xi32>) outs(%e : tensor<2x20x16xf32>) {
  ^bb0(%length: i32, %out: f32):
    %b = linalg.index 0 : index
    %s = linalg.index 1 : index
    %d = linalg.index 2 : index
    %number = arith.divui %s, %four : index
    %row = arith.remui %s, %four : index
    %entry = tensor.extract %table[%b, %number] : tensor<2x5xi64>
    %page = arith.index_cast %entry : i64 to index
    %x = tensor.extract %pool[%page, %row, %d] : tensor<24x4x16xf32>
    %end = arith.index_cast %length : i32 to index
    %inside = arith.cmpi slt, %s, %end : index
    %y = arith.select %inside, %x, %one : f32
    linalg.yield %y : f32
  } -> tensor<2x20x16xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, s, d) -> (b, d)>, affine_map<(b, s, d) -> (b, s, d)>, affine_map<(b, s, d) -> (b, s)>]
      ins(%q, %k : tensor<2x16xf32>, tensor<2x20x16xf32>) outs(%o : tensor<2x20xf32>) -> tensor<2x20xf32>
  return %r : tensor<2x20xf32>
}

// -----

// There is no entry 1 in the third dimension of the pool, so a slice there is invalid.

// CHECK-LABEL: func.func @negative_no_such_layer
// CHECK-NOT:     paged_gather
// CHECK:         tensor.extract %
func.func @negative_no_such_layer(%pool: tensor<3x24x1x4x16xf32>, %table: tensor<2x5xi64>, %q: tensor<2x16xf32>, %e: tensor<2x20x16xf32>, %o: tensor<2x20xf32>) -> tensor<2x20xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : i64
  %k = linalg.generic {indexing_maps = [affine_map<(b, s, d) -> (b, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x20x16xf32>) {
  ^bb0(%out: f32):
    %b = linalg.index 0 : index
    %s = linalg.index 1 : index
    %d = linalg.index 2 : index
    %s64 = arith.index_cast %s : index to i64
    %number = arith.divsi %s64, %four : i64
    %row = arith.remsi %s64, %four : i64
    %n = arith.index_cast %number : i64 to index
    %r = arith.index_cast %row : i64 to index
    %entry = tensor.extract %table[%b, %n] : tensor<2x5xi64>
    %page = arith.index_cast %entry : i64 to index
    %x = tensor.extract %pool[%c2, %page, %c1, %r, %d] : tensor<3x24x1x4x16xf32>
    linalg.yield %x : f32
  } -> tensor<2x20x16xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, s, d) -> (b, d)>, affine_map<(b, s, d) -> (b, s, d)>, affine_map<(b, s, d) -> (b, s)>]
      ins(%q, %k : tensor<2x16xf32>, tensor<2x20x16xf32>) outs(%o : tensor<2x20xf32>) -> tensor<2x20xf32>
  return %r : tensor<2x20xf32>
}
