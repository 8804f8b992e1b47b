//===- PersistWorkgroups.cpp - Workgroups that compute several tiles ------===//
//
// Replaces a launch of a workgroup for each tile by one of at most as many
// workgroups as the device has processors, with a loop over tiles (a persistent
// kernel). Rings outlive a tile: what copies ahead goes on with the next tile
// while others still compute and store this one.
//
//   1. Find the puts of each ring, whose number a tile tells.
//   2. Build the loop. It carries the number of positions that were used, for
//      each set of rings that are used alike. It is counted modulo a number
//      that slots and phases divide, so that it fits into 32 bits.
//   3. Move the program into the loop, behind its rings.
//
// In one direction, workgroup w of W takes tiles w, W + w, 2 W + w and so on.
// In two, tiles get shorter along a row, and are numbered from both of its
// ends: it takes 2 w and 2 w + 1, then 2 (W + w) and the next one, and so on.
// The last ones may be numbered by length instead (DealtTiles.h). Of these,
// every second round is dealt backwards: it takes w, 2 W - 1 - w, 2 W + w, from
// the first of them on. In pairs, of a long part
// of a sum and of the rest of it, the first L workgroups take the L long ones,
// and the others the rests, by turns.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// Rings that a tile uses in the same way: the loops of their puts, and the
/// number of puts outside of loops.
struct Rings {
  SmallVector<RingCreateOp> rings;
  SmallVector<scf::ForOp> loops;
  int64_t others = 0;
  /// The position after those that earlier tiles used.
  Value before;
};
} // namespace

/// Positions of earlier tiles are counted modulo a number of at most this.
/// Those of one tile are added to it.
static constexpr int64_t kMostPositions = int64_t(1) << 30;

/// The most workgroups of a grid, and the most tiles of a persistent kernel.
static constexpr int64_t kMostTiles = std::numeric_limits<int32_t>::max();

