// What is moved more than once, whatever the reason.

// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse=steps=traffic --verify-diagnostics -o /dev/null
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="steps=traffic target=gpu" -o /dev/null 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="steps=traffic require-fusion" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REQUIRE
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="steps=traffic report=none" 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=remark:

// NONE: func @twice
// GPU: remark: read more than once: 64x4096xf32 (1.0 MiB) by 2 kernels: 'linalg.reduce' is not tiled, so it is a kernel of its own; to fuse it, write what uses it as elementwise ops and reductions of the same rows
// REQUIRE: remark: read more than once: 64x4096xf32 (1.0 MiB) by 2 loop nests
// REQUIRE: remark: stored: 128x?xf32 of a loop nest, for 1 loop nest more: one has all elements of dimension 1 in a tile, another 64

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

// A sum, and a loop that needs it.

func.func @twice(%x: tensor<64x4096xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{read more than once: 64x4096xf32 (1.0 MiB) by 2 loop nests: 'linalg.reduce' is not tiled, so it is a loop nest of its own; to fuse it, write what uses it as elementwise ops and reductions of the same rows}}
  %l = linalg.reduce { arith.addf } ins(%x : tensor<64x4096xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
  %r = scf.forall (%row) in (64) shared_outs(%all = %e) -> tensor<64xf32> {
    %t = tensor.extract_slice %x[%row, 0] [1, 4096] [1, 1] : tensor<64x4096xf32> to tensor<1x4096xf32>
    %s = tensor.extract_slice %l[%row] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %o = tensor.extract_slice %all[%row] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %y = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
        ins(%t, %s : tensor<1x4096xf32>, tensor<1xf32>) outs(%o : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %q = arith.divf %a, %b : f32
      %d = arith.maximumf %q, %c : f32
      linalg.yield %d : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %all[%row] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}

// -----

// A product in tiles of dynamic columns, and whole rows of it.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

func.func @cut(%x: tensor<128x16xf32>, %w: tensor<16x?xf32>, %e: tensor<128x?xf32>, %re: tensor<128xf32>, %n: index) -> tensor<128xf32> {
  %y = scf.forall (%col) = (0) to (%n) step (64) shared_outs(%all = %e) -> tensor<128x?xf32> {
    %t = tensor.extract_slice %w[0, %col] [16, 64] [1, 1] : tensor<16x?xf32> to tensor<16x64xf32>
    %o = tensor.extract_slice %all[0, %col] [128, 64] [1, 1] : tensor<128x?xf32> to tensor<128x64xf32>
    %p = linalg.matmul ins(%x, %t : tensor<128x16xf32>, tensor<16x64xf32>) outs(%o : tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %all[0, %col] [128, 64] [1, 1] : tensor<128x64xf32> into tensor<128x?xf32>
    }
  }
  // expected-remark @below {{stored: 128x?xf32 of a loop nest, for 1 loop nest more: one has all elements of dimension 1 in a tile, another 64; reduce what a tile of the product has, such as the columns of a head}}
  %r = scf.forall (%row) in (128) shared_outs(%all = %re) -> tensor<128xf32> {
    %t = tensor.extract_slice %y[%row, 0] [1, %n] [1, 1] : tensor<128x?xf32> to tensor<1x?xf32>
    %o = tensor.extract_slice %all[%row] [1] [1] : tensor<128xf32> to tensor<1xf32>
    %l = linalg.reduce { arith.maximumf } ins(%t : tensor<1x?xf32>) outs(%o : tensor<1xf32>) dimensions = [1]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %l into %all[%row] [1] [1] : tensor<1xf32> into tensor<128xf32>
    }
  }
  return %r : tensor<128xf32>
}

// -----

// Rows that are divided by their sums, for the tiles of a product.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

func.func @norm_before_product(%x: tensor<128x512xf32>, %w: tensor<512x256xf32>, %e: tensor<128x512xf32>, %re: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %y = scf.forall (%row) in (128) shared_outs(%all = %e) -> tensor<128x512xf32> {
    %t = tensor.extract_slice %x[%row, 0] [1, 512] [1, 1] : tensor<128x512xf32> to tensor<1x512xf32>
    %o = tensor.extract_slice %all[%row, 0] [1, 512] [1, 1] : tensor<128x512xf32> to tensor<1x512xf32>
    %z0 = tensor.empty() : tensor<1xf32>
    %z = linalg.fill ins(%zero : f32) outs(%z0 : tensor<1xf32>) -> tensor<1xf32>
    %l = linalg.reduce { arith.addf } ins(%t : tensor<1x512xf32>) outs(%z : tensor<1xf32>) dimensions = [1]
    %q = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
        ins(%t, %l : tensor<1x512xf32>, tensor<1xf32>) outs(%o : tensor<1x512xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %d = arith.divf %a, %b : f32
      linalg.yield %d : f32
    } -> tensor<1x512xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %all[%row, 0] [1, 512] [1, 1] : tensor<1x512xf32> into tensor<128x512xf32>
    }
  }
  // Four tiles have the rows %i: those of all columns.
  // expected-remark @below {{stored: 128x512xf32 (256.0 KiB) of a loop nest, for 1 loop nest more: 'linalg.reduce' reduces 512 elements for it before 'linalg.matmul' reads it, which 4 tiles do, each of the same rows; multiply the result of the product by what is one number for a row, or leave it}}
  %r = scf.forall (%i, %j) = (0, 0) to (128, 256) step (64, 64) shared_outs(%all = %re) -> tensor<128x256xf32> {
    %a = tensor.extract_slice %y[%i, 0] [64, 512] [1, 1] : tensor<128x512xf32> to tensor<64x512xf32>
    %b = tensor.extract_slice %w[0, %j] [512, 64] [1, 1] : tensor<512x256xf32> to tensor<512x64xf32>
    %o = tensor.extract_slice %all[%i, %j] [64, 64] [1, 1] : tensor<128x256xf32> to tensor<64x64xf32>
    %p = linalg.matmul ins(%a, %b : tensor<64x512xf32>, tensor<512x64xf32>) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %all[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x256xf32>
    }
  }
  return %r : tensor<128x256xf32>
}

