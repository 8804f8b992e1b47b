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
//       compute where the next tile is, if that takes long, and pass it on,
//         unless the role that copies does (PassedPlaces.cpp)
//       ... the loops
//       start the last product
//       wait for the operands of the next tile, if there is one
//       start the first product of the next tile
//       await the last product; compute and store the result
//       await the first product of the next tile, and pass it on
//   else
//     for each tile: what is done without products
//
// The product is started behind the last tile, too: instructions that are
// started in a branch would be serialised. It then reads tiles that were there
// before, and nobody uses its result.
//
// The product may start from a bias, that is from what is computed from a tile
// that threads load. That is then loaded and computed in front of the product,
// while the last one runs. Its slot is freed in the next tile, as that of the
// right operand is. Or it continues another product, of what follows from where
// the tile is, such as distances times a slope, and is started behind that.
// Scalars that are read for it, such as the slope, are read with the places of
// the next tile; behind the last tile, those of this one are read again.
//
// If threads hold the left operand (HoldOperands.h), they load that of the next
// tile in front of its first product, free its slot, and pass it on, too. Where
// tiles are dealt in two directions, places are passed beside it, and its slot
// is freed as that of an operand in shared memory is (HeldOperands.h).
//
//===----------------------------------------------------------------------===//

#include "StartNextTile.h"
#include "ContractSums.h"
#include "DelayedPuts.h"
#include "PassedPlaces.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/HoldOperands.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/HeldOperands.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/SharedAccess.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
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
  /// The tile from which the initial values are computed. Null if these are
  /// constant, or `isComputed`: they follow from where the tile is.
  RingGetOp bias;
  bool isComputed = false;
};

/// The parts of a loop over tiles.
struct TileLoop {
  scf::ForOp loop;
  /// The branch that has all products, if not all tiles have some for sure.
  scf::IfOp branch;
  /// The branch that chooses among first products, if there are several.
  scf::IfOp choice;
  SmallVector<FirstProduct, 2> firsts;
  /// The left operand of the first products, and what loads it and frees its
  /// slot if threads hold it.
  RingGetOp left;
  ToLayoutOp held;
  RingReleaseOp release;
  /// The wait for the last product.
  AwaitOp last;
};
} // namespace

/// Returns whether `value` can be computed in front of an iteration of `loop`,
/// from its induction variable and what it carries. If `isInvariant`, it must
/// depend on neither. `seen` has the values for which this is being found out.
static bool canBuild(Value value, scf::ForOp loop, bool isInvariant,
                     llvm::DenseSet<Value> &seen) {
  if (loop.isDefinedOutsideOfLoop(value) || !seen.insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return !isInvariant && value.getParentBlock() == loop.getBody();
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canBuild(operand, loop, isInvariant, seen);
         });
}

static bool canBuild(Value value, scf::ForOp loop, bool isInvariant) {
  llvm::DenseSet<Value> seen;
  return canBuild(value, loop, isInvariant, seen);
}

