// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,64) for(0,0,0,32)" recompute=cheap' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,64) for(0,0,0,32)"' --split-input-file | FileCheck %s --check-prefix=ALL
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,64) for(0,0,0,32)" recompute=none' --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,64) for(0,0,0,32)" recompute=cheap explain=text' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN

// Keys that are scaled are the same for all blocks of queries. 128 of those take
// longer to scale them than to read what was stored.

#id = affine_map<(b, d, j) -> (b, d, j)>
#keys = affine_map<(b, d, j) -> (j)>

// PLAN-LABEL: in @many_blocks
// PLAN:         level 0: forall
// PLAN:           keep 'linalg.generic': 128 iterations of the loops need the same of it: it is sooner computed once and stored
// PLAN:         level 1: for

// CHECK-LABEL: func @many_blocks
// CHECK:         arith.mulf {{.*}} : f16
// CHECK:         scf.forall
// CHECK-NOT:       arith.mulf {{.*}} : f16
// CHECK:           scf.for
// ALL-LABEL: func @many_blocks
// ALL-NOT:     arith.mulf {{.*}} : f16
// ALL:         scf.forall
// ALL:           scf.for
// ALL:             arith.mulf {{.*}} : f16
// NONE-LABEL: func @many_blocks
// NONE:         arith.mulf {{.*}} : f16
// NONE:         scf.forall
func.func @many_blocks(%q: tensor<32x8192x128xf16>, %k: tensor<32x128x8192xf16>, %c: tensor<8192xf16>, %v: tensor<32x8192x128xf16>) -> tensor<32x8192x128xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %ek = tensor.empty() : tensor<32x128x8192xf16>
  %scaled = linalg.generic {indexing_maps = [#id, #keys, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k, %c : tensor<32x128x8192xf16>, tensor<8192xf16>) outs(%ek : tensor<32x128x8192xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %0 = arith.mulf %x, %y : f16
    linalg.yield %0 : f16
  } -> tensor<32x128x8192xf16>
  %es = tensor.empty() : tensor<32x8192x8192xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<32x8192x8192xf32>) -> tensor<32x8192x8192xf32>
  %s = linalg.batch_matmul ins(%q, %scaled : tensor<32x8192x128xf16>, tensor<32x128x8192xf16>) outs(%fs : tensor<32x8192x8192xf32>) -> tensor<32x8192x8192xf32>
  %ep = tensor.empty() : tensor<32x8192x8192xf32>
  %er = tensor.empty() : tensor<32x8192xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<32x8192xf32>) -> tensor<32x8192xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<32x8192xf32>) -> tensor<32x8192xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<32x8192x8192xf32>) outs(%ep, %max, %sum, %er : tensor<32x8192x8192xf32>, tensor<32x8192xf32>, tensor<32x8192xf32>, tensor<32x8192xf32>)
      -> tensor<32x8192x8192xf32>, tensor<32x8192xf32>, tensor<32x8192xf32>, tensor<32x8192xf32>
  %eo = tensor.empty() : tensor<32x8192x128xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<32x8192x128xf32>) -> tensor<32x8192x128xf32>
  %o = linalg.batch_matmul ins(%p#0, %v : tensor<32x8192x8192xf32>, tensor<32x8192x128xf16>) outs(%fo : tensor<32x8192x128xf32>) -> tensor<32x8192x128xf32>
  return %o : tensor<32x8192x128xf32>
}

// -----

// Of these it is little, and a kernel for it would take longer.

#id = affine_map<(b, d, j) -> (b, d, j)>
#keys = affine_map<(b, d, j) -> (j)>

// PLAN-LABEL: in @few_blocks
// PLAN:         level 0: forall
// PLAN:           fuse 'linalg.generic', recomputed

// CHECK-LABEL: func @few_blocks
// CHECK-NOT:     arith.mulf {{.*}} : f16
// CHECK:         scf.forall
// CHECK:           scf.for
// CHECK:             arith.mulf {{.*}} : f16
// NONE-LABEL: func @few_blocks
// NONE:         arith.mulf {{.*}} : f16
// NONE:         scf.forall
func.func @few_blocks(%q: tensor<4x512x64xf16>, %k: tensor<4x64x512xf16>, %c: tensor<512xf16>, %v: tensor<4x512x64xf16>) -> tensor<4x512x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %ek = tensor.empty() : tensor<4x64x512xf16>
  %scaled = linalg.generic {indexing_maps = [#id, #keys, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k, %c : tensor<4x64x512xf16>, tensor<512xf16>) outs(%ek : tensor<4x64x512xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %0 = arith.mulf %x, %y : f16
    linalg.yield %0 : f16
  } -> tensor<4x64x512xf16>
  %es = tensor.empty() : tensor<4x512x512xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %s = linalg.batch_matmul ins(%q, %scaled : tensor<4x512x64xf16>, tensor<4x64x512xf16>) outs(%fs : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %ep = tensor.empty() : tensor<4x512x512xf32>
  %er = tensor.empty() : tensor<4x512xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<4x512xf32>) -> tensor<4x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<4x512xf32>) -> tensor<4x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<4x512x512xf32>) outs(%ep, %max, %sum, %er : tensor<4x512x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>)
      -> tensor<4x512x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>
  %eo = tensor.empty() : tensor<4x512x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  %o = linalg.batch_matmul ins(%p#0, %v : tensor<4x512x512xf32>, tensor<4x512x64xf16>) outs(%fo : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  return %o : tensor<4x512x64xf32>
}

