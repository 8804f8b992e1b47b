// RUN: linalg-ext-opt %s --linalg-ext-raise --canonicalize --cse --split-input-file | FileCheck %s

#rows = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// A gather that a contraction reads. The table is the operand, since its values
// are only cast; rows are pages of one row.

// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[POOL:.*]]: tensor<?x16xf32>, %[[TABLE:.*]]: tensor<8xi32>
// CHECK:         %[[PAGES:.*]] = tensor.expand_shape %[[POOL]] {{\[\[}}0, 1], [2]] output_shape [%{{.*}}, 1, 16]
// CHECK:         linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%[[PAGES]] : tensor<?x1x16xf32>) table(%[[TABLE]] : tensor<8xi32>)
func.func @rows(%pool: tensor<?x16xf32>, %table: tensor<8xi32>, %w: tensor<16x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<8xi32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%at: i32, %out: f32):
    %wide = arith.extsi %at : i32 to i64
    %i = arith.index_cast %wide : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %pool[%i, %j] : tensor<?x16xf32>
    linalg.yield %x : f32
  } -> tensor<8x16xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

#table = affine_map<(b, p, r, d) -> (b, p)>
#id = affine_map<(b, p, r, d) -> (b, p, r, d)>
#turned = affine_map<(b, s, d) -> (b, d, s)>
#same = affine_map<(b, s, d) -> (b, s, d)>

// Whole pages, one behind the other, then transposed: one op, whose rows stay whole; the
// transpose follows, for contractions to read. The number of pages and of sequences is
// dynamic. An index below 0 counts from the end, in a table that is computed.

// CHECK-LABEL: func.func @pages
// CHECK-SAME:    %[[POOL:[a-z0-9]*]]: tensor<?x4x16xf32>, %[[TABLE:[a-z0-9]*]]: tensor<?x?xi64>
// CHECK:         %[[WRAPPED:.*]] = linalg.generic {{.*}} ins(%[[TABLE]] : tensor<?x?xi64>)
// CHECK:           arith.cmpi slt
// CHECK:           arith.addi
// CHECK:           arith.select
// CHECK-NOT:     tensor.extract
// CHECK:         %[[KEYS:.*]] = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] pool(%[[POOL]] : tensor<?x4x16xf32>) table(%[[WRAPPED]] : tensor<?x?xi64>)
// CHECK-SAME:      -> tensor<?x?x16xf32>
// CHECK:         %[[TURNED:.*]] = linalg.transpose ins(%[[KEYS]] : tensor<?x?x16xf32>) outs(%{{.*}} : tensor<?x16x?xf32>) permutation = [0, 2, 1]
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         linalg.batch_matmul ins(%{{.*}}, %[[TURNED]] :
func.func @pages(%pool: tensor<?x4x16xf32>, %table: tensor<?x?xi64>, %q: tensor<?x2x16xf32>, %o: tensor<?x2x?xf32>) -> tensor<?x2x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i64
  %b = tensor.dim %table, %c0 : tensor<?x?xi64>
  %p = tensor.dim %table, %c1 : tensor<?x?xi64>
  %n = arith.muli %p, %c4 : index
  %e = tensor.empty(%b, %p) : tensor<?x?x4x16xf32>
  %0 = linalg.generic {indexing_maps = [#table, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%table : tensor<?x?xi64>) outs(%e : tensor<?x?x4x16xf32>) {
  ^bb0(%at: i64, %out: f32):
    %dim = tensor.dim %pool, %c0 : tensor<?x4x16xf32>
    %size = arith.index_cast %dim : index to i64
    %negative = arith.cmpi slt, %at, %zero : i64
    %wrapped = arith.addi %at, %size : i64
    %page = arith.select %negative, %wrapped, %at : i64
    %i = arith.index_cast %page : i64 to index
    %r = linalg.index 2 : index
    %d = linalg.index 3 : index
    %x = tensor.extract %pool[%i, %r, %d] : tensor<?x4x16xf32>
    linalg.yield %x : f32
  } -> tensor<?x?x4x16xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3]] : tensor<?x?x4x16xf32> into tensor<?x?x16xf32>
  %te = tensor.empty(%b, %n) : tensor<?x16x?xf32>
  %2 = linalg.generic {indexing_maps = [#same, #turned], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1 : tensor<?x?x16xf32>) outs(%te : tensor<?x16x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<?x16x?xf32>
  %3 = linalg.batch_matmul ins(%q, %2 : tensor<?x2x16xf32>, tensor<?x16x?xf32>) outs(%o : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
  return %3 : tensor<?x2x?xf32>
}

// -----

#rows = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// Nothing contracts the rows: the op stays as it is.

// CHECK-LABEL: func.func @embedding
// CHECK-NOT:     paged_gather
func.func @embedding(%pool: tensor<?x16xf32>, %table: tensor<8xi32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<8xi32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%at: i32, %out: f32):
    %i = arith.index_cast %at : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %pool[%i, %j] : tensor<?x16xf32>
    linalg.yield %x : f32
  } -> tensor<8x16xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<8x16xf32>) outs(%o : tensor<8xf32>) dimensions = [1]
  return %1 : tensor<8xf32>
}

