//===- HoldOperands.cpp - Left operands in registers ----------------------===//
//
// An instruction reads the left operand in shared memory again in each
// iteration of a loop, also if it is the same tile: the queries of attention,
// for example. Where memory has room for one slot of them, the role that copies
// waits until the loop has ended, and the first product of the next tile cannot
// begin early. So threads load such a tile once, and free the slot at once:
//
//     %tile = vector_ext.ring.get %queries[%n]
//     %held = vector_ext.to_layout %tile to <layout of the left operand>
//     vector_ext.ring.release %queries[%n]
//     scf.for ...
//       vector.contract %held, %keys, ...
//
// This takes registers, as many as threads have beside the results of the
// products and the weights between them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/HoldOperands.h"
#include "BooleanTiles.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/RoleRegisters.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::GPUTarget;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

RingGetOp mlir::vector_ext::getHeld(Value value) {
  auto load = value.getDefiningOp<ToLayoutOp>();
  return load ? load.getInput().getDefiningOp<RingGetOp>() : RingGetOp();
}

RingReleaseOp mlir::vector_ext::getReleaseOf(RingGetOp get) {
  RingReleaseOp found;
  for (Operation *user : get.getRing().getUsers()) {
    auto release = dyn_cast<RingReleaseOp>(user);
    if (!release || release.getPosition() != get.getPosition())
      continue;
    if (found || release->getBlock() != get->getBlock())
      return {};
    found = release;
  }
  return found;
}

/// Returns the number of words of 32 bits of a vector of `type`.
static int64_t getNumWords(Type type) {
  auto vector = cast<VectorType>(type);
  return llvm::divideCeil(
      vector.getNumElements() * vector.getElementTypeBitWidth(), 32);
}

/// Returns whether products start from `value`, or from what elementwise ops
/// compute from it: then it takes the registers of their results.
static bool isStart(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto contract = dyn_cast<vector::ContractionOp>(user))
      return &use == &contract.getAccMutable();
    return OpTrait::hasElementwiseMappableTraits(user) && user->hasOneUse() &&
           isStart(user->getResult(0));
  });
}

/// Returns the most words that a block in `loop` has in registers at a time:
/// results of products, their left operands that threads compute, and tiles
/// that threads load.
static int64_t getMostWords(scf::ForOp loop) {
  llvm::DenseMap<Block *, int64_t> words;
  auto isFactor = [](OpOperand &use) {
    auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
    return contract && &use != &contract.getAccMutable();
  };
  loop.walk([&](Operation *op) {
    int64_t &ofBlock = words[op->getBlock()];
    if (getAsyncIntrinsic(op)) {
      auto contract = cast<vector::ContractionOp>(op);
      ofBlock += getNumWords(contract.getResultType());
      if (!contract.getLhs().getDefiningOp<RingGetOp>())
        ofBlock += getNumWords(contract.getLhsType());
    } else if (auto get = dyn_cast<RingGetOp>(op)) {
      for (Value tile : get.getTiles())
        if (!llvm::all_of(tile.getUses(), isFactor) && !isStart(tile) &&
            !isOfBooleans(tile))
          ofBlock += getNumWords(tile.getType());
    }
  });
  int64_t most = 0;
  for (auto [block, count] : words)
    most = std::max(most, count);
  return most;
}

/// Returns the layout in which all products that read the tile of `get` have it
/// in registers, or null. They must be in loops that do not compute the tile.
static LayoutAttr getCommonLayout(RingGetOp get, const Workgroup &workgroup) {
  LayoutAttr common;
  for (OpOperand &use : get->getUses()) {
    auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
    if (!contract || !getAsyncIntrinsic(contract) ||
        &use != &contract.getLhsMutable() ||
        contract->getBlock() == get->getBlock() ||
        contract->hasAttr(getShortSumsAttrName()))
      return {};
    auto config = contract->getAttrOfType<ContractConfigAttr>(
        VectorExtDialect::getConfigAttrName());
    Refusal refusal;
    FailureOr<ContractLayouts> layouts =
        config ? getContractLayouts(contract, config, workgroup, refusal)
               : FailureOr<ContractLayouts>();
    if (failed(layouts))
      return {};
    auto layout = LayoutAttr::get(get.getContext(), layouts->lhs);
    if (common && common != layout)
      return {};
    common = layout;
  }
  return common;
}

