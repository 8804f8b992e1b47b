// What is generated depends on the processor that is asked for, and each function says
// which one it is: LLVM's own tools go on without being told.

// RUN: linalg-ext-opt %s --linalg-ext-to-llvm -o %t.generic
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=generic | diff %t.generic -
// RUN: FileCheck %s --check-prefix=GENERIC --implicit-check-not=target_cpu --implicit-check-not=target_features --implicit-check-not=llvm.x86 < %t.generic
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=skylake-avx512 -o %t.x86
// RUN: FileCheck %s --check-prefix=X86 < %t.x86
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=avx512bf16 | FileCheck %s --check-prefix=ALIAS
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=neoverse-n1 -o %t.aarch64
// RUN: FileCheck %s --check-prefix=AARCH64 --implicit-check-not=llvm.x86 < %t.aarch64
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=neoverse-v1 | FileCheck %s --check-prefix=SVE256 --implicit-check-not=llvm.x86
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=a64fx | FileCheck %s --check-prefix=SVE512 --implicit-check-not=llvm.x86
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=neoverse-v2 | FileCheck %s --check-prefix=SVE128 --implicit-check-not=vscale_range
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=host | FileCheck %s --check-prefix=HOST

// The tiles are those of the registers and caches.
// RUN: linalg-ext-opt %s --linalg-ext-to-buffers=cpu=skylake-avx512 | FileCheck %s --check-prefix=TILES512
// RUN: linalg-ext-opt %s --linalg-ext-to-buffers=cpu=a64fx | FileCheck %s --check-prefix=TILES512
// RUN: linalg-ext-opt %s --linalg-ext-to-buffers=cpu=neoverse-v1 | FileCheck %s --check-prefix=TILES256
// RUN: linalg-ext-opt %s --linalg-ext-to-buffers=cpu=neoverse-v2 | FileCheck %s --check-prefix=TILES128
// TILES512: scf.for {{.*}} step %c64
// TILES256: scf.for {{.*}} step %c32
// TILES128: scf.for {{.*}} step %c16

// A function that names one keeps it; one of another module has none.
// RUN: mlir-opt --load-pass-plugin=%plugin %t.generic --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=x86-64-v3},linalg-ext-finish-llvm,linalg-ext-attach-target{chip=cortex-a72},linalg-ext-finish-llvm)' | FileCheck %s --check-prefix=ATTACH
// RUN: not mlir-opt --load-pass-plugin=%plugin %t.generic --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=abacus})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// ATTACH-NOT: cortex
// ATTACH:     llvm.func @malloc(
// ATTACH-NOT: target_cpu
// ATTACH:     llvm.func @softmax({{.*}}target_cpu = "x86-64-v3", target_features = #llvm.target_features<["+avx2", "+fma", "+f16c"]>}
// ATTACH-NOT: cortex
// ATTACH:     llvm.return
// ATTACH-NOT: cortex
// UNKNOWN: error: unknown chip: expected one of sm_80, {{.*}}, generic, host, {{.*}}, got 'abacus'

// The description of the processor goes with the last pass.
// GENERIC-NOT: dlti
// GENERIC: llvm.func @softmax
// GENERIC: vector<4xf32>

// X86: llvm.func @softmax({{.*}}target_cpu = "skylake-avx512", target_features = #llvm.target_features<["+avx512f", "+avx512bw", "+avx512vl", "+avx512dq"]>}
// X86: llvm.x86.avx512
// X86: llvm.func @_mlir_ciface_softmax({{.*}}target_cpu = "skylake-avx512"

// ALIAS: llvm.func @softmax({{.*}}target_cpu = "x86-64-v4", target_features = #llvm.target_features<[{{.*}}"+avx512bf16"]>}

// AARCH64: llvm.func @softmax({{.*}}target_cpu = "neoverse-n1", target_features = #llvm.target_features<["+neon", "+dotprod"]>}
// AARCH64: llvm.intr.fma({{.*}} -> vector<4xf32>

// The width of SVE's vectors is promised.
// SVE256: llvm.func @softmax({{.*}} vscale_range(2, 2) attributes {{.*}}target_cpu = "neoverse-v1", target_features = #llvm.target_features<["+neon", "+sve"]>}
// SVE256: llvm.intr.fma({{.*}} -> vector<8xf32>
// SVE256: llvm.func @_mlir_ciface_softmax({{.*}}vscale_range(2, 2)
// SVE512: llvm.func @softmax({{.*}}vscale_range(4, 4)
// SVE512: llvm.intr.fma({{.*}} -> vector<16xf32>
// SVE128: llvm.func @softmax({{.*}}target_cpu = "neoverse-v2"
// SVE128: llvm.intr.fma({{.*}} -> vector<4xf32>

// HOST: llvm.func @softmax({{.*}}target_cpu = "

func.func @softmax(%a: tensor<?x?xf32>, %b: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %p = linalg.softmax dimension(1) ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %out = tensor.empty(%m) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%out : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = linalg.matmul ins(%p, %b : tensor<?x?xf32>, tensor<?x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