// -----

// Each tensor once, or nearly so.

func.func @negative_once(%x: tensor<64x4096xf32>, %w: tensor<64xf32>, %e: tensor<64x4096xf32>, %re: tensor<64xf32>) -> (tensor<64x4096xf32>, tensor<64xf32>) {
  %y = linalg.exp ins(%x : tensor<64x4096xf32>) outs(%e : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %z = linalg.exp ins(%w : tensor<64xf32>) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  return %y, %z : tensor<64x4096xf32>, tensor<64xf32>
}

// -----

// Loops that write the parts of one tensor in place.

func.func @negative_parts(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> tensor<16x64xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %e0 = tensor.extract_slice %e[0, 0] [8, 64] [1, 1] : tensor<16x64xf32> to tensor<8x64xf32>
  %r0 = scf.forall (%row) in (8) shared_outs(%all = %e0) -> tensor<8x64xf32> {
    %t = tensor.extract_slice %x[%row, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %all[%row, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  }
  %i0 = tensor.insert_slice %r0 into %e[0, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<16x64xf32>
  %e1 = tensor.extract_slice %i0[8, 0] [8, 64] [1, 1] : tensor<16x64xf32> to tensor<8x64xf32>
  %r1 = scf.forall (%row) in (8) shared_outs(%all = %e1) -> tensor<8x64xf32> {
    %t = tensor.extract_slice %y[%row, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %all[%row, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  }
  %i1 = tensor.insert_slice %r1 into %i0[8, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<16x64xf32>
  return %i1 : tensor<16x64xf32>
}

// -----

// Two versions of a product: a loop for sums that are not split, and one for parts of sums, with
// the one that merges them. A launch runs one of the two. Nobody wrote the parts.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

func.func @negative_versions(%x: tensor<64x?xf32>, %e: tensor<64xf32>, %n: index, %chunks: index, %split: i1) -> tensor<64xf32> {
  %rows = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.if %split -> tensor<64xf32> {
    %slots = bufferization.alloc_tensor(%chunks) : tensor<64x?xf32>
    %parts = scf.forall (%row, %chunk) = (0, 0) to (64, %n) step (1, 512) shared_outs(%all = %slots) -> tensor<64x?xf32> {
      %slot = arith.divui %chunk, %rows : index
      %t = tensor.extract_slice %x[%row, %chunk] [1, 512] [1, 1] : tensor<64x?xf32> to tensor<1x512xf32>
      %z0 = tensor.empty() : tensor<1xf32>
      %z = linalg.fill ins(%zero : f32) outs(%z0 : tensor<1xf32>) -> tensor<1xf32>
      %l = linalg.reduce { arith.addf } ins(%t : tensor<1x512xf32>) outs(%z : tensor<1xf32>) dimensions = [1]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %l into %all[%row, %slot] [1, 1] [1, 1] : tensor<1xf32> into tensor<64x?xf32>
      }
    }
    %merged = scf.forall (%row) in (64) shared_outs(%all = %e) -> tensor<64xf32> {
      %t = tensor.extract_slice %parts[%row, 0] [1, %chunks] [1, 1] : tensor<64x?xf32> to tensor<1x?xf32>
      %o = tensor.extract_slice %all[%row] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %l = linalg.reduce { arith.addf } ins(%t : tensor<1x?xf32>) outs(%o : tensor<1xf32>) dimensions = [1]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %l into %all[%row] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    }
    scf.yield %merged : tensor<64xf32>
  } else {
    %whole = scf.forall (%row) in (64) shared_outs(%all = %e) -> tensor<64xf32> {
      %t = tensor.extract_slice %x[%row, 0] [1, %n] [1, 1] : tensor<64x?xf32> to tensor<1x?xf32>
      %o = tensor.extract_slice %all[%row] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %l = linalg.reduce { arith.addf } ins(%t : tensor<1x?xf32>) outs(%o : tensor<1xf32>) dimensions = [1]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %l into %all[%row] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    }
    scf.yield %whole : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// -----

// Versions of a sum in nested branches are one loop nest, whose result another one needs.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

func.func @versions(%x: tensor<64x4096xf32>, %e: tensor<64xf32>, %few: i1, %many: i1) -> tensor<64xf32> {
  %l = scf.if %few -> tensor<64xf32> {
    %0 = scf.forall (%row) = (0) to (64) step (8) shared_outs(%all = %e) -> tensor<64xf32> {
      %t = tensor.extract_slice %x[%row, 0] [8, 4096] [1, 1] : tensor<64x4096xf32> to tensor<8x4096xf32>
      %o = tensor.extract_slice %all[%row] [8] [1] : tensor<64xf32> to tensor<8xf32>
      %s = linalg.reduce { arith.addf } ins(%t : tensor<8x4096xf32>) outs(%o : tensor<8xf32>) dimensions = [1]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %all[%row] [8] [1] : tensor<8xf32> into tensor<64xf32>
      }
    }
    scf.yield %0 : tensor<64xf32>
  } else {
    %1 = scf.if %many -> tensor<64xf32> {
      %0 = scf.forall (%row) in (64) shared_outs(%all = %e) -> tensor<64xf32> {
        %t = tensor.extract_slice %x[%row, 0] [1, 4096] [1, 1] : tensor<64x4096xf32> to tensor<1x4096xf32>
        %o = tensor.extract_slice %all[%row] [1] [1] : tensor<64xf32> to tensor<1xf32>
        %s = linalg.reduce { arith.addf } ins(%t : tensor<1x4096xf32>) outs(%o : tensor<1xf32>) dimensions = [1]
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %s into %all[%row] [1] [1] : tensor<1xf32> into tensor<64xf32>
        }
      }
      scf.yield %0 : tensor<64xf32>
    } else {
      scf.yield %e : tensor<64xf32>
    }
    scf.yield %1 : tensor<64xf32>
  }
  // expected-remark @below {{read more than once: 64x4096xf32 (1.0 MiB) by 2 loop nests}}
  %r = scf.forall (%row) in (64) shared_outs(%all = %e) -> tensor<64xf32> {
    %t = tensor.extract_slice %x[%row, 0] [1, 4096] [1, 1] : tensor<64x4096xf32> to tensor<1x4096xf32>
    %s = tensor.extract_slice %l[%row] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %o = tensor.extract_slice %all[%row] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %y = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
        ins(%t, %s : tensor<1x4096xf32>, tensor<1xf32>) outs(%o : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %q = arith.divf %a, %b : f32
      %d = arith.maximumf %q, %c : f32
      linalg.yield %d : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %all[%row] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}
