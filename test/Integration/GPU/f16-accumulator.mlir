// A product that accumulates in f16 (mma.sync with f16 accumulators), a maximum of its
// rows, and arithmetic on a vector of rows: distributed, and executed. Elements are
// small integers, so that each sum is exact, and weights are powers of two.

// RUN: linalg-ext-opt %s --vector-ext-distribute -o %t.mlir
// RUN: FileCheck %s --check-prefix=MMA < %t.mlir
// RUN: linalg-ext-opt %t.mlir --linalg-ext-gpu-lower-vector-ext=steps=mma | linalg-ext-simt-runner - | FileCheck %s

// MMA: vector_ext.mma "mma.sync.m16n8k16.f16.f16" {{.*}} : vector<8xf16>, vector<4xf16>, vector<4xf16>
// CHECK: {{^}}0{{$}}
// CHECK-NOT: {{[0-9]}}

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func private @kernel(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %w: memref<16xf16>, %c: memref<16x8xf16>, %o: memref<16xf16>) {
  %one = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %lanes, %sy = %one, %sz = %one) {
    %c0 = arith.constant 0 : index
    %p = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<16x8xf16>
    %least = arith.constant dense<0xFC00> : vector<16xf16>
    %va = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %vb = vector.transfer_read %b[%c0, %c0], %p {in_bounds = [true, true]} : memref<8x16xf16>, vector<8x16xf16>
    %s = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f16.f16", subgroups = [1, 1]>} %va, %vb, %zero : vector<16x16xf16>, vector<8x16xf16> into vector<16x8xf16>
    %m = vector.multi_reduction <maximumf>, %s, %least [1] : vector<16x8xf16> to vector<16xf16>
    %vw = vector.transfer_read %w[%c0], %p {in_bounds = [true]} : memref<16xf16>, vector<16xf16>
    %x = arith.mulf %m, %vw : vector<16xf16>
    vector.transfer_write %s, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf16>, memref<16x8xf16>
    vector.transfer_write %x, %o[%c0] {in_bounds = [true]} : vector<16xf16>, memref<16xf16>
    gpu.terminator
  }
  return
}

// (5 i + 3 j) mod 7 - 3
func.func private @number(%i: index, %j: index) -> f16 {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %k3 = arith.constant 3 : i32
  %x = arith.muli %i, %c5 : index
  %y = arith.muli %j, %c3 : index
  %s = arith.addi %x, %y : index
  %r = arith.remui %s, %c7 : index
  %k = arith.index_cast %r : index to i32
  %d = arith.subi %k, %k3 : i32
  %f = arith.sitofp %d : i32 to f16
  return %f : f16
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %fzero = arith.constant 0.0 : f32
  %finf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f16
  %two = arith.constant 2.0 : f16
  %a = memref.alloc() : memref<16x16xf16>
  %b = memref.alloc() : memref<8x16xf16>
  %w = memref.alloc() : memref<16xf16>
  %c = memref.alloc() : memref<16x8xf16>
  %o = memref.alloc() : memref<16xf16>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %x = func.call @number(%i, %j) : (index, index) -> f16
      memref.store %x, %a[%i, %j] : memref<16x16xf16>
    }
    %low = arith.cmpi ult, %i, %c8 : index
    %u = arith.select %low, %half, %two : f16
    memref.store %u, %w[%i] : memref<16xf16>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %y = func.call @number(%j, %i) : (index, index) -> f16
      memref.store %y, %b[%i, %j] : memref<8x16xf16>
    }
  }
  func.call @kernel(%a, %b, %w, %c, %o) : (memref<16x16xf16>, memref<8x16xf16>, memref<16xf16>, memref<16x8xf16>, memref<16xf16>) -> ()
  %wrong = scf.for %i = %c0 to %c16 step %c1 iter_args(%n = %zero) -> i32 {
    %row:2 = scf.for %j = %c0 to %c8 step %c1 iter_args(%r = %n, %most = %finf) -> (i32, f32) {
      %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %fzero) -> f32 {
        %x = memref.load %a[%i, %k] : memref<16x16xf16>
        %y = memref.load %b[%j, %k] : memref<8x16xf16>
        %xf = arith.extf %x : f16 to f32
        %yf = arith.extf %y : f16 to f32
        %p = arith.mulf %xf, %yf : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      %got = memref.load %c[%i, %j] : memref<16x8xf16>
      %gotf = arith.extf %got : f16 to f32
      %bad = arith.cmpf une, %gotf, %sum : f32
      %d = arith.extui %bad : i1 to i32
      %r1 = arith.addi %r, %d : i32
      %most1 = arith.maximumf %most, %sum : f32
      scf.yield %r1, %most1 : i32, f32
    }
    %u = memref.load %w[%i] : memref<16xf16>
    %uf = arith.extf %u : f16 to f32
    %want = arith.mulf %row#1, %uf : f32
    %got = memref.load %o[%i] : memref<16xf16>
    %gotf = arith.extf %got : f16 to f32
    %bad = arith.cmpf une, %gotf, %want : f32
    %d = arith.extui %bad : i1 to i32
    %n1 = arith.addi %row#0, %d : i32
    scf.yield %n1 : i32
  }
  vector.print %wrong : i32
  return
}
