// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-gpu-manifest

func.func private @linalg_ext_mpi_all_reduce_f32(memref<*xf32>) attributes {collective = "all_reduce"}

func.func @strided(%x: memref<4xf32, strided<[2]>>) {
  %u = memref.cast %x : memref<4xf32, strided<[2]>> to memref<*xf32>
  // expected-error @+1 {{expected dense buffers of known rank, got 'memref<4xf32, strided<[2]>>'}}
  call @linalg_ext_mpi_all_reduce_f32(%u) : (memref<*xf32>) -> ()
  return
}

// -----

func.func private @linalg_ext_mpi_process_index(memref<*xi64>) -> i64 attributes {collective = "process_index"}

func.func @grid(%g: memref<1xi64>) {
  %u = memref.cast %g : memref<1xi64> to memref<*xi64>
  // expected-error @+1 {{expected a constant buffer of integers}}
  %i = call @linalg_ext_mpi_process_index(%u) : (memref<*xi64>) -> i64
  %zero = arith.constant 0 : i64
  %c = arith.cmpi eq, %i, %zero : i64
  cf.assert %c, "the first process"
  return
}
