// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' | FileCheck %s

// Bytes of 0 or 1 are bits of words. What they select is skipped where all lanes have
// only ones. The barrier says that all lanes are here.

gpu.module @nvidia [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @mask
  //  CHECK-SAME: %[[A:.+]]: vector<2xi8>, %[[B:.+]]: vector<2xi8>, %[[X:.+]]: vector<4xf32>
  //   CHECK-NOT: arith.trunci
  //       CHECK: %[[W0:.+]] = vector.bitcast %[[A]] : vector<2xi8> to vector<1xi16>
  //       CHECK: %[[W1:.+]] = vector.bitcast %[[B]] : vector<2xi8> to vector<1xi16>
  //       CHECK: %[[SHIFTED:.+]] = arith.shli
  //       CHECK: %[[WORD:.+]] = arith.ori %{{.+}}, %[[SHIFTED]] : i32
  //       CHECK: %[[ONES:.+]] = arith.constant 771 : i32
  //       CHECK: arith.xori %[[WORD]], %[[ONES]]
  //       CHECK: %[[ALL:.+]] = nvvm.vote.sync{{ +}}all
  //       CHECK: scf.if %[[ALL]]
  //  CHECK-NEXT:   scf.yield %[[X]]
  //       CHECK: else
  // Tests of neighbouring bits follow each other, each in front of its selection.
  //       CHECK:   %[[C2:.+]] = arith.constant 2 : i32
  //       CHECK:   %[[BIT1:.+]] = arith.andi %[[WORD]], %[[C2]]
  //       CHECK:   %[[TEST1:.+]] = arith.cmpi ne, %[[BIT1]]
  //       CHECK:   %[[X2:.+]] = vector.extract %[[X]][2]
  //       CHECK:   %[[SELECTED2:.+]] = arith.select %[[TEST1]], %[[X2]], %{{.+}} : f32
  //       CHECK:   %[[C256:.+]] = arith.constant 256 : i32
  //       CHECK:   arith.andi %[[WORD]], %[[C256]]
  //       CHECK:   %[[SELECTED1:.+]] = arith.select %{{.+}}, %{{.+}}, %{{.+}} : f32
  //       CHECK:   vector.from_elements %{{.+}}, %[[SELECTED1]], %[[SELECTED2]], %{{.+}} : vector<4xf32>
  gpu.func @mask(%a: vector<2xi8>, %b: vector<2xi8>, %x: vector<4xf32>, %out: memref<vector<4xf32>>) kernel {
    %hidden = arith.constant dense<0xFF800000> : vector<4xf32>
    gpu.barrier
    %0 = vector.extract %a[0] : i8 from vector<2xi8>
    %1 = vector.extract %a[1] : i8 from vector<2xi8>
    %2 = vector.extract %b[0] : i8 from vector<2xi8>
    %3 = vector.extract %b[1] : i8 from vector<2xi8>
    %bytes = vector.from_elements %0, %1, %2, %3 : vector<4xi8>
    %bits = arith.trunci %bytes overflow<nuw> : vector<4xi8> to vector<4xi1>
    %visible = arith.select %bits, %x, %hidden : vector<4xi1>, vector<4xf32>
    memref.store %visible, %out[] : memref<vector<4xf32>>
    gpu.return
  }

  // A select of booleans uses the mask as its condition and as an operand.
  // CHECK-LABEL: gpu.func @twice
  //  CHECK-SAME: %[[Y:[a-z0-9]+]]: vector<4xi1>
  //       CHECK: %[[BITS:.+]] = arith.cmpi ne, %{{.+}} : vector<4xi32>
  //       CHECK: scf.if
  //  CHECK-NEXT:   scf.yield %[[Y]]
  //       CHECK: else
  //       CHECK:   vector.extract %[[Y]][0]
  //       CHECK:   vector.extract %[[BITS]][0]
  //   CHECK-NOT: arith.select %{{.+}} : vector
  gpu.func @twice(%a: vector<2xi8>, %b: vector<2xi8>, %y: vector<4xi1>, %out: memref<vector<4xi1>>) kernel {
    gpu.barrier
    %0 = vector.extract %a[0] : i8 from vector<2xi8>
    %1 = vector.extract %a[1] : i8 from vector<2xi8>
    %2 = vector.extract %b[0] : i8 from vector<2xi8>
    %3 = vector.extract %b[1] : i8 from vector<2xi8>
    %bytes = vector.from_elements %0, %1, %2, %3 : vector<4xi8>
    %bits = arith.trunci %bytes overflow<nuw> : vector<4xi8> to vector<4xi1>
    %visible = arith.select %bits, %y, %bits : vector<4xi1>, vector<4xi1>
    memref.store %visible, %out[] : memref<vector<4xi1>>
    gpu.return
  }

  // Nothing says that all lanes are here. Byte 1 of the second load is no boolean: it
  // would set bits of byte 1 of the first one.
  // CHECK-LABEL: gpu.func @some_lanes
  //  CHECK-SAME: %[[A:.+]]: vector<2xi8>, %[[B:.+]]: vector<2xi8>, %[[X:.+]]: vector<3xf32>
  //   CHECK-NOT: nvvm.vote.sync
  //       CHECK: %[[W1:.+]] = vector.bitcast %[[B]] : vector<2xi8> to vector<1xi16>
  //       CHECK: %[[EXTENDED:.+]] = arith.extui %{{.+}} : i16 to i32
  //       CHECK: %[[ONE:.+]] = arith.constant 1 : i32
  //       CHECK: %[[USED:.+]] = arith.andi %[[EXTENDED]], %[[ONE]] : i32
  //       CHECK: arith.shli %[[USED]]
  //   CHECK-NOT: nvvm.vote.sync
  // CHECK-COUNT-3: arith.select %{{.+}} : f32
  gpu.func @some_lanes(%a: vector<2xi8>, %b: vector<2xi8>, %x: vector<3xf32>, %lane: i1, %out: memref<vector<3xf32>>) kernel {
    %hidden = arith.constant dense<0xFF800000> : vector<3xf32>
    gpu.barrier
    scf.if %lane {
      %0 = vector.extract %a[0] : i8 from vector<2xi8>
      %1 = vector.extract %a[1] : i8 from vector<2xi8>
      %2 = vector.extract %b[0] : i8 from vector<2xi8>
      %bytes = vector.from_elements %0, %1, %2 : vector<3xi8>
      %bits = arith.trunci %bytes overflow<nuw> : vector<3xi8> to vector<3xi1>
      %visible = arith.select %bits, %x, %hidden : vector<3xi1>, vector<3xf32>
      memref.store %visible, %out[] : memref<vector<3xf32>>
    }
    gpu.return
  }

  // Booleans that are bits of words stay there. Each element has its own one, so that
  // nobody votes.
  // CHECK-LABEL: gpu.func @words
  //  CHECK-SAME: %[[WORD:.+]]: i32, %[[X:.+]]: vector<2xf32>
  //   CHECK-NOT: vector<2xi1>
  //   CHECK-NOT: nvvm.vote.sync
  //       CHECK: arith.constant 128 : i32
  //       CHECK: arith.constant -2147483648 : i32
  //   CHECK-NOT: scf.if
  //       CHECK: gpu.return
  gpu.func @words(%word: i32, %x: vector<2xf32>, %a: memref<vector<2xf32>>) kernel {
    %hidden = arith.constant dense<0xFF800000> : vector<2xf32>
    %one = arith.constant dense<1> : vector<2xi32>
    %at = arith.constant dense<[31, 7]> : vector<2xi32>
    gpu.barrier
    %all = vector.broadcast %word : i32 to vector<2xi32>
    %shifted = arith.shrui %all, %at : vector<2xi32>
    %bit = arith.andi %shifted, %one : vector<2xi32>
    %byte = arith.trunci %bit : vector<2xi32> to vector<2xi8>
    %bits = arith.trunci %byte overflow<nuw> : vector<2xi8> to vector<2xi1>
    %visible = arith.select %bits, %x, %hidden : vector<2xi1>, vector<2xf32>
    memref.store %visible, %a[] : memref<vector<2xf32>>
    gpu.return
  }

  // If elements share bits, as those of rows with the same booleans do, lanes vote.
  // CHECK-LABEL: gpu.func @shared_words
  //  CHECK-SAME: %[[WORD:.+]]: i32, %[[X:.+]]: vector<4xf32>
  //       CHECK: %[[ONES:.+]] = arith.constant -2147483520 : i32
  //       CHECK: arith.xori %[[WORD]], %[[ONES]]
  //       CHECK: nvvm.vote.sync{{ +}}all
  //       CHECK: scf.if
  // CHECK-COUNT-4: arith.select
  gpu.func @shared_words(%word: i32, %x: vector<4xf32>, %a: memref<vector<4xf32>>) kernel {
    %hidden = arith.constant dense<0xFF800000> : vector<4xf32>
    %at = arith.constant dense<[31, 7]> : vector<2xi32>
    gpu.barrier
    %all = vector.broadcast %word : i32 to vector<2xi32>
    %shifted = arith.shrui %all, %at : vector<2xi32>
    %bits = arith.trunci %shifted : vector<2xi32> to vector<2xi1>
    %rows = vector.shuffle %bits, %bits [0, 1, 0, 1] : vector<2xi1>, vector<2xi1>
    %visible = arith.select %rows, %x, %hidden : vector<4xi1>, vector<4xf32>
    memref.store %visible, %a[] : memref<vector<4xf32>>
    gpu.return
  }

  // The lowest bit of a sum is no bit of a word that is known.
  // CHECK-LABEL: gpu.func @negative_words
  //       CHECK: arith.trunci %{{.+}} : vector<2xi32> to vector<2xi1>
  gpu.func @negative_words(%words: vector<2xi32>, %x: vector<2xf32>, %a: memref<vector<2xf32>>) kernel {
    %hidden = arith.constant dense<0xFF800000> : vector<2xf32>
    %at = arith.constant dense<[31, 7]> : vector<2xi32>
    gpu.barrier
    %sum = arith.addi %words, %at : vector<2xi32>
    %bits = arith.trunci %sum : vector<2xi32> to vector<2xi1>
    %visible = arith.select %bits, %x, %hidden : vector<2xi1>, vector<2xf32>
    memref.store %visible, %a[] : memref<vector<2xf32>>
    gpu.return
  }

  // Other bits of these bytes may be set.
  // CHECK-LABEL: gpu.func @negative_wraps
  //       CHECK: arith.trunci %{{.+}} : vector<2xi8> to vector<2xi1>
  gpu.func @negative_wraps(%a: vector<2xi8>, %x: vector<2xf32>, %out: memref<vector<2xf32>>) kernel {
    %hidden = arith.constant dense<0xFF800000> : vector<2xf32>
    %0 = vector.extract %a[0] : i8 from vector<2xi8>
    %1 = vector.extract %a[1] : i8 from vector<2xi8>
    %bytes = vector.from_elements %1, %0 : vector<2xi8>
    %bits = arith.trunci %bytes : vector<2xi8> to vector<2xi1>
    %visible = arith.select %bits, %x, %hidden : vector<2xi1>, vector<2xf32>
    memref.store %visible, %out[] : memref<vector<2xf32>>
    gpu.return
  }
}