static Value buildIndex(RewriterBase &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// States that `value` is a number of a tile or of tiles, for which 32 bits are
/// enough.
static Value assumeTiles(RewriterBase &b, Location loc, Value value) {
  return b.createOrFold<AssumeOp>(loc, value, /*atLeast=*/0, kMostTiles);
}

/// Collects the rings of `launch`. Fails if the number of puts is not known
/// before all loops.
static FailureOr<SmallVector<Rings>> collectRings(gpu::LaunchOp launch,
                                                  Refusal &refusal) {
  SmallVector<Rings> all;
  for (auto create : launch.getBody().front().getOps<RingCreateOp>()) {
    Rings used;
    used.rings = {create};
    for (Operation *user : create.getRing().getUsers()) {
      // Several tiles are written to a position.
      auto write = dyn_cast<RingWriteOp>(user);
      if (!isa<RingPutOp, RingWriteOp>(user) ||
          (write && write.getNumber() != 0))
        continue;
      auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
      if (user->getParentOp() == launch)
        ++used.others;
      else if (loop && loop->getParentOp() == launch)
        used.loops.push_back(loop);
      else
        return refusal.set(RefusalKind::Other, user,
                           "a tile is copied in a branch, or in a loop in a "
                           "loop");
    }
    llvm::sort(used.loops, [](scf::ForOp a, scf::ForOp b) {
      return a != b && a->isBeforeInBlock(b);
    });
    auto *alike = llvm::find_if(all, [&](const Rings &other) {
      return other.loops == used.loops && other.others == used.others;
    });
    if (alike == all.end())
      all.push_back(used);
    else
      alike->rings.push_back(create);
  }
  return all;
}

/// Fails if `launch` contains ops that a loop over tiles cannot contain, or
/// would change.
static LogicalResult checkLaunch(gpu::LaunchOp launch, Refusal &refusal) {
  if (!launch.getBody().hasOneBlock() ||
      launch.getNumWorkgroupAttributions() != 0 ||
      launch.getNumPrivateAttributions() != 0 ||
      !isConstantIntValue(launch.getGridSizeY(), 1) ||
      !isConstantIntValue(launch.getGridSizeZ(), 1))
    return refusal.set(RefusalKind::Other, launch,
                       "expected a program of one block, in a grid of one "
                       "dimension");
  WalkResult walk = launch.walk([&](Operation *op) -> WalkResult {
    if (isa<RoleOp>(op) || isBarrier(op) ||
        isa<gpu::BlockIdOp, gpu::GridDimOp>(op))
      return refusal.set(RefusalKind::Other, op,
                         "expected a program without roles, barriers and ops "
                         "for the number of the workgroup");
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

namespace {
/// The number of a workgroup and their count, and the order of tiles: one
/// direction if the others are null. The first `inPairs` tiles are dealt in
/// pairs, in `rounds` of single tiles, and the others by length. `pairs` are a
/// long tile and a short one each, fewer than there are workgroups.
struct Dealt {
  Value id, workgroups, inPairs, rounds, pairs;

  /// Whether the workgroup takes a long tile of the pairs.
  Value buildIsLong(RewriterBase &b, Location loc) const {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, id,
                                         pairs);
  }
};
} // namespace

/// Builds the place of a workgroup in `round` of tiles that are ordered by
/// length.
static Value buildPlace(RewriterBase &b, Location loc, Value round,
                        const Dealt &dealt) {
  Value last = b.createOrFold<arith::SubIOp>(loc, dealt.workgroups,
                                             buildIndex(b, loc, 1));
  Value isBackward = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne,
      b.createOrFold<arith::RemUIOp>(loc, round, buildIndex(b, loc, 2)),
      buildIndex(b, loc, 0));
  Value back =
      assumeTiles(b, loc, b.createOrFold<arith::SubIOp>(loc, last, dealt.id));
  return b.createOrFold<arith::SelectOp>(loc, isBackward, back, dealt.id);
}

/// Builds how many of `total` tiles a workgroup takes.
static Value buildNumTiles(RewriterBase &b, Location loc, Value total,
                           const Dealt &dealt) {
  auto count = [&](Value tiles, int64_t consecutive, bool isByLength) {
    Value size = buildIndex(b, loc, consecutive);
    Value round = b.createOrFold<arith::MulIOp>(loc, dealt.workgroups, size);
    // A division of 64 bits would be a call.
    auto parts = affine::AffineDelinearizeIndexOp::create(
        b, loc, assumeTiles(b, loc, tiles), ArrayRef<OpFoldResult>{round},
        /*hasOuterBound=*/false);
    Value rounds = parts.getResult(0), left = parts.getResult(1);
    Value first = isByLength
                      ? buildPlace(b, loc, rounds, dealt)
                      : b.createOrFold<arith::MulIOp>(loc, dealt.id, size);
    // In the last round, only some workgroups have a tile.
    Value last = b.createOrFold<arith::MinSIOp>(
        loc,
        b.createOrFold<arith::MaxSIOp>(
            loc, b.createOrFold<arith::SubIOp>(loc, left, first),
            buildIndex(b, loc, 0)),
        size);
    return b.createOrFold<arith::AddIOp>(
        loc, b.createOrFold<arith::MulIOp>(loc, rounds, size), last);
  };
  if (dealt.pairs) {
    // Those behind the long ones share the short ones.
    Value others =
        b.createOrFold<arith::SubIOp>(loc, dealt.workgroups, dealt.pairs);
    Value place = b.createOrFold<arith::SubIOp>(loc, dealt.id, dealt.pairs);
    auto parts = affine::AffineDelinearizeIndexOp::create(
        b, loc, assumeTiles(b, loc, dealt.pairs),
        ArrayRef<OpFoldResult>{getAsOpFoldResult(others)},
        /*hasOuterBound=*/false);
    Value hasMore = b.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ult, place, parts.getResult(1));
    Value one = buildIndex(b, loc, 1);
    Value more = b.createOrFold<arith::SelectOp>(loc, hasMore, one,
                                                 buildIndex(b, loc, 0));
    Value rests = b.createOrFold<arith::AddIOp>(loc, parts.getResult(0), more);
    return assumeTiles(b, loc,
                       b.createOrFold<arith::SelectOp>(
                           loc, dealt.buildIsLong(b, loc), one, rests));
  }
  if (!dealt.inPairs)
    return assumeTiles(b, loc, count(total, 1, /*isByLength=*/false));
  Value inPairs = count(dealt.inPairs, 2, /*isByLength=*/false);
  Value byLength =
      count(b.createOrFold<arith::SubIOp>(loc, total, dealt.inPairs), 1,
            /*isByLength=*/true);
  return assumeTiles(b, loc,
                     b.createOrFold<arith::AddIOp>(loc, inPairs, byLength));
}

/// Builds tile `number` of a workgroup, counted from 0.
static Value buildTile(RewriterBase &b, Location loc, Value number,
                       const Dealt &dealt) {
  auto add = [&](Value round, Value place) {
    return b.createOrFold<arith::AddIOp>(
        loc, b.createOrFold<arith::MulIOp>(loc, round, dealt.workgroups),
        place);
  };
  if (dealt.pairs) {
    Value others =
        b.createOrFold<arith::SubIOp>(loc, dealt.workgroups, dealt.pairs);
    Value rest = b.createOrFold<arith::AddIOp>(
        loc, b.createOrFold<arith::MulIOp>(loc, number, others), dealt.id);
    return b.createOrFold<arith::SelectOp>(loc, dealt.buildIsLong(b, loc),
                                           dealt.id, rest);
  }
  if (!dealt.inPairs)
    return add(number, dealt.id);
  // If there are tiles behind those in pairs, these are whole rounds, and an
  // even number of them. So both orders begin round `number` at the same tile.
  Value two = buildIndex(b, loc, 2);
  Value isInPairs = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, number, dealt.rounds);
  Value odd = b.createOrFold<arith::RemUIOp>(loc, number, two);
  Value first = b.createOrFold<arith::SelectOp>(
      loc, isInPairs, b.createOrFold<arith::SubIOp>(loc, number, odd), number);
  Value place = b.createOrFold<arith::SelectOp>(
      loc, isInPairs,
      b.createOrFold<arith::AddIOp>(
          loc, b.createOrFold<arith::MulIOp>(loc, dealt.id, two), odd),
      buildPlace(b, loc, number, dealt));
  return add(first, place);
}

