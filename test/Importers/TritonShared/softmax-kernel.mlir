// The softmax of a row: a program of a grid, with its number as an argument,
// unranked memory, reinterpret casts and a masked load by an allocation. It is the
// program of a grid already: no launches are made of it.

// RUN: linalg-ext-check-program %s --sizes=5x64,5x64 --targets=cpu

#row = affine_map<(d0) -> (d0)>
func.func @softmax_kernel(%out: memref<*xf32>, %in: memref<*xf32> {check.draw = "uniform -3 3"},
                          %stride_in: i32 {check.draw = "uniform 64 64"}, %stride_out: i32 {check.draw = "uniform 64 64"},
                          %columns: i32 {check.draw = "uniform 61 61"}, %pid: i32 {check.draw = "uniform 3 3"}) {
  %c64 = arith.constant 64 : index
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %a = arith.muli %pid, %stride_in : i32
  %ai = arith.index_cast %a : i32 to index
  %src = memref.reinterpret_cast %in to offset: [%ai], sizes: [64], strides: [1]
      : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
  %n = arith.index_cast %columns : i32 to index
  %n1 = arith.minsi %n, %c64 : index
  %buffer = memref.alloc() : memref<64xf32>
  %less = arith.cmpi slt, %n1, %c64 : index
  scf.if %less {
    linalg.fill ins(%ninf : f32) outs(%buffer : memref<64xf32>)
  }
  %from = memref.subview %src[0] [%n1] [1] : memref<64xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %to = memref.subview %buffer[0] [%n1] [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
  memref.copy %from, %to : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %x = bufferization.to_tensor %buffer restrict writable : memref<64xf32> to tensor<64xf32>
  %m0 = bufferization.alloc_tensor() : tensor<f32>
  %m1 = tensor.insert %ninf into %m0[] : tensor<f32>
  %m2 = linalg.reduce ins(%x : tensor<64xf32>) outs(%m1 : tensor<f32>) dimensions = [0]
    (%e: f32, %acc: f32) {
      %t = arith.maxnumf %e, %acc : f32
      linalg.yield %t : f32
    }
  %m = tensor.extract %m2[] : tensor<f32>
  %e0 = tensor.empty() : tensor<64xf32>
  %mb = linalg.fill ins(%m : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %d = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%x, %mb : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.subf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %ex = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%d : tensor<64xf32>) outs(%d : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %t = math.exp %p : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %s0 = bufferization.alloc_tensor() : tensor<f32>
  %s1 = tensor.insert %zero into %s0[] : tensor<f32>
  %s2 = linalg.reduce ins(%ex : tensor<64xf32>) outs(%s1 : tensor<f32>) dimensions = [0]
    (%e: f32, %acc: f32) {
      %t = arith.addf %e, %acc : f32
      linalg.yield %t : f32
    }
  %s = tensor.extract %s2[] : tensor<f32>
  %sb = linalg.fill ins(%s : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%ex, %sb : tensor<64xf32>, tensor<64xf32>) outs(%ex : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.divf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %b = arith.muli %pid, %stride_out : i32
  %bi = arith.index_cast %b : i32 to index
  %dst = memref.reinterpret_cast %out to offset: [%bi], sizes: [64], strides: [1]
      : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
  %part = tensor.extract_slice %y[0] [%n1] [1] : tensor<64xf32> to tensor<?xf32>
  %where = memref.subview %dst[0] [%n1] [1] : memref<64xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %part in writable %where : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}
