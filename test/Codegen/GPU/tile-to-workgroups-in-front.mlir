// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=async' --split-input-file | FileCheck %s

// A contraction extends f8 to f16 and then to f32: it reads what is converted in front.

// CHECK-LABEL: func @in_steps(
// CHECK:         arith.extf %{{.*}} : f8E4M3FN to f16
// CHECK:         ^bb0(%[[X:.*]]: f16, %[[Y:.*]]: f16, %{{.*}}: f32):
// CHECK-DAG:       arith.extf %[[X]] : f16 to f32
// CHECK-DAG:       arith.extf %[[Y]] : f16 to f32
func.func @in_steps(%a: tensor<128x256xf16>, %b: tensor<128x256xf8E4M3FN>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x256xf16>, tensor<128x256xf8E4M3FN>) outs(%z : tensor<128x128xf32>) {
  ^bb0(%x: f16, %y: f8E4M3FN, %o: f32):
    %h = arith.extf %y : f8E4M3FN to f16
    %v = arith.extf %h : f16 to f32
    %u = arith.extf %x : f16 to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}

// -----

// A product of bf16, as no asynchronous instruction has it: nothing is converted in front.

// CHECK-LABEL: func @product_of_bf16(
// CHECK:         ^bb0(%{{.*}}: bf16, %[[Y:.*]]: f8E4M3FN, %{{.*}}: f32):
// CHECK:           arith.extf %[[Y]] : f8E4M3FN to bf16
func.func @product_of_bf16(%a: tensor<128x256xbf16>, %b: tensor<128x256xf8E4M3FN>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x256xbf16>, tensor<128x256xf8E4M3FN>) outs(%z : tensor<128x128xf32>) {
  ^bb0(%x: bf16, %y: f8E4M3FN, %o: f32):
    %v = arith.extf %y : f8E4M3FN to bf16
    %q = arith.mulf %x, %v : bf16
    %p = arith.extf %q : bf16 to f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}

// -----

// Workgroups reduce rows first, also if the result is a tensor of one element.

// CHECK-LABEL: func @one_element(
// CHECK:         scf.forall {{.*}} -> (tensor<512xf32>)
// CHECK:         scf.forall {{.*}} -> (tensor<1xf32>)
func.func @one_element(%a: tensor<512x1024xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(0)>], iterator_types = ["reduction","reduction"]}
    ins(%a : tensor<512x1024xf32>) outs(%z : tensor<1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The maximum and the minimum of a tensor: one kernel reduces its rows, and one what it stores.

// CHECK-LABEL: func @extrema_of_rows(
// CHECK:         scf.forall {{.*}} -> (tensor<512xf32>, tensor<512xf32>)
// CHECK-DAG:       arith.maximumf
// CHECK-DAG:       arith.minimumf
// CHECK:         scf.forall {{.*}} -> (tensor<f32>, tensor<f32>)
// CHECK-DAG:       arith.maximumf
// CHECK-DAG:       arith.minimumf
// CHECK-NOT:     scf.forall {{.*}} ->
// CHECK:         return
func.func @extrema_of_rows(%a: tensor<512x1024xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %min = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.minimumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %max, %min : tensor<f32>, tensor<f32>
}

// -----

// A small tensor is one workgroup's.

// CHECK-LABEL: func @extrema(
// CHECK:         scf.forall {{.*}} -> (tensor<f32>, tensor<f32>)
// CHECK-DAG:       arith.maximumf
// CHECK-DAG:       arith.minimumf
// CHECK-NOT:     scf.forall {{.*}} ->
// CHECK:         return
func.func @extrema(%a: tensor<16x64xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<16x64xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %min = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<16x64xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.minimumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %max, %min : tensor<f32>, tensor<f32>
}

// -----

// A sum of squares of differences from the mean needs the mean: two kernels.

// CHECK-LABEL: func @negative_dependent(
// CHECK:         scf.forall {{.*}} -> (tensor<f32>)
// CHECK:         scf.forall {{.*}} -> (tensor<f32>)
func.func @negative_dependent(%a: tensor<16x64xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<16x64xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a, %sum : tensor<16x64xf32>, tensor<f32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum, %r : tensor<f32>, tensor<f32>
}

// -----

// The sum needs the maximum, which follows the minimum: it is not joined with these.

// CHECK-LABEL: func @negative_dependent_on_second(
// CHECK:         scf.forall {{.*}} -> (tensor<512xf32>, tensor<512xf32>)
// CHECK:         scf.forall {{.*}} -> (tensor<f32>, tensor<f32>)
// CHECK:         scf.forall {{.*}} -> (tensor<512xf32>)
// CHECK:           math.exp
// CHECK:         scf.forall {{.*}} -> (tensor<f32>)
// CHECK-NOT:     scf.forall {{.*}} ->
// CHECK:         return
func.func @negative_dependent_on_second(%a: tensor<512x1024xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %min = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.minimumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a, %max : tensor<512x1024xf32>, tensor<f32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %p = math.exp %d : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %min, %max, %sum : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// What a payload uses from outside is moved with the op.

// CHECK-LABEL: func @extrema_of_scaled(
// CHECK:         tensor.extract %{{.*}} : tensor<4xf32>
// CHECK:         scf.forall {{.*}} -> (tensor<512xf32>, tensor<512xf32>)
// CHECK:         scf.forall {{.*}} -> (tensor<f32>, tensor<f32>)
// CHECK-NOT:     scf.forall {{.*}} ->
// CHECK:         return
func.func @extrema_of_scaled(%a: tensor<512x1024xf32>, %b: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %scale = tensor.extract %b[%c1] : tensor<4xf32>
  %min = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %scale : f32
    %s = arith.minimumf %o, %y : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %max, %min : tensor<f32>, tensor<f32>
}

// -----

// Results of different shapes are not joined.

// CHECK-LABEL: func @negative_shapes_of_results(
// CHECK-NOT:     scf.forall {{.*}} -> (tensor<512xf32>, tensor<512xf32>)
// CHECK-DAG:     scf.forall {{.*}} -> (tensor<f32>)
// CHECK-DAG:     scf.forall {{.*}} -> (tensor<1x1xf32>)
// CHECK:         return
func.func @negative_shapes_of_results(%a: tensor<512x1024xf32>) -> (tensor<f32>, tensor<1x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %e2 = tensor.empty() : tensor<1x1xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %min = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (0, 0)>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x1024xf32>) outs(%z2 : tensor<1x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.minimumf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  return %max, %min : tensor<f32>, tensor<1x1xf32>
}

// -----

// Columns of bytes: a workgroup sums 32 of them, the least that memory moves at a time, in pieces
// of the rows.

// CHECK-LABEL: func @columns(
// CHECK:         scf.forall {{.*}} to (96) step (32)
// CHECK:           scf.for {{.*}} step %c
// CHECK:             linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
func.func @columns(%a: tensor<1000x96xi8>) -> tensor<96xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<96xi32>) -> tensor<96xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<1000x96xi8>) outs(%z : tensor<96xi32>) {
  ^bb0(%x: i8, %o: i32):
    %w = arith.extsi %x : i8 to i32
    %s = arith.addi %o, %w : i32
    linalg.yield %s : i32
  } -> tensor<96xi32>
  return %r : tensor<96xi32>
}