// -----

// One block of queries has keys for itself.

#id = affine_map<(b, d, j) -> (b, d, j)>
#keys = affine_map<(b, d, j) -> (j)>

// PLAN-LABEL: in @one_block
// PLAN:         level 0: forall
// PLAN-NOT:       keep 'linalg.generic'
// PLAN:         level 1: for
// PLAN:         cost

// CHECK-LABEL: func @one_block
// CHECK:         scf.forall
// CHECK:           arith.mulf {{.*}} : f16
// NONE-LABEL: func @one_block
// NONE:         scf.forall
// NONE:           arith.mulf {{.*}} : f16
func.func @one_block(%q: tensor<64x16x128xf16>, %k: tensor<64x128x65536xf16>, %c: tensor<65536xf16>, %v: tensor<64x65536x128xf16>) -> tensor<64x16x128xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %ek = tensor.empty() : tensor<64x128x65536xf16>
  %scaled = linalg.generic {indexing_maps = [#id, #keys, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k, %c : tensor<64x128x65536xf16>, tensor<65536xf16>) outs(%ek : tensor<64x128x65536xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %0 = arith.mulf %x, %y : f16
    linalg.yield %0 : f16
  } -> tensor<64x128x65536xf16>
  %es = tensor.empty() : tensor<64x16x65536xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x16x65536xf32>) -> tensor<64x16x65536xf32>
  %s = linalg.batch_matmul ins(%q, %scaled : tensor<64x16x128xf16>, tensor<64x128x65536xf16>) outs(%fs : tensor<64x16x65536xf32>) -> tensor<64x16x65536xf32>
  %ep = tensor.empty() : tensor<64x16x65536xf32>
  %er = tensor.empty() : tensor<64x16xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<64x16xf32>) -> tensor<64x16xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<64x16xf32>) -> tensor<64x16xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<64x16x65536xf32>) outs(%ep, %max, %sum, %er : tensor<64x16x65536xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
      -> tensor<64x16x65536xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
  %eo = tensor.empty() : tensor<64x16x128xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x16x128xf32>) -> tensor<64x16x128xf32>
  %o = linalg.batch_matmul ins(%p#0, %v : tensor<64x16x65536xf32>, tensor<64x65536x128xf16>) outs(%fo : tensor<64x16x128xf32>) -> tensor<64x16x128xf32>
  return %o : tensor<64x16x128xf32>
}

// -----

// The rows that a mask hides whole are the same for 32 heads: each would read the mask once
// more.

