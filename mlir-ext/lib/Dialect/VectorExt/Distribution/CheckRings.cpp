//===- CheckRings.cpp - The uses of a ring --------------------------------===//
//
// See CheckRings.h.
//
//===----------------------------------------------------------------------===//

#include "CheckRings.h"

#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

bool Ring::isReused() {
  Region *region = create->getParentRegion();
  auto isInLoop = [&](Operation *op) {
    auto loop = op->getParentOfType<LoopLikeOpInterface>();
    return loop && region->isAncestor(loop->getParentRegion());
  };
  return static_cast<int64_t>(puts.size() + writes.size()) > getSlots() ||
         llvm::any_of(puts, isInLoop) || llvm::any_of(writes, isInLoop);
}

/// Returns how many barriers tell when slots of `ring` are full. Groups of
/// threads that have tiles of their own take turns with loops of gets. They may
/// get a tile that is needed only once per result at any time, even before the
/// tile of an earlier result has arrived. If groups shared a barrier, the phase
/// before that one would look like their own. So each group has its own
/// barriers.
static int64_t getNumFull(Ring &ring) {
  RoleOp role = ring.reader;
  bool isOfTile =
      role && !role.getSingle() && llvm::any_of(ring.gets, [&](RingGetOp get) {
        return isa<LoopLikeOpInterface>(get->getParentOp()) &&
               get->getParentOp()->getParentOp() == role;
      });
  return isOfTile ? llvm::alignTo(ring.getSlots(), role.getGroups().value_or(1))
                  : ring.getSlots();
}

RingGetOp mlir::vector_ext::findGet(Ring &ring, RingPutOp put) {
  auto *get = llvm::find_if(ring.gets, [&](RingGetOp get) {
    return get->getBlock() == put->getBlock() &&
           get.getPosition() == put.getPosition() && put->isBeforeInBlock(get);
  });
  return get == ring.gets.end() ? RingGetOp() : *get;
}

/// Returns the role around all of `ops`, or null if none is in a role. Fails,
/// with `refusal` set, if they are in different roles, or only some are in a
/// role.
template <typename Op>
static FailureOr<RoleOp> findRole(ArrayRef<Op> ops, Refusal &refusal) {
  RoleOp role;
  for (auto [i, op] : llvm::enumerate(ops)) {
    auto here = op->template getParentOfType<RoleOp>();
    if (i > 0 && here != role)
      return refusal.set(
          RefusalKind::Other, op,
          "expected all ops of this kind for a ring in one role");
    role = here;
  }
  return role;
}

/// Fails, with `refusal` set, if the workgroups of a cluster of `launch` cannot
/// share tiles of `ring` as its puts say.
static LogicalResult checkShared(Ring &ring, gpu::LaunchOp launch,
                                 Refusal &refusal) {
  for (RingPutOp put : ring.puts)
    if (put.getSharedAttr() != ring.puts.front().getSharedAttr())
      return refusal.set(RefusalKind::Other, put,
                         "expected the same shared tiles as in the other puts "
                         "of the ring");
  ring.isShared = !ring.puts.empty() && ring.puts.front().getShared();
  if (!ring.isShared)
    return success();
  RingPutOp put = ring.puts.front();
  std::optional<int64_t> cluster;
  if (launch.hasClusterSize() && isConstantIntValue(launch.getClusterSizeY(), 1) &&
      isConstantIntValue(launch.getClusterSizeZ(), 1))
    cluster = getConstantIntValue(launch.getClusterSizeX());
  if (!cluster || *cluster < 2 || *cluster > kMostShared)
    return refusal.set(RefusalKind::Other, put,
                       "expected a cluster of 2 to " + Twine(kMostShared) +
                           " workgroups along x around shared tiles");
  if (!ring.writer || !ring.reader || ring.reader.getSingle() ||
      put.getNumCopiers() > 1)
    return refusal.set(RefusalKind::Other, put,
                       "expected one thread that copies shared tiles, and a "
                       "role of several threads that reads them");
  ArrayRef<int64_t> shared = *put.getShared();
  for (int64_t number : shared) {
    std::string reason;
    if (!getTmaCopyOfParts(
            ring.getType().getLayouts()[number].getLayout(), *cluster, &reason))
      return refusal.set(RefusalKind::Other, put,
                         "no copy writes the part of a workgroup: " +
                             Twine(reason));
  }
  return success();
}

/// Sets the types of the elements of tiles in memory.
static void setElements(Ring &ring) {
  for (auto [number, tile] : llvm::enumerate(ring.getType().getTiles())) {
    Type type = tile.getElementType();
    if (!ring.puts.empty())
      type = getCopiedType(
          getElementTypeOrSelf(ring.puts.front().getSources()[number]), type);
    ring.elements.push_back(type);
  }
}

