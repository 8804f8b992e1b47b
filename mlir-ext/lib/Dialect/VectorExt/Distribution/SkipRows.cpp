//===- SkipRows.cpp - Tiles of groups without rows ------------------------===//
//
// The last tile of rows may have fewer rows than the threads of a role compute.
// A group of threads, none of whose rows exists, then computes what nobody
// stores, and takes instructions from the others. So it skips that:
//
//   for each tile
//     ... where the tile is
//     if the first row of the group is behind the last one
//       wait for the tiles in rings, free them, and take turns, in the same
//         order; start the first product of the next tile, and await it
//     else
//       ... the tile
//
// The condition is the same in all threads of a group, and differs between
// groups. If distribution needs a barrier of the role in the branch, all groups
// compute all tiles again.
//
//===----------------------------------------------------------------------===//

#include "SkipRows.h"
#include "ContractSums.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::GPUTarget;
using linalg_ext::Refusal;

/// Two groups that are left of three take as long as two of two. One that is
/// left of two waits for each of its products (docs/Decisions/0186).
static constexpr int64_t kLeastGroups = 3;

static bool isVector(Type type) { return isa<VectorType>(type); }

/// Returns whether `op` is a pure op of scalars.
static bool isScalar(Operation &op) {
  return isPure(&op) && op.getNumRegions() == 0 && op.getNumResults() != 0 &&
         llvm::none_of(op.getOperandTypes(), isVector) &&
         llvm::none_of(op.getResultTypes(), isVector);
}

/// Returns whether `op` waits, frees or takes turns, which groups without rows
/// do, too.
static bool isProtocol(Operation *op) {
  return isa<RingGetOp, RingReleaseOp, TurnTakeOp, TurnPassOp>(op);
}

/// Returns the number of rows that exist of the tiles that `loop` stores, and
/// the rows of a tile, if it has one store of vectors, whose mask tells them.
static std::pair<Value, int64_t> findRows(scf::ForOp loop) {
  vector::TransferWriteOp write;
  bool isKnown = true;
  loop.walk([&](Operation *op) {
    if (auto other = dyn_cast<vector::TransferWriteOp>(op)) {
      isKnown &= !write && other->getParentOp() == loop;
      write = other;
      return;
    }
    // Others write rings alone. Tiles that go through shared memory were slower
    // so (docs/Decisions/0186).
    isKnown &= isProtocol(op) || isa<AwaitOp>(op) || op->getNumRegions() != 0 ||
               isMemoryEffectFree(op);
  });
  auto mask = isKnown && write && write.getMask()
                  ? write.getMask().getDefiningOp<vector::CreateMaskOp>()
                  : vector::CreateMaskOp();
  if (!mask || write.getVectorType().getRank() != 2 ||
      !write.getPermutationMap().isMinorIdentity() ||
      write.getVectorType().getShape() != mask.getType().getShape())
    return {};
  return {mask.getOperands().front(), write.getVectorType().getDimSize(0)};
}

