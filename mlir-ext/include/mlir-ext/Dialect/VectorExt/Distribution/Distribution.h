//===- Distribution.h - From a workgroup's program to a thread's -*- C++
//-*-===//
//
// Every vector of a tile becomes a vector of the registers that one thread has
// of it. One pattern for each op says how.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTION_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTION_H

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Layout/SharedAccess.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <vector>

namespace mlir::vector_ext {

class Distributor;

/// Builds what one thread does of an op, before the op, and returns the values
/// of that thread, one for each result: a vector of as many elements as the
/// layout has registers, or, for what is no vector, the same for all threads.
/// Fails with an error at the op.
using DistributionPattern =
    std::function<FailureOr<SmallVector<Value>>(Operation *, Distributor &)>;

/// Patterns, by the name of the op. Ops that are elementwise need none.
class DistributionPatterns {
public:
  template <typename OpTy>
  void
  add(std::function<FailureOr<SmallVector<Value>>(OpTy, Distributor &)> fn) {
    patterns[OpTy::getOperationName()] = [fn](Operation *op,
                                              Distributor &distributor) {
      return fn(cast<OpTy>(op), distributor);
    };
  }
  const DistributionPattern *lookup(StringRef name) const {
    auto it = patterns.find(name);
    return it == patterns.end() ? nullptr : &it->second;
  }

private:
  llvm::StringMap<DistributionPattern> patterns;
};

/// Transfers and gathers between memory and registers.
void populateMemoryDistributionPatterns(DistributionPatterns &patterns);
/// Constants, masks, broadcasts, transposes, reshapes.
void populateShapeDistributionPatterns(DistributionPatterns &patterns);
/// Reductions in a thread, over lanes by shuffles, over subgroups through
/// shared memory.
void populateReductionDistributionPatterns(DistributionPatterns &patterns);
/// Contractions, by instructions or one product at a time.
void populateContractDistributionPatterns(DistributionPatterns &patterns);
/// `vector_ext.to_layout`, by all four kinds of conversion.
void populateConversionDistributionPatterns(DistributionPatterns &patterns);
/// All of these.
void populateDistributionPatterns(DistributionPatterns &patterns);

/// What patterns build on.
class Distributor {
public:
  Distributor(RewriterBase &rewriter, LayoutAnalysis &analysis, Region &region,
              const Workgroup &workgroup, const DistributionPatterns &patterns,
              layout::SharedLayoutChoices &sharedLayouts);

  LogicalResult run();

  RewriterBase &getRewriter() { return rewriter; }
  const Workgroup &getWorkgroup() const { return workgroup; }
  layout::SharedLayoutChoices &getSharedLayouts() { return sharedLayouts; }
  const layout::Layout &getLayout(Value value) const {
    return analysis.getLayout(value);
  }

  /// What a thread has of `value`; `value` itself if it is no vector.
  Value getDistributed(Value value) const;
  VectorType getDistributedType(Value value) const;

  /// The index of this thread on `axis`, a lane or a subgroup.
  Value getThreadIndex(layout::Axis axis);

  /// The coordinate that the register 0 of this thread has in `layout`. The
  /// coordinate of register r is that plus the coordinate of r in thread 0.
  ArrayRef<Value> getThreadCoordinate(const layout::Layout &layout);

  /// True if this thread is the first of those that hold the same elements.
  /// Null if there are no others.
  Value isFirstReplica(const layout::Layout &layout);

  /// A buffer of the workgroup's shared memory, allocated at its start, aligned
  /// to `alignment` bytes (0: as its elements are).
  Value allocateShared(ArrayRef<int64_t> shape, Type elementType,
                       int64_t alignment = 0);

  /// The same for a buffer that `loop` writes in turn with others, without a
  /// barrier of its own before it does. Loops that come one after the other
  /// share buffers: then there is a barrier before the later one.
  Value allocateSharedForLoop(scf::ForOp loop, int64_t size, Type elementType,
                              int64_t alignment);

  /// The buffer in which `addStoredTile` put `registers`, in the layout `from`,
  /// for loads in the layout `to`, if that was before `user`; null if there is
  /// none. A tile and its transpose may have the same registers.
  Value lookupStoredTile(Value registers, const layout::Layout &from,
                         const layout::Layout &to, Operation *user) const;
  void addStoredTile(Value registers, const layout::Layout &from,
                     const layout::Layout &to, Operation *before, Value buffer);

  /// True if `op` is to combine what each thread has, and not what threads have
  /// in common: its loop goes on with that.
  bool isDeferred(vector::MultiDimReductionOp op) const {
    return deferredReductions.contains(op);
  }

  /// Builds a value at the start of the program, after what was built there
  /// before.
  Value buildAtStart(llvm::function_ref<Value(ImplicitLocOpBuilder &)> fn);

private:
  LogicalResult distribute(Block &block);
  LogicalResult distribute(Operation *op);
  Operation *distributeRegions(Operation *op);
  LogicalResult distributeLoop(scf::ForOp op);
  void storeOnce(memref::StoreOp op);

