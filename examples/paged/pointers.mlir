// Decoding with pages by pointer: tables have the address of each page, as i64. All of
// memory is the pool. Its pages begin 16 bytes apart, so the page at address p is
// number p / 16 - 1, if the memory is given from address 16 on. The null pointer is -1
// then, which is no page: its keys are zeros, as those of addresses that are no
// multiple of 16 or lie beyond the memory.

#q = affine_map<(b, h, g, n, d) -> (b, h, g, d)>
#k = affine_map<(b, h, g, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, g, n, d) -> (b, h, g, n)>
#p = affine_map<(b, h, g, d, n) -> (b, h, g, n)>
#v = affine_map<(b, h, g, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, g, d, n) -> (b, h, g, d)>
#all = affine_map<(b, h, g, n) -> (b, h, g, n)>
#batch = affine_map<(b, h, g, n) -> (b)>
#entry = affine_map<(b, e) -> (b, e)>

func.func @pointers(%q: tensor<?x2x4x64xf32>, %memory: memref<?xf32>,
                    %k_pages: tensor<?x?xi64>, %v_pages: tensor<?x?xi64>,
                    %lengths: tensor<?xi32>) -> tensor<?x2x4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %null = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %unit = arith.constant 16 : i64
  %none = arith.constant -1 : i64
  %b = tensor.dim %q, %c0 : tensor<?x2x4x64xf32>
  %entries = tensor.dim %k_pages, %c1 : tensor<?x?xi64>
  %n = arith.muli %entries, %c16 : index

  // Pages of 16 rows of 2 heads of 64, one every 4 floats.
  %floats = memref.dim %memory, %c0 : memref<?xf32>
  %pages = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%floats]
  %view = memref.reinterpret_cast %memory to offset: [0], sizes: [%pages, 16, 2, 64], strides: [4, 128, 64, 1]
      : memref<?xf32> to memref<?x16x2x64xf32, strided<[4, 128, 64, 1]>>
  %pool = bufferization.to_tensor %view restrict : memref<?x16x2x64xf32, strided<[4, 128, 64, 1]>> to tensor<?x16x2x64xf32>

  %te = tensor.empty(%b, %entries) : tensor<?x?xi64>
  %k_table = linalg.generic {indexing_maps = [#entry, #entry], iterator_types = ["parallel", "parallel"]}
      ins(%k_pages : tensor<?x?xi64>) outs(%te : tensor<?x?xi64>) {
  ^bb0(%pointer: i64, %out: i64):
    %rest = arith.remui %pointer, %unit : i64
    %aligned = arith.cmpi eq, %rest, %null : i64
    %number = arith.divui %pointer, %unit : i64
    %page = arith.subi %number, %one : i64
    %r = arith.select %aligned, %page, %none : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v_table = linalg.generic {indexing_maps = [#entry, #entry], iterator_types = ["parallel", "parallel"]}
      ins(%v_pages : tensor<?x?xi64>) outs(%te : tensor<?x?xi64>) {
  ^bb0(%pointer: i64, %out: i64):
    %rest = arith.remui %pointer, %unit : i64
    %aligned = arith.cmpi eq, %rest, %null : i64
    %number = arith.divui %pointer, %unit : i64
    %page = arith.subi %number, %one : i64
    %r = arith.select %aligned, %page, %none : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>

  %kv = tensor.empty(%b, %n) : tensor<?x2x?x64xf32>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%pool : tensor<?x16x2x64xf32>) table(%k_table : tensor<?x?xi64>) lengths(%lengths : tensor<?xi32>)
      outs(%kv : tensor<?x2x?x64xf32>) -> tensor<?x2x?x64xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%pool : tensor<?x16x2x64xf32>) table(%v_table : tensor<?x?xi64>) lengths(%lengths : tensor<?xi32>)
      outs(%kv : tensor<?x2x?x64xf32>) -> tensor<?x2x?x64xf32>
  %s_empty = tensor.empty(%b, %n) : tensor<?x2x4x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x2x4x?xf32>) -> tensor<?x2x4x?xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<?x2x4x64xf32>, tensor<?x2x?x64xf32>)
      outs(%s_zero : tensor<?x2x4x?xf32>) -> tensor<?x2x4x?xf32>
  %masked = linalg.generic {indexing_maps = [#all, #batch, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %lengths : tensor<?x2x4x?xf32>, tensor<?xi32>) outs(%s_empty : tensor<?x2x4x?xf32>) {
  ^bb0(%x: f32, %length: i32, %out: f32):
    %j = linalg.index 3 : index
    %end = arith.index_cast %length : i32 to index
    %visible = arith.cmpi slt, %j, %end : index
    %y = arith.mulf %x, %scale : f32
    %r = arith.select %visible, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<?x2x4x?xf32>
  %weights = linalg.softmax dimension(3) ins(%masked : tensor<?x2x4x?xf32>)
      outs(%s_empty : tensor<?x2x4x?xf32>) -> tensor<?x2x4x?xf32>
  %o_empty = tensor.empty(%b) : tensor<?x2x4x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<?x2x4x64xf32>) -> tensor<?x2x4x64xf32>
  %result = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%weights, %v : tensor<?x2x4x?xf32>, tensor<?x2x?x64xf32>)
      outs(%o_zero : tensor<?x2x4x64xf32>) -> tensor<?x2x4x64xf32>
  return %result : tensor<?x2x4x64xf32>
}
