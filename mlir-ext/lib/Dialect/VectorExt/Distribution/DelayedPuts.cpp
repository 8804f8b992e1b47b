//===- DelayedPuts.cpp - Copies behind those of the next product ----------===//
//
// In a rotated loop, the first product of an iteration is issued in front of
// the last one of the iteration before it, also if the next tile begins early.
// The slot of its operand is free earlier, too. But the thread that copies
// would wait for the slot of the other operand in between:
//
//   for each tile                    for each tile
//     put queries                      put queries
//     for each iteration               for each iteration
//       put keys n                       put keys n
//       put values n                     put values n - 1, if there are some
//                                    put the last values
//
// Behind the last iteration of a tile come the queries and the first keys of
// the next one, then the last values. The loops carry the position and the
// indices of the put that is left, and which one that is: puts of loops with
// masks may have other sources.
//
// A tile of one iteration does not wait for the next one: its values are put at
// the end of the tile, if rings have two slots.
//
// Nobody waits for ever: the thread that copies waits for the slot of keys n,
// which is free behind the product of keys n - 2 (two slots). That does not
// wait for values n - 1. Queries have two slots, too, since tiles begin early.
//
//===----------------------------------------------------------------------===//

#include "DelayedPuts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;

namespace {
/// Delays the puts of a ring.
class Delayer {
public:
  Delayer(RewriterBase &b, ArrayRef<RingPutOp> puts, scf::ForOp tiles)
      : b(b), puts(puts), tiles(tiles), loc(tiles.getLoc()) {}

  void run();

private:
  SmallVector<Value> getPlaces(RingPutOp put);
  void put(ValueRange carried);
  void putOfShortTile(scf::ForOp last, SmallVectorImpl<Value> &left);
  ValueRange delayIn(scf::ForOp loop, ValueRange inits);

  RewriterBase &b;
  SmallVector<RingPutOp, 2> puts;
  scf::ForOp tiles;
  Location loc;
  /// The operands of each put, of which those that are carried are not used.
  SmallVector<SmallVector<Value>, 2> operands;
  DictionaryAttr attrs;
  /// The numbers of the operands that are carried: the others are the same for
  /// all puts, and constant, or are sources.
  SmallVector<unsigned> numbers;
};
} // namespace

/// Returns whether `a` and `b` are the same constant, or the same value.
static bool areSame(Value a, Value b) {
  Attribute ofA, ofB;
  return a == b || (matchPattern(a, m_Constant(&ofA)) &&
                    matchPattern(b, m_Constant(&ofB)) && ofA == ofB);
}

/// Returns whether `value` is there in front of `loop`, or is a constant.
static bool isOutside(Value value, scf::ForOp loop) {
  return loop.isDefinedOutsideOfLoop(value) ||
         matchPattern(value, m_Constant());
}

SmallVector<Value> Delayer::getPlaces(RingPutOp put) {
  return llvm::map_to_vector(
      numbers, [&](unsigned number) { return put->getOperand(number); });
}

/// Builds the put that is left, if there is one. `carried` has its number, from
/// 1 on, and the operands that differ.
void Delayer::put(ValueRange carried) {
  for (auto [i, all] : llvm::enumerate(operands)) {
    OpBuilder::InsertionGuard guard(b);
    Value isLeft = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, carried.front(),
        arith::ConstantIndexOp::create(b, loc, static_cast<int64_t>(i) + 1));
    auto branch = scf::IfOp::create(b, loc, isLeft, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenYield());
    SmallVector<Value> values(all);
    for (auto [number, value] : llvm::zip_equal(numbers, carried.drop_front()))
      values[number] = value;
    RingPutOp::create(b, loc, TypeRange(), values, attrs.getValue());
  }
}

/// Delays the put in `loop` by an iteration. `inits` describe the put that is
/// left in front of it. Returns the values of that behind it.
ValueRange Delayer::delayIn(scf::ForOp loop, ValueRange inits) {
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      b, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
        auto *found = llvm::find_if(puts, [&](RingPutOp put) {
          return put && put->getParentOp() == loop;
        });
        b.setInsertionPoint(*found);
        SmallVector<Value> left{arith::ConstantIndexOp::create(
            b, loc, std::distance(puts.begin(), found) + 1)};
        left.append(getPlaces(*found));
        SmallVector<Value> before(carried.begin(), carried.end());
        put(before);
        b.eraseOp(*found);
        *found = RingPutOp();
        return left;
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  return (*replaced)->getResults().take_back(inits.size());
}

