// RUN: linalg-ext-opt %s --linalg-ext-select-config --split-input-file | FileCheck %s

// A row times a matrix that is computed from bytes: 8 rows of an instruction whose
// operands are exchanged, and threads load runs of the bytes.

// CHECK-LABEL: @bytes
// CHECK:         %[[R:.*]] = vector.contract {{.*}} {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16.transposed"{{.*}}runs = "k"{{.*}} : vector<8x128xf16>, vector<32x128xf16> into vector<8x32xf32>
// CHECK-NOT:     vector.contract
// CHECK:         vector.multi_reduction <maximumf>, %[[R]], {{.*}} [0] : vector<8x32xf32> to vector<32xf32>
// CHECK-NOT:     vector.contract
func.func @bytes(%a: memref<128xf16>, %b: memref<32x128xi8>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i8 = arith.constant 0 : i8
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %w = vector.transfer_read %b[%zero, %zero], %i8 {in_bounds = [true, true]} : memref<32x128xi8>, vector<32x128xi8>
    %y = arith.sitofp %w : vector<32x128xi8> to vector<32x128xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %y, %f32 : vector<128xf16>, vector<32x128xf16> into vector<32xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// Zero points of a column each, of 8 bits, are no bytes of the matrix: their rows are not contiguous.

// CHECK-LABEL: @zero_points
// CHECK:         intrinsic = "mma.sync.m16n8k16.f32.f16.transposed"{{.*}}runs = "k"
func.func @zero_points(%a: memref<128xf16>, %b: memref<32x128xi8>, %z: memref<32x4xi8>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i8 = arith.constant 0 : i8
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %w = vector.transfer_read %b[%zero, %zero], %i8 {in_bounds = [true, true]} : memref<32x128xi8>, vector<32x128xi8>
    %n = arith.sitofp %w : vector<32x128xi8> to vector<32x128xf16>
    %p = vector.transfer_read %z[%zero, %zero], %i8 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<32x4xi8>, vector<32xi8>
    %q = arith.sitofp %p : vector<32xi8> to vector<32xf16>
    %r = vector.broadcast %q : vector<32xf16> to vector<128x32xf16>
    %s = vector.transpose %r, [1, 0] : vector<128x32xf16> to vector<32x128xf16>
    %y = arith.subf %n, %s : vector<32x128xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %y, %f32 : vector<128xf16>, vector<32x128xf16> into vector<32xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// Bytes of the matrix whose rows are not contiguous have no runs.

// CHECK-LABEL: @negative_columns_of_bytes
// CHECK-NOT:     runs
func.func @negative_columns_of_bytes(%a: memref<128xf16>, %b: memref<32x128x2xi8>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i8 = arith.constant 0 : i8
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %w = vector.transfer_read %b[%zero, %zero, %zero], %i8 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d1)>} : memref<32x128x2xi8>, vector<32x128xi8>
    %y = arith.sitofp %w : vector<32x128xi8> to vector<32x128xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %y, %f32 : vector<128xf16>, vector<32x128xf16> into vector<32xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// Of a matrix of f16, the instruction has as many rows as it has.

// CHECK-LABEL: @negative_halves
// CHECK:         intrinsic = "mma.sync.m16n8k16.f32.f16",{{.*}} : vector<16x128xf16>, vector<32x128xf16> into vector<16x32xf32>
func.func @negative_halves(%a: memref<128xf16>, %b: memref<32x128xf16>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %y = vector.transfer_read %b[%zero, %zero], %f16 {in_bounds = [true, true]} : memref<32x128xf16>, vector<32x128xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %y, %f32 : vector<128xf16>, vector<32x128xf16> into vector<32xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// A loop that sums up scaled products carries all rows, of which one is taken at the end.

// CHECK-LABEL: @carried
// CHECK:         %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK:         %[[WIDE:.*]] = vector.broadcast %[[ZEROS]] : vector<32xf32> to vector<8x32xf32>
// CHECK:         %[[SUMS:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[WIDE]]) -> (vector<8x32xf32>)
// CHECK:           %[[P:.*]] = vector.contract {{.*}}.transposed"{{.*}}runs = "k"
// CHECK-NOT:       vector.multi_reduction
// CHECK:           %[[SCALE:.*]] = vector.broadcast %{{.*}} : vector<32xf32> to vector<8x32xf32>
// CHECK:           %[[TERM:.*]] = arith.mulf %[[P]], %[[SCALE]]
// CHECK:           %[[NEXT:.*]] = arith.addf %[[SUM]], %[[TERM]]
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         %[[ROW:.*]] = vector.multi_reduction <maximumf>, %[[SUMS]], {{.*}} [0] : vector<8x32xf32> to vector<32xf32>
// CHECK:         vector.transfer_write %[[ROW]]
func.func @carried(%a: memref<512xf16>, %b: memref<32x512xi8>, %s: memref<32xf32>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %f16 = arith.constant 0.0 : f16
  %i8 = arith.constant 0 : i8
  %z = arith.constant 0.0 : f32
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %scale = vector.transfer_read %s[%zero], %z {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %r = scf.for %i = %zero to %c512 step %c128 iter_args(%sum = %f32) -> (vector<32xf32>) {
      %x = vector.transfer_read %a[%i], %f16 {in_bounds = [true]} : memref<512xf16>, vector<128xf16>
      %w = vector.transfer_read %b[%zero, %i], %i8 {in_bounds = [true, true]} : memref<32x512xi8>, vector<32x128xi8>
      %y = arith.sitofp %w : vector<32x128xi8> to vector<32x128xf16>
      %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
        %x, %y, %f32 : vector<128xf16>, vector<32x128xf16> into vector<32xf32>
      %scaled = arith.mulf %d, %scale : vector<32xf32>
      %next = arith.addf %sum, %scaled : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    vector.transfer_write %r, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// What else reads a product, or what the loop carries, needs the row itself.

// CHECK-LABEL: @negative_carried
// CHECK:         scf.for {{.*}} -> (vector<32xf32>)
// CHECK:           vector.multi_reduction <maximumf>
func.func @negative_carried(%a: memref<512xf16>, %b: memref<32x512xi8>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %f16 = arith.constant 0.0 : f16
  %i8 = arith.constant 0 : i8
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %r = scf.for %i = %zero to %c512 step %c128 iter_args(%sum = %f32) -> (vector<32xf32>) {
      vector.transfer_write %sum, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
      %x = vector.transfer_read %a[%i], %f16 {in_bounds = [true]} : memref<512xf16>, vector<128xf16>
      %w = vector.transfer_read %b[%zero, %i], %i8 {in_bounds = [true, true]} : memref<32x512xi8>, vector<32x128xi8>
      %y = arith.sitofp %w : vector<32x128xi8> to vector<32x128xf16>
      %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
        %x, %y, %f32 : vector<128xf16>, vector<32x128xf16> into vector<32xf32>
      %next = arith.addf %sum, %d : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    vector.transfer_write %r, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// A matrix that is unpacked from words of 32 bits: eight elements that are summed, of neighbouring
// columns. Threads load runs of words, and have whole words.

// CHECK-LABEL: @words_of_sums
// CHECK:         vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16.transposed"{{.*}}runs = "k4n"{{.*}} : vector<8x128xf16>, vector<128x32xf16> into vector<8x32xf32>
func.func @words_of_sums(%a: memref<128xf16>, %b: memref<16x32xi32>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i32 = arith.constant 0 : i32
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  %at = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : vector<8xi32>
  %mask = arith.constant dense<15> : vector<16x8x32xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %w = vector.transfer_read %b[%zero, %zero], %i32 {in_bounds = [true, true]} : memref<16x32xi32>, vector<16x32xi32>
    %w0 = vector.broadcast %w : vector<16x32xi32> to vector<8x16x32xi32>
    %w1 = vector.transpose %w0, [1, 0, 2] : vector<8x16x32xi32> to vector<16x8x32xi32>
    %s0 = vector.broadcast %at : vector<8xi32> to vector<16x32x8xi32>
    %s1 = vector.transpose %s0, [0, 2, 1] : vector<16x32x8xi32> to vector<16x8x32xi32>
    %n = arith.shrui %w1, %s1 : vector<16x8x32xi32>
    %m = arith.andi %n, %mask : vector<16x8x32xi32>
    %y = arith.sitofp %m : vector<16x8x32xi32> to vector<16x8x32xf16>
    %z = vector.shape_cast %y : vector<16x8x32xf16> to vector<128x32xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %z, %f32 : vector<128xf16>, vector<128x32xf16> into vector<32xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// Words with elements of eight columns: threads have runs of columns.

// CHECK-LABEL: @words_of_columns
// CHECK:         vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16.transposed"{{.*}}runs = "kn"{{.*}} : vector<8x128xf16>, vector<128x64xf16> into vector<8x64xf32>
func.func @words_of_columns(%a: memref<128xf16>, %b: memref<128x8xi32>, %c: memref<64xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i32 = arith.constant 0 : i32
  %f32 = arith.constant dense<0.0> : vector<64xf32>
  %at = arith.constant dense<[0, 16, 4, 20, 8, 24, 12, 28]> : vector<8xi32>
  %mask = arith.constant dense<15> : vector<128x8x8xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %w = vector.transfer_read %b[%zero, %zero], %i32 {in_bounds = [true, true]} : memref<128x8xi32>, vector<128x8xi32>
    %w0 = vector.broadcast %w : vector<128x8xi32> to vector<8x128x8xi32>
    %w1 = vector.transpose %w0, [1, 2, 0] : vector<8x128x8xi32> to vector<128x8x8xi32>
    %s = vector.broadcast %at : vector<8xi32> to vector<128x8x8xi32>
    %n = arith.shrui %w1, %s : vector<128x8x8xi32>
    %m = arith.andi %n, %mask : vector<128x8x8xi32>
    %y = arith.sitofp %m : vector<128x8x8xi32> to vector<128x8x8xf16>
    %z = vector.shape_cast %y : vector<128x8x8xf16> to vector<128x64xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %z, %f32 : vector<128xf16>, vector<128x64xf16> into vector<64xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Integers in the middle of which others are, such as the upper halves of words behind all lower
// ones, are no runs.

// CHECK-LABEL: @negative_halves_of_words
// CHECK:         vector.contract
// CHECK-NOT:     runs
func.func @negative_halves_of_words(%a: memref<128xf16>, %b: memref<64x32xi32>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i32 = arith.constant 0 : i32
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  %at = arith.constant dense<[0, 16]> : vector<2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %w = vector.transfer_read %b[%zero, %zero], %i32 {in_bounds = [true, true]} : memref<64x32xi32>, vector<64x32xi32>
    %w0 = vector.broadcast %w : vector<64x32xi32> to vector<2x64x32xi32>
    %s0 = vector.broadcast %at : vector<2xi32> to vector<64x32x2xi32>
    %s1 = vector.transpose %s0, [2, 0, 1] : vector<64x32x2xi32> to vector<2x64x32xi32>
    %n = arith.shrui %w0, %s1 : vector<2x64x32xi32>
    %t = arith.trunci %n : vector<2x64x32xi32> to vector<2x64x32xi16>
    %y = arith.bitcast %t : vector<2x64x32xi16> to vector<2x64x32xf16>
    %z = vector.shape_cast %y : vector<2x64x32xf16> to vector<128x32xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %z, %f32 : vector<128xf16>, vector<128x32xf16> into vector<32xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// 32 rows of words, in two parts of the sum: each subgroup has the rows of two instructions.

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: @words_of_parts
// CHECK:         vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"{{.*}}runs = "k4n"{{.*}} : vector<2x32x128xf16>, vector<2x128x32xf16> into vector<2x32x32xf32>
func.func @words_of_parts(%a: memref<2x32x128xf16>, %b: memref<2x16x32xi32>, %c: memref<2x32x32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i32 = arith.constant 0 : i32
  %f32 = arith.constant dense<0.0> : vector<2x32x32xf32>
  %at = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : vector<8xi32>
  %mask = arith.constant dense<15> : vector<2x16x8x32xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero, %zero, %zero], %f16 {in_bounds = [true, true, true]} : memref<2x32x128xf16>, vector<2x32x128xf16>
    %w = vector.transfer_read %b[%zero, %zero, %zero], %i32 {in_bounds = [true, true, true]} : memref<2x16x32xi32>, vector<2x16x32xi32>
    %w0 = vector.broadcast %w : vector<2x16x32xi32> to vector<8x2x16x32xi32>
    %w1 = vector.transpose %w0, [1, 2, 0, 3] : vector<8x2x16x32xi32> to vector<2x16x8x32xi32>
    %s0 = vector.broadcast %at : vector<8xi32> to vector<2x16x32x8xi32>
    %s1 = vector.transpose %s0, [0, 1, 3, 2] : vector<2x16x32x8xi32> to vector<2x16x8x32xi32>
    %n = arith.shrui %w1, %s1 : vector<2x16x8x32xi32>
    %m = arith.andi %n, %mask : vector<2x16x8x32xi32>
    %y = arith.sitofp %m : vector<2x16x8x32xi32> to vector<2x16x8x32xf16>
    %z = vector.shape_cast %y : vector<2x16x8x32xf16> to vector<2x128x32xf16>
    %d = vector.contract {indexing_maps = [#bmk, #bkn, #bmn], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %z, %f32 : vector<2x32x128xf16>, vector<2x128x32xf16> into vector<2x32x32xf32>
    vector.transfer_write %d, %c[%zero, %zero, %zero] {in_bounds = [true, true, true]} : vector<2x32x32xf32>, memref<2x32x32xf32>
    gpu.terminator
  }
  return
}

// -----

// Subgroups share the rows of one part.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @negative_words_of_one_part
// CHECK-NOT:     runs =
func.func @negative_words_of_one_part(%a: memref<32x128xf16>, %b: memref<16x32xi32>, %c: memref<32x32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %i32 = arith.constant 0 : i32
  %f32 = arith.constant dense<0.0> : vector<32x32xf32>
  %at = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : vector<8xi32>
  %mask = arith.constant dense<15> : vector<16x8x32xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero, %zero], %f16 {in_bounds = [true, true]} : memref<32x128xf16>, vector<32x128xf16>
    %w = vector.transfer_read %b[%zero, %zero], %i32 {in_bounds = [true, true]} : memref<16x32xi32>, vector<16x32xi32>
    %w0 = vector.broadcast %w : vector<16x32xi32> to vector<8x16x32xi32>
    %w1 = vector.transpose %w0, [1, 0, 2] : vector<8x16x32xi32> to vector<16x8x32xi32>
    %s0 = vector.broadcast %at : vector<8xi32> to vector<16x32x8xi32>
    %s1 = vector.transpose %s0, [0, 2, 1] : vector<16x32x8xi32> to vector<16x8x32xi32>
    %n = arith.shrui %w1, %s1 : vector<16x8x32xi32>
    %m = arith.andi %n, %mask : vector<16x8x32xi32>
    %y = arith.sitofp %m : vector<16x8x32xi32> to vector<16x8x32xf16>
    %z = vector.shape_cast %y : vector<16x8x32xf16> to vector<128x32xf16>
    %d = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %z, %f32 : vector<32x128xf16>, vector<128x32xf16> into vector<32x32xf32>
    vector.transfer_write %d, %c[%zero, %zero] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
    gpu.terminator
  }
  return
}

// -----

// Elements of 16 bits, of which each of two subgroups sums a part: runs of 8 along the sum.

// CHECK-LABEL: @parts_of_16_bits
// CHECK:         vector.contract {{.*}} {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16.transposed"{{.*}}runs = "k8"
func.func @parts_of_16_bits(%a: memref<2x128xf16>, %b: memref<2x16x128xf16>, %c: memref<2x16xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %f32 = arith.constant dense<0.0> : vector<2x16xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero, %zero], %f16 {in_bounds = [true, true]} : memref<2x128xf16>, vector<2x128xf16>
    %y = vector.transfer_read %b[%zero, %zero, %zero], %f16 {in_bounds = [true, true, true]} : memref<2x16x128xf16>, vector<2x16x128xf16>
    %d = vector.contract {indexing_maps = [affine_map<(p, j, k) -> (p, k)>, affine_map<(p, j, k) -> (p, j, k)>, affine_map<(p, j, k) -> (p, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %y, %f32 : vector<2x128xf16>, vector<2x16x128xf16> into vector<2x16xf32>
    vector.transfer_write %d, %c[%zero, %zero] {in_bounds = [true, true]} : vector<2x16xf32>, memref<2x16xf32>
    gpu.terminator
  }
  return
}

// -----

// Without parts, there are no such runs.

// CHECK-LABEL: @negative_one_part_of_16_bits
// CHECK-NOT:     runs
func.func @negative_one_part_of_16_bits(%a: memref<128xf16>, %b: memref<32x128xf16>, %c: memref<32xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : index
  %f16 = arith.constant 0.0 : f16
  %f32 = arith.constant dense<0.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %x = vector.transfer_read %a[%zero], %f16 {in_bounds = [true]} : memref<128xf16>, vector<128xf16>
    %y = vector.transfer_read %b[%zero, %zero], %f16 {in_bounds = [true, true]} : memref<32x128xf16>, vector<32x128xf16>
    %d = vector.contract {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j, k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %x, %y, %f32 : vector<128xf16>, vector<32x128xf16> into vector<32xf32>
    vector.transfer_write %d, %c[%zero] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}
