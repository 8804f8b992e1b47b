//===- LowerRoles.cpp - Roles to branches and named barriers --------------===//
//
// A role becomes a branch that its threads take. All threads of a warp take it
// together. Its barriers are named barriers, numbered from 1 on. If groups of
// its threads run the program, those of the first group have the number of the
// role, and the others are numbered behind those of roles. Turns of its groups
// have a named barrier for each group, numbered behind these:
//
//   take         wait at the barrier of the own group
//   pass         arrive at that of the next one
//   start, end   the last group arrives at that of group 0, which waits for the
//                last arrival
//
// A role that has a barrier in a turn loses its turns.
//
// If one thread runs a role, it is an elected one of the first warp: the
// assembler then knows that it is one, and starts its copies without loops over
// threads.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::AsyncMmaOp;
using vector_ext::RingCopierOp;
using vector_ext::RoleBarrierOp;
using vector_ext::RoleGroupOp;
using vector_ext::RoleOp;
using vector_ext::TurnPassOp;
using vector_ext::TurnTakeOp;

/// Named barriers of a workgroup. Number 0 is that of all threads.
static constexpr int64_t numBarriers = 16;

static LogicalResult checkRole(RoleOp role, gpu::LaunchOp launch,
                               const GPUTarget &target) {
  if (role->getParentOp() != launch)
    return role.emitOpError() << "expected to be in the body of a launch";
  if (role.getFirst() % target.groupThreads != 0 ||
      role.getThreads() % target.groupThreads != 0)
    return role.emitOpError() << "expected multiples of " << target.groupThreads
                              << " threads, got " << role.getThreads()
                              << " from " << role.getFirst();
  WalkResult walk = role.walk([](gpu::BarrierOp barrier) -> WalkResult {
    return barrier.emitOpError()
           << "expected no barrier of the workgroup in a role";
  });
  return failure(walk.wasInterrupted());
}

/// Returns the number of registers that a thread of `launch` starts with, if
/// the number of threads is known.
static std::optional<int64_t> getLaunchedRegisters(gpu::LaunchOp launch,
                                                   const GPUTarget &target) {
  std::optional<int64_t> threads = getConstantIntValue(launch.getBlockSizeX());
  if (!threads)
    return std::nullopt;
  return target.getLaunchedRegisters(*threads);
}

/// Replaces the numbers of the threads that copy in `role`.
static void replaceCopiers(IRRewriter &rewriter, RoleOp role, Value warp,
                           const GPUTarget &target) {
  SmallVector<RingCopierOp> copiers;
  role.walk([&](RingCopierOp copier) { copiers.push_back(copier); });
  for (RingCopierOp copier : copiers) {
    ImplicitLocOpBuilder b(copier.getLoc(), rewriter);
    b.setInsertionPoint(copier);
    if (!role.getGroups()) {
      rewriter.replaceOp(copier, arith::ConstantIndexOp::create(b, 0));
      continue;
    }
    // If whole warps copy, the number is the same in all lanes, and the
    // assembler can see that.
    int64_t size = role.getThreads() / *role.getGroups(), unit = 1;
    Value number = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    if (size % target.lanes == 0) {
      number = warp;
      unit = target.lanes;
    }
    number = arith::SubIOp::create(
        b, number, arith::ConstantIndexOp::create(b, role.getFirst() / unit));
    rewriter.replaceOp(
        copier, arith::DivUIOp::create(
                    b, number, arith::ConstantIndexOp::create(b, size / unit)));
  }
}

/// Builds the number of the group of a thread of `role`. Each group has
/// `threads` threads.
static Value buildGroup(ImplicitLocOpBuilder &b, RoleOp role, Value warp,
                        int64_t threads, const GPUTarget &target) {
  return b.createOrFold<arith::DivUIOp>(
      b.createOrFold<arith::SubIOp>(
          warp,
          arith::ConstantIndexOp::create(b, role.getFirst() / target.lanes)),
      arith::ConstantIndexOp::create(b, threads / target.lanes));
}

