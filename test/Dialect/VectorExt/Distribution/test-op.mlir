// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-distribute='remarks=true' 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: linalg-ext-opt %s --vector-ext-distribute | linalg-ext-simt-runner | FileCheck %s --check-prefix=RESULT

// An op from outside of the tree that implements LayoutOpInterface. Its second
// operand has the layout of the transpose, and the analysis finds that.

// CHECK-LABEL: gpu.func @from_operand
// CHECK-NOT:     gpu.barrier
// CHECK-NOT:     gpu.shuffle
// CHECK:         %[[A:.+]] = memref.load %{{.+}}[%[[I:.+]], %[[J:.+]]] : memref<4x8xf32>
// CHECK:         %[[B:.+]] = memref.load %{{.+}}[%[[J]], %[[I]]] : memref<8x4xf32>
// CHECK:         %[[SUM:.+]] = arith.addf
// CHECK:         memref.store %{{.+}}, %{{.+}}[%[[I]], %[[J]]] : memref<4x8xf32>
gpu.module @kernels {
  gpu.func @from_operand(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %out: memref<4x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %1 = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %2 = vector_ext.to_layout %1 to <[lane 8:1] x [lane 4:8], lanes = 32, subgroups = 1> : vector<8x4xf32>
    %3 = linalg_ext_test.add_transposed %0, %2 : vector<4x8xf32>, vector<8x4xf32>
    vector.transfer_write %3, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
}

// Both operands come in one layout, so one of them has to change it.
// REMARK: remark: layout of 'vector<8x8xf32>' changes by lanes

// out[i, j] = (8 i + j) + (8 j + i) = 9 (i + j)
// RESULT:      {{\[}}[0, 9, 18, 27, 36, 45, 54, 63],
// RESULT-NEXT:  [9, 18, 27, 36, 45, 54, 63, 72],
// RESULT:       [63, 72, 81, 90, 99, 108, 117, 126]]
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f32
  %in = memref.alloc() : memref<8x8xf32>
  %out = memref.alloc() : memref<8x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %int = arith.index_cast %at : index to i32
      %x = arith.sitofp %int : i32 to f32
      memref.store %x, %in[%i, %j] : memref<8x8xf32>
    }
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
    %1 = linalg_ext_test.add_transposed %0, %0 : vector<8x8xf32>, vector<8x8xf32>
    vector.transfer_write %1, %out[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.terminator
  }
  %print = memref.cast %out : memref<8x8xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}
