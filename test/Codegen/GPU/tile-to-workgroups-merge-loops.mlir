// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups --split-input-file | FileCheck %s

// Images of 197 tokens are rows of one product, with its bias and its activation.

#x = affine_map<(b, n, f, k) -> (b, n, k)>
#w = affine_map<(b, n, f, k) -> (f, k)>
#o = affine_map<(b, n, f, k) -> (b, n, f)>
#id = affine_map<(b, n, f) -> (b, n, f)>
#bias = affine_map<(b, n, f) -> (f)>
// CHECK-LABEL: func @tokens
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<16x197x768xf16>
// CHECK:       %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK:       %[[R:.*]] = scf.forall ({{.*}}) = (0, 0) to (3152, 3072) {{.*}} -> (tensor<3152x3072xf16>)
// CHECK:         tensor.extract_slice %[[ROWS]]
// CHECK:         arith.addf
// CHECK:       %[[E:.*]] = tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [16, 197, 3072]
// CHECK:       return %[[E]]
func.func @tokens(%x: tensor<16x197x768xf16>, %w: tensor<3072x768xf16>, %bias: tensor<3072xf16>) -> tensor<16x197x3072xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x197x3072xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x197x3072xf32>) -> tensor<16x197x3072xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x197x768xf16>, tensor<3072x768xf16>) outs(%f : tensor<16x197x3072xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %b : f16 to f32
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x197x3072xf32>
  %e1 = tensor.empty() : tensor<16x197x3072xf16>
  %1 = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %bias : tensor<16x197x3072xf32>, tensor<3072xf16>) outs(%e1 : tensor<16x197x3072xf16>) {
  ^bb0(%a: f32, %b: f16, %c: f16):
    %t = arith.truncf %a : f32 to f16
    %s = arith.addf %t, %b : f16
    linalg.yield %s : f16
  } -> tensor<16x197x3072xf16>
  return %1 : tensor<16x197x3072xf16>
}

// -----

// A convolution of 1 x 1 has the pixels of an image as rows, not those of a line. The images
// are not next to each other, since the columns are between.

#x = affine_map<(n, f, h, w, c) -> (n, c, h, w)>
#w = affine_map<(n, f, h, w, c) -> (f, c)>
#o = affine_map<(n, f, h, w, c) -> (n, f, h, w)>
// CHECK-LABEL: func @pixels
// CHECK:       scf.forall ({{.*}}) = (0, 0, 0) to (8, 512, 196)
func.func @pixels(%x: tensor<8x256x14x14xf16>, %w: tensor<512x256xf16>) -> tensor<8x512x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x512x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x512x14x14xf32>) -> tensor<8x512x14x14xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x256x14x14xf16>, tensor<512x256xf16>) outs(%f : tensor<8x512x14x14xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %b : f16 to f32
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x512x14x14xf32>
  return %0 : tensor<8x512x14x14xf32>
}

// -----

// Groups of 4 columns are reduced by another kernel. The product has whole tiles of columns.