namespace {
/// The numbers of named barriers.
struct BarrierNumbers {
  /// The number of the role's barrier, and the first number that is free.
  int64_t role, free;
};
} // namespace

/// Emits an error at `role`: the barriers of all roles, and of the turns up to
/// those of this role, are too many.
static LogicalResult refuseBarriers(RoleOp role,
                                    const BarrierNumbers &numbers) {
  return role.emitOpError()
         << "expected at most " << numBarriers - 1
         << " named barriers in the launch, got " << numbers.free - 1;
}

/// Replaces the barriers of the threads that run the program of `role`
/// together, and counts those of groups in `numbers`.
static LogicalResult lowerBarriers(IRRewriter &rewriter, RoleOp role,
                                   Value warp, BarrierNumbers &numbers,
                                   const GPUTarget &target) {
  SmallVector<RoleBarrierOp> barriers;
  role.walk([&](RoleBarrierOp barrier) { barriers.push_back(barrier); });
  if (barriers.empty())
    return success();
  int64_t first = numbers.free, groups = role.getGroups().value_or(1);
  numbers.free += groups - 1;
  if (numbers.role >= numBarriers || numbers.free > numBarriers)
    return refuseBarriers(role, numbers);
  for (RoleBarrierOp barrier : barriers) {
    ImplicitLocOpBuilder b(barrier.getLoc(), rewriter);
    b.setInsertionPoint(barrier);
    Value number = arith::ConstantIntOp::create(b, numbers.role, 32);
    if (groups > 1) {
      Value group = arith::IndexCastOp::create(
          b, b.getI32Type(),
          buildGroup(b, role, warp, role.getGroupThreads(), target));
      Value isFirst =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, group,
                                arith::ConstantIntOp::create(b, 0, 32));
      number = arith::SelectOp::create(
          b, isFirst, number,
          arith::AddIOp::create(
              b, group, arith::ConstantIntOp::create(b, first - 1, 32)));
    }
    createNamedBarrier<NVVM::BarrierOp>(
        b, number, arith::ConstantIntOp::create(b, role.getGroupThreads(), 32));
    rewriter.eraseOp(barrier);
  }
  return success();
}

/// Returns whether all threads of the role wait for each other while a group,
/// for which others wait, has its turn. `take` is in the block of its
/// `turn.pass`.
static bool hasBarrier(TurnTakeOp take) {
  for (Operation *op = take->getNextNode(); op && !isa<TurnPassOp>(op);
       op = op->getNextNode())
    if (op->walk([](RoleBarrierOp) {
            return WalkResult::interrupt();
          }).wasInterrupted())
      return true;
  return false;
}

/// Returns whether `op` computes a bias, or a function of scores that is not
/// the exponential.
static bool changesScores(Operation *op) {
  return isa<arith::SIToFPOp, arith::ExtFOp>(op) ||
         (isa<math::MathDialect>(op->getDialect()) && !isa<math::Exp2Op>(op));
}

