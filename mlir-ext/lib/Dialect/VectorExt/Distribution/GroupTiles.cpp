//===- GroupTiles.cpp - Groups of threads with tiles of their own ---------===//
//
// The groups of a role that computes tiles in a loop can share each tile. Then
// all of them store their results at the same time, and nobody multiplies. Here
// each group has tiles of its own: one multiplies while another one stores.
//
//   role of G groups:
//     loop over tiles g, G + g, 2 G + g, ...   (g: the number of the group)
//       take the turn
//       loop of products
//       pass the turn
//       results
//
// The role that copies, and so the positions of rings, stay as they were: they
// count the tiles of all groups. What the loop over tiles carries follows from
// the number of the iteration. So a group also computes what it would be behind
// the iterations of the others.
//
// A group that has the turn multiplies alone. So the products of an iteration
// stay open while the next ones are started, and a tile is released one
// iteration later:
//
//     loop of products:      get n; start products n; await earlier ones;
//                            release n - 1
//     behind it:             pass the turn; await products; release the last
//
// So do those of a workgroup that is alone on its processor, without turns.
//
//===----------------------------------------------------------------------===//

#include "GroupTiles.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Support/LoopSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

static Value buildIndex(RewriterBase &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

//===----------------------------------------------------------------------===//
// The loop over tiles
//===----------------------------------------------------------------------===//

/// Returns whether `value` can be computed without effects for any iteration of
/// `loop`, from its number and the values carried into it. `seen` has the
/// values on which others depend.
static bool followsFromCarried(Value value, scf::ForOp loop,
                               llvm::DenseSet<Value> &seen) {
  if (isa<VectorType>(value.getType()))
    return false;
  if (loop.isDefinedOutsideOfLoop(value) || !seen.insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == loop.getBody();
  return op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
         isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return followsFromCarried(operand, loop, seen);
         });
}

/// Returns the loops of asynchronous products in the body of `tiles`.
static SmallVector<scf::ForOp> getProductLoops(scf::ForOp tiles) {
  return llvm::filter_to_vector(
      tiles.getBody()->getOps<scf::ForOp>(), [](scf::ForOp loop) {
        return llvm::any_of(*loop.getBody(), [](Operation &op) {
          return getAsyncIntrinsic(&op) != nullptr;
        });
      });
}

/// Returns whether groups of threads can tell the tile of `get` from the tiles
/// of other groups. They get it in their turn, from the first of `loops` to the
/// last one, or once for each iteration of `tiles` (LowerRings).
static bool isOwnGet(RingGetOp get, scf::ForOp tiles,
                     ArrayRef<scf::ForOp> loops) {
  Operation *here = tiles.getBody()->findAncestorOpInBlock(*get);
  if (here == get)
    return llvm::count_if(get.getRing().getUsers(), llvm::IsaPred<RingGetOp>) ==
           1;
  return !loops.empty() && !here->isBeforeInBlock(loops.front()) &&
         !loops.back()->isBeforeInBlock(here);
}

FailureOr<scf::ForOp> mlir::vector_ext::findTileLoop(gpu::LaunchOp launch,
                                                     Refusal &refusal) {
  scf::ForOp tiles;
  for (Operation &op : launch.getBody().front().without_terminator()) {
    if (isa<RingCreateOp>(op) || isMemoryEffectFree(&op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || tiles)
      return refusal.set(RefusalKind::Other, &op,
                         "expected one loop over tiles, and nothing beside it");
    tiles = loop;
  }
  if (!tiles)
    return refusal.set(RefusalKind::Other, launch,
                       "expected a loop over tiles");
  llvm::DenseSet<Value> seen;
  for (Value yielded : tiles.getYieldedValues())
    if (!followsFromCarried(yielded, tiles, seen))
      return refusal.set(RefusalKind::Other, tiles,
                         "what the loop over tiles carries follows from more "
                         "than the number of a tile");
  SmallVector<scf::ForOp> loops = getProductLoops(tiles);
  WalkResult walk = tiles.walk([&](RingGetOp get) -> WalkResult {
    if (!get.getEnds().empty())
      return refusal.set(RefusalKind::Other, get,
                         "the threads of all groups write zeros behind a tile");
    if (!isOwnGet(get, tiles, loops))
      return refusal.set(RefusalKind::Other, get,
                         "groups would get tiles outside of their turns, and "
                         "more than one of the ring");
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return tiles;
}

/// Builds the values that `loop` carries after iteration `number`, if it
/// carries `values` into it. `yielded` are the values that it yields.
static SmallVector<Value> buildBehind(RewriterBase &b, scf::ForOp loop,
                                      Value number, ValueRange values,
                                      ValueRange yielded) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), number);
  mapping.map(loop.getRegionIterArgs(), values);
  return llvm::map_to_vector(yielded, [&](Value value) {
    return linalg_ext::cloneForIteration(b, loop, value, mapping);
  });
}

