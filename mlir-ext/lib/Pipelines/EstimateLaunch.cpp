//===- EstimateLaunch.cpp - Cost model of GPU launches --------------------===//
//
// Estimates the registers, shared memory and cycles of a launch whose
// contractions have configs. See SelectConfig.h.
//
//===----------------------------------------------------------------------===//

#include "LaunchUse.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Pipelines/SelectConfig.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::vector_ext;

/// Returns the cycles that a processor needs for the products of `contract` in
/// a workgroup of `subgroups`, if nothing else delays it. Loads of 16 x 16
/// elements of 2 bytes from shared memory run beside the products.
static int64_t getCycles(vector::ContractionOp contract, int64_t subgroups,
                         const GPUTarget &target) {
  constexpr int64_t kLoaded = 16 * 16;
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  int64_t products = 1;
  for (int64_t bound : bounds)
    products *= bound;
  auto config = contract->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (!config || failed(dims))
    return llvm::divideCeil(products, target.threadProducts);
  int64_t rows = bounds[dims->m] / config.getSubgroups()[0],
          columns = bounds[dims->n] / config.getSubgroups()[1],
          sum = bounds[dims->k];
  const MmaIntrinsic *intrinsic = contract.getContext()
                                      ->getLoadedDialect<VectorExtDialect>()
                                      ->lookupIntrinsic(config.getIntrinsic());
  if (intrinsic && intrinsic->isByThreads)
    return llvm::divideCeil(products, target.threadProducts);
  int64_t loads = 0;
  if (ArrayRef<bool> promote = config.getPromote(); !promote.empty())
    loads =
        ((promote[0] ? rows : 0) + (promote[1] ? columns : 0)) * sum / kLoaded;
  return subgroups * std::max(rows * columns * sum / target.matrixProducts,
                              2 * kLoaded * loads / target.sharedBytesPerCycle);
}

LaunchEstimate mlir::linalg_ext::estimateLaunch(gpu::LaunchOp launch,
                                                const GPUTarget &target) {
  LaunchEstimate estimate;
  estimate.threads = std::max<int64_t>(
      getConstantIntValue(launch.getBlockSizeX()).value_or(1), 1);
  int64_t subgroups = llvm::divideCeil(estimate.threads, target.lanes),
          buffers = 1;
  if (auto attr = launch->getAttrOfType<IntegerAttr>(
          VectorExtDialect::getBuffersAttrName()))
    buffers = attr.getInt();
  SmallVector<vector::ContractionOp> contracts;
  launch.walk(
      [&](vector::ContractionOp contract) { contracts.push_back(contract); });

  // 1. Count what a thread holds. Operands that are loaded again do not count.
  RegisterUse use = getRegisterUse(launch);
  llvm::MapVector<Operation *, SharedUse> shared = getSharedUse(contracts);
  bool reloads = llvm::any_of(
      shared, [](const auto &entry) { return entry.second.held > 0; });
  int64_t words = use.results + use.read + (reloads ? 0 : use.held);
  estimate.registers = llvm::divideCeil(words, estimate.threads);
  estimate.spills = estimate.registers > target.getResultRegisters();

  // 2. Count the workgroups that run beside each other.
  for (auto &[loop, bytes] : shared)
    estimate.sharedBytes =
        std::max(estimate.sharedBytes, bytes.held + buffers * bytes.copied);
  int64_t registers = std::min(estimate.registers + target.otherRegisters,
                               target.threadRegisters);
  estimate.workgroups =
      std::min(target.getWorkgroupsOfRegisters(estimate.threads, registers),
               target.getWorkgroupsOfShared(estimate.sharedBytes));

  // 3. Estimate an iteration of each loop. While one workgroup waits, others
  //    compute. Copies are hidden only if there is another buffer for them.
  llvm::MapVector<Operation *, std::pair<int64_t, int64_t>> loops;
  for (vector::ContractionOp contract : contracts) {
    auto loop = contract->getParentOfType<scf::ForOp>();
    if (!loop)
      continue;
    SmallVector<int64_t> bounds;
    contract.getIterationBounds(bounds);
    int64_t products = 1;
    for (int64_t bound : bounds)
      products *= bound;
    loops[loop].first += products;
    loops[loop].second += getCycles(contract, subgroups, target);
  }
  for (auto [loop, work] : loops) {
    auto [products, cycles] = work;
    cycles += shared[loop].copied / target.sharedBytesPerCycle;
    // If there are other buffers, a copy runs while these are used; otherwise
    // it runs alone. If copies are not asynchronous, registers hold the next
    // tile.
    int64_t alone = cycles, ahead = target.asyncCopies != 0 ? buffers - 1 : 1;
    if (shared[loop].copied > 0)
      alone = ahead < 1
                  ? cycles + target.memoryLatency
                  : std::max<int64_t>(
                        cycles, llvm::divideCeil(target.memoryLatency, ahead));
    alone += target.iterationLatency;
    double each = std::max<double>(
        cycles, double(alone) / std::max<int64_t>(estimate.workgroups, 1));
    estimate.cycles =
        std::max(estimate.cycles, int64_t((1 << 20) * each / products));
  }
  return estimate;
}

SmallVector<ConfigChoice> mlir::linalg_ext::getConfigChoices() {
  // Tiles are multiples of the instructions' sizes that subgroups divide. With
  // more rows or columns than these, registers could not hold a tile.
  return {{"rows", {"32", "64", "128", "256"}},
          {"columns", {"32", "64", "128", "256"}},
          {"keys", {"32", "64", "128"}},
          {"reduction", {"32", "64"}},
          {"threads", {"64", "128", "256"}},
          {"stages", {"1", "2", "3", "4"}}};
}
