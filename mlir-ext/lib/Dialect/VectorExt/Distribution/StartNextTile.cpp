//===- StartNextTile.cpp - The first product of the next tile -------------===//
//
// In a rotated loop, products of the next iteration run while threads compute.
// At the end of a tile of a persistent kernel there is no next iteration:
// threads wait for the last product, compute and store the result, and then
// wait for the first product of the next tile. This step starts that product
// behind the last one of the tile, so that it runs in the meantime:
//
//   if there are tiles, and they have products
//     wait for the operands of the first tile; start its first product; await
//     for each tile, with the result of its first product
//       ... the loops
//       start the last product
//       wait for the operands of the next tile, if there is one
//       start the first product of the next tile
//       await the last product; compute and store the result
//       await the first product of the next tile, and pass it on, with the
//         indices that say where the next tile is
//   else
//     for each tile: what is done without products
//
// The product is started behind the last tile, too: instructions that are
// started in a branch would be serialised. It then reads tiles that were there
// before, and nobody uses its result.
//
//===----------------------------------------------------------------------===//

#include "StartNextTile.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::vector_ext;

namespace {
/// A first product of a tile, and what belongs to it.
struct FirstProduct {
  vector::ContractionOp contract;
  RingGetOp right;
  AwaitOp await;
};

/// The parts of a loop over tiles.
struct TileLoop {
  scf::ForOp loop;
  /// The branch that has all products, if not all tiles have some for sure.
  scf::IfOp branch;
  /// The branch that chooses among first products, if there are several.
  scf::IfOp choice;
  SmallVector<FirstProduct, 2> firsts;
  /// The left operand of the first products.
  RingGetOp left;
  /// The wait for the last product.
  AwaitOp last;
};
} // namespace

/// Returns whether `value` can be computed in front of an iteration of `loop`,
/// from its induction variable and what it carries. If `isInvariant`, it must
/// depend on neither.
static bool canBuild(Value value, scf::ForOp loop, bool isInvariant) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return !isInvariant && value.getParentBlock() == loop.getBody();
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canBuild(operand, loop, isInvariant);
         });
}

/// Builds `value` of the iteration of `loop` that `values` describes.
static Value build(RewriterBase &b, Value value, scf::ForOp loop,
                   IRMapping &values) {
  if (Value known = values.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || loop.isDefinedOutsideOfLoop(value))
    return value;
  for (Value operand : op->getOperands())
    (void)build(b, operand, loop, values);
  b.clone(*op, values);
  return values.lookup(value);
}

/// Returns the first product of `block`, if it starts from a constant, and
/// `block` waits for its right operand and its result.
static std::optional<FirstProduct> getFirst(Block &block) {
  auto contracts = block.getOps<vector::ContractionOp>();
  vector::ContractionOp contract =
      contracts.empty() ? vector::ContractionOp() : *contracts.begin();
  if (!contract || !getAsyncIntrinsic(contract) || !contract->hasOneUse())
    return std::nullopt;
  auto await = dyn_cast<AwaitOp>(*contract->user_begin());
  auto right = contract.getRhs().getDefiningOp<RingGetOp>();
  if (!await || await->getBlock() != &block || await->getNumOperands() != 1 ||
      !right || right->getBlock() != &block || right->getNumResults() != 1 ||
      !contract.getRhs().hasOneUse() || !right.getEnds().empty() ||
      right.getCondition() || !matchPattern(contract.getAcc(), m_Constant()))
    return std::nullopt;
  return FirstProduct{contract, right, await};
}

