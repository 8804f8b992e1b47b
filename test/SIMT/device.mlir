// RUN: split-file %s %t
// RUN: linalg-ext-simt-runner %t/functions.mlir | FileCheck %s
// RUN: not linalg-ext-simt-runner %t/intrinsic.mlir 2>&1 | FileCheck %s --check-prefix=INTRINSIC
// RUN: not linalg-ext-simt-runner %t/assembly.mlir 2>&1 | FileCheck %s --check-prefix=ASSEMBLY

// What instructions of a device compute: 1e-39 is subnormal, and 0 for those that
// say .ftz. Then the numbers of threads that assembly reads.

// CHECK:      ( 8, 1, 0, 1, 3.4
// CHECK-NEXT: ( 3, -inf, -inf, {{-?}}nan
// CHECK-NEXT: ( 0.25, inf, -inf
// CHECK-NEXT: ( 0.5, inf, {{-?}}nan
// CHECK-NEXT: ( 2, 0, {{-?}}nan
// CHECK-NEXT: ( 3, 1e-39
// CHECK-NEXT: ( 0, 1, 2, 0, 1, 2 )
// CHECK-NEXT: ( 0, 0, 0, 1, 1, 1 )

//--- functions.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = memref.alloc() : memref<6xindex>
  %y = memref.alloc() : memref<6xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c2, %sz = %c1) {
    %0 = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
    %1 = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.y;", "=r" : () -> i32
    %ax = arith.index_castui %0 : i32 to index
    %ay = arith.index_castui %1 : i32 to index
    %row = arith.muli %ty, %c3 : index
    %at = arith.addi %row, %tx : index
    memref.store %ax, %x[%at] : memref<6xindex>
    memref.store %ay, %y[%at] : memref<6xindex>
    %linear = arith.cmpi eq, %at, %c0 : index
    scf.if %linear {
      %small = arith.constant 1.0e-39 : f32
      %minus = arith.constant -1.0e-39 : f32
      %negative = arith.constant -1.0 : f32
      %n3 = arith.constant 3.0 : f32
      %n4 = arith.constant 4.0 : f32
      %n8 = arith.constant 8.0 : f32
      %n2 = arith.constant 2.0 : f32
      %low = arith.constant -127.0 : f32
      %high = arith.constant 127.999 : f32
      %a0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%n3) : (f32) -> f32
      %a1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%small) : (f32) -> f32
      %a2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%low) : (f32) -> f32
      %a3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%minus) : (f32) -> f32
      %a4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%high) : (f32) -> f32
      %a = vector.from_elements %a0, %a1, %a2, %a3, %a4 : vector<5xf32>
      vector.print %a : vector<5xf32>
      %b0 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%n8) : (f32) -> f32
      %b1 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%small) : (f32) -> f32
      %b2 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%minus) : (f32) -> f32
      %b3 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%negative) : (f32) -> f32
      %b = vector.from_elements %b0, %b1, %b2, %b3 : vector<4xf32>
      vector.print %b : vector<4xf32>
      %d0 = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%n4) : (f32) -> f32
      %d1 = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%small) : (f32) -> f32
      %d2 = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%minus) : (f32) -> f32
      %d = vector.from_elements %d0, %d1, %d2 : vector<3xf32>
      vector.print %d : vector<3xf32>
      %e0 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%n4) : (f32) -> f32
      %e1 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%small) : (f32) -> f32
      %e2 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%negative) : (f32) -> f32
      %e = vector.from_elements %e0, %e1, %e2 : vector<3xf32>
      vector.print %e : vector<3xf32>
      %g0 = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"(%n4) : (f32) -> f32
      %g1 = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"(%small) : (f32) -> f32
      %g2 = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"(%negative) : (f32) -> f32
      %g = vector.from_elements %g0, %g1, %g2 : vector<3xf32>
      vector.print %g : vector<3xf32>
      %one = arith.constant 1.0 : f32
      %six = arith.constant 6.0 : f32
      %h0 = llvm.call_intrinsic "llvm.nvvm.div.full"(%six, %n2) : (f32, f32) -> f32
      %h1 = llvm.call_intrinsic "llvm.nvvm.div.full"(%small, %one) : (f32, f32) -> f32
      %h = vector.from_elements %h0, %h1 : vector<2xf32>
      vector.print %h : vector<2xf32>
    }
    gpu.terminator
  }
  %vx = vector.load %x[%c0] : memref<6xindex>, vector<6xindex>
  vector.print %vx : vector<6xindex>
  %vy = vector.load %y[%c0] : memref<6xindex>, vector<6xindex>
  vector.print %vy : vector<6xindex>
  return
}

//--- intrinsic.mlir
// INTRINSIC: intrinsic.mlir:[[#]]:{{.*}} error: intrinsic 'llvm.nvvm.sin.approx.f' is not supported by the SIMT interpreter
func.func @main() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = arith.constant 1.0 : f32
    %y = llvm.call_intrinsic "llvm.nvvm.sin.approx.f"(%x) : (f32) -> f32
    gpu.terminator
  }
  return
}

//--- assembly.mlir
// ASSEMBLY: assembly.mlir:[[#]]:{{.*}} error: assembly 'mov.u32 $0, %ctaid.x;' is not supported by the SIMT interpreter
func.func @main() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = llvm.inline_asm has_side_effects "mov.u32 $0, %ctaid.x;", "=r" : () -> i32
    gpu.terminator
  }
  return
}
