// RUN: not linalg-ext-opt %s --linalg-ext-fuse='levels="while(1)"' 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='normalization=late' 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='rescale-threshold=some' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='levels="for(1,1,1,1,1)"' 2>&1 | FileCheck %s --check-prefix=DIMS
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='split=-2' 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu f8-products=f9' 2>&1 | FileCheck %s --check-prefix=F8
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=tpu' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='key-subgroups=2' 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='recompute=all' 2>&1 | FileCheck %s --check-prefix=RECOMPUTE
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=none force' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu force' 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu ways=later' 2>&1 | FileCheck %s --check-prefix=WAYS
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='ways=sync' 2>&1 | FileCheck %s --check-prefix=CPUWAYS
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu threads=0' 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu rotate-loops=maybe' 2>&1 | FileCheck %s --check-prefix=ROTATE
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='rotate-loops=true' 2>&1 | FileCheck %s --check-prefix=CPUROTATE

// WAYS: error: invalid option 'ways': expected sync, async, roles, persistent, clusters, exchange or exchange-always, got 'later'
// CPUWAYS: error: expected 'ways' only with target=gpu, got target=cpu
// THREADS: error: expected 'threads' to be positive, got 0
// ROTATE: error: expected 'rotate-loops' to be auto, true or false, got maybe
// CPUROTATE: error: expected 'rotate-loops' only with target=gpu, got target=cpu
// TARGET: error: invalid option 'target': expected cpu, gpu or none, got 'tpu'
// GPU: error: expected 'key-subgroups' only with target=gpu, got target=cpu
// RECOMPUTE: error: expected 'recompute' only with target=gpu, got target=cpu
// NONE: error: expected 'force' only with target=cpu, got target=none
// CPU: error: expected 'force' only with target=cpu, got target=gpu
// SIZES: error: expected 'rows' and 'keys' not to be negative, and 'split' to be -1, 0 or positive, got 0, 0 and -2
// F8: error: invalid option 'f8-products': expected f8, f16 or rounded, got 'f9'
// KIND: error: invalid option 'levels': expected 'for', 'forall' or 'split', got 'while(1)'
// NUMBER: error: invalid option 'rescale-threshold': expected a number, got 'some'
// FORM: error: invalid option 'normalization': expected 'eager' or 'delayed', got 'late'
// DIMS: fuse-invalid.mlir:[[@LINE+4]]:{{[0-9]+}}: error: cannot tile and fuse

func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {

  %0 = linalg.matmul {linalg_ext.root} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
