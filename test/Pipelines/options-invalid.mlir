// What cannot be is an error with what was expected, and exit code 1: no pipeline
// falls back on another one, and nothing is compiled with other sizes.

// DEFINE: %{pipeline} =
// DEFINE: %{check} = not linalg-ext-opt %s --pass-pipeline='builtin.module(%{pipeline})' -o /dev/null 2>&1 | FileCheck %s

// REDEFINE: %{pipeline} = linalg-ext-to-llvm{rows=-5}
// RUN: %{check} --check-prefix=ROWS
// REDEFINE: %{pipeline} = linalg-ext-to-buffers{rows=-5}
// RUN: %{check} --check-prefix=ROWS
// REDEFINE: %{pipeline} = linalg-ext-to-gpu-tiles{rows=-5}
// RUN: %{check} --check-prefix=ROWS
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{rows=-5}
// RUN: %{check} --check-prefix=ROWS
// RUN: not linalg-ext-opt %s --linalg-ext-to-nvvm=rows=-5 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not linalg-ext-compile %s --options=rows=-5 -o %t.o 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not linalg-ext-compile %s --target=sm_90a --emit=ptx --options=rows=-5 -o %t.ptx 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: {{.*}}invalid option 'rows': expected at least 0, got -5

// REDEFINE: %{pipeline} = linalg-ext-to-llvm{keys=-1}
// RUN: %{check} --check-prefix=KEYS
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{keys=-1}
// RUN: %{check} --check-prefix=KEYS
// KEYS: invalid option 'keys': expected at least 0, got -1

// Sizes whose products have more than 63 bits, and more buffers than can be built.
// REDEFINE: %{pipeline} = linalg-ext-to-llvm{keys=4611686018427387904}
// RUN: %{check} --check-prefix=MANYKEYS
// REDEFINE: %{pipeline} = linalg-ext-to-gpu-tiles{keys=4611686018427387904}
// RUN: %{check} --check-prefix=MANYKEYS
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{keys=4611686018427387904}
// RUN: %{check} --check-prefix=MANYKEYS
// MANYKEYS: invalid option 'keys': expected at most 16777216, got 4611686018427387904
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{stages=100000}
// RUN: %{check} --check-prefix=STAGES
// STAGES: invalid option 'stages': expected at most 64, got 100000

// REDEFINE: %{pipeline} = linalg-ext-to-llvm{split=-2}
// RUN: %{check} --check-prefix=SPLIT
// REDEFINE: %{pipeline} = linalg-ext-to-gpu-tiles{split=-2}
// RUN: %{check} --check-prefix=SPLIT
// SPLIT: invalid option 'split': expected at least -1, got -2

// REDEFINE: %{pipeline} = linalg-ext-to-gpu-tiles{key-subgroups=-1}
// RUN: %{check} --check-prefix=KEYSUBGROUPS
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{key-subgroups=-1}
// RUN: %{check} --check-prefix=KEYSUBGROUPS
// KEYSUBGROUPS: invalid option 'key-subgroups': expected at least 0, got -1
// REDEFINE: %{pipeline} = linalg-ext-to-gpu-tiles{key-subgroups=33}
// RUN: %{check} --check-prefix=MANYSUBGROUPS
// MANYSUBGROUPS: error: expected 'key-subgroups' to be from 0 to 32, got 33
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{chip=sm_90a async-products=maybe}
// RUN: %{check} --check-prefix=ASYNC
// ASYNC: invalid option 'async-products': expected auto, true or false, got 'maybe'
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{chip=sm_90a roles=maybe}
// RUN: %{check} --check-prefix=ROLES
// ROLES: invalid option 'roles': expected auto, true or false, got 'maybe'
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{chip=sm_90a rotate-loops=maybe}
// RUN: %{check} --check-prefix=ROTATE
// ROTATE: invalid option 'rotate-loops': expected auto, true or false, got 'maybe'
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{key-subgroups=3}
// RUN: %{check} --check-prefix=DIVISOR
// DIVISOR: invalid option 'key-subgroups': expected a divisor of 4, the subgroups of 128 threads, got 3

// REDEFINE: %{pipeline} = linalg-ext-to-llvm{l1-bytes=65536 l2-bytes=4096}
// RUN: %{check} --check-prefix=CACHES
// CACHES: invalid option 'l2-bytes': expected at least 65536, got 4096

