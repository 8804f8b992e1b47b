// Products of bytes of each sign, whose right operand has columns in rows of memory, or in columns.

func.func @p_ss_kn(%a: tensor<37x83xi8>, %b: tensor<83x45xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<83x45xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @p_us_kn(%a: tensor<37x83xi8>, %b: tensor<83x45xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<83x45xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @p_su_kn(%a: tensor<37x83xi8>, %b: tensor<83x45xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<83x45xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @p_uu_kn(%a: tensor<37x83xi8>, %b: tensor<83x45xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<83x45xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @p_ss_nk(%a: tensor<37x83xi8>, %b: tensor<45x83xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<45x83xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @p_us_nk(%a: tensor<37x83xi8>, %b: tensor<45x83xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<45x83xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @p_su_nk(%a: tensor<37x83xi8>, %b: tensor<45x83xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<45x83xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

func.func @p_uu_nk(%a: tensor<37x83xi8>, %b: tensor<45x83xi8>, %c: tensor<37x45xi32>) -> tensor<37x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<37x83xi8>, tensor<45x83xi8>) outs(%c : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}