// -----

#rows = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// Not rows: the column depends on the table, too. Nor a row at the position of
// the result plus one. Nor a part of each row.

// CHECK-LABEL: func.func @not_rows
// CHECK-NOT:     paged_gather
func.func @not_rows(%pool: tensor<?x16xf32>, %table: tensor<8xi32>, %w: tensor<16x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<8xi32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%at: i32, %out: f32):
    %i = arith.index_cast %at : i32 to index
    %x = tensor.extract %pool[%i, %i] : tensor<?x16xf32>
    linalg.yield %x : f32
  } -> tensor<8x16xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x16xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %next = arith.addi %i, %c1 : index
    %x = tensor.extract %pool[%next, %j] : tensor<?x16xf32>
    linalg.yield %x : f32
  } -> tensor<8x16xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %half = tensor.empty() : tensor<8x8xf32>
  %4 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<8xi32>) outs(%half : tensor<8x8xf32>) {
  ^bb0(%at: i32, %out: f32):
    %i = arith.index_cast %at : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %pool[%i, %j] : tensor<?x16xf32>
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  %part = tensor.extract_slice %w[0, 0] [8, 4] [1, 1] : tensor<16x4xf32> to tensor<8x4xf32>
  %5 = linalg.matmul ins(%4, %part : tensor<8x8xf32>, tensor<8x4xf32>) outs(%3 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %5 : tensor<8x4xf32>
}

// -----

// Upstream's verifier accepts an output_shape that contradicts the type. The type
// is right.

// CHECK-LABEL: func.func @output_shape_contradicts
// CHECK:         linalg_ext.paged_gather {{.*}} -> tensor<2x4x16xf32>
// CHECK-NOT:     36
func.func @output_shape_contradicts(%pool: tensor<?x16xf32>, %table: tensor<8xi64>, %q: tensor<2x4x16xf32>, %out: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%table : tensor<8xi64>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%in: i64, %o: f32):
    %row = arith.index_cast %in : i64 to index
    %column = linalg.index 1 : index
    %value = tensor.extract %pool[%row, %column] : tensor<?x16xf32>
    linalg.yield %value : f32
  } -> tensor<8x16xf32>
  %k = tensor.expand_shape %rows [[0, 1], [2]] output_shape [36, 36, 2] : tensor<8x16xf32> into tensor<2x4x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(a, b, d) -> (a, b, d)>, affine_map<(a, b, d) -> (a, b, d)>, affine_map<(a, b, d) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x4x16xf32>, tensor<2x4x16xf32>) outs(%out : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x4xf32>
  return %s : tensor<2x4xf32>
}

// -----

// Pages of 64 elements, those of all heads of a sequence. A page ends in a head, and has
// four rows of 16 elements; heads before it are sequences. The table is a part of one of
// several layers, with a dimension of size 1 to repeat entries: it stays a slice, of
// reshaped memory.

