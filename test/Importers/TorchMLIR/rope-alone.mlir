// Rotary embeddings whose results are stored: the halves of a row are put together, one of them
// negated. One kernel reads them in place; a concatenation along rows, and one of inserts as TOSA
// writes it, are read in the same way.

// RUN: linalg-ext-check-program %s --entry=rope --sizes=2x3x37x48,37x48,37x48 --max-kernels=1
// RUN: linalg-ext-check-program %s --entry=rope_odd --max-kernels=1
// RUN: linalg-ext-check-program %s --entry=rows --sizes=-,29x40,-,- --max-kernels=1
// RUN: linalg-ext-check-program %s --entry=rows --sizes=-,0x40,-,- --max-kernels=1

// Wide loads on both sides of a seam.
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o - 2>/dev/null | FileCheck %s
// CHECK-LABEL: .entry rope
// CHECK-NOT:   ld.global.nc.b16
// CHECK:       ld.global.nc.v4.b32
// CHECK-NOT:   ld.global.nc.b16
// CHECK:       st.global.v4.b32

#id = affine_map<(b, h, t, d) -> (b, h, t, d)>
#td = affine_map<(b, h, t, d) -> (t, d)>
#rd = affine_map<(r, d) -> (r, d)>
#d = affine_map<(r, d) -> (d)>

func.func @rope(%x: tensor<2x3x?x48xbf16>, %cos: tensor<?x48xf32>, %sin: tensor<?x48xf32>) -> tensor<2x3x?x48xbf16> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : tensor<2x3x?x48xbf16>
  %x1 = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, %n, 24] [1, 1, 1, 1] : tensor<2x3x?x48xbf16> to tensor<2x3x?x24xbf16>
  %x2 = tensor.extract_slice %x[0, 0, 0, 24] [2, 3, %n, 24] [1, 1, 1, 1] : tensor<2x3x?x48xbf16> to tensor<2x3x?x24xbf16>
  %e = tensor.empty(%n) : tensor<2x3x?x24xbf16>
  %neg = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x2 : tensor<2x3x?x24xbf16>) outs(%e : tensor<2x3x?x24xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %v = arith.negf %a : bf16
    linalg.yield %v : bf16
  } -> tensor<2x3x?x24xbf16>
  %c = tensor.concat dim(3) %neg, %x1 : (tensor<2x3x?x24xbf16>, tensor<2x3x?x24xbf16>) -> tensor<2x3x?x48xbf16>
  %e2 = tensor.empty(%n) : tensor<2x3x?x48xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #td, #td, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %c, %cos, %sin : tensor<2x3x?x48xbf16>, tensor<2x3x?x48xbf16>, tensor<?x48xf32>, tensor<?x48xf32>) outs(%e2 : tensor<2x3x?x48xbf16>) {
  ^bb0(%a: bf16, %r: bf16, %p: f32, %q: f32, %o: bf16):
    %a1 = arith.extf %a : bf16 to f32
    %r1 = arith.extf %r : bf16 to f32
    %u = arith.mulf %a1, %p : f32
    %v = arith.mulf %r1, %q : f32
    %s = arith.addf %u, %v : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2x3x?x48xbf16>
  return %y : tensor<2x3x?x48xbf16>
}

// Parts of 3, 7 and 1 columns. What computes one of them asks for its position.

func.func @rope_odd(%x: tensor<37x7xf32>, %z: tensor<37x3xf32>, %w: tensor<11xf32>) -> tensor<37x11xf32> {
  %zero = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<37x7xf32>
  %shifted = linalg.generic {indexing_maps = [#rd, #rd], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<37x7xf32>) outs(%e : tensor<37x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %f = arith.sitofp %i : i32 to f32
    %v = arith.addf %a, %f : f32
    linalg.yield %v : f32
  } -> tensor<37x7xf32>
  %f = tensor.empty() : tensor<37x1xf32>
  %half = linalg.fill ins(%zero : f32) outs(%f : tensor<37x1xf32>) -> tensor<37x1xf32>
  %e2 = tensor.empty() : tensor<37x11xf32>
  %0 = tensor.insert_slice %z into %e2[0, 0] [37, 3] [1, 1] : tensor<37x3xf32> into tensor<37x11xf32>
  %1 = tensor.insert_slice %shifted into %0[0, 3] [37, 7] [1, 1] : tensor<37x7xf32> into tensor<37x11xf32>
  %2 = tensor.insert_slice %half into %1[0, 10] [37, 1] [1, 1] : tensor<37x1xf32> into tensor<37x11xf32>
  %y = linalg.generic {indexing_maps = [#rd, #d, #rd], iterator_types = ["parallel", "parallel"]}
      ins(%2, %w : tensor<37x11xf32>, tensor<11xf32>) outs(%e2 : tensor<37x11xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<37x11xf32>
  return %y : tensor<37x11xf32>
}

// Rows of two tensors are normalized as one. The second one may have none.

func.func @rows(%x: tensor<37x40xf32>, %y: tensor<?x40xf32>, %g: tensor<40xf32>, %p: tensor<40xf32>) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %c37 = arith.constant 37 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %y, %c0 : tensor<?x40xf32>
  %rows = arith.addi %n, %c37 : index
  %c = tensor.concat dim(0) %x, %y : (tensor<37x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
  %e0 = tensor.empty(%rows) : tensor<?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#rd, affine_map<(r, d) -> (r)>], iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<?x40xf32>) outs(%f0 : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %v = arith.addf %q, %o : f32
    linalg.yield %v : f32
  } -> tensor<?xf32>
  %e = tensor.empty(%rows) : tensor<?x40xf32>
  %r = linalg.generic {indexing_maps = [#rd, affine_map<(r, d) -> (r)>, #d, #d, #rd], iterator_types = ["parallel", "parallel"]}
      ins(%c, %s, %g, %p : tensor<?x40xf32>, tensor<?xf32>, tensor<40xf32>, tensor<40xf32>) outs(%e : tensor<?x40xf32>) {
  ^bb0(%a: f32, %q: f32, %b: f32, %k: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %d = arith.addf %q, %one : f32
    %i = math.rsqrt %d : f32
    %u = arith.mulf %a, %i : f32
    %v = arith.mulf %u, %b : f32
    %w = arith.addf %v, %k : f32
    linalg.yield %w : f32
  } -> tensor<?x40xf32>
  return %r : tensor<?x40xf32>
}
