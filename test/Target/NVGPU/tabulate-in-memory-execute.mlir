// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' > %t
// RUN: FileCheck %s --check-prefix=MEMORY < %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s
// RUN: linalg-ext-simt-runner %s | FileCheck %s

// Threads look up so many numbers, x^2 / 2 - 3 for integers x of 4 bits, that the two numbers of
// each byte are in shared memory: in f32, and in f16 in a branch that lanes do not take together.
// 160 threads fill a table in 13 rounds, the last of them in part. The host computes the same, and counts
// what differs.

// MEMORY-LABEL: gpu.func @numbers
//  MEMORY-SAME: workgroup(%[[F32:.*]] : memref<32768xi8, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64})
//  MEMORY-SAME: workgroup_bytes = 32768
//        MEMORY: scf.if
//        MEMORY: gpu.barrier
//        MEMORY: scf.for
//    MEMORY-NOT: gpu.shuffle
// MEMORY-COUNT-4: vector.load %[[F32]][%{{.*}}] {{{.*}}} : {{.*}}, vector<8xi8>
//    MEMORY-NOT: vector.load %[[F32]]
// MEMORY-LABEL: gpu.func @halves
//  MEMORY-SAME: workgroup(%[[F16:.*]] : memref<32768xi8, #gpu.address_space<workgroup>>
// MEMORY-COUNT-4: vector.load %[[F16]][%{{.*}}] {{{.*}}} : {{.*}}, vector<4xi8>
//    MEMORY-NOT: vector.load %[[F16]]
// MEMORY-LABEL: gpu.func @negative_full
//    MEMORY-NOT: workgroup(
// MEMORY-COUNT-15: arith.select %{{.*}} : vector<8xi1>, vector<8xf16>

