// RUN: linalg-ext-opt %s --linalg-ext-gpu-place-memory=steps=share-temporaries --canonicalize --cse --split-input-file | FileCheck %s

// The first buffer's memory is that of the third; the largest is at the start.

// CHECK-LABEL: func.func @packed
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C512:.*]] = arith.constant 512 : index
// CHECK-DAG:     %[[BLOCK:.*]] = memref.alloc() {alignment = 256 : i64} : memref<768xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[A:.*]] = memref.view %[[BLOCK]][%[[C0]]][] : memref<768xi8> to memref<64xf32>
// CHECK:         gpu.launch_func @kernels::@one {{.*}} args(%arg0 : memref<64xf32>, %[[A]] : memref<64xf32>)
// CHECK:         %[[B:.*]] = memref.view %[[BLOCK]][%[[C512]]][] : memref<768xi8> to memref<60xf32>
// CHECK:         gpu.launch_func @kernels::@two {{.*}} args(%[[A]] : memref<64xf32>, %[[B]] : memref<60xf32>)
// CHECK:         %[[C:.*]] = memref.view %[[BLOCK]][%[[C0]]][] : memref<768xi8> to memref<128xf32>
// CHECK:         gpu.launch_func @kernels::@three {{.*}} args(%[[B]] : memref<60xf32>, %[[C]] : memref<128xf32>)
// CHECK:         gpu.launch_func @kernels::@four {{.*}} args(%[[C]] : memref<128xf32>, %arg0 : memref<64xf32>)
// CHECK-NEXT:    memref.dealloc %[[BLOCK]]
// CHECK-NEXT:    return
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @one(%a: memref<64xf32>, %b: memref<64xf32>) kernel { gpu.return }
  gpu.func @two(%a: memref<64xf32>, %b: memref<60xf32>) kernel { gpu.return }
  gpu.func @three(%a: memref<60xf32>, %b: memref<128xf32>) kernel { gpu.return }
  gpu.func @four(%a: memref<128xf32>, %b: memref<64xf32>) kernel { gpu.return }
}
func.func @packed(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%x : memref<64xf32>, %a : memref<64xf32>)
  %b = memref.alloc() : memref<60xf32>
  gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<64xf32>, %b : memref<60xf32>)
  memref.dealloc %a : memref<64xf32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
  gpu.launch_func @kernels::@three blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%b : memref<60xf32>, %c : memref<128xf32>)
  memref.dealloc %b : memref<60xf32>
  gpu.launch_func @kernels::@four blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%c : memref<128xf32>, %x : memref<64xf32>)
  memref.dealloc %c : memref<128xf32>
  return
}
}

// -----

// Sizes that are not known: the first and the third take turns in a part as
// large as the larger one, behind what is static. A size that is computed
// between launches is computed in front.

// CHECK-LABEL: func.func @turns
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG:     %[[M:.*]] = memref.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[M2:.*]] = arith.addi %[[M]], %[[N]]
// CHECK:         %[[FIRST:.*]] = arith.maxsi
// CHECK:         %[[END:.*]] = arith.addi %[[FIRST]], %[[C256]]
// CHECK:         %[[ALL:.*]] = arith.addi %[[END]]
// CHECK:         %[[BLOCK:.*]] = memref.alloc(%[[ALL]]) {alignment = 256 : i64} : memref<?xi8>
// CHECK:         memref.view %[[BLOCK]][%[[C256]]][%[[M]]] : memref<?xi8> to memref<?xf32>
// CHECK:         gpu.launch_func @kernels::@one
// CHECK:         memref.view %[[BLOCK]][%[[END]]][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK:         gpu.launch_func @kernels::@one
// CHECK:         memref.view %[[BLOCK]][%[[C256]]][%[[M2]]] : memref<?xi8> to memref<?xf32>
// CHECK:         gpu.launch_func @kernels::@one
// CHECK:         memref.view %[[BLOCK]][%[[C0]]][] : memref<?xi8> to memref<1xf32>
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @one(%a: memref<?xf32>, %b: memref<?xf32>) kernel { gpu.return }
  gpu.func @two(%a: memref<?xf32>, %b: memref<1xf32>) kernel { gpu.return }
}
func.func @turns(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%m) : memref<?xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%x : memref<?xf32>, %a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<?xf32>, %b : memref<?xf32>)
  %d = memref.dim %a, %c0 : memref<?xf32>
  %m2 = arith.addi %d, %n : index
  %c = memref.alloc(%m2) : memref<?xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%b : memref<?xf32>, %c : memref<?xf32>)
  %e = memref.alloc() : memref<1xf32>
  gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%c : memref<?xf32>, %e : memref<1xf32>)
  return
}
}