/// Returns whether each group of `role` has the part with its number of the
/// rows of all asynchronous products in `loop`, which have `rows` rows.
static bool isDividedAmongGroups(RoleOp role, scf::ForOp loop, int64_t rows,
                                 const GPUTarget &target) {
  Workgroup workgroup;
  workgroup.numLanes = target.lanes;
  workgroup.numSubgroups = role.getThreads() / target.lanes;
  return !loop.walk([&](vector::ContractionOp contract) {
                Refusal refusal;
                if (!getAsyncIntrinsic(contract))
                  return WalkResult::interrupt();
                FailureOr<ContractLayouts> layouts = getContractLayouts(
                    contract, getContractConfig(contract), workgroup, refusal);
                return succeeded(layouts) &&
                               layouts->acc.getDimSize(0) == rows &&
                               layouts->acc.isDividedAmongSubgroups(0)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Adds the scalar ops of the body of `loop` from which `value` follows to
/// `ops`. Fails if it follows from others.
static LogicalResult addScalars(Value value, scf::ForOp loop,
                                llvm::DenseSet<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (loop.isDefinedOutsideOfLoop(value) || (!op && !isVector(value.getType())))
    return success();
  if (!op || op->getBlock() != loop.getBody() || !isScalar(*op))
    return failure();
  if (ops.insert(op).second)
    for (Value operand : op->getOperands())
      if (failed(addScalars(operand, loop, ops)))
        return failure();
  return success();
}

/// Adds what `value` is computed from in `block` to `ops`. Fails if that is
/// computed in a region, or is an argument.
static LogicalResult addProducers(Value value, Block *block,
                                  llvm::DenseSet<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return success(!isVector(value.getType()));
  if (op->getBlock() != block || ops.contains(op))
    return success(op->getBlock() == block ||
                   !block->getParent()->isAncestor(op->getParentRegion()));
  if (isScalar(*op))
    return success();
  if (op->getNumRegions() != 0)
    return success(!isVector(value.getType()));
  ops.insert(op);
  for (Value operand : op->getOperands())
    if (failed(addProducers(operand, block, ops)))
      return failure();
  return success();
}

namespace {
/// Builds what a group without rows does in place of a tile.
class Skipper {
public:
  Skipper(RewriterBase &b, llvm::DenseSet<Operation *> &kept)
      : b(b), kept(kept) {}

  /// Clones what is left of `block`. Fails if something depends on a vector.
  LogicalResult clone(Block &block, IRMapping &values);

private:
  LogicalResult cloneRegions(Operation &op, IRMapping &values);
  bool hasOperands(Operation &op);

  RewriterBase &b;
  /// Ops that are cloned although they compute vectors.
  llvm::DenseSet<Operation *> &kept;
  /// The vectors that nobody computes.
  llvm::DenseSet<Value> dropped;
};
} // namespace

/// Returns whether all operands of `op` are computed.
bool Skipper::hasOperands(Operation &op) {
  return llvm::none_of(op.getOperands(), [&](Value operand) {
    return dropped.contains(operand);
  });
}

/// Clones a loop or a branch, which then carries no vectors.
LogicalResult Skipper::cloneRegions(Operation &op, IRMapping &values) {
  auto loop = dyn_cast<scf::ForOp>(op);
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!loop && !branch)
    return failure();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<unsigned> left;
  SmallVector<Type> types;
  for (OpResult result : op.getResults())
    if (isVector(result.getType())) {
      dropped.insert(result);
      if (loop)
        dropped.insert(loop.getRegionIterArgs()[result.getResultNumber()]);
    } else {
      left.push_back(result.getResultNumber());
      types.push_back(result.getType());
    }
  Operation *copy;
  if (loop) {
    SmallVector<Value> inits;
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (dropped.contains(bound))
        return failure();
    for (unsigned i : left) {
      if (dropped.contains(loop.getInitArgs()[i]))
        return failure();
      inits.push_back(values.lookupOrDefault(loop.getInitArgs()[i]));
    }
    auto other = scf::ForOp::create(
        b, loop.getLoc(), values.lookupOrDefault(loop.getLowerBound()),
        values.lookupOrDefault(loop.getUpperBound()),
        values.lookupOrDefault(loop.getStep()), inits);
    values.map(loop.getInductionVar(), other.getInductionVar());
    for (auto [number, i] : llvm::enumerate(left))
      values.map(loop.getRegionIterArgs()[i],
                 other.getRegionIterArgs()[number]);
    copy = other;
  } else {
    copy = scf::IfOp::create(b, op.getLoc(), types,
                             values.lookupOrDefault(branch.getCondition()),
                             !branch.getElseRegion().empty());
  }
  for (auto [from, to] : llvm::zip_equal(op.getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    Block &block = to.front();
    b.setInsertionPointToStart(&block);
    if (failed(clone(from.front(), values)))
      return failure();
    SmallVector<Value> yielded;
    for (unsigned i : left) {
      Value value = from.front().getTerminator()->getOperand(i);
      if (dropped.contains(value))
        return failure();
      yielded.push_back(values.lookupOrDefault(value));
    }
    b.setInsertionPointToEnd(&block);
    if (block.mightHaveTerminator())
      b.eraseOp(block.getTerminator());
    scf::YieldOp::create(b, op.getLoc(), yielded);
  }
  for (auto [number, i] : llvm::enumerate(left))
    values.map(op.getResult(i), copy->getResult(number));
  return success();
}

LogicalResult Skipper::clone(Block &block, IRMapping &values) {
  for (Operation &op : block.without_terminator()) {
    if (kept.contains(&op) || isProtocol(&op) || isScalar(op)) {
      if (!hasOperands(op))
        return failure();
      b.clone(op, values);
      // Nobody uses a tile that is not computed with.
      if (!kept.contains(&op))
        for (Value result : op.getResults())
          if (isVector(result.getType()))
            dropped.insert(result);
      continue;
    }
    if (op.getNumRegions() != 0) {
      if (!hasOperands(op) && !isa<scf::ForOp>(op))
        return failure();
      if (failed(cloneRegions(op, values)))
        return failure();
      continue;
    }
    dropped.insert_range(op.getResults());
  }
  return success();
}

/// Builds the number of the group of a thread. A shuffle tells the assembler
/// that it is the same in all lanes. Each tile computes it again, so that it
/// takes no register between.
static Value buildGroup(OpBuilder &b, Location loc, const GPUTarget &target) {
  auto buildIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto buildInt = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  };
  Value group = arith::DivUIOp::create(
      b, loc, gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x),
      buildIndex(target.groupThreads));
  Value ofLane = arith::IndexCastOp::create(b, loc, b.getI32Type(), group);
  Value ofAll =
      gpu::ShuffleOp::create(b, loc, ofLane, buildInt(0),
                             buildInt(target.lanes), gpu::ShuffleMode::IDX)
          .getShuffleResult();
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), ofAll);
}

