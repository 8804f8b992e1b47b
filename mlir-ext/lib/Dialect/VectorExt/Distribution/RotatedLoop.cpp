//===- RotatedLoop.cpp - The graph of a loop with products ----------------===//
//
// See RotatedLoop.h. Describes the ops of a loop for LoopSchedule: what each
// depends on, how long it takes, and how many registers its results need.
//
//===----------------------------------------------------------------------===//

#include "RotatedLoop.h"
#include "BooleanTiles.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.h"
#include "mlir-ext/Dialect/VectorExt/IR/MmaChains.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::GPUTarget;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

SmallVector<Value> mlir::vector_ext::getAllOperands(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  operands.append(used.begin(), used.end());
  return operands;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

static double getNumElements(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? static_cast<double>(type.getNumElements()) : 0;
}

static double getNumWords(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return 0;
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32;
  return static_cast<double>(type.getNumElements()) * bits / 32;
}

static double getNumProducts(vector::ContractionOp contract) {
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  double product = 1;
  for (int64_t bound : bounds)
    product *= static_cast<double>(bound);
  return product;
}

/// Returns whether the results are the operands in another arrangement, which
/// threads hold, or compute where they use it.
static bool isView(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (OpTrait::hasElementwiseMappableTraits(op) || !isMemoryEffectFree(op))
    return false;
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  return (layoutOp && layoutOp.isRematerializable()) ||
         (isa_and_present<vector::VectorDialect>(op->getDialect()) &&
          !isa<vector::ContractionOp, vector::MultiDimReductionOp,
               vector::ReductionOp, vector::OuterProductOp, vector::ScanOp,
               vector::FMAOp>(op));
}

/// Returns whether each element of the result is computed where its only user
/// takes it.
static bool isStreamed(Operation *op) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || !op->hasOneUse())
    return false;
  Operation *user = *op->user_begin();
  return user->getBlock() == op->getBlock() &&
         (OpTrait::hasElementwiseMappableTraits(user) ||
          isa<vector::MultiDimReductionOp, vector::ReductionOp>(user));
}

/// Sets the times of `op`, which is no asynchronous product.
static void addCosts(Operation *op, const GPUTarget &target,
                     ScheduleOp &result) {
  if (op->getNumRegions() != 0) {
    op->walk([&](Operation *nested) {
      if (nested->getNumRegions() == 0)
        addCosts(nested, target, result);
    });
    return;
  }
  double lanes = static_cast<double>(target.threadProducts);
  double in = 0, out = 0;
  for (Value operand : op->getOperands())
    in = std::max(in, getNumElements(operand));
  for (Value value : op->getResults())
    out = std::max(out, getNumElements(value));
  if (isView(op))
    return;
  if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
    result.issue += getNumProducts(contract) / lanes;
    return;
  }
  result.issue += std::max(in, out) / lanes;
  if (isa_and_present<math::MathDialect>(op->getDialect()) &&
      !isa<math::FmaOp, math::AbsFOp, math::CopySignOp>(op))
    result.special += out / static_cast<double>(target.specialResults);
  if (in > out)
    result.latency += static_cast<double>(target.reductionLatency);
}

