//===- LowerRings.cpp - Rings to memory, barriers and copies --------------===//
//
// A slot has a *full* barrier, whose phase ends when its tiles have arrived.
// Position n is in slot n mod slots, and in phase n / slots of its barriers. Of
// full barriers there may be more (getNumFull).
//
// With roles, a slot also has an *empty* barrier, at which the threads that
// read the tiles arrive:
//
//   put      wait for phase n / slots - 1 of empty; start the copies
//   get      wait for phase n / slots of full
//   write    wait for phase n / slots - 1 of empty, unless another write of
//            the position has; all threads of the role write, and arrive at
//            full
//   release  a thread of each subgroup arrives at empty; of the group that has
//            the tile, if groups have tiles of their own. If threads load the
//            tile, a fence orders their loads before the next copy
//
// If several threads copy, each of them waits, and then starts its copies and
// arrives at full. Threads of one subgroup could only start copies in turn,
// each in its own branch. So each computes its places, and the first one gets
// them by shuffles and starts all copies.
//
// A get with ends then writes zeros behind them, and all threads that read the
// tile wait for each other.
//
// Workgroups of a cluster may share tiles. Each copies a part of such a tile to
// the slots of all, and waits at its own barriers only. So a slot is empty when
// threads of all of them have arrived there:
//
//   release  lane w of each subgroup arrives at empty of workgroup w
//
// The barriers of others exist behind a barrier of the cluster, and until they
// end, which they do behind another one.
//
// A tile that is stored through shared memory has memory of its own. Subgroups
// share nothing of it, so none waits for another one:
//
//   wait until the copies of this subgroup have read its last part; all lanes
//   write the part, and fence what they have written; one lane starts copies
//
// Without roles, one of the threads that compute starts the copies, and a
// barrier of all threads frees a slot. A put in a loop is moved forward by
// slots - 1 iterations:
//
//   before the loop: a barrier of all threads; puts of the first slots - 1
//                    iterations
//   iteration i: get of i
//                the first op that reads its tiles
//                a barrier of all threads; by then they have awaited the
//                products that read the tiles of iteration i - 1
//                put of i + slots - 1, to the slot of i - 1
//
//===----------------------------------------------------------------------===//

#include "CollapseSources.h"
#include "RingLowering.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

/// Returns the number of workgroups of a cluster of `launch`.
static int64_t getClusterSize(gpu::LaunchOp launch) {
  return launch.hasClusterSize()
             ? getConstantIntValue(launch.getClusterSizeX()).value_or(1)
             : 1;
}

RingLowering::RingLowering(RewriterBase &b, gpu::LaunchOp launch,
                           const TileCopies &target, int64_t lanes)
    : b(b), launch(launch), target(target), lanes(lanes),
      cluster(getClusterSize(launch)) {}

