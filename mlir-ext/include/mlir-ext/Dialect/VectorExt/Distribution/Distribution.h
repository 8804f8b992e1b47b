//===- Distribution.h - Distributes vectors to threads ----------*- C++ -*-===//
//
// Rewrites the program of a workgroup as the program of one thread. Each vector
// of a tile becomes a vector of the elements that one thread holds in
// registers. `LayoutOpInterface` says what a thread does for each op.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTION_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTION_H

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/SharedAccess.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>
#include <vector>

namespace mlir::vector_ext {

/// A tile that went from one layout to another through shared memory.
struct SharedExchange {
  Location loc;
  VectorType type;
  /// The layouts of the registers that are written and, if the tile is read
  /// back to registers, of those that are read.
  layout::Layout from;
  std::optional<layout::Layout> to;
  layout::SharedLayout shared;
  /// The costs of writing and reading. Unset if threads do not write, or do not
  /// read.
  std::optional<layout::AccessCost> write, read;
};

/// The driver of distribution, and the functions that implementations of
/// `LayoutOpInterface::distribute` use.
class Distributor {
public:
  Distributor(RewriterBase &rewriter, LayoutAnalysis &analysis, Region &region,
              const Workgroup &workgroup,
              layout::SharedLayoutChoices &sharedLayouts);

  LogicalResult run();

  /// Replaces the results of `op` by `values`, those of one thread. `op` is
  /// erased in the end.
  void replace(Operation *op, ValueRange values);

  /// Replaces `op` by the same op on registers, and returns that. It takes the
  /// regions of `op`; `distributeRegions` distributes the ops in them.
  Operation *moveToRegisters(Operation *op);

  /// Makes `registers` what a thread has of the vector `value` from here on.
  void setDistributed(Value value, Value registers) {
    distributed[value] = registers;
  }

  /// Distributes the ops in the regions of `op`.
  LogicalResult distributeRegions(Operation *op);

  RewriterBase &getRewriter() { return rewriter; }
  const Workgroup &getWorkgroup() const { return workgroup; }
  layout::SharedLayoutChoices &getSharedLayouts() { return sharedLayouts; }
  const layout::Layout &getLayout(Value value) const {
    return analysis.getLayout(value);
  }

  /// Returns the registers of a thread for `value`, or `value` itself if it is
  /// no vector.
  Value getDistributed(Value value) const;
  VectorType getDistributedType(Value value) const;

  /// Returns the index of this thread on `axis`, which is Lane or Subgroup.
  Value getThreadIndex(layout::Axis axis);

  /// Returns the coordinate of register 0 of this thread in `layout`. The
  /// coordinate of register r is the sum of this and of the coordinate of r in
  /// thread 0.
  ArrayRef<Value> getThreadCoordinate(const layout::Layout &layout);

  /// Returns an i1: whether this thread is the first of those that hold the
  /// same elements. Null if the layout has no replicas.
  Value isFirstReplica(const layout::Layout &layout);

  /// Allocates a buffer in shared memory at the start of the program. `shape`
  /// counts elements, and `alignment` is in bytes; 0 is the alignment of the
  /// elements.
  Value allocateShared(ArrayRef<int64_t> shape, Type elementType,
                       int64_t alignment = 0);

  /// Allocates `numBuffers` shared buffers of `size` elements each for `loop`,
  /// whose iterations write to them in rotation, without a barrier before each
  /// write. The allocation has the attribute `vector_ext.buffers`. Loops in one
  /// block share an allocation of the same sizes and element type. A barrier
  /// then stands before the later loop.
  Value allocateSharedForLoop(Operation *loop, int64_t numBuffers, int64_t size,
                              Type elementType, int64_t alignment);

  /// Returns the buffer into which a tile was stored for loads in layout `to`,
  /// if `addStoredTile` recorded it at a place that dominates `user`; null
  /// otherwise. `from` is needed too, because a tile and its transpose may have
  /// the same registers.
  Value lookupStoredTile(Value registers, const layout::Layout &from,
                         const layout::Layout &to, Operation *user) const;
  void addStoredTile(Value registers, const layout::Layout &from,
                     const layout::Layout &to, Operation *before, Value buffer);

