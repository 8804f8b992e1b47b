// Masks of booleans: selected by, as an exporter of ONNX writes Where; turned into
// 0 or -inf of f16, which are added, as PyTorch does in scaled_dot_product_attention; and
// those of keys alone. The first is copied to shared memory as bytes.

// RUN: linalg-ext-check-program %s --entry=selected --targets=cpu --max-buffer-bytes=20000 --sizes=2x2x1x140x16,2x2x144x16,2x2x144x16,2x140x144
// RUN: linalg-ext-check-program %s --entry=selected --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --sizes=2x2x1x140x16,2x2x144x16,2x2x144x16,2x140x144 --gpu-options="chip=sm_90a async-products=true roles=true rows=128 keys=64 processors=1"
// RUN: linalg-ext-check-program %s --entry=selected --max-buffer-bytes=0 --max-kernels=1 --sizes=1x2x1x70x16,1x2x75x16,1x2x75x16,1x70x75 --targets=gpu --gpu-options="chip=sm_90a async-products=true roles=true rows=128 keys=64 processors=1"
// RUN: linalg-ext-check-program %s --entry=where --max-buffer-bytes=0 --max-kernels=1 --sizes=2x2x1x140x16,2x2x144x16,2x2x144x16,2x140x144 --targets=gpu --gpu-options="chip=sm_90a async-products=true roles=true persistent-kernels=true rows=128 keys=64 processors=1"
// RUN: linalg-ext-check-program %s --entry=keys --max-buffer-bytes=0 --max-kernels=1 --sizes=2x2x1x140x16,2x2x272x16,2x2x272x16,2x272 --targets=gpu --gpu-options="chip=sm_90a async-products=true roles=true persistent-kernels=true rows=128 keys=128 processors=1"

func.func @selected(%q: tensor<?x?x1x?x16xf16>, %k: tensor<?x?x?x16xf16>, %v: tensor<?x?x?x16xf16>, %mask: tensor<?x?x?xi1> {check.draw = "keep 0.9"}) -> tensor<?x?x1x?x16xf16> {
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000000e-01 : f32
  %ib = arith.constant 0 : index
  %sb = tensor.dim %q, %ib : tensor<?x?x1x?x16xf16>
  %ih = arith.constant 1 : index
  %sh = tensor.dim %q, %ih : tensor<?x?x1x?x16xf16>
  %im = arith.constant 3 : index
  %sm = tensor.dim %q, %im : tensor<?x?x1x?x16xf16>
  %in = arith.constant 2 : index
  %sn = tensor.dim %k, %in : tensor<?x?x?x16xf16>
  %e0 = tensor.empty(%sb, %sh, %sm, %sn) : tensor<?x?x1x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x?x1x?x?xf32>) -> tensor<?x?x1x?x?xf32>
  %qk = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n, d) -> (b, h, g, m, d)>, affine_map<(b, h, g, m, n, d) -> (b, h, n, d)>, affine_map<(b, h, g, m, n, d) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x1x?x16xf16>, tensor<?x?x?x16xf16>) outs(%f0 : tensor<?x?x1x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1x?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n) -> (b, m, n)>, affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %mask : tensor<?x?x1x?x?xf32>, tensor<?x?x?xi1>) outs(%e0 : tensor<?x?x1x?x?xf32>) {
  ^bb0(%x: f32, %seen: i1, %o: f32):
    %scaled = arith.mulf %x, %scale : f32
        %masked = arith.select %seen, %scaled, %hidden : f32
    linalg.yield %masked : f32
  } -> tensor<?x?x1x?x?xf32>
  %p = linalg.softmax dimension(4) ins(%s : tensor<?x?x1x?x?xf32>)
      outs(%e0 : tensor<?x?x1x?x?xf32>) -> tensor<?x?x1x?x?xf32>
  %ep = tensor.empty(%sb, %sh, %sm, %sn) : tensor<?x?x1x?x?xf16>
  %ph = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<?x?x1x?x?xf32>) outs(%ep : tensor<?x?x1x?x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x1x?x?xf16>
  %e1 = tensor.empty(%sb, %sh, %sm) : tensor<?x?x1x?x16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x?x1x?x16xf32>) -> tensor<?x?x1x?x16xf32>
  %pv = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n, e) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n, e) -> (b, h, n, e)>, affine_map<(b, h, g, m, n, e) -> (b, h, g, m, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "parallel"]}
      ins(%ph, %v : tensor<?x?x1x?x?xf16>, tensor<?x?x?x16xf16>) outs(%f1 : tensor<?x?x1x?x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1x?x16xf32>
  %epv = tensor.empty(%sb, %sh, %sm) : tensor<?x?x1x?x16xf16>
  %pvh = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, e) -> (b, h, g, m, e)>,
      affine_map<(b, h, g, m, e) -> (b, h, g, m, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%pv : tensor<?x?x1x?x16xf32>) outs(%epv : tensor<?x?x1x?x16xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x1x?x16xf16>
  return %pvh : tensor<?x?x1x?x16xf16>
}

