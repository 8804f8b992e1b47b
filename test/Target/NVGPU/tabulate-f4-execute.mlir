// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' > %t
// RUN: FileCheck %s --check-prefix=BITS < %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s
// RUN: linalg-ext-simt-runner %s | FileCheck %s

// Another zero is another table.
// RUN: sed 's/dense<-0.0>/dense<0.0>/' %s | linalg-ext-opt - --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s --check-prefix=OTHER
// OTHER: arith.select {{.*}} : vector<8xi1>, vector<8xbf16>
// OTHER: arith.select {{.*}} : vector<8xi1>, vector<8xf16>

// Four times the numbers: no float of 16 bits is the factor of their codes.
// RUN: sed -E -e 's/( .t(1|9) = .*dense<-?)[0-9.]+/\12.0/; s/( .t(2|10) = .*dense<-?)[0-9.]+/\14.0/' \
// RUN:     -e 's/( .t(3|11) = .*dense<-?)[0-9.]+/\16.0/; s/( .t(4|12) = .*dense<-?)[0-9.]+/\18.0/' \
// RUN:     -e 's/( .t(5|13) = .*dense<-?)[0-9.]+/\112.0/; s/( .t(6|14) = .*dense<-?)[0-9.]+/\116.0/' \
// RUN:     -e 's/( .t(7|15) = .*dense<-?)[0-9.]+/\124.0/; s/((quarter|unit) = arith.constant )[0-9.]+/\14.0/' %s > %t.four
// RUN: linalg-ext-opt %t.four --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | linalg-ext-simt-runner - | FileCheck %s
// RUN: linalg-ext-simt-runner %t.four | FileCheck %s

// Numbers of f4E2M1FN in a table: in bf16 times 1/4, and in f16 in the order in which
// instructions read them. Codes are bits of both, and no lane reads what another one holds.
// The host decodes the same codes, and counts what differs, also in the sign of a zero.

// BITS-LABEL: gpu.func @numbers
//   BITS-NOT: gpu.shuffle idx
//       BITS: arith.mulf %{{.*}} : vector<2xbf16>
// BITS-LABEL: gpu.func @halves
//   BITS-NOT: gpu.shuffle idx
//       BITS: arith.mulf %{{.*}} : vector<2xf16>
//   BITS-NOT: vector.shuffle {{.*}} : vector<8xf16>