  RewriterBase &rewriter;
  LayoutAnalysis &analysis;
  Region &region;
  Workgroup workgroup;
  const DistributionPatterns &patterns;
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
  Value threadIndices[layout::kNumAxes];
  Operation *lastPrologueOp = nullptr;
};

struct DistributionOptions {
  /// Every conversion that moves data is a remark.
  bool remarks = false;
  /// More registers of 32 bits for a vector in a thread than that are an error;
  /// 0 sets no bound.
  int64_t maxRegisters = 0;
  /// So are more products of all contractions without an instruction, each
  /// being code of its own.
  int64_t maxProducts = 0;
  /// So is more shared memory.
  int64_t maxSharedBytes = 0;
  /// What was chosen for other workgroups' programs, if there are any.
  layout::SharedLayoutChoices *sharedLayouts = nullptr;
};

/// Distributes the program of a workgroup in `scope`, an op with one region (a
/// `gpu.launch` or a `gpu.func`), to its threads: anchors, analysis,
/// conversions, patterns. If it fails, with an error at an op, `scope` is as it
/// was.
LogicalResult distributeVectors(RewriterBase &rewriter, Operation *scope,
                                const Workgroup &workgroup,
                                const DistributionOptions &options = {});

/// Distributes `kernel`, a `gpu.launch` or a `gpu.func` with a known block
/// size, whose block has to be constant and of one dimension: it tells the
/// number of subgroups of `workgroup`. If it fails, with an error, `kernel` is
/// as it was.
LogicalResult distributeKernel(RewriterBase &rewriter, Operation *kernel,
                               Workgroup workgroup,
                               const DistributionOptions &options = {});

//===----------------------------------------------------------------------===//
// Helpers of patterns
//===----------------------------------------------------------------------===//

/// True if the kernel around `op` reads the memory that `memref` is a view of:
/// a write to it needs a barrier before it and behind it.
bool isReadInKernel(Operation *op, Value memref);

/// The reductions of an iteration of `loop` over several threads whose result
/// only the next iteration uses, once, as what it adds to, or as a factor of
/// that; with the number of the result. Until the loop ends the threads may
/// each have a part of it.
SmallVector<std::pair<unsigned, vector::MultiDimReductionOp>>
getDeferrableReductions(scf::ForOp loop, const LayoutAnalysis &analysis);

/// What the threads have in common of a reduction with `kind` over the
/// dimensions `reduced` of a vector of `layout`, from what each thread has,
/// `registers`.
Value buildDeferredReduction(ImplicitLocOpBuilder &b, Distributor &distributor,
                             const layout::Layout &layout,
                             ArrayRef<bool> reduced, vector::CombiningKind kind,
                             Value registers);

/// The registers `registers` of `vector`, as a vector.
Value extractRegisters(ImplicitLocOpBuilder &builder, Value vector,
                       ArrayRef<int64_t> registers);
/// One register.
Value extractRegister(ImplicitLocOpBuilder &builder, Value vector, int64_t reg);
/// The value of `value` in the lane `index` (mode Idx) or this lane xor `index`
/// (mode Xor), for any scalar type of up to 64 bits.
enum class ShuffleKind { Idx, Xor };
Value shuffle(ImplicitLocOpBuilder &builder, Value value, Value index,
              ShuffleKind kind, int64_t numLanes);

/// Integer arithmetic that folds.
Value addIndex(ImplicitLocOpBuilder &builder, Value value, int64_t constant);

/// How many coordinates from `first` on are below `bound`, in i32, of a
/// dimension of `size`: coordinate `first + i` is if `i` is below the result.
Value countBelow(ImplicitLocOpBuilder &builder, Value first, Value bound,
                 int64_t size);
/// Whether it is known of all threads that the coordinate `offset` further than
/// their first one, of dimension `dim` of `layout`, is below `bound`: a
/// constant, or the larger of one and something else.
bool isKnownBelow(const layout::Layout &layout, unsigned dim, int64_t offset,
                  Value bound);
/// value / stride % size, where value is below `bound`.
Value getDigit(ImplicitLocOpBuilder &builder, Value value, int64_t stride,
               int64_t size, int64_t bound);

/// Loads; what does not exist is `padding`.
Value loadRegisters(ImplicitLocOpBuilder &builder, Distributor &distributor,
                    const TileAccess &access, Value padding);
/// Stores what exists, once.
void storeRegisters(ImplicitLocOpBuilder &builder, Distributor &distributor,
                    const TileAccess &access, Value vector);

/// One access of a thread to memory.
struct RegisterAccess {
  /// The first of the registers, which are consecutive.
  int64_t reg;
  SmallVector<Value> indices;
  /// Whether it exists; null if it does.
  Value condition;
};
/// How many registers one access has: a power of two of up to 16 bytes. All of
/// them exist, or none.
int64_t getAccessWidth(const TileAccess &access);
/// The accesses, of `width` registers each; those that replicas would repeat
/// are not left out.
SmallVector<RegisterAccess> getRegisterAccesses(ImplicitLocOpBuilder &builder,
                                                Distributor &distributor,
                                                const TileAccess &access,
                                                int64_t width);
/// The access that `read` is, if its vector has `layout`. Fails with an error.
FailureOr<TileAccess> getReadAccess(ImplicitLocOpBuilder &builder,
                                    Distributor &distributor,
                                    vector::TransferReadOp read,
                                    const layout::Layout &layout);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_DISTRIBUTION_H
