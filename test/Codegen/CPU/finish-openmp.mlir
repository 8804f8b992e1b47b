// RUN: linalg-ext-opt %s -allow-unregistered-dialect --linalg-ext-share-among-threads=steps=convert,finish | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s -allow-unregistered-dialect --pass-pipeline='builtin.module(linalg-ext-share-among-threads{steps=convert,finish})' | FileCheck %s


// A thread allocates the buffers of its iterations once: inside of omp.parallel, and
// outside of the loop.

// CHECK-LABEL: func @buffers(
// CHECK-NOT:     memref.alloc
// CHECK:         omp.parallel {
// CHECK:           %[[STACK:.*]] = memref.alloca() : memref<8xf32>
// CHECK:           %[[HEAP:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK:           %[[INNER:.*]] = memref.alloc() : memref<32x64xf32>
// CHECK:           omp.wsloop nowait schedule(dynamic) {
// CHECK-NEXT:        omp.loop_nest
// CHECK-NOT:           memref.alloca_scope
// CHECK-NOT:           memref.{{alloc|dealloc}}
// CHECK:               omp.yield
// CHECK-DAG:       memref.dealloc %[[HEAP]] :
// CHECK-DAG:       memref.dealloc %[[INNER]] :
// CHECK:           omp.terminator
func.func @buffers() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %heap = memref.alloc() : memref<64x64xf32>
    %stack = memref.alloca() : memref<8xf32>
    "test.use"(%heap, %stack) : (memref<64x64xf32>, memref<8xf32>) -> ()
    scf.for %j = %c0 to %c8 step %c1 {
      %inner = memref.alloc() : memref<32x64xf32>
      "test.use"(%inner) : (memref<32x64xf32>) -> ()
      memref.dealloc %inner : memref<32x64xf32>
    }
    memref.dealloc %heap : memref<64x64xf32>
  }
  return
}

// A buffer of unknown size stays in the loop, and is never on the stack.

// CHECK-LABEL: func @sizes_of_an_iteration(
// CHECK:         omp.loop_nest (%[[I:.*]]) :
// CHECK:           %[[HEAP:.*]] = memref.alloc(%[[I]])
// CHECK:           %[[STACK:.*]] = memref.alloc(%[[I]])
// CHECK:           "test.use"(%[[HEAP]], %[[STACK]])
// CHECK-DAG:       memref.dealloc %[[STACK]] :
// CHECK-DAG:       memref.dealloc %[[HEAP]] :
// CHECK:           omp.yield
func.func @sizes_of_an_iteration() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %heap = memref.alloc(%i) : memref<?xf32>
    %stack = memref.alloca(%i) : memref<?xf32>
    "test.use"(%heap, %stack) : (memref<?xf32>, memref<?xf32>) -> ()
    memref.dealloc %heap : memref<?xf32>
  }
  return
}

// A buffer that is freed in a branch stays in the loop.

// CHECK-LABEL: func @negative_freed_in_branch(
// CHECK:         omp.loop_nest
// CHECK:           memref.alloc() : memref<4xf32>
func.func @negative_freed_in_branch(%b: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %heap = memref.alloc() : memref<4xf32>
    scf.if %b {
      memref.dealloc %heap : memref<4xf32>
    }
  }
  return
}

// Threads are started only if a loop has more than one iteration.

// CHECK-LABEL: func @one_or_many(
// CHECK-SAME:    %[[N:.*]]: index, %[[M:.*]]: index
// CHECK:         %[[I:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK:         %[[J:.*]] = arith.cmpi slt, %{{.*}}, %[[M]]
// CHECK:         %[[SOME:.*]] = arith.ori %[[I]], %[[J]]
// CHECK:         omp.parallel if(%[[SOME]])
func.func @one_or_many(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    "test.use"(%i, %j) : (index, index) -> ()
  }
  return
}

// A parallel region with several loops gets no condition: its threads have other work,
// too. A region that has a condition keeps it.

// CHECK-LABEL: func @negative_several_loops(
// CHECK:         omp.parallel {
// CHECK-NEXT:      omp.wsloop schedule(dynamic) {
// CHECK:           omp.wsloop schedule(dynamic) {
func.func @negative_several_loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        "test.use"(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        "test.use"(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: func @negative_has_condition(
// CHECK-SAME:    %[[N:.*]]: index, %[[IF:.*]]: i1)
// CHECK:         omp.parallel if(%[[IF]]) {
func.func @negative_has_condition(%n: index, %if: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel if(%if) {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        "test.use"(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