/// Returns whether an op in a role of `launch` may write to `memory`, which is
/// not that of a workgroup. What waits for products writes registers.
static bool mayChange(gpu::LaunchOp launch, Value memory) {
  auto isWrite = [&](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) &&
           effect.getResource() != RingResource::get() &&
           (!effect.getValue() ||
            linalg_ext::getViewedBuffer(effect.getValue()) ==
                linalg_ext::getViewedBuffer(memory));
  };
  auto mayWrite = [&](Operation *op) {
    if (isa<AwaitOp>(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return false;
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    return !effects || llvm::any_of(*effects, isWrite);
  };
  return launch
      .walk([&](RoleOp role) {
        return role.getBody()
                       .walk([&](Operation *op) {
                         return mayWrite(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
                       })
                       .wasInterrupted()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `value` can be computed in front of an iteration of `loop`,
/// also from scalars in memory that the kernel does not write. Adds what reads
/// them to `loads`. `seen` has the values for which this is being found out.
static bool canCompute(Value value, scf::ForOp loop,
                       llvm::SetVector<Operation *> &loads,
                       llvm::DenseSet<Value> &seen) {
  if (loop.isDefinedOutsideOfLoop(value) || !seen.insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == loop.getBody();
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    auto launch = loop->getParentOfType<gpu::LaunchOp>();
    loads.insert(load);
    return launch && !mayChange(launch, load.getMemRef()) &&
           loop.isDefinedOutsideOfLoop(load.getMemRef()) &&
           llvm::all_of(load.getIndices(), [&](Value index) {
             return canBuild(index, loop, /*isInvariant=*/false);
           });
  }
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canCompute(operand, loop, loads, seen);
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

/// Finds the tile from which `value`, of `block` in `loop`, is computed by pure
/// ops. Returns whether there is only one, and what else these ops use does not
/// change in `loop`. `seen` has the values that are being looked at.
static bool findBias(Value value, Block &block, scf::ForOp loop,
                     RingGetOp &bias, llvm::DenseSet<Value> &seen) {
  if (loop.isDefinedOutsideOfLoop(value) || !seen.insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return false;
  if (auto get = dyn_cast<RingGetOp>(op)) {
    bool isFirst = !bias || bias == get;
    bias = get;
    return isFirst && get.getNumResults() == 1 && get.getEnds().empty() &&
           !get.getCondition() &&
           canBuild(get.getPosition(), loop, /*isInvariant=*/false);
  }
  return isPure(op) && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return findBias(operand, block, loop, bias, seen);
         });
}

/// Returns whether the initial values of products, `a` and `b`, are the same,
/// or computed alike from tiles of one ring (`findBias`), or from scalars.
/// `seen` has the pairs that are being compared.
static bool areAlike(Value a, Value b,
                     llvm::DenseSet<std::pair<Value, Value>> &seen) {
  if (a == b || !seen.insert({a, b}).second)
    return true;
  if (a.getType() == b.getType() && a.getType().isIntOrIndexOrFloat())
    return true;
  Operation *opOfA = a.getDefiningOp(), *opOfB = b.getDefiningOp();
  if (!opOfA || !opOfB || opOfA->getName() != opOfB->getName() ||
      opOfA->getAttrDictionary() != opOfB->getAttrDictionary() ||
      a.getType() != b.getType())
    return false;
  if (auto get = dyn_cast<RingGetOp>(opOfA))
    return get.getRing() == cast<RingGetOp>(opOfB).getRing();
  return opOfA->getNumOperands() == opOfB->getNumOperands() &&
         llvm::all_of(
             llvm::zip_equal(opOfA->getOperands(), opOfB->getOperands()),
             [&](auto pair) {
               return areAlike(std::get<0>(pair), std::get<1>(pair), seen);
             });
}

/// Returns the first product of `block` in `loop`, if it starts from a constant
/// or a bias, and `block` waits for its right operand and its result.
static std::optional<FirstProduct> getFirst(Block &block, scf::ForOp loop) {
  auto contracts = block.getOps<vector::ContractionOp>();
  vector::ContractionOp contract =
      contracts.empty() ? vector::ContractionOp() : *contracts.begin();
  // It may be a bias that is a product, too.
  if (contract)
    if (vector::ContractionOp next = getContinuation(contract))
      contract = next;
  if (!contract || !getAsyncIntrinsic(contract) || !contract->hasOneUse())
    return std::nullopt;
  auto await = dyn_cast<AwaitOp>(*contract->user_begin());
  auto right = contract.getRhs().getDefiningOp<RingGetOp>();
  if (!await || await->getBlock() != &block || await->getNumOperands() != 1 ||
      !right || right->getBlock() != &block || right->getNumResults() != 1 ||
      !contract.getRhs().hasOneUse() || !right.getEnds().empty() ||
      right.getCondition())
    return std::nullopt;
  FirstProduct first{contract, right, await, RingGetOp()};
  if (matchPattern(contract.getAcc(), m_Constant()))
    return first;
  llvm::DenseSet<Value> seen;
  if (findBias(contract.getAcc(), block, loop, first.bias, seen) && first.bias)
    return first;
  llvm::SetVector<Operation *> loads;
  seen.clear();
  first.bias = {};
  // What threads compute for each element takes as long there as in the tile.
  first.isComputed = getContinued(contract) &&
                     canCompute(contract.getAcc(), loop, loads, seen);
  return first.isComputed ? std::optional(first) : std::nullopt;
}

/// Returns whether the indices of a tile of `loop` are long to compute, since
/// tiles are dealt in two directions. Others are not carried, which takes
/// registers (docs/Decisions/0149). Where a bias is loaded, too, threads have
/// none for them.
static bool takesLongToPlace(scf::ForOp loop) {
  auto launch = loop->getParentOfType<gpu::LaunchOp>();
  std::optional<KernelMark> mark =
      launch ? getKernelMark(launch) : std::nullopt;
  return mark && mark->persist == kDealtInTwoDirections;
}

/// Returns the parts of `loop`, if the first product of the next tile can be
/// started in each of its iterations.
static std::optional<TileLoop> match(scf::ForOp loop) {
  TileLoop tiles;
  tiles.loop = loop;
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
      if (std::optional<FirstProduct> first = getFirst(*side, loop))
        tiles.firsts.push_back(*first);
    if (tiles.firsts.size() != 2)
      return std::nullopt;
  } else if (isa<vector::ContractionOp>(ops.front())) {
    std::optional<FirstProduct> first = getFirst(*block, loop);
    if (!first)
      return std::nullopt;
    tiles.firsts.push_back(*first);
  } else {
    return std::nullopt;
  }
  FirstProduct &first = tiles.firsts.front();
  tiles.left = first.contract.getLhs().getDefiningOp<RingGetOp>();
  if (RingGetOp held = getHeld(first.contract.getLhs())) {
    tiles.left = held;
    tiles.held = first.contract.getLhs().getDefiningOp<ToLayoutOp>();
    tiles.release = getReleaseOf(held);
    if (!tiles.release || tiles.held->getBlock() != loop.getBody() ||
        takesLongToPlace(loop))
      return std::nullopt;
  }
  if (!tiles.left || tiles.left->getBlock() != loop.getBody() ||
      tiles.left->getNumResults() != 1 || !tiles.left.getEnds().empty() ||
      tiles.left.getCondition() ||
      (!tiles.held && tiles.left.getRing().getType().getSlots() < 2) ||
      !canBuild(tiles.left.getPosition(), loop, /*isInvariant=*/false))
    return std::nullopt;
  for (FirstProduct &other : tiles.firsts) {
    llvm::DenseSet<std::pair<Value, Value>> seen;
    if (other.contract->getAttrDictionary() !=
            first.contract->getAttrDictionary() ||
        other.contract.getLhs() != first.contract.getLhs() ||
        !areAlike(other.contract.getAcc(), first.contract.getAcc(), seen) ||
        other.isComputed != first.isComputed ||
        (!other.bias && !other.isComputed &&
         !loop.isDefinedOutsideOfLoop(other.contract.getAcc())) ||
        other.right.getRing() != first.right.getRing() ||
        !canBuild(other.right.getPosition(), loop, /*isInvariant=*/false))
      return std::nullopt;
  }
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
  llvm::DenseSet<Operation *> seen;
  auto addUsed = [&](Operation *user, auto &addUsed) -> void {
    if (!seen.insert(user).second)
      return;
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

/// The registers that a thread needs beside those of products to carry all
/// indices of the next tile. They were measured (docs/Decisions/0163).
static constexpr int64_t kRegistersOfPlaces = 96;

/// Returns whether a thread has registers for indices of the next tile beside
/// the results of the first and the last product, and the weights between them.
static bool hasRegistersLeft(TileLoop &tiles) {
  auto role = tiles.loop->getParentOfType<RoleOp>();
  auto last = tiles.last->getOperand(0).getDefiningOp<vector::ContractionOp>();
  if (!role || !role.getRegisters() || !last)
    return false;
  auto getWords = [](Type type) {
    auto vector = cast<VectorType>(type);
    return vector.getNumElements() * vector.getElementTypeBitWidth() / 32;
  };
  int64_t words = getWords(tiles.firsts.front().contract.getResultType()) +
                  getWords(last.getLhsType()) + getWords(last.getResultType());
  return static_cast<int64_t>(*role.getRegisters()) -
             words / static_cast<int64_t>(role.getThreads()) >=
         kRegistersOfPlaces;
}

/// Returns the layout in which threads hold the left operand of the first
/// products of `tiles`, if the kernel says so, all instructions that read it
/// take it so, and matrices can be loaded so. Returns null otherwise.
static LayoutAttr getLayoutOfLoaded(TileLoop &tiles) {
  auto launch = tiles.loop->getParentOfType<gpu::LaunchOp>();
  auto role = tiles.loop->getParentOfType<RoleOp>();
  if (tiles.held || !launch || !role ||
      !launch->hasAttr(getHoldsLeftAttrName()))
    return {};
  FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
  if (failed(target) || target->matrixLoads == 0)
    return {};
  Workgroup workgroup;
  workgroup.numLanes = target->lanes;
  workgroup.numSubgroups = role.getThreads() / target->lanes;
  std::optional<layout::Layout> layout;
  for (OpOperand &use : tiles.left.getTiles().front().getUses()) {
    auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
    linalg_ext::Refusal refusal;
    if (!contract || !getAsyncIntrinsic(contract) ||
        &use != &contract.getLhsMutable() || getContinued(contract) ||
        getContinuation(contract))
      return {};
    FailureOr<ContractLayouts> layouts = getContractLayouts(
        contract, getContractConfig(contract), workgroup, refusal);
    if (failed(layouts) || (layout && *layout != layouts->lhs))
      return {};
    layout = layouts->lhs;
  }
  RingType ring = tiles.left.getRing().getType();
  if (!layout || ring.getTiles().front().getElementTypeBitWidth() != 16 ||
      !layout::getMatrixAccesses(*layout,
                                 ring.getLayouts().front().getLayout()))
    return {};
  return LayoutAttr::get(launch.getContext(), *layout);
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
  Value buildPosition(RingGetOp FirstProduct::*get, IRMapping &values);
  Value buildEither(Value then, Value otherwise, IRMapping &values);
  void buildLoads(IRMapping &ofThis, IRMapping &ofNext, IRMapping &ofRead);
  void findPlaces();
  IRMapping buildNext();
  vector::ContractionOp start(Value leftPosition, Value rightPosition,
                              Value biasPosition, Value condition,
                              IRMapping &values);
  void dropFirst(ValueRange carried);

  RewriterBase &b;
  TileLoop &tiles;
  scf::ForOp loop;
  Location loc;
  /// The indices of a tile that the loop carries, and where they come from.
  SmallVector<Value> places;
  std::optional<PassedPlaces> passed;
  std::optional<TabulatedPlaces> tabulated;
  /// The layout of the left operand, if threads load it and its slot is freed
  /// later.
  LayoutAttr loaded;
};
} // namespace

/// Builds the position of what the first product of a tile waits for: `get`.
/// Returns null if there is no such get.
Value Starter::buildPosition(RingGetOp FirstProduct::*get, IRMapping &values) {
  if (!(tiles.firsts.front().*get))
    return {};
  SmallVector<Value> positions =
      llvm::map_to_vector(tiles.firsts, [&](FirstProduct &first) {
        return build(b, (first.*get).getPosition(), loop, values);
      });
  if (!tiles.choice)
    return positions.front();
  return b.createOrFold<arith::SelectOp>(
      loc, build(b, tiles.choice.getCondition(), loop, values), positions[0],
      positions[1]);
}

/// Builds the initial values of the first product: those of the one that is
/// chosen. They are computed alike, so that the scalars are chosen.
Value Starter::buildEither(Value then, Value otherwise, IRMapping &values) {
  if (then == otherwise)
    return build(b, then, loop, values);
  if (then.getType().isIntOrIndexOrFloat()) {
    Value condition = build(b, tiles.choice.getCondition(), loop, values);
    Value ofThen = build(b, then, loop, values);
    return b.createOrFold<arith::SelectOp>(loc, condition, ofThen,
                                           build(b, otherwise, loop, values));
  }
  Operation *op = then.getDefiningOp();
  IRMapping operands;
  for (auto [one, other] : llvm::zip_equal(
           op->getOperands(), otherwise.getDefiningOp()->getOperands()))
    operands.map(one, buildEither(one, other, values));
  return b.clone(*op, operands)->getResult(0);
}

/// Returns whether ops in the body of `loop` compute `value` from `values` and
/// from what the loop does not change.
static bool followsFrom(Value value, scf::ForOp loop, const IRMapping &values) {
  if (values.contains(value) || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && isPure(op) &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return followsFrom(operand, loop, values);
         });
}

/// Builds the reads of scalars from which the first product of the next tile
/// starts. If there is no next tile, reads those of this one: `ofRead` has
/// values of the one of the two that is there.
void Starter::buildLoads(IRMapping &ofThis, IRMapping &ofNext,
                         IRMapping &ofRead) {
  if (!tiles.firsts.front().isComputed)
    return;
  llvm::SetVector<Operation *> loads;
  llvm::DenseSet<Value> seen;
  for (FirstProduct &first : tiles.firsts)
    (void)canCompute(first.contract.getAcc(), loop, loads, seen);
  if (loads.empty())
    return;
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                        ofNext.lookup(loop.getInductionVar()),
                                        loop.getUpperBound());
  for (Operation *op : loads) {
    auto load = cast<memref::LoadOp>(op);
    SmallVector<Value> indices;
    for (Value index : load.getIndices()) {
      if (followsFrom(index, loop, ofRead)) {
        indices.push_back(build(b, index, loop, ofRead));
        continue;
      }
      Value next = build(b, index, loop, ofNext);
      indices.push_back(b.createOrFold<arith::SelectOp>(
          loc, isThere, next, build(b, index, loop, ofThis)));
    }
    ofNext.map(load.getResult(),
               memref::LoadOp::create(b, loc, load.getMemRef(), indices));
  }
}

/// Builds the first product of a tile, behind waits for its operands. With a
/// `condition`, waits only if that is true. `values` are those of the tile.
vector::ContractionOp Starter::start(Value leftPosition, Value rightPosition,
                                     Value biasPosition, Value condition,
                                     IRMapping &values) {
  FirstProduct &first = tiles.firsts.front();
  auto left = RingGetOp::create(b, loc, tiles.left.getRing(), leftPosition,
                                ValueRange(), condition);
  auto right = RingGetOp::create(b, loc, first.right.getRing(), rightPosition,
                                 ValueRange(), condition);
  Value operand = left.getTiles().front();
  if (tiles.held) {
    b.setInsertionPointAfter(left);
    operand = ToLayoutOp::create(b, loc, operand, tiles.held.getLayout());
    RingReleaseOp::create(b, loc, left.getRing(), leftPosition, condition);
    b.setInsertionPointAfter(right);
  } else if (loaded) {
    operand = ToLayoutOp::create(b, loc, operand, loaded);
  }
  Value init = first.contract.getAcc();
  if (first.bias) {
    auto bias = RingGetOp::create(b, loc, first.bias.getRing(), biasPosition,
                                  ValueRange(), condition);
    IRMapping ofBias;
    ofBias.map(first.bias.getTiles().front(), bias.getTiles().front());
    init = build(b, init, loop, ofBias);
  } else if (first.isComputed) {
    init = buildEither(init, tiles.firsts.back().contract.getAcc(), values);
  }
  auto contract = cast<vector::ContractionOp>(b.clone(*first.contract));
  contract.getAccMutable().assign(init);
  contract.getLhsMutable().assign(operand);
  contract.getRhsMutable().assign(right.getTiles().front());
  return contract;
}

/// Adds to `ops` what computes `value` in the loop, from a tile on
/// (`findBias`), in an order in which users come last.
static void collectOfBias(Value value, scf::ForOp loop,
                          llvm::SetVector<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || loop.isDefinedOutsideOfLoop(value) || ops.contains(op))
    return;
  if (!isa<RingGetOp>(op))
    for (Value operand : op->getOperands())
      collectOfBias(operand, loop, ops);
  ops.insert(op);
}

/// Finds the indices that the loop carries. The role that copies passes them,
/// or looks them up, if they take long to compute.
void Starter::findPlaces() {
  places = getPlaces(loop);
  // What is passed is there behind the wait for the queries, in front of which
  // a bias is computed. So the roles look places up. Beside registers that are
  // left, computing the places is no slower than a branch.
  if (!tiles.firsts.front().isComputed) {
    passed = PassedPlaces::find(loop, tiles.left, places);
    return;
  }
  tabulated = TabulatedPlaces::find(loop, places, /*others=*/0);
  if (!tabulated)
    return;
  tabulated->fill(b);
  tabulated->lookUpWhereCopied(b);
  if (hasRegistersLeft(tiles))
    tabulated.reset();
  else
    places.assign(tabulated->getValues().begin(), tabulated->getValues().end());
}

/// Builds what the next iteration begins with, and `places`, its indices that
/// are carried. Indices are computed beside the first scores of this tile,
/// where threads compute for long: behind its last product, its next first one
/// would wait for them.
IRMapping Starter::buildNext() {
  if (places.empty())
    b.setInsertionPoint(tiles.last);
  else
    b.setInsertionPointToStart(loop.getBody());
  IRMapping ofThis, ofNext;
  for (Value place : places)
    ofThis.map(place, place);
  ofNext.map(loop.getInductionVar(),
             b.createOrFold<arith::AddIOp>(loc, loop.getInductionVar(),
                                           loop.getStep()));
  for (auto [argument, value] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
    ofNext.map(argument, build(b, value, loop, ofThis));
  IRMapping ofRead;
  if (tabulated) {
    // Behind the last tile, the places are those of that tile.
    Value next = ofNext.lookup(loop.getInductionVar());
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                          next, loop.getUpperBound());
    Value number =
        arith::SelectOp::create(b, loc, isThere, next, loop.getInductionVar());
    tabulated->lookUpNext(b, number, ofNext);
    ofRead.map(loop.getInductionVar(), number);
    for (Value value : tabulated->getValues())
      ofRead.map(value, ofNext.lookup(value));
  }
  if (!passed)
    for (Value place : places)
      (void)build(b, place, loop, ofNext);
  buildLoads(ofThis, ofNext, ofRead);
  return ofNext;
}

/// Drops what the loop waited for, and the first products of a tile, of which
/// it carries the result, and the left operand if threads hold that
/// (`carried`).
void Starter::dropFirst(ValueRange carried) {
  // The left operand has been waited for, too.
  if (tiles.held) {
    b.replaceOp(tiles.held, carried[1]);
    b.eraseOp(tiles.release);
    b.eraseOp(tiles.left);
  } else {
    b.setInsertionPoint(tiles.left);
    Value isFalse = arith::ConstantIntOp::create(b, loc, 0, 1);
    tiles.left.getConditionMutable().assign(isFalse);
  }
  for (FirstProduct &first : tiles.firsts) {
    llvm::SetVector<Operation *> ofBias;
    collectOfBias(first.contract.getAcc(), loop, ofBias);
    b.replaceOp(first.await, carried.front());
    b.eraseOp(first.contract);
    b.eraseOp(first.right);
    for (Operation *op : llvm::reverse(ofBias))
      if (op->use_empty())
        b.eraseOp(op);
  }
  if (loaded)
    b.replaceAllUsesWith(tiles.left.getTiles().front(), carried[1]);
}

void Starter::run() {
  // 1. The first product of the first tile.
  IRMapping ofFirst;
  ofFirst.map(loop.getInductionVar(), loop.getLowerBound());
  ofFirst.map(loop.getRegionIterArgs(), loop.getInitArgs());
  b.setInsertionPoint(loop);
  IRMapping ofPositions = ofFirst;
  Value leftPosition = build(b, tiles.left.getPosition(), loop, ofPositions);
  Value rightPosition = buildPosition(&FirstProduct::right, ofPositions);
  Value biasPosition = buildPosition(&FirstProduct::bias, ofPositions);
  loaded = getLayoutOfLoaded(tiles);
  if (loaded)
    for (Operation *user : tiles.left.getTiles().front().getUsers())
      setUnpromoted(b, cast<vector::ContractionOp>(user));
  vector::ContractionOp ofFirstTile =
      start(leftPosition, rightPosition, biasPosition, /*condition=*/Value(),
            ofFirst);
  auto init = AwaitOp::create(b, loc, ofFirstTile.getResult());
  SmallVector<Value> inits(init.getResults());
  if (tiles.held || loaded)
    inits.push_back(ofFirstTile.getLhs());
  if (!biasPosition && takesLongToPlace(loop))
    findPlaces();
  b.setInsertionPoint(init);
  if (passed) {
    passed->pass(b);
    // Otherwise what follows from them is computed where it is used.
    if (!hasRegistersLeft(tiles))
      places.assign(passed->getValues().begin(), passed->getValues().end());
    passed->load(b, loc, loop.getLowerBound(), ofFirst);
  }
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
  IRMapping ofNext = buildNext();
  b.setInsertionPoint(tiles.last);
  Value next = ofNext.lookup(loop.getInductionVar());
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, next,
                                        loop.getUpperBound());
  ofPositions = ofNext;
  Value nextLeft = build(b, tiles.left.getPosition(), loop, ofPositions);
  Value nextRight = buildPosition(&FirstProduct::right, ofPositions);
  Value nextBias = buildPosition(&FirstProduct::bias, ofPositions);
  auto select = [&](Value ofNextTile, Value other) -> Value {
    return arith::SelectOp::create(b, loc, isThere, ofNextTile, other);
  };
  vector::ContractionOp product = start(
      select(nextLeft, tiles.left.getPosition()),
      select(nextRight, rightPosition),
      nextBias ? select(nextBias, biasPosition) : Value(), isThere, ofNext);
  // Behind the last tile, nothing has been passed.
  if (passed)
    passed->load(b, loc, select(next, loop.getInductionVar()), ofNext);
  SmallVector<Value> ofNextTile = llvm::map_to_vector(
      places, [&](Value place) { return build(b, place, loop, ofNext); });
  b.setInsertionPoint(loop.getBody()->getTerminator());
  auto open = AwaitOp::create(b, loc, product.getResult());
  if (tiles.held || loaded)
    ofNextTile.insert(ofNextTile.begin(), product.getLhs());
  ofNextTile.insert(ofNextTile.begin(), open.getResult(0));
  // 4. The loop passes it on.
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      b, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return ofNextTile;
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  loop = cast<scf::ForOp>(**replaced);
  auto carried = loop.getRegionIterArgs().take_back(ofNextTile.size());
  b.setInsertionPointToStart(loop.getBody());
  for (auto [place, argument] :
       llvm::zip_equal(places, carried.take_back(places.size()))) {
    Value index = argument;
    // What is computed from it has 32 bits.
    if (auto assume = place.getDefiningOp<AssumeOp>(); assume && tabulated)
      index =
          AssumeOp::create(b, loc, index, assume.getAtLeastAttr(),
                           assume.getAtMostAttr(), assume.getMultipleOfAttr());
    b.replaceAllUsesWith(place, index);
  }
  dropFirst(carried);
}

bool mlir::vector_ext::tabulatePlaces(RewriterBase &b, scf::ForOp loop) {
  auto launch = loop->getParentOfType<gpu::LaunchOp>();
  std::optional<KernelMark> mark =
      launch ? getKernelMark(launch) : std::nullopt;
  if (!mark || !mark->rotate || !takesLongToPlace(loop))
    return false;
  std::optional<TabulatedPlaces> tabulated =
      TabulatedPlaces::find(loop, getPlaces(loop), /*others=*/0);
  if (!tabulated)
    return false;
  tabulated->fill(b);
  tabulated->lookUpWhereCopied(b);
  tabulated->lookUpWhereComputed(b);
  return true;
}

/// Returns the ring of the right operand of the last product, if the copies of
/// its tiles should come behind those of the first product of the next
/// iteration. That pays where tiles are dealt in two directions, and short.
/// Long ones, for which threads hold the left operand, gain nothing. Products
/// that start from a bias were not measured (docs/Decisions/0178).
static Value findDelayed(TileLoop &tiles) {
  auto launch = tiles.loop->getParentOfType<gpu::LaunchOp>();
  auto last = tiles.last->getOperand(0).getDefiningOp<vector::ContractionOp>();
  auto right = last.getRhs().getDefiningOp<RingGetOp>();
  FirstProduct &first = tiles.firsts.front();
  return right && takesLongToPlace(tiles.loop) && !first.bias &&
                 !first.isComputed && !launch->hasAttr(getHoldsLeftAttrName())
             ? Value(right.getRing())
             : Value();
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
  Value early = copy->firsts.front().right.getRing();
  Value late = findDelayed(*copy);
  Starter(b, *copy).run();
  if (late)
    (void)delayPuts(b, early, late);
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
