//===- VectorExtOps.td - Ops of the VectorExt dialect ------*- tablegen -*-===//
//
// The ops of the dialect `vector_ext`: layouts of the vectors that a workgroup
// computes, instructions, rings of tiles, roles of threads, memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTOPS
#define MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTOPS

include "mlir-ext/Dialect/VectorExt/IR/VectorExtBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

class VectorExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<VectorExt_Dialect, mnemonic, traits>;

def VectorExt_ToLayoutOp : VectorExt_Op<"to_layout", [
    Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "Change the layout of a vector";
  let description = [{
    Returns the value of `input` in `layout`. `input` may have any layout.

    Before the layout analysis, the op is an anchor: it requests the layout for
    its result. After the analysis, each such op is a change of layout, and
    layouts do not change anywhere else. Distribution lowers it to a renumbering
    of registers, to shuffles in a subgroup, or to a store and load of shared
    memory, depending on the two layouts.

    With `shared_memory` the value always goes through shared memory, even if
    shuffles would do. The threads of a workgroup can then load an operand from
    global memory once, together. The folder removes an op whose input already
    comes from a `to_layout` with the same layout, unless it has
    `shared_memory`.

    (C1) The layout has the shape of the vector.

    ```mlir
    %1 = vector_ext.to_layout %0 to #layout : vector<64x64xf32>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$input,
                       VectorExt_LayoutAttr:$layout,
                       UnitAttr:$shared_memory);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $input `to` $layout (`shared_memory` $shared_memory^)? attr-dict
        `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def VectorExt_MmaOp : VectorExt_Op<"mma", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "Multiply and accumulate fragments with one matrix instruction";
  let description = [{
    Computes `result = lhs * rhs + acc`. The threads of the instruction (one
    subgroup for `mma.sync`, four for `wgmma`) perform it together. Each thread
    passes its registers of each operand. The layouts of the operands are those
    that the vendor documents for the instruction.

    `intrinsic` names the instruction. Most names stand for one tensor core
    instruction. There are two exceptions: `fma.*` stands for scalar FMAs of
    each thread, and a name that ends in `tf32x3` for three TF32 instructions.
    `linalg-ext-gpu-lower-vector-ext` lowers `mma.sync.*`, `mfma.*`, `wmma.*` and
    `fma.*`.

    If the instruction reads `rhs` from shared memory, `rhs` is a memref, and
    `descriptor` says where the operand is in it. All threads pass the same
    memref. The result is available after the op: a lowering must wait for the
    instruction. The lowering must also make the stores of other threads to the
    memref visible to the instruction. The op reads memory only in this form.

    (C1) The name of the instruction is registered. (C2) Each vector has one
    dimension. It has as many elements as the instruction has registers for that
    operand, and their element type. (C3) If the instruction reads `rhs` from
    shared memory, `rhs` is a memref with one dimension, in workgroup memory and
    of the right element type, and the op has a descriptor. For other
    instructions, the op has no descriptor.

    ```mlir
    %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c
       : vector<8xf16>, vector<4xf16>, vector<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$intrinsic, AnyVectorOfNonZeroRank:$lhs,
                       AnyTypeOf<[AnyVectorOfNonZeroRank, AnyMemRef]>:$rhs,
                       AnyVectorOfNonZeroRank:$acc,
                       OptionalAttr<VectorExt_MatrixDescriptorAttr>:$descriptor);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $intrinsic $lhs `,` $rhs (`at` $descriptor^)? `,` $acc attr-dict
        `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def VectorExt_AsyncMmaOp : VectorExt_Op<"async_mma", [
    AttrSizedOperandSegments, InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Start one matrix instruction that reads shared memory";
  let description = [{
    Starts `result = lhs * rhs + acc`, and does not wait for it. The threads of
    the instruction (four subgroups for `wgmma`) perform it together. `acc` and
    `result` are the registers that each thread holds, in the layout of the
    instruction.

    `rhs` is part of a tile in shared memory. The operand is the memory of the
    tile, `rhs_layout` says how the tile lies in it, and the indices are the
    coordinates (k, n) of the first element of the part. `lhs` is either part of
    such a tile, at (m, k), or the registers of each thread, in the layout of the
    instruction. All threads of an instruction pass the same memory and indices.

    Until an `await` has returned it, the result is *open*:

    - (R1) No op writes the parts of the tiles that the instruction reads.
    - (R2) An open result has one use: the `acc` of the next `async_mma`, of an
      instruction of the same shape, or an `await`. Instructions that are chained
      in this way are performed in order. (`await_earlier` may use it, too.)
    - (R3) The use is in the same block. The last result of a chain may be carried
      by a loop instead: the next iteration continues the chain, and an `await`
      behind the loop ends it.

    Writes to the tiles must be visible to the instruction. This is so if an
    asynchronous copy wrote them, and its barrier was waited for.

    (C1) The name of the instruction is registered, and the instruction is
    asynchronous. (C2) Operands in registers have one dimension, as many elements
    as the instruction has registers for them, and their element type. (C3) The
    memory of a tile has one dimension, is contiguous and in workgroup memory, and has the
    element type of the operand. (C4) A tile has two indices and a layout of two
    dimensions for elements of that size. (C5) Along each dimension, the size of
    the instruction divides the size of the tile and every constant index, and a
    constant index is in the tile.

    ```mlir
    %0 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16"
           %a[%m, %c0] in #a, %b[%c0, %c0] in #b, %acc
       : memref<8192xf16, #gpu.address_space<workgroup>>,
         memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
    %1 = vector_ext.await %0 : vector<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$intrinsic,
                       AnyTypeOf<[AnyVectorOfNonZeroRank, AnyMemRef]>:$lhs,
                       Variadic<Index>:$lhs_indices,
                       OptionalAttr<VectorExt_SharedAttr>:$lhs_layout,
                       AnyMemRef:$rhs, Variadic<Index>:$rhs_indices,
                       VectorExt_SharedAttr:$rhs_layout,
                       AnyVectorOfNonZeroRank:$acc);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $intrinsic $lhs (`[` $lhs_indices^ `]` `in` $lhs_layout)? `,`
        $rhs `[` $rhs_indices `]` `in` $rhs_layout `,` $acc attr-dict
        `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def VectorExt_AwaitOp : VectorExt_Op<"await", [
    MemoryEffects<[MemRead, MemWrite]>, InferTypeOpAdaptor]> {
  let summary = "Wait for matrix instructions";
  let description = [{
    Waits until the instructions that compute `inputs`, and those whose results
    they continue, are finished, and returns their results. Other instructions
    may have been started between these and the op. They may still be open after
    it. The op orders all accesses to memory before and after it.

    In the program of a workgroup, the inputs are contractions with a
    `vector_ext.config` whose instruction is asynchronous. The contractions are
    started at their position in the program, in the order of the inputs, and
    the op is their only user. A contraction without such an op is awaited before
    its first user other than an `await_earlier`.

    (C1) There is at least one input, and each is the result of an `async_mma`, or
    of an op with a `vector_ext.config`, or of a loop that carries one.

    ```mlir
    %r:2 = vector_ext.await %0, %1 : vector<64xf32>, vector<64xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyVectorOfNonZeroRank>:$inputs);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$results);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

def VectorExt_AwaitEarlierOp : VectorExt_Op<"await_earlier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait for matrix instructions before others";
  let description = [{
    Waits until all instructions that were started before the chains of `inputs` are
    finished. Each input is the last result of a chain that begins in the block of the
    op. The instructions of these chains need not be finished: their accumulators and
    the tiles that they read stay in use. So a loop can free the tiles of the previous
    iteration while the instructions of this iteration run. The op orders all accesses
    to memory before and after it.

    In the program of a workgroup, the inputs are contractions with a
    `vector_ext.config` whose instruction is asynchronous. Their other users are
    behind all that needs only the earlier instructions.

    (C1) There is at least one input, and each is the result of an `async_mma`, or of
    an op with a `vector_ext.config`, in the block of the op.

    ```mlir
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<64xf32>) {
      ..
      %0 = vector_ext.async_mma .., %acc
      vector_ext.await_earlier %0 : vector<64xf32>
      gpu.barrier
      // Copies to the tiles of the last iteration start here.
      scf.yield %0 : vector<64xf32>
    }
    %1 = vector_ext.await %r : vector<64xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyVectorOfNonZeroRank>:$inputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

def VectorExt_SharedTileOp : VectorExt_Op<"shared_tile"> {
  let summary = "A tile in shared memory as a vector of the workgroup";
  let description = [{
    Returns the tile that is in `memory` with the layout `layout`. The op is part
    of the program of a workgroup. If its users are contractions with a
    `vector_ext.config` whose instruction is asynchronous and reads this operand
    from shared memory, the tile is used in place: distribution makes it an
    operand of `async_mma`. No op may write the memory until the results of these
    contractions are used, or until the iteration of the loop around them ends. If none
    of its users is such a contraction, threads load the tile where the op is.

    (C1) The memory has one dimension, is contiguous and in workgroup memory, and
    has room for the tile. (C2) The vector has its element type, or both are floats
    of 8 bits, and the shape of the layout.

    ```mlir
    %0 = vector_ext.shared_tile %memory in #layout
       : memref<8192xf16, #gpu.address_space<workgroup>>, vector<128x64xf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "the tile", [MemRead]>:$memory,
                       VectorExt_SharedAttr:$layout);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $memory `in` $layout attr-dict `:` type($memory) `,` type($result)
  }];
  let hasVerifier = 1;
}

def VectorExt_WriteTileOp : VectorExt_Op<"write_tile", [AttrSizedOperandSegments]> {
  let summary = "Write a tile to shared memory, and arrive at a barrier";
  let description = [{
    Writes `tile` to `memory` with the layout `layout`. Each thread of the role
    around it then arrives once at barrier `index` of `barriers`, as soon as what it
    has written is there. The op is part of the program of a workgroup. It does not
    wait: if `tile` was just read from memory and the target has asynchronous copies
    (`AsyncCopies`), distribution makes copies of the read and of the write.

    Instructions that read the tile in place need a fence of the target
    (`TileCopies`): of threads that wait for the barrier, behind that, or, with
    `in_place`, of the threads that write, in front of it. What asynchronous copies
    write takes the former.

    Without `barriers`, nobody arrives, and each subgroup of the role writes one of
    as many equal parts of the tile along its first dimension as the role has
    subgroups: the one with its number. Distribution fails if threads hold others.

    (C1) The memory has one dimension, is contiguous and in workgroup memory, and
    has room for the tile. (C2) The vector has its element type, and the shape of
    the layout. (C3) There is an index if and only if there are barriers.

    ```mlir
    vector_ext.write_tile %tile, %memory in #layout, %barriers[%slot]
       : vector<128x64xf16>, memref<8192xf16, #gpu.address_space<workgroup>>, !barriers
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$tile,
                       Arg<AnyMemRef, "the tile", [MemWrite]>:$memory,
                       Optional<AnyType>:$barriers, Optional<Index>:$index,
                       VectorExt_SharedAttr:$layout, UnitAttr:$inPlace);
  let assemblyFormat = [{
    $tile `,` $memory `in` $layout (`in_place` $inPlace^)? (`,` $barriers^ `[` $index `]`)? attr-dict `:`
        type($tile) `,` type($memory) (`,` type($barriers)^)?
  }];
  let hasVerifier = 1;
}

def VectorExt_StoreTileOp : VectorExt_Op<"store_tile"> {
  let summary = "Store a tile through shared memory, each subgroup its part";
  let description = [{
    Writes `tile` to the dimensions of `memory` that `map` gives, from `indices`
    on. Elements behind the end of a dimension are left out. The tile has `parts`
    equal parts along its first dimension, as many as the role around the op has
    subgroups. Each subgroup writes its part to shared memory, with the layout
    `layout` of the tile, and starts copies of boxes from there. It waits for no
    other subgroup. The copies continue while the program does, until the same
    subgroup stores its next part or the role ends. So no other op of the kernel
    may access what is written. The op is part of the program of a workgroup with
    roles.

    (C1) There is an index for each dimension of the memory. (C2) `map` is a
    projected permutation from the dimensions of the memory to those of the tile.
    (C3) The vector has the element type of the memory, and the shape of the
    layout. (C4) `parts` is positive and divides the first dimension of the tile.

    ```mlir
    vector_ext.store_tile %tile, %memory[%b, %m, %c0] through #layout
       {map = affine_map<(b, m, d) -> (m, d)>, parts = 12}
       : vector<192x64xf16>, memref<?x?x64xf16>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$tile,
                       Arg<AnyMemRef, "the memory", [MemWrite]>:$memory,
                       Variadic<Index>:$indices, AffineMapAttr:$map,
                       VectorExt_SharedAttr:$layout, I64Attr:$parts);
  let assemblyFormat = [{
    $tile `,` $memory `[` $indices `]` `through` $layout attr-dict `:`
        type($tile) `,` type($memory)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

def VectorExt_RingResource : Resource<"::mlir::vector_ext::RingResource">;

def VectorExt_RingCreateOp : VectorExt_Op<"ring.create"> {
  let summary = "Create a circular buffer of tiles in shared memory";
  let description = [{
    Creates an empty ring in the shared memory of the workgroup.

    Tiles have *positions*: 0, 1, 2, and so on, in the order in which they are
    put. The tile at position n is in slot n modulo the number of slots.
    Positions continue through all loops that use the ring.

    - (R1) For each position, in order, exactly one `ring.put`, or one `ring.write` of each tile, is
      executed, exactly one `ring.get`, and after that one `ring.release`.
    - (R2) Every contraction that reads the tile in place is finished between
      `ring.get` and `ring.release`: an op uses its result, or an `await` has
      returned it.
    - (R3) If the program has roles, all puts or writes are in one role, and all gets and
      releases are in one other role. If groups of threads run that one (`groups` of
      `role`), the get and the release of a position are of one group.

    The op is part of the program of a workgroup. It is at the start of a kernel,
    outside of roles.

    ```mlir
    %ring = vector_ext.ring.create : !ring
    ```
  }];
  let results = (outs Res<VectorExt_RingType, "", [MemAlloc<VectorExt_RingResource>]>:$ring);
  let assemblyFormat = "attr-dict `:` type($ring)";
}

def VectorExt_RingPutOp : VectorExt_Op<"ring.put", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Copy tiles to a slot of a ring";
  let description = [{
    Waits until the slot of position `position` is free, and starts to copy tiles
    of the buffers `sources` to it. For each source, `indices` has the indices of
    the first element of the tile. `maps` has an affine map for each source. It
    says which dimensions of the source the tile has, like the permutation map of
    `vector.transfer_read`. Elements before the start or beyond the end of a
    source are zero. The slot is full when all tiles have arrived.

    With `parts`, a tile has this number of equal parts along its first
    dimension, and each part has indices of its own. So the rows of a tile can
    come from several pages of a cache. The indices of the parts of the first tile
    come first.

    With `copiers`, n threads execute the op together, and share the n * p parts:
    thread c copies the parts c * p to c * p + p - 1, where c is the result of
    `ring.copier`. The op has indices for the parts of its own thread only. So threads
    share the look-ups of pages.

    With `cut`, a tile may end with its source along this dimension of the tile, -1
    for none: where the source has fewer elements than the tile, the others are not
    copied, and the slot keeps for them what it had. This takes the place of zeros
    that nobody needs.

    With `shared`, the workgroups of a cluster share the tiles of these numbers: their
    sources and indices are the same in all of them. Each workgroup copies an equal part
    of such a tile, along its first dimension, to the slots of all. So it first waits until
    the slots of all of them are free. The workgroups put the same positions in the same
    order. All puts of a ring share the same tiles.

    (C1) For each tile of the ring, there is a source with the element type of
    the tile, a map, a positive number of parts that divides the first dimension of the
    tile, and for each part that a thread copies as many indices as the source has
    dimensions. Elements may differ if both are floats of 8 bits, or if the source has
    booleans, which have a byte each in memory, and the tile i8. (C2) A map has one
    dimension for each dimension of the source. Its results are distinct dimensions, one
    for each dimension of the tile.
    (C3) The number of copiers is positive, and divides the parts of each tile.
    (C4) There is a dimension or -1 in `cut` for each tile, and -1 for tiles of several
    parts. (C5) The numbers in `shared` are distinct and those of tiles of one part, which
    are not in `cut`.

    ```mlir
    vector_ext.ring.put %ring[%n], %a, %b at (%m, %k), (%k, %j)
        {maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]}
        : !ring, memref<1024x512xf16>, memref<512x256xf16>
    // 128 rows in two pages of 64.
    vector_ext.ring.put %ring[%n], %pool at (%page0, %c0, %c0), (%page1, %c0, %c0)
        {maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>}
        : !ring, memref<?x64x128xf16>
    // The same by two threads.
    %c = vector_ext.ring.copier
    %entry = memref.load %table[%c] : memref<2xindex>
    vector_ext.ring.put %ring[%n], %pool at (%entry, %c0, %c0)
        {copiers = 2, maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>}
        : !ring, memref<?x64x128xf16>
    // Workgroups of a cluster with the same columns copy the second tile together.
    vector_ext.ring.put %ring[%n], %a, %b at (%m, %k), (%k, %j)
        {maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
         shared = array<i64: 1>}
        : !ring, memref<1024x512xf16>, memref<512x256xf16>
    ```
  }];
  let arguments = (ins VectorExt_RingType:$ring, Index:$position,
                       Variadic<AnyMemRef>:$sources,
                       VariadicOfVariadic<Index, "segments">:$indices,
                       AffineMapArrayAttr:$maps,
                       OptionalAttr<DenseI64ArrayAttr>:$parts,
                       OptionalAttr<I64Attr>:$copiers,
                       OptionalAttr<DenseI64ArrayAttr>:$cut,
                       OptionalAttr<DenseI64ArrayAttr>:$shared,
                       DenseI32ArrayAttr:$segments);
  let assemblyFormat = [{
    $ring `[` $position `]` `,` $sources `at` $indices attr-dict
        `:` type($ring) `,` type($sources)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the map of the tile of this number.
    ::mlir::AffineMap getMap(unsigned number) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[number]).getValue();
    }
    /// Returns the number of parts of the tile of this number.
    int64_t getNumParts(unsigned number) {
      return getParts() ? (*getParts())[number] : 1;
    }
    /// Returns the dimension along which the tile of this number may end with its
    /// source.
    ::std::optional<unsigned> getCutDim(unsigned number) {
      if (!getCut() || (*getCut())[number] < 0)
        return ::std::nullopt;
      return static_cast<unsigned>((*getCut())[number]);
    }
    /// Returns whether the workgroups of a cluster share the tile of this number.
    bool isShared(unsigned number) {
      return getShared() &&
             ::llvm::is_contained(*getShared(), static_cast<int64_t>(number));
    }
    /// Returns the number of threads that execute the op together.
    int64_t getNumCopiers() { return getCopiers().value_or(1); }
    /// Returns the number of parts of the tile of this number that each of them
    /// copies.
    int64_t getNumOwnParts(unsigned number) {
      return getNumParts(number) / getNumCopiers();
    }
    /// Returns the indices of each part of the tile of this number that a thread
    /// copies.
    ::llvm::SmallVector<::mlir::ValueRange> getIndicesOfParts(unsigned number);
  }];
}

def VectorExt_RingWriteOp : VectorExt_Op<"ring.write", [
    MemoryEffects<[MemRead<VectorExt_RingResource>,
                   MemWrite<VectorExt_RingResource>]>]> {
  let summary = "Write a tile that threads have to a slot of a ring";
  let description = [{
    Waits until the slot of position `position` is free, and writes `tile` to it, as
    tile `number` of the ring. The slot is full when all threads of the role have
    written all tiles. It does what `ring.put` does, for tiles that no copy of boxes
    can copy: rows that are gathered one by one, or what threads compute.

    (C1) The ring has a tile of this number, of the type of `tile`.

    ```mlir
    vector_ext.ring.write %tile, %ring[%n] : !ring, vector<128x64xf16>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$tile, VectorExt_RingType:$ring,
                       Index:$position,
                       DefaultValuedAttr<I64Attr, "0">:$number);
  let assemblyFormat = [{
    $tile `,` $ring `[` $position `]` attr-dict `:` type($ring) `,` type($tile)
  }];
  let hasVerifier = 1;
}

def VectorExt_RingCopierOp : VectorExt_Op<"ring.copier", [Pure]> {
  let summary = "The number of a thread that copies tiles";
  let description = [{
    Returns the number of the thread among those that execute a `ring.put` together
    (`copiers`), and 0 outside a `role`. Only puts may depend on it.

    In a role with `groups`, one thread of each group runs the program, and the number
    is that of its group. A role without `single` has T threads for n copiers: T / n
    consecutive threads then have the same number.

    ```mlir
    %c = vector_ext.ring.copier
    ```
  }];
  let results = (outs Index:$number);
  let assemblyFormat = "attr-dict";
}

def VectorExt_RingGetOp : VectorExt_Op<"ring.get", [
    MemoryEffects<[MemRead<VectorExt_RingResource>,
                   MemWrite<VectorExt_RingResource>]>,
    AttrSizedOperandSegments, InferTypeOpAdaptor]> {
  let summary = "Wait for the tiles of a slot of a ring";
  let description = [{
    Waits until the slot of position `position` is full, and returns its tiles.
    They are used in place: users are contractions with a `vector_ext.config`
    whose instruction reads this operand from shared memory.

    With `ends`, there is an index for each tile. Elements of the tile are zero
    from this index of its first dimension on, whatever was copied. So a tile can
    end in the middle of a page. The threads that get the tile write the zeros.

    With `if`, the op waits only if that is true. Otherwise the tiles are what the
    slot has, and nothing that is used may depend on them.

    (C1) There are no ends, or one for each tile of the ring. (C2) There are no ends
    with a condition.

    ```mlir
    %a, %b = vector_ext.ring.get %ring[%n] : !ring
    %c, %d = vector_ext.ring.get %ring[%n] ends(%rest, %c128) : !ring
    %e, %f = vector_ext.ring.get %ring[%n] if %condition : !ring
    ```
  }];
  let arguments = (ins VectorExt_RingType:$ring, Index:$position,
                       Variadic<Index>:$ends, Optional<I1>:$condition);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$tiles);
  let assemblyFormat = [{
    $ring `[` $position `]` (`ends` `(` $ends^ `)`)? (`if` $condition^)? attr-dict
        `:` type($ring)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether tile `number` may have an end in front of its last row. If not, its
    /// end is a constant, or at least one, that is no smaller than the tile.
    bool mayEnd(unsigned number);

    /// Whether any tile may.
    bool mayEnd();
  }];
}

def VectorExt_RingReleaseOp : VectorExt_Op<"ring.release", [
    MemoryEffects<[MemRead<VectorExt_RingResource>,
                   MemWrite<VectorExt_RingResource>]>]> {
  let summary = "Free a slot of a ring";
  let description = [{
    Frees the slot of position `position` for the next tiles (R2 of
    `ring.create`). With `if`, only if that is true.

    ```mlir
    vector_ext.ring.release %ring[%n] : !ring
    vector_ext.ring.release %ring[%n] if %condition : !ring
    ```
  }];
  let arguments = (ins VectorExt_RingType:$ring, Index:$position,
                       Optional<I1>:$condition);
  let assemblyFormat = [{
    $ring `[` $position `]` (`if` $condition^)? attr-dict `:` type($ring)
  }];
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def VectorExt_RoleOp : VectorExt_Op<"role", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"RoleEndOp">]> {
  let summary = "Run a program in some threads of a workgroup";
  let description = [{
    `threads` threads of the workgroup, from thread `first` on, run the region
    (warp specialisation). The other threads skip it. So several roles in a block
    run at the same time.

    With `groups`, each of so many equal groups of these threads runs the region, as
    the program of its own threads; `role_group` is the number of the group. With
    `single`, only the first thread runs the region, or the first one of each group.
    With `registers`, each of the threads has this number of registers in the region.

    No thread of a role may wait at a `gpu.barrier`. `role_barrier` is a barrier
    of the threads that run the program together: those of the role, or of a group.

    (C1) `threads` is positive, and `first` is not negative. (C2) `registers` is
    a multiple of 8 from 24 to 256. (C3) `groups` is positive, and divides the threads.

    ```mlir
    vector_ext.role first(0) threads(256) registers(240) {
      ...
    }
    vector_ext.role first(256) threads(128) single registers(24) {
      ...
    }
    // Threads 256, 288, 320 and 352.
    vector_ext.role first(256) threads(128) single groups(4) registers(24) {
      ...
    }
    // Threads 0 to 127, and threads 128 to 255.
    vector_ext.role first(0) threads(256) groups(2) registers(232) {
      ...
    }
    ```
  }];
  let arguments = (ins I64Attr:$first, I64Attr:$threads,
                       OptionalAttr<I64Attr>:$registers, UnitAttr:$single,
                       OptionalAttr<I64Attr>:$groups);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `first` `(` $first `)` `threads` `(` $threads `)` (`single` $single^)?
        (`groups` `(` $groups^ `)`)? (`registers` `(` $registers^ `)`)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The threads that run the program together, if it is not `single`.
    int64_t getGroupThreads() { return getThreads() / getGroups().value_or(1); }
  }];
}

def VectorExt_RoleEndOp : VectorExt_Op<"role_end", [
    Pure, Terminator, HasParent<"RoleOp">]> {
  let summary = "End a role";
  let description = [{
    Ends the region of a `role`. It is not printed.

    ```mlir
    vector_ext.role_end
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def VectorExt_RoleGroupOp : VectorExt_Op<"role_group", [Pure]> {
  let summary = "The number of a group of threads in a role";
  let description = [{
    Returns the number of the group of the thread, among the `groups` of the `role`
    around it.

    (C1) The op is in a `role` with `groups` that is not `single`.

    ```mlir
    %g = vector_ext.role_group
    ```
  }];
  let results = (outs Index:$number);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def VectorExt_RoleBarrierOp : VectorExt_Op<"role_barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Synchronise the threads of a role";
  let description = [{
    Waits for all threads of the `role` around it. Their accesses to memory
    before the op precede those after it.

    (C1) The op is in a `role` that is not `single`.

    ```mlir
    vector_ext.role_barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

class VectorExt_TurnOp<string mnemonic> : VectorExt_Op<mnemonic, [
    MemoryEffects<[MemRead<VectorExt_RingResource>,
                   MemWrite<VectorExt_RingResource>]>]> {
  let arguments = (ins I64Attr:$groups);
  let assemblyFormat = "`groups` `(` $groups `)` attr-dict";
  let hasVerifier = 1;
}

def VectorExt_TurnTakeOp : VectorExt_TurnOp<"turn.take"> {
  let summary = "Wait for the turn of a group of threads";
  let description = [{
    The threads of a `role` are `groups` groups of consecutive threads, which take
    turns: 0, 1, and so on, and again 0 after the last one. The op waits until the
    group of the thread has its turn. Group 0 has the first one. So what groups
    issue between `turn.take` and `turn.pass` is in the order of the groups. Turns
    order nothing else: a program means the same without them.

    - (T1) All turns of a role are of the same number of groups.
    - (T2) Each thread of the role executes as many `turn.take` as `turn.pass`, in
      turn, and all of them execute the same number.

    (C1) The op is in a `role` that is not `single`. (C2) `groups` is at least 2,
    and divides the threads of the role; it is `groups` of the role, if that has any.

    ```mlir
    vector_ext.turn.take groups(2)
    %s = vector.contract {..., vector_ext.config = #config} %q, %k, %zero
    vector_ext.turn.pass groups(2)
    %scores = vector_ext.await %s : vector<128x128xf32>
    ```
  }];
}

def VectorExt_TurnPassOp : VectorExt_TurnOp<"turn.pass"> {
  let summary = "Give the turn to the next group of threads";
  let description = [{
    Ends the turn of the group of the thread, and gives it to the next one (see
    `turn.take`). Waits for nobody.

    (C1), (C2) as for `turn.take`.

    ```mlir
    vector_ext.turn.pass groups(2)
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

def VectorExt_ClusterBarrierOp : VectorExt_Op<"cluster_barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Synchronise the workgroups of a cluster";
  let description = [{
    Waits for all threads of all workgroups of the cluster. Their accesses to memory
    before the op, also to the shared memory of each other, precede those after it.

    The memory and the barriers of a workgroup exist from its start to its end. So the op
    has to stand between the initialisation of a barrier and the arrivals of other
    workgroups, and between these and the end of the kernel.

    ```mlir
    vector_ext.cluster_barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def VectorExt_ClusterArriveOp : VectorExt_Op<"cluster_arrive", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Arrive at a barrier of another workgroup of the cluster";
  let description = [{
    Each thread for which `condition` holds arrives at barrier `index` of `barriers`, the
    barriers of the target in shared memory, as workgroup number `workgroup` of the cluster
    has them. This may be the thread's own workgroup. What the thread accessed before
    precedes what follows a wait there.

    The workgroups of a cluster are numbered along x first, then y, then z. The number must
    be one of them where `condition` holds.

    ```mlir
    vector_ext.cluster_arrive %barriers[%slot] of %workgroup if %condition
        : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
    ```
  }];
  let arguments = (ins AnyType:$barriers, Index:$index, Index:$workgroup,
                       I1:$condition);
  let assemblyFormat = [{
    $barriers `[` $index `]` `of` $workgroup `if` $condition attr-dict
        `:` type($barriers)
  }];
}

def VectorExt_TransferGatherOp : VectorExt_Op<"transfer_gather", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Read a tile whose rows are at positions from vectors";
  let description = [{
    Reads a vector from a memref or a tensor, like `vector.transfer_read`. The
    positions along some dimensions of the memory come from index vectors. So a
    tile can have rows anywhere in memory, such as the pages of a cache, while
    its elements are contiguous along a row.

    `indexing_maps` has a map for the memory, then one for each index vector, then
    one for the mask if there is one. The dimensions of each map are those of the
    result.

    - The map of the memory has one result for each of its dimensions and one
      symbol for each index vector. A result is a dimension (the position is the
      coordinate), a symbol (the position is the element of that index vector) or
      0. The position is added to the offset.
    - The results of the map of an index vector, or of the mask, are the
      dimensions of the result that it has.

    An element whose mask is false is zero, and is not read. All other elements
    must be in bounds.

    (C1) The element types of the base and of the result are equal. (C2) There is
    an offset for each dimension of the base. (C3) There is a map for the base,
    for each index vector and for the mask, and each has one dimension for each
    dimension of the result. (C4) The results of the first map are as above. It
    uses each symbol once, and no dimension twice. (C5) The results of all other
    maps are different dimensions, and the vector has their sizes in the result.

    ```mlir
    // result[i, j] = pool[pages[i], rows[i], j] for i < n
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0]
           indices(%pages, %rows : vector<32xi32>, vector<32xindex>)
           mask(%mask : vector<32xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>,
                             affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>]}
       : memref<?x16x64xf16>, vector<32x64xf16>
    ```
  }];
  let arguments = (ins
      AnyTypeOf<[AnyMemRef, AnyRankedTensor]>:$base, Variadic<Index>:$offsets,
      Variadic<VectorOfNonZeroRankOf<[I32, I64, Index]>>:$indices,
      Optional<VectorOfNonZeroRankOf<[I1]>>:$mask,
      AffineMapArrayAttr:$indexing_maps);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $base `[` $offsets `]`
        (`indices` `(` $indices^ `:` type($indices) `)`)?
        (`mask` `(` $mask^ `:` type($mask) `)`)?
        attr-dict `:` type($base) `,` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the map of the memory.
    ::mlir::AffineMap getBaseMap() { return getMap(0); }
    /// Returns the map of the index vector of this number.
    ::mlir::AffineMap getIndexMap(unsigned number) {
      return getMap(1 + number);
    }
    /// Returns the map of the mask. There must be one.
    ::mlir::AffineMap getMaskMap() { return getMap(1 + getIndices().size()); }

  private:
    ::mlir::AffineMap getMap(unsigned number) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[number])
          .getValue();
    }
  public:
  }];
}

def VectorExt_LoadMatrixOp : VectorExt_Op<"load_matrix", [
    MemoryEffects<[MemRead]>]> {
  let summary = "Load matrices of 8 rows from shared memory (ldmatrix)";
  let description = [{
    Loads 1, 2 or 4 matrices from shared memory into the registers of a
    subgroup, as operands of `mma`. It has the semantics of `ldmatrix` in the
    PTX ISA. A matrix has 8 rows of 16 bytes.

    Every lane passes the index in `base` where one row starts: lane `8 * m + i`
    passes row i of matrix m. Lane l receives, from each matrix, the word
    `l % 4` of row `l / 4`. `transpose` is meant for elements of 16 bits. With
    it, lane l instead receives two elements of column `l / 4`: those of row
    `2 * (l % 4)` and of the row after it.

    (C1) `base` has one dimension and is in workgroup memory. (C2) The result
    has the element type of `base`, and consists of 1, 2 or 4 words of 32 bits.

    ```mlir
    %0 = vector_ext.load_matrix %tile[%row] transpose
       : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<8xf16>
    ```
  }];
  let arguments = (ins AnyStaticShapeMemRef:$base, Index:$index,
                       UnitAttr:$transpose);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $base `[` $index `]` (`transpose` $transpose^)? attr-dict
        `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def VectorExt_AssumeOp : VectorExt_Op<"assume", [
    Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface,
                              ["populateBoundsForIndexValue"]>]> {
  let summary = "State a range or a divisor of an index";
  let description = [{
    Returns `value`. The result is at least `at_least`, at most `at_most` (both
    signed), and a multiple of `multiple_of`. If one of these is false, the
    result is poison. So the op may be moved, also out of a branch whose condition
    makes it true.

    Analyses of ranges and bounds see the range, as the op implements
    `InferIntRangeInterface` and `ValueBoundsOpInterface`. `getKnownDivisor`
    sees the divisor. The op folds if `value` is a constant for which the
    statement is true. It merges with an `assume` that computes `value`.
    `vector-ext-simplify=patterns=drop-assumes`
    replaces it by its operand.

    (C1) There is at least one of the three attributes. (C2) `multiple_of` is
    positive. (C3) `at_least` is not greater than `at_most`.

    ```mlir
    %length = vector_ext.assume %n at_least 520 at_most 1024 multiple_of 8
    ```
  }];
  let arguments = (ins Index:$value, OptionalAttr<I64Attr>:$at_least,
                       OptionalAttr<I64Attr>:$at_most,
                       OptionalAttr<I64Attr>:$multiple_of);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    $value (`at_least` $at_least^)? (`at_most` $at_most^)?
        (`multiple_of` $multiple_of^)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value,
                   "::std::optional<int64_t>":$atLeast,
                   "::std::optional<int64_t>":$atMost,
                   CArg<"int64_t", "1">:$multipleOf)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_VECTOREXTOPS