void RotatedLoop::addThreads(vector::ContractionOp contract) {
  auto config = contract->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  const layout::Layout &acc = getAsyncIntrinsic(contract)->acc;
  int64_t parts = config.getSubgroups()[0] * config.getSubgroups()[1];
  graph.numParts = std::max<unsigned>(graph.numParts, parts);
  numThreads =
      std::max(numThreads, parts * acc.getNumSubgroups() * acc.getNumLanes());
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

bool mlir::vector_ext::isAsyncProduct(Operation *op) {
  return getAsyncIntrinsic(op) != nullptr;
}

/// Returns whether `contract` may continue the sums of the contraction that
/// computes its accumulator: both use instructions of one shape and the same
/// threads, and these sums have no other use.
static bool mayContinue(vector::ContractionOp contract) {
  auto before = contract.getAcc().getDefiningOp<vector::ContractionOp>();
  const MmaIntrinsic *intrinsic = getAsyncIntrinsic(contract),
                     *ofBefore = before ? getAsyncIntrinsic(before) : nullptr;
  if (!intrinsic || !ofBefore || !before->hasOneUse() ||
      before->getBlock() != contract->getBlock() ||
      !areChained(*ofBefore, *intrinsic, contract.getContext()))
    return false;
  auto getConfig = [](vector::ContractionOp op) {
    return op->getAttrOfType<ContractConfigAttr>(
        VectorExtDialect::getConfigAttrName());
  };
  auto isSummedByThreads = [](vector::ContractionOp op) {
    return op->hasAttr(getShortSumsAttrName());
  };
  ContractConfigAttr config = getConfig(contract),
                     configOfBefore = getConfig(before);
  return config.getSubgroups() == configOfBefore.getSubgroups() &&
         config.getRuns() == configOfBefore.getRuns() &&
         contract.getIndexingMapsArray()[2] ==
             before.getIndexingMapsArray()[2] &&
         !isSummedByThreads(contract) && !isSummedByThreads(before);
}

/// Returns whether the results are tiles that products read in place.
static bool isReadInPlace(Operation *op) {
  return llvm::any_of(op->getResults(), isVector) &&
         llvm::none_of(op->getOperands(), isVector) &&
         !isMemoryEffectFree(op) &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
           return contract && isAsyncProduct(contract) &&
                  &use != &contract.getAccMutable();
         });
}

/// Returns whether the result of `op` is the left operand of one instruction
/// alone, whose sums another product continues: of positions, for example.
static bool isSmallOperand(Operation *op) {
  return op->getNumResults() == 1 && !op->use_empty() &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
           if (!contract || &use != &contract.getLhsMutable() ||
               !getContinuation(contract))
             return false;
           int64_t rows =
               cast<VectorType>(contract.getResultType()).getDimSize(0);
           return contract.getLhsType().getNumElements() ==
                  rows * getAsyncIntrinsic(contract)->k;
         });
}

/// Returns whether `op` may become a branch: threads that do not read all
/// elements branch, it has branches itself, or it writes zeros behind the end
/// of a tile.
static bool mayBranch(Operation *op, bool isInPlace) {
  if (op->getNumRegions() != 0)
    return true;
  if (auto get = dyn_cast<RingGetOp>(op); get && get.mayEnd())
    return true;
  if (isInPlace)
    return false;
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (read)
    return read.getMask() || read.hasOutOfBoundsDim();
  return llvm::any_of(op->getResults(), isVector) && !isMemoryEffectFree(op);
}

/// Fails if `op` does more than compute, read, wait for products or rotate.
static LogicalResult checkOp(Operation *op, Refusal &refusal) {
  if (op->getNumRegions() != 0 && op->walk([](Operation *nested) {
                                      return isAsyncProduct(nested)
                                                 ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                                    }).wasInterrupted())
    return refusal.set(RefusalKind::Other, op,
                       "an asynchronous product is in a branch or an inner "
                       "loop");
  if (isa<AwaitOp>(op))
    return refusal.set(RefusalKind::Other, op,
                       "the loop has waits for products already");
  if (isMemoryEffectFree(op) || isa<RingPutOp, RingGetOp, RingReleaseOp>(op))
    return success();
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  if (!effects || llvm::any_of(*effects, [](const auto &effect) {
        return !isa<MemoryEffects::Read>(effect.getEffect());
      }))
    return refusal.set(RefusalKind::Other, op,
                       "an op in the loop does more than to compute and read");
  return success();
}

/// Calls `fn` for the ops of `loop` that must precede `op`, because tiles of a
/// ring are put, got, read, and released in this order.
static void forEachBeforeInRing(const RotatedLoop &loop, Operation *op,
                                llvm::function_ref<void(unsigned)> fn) {
  auto get = dyn_cast<RingGetOp>(op);
  auto release = dyn_cast<RingReleaseOp>(op);
  Block *body = loop.op.getBody();
  if (get)
    for (auto put : body->getOps<RingPutOp>())
      if (put.getRing() == get.getRing() &&
          put.getPosition() == get.getPosition())
        fn(loop.numbers.lookup(put));
  if (release)
    for (auto get : body->getOps<RingGetOp>()) {
      if (get.getRing() != release.getRing() ||
          get.getPosition() != release.getPosition())
        continue;
      fn(loop.numbers.lookup(get));
      for (Operation *user : get->getUsers())
        fn(loop.numbers.lookup(body->findAncestorOpInBlock(*user)));
    }
}

