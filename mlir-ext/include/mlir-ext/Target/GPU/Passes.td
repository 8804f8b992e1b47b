//===- Passes.td - From launches to kernels ----------------*- tablegen -*-===//
//
// What GPUs share once a kernel is code for one thread: kernels of their own,
// their arguments, and the memory of a workgroup.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_PASSES
#define MLIR_EXT_TARGET_GPU_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtGPUPlaceMemoryPass
    : Pass<"linalg-ext-gpu-place-memory"> {
  let summary = "Place temporary buffers and workgroup memory in blocks";
  let description = [{
    Plans the memory of launches and kernels, in steps: those that `steps`
    names, or all, in the order of this page. The first looks at `gpu.launch`,
    the others at outlined kernels and their launches.

    ### `check-workgroup-memory`

    Emits an error at the first `gpu.launch` whose static workgroup memory takes
    more than a workgroup of the module's target may have. It computes the size with
    the placement of `pool-workgroup-memory`, and changes nothing.

    Run it in a pipeline that can still fall back to smaller tiles, for example
    in one of `linalg-ext-try-pipelines`.

    ### `share-temporaries`

    Replaces the allocations of a function that only launches use by views of
    one allocation. Each view starts at a multiple of 256 bytes. A call then
    needs a single allocation, and less memory.

    Launches run in order. Two buffers can therefore share memory if the last
    launch that uses one of them comes before the first launch that uses the
    other. If an op in an `scf.for` or `scf.while` uses a buffer from outside, the
    whole loop uses it. A buffer that each iteration allocates is allocated once, if
    its size is known in front of the loop. Buffers of static size are packed. The
    sizes of dynamic buffers cannot be compared at compile time. Dynamic buffers that
    are not used at the same time share a part of the block, which is as large as the
    largest of them.

    Run it after `linalg-ext-gpu-outline-kernels`, which needs separate
    allocations to tell kernel arguments apart. A function with a single such
    allocation keeps it.

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

    ### `pool-workgroup-memory`

    Replaces the static allocations of workgroup (shared) memory in each kernel
    by views of one dynamic block. Static workgroup memory is limited (48 KiB on
    NVIDIA GPUs), but a dynamic block can use all memory that the hardware has.

    The pass handles `memref.alloc`, `memref.alloca` and workgroup attributions
    in `#gpu.address_space<workgroup>`. Each view starts at a multiple of 128
    bytes, or of the alignment that the allocation asks for. Two allocations
    share memory if a barrier separates their uses, so that all threads have
    finished with one before any thread uses the other. If `nvgpu.tma.async.load`
    fills the latter, threads that have read or written the former execute
    `nvvm.fence.proxy` in front of the barrier.

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
    ListOption<"steps", "steps", "std::string",
               "Steps to run: check-workgroup-memory, share-temporaries, "
               "pool-workgroup-memory; empty runs all">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect"
  ];
}

def LinalgExtGPUOutlineKernelsPass
    : Pass<"linalg-ext-gpu-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outline every gpu.launch as a kernel that a launcher can call";
  let description = [{
    Makes kernels of launches, in five steps: those that `steps` names, or all.
    `linalg-ext-to-nvvm` canonicalizes between them.

    ### `flatten-branches`

    Moves the contents of a host-side `scf.if` that launches kernels before the
    `scf.if`, and removes the `scf.if`. A launch whose branch is not taken
    then has a grid of 0 workgroups. Launchers need this form, because they run
    launches and loops around them, and no branches (docs/Manifest.md).

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

    ### `outline`

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

    ### `abi`

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

    Launchers refuse tensor maps with sizes above 2^31 - 2^16. So kernels get
    `vector_ext.assume` for what is computed from these sizes. If a loop of a kernel with
    tensor maps and rotated loops counts up to another product of sizes, such as the rows
    of all pages that a table names, a `cf.assert` in front of the launch tests that it is
    not larger either.

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

    ### `merge`

    Merges kernels of a `gpu.module` that differ only in their names and locations. All
    launches call the first of them. The pass erases the others, unless something else
    refers to them.
    Attributes must be equal too: those of arguments, and the sizes of blocks
    and grids. Programs repeat layers and heads, and most of the compile time is
    the translation of kernels.

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

    ### `wait`

    Lets each kernel for sm_90 and later wait until the launches in front of it
    have ended, and what they wrote is visible. It waits where it first accesses
    memory that others may access. Other launches do not see what it does before,
    such as making barriers. So a launcher may begin it while they still run
    (programmatic dependent launches). All threads of a kernel wait. So when it
    has ended, all those in front of it have, too. If the launcher does not begin
    the kernel early, the wait returns at once.

    A kernel also says where launches behind it may be begun, unless it writes
    such memory in a loop (persistent workgroups): behind its wait (without a loop,
    only in launches of few workgroups), or, if it copies tiles
    (`nvgpu.mbarrier.create`), where a thread has started the last copy. That is behind the loop of a role that only copies. In a loop that also
    computes, it is an iteration in which the predicate of the copies is false
    for the thread that copies; the predicate has to be an `arith.andi` of a
    condition from outside the loop and one of the iteration. If the place is not
    known, or a processor has no room for two workgroups of the kernel, it is the
    first write behind a loop.

    Before:

    ```mlir
    gpu.func @f(%a: memref<64xf32>, %b: memref<f32>) kernel {
      gpu.barrier
      %0 = scf.for ... {
        memref.load %a[%i] : memref<64xf32>
      }
      memref.store %0, %b[] : memref<f32>
    ```

    After:

    ```mlir
    gpu.func @f(%a: memref<64xf32>, %b: memref<f32>) kernel {
      gpu.barrier
      nvvm.griddepcontrol wait
      nvvm.griddepcontrol launch_dependents
      %0 = scf.for ... {
        memref.load %a[%i] : memref<64xf32>
      }
      memref.store %0, %b[] : memref<f32>
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: flatten-branches, outline, abi, merge, wait; empty "
               "runs all">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::DLTIDialect",
    "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::vector_ext::VectorExtDialect"
  ];
}

def LinalgExtGPUManifestPass
    : Pass<"linalg-ext-gpu-manifest", "::mlir::ModuleOp"> {
  let summary = "Attach a JSON manifest of its launches to each function";
  let description = [{
    Sets the attribute `launch_manifest` on each public function with a body.
    The attribute is a string of JSON that tells a launcher how to run the
    function: an entry of docs/Manifest.md.

    Run it after `linalg-ext-gpu-outline-kernels`, which gives the launches their
    final arguments. The pass fails if a function returns results, has several
    blocks, or does anything but launch kernels, allocate buffers, compute
    sizes, and loop around these. `scf.for` and `scf.while` are loops of the
    manifest. They carry integers that a launcher can compute: it knows sizes,
    scalar arguments, and the element of an argument with one integer that no
    kernel writes.
  }];
}

def LinalgExtGPUNarrowIntegersPass
    : Pass<"linalg-ext-gpu-narrow-integers"> {
  let summary = "Compute integers in 32 bits where their values fit";
  let description = [{
    Computes integers of kernels in 32 bits, in four steps: those that `steps`
    names, or all. `block-ids` looks at `affine.delinearize_index`, so it must
    run before `lower-affine`. The others look at `arith` ops, so run them after
    `lower-affine`.

    ### `block-ids`

    Rewrites each `affine.delinearize_index` of a `gpu.block_id` as divisions of
    `i32`. It does the same for an index that `vector_ext.assume` states to be from 0 to
    2^31 - 1, such as the number of a tile in a persistent kernel, and for results of
    these ops. On a GPU, a division of `index` by a dynamic size is a function call.
    Values that are uniform in a workgroup do not stay in uniform registers
    across the call.

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

    ### `loops`

    Lets the `scf.for` loops over tiles count in `i32`, in kernels that take tensor maps
    as arguments. Both bounds and the step must be known to be from 0 to 2^31 - 1, and so
    must the induction variable after the last iteration. An index that the loop carries
    becomes an `i32` in the same way. The sizes of tensor maps are known to be small
    enough: `linalg-ext-gpu-outline-kernels{steps=abi}` states it. Addresses are still
    computed in 64 bits.

    Before:

    ```mlir
    %n = vector_ext.assume %size at_least 0 at_most 2147418112
    scf.for %i = %c0 to %n step %c128 { ... }
    ```

    After:

    ```mlir
    %n = vector_ext.assume %size at_least 0 at_most 2147418112
    %narrow = arith.index_castui %n : index to i32
    scf.for %i = %c0_i32 to %narrow step %c128_i32 : i32 {
      %position = arith.index_castui %i : i32 to index
      ...
    }
    ```

    ### `floats`

    Converts sums of a scalar and constants to f32 by sums of floats. A position
    in a row, for example, is the sum of a scalar and a constant for each element of a
    thread. A GPU of NVIDIA converts 16 integers a cycle, on the unit that
    computes powers, but adds 128 floats. The result is the same: the upper and the
    lower 16 bits of the scalar are exact in f32, and so is the lower part plus a
    constant; only the last sum rounds. The lower part is put into the mantissa
    of 2^23.

    The step applies to vectors of `i32` with at least four different constants,
    which are less than 2^22. It skips sums that may wrap.

    Before:

    ```mlir
    %all = vector.broadcast %first : i32 to vector<4xi32>
    %sums = arith.addi %all, dense<[0, 1, 8, 9]> : vector<4xi32>
    %floats = arith.sitofp %sums : vector<4xi32> to vector<4xf32>
    ```

    After:

    ```mlir
    %upper = arith.andi %first, %cm65536 : i32
    %high = arith.sitofp %upper : i32 to f32
    %lower = arith.andi %first, %c65535 : i32
    %mantissa = arith.ori %lower, %c0x4B000000 : i32
    %low = arith.bitcast %mantissa : i32 to f32 // 2^23 + %lower
    // As vectors:
    %small = arith.addf %low, dense<[-8388608.0, -8388607.0, ...]>
    %floats = arith.addf %high, %small
    ```

    If the positions are multiplied by one number, and the product has the fastmath flag
    `reassoc` (`approximate-exponents` of `vector-ext-simplify` sets it), the scalar and
    each constant are multiplied instead: one instruction for each constant.

    ```mlir
    %float = arith.sitofp %first : i32 to f32
    %base = arith.mulf %float, %slope : f32
    %products = math.fma dense<[0.0, 1.0, 8.0, 9.0]>, %slopes, %bases
    ```

    ### `values`

    Applies upstream's patterns of `arith-int-range-narrowing` for 32 bits. They
    narrow integer ops whose values fit into 32 bits, for example ops on the id
    of a thread. An unsigned comparison of an `i32` that is extended with its sign, such
    as an entry of a table, with a number from 0 to 2^31 - 1 needs no extension.

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
    %high = arith.shrui %number, %c32 : i64  // stays: i32 has no shift by 32
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: block-ids, loops, floats, values; empty runs all">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::vector_ext::VectorExtDialect"
  ];
}

def LinalgExtGPUUseArgumentsPass
    : Pass<"linalg-ext-gpu-use-arguments", "::mlir::func::FuncOp"> {
  let summary = "Access buffer arguments in place instead of through copies";
  let description = [{
    Lets a function read and write its buffer arguments in place. On a GPU, each
    copy of an argument would be a kernel. The pass relies on the requirement of
    `linalg-ext-gpu-outline-kernels`: different buffer arguments do not overlap,
    unless all of them are only read.

    - If an allocation holds a copy of an argument (or of a view of one) and
      nothing else, and the function only reads that argument, then a
      `bufferization.to_tensor` of the allocation becomes one of the argument.
      The copy is erased.
    - A `bufferization.materialize_in_destination` gets `restrict` if nothing
      else accesses the argument that it writes.
    - If a structured op overwrites its destination without reading it, and the
      destination has other uses, the op gets a `tensor.empty` instead. The other
      use may be in the same op (`ins(%x) outs(%x)`). Otherwise, the tensor would
      be copied, since workgroups would overwrite what others read.

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
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // MLIR_EXT_TARGET_GPU_PASSES