// CHECK:      0
// CHECK-NEXT: 0

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @numbers(%bytes: memref<64x4xi8>, %out: memref<64x8xf32>) kernel {
      %i0 = arith.constant 0 : index
      %thread = gpu.thread_id x
      %t0 = arith.constant dense<0.0> : vector<8xbf16>
      %t1 = arith.constant dense<0.125> : vector<8xbf16>
      %t2 = arith.constant dense<0.25> : vector<8xbf16>
      %t3 = arith.constant dense<0.375> : vector<8xbf16>
      %t4 = arith.constant dense<0.5> : vector<8xbf16>
      %t5 = arith.constant dense<0.75> : vector<8xbf16>
      %t6 = arith.constant dense<1.0> : vector<8xbf16>
      %t7 = arith.constant dense<1.5> : vector<8xbf16>
      %t8 = arith.constant dense<-0.0> : vector<8xbf16>
      %t9 = arith.constant dense<-0.125> : vector<8xbf16>
      %t10 = arith.constant dense<-0.25> : vector<8xbf16>
      %t11 = arith.constant dense<-0.375> : vector<8xbf16>
      %t12 = arith.constant dense<-0.5> : vector<8xbf16>
      %t13 = arith.constant dense<-0.75> : vector<8xbf16>
      %t14 = arith.constant dense<-1.0> : vector<8xbf16>
      %t15 = arith.constant dense<-1.5> : vector<8xbf16>
      %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
      %c15 = arith.constant dense<15> : vector<8xi8>
      %c0 = arith.constant dense<0> : vector<8xi8>
      %c8 = arith.constant dense<8> : vector<8xi8>
      %c4 = arith.constant dense<4> : vector<8xi8>
      %c2 = arith.constant dense<2> : vector<8xi8>
      %c1 = arith.constant dense<1> : vector<8xi8>
      %x = vector.load %bytes[%thread, %i0] : memref<64x4xi8>, vector<4xi8>
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
      %s0_2 = arith.select %bit1, %t1, %t0 : vector<8xi1>, vector<8xbf16>
      %s2_2 = arith.select %bit1, %t3, %t2 : vector<8xi1>, vector<8xbf16>
      %s0_4 = arith.select %bit2, %s2_2, %s0_2 : vector<8xi1>, vector<8xbf16>
      %s4_2 = arith.select %bit1, %t5, %t4 : vector<8xi1>, vector<8xbf16>
      %s6_2 = arith.select %bit1, %t7, %t6 : vector<8xi1>, vector<8xbf16>
      %s4_4 = arith.select %bit2, %s6_2, %s4_2 : vector<8xi1>, vector<8xbf16>
      %s0_8 = arith.select %bit4, %s4_4, %s0_4 : vector<8xi1>, vector<8xbf16>
      %s8_2 = arith.select %bit1, %t9, %t8 : vector<8xi1>, vector<8xbf16>
      %s10_2 = arith.select %bit1, %t11, %t10 : vector<8xi1>, vector<8xbf16>
      %s8_4 = arith.select %bit2, %s10_2, %s8_2 : vector<8xi1>, vector<8xbf16>
      %s12_2 = arith.select %bit1, %t13, %t12 : vector<8xi1>, vector<8xbf16>
      %s14_2 = arith.select %bit1, %t15, %t14 : vector<8xi1>, vector<8xbf16>
      %s12_4 = arith.select %bit2, %s14_2, %s12_2 : vector<8xi1>, vector<8xbf16>
      %s8_8 = arith.select %bit4, %s12_4, %s8_4 : vector<8xi1>, vector<8xbf16>
      %s0_16 = arith.select %bit8, %s8_8, %s0_8 : vector<8xi1>, vector<8xbf16>
      %wide = arith.extf %s0_16 : vector<8xbf16> to vector<8xf32>
      vector.store %wide, %out[%thread, %i0] : memref<64x8xf32>, vector<8xf32>
      gpu.return
    }

    gpu.func @halves(%bytes: memref<64x4xi8>, %out: memref<64x8xf32>) kernel {
      %i0 = arith.constant 0 : index
      %thread = gpu.thread_id x
      %t0 = arith.constant dense<0.0> : vector<8xf16>
      %t1 = arith.constant dense<0.5> : vector<8xf16>
      %t2 = arith.constant dense<1.0> : vector<8xf16>
      %t3 = arith.constant dense<1.5> : vector<8xf16>
      %t4 = arith.constant dense<2.0> : vector<8xf16>
      %t5 = arith.constant dense<3.0> : vector<8xf16>
      %t6 = arith.constant dense<4.0> : vector<8xf16>
      %t7 = arith.constant dense<6.0> : vector<8xf16>
      %t8 = arith.constant dense<-0.0> : vector<8xf16>
      %t9 = arith.constant dense<-0.5> : vector<8xf16>
      %t10 = arith.constant dense<-1.0> : vector<8xf16>
      %t11 = arith.constant dense<-1.5> : vector<8xf16>
      %t12 = arith.constant dense<-2.0> : vector<8xf16>
      %t13 = arith.constant dense<-3.0> : vector<8xf16>
      %t14 = arith.constant dense<-4.0> : vector<8xf16>
      %t15 = arith.constant dense<-6.0> : vector<8xf16>
      %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
      %c15 = arith.constant dense<15> : vector<8xi8>
      %c0 = arith.constant dense<0> : vector<8xi8>
      %c8 = arith.constant dense<8> : vector<8xi8>
      %c4 = arith.constant dense<4> : vector<8xi8>
      %c2 = arith.constant dense<2> : vector<8xi8>
      %c1 = arith.constant dense<1> : vector<8xi8>
      %x = vector.load %bytes[%thread, %i0] : memref<64x4xi8>, vector<4xi8>
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
      %s0_2 = arith.select %bit1, %t1, %t0 : vector<8xi1>, vector<8xf16>
      %s2_2 = arith.select %bit1, %t3, %t2 : vector<8xi1>, vector<8xf16>
      %s0_4 = arith.select %bit2, %s2_2, %s0_2 : vector<8xi1>, vector<8xf16>
      %s4_2 = arith.select %bit1, %t5, %t4 : vector<8xi1>, vector<8xf16>
      %s6_2 = arith.select %bit1, %t7, %t6 : vector<8xi1>, vector<8xf16>
      %s4_4 = arith.select %bit2, %s6_2, %s4_2 : vector<8xi1>, vector<8xf16>
      %s0_8 = arith.select %bit4, %s4_4, %s0_4 : vector<8xi1>, vector<8xf16>
      %s8_2 = arith.select %bit1, %t9, %t8 : vector<8xi1>, vector<8xf16>
      %s10_2 = arith.select %bit1, %t11, %t10 : vector<8xi1>, vector<8xf16>
      %s8_4 = arith.select %bit2, %s10_2, %s8_2 : vector<8xi1>, vector<8xf16>
      %s12_2 = arith.select %bit1, %t13, %t12 : vector<8xi1>, vector<8xf16>
      %s14_2 = arith.select %bit1, %t15, %t14 : vector<8xi1>, vector<8xf16>
      %s12_4 = arith.select %bit2, %s14_2, %s12_2 : vector<8xi1>, vector<8xf16>
      %s8_8 = arith.select %bit4, %s12_4, %s8_4 : vector<8xi1>, vector<8xf16>
      %s0_16 = arith.select %bit8, %s8_8, %s0_8 : vector<8xi1>, vector<8xf16>
      %ordered = vector.shuffle %s0_16, %s0_16 [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xf16>, vector<8xf16>
      %wide = arith.extf %ordered : vector<8xf16> to vector<8xf32>
      %natural = vector.shuffle %wide, %wide [0, 2, 4, 6, 1, 3, 5, 7] : vector<8xf32>, vector<8xf32>
      vector.store %natural, %out[%thread, %i0] : memref<64x8xf32>, vector<8xf32>
      gpu.return
    }
  }

  // How many numbers of a kernel's result are not those of the table.
  func.func @count(%bytes: memref<64x4xi8>, %out: memref<64x8xf32>, %scale: f32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %four = arith.constant 4 : i32
    %fifteen = arith.constant 15 : i32
    %one32 = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %eight = arith.constant 8 : i32
    %half = arith.constant 0.5 : f32
    %zero = arith.constant 0 : i32
    %wrong = scf.for %t = %c0 to %c64 step %c1 iter_args(%all = %zero) -> (i32) {
      %row = scf.for %i = %c0 to %c8 step %c1 iter_args(%count = %all) -> (i32) {
        %at = arith.divui %i, %c2 : index
        %odd = arith.remui %i, %c2 : index
        %odd32 = arith.index_cast %odd : index to i32
        %byte = memref.load %bytes[%t, %at] : memref<64x4xi8>
        %wide = arith.extui %byte : i8 to i32
        %amount = arith.muli %odd32, %four : i32
        %shifted = arith.shrui %wide, %amount : i32
        %code = arith.andi %shifted, %fifteen : i32
        // The fraction, or 2 more, times a power of two: twice the number.
        %fraction = arith.andi %code, %one32 : i32
        %upper = arith.shrui %code, %one32 : i32
        %exponent = arith.andi %upper, %three : i32
        %isSmall = arith.cmpi eq, %exponent, %zero : i32
        %more = arith.addi %fraction, %two : i32
        %less = arith.subi %exponent, %one32 : i32
        %power = arith.select %isSmall, %zero, %less : i32
        %digits = arith.select %isSmall, %fraction, %more : i32
        %twice = arith.shli %digits, %power : i32
        %f = arith.uitofp %twice : i32 to f32
        %number = arith.mulf %f, %half : f32
        %scaled = arith.mulf %number, %scale : f32
        %sign = arith.andi %code, %eight : i32
        %isNegative = arith.cmpi ne, %sign, %zero : i32
        %negative = arith.negf %scaled : f32
        %expected = arith.select %isNegative, %negative, %scaled : f32
        %got = memref.load %out[%t, %i] : memref<64x8xf32>
        %bits = arith.bitcast %got : f32 to i32
        %known = arith.bitcast %expected : f32 to i32
        %differs = arith.cmpi ne, %bits, %known : i32
        %one = arith.extui %differs : i1 to i32
        %next = arith.addi %count, %one : i32
        scf.yield %next : i32
      }
      scf.yield %row : i32
    }
    return %wrong : i32
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c37 = arith.constant 37 : index
    %c101 = arith.constant 101 : index
    %quarter = arith.constant 0.25 : f32
    %unit = arith.constant 1.0 : f32
    %bytes = memref.alloc() : memref<64x4xi8>
    %f32s = memref.alloc() : memref<64x8xf32>
    %f16s = memref.alloc() : memref<64x8xf32>
    scf.for %t = %c0 to %c64 step %c1 {
      scf.for %i = %c0 to %c4 step %c1 {
        %0 = arith.muli %t, %c37 : index
        %1 = arith.muli %i, %c101 : index
        %2 = arith.addi %0, %1 : index
        %3 = arith.index_cast %2 : index to i8
        memref.store %3, %bytes[%t, %i] : memref<64x4xi8>
      }
    }
    gpu.launch_func @kernels::@numbers blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%bytes : memref<64x4xi8>, %f32s : memref<64x8xf32>)
    gpu.launch_func @kernels::@halves blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%bytes : memref<64x4xi8>, %f16s : memref<64x8xf32>)
    %r0 = func.call @count(%bytes, %f32s, %quarter) : (memref<64x4xi8>, memref<64x8xf32>, f32) -> i32
    %r1 = func.call @count(%bytes, %f16s, %unit) : (memref<64x4xi8>, memref<64x8xf32>, f32) -> i32
    vector.print %r0 : i32
    vector.print %r1 : i32
    return
  }
}