void mlir::vector_ext::setUnpromoted(RewriterBase &b,
                                     vector::ContractionOp contract) {
  auto config = contract->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  SmallVector<bool> promote(config.getPromote());
  if (promote.empty() || !promote[0])
    return;
  promote[0] = false;
  b.modifyOpInPlace(contract, [&] {
    contract->setAttr(VectorExtDialect::getConfigAttrName(),
                      ContractConfigAttr::get(
                          b.getContext(), config.getIntrinsic(),
                          config.getSubgroups(), promote, config.getRuns()));
  });
}

/// Gives `role` the registers that a thread that copies has for the loop over
/// tiles. Where these are dealt in order, and each is copied from one place, it
/// does not need them.
static void takeRegisters(RewriterBase &b, gpu::LaunchOp launch, RoleOp role,
                          const GPUTarget &target) {
  int64_t parts = static_cast<int64_t>(role.getThreads()) / target.groupThreads;
  auto share = [&](int64_t persist) {
    return linalg_ext::shareRegisters(parts, /*numPlaces=*/1, persist, target);
  };
  for (auto other : launch.getBody().front().getOps<RoleOp>())
    if (other.getSingle() && other.getRegisters() &&
        static_cast<int64_t>(*other.getRegisters()) ==
            share(kDealtInOrder).copying)
      b.modifyOpInPlace(other, [&] {
        other.setRegisters(share(/*persist=*/0).copying);
        role.setRegisters(share(/*persist=*/0).computing);
      });
}

FailureOr<int64_t> mlir::vector_ext::holdOperands(RewriterBase &rewriter,
                                                  gpu::LaunchOp launch,
                                                  Refusal &refusal) {
  std::optional<KernelMark> mark = getKernelMark(launch);
  // Groups with tiles of their own are sums of products alone. Places of tiles
  // that are dealt in two directions are passed beside the operand.
  if (!mark || !mark->rotate || mark->persist == 0 || mark->groups > 1 ||
      mark->persist == kDealtInTwoDirections || mark->persist == kDealtInPairs)
    return 0;
  FailureOr<GPUTarget> target = linalg_ext::getGPUTarget(launch);
  if (failed(target))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  SmallVector<RingGetOp> gets;
  launch.walk([&](RingGetOp get) {
    auto role = get->getParentOfType<RoleOp>();
    if (role && !role.getSingle() && role.getRegisters() &&
        isa<scf::ForOp>(get->getParentOp()) && get.getNumResults() == 1 &&
        get.getEnds().empty() && !get.getCondition() &&
        get.getRing().getType().getSlots() == 1)
      gets.push_back(get);
  });
  int64_t count = 0;
  for (RingGetOp get : gets) {
    auto role = get->getParentOfType<RoleOp>();
    auto threads = static_cast<int64_t>(role.getThreads());
    Workgroup workgroup{target->lanes, threads / target->lanes};
    Value tile = get.getTiles().front();
    RingReleaseOp release = getReleaseOf(get);
    LayoutAttr layout = getCommonLayout(get, workgroup);
    if (!release || !layout)
      continue;
    int64_t words = getMostWords(cast<scf::ForOp>(get->getParentOp())) +
                    getNumWords(tile.getType());
    if (words / threads + target->asyncOtherRegisters >
        static_cast<int64_t>(*role.getRegisters()))
      continue;
    // Nothing stores it again.
    for (Operation *user : tile.getUsers())
      setUnpromoted(rewriter, cast<vector::ContractionOp>(user));
    rewriter.setInsertionPointAfter(get);
    auto held = ToLayoutOp::create(rewriter, get.getLoc(), tile, layout);
    rewriter.replaceAllUsesExcept(tile, held, held);
    rewriter.moveOpAfter(release, held);
    takeRegisters(rewriter, launch, role, *target);
    ++count;
  }
  return count;
}