// -----

// Chunks of 256 rows of the columns of a large tensor, 64 columns at a time; another
// kernel adds the chunks.

// CHECK-LABEL: func @chunks(
// CHECK:         tensor.expand_shape %{{.*}} : tensor<1024x4096xi8> into tensor<4x256x4096xi8>
// CHECK:         scf.forall {{.*}} to (4096, 4) step (64, 1)
// CHECK:         } {mapping
// CHECK:         scf.forall {{.*}} to (4096)
func.func @chunks(%a: tensor<1024x4096xi8>) -> tensor<4096xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<1024x4096xi8>) outs(%z : tensor<4096xi32>) {
  ^bb0(%x: i8, %o: i32):
    %w = arith.extsi %x : i8 to i32
    %s = arith.addi %o, %w : i32
    linalg.yield %s : i32
  } -> tensor<4096xi32>
  return %r : tensor<4096xi32>
}

// The sums of columns, and of their squared differences from a mean: one kernel.

// CHECK-LABEL: func @variance_of_columns(
// CHECK:         scf.forall {{.*}} -> (tensor<96xf32>)
// CHECK-NOT:     scf.forall {{.*}} ->
// CHECK:         return
func.func @variance_of_columns(%a: tensor<64x96xf32>) -> tensor<96xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %e = tensor.empty() : tensor<96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<96xf32>) -> tensor<96xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<64x96xf32>) outs(%z : tensor<96xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%a, %sum : tensor<64x96xf32>, tensor<96xf32>) outs(%z : tensor<96xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %mean = arith.divf %y, %n : f32
    %d = arith.subf %x, %mean : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<96xf32>
  return %r : tensor<96xf32>
}

// -----

// Rows of 8190 bytes are copied to rows of 4096 elements: a multiple of the 128 bytes of a
// line. What follows the 4095 elements is neither written nor read. The other operand,
// whose rows are of 8192 bytes, stays.

// CHECK-LABEL: func @rows_are_copied(
// CHECK-SAME:      %[[A:.*]]: tensor<4096x4095xbf16>, %[[B:.*]]: tensor<4095x4096xbf16>
// CHECK:         %[[MEMORY:.*]] = bufferization.alloc_tensor() : tensor<4096x4096xbf16>
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[MEMORY]][0, 0] [4096, 4095] [1, 1]
// CHECK:         %[[COPY:.*]] = scf.forall {{.*}} shared_outs(%{{.*}} = %[[ROWS]])
// CHECK:           linalg.copy
// CHECK-NOT:     linalg.copy
// CHECK:         scf.forall
// CHECK-DAG:       tensor.extract_slice %[[COPY]]
// CHECK-DAG:       tensor.extract_slice %[[B]]
func.func @rows_are_copied(%a: tensor<4096x4095xbf16>, %b: tensor<4095x4096xbf16>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4096x4095xbf16>, tensor<4095x4096xbf16>) outs(%z : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// -----

// Of f32, which no asynchronous product reads: nothing is copied.

// CHECK-LABEL: func @negative_f32(
// CHECK-NOT:     linalg.copy
// CHECK:         return
func.func @negative_f32(%a: tensor<4096x4095xf32>, %b: tensor<4095x4096xf32>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4096x4095xf32>, tensor<4095x4096xf32>) outs(%z : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