// REDEFINE: %{pipeline} = linalg-ext-to-llvm{cpu=avx1024}
// RUN: %{check} --check-prefix=CPU
// RUN: not linalg-ext-compile %s --options=cpu=avx1024 -o %t.o 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: invalid option 'cpu': expected generic, host, {{.*}}, got 'avx1024'
// Processors of 32 bits.
// REDEFINE: %{pipeline} = linalg-ext-to-llvm{cpu=pentium4}
// RUN: %{check} --check-prefix=NARROW
// NARROW: invalid option 'cpu': {{.*}}, got 'pentium4'
// RUN: not linalg-ext-compile %s --mcpu=neoverse-n1 --options=cpu=avx2 -o %t.o 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: expected a processor of aarch64 for cpu in --options, got 'avx2'

// REDEFINE: %{pipeline} = linalg-ext-to-llvm{levels="while(1)"}
// RUN: %{check} --check-prefix=LEVELS
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{levels="while(1)"}
// RUN: %{check} --check-prefix=LEVELS
// LEVELS: invalid option 'levels': expected {{.*}}while

// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{rescale-threshold=-1}
// RUN: %{check} --check-prefix=THRESHOLD
// REDEFINE: %{pipeline} = linalg-ext-to-llvm{rescale-threshold=80}
// RUN: %{check} --check-prefix=THRESHOLD
// THRESHOLD: invalid option 'rescale-threshold': expected a rescale threshold from 0 to 72, {{.*}}, got {{-1|80}}
// REDEFINE: %{pipeline} = linalg-ext-to-llvm{rescale-threshold=8 normalization=eager}
// RUN: %{check} --check-prefix=RESCALES
// RESCALES: invalid option 'rescale-threshold': expected delayed normalisation with a rescale threshold, got eager

// REDEFINE: %{pipeline} = linalg-ext-to-llvm{normalization=late}
// RUN: %{check} --check-prefix=FORM
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{normalization=late}
// RUN: %{check} --check-prefix=FORM
// FORM: invalid option 'normalization': expected {{.*}}late

// REDEFINE: %{pipeline} = linalg-ext-to-gpu-tiles{recompute=some}
// RUN: %{check} --check-prefix=RECOMPUTE
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{recompute=some}
// RUN: %{check} --check-prefix=RECOMPUTE
// RECOMPUTE: invalid option 'recompute': expected 'all', 'cheap' or 'none', got 'some'

// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{threads=100}
// RUN: %{check} --check-prefix=THREADS
// RUN: not linalg-ext-compile %s --target=sm_90a --emit=ptx --options=threads=100 -o %t.ptx 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: invalid option 'threads': expected a multiple of 32 up to 1024, got 100
// REDEFINE: %{pipeline} = linalg-ext-gpu-to-nvvm{threads=2048}
// RUN: %{check} --check-prefix=MANY
// MANY: invalid option 'threads': expected a multiple of 32 up to 1024, got 2048

// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{chip=sm_12}
// RUN: %{check} --check-prefix=CHIP
// CHIP: invalid option 'chip': expected one of sm_80, {{.*}}, got 'sm_12'
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{index-bitwidth=16}
// RUN: %{check} --check-prefix=WIDTH
// WIDTH: invalid option 'index-bitwidth': expected 32 or 64, got 16
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{format=elf}
// RUN: %{check} --check-prefix=FORMAT
// FORMAT: invalid option 'format': expected nvvm or isa, got 'elf'

// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{f32-products=tf16}
// RUN: %{check} --check-prefix=PRODUCTS
// PRODUCTS: invalid option 'f32-products': expected fma, tf32 or tf32x3, got 'tf16'
// REDEFINE: %{pipeline} = linalg-ext-to-llvm{report=some}
// RUN: %{check} --check-prefix=REPORT
// REDEFINE: %{pipeline} = linalg-ext-to-gpu-tiles{report=some}
// RUN: %{check} --check-prefix=REPORT
// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{report=some}
// RUN: %{check} --check-prefix=REPORT
// REPORT: invalid option 'report': expected none, missed or all, got 'some'

// REDEFINE: %{pipeline} = linalg-ext-to-nvvm{exchange-operands=some}
// RUN: %{check} --check-prefix=EXCHANGE
// EXCHANGE: invalid option 'exchange-operands': expected auto, true or false, got 'some'

func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%b : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