/// Builds the put that is left behind `last`, the last loop of a tile, if that
/// has no iteration. Its values are needed soon. With more than two slots, they
/// may come later (docs/Decisions/0178).
void Delayer::putOfShortTile(scf::ForOp last, SmallVectorImpl<Value> &left) {
  b.setInsertionPointAfter(last);
  Value isShort =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                            last.getLowerBound(), last.getUpperBound());
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> now(left.begin(), left.end());
  now.front() = arith::SelectOp::create(b, loc, isShort, left.front(), none);
  put(now);
  left.front() = arith::SelectOp::create(b, loc, isShort, none, left.front());
}

void Delayer::run() {
  RingPutOp first = puts.front();
  bool hasTwoSlots = cast<RingType>(first.getRing().getType()).getSlots() == 2;
  attrs = first->getAttrDictionary();
  auto [firstSource, numSources] = first.getODSOperandIndexAndLength(2);
  b.setInsertionPoint(tiles);
  for (RingPutOp put : puts)
    operands.emplace_back(put->getOperands());
  for (unsigned i = 0; i < first->getNumOperands(); ++i) {
    Value value = first->getOperand(i);
    if (i >= firstSource && i < firstSource + numSources)
      continue;
    bool isSame = llvm::all_of(puts, [&](RingPutOp put) {
      return areSame(put->getOperand(i), value);
    });
    if (!isSame || !isOutside(value, tiles))
      numbers.push_back(i);
    else if (!tiles.isDefinedOutsideOfLoop(value))
      value = b.clone(*value.getDefiningOp())->getResult(0);
    for (SmallVector<Value> &all : operands)
      all[i] = value;
  }
  SmallVector<Value> inits(numbers.size() + 1,
                           arith::ConstantIndexOp::create(b, loc, 0));
  FailureOr<LoopLikeOpInterface> replaced = tiles.replaceWithAdditionalYields(
      b, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
        SmallVector<Value> left(carried.begin(), carried.end());
        scf::ForOp last;
        bool hasOthers = puts.size() > 1;
        for (auto loop : llvm::to_vector(tiles.getBody()->getOps<scf::ForOp>()))
          if (llvm::any_of(puts, [&](RingPutOp put) {
                return put && put->getParentOp() == loop;
              })) {
            b.setInsertionPoint(loop);
            ValueRange behind = delayIn(loop, left);
            left.assign(behind.begin(), behind.end());
            last = behind.front().getDefiningOp<scf::ForOp>();
          }
        if (hasOthers && hasTwoSlots)
          putOfShortTile(last, left);
        return left;
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  auto last = cast<scf::ForOp>(**replaced);
  b.setInsertionPointAfter(last);
  SmallVector<Value> left(last.getResults().take_back(inits.size()));
  put(left);
}

/// Returns the puts of `ring`. Fails if others write it.
static FailureOr<SmallVector<RingPutOp>> getPuts(Value ring) {
  SmallVector<RingPutOp> puts;
  for (Operation *user : ring.getUsers())
    if (auto put = dyn_cast<RingPutOp>(user))
      puts.push_back(put);
    else if (isa<RingWriteOp>(user))
      return failure();
  return puts;
}

bool mlir::vector_ext::delayPuts(RewriterBase &b, Value early, Value late) {
  FailureOr<SmallVector<RingPutOp>> ofEarly = getPuts(early),
                                    ofLate = getPuts(late);
  auto ofRing = [](Value ring) { return cast<RingType>(ring.getType()); };
  // Positions that are carried are divided by the slots.
  if (failed(ofEarly) || failed(ofLate) || ofLate->empty() ||
      ofRing(early).getSlots() < 2 || ofRing(late).getSlots() < 2 ||
      !llvm::isPowerOf2_64(ofRing(late).getSlots()))
    return false;
  RingPutOp first = ofLate->front();
  auto role = first->getParentOfType<RoleOp>();
  auto launch = first->getParentOfType<gpu::LaunchOp>();
  if (!role || !role.getSingle() || role.getGroups() || !launch ||
      launch.hasClusterSize())
    return false;
  scf::ForOp tiles;
  llvm::DenseSet<Operation *> loops;
  for (RingPutOp put : *ofLate) {
    auto loop = dyn_cast<scf::ForOp>(put->getParentOp());
    auto outer =
        loop ? dyn_cast<scf::ForOp>(loop->getParentOp()) : scf::ForOp();
    bool isBehind = llvm::any_of(*ofEarly, [&](RingPutOp other) {
      return other->getBlock() == put->getBlock() &&
             other->isBeforeInBlock(put);
    });
    if (!outer || outer->getParentOp() != role || (tiles && outer != tiles) ||
        !isBehind || !loops.insert(loop).second ||
        put->getAttrDictionary() != first->getAttrDictionary() ||
        put.getNumCopiers() != 1 ||
        !llvm::all_of(put.getSources(), [&](Value source) {
          return outer.isDefinedOutsideOfLoop(source);
        }))
      return false;
    tiles = outer;
  }
  Delayer(b, *ofLate, tiles).run();
  return true;
}
