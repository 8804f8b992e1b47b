// Attention sinks as kernels and references write them: the exponential of the sink is where
// the sum starts, or is added to it, with the sink in the maximum or not.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4000 --max-kernels=1 --keys=16

#query = affine_map<(b, i, j, d) -> (b, i, d)>
#key = affine_map<(b, i, j, d) -> (b, j, d)>
#value = affine_map<(b, i, j, d) -> (b, d, j)>
#scores = affine_map<(b, i, j, d) -> (b, i, j)>
#all = affine_map<(b, i, j) -> (b, i, j)>
#ofrow = affine_map<(b, i, j) -> (b, i)>
#rows = affine_map<(b, i) -> (b, i)>
#row = affine_map<(b, i) -> (b)>

func.func @starts_from_sink(%q: tensor<3x37x16xf16>, %k: tensor<3x45x16xf16>, %v: tensor<3x45x16xf16>, %sink: tensor<3xf32> {check.draw = "uniform -2 4"}) -> tensor<3x37x16xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000e-01 : f32
  %e = tensor.empty() : tensor<3x37x45xf32>
  %er = tensor.empty() : tensor<3x37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x37x16xf16>, tensor<3x45x16xf16>) outs(%f : tensor<3x37x45xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x37x45xf32>
  %x = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<3x37x45xf32>) outs(%e : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<3x37x45xf32>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %sinks = linalg.broadcast ins(%sink : tensor<3xf32>) outs(%er : tensor<3x37xf32>) dimensions = [1]
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x37x45xf32>) outs(%sinks : tensor<3x37xf32>) dimensions = [2]
  %l0 = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sink, %m : tensor<3xf32>, tensor<3x37xf32>) outs(%er : tensor<3x37xf32>) {
  ^bb0(%in: f32, %in0: f32, %out: f32):
    %0 = arith.subf %in, %in0 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x37xf32>
  %p = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%e : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in0: f32, %out: f32):
    %0 = arith.subf %in, %in0 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x37x45xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<3x37x45xf32>) outs(%l0 : tensor<3x37xf32>) dimensions = [2]
  %eh = tensor.empty() : tensor<3x37x45xf16>
  %w = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %l : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%eh : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %in0: f32, %out: f16):
    %0 = arith.divf %in, %in0 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<3x37x45xf16>
  %eo = tensor.empty() : tensor<3x37x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %o = linalg.generic {indexing_maps = [#query, #value, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%w, %v : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%fo : tensor<3x37x16xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x37x16xf32>
  return %o : tensor<3x37x16xf32>
}

func.func @added_behind_maximum(%q: tensor<3x37x16xf16>, %k: tensor<3x45x16xf16>, %v: tensor<3x45x16xf16>, %sink: tensor<3xf32> {check.draw = "uniform -2 4"}) -> tensor<3x37x16xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000e-01 : f32
  %e = tensor.empty() : tensor<3x37x45xf32>
  %er = tensor.empty() : tensor<3x37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x37x16xf16>, tensor<3x45x16xf16>) outs(%f : tensor<3x37x45xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x37x45xf32>
  %x = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<3x37x45xf32>) outs(%e : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<3x37x45xf32>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %sinks = linalg.broadcast ins(%sink : tensor<3xf32>) outs(%er : tensor<3x37xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<3x37x45xf32>) outs(%fm : tensor<3x37xf32>) dimensions = [2]
  %m = linalg.max ins(%m0, %sinks : tensor<3x37xf32>, tensor<3x37xf32>) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %l0 = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sink, %m : tensor<3xf32>, tensor<3x37xf32>) outs(%er : tensor<3x37xf32>) {
  ^bb0(%in: f32, %in0: f32, %out: f32):
    %0 = arith.subf %in, %in0 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x37xf32>
  %p = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%e : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in0: f32, %out: f32):
    %0 = arith.subf %in, %in0 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x37x45xf32>
  %l1 = linalg.reduce { arith.addf } ins(%p : tensor<3x37x45xf32>) outs(%fl : tensor<3x37xf32>) dimensions = [2]
  %l = linalg.add ins(%l1, %l0 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %eh = tensor.empty() : tensor<3x37x45xf16>
  %w = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %l : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%eh : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %in0: f32, %out: f16):
    %0 = arith.divf %in, %in0 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<3x37x45xf16>
  %eo = tensor.empty() : tensor<3x37x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %o = linalg.generic {indexing_maps = [#query, #value, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%w, %v : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%fo : tensor<3x37x16xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x37x16xf32>
  return %o : tensor<3x37x16xf32>
}

func.func @added_to_sum(%q: tensor<3x37x16xf16>, %k: tensor<3x45x16xf16>, %v: tensor<3x45x16xf16>, %sink: tensor<3xf32> {check.draw = "uniform -2 4"}) -> tensor<3x37x16xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000e-01 : f32
  %e = tensor.empty() : tensor<3x37x45xf32>
  %er = tensor.empty() : tensor<3x37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x37x16xf16>, tensor<3x45x16xf16>) outs(%f : tensor<3x37x45xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x37x45xf32>
  %x = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<3x37x45xf32>) outs(%e : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<3x37x45xf32>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %sinks = linalg.broadcast ins(%sink : tensor<3xf32>) outs(%er : tensor<3x37xf32>) dimensions = [1]
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x37x45xf32>) outs(%fm : tensor<3x37xf32>) dimensions = [2]
  %l0 = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sink, %m : tensor<3xf32>, tensor<3x37xf32>) outs(%er : tensor<3x37xf32>) {
  ^bb0(%in: f32, %in0: f32, %out: f32):
    %0 = arith.subf %in, %in0 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x37xf32>
  %p = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%e : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in0: f32, %out: f32):
    %0 = arith.subf %in, %in0 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x37x45xf32>
  %l1 = linalg.reduce { arith.addf } ins(%p : tensor<3x37x45xf32>) outs(%fl : tensor<3x37xf32>) dimensions = [2]
  %l = linalg.add ins(%l1, %l0 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%er : tensor<3x37xf32>) -> tensor<3x37xf32>
  %eh = tensor.empty() : tensor<3x37x45xf16>
  %w = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %l : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%eh : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %in0: f32, %out: f16):
    %0 = arith.divf %in, %in0 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<3x37x45xf16>
  %eo = tensor.empty() : tensor<3x37x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %o = linalg.generic {indexing_maps = [#query, #value, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%w, %v : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%fo : tensor<3x37x16xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x37x16xf32>
  return %o : tensor<3x37x16xf32>
}

// Relative to a maximum without it, an infinite sink makes the other elements 0.

#scores2 = affine_map<(i, j) -> (i, j)>
#ofrow2 = affine_map<(i, j) -> (i)>
#vec = affine_map<(i) -> (i)>

func.func @infinite_sink(%x: tensor<40x24xf32> {check.draw = "choose -inf 0.5 1 2"}, %sink: tensor<40xf32> {check.draw = "choose 0.5 inf 1"}) -> tensor<40x24xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<40xf32>
  %full = tensor.empty() : tensor<40x24xf32>
  %mi = linalg.fill ins(%ninf : f32) outs(%row : tensor<40xf32>) -> tensor<40xf32>
  %li = linalg.fill ins(%zero : f32) outs(%row : tensor<40xf32>) -> tensor<40xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<40x24xf32>) outs(%mi : tensor<40xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#scores2, #ofrow2, #scores2], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<40x24xf32>, tensor<40xf32>) outs(%full : tensor<40x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<40x24xf32>
  %es = linalg.generic {indexing_maps = [#vec, #vec, #vec], iterator_types = ["parallel"]} ins(%sink, %m : tensor<40xf32>, tensor<40xf32>) outs(%row : tensor<40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<40xf32>
  %l1 = linalg.reduce { arith.addf } ins(%e : tensor<40x24xf32>) outs(%li : tensor<40xf32>) dimensions = [1]
  %l = linalg.add ins(%l1, %es : tensor<40xf32>, tensor<40xf32>) outs(%row : tensor<40xf32>) -> tensor<40xf32>
  %lb = linalg.broadcast ins(%l : tensor<40xf32>) outs(%full : tensor<40x24xf32>) dimensions = [1]
  %y = linalg.div ins(%e, %lb : tensor<40x24xf32>, tensor<40x24xf32>) outs(%full : tensor<40x24xf32>) -> tensor<40x24xf32>
  return %y : tensor<40x24xf32>
}