#all = affine_map<(b, i, j) -> (b, i, j)>
#heads = affine_map<(b, i, j) -> (i, j)>
#row = affine_map<(b, i, j) -> (i)>
#mask = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// PLAN-LABEL: in @mask_of_heads
// PLAN:         level 0: forall
// PLAN:           keep 'linalg.generic': 32 iterations of the loops reduce the same: it is sooner reduced once and stored
// CHECK-LABEL: func @mask_of_heads
// CHECK:         arith.andi
// CHECK:         scf.forall
// ALL-LABEL: func @mask_of_heads
// ALL:         scf.forall
// ALL:           arith.andi
// ALL:           scf.for
func.func @mask_of_heads(%q: tensor<32x2048x64xf16>, %k: tensor<32x64x2048xf16>, %m: tensor<2048x2048xf16>, %v: tensor<32x2048x64xf16>) -> tensor<32x2048x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFC00 : f16
  %true = arith.constant true
  %es = tensor.empty() : tensor<32x2048x2048xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<32x2048x2048xf32>) -> tensor<32x2048x2048xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<32x2048x64xf16>, tensor<32x64x2048xf16>) outs(%fs : tensor<32x2048x2048xf32>) -> tensor<32x2048x2048xf32>
  %x = linalg.generic {indexing_maps = [#all, #heads, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<32x2048x2048xf32>, tensor<2048x2048xf16>) outs(%es : tensor<32x2048x2048xf32>) {
  ^bb0(%a: f32, %b: f16, %out: f32):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.addf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<32x2048x2048xf32>
  %er = tensor.empty() : tensor<32x2048xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%x : tensor<32x2048x2048xf32>) outs(%es, %max, %sum, %er : tensor<32x2048x2048xf32>, tensor<32x2048xf32>, tensor<32x2048xf32>, tensor<32x2048xf32>)
      -> tensor<32x2048x2048xf32>, tensor<32x2048xf32>, tensor<32x2048xf32>, tensor<32x2048xf32>
  %ei = tensor.empty() : tensor<2048xi1>
  %fi = linalg.fill ins(%true : i1) outs(%ei : tensor<2048xi1>) -> tensor<2048xi1>
  %empty = linalg.generic {indexing_maps = [#mask, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<2048x2048xf16>) outs(%fi : tensor<2048xi1>) {
  ^bb0(%a: f16, %acc: i1):
    %0 = arith.cmpf oeq, %a, %hidden : f16
    %1 = arith.andi %0, %acc : i1
    linalg.yield %1 : i1
  } -> tensor<2048xi1>
  %w = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p#0, %empty : tensor<32x2048x2048xf32>, tensor<2048xi1>) outs(%es : tensor<32x2048x2048xf32>) {
  ^bb0(%a: f32, %b: i1, %out: f32):
    %0 = arith.select %b, %zero, %a : f32
    linalg.yield %0 : f32
  } -> tensor<32x2048x2048xf32>
  %eo = tensor.empty() : tensor<32x2048x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<32x2048x64xf32>) -> tensor<32x2048x64xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<32x2048x2048xf32>, tensor<32x2048x64xf16>) outs(%fo : tensor<32x2048x64xf32>) -> tensor<32x2048x64xf32>
  return %o : tensor<32x2048x64xf32>
}

// -----

// One head reads it twice in any case.

#all = affine_map<(b, i, j) -> (b, i, j)>
#heads = affine_map<(b, i, j) -> (i, j)>
#row = affine_map<(b, i, j) -> (i)>
#mask = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @mask_of_one_head
// CHECK:         scf.forall
// CHECK:           arith.andi
// CHECK:           scf.for
func.func @mask_of_one_head(%q: tensor<1x2048x64xf16>, %k: tensor<1x64x2048xf16>, %m: tensor<2048x2048xf16>, %v: tensor<1x2048x64xf16>) -> tensor<1x2048x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFC00 : f16
  %true = arith.constant true
  %es = tensor.empty() : tensor<1x2048x2048xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<1x2048x2048xf32>) -> tensor<1x2048x2048xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<1x2048x64xf16>, tensor<1x64x2048xf16>) outs(%fs : tensor<1x2048x2048xf32>) -> tensor<1x2048x2048xf32>
  %x = linalg.generic {indexing_maps = [#all, #heads, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<1x2048x2048xf32>, tensor<2048x2048xf16>) outs(%es : tensor<1x2048x2048xf32>) {
  ^bb0(%a: f32, %b: f16, %out: f32):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.addf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x2048x2048xf32>
  %er = tensor.empty() : tensor<1x2048xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%x : tensor<1x2048x2048xf32>) outs(%es, %max, %sum, %er : tensor<1x2048x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>)
      -> tensor<1x2048x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>, tensor<1x2048xf32>
  %ei = tensor.empty() : tensor<2048xi1>
  %fi = linalg.fill ins(%true : i1) outs(%ei : tensor<2048xi1>) -> tensor<2048xi1>
  %empty = linalg.generic {indexing_maps = [#mask, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<2048x2048xf16>) outs(%fi : tensor<2048xi1>) {
  ^bb0(%a: f16, %acc: i1):
    %0 = arith.cmpf oeq, %a, %hidden : f16
    %1 = arith.andi %0, %acc : i1
    linalg.yield %1 : i1
  } -> tensor<2048xi1>
  %w = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p#0, %empty : tensor<1x2048x2048xf32>, tensor<2048xi1>) outs(%es : tensor<1x2048x2048xf32>) {
  ^bb0(%a: f32, %b: i1, %out: f32):
    %0 = arith.select %b, %zero, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x2048x2048xf32>
  %eo = tensor.empty() : tensor<1x2048x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<1x2048x64xf32>) -> tensor<1x2048x64xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<1x2048x2048xf32>, tensor<1x2048x64xf16>) outs(%fo : tensor<1x2048x64xf32>) -> tensor<1x2048x64xf32>
  return %o : tensor<1x2048x64xf32>
}
