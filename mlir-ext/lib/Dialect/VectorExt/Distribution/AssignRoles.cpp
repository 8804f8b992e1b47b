//===- AssignRoles.cpp - A role that copies and a role that computes ------===//
//
// Splits the program of a workgroup into two programs that run at the same time
// in different threads (warp specialisation):
//
//   1. Find the ops that the puts of rings depend on: indices, positions, and
//      the loops and branches around them. None of them may need a vector. What
//      is written to rings may be any vector.
//   2. Clone these and the puts to a role of one new thread, or of several that
//      share the parts of tiles, or, if there are writes, of all new threads.
//      Reads of few bytes of each row, such as scales, become longer ones.
//   3. Move the rest to a role of the original threads.
//   4. Divide the registers among the roles.
//   5. If groups of threads have tiles of their own, deal these to them. If a
//      workgroup is alone on its processor, leave its products open, too.
//
//===----------------------------------------------------------------------===//

#include "BooleanTiles.h"
#include "GroupTiles.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/RoleRegisters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

//===----------------------------------------------------------------------===//
// What puts follow from
//===----------------------------------------------------------------------===//

namespace {
/// The ops, and the results of control flow, that the puts of a launch need.
class Slice {
public:
  /// If `hasVectors`, the ops may compute vectors.
  Slice(gpu::LaunchOp launch, bool hasVectors, Refusal &refusal)
      : launch(launch), hasVectors(hasVectors), refusal(refusal) {}

  /// Adds a put or a write.
  LogicalResult add(Operation *put) {
    for (Value operand : put->getOperands())
      if (failed(addValue(operand)))
        return failure();
    return addAncestors(put);
  }

  bool needs(Operation *op) const { return ops.contains(op); }
  bool needs(Value value) const { return values.contains(value); }

private:
  LogicalResult refuse(Operation *op, const Twine &text) {
    return refusal.set(RefusalKind::Other, op, text);
  }
  LogicalResult addAncestors(Operation *op);
  LogicalResult addValue(Value value);
  LogicalResult addResult(OpResult result);
  LogicalResult checkRead(Operation *op);

  gpu::LaunchOp launch;
  bool hasVectors;
  Refusal &refusal;
  llvm::DenseSet<Operation *> ops;
  llvm::DenseSet<Value> values;
};
} // namespace

LogicalResult Slice::addAncestors(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent != launch;
       parent = parent->getParentOp()) {
    if (!ops.insert(parent).second)
      return success();
    if (!isa<scf::ForOp, scf::IfOp>(parent))
      return refuse(parent, "a tile is copied in an op that is no loop and no "
                            "branch");
    // Only those values that a loop carries and that are needed belong to the
    // slice.
    auto loop = dyn_cast<scf::ForOp>(parent);
    ValueRange operands = parent->getOperands();
    for (Value operand : loop ? operands.take_front(3) : operands)
      if (failed(addValue(operand)))
        return failure();
  }
  return success();
}

