// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math{contract=false exact-division=true}))' | FileCheck %s --check-prefix=EXACT

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @exp
  // CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %[[LOG2E]] fastmath<contract> : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%[[X]]) : (f32) -> f32
  // EXACT-LABEL: gpu.func @exp
  // EXACT: arith.mulf %{{.*}}, %{{.*}} : f32
  gpu.func @exp(%x: f32, %out: memref<f32>) kernel {
    %r = math.exp %x fastmath<afn> : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // By a polynomial otherwise, and two powers of two.
  // CHECK-LABEL: gpu.func @exact_exp
  // CHECK-NOT: ex2
  // CHECK-COUNT-2: arith.shli
  // CHECK: gpu.return
  gpu.func @exact_exp(%x: f32, %out: memref<f32>) kernel {
    %r = math.exp %x : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // Large arguments take another way, which is a branch: also for vectors. f16 and
  // bf16 are computed in f32.
  // CHECK-LABEL: gpu.func @sin
  // CHECK: %[[LARGE:.*]] = arith.cmpf uge, %{{.*}}, %{{.*}} : vector<2xf32>
  // CHECK-COUNT-2: vector.extract %[[LARGE]]
  // CHECK: %[[ANY:.*]] = arith.ori
  // CHECK: scf.if %[[ANY]] -> (vector<2xf32>, vector<2xi32>)
  // CHECK: arith.sitofp %{{.*}} : vector<2xi64> to vector<2xf64>
  // CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xbf16>
  gpu.func @sin(%x: vector<2xbf16>, %out: memref<vector<2xbf16>>) kernel {
    %r = math.sin %x : vector<2xbf16>
    memref.store %r, %out[] : memref<vector<2xbf16>>
    gpu.return
  }

  // What is rare, in f64; f64 itself as well.
  // CHECK-LABEL: gpu.func @cbrt
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK-NOT: math.cbrt
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK-NOT: math.cbrt
  // CHECK: gpu.return
  gpu.func @cbrt(%x: f32, %y: f64, %out: memref<f64>) kernel {
    %a = math.cbrt %x : f32
    %b = math.cbrt %y : f64
    %c = arith.extf %a : f32 to f64
    %r = arith.addf %b, %c : f64
    memref.store %r, %out[] : memref<f64>
    gpu.return
  }

  // In f32, element by element.
  // CHECK-LABEL: gpu.func @exp2_vector
  // CHECK: arith.extf %{{.*}} : vector<2x2xbf16> to vector<2x2xf32>
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"
  // CHECK: arith.truncf %{{.*}} : vector<2x2xf32> to vector<2x2xbf16>
  gpu.func @exp2_vector(%x: vector<2x2xbf16>, %out: memref<vector<2x2xbf16>>) kernel {
    %r = math.exp2 %x : vector<2x2xbf16>
    memref.store %r, %out[] : memref<vector<2x2xbf16>>
    gpu.return
  }

  // By a polynomial, and two powers of two.
  // CHECK-LABEL: gpu.func @exp_f64
  // CHECK-NOT: math.exp
  // CHECK: math.roundeven
  // CHECK-COUNT-2: arith.shli
  // CHECK: arith.cmpf uno
  // CHECK: arith.select
  gpu.func @exp_f64(%x: f64, %out: memref<f64>) kernel {
    %r = math.exp %x : f64
    memref.store %r, %out[] : memref<f64>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @logs
  // CHECK: llvm.nvvm.lg2.approx.f
  // CHECK: arith.mulf
  // CHECK: llvm.nvvm.rsqrt.approx.f
  gpu.func @logs(%x: f32, %out: memref<f32>) kernel {
    %a = math.log %x fastmath<afn> : f32
    %b = math.rsqrt %a : f32
    memref.store %b, %out[] : memref<f32>
    gpu.return
  }

  // Exact near 0 unless approximations are allowed: then the factor of the operand
  // joins that of the power, and one formula is enough.
  // CHECK-LABEL: gpu.func @tanh
  // CHECK: llvm.nvvm.ex2.approx.ftz.f
  // CHECK: arith.cmpf olt
  // CHECK: arith.select
  // CHECK: math.copysign
  // CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[FACTOR:.*]] : f32
  // CHECK: %[[POWER:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%[[SCALED]])
  // CHECK: %[[SUM:.*]] = arith.addf %[[POWER]], %{{.*}} : f32
  // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[SUM]])
  // CHECK-NEXT: %[[T:.*]] = math.fma %[[R]], %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT: memref.store %[[T]]
  gpu.func @tanh(%x: f32, %out: memref<f32>) kernel {
    %c = arith.constant 0.03125 : f32
    %a = math.tanh %x : f32
    %b = arith.mulf %a, %c : f32
    %t = math.tanh %b fastmath<afn> : f32
    memref.store %t, %out[] : memref<f32>
    gpu.return
  }

  // Of many elements, it is a polynomial if those of all threads are small, of fewer terms if
  // they are smaller. Factors and divisors of the operand join its constants: 0.3125 / (0.125 / 50) =
  // 125, and 300.
  // CHECK-LABEL: gpu.func @tanh_of_many
  // CHECK-SAME: %[[X:.*]]: vector<16xf32>, %
  // CHECK-DAG: %[[SMALLER:.*]] = arith.constant 1.250000e+02 : f32
  // CHECK-DAG: %[[SMALL:.*]] = arith.constant 3.000000e+02 : f32
  // CHECK: %[[ABS:.*]] = math.absf %[[X]]
  // CHECK: %[[MOST:.*]] = arith.maximumf
  // CHECK: %[[IS:.*]] = arith.cmpf olt, %[[MOST:.*]], %[[SMALLER]] : f32
  // CHECK: %[[ALL:.*]] = nvvm.vote.sync all %{{.*}}, %[[IS]] -> i1
  // CHECK: scf.if %[[ALL]] -> (vector<16xf32>)
  // CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK-COUNT-2: math.fma %{{.*}}, %[[SQUARE]]
  // CHECK-NOT: math.fma
  // CHECK: arith.mulf %[[X]], %{{.*}} : vector<16xf32>
  // CHECK: else
  // CHECK: %[[IS:.*]] = arith.cmpf olt, %[[MOST]], %[[SMALL]] : f32
  // CHECK: %[[ALL:.*]] = nvvm.vote.sync all %{{.*}}, %[[IS]] -> i1
  // CHECK: scf.if %[[ALL]] -> (vector<16xf32>)
  // CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK-COUNT-4: math.fma %{{.*}}, %[[SQUARE]]
  // CHECK-NOT: math.fma
  // CHECK: arith.mulf %[[X]], %{{.*}} : vector<16xf32>
  // CHECK: else
  // CHECK-COUNT-16: llvm.nvvm.ex2.approx.ftz.f
  // CHECK-COUNT-16: llvm.nvvm.rcp.approx.ftz.f
  gpu.func @tanh_of_many(%x: vector<16xf32>, %out: memref<vector<16xf32>>) kernel {
    %scale = arith.constant dense<0.125> : vector<16xf32>
    %cap = arith.constant dense<50.0> : vector<16xf32>
    %a = arith.mulf %x, %scale : vector<16xf32>
    %b = arith.divf %a, %cap : vector<16xf32>
    %t = math.tanh %b fastmath<afn> : vector<16xf32>
    memref.store %t, %out[] : memref<vector<16xf32>>
    gpu.return
  }

  // Maxima of the elements that are there already, of two rows, are compared instead of
  // those of magnitudes, and moved in front. The least element has the largest bits.
  // CHECK-LABEL: gpu.func @tanh_beside_maxima
  // CHECK-SAME: %[[X:.*]]: vector<16xf32>, %
  // CHECK-COUNT-14: arith.maximumf
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : vector<16xf32> to vector<16xi32>
  // CHECK-COUNT-15: arith.maxui
  // CHECK: %[[LEAST:.*]] = math.absf
  // CHECK-NEXT: %[[OF_ONE:.*]] = arith.maximumf %[[LEAST]], %{{.*}} : f32
  // CHECK-NEXT: %[[MOST:.*]] = arith.maximumf %[[OF_ONE]], %{{.*}} : f32
  // CHECK-NEXT: arith.cmpf olt, %[[MOST]]
  // CHECK-NEXT: nvvm.vote.sync all
  // CHECK-NOT: arith.maximumf
  // CHECK: gpu.return
  gpu.func @tanh_beside_maxima(%x: vector<16xf32>, %out: memref<vector<16xf32>>, %rows: memref<2xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = math.tanh %x fastmath<afn> : vector<16xf32>
    memref.store %t, %out[] : memref<vector<16xf32>>
    %e0 = vector.extract %x[0] : f32 from vector<16xf32>
    %e2 = vector.extract %x[2] : f32 from vector<16xf32>
    %e4 = vector.extract %x[4] : f32 from vector<16xf32>
    %e6 = vector.extract %x[6] : f32 from vector<16xf32>
    %e8 = vector.extract %x[8] : f32 from vector<16xf32>
    %e10 = vector.extract %x[10] : f32 from vector<16xf32>
    %e12 = vector.extract %x[12] : f32 from vector<16xf32>
    %e14 = vector.extract %x[14] : f32 from vector<16xf32>
    %m2 = arith.maximumf %e0, %e2 : f32
    %m4 = arith.maximumf %m2, %e4 : f32
    %m6 = arith.maximumf %m4, %e6 : f32
    %m8 = arith.maximumf %m6, %e8 : f32
    %m10 = arith.maximumf %m8, %e10 : f32
    %m12 = arith.maximumf %m10, %e12 : f32
    %m14 = arith.maximumf %m12, %e14 : f32
    memref.store %m14, %rows[%c0] : memref<2xf32>
    %e1 = vector.extract %x[1] : f32 from vector<16xf32>
    %e3 = vector.extract %x[3] : f32 from vector<16xf32>
    %e5 = vector.extract %x[5] : f32 from vector<16xf32>
    %e7 = vector.extract %x[7] : f32 from vector<16xf32>
    %e9 = vector.extract %x[9] : f32 from vector<16xf32>
    %e11 = vector.extract %x[11] : f32 from vector<16xf32>
    %e13 = vector.extract %x[13] : f32 from vector<16xf32>
    %e15 = vector.extract %x[15] : f32 from vector<16xf32>
    %m3 = arith.maximumf %e1, %e3 : f32
    %m5 = arith.maximumf %m3, %e5 : f32
    %m7 = arith.maximumf %m5, %e7 : f32
    %m9 = arith.maximumf %m7, %e9 : f32
    %m11 = arith.maximumf %m9, %e11 : f32
    %m13 = arith.maximumf %m11, %e13 : f32
    %m15 = arith.maximumf %m13, %e15 : f32
    memref.store %m15, %rows[%c1] : memref<2xf32>
    gpu.return
  }

  // What is computed from it, up to the first op with effects, is in each branch, with what others
  // use of it. Its factor joins the constants: 2.0 * 0.999998510, and -2 * 2.0. What that needs and
  // is computed behind the first user moves in front. A conversion behind the store stays there.
  // CHECK-LABEL: gpu.func @powers_of_tanh
  // CHECK-SAME: %[[X:.*]]: vector<16xf32>, %[[ROW:.*]]: vector<16xf32>, %[[F:.*]]: f32
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant dense<-4.000000e+00> : vector<16xf32>
  // CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<16xf32>
  // CHECK-DAG: %[[LAST:.*]] = arith.constant dense<1.99999702> : vector<16xf32>
  // CHECK: %[[HALF:.*]] = arith.mulf %[[ROW]], %[[ROW]]
  // CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (vector<16xf32>, f32)
  // CHECK: %[[SUM:.*]] = math.fma %{{.*}}, %{{.*}}, %[[LAST]]
  // CHECK-NEXT: %[[NEGATED:.*]] = arith.negf %[[HALF]]
  // CHECK-NEXT: math.fma %[[X]], %[[SUM]], %[[NEGATED]]
  // CHECK-COUNT-16: llvm.nvvm.ex2.approx.ftz.f
  // CHECK: arith.addf %{{.*}}, %[[F]] {{.*}}: f32
  // CHECK: scf.yield
  // CHECK: else
  // CHECK: scf.if %{{.*}} -> (vector<16xf32>, f32)
  // CHECK-COUNT-16: llvm.nvvm.ex2.approx.ftz.f
  // CHECK: else
  // CHECK-COUNT-16: llvm.nvvm.rcp.approx.ftz.f
  // CHECK: math.fma %{{.*}}, %[[FOUR]], %[[TWO]]
  // CHECK-COUNT-16: llvm.nvvm.ex2.approx.ftz.f
  // CHECK: memref.store %[[R]]#1
  // CHECK-NEXT: arith.truncf %[[R]]#0
  gpu.func @powers_of_tanh(%x: vector<16xf32>, %row: vector<16xf32>, %f: f32, %out: memref<vector<16xf16>>, %sum: memref<f32>) kernel {
    %two = arith.constant dense<2.0> : vector<16xf32>
    %t = math.tanh %x fastmath<afn> : vector<16xf32>
    %s = arith.mulf %t, %two : vector<16xf32>
    %h = arith.mulf %row, %row : vector<16xf32>
    %d = arith.subf %s, %h : vector<16xf32>
    %p = math.exp2 %d : vector<16xf32>
    %e = vector.extract %p[3] : f32 from vector<16xf32>
    %a = arith.addf %e, %f : f32
    memref.store %a, %sum[] : memref<f32>
    %n = arith.truncf %p : vector<16xf32> to vector<16xf16>
    memref.store %n, %out[] : memref<vector<16xf16>>
    gpu.return
  }

  // The 13th power of 3000 joins no coefficient: it would be infinite, and that of its reciprocal 0.
  // CHECK-LABEL: gpu.func @steep_tanh
  // CHECK-SAME: %[[X:.*]]: vector<16xf32>
  // CHECK-NOT: 0x7F800000
  // CHECK-DAG: %[[FACTOR:.*]] = arith.constant dense<3.000000e+03> : vector<16xf32>
  // CHECK-DAG: %[[FIRST:.*]] = arith.constant dense<0.0234737527> : vector<16xf32>
  // CHECK-NOT: 0x7F800000
  // CHECK: arith.cmpf
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[FACTOR]]
  // CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[SCALED]], %[[SCALED]]
  // CHECK: math.fma %[[FIRST]], %[[SQUARE]]
  // CHECK: arith.mulf %[[SCALED]], %{{.*}} : vector<16xf32>
  gpu.func @steep_tanh(%x: vector<16xf32>, %out: memref<vector<16xf32>>) kernel {
    %factor = arith.constant dense<3000.0> : vector<16xf32>
    %cap = arith.constant dense<30.0> : vector<16xf32>
    %y = arith.mulf %x, %factor : vector<16xf32>
    %t = math.tanh %y fastmath<afn> : vector<16xf32>
    %s = arith.mulf %t, %cap : vector<16xf32>
    %p = math.exp2 %s fastmath<afn> : vector<16xf32>
    memref.store %p, %out[] : memref<vector<16xf32>>
    gpu.return
  }

  // A shuffle stays behind the branch, and what is computed from it.
  // CHECK-LABEL: gpu.func @shuffled_tanh
  // CHECK: scf.if %{{.*}} -> (vector<16xf32>)
  // CHECK-NOT: gpu.shuffle
  // CHECK-COUNT-16: llvm.nvvm.rcp.approx.ftz.f
  // CHECK-NOT: llvm.nvvm.ex2.approx.ftz.f
  // CHECK: gpu.shuffle
  // CHECK: llvm.nvvm.ex2.approx.ftz.f
  // CHECK-NEXT: memref.store
  gpu.func @shuffled_tanh(%x: vector<16xf32>, %out: memref<f32>) kernel {
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %t = math.tanh %x fastmath<afn> : vector<16xf32>
    %e = vector.extract %t[3] : f32 from vector<16xf32>
    %o, %valid = gpu.shuffle xor %e, %c1, %c32 : f32
    %p = math.exp2 %o : f32
    memref.store %p, %out[] : memref<f32>
    gpu.return
  }

  // Exact unless approximations are allowed.
  // CHECK-LABEL: gpu.func @sqrt
  // CHECK: math.sqrt
  // CHECK: llvm.nvvm.sqrt.approx.ftz.f
  gpu.func @sqrt(%x: f32, %out: memref<f32>) kernel {
    %a = math.sqrt %x : f32
    %b = math.sqrt %a fastmath<afn> : f32
    memref.store %b, %out[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @div
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  // CHECK: arith.divf %{{.*}} : f64
  // EXACT-LABEL: gpu.func @div
  // EXACT: arith.divf %{{.*}} : f32
  gpu.func @div(%x: f32, %y: f32, %z: f64, %out: memref<f64>) kernel {
    %q = arith.divf %x, %y : f32
    %e = arith.extf %q : f32 to f64
    %r = arith.divf %e, %z : f64
    memref.store %r, %out[] : memref<f64>
    gpu.return
  }

  // A polynomial: nothing is left that would be looked for in a library.
  // CHECK-LABEL: gpu.func @erf
  // CHECK-NOT: math.erf
  // CHECK: math.fma
  gpu.func @erf(%x: f16, %out: memref<f16>) kernel {
    %r = math.erf %x : f16
    memref.store %r, %out[] : memref<f16>
    gpu.return
  }

  // Products of squares: of five bits of the exponent, and none is left for a sign.
  // CHECK-LABEL: gpu.func @ipowi
  // CHECK-SAME: (%[[X:.*]]: vector<2xi6>, %[[N:.*]]: vector<2xi6>
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<2xi6>
  // CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1> : vector<2xi6>
  // CHECK: %[[ODD:.*]] = arith.andi %[[N]], %[[ONE]]
  // CHECK: %[[IS_ODD:.*]] = arith.cmpi ne, %[[ODD]], %[[ZERO]]
  // CHECK: %[[UNIT:.*]] = arith.select %[[IS_ODD]], %[[X]], %[[ONE]]
  // CHECK: %[[SQUARE:.*]] = arith.muli %[[X]], %[[X]]
  // CHECK: %[[PRODUCT:.*]] = arith.muli %[[UNIT]], %[[SQUARE]]
  // CHECK: arith.select %{{.*}}, %[[PRODUCT]], %[[UNIT]]
  // CHECK-COUNT-6: arith.muli
  // CHECK-NOT: arith.muli
  // CHECK: %[[INVERSE:.*]] = arith.select %{{.*}}, %[[UNIT]], %[[ZERO]]
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[N]], %[[ZERO]]
  // CHECK: arith.select %[[NEGATIVE]], %[[INVERSE]], %{{.*}}
  gpu.func @ipowi(%x: vector<2xi6>, %n: vector<2xi6>, %out: memref<vector<2xi6>>) kernel {
    %r = math.ipowi %x, %n : vector<2xi6>
    memref.store %r, %out[] : memref<vector<2xi6>>
    gpu.return
  }

  // x^10 = x^2 (x^4)^2.
  // CHECK-LABEL: gpu.func @ipowi_constant
  // CHECK-SAME: (%[[X:.*]]: i32
  // CHECK: %[[X2:.*]] = arith.muli %[[X]], %[[X]]
  // CHECK: %[[X4:.*]] = arith.muli %[[X2]], %[[X2]]
  // CHECK: %[[X8:.*]] = arith.muli %[[X4]], %[[X4]]
  // CHECK: arith.muli %[[X2]], %[[X8]]
  // CHECK-NOT: arith
  // CHECK: gpu.return
  gpu.func @ipowi_constant(%x: i32, %out: memref<i32>) kernel {
    %c10 = arith.constant 10 : i32
    %r = math.ipowi %x, %c10 : i32
    memref.store %r, %out[] : memref<i32>
    gpu.return
  }

  // A bit has no other numbers than 0 and -1.
  // CHECK-LABEL: gpu.func @ipowi_of_bits
  // CHECK-NOT: math.ipowi
  // CHECK: gpu.return
  gpu.func @ipowi_of_bits(%x: i1, %n: i1, %out: memref<i1>) kernel {
    %r = math.ipowi %x, %n : i1
    memref.store %r, %out[] : memref<i1>
    gpu.return
  }

  // A product for one sum alone is fused with it.
  // CHECK-LABEL: gpu.func @fused
  // CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f32
  // CHECK: %[[NZ:.*]] = arith.negf %[[Z]]
  // CHECK: %[[A:.*]] = math.fma %[[X]], %[[Y]], %[[NZ]]
  // CHECK: %[[NX:.*]] = arith.negf %[[X]]
  // CHECK: %[[B:.*]] = math.fma %[[NX]], %[[Y]], %[[A]]
  // CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
  // CHECK: %[[C:.*]] = arith.addf %[[P]], %[[B]]
  // CHECK: arith.addf %[[P]], %[[C]]
  gpu.func @fused(%x: f32, %y: f32, %z: f32, %out: memref<f32>) kernel {
    %p0 = arith.mulf %x, %y : f32
    %a = arith.subf %p0, %z : f32
    %p1 = arith.mulf %x, %y : f32
    %b = arith.subf %a, %p1 : f32
    %p = arith.mulf %x, %y : f32
    %c = arith.addf %p, %b : f32
    %d = arith.addf %p, %c : f32
    memref.store %d, %out[] : memref<f32>
    gpu.return
  }
}

// -----

// A divisor that is no small number: a product with the reciprocal, both operands
// times 1/4, so that no reciprocal is subnormal. Other divisors are any numbers.

// CHECK-LABEL: gpu.func @sigmoid
// CHECK-DAG:     %[[QUARTER:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-DAG:     %[[X:.*]] = arith.mulf %arg0, %[[QUARTER]] fastmath
// CHECK-DAG:     %[[D:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[D]])
// CHECK:         arith.mulf %[[X]], %[[R]]
// CHECK-NOT:     div.full
// CHECK-LABEL: gpu.func @any_divisor
// CHECK:         llvm.call_intrinsic "llvm.nvvm.div.full"
gpu.module @large_divisors {
  gpu.func @sigmoid(%x: f32, %out: memref<f32>) kernel {
    %one = arith.constant 1.0 : f32
    %e = math.exp %x fastmath<afn> : f32
    %d = arith.addf %e, %one : f32
    %q = arith.divf %x, %d : f32
    memref.store %q, %out[] : memref<f32>
    gpu.return
  }
  gpu.func @any_divisor(%x: f32, %y: f32, %out: memref<f32>) kernel {
    %one = arith.constant 1.0 : f32
    %d = arith.addf %y, %one : f32
    %q = arith.divf %x, %d : f32
    memref.store %q, %out[] : memref<f32>
    gpu.return
  }
}
