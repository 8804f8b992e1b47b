// The instructions of a kernel, counted in its PTX, are as many as follow from
// the sizes of its tiles.

// RUN: rm -rf %t && split-file %s %t

// Tiles of 64 rows by 64 keys of 64 elements, four warps of 16 rows. In the
// body of the loop over keys, of which there is one, for a warp:
//   mma.sync    16 x 8 x 16: 64/8 * 64/16 for the scores, as many for the result
//   ldmatrix    256 elements each: 64 * 64 / 256 for the keys, and transposed as many
//               for the values; queries stay in registers, weights too
//   ex2         64 * 64 / 128 scores of a thread, and the two rows' factors
//   shfl        two rows over four lanes, in two steps: maxima in the loop, sums behind
//   cp.async    16 bytes each: 2 * 64 * 64 * 2 / 16 / 128 for keys and values, in the loop
//               and in front of it
//   bar.sync    in front of the loop, before and behind what a stage is used for
// RUN: linalg-ext-compile %t/attention.mlir --target=sm_80 --emit=ptx --options="rows=64 keys=64 stages=2" -o - \
// RUN:   | sed -E 's/;.*//' | grep -oE "(mma|ldmatrix|ex2|shfl|cp\.async\.cg|bar)\.[^ ]*" | sort | uniq -c | FileCheck %s --check-prefix=ATTENTION
// ATTENTION:      {{^ *}}3 bar.sync
// ATTENTION-NEXT: {{^ *}}16 cp.async.cg.shared.global
// ATTENTION-NEXT: {{^ *}}34 ex2.approx.ftz.f32
// ATTENTION-NEXT: {{^ *}}16 ldmatrix.sync.aligned.m8n8.x4.shared.b16
// ATTENTION-NEXT: {{^ *}}16 ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// ATTENTION-NEXT: {{^ *}}64 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// ATTENTION-NEXT: {{^ *}}8 shfl.sync.bfly.b32
// ATTENTION-NOT:  {{.}}

// Results of a thread: 16 * 64 / 32, 16 bytes at a time; queries two at a time.
// RUN: linalg-ext-compile %t/attention.mlir --target=sm_80 --emit=ptx --options="rows=64 keys=64 stages=2" -o - \
// RUN:   | grep -oE "(ld|st)\.global[^ ]*|\.local" | sort | uniq -c | FileCheck %s --check-prefix=MEMORY
// MEMORY:      {{^ *}}16 ld.global.nc.b32
// MEMORY-NEXT: {{^ *}}8 st.global.v4.b32
// MEMORY-NOT:  {{.}}

// Tiles of 128 x 128 x 32 in four stages, warps of 64 x 64:
//   mma.sync    64/16 * 64/8 * 32/16
//   ldmatrix    64 * 32 / 256 for each operand, and half of that in front of the loop
//   cp.async    2 * 128 * 32 * 2 / 16 / 128, in the loop and for four stages in front of it
// RUN: linalg-ext-compile %t/matmul.mlir --target=sm_80 --emit=ptx --options="rows=128 columns=128 reduction=32 stages=4" -o - \
// RUN:   | grep -oE "(mma|ldmatrix|shfl|cp\.async\.cg)\.[^ ]*|\.local" | sort | uniq -c | FileCheck %s --check-prefix=MATMUL
// MATMUL:      {{^ *}}40 cp.async.cg.shared.global
// MATMUL-NEXT: {{^ *}}12 ldmatrix.sync.aligned.m8n8.x4.shared.b16
// MATMUL-NEXT: {{^ *}}12 ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// MATMUL-NEXT: {{^ *}}64 mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// MATMUL-NOT:  {{.}}

//--- attention.mlir
#qd = affine_map<(m, n, d) -> (m, d)>
#kd = affine_map<(m, n, d) -> (n, d)>
#mn = affine_map<(m, n, d) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @attention(%q: tensor<64x64xf16>, %k: tensor<256x64xf16>,
                     %v: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %s = linalg.matmul indexing_maps = [#qd, #kd, #mn]
    ins(%q, %k : tensor<64x64xf16>, tensor<256x64xf16>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %eh = tensor.empty() : tensor<64x256xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x256xf32>) outs(%eh : tensor<64x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x256xf16>
  %eo = tensor.empty() : tensor<64x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%h, %v : tensor<64x256xf16>, tensor<256x64xf16>) outs(%fo : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

//--- matmul.mlir
func.func @matmul(%a: tensor<256x512xbf16>, %b: tensor<512x256xbf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xbf16>, tensor<512x256xbf16>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}