/// Fails if `op` reads memory to which the launch may write.
LogicalResult Slice::checkRead(Operation *op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(op).getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (!isa<MemoryEffects::Read>(effect.getEffect()) || !effect.getValue())
      return refuse(op, "the place of a tile follows from an op with side "
                        "effects");
    Value base = linalg_ext::getViewedBuffer(effect.getValue());
    WalkResult walk = launch.walk([&](Operation *other) -> WalkResult {
      if (other->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
          isa<RingCreateOp, RingPutOp, RingWriteOp, RingGetOp, RingReleaseOp>(
              other))
        return WalkResult::advance();
      std::optional<SmallVector<MemoryEffects::EffectInstance>> writes =
          getEffectsRecursively(other);
      bool mayWrite = !writes || llvm::any_of(*writes, [&](const auto &write) {
        return isa<MemoryEffects::Write>(write.getEffect()) &&
               (!write.getValue() ||
                linalg_ext::getViewedBuffer(write.getValue()) == base);
      });
      return mayWrite ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return refuse(op, "the place of a tile follows from memory to which the "
                        "kernel writes");
  }
  return success();
}

LogicalResult Slice::addResult(OpResult result) {
  Operation *op = result.getOwner();
  if (isa<RingCreateOp>(op))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    ops.insert(loop);
    for (Value bound : loop->getOperands().take_front(3))
      if (failed(addValue(bound)))
        return failure();
    return failure(
        failed(addValue(loop.getInitArgs()[result.getResultNumber()])) ||
        failed(addValue(loop.getYieldedValues()[result.getResultNumber()])) ||
        failed(addAncestors(loop)));
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    ops.insert(branch);
    if (failed(addValue(branch.getCondition())))
      return failure();
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      if (failed(addValue(yield.getResults()[result.getResultNumber()])))
        return failure();
    return addAncestors(branch);
  }
  if (op->getNumRegions() != 0 ||
      (!isPure(op) && !isa<MemoryEffectOpInterface>(op)))
    return refuse(op, "the place of a tile follows from an op with regions or "
                      "unknown effects");
  if (!isPure(op) && failed(checkRead(op)))
    return failure();
  ops.insert(op);
  for (Value operand : op->getOperands())
    if (failed(addValue(operand)))
      return failure();
  return addAncestors(op);
}

LogicalResult Slice::addValue(Value value) {
  if (!launch.getBody().isAncestor(value.getParentRegion()))
    return success();
  Operation *parent = value.getParentBlock()->getParentOp();
  if (!hasVectors && isa<VectorType>(value.getType()))
    return refuse(parent, "the place of a tile follows from a vector");
  if (!values.insert(value).second)
    return success();
  if (auto result = dyn_cast<OpResult>(value))
    return addResult(result);
  if (parent == launch)
    return success();
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return refuse(parent, "the place of a tile follows from an argument of a "
                          "block that is no loop");
  if (value == loop.getInductionVar())
    return success();
  auto argument = cast<BlockArgument>(value);
  return addResult(cast<OpResult>(loop.getTiedLoopResult(argument)));
}

//===----------------------------------------------------------------------===//
// The copying role
//===----------------------------------------------------------------------===//

static void cloneSlice(OpBuilder &b, Block &from, const Slice &slice,
                       IRMapping &mapping);

/// Clones `loop` with those carried values that the slice needs.
static void cloneLoop(OpBuilder &b, scf::ForOp loop, const Slice &slice,
                      IRMapping &mapping) {
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (slice.needs(loop.getResult(i)) ||
        slice.needs(loop.getRegionIterArgs()[i])) {
      carried.push_back(i);
      inits.push_back(mapping.lookupOrDefault(loop.getInitArgs()[i]));
    }
  auto clone = scf::ForOp::create(
      b, loop.getLoc(), mapping.lookupOrDefault(loop.getLowerBound()),
      mapping.lookupOrDefault(loop.getUpperBound()),
      mapping.lookupOrDefault(loop.getStep()), inits);
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  for (auto [number, i] : llvm::enumerate(carried)) {
    mapping.map(loop.getRegionIterArgs()[i], clone.getRegionIterArgs()[number]);
    mapping.map(loop.getResult(i), clone.getResult(number));
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(clone.getBody());
  cloneSlice(b, *loop.getBody(), slice, mapping);
  if (carried.empty())
    return;
  SmallVector<Value> yielded;
  for (unsigned i : carried)
    yielded.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[i]));
  b.setInsertionPointToEnd(clone.getBody());
  scf::YieldOp::create(b, loop.getLoc(), yielded);
}

