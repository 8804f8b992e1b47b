// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' --split-input-file | FileCheck %s

// Lanes vote with the maxima of their own elements, as integers and at least 0. Where all
// rows keep their references, no maxima are exchanged, and nothing is multiplied.

#a = #vector_ext.shared<[64, 16], order = [0, 1], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
#b = #vector_ext.shared<[16, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!left = memref<1024xf16, #gpu.address_space<workgroup>>
!right = memref<2048xf16, #gpu.address_space<workgroup>>

gpu.module @nvidia [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @votes
  //       CHECK: scf.for {{.*}} iter_args(%[[OLD:.+]] = %{{.+}}, %[[SUM:.+]] = %{{.+}}) -> (vector<2xf32>, vector<4xf32>)
  //       CHECK:   %[[X:.+]] = vector_ext.await
  //   CHECK-NOT:   arith.maximumf
  //       CHECK:   %[[BITS:.+]] = arith.bitcast %[[X]] : vector<64xf32> to vector<64xi32>
  //       CHECK:   %[[X0:.+]] = vector.extract %[[BITS]][0]
  //       CHECK:   %[[M0:.+]] = arith.maxsi %[[X0]], %c0_i32 : i32
  //       CHECK:   %[[X1:.+]] = vector.extract %[[BITS]][1]
  //       CHECK:   %[[M1:.+]] = arith.maxsi %[[M0]], %[[X1]] : i32
  //       CHECK:   %[[A:.+]] = arith.bitcast %[[M1]] : i32 to f32
  //       CHECK:   %[[B:.+]] = arith.bitcast %{{.+}} : i32 to f32
  //       CHECK:   %[[ROWS:.+]] = vector.from_elements %[[A]], %[[B]]
  //       CHECK:   %[[MINUS:.+]] = arith.negf %[[OLD]]
  //       CHECK:   %[[DISTANCE:.+]] = math.fma %[[ROWS]], %{{.+}}, %[[MINUS]]
  //       CHECK:   %[[KEPT:.+]] = arith.cmpf ole, %[[DISTANCE]]
  //       CHECK:   %[[ALL:.+]] = nvvm.vote.sync{{ +}}all
  //       CHECK:   %[[NEW:.+]]:2 = scf.if %[[ALL]]
  //  CHECK-NEXT:     scf.yield %[[OLD]], %{{.+}}
  //       CHECK:   else
  //       CHECK:     gpu.shuffle
  //       CHECK:     arith.select
  //       CHECK:     scf.yield
  //       CHECK:   %[[UPDATED:.+]] = scf.if %[[ALL]]
  //  CHECK-NEXT:     scf.yield %[[SUM]]
  //       CHECK:   else
  //       CHECK:     %[[PRODUCT:.+]] = arith.mulf %{{.+}}, %[[SUM]]
  //       CHECK:     %[[SELECTED:.+]] = arith.select %{{.+}}, %[[PRODUCT]], %[[SUM]]
  //  CHECK-NEXT:     scf.yield %[[SELECTED]]
  //       CHECK:   scf.yield %[[NEW]]#0, %[[UPDATED]]
  gpu.func @votes(%at: !left, %bt: !right, %n: index, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %zeros = arith.constant dense<0.0> : vector<64xf32>
    %none = arith.constant dense<0.0> : vector<4xf32>
    %least = arith.constant dense<0xFF800000> : vector<2xf32>
    %scale = arith.constant dense<0.125> : vector<2xf32>
    %threshold = arith.constant dense<5.5> : vector<2xf32>
    %ones = arith.constant dense<1.0> : vector<2xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %least, %sum = %none) -> (vector<2xf32>, vector<4xf32>) {
      %open = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zeros : !left, !right, vector<64xf32>
      %x = vector_ext.await %open : vector<64xf32>
      %x0 = vector.extract %x[0] : f32 from vector<64xf32>
      %x1 = vector.extract %x[1] : f32 from vector<64xf32>
      %x2 = vector.extract %x[2] : f32 from vector<64xf32>
      %x3 = vector.extract %x[3] : f32 from vector<64xf32>
      %a = arith.maximumf %x0, %x1 : f32
      %b = arith.maximumf %x2, %x3 : f32
      %a1, %valid_a = gpu.shuffle xor %a, %one, %width : f32
      %b1, %valid_b = gpu.shuffle xor %b, %one, %width : f32
      %a2 = arith.maximumf %a, %a1 : f32
      %b2 = arith.maximumf %b, %b1 : f32
      %rows = vector.from_elements %a2, %b2 : vector<2xf32>
      %scaled = arith.mulf %rows, %scale : vector<2xf32>
      %maxima = arith.maximumf %old, %scaled : vector<2xf32>
      %distance = arith.subf %maxima, %old : vector<2xf32>
      %keeps = arith.cmpf ole, %distance, %threshold : vector<2xf32>
      %kept = arith.select %keeps, %old, %maxima : vector<2xi1>, vector<2xf32>
      %same = arith.cmpf oeq, %kept, %old : vector<2xf32>
      %moved = arith.subf %old, %kept : vector<2xf32>
      %power = math.exp2 %moved : vector<2xf32>
      %factors = arith.select %same, %ones, %power : vector<2xi1>, vector<2xf32>
      %differs = arith.cmpf une, %factors, %ones : vector<2xf32>
      %each = vector.shuffle %factors, %factors [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
      %product = arith.mulf %each, %sum : vector<4xf32>
      %mask = vector.shuffle %differs, %differs [0, 0, 1, 1] : vector<2xi1>, vector<2xi1>
      %updated = arith.select %mask, %product, %sum : vector<4xi1>, vector<4xf32>
      scf.yield %kept, %updated : vector<2xf32>, vector<4xf32>
    }
    vector.store %r#0, %out[%c0] : memref<?xf32>, vector<2xf32>
    vector.store %r#1, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// Threads that may have branched apart do not vote: there is no product. Neither do
// those whose maxima have a negative factor, or are of masked elements.

#a = #vector_ext.shared<[64, 16], order = [0, 1], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
#b = #vector_ext.shared<[16, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!left = memref<1024xf16, #gpu.address_space<workgroup>>
!right = memref<2048xf16, #gpu.address_space<workgroup>>

gpu.module @negative [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @no_product
  //   CHECK-NOT:   nvvm.vote
  //       CHECK: gpu.return
  gpu.func @no_product(%x: vector<2xf32>, %n: index, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %least = arith.constant dense<0xFF800000> : vector<2xf32>
    %threshold = arith.constant dense<5.5> : vector<2xf32>
    %ones = arith.constant dense<1.0> : vector<2xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %least, %sum = %ones) -> (vector<2xf32>, vector<2xf32>) {
      %maxima = arith.maximumf %old, %x : vector<2xf32>
      %distance = arith.subf %maxima, %old : vector<2xf32>
      %keeps = arith.cmpf ole, %distance, %threshold : vector<2xf32>
      %kept = arith.select %keeps, %old, %maxima : vector<2xi1>, vector<2xf32>
      %same = arith.cmpf oeq, %kept, %old : vector<2xf32>
      %moved = arith.subf %old, %kept : vector<2xf32>
      %power = math.exp2 %moved : vector<2xf32>
      %factors = arith.select %same, %ones, %power : vector<2xi1>, vector<2xf32>
      %product = arith.mulf %factors, %sum : vector<2xf32>
      scf.yield %kept, %product : vector<2xf32>, vector<2xf32>
    }
    vector.store %r#0, %out[%c0] : memref<?xf32>, vector<2xf32>
    vector.store %r#1, %out[%c0] : memref<?xf32>, vector<2xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @other_maxima
  //   CHECK-NOT:   nvvm.vote
  //       CHECK: gpu.return
  gpu.func @other_maxima(%at: !left, %bt: !right, %mask: vector<64xi1>, %n: index, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zeros = arith.constant dense<0.0> : vector<64xf32>
    %hidden = arith.constant dense<0xFF800000> : vector<64xf32>
    %least = arith.constant dense<0xFF800000> : vector<1xf32>
    %minus = arith.constant dense<-0.125> : vector<1xf32>
    %threshold = arith.constant dense<5.5> : vector<1xf32>
    %ones = arith.constant dense<1.0> : vector<1xf32>
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %least, %sum = %ones, %old1 = %least, %sum1 = %ones) -> (vector<1xf32>, vector<1xf32>, vector<1xf32>, vector<1xf32>) {
      %open = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zeros : !left, !right, vector<64xf32>
      %x = vector_ext.await %open : vector<64xf32>
      %x0 = vector.extract %x[0] : f32 from vector<64xf32>
      %x1 = vector.extract %x[1] : f32 from vector<64xf32>
      %a = arith.maximumf %x0, %x1 : f32
      %row = vector.from_elements %a : vector<1xf32>
      %scaled = arith.mulf %row, %minus : vector<1xf32>
      %maxima = arith.maximumf %old, %scaled : vector<1xf32>
      %distance = arith.subf %maxima, %old : vector<1xf32>
      %keeps = arith.cmpf ole, %distance, %threshold : vector<1xf32>
      %kept = arith.select %keeps, %old, %maxima : vector<1xi1>, vector<1xf32>
      %same = arith.cmpf oeq, %kept, %old : vector<1xf32>
      %moved = arith.subf %old, %kept : vector<1xf32>
      %power = math.exp2 %moved : vector<1xf32>
      %factors = arith.select %same, %ones, %power : vector<1xi1>, vector<1xf32>
      %product = arith.mulf %factors, %sum : vector<1xf32>
      %y = arith.select %mask, %x, %hidden : vector<64xi1>, vector<64xf32>
      %y0 = vector.extract %y[0] : f32 from vector<64xf32>
      %y1 = vector.extract %y[1] : f32 from vector<64xf32>
      %b = arith.maximumf %y0, %y1 : f32
      %row1 = vector.from_elements %b : vector<1xf32>
      %maxima1 = arith.maximumf %old1, %row1 : vector<1xf32>
      %distance1 = arith.subf %maxima1, %old1 : vector<1xf32>
      %keeps1 = arith.cmpf ole, %distance1, %threshold : vector<1xf32>
      %kept1 = arith.select %keeps1, %old1, %maxima1 : vector<1xi1>, vector<1xf32>
      %same1 = arith.cmpf oeq, %kept1, %old1 : vector<1xf32>
      %moved1 = arith.subf %old1, %kept1 : vector<1xf32>
      %power1 = math.exp2 %moved1 : vector<1xf32>
      %factors1 = arith.select %same1, %ones, %power1 : vector<1xi1>, vector<1xf32>
      %product1 = arith.mulf %factors1, %sum1 : vector<1xf32>
      scf.yield %kept, %product, %kept1, %product1 : vector<1xf32>, vector<1xf32>, vector<1xf32>, vector<1xf32>
    }
    vector.store %r#0, %out[%c0] : memref<?xf32>, vector<1xf32>
    vector.store %r#1, %out[%c0] : memref<?xf32>, vector<1xf32>
    vector.store %r#2, %out[%c0] : memref<?xf32>, vector<1xf32>
    vector.store %r#3, %out[%c0] : memref<?xf32>, vector<1xf32>
    gpu.return
  }
}
