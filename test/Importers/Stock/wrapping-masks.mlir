// Masks of positions whose arithmetic wraps around, as that of random masks does. Bounds of
// loops must not be computed from them.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=1 --max-buffer-bytes=12288

#id = affine_map<(d0, d1) -> (d0, d1)>

// A hash of both positions, in 32 bits.
func.func @hash(%q: tensor<64x32xf32>, %kt: tensor<32x192xf32>, %v: tensor<192x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x192xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<64x32xf32>, tensor<32x192xf32>) outs(%z : tensor<64x192xf32>) -> tensor<64x192xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %low = arith.constant 0xFF800000 : f32
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %i = arith.index_cast %row : index to i32
    %j = arith.index_cast %col : index to i32
    %a = arith.constant -1103515245 : i32
    %b = arith.constant -40503001 : i32
    %c0 = arith.constant 0 : i32
    %ia = arith.muli %i, %a : i32
    %jb = arith.muli %j, %b : i32
    %h = arith.addi %ia, %jb : i32
    %keep = arith.cmpi sgt, %h, %c0 : i32
    %r = arith.select %keep, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<64x192xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %eo = tensor.empty() : tensor<64x32xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x192xf32>, tensor<192x32xf32>) outs(%zo : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// The same in 8 bits.
func.func @hash_of_bytes(%q: tensor<64x32xf32>, %kt: tensor<32x192xf32>, %v: tensor<192x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x192xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<64x32xf32>, tensor<32x192xf32>) outs(%z : tensor<64x192xf32>) -> tensor<64x192xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %low = arith.constant 0xFF800000 : f32
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %i = arith.index_cast %row : index to i8
    %j = arith.index_cast %col : index to i8
    %a = arith.constant -3 : i8
    %b = arith.constant -5 : i8
    %c0 = arith.constant 0 : i8
    %ia = arith.muli %i, %a : i8
    %jb = arith.muli %j, %b : i8
    %h = arith.addi %ia, %jb : i8
    %keep = arith.cmpi sgt, %h, %c0 : i8
    %r = arith.select %keep, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<64x192xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %eo = tensor.empty() : tensor<64x32xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x192xf32>, tensor<192x32xf32>) outs(%zo : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// Positions from 128 on are negative as a byte.
func.func @truncated(%q: tensor<64x32xf32>, %kt: tensor<32x192xf32>, %v: tensor<192x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x192xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<64x32xf32>, tensor<32x192xf32>) outs(%z : tensor<64x192xf32>) -> tensor<64x192xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %low = arith.constant 0xFF800000 : f32
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %i = arith.index_cast %row : index to i32
    %j = arith.index_cast %col : index to i32
    %byte = arith.trunci %j : i32 to i8
    %ten = arith.constant 10 : i8
    %keep = arith.cmpi slt, %byte, %ten : i8
    %r = arith.select %keep, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<64x192xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %eo = tensor.empty() : tensor<64x32xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x192xf32>, tensor<192x32xf32>) outs(%zo : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// Later keys have large distances, as unsigned numbers.
func.func @unsigned_distance(%q: tensor<64x32xf32>, %kt: tensor<32x192xf32>, %v: tensor<192x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x192xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<64x32xf32>, tensor<32x192xf32>) outs(%z : tensor<64x192xf32>) -> tensor<64x192xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %low = arith.constant 0xFF800000 : f32
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %i = arith.index_cast %row : index to i32
    %j = arith.index_cast %col : index to i32
    %d = arith.subi %i, %j : i32
    %wide = arith.extui %d : i32 to i64
    %most = arith.constant 1000 : i64
    %keep = arith.cmpi slt, %wide, %most : i64
    %r = arith.select %keep, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<64x192xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %eo = tensor.empty() : tensor<64x32xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x192xf32>, tensor<192x32xf32>) outs(%zo : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// A product that does not wrap around.
func.func @promised(%q: tensor<64x32xf32>, %kt: tensor<32x192xf32>, %v: tensor<192x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x192xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<64x32xf32>, tensor<32x192xf32>) outs(%z : tensor<64x192xf32>) -> tensor<64x192xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %low = arith.constant 0xFF800000 : f32
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %i = arith.index_cast %row : index to i32
    %j = arith.index_cast %col : index to i32
    %c3 = arith.constant 3 : i32
    %end = arith.muli %i, %c3 overflow<nsw> : i32
    %keep = arith.cmpi sle, %j, %end : i32
    %r = arith.select %keep, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<64x192xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) -> tensor<64x192xf32>
  %eo = tensor.empty() : tensor<64x32xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x192xf32>, tensor<192x32xf32>) outs(%zo : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}