static void cloneBranch(OpBuilder &b, scf::IfOp branch, const Slice &slice,
                        IRMapping &mapping) {
  SmallVector<unsigned> needed;
  SmallVector<Type> types;
  for (OpResult result : branch->getResults())
    if (slice.needs(result)) {
      needed.push_back(result.getResultNumber());
      types.push_back(result.getType());
    }
  bool hasElse = !branch.getElseRegion().empty();
  auto clone = scf::IfOp::create(b, branch.getLoc(), types,
                                 mapping.lookupOrDefault(branch.getCondition()),
                                 hasElse);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), clone->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&to.front());
    cloneSlice(b, from.front(), slice, mapping);
    if (needed.empty())
      continue;
    SmallVector<Value> yielded;
    for (unsigned i : needed)
      yielded.push_back(
          mapping.lookupOrDefault(from.front().getTerminator()->getOperand(i)));
    b.setInsertionPointToEnd(&to.front());
    scf::YieldOp::create(b, branch.getLoc(), yielded);
  }
  for (auto [number, i] : llvm::enumerate(needed))
    mapping.map(branch.getResult(i), clone.getResult(number));
}

/// Clones those ops of `from` that are in `slice`.
static void cloneSlice(OpBuilder &b, Block &from, const Slice &slice,
                       IRMapping &mapping) {
  for (Operation &op : from.without_terminator()) {
    if (!isa<RingPutOp, RingWriteOp>(op) && !slice.needs(&op))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      cloneLoop(b, loop, slice, mapping);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      cloneBranch(b, branch, slice, mapping);
    else
      b.clone(op, mapping);
  }
}

/// Refuses an instruction whose result, and what the assembler needs beside it,
/// does not fit the registers with which threads start: the assembler compiles
/// all instructions for these.
static LogicalResult checkResults(gpu::LaunchOp launch, int64_t threads,
                                  const linalg_ext::GPUTarget &target,
                                  Refusal &refusal) {
  int64_t launched = target.getLaunchedRegisters(threads + target.groupThreads);
  WalkResult walk = launch.walk([&](vector::ContractionOp op) -> WalkResult {
    const MmaIntrinsic *intrinsic = getAsyncIntrinsic(op);
    if (!intrinsic)
      return WalkResult::advance();
    int64_t needed =
        intrinsic->acc.getNumRegisters() + target.asyncOtherRegisters;
    if (needed <= launched)
      return WalkResult::advance();
    return refusal.set(RefusalKind::Other, op,
                       "the instruction needs " + Twine(needed) +
                           " registers, expected at most the " +
                           Twine(launched) + " of a launch of " +
                           Twine(threads + target.groupThreads) + " threads");
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// The number of threads of `groups` times those of `launch`, if it is known
/// and there may be roles.
static FailureOr<int64_t> checkThreads(gpu::LaunchOp launch, int64_t groups,
                                       const linalg_ext::GPUTarget &target,
                                       Refusal &refusal) {
  std::optional<int64_t> threads = getConstantIntValue(launch.getBlockSizeX());
  if (!threads || *threads % target.groupThreads != 0 ||
      !isConstantIntValue(launch.getBlockSizeY(), 1) ||
      !isConstantIntValue(launch.getBlockSizeZ(), 1) ||
      *threads * groups + target.groupThreads > target.maxThreads)
    return refusal.set(
        RefusalKind::Other, launch,
        "expected a workgroup of a multiple of " + Twine(target.groupThreads) +
            " threads, and at most " +
            Twine((target.maxThreads - target.groupThreads) / groups));
  for (Value size : {launch.getBlockSize().x, launch.getBlockSize().y,
                     launch.getBlockSize().z})
    if (!size.use_empty())
      return refusal.set(RefusalKind::Other, launch,
                         "the kernel uses the size of a workgroup");
  if (launch.getNumWorkgroupAttributions() != 0 ||
      launch.getNumPrivateAttributions() != 0)
    return refusal.set(RefusalKind::Other, launch,
                       "the launch has memory as arguments");
  return *threads * groups;
}

/// Erases ops that only puts and writes needed.
static void eraseDeadOps(RewriterBase &b, Block &block) {
  block.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (!isa<RoleOp>(op) && isOpTriviallyDead(op))
      b.eraseOp(op);
  });
}

/// Returns whether `value` is computed from a tile of bytes in a ring.
static bool isConvertedFromBytes(Value value) {
  SetVector<Value> values;
  values.insert(value);
  bool readsBytes = false;
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    auto type = dyn_cast<VectorType>(values[i].getType());
    if (!type)
      continue;
    if (isa_and_nonnull<RingGetOp>(op))
      readsBytes |= i > 0 && type.getElementTypeBitWidth() == 8;
    else if (op &&
             (OpTrait::hasElementwiseMappableTraits(op) ||
              isa<vector::ShapeCastOp, vector::TransposeOp, vector::BroadcastOp,
                  vector::ExtractOp, ToLayoutOp>(op)))
      values.insert_range(op->getOperands());
    // Weights of products whose masks are bytes are not converted bytes.
    else if (!op || isa<vector::ContractionOp, AwaitOp>(op))
      return false;
  }
  return readsBytes;
}