/// Returns a number of positions after which slots and phases of `rings`
/// repeat.
static int64_t getPeriod(ArrayRef<RingCreateOp> rings) {
  int64_t least = 1;
  for (RingCreateOp ring : rings)
    least = std::lcm(least, 2 * ring.getRing().getType().getSlots());
  return kMostPositions / least * least;
}

/// Adds `before` to all positions of `ring`.
static void shiftPositions(RewriterBase &b, RingCreateOp ring, Value before) {
  for (Operation *user : ring.getRing().getUsers()) {
    OpOperand *position = nullptr;
    if (auto put = dyn_cast<RingPutOp>(user))
      position = &put.getPositionMutable();
    else if (auto write = dyn_cast<RingWriteOp>(user))
      position = &write.getPositionMutable();
    else if (auto get = dyn_cast<RingGetOp>(user))
      position = &get.getPositionMutable();
    else
      position = &cast<RingReleaseOp>(user).getPositionMutable();
    b.setInsertionPoint(user);
    Value shifted =
        b.createOrFold<arith::AddIOp>(user->getLoc(), before, position->get());
    b.modifyOpInPlace(user, [&] { position->set(shifted); });
  }
}

/// Makes the rings in `alike` begin each iteration of `loop` over tiles at the
/// position after that of the previous tile. If loops use the rings, `loop`
/// carries this position as number `carried`, and the next position is
/// returned.
static Value advance(RewriterBase &b, Rings &alike, scf::ForOp loop,
                     unsigned carried) {
  Location loc = loop.getLoc();
  Value next;
  if (alike.loops.empty()) {
    b.setInsertionPointToStart(loop.getBody());
    alike.before = b.createOrFold<arith::MulIOp>(
        loc, loop.getInductionVar(), buildIndex(b, loc, alike.others));
  } else {
    int64_t period = getPeriod(alike.rings);
    b.setInsertionPointToStart(loop.getBody());
    alike.before = b.createOrFold<AssumeOp>(loc, loop.getRegionIterArg(carried),
                                            /*atLeast=*/0, period - 1);
    b.setInsertionPointToEnd(loop.getBody());
    next = b.createOrFold<arith::AddIOp>(loc, alike.before,
                                         buildIndex(b, loc, alike.others));
    for (scf::ForOp inner : alike.loops)
      next = b.createOrFold<arith::AddIOp>(loc, next,
                                           buildNumIterations(b, loc, inner));
    next =
        b.createOrFold<arith::RemUIOp>(loc, next, buildIndex(b, loc, period));
  }
  for (RingCreateOp ring : alike.rings)
    shiftPositions(b, ring, alike.before);
  return next;
}

/// Builds the number of workgroups of a kernel with `total` tiles: the number
/// of processors. If tiles are dealt in pairs, because `inPairs` is neither
/// null nor 0, half as many are needed.
static Value buildGrid(RewriterBase &b, Location loc, Value total,
                       Value inPairs, int64_t processors) {
  Value groups = total;
  if (inPairs)
    groups = b.createOrFold<arith::SelectOp>(
        loc,
        b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, inPairs,
                                      buildIndex(b, loc, 0)),
        total,
        b.createOrFold<arith::CeilDivUIOp>(loc, total, buildIndex(b, loc, 2)));
  Value grid = b.createOrFold<arith::MinSIOp>(loc, groups,
                                              buildIndex(b, loc, processors));
  // Too many tiles are rejected at launch, as for other kernels.
  Value isTooMany = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sgt, total, buildIndex(b, loc, kMostTiles));
  return b.createOrFold<arith::SelectOp>(loc, isTooMany, total, grid);
}