// CHECK:      0
// CHECK-NEXT: 0

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @numbers(%bytes: memref<160x26x4xi8>, %out: memref<160x26x8xf32>) kernel
        attributes {known_block_size = array<i32: 160, 1, 1>} {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %end = arith.constant 26 : index
      %thread = gpu.thread_id x
      %t0 = arith.constant dense<-3.0> : vector<8xf32>
      %t1 = arith.constant dense<-2.5> : vector<8xf32>
      %t2 = arith.constant dense<-1.0> : vector<8xf32>
      %t3 = arith.constant dense<1.5> : vector<8xf32>
      %t4 = arith.constant dense<5.0> : vector<8xf32>
      %t5 = arith.constant dense<9.5> : vector<8xf32>
      %t6 = arith.constant dense<15.0> : vector<8xf32>
      %t7 = arith.constant dense<21.5> : vector<8xf32>
      %t8 = arith.constant dense<29.0> : vector<8xf32>
      %t9 = arith.constant dense<37.5> : vector<8xf32>
      %t10 = arith.constant dense<47.0> : vector<8xf32>
      %t11 = arith.constant dense<57.5> : vector<8xf32>
      %t12 = arith.constant dense<69.0> : vector<8xf32>
      %t13 = arith.constant dense<81.5> : vector<8xf32>
      %t14 = arith.constant dense<95.0> : vector<8xf32>
      %t15 = arith.constant dense<109.5> : vector<8xf32>
      %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
      %c15 = arith.constant dense<15> : vector<8xi8>
      %c0 = arith.constant dense<0> : vector<8xi8>
      %c8 = arith.constant dense<8> : vector<8xi8>
      %c4 = arith.constant dense<4> : vector<8xi8>
      %c2 = arith.constant dense<2> : vector<8xi8>
      %c1 = arith.constant dense<1> : vector<8xi8>
      scf.for %i = %i0 to %end step %i1 {
        %x = vector.load %bytes[%thread, %i, %i0] : memref<160x26x4xi8>, vector<4xi8>
        %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
        %1 = arith.shrui %0, %shift : vector<8xi8>
        %2 = arith.andi %1, %c15 : vector<8xi8>
        %and8 = arith.andi %2, %c8 : vector<8xi8>
        %bit8 = arith.cmpi ne, %and8, %c0 : vector<8xi8>
        %and4 = arith.andi %2, %c4 : vector<8xi8>
        %bit4 = arith.cmpi ne, %and4, %c0 : vector<8xi8>
        %and2 = arith.andi %2, %c2 : vector<8xi8>
        %bit2 = arith.cmpi ne, %and2, %c0 : vector<8xi8>
        %and1 = arith.andi %2, %c1 : vector<8xi8>
        %bit1 = arith.cmpi ne, %and1, %c0 : vector<8xi8>
        %s0 = arith.select %bit1, %t1, %t0 : vector<8xi1>, vector<8xf32>
        %s1 = arith.select %bit1, %t3, %t2 : vector<8xi1>, vector<8xf32>
        %s2 = arith.select %bit1, %t5, %t4 : vector<8xi1>, vector<8xf32>
        %s3 = arith.select %bit1, %t7, %t6 : vector<8xi1>, vector<8xf32>
        %s4 = arith.select %bit1, %t9, %t8 : vector<8xi1>, vector<8xf32>
        %s5 = arith.select %bit1, %t11, %t10 : vector<8xi1>, vector<8xf32>
        %s6 = arith.select %bit1, %t13, %t12 : vector<8xi1>, vector<8xf32>
        %s7 = arith.select %bit1, %t15, %t14 : vector<8xi1>, vector<8xf32>
        %s8 = arith.select %bit2, %s1, %s0 : vector<8xi1>, vector<8xf32>
        %s9 = arith.select %bit2, %s3, %s2 : vector<8xi1>, vector<8xf32>
        %s10 = arith.select %bit2, %s5, %s4 : vector<8xi1>, vector<8xf32>
        %s11 = arith.select %bit2, %s7, %s6 : vector<8xi1>, vector<8xf32>
        %s12 = arith.select %bit4, %s9, %s8 : vector<8xi1>, vector<8xf32>
        %s13 = arith.select %bit4, %s11, %s10 : vector<8xi1>, vector<8xf32>
        %s14 = arith.select %bit8, %s13, %s12 : vector<8xi1>, vector<8xf32>
        vector.store %s14, %out[%thread, %i, %i0] : memref<160x26x8xf32>, vector<8xf32>
      }
      gpu.return
    }

    gpu.func @halves(%bytes: memref<160x26x4xi8>, %out: memref<160x26x8xf32>) kernel
        attributes {known_block_size = array<i32: 160, 1, 1>} {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %end = arith.constant 26 : index
      %thread = gpu.thread_id x
      %c50 = arith.constant 50 : index
      %isFirst = arith.cmpi ult, %thread, %c50 : index
      %t0 = arith.constant dense<-3.0> : vector<8xf16>
      %t1 = arith.constant dense<-2.5> : vector<8xf16>
      %t2 = arith.constant dense<-1.0> : vector<8xf16>
      %t3 = arith.constant dense<1.5> : vector<8xf16>
      %t4 = arith.constant dense<5.0> : vector<8xf16>
      %t5 = arith.constant dense<9.5> : vector<8xf16>
      %t6 = arith.constant dense<15.0> : vector<8xf16>
      %t7 = arith.constant dense<21.5> : vector<8xf16>
      %t8 = arith.constant dense<29.0> : vector<8xf16>
      %t9 = arith.constant dense<37.5> : vector<8xf16>
      %t10 = arith.constant dense<47.0> : vector<8xf16>
      %t11 = arith.constant dense<57.5> : vector<8xf16>
      %t12 = arith.constant dense<69.0> : vector<8xf16>
      %t13 = arith.constant dense<81.5> : vector<8xf16>
      %t14 = arith.constant dense<95.0> : vector<8xf16>
      %t15 = arith.constant dense<109.5> : vector<8xf16>
      %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
      %c15 = arith.constant dense<15> : vector<8xi8>
      %c0 = arith.constant dense<0> : vector<8xi8>
      %c8 = arith.constant dense<8> : vector<8xi8>
      %c4 = arith.constant dense<4> : vector<8xi8>
      %c2 = arith.constant dense<2> : vector<8xi8>
      %c1 = arith.constant dense<1> : vector<8xi8>
      scf.for %i = %i0 to %end step %i1 {
        scf.if %isFirst {
        %x = vector.load %bytes[%thread, %i, %i0] : memref<160x26x4xi8>, vector<4xi8>
        %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
        %1 = arith.shrui %0, %shift : vector<8xi8>
        %2 = arith.andi %1, %c15 : vector<8xi8>
        %and8 = arith.andi %2, %c8 : vector<8xi8>
        %bit8 = arith.cmpi ne, %and8, %c0 : vector<8xi8>
        %and4 = arith.andi %2, %c4 : vector<8xi8>
        %bit4 = arith.cmpi ne, %and4, %c0 : vector<8xi8>
        %and2 = arith.andi %2, %c2 : vector<8xi8>
        %bit2 = arith.cmpi ne, %and2, %c0 : vector<8xi8>
        %and1 = arith.andi %2, %c1 : vector<8xi8>
        %bit1 = arith.cmpi ne, %and1, %c0 : vector<8xi8>
        %s0 = arith.select %bit1, %t1, %t0 : vector<8xi1>, vector<8xf16>
        %s1 = arith.select %bit1, %t3, %t2 : vector<8xi1>, vector<8xf16>
        %s2 = arith.select %bit1, %t5, %t4 : vector<8xi1>, vector<8xf16>
        %s3 = arith.select %bit1, %t7, %t6 : vector<8xi1>, vector<8xf16>
        %s4 = arith.select %bit1, %t9, %t8 : vector<8xi1>, vector<8xf16>
        %s5 = arith.select %bit1, %t11, %t10 : vector<8xi1>, vector<8xf16>
        %s6 = arith.select %bit1, %t13, %t12 : vector<8xi1>, vector<8xf16>
        %s7 = arith.select %bit1, %t15, %t14 : vector<8xi1>, vector<8xf16>
        %s8 = arith.select %bit2, %s1, %s0 : vector<8xi1>, vector<8xf16>
        %s9 = arith.select %bit2, %s3, %s2 : vector<8xi1>, vector<8xf16>
        %s10 = arith.select %bit2, %s5, %s4 : vector<8xi1>, vector<8xf16>
        %s11 = arith.select %bit2, %s7, %s6 : vector<8xi1>, vector<8xf16>
        %s12 = arith.select %bit4, %s9, %s8 : vector<8xi1>, vector<8xf16>
        %s13 = arith.select %bit4, %s11, %s10 : vector<8xi1>, vector<8xf16>
        %s14 = arith.select %bit8, %s13, %s12 : vector<8xi1>, vector<8xf16>
        %wide = arith.extf %s14 : vector<8xf16> to vector<8xf32>
        vector.store %wide, %out[%thread, %i, %i0] : memref<160x26x8xf32>, vector<8xf32>
        }
      }
      gpu.return
    }

    // With mbarriers, there is no room for the table.
    gpu.func @negative_full(%bytes: memref<160x26x4xi8>, %out: memref<160x26x8xf32>) kernel
        attributes {known_block_size = array<i32: 160, 1, 1>, workgroup_bytes = 198656 : i64} {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %end = arith.constant 26 : index
      %thread = gpu.thread_id x
      %c50 = arith.constant 50 : index
      %isFirst = arith.cmpi ult, %thread, %c50 : index
      %t0 = arith.constant dense<-3.0> : vector<8xf16>
      %t1 = arith.constant dense<-2.5> : vector<8xf16>
      %t2 = arith.constant dense<-1.0> : vector<8xf16>
      %t3 = arith.constant dense<1.5> : vector<8xf16>
      %t4 = arith.constant dense<5.0> : vector<8xf16>
      %t5 = arith.constant dense<9.5> : vector<8xf16>
      %t6 = arith.constant dense<15.0> : vector<8xf16>
      %t7 = arith.constant dense<21.5> : vector<8xf16>
      %t8 = arith.constant dense<29.0> : vector<8xf16>
      %t9 = arith.constant dense<37.5> : vector<8xf16>
      %t10 = arith.constant dense<47.0> : vector<8xf16>
      %t11 = arith.constant dense<57.5> : vector<8xf16>
      %t12 = arith.constant dense<69.0> : vector<8xf16>
      %t13 = arith.constant dense<81.5> : vector<8xf16>
      %t14 = arith.constant dense<95.0> : vector<8xf16>
      %t15 = arith.constant dense<109.5> : vector<8xf16>
      %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
      %c15 = arith.constant dense<15> : vector<8xi8>
      %c0 = arith.constant dense<0> : vector<8xi8>
      %c8 = arith.constant dense<8> : vector<8xi8>
      %c4 = arith.constant dense<4> : vector<8xi8>
      %c2 = arith.constant dense<2> : vector<8xi8>
      %c1 = arith.constant dense<1> : vector<8xi8>
      scf.for %i = %i0 to %end step %i1 {
        scf.if %isFirst {
        %x = vector.load %bytes[%thread, %i, %i0] : memref<160x26x4xi8>, vector<4xi8>
        %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
        %1 = arith.shrui %0, %shift : vector<8xi8>
        %2 = arith.andi %1, %c15 : vector<8xi8>
        %and8 = arith.andi %2, %c8 : vector<8xi8>
        %bit8 = arith.cmpi ne, %and8, %c0 : vector<8xi8>
        %and4 = arith.andi %2, %c4 : vector<8xi8>
        %bit4 = arith.cmpi ne, %and4, %c0 : vector<8xi8>
        %and2 = arith.andi %2, %c2 : vector<8xi8>
        %bit2 = arith.cmpi ne, %and2, %c0 : vector<8xi8>
        %and1 = arith.andi %2, %c1 : vector<8xi8>
        %bit1 = arith.cmpi ne, %and1, %c0 : vector<8xi8>
        %s0 = arith.select %bit1, %t1, %t0 : vector<8xi1>, vector<8xf16>
        %s1 = arith.select %bit1, %t3, %t2 : vector<8xi1>, vector<8xf16>
        %s2 = arith.select %bit1, %t5, %t4 : vector<8xi1>, vector<8xf16>
        %s3 = arith.select %bit1, %t7, %t6 : vector<8xi1>, vector<8xf16>
        %s4 = arith.select %bit1, %t9, %t8 : vector<8xi1>, vector<8xf16>
        %s5 = arith.select %bit1, %t11, %t10 : vector<8xi1>, vector<8xf16>
        %s6 = arith.select %bit1, %t13, %t12 : vector<8xi1>, vector<8xf16>
        %s7 = arith.select %bit1, %t15, %t14 : vector<8xi1>, vector<8xf16>
        %s8 = arith.select %bit2, %s1, %s0 : vector<8xi1>, vector<8xf16>
        %s9 = arith.select %bit2, %s3, %s2 : vector<8xi1>, vector<8xf16>
        %s10 = arith.select %bit2, %s5, %s4 : vector<8xi1>, vector<8xf16>
        %s11 = arith.select %bit2, %s7, %s6 : vector<8xi1>, vector<8xf16>
        %s12 = arith.select %bit4, %s9, %s8 : vector<8xi1>, vector<8xf16>
        %s13 = arith.select %bit4, %s11, %s10 : vector<8xi1>, vector<8xf16>
        %s14 = arith.select %bit8, %s13, %s12 : vector<8xi1>, vector<8xf16>
        %wide = arith.extf %s14 : vector<8xf16> to vector<8xf32>
        vector.store %wide, %out[%thread, %i, %i0] : memref<160x26x8xf32>, vector<8xf32>
        }
      }
      gpu.return
    }
  }

  // How many numbers of the first threads are not those of the table.
  func.func @count(%bytes: memref<160x26x4xi8>, %out: memref<160x26x8xf32>, %threads: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %rounds = arith.constant 26 : index
    %four = arith.constant 4 : i32
    %fifteen = arith.constant 15 : i32
    %half = arith.constant 0.5 : f32
    %three = arith.constant 3.0 : f32
    %zero = arith.constant 0 : i32
    %wrong = scf.for %t = %c0 to %threads step %c1 iter_args(%all = %zero) -> (i32) {
      %rows = scf.for %r = %c0 to %rounds step %c1 iter_args(%some = %all) -> (i32) {
        %row = scf.for %i = %c0 to %c8 step %c1 iter_args(%count = %some) -> (i32) {
          %at = arith.divui %i, %c2 : index
          %odd = arith.remui %i, %c2 : index
          %odd32 = arith.index_cast %odd : index to i32
          %byte = memref.load %bytes[%t, %r, %at] : memref<160x26x4xi8>
          %wide = arith.extui %byte : i8 to i32
          %amount = arith.muli %odd32, %four : i32
          %shifted = arith.shrui %wide, %amount : i32
          %code = arith.andi %shifted, %fifteen : i32
          %f = arith.uitofp %code : i32 to f32
          %square = arith.mulf %f, %f : f32
          %scaled = arith.mulf %square, %half : f32
          %expected = arith.subf %scaled, %three : f32
          %got = memref.load %out[%t, %r, %i] : memref<160x26x8xf32>
          %differs = arith.cmpf une, %got, %expected : f32
          %one = arith.extui %differs : i1 to i32
          %next = arith.addi %count, %one : i32
          scf.yield %next : i32
        }
        scf.yield %row : i32
      }
      scf.yield %rows : i32
    }
    return %wrong : i32
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c50 = arith.constant 50 : index
    %threads = arith.constant 160 : index
    %rounds = arith.constant 26 : index
    %c37 = arith.constant 37 : index
    %c101 = arith.constant 101 : index
    %c59 = arith.constant 59 : index
    %bytes = memref.alloc() : memref<160x26x4xi8>
    %f32s = memref.alloc() : memref<160x26x8xf32>
    %f16s = memref.alloc() : memref<160x26x8xf32>
    scf.for %t = %c0 to %threads step %c1 {
      scf.for %r = %c0 to %rounds step %c1 {
        scf.for %i = %c0 to %c4 step %c1 {
          %0 = arith.muli %t, %c37 : index
          %1 = arith.muli %i, %c101 : index
          %2 = arith.muli %r, %c59 : index
          %3 = arith.addi %0, %1 : index
          %4 = arith.addi %3, %2 : index
          %5 = arith.index_cast %4 : index to i8
          memref.store %5, %bytes[%t, %r, %i] : memref<160x26x4xi8>
        }
      }
    }
    gpu.launch_func @kernels::@numbers blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%bytes : memref<160x26x4xi8>, %f32s : memref<160x26x8xf32>)
    gpu.launch_func @kernels::@halves blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%bytes : memref<160x26x4xi8>, %f16s : memref<160x26x8xf32>)
    %r0 = func.call @count(%bytes, %f32s, %threads) : (memref<160x26x4xi8>, memref<160x26x8xf32>, index) -> i32
    %r1 = func.call @count(%bytes, %f16s, %c50) : (memref<160x26x4xi8>, memref<160x26x8xf32>, index) -> i32
    vector.print %r0 : i32
    vector.print %r1 : i32
    return
  }
}