// CHECK-LABEL: func.func @elements
// CHECK-SAME:    %[[MEMORY:[^:]*]]: tensor<?x64xf32>, %[[TABLES:[^:]*]]: tensor<2x3x10xi64>
// CHECK-DAG:     %[[ENTRIES:.*]] = tensor.expand_shape %[[TABLES]] {{\[\[}}0], [1], [2, 3, 4]] output_shape [2, 3, 2, 1, 5]
// CHECK-DAG:     %[[TABLE:.*]] = tensor.extract_slice %[[ENTRIES]][0, 1, 0, 0, 0] [2, 1, 2, 1, 5] [1, 1, 1, 1, 1] : tensor<2x3x2x1x5xi64> to tensor<2x2x5xi64>
// CHECK-DAG:     %[[POOL:.*]] = tensor.expand_shape %[[MEMORY]] {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 4, 16]
// CHECK:         %[[K:.*]] = linalg_ext.paged_gather sequence(2) batch [0, 1] pool_dims [-1, 2, 3] pool(%[[POOL]] : tensor<?x4x16xf32>) table(%[[TABLE]] : tensor<2x2x5xi64>)
// CHECK:         tensor.expand_shape %[[K]] {{\[\[}}0], [1], [2, 3], [4]] output_shape [2, 2, 1, 20, 16]
func.func @elements(%memory: tensor<?x64xf32>, %tables: tensor<2x3x10xi64>, %q: tensor<2x2x1x16xf32>, %out: tensor<2x2x1x20xf32>) -> tensor<2x2x1x20xf32> {
  %part = tensor.extract_slice %tables[0, 1, 0] [2, 1, 10] [1, 1, 1] : tensor<2x3x10xi64> to tensor<2x1x10xi64>
  %row = tensor.collapse_shape %part [[0, 1], [2]] : tensor<2x1x10xi64> into tensor<2x10xi64>
  %at = tensor.expand_shape %row [[0], [1, 2]] output_shape [2, 10, 1] : tensor<2x10xi64> into tensor<2x10x1xi64>
  %empty = tensor.empty() : tensor<2x10x64xf32>
  %pages = linalg.generic {indexing_maps = [affine_map<(b, p, e) -> (b, p, 0)>, affine_map<(b, p, e) -> (b, p, e)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%at : tensor<2x10x1xi64>) outs(%empty : tensor<2x10x64xf32>) {
  ^bb0(%in: i64, %o: f32):
    %page = arith.index_cast %in : i64 to index
    %e = linalg.index 2 : index
    %value = tensor.extract %memory[%page, %e] : tensor<?x64xf32>
    linalg.yield %value : f32
  } -> tensor<2x10x64xf32>
  %flat = tensor.collapse_shape %pages [[0], [1, 2]] : tensor<2x10x64xf32> into tensor<2x640xf32>
  %k = tensor.expand_shape %flat [[0], [1, 2, 3, 4]] output_shape [2, 2, 1, 20, 16] : tensor<2x640xf32> into tensor<2x2x1x20x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, g, n, d) -> (b, h, g, d)>, affine_map<(b, h, g, n, d) -> (b, h, g, n, d)>, affine_map<(b, h, g, n, d) -> (b, h, g, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x2x1x16xf32>, tensor<2x2x1x20x16xf32>) outs(%out : tensor<2x2x1x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x2x1x20xf32>
  return %s : tensor<2x2x1x20xf32>
}

// -----

// Pages of 64 elements are no multiple of a row of 24: reshapes stay.

// CHECK-LABEL: func.func @rows_in_two_pages
// CHECK:         linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0]
// CHECK:         tensor.expand_shape {{.*}} output_shape [8, 24]
func.func @rows_in_two_pages(%memory: tensor<?x64xf32>, %table: tensor<3xi64>, %w: tensor<24x4xf32>, %out: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %empty = tensor.empty() : tensor<3x64xf32>
  %pages = linalg.generic {indexing_maps = [affine_map<(p, e) -> (p)>, affine_map<(p, e) -> (p, e)>], iterator_types = ["parallel", "parallel"]} ins(%table : tensor<3xi64>) outs(%empty : tensor<3x64xf32>) {
  ^bb0(%in: i64, %o: f32):
    %page = arith.index_cast %in : i64 to index
    %e = linalg.index 1 : index
    %value = tensor.extract %memory[%page, %e] : tensor<?x64xf32>
    linalg.yield %value : f32
  } -> tensor<3x64xf32>
  %flat = tensor.collapse_shape %pages [[0, 1]] : tensor<3x64xf32> into tensor<192xf32>
  %rows = tensor.expand_shape %flat [[0, 1]] output_shape [8, 24] : tensor<192xf32> into tensor<8x24xf32>
  %1 = linalg.matmul ins(%rows, %w : tensor<8x24xf32>, tensor<24x4xf32>) outs(%out : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----


#id = affine_map<(b, s, d) -> (b, s, d)>

// Sequences name rows of one table, as requests do: their rows are one flat table, in which each
// has a start. A contraction reads what is gathered in front of new rows, too.

// CHECK-LABEL: func.func @rows_of_table
// CHECK-SAME:    %[[POOL:.*]]: tensor<?x16xf32>, %[[TABLE:.*]]: tensor<?x?xi32>, %[[REQUESTS:.*]]: tensor<?xi64>,
// CHECK:         %[[WIDTH:.*]] = tensor.dim %[[TABLE]], %c1
// CHECK:         %[[STARTS:.*]] = linalg.generic
// CHECK:           %[[ROW:.*]] = tensor.extract %[[REQUESTS]][
// CHECK:           %[[START:.*]] = arith.muli %{{.*}}, %[[WIDTH]] : index
// CHECK:         } -> tensor<?xi64>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[TABLE]] {{\[\[}}0, 1]]
// CHECK:         %[[OLD:.*]] = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] pool(%{{.*}} : tensor<?x1x16xf32>) table(%[[FLAT]] : tensor<?xi32>) starts(%[[STARTS]] : tensor<?xi64>)
// CHECK:         tensor.concat dim(1) %[[OLD]],
func.func @rows_of_table(%pool: tensor<?x16xf32>, %table: tensor<?x?xi32>, %requests: tensor<?xi64>, %new: tensor<?x?x16xf32>, %q: tensor<?x16xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %requests, %c0 : tensor<?xi64>
  %n = tensor.dim %table, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%b, %n) : tensor<?x?x16xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<?x?x16xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %s = linalg.index 1 : index
    %d = linalg.index 2 : index
    %request = tensor.extract %requests[%i] : tensor<?xi64>
    %row = arith.index_cast %request : i64 to index
    %entry = tensor.extract %table[%row, %s] : tensor<?x?xi32>
    %at = arith.index_cast %entry : i32 to index
    %x = tensor.extract %pool[%at, %d] : tensor<?x16xf32>
    linalg.yield %x : f32
  } -> tensor<?x?x16xf32>
  %k = tensor.concat dim(1) %0, %new : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(b, s, d) -> (b, d)>, affine_map<(b, s, d) -> (b, s, d)>, affine_map<(b, s, d) -> (b, s)>]
      ins(%q, %k : tensor<?x16xf32>, tensor<?x?x16xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// What says which element of a table a score takes is computed from positions, for
// each pair of them: it is no table.

#row = affine_map<(i, j) -> (i, 0)>
#col = affine_map<(i, j) -> (0, j)>
#id = affine_map<(i, j) -> (i, j)>
#pair = affine_map<(h, i, j) -> (i, j)>
#all = affine_map<(h, i, j) -> (h, i, j)>

// CHECK-LABEL: func.func @negative_distances
// CHECK-NOT:     paged_gather
// CHECK:         tensor.extract
func.func @negative_distances(%table: tensor<4x65xf32>, %p: tensor<37x1xi64>, %q: tensor<1x37xi64>, %ie: tensor<37x37xi64>, %e: tensor<4x37x37xf32>,
                              %v: tensor<4x37x8xf32>, %o: tensor<4x37x8xf32>) -> tensor<4x37x8xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<37x1xi64>, tensor<1x37xi64>) outs(%ie : tensor<37x37xi64>) {
  ^bb0(%a: i64, %b: i64, %out: i64):
    %d = arith.subi %a, %b : i64
    linalg.yield %d : i64
  } -> tensor<37x37xi64>
  %1 = linalg.generic {indexing_maps = [#pair, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<37x37xi64>) outs(%e : tensor<4x37x37xf32>) {
  ^bb0(%at: i64, %out: f32):
    %h = linalg.index 0 : index
    %i = arith.index_cast %at : i64 to index
    %x = tensor.extract %table[%h, %i] : tensor<4x65xf32>
    linalg.yield %x : f32
  } -> tensor<4x37x37xf32>
  %2 = linalg.batch_matmul ins(%1, %v : tensor<4x37x37xf32>, tensor<4x37x8xf32>) outs(%o : tensor<4x37x8xf32>) -> tensor<4x37x8xf32>
  return %2 : tensor<4x37x8xf32>
}

// -----

// Rows of a pool may be where such a table says: blocks, and rows in them. A
// table of positions alone is none.

#block = affine_map<(b, r) -> (b)>
#row = affine_map<(b, r) -> (r)>
#at = affine_map<(b, r) -> (b, r)>
#table = affine_map<(b, r, d) -> (b, r)>
#all = affine_map<(b, r, d) -> (b, r, d)>

// CHECK-LABEL: func.func @rows_of_blocks
// CHECK:         linalg_ext.paged_gather
// CHECK-NOT:     paged_gather
// CHECK:         tensor.extract
func.func @rows_of_blocks(%pool: tensor<64x16xf32>, %blocks: tensor<3xi64>, %rows: tensor<4xi64>, %ie: tensor<3x4xi64>, %e: tensor<3x4x16xf32>,
                          %w: tensor<3x16x8xf32>, %o: tensor<3x4x8xf32>) -> (tensor<3x4x8xf32>, tensor<3x4x8xf32>) {
  %0 = linalg.generic {indexing_maps = [#block, #row, #at], iterator_types = ["parallel", "parallel"]}
      ins(%blocks, %rows : tensor<3xi64>, tensor<4xi64>) outs(%ie : tensor<3x4xi64>) {
  ^bb0(%a: i64, %b: i64, %out: i64):
    %d = arith.addi %a, %b : i64
    linalg.yield %d : i64
  } -> tensor<3x4xi64>
  %1 = linalg.generic {indexing_maps = [#table, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<3x4xi64>) outs(%e : tensor<3x4x16xf32>) {
  ^bb0(%at: i64, %out: f32):
    %i = arith.index_cast %at : i64 to index
    %d = linalg.index 2 : index
    %x = tensor.extract %pool[%i, %d] : tensor<64x16xf32>
    linalg.yield %x : f32
  } -> tensor<3x4x16xf32>
  %2 = linalg.generic {indexing_maps = [#at], iterator_types = ["parallel", "parallel"]} outs(%ie : tensor<3x4xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %d = arith.index_cast %k : index to i64
    linalg.yield %d : i64
  } -> tensor<3x4xi64>
  %3 = linalg.generic {indexing_maps = [#table, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2 : tensor<3x4xi64>) outs(%e : tensor<3x4x16xf32>) {
  ^bb0(%at: i64, %out: f32):
    %i = arith.index_cast %at : i64 to index
    %d = linalg.index 2 : index
    %x = tensor.extract %pool[%i, %d] : tensor<64x16xf32>
    linalg.yield %x : f32
  } -> tensor<3x4x16xf32>
  %4 = linalg.batch_matmul ins(%1, %w : tensor<3x4x16xf32>, tensor<3x16x8xf32>) outs(%o : tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  %5 = linalg.batch_matmul ins(%3, %w : tensor<3x4x16xf32>, tensor<3x16x8xf32>) outs(%o : tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  return %4, %5 : tensor<3x4x8xf32>, tensor<3x4x8xf32>
}

// -----

#rows = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// What computes an index is looked at once, however many paths lead to it.

// CHECK-LABEL: func.func @many_paths
// CHECK:         arith.muli
// CHECK:         linalg_ext.paged_gather
func.func @many_paths(%pool: tensor<?x16xf32>, %table: tensor<8xi64>, %w: tensor<16x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%table : tensor<8xi64>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x0: i64, %out: f32):
    %x1 = arith.muli %x0, %x0 : i64
    %x2 = arith.muli %x1, %x1 : i64
    %x3 = arith.muli %x2, %x2 : i64
    %x4 = arith.muli %x3, %x3 : i64
    %x5 = arith.muli %x4, %x4 : i64
    %x6 = arith.muli %x5, %x5 : i64
    %x7 = arith.muli %x6, %x6 : i64
    %x8 = arith.muli %x7, %x7 : i64
    %x9 = arith.muli %x8, %x8 : i64
    %x10 = arith.muli %x9, %x9 : i64
    %x11 = arith.muli %x10, %x10 : i64
    %x12 = arith.muli %x11, %x11 : i64
    %x13 = arith.muli %x12, %x12 : i64
    %x14 = arith.muli %x13, %x13 : i64
    %x15 = arith.muli %x14, %x14 : i64
    %x16 = arith.muli %x15, %x15 : i64
    %x17 = arith.muli %x16, %x16 : i64
    %x18 = arith.muli %x17, %x17 : i64
    %x19 = arith.muli %x18, %x18 : i64
    %x20 = arith.muli %x19, %x19 : i64
    %x21 = arith.muli %x20, %x20 : i64
    %x22 = arith.muli %x21, %x21 : i64
    %x23 = arith.muli %x22, %x22 : i64
    %x24 = arith.muli %x23, %x23 : i64
    %x25 = arith.muli %x24, %x24 : i64
    %x26 = arith.muli %x25, %x25 : i64
    %x27 = arith.muli %x26, %x26 : i64
    %x28 = arith.muli %x27, %x27 : i64
    %x29 = arith.muli %x28, %x28 : i64
    %x30 = arith.muli %x29, %x29 : i64
    %x31 = arith.muli %x30, %x30 : i64
    %x32 = arith.muli %x31, %x31 : i64
    %x33 = arith.muli %x32, %x32 : i64
    %x34 = arith.muli %x33, %x33 : i64
    %x35 = arith.muli %x34, %x34 : i64
    %x36 = arith.muli %x35, %x35 : i64
    %i = arith.index_cast %x36 : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %pool[%i, %j] : tensor<?x16xf32>
    linalg.yield %x : f32
  } -> tensor<8x16xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