/// Builds the number of tiles that each of `grid` workgroups takes of the first
/// `inPairs` tiles. If there are tiles behind those, these are whole rounds.
static Value buildRounds(RewriterBase &b, Location loc, Value grid,
                         Value inPairs) {
  Value two = buildIndex(b, loc, 2);
  Value ofRound = b.createOrFold<arith::MaxSIOp>(
      loc, b.createOrFold<arith::MulIOp>(loc, grid, two), two);
  return b.createOrFold<arith::MulIOp>(
      loc, b.createOrFold<arith::CeilDivUIOp>(loc, inPairs, ofRound), two);
}

FailureOr<int64_t> mlir::vector_ext::persistWorkgroups(RewriterBase &b,
                                                       gpu::LaunchOp launch,
                                                       int64_t directions,
                                                       Refusal &refusal) {
  if (directions < kDealtInOrder || directions > kDealtInPairs)
    return refusal.set(RefusalKind::Other, launch,
                       "expected 1 or 2 directions, or 3 for pairs, got " +
                           Twine(directions));
  FailureOr<SmallVector<Rings>> rings = collectRings(launch, refusal);
  if (failed(rings))
    return failure();
  if (rings->empty())
    return 0;
  FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
  if (failed(target))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  if (failed(checkLaunch(launch, refusal)))
    return failure();
  std::optional<int64_t> tiles = getConstantIntValue(launch.getGridSizeX());
  // The workgroups of a cluster take consecutive tiles, as many each.
  int64_t cluster = 1;
  if (launch.hasClusterSize()) {
    cluster = getConstantIntValue(launch.getClusterSizeX()).value_or(0);
    if (cluster < 1 || cluster > target->processors || directions != kDealtInOrder ||
        !tiles || *tiles % cluster != 0)
      return refusal.set(RefusalKind::Other, launch,
                         "expected tiles in one direction, and a known "
                         "multiple of the workgroups of a cluster");
  }
  if (directions == kDealtInPairs &&
      (!tiles || *tiles % 2 != 0 || *tiles / 2 >= target->processors))
    return refusal.set(
        RefusalKind::Other, launch,
        "expected a known number of pairs of tiles, fewer than " +
            Twine(target->processors) + " processors");

  // Build the grid.
  Location loc = launch.getLoc();
  Value total = launch.getGridSizeX();
  b.setInsertionPoint(launch);
  Value inPairs, rounds;
  if (directions == kDealtInTwoDirections)
    inPairs = buildTilesInPairs(b, loc, total, target->processors);
  Value grid =
      buildGrid(b, loc, total, inPairs, target->processors / cluster * cluster);
  if (inPairs)
    rounds = buildRounds(b, loc, grid, inPairs);
  b.modifyOpInPlace(launch, [&] { launch.getGridSizeXMutable().assign(grid); });

  // Build the loop.
  Block &body = launch.getBody().front();
  Value id = launch.getBlockIds().x, workgroups = launch.getGridSize().x;
  b.replaceAllUsesWith(workgroups, total);
  SmallVector<Operation *> program;
  for (Operation &op : body.without_terminator())
    if (!isa<RingCreateOp>(op))
      program.push_back(&op);
  Operation *start = program.empty() ? body.getTerminator() : program.front();
  for (Rings &alike : *rings)
    for (RingCreateOp ring : alike.rings)
      b.moveOpBefore(ring, start);
  b.setInsertionPoint(body.getTerminator());
  Value zero = buildIndex(b, loc, 0);
  Dealt dealt{id, workgroups, inPairs, rounds, Value()};
  if (directions == kDealtInPairs)
    dealt.pairs = buildIndex(b, loc, *tiles / 2);
  Value count = buildNumTiles(b, loc, total, dealt);
  SmallVector<Value> inits(
      llvm::count_if(*rings, [](Rings &alike) { return !alike.loops.empty(); }),
      zero);
  auto loop =
      scf::ForOp::create(b, loc, zero, count, buildIndex(b, loc, 1), inits);
  if (inits.empty())
    b.eraseOp(loop.getBody()->getTerminator());
  b.setInsertionPointToStart(loop.getBody());
  Value tile =
      assumeTiles(b, loc, buildTile(b, loc, loop.getInductionVar(), dealt));

  // Move the program.
  for (Operation *op : program)
    op->moveBefore(loop.getBody(), loop.getBody()->end());
  llvm::SmallPtrSet<Operation *, 32> moved(program.begin(), program.end());
  b.replaceUsesWithIf(id, tile, [&](OpOperand &use) {
    Operation *here = loop.getBody()->findAncestorOpInBlock(*use.getOwner());
    return here && moved.contains(here);
  });
  SmallVector<Value> used;
  for (Rings &alike : *rings)
    if (Value next = advance(b, alike, loop, used.size()))
      used.push_back(next);
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, loc, used);
  return 1;
}