void RingLowering::run(MutableArrayRef<Ring> rings,
                       ArrayRef<StoreTileOp> stores) {
  Location loc = launch.getLoc();
  b.setInsertionPointToStart(&launch.getBody().front());
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  isFirstThread = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        thread, buildIndex(loc, 0));
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  for (Ring &ring : rings)
    for (auto [number, layout] : llvm::enumerate(ring.getType().getLayouts())) {
      auto type = MemRefType::get(
          {ring.getSlots() * ring.getType().getSlotBytes(number)},
          b.getI8Type(), MemRefLayoutAttrInterface(), space);
      auto memory = memref::AllocOp::create(
          b, ring.create.getLoc(), type,
          b.getI64IntegerAttr(getTileAlignment(layout.getLayout())));
      if (ring.writer)
        memory->setAttr(getRingAttrName(), b.getUnitAttr());
      ring.memories.push_back(memory);
    }
  for (Ring &ring : rings) {
    int64_t &most = numCopiers[ring.writer];
    most = std::max(most, ring.getNumCopiers());
  }
  bool hasRoles = false;
  for (Ring &ring : rings) {
    if (ring.writer && !ring.writer.getSingle())
      ring.copiersOfStarter =
          std::gcd(ring.getNumCopiers(),
                   std::max<int64_t>(lanes * numCopiers.at(ring.writer) /
                                         ring.writer.getThreads(),
                                     1));
    ring.full = target.createBarriers(b, loc, isFirstThread, ring.numFull,
                                      ring.getNumArrivals());
    if (!ring.writer)
      continue;
    hasRoles = true;
    if (!ring.isReused())
      continue;
    ring.empty = target.createBarriers(
        b, loc, isFirstThread, ring.getSlots(),
        (ring.isShared ? cluster : 1) *
            (ring.reader.getSingle()
                 ? 1
                 : llvm::divideCeil(ring.reader.getGroupThreads(), lanes)));
  }
  // Without roles, there is a barrier of all threads before the first copy.
  // What threads store in front of the roles is there behind it, too.
  bool isShared =
      llvm::any_of(rings, [](const Ring &ring) { return ring.isShared; });
  if (isShared)
    workgroup = gpu::ClusterBlockIdOp::create(b, loc, gpu::Dimension::x);
  if (isShared || hasRoles) {
    OpBuilder::InsertionGuard guard(b);
    Block &body = launch.getBody().front();
    auto roles = body.getOps<RoleOp>();
    if (!roles.empty())
      b.setInsertionPoint(*roles.begin());
    if (isShared) {
      ClusterBarrierOp::create(b, loc);
      b.setInsertionPoint(body.getTerminator());
      ClusterBarrierOp::create(b, loc);
    } else {
      gpu::BarrierOp::create(b, loc);
    }
  }
  for (Ring &ring : rings)
    for (RingReleaseOp release : ring.releases)
      placesOfReleases[release] = getPlaceOfRelease(ring, release);
  // What one ring becomes writes to memory, and would keep the next one from
  // copying ahead. Rings that are filled outside of loops come last: threads
  // wait for them behind the first copies of a loop.
  SmallVector<Ring *> inOrder, last;
  for (Ring &ring : rings) {
    bool isOfLoop = false;
    for (RingPutOp put : ring.puts)
      if (auto loop = dyn_cast<scf::ForOp>(put->getParentOp())) {
        isOfLoop = true;
        if (mayWrite(loop))
          writingLoops.insert(loop);
      }
    (ring.writer || isOfLoop ? inOrder : last).push_back(&ring);
  }
  llvm::append_range(inOrder, last);
  for (Ring *ring : inOrder) {
    if (ring->writer)
      lowerInRoles(*ring);
    else
      lowerShared(*ring);
    b.eraseOp(ring->create);
  }
  for (StoreTileOp store : stores)
    lowerStore(store);
}

FailureOr<int64_t> mlir::vector_ext::lowerRings(RewriterBase &rewriter,
                                                gpu::LaunchOp launch,
                                                Refusal &refusal) {
  const TileCopies &target = launch.getContext()
                                 ->getLoadedDialect<VectorExtDialect>()
                                 ->getTileCopies();
  SmallVector<RingCreateOp> creates;
  launch.walk([&](RingCreateOp create) { creates.push_back(create); });
  bool anyStores =
      launch.walk([](StoreTileOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (creates.empty() && !anyStores)
    return 0;
  if (!target.start)
    return refusal.set(RefusalKind::Other, launch,
                       "the target has registered no copies of tiles");
  FailureOr<linalg_ext::GPUTarget> device = linalg_ext::getGPUTarget(launch);
  if (failed(device))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  FailureOr<SmallVector<StoreTileOp>> stores =
      checkStores(launch, device->lanes, refusal);
  if (failed(stores))
    return failure();
  SmallVector<Ring, 0> rings;
  for (RingCreateOp create : creates) {
    FailureOr<Ring> ring = checkRing(create, launch, refusal);
    if (failed(ring))
      return failure();
    rings.push_back(*ring);
  }
  for (Ring &ring : rings)
    for (RingPutOp &put : ring.puts)
      put = collapseSources(rewriter, launch, put);
  RingLowering(rewriter, launch, target, device->lanes).run(rings, *stores);
  return static_cast<int64_t>(rings.size());
}