namespace {
/// The rings of a launch, and the ops that store to them.
struct RingOps {
  SmallVector<RingCreateOp> rings;
  SmallVector<RingPutOp> puts;
  SmallVector<RingWriteOp> writes;

  /// Returns the largest number of copiers of a put.
  int64_t getNumCopiers() const {
    int64_t copiers = 1;
    for (RingPutOp put : puts)
      copiers = std::max(copiers, put.getNumCopiers());
    return copiers;
  }

  /// Whether the copying role is `single`. Several copiers of a subgroup
  /// compute places, and one of them copies.
  bool hasSingleCopier(const linalg_ext::GPUTarget &target) const {
    return writes.empty() &&
           getNumCopiers() <= target.groupThreads / target.lanes;
  }
};
} // namespace

/// Collects the rings of `launch`. Refuses barriers and roles beside them.
static FailureOr<RingOps> collectRingOps(gpu::LaunchOp launch,
                                         Refusal &refusal) {
  RingOps ops;
  Operation *other = nullptr;
  launch.walk([&](Operation *op) {
    if (auto ring = dyn_cast<RingCreateOp>(op))
      ops.rings.push_back(ring);
    else if (auto put = dyn_cast<RingPutOp>(op))
      ops.puts.push_back(put);
    else if (auto write = dyn_cast<RingWriteOp>(op))
      ops.writes.push_back(write);
    else if (isa<RoleOp, gpu::BarrierOp>(op))
      other = op;
  });
  if (!ops.rings.empty() && other)
    return refusal.set(RefusalKind::Other, other,
                       "expected a program without barriers and roles");
  return ops;
}

/// The most places in memory that a thread of the copying role holds, in terms
/// of which its registers are counted.
static int64_t countPlaces(const RingOps &ops,
                           const linalg_ext::GPUTarget &target) {
  int64_t numPlaces = 1;
  for (RingPutOp put : ops.puts)
    for (unsigned i = 0; i < put.getSources().size(); ++i)
      numPlaces = std::max(numPlaces, put.getNumOwnParts(i));
  // A division by the rows of a page, if these are not known, takes as many
  // registers as the places of several parts.
  constexpr int64_t kPlacesOfDivision = 8;
  auto addDivisions = [&](Operation *op) {
    op->getParentOp()->walk([&](arith::FloorDivSIOp division) {
      APInt constant;
      if (!matchPattern(division.getRhs(), m_ConstantInt(&constant)))
        numPlaces = std::max(numPlaces, kPlacesOfDivision);
    });
  };
  llvm::for_each(ops.puts, addDivisions);
  llvm::for_each(ops.writes, addDivisions);
  // Threads that write have the places of rows. Where these are copied, eight
  // threads share a row (`getLineLayout`).
  constexpr int64_t kThreadsOfRow = 8, kFewRows = 8, kFewPlaces = 4;
  for (RingWriteOp write : ops.writes) {
    auto type = cast<VectorType>(write.getTile().getType());
    int64_t rows = type.getNumElements() / type.getShape().back();
    bool isFew = target.asyncCopies != 0 &&
                 rows * kThreadsOfRow <= kFewRows * target.groupThreads;
    numPlaces = std::max(numPlaces, isFew ? kFewPlaces : target.groupThreads);
  }
  if (!ops.hasSingleCopier(target))
    numPlaces = std::max<int64_t>(numPlaces, 2);
  return numPlaces;
}

