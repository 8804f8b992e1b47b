// A cache in pages as an IREE module gathers it: the payload divides the position by the
// rows of a page, reads the table of a layer and the pool, and selects zero behind the
// length. Keys and values have the heads inside of rows; then come a grouped product, a
// softmax and the mask of the length.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1300 --max-kernels=1 --keys=16

#of_b = affine_map<(b, s, h, d) -> (b)>
#id4 = affine_map<(b, s, h, d) -> (b, s, h, d)>
#q = affine_map<(b, h, g, n, d) -> (b, h, g, d)>
#k = affine_map<(b, h, g, n, d) -> (b, n, h, d)>
#s = affine_map<(b, h, g, n, d) -> (b, h, g, n)>
#p = affine_map<(b, h, g, d, n) -> (b, h, g, n)>
#v = affine_map<(b, h, g, d, n) -> (b, n, h, d)>
#o = affine_map<(b, h, g, d, n) -> (b, h, g, d)>
#all = affine_map<(b, h, g, n) -> (b, h, g, n)>
#length = affine_map<(b, h, g, n) -> (b)>

func.func @attention(%q: tensor<2x3x2x16xf16>, %k_pool: tensor<24x4x3x16xf16>, %v_pool: tensor<24x4x3x16xf16>,
                     %tables: tensor<3x2x10xi32> {check.draw = "uniform 0 23"},
                     %lengths: tensor<2xi32> {check.draw = "uniform 1 40"}) -> tensor<2x3x2x16xf32> {
  %rows = arith.constant 4 : index
  %layer = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %kv = tensor.empty() : tensor<2x40x3x16xf16>
  %k = linalg.generic {indexing_maps = [#of_b, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%lengths : tensor<2xi32>) outs(%kv : tensor<2x40x3x16xf16>) {
  ^bb0(%length: i32, %out: f16):
    %b = linalg.index 0 : index
    %s = linalg.index 1 : index
    %h = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = arith.divui %s, %rows : index
    %row = arith.remui %s, %rows : index
    %entry = tensor.extract %tables[%layer, %b, %number] : tensor<3x2x10xi32>
    %page = arith.index_cast %entry : i32 to index
    %e = tensor.extract %k_pool[%page, %row, %h, %d] : tensor<24x4x3x16xf16>
    %end = arith.index_cast %length : i32 to index
    %inside = arith.cmpi ult, %s, %end : index
    %y = arith.select %inside, %e, %nothing : f16
    linalg.yield %y : f16
  } -> tensor<2x40x3x16xf16>
  %v = linalg.generic {indexing_maps = [#of_b, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%lengths : tensor<2xi32>) outs(%kv : tensor<2x40x3x16xf16>) {
  ^bb0(%length: i32, %out: f16):
    %b = linalg.index 0 : index
    %s = linalg.index 1 : index
    %h = linalg.index 2 : index
    %d = linalg.index 3 : index
    %number = arith.divui %s, %rows : index
    %row = arith.remui %s, %rows : index
    %entry = tensor.extract %tables[%layer, %b, %number] : tensor<3x2x10xi32>
    %page = arith.index_cast %entry : i32 to index
    %e = tensor.extract %v_pool[%page, %row, %h, %d] : tensor<24x4x3x16xf16>
    %end = arith.index_cast %length : i32 to index
    %inside = arith.cmpi ult, %s, %end : index
    %y = arith.select %inside, %e, %nothing : f16
    linalg.yield %y : f16
  } -> tensor<2x40x3x16xf16>
  %scores = tensor.empty() : tensor<2x3x2x40xf32>
  %none = linalg.fill ins(%zero : f32) outs(%scores : tensor<2x3x2x40xf32>) -> tensor<2x3x2x40xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x3x2x16xf16>, tensor<2x40x3x16xf16>) outs(%none : tensor<2x3x2x40xf32>) -> tensor<2x3x2x40xf32>
  %masked = linalg.generic {indexing_maps = [#all, #length, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%qk, %lengths : tensor<2x3x2x40xf32>, tensor<2xi32>) outs(%scores : tensor<2x3x2x40xf32>) {
  ^bb0(%x: f32, %length: i32, %out: f32):
    %n = linalg.index 3 : index
    %end = arith.index_cast %length : i32 to index
    %inside = arith.cmpi ult, %n, %end : index
    %scaled = arith.mulf %x, %scale : f32
    %y = arith.select %inside, %scaled, %low : f32
    linalg.yield %y : f32
  } -> tensor<2x3x2x40xf32>
  %w = linalg.softmax dimension(3) ins(%masked : tensor<2x3x2x40xf32>) outs(%scores : tensor<2x3x2x40xf32>) -> tensor<2x3x2x40xf32>
  %half = tensor.empty() : tensor<2x3x2x40xf16>
  %wh = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x3x2x40xf32>) outs(%half : tensor<2x3x2x40xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x3x2x40xf16>
  %sums = tensor.empty() : tensor<2x3x2x16xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%sums : tensor<2x3x2x16xf32>) -> tensor<2x3x2x16xf32>
  %pv = linalg.contract indexing_maps = [#p, #v, #o] ins(%wh, %v : tensor<2x3x2x40xf16>, tensor<2x40x3x16xf16>) outs(%sum : tensor<2x3x2x16xf32>) -> tensor<2x3x2x16xf32>
  return %pv : tensor<2x3x2x16xf32>
}