/// Returns the number of rows that exist of the tiles of `loop`, and the rows
/// of a tile, if groups of threads of `role` may skip those of which they have
/// none.
static std::pair<Value, int64_t> findRowsOfGroups(RoleOp role, scf::ForOp loop,
                                                  const GPUTarget &target) {
  if (role.getSingle() || role.getGroups() || role.getFirst() != 0)
    return {};
  auto threads = static_cast<int64_t>(role.getThreads());
  int64_t groups = threads / target.groupThreads;
  bool takesTurns =
      loop.walk([](TurnTakeOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (threads % target.groupThreads != 0 || groups < kLeastGroups ||
      !takesTurns)
    return {};
  auto [rows, ofTile] = findRows(loop);
  if (!rows || ofTile % groups != 0 ||
      !isDividedAmongGroups(role, loop, ofTile, target))
    return {};
  return {rows, ofTile};
}

bool mlir::vector_ext::skipRows(RewriterBase &b, scf::ForOp loop) {
  auto role = loop->getParentOfType<RoleOp>();
  auto launch = loop->getParentOfType<gpu::LaunchOp>();
  if (!role || !launch)
    return false;
  FailureOr<GPUTarget> target = linalg_ext::getGPUTarget(launch);
  if (failed(target))
    return false;
  auto [rows, ofTile] = findRowsOfGroups(role, loop, *target);
  if (!rows)
    return false;
  int64_t groups =
      static_cast<int64_t>(role.getThreads()) / target->groupThreads;
  // 1. What tells the rows stays in front of the branch. All else is computed
  // where it was, and takes no registers before.
  Block *body = loop.getBody();
  llvm::DenseSet<Operation *> ofRows, kept;
  if (failed(addScalars(rows, loop, ofRows)))
    return false;
  Operation *first = nullptr;
  SmallVector<Operation *> others, early;
  for (Operation &op : body->without_terminator()) {
    if (!ofRows.contains(&op)) {
      first = first ? first : &op;
      others.push_back(&op);
    } else if (first) {
      early.push_back(&op);
    }
  }
  if (!first)
    return false;
  SmallVector<Value> results;
  for (Value value : loop.getYieldedValues()) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != body || ofRows.contains(op))
      continue;
    if (failed(addProducers(value, body, kept)))
      return false;
    results.push_back(value);
  }
  // The assembler orders loops whose products start from biases in a slower way
  // then (docs/Decisions/0186).
  for (Operation *op : kept)
    if (auto contract = dyn_cast<vector::ContractionOp>(op))
      if (!loop.isDefinedOutsideOfLoop(contract.getAcc()))
        return false;
  // 2. The branch.
  Location loc = loop.getLoc();
  for (Operation *op : early)
    b.moveOpBefore(op, first);
  b.setInsertionPoint(first);
  Operation *before = first->getPrevNode();
  Value group = buildGroup(b, loc, *target);
  Value start = arith::MulIOp::create(
      b, loc, group, arith::ConstantIndexOp::create(b, loc, ofTile / groups));
  Value isIdle =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, start, rows);
  auto branch =
      scf::IfOp::create(b, loc, ValueRange(results).getTypes(), isIdle,
                        /*withElseRegion=*/true);
  branch->setAttr(getSkipsRowsAttrName(), b.getUnitAttr());
  auto yield = [&](Block *block, ValueRange values) {
    b.setInsertionPointToEnd(block);
    if (block->mightHaveTerminator())
      b.eraseOp(block->getTerminator());
    scf::YieldOp::create(b, loc, values);
  };
  IRMapping values;
  b.setInsertionPointToStart(branch.thenBlock());
  // (The ops of the tile are still behind the branch.)
  Block *rest = b.splitBlock(body, std::next(branch->getIterator()));
  Skipper skipper(b, kept);
  b.setInsertionPointToStart(branch.thenBlock());
  LogicalResult cloned = skipper.clone(*rest, values);
  b.inlineBlockBefore(rest, body, body->end());
  if (failed(cloned)) {
    for (Operation *op = branch; op != before;) {
      Operation *previous = op->getPrevNode();
      b.eraseOp(op);
      op = previous;
    }
    return false;
  }
  SmallVector<Value> ofIdle = llvm::map_to_vector(
      results, [&](Value value) { return values.lookup(value); });
  yield(branch.thenBlock(), ofIdle);
  yield(branch.elseBlock(), results);
  for (Operation *op : others)
    b.moveOpBefore(op, branch.elseBlock()->getTerminator());
  Operation *terminator = body->getTerminator();
  b.modifyOpInPlace(terminator, [&] {
    for (auto [value, result] : llvm::zip_equal(results, branch.getResults()))
      terminator->replaceUsesOfWith(value, result);
  });
  return true;
}

void mlir::vector_ext::dropSkips(RewriterBase &b, RoleOp role) {
  SmallVector<scf::IfOp> branches;
  role.walk([&](scf::IfOp branch) {
    bool hasBarrier = branch
                          .walk([](Operation *op) {
                            return isBarrier(op) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                          })
                          .wasInterrupted();
    if (branch->hasAttr(getSkipsRowsAttrName()) && hasBarrier)
      branches.push_back(branch);
  });
  for (scf::IfOp branch : branches) {
    SmallVector<Value> results(branch.elseYield().getResults());
    b.eraseOp(branch.elseYield());
    b.inlineBlockBefore(branch.elseBlock(), branch);
    b.replaceOp(branch, results);
  }
}