/// Returns the parts of `loop`, if the first product of the next tile can be
/// started in each of its iterations.
static std::optional<TileLoop> match(scf::ForOp loop) {
  TileLoop tiles{loop};
  if (!loop->use_empty())
    return std::nullopt;
  auto hasProducts = [](Operation &op) {
    return op
        .walk([](vector::ContractionOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  // 1. The block with the products.
  Block *block = loop.getBody();
  SmallVector<Operation *> ops;
  for (Operation &op : *block)
    if (hasProducts(op))
      ops.push_back(&op);
  if (ops.size() == 1)
    if (auto branch = dyn_cast<scf::IfOp>(ops.front())) {
      if (branch.getElseRegion().empty() ||
          llvm::any_of(*branch.elseBlock(), hasProducts) ||
          !canBuild(branch.getCondition(), loop, /*isInvariant=*/true))
        return std::nullopt;
      tiles.branch = branch;
      block = branch.thenBlock();
      ops.clear();
      for (Operation &op : *block)
        if (hasProducts(op))
          ops.push_back(&op);
    }
  if (ops.size() < 3)
    return std::nullopt;
  // 2. The first products.
  if (auto choice = dyn_cast<scf::IfOp>(ops.front())) {
    if (choice.getElseRegion().empty() ||
        !canBuild(choice.getCondition(), loop, /*isInvariant=*/false))
      return std::nullopt;
    tiles.choice = choice;
    for (Block *side : {choice.thenBlock(), choice.elseBlock()})
      if (std::optional<FirstProduct> first = getFirst(*side))
        tiles.firsts.push_back(*first);
    if (tiles.firsts.size() != 2)
      return std::nullopt;
  } else if (isa<vector::ContractionOp>(ops.front())) {
    std::optional<FirstProduct> first = getFirst(*block);
    if (!first)
      return std::nullopt;
    tiles.firsts.push_back(*first);
  } else {
    return std::nullopt;
  }
  FirstProduct &first = tiles.firsts.front();
  tiles.left = first.contract.getLhs().getDefiningOp<RingGetOp>();
  if (!tiles.left || tiles.left->getBlock() != loop.getBody() ||
      tiles.left->getNumResults() != 1 || !tiles.left.getEnds().empty() ||
      tiles.left.getCondition() ||
      tiles.left.getRing().getType().getSlots() < 2 ||
      !canBuild(tiles.left.getPosition(), loop, /*isInvariant=*/false))
    return std::nullopt;
  for (FirstProduct &other : tiles.firsts)
    if (other.contract->getAttrDictionary() !=
            first.contract->getAttrDictionary() ||
        other.contract.getLhs() != first.contract.getLhs() ||
        other.contract.getAcc() != first.contract.getAcc() ||
        !loop.isDefinedOutsideOfLoop(other.contract.getAcc()) ||
        other.right.getRing() != first.right.getRing() ||
        !canBuild(other.right.getPosition(), loop, /*isInvariant=*/false))
      return std::nullopt;
  if (!llvm::all_of(loop.getYieldedValues(), [&](Value value) {
        return canBuild(value, loop, /*isInvariant=*/false);
      }))
    return std::nullopt;
  // 3. The last product.
  auto last = dyn_cast<vector::ContractionOp>(ops.back());
  tiles.last = last && last->hasOneUse()
                   ? dyn_cast<AwaitOp>(*last->user_begin())
                   : AwaitOp();
  if (!tiles.last || tiles.last->getBlock() != block)
    return std::nullopt;
  return tiles;
}

/// Returns the indices of an iteration of `loop` that follow from its number,
/// and from what it carries, and that other ops use. Computed for the next
/// iteration while products run, they need not be computed when it begins.
/// Comparisons of them are not carried.
static SmallVector<Value> getPlaces(scf::ForOp loop) {
  llvm::SetVector<Operation *> scalars;
  for (Operation &op : *loop.getBody())
    if (op.getNumOperands() != 0 && op.getNumResults() != 0 &&
        llvm::all_of(op.getResultTypes(),
                     [](Type type) {
                       return isa<IndexType>(type) || type.isInteger(1);
                     }) &&
        canBuild(op.getResult(0), loop, /*isInvariant=*/false))
      scalars.insert(&op);
  llvm::SetVector<Value> places;
  auto addUsed = [&](Operation *user, auto &addUsed) -> void {
    for (Value operand : user->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || !scalars.contains(op))
        continue;
      if (isa<IndexType>(operand.getType()))
        places.insert(operand);
      else
        addUsed(op, addUsed);
    }
  };
  loop.getBody()->walk([&](Operation *op) {
    if (!scalars.contains(op) && op != loop.getBody()->getTerminator())
      addUsed(op, addUsed);
  });
  return places.takeVector();
}

namespace {
/// Starts first products of the tiles of a loop.
class Starter {
public:
  Starter(RewriterBase &b, TileLoop &tiles)
      : b(b), tiles(tiles), loop(tiles.loop), loc(tiles.loop.getLoc()) {}

  /// Rewrites the loop, which is executed if it has iterations with products.
  void run();

private:
  Value buildPosition(IRMapping &values);
  vector::ContractionOp start(Value leftPosition, Value rightPosition,
                              Value condition);

  RewriterBase &b;
  TileLoop &tiles;
  scf::ForOp loop;
  Location loc;
};
} // namespace

/// Builds the position of the right operand of the first product of a tile.
Value Starter::buildPosition(IRMapping &values) {
  SmallVector<Value> positions =
      llvm::map_to_vector(tiles.firsts, [&](FirstProduct &first) {
        return build(b, first.right.getPosition(), loop, values);
      });
  if (!tiles.choice)
    return positions.front();
  return b.createOrFold<arith::SelectOp>(
      loc, build(b, tiles.choice.getCondition(), loop, values), positions[0],
      positions[1]);
}

/// Builds the first product of a tile, behind waits for its operands. With a
/// `condition`, waits only if that is true.
vector::ContractionOp Starter::start(Value leftPosition, Value rightPosition,
                                     Value condition) {
  FirstProduct &first = tiles.firsts.front();
  auto left = RingGetOp::create(b, loc, tiles.left.getRing(), leftPosition,
                                ValueRange(), condition);
  auto right = RingGetOp::create(b, loc, first.right.getRing(), rightPosition,
                                 ValueRange(), condition);
  auto contract = cast<vector::ContractionOp>(b.clone(*first.contract));
  contract.getLhsMutable().assign(left.getTiles().front());
  contract.getRhsMutable().assign(right.getTiles().front());
  return contract;
}

void Starter::run() {
  // 1. The first product of the first tile.
  IRMapping ofFirst;
  ofFirst.map(loop.getInductionVar(), loop.getLowerBound());
  ofFirst.map(loop.getRegionIterArgs(), loop.getInitArgs());
  b.setInsertionPoint(loop);
  Value leftPosition = build(b, tiles.left.getPosition(), loop, ofFirst);
  Value rightPosition = buildPosition(ofFirst);
  auto init = AwaitOp::create(
      b, loc,
      start(leftPosition, rightPosition, /*condition=*/Value()).getResult());
  SmallVector<Value> places = getPlaces(loop), inits(init.getResults());
  b.setInsertionPoint(init);
  for (Value place : places)
    inits.push_back(build(b, place, loop, ofFirst));
  // 2. All products are in the body.
  if (scf::IfOp branch = tiles.branch) {
    Operation *yield = branch.thenYield();
    SmallVector<Value> results(yield->getOperands());
    b.eraseOp(yield);
    b.inlineBlockBefore(branch.thenBlock(), branch);
    b.replaceOp(branch, results);
  }
  // 3. The first product of the next tile.
  b.setInsertionPoint(tiles.last);
  IRMapping ofThis, ofNext;
  for (Value place : places)
    ofThis.map(place, place);
  Value next = b.createOrFold<arith::AddIOp>(loc, loop.getInductionVar(),
                                             loop.getStep());
  ofNext.map(loop.getInductionVar(), next);
  for (auto [argument, value] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
    ofNext.map(argument, build(b, value, loop, ofThis));
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, next,
                                        loop.getUpperBound());
  Value nextLeft = build(b, tiles.left.getPosition(), loop, ofNext);
  Value nextRight = buildPosition(ofNext);
  vector::ContractionOp product =
      start(arith::SelectOp::create(b, loc, isThere, nextLeft,
                                    tiles.left.getPosition()),
            arith::SelectOp::create(b, loc, isThere, nextRight, rightPosition),
            isThere);
  SmallVector<Value> ofNextTile = llvm::map_to_vector(
      places, [&](Value place) { return build(b, place, loop, ofNext); });
  b.setInsertionPoint(loop.getBody()->getTerminator());
  auto open = AwaitOp::create(b, loc, product.getResult());
  ofNextTile.insert(ofNextTile.begin(), open.getResult(0));
  // 4. The loop passes it on.
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      b, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return ofNextTile;
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  loop = cast<scf::ForOp>(**replaced);
  auto passed = loop.getRegionIterArgs().take_back(ofNextTile.size());
  for (auto [place, argument] : llvm::zip_equal(places, passed.drop_front()))
    b.replaceAllUsesWith(place, argument);
  // The left operand has been waited for, too.
  b.setInsertionPoint(tiles.left);
  Value isFalse = arith::ConstantIntOp::create(b, loc, 0, 1);
  tiles.left.getConditionMutable().assign(isFalse);
  for (FirstProduct &first : tiles.firsts) {
    b.replaceOp(first.await, passed.front());
    b.eraseOp(first.contract);
    b.eraseOp(first.right);
  }
}

bool mlir::vector_ext::startNextTile(RewriterBase &b, scf::ForOp loop) {
  std::optional<TileLoop> original = match(loop);
  if (!original)
    return false;
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  Value isNeeded =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  if (original->branch) {
    IRMapping values;
    isNeeded = arith::AndIOp::create(
        b, loc, isNeeded,
        build(b, original->branch.getCondition(), loop, values));
  }
  auto choice = scf::IfOp::create(b, loc, isNeeded, /*withElseRegion=*/true);
  b.setInsertionPoint(choice.thenYield());
  std::optional<TileLoop> copy = match(cast<scf::ForOp>(b.clone(*loop)));
  Starter(b, *copy).run();
  // Without products, tiles have what the other branch computes.
  if (scf::IfOp branch = original->branch) {
    Operation *yield = branch.elseYield();
    SmallVector<Value> results(yield->getOperands());
    b.eraseOp(yield);
    b.inlineBlockBefore(branch.elseBlock(), branch);
    b.replaceOp(branch, results);
    b.moveOpBefore(loop, choice.elseYield());
  } else {
    b.eraseOp(loop);
  }
  return true;
}
