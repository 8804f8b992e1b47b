//===- AwaitBehindLoops.cpp - Products that loops carry -------------------===//
//
// A loop that sums products starts the products of an iteration and waits for
// them. While a thread waits for the next tiles and starts the next products,
// nothing is multiplied, unless other groups of threads multiply. This step
// lets the loop carry the products. An iteration starts its products behind
// those of the previous iteration. It waits for the latter before their tiles
// are written again.
//
// Groups of threads that take turns with such a loop wait for its last products
// after they have passed the turn. If an iteration sums several chains, the
// loop carries each of them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::AsyncMmaOp;
using vector_ext::AwaitEarlierOp;
using vector_ext::AwaitOp;
using vector_ext::TurnPassOp;

/// Returns whether `op` may write a tile that an instruction reads, or wait for
/// other threads.
static bool mayWriteTile(Operation *op) {
  if (op->getNumRegions() != 0 || isa<gpu::BarrierOp>(op))
    return true;
  return !isMemoryEffectFree(op) && !isa<AsyncMmaOp, AwaitOp>(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>) &&
         !hasSingleEffect<MemoryEffects::Read>(op);
}

/// Returns the op before `await` that waits for products started before its
/// chains, if there is one. The ops between the two must not need the chains.
static AwaitEarlierOp findEarlier(AwaitOp await) {
  for (Operation *op = await->getPrevNode(); op; op = op->getPrevNode())
    if (auto earlier = dyn_cast<AwaitEarlierOp>(op))
      return llvm::equal(earlier.getInputs(), await.getInputs())
                 ? earlier
                 : AwaitEarlierOp();
  return {};
}

/// Returns the last of the ops directly behind `loop` that pass turns, or
/// `loop`. These ops need not wait for the products.
static Operation *getLastTurn(scf::ForOp loop) {
  Operation *last = loop;
  while (isa<TurnPassOp>(last->getNextNode()))
    last = last->getNextNode();
  return last;
}

namespace {
/// An element of one of several vectors.
struct Element {
  unsigned vector;
  int64_t position;
};
} // namespace

/// Returns the element of a result of `await` that `value` is.
static std::optional<Element> getElement(Value value, AwaitOp await) {
  auto extract = value.getDefiningOp<vector::ExtractOp>();
  auto result = extract ? dyn_cast<OpResult>(extract.getSource()) : OpResult();
  if (!result || result.getOwner() != await || extract.hasDynamicPosition() ||
      extract.getStaticPosition().size() != 1 || !extract->hasOneUse())
    return std::nullopt;
  return Element{result.getResultNumber(), extract.getStaticPosition().front()};
}

/// If a loop carries the results of `await`, of several chains, as one vector,
/// makes it carry each result.
static void splitCarried(RewriterBase &rewriter, AwaitOp await) {
  auto loop = dyn_cast<scf::ForOp>(await->getParentOp());
  if (!loop || await.getNumResults() < 2)
    return;
  // 1. Find the carried vector, and the element of a chain for each of its
  //    elements.
  Operation *yield = loop.getBody()->getTerminator();
  auto *first = *await.getResult(0).user_begin();
  auto whole = first->hasOneUse()
                   ? dyn_cast<vector::FromElementsOp>(*first->user_begin())
                   : vector::FromElementsOp();
  if (!whole || !whole->hasOneUse() || *whole->user_begin() != yield)
    return;
  SmallVector<Element> elements;
  for (Value value : whole.getElements()) {
    std::optional<Element> element = getElement(value, await);
    if (!element)
      return;
    elements.push_back(*element);
  }
  size_t numUses = 0;
  for (Value result : await.getResults())
    numUses += std::distance(result.use_begin(), result.use_end());
  if (numUses != elements.size())
    return;
  // 2. Start the chains from slices of the initial vector.
  unsigned number = whole->use_begin()->getOperandNumber();
  auto getChain = [&](Operation *user) -> std::optional<unsigned> {
    auto slice = dyn_cast<vector::ExtractStridedSliceOp>(user);
    if (!slice)
      return std::nullopt;
    int64_t first = cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
    unsigned chain = elements[first].vector;
    if (slice.getType() != await.getResult(chain).getType())
      return std::nullopt;
    for (int64_t i = 0; i < slice.getType().getNumElements(); ++i)
      if (elements[first + i].vector != chain ||
          elements[first + i].position != i)
        return std::nullopt;
    return chain;
  };
  SmallVector<Operation *> slices(await.getNumResults());
  for (Operation *user : loop.getRegionIterArg(number).getUsers()) {
    std::optional<unsigned> chain = getChain(user);
    if (!chain || slices[*chain])
      return;
    slices[*chain] = user;
  }
  if (llvm::is_contained(slices, nullptr))
    return;
  // 3. Carry the results instead of the vector.
  SmallVector<Value> inits;
  for (Operation *slice : slices) {
    IRMapping mapping;
    mapping.map(loop.getRegionIterArg(number), loop.getInitArgs()[number]);
    rewriter.setInsertionPoint(loop);
    inits.push_back(rewriter.clone(*slice, mapping)->getResult(0));
  }
  unsigned numBefore = loop.getNumRegionIterArgs();
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>(await.getResults());
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  loop = cast<scf::ForOp>(**replaced);
  Location loc = loop.getLoc();
  for (auto [slice, part] :
       llvm::zip_equal(slices, loop.getRegionIterArgs().drop_front(numBefore)))
    rewriter.replaceOp(slice, part);
  rewriter.setInsertionPointAfter(getLastTurn(loop));
  SmallVector<Value> behind;
  for (const Element &element : elements)
    behind.push_back(vector::ExtractOp::create(
        rewriter, loc, loop.getResult(numBefore + element.vector),
        element.position));
  Value result = vector::FromElementsOp::create(
      rewriter, loc, cast<VectorType>(whole.getType()), behind);
  rewriter.replaceAllUsesWith(loop.getResult(number), result);
  yield = loop.getBody()->getTerminator();
  rewriter.modifyOpInPlace(
      yield, [&] { yield->setOperand(number, loop.getRegionIterArg(number)); });
  SmallVector<Value> dead(whole.getElements());
  rewriter.eraseOp(whole);
  for (Value value : dead)
    rewriter.eraseOp(value.getDefiningOp());
}

