// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' > %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s
// RUN: linalg-ext-simt-runner %s | FileCheck %s

// The numbers of f4E2M1FN in f16, and numbers of bf16 that have the same bits but are no numbers of
// f4E2M1FN. Those of bf16 are printed times 2^15.

// CHECK:      ( 0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6 )
// CHECK-NEXT: ( 0, 1, 256, 4096, 65536, 1.04858e+06, 1.67772e+07, 2.68435e+08, -0, -1, -256, -4096, -65536, -1.04858e+06, -1.67772e+07, -2.68435e+08 )

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @both(%bytes: memref<8xi8>, %out: memref<2x16xf32>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %a0 = arith.constant dense<0x0000> : vector<16xf16>
      %a1 = arith.constant dense<0x3800> : vector<16xf16>
      %a2 = arith.constant dense<0x3C00> : vector<16xf16>
      %a3 = arith.constant dense<0x3E00> : vector<16xf16>
      %a4 = arith.constant dense<0x4000> : vector<16xf16>
      %a5 = arith.constant dense<0x4200> : vector<16xf16>
      %a6 = arith.constant dense<0x4400> : vector<16xf16>
      %a7 = arith.constant dense<0x4600> : vector<16xf16>
      %a8 = arith.constant dense<0x8000> : vector<16xf16>
      %a9 = arith.constant dense<0xB800> : vector<16xf16>
      %a10 = arith.constant dense<0xBC00> : vector<16xf16>
      %a11 = arith.constant dense<0xBE00> : vector<16xf16>
      %a12 = arith.constant dense<0xC000> : vector<16xf16>
      %a13 = arith.constant dense<0xC200> : vector<16xf16>
      %a14 = arith.constant dense<0xC400> : vector<16xf16>
      %a15 = arith.constant dense<0xC600> : vector<16xf16>
      %b0 = arith.constant dense<0x0000> : vector<16xbf16>
      %b1 = arith.constant dense<0x3800> : vector<16xbf16>
      %b2 = arith.constant dense<0x3C00> : vector<16xbf16>
      %b3 = arith.constant dense<0x3E00> : vector<16xbf16>
      %b4 = arith.constant dense<0x4000> : vector<16xbf16>
      %b5 = arith.constant dense<0x4200> : vector<16xbf16>
      %b6 = arith.constant dense<0x4400> : vector<16xbf16>
      %b7 = arith.constant dense<0x4600> : vector<16xbf16>
      %b8 = arith.constant dense<0x8000> : vector<16xbf16>
      %b9 = arith.constant dense<0xB800> : vector<16xbf16>
      %b10 = arith.constant dense<0xBC00> : vector<16xbf16>
      %b11 = arith.constant dense<0xBE00> : vector<16xbf16>
      %b12 = arith.constant dense<0xC000> : vector<16xbf16>
      %b13 = arith.constant dense<0xC200> : vector<16xbf16>
      %b14 = arith.constant dense<0xC400> : vector<16xbf16>
      %b15 = arith.constant dense<0xC600> : vector<16xbf16>
      %scale = arith.constant dense<32768.0> : vector<16xf32>
      %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4]> : vector<16xi8>
      %c15 = arith.constant dense<15> : vector<16xi8>
      %c0 = arith.constant dense<0> : vector<16xi8>
      %c8 = arith.constant dense<8> : vector<16xi8>
      %c4 = arith.constant dense<4> : vector<16xi8>
      %c2 = arith.constant dense<2> : vector<16xi8>
      %c1 = arith.constant dense<1> : vector<16xi8>
      %x = vector.load %bytes[%i0] : memref<8xi8>, vector<8xi8>
      %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<8xi8>, vector<8xi8>
      %1 = arith.shrui %0, %shift : vector<16xi8>
      %2 = arith.andi %1, %c15 : vector<16xi8>
      %and8 = arith.andi %2, %c8 : vector<16xi8>
      %bit8 = arith.cmpi ne, %and8, %c0 : vector<16xi8>
      %and4 = arith.andi %2, %c4 : vector<16xi8>
      %bit4 = arith.cmpi ne, %and4, %c0 : vector<16xi8>
      %and2 = arith.andi %2, %c2 : vector<16xi8>
      %bit2 = arith.cmpi ne, %and2, %c0 : vector<16xi8>
      %and1 = arith.andi %2, %c1 : vector<16xi8>
      %bit1 = arith.cmpi ne, %and1, %c0 : vector<16xi8>
      %as0 = arith.select %bit1, %a1, %a0 : vector<16xi1>, vector<16xf16>
      %as1 = arith.select %bit1, %a3, %a2 : vector<16xi1>, vector<16xf16>
      %as2 = arith.select %bit1, %a5, %a4 : vector<16xi1>, vector<16xf16>
      %as3 = arith.select %bit1, %a7, %a6 : vector<16xi1>, vector<16xf16>
      %as4 = arith.select %bit1, %a9, %a8 : vector<16xi1>, vector<16xf16>
      %as5 = arith.select %bit1, %a11, %a10 : vector<16xi1>, vector<16xf16>
      %as6 = arith.select %bit1, %a13, %a12 : vector<16xi1>, vector<16xf16>
      %as7 = arith.select %bit1, %a15, %a14 : vector<16xi1>, vector<16xf16>
      %as8 = arith.select %bit2, %as1, %as0 : vector<16xi1>, vector<16xf16>
      %as9 = arith.select %bit2, %as3, %as2 : vector<16xi1>, vector<16xf16>
      %as10 = arith.select %bit2, %as5, %as4 : vector<16xi1>, vector<16xf16>
      %as11 = arith.select %bit2, %as7, %as6 : vector<16xi1>, vector<16xf16>
      %as12 = arith.select %bit4, %as9, %as8 : vector<16xi1>, vector<16xf16>
      %as13 = arith.select %bit4, %as11, %as10 : vector<16xi1>, vector<16xf16>
      %as14 = arith.select %bit8, %as13, %as12 : vector<16xi1>, vector<16xf16>
      %bs0 = arith.select %bit1, %b1, %b0 : vector<16xi1>, vector<16xbf16>
      %bs1 = arith.select %bit1, %b3, %b2 : vector<16xi1>, vector<16xbf16>
      %bs2 = arith.select %bit1, %b5, %b4 : vector<16xi1>, vector<16xbf16>
      %bs3 = arith.select %bit1, %b7, %b6 : vector<16xi1>, vector<16xbf16>
      %bs4 = arith.select %bit1, %b9, %b8 : vector<16xi1>, vector<16xbf16>
      %bs5 = arith.select %bit1, %b11, %b10 : vector<16xi1>, vector<16xbf16>
      %bs6 = arith.select %bit1, %b13, %b12 : vector<16xi1>, vector<16xbf16>
      %bs7 = arith.select %bit1, %b15, %b14 : vector<16xi1>, vector<16xbf16>
      %bs8 = arith.select %bit2, %bs1, %bs0 : vector<16xi1>, vector<16xbf16>
      %bs9 = arith.select %bit2, %bs3, %bs2 : vector<16xi1>, vector<16xbf16>
      %bs10 = arith.select %bit2, %bs5, %bs4 : vector<16xi1>, vector<16xbf16>
      %bs11 = arith.select %bit2, %bs7, %bs6 : vector<16xi1>, vector<16xbf16>
      %bs12 = arith.select %bit4, %bs9, %bs8 : vector<16xi1>, vector<16xbf16>
      %bs13 = arith.select %bit4, %bs11, %bs10 : vector<16xi1>, vector<16xbf16>
      %bs14 = arith.select %bit8, %bs13, %bs12 : vector<16xi1>, vector<16xbf16>
      %wa = arith.extf %as14 : vector<16xf16> to vector<16xf32>
      %wb = arith.extf %bs14 : vector<16xbf16> to vector<16xf32>
      %scaled = arith.mulf %wb, %scale : vector<16xf32>
      vector.store %wa, %out[%i0, %i0] : memref<2x16xf32>, vector<16xf32>
      vector.store %scaled, %out[%i1, %i0] : memref<2x16xf32>, vector<16xf32>
      gpu.return
    }
  }

  func.func @main() {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %codes = arith.constant dense<[16, 50, 84, 118, -104, -70, -36, -2]> : vector<8xi8>
    %bytes = memref.alloc() : memref<8xi8>
    %out = memref.alloc() : memref<2x16xf32>
    vector.store %codes, %bytes[%i0] : memref<8xi8>, vector<8xi8>
    gpu.launch_func @kernels::@both blocks in (%i1, %i1, %i1) threads in (%threads, %i1, %i1)
        args(%bytes : memref<8xi8>, %out : memref<2x16xf32>)
    %a = vector.load %out[%i0, %i0] : memref<2x16xf32>, vector<16xf32>
    %b = vector.load %out[%i1, %i0] : memref<2x16xf32>, vector<16xf32>
    vector.print %a : vector<16xf32>
    vector.print %b : vector<16xf32>
    return
  }
}
