// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=sm_90a \
// RUN:   --linalg-ext-tile-to-workgroups='ways=sync,async,persistent' | FileCheck %s

// Rows of an unknown number times weights of known sizes: launches may take tiles of 160
// columns, which divide 5120. One is computed in turns, the other one is alone on its
// processor.

// CHECK-LABEL: func.func @known_columns(
// CHECK:         scf.forall {{.*}} step (128, 128)
// CHECK:         groups = 2
// CHECK:         scf.forall {{.*}} step (128, 160)
// CHECK:         groups = 2
// CHECK:         scf.forall {{.*}} step (64, 128)
// CHECK:         scf.forall {{.*}} step (64, 64)
// CHECK:         scf.forall {{.*}} step (64, 160)
// CHECK:         alone = true
func.func @known_columns(%x: tensor<?x5120xf16>, %w: tensor<5120x5120xf16>,
                         %out: tensor<?x5120xf32>) -> tensor<?x5120xf32> {
  %r = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<?x5120xf16>, tensor<5120x5120xf16>)
      outs(%out : tensor<?x5120xf32>) -> tensor<?x5120xf32>
  return %r : tensor<?x5120xf32>
}

// -----

// Turns of kernel 4 were refused: it has another tile, and the others stay.

// CHECK-LABEL: func.func @refused(
// CHECK:         scf.forall {{.*}} step (128, 128)
// CHECK:         scf.forall {{.*}} step (128, 128)
// CHECK-NOT:     step (128, 160)
// CHECK:         scf.forall {{.*}} step (64, 160)
module attributes {vector_ext.refused = [
    {groups = 2 : i64, number = 4 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64,
     threads = 128 : i64, way = "roles"}]} {
  func.func @refused(%x: tensor<?x5120xf16>, %w: tensor<5120x5120xf16>,
                     %out: tensor<?x5120xf32>) -> tensor<?x5120xf32> {
    %r = linalg.matmul
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<?x5120xf16>, tensor<5120x5120xf16>)
        outs(%out : tensor<?x5120xf32>) -> tensor<?x5120xf32>
    return %r : tensor<?x5120xf32>
  }
}