FailureOr<Ring> mlir::vector_ext::checkRing(RingCreateOp create,
                                            gpu::LaunchOp launch,
                                            Refusal &refusal) {
  Ring ring;
  ring.create = create;
  std::string reason;
  for (Operation *user : create.getRing().getUsers()) {
    if (auto put = dyn_cast<RingPutOp>(user))
      ring.puts.push_back(put);
    else if (auto write = dyn_cast<RingWriteOp>(user))
      ring.writes.push_back(write);
    else if (auto get = dyn_cast<RingGetOp>(user))
      ring.gets.push_back(get);
    else if (auto release = dyn_cast<RingReleaseOp>(user))
      ring.releases.push_back(release);
    else
      return refusal.set(RefusalKind::Other, user,
                         "expected only puts, writes, gets and releases of a "
                         "ring");
  }
  setElements(ring);
  if (!ring.puts.empty() && !ring.writes.empty())
    return refusal.set(RefusalKind::Other, ring.writes.front(),
                       "expected puts or writes of a ring, not both");
  if (ring.writes.empty())
    for (SharedAttr layout : ring.getType().getLayouts())
      if (!getTmaCopy(layout.getLayout(), &reason))
        return refusal.set(RefusalKind::Other, create,
                           "no copy writes a tile as it is arranged: " +
                               Twine(reason));
  for (RingPutOp put : ring.puts)
    for (auto [number, layout] : llvm::enumerate(ring.getType().getLayouts()))
      if (!getTmaCopyOfParts(layout.getLayout(), put.getNumParts(number),
                             &reason))
        return refusal.set(RefusalKind::Other, put,
                           "no copy writes the parts of a tile: " +
                               Twine(reason));
  for (RingPutOp put : ring.puts)
    if (put.getNumCopiers() != ring.getNumCopiers())
      return refusal.set(RefusalKind::Other, put,
                         "expected as many copiers as in the other puts of the "
                         "ring, " +
                             Twine(ring.getNumCopiers()) + ", got " +
                             Twine(put.getNumCopiers()));
  for (RingPutOp put : ring.puts)
    for (Value source : put.getSources())
      if (launch.getBody().isAncestor(source.getParentRegion()))
        return refusal.set(RefusalKind::Other, put,
                           "expected sources from outside of the kernel");
  FailureOr<RoleOp> writer = ring.writes.empty()
                                 ? findRole(ArrayRef(ring.puts), refusal)
                                 : findRole(ArrayRef(ring.writes), refusal);
  FailureOr<RoleOp> reader = findRole(ArrayRef(ring.gets), refusal);
  FailureOr<RoleOp> releaser = findRole(ArrayRef(ring.releases), refusal);
  if (failed(writer) || failed(reader) || failed(releaser))
    return failure();
  if (*reader != *releaser)
    return refusal.set(RefusalKind::Other, create,
                       "expected gets and releases in one role");
  ring.writer = *writer;
  ring.reader = *reader;
  if (static_cast<bool>(ring.writer) != static_cast<bool>(ring.reader) ||
      (ring.writer && ring.writer == ring.reader))
    return refusal.set(RefusalKind::Other, create,
                       "expected puts and gets in different roles, or in none");
  if (!ring.writes.empty() && (!ring.writer || ring.writer.getSingle()))
    return refusal.set(RefusalKind::Other, ring.writes.front(),
                       "expected a role of several threads around a write");
  int64_t copiers = !ring.writer ? 1
                    : ring.writer.getSingle()
                        ? ring.writer.getGroups().value_or(1)
                        : ring.writer.getThreads();
  if (ring.getNumCopiers() > copiers)
    return refusal.set(RefusalKind::Other, ring.puts.front(),
                       "expected at most " + Twine(copiers) +
                           " copiers, those of the role around it, got " +
                           Twine(ring.getNumCopiers()));
  if (!ring.writer || (!ring.reader.getSingle() && ring.reader.getGroups()))
    for (RingGetOp get : ring.gets)
      if (!get.getEnds().empty())
        return refusal.set(RefusalKind::Other, get,
                           "expected no ends of tiles without roles, or of "
                           "groups of threads");
  if (!ring.writer)
    for (RingPutOp put : ring.puts)
      if (!findGet(ring, put))
        return refusal.set(RefusalKind::Other, put,
                           "expected a get of the same position behind it in "
                           "its block");
  if (failed(checkShared(ring, launch, refusal)))
    return failure();
  ring.numFull = getNumFull(ring);
  return ring;
}
