// RUN: linalg-ext-opt %s --linalg-ext-fuse --split-input-file --verify-diagnostics | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-fuse=shared=false --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=ALONE

// Rows that are reduced in front of a product or of a loss, but not online. Norms of 128
// rows (1 MiB) are computed once; of the product behind them, 512 columns and 128 terms
// of the sums at a time. Of 256 rows, where one thread does them all.

// CHECK-LABEL: func @norm
// ALONE-LABEL: func @norm
#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>
func.func @norm(%x: tensor<2048x2048xf32>, %gamma: tensor<2048xf32>, %w: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  // CHECK: scf.forall {{.*}} to (2048) step (128)
  // ALONE: scf.forall {{.*}} to (2048) step (256)
  // CHECK:   linalg.generic {{.*}} ins(%{{.*}} : tensor<128x2048xf32>)
  // CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<128x2048xf32>)
  // CHECK:   scf.for {{.*}} step %c512
  // CHECK-NOT: linalg.generic
  // CHECK:     scf.for {{.*}} step %c128
  // CHECK-NOT: linalg.generic
  // CHECK:       linalg.matmul {{.*}} tensor<128x128xf32>, tensor<128x512xf32>
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<2048xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %size = arith.constant 2048.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %xe = tensor.empty() : tensor<2048x2048xf32>
  %squares = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x2048xf32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %scale = linalg.generic {indexing_maps = [#one, #one],
      iterator_types = ["parallel"]}
      ins(%squares : tensor<2048xf32>) outs(%re : tensor<2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %a, %size : f32
    %t = arith.addf %s, %eps : f32
    %r = math.rsqrt %t : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %y = linalg.generic {indexing_maps = [#x, #row, #column, #x],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale, %gamma : tensor<2048x2048xf32>, tensor<2048xf32>, tensor<2048xf32>) outs(%xe : tensor<2048x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.mulf %s, %c : f32
    linalg.yield %r : f32
  } -> tensor<2048x2048xf32>
  %oe = tensor.empty() : tensor<2048x2048xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %result = linalg.matmul {linalg_ext.root} ins(%y, %w : tensor<2048x2048xf32>, tensor<2048x2048xf32>)
      outs(%of : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %result : tensor<2048x2048xf32>
}

// -----

// A matrix that fits into the L2 cache is not cut.

// CHECK-LABEL: func @small_matrix
// ALONE-LABEL: func @small_matrix
#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>
func.func @small_matrix(%x: tensor<128x512xf32>, %gamma: tensor<512xf32>, %beta: tensor<512xf32>, %w: tensor<512x512xf32>) -> tensor<128x512xf32> {
  // CHECK: scf.forall {{.*}} to (128) step (32)
  // ALONE: scf.forall {{.*}} to (128) step (32)
  // CHECK-NOT: scf.for 
  // CHECK: linalg.matmul {{.*}} tensor<32x512xf32>, tensor<512x512xf32>
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<128xf32>) -> tensor<128xf32>
  %size = arith.constant 512.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %xe = tensor.empty() : tensor<128x512xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x512xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one],
      iterator_types = ["parallel"]}
      ins(%sum : tensor<128xf32>) outs(%re : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %size : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %centred = linalg.generic {indexing_maps = [#x, #row, #x],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<128x512xf32>, tensor<128xf32>) outs(%xe : tensor<128x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128x512xf32>
  %squares = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%centred : tensor<128x512xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %scale = linalg.generic {indexing_maps = [#one, #one],
      iterator_types = ["parallel"]}
      ins(%squares : tensor<128xf32>) outs(%re : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %a, %size : f32
    %t = arith.addf %s, %eps : f32
    %r = math.rsqrt %t : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %y = linalg.generic {indexing_maps = [#x, #row, #column, #column, #x],
      iterator_types = ["parallel", "parallel"]}
      ins(%centred, %scale, %gamma, %beta : tensor<128x512xf32>, tensor<128xf32>, tensor<512xf32>, tensor<512xf32>) outs(%xe : tensor<128x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.mulf %s, %c : f32
    %r = arith.addf %t, %d : f32
    linalg.yield %r : f32
  } -> tensor<128x512xf32>
  %oe = tensor.empty() : tensor<128x512xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<128x512xf32>) -> tensor<128x512xf32>
  %result = linalg.matmul {linalg_ext.root} ins(%y, %w : tensor<128x512xf32>, tensor<512x512xf32>)
      outs(%of : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %result : tensor<128x512xf32>
}

// -----

// The three passes of a loss take 4 rows at a time.

// CHECK-LABEL: func @loss
#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
func.func @loss(%x: tensor<2048x32768xf32>, %target: tensor<2048xi32>) -> tensor<2048xf32> {
  // CHECK: scf.forall {{.*}} to (2048) step (4)
  // CHECK-NOT: scf.for 
  // CHECK-COUNT-3: linalg.generic {{.*}} ins(%{{.*}} : {{.*}}tensor<4x32768xf32>
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<2048xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %max = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x32768xf32>) outs(%lowests : tensor<2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %max : tensor<2048x32768xf32>, tensor<2048xf32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %lse = linalg.generic {indexing_maps = [#one, #one, #one],
      iterator_types = ["parallel"]}
      ins(%sum, %max : tensor<2048xf32>, tensor<2048xf32>) outs(%re : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = math.log %a : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %result = linalg.generic {indexing_maps = [#x, #row, #row, #row],
      iterator_types = ["parallel", "reduction"], linalg_ext.root}
      ins(%x, %lse, %target : tensor<2048x32768xf32>, tensor<2048xf32>, tensor<2048xi32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %c : i32 to index
    %hit = arith.cmpi eq, %j, %i : index
    %s = arith.subf %b, %a : f32
    %t = arith.select %hit, %s, %zero : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  return %result : tensor<2048xf32>
}

// -----

// A row that the L2 cache does not hold is read once, online: what that adds, fewer than
// 8 operations for each byte that is not read again, pays.

// CHECK-LABEL: func @long_rows
#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
func.func @long_rows(%x: tensor<2048x1000000xf32>, %target: tensor<2048xi32>) -> tensor<2048xf32> {
  // CHECK: scf.forall {{.*}} in (2048)
  // CHECK:   scf.for {{.*}} step %c6144
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<2048xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %max = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x1000000xf32>) outs(%lowests : tensor<2048xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %max : tensor<2048x1000000xf32>, tensor<2048xf32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %lse = linalg.generic {indexing_maps = [#one, #one, #one],
      iterator_types = ["parallel"]}
      ins(%sum, %max : tensor<2048xf32>, tensor<2048xf32>) outs(%re : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = math.log %a : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %result = linalg.generic {indexing_maps = [#x, #row, #row, #row],
      iterator_types = ["parallel", "reduction"], linalg_ext.root}
      ins(%x, %lse, %target : tensor<2048x1000000xf32>, tensor<2048xf32>, tensor<2048xi32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %c : i32 to index
    %hit = arith.cmpi eq, %j, %i : index
    %s = arith.subf %b, %a : f32
    %t = arith.select %hit, %s, %zero : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  return %result : tensor<2048xf32>
}

// -----

// Scores that are computed are not kept, so that nothing larger than a tile is allocated.

// CHECK-LABEL: func @classifier
#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
#h = affine_map<(m, n, k) -> (m, k)>
#e = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @classifier(%x: tensor<1024x512xf32>, %e: tensor<32768x512xf32>, %target: tensor<1024xi32>) -> tensor<1024xf32> {
  // CHECK: scf.forall {{.*}} to (1024) step (64)
  // CHECK:   scf.for {{.*}} step %c128
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<1024xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<1024xf32>) -> tensor<1024xf32>
  %se = tensor.empty() : tensor<1024x32768xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<1024x32768xf32>) -> tensor<1024x32768xf32>
  %scores = linalg.generic {indexing_maps = [#h, #e, #s],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %e : tensor<1024x512xf32>, tensor<32768x512xf32>) outs(%sf : tensor<1024x32768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<1024x32768xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : tensor<1024xf32>) -> tensor<1024xf32>
  %max = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<1024x32768xf32>) outs(%lowests : tensor<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<1024xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores, %max : tensor<1024x32768xf32>, tensor<1024xf32>) outs(%zeros : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<1024xf32>
  %lse = linalg.generic {indexing_maps = [#one, #one, #one],
      iterator_types = ["parallel"]}
      ins(%sum, %max : tensor<1024xf32>, tensor<1024xf32>) outs(%re : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = math.log %a : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<1024xf32>
  %result = linalg.generic {indexing_maps = [#x, #row, #row, #row],
      iterator_types = ["parallel", "reduction"], linalg_ext.root}
      ins(%scores, %lse, %target : tensor<1024x32768xf32>, tensor<1024xf32>, tensor<1024xi32>) outs(%zeros : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %c : i32 to index
    %hit = arith.cmpi eq, %j, %i : index
    %s = arith.subf %b, %a : f32
    %t = arith.select %hit, %s, %zero : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<1024xf32>
  return %result : tensor<1024xf32>
}

// -----

// The loss of few columns, all in a cache: the product is small, and one more pass
// that counts targets does not pay.

// CHECK-LABEL: func @negative_unprofitable
#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
#h = affine_map<(m, n, k) -> (m, k)>
#e = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @negative_unprofitable(%x: tensor<16x4xf32>, %e: tensor<400x4xf32>, %target: tensor<16xi32>) -> tensor<16xf32> {
  // CHECK-NOT: scf.for
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<16xf32>) -> tensor<16xf32>
  %se = tensor.empty() : tensor<16x400xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<16x400xf32>) -> tensor<16x400xf32>
  %scores = linalg.generic {indexing_maps = [#h, #e, #s],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %e : tensor<16x4xf32>, tensor<400x4xf32>) outs(%sf : tensor<16x400xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<16x400xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : tensor<16xf32>) -> tensor<16xf32>
  %max = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<16x400xf32>) outs(%lowests : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores, %max : tensor<16x400xf32>, tensor<16xf32>) outs(%zeros : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %lse = linalg.generic {indexing_maps = [#one, #one, #one],
      iterator_types = ["parallel"]}
      ins(%sum, %max : tensor<16xf32>, tensor<16xf32>) outs(%re : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = math.log %a : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  // expected-remark @below {{not fused: it does not pay: expected at most 8.00 FLOPs for each byte saved, or 2.0% of those unfused, got}}
  %result = linalg.generic {indexing_maps = [#x, #row, #row, #row],
      iterator_types = ["parallel", "reduction"], linalg_ext.root}
      ins(%scores, %lse, %target : tensor<16x400xf32>, tensor<16xf32>, tensor<16xi32>) outs(%zeros : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %c : i32 to index
    %hit = arith.cmpi eq, %j, %i : index
    %s = arith.subf %b, %a : f32
    %t = arith.select %hit, %s, %zero : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  return %result : tensor<16xf32>
}