/// If `await` is at the end of an iteration, and the loop only passes its
/// results to the same instructions of the next iteration, moves it behind the
/// loop. Each iteration then waits for the instructions of the previous one,
/// before the barrier behind which their tiles are written again. So the
/// products of an iteration are computed while threads prepare the next one.
static void awaitBehindLoop(RewriterBase &rewriter, AwaitOp await) {
  auto loop = dyn_cast<scf::ForOp>(await->getParentOp());
  if (!loop)
    return;
  // 1. Follow the chains from the iteration arguments to the yielded values.
  Operation *yield = loop.getBody()->getTerminator(), *end = nullptr;
  SmallVector<unsigned> carried;
  for (auto [input, result] :
       llvm::zip_equal(await.getInputs(), await.getResults())) {
    if (!result.hasOneUse() || *result.user_begin() != yield)
      return;
    unsigned number = result.use_begin()->getOperandNumber();
    BlockArgument argument = loop.getRegionIterArg(number);
    auto op = input.getDefiningOp<AsyncMmaOp>();
    if (!op || op->getBlock() != loop.getBody())
      return;
    if (!end || end->isBeforeInBlock(op))
      end = op;
    // A left operand in registers would be overwritten before the instruction
    // reads it.
    while (op && op.getLhsLayout() && op.getAcc() != argument)
      op = op.getAcc().getDefiningOp<AsyncMmaOp>();
    if (!op || !op.getLhsLayout() || !argument.hasOneUse())
      return;
    carried.push_back(number);
  }
  // 2. Nothing may write tiles before the barrier. Nor may anything behind the
  //    wait, where the tiles of this iteration were no longer read before.
  AwaitEarlierOp earlier = findEarlier(await);
  Operation *barrier = earlier;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == await || &op == earlier)
      break;
    if (!mayWriteTile(&op))
      continue;
    if (earlier || !isa<gpu::BarrierOp>(op) || op.isBeforeInBlock(end))
      return;
    barrier = &op;
    break;
  }
  if (!barrier)
    return;
  for (Operation *op = await->getNextNode(); op != yield;
       op = op->getNextNode())
    if (!isa<gpu::BarrierOp>(op) && mayWriteTile(op))
      return;
  // 3. Build the waits.
  if (!earlier) {
    rewriter.setInsertionPoint(barrier);
    AwaitEarlierOp::create(rewriter, await.getLoc(), await.getInputs());
  }
  rewriter.replaceOp(await, SmallVector<Value>(await.getInputs()));
  rewriter.setInsertionPointAfter(getLastTurn(loop));
  SmallVector<Value> open =
      llvm::map_to_vector(carried, [&](unsigned number) -> Value {
        return loop.getResult(number);
      });
  auto behind = AwaitOp::create(rewriter, await.getLoc(), open);
  for (auto [value, result] : llvm::zip_equal(open, behind.getResults()))
    rewriter.replaceAllUsesExcept(value, result, behind);
}

void mlir::linalg_ext::awaitBehindLoops(RewriterBase &rewriter,
                                        gpu::LaunchOp launch) {
  SmallVector<AwaitOp> awaits;
  launch.walk([&](AwaitOp await) { awaits.push_back(await); });
  for (AwaitOp await : awaits) {
    if (findEarlier(await))
      splitCarried(rewriter, await);
    awaitBehindLoop(rewriter, await);
  }
}