#x = affine_map<(m, g, j, k) -> (m, k)>
#w = affine_map<(m, g, j, k) -> (g, j, k)>
#o = affine_map<(m, g, j, k) -> (m, g, j)>
#all = affine_map<(m, g, j) -> (m, g, j)>
#max = affine_map<(m, g, j) -> (m, g)>
// CHECK-LABEL: func @groups
// CHECK:       %[[P:.*]] = scf.forall ({{.*}}) = (0, 0) to (1024, 8192)
// CHECK:       tensor.expand_shape %[[P]] {{\[}}[0], [1, 2]]
// CHECK:       scf.forall ({{.*}}) = (0, 0) to (1024, 2048)
func.func @groups(%x: tensor<1024x768xf16>, %w: tensor<8192x768xf16>) -> tensor<1024x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %we = tensor.expand_shape %w [[0, 1], [2]] output_shape [2048, 4, 768] : tensor<8192x768xf16> into tensor<2048x4x768xf16>
  %e = tensor.empty() : tensor<1024x2048x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x2048x4xf32>) -> tensor<1024x2048x4xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %we : tensor<1024x768xf16>, tensor<2048x4x768xf16>) outs(%f : tensor<1024x2048x4xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %b : f16 to f32
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1024x2048x4xf32>
  %e1 = tensor.empty() : tensor<1024x2048xf32>
  %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
  %1 = linalg.generic {indexing_maps = [#all, #max], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0 : tensor<1024x2048x4xf32>) outs(%f1 : tensor<1024x2048xf32>) {
  ^bb0(%a: f32, %c: f32):
    %m = arith.maximumf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<1024x2048xf32>
  return %1 : tensor<1024x2048xf32>
}

// -----

// Positions are added to the tokens of each image: the epilogue does not read whole rows. Whole
// tiles need nothing.

#x = affine_map<(b, n, f, k) -> (b, n, k)>
#w = affine_map<(b, n, f, k) -> (f, k)>
#o = affine_map<(b, n, f, k) -> (b, n, f)>
#id = affine_map<(b, n, f) -> (b, n, f)>
#pos = affine_map<(b, n, f) -> (n, f)>
// CHECK-LABEL: func @negative_positions
// CHECK:       scf.forall ({{.*}}) = (0, 0, 0) to (16, 197, 768)
// CHECK-LABEL: func @negative_whole_tiles
// CHECK:       scf.forall ({{.*}}) = (0, 0, 0) to (16, 128, 768)
// CHECK-LABEL: func @negative_part_of_rows
// CHECK:       scf.forall ({{.*}}) = (0, 0, 0) to (16, 100, 768)
func.func @negative_positions(%x: tensor<16x197x768xf32>, %w: tensor<768x768xf32>, %p: tensor<197x768xf32>) -> tensor<16x197x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x197x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x197x768xf32>) -> tensor<16x197x768xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x197x768xf32>, tensor<768x768xf32>) outs(%f : tensor<16x197x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x197x768xf32>
  %1 = linalg.generic {indexing_maps = [#id, #pos, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %p : tensor<16x197x768xf32>, tensor<197x768xf32>) outs(%e : tensor<16x197x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<16x197x768xf32>
  return %1 : tensor<16x197x768xf32>
}
func.func @negative_whole_tiles(%x: tensor<16x128x768xf32>, %w: tensor<768x768xf32>) -> tensor<16x128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x128x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x128x768xf32>) -> tensor<16x128x768xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x128x768xf32>, tensor<768x768xf32>) outs(%f : tensor<16x128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x128x768xf32>
  return %0 : tensor<16x128x768xf32>
}
// The rows of a slice are not contiguous.
func.func @negative_part_of_rows(%x: tensor<16x197x768xf32>, %w: tensor<768x768xf32>) -> tensor<16x100x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x100x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x100x768xf32>) -> tensor<16x100x768xf32>
  %s = tensor.extract_slice %x[0, 2, 0] [16, 100, 768] [1, 1, 1] : tensor<16x197x768xf32> to tensor<16x100x768xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<16x100x768xf32>, tensor<768x768xf32>) outs(%f : tensor<16x100x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %c, %m : f32
    linalg.yield %t : f32
  } -> tensor<16x100x768xf32>
  return %0 : tensor<16x100x768xf32>
}

// -----

// The numbers of images and of tokens are not known: the product has as many rows as there are tokens.