// -----

// One buffer stays, and so does one that something else than launches uses.

// CHECK-LABEL: func.func @negative_one
// CHECK:         memref.alloc() : memref<64xf32>
// CHECK-LABEL: func.func @negative_used
// CHECK:         memref.alloc() : memref<64xf32>
// CHECK:         memref.alloc() : memref<64xf32>
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @one(%a: memref<64xf32>, %b: memref<64xf32>) kernel { gpu.return }
}
func.func @negative_one(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%x : memref<64xf32>, %a : memref<64xf32>)
  return
}
func.func @negative_used(%x: memref<64xf32>, %s: f32) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.store %s, %a[%c1] : memref<64xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<64xf32>, %b : memref<64xf32>)
  return
}
}

// -----

// One buffer is left where the size of the other is read after the first
// launch. Nothing is changed for it.

// CHECK-LABEL: func.func @negative_unknown_size
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT:    gpu.launch_func
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT:    gpu.launch_func
// CHECK-NEXT:    return
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @one(%a: memref<?xf32>) kernel { gpu.return }
}
func.func @negative_unknown_size(%m: memref<index>) {
  %c1 = arith.constant 1 : index
  %n = memref.load %m[] : memref<index>
  %a = memref.alloc(%n) : memref<?xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<?xf32>)
  %k = memref.load %m[] : memref<index>
  %b = memref.alloc(%k) : memref<?xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%b : memref<?xf32>)
  return
}
}

// -----

// A view cannot be freed, and nobody knows who uses an address.

// CHECK-LABEL: func.func @negative_dealloc_of_view
// CHECK-NOT:     memref.view
// CHECK-LABEL: func.func @negative_address
// CHECK-NOT:     memref.view
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @one(%a: memref<8xf32>) kernel { gpu.return }
}
func.func @negative_dealloc_of_view() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %view = memref.cast %a : memref<8xf32> to memref<?xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%b : memref<8xf32>)
  memref.dealloc %view : memref<?xf32>
  return
}
func.func private @use(i64)
func.func @negative_address() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %address = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %number = arith.index_cast %address : index to i64
  %next = arith.addi %number, %number : i64
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%b : memref<8xf32>)
  func.call @use(%next) : (i64) -> ()
  return
}
}

// -----

// Launches with tokens may run at the same time.

// CHECK-LABEL: func.func @negative_async
// CHECK-NOT:     memref.view
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @one(%a: memref<8xf32>) kernel { gpu.return }
}
func.func @negative_async() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %s = gpu.launch_func async @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  %t = gpu.launch_func async @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%b : memref<8xf32>)
  gpu.wait [%s, %t]
  return
}
}

// -----

// A buffer is used where its tensor map is: the first one is not needed when the
// third one is written.

// CHECK-LABEL: func.func @mapped
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C512:.*]] = arith.constant 512 : index
// CHECK:         %[[BLOCK:.*]] = memref.alloc() {alignment = 256 : i64} : memref<1024xi8>
// CHECK:         %[[A:.*]] = memref.view %[[BLOCK]][%[[C0]]][] : memref<1024xi8> to memref<128xf32>
// CHECK:         %[[ANY:.*]] = memref.cast %[[A]] : memref<128xf32> to memref<*xf32>
// CHECK:         %[[MAP:.*]] = nvgpu.tma.create.descriptor %[[ANY]]
// CHECK:         %[[B:.*]] = memref.view %[[BLOCK]][%[[C512]]][]
// CHECK:         gpu.launch_func @kernels::@two {{.*}} args(%[[MAP]] : {{.*}}, %[[B]] : memref<128xf32>)
// CHECK:         gpu.launch_func @kernels::@three {{.*}} args(%[[B]] : memref<128xf32>, %[[A]] : memref<128xf32>)
!map = !nvgpu.tensormap.descriptor<tensor = memref<64xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @one(%a: memref<128xf32>) kernel { gpu.return }
  gpu.func @two(%a: !map, %b: memref<128xf32>) kernel { gpu.return }
  gpu.func @three(%a: memref<128xf32>, %b: memref<128xf32>) kernel { gpu.return }
}
func.func @mapped() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xf32>
  %any = memref.cast %a : memref<128xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c64] : memref<*xf32> -> !map
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%a : memref<128xf32>)
  %b = memref.alloc() : memref<128xf32>
  gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%map : !map, %b : memref<128xf32>)
  %c = memref.alloc() : memref<128xf32>
  gpu.launch_func @kernels::@three blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%b : memref<128xf32>, %c : memref<128xf32>)
  return
}
}