  /// Returns true if `op` only combines the elements of each thread. The
  /// threads are then combined once, after the loop.
  bool isDeferred(Operation *op) const {
    return deferredReductions.contains(op);
  }
  void setDeferred(Operation *op) { deferredReductions.insert(op); }

  /// The deferred reduction that computes `value`, the result of a loop after
  /// which the threads are combined. Null if there is none.
  vector::MultiDimReductionOp getCombined(Value value) const {
    return combined.lookup(value);
  }
  void setCombined(Value value, vector::MultiDimReductionOp op) {
    combined[value] = op;
  }

  /// Records what a thread has started for the contraction `value`, which an
  /// op of the workgroup waits for. `getOpen` returns nothing if there is none.
  void setOpen(Value value, ArrayRef<Value> started) {
    open[value].assign(started.begin(), started.end());
  }
  ArrayRef<Value> getOpen(Value value) const {
    auto it = open.find(value);
    return it == open.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
  }

  /// Records that `value` is stored in `memory`, from where instructions read
  /// it in place: threads have nothing of it. `getStored` returns null if it is
  /// not.
  void setStored(Value value, Value memory, SharedAttr layout) {
    stored[value] = {memory, layout};
  }
  std::pair<Value, SharedAttr> getStored(Value value) const {
    return stored.lookup(value);
  }

  /// Records a tile that goes through shared memory, for those who ask.
  void addExchange(SharedExchange exchange) {
    exchanges.push_back(std::move(exchange));
  }
  ArrayRef<SharedExchange> getExchanges() const { return exchanges; }

  /// Records a wait that may be done later, before the users of its results.
  void addEarlyAwait(AwaitOp await) { earlyAwaits.push_back(await); }
  ArrayRef<AwaitOp> getEarlyAwaits() const { return earlyAwaits; }

  /// Builds a value at the start of the program, after the values that were
  /// built there before.
  Value buildAtStart(llvm::function_ref<Value(ImplicitLocOpBuilder &)> fn);

private:
  LogicalResult distribute(Block &block);
  LogicalResult distribute(Operation *op);

