//===- SelectConfig.cpp - Which instruction performs a contraction --------===//
//
// Contractions that have no config get one: an instruction for their types, and
// a way to share them between the subgroups of their workgroup. Those that none
// fits stay without, and a remark says why: threads do them product by product.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Dialect/VectorExt/Transforms/ContractLayouts.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTSELECTCONFIGPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::vector_ext;

/// True if threads had better read `operand` together: it comes from memory, in
/// a loop, or subgroups share it.
static bool isPromoted(Value operand, Operation *contract, bool isShared) {
  auto read = operand.getDefiningOp<vector::TransferReadOp>();
  if (!read)
    return false;
  return isShared || read->getParentOfType<LoopLikeOpInterface>() ==
                         contract->getParentOfType<LoopLikeOpInterface>();
}

/// The ways to share a tile between subgroups, the most wanted first: all of
/// them do something of their own, and share rows rather than columns.
static SmallVector<std::pair<int64_t, int64_t>>
getSharings(int64_t numSubgroups) {
  SmallVector<std::pair<int64_t, int64_t>> sharings;
  for (int64_t used = numSubgroups; used > 0; --used)
    for (int64_t rows = used; rows > 0; --rows)
      if (numSubgroups % used == 0 && used % rows == 0)
        sharings.emplace_back(rows, used / rows);
  return sharings;
}

static FailureOr<ContractConfigAttr>
selectConfig(vector::ContractionOp contract, const Workgroup &workgroup,
             std::string &reason) {
  MLIRContext *context = contract.getContext();
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  reason = "no instruction is known";
  // Of instructions that can be lowered, the one of the longest sum.
  SmallVector<StringRef> names = dialect->getIntrinsicNames();
  llvm::erase_if(names, [&](StringRef name) {
    return !dialect->lookupIntrinsic(name)->hasLowering;
  });
  llvm::stable_sort(names, [&](StringRef lhs, StringRef rhs) {
    return dialect->lookupIntrinsic(lhs)->k > dialect->lookupIntrinsic(rhs)->k;
  });
  std::string firstReason;
  for (StringRef name : names)
    for (auto [rows, columns] : getSharings(workgroup.numSubgroups)) {
      bool promote[2] = {isPromoted(contract.getLhs(), contract, columns > 1),
                         isPromoted(contract.getRhs(), contract, rows > 1)};
      auto config = ContractConfigAttr::get(
          context, StringAttr::get(context, name), {rows, columns}, promote);
      if (succeeded(getContractLayouts(contract, config, workgroup, reason)))
        return config;
      if (dialect->lookupIntrinsic(name)->lhsType(context) ==
          contract.getLhsType().getElementType())
        firstReason = reason;
    }
  if (!firstReason.empty())
    reason = firstReason;
  return failure();
}

/// The threads that `launch`, which has `threads`, had better have: see the
/// pass's description.
static int64_t selectThreads(gpu::LaunchOp launch, int64_t threads,
                             int64_t lanes, int64_t elements,
                             int64_t maxThreads) {
  int64_t largest = 0, rows = 0;
  launch.walk([&](vector::ContractionOp contract) {
    auto type = dyn_cast<VectorType>(contract.getResultType());
    if (!type || type.getRank() < 2 || type.getNumElements() <= largest)
      return;
    largest = type.getNumElements();
    rows = type.getDimSize(type.getRank() - 2);
  });
  while (largest > elements * threads && 2 * threads <= maxThreads &&
         rows % (16 * (2 * threads / lanes)) == 0)
    threads *= 2;
  return threads;
}

namespace {
struct LinalgExtSelectConfigPass
    : public linalg_ext::impl::LinalgExtSelectConfigPassBase<
          LinalgExtSelectConfigPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    nvgpu_ext::registerIntrinsics(registry);
  }

  void runOnOperation() override {
    getOperation()->walk([&](gpu::LaunchOp launch) {
      int64_t threads = getConstantIntValue(launch.getBlockSizeX()).value_or(0);
      if (lanes < 1 || threads < lanes)
        return;
      if (accumulatorElements > 0) {
        threads = selectThreads(launch, threads, lanes, accumulatorElements,
                                maxThreads);
        OpBuilder b(launch);
        launch.getBlockSizeXMutable().set(
            arith::ConstantIndexOp::create(b, launch.getLoc(), threads));
      }
      Workgroup workgroup{lanes, threads / lanes};
      SmallVector<vector::ContractionOp> contracts;
      launch.walk([&](vector::ContractionOp contract) {
        contracts.push_back(contract);
      });
      for (vector::ContractionOp contract : contracts) {
        StringRef name = VectorExtDialect::getConfigAttrName();
        if (contract->hasAttr(name))
          continue;
        std::string reason;
        IRRewriter rewriter(contract.getContext());
        if (FailureOr<vector::ContractionOp> wide =
                widenContraction(rewriter, contract, reason);
            succeeded(wide))
          contract = *wide;
        FailureOr<ContractConfigAttr> config =
            selectConfig(contract, workgroup, reason);
        if (succeeded(config))
          contract->setAttr(name, *config);
        else
          contract.emitRemark() << "is done one product at a time: " << reason;
      }
    });
  }
};
} // namespace