func.func @where(%q: tensor<?x?x1x?x16xf16>, %k: tensor<?x?x?x16xf16>, %v: tensor<?x?x?x16xf16>, %mask: tensor<?x?x?xi1> {check.draw = "keep 0.9"}) -> tensor<?x?x1x?x16xf16> {
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000000e-01 : f32
  %ib = arith.constant 0 : index
  %sb = tensor.dim %q, %ib : tensor<?x?x1x?x16xf16>
  %ih = arith.constant 1 : index
  %sh = tensor.dim %q, %ih : tensor<?x?x1x?x16xf16>
  %im = arith.constant 3 : index
  %sm = tensor.dim %q, %im : tensor<?x?x1x?x16xf16>
  %in = arith.constant 2 : index
  %sn = tensor.dim %k, %in : tensor<?x?x?x16xf16>
  %e0 = tensor.empty(%sb, %sh, %sm, %sn) : tensor<?x?x1x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x?x1x?x?xf32>) -> tensor<?x?x1x?x?xf32>
  %qk = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n, d) -> (b, h, g, m, d)>, affine_map<(b, h, g, m, n, d) -> (b, h, n, d)>, affine_map<(b, h, g, m, n, d) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x1x?x16xf16>, tensor<?x?x?x16xf16>) outs(%f0 : tensor<?x?x1x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1x?x?xf32>
  %eb = tensor.empty(%sb, %sm, %sn) : tensor<?x?x?xf16>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask : tensor<?x?x?xi1>) outs(%eb : tensor<?x?x?xf16>) {
  ^bb0(%x: i1, %o: f16):
    %none = arith.constant 0xFC00 : f16
    %seen = arith.constant 0.0 : f16
    %true = arith.constant true
    %not = arith.xori %x, %true : i1
    %r = arith.select %not, %none, %seen : f16
    linalg.yield %r : f16
  } -> tensor<?x?x?xf16>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n) -> (b, m, n)>, affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %bias : tensor<?x?x1x?x?xf32>, tensor<?x?x?xf16>) outs(%e0 : tensor<?x?x1x?x?xf32>) {
  ^bb0(%x: f32, %added: f16, %o: f32):
    %scaled = arith.mulf %x, %scale : f32
        %wide = arith.extf %added : f16 to f32
    %masked = arith.addf %scaled, %wide : f32
    linalg.yield %masked : f32
  } -> tensor<?x?x1x?x?xf32>
  %p = linalg.softmax dimension(4) ins(%s : tensor<?x?x1x?x?xf32>)
      outs(%e0 : tensor<?x?x1x?x?xf32>) -> tensor<?x?x1x?x?xf32>
  %ep = tensor.empty(%sb, %sh, %sm, %sn) : tensor<?x?x1x?x?xf16>
  %ph = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<?x?x1x?x?xf32>) outs(%ep : tensor<?x?x1x?x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x1x?x?xf16>
  %e1 = tensor.empty(%sb, %sh, %sm) : tensor<?x?x1x?x16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x?x1x?x16xf32>) -> tensor<?x?x1x?x16xf32>
  %pv = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n, e) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n, e) -> (b, h, n, e)>, affine_map<(b, h, g, m, n, e) -> (b, h, g, m, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "parallel"]}
      ins(%ph, %v : tensor<?x?x1x?x?xf16>, tensor<?x?x?x16xf16>) outs(%f1 : tensor<?x?x1x?x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1x?x16xf32>
  %epv = tensor.empty(%sb, %sh, %sm) : tensor<?x?x1x?x16xf16>
  %pvh = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, e) -> (b, h, g, m, e)>,
      affine_map<(b, h, g, m, e) -> (b, h, g, m, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%pv : tensor<?x?x1x?x16xf32>) outs(%epv : tensor<?x?x1x?x16xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x1x?x16xf16>
  return %pvh : tensor<?x?x1x?x16xf16>
}

