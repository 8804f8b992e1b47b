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
  let summary = "Turn branches around launches into launches of empty grids";
  let description = [{
    Moves the contents of a host-side `scf.if` that launches kernels in front of
    the `scf.if`, and removes the `scf.if`. A launch whose branch is not taken
    then has a grid of 0 workgroups. Launchers need this form, because they run
    a flat list of launches (docs/Manifest.md).

    - If the condition depends on a value in memory, only the device knows it.
      The body of each kernel then runs under an `scf.if`.
    - Numbers that the branches yield become `arith.select`.
    - An allocation of dynamic size gets the size 0 if its branch is not taken.

    The branches may launch kernels, allocate buffers, free these buffers, load
    numbers and compute numbers. The `scf.if` stays if a branch does anything
    else, yields a buffer, or frees a buffer that it did not allocate. It also
    stays if a branch loads an element that may not exist when the branch is not
    taken, unless only launches use that element. If the condition depends on a
    value in memory, no branch may load anything.

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
  let summary = "Place temporary buffers in one allocation, reusing memory";
  let description = [{
    Replaces the allocations of a function that only launches use by views of
    one allocation. Each view starts at a multiple of 256 bytes. A call then
    needs a single allocation, and less memory.

    Launches run in order. Two buffers can therefore share memory if the last
    launch that uses one of them comes before the first launch that uses the
    other. Buffers of static size are packed. The sizes of dynamic buffers
    cannot be compared at compile time, so these buffers take turns in parts of
    the block. Each part is as large as its largest buffer.

    Run it after `linalg-ext-gpu-kernel-abi`, which needs separate allocations
    to tell kernel arguments apart. A function with a single such allocation
    keeps it.

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
  let summary = "Outline every gpu.launch as a kernel in one gpu.module";
  let description = [{
    Outlines the body of every `gpu.launch` as a kernel, and puts all kernels of
    the module into one `gpu.module`. All kernels are then compiled together.
    Upstream's `gpu-kernel-outlining` does the outlining.

    A kernel is called `<function>_kernel`, or by the name in the launch's
    `function` attribute. If the name is taken, the pass appends a number. The
    kernel gets the discardable attributes of the launch, for example
    `nvvm.minctasm`.

    Some values that a launch uses from outside are computed in the kernel
    instead of being passed to it:

    - views of buffers (slices, casts, reshapes), so that kernels take the
      buffers themselves;
    - computations of floats and `i1` values;
    - values that the host would have to load from memory, for example the
      position of a slice, and values computed from these. A load moves only if
      nothing writes to its memory between the load and the launch.

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
  let summary = "Pass buffers to kernels as a pointer and their dynamic sizes";
  let description = [{
    Rewrites the arguments of every launched kernel, and the operands of its
    launches, as pointers and numbers. A launcher can pass these without knowing
    memref descriptors.

    - A buffer of static shape, strides and offset stays one argument. The
      bare-pointer calling convention makes it a pointer.
    - A buffer with dynamic sizes and the identity layout becomes a `memref<T>`,
      its first element, and one `i64` for each dynamic size, in order.
    - A buffer with a strided layout becomes a `memref<T>`, the base that its
      offset counts from. An `i64` follows for each dynamic size, for each
      dynamic stride and for a dynamic offset.
    - An `index` becomes an `i64`, and an `i1` an `i8`. Other integers and
      floats stay as they are.

    All pointers must be multiples of 16 bytes: the arguments get `llvm.align =
    16`. Arguments that a kernel only reads or only writes get `llvm.readonly`
    or `llvm.writeonly`.

    **Requirement:** different buffer arguments of a function do not overlap,
    unless all of them are only read. Under this requirement, a buffer argument
    of a kernel gets `llvm.noalias` if, in every launch, the other buffers are
    different arguments, allocations or constants. Buffers that the kernel only
    reads may be the same.

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
  let summary = "Place static workgroup memory in one dynamic block";
  let description = [{
    Replaces the static allocations of workgroup (shared) memory in each kernel
    by views of one dynamic block. Static workgroup memory is limited (48 KiB on
    NVIDIA GPUs), but a dynamic block can use all that the hardware has.

    The pass handles `memref.alloc`, `memref.alloca` and workgroup attributions
    in `#gpu.address_space<workgroup>`. Each view starts at a multiple of 128
    bytes, or of the alignment that the allocation asks for. Two allocations
    share memory if a barrier separates their uses, so that all threads have
    finished with one before any thread uses the other.

    Every launch passes the size of the block. The kernel has this size as its
    attribute `workgroup_bytes`. A kernel with static allocations must not use
    `gpu.dynamic_shared_memory` already.

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
           "Workgroup memory that the device has, in bytes; more is an error; "
           "0 does not check">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtGPUMergeKernelsPass
    : Pass<"linalg-ext-gpu-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Merge identical kernels";
  let description = [{
    Merges kernels of a `gpu.module` that differ in nothing but their names and
    locations. All launches call the first of them. The pass erases the others,
    unless something else refers to them. Attributes must be equal too: those
    that `linalg-ext-gpu-kernel-abi` gives to arguments, and the sizes of blocks
    and grids.

    Programs repeat layers and heads. Translating a kernel takes the most time
    of all steps, and each kernel is translated once after this pass. Run it
    after all passes that look at the launches of a kernel, and before the
    passes that translate kernels.

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
  let summary = "Fail if a launch needs too much workgroup memory";
  let description = [{
    Emits an error at the first `gpu.launch` whose static workgroup memory takes
    more than `max-bytes`. The pass computes the size with the placement of
    `linalg-ext-gpu-pool-workgroup-memory`, and changes nothing.

    Run it in a pipeline that can still fall back to smaller tiles, for example
    in one of `linalg-ext-first-of`.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "Workgroup memory that the device has, in bytes; 0 does not check">,
  ];
}

def LinalgExtGPUManifestPass
    : Pass<"linalg-ext-gpu-manifest", "::mlir::ModuleOp"> {
  let summary = "Attach a JSON manifest of its launches to each function";
  let description = [{
    Sets the attribute `launch_manifest` on each public function with a body.
    The attribute is a string of JSON that tells a launcher how to run the
    function: an entry of docs/Manifest.md.

    Run it after `linalg-ext-gpu-kernel-abi`, which gives the launches their
    final arguments. The pass fails if a function returns results, has several
    blocks, or does anything but launch kernels, allocate buffers and compute
    sizes.
  }];
}

def LinalgExtGPUBranchOverUpdatesPass
    : Pass<"linalg-ext-gpu-branch-over-updates"> {
  let summary = "Skip masked updates whose mask is false for the whole thread";
  let description = [{
    Puts a masked update of a loop-carried vector into an `scf.if`. A thread
    then skips the update if no element of its mask is set. This pays off where
    masks are mostly empty. Example: accumulators that
    `linalg-ext-fuse-for-gpu{rescale-threshold}` rescales only where a maximum
    grows.

    The update is an `arith.select` between the carried vector and the result of
    an elementwise op on that vector. Nothing else may use the result of the
    elementwise op.

    Run it on the code of one thread. It leaves alone vectors of fewer than
    `min-elements` or more than 4096 elements, and vectors that are not
    one-dimensional.

    Before:

    ```mlir
    %0 = arith.mulf %factor, %x : vector<64xf32>
    %1 = arith.select %mask, %0, %x : vector<64xi1>, vector<64xf32>
    ```

    After, where the elements of `%mask` are `%a` and `%b`, each many times:

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
           "Number of elements of the smallest vector to branch over">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtGPUPrefetchRowsPass : Pass<"linalg-ext-gpu-prefetch-rows"> {
  let summary = "Prefetch the row of a later workgroup where rows are long";
  let description = [{
    Adds a `memref.prefetch` to each load of a long row. It prefetches the same
    position in the row that is `distance` rows further, or in the last row. A
    workgroup that holds such a long row leaves no room for another one on its
    processor. While it computes, nothing else would read memory.

    The pass processes each `gpu.launch` whose workgroups load at least
    `elements` elements of a row. The number of the row must be the `x` id of
    the workgroup. Each load must read 16 bytes, outside of loops, and not from
    workgroup memory.

    `distance` should be about the number of rows that the device processes at a
    time. These rows have to stay in a cache. The pass does nothing if they take
    more than 12 MiB.

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
           "Number of elements of the shortest row that leaves no room for "
           "another workgroup">,
    Option<"distance", "distance", "int64_t", /*default=*/"144",
           "Number of rows between the row of a workgroup and the row that it "
           "prefetches">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LinalgExtGPUSinkLoadsPass : Pass<"linalg-ext-gpu-sink-loads"> {
  let summary = "Move loads from workgroup memory down to their first use";
  let description = [{
    Moves loads from workgroup memory down to their first use in the block.
    Distribution loads a whole tile and then uses it in parts. After this pass,
    the tile need not be in registers as a whole.

    The pass moves:

    - loads from an allocation in workgroup memory. They do not move past an op
      that may write this memory, nor past a barrier if the block writes it;
    - side-effect-free ops of the `vector` dialect, which take apart what was
      loaded;
    - `gpu.shuffle`;
    - all side-effect-free ops in a kernel's own block.

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
  let summary = "Derive lower bounds of mask sizes from the grid size";
  let description = [{
    Replaces the size of a mask by the maximum of the size and a lower bound
    that holds in every workgroup. The value stays the same. But the bound shows
    how many elements always exist, so distribution can drop their bounds
    checks.

    The bounds come from the grid of the `gpu.launch`. When the body runs, the
    grid has a workgroup. So no factor of its size is 0, and no size is
    negative. The grid of a kernel for long rows has a factor that is 0 for
    shorter rows. In the example, the grid is 0 unless `%n` is at least 513.

    The pass changes the operands of `vector.create_mask`. Run it before
    `vector-ext-distribute`.

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
  let summary = "Split workgroups whose threads are independent";
  let description = [{
    Splits each workgroup of a `gpu.launch` into several workgroups of `threads`
    threads. The grid grows by the same factor. A grid of few large workgroups
    would leave processors idle.

    The block must be constant, one-dimensional, and a larger multiple of
    `threads`. Its threads must be independent: they do not wait for each other,
    share no memory, and ask for nothing but the `x` ids of their thread and
    workgroup (and for their lane, if `threads` is a multiple of 64). Other
    launches stay as they are.

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
           "Number of threads of each new workgroup">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LinalgExtGPUVersionLaunchesPass
    : Pass<"linalg-ext-gpu-version-launches"> {
  let summary = "Add a version of a kernel for rows of aligned length";
  let description = [{
    Makes two versions of each `gpu.launch` that accesses rows of dynamic
    length. The first version is for rows whose lengths are all multiples of
    `bytes` bytes. It computes the length, and the strides that follow from it,
    as a product with a constant. So later passes know that rows start aligned,
    and can use wide loads and stores. The second version is the original
    launch. One version runs; the other has a grid of 0.

    The pass processes launches that transfer vectors along the last dimension
    of buffers. The buffers must come from outside of the launch and have the
    identity layout and at least two dimensions, the last of dynamic size. It
    leaves asynchronous launches alone.

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
           "Bytes that the lengths of the rows are multiples of; a power of "
           "two">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LinalgExtGPUNarrowBlockIdsPass : Pass<"linalg-ext-gpu-narrow-block-ids"> {
  let summary = "Compute the coordinates of a workgroup in 32 bits";
  let description = [{
    Rewrites each `affine.delinearize_index` of a `gpu.block_id` as divisions of
    `i32`. On a GPU, a division of `index` by a size that is not known is a
    function call. Values that are uniform in a workgroup do not stay in their
    registers across the call.

    32 bits are enough, because a grid has fewer than 2^31 workgroups, also in
    each dimension. A size in the basis may be larger. The pass then uses 2^31 -
    1 instead. The coordinates stay the same, because no workgroup reaches a
    larger number.

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
  let summary = "Compute integers in 32 bits where their values fit";
  let description = [{
    Applies upstream's patterns of `arith-int-range-narrowing` for 32 bits. They
    narrow integer ops whose values fit into 32 bits, for example ops on the id
    of a thread.

    The pass skips ops that these patterns (of LLVM 22) would change in meaning:

    - shifts that may be by 32 bits or more;
    - signed ops, signed comparisons and ops with `nsw`, if a value may be
      between 2^31 and 2^32;
    - unsigned divisions and remainders of values that may be negative.

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
  let summary = "Overlap reads by unrolling loops that only read and compute";
  let description = [{
    Unrolls an `scf.for` in a `gpu.launch` by `factor` if its body only reads
    memory and computes. The reads of several iterations are then in flight at a
    time.

    The addresses of the reads must not depend on loop-carried values. The loop
    stays as it is if its body writes, contains another loop, or has more than
    `max-ops` ops. A second loop executes the iterations that are left over.

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
           "Number of iterations that become one; 1 changes nothing">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"128",
           "Number of ops of the largest body to unroll">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtGPUUseArgumentsPass
    : Pass<"linalg-ext-gpu-use-arguments", "::mlir::func::FuncOp"> {
  let summary = "Access buffer arguments in place instead of through copies";
  let description = [{
    Lets a function read and write its buffer arguments in place. On a GPU, each
    copy of an argument would be a kernel. The pass relies on the requirement of
    `linalg-ext-gpu-kernel-abi`: different buffer arguments do not overlap,
    unless all of them are only read.

    - An allocation may hold nothing but a copy of an argument, or of a view of
      one. If the function only reads that argument, a `bufferization.to_tensor`
      of the allocation becomes one of the argument. The copy goes.
    - A `bufferization.materialize_in_destination` gets `restrict` if nothing
      else accesses the argument that it writes.

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
