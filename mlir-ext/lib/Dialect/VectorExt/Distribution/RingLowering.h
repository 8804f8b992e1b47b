//===- RingLowering.h - The lowering of rings -------------------*- C++ -*-===//
//
// Private to LowerRings, which says what the lowering builds. Its parts are in
// these files:
//
//   RingSlots.cpp          slots, their memory, and gets
//   RingCopies.cpp         the copies of puts
//   RingsOfRoles.cpp       writes, puts and releases if a role fills slots
//   RingsWithoutRoles.cpp  puts if the threads that compute copy
//   StoredTiles.cpp        tiles that are stored through shared memory
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_RINGLOWERING_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_RINGLOWERING_H

#include "CheckRings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <tuple>

namespace mlir::vector_ext {

/// The alignment of tiles of a ring: theirs, and that of boxes if there are
/// some.
int64_t getTileAlignment(const layout::SharedLayout &layout);

/// Returns the stores of `launch` through shared memory. Fails, with the reason
/// in `refusal`, if the subgroups of the role around one are not as many as its
/// parts, or no boxes can copy these.
FailureOr<SmallVector<StoreTileOp>>
checkStores(gpu::LaunchOp launch, int64_t lanes, linalg_ext::Refusal &refusal);

/// Returns the op behind which the slot of `release` is freed. At the fence of
/// a tile that threads load, they wait for all loads. So they first use the
/// tile, up to where they wait for something else. Kernels that convert bytes
/// wait for copies, and free slots at once (docs/Decisions/0145, 0150).
Operation *getPlaceOfRelease(Ring &ring, RingReleaseOp release);

/// Lowers the rings of a launch.
class RingLowering {
public:
  RingLowering(RewriterBase &b, gpu::LaunchOp launch, const TileCopies &target,
               int64_t lanes);

  void run(MutableArrayRef<Ring> rings, ArrayRef<StoreTileOp> stores);

private:
  Value buildIndex(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value getPlace(Location loc, Value position, int64_t places);
  Value getParity(Location loc, Value position, int64_t places);
  Value getSlot(Location loc, Ring &ring, Value position) {
    return getPlace(loc, position, ring.getSlots());
  }
  Value getFull(Location loc, Ring &ring, Value position, Value slot) {
    return ring.numFull == ring.getSlots()
               ? slot
               : getPlace(loc, position, ring.numFull);
  }
  Value getTile(Location loc, Ring &ring, unsigned number, Value slot);
  Value getOwnPart(Location loc, Ring &ring, unsigned number, Value slot,
                   int64_t copiers, Value copier);
  int64_t getNumWorkgroups(RingPutOp put, unsigned number) {
    return put.isShared(number) ? cluster : 1;
  }
  OpFoldResult getCopied(RingPutOp put, unsigned number,
                         const layout::TmaCopy &copy);
  Value getDescription(Location loc, Value memory, ArrayRef<int64_t> box,
                       ArrayRef<OpFoldResult> sizes, layout::SwizzleMode mode);
  Value getSource(RingPutOp put, unsigned number, const layout::TmaCopy &copy);
  Value getCopier(Location loc, RoleOp role);
  Value isCopying(Location loc, Ring &ring, int64_t copiers);
  Value isReleasing(Location loc, RoleOp role);
  Value getLane(Location loc, RoleOp role);
  void releaseInCluster(Ring &ring, RingReleaseOp release);

  SmallVector<TileCopy> getCopies(Ring &ring, RingPutOp put, Value slot,
                                  Value copier, const IRMapping &places,
                                  OpFoldResult &numBytes);
  void startCopies(Ring &ring, RingPutOp put, Value isStarter, Value slot,
                   Value barrier, const IRMapping &places);
  void startCopiesOfOthers(Ring &ring, RingPutOp put, Value slot, Value parity,
                           Value barrier);
  void startAhead(Ring &ring, RingPutOp put, Value iteration, int64_t ahead,
                  Value slot, bool isFirst);
  bool moveAhead(Ring &ring, RingPutOp put, RingGetOp get);
  void lowerShared(Ring &ring);
  void waitForSlot(Location loc, Ring &ring, Value slot, Value parity);
  void lowerInRoles(Ring &ring);
  void lowerGet(Ring &ring, RingGetOp get, bool needsFence);
  void clearBehind(Ring &ring, RingGetOp get, unsigned number, Value slot,
                   Value end);
  void startStores(StoreTileOp store, Value memory);
  void lowerStore(StoreTileOp store);

  RewriterBase &b;
  gpu::LaunchOp launch;
  const TileCopies &target;
  int64_t lanes;
  /// The workgroups of a cluster, and the number of this one in it. Null if
  /// none is needed.
  int64_t cluster;
  Value workgroup;
  /// Whether this is the first thread of the workgroup.
  Value isFirstThread;
  /// For each role, the number of the thread among those that copy, and whether
  /// the thread frees slots, and its number in its subgroup.
  llvm::DenseMap<Operation *, Value> copiers, releasers, lanesOf;
  /// For each role, the smallest of these numbers in the subgroup of the
  /// thread.
  llvm::DenseMap<Operation *, Value> firstCopiers;
  /// For each role, the largest number of copiers of a ring.
  llvm::DenseMap<Operation *, int64_t> numCopiers;
  /// The target's descriptions of buffers, by the buffer, the largest box, the
  /// sizes of the box in a launch, and the swizzle.
  SmallVector<std::tuple<Value, SmallVector<int64_t>, SmallVector<OpFoldResult>,
                         layout::SwizzleMode, Value>>
      sources;
  /// The results of `getCopied`, by the source, its dimension and the largest
  /// number.
  llvm::DenseMap<std::tuple<Value, unsigned, int64_t>, Value> copied;
  /// The loops that write to memory other than the slots of rings.
  llvm::SmallPtrSet<Operation *, 4> writingLoops;
  /// The op behind which each slot is freed.
  llvm::DenseMap<Operation *, Operation *> placesOfReleases;
  /// The memory of stored tiles, by the role and the size.
  llvm::DenseMap<std::pair<Operation *, int64_t>, Value> storeMemories;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_RINGLOWERING_H