/// Returns whether tiles of `role` are dealt as `persist` says, and begin
/// early: TMA copies results from memory while the next tile is computed.
/// Nothing but a diagonal may change scores.
static bool isPlainAndEarly(RoleOp role, int64_t persist) {
  std::optional<vector_ext::KernelMark> mark =
      vector_ext::getKernelMark(role->getParentOfType<gpu::LaunchOp>());
  if (!mark || mark->persist != persist)
    return false;
  bool isEarly = false;
  WalkResult walk = role.walk([&](Operation *op) {
    isEarly |= isa<nvgpu::TmaAsyncStoreOp>(op);
    return changesScores(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return isEarly && !walk.wasInterrupted();
}

/// The least instructions of a chain in which the turn is passed.
static constexpr size_t kLeastInTurn = 8;

/// Returns the op in front of which a group passes its turn. Of the products
/// that it has issued, the queue still has some then, and the next group takes
/// a while to issue its own. So in a role of two groups without a diagonal
/// (`isEarly`), the turn is passed in front of the last half of the last chain.
/// Where a branch in the loop over tiles has the products, as if the tile may
/// have no keys, that is slower (docs/Decisions/0170).
static Operation *getPlaceOfPass(TurnPassOp pass, bool isEarly) {
  SmallVector<AsyncMmaOp> chain;
  for (Operation *op = pass->getPrevNode(); op && !isa<TurnTakeOp>(op);
       op = op->getPrevNode())
    if (auto mma = dyn_cast<AsyncMmaOp>(op);
        mma && (chain.empty() || chain.back().getAcc() == mma.getResult()))
      chain.push_back(mma);
  Operation *loop = pass->getParentOp();
  if (!isEarly || chain.size() < kLeastInTurn || !isa<scf::ForOp>(loop) ||
      !isa<scf::ForOp>(loop->getParentOp()))
    return pass;
  return chain[chain.size() / 2 - 1];
}

/// Replaces the turns of `role`, whose barriers are numbered from
/// `numbers.free` on, and counts them there.
static LogicalResult lowerTurns(IRRewriter &rewriter, RoleOp role, Value warp,
                                BarrierNumbers &numbers,
                                const GPUTarget &target) {
  SmallVector<Operation *> turns;
  int64_t groups = 0;
  WalkResult walk = role.walk([&](Operation *op) -> WalkResult {
    if (!isa<TurnTakeOp, TurnPassOp>(op))
      return WalkResult::advance();
    auto take = dyn_cast<TurnTakeOp>(op);
    int64_t here = take ? take.getGroups() : cast<TurnPassOp>(op).getGroups();
    if (groups != 0 && here != groups)
      return op->emitOpError()
             << "expected turns of " << groups
             << " groups as in the rest of the role, got " << here;
    groups = here;
    turns.push_back(op);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  // The program means the same without the turns.
  if (llvm::any_of(turns, [](Operation *op) {
        auto take = dyn_cast<TurnTakeOp>(op);
        return take && hasBarrier(take);
      })) {
    for (Operation *turn : turns)
      rewriter.eraseOp(turn);
    return success();
  }
  if (turns.empty())
    return success();
  int64_t threads = role.getThreads() / groups;
  if (threads % target.lanes != 0)
    return turns.front()->emitOpError()
           << "expected groups of a multiple of " << target.lanes
           << " threads, got " << threads;
  int64_t first = numbers.free;
  numbers.free += groups;
  if (numbers.free > numBarriers)
    return refuseBarriers(role, numbers);

  ImplicitLocOpBuilder b(role.getLoc(), rewriter);
  Block &body = role.getBody().front();
  b.setInsertionPointToStart(&body);
  auto buildIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto buildNumber = [&](Value group) -> Value {
    return arith::IndexCastOp::create(
        b, b.getI32Type(),
        b.createOrFold<arith::AddIOp>(group, buildIndex(first)));
  };
  Value group = buildGroup(b, role, warp, threads, target);
  auto isGroup = [&](int64_t number) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, group,
                                 buildIndex(number));
  };
  Value isLast = isGroup(groups - 1);
  Value next = arith::SelectOp::create(
      b, isLast, buildIndex(0), arith::AddIOp::create(b, group, buildIndex(1)));
  Value own = buildNumber(group), behind = buildNumber(next);
  // The barrier counts two groups: the one that waits, and the one that
  // arrives.
  Value count = arith::ConstantIntOp::create(b, 2 * threads, 32);
  auto wait = [&](Value number) {
    createNamedBarrier<NVVM::BarrierOp>(b, number, count);
  };
  auto starts = scf::IfOp::create(b, isLast, /*withElseRegion=*/false);
  b.setInsertionPoint(starts.thenYield());
  NVVM::BarrierArriveOp::create(b, behind, count);
  bool isEarly =
      groups == 2 && isPlainAndEarly(role, vector_ext::kDealtInOrder);
  for (Operation *turn : turns) {
    auto pass = dyn_cast<TurnPassOp>(turn);
    b.setInsertionPoint(pass ? getPlaceOfPass(pass, isEarly) : turn);
    if (pass)
      NVVM::BarrierArriveOp::create(b, behind, count);
    else
      wait(own);
    rewriter.eraseOp(turn);
  }
  b.setInsertionPoint(body.getTerminator());
  auto ends = scf::IfOp::create(b, isGroup(0), /*withElseRegion=*/false);
  b.setInsertionPoint(ends.thenYield());
  wait(own);
  return success();
}

/// Computes what follows from the number of the warp of a thread of `role` from
/// `warp`. The assembler can see that this is the same in all lanes. So
/// operands in uniform registers, such as descriptors, need no copies in each
/// iteration. In loops without a diagonal, or that begin late, the assembler
/// orders the rest of an iteration in a worse way then (docs/Decisions/0156).
static void computeFromWarp(RewriterBase &rewriter, RoleOp role, Value warp,
                            const GPUTarget &target) {
  role.walk([&](arith::DivUIOp division) {
    auto thread = division.getLhs().getDefiningOp<gpu::ThreadIdOp>();
    std::optional<int64_t> threads = getConstantIntValue(division.getRhs());
    if (!thread || thread.getDimension() != gpu::Dimension::x || !threads ||
        *threads <= 0 || *threads % target.lanes != 0)
      return;
    rewriter.setInsertionPoint(division);
    Value warps = arith::ConstantIndexOp::create(rewriter, division.getLoc(),
                                                 *threads / target.lanes);
    rewriter.replaceOpWithNewOp<arith::DivUIOp>(division, warp, warps);
  });
}

/// Returns whether `op`, in `launch`, reads the number of its thread, or uses
/// what an op computes that does. `seen` has the ops that were looked at.
static bool readsThread(Operation *op, gpu::LaunchOp launch,
                        llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!seen.insert(op).second)
    return false;
  gpu::KernelDim3 ids = launch.getThreadIds();
  auto isOfThread = [&](Value operand) {
    if (llvm::is_contained({ids.x, ids.y, ids.z}, operand))
      return true;
    Operation *producer = operand.getDefiningOp();
    return producer && launch->isProperAncestor(producer) &&
           readsThread(producer, launch, seen);
  };
  return op
      ->walk([&](Operation *nested) {
        bool reads = isa<gpu::ThreadIdOp, gpu::LaneIdOp>(nested) ||
                     llvm::any_of(nested->getOperands(), isOfThread);
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Replaces `role` by a branch. `warp` is the number of the warp.
static LogicalResult lowerRole(IRRewriter &rewriter, RoleOp role, Value warp,
                               BarrierNumbers &numbers, gpu::LaunchOp launch,
                               const GPUTarget &target) {
  ImplicitLocOpBuilder b(role.getLoc(), rewriter);
  b.setInsertionPoint(role);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, int64_t value) {
    return arith::CmpIOp::create(b, predicate, a,
                                 arith::ConstantIndexOp::create(b, value));
  };
  int64_t end = role.getFirst() + role.getThreads();
  Value isIn = compare(arith::CmpIPredicate::ult, warp, end / target.lanes);
  if (role.getFirst() != 0)
    isIn = arith::AndIOp::create(b, isIn,
                                 compare(arith::CmpIPredicate::uge, warp,
                                         role.getFirst() / target.lanes));
  auto branch = scf::IfOp::create(b, isIn, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
  if (std::optional<uint64_t> registers = role.getRegisters()) {
    std::optional<int64_t> launched = getLaunchedRegisters(launch, target);
    if (!launched)
      return role.emitOpError() << "with registers expects a launch of a "
                                   "constant number of threads";
    NVVM::SetMaxRegisterOp::create(b, *registers,
                                   static_cast<int64_t>(*registers) > *launched
                                       ? NVVM::SetMaxRegisterAction::increase
                                       : NVVM::SetMaxRegisterAction::decrease);
  }
  int64_t groupThreads = role.getGroupThreads();
  if (role.getSingle()) {
    Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    int64_t first = role.getFirst();
    if (role.getGroups()) {
      thread = arith::SubIOp::create(b, thread,
                                     arith::ConstantIndexOp::create(b, first));
      thread = arith::RemUIOp::create(
          b, thread, arith::ConstantIndexOp::create(b, groupThreads));
      first = 0;
    }
    Value isOne;
    llvm::SmallPtrSet<Operation *, 16> seen;
    if (role.getGroups() || readsThread(role, launch, seen)) {
      isOne = compare(arith::CmpIPredicate::eq, thread, first);
    } else {
      Value isFirst =
          compare(arith::CmpIPredicate::eq, warp, first / target.lanes);
      auto ofWarp = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
      b.setInsertionPoint(ofWarp.thenYield());
      isOne = NVVM::ElectSyncOp::create(b, b.getI1Type(), Value());
    }
    auto one = scf::IfOp::create(b, isOne, /*withElseRegion=*/false);
    b.setInsertionPoint(one.thenYield());
  }
  replaceCopiers(rewriter, role, warp, target);
  if (isPlainAndEarly(role, vector_ext::kDealtInTwoDirections))
    computeFromWarp(rewriter, role, warp, target);
  SmallVector<RoleGroupOp> groups;
  role.walk([&](RoleGroupOp group) { groups.push_back(group); });
  for (RoleGroupOp group : groups) {
    ImplicitLocOpBuilder here(group.getLoc(), rewriter);
    here.setInsertionPoint(group);
    rewriter.replaceOp(group,
                       buildGroup(here, role, warp, groupThreads, target));
  }
  if (failed(lowerTurns(rewriter, role, warp, numbers, target)) ||
      failed(lowerBarriers(rewriter, role, warp, numbers, target)))
    return failure();
  rewriter.eraseOp(role.getBody().front().getTerminator());
  rewriter.inlineBlockBefore(&role.getBody().front(), b.getInsertionBlock(),
                             b.getInsertionPoint());
  rewriter.eraseOp(role);
  return success();
}

static LogicalResult lowerRolesOf(gpu::LaunchOp launch) {
  SmallVector<RoleOp> roles;
  launch.walk([&](RoleOp role) { roles.push_back(role); });
  if (roles.empty())
    return success();
  FailureOr<GPUTarget> target = getGPUTarget(launch);
  if (failed(target))
    return failure();
  for (RoleOp role : roles)
    if (failed(checkRole(role, launch, *target)))
      return failure();
  IRRewriter rewriter(launch.getContext());
  ImplicitLocOpBuilder b(launch.getLoc(), rewriter);
  b.setInsertionPoint(roles.front());
  // The number is the same in all lanes, and the assembler can see that.
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value warp = arith::IndexCastOp::create(
      b, b.getI32Type(),
      arith::DivUIOp::create(b, thread,
                             arith::ConstantIndexOp::create(b, target->lanes)));
  warp = arith::IndexCastOp::create(
      b, b.getIndexType(),
      gpu::ShuffleOp::create(b, warp, arith::ConstantIntOp::create(b, 0, 32),
                             arith::ConstantIntOp::create(b, target->lanes, 32),
                             gpu::ShuffleMode::IDX)
          .getShuffleResult());
  BarrierNumbers numbers{0, static_cast<int64_t>(roles.size()) + 1};
  for (RoleOp role : roles) {
    ++numbers.role;
    if (failed(lowerRole(rewriter, role, warp, numbers, launch, *target)))
      return failure();
  }
  return success();
}

LogicalResult mlir::nvgpu_ext::lowerRoles(Operation *scope) {
  WalkResult walk = scope->walk(
      [](gpu::LaunchOp launch) { return WalkResult(lowerRolesOf(launch)); });
  return failure(walk.wasInterrupted());
}