/// Returns whether threads of `launch` load tiles of booleans, of several rows,
/// in loops.
static bool loadsBooleans(gpu::LaunchOp launch) {
  return launch
      .walk([](RingGetOp get) {
        return isa<scf::ForOp>(get->getParentOp()) &&
                       llvm::any_of(
                           get.getTiles(),
                           [](Value tile) {
                             auto type = cast<VectorType>(tile.getType());
                             return type.getRank() > 1 && isOfBooleans(tile);
                           })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The registers of both roles, which share those of `threads` threads and of
/// one more group.
static linalg_ext::RoleRegisters
getRegisters(gpu::LaunchOp launch, const RingOps &ops, int64_t threads,
             const linalg_ext::GPUTarget &target) {
  auto isInOuterLoop = [](Operation *op) {
    auto loop = op->getParentOfType<scf::ForOp>();
    return loop && loop->getParentOfType<scf::ForOp>();
  };
  bool hasOuterLoop = llvm::any_of(ops.puts, isInOuterLoop) ||
                      llvm::any_of(ops.writes, isInOuterLoop);
  // A loop whose order of tiles is not known may have the one that takes more.
  std::optional<KernelMark> mark = getKernelMark(launch);
  int64_t persist = !hasOuterLoop           ? 0
                    : mark && mark->persist ? mark->persist
                                            : 2;
  int64_t parts = threads / target.groupThreads;
  int64_t numPlaces = countPlaces(ops, target);
  // Where tiles are dealt in order, a thread that copies from one place needs
  // no more than without the loop over them. Threads that pack booleans would
  // spill some; others were not faster with more (docs/Decisions/0179).
  if (persist == kDealtInOrder && mark && parts == 2 && numPlaces == 1 &&
      loadsBooleans(launch))
    persist = 0;
  return linalg_ext::shareRegisters(parts, numPlaces, persist, target);
}

/// Returns whether threads of `launch` convert bytes to operands of
/// instructions.
static bool convertsBytes(gpu::LaunchOp launch) {
  return launch
      .walk([](vector::ContractionOp contract) {
        return getAsyncIntrinsic(contract) &&
                       isConvertedFromBytes(contract.getLhs())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether operands and sums of `launch`, of which `threads` threads compute,
/// need no more registers than the launch gives each thread. Then no role gives
/// registers to the other one, and several workgroups may run on a processor.
static bool needFew(gpu::LaunchOp launch, int64_t threads,
                    const linalg_ext::GPUTarget &target) {
  auto getWords = [](VectorType type) {
    return type.getNumElements() * type.getElementTypeBitWidth() / 32;
  };
  // A thread has the operand of one product at a time.
  int64_t words = 0;
  launch.walk([&](vector::ContractionOp contract) {
    if (!getAsyncIntrinsic(contract))
      return;
    // Sums that are not continued are added to others.
    bool isContinued = !matchPattern(contract.getAcc(), m_Constant());
    int64_t sums = getWords(cast<VectorType>(contract.getResultType()));
    words = std::max(words, (isContinued ? 1 : 2) * sums +
                                getWords(contract.getLhsType()));
  });
  return words / threads + target.asyncOtherRegisters <=
         target.getLaunchedRegisters(threads + target.groupThreads);
}

/// Moves all ops of `body` before `computing`, except for rings, into that
/// role.
static void moveIntoRole(RewriterBase &b, Block &body, RoleOp computing) {
  Operation *end = computing.getBody().front().getTerminator();
  for (Operation &op : llvm::make_early_inc_range(body))
    if (!isa<RingCreateOp>(op)) {
      if (&op == computing)
        break;
      b.moveOpBefore(&op, end);
    }
}

/// Merges reads of a few bytes of each row in the loops of `copying`. A line of
/// the first cache takes as long for these as for more bytes.
static void readLonger(RewriterBase &b, RoleOp copying,
                       const linalg_ext::GPUTarget &target) {
  Workgroup workgroup{target.lanes, target.groupThreads / target.lanes};
  SmallVector<scf::ForOp> loops;
  copying.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    mergeShortReads(b, loop, workgroup);
}

FailureOr<int64_t> mlir::vector_ext::assignRoles(RewriterBase &b,
                                                 gpu::LaunchOp launch,
                                                 int64_t groups,
                                                 Refusal &refusal) {
  if (groups < 1)
    return refusal.set(RefusalKind::Other, launch,
                       "expected at least 1 group, got " + Twine(groups));
  FailureOr<RingOps> ops = collectRingOps(launch, refusal);
  if (failed(ops))
    return failure();
  if (ops->rings.empty())
    return 0;
  FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
  if (failed(target))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  FailureOr<int64_t> threads = checkThreads(launch, groups, *target, refusal);
  if (failed(threads) ||
      failed(checkResults(launch, *threads, *target, refusal)))
    return failure();
  Slice slice(launch, /*hasVectors=*/!ops->writes.empty(), refusal);
  for (RingPutOp put : ops->puts)
    if (failed(slice.add(put)))
      return failure();
  for (RingWriteOp write : ops->writes)
    if (failed(slice.add(write)))
      return failure();
  scf::ForOp tiles;
  if (groups > 1) {
    FailureOr<scf::ForOp> loop = findTileLoop(launch, refusal);
    if (failed(loop))
      return failure();
    tiles = *loop;
  }

  Location loc = launch.getLoc();
  Block &body = launch.getBody().front();
  for (RingCreateOp ring : ops->rings)
    b.moveOpBefore(ring, &body, body.begin());
  int64_t copiers = ops->getNumCopiers();
  bool isSingle = ops->hasSingleCopier(*target);
  linalg_ext::RoleRegisters registers =
      getRegisters(launch, *ops, *threads, *target);
  bool hasEnough = convertsBytes(launch) && needFew(launch, *threads, *target);
  auto createRole = [&](int64_t first, int64_t count, int64_t registers,
                        bool isSingle, int64_t groups) {
    auto role = RoleOp::create(
        b, loc, first, count,
        hasEnough ? nullptr : b.getI64IntegerAttr(registers), isSingle,
        groups > 1 ? b.getI64IntegerAttr(groups) : nullptr);
    b.createBlock(&role.getBody());
    RoleEndOp::create(b, loc);
    b.setInsertionPoint(body.getTerminator());
    return role;
  };
  b.setInsertionPoint(body.getTerminator());
  RoleOp computing =
      createRole(0, *threads, registers.computing, /*isSingle=*/false, groups);
  RoleOp copying = createRole(*threads, target->groupThreads, registers.copying,
                              isSingle, isSingle ? copiers : 1);

  IRMapping mapping;
  b.setInsertionPoint(copying.getBody().front().getTerminator());
  cloneSlice(b, body, slice, mapping);
  // Threads that keep their registers have some for longer reads.
  if (!isSingle && hasEnough)
    readLonger(b, copying, *target);
  if (!isSingle)
    copying.walk([&](RingCopierOp copier) {
      b.setInsertionPoint(copier);
      b.replaceOp(copier, buildCopier(b, loc, copying, copiers));
    });
  for (RingPutOp put : ops->puts)
    b.eraseOp(put);
  for (RingWriteOp write : ops->writes)
    b.eraseOp(write);
  eraseDeadOps(b, body);
  moveIntoRole(b, body, computing);
  if (groups > 1)
    dealTilesToGroups(b, computing, tiles);
  else if (std::optional<KernelMark> mark = getKernelMark(launch);
           mark && mark->alone)
    leaveProductsOpen(b, computing);
  b.setInsertionPoint(launch);
  b.modifyOpInPlace(launch, [&] {
    launch.getBlockSizeXMutable().assign(arith::ConstantIndexOp::create(
        b, loc, *threads + target->groupThreads));
  });
  return static_cast<int64_t>(ops->rings.size());
}
