// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-complete-sharding=steps=lower

shard.grid @grid(shape = 2)

func.func @broadcast(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected process_linear_index, all_reduce, all_gather or all_to_all of the shard dialect, got 'shard.broadcast', which the runtime library lacks}}
  %0 = shard.broadcast %x on @grid grid_axes = [0] root = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @buffer(%x: memref<4xf32>) -> memref<4xf32> {
  // expected-error @+1 {{expected a tensor, got 'memref<4xf32>'}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : memref<4xf32> -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

shard.grid @grid(shape = 2) {striped = array<i16: 0>}

func.func @striped(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected no parts to be gathered, exchanged or cut along a striped axis: stripes are in another order than the whole}}
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = ?)

func.func @dynamic_grid(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a shard.grid of static shape in the module, got @grid}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @widening(%x: tensor<4xf32>) -> tensor<4xf64> {
  // expected-error @+1 {{expected the same element type for input and result, got 'tensor<4xf32>' and 'tensor<4xf64>'}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

shard.grid @grid(shape = 2)

func.func @average(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected sum, product, min or max, got 'average'}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = average : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @bytes(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{expected integers of 32 or 64 bits, got 'i8'}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xi8> -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

shard.grid @grid(shape = 2)

func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  // expected-error @+1 {{expected elements of type f16, bf16, f32, f64, i1, i8, i16, i32 or i64, got 'complex<f32>'}}
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xcomplex<f32>> -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// -----

shard.grid @grid(shape = 2) {striped = array<i16: 0>}

func.func @striped_exchange(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
  // expected-error @+1 {{expected no parts to be gathered, exchanged or cut along a striped axis: stripes are in another order than the whole}}
  %0 = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 1 concat_axis = 0 : tensor<4x6xf32> -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
