// Pages cost copies and branches no more than dense keys and values do, counted in
// PTX: 16 bytes at a time, and no branch but those of the loops. Entries of the
// tables are all that is loaded: of each tile one for the pages of a thread.

// Tiles of 64 keys of 64 elements:
//   cp.async    2 * 64 * 64 * 2 / 16 / 128 in the loop, as many in front of it for the
//               first tile of keys, and one for the queries
//   ld.global   entries: the rows of a thread are of one page, of keys and of values, in
//               and in front of the loop
// RUN: linalg-ext-compile %s --target=sm_80 --emit=ptx --options="rows=16 keys=64 split=-1 stages=2" -o - \
// RUN:   | grep -oE "(cp\.async\.c[ag]|ld\.global|bra)[^ ]*" | sed -E 's/.*ld\.global\.nc\.[bs]32/entry/' | sort | uniq -c | FileCheck %s
// CHECK:      {{^ *}}3 bra
// CHECK-NEXT: {{^ *}}4 bra.uni
// CHECK-NEXT: {{^ *}}17 cp.async.cg.shared.global
// CHECK-NEXT: {{^ *}}6 entry
// CHECK-NOT:  {{.}}

// Of pages of 64 rows a tile is one.
// RUN: sed -e 's/?x16x8/?x64x8/' -e 's/2x256xi32/2x64xi32/g' %s \
// RUN:   | linalg-ext-compile - --target=sm_80 --emit=ptx --options="rows=16 keys=64 split=-1 stages=2" -o - \
// RUN:   | grep -oE "(cp\.async\.c[ag]|ld\.global|bra)[^ ]*" | sort | uniq -c | FileCheck %s --check-prefix=ONE
// ONE:      {{^ *}}3 bra
// ONE-NEXT: {{^ *}}4 bra.uni
// ONE-NEXT: {{^ *}}17 cp.async.cg.shared.global
// ONE-NEXT: {{^ *}}4 ld.global.nc.b32
// ONE-NEXT: {{^ *}}1 ld.global.nc.v2.b32
// ONE-NOT:  {{.}}

#q = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>
#all = affine_map<(b, h, m, n) -> (b, h, m, n)>
func.func @main(%q: tensor<2x8x16x64xf16>, %pool: tensor<?x16x8x64xf16>, %k_table: tensor<2x256xi32>, %v_table: tensor<2x256xi32>) -> tensor<2x8x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x4096x64xf16>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3] pool(%pool : tensor<?x16x8x64xf16>) table(%k_table : tensor<2x256xi32>)
      outs(%e : tensor<2x8x4096x64xf16>) -> tensor<2x8x4096x64xf16>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3] pool(%pool : tensor<?x16x8x64xf16>) table(%v_table : tensor<2x256xi32>)
      outs(%e : tensor<2x8x4096x64xf16>) -> tensor<2x8x4096x64xf16>
  %se = tensor.empty() : tensor<2x8x16x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%se : tensor<2x8x16x4096xf32>) -> tensor<2x8x16x4096xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x8x16x64xf16>, tensor<2x8x4096x64xf16>) outs(%z : tensor<2x8x16x4096xf32>) -> tensor<2x8x16x4096xf32>
  %w = linalg.softmax dimension(3) ins(%scores : tensor<2x8x16x4096xf32>) outs(%se : tensor<2x8x16x4096xf32>) -> tensor<2x8x16x4096xf32>
  %he = tensor.empty() : tensor<2x8x16x4096xf16>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x8x16x4096xf32>) outs(%he : tensor<2x8x16x4096xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x8x16x4096xf16>
  %oe = tensor.empty() : tensor<2x8x16x64xf32>
  %o = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x16x64xf32>) -> tensor<2x8x16x64xf32>
  %r = linalg.contract indexing_maps = [#p, #v, #o] ins(%h, %v : tensor<2x8x16x4096xf16>, tensor<2x8x4096x64xf16>) outs(%o : tensor<2x8x16x64xf32>) -> tensor<2x8x16x64xf32>
  return %r : tensor<2x8x16x64xf32>
}
