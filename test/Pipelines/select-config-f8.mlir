// RUN: linalg-ext-opt %s --linalg-ext-select-config=first=wgmma.m64n64k32.f32.e4m3.e4m3 | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-select-config=first=wgmma.m64n64k32.f32.e4m3.e5m2 | FileCheck %s --check-prefix=TWO
// RUN: linalg-ext-opt %s --linalg-ext-select-config=f8-products=f16 | FileCheck %s --check-prefix=F16
// RUN: not linalg-ext-opt %s --linalg-ext-select-config="f8-products=f32" 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: invalid option 'f8-products': expected f8, f16 or rounded, got 'f32'

// Contractions with an instruction that sums with few bits are marked. Without
// instructions of f8, operands are extended to f16, and so are those of two formats.

// CHECK-LABEL: func @products
// CHECK: vector.contract {{.*}}intrinsic = "wgmma.m64n64k32.f32.e4m3.e4m3"{{.*}}vector_ext.short_sums
// CHECK: %[[A:.+]] = arith.extf %{{.+}} : vector<64x64xf8E4M3FN> to vector<64x64xf16>
// CHECK: %[[B:.+]] = arith.extf %{{.+}} : vector<64x64xf8E5M2> to vector<64x64xf16>
// CHECK: vector.contract {{.*}} %[[A]], %[[B]], %{{.+}} {vector_ext.config = {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"{{[^}]*}}>} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>

// Bits of another format are those of the type of the other operand, and the contraction says which they
// are.
// TWO-LABEL: func @products
// TWO: %[[Y:.+]] = vector.transfer_read {{.*}} : memref<64x64xf8E5M2>, vector<64x64xf8E5M2>
// TWO: %[[BITS:.+]] = arith.bitcast %[[Y]] : vector<64x64xf8E5M2> to vector<64x64xf8E4M3FN>
// TWO: vector.contract {{.*}} %[[BITS]], %{{.+}} {vector_ext.config = {{.*}}intrinsic = "wgmma.m64n64k32.f32.e4m3.e5m2"{{.*}}vector_ext.formats = [f8E4M3FN, f8E5M2], vector_ext.short_sums} : vector<64x64xf8E4M3FN>, vector<64x64xf8E4M3FN> into vector<64x64xf32>

// F16-LABEL: func @products
// F16: arith.extf %{{.+}} : vector<64x64xf8E4M3FN> to vector<64x64xf16>
// F16-NOT: short_sums
// F16: vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"
func.func @products(%a: memref<64x64xf8E4M3FN>, %b: memref<64x64xf8E5M2>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f8E4M3FN
    %i = arith.constant 0.0 : f8E5M2
    %f = arith.constant 0.0 : f32
    %acc = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf8E4M3FN>, vector<64x64xf8E4M3FN>
    %y = vector.transfer_read %b[%c0, %c0], %i {in_bounds = [true, true]} : memref<64x64xf8E5M2>, vector<64x64xf8E5M2>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %x, %acc : vector<64x64xf8E4M3FN>, vector<64x64xf8E4M3FN> into vector<64x64xf32>
    %xw = arith.extf %x : vector<64x64xf8E4M3FN> to vector<64x64xf32>
    %yw = arith.extf %y : vector<64x64xf8E5M2> to vector<64x64xf32>
    %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %xw, %yw, %0 : vector<64x64xf32>, vector<64x64xf32> into vector<64x64xf32>
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}
