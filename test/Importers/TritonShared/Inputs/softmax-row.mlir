// A softmax kernel of Triton, one row a program, as triton-shared writes it; the pointers,
// memref<*xf32> there, are memref<?xf32>.
#map = affine_map<(d0) -> (d0)>
func.func @softmax_rows(%out: memref<?xf32>, %in: memref<?xf32>, %in_stride: i32, %out_stride: i32, %columns: i32, %n0: i32, %n1: i32, %n2: i32, %row: i32, %p1: i32, %p2: i32) {
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %c64 = arith.constant 64 : index
  %0 = arith.muli %row, %in_stride : i32
  %1 = arith.index_cast %0 : i32 to index
  %source = memref.reinterpret_cast %in to offset: [%1], sizes: [64], strides: [1] : memref<?xf32> to memref<64xf32, strided<[1], offset: ?>>
  %2 = arith.index_cast %columns : i32 to index
  %3 = arith.minsi %2, %c64 : index
  %block = memref.alloc() : memref<64xf32>
  %4 = arith.cmpi slt, %3, %c64 : index
  scf.if %4 {
    linalg.fill ins(%low : f32) outs(%block : memref<64xf32>)
  }
  %from = memref.subview %source[0] [%3] [1] : memref<64xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %to = memref.subview %block[0] [%3] [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
  memref.copy %from, %to : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  %x = bufferization.to_tensor %block restrict writable : memref<64xf32> to tensor<64xf32>
  %5 = bufferization.alloc_tensor() : tensor<f32>
  %6 = tensor.insert %low into %5[] : tensor<f32>
  %max = linalg.reduce ins(%x : tensor<64xf32>) outs(%6 : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %15 = arith.maximumf %a, %b : f32
      linalg.yield %15 : f32
    }
  %7 = tensor.extract %max[] : tensor<f32>
  %8 = tensor.empty() : tensor<64xf32>
  %9 = linalg.fill ins(%7 : f32) outs(%8 : tensor<64xf32>) -> tensor<64xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%x, %9 : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %15 = arith.subf %a, %b : f32
    linalg.yield %15 : f32
  } -> tensor<64xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%10 : tensor<64xf32>) outs(%10 : tensor<64xf32>) {
  ^bb0(%a: f32, %c: f32):
    %15 = math.exp %a : f32
    linalg.yield %15 : f32
  } -> tensor<64xf32>
  %s0 = bufferization.alloc_tensor() : tensor<f32>
  %s1 = tensor.insert %zero into %s0[] : tensor<f32>
  %sum = linalg.reduce ins(%11 : tensor<64xf32>) outs(%s1 : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %15 = arith.addf %a, %b : f32
      linalg.yield %15 : f32
    }
  %12 = tensor.extract %sum[] : tensor<f32>
  %13 = linalg.fill ins(%12 : f32) outs(%8 : tensor<64xf32>) -> tensor<64xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%11, %13 : tensor<64xf32>, tensor<64xf32>) outs(%11 : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %15 = arith.divf %a, %b : f32
    linalg.yield %15 : f32
  } -> tensor<64xf32>
  %o0 = arith.muli %row, %out_stride : i32
  %o1 = arith.index_cast %o0 : i32 to index
  %target = memref.reinterpret_cast %out to offset: [%o1], sizes: [64], strides: [1] : memref<?xf32> to memref<64xf32, strided<[1], offset: ?>>
  %part = tensor.extract_slice %14[0] [%3] [1] : tensor<64xf32> to tensor<?xf32>
  %into = memref.subview %target[0] [%3] [1] : memref<64xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %part in writable %into : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
  return
}
