//===- Passes.td - From launches to kernels ----------------*- tablegen -*-===//
//
// What GPUs share once a kernel is code for one thread: kernels of their own,
// their arguments, and the memory of a workgroup.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_PASSES
#define MLIR_EXT_TARGET_GPU_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtGPUFlattenBranchesPass
    : Pass<"linalg-ext-gpu-flatten-branches", "::mlir::func::FuncOp"> {
  let summary = "Make branches around launches grids without workgroups";
  let description = [{
    A launcher runs a list of launches (docs/Manifest.md). An `scf.if` of the
    host whose branches launch kernels, allocate, and compute numbers goes: what
    is in it stands in front, and each launch has no workgroups where its branch
    is not taken. If the condition is read from memory, which only the device
    knows, the threads of the kernel do nothing instead. Numbers that the branch
    yields are chosen by `arith.select`. A branch that yields a buffer, frees one
    of somebody else, or does anything else, stays; so does one that yields an
    element of a buffer which may not be there if the branch is not taken.

    Before:

    ```mlir
    scf.if %c {
      gpu.launch blocks(...) in (%gx = %n, %gy = %c1, %gz = %c1) ...
    }
    ```

    After:

    ```mlir
    %0 = arith.select %c, %n, %c0 : index
    gpu.launch blocks(...) in (%gx = %0, %gy = %c1, %gz = %c1) ...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtGPUShareTemporariesPass
    : Pass<"linalg-ext-gpu-share-temporaries", "::mlir::func::FuncOp"> {
  let summary = "Put the temporary buffers of a call into one block of memory";
  let description = [{
    The allocations of a function that launches use, and nothing else does,
    become views of one allocation, at multiples of 256 bytes. Launches run in
    order: two buffers share memory if the last launch that uses one comes before
    the first that uses the other. Those of static size are packed; those of
    dynamic size take turns in parts of the block, each as large as the largest of
    its buffers. To run behind `linalg-ext-gpu-kernel-abi`, which tells different
    allocations apart. A function with one allocation keeps it.

    Before:

    ```mlir
    %a = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@first ... args(%x : memref<64xf32>, %a : memref<64xf32>)
    %b = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@second ... args(%a : memref<64xf32>, %b : memref<64xf32>)
    %c = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@third ... args(%b : memref<64xf32>, %c : memref<64xf32>)
    ```

    After:

    ```mlir
    %block = memref.alloc() {alignment = 256 : i64} : memref<512xi8>
    %a = memref.view %block[%c0][] : memref<512xi8> to memref<64xf32>
    %b = memref.view %block[%c256][] : memref<512xi8> to memref<64xf32>
    %c = memref.view %block[%c0][] : memref<512xi8> to memref<64xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtGPUOutlineKernelsPass
    : Pass<"linalg-ext-gpu-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make a kernel of every gpu.launch, all in one gpu.module";
  let description = [{
    Upstream's `gpu-kernel-outlining`, so that all kernels of a module are
    compiled together: into one `gpu.module`. A kernel is called
    `<function>_kernel`, or as the launch's `function` attribute says; a second
    one of that name gets a number. Discardable attributes of the launch
    (`nvvm.minctasm`, for example) go to the kernel.

    A kernel makes the views that it uses (slices, casts, reshapes) of the
    buffers that they are of, and computes floats and bits itself. What the host
    would have to load from memory (the position of a slice, say) is loaded in
    the kernel, if nothing writes to it before.

    Before:

    ```mlir
    func.func @f(%a: memref<64xf32>) {
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
        // Uses %a.
        gpu.terminator
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%a: memref<64xf32>) {
      ...
      gpu.launch_func @kernels::@f_kernel blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
      return
    }
    gpu.module @kernels {
      gpu.func @f_kernel(%a: memref<64xf32>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>, ...}
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::DLTIDialect", "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtGPUKernelABIPass
    : Pass<"linalg-ext-gpu-kernel-abi", "::mlir::ModuleOp"> {
  let summary = "Pass buffers as a pointer and their dynamic sizes";
  let description = [{
    Rewrites the kernels that are launched in the module, and their launches:

    - a buffer whose type has all numbers stays one argument, which a
      bare-pointer convention makes a pointer;
    - a buffer with dynamic sizes becomes `memref<T>`, its first element, and
      one `i64` for each dynamic size, in order;
    - one with a strided layout becomes `memref<T>`, what its offset counts from,
      and an `i64` for each dynamic size, each dynamic stride and a dynamic
      offset;
    - an `index` becomes an `i64`, and an `i1` an `i8`; other integers and floats
      stay.

    The pointers are multiples of 16 bytes: the arguments get `llvm.align = 16`.
    Arguments that are only read, or only written, get `llvm.readonly` or
    `llvm.writeonly`. **Requirement:** different buffer arguments of a function do
    not overlap, unless all of them are only read. On this grounds a buffer gets `llvm.noalias` where every launch of the
    kernel passes different arguments or allocations.

    Before:

    ```mlir
    gpu.func @k(%a: memref<?x64xf16>, %n: index) kernel
    ```

    After:

    ```mlir
    gpu.func @k(%p: memref<f16> {llvm.align = 16 : i64, llvm.noalias}, %d: i64,
                %m: i64) kernel {
      %s = arith.index_cast %d : i64 to index
      %a = memref.reinterpret_cast %p to offset: [0], sizes: [%s, 64],
             strides: [64, 1] : memref<f16> to memref<?x64xf16>
      %n = arith.index_cast %m : i64 to index
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtGPUPoolWorkgroupMemoryPass
    : Pass<"linalg-ext-gpu-pool-workgroup-memory", "::mlir::ModuleOp"> {
  let summary = "Put the workgroup memory of a kernel into one dynamic block";
  let description = [{
    Static allocations in workgroup memory (`memref.alloc`, `memref.alloca`,
    workgroup attributions, all of `#gpu.address_space<workgroup>`) become parts
    of one block of dynamic workgroup memory, at multiples
    of 128 bytes, or of the alignment that they ask for. Two share memory if one is
    used behind a barrier at which all threads are done with the other: what is allocated
    statically is limited (48 KiB on NVIDIA GPUs), a dynamic block to what the
    hardware has. The launches pass the size, which the kernel also has as its
    attribute `workgroup_bytes`.

    Before:

    ```mlir
    %a = memref.alloc() : memref<100xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<64xf16, #gpu.address_space<workgroup>>
    ```

    After:

    ```mlir
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %a = memref.view %pool[%c0][] : ... to memref<100xf32, #gpu.address_space<workgroup>>
    %c512 = arith.constant 512 : index
    %b = memref.view %pool[%c512][] : ... to memref<64xf16, #gpu.address_space<workgroup>>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "The workgroup memory that there is; 0 does not check">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtGPUMergeKernelsPass
    : Pass<"linalg-ext-gpu-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Launch one kernel where several are the same";
  let description = [{
    Of the kernels of a `gpu.module` that differ in nothing but their names and
    locations the first is launched instead of the others, which go. Attributes
    count: what `linalg-ext-gpu-kernel-abi` says of arguments, the sizes of blocks
    and grids. To run behind all that looks at the launches of a kernel, and in
    front of what translates kernels, so that it is done once.

    Before:

    ```mlir
    gpu.launch_func @kernels::@f_kernel ... args(%x : memref<8xf32>)
    gpu.launch_func @kernels::@f_kernel_0 ... args(%y : memref<8xf32>)
    ```

    After:

    ```mlir
    gpu.launch_func @kernels::@f_kernel ... args(%x : memref<8xf32>)
    gpu.launch_func @kernels::@f_kernel ... args(%y : memref<8xf32>)
    ```
  }];
}

def LinalgExtGPUCheckWorkgroupMemoryPass
    : Pass<"linalg-ext-gpu-check-workgroup-memory"> {
  let summary = "Fail where a launch needs more workgroup memory than there is";
  let description = [{
    An error for each `gpu.launch` whose static allocations in workgroup memory,
    placed as `linalg-ext-gpu-pool-workgroup-memory` will place them, take more
    than `max-bytes`. In a pipeline that can still choose smaller tiles.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "The workgroup memory that there is; 0 does not check">,
  ];
}

def LinalgExtGPUManifestPass
    : Pass<"linalg-ext-gpu-manifest", "::mlir::ModuleOp"> {
  let summary = "Attach to functions the manifest of their launches";
  let description = [{
    Sets `launch_manifest` on the public functions: a string of JSON that says
    what a launcher needs to run them (an entry of docs/Manifest.md), from
    launches that `linalg-ext-gpu-kernel-abi` has rewritten. A function that does
    anything but launch kernels, allocate buffers and compute sizes is an error.
  }];
}

def LinalgExtGPUBranchOverUpdatesPass
    : Pass<"linalg-ext-gpu-branch-over-updates"> {
  let summary = "Branch over updates that a thread has no element for";
  let description = [{
    In the code of a thread, an `arith.select` of vectors between what a loop carries
    and what an elementwise op makes of that, for nothing else, becomes a branch that a thread
    takes if its mask has an element set. It pays where masks are mostly empty, as
    those of accumulators that are rescaled only where a maximum grows (`linalg-ext-fuse-for-gpu{rescale-threshold}`).
    Vectors of fewer than `min-elements` elements stay as they are.

    Before:

    ```mlir
    %0 = arith.mulf %factor, %x : vector<64xf32>
    %1 = arith.select %mask, %0, %x : vector<64xi1>, vector<64xf32>
    ```

    After, where `%mask` has the elements `%a` and `%b`, each many times:

    ```mlir
    %any = arith.ori %a, %b : i1
    %1 = scf.if %any -> (vector<64xf32>) {
      %0 = arith.mulf %factor, %x : vector<64xf32>
      %2 = arith.select %mask, %0, %x : vector<64xi1>, vector<64xf32>
      scf.yield %2 : vector<64xf32>
    } else {
      scf.yield %x : vector<64xf32>
    }
    ```
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"16",
           "Elements of the smallest vector to branch over">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtGPUPrefetchRowsPass : Pass<"linalg-ext-gpu-prefetch-rows"> {
  let summary = "Prefetch the next row where a workgroup holds a long one";
  let description = [{
    Of a `gpu.launch` whose workgroups load at least `elements` elements of a row,
    that of their own number and 16 bytes at a time: at each such load the same
    place `distance` rows further is prefetched, or of the last row. One such
    workgroup has a processor for itself, and while it computes nothing would be
    read otherwise. `distance` is about as many rows as run at a time; they have to
    stay in a cache, so that nothing is prefetched where they have more than 12 MiB.

    Before:

    ```mlir
    %x = vector.load %a[%block, %i] : memref<?x?xf16>, vector<8xf16>
    ```

    After:

    ```mlir
    %rows = memref.dim %a, %c0 : memref<?x?xf16>
    %last = arith.subi %rows, %c1 : index
    %0 = arith.addi %block, %c144 : index
    %next = arith.minui %last, %0 : index
    %x = vector.load %a[%block, %i] : memref<?x?xf16>, vector<8xf16>
    memref.prefetch %a[%next, %i], read, locality<2>, data : memref<?x?xf16>
    ```
  }];
  let options = [
    Option<"elements", "elements", "int64_t", /*default=*/"20480",
           "Elements of a row that leave no room for another workgroup">,
    Option<"distance", "distance", "int64_t", /*default=*/"144",
           "Rows between that of a workgroup and what it prefetches">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LinalgExtGPUSinkLoadsPass : Pass<"linalg-ext-gpu-sink-loads"> {
  let summary = "Load from shared memory where it is used";
  let description = [{
    Moves what loads from the workgroup's memory, and `vector` ops without effects
    (which take apart what was loaded), down to their first use in the block; loads
    over nothing that may write what they read; and all ops without effects of a kernel's
    own block. A tile
    that is loaded whole and then used in parts is not in registers as a whole.

    Before:

    ```mlir
    %a = vector.load %tile[%i] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %b = vector.load %tile[%j] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %0 = arith.addf %a, %x : vector<8xf16>
    %1 = arith.addf %b, %0 : vector<8xf16>
    ```

    After:

    ```mlir
    %a = vector.load %tile[%i] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %0 = arith.addf %a, %x : vector<8xf16>
    %b = vector.load %tile[%j] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %1 = arith.addf %b, %0 : vector<8xf16>
    ```
  }];
}

def LinalgExtGPUBoundMasksPass : Pass<"linalg-ext-gpu-bound-masks"> {
  let summary = "Write down what a kernel's grid says of its masks";
  let description = [{
    Where a `gpu.launch` has workgroups, its grid, and every factor of it, is not
    0; none is negative, as no size is. From that follow lower bounds of sizes, as
    a kernel has that is for rows of more than so many elements. What masks in the
    body are computed from is replaced by the larger of it and its bound: the same
    value, of which is known now how many elements exist without being asked.
    Distribution asks for the others only.

    Before:

    ```mlir
    %q = arith.divui %n, %c513 : index
    %isLong = arith.minui %q, %c1 : index
    %grid = arith.muli %rows, %isLong : index
    gpu.launch blocks(%b, ..) in (%b_size = %grid, ..) threads(..) in (..) {
      %size = affine.min affine_map<()[n] -> (n, 1024)>()[%n]
      %mask = vector.create_mask %size : vector<1024xi1>
      ..
    }
    ```

    After:

    ```mlir
    gpu.launch blocks(%b, ..) in (%b_size = %grid, ..) threads(..) in (..) {
      %size = affine.min affine_map<()[n] -> (n, 1024)>()[%n]
      %bound = arith.maxsi %size, %c513 : index
      %mask = vector.create_mask %bound : vector<1024xi1>
      ..
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LinalgExtGPUCoalesceLoopsPass
    : Pass<"linalg-ext-gpu-coalesce-loops"> {
  let summary = "One loop for a sum over several dimensions";
  let description = [{
    Makes one loop of perfectly nested loops in a `gpu.launch`, the innermost of
    which contracts: the sum over heads and their elements, for one. All but the
    outermost must have constant bounds. Copies are issued iterations ahead in one
    loop; of a nest they would begin anew in each iteration of the outer loops.

    Before:

    ```mlir
    %r = scf.for %h = %c0 to %n step %c1 iter_args(%a = %zero) -> .. {
      %s = scf.for %k = %c0 to %c64 step %c32 iter_args(%b = %a) -> .. {
        ..
        %d = vector.contract {..} %x, %y, %b : ..
        scf.yield %d : ..
      }
      scf.yield %s : ..
    }
    ```

    After:

    ```mlir
    %twice = arith.muli %n, %c2 : index
    %r = scf.for %i = %c0 to %twice step %c1 iter_args(%b = %zero) -> .. {
      %at:2 = affine.delinearize_index %i into (%n, 2) : index, index
      %k = affine.apply affine_map<(d0) -> (d0 * 32)>(%at#1)
      ..
      %d = vector.contract {..} %x, %y, %b : ..
      scf.yield %d : ..
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"
  ];
}

def LinalgExtGPUSplitWorkgroupsPass
    : Pass<"linalg-ext-gpu-split-workgroups"> {
  let summary = "Several workgroups for threads that share nothing";
  let description = [{
    A `gpu.launch` of more than `threads` threads, and a multiple of them, that
    neither wait for each other nor have memory in common, nor ask for more than
    their number and that of their workgroup, gets workgroups of `threads`: few
    workgroups of many threads would leave processors without any.

    Before:

    ```mlir
    gpu.launch blocks(%b, ..) in (%b_size = %n, ..) threads(..) in (%t_size = %c512, ..) {
      %t = gpu.thread_id x
      %x = vector.load %a[%b, %t] : memref<?x512xf32>, vector<1xf32>
      ..
    }
    ```

    After:

    ```mlir
    %0 = arith.muli %n, %c4 : index
    gpu.launch blocks(%b, ..) in (%b_size = %0, ..) threads(..) in (%t_size = %c128, ..) {
      %whole = arith.divui %b, %c4 : index
      %part = arith.remui %b, %c4 : index
      %first = arith.muli %part, %c128 : index
      %thread = gpu.thread_id x
      %t = arith.addi %first, %thread : index
      %x = vector.load %a[%whole, %t] : memref<?x512xf32>, vector<1xf32>
      ..
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"128",
           "Threads of a workgroup">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LinalgExtGPUVersionLaunchesPass
    : Pass<"linalg-ext-gpu-version-launches"> {
  let summary = "A kernel of its own for rows that start aligned";
  let description = [{
    A `gpu.launch` that transfers vectors along rows of dynamic length, of buffers
    from outside of it without gaps, becomes two. The first is for rows whose
    lengths are multiples of `bytes` bytes, all of them; there the length is
    written as a product, and so are the strides of the buffer. Of the two one is
    launched, the other has a grid of 0.

    Before:

    ```mlir
    gpu.launch blocks(%b, ..) in (%b_size = %n, ..) threads(..) in (..) {
      %x = vector.transfer_read %a[%i, %c0], %zero : memref<?x?xf16>, vector<16x64xf16>
      ..
    }
    ```

    After:

    ```mlir
    %length = memref.dim %a, %c1 : memref<?x?xf16>
    %rest = arith.remui %length, %c8 : index
    %other = arith.minui %rest, %c1 : index
    %multiple = arith.subi %c1, %other : index
    %0 = arith.muli %n, %multiple : index
    gpu.launch blocks(%b, ..) in (%b_size = %0, ..) threads(..) in (..) {
      %q = arith.divui %length, %c8 : index
      %l = arith.muli %q, %c8 : index
      %rows = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %l], strides: [%l, 1]
         : memref<?x?xf16> to memref<?x?xf16>
      %x = vector.transfer_read %rows[%i, %c0], %zero : memref<?x?xf16>, vector<16x64xf16>
      ..
    }
    %1 = arith.muli %n, %other : index
    gpu.launch blocks(%b, ..) in (%b_size = %1, ..) threads(..) in (..) {
      .. // as before
    }
    ```
  }];
  let options = [
    Option<"bytes", "bytes", "int64_t", /*default=*/"16",
           "What the lengths are multiples of, a power of two">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LinalgExtGPUNarrowBlockIdsPass : Pass<"linalg-ext-gpu-narrow-block-ids"> {
  let summary = "Compute the coordinates of a workgroup in 32 bits";
  let description = [{
    Rewrites `affine.delinearize_index` of a `gpu.block_id` to divisions of
    `i32`: a grid has fewer than 2^31 workgroups, also in one dimension. A count
    of the basis may be larger; then no workgroup reaches it, and what it divides
    is the same as of 2^31 - 1. A division of `index` by a size that is not known
    is a call on a GPU, and what is uniform in a workgroup does not stay in its
    registers across one.

    Before:

    ```mlir
    %id = gpu.block_id x
    %at:2 = affine.delinearize_index %id into (%n, %m) : index, index
    ```

    After:

    ```mlir
    %id = gpu.block_id x
    %narrow = arith.index_castui %id : index to i32
    %most = arith.constant 2147483647 : index
    %count = arith.minui %m, %most : index
    %divisor = arith.index_castui %count : index to i32
    %i = arith.remui %narrow, %divisor : i32
    %j = arith.divui %narrow, %divisor : i32
    // As index: %at#1 and %at#0.
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LinalgExtGPUNarrowIntegersPass : Pass<"linalg-ext-gpu-narrow-integers"> {
  let summary = "Compute integers in 32 bits where these hold them";
  let description = [{
    Upstream's patterns of `arith-int-range-narrowing` for 32 bits, for all ops
    but those that mean something else in 32 bits: shifts that may be by 32 or
    more; signed ops and comparisons, and ops with `nsw`, of what may be from 2^31
    to 2^32; unsigned divisions and remainders of what may be negative.

    Before:

    ```mlir
    %thread = gpu.thread_id x
    %row = arith.divui %thread, %c4 : index
    %high = arith.shrui %number, %c32 : i64  // %number is less than 1000
    ```

    After:

    ```mlir
    %thread = gpu.thread_id x
    %narrow = arith.index_castui %thread : index to i32
    %quotient = arith.divui %narrow, %c4_i32 : i32
    %row = arith.index_castui %quotient : i32 to index
    %high = arith.shrui %number, %c32 : i64
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LinalgExtGPUUnrollReadsPass : Pass<"linalg-ext-gpu-unroll-reads"> {
  let summary = "Unroll loops that read and add up, so that reads overlap";
  let description = [{
    Unrolls loops in a `gpu.launch` by `factor` if all that they do is to read
    from memory, at places that do not depend on what they carry, and to compute.
    Then the reads of several iterations can be on their way at a time. Loops of
    more than `max-ops` ops stay; iterations that are left are a loop of their
    own.

    Before:

    ```mlir
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    ```

    After, with `factor=2`:

    ```mlir
    %two = scf.for %i = %c0 to %even step %c2 iter_args(%acc = %zero) -> (f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %next = arith.addf %acc, %x : f32
      %j = arith.addi %i, %c1 : index
      %y = memref.load %a[%j] : memref<?xf32>
      %last = arith.addf %next, %y : f32
      scf.yield %last : f32
    }
    %sum = scf.for %i = %even to %n step %c1 iter_args(%acc = %two) -> (f32) {
      ..
    }
    ```
  }];
  let options = [
    Option<"factor", "factor", "int64_t", /*default=*/"4",
           "Iterations of which one is made">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"128",
           "Ops of a body that is unrolled at most">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtGPUUseArgumentsPass
    : Pass<"linalg-ext-gpu-use-arguments", "::mlir::func::FuncOp"> {
  let summary = "Read and write arguments where they are";
  let description = [{
    Different buffer arguments of a function do not overlap, unless all of them
    are only read (`linalg-ext-gpu-kernel-abi`). So

    - a `bufferization.to_tensor` of an allocation whose elements are copied from
      an argument, or a view of one, that is only read is one of that;
    - a `bufferization.materialize_in_destination` into an argument that nothing
      else accesses gets `restrict`.

    Before:

    ```mlir
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    %t = bufferization.to_tensor %a restrict writable
    bufferization.materialize_in_destination %r in writable %out
    ```

    After:

    ```mlir
    %t = bufferization.to_tensor %x restrict
    bufferization.materialize_in_destination %r in restrict writable %out
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

#endif // MLIR_EXT_TARGET_GPU_PASSES
