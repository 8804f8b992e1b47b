// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups="row-elements=2048 max-row=8192 row-tile=4096" --split-input-file | FileCheck %s

// Columns of 4096 elements are summed before an op reads them again: a workgroup
// with one column at a time would read parts of lines, twice.

// CHECK-LABEL: func @long_columns
// CHECK:         %[[SUM:.+]] = scf.forall {{.*}} = (0) to (512) step (8)
// CHECK:           iterator_types = [{{.*}}"reduction"
// CHECK:         scf.forall
// CHECK-NOT:       "reduction"
// CHECK:         return
func.func @long_columns(%x: tensor<4096x512xf32>) -> tensor<4096x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x512xf32>) outs(%f : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %d = tensor.empty() : tensor<4096x512xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4096x512xf32>, tensor<512xf32>) outs(%d : tensor<4096x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4096x512xf32>
  return %y : tensor<4096x512xf32>
}

// -----

// Shorter ones are one tile with what reads them: 8 columns, 32 bytes.

// CHECK-LABEL: func @short_columns
// CHECK:         scf.forall {{.*}} = (0) to (512) step (8)
// CHECK:           "reduction"
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @short_columns(%x: tensor<700x512xf32>) -> tensor<700x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<700x512xf32>) outs(%f : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %d = tensor.empty() : tensor<700x512xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<700x512xf32>, tensor<512xf32>) outs(%d : tensor<700x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<700x512xf32>
  return %y : tensor<700x512xf32>
}

// -----

// Few bytes, so that one kernel costs less than two: 32 bytes for each element are 2 MiB.

// CHECK-LABEL: func @few_columns
// CHECK:         scf.forall {{.*}} = (0) to (16) step (8)
// CHECK:           "reduction"
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @few_columns(%x: tensor<4096x16xf32>) -> tensor<4096x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4096x16xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %d = tensor.empty() : tensor<4096x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4096x16xf32>, tensor<16xf32>) outs(%d : tensor<4096x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4096x16xf32>
  return %y : tensor<4096x16xf32>
}

// -----

// Rows of 300 elements are read again by a second sum, of which 16 are reduced in
// each of 8 columns: a workgroup does not hold so many.

// CHECK-LABEL: func @rows_of_columns
// CHECK:         %[[SUMS:.+]] = scf.forall {{.*}} -> (tensor<16x512xf32>)
// CHECK-COUNT-2:   iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         scf.forall {{.*}} = (0) to (512)
// CHECK:           tensor.extract_slice %[[SUMS]]
// CHECK:           iterator_types = ["reduction", "parallel"]
// CHECK:         return
func.func @rows_of_columns(%x: tensor<16x512x300xf32>) -> tensor<16x512xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<16x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<16x512x300xf32>) outs(%f : tensor<16x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<16x512xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %s : tensor<16x512x300xf32>, tensor<16x512xf32>) outs(%f : tensor<16x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.divf %a, %b : f32
    %q = math.absf %p : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<16x512xf32>
  %em = tensor.empty() : tensor<512xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%em : tensor<512xf32>) -> tensor<512xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%t : tensor<16x512xf32>) outs(%fm : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t, %m : tensor<16x512xf32>, tensor<512xf32>) outs(%e : tensor<16x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x512xf32>
  return %y : tensor<16x512xf32>
}