func.func @keys(%q: tensor<?x?x1x?x16xf16>, %k: tensor<?x?x?x16xf16>, %v: tensor<?x?x?x16xf16>, %mask: tensor<?x?xi1> {check.draw = "keep 0.9"}) -> tensor<?x?x1x?x16xf16> {
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000000e-01 : f32
  %ib = arith.constant 0 : index
  %sb = tensor.dim %q, %ib : tensor<?x?x1x?x16xf16>
  %ih = arith.constant 1 : index
  %sh = tensor.dim %q, %ih : tensor<?x?x1x?x16xf16>
  %im = arith.constant 3 : index
  %sm = tensor.dim %q, %im : tensor<?x?x1x?x16xf16>
  %in = arith.constant 2 : index
  %sn = tensor.dim %k, %in : tensor<?x?x?x16xf16>
  %e0 = tensor.empty(%sb, %sh, %sm, %sn) : tensor<?x?x1x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x?x1x?x?xf32>) -> tensor<?x?x1x?x?xf32>
  %qk = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n, d) -> (b, h, g, m, d)>, affine_map<(b, h, g, m, n, d) -> (b, h, n, d)>, affine_map<(b, h, g, m, n, d) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x1x?x16xf16>, tensor<?x?x?x16xf16>) outs(%f0 : tensor<?x?x1x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1x?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n) -> (b, n)>, affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %mask : tensor<?x?x1x?x?xf32>, tensor<?x?xi1>) outs(%e0 : tensor<?x?x1x?x?xf32>) {
  ^bb0(%x: f32, %seen: i1, %o: f32):
    %scaled = arith.mulf %x, %scale : f32
        %masked = arith.select %seen, %scaled, %hidden : f32
    linalg.yield %masked : f32
  } -> tensor<?x?x1x?x?xf32>
  %p = linalg.softmax dimension(4) ins(%s : tensor<?x?x1x?x?xf32>)
      outs(%e0 : tensor<?x?x1x?x?xf32>) -> tensor<?x?x1x?x?xf32>
  %ep = tensor.empty(%sb, %sh, %sm, %sn) : tensor<?x?x1x?x?xf16>
  %ph = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>,
      affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<?x?x1x?x?xf32>) outs(%ep : tensor<?x?x1x?x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x1x?x?xf16>
  %e1 = tensor.empty(%sb, %sh, %sm) : tensor<?x?x1x?x16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x?x1x?x16xf32>) -> tensor<?x?x1x?x16xf32>
  %pv = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n, e) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n, e) -> (b, h, n, e)>, affine_map<(b, h, g, m, n, e) -> (b, h, g, m, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "parallel"]}
      ins(%ph, %v : tensor<?x?x1x?x?xf16>, tensor<?x?x?x16xf16>) outs(%f1 : tensor<?x?x1x?x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1x?x16xf32>
  %epv = tensor.empty(%sb, %sh, %sm) : tensor<?x?x1x?x16xf16>
  %pvh = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, e) -> (b, h, g, m, e)>,
      affine_map<(b, h, g, m, e) -> (b, h, g, m, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%pv : tensor<?x?x1x?x16xf32>) outs(%epv : tensor<?x?x1x?x16xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x1x?x16xf16>
  return %pvh : tensor<?x?x1x?x16xf16>
}
