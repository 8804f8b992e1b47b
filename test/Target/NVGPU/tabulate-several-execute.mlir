// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' > %t
// RUN: FileCheck %s --check-prefix=MEMORY < %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s
// RUN: linalg-ext-simt-runner %s | FileCheck %s

// Of three tables of one kernel, x^2 / 2 - 3 and 1000 x in f32, and 4096 x in f16, one is in shared
// memory: two would be more than the 48 KiB that a kernel may have beside what a launch gives it.
// The host computes their sum, and counts what differs.

// MEMORY-LABEL: gpu.func @several
//  MEMORY-SAME: workgroup(%[[TABLE:.*]] : memref<32768xi8, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64})
//  MEMORY-SAME: workgroup_bytes = 32768
//        MEMORY: scf.for
// MEMORY-COUNT-4: vector.load %[[TABLE]]
// MEMORY-COUNT-15: arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
// MEMORY-COUNT-15: arith.select %{{.*}} : vector<8xi1>, vector<8xf16>
//        MEMORY: gpu.return

// CHECK: 0

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @several(%bytes: memref<512x26x4xi8>, %out: memref<512x26x8xf32>) kernel
        attributes {known_block_size = array<i32: 512, 1, 1>} {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %end = arith.constant 26 : index
      %thread = gpu.thread_id x
      %a0 = arith.constant dense<-3.0> : vector<8xf32>
      %a1 = arith.constant dense<-2.5> : vector<8xf32>
      %a2 = arith.constant dense<-1.0> : vector<8xf32>
      %a3 = arith.constant dense<1.5> : vector<8xf32>
      %a4 = arith.constant dense<5.0> : vector<8xf32>
      %a5 = arith.constant dense<9.5> : vector<8xf32>
      %a6 = arith.constant dense<15.0> : vector<8xf32>
      %a7 = arith.constant dense<21.5> : vector<8xf32>
      %a8 = arith.constant dense<29.0> : vector<8xf32>
      %a9 = arith.constant dense<37.5> : vector<8xf32>
      %a10 = arith.constant dense<47.0> : vector<8xf32>
      %a11 = arith.constant dense<57.5> : vector<8xf32>
      %a12 = arith.constant dense<69.0> : vector<8xf32>
      %a13 = arith.constant dense<81.5> : vector<8xf32>
      %a14 = arith.constant dense<95.0> : vector<8xf32>
      %a15 = arith.constant dense<109.5> : vector<8xf32>
      %b0 = arith.constant dense<0.0> : vector<8xf32>
      %b1 = arith.constant dense<1000.0> : vector<8xf32>
      %b2 = arith.constant dense<2000.0> : vector<8xf32>
      %b3 = arith.constant dense<3000.0> : vector<8xf32>
      %b4 = arith.constant dense<4000.0> : vector<8xf32>
      %b5 = arith.constant dense<5000.0> : vector<8xf32>
      %b6 = arith.constant dense<6000.0> : vector<8xf32>
      %b7 = arith.constant dense<7000.0> : vector<8xf32>
      %b8 = arith.constant dense<8000.0> : vector<8xf32>
      %b9 = arith.constant dense<9000.0> : vector<8xf32>
      %b10 = arith.constant dense<10000.0> : vector<8xf32>
      %b11 = arith.constant dense<11000.0> : vector<8xf32>
      %b12 = arith.constant dense<12000.0> : vector<8xf32>
      %b13 = arith.constant dense<13000.0> : vector<8xf32>
      %b14 = arith.constant dense<14000.0> : vector<8xf32>
      %b15 = arith.constant dense<15000.0> : vector<8xf32>
      %h0 = arith.constant dense<0.0> : vector<8xf16>
      %h1 = arith.constant dense<4096.0> : vector<8xf16>
      %h2 = arith.constant dense<8192.0> : vector<8xf16>
      %h3 = arith.constant dense<12288.0> : vector<8xf16>
      %h4 = arith.constant dense<16384.0> : vector<8xf16>
      %h5 = arith.constant dense<20480.0> : vector<8xf16>
      %h6 = arith.constant dense<24576.0> : vector<8xf16>
      %h7 = arith.constant dense<28672.0> : vector<8xf16>
      %h8 = arith.constant dense<32768.0> : vector<8xf16>
      %h9 = arith.constant dense<36864.0> : vector<8xf16>
      %h10 = arith.constant dense<40960.0> : vector<8xf16>
      %h11 = arith.constant dense<45056.0> : vector<8xf16>
      %h12 = arith.constant dense<49152.0> : vector<8xf16>
      %h13 = arith.constant dense<53248.0> : vector<8xf16>
      %h14 = arith.constant dense<57344.0> : vector<8xf16>
      %h15 = arith.constant dense<61440.0> : vector<8xf16>
      %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
      %c15 = arith.constant dense<15> : vector<8xi8>
      %c0 = arith.constant dense<0> : vector<8xi8>
      %c8 = arith.constant dense<8> : vector<8xi8>
      %c4 = arith.constant dense<4> : vector<8xi8>
      %c2 = arith.constant dense<2> : vector<8xi8>
      %c1 = arith.constant dense<1> : vector<8xi8>
      scf.for %i = %i0 to %end step %i1 {
        %x = vector.load %bytes[%thread, %i, %i0] : memref<512x26x4xi8>, vector<4xi8>
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
        %as0 = arith.select %bit1, %a1, %a0 : vector<8xi1>, vector<8xf32>
        %as1 = arith.select %bit1, %a3, %a2 : vector<8xi1>, vector<8xf32>
        %as2 = arith.select %bit1, %a5, %a4 : vector<8xi1>, vector<8xf32>
        %as3 = arith.select %bit1, %a7, %a6 : vector<8xi1>, vector<8xf32>
        %as4 = arith.select %bit1, %a9, %a8 : vector<8xi1>, vector<8xf32>
        %as5 = arith.select %bit1, %a11, %a10 : vector<8xi1>, vector<8xf32>
        %as6 = arith.select %bit1, %a13, %a12 : vector<8xi1>, vector<8xf32>
        %as7 = arith.select %bit1, %a15, %a14 : vector<8xi1>, vector<8xf32>
        %as8 = arith.select %bit2, %as1, %as0 : vector<8xi1>, vector<8xf32>
        %as9 = arith.select %bit2, %as3, %as2 : vector<8xi1>, vector<8xf32>
        %as10 = arith.select %bit2, %as5, %as4 : vector<8xi1>, vector<8xf32>
        %as11 = arith.select %bit2, %as7, %as6 : vector<8xi1>, vector<8xf32>
        %as12 = arith.select %bit4, %as9, %as8 : vector<8xi1>, vector<8xf32>
        %as13 = arith.select %bit4, %as11, %as10 : vector<8xi1>, vector<8xf32>
        %as14 = arith.select %bit8, %as13, %as12 : vector<8xi1>, vector<8xf32>
        %bs0 = arith.select %bit1, %b1, %b0 : vector<8xi1>, vector<8xf32>
        %bs1 = arith.select %bit1, %b3, %b2 : vector<8xi1>, vector<8xf32>
        %bs2 = arith.select %bit1, %b5, %b4 : vector<8xi1>, vector<8xf32>
        %bs3 = arith.select %bit1, %b7, %b6 : vector<8xi1>, vector<8xf32>
        %bs4 = arith.select %bit1, %b9, %b8 : vector<8xi1>, vector<8xf32>
        %bs5 = arith.select %bit1, %b11, %b10 : vector<8xi1>, vector<8xf32>
        %bs6 = arith.select %bit1, %b13, %b12 : vector<8xi1>, vector<8xf32>
        %bs7 = arith.select %bit1, %b15, %b14 : vector<8xi1>, vector<8xf32>
        %bs8 = arith.select %bit2, %bs1, %bs0 : vector<8xi1>, vector<8xf32>
        %bs9 = arith.select %bit2, %bs3, %bs2 : vector<8xi1>, vector<8xf32>
        %bs10 = arith.select %bit2, %bs5, %bs4 : vector<8xi1>, vector<8xf32>
        %bs11 = arith.select %bit2, %bs7, %bs6 : vector<8xi1>, vector<8xf32>
        %bs12 = arith.select %bit4, %bs9, %bs8 : vector<8xi1>, vector<8xf32>
        %bs13 = arith.select %bit4, %bs11, %bs10 : vector<8xi1>, vector<8xf32>
        %bs14 = arith.select %bit8, %bs13, %bs12 : vector<8xi1>, vector<8xf32>
        %hs0 = arith.select %bit1, %h1, %h0 : vector<8xi1>, vector<8xf16>
        %hs1 = arith.select %bit1, %h3, %h2 : vector<8xi1>, vector<8xf16>
        %hs2 = arith.select %bit1, %h5, %h4 : vector<8xi1>, vector<8xf16>
        %hs3 = arith.select %bit1, %h7, %h6 : vector<8xi1>, vector<8xf16>
        %hs4 = arith.select %bit1, %h9, %h8 : vector<8xi1>, vector<8xf16>
        %hs5 = arith.select %bit1, %h11, %h10 : vector<8xi1>, vector<8xf16>
        %hs6 = arith.select %bit1, %h13, %h12 : vector<8xi1>, vector<8xf16>
        %hs7 = arith.select %bit1, %h15, %h14 : vector<8xi1>, vector<8xf16>
        %hs8 = arith.select %bit2, %hs1, %hs0 : vector<8xi1>, vector<8xf16>
        %hs9 = arith.select %bit2, %hs3, %hs2 : vector<8xi1>, vector<8xf16>
        %hs10 = arith.select %bit2, %hs5, %hs4 : vector<8xi1>, vector<8xf16>
        %hs11 = arith.select %bit2, %hs7, %hs6 : vector<8xi1>, vector<8xf16>
        %hs12 = arith.select %bit4, %hs9, %hs8 : vector<8xi1>, vector<8xf16>
        %hs13 = arith.select %bit4, %hs11, %hs10 : vector<8xi1>, vector<8xf16>
        %hs14 = arith.select %bit8, %hs13, %hs12 : vector<8xi1>, vector<8xf16>
        %wide = arith.extf %hs14 : vector<8xf16> to vector<8xf32>
        %ab = arith.addf %as14, %bs14 : vector<8xf32>
        %sum = arith.addf %ab, %wide : vector<8xf32>
        vector.store %sum, %out[%thread, %i, %i0] : memref<512x26x8xf32>, vector<8xf32>
      }
      gpu.return
    }
  }
  // How many numbers of the first threads are not those of the table.
  func.func @count(%bytes: memref<512x26x4xi8>, %out: memref<512x26x8xf32>, %threads: index) -> i32 {
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
          %byte = memref.load %bytes[%t, %r, %at] : memref<512x26x4xi8>
          %wide = arith.extui %byte : i8 to i32
          %amount = arith.muli %odd32, %four : i32
          %shifted = arith.shrui %wide, %amount : i32
          %code = arith.andi %shifted, %fifteen : i32
          %f = arith.uitofp %code : i32 to f32
          %square = arith.mulf %f, %f : f32
          %scaled = arith.mulf %square, %half : f32
          %e0 = arith.subf %scaled, %three : f32
          %factor = arith.constant 5096.0 : f32
          %linear = arith.mulf %f, %factor : f32
          %expected = arith.addf %e0, %linear : f32
          %got = memref.load %out[%t, %r, %i] : memref<512x26x8xf32>
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
    %threads = arith.constant 512 : index
    %rounds = arith.constant 26 : index
    %c37 = arith.constant 37 : index
    %c101 = arith.constant 101 : index
    %c59 = arith.constant 59 : index
    %bytes = memref.alloc() : memref<512x26x4xi8>
    %f32s = memref.alloc() : memref<512x26x8xf32>
    scf.for %t = %c0 to %threads step %c1 {
      scf.for %r = %c0 to %rounds step %c1 {
        scf.for %i = %c0 to %c4 step %c1 {
          %0 = arith.muli %t, %c37 : index
          %1 = arith.muli %i, %c101 : index
          %2 = arith.muli %r, %c59 : index
          %3 = arith.addi %0, %1 : index
          %4 = arith.addi %3, %2 : index
          %5 = arith.index_cast %4 : index to i8
          memref.store %5, %bytes[%t, %r, %i] : memref<512x26x4xi8>
        }
      }
    }
    gpu.launch_func @kernels::@several blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%bytes : memref<512x26x4xi8>, %f32s : memref<512x26x8xf32>)
    %r0 = func.call @count(%bytes, %f32s, %threads) : (memref<512x26x4xi8>, memref<512x26x8xf32>, index) -> i32
    vector.print %r0 : i32
    return
  }
}
