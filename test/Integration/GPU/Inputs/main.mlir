// Runs the kernels of the other files (test/Integration/GPU/kernels.test puts
// them together) on numbers that are all different, and prints how many elements
// differ from what loops on the host compute.

// (7919 i + 104729 j) mod 2003 / 128 - 8: exact in f32.
func.func private @number(%i: index, %j: index) -> f32 {
  %a = arith.constant 7919 : index
  %b = arith.constant 104729 : index
  %m = arith.constant 2003 : index
  %ai = arith.muli %i, %a : index
  %bj = arith.muli %j, %b : index
  %s = arith.addi %ai, %bj : index
  %r = arith.remui %s, %m : index
  %k = arith.index_cast %r : index to i32
  %f = arith.sitofp %k : i32 to f32
  %d = arith.constant 0.0078125 : f32
  %e = arith.constant 8.0 : f32
  %x = arith.mulf %f, %d : f32
  %y = arith.subf %x, %e : f32
  return %y : f32
}

func.func private @matrix(%m: index, %n: index) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = func.call @number(%i, %j) : (index, index) -> f32
      memref.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return %a : memref<?x?xf32>
}

// 1 where two numbers differ by more than 1e-5, or one is no number.
func.func private @differs(%x: f32, %y: f32) -> i32 {
  %tolerance = arith.constant 1.0e-5 : f32
  %d = arith.subf %x, %y : f32
  %a = math.absf %d : f32
  %bad = arith.cmpf ugt, %a, %tolerance : f32
  %r = arith.extui %bad : i1 to i32
  return %r : i32
}

func.func private @count(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %total = scf.for %i = %c0 to %m step %c1 iter_args(%s = %zero) -> i32 {
    %row = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s) -> i32 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %y = memref.load %b[%i, %j] : memref<?x?xf32>
      %d = func.call @differs(%x, %y) : (f32, f32) -> i32
      %u = arith.addi %t, %d : i32
      scf.yield %u : i32
    }
    scf.yield %row : i32
  }
  vector.print %total : i32
  return
}

func.func private @check_vector_add() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 301 : index
  %m = func.call @matrix(%c1, %n) : (index, index) -> memref<?x?xf32>
  %a = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %want = memref.alloc(%c1, %n) : memref<?x?xf32>
  %got = memref.alloc(%c1, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = func.call @number(%n, %i) : (index, index) -> f32
    %s = arith.addf %x, %y : f32
    memref.store %y, %b[%i] : memref<?xf32>
    memref.store %s, %want[%c0, %i] : memref<?x?xf32>
  }
  %out = memref.collapse_shape %got [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  func.call @vector_add(%a, %b, %out) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> ()
  func.call @count(%got, %want) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

func.func private @check_transpose() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 37 : index
  %n = arith.constant 66 : index
  %a = func.call @matrix(%m, %n) : (index, index) -> memref<?x?xf32>
  %want = memref.alloc(%n, %m) : memref<?x?xf32>
  %got = memref.alloc(%n, %m) : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      memref.store %x, %want[%j, %i] : memref<?x?xf32>
    }
  }
  func.call @transpose(%a, %got) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  func.call @count(%got, %want) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

func.func private @check_bias_relu() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 5 : index
  %n = arith.constant 131 : index
  %zero = arith.constant 0.0 : f32
  %a = func.call @matrix(%m, %n) : (index, index) -> memref<?x?xf32>
  %bias = memref.alloc(%n) : memref<?xf32>
  %want = memref.alloc(%m, %n) : memref<?x?xf32>
  %got = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.for %j = %c0 to %n step %c1 {
    %b = func.call @number(%j, %m) : (index, index) -> f32
    memref.store %b, %bias[%j] : memref<?xf32>
    scf.for %i = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %s = arith.addf %x, %b : f32
      %positive = arith.cmpf ogt, %s, %zero : f32
      %r = arith.select %positive, %s, %zero : f32
      memref.store %r, %want[%i, %j] : memref<?x?xf32>
    }
  }
  func.call @bias_relu(%a, %bias, %got) : (memref<?x?xf32>, memref<?xf32>, memref<?x?xf32>) -> ()
  func.call @count(%got, %want) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// In f64, without subtracting the maximum: the numbers are small enough.
func.func private @check_softmax() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 5 : index
  %n = arith.constant 45 : index
  %scale = arith.constant 0.5 : f32
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc(%m, %n) : memref<?x?xf16>
  %want = memref.alloc(%m, %n) : memref<?x?xf32>
  %got = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %v = func.call @number(%i, %j) : (index, index) -> f32
      %h = arith.truncf %v : f32 to f16
      memref.store %h, %x[%i, %j] : memref<?x?xf16>
      %w = arith.extf %h : f16 to f64
      %y = arith.mulf %w, %half : f64
      %e = math.exp %y : f64
      %t = arith.addf %s, %e : f64
      scf.yield %t : f64
    }
    scf.for %j = %c0 to %n step %c1 {
      %h = memref.load %x[%i, %j] : memref<?x?xf16>
      %w = arith.extf %h : f16 to f64
      %y = arith.mulf %w, %half : f64
      %e = math.exp %y : f64
      %q = arith.divf %e, %sum : f64
      %r = arith.truncf %q : f64 to f32
      memref.store %r, %want[%i, %j] : memref<?x?xf32>
    }
  }
  func.call @softmax(%x, %scale, %got) : (memref<?x?xf16>, f32, memref<?x?xf32>) -> ()
  func.call @count(%got, %want) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// On small integers, whose products and sums are exact.
func.func private @small(%m: index, %n: index, %step: index) -> memref<?x?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %four = arith.constant 4.0 : f32
  %a = memref.alloc(%m, %n) : memref<?x?xbf16>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %p = arith.muli %i, %step : index
      %q = arith.addi %p, %j : index
      %s = arith.muli %q, %q : index
      %r = arith.remui %s, %c9 : index
      %k = arith.index_cast %r : index to i32
      %f = arith.sitofp %k : i32 to f32
      %g = arith.subf %f, %four : f32
      %h = arith.truncf %g : f32 to bf16
      memref.store %h, %a[%i, %j] : memref<?x?xbf16>
    }
  }
  return %a : memref<?x?xbf16>
}

func.func private @check_mma() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %m = arith.constant 32 : index
  %n = arith.constant 24 : index
  %k = arith.constant 48 : index
  %zero = arith.constant 0.0 : f32
  %a = func.call @small(%m, %k, %c5) : (index, index, index) -> memref<?x?xbf16>
  %b = func.call @small(%n, %k, %c7) : (index, index, index) -> memref<?x?xbf16>
  %want = memref.alloc(%m, %n) : memref<?x?xf32>
  %got = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %sum = scf.for %l = %c0 to %k step %c1 iter_args(%s = %zero) -> f32 {
        %x = memref.load %a[%i, %l] : memref<?x?xbf16>
        %y = memref.load %b[%j, %l] : memref<?x?xbf16>
        %xf = arith.extf %x : bf16 to f32
        %yf = arith.extf %y : bf16 to f32
        %p = arith.mulf %xf, %yf : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      memref.store %sum, %want[%i, %j] : memref<?x?xf32>
    }
  }
  func.call @mma_bf16(%a, %b, %got) : (memref<?x?xbf16>, memref<?x?xbf16>, memref<?x?xf32>) -> ()
  func.call @count(%got, %want) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

func.func @main() {
  call @check_vector_add() : () -> ()
  call @check_transpose() : () -> ()
  call @check_bias_relu() : () -> ()
  call @check_softmax() : () -> ()
  call @check_mma() : () -> ()
  return
}
