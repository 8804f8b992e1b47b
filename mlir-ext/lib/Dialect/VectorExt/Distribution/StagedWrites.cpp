//===- StagedWrites.cpp - Results that hardware copies to memory ----------===//
//
// Private to StageTiles, declared in StagedReads.h. Threads write a result to
// shared memory, from where hardware copies it while they compute the next
// tile. That pays where subgroups need not wait for each other: each of them
// has rows of its own.
//
//===----------------------------------------------------------------------===//

#include "StagedReads.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Layout/SharedDescriptor.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;
using linalg_ext::Refusal;

/// Returns whether threads of `launch` compute operands of asynchronous
/// products.
static bool computesOperands(gpu::LaunchOp launch,
                             const StagedReads &operands) {
  return launch
      .walk([&](vector::ContractionOp contract) {
        return getAsyncIntrinsic(contract) &&
                       !operands.contains(contract.getLhs().getDefiningOp())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the layout of an asynchronous product of `shape` in `launch`, if
/// there is one, and each of the subgroups of `workgroup` has rows of its own
/// of all of them.
static std::optional<layout::Layout>
getLayoutOfOwnRows(gpu::LaunchOp launch, ArrayRef<int64_t> shape,
                   const Workgroup &workgroup) {
  std::optional<layout::Layout> result;
  WalkResult walk = launch.walk([&](vector::ContractionOp contract) {
    auto type = dyn_cast<VectorType>(contract.getResultType());
    if (!type || type.getShape() != shape || !getAsyncIntrinsic(contract))
      return WalkResult::advance();
    Refusal refusal;
    FailureOr<ContractLayouts> layouts =
        getContractLayouts(contract,
                           contract->getAttrOfType<ContractConfigAttr>(
                               VectorExtDialect::getConfigAttrName()),
                           workgroup, refusal);
    if (failed(layouts) || !layouts->acc.isDividedAmongSubgroups(0))
      return WalkResult::interrupt();
    result = layouts->acc;
    return WalkResult::advance();
  });
  return walk.wasInterrupted() ? std::nullopt : result;
}

/// Returns whether `write` alone accesses its buffer in `launch`.
static bool isOnlyAccess(vector::TransferWriteOp write, gpu::LaunchOp launch) {
  Value buffer = linalg_ext::getViewedBuffer(write.getBase());
  return !launch
              .walk([&](Operation *op) {
                return op != write && llvm::any_of(
                                          op->getOperands(),
                                          [&](Value operand) {
                                            return isa<BaseMemRefType>(
                                                       operand.getType()) &&
                                                   linalg_ext::getViewedBuffer(
                                                       operand) == buffer;
                                          })
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

std::optional<StagedWrite>
mlir::vector_ext::findStored(gpu::LaunchOp launch,
                             const StagedReads &operands) {
  std::optional<KernelMark> mark = getKernelMark(launch);
  FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
  // Where groups do not take turns, the assembler orders the loop in a worse
  // way (docs/Decisions/0142).
  if (failed(target) || !mark || mark->persist == 0 ||
      mark->persist == kDealtInPairs || mark->groups != 1 || !mark->rotate ||
      !hasRoles(launch) || !computesOperands(launch, operands))
    return std::nullopt;
  Workgroup workgroup;
  workgroup.numLanes = target->lanes;
  workgroup.numSubgroups = mark->threads / target->lanes;
  SmallVector<vector::TransferWriteOp> writes;
  for (auto write : launch.getBody().front().getOps<vector::TransferWriteOp>())
    if (write.getVectorType().getRank() == 2 &&
        getLayoutOfOwnRows(launch, write.getVectorType().getShape(), workgroup))
      writes.push_back(write);
  if (writes.size() != 1 || !isOnlyAccess(writes.front(), launch))
    return std::nullopt;
  vector::TransferWriteOp write = writes.front();
  VectorType type = write.getVectorType();
  Type element = type.getElementType();
  Refusal refusal;
  FailureOr<TileSource> to =
      TileSource::get(write, launch, kMaxCopiedRank, refusal);
  if (!element.isIntOrFloat() || failed(to))
    return std::nullopt;
  AffineMap map = to->getMap();
  if (map.getDimPosition(1) + 1 != map.getNumDims())
    return std::nullopt;
  int64_t bits = element.getIntOrFloatBitWidth();
  for (int64_t bytes : {128, 64, 32}) {
    if ((bits != 16 && bits != 32) ||
        type.getDimSize(1) * bits % (8 * bytes) != 0)
      continue;
    std::optional<SharedLayout> shared =
        SharedLayout::getSwizzledPanels(type.getShape(), {0, 1}, bits, bytes);
    if (shared && getTmaCopyOfParts(*shared, workgroup.numSubgroups))
      return StagedWrite{
          write, *to, *shared,
          *getLayoutOfOwnRows(launch, type.getShape(), workgroup),
          workgroup.numSubgroups};
  }
  return std::nullopt;
}