LogicalResult mlir::vector_ext::buildGraph(RotatedLoop &loop,
                                           const GPUTarget &target,
                                           Refusal &refusal) {
  scf::ForOp op = loop.op;
  loop.graph.otherRegisters = static_cast<double>(target.asyncOtherRegisters);
  loop.graph.productLatency = static_cast<double>(target.productLatency);
  loop.graph.awaitLatency = static_cast<double>(target.awaitLatency);
  for (Value yielded : op.getYieldedValues())
    if (yielded.getParentBlock() != op.getBody() || !yielded.getDefiningOp())
      return refusal.set(RefusalKind::Other, op,
                         "the loop hands on a value that its body does not "
                         "compute");
  for (Operation &nested : op.getBody()->without_terminator()) {
    if (failed(checkOp(&nested, refusal)))
      return failure();
    loop.numbers[&nested] = loop.ops.size();
    loop.ops.push_back(&nested);
    if (isAsyncProduct(&nested))
      loop.addThreads(cast<vector::ContractionOp>(nested));
  }
  // Whether each op depends on a vector of the loop.
  SmallVector<bool> followsVector;
  for (Operation *nested : loop.ops) {
    ScheduleOp result;
    auto contract = dyn_cast<vector::ContractionOp>(nested);
    result.isProduct = isAsyncProduct(nested);
    bool follows = false;
    for (Value operand : getAllOperands(nested)) {
      ScheduleOp::Operand edge;
      if (std::optional<unsigned> producer = loop.lookup(operand)) {
        edge.op = *producer;
        follows |= isVector(operand) || followsVector[*producer];
      } else if (std::optional<unsigned> carried = loop.getCarried(operand)) {
        edge.op = *loop.lookup(op.getYieldedValues()[*carried]);
        edge.distance = 1;
        follows = true;
      } else {
        continue;
      }
      edge.isInRegisters =
          result.isProduct && isVector(operand) &&
          operand != contract.getAcc() &&
          !(operand.getDefiningOp() && isReadInPlace(operand.getDefiningOp()));
      edge.isContinued = result.isProduct && edge.distance == 0 &&
                         operand == contract.getAcc() &&
                         isAsyncProduct(operand.getDefiningOp()) &&
                         mayContinue(contract);
      result.operands.push_back(edge);
    }
    forEachBeforeInRing(loop, nested, [&](unsigned before) {
      ScheduleOp::Operand edge;
      edge.op = before;
      edge.isOrder = true;
      result.operands.push_back(edge);
    });
    followsVector.push_back(follows);
    result.isInPlace = isReadInPlace(nested);
    result.followsUsers =
        !follows && (isa<RingPutOp>(nested) ||
                     llvm::any_of(nested->getResults(), isVector));
    // Booleans stay bits of words.
    result.isView =
        isView(nested) || isStreamed(nested) ||
        (isa<arith::TruncIOp>(nested) && isOfBooleans(nested->getOperand(0)));
    result.isEager = isa<RingReleaseOp>(nested);
    result.mayBranch = mayBranch(nested, result.isInPlace);
    // The others of a thread include positions, in place of which such an
    // operand is.
    if (isSmallOperand(nested))
      loop.graph.otherRegisters -= getNumWords(nested->getResult(0)) /
                                   static_cast<double>(loop.numThreads);
    else if (!result.isView && !result.isInPlace)
      for (Value value : nested->getResults())
        // The others of a thread include a few words of bits.
        if (!isOfBooleans(value))
          result.registers +=
              getNumWords(value) / static_cast<double>(loop.numThreads);
    if (result.isProduct)
      result.product =
          getNumProducts(contract) / static_cast<double>(target.asyncProducts);
    else if (!result.isInPlace)
      addCosts(nested, target, result);
    loop.graph.ops.push_back(std::move(result));
  }
  return success();
}