#x = affine_map<(b, n, f, k) -> (b, n, k)>
#w = affine_map<(b, n, f, k) -> (k, f)>
#o = affine_map<(b, n, f, k) -> (b, n, f)>
#id = affine_map<(b, n, f) -> (b, n, f)>
#row = affine_map<(b, n, f) -> (b, n)>
// CHECK-LABEL: func @unknown_tokens
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<?x?x768xf16>, %{{.*}}, %[[SCALES:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK-DAG:   %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK-DAG:   %[[OF_ROWS:.*]] = tensor.collapse_shape %[[SCALES]] {{\[}}[0, 1]]
// CHECK:       %[[R:.*]] = scf.forall ({{.*}}) = (0, 0) to (%{{.*}}, 3072) {{.*}} -> (tensor<?x3072xf16>)
// CHECK-DAG:     tensor.extract_slice %[[ROWS]]
// CHECK-DAG:     tensor.extract_slice %[[OF_ROWS]]
// CHECK:       %[[E:.*]] = tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [%{{.*}}, %{{.*}}, 3072]
// CHECK:       return %[[E]]
func.func @unknown_tokens(%x: tensor<?x?x768xf16>, %w: tensor<768x3072xf16>, %scales: tensor<?x?xf32>) -> tensor<?x?x3072xf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x768xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x768xf16>
  %e = tensor.empty(%b, %n) : tensor<?x?x3072xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x3072xf32>) -> tensor<?x?x3072xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x?x768xf16>, tensor<768x3072xf16>) outs(%f : tensor<?x?x3072xf32>) {
  ^bb0(%a: f16, %y: f16, %c: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %y : f16 to f32
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x?x3072xf32>
  %e1 = tensor.empty(%b, %n) : tensor<?x?x3072xf16>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %scales : tensor<?x?x3072xf32>, tensor<?x?xf32>) outs(%e1 : tensor<?x?x3072xf16>) {
  ^bb0(%a: f32, %y: f32, %c: f16):
    %m = arith.mulf %a, %y : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x?x3072xf16>
  return %1 : tensor<?x?x3072xf16>
}

// -----

// A slice of an unknown number of tokens may have not all of them. A slice of images has.

#x = affine_map<(b, n, f, k) -> (b, n, k)>
#w = affine_map<(b, n, f, k) -> (f, k)>
#o = affine_map<(b, n, f, k) -> (b, n, f)>
// CHECK-LABEL: func @negative_part_of_unknown_rows
// CHECK:       scf.forall ({{.*}}) = (0, 0, 0) to (16, %{{.*}}, 768)
// CHECK-LABEL: func @some_images
// CHECK:       scf.forall ({{.*}}) = (0, 0) to (%{{.*}}, 768)
func.func @negative_part_of_unknown_rows(%x: tensor<16x?x768xf32>, %w: tensor<768x768xf32>, %n: index) -> tensor<16x?x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<16x?x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x?x768xf32>) -> tensor<16x?x768xf32>
  %s = tensor.extract_slice %x[0, 0, 0] [16, %n, 768] [1, 1, 1] : tensor<16x?x768xf32> to tensor<16x?x768xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<16x?x768xf32>, tensor<768x768xf32>) outs(%f : tensor<16x?x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %c, %m : f32
    linalg.yield %t : f32
  } -> tensor<16x?x768xf32>
  return %0 : tensor<16x?x768xf32>
}
func.func @some_images(%x: tensor<16x?x768xf32>, %w: tensor<768x768xf32>, %b: index) -> tensor<?x?x768xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<16x?x768xf32>
  %e = tensor.empty(%b, %n) : tensor<?x?x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x768xf32>) -> tensor<?x?x768xf32>
  %s = tensor.extract_slice %x[0, 0, 0] [%b, %n, 768] [1, 1, 1] : tensor<16x?x768xf32> to tensor<?x?x768xf32>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<?x?x768xf32>, tensor<768x768xf32>) outs(%f : tensor<?x?x768xf32>) {
  ^bb0(%a: f32, %y: f32, %c: f32):
    %m = arith.mulf %a, %y : f32
    %t = arith.addf %c, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x?x768xf32>
  return %0 : tensor<?x?x768xf32>
}

// -----

// A slice of columns of unknown rows, such as the values behind a product of queries, keys and values. The
// reshape is in front of the slice, whose dimensions are known to be contiguous there.

#x = affine_map<(b, n, f, k) -> (b, n, k)>
#w = affine_map<(b, n, f, k) -> (f, k)>
#o = affine_map<(b, n, f, k) -> (b, n, f)>
// CHECK-DAG:   #[[PRODUCT:.+]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-LABEL: func @slice_of_columns
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<?x?x384xf16>
// CHECK-DAG:   %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK-DAG:   %[[N:.*]] = affine.apply #[[PRODUCT]]()
// CHECK:       %[[S:.*]] = tensor.extract_slice %[[ROWS]][0, 256] [%[[N]], 128] [1, 1]
// CHECK:       scf.forall ({{.*}}) = (0, 0) to (%{{.*}}, 768)
// CHECK:         tensor.extract_slice %[[S]]
func.func @slice_of_columns(%x: tensor<?x?x384xf16>, %w: tensor<768x128xf16>) -> tensor<?x?x768xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x384xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x384xf16>
  %e = tensor.empty(%b, %n) : tensor<?x?x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x768xf32>) -> tensor<?x?x768xf32>
  %s = tensor.extract_slice %x[0, 0, 256] [%b, %n, 128] [1, 1, 1] : tensor<?x?x384xf16> to tensor<?x?x128xf16>
  %0 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<?x?x128xf16>, tensor<768x128xf16>) outs(%f : tensor<?x?x768xf32>) {
  ^bb0(%a: f16, %y: f16, %c: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %y : f16 to f32
    %m = arith.mulf %l, %r : f32
    %t = arith.addf %c, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x?x768xf32>
  return %0 : tensor<?x?x768xf32>
}