/// Makes `loop` execute every `groups`-th iteration, starting with that of
/// `group`.
static void dealIterations(RewriterBase &b, scf::ForOp loop, Value group,
                           int64_t groups) {
  Location loc = loop.getLoc();
  auto getNumber = [&](Value first, int64_t ahead) {
    return b.createOrFold<arith::AddIOp>(
        loc, first,
        b.createOrFold<arith::MulIOp>(loc, loop.getStep(),
                                      buildIndex(b, loc, ahead)));
  };
  SmallVector<Value> yielded(loop.getYieldedValues());
  b.setInsertionPoint(loop);
  SmallVector<Value> before(loop.getInitArgs()), inits = before;
  for (int64_t i = 1; i < groups; ++i) {
    before = buildBehind(b, loop, getNumber(loop.getLowerBound(), i - 1),
                         before, yielded);
    Value isGroup = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                                  group, buildIndex(b, loc, i));
    for (auto [init, value] : llvm::zip_equal(inits, before))
      init = b.createOrFold<arith::SelectOp>(loc, isGroup, value, init);
  }
  Value first = b.createOrFold<arith::AddIOp>(
      loc, loop.getLowerBound(),
      b.createOrFold<arith::MulIOp>(loc, group, loop.getStep()));
  Operation *yield = loop.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  SmallVector<Value> behind = yielded;
  for (int64_t i = 1; i < groups; ++i)
    behind = buildBehind(b, loop, getNumber(loop.getInductionVar(), i), behind,
                         yielded);
  b.modifyOpInPlace(yield, [&] { yield->setOperands(behind); });
  b.setInsertionPoint(loop);
  Value step = b.createOrFold<arith::MulIOp>(loc, loop.getStep(),
                                             buildIndex(b, loc, groups));
  b.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(first);
    loop.setStep(step);
    loop.getInitArgsMutable().assign(inits);
  });
}

//===----------------------------------------------------------------------===//
// Products that stay open
//===----------------------------------------------------------------------===//

/// Returns the only product of `loop`, if it is asynchronous, adds to a carried
/// value, and has no other use. Returns null otherwise.
static vector::ContractionOp getCarriedProduct(scf::ForOp loop) {
  vector::ContractionOp product;
  for (auto contract : loop.getBody()->getOps<vector::ContractionOp>()) {
    if (product || !getAsyncIntrinsic(contract))
      return {};
    product = contract;
  }
  if (!product || product->hasAttr(getShortSumsAttrName()))
    return {};
  auto acc = dyn_cast<BlockArgument>(product.getAcc());
  Operation *yield = loop.getBody()->getTerminator();
  if (!acc || acc.getOwner() != loop.getBody() ||
      acc == loop.getInductionVar() || !acc.hasOneUse() ||
      !product->hasOneUse() || *product->user_begin() != yield ||
      loop.getTiedLoopYieldedValue(acc)->get() != product.getResult())
    return {};
  return product;
}

/// Returns whether a slot of `ring` may be filled again behind `loop`: the loop
/// is in another one, or something else gets tiles.
static bool isFilledAgain(Value ring, scf::ForOp loop) {
  return !isa<RoleOp>(loop->getParentOp()) ||
         llvm::any_of(ring.getUsers(), [&](Operation *user) {
           return isa<RingGetOp>(user) && !loop->isAncestor(user);
         });
}

