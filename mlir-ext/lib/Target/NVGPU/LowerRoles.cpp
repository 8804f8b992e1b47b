//===- LowerRoles.cpp - Roles to branches and named barriers --------------===//
//
// A role becomes a branch that its threads take. All threads of a warp take it
// together. Its barriers are named barriers, numbered from 1 on.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::RingCopierOp;
using vector_ext::RoleBarrierOp;
using vector_ext::RoleOp;

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

/// The registers that a thread of `launch` starts with, if the number of
/// threads is known.
static std::optional<int64_t> getLaunchedRegisters(gpu::LaunchOp launch,
                                                   const GPUTarget &target) {
  std::optional<int64_t> threads = getConstantIntValue(launch.getBlockSizeX());
  if (!threads)
    return std::nullopt;
  return target.getLaunchedRegisters(*threads);
}

/// Replaces the numbers of threads that copy in `role`.
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
    // Of whole warps, the number is the same in all lanes, as the assembler sees.
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

/// Replaces `role` by a branch. `warp` is the number of the warp.
static LogicalResult lowerRole(IRRewriter &rewriter, RoleOp role, Value warp,
                               int64_t number, gpu::LaunchOp launch,
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
    isIn = arith::AndIOp::create(
        b, isIn,
        compare(arith::CmpIPredicate::uge, warp, role.getFirst() / target.lanes));
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
  int64_t groupThreads = role.getThreads() / role.getGroups().value_or(1);
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
    auto one =
        scf::IfOp::create(b, compare(arith::CmpIPredicate::eq, thread, first),
                          /*withElseRegion=*/false);
    b.setInsertionPoint(one.thenYield());
  }
  replaceCopiers(rewriter, role, warp, target);
  SmallVector<RoleBarrierOp> barriers;
  role.walk([&](RoleBarrierOp barrier) { barriers.push_back(barrier); });
  if (!barriers.empty() && number >= numBarriers)
    return role.emitOpError()
           << "needs more than " << numBarriers - 1 << " named barriers";
  for (RoleBarrierOp barrier : barriers) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(barrier);
    NVVM::BarrierOp::create(
        b, TypeRange(), arith::ConstantIntOp::create(b, number, 32),
        arith::ConstantIntOp::create(b, role.getThreads(), 32),
        NVVM::BarrierReductionAttr(), Value());
    rewriter.eraseOp(barrier);
  }
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
  // The same in all lanes, as the assembler can see.
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
  for (auto [i, role] : llvm::enumerate(roles))
    if (failed(lowerRole(rewriter, role, warp, i + 1, launch, *target)))
      return failure();
  return success();
}

LogicalResult mlir::nvgpu_ext::lowerRoles(Operation *scope) {
  WalkResult walk = scope->walk(
      [](gpu::LaunchOp launch) { return WalkResult(lowerRolesOf(launch)); });
  return failure(walk.wasInterrupted());
}
