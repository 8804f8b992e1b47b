// Norms in front of a product, and losses of classifiers: of given scores, and of
// those that are a product. All sizes are dynamic.

#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>
#h = affine_map<(m, n, k) -> (m, k)>
#e = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>

func.func @rms(%x: tensor<?x?xf32>, %gamma: tensor<?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %ki = arith.index_cast %k : index to i32
  %size = arith.sitofp %ki : i32 to f32
  %eps = arith.constant 1.0e-5 : f32
  %xe = tensor.empty(%m, %k) : tensor<?x?xf32>
  %squares = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %scale = linalg.generic {indexing_maps = [#one, #one],
      iterator_types = ["parallel"]}
      ins(%squares : tensor<?xf32>) outs(%re : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %a, %size : f32
    %t = arith.addf %s, %eps : f32
    %r = math.rsqrt %t : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#x, #row, #column, #x],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale, %gamma : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%xe : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.mulf %s, %c : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %oe = tensor.empty(%m, %n) : tensor<?x?xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = linalg.matmul {linalg_ext.root} ins(%y, %w : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%of : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

func.func @layer(%x: tensor<?x?xf32>, %gamma: tensor<?xf32>, %beta: tensor<?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %ki = arith.index_cast %k : index to i32
  %size = arith.sitofp %ki : i32 to f32
  %eps = arith.constant 1.0e-5 : f32
  %xe = tensor.empty(%m, %k) : tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one],
      iterator_types = ["parallel"]}
      ins(%sum : tensor<?xf32>) outs(%re : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %size : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %centred = linalg.generic {indexing_maps = [#x, #row, #x],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<?x?xf32>, tensor<?xf32>) outs(%xe : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %squares = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%centred : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %scale = linalg.generic {indexing_maps = [#one, #one],
      iterator_types = ["parallel"]}
      ins(%squares : tensor<?xf32>) outs(%re : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %a, %size : f32
    %t = arith.addf %s, %eps : f32
    %r = math.rsqrt %t : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#x, #row, #column, #column, #x],
      iterator_types = ["parallel", "parallel"]}
      ins(%centred, %scale, %gamma, %beta : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%xe : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.mulf %s, %c : f32
    %r = arith.addf %t, %d : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %oe = tensor.empty(%m, %n) : tensor<?x?xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?xf32>) -> tensor<?x?xf32>
  %result = linalg.matmul {linalg_ext.root} ins(%y, %w : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%of : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

func.func @loss(%x: tensor<?x?xf32>, %target: tensor<?xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%lowests : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %lse = linalg.generic {indexing_maps = [#one, #one, #one],
      iterator_types = ["parallel"]}
      ins(%sum, %max : tensor<?xf32>, tensor<?xf32>) outs(%re : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = math.log %a : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %result = linalg.generic {indexing_maps = [#x, #row, #row, #row],
      iterator_types = ["parallel", "reduction"], linalg_ext.root}
      ins(%x, %lse, %target : tensor<?x?xf32>, tensor<?xf32>, tensor<?xi32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %c : i32 to index
    %hit = arith.cmpi eq, %j, %i : index
    %s = arith.subf %b, %a : f32
    %t = arith.select %hit, %s, %zero : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}

func.func @classifier(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %target: tensor<?xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %n = tensor.dim %e, %c0 : tensor<?x?xf32>
  %se = tensor.empty(%m, %n) : tensor<?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<?x?xf32>) -> tensor<?x?xf32>
  %scores = linalg.generic {indexing_maps = [#h, #e, #s],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %e : tensor<?x?xf32>, tensor<?x?xf32>) outs(%sf : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<?x?xf32>) outs(%lowests : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %lse = linalg.generic {indexing_maps = [#one, #one, #one],
      iterator_types = ["parallel"]}
      ins(%sum, %max : tensor<?xf32>, tensor<?xf32>) outs(%re : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = math.log %a : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %result = linalg.generic {indexing_maps = [#x, #row, #row, #row],
      iterator_types = ["parallel", "reduction"], linalg_ext.root}
      ins(%scores, %lse, %target : tensor<?x?xf32>, tensor<?xf32>, tensor<?xi32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %c : i32 to index
    %hit = arith.cmpi eq, %j, %i : index
    %s = arith.subf %b, %a : f32
    %t = arith.select %hit, %s, %zero : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}