/// If `loop` has one such product and no others, leaves its products open, and
/// releases the tiles that they read one iteration later.
static void releaseLater(RewriterBase &b, scf::ForOp loop) {
  vector::ContractionOp product = getCarriedProduct(loop);
  if (!product)
    return;
  SmallVector<RingReleaseOp> releases;
  for (auto release : loop.getBody()->getOps<RingReleaseOp>())
    releases.push_back(release);
  // With one slot, the next tile would wait for the release after it.
  bool mayWait = llvm::any_of(releases, [&](RingReleaseOp release) {
    return release.getRing().getType().getSlots() < 2 ||
           release.getCondition() || release->isBeforeInBlock(product);
  });
  if (releases.empty() || mayWait)
    return;
  Location loc = loop.getLoc();
  b.setInsertionPointAfter(product);
  AwaitEarlierOp::create(b, loc, product.getResult());
  b.setInsertionPoint(loop);
  // In the first iteration, no position is released yet, so any value will do.
  SmallVector<Value> inits(releases.size(), buildIndex(b, loc, 0));
  unsigned numBefore = loop.getNumRegionIterArgs();
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      b, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        SmallVector<Value> positions;
        for (RingReleaseOp release : releases)
          positions.push_back(release.getPosition());
        return positions;
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  loop = cast<scf::ForOp>(**replaced);
  b.setInsertionPoint(releases.front());
  Value isLater = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                                loop.getInductionVar(),
                                                loop.getLowerBound());
  for (auto it : llvm::enumerate(releases)) {
    RingReleaseOp release = it.value();
    Value position = loop.getRegionIterArg(numBefore + it.index());
    b.modifyOpInPlace(release, [&] {
      release.getPositionMutable().assign(position);
      release.getConditionMutable().assign(isLater);
    });
  }
  Operation *last = loop;
  while (isa<TurnPassOp>(last->getNextNode()))
    last = last->getNextNode();
  b.setInsertionPointAfter(last);
  Value isAny = b.createOrFold<arith::CmpIOp>(
      loc,
      loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                            : arith::CmpIPredicate::slt,
      loop.getLowerBound(), loop.getUpperBound());
  if (isConstantIntValue(isAny, 1))
    isAny = {};
  for (auto [i, release] : llvm::enumerate(releases))
    if (isFilledAgain(release.getRing(), loop))
      RingReleaseOp::create(b, loc, release.getRing(),
                            loop.getResult(numBefore + i), isAny);
}

void mlir::vector_ext::leaveProductsOpen(RewriterBase &b, RoleOp role) {
  SmallVector<scf::ForOp> loops;
  role.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    releaseLater(b, loop);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void mlir::vector_ext::dealTilesToGroups(RewriterBase &b, RoleOp role,
                                         scf::ForOp loop) {
  Location loc = loop.getLoc();
  int64_t groups = *role.getGroups();
  b.setInsertionPoint(loop);
  Value group = RoleGroupOp::create(b, loc);
  Value count = buildNumIterations(b, loc, loop);
  dealIterations(b, loop, group, groups);

  // Groups have their turn from the first loop of products to the last one.
  SmallVector<scf::ForOp> loops = getProductLoops(loop);
  if (loops.empty())
    return;
  b.setInsertionPoint(loops.front());
  TurnTakeOp::create(b, loc, groups);
  b.setInsertionPointAfter(loops.back());
  TurnPassOp::create(b, loc, groups);
  for (scf::ForOp inner : loops)
    releaseLater(b, inner);

  // All groups take the same number of turns.
  b.setInsertionPointAfter(loop);
  Value rest =
      b.createOrFold<arith::RemUIOp>(loc, count, buildIndex(b, loc, groups));
  Value lacksTile = b.createOrFold<arith::AndIOp>(
      loc,
      b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, rest,
                                    buildIndex(b, loc, 0)),
      b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::uge, group,
                                    rest));
  auto branch = scf::IfOp::create(b, loc, lacksTile, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
  TurnTakeOp::create(b, loc, groups);
  TurnPassOp::create(b, loc, groups);
}