  RewriterBase &rewriter;
  LayoutAnalysis &analysis;
  Region &region;
  Workgroup workgroup;
  layout::SharedLayoutChoices &sharedLayouts;
  llvm::DenseMap<Value, Value> distributed;
  SmallVector<Operation *> toErase;
  SmallVector<std::pair<layout::Layout, SmallVector<Value>>> coordinates;
  SmallVector<std::pair<layout::Layout, Value>> replicas;
  struct StoredTile {
    Value registers;
    layout::Layout from, to;
    Block *block;
    Value buffer;
  };
  std::vector<StoredTile> storedTiles;
  /// Buffers of loops, and the loops that have them.
  SmallVector<std::pair<Value, SmallVector<Operation *>>> loopBuffers;
  llvm::DenseSet<Operation *> deferredReductions;
  llvm::DenseMap<Value, vector::MultiDimReductionOp> combined;
  llvm::DenseMap<Value, SmallVector<Value>> open;
  llvm::DenseMap<Value, std::pair<Value, SharedAttr>> stored;
  SmallVector<AwaitOp> earlyAwaits;
  std::vector<SharedExchange> exchanges;
  Value threadIndices[layout::kNumAxes];
  Operation *lastPrologueOp = nullptr;
};

struct DistributionOptions {
  /// Emit a remark for every conversion that moves data.
  bool remarks = false;
  /// The largest number of 32-bit registers of one vector in a thread. More is
  /// an error. 0 sets no bound.
  int64_t maxRegisters = 0;
  /// The largest number of 32-bit registers of a result of asynchronous
  /// instructions in a thread. More is an error. 0 sets no bound.
  int64_t maxAccumulator = 0;
  /// The largest number of products that a thread computes one by one, over all
  /// contractions without a matrix instruction. Each product is code of its
  /// own. More is an error. 0 sets no bound.
  int64_t maxProducts = 0;
  /// A cache of shared memory layouts that several programs share. May be null.
  layout::SharedLayoutChoices *sharedLayouts = nullptr;
  /// Emit a remark with the layouts of each kernel, as JSON.
  bool reportData = false;
  /// The name of the function around the kernel, for this remark. Needed for a
  /// kernel that is a copy outside of any function.
  StringRef functionName = "";
};

/// Distributes the program of a workgroup in `scope` to its threads: adds
/// anchors, runs the layout analysis, inserts conversions and distributes each
/// op. The context needs the models of `LayoutOpInterface` (ExternalModels.h).
/// `scope` is an op with one region (a `gpu.launch` or a `gpu.func`).
/// On failure, emits an error at an op and leaves `scope` as it was.
LogicalResult distributeVectors(RewriterBase &rewriter, Operation *scope,
                                const Workgroup &workgroup,
                                const DistributionOptions &options = {});

/// Distributes `kernel`, a `gpu.launch` or a `gpu.func`. Its block size must be
/// known, constant, one-dimensional and a multiple of the lanes; it determines
/// the number of subgroups of `workgroup`. `vector_ext.buffers` on `kernel`
/// overrides the number of buffers. On failure, emits an error and leaves
/// `kernel` as it was.
LogicalResult distributeKernel(RewriterBase &rewriter, Operation *kernel,
                               Workgroup workgroup,
                               const DistributionOptions &options = {});

//===----------------------------------------------------------------------===//
// Helpers for implementations of LayoutOpInterface
//===----------------------------------------------------------------------===//

/// Returns the registers `registers` of `vector` as a vector.
Value extractRegisters(ImplicitLocOpBuilder &builder, Value vector,
                       ArrayRef<int64_t> registers);
/// Returns register `reg` of `vector` as a scalar.
Value extractRegister(ImplicitLocOpBuilder &builder, Value vector, int64_t reg);
/// Returns the `value` of lane `index` (Idx), or of the lane whose index is
/// that of this lane xor `index` (Xor). `value` is a scalar of up to 64 bits.
enum class ShuffleKind { Idx, Xor };
Value shuffle(ImplicitLocOpBuilder &builder, Value value, Value index,
              ShuffleKind kind, int64_t numLanes);

/// Returns `value` + `constant`, folded if possible.
Value addIndex(ImplicitLocOpBuilder &builder, Value value, int64_t constant);

/// Returns, in i32, the number of coordinates from `first` on that are below
/// `bound`, in a dimension of size `size`: `first + i` is below if i is less
/// than the result.
Value countBelow(ImplicitLocOpBuilder &builder, Value first, Value bound,
                 int64_t size);
/// Returns whether, in every thread, the coordinate at distance `offset` from
/// the first one of the thread is below a bound of at least `least`
/// (`getKnownMinimum`), in dimension `dim` of `layout`.
bool isKnownBelow(const layout::Layout &layout, unsigned dim, int64_t offset,
                  std::optional<int64_t> least);
/// Returns value / stride % size. `value` must be less than `bound`.
Value getDigit(ImplicitLocOpBuilder &builder, Value value, int64_t stride,
               int64_t size, int64_t bound);

/// Loads the registers. Those that do not exist become `padding`.
Value loadRegisters(ImplicitLocOpBuilder &builder, Distributor &distributor,
                    const TileAccess &access, Value padding);
/// Stores the registers that exist. Only one of several replicas stores.
void storeRegisters(ImplicitLocOpBuilder &builder, Distributor &distributor,
                    const TileAccess &access, Value vector);

/// One memory access of a thread.
struct RegisterAccess {
  /// The first register of the access. Its registers are consecutive.
  int64_t reg;
  SmallVector<Value> indices;
  /// An i1: whether the access is done. Null if it always is.
  Value condition;
};
/// Returns the number of registers of one access: a power of two, at most 16
/// bytes. Either all of them exist or none.
int64_t getAccessWidth(const TileAccess &access);
/// Returns the accesses, of `width` registers each. Replicas repeat the same
/// accesses.
SmallVector<RegisterAccess> getRegisterAccesses(ImplicitLocOpBuilder &builder,
                                                Distributor &distributor,
                                                const TileAccess &access,
                                                int64_t width);
/// Returns the access of `read`, a `vector.transfer_read` or a
/// `vector_ext.transfer_gather`, whose vector has layout `layout`. Fails for
/// other ops, and for a transfer that it refuses with an error.
FailureOr<TileAccess> getReadAccess(ImplicitLocOpBuilder &builder,
                                    Distributor &distributor, Operation *read,
                                    const layout::Layout &layout);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTION_H
