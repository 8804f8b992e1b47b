//===- GPUTarget.cpp - What is known about a GPU --------------------------===//
//
// See GPUTarget.h. The table of the keys, and what must hold between numbers.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/GPUTarget.h"
#include "DeviceSpec.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr StringLiteral kDevice = "GPU", kIntrinsics = "intrinsics";

ArrayRef<GPUTargetKey> mlir::linalg_ext::getGPUTargetKeys() {
  static constexpr GPUTargetKey keys[] = {
      {"lanes", &GPUTarget::lanes},
      {"max_threads", &GPUTarget::maxThreads},
      {"processors", &GPUTarget::processors},
      {"processor_threads", &GPUTarget::processorThreads},
      {"thread_registers", &GPUTarget::threadRegisters},
      {"processor_registers", &GPUTarget::processorRegisters},
      {"shared_bytes", &GPUTarget::sharedBytes},
      {"processor_shared_bytes", &GPUTarget::processorSharedBytes},
      {"reserved_shared_bytes", &GPUTarget::reservedSharedBytes, 0},
      {"shared_bytes_per_cycle", &GPUTarget::sharedBytesPerCycle},
      {"matrix_rows", &GPUTarget::matrixRows},
      {"matrix_columns", &GPUTarget::matrixColumns},
      {"matrix_loads", &GPUTarget::matrixLoads, 0},
      {"async_copies", &GPUTarget::asyncCopies, 0},
      {"async_rows", &GPUTarget::asyncRows, 0},
      {"group_threads", &GPUTarget::groupThreads},
      {"register_step", &GPUTarget::registerStep},
      {"group_registers", &GPUTarget::groupRegisters},
      {"special_results", &GPUTarget::specialResults},
      {"cache_bytes", &GPUTarget::cacheBytes},
      {"line_bytes", &GPUTarget::lineBytes},
      {"matrix_products", &GPUTarget::matrixProducts},
      {"async_products", &GPUTarget::asyncProducts},
      {"thread_products", &GPUTarget::threadProducts},
      {"other_registers", &GPUTarget::otherRegisters, 0},
      {"async_other_registers", &GPUTarget::asyncOtherRegisters, 0},
      {"loop_registers", &GPUTarget::loopRegisters, 0},
      {"async_loop_registers", &GPUTarget::asyncLoopRegisters, 0},
      {"waiting_threads", &GPUTarget::waitingThreads},
      {"computing_threads", &GPUTarget::computingThreads},
      {"buffered_results", &GPUTarget::bufferedResults},
      {"memory_latency", &GPUTarget::memoryLatency},
      {"iteration_latency", &GPUTarget::iterationLatency, 0},
      {"product_latency", &GPUTarget::productLatency, 0},
      {"await_latency", &GPUTarget::awaitLatency, 0},
      {"reduction_latency", &GPUTarget::reductionLatency, 0},
      {"launch_cycles", &GPUTarget::launchCycles, 0},
      {"converted_bytes_per_cycle", &GPUTarget::convertedBytesPerCycle},
      {"transposed_bytes_per_cycle", &GPUTarget::transposedBytesPerCycle},
      {"copied_bytes_per_cycle", &GPUTarget::copiedBytesPerCycle},
      {"unaligned_percent", &GPUTarget::unalignedPercent},
      {"strided_percent", &GPUTarget::stridedPercent},
      {"converting_percent", &GPUTarget::convertingPercent},
      {"converting_online_percent", &GPUTarget::convertingOnlinePercent},
      {"split_bytes_per_cycle", &GPUTarget::splitBytesPerCycle},
      {"split_percent", &GPUTarget::splitPercent},
      {"loading_subgroups", &GPUTarget::loadingSubgroups},
      {"summing_subgroups", &GPUTarget::summingSubgroups},
      {"copy_bytes", &GPUTarget::copyBytes},
      {"memory_workgroups", &GPUTarget::memoryWorkgroups},
      {"key_workgroups", &GPUTarget::keyWorkgroups},
      {"long_row", &GPUTarget::longRow},
      {"prefetch_rows", &GPUTarget::prefetchRows},
      {"prefetch_bytes", &GPUTarget::prefetchBytes, 0},
      {"product_percent", &GPUTarget::productPercent},
      {"shared_percent", &GPUTarget::sharedPercent},
  };
  return keys;
}

void GPUTarget::setProcessors(int64_t number) {
  for (int64_t *workgroups : {&memoryWorkgroups, &keyWorkgroups})
    *workgroups = std::max<int64_t>(*workgroups * number / processors, 1);
  processors = number;
}

int64_t GPUTarget::getWorkgroupsOfShared(int64_t bytes) const {
  if (bytes > sharedBytes)
    return 0;
  return processorSharedBytes /
         std::max<int64_t>(bytes + reservedSharedBytes, 1);
}

int64_t GPUTarget::getWorkgroupsOfRegisters(int64_t threads,
                                            int64_t registers) const {
  return std::min(processorRegisters /
                      std::max<int64_t>(registers * threads, 1),
                  processorThreads / std::max<int64_t>(threads, 1));
}

void mlir::linalg_ext::setGPUTarget(ModuleOp module, const GPUTarget &target) {
  MLIRContext *context = module.getContext();
  SmallVector<DataLayoutEntryInterface> entries;
  addNumbers(entries, context, target, getGPUTargetKeys());
  addEntry(entries, context, kIntrinsics, target.intrinsics);
  setDeviceSpec(module, kDevice, entries);
}

FailureOr<GPUTarget> mlir::linalg_ext::getGPUTarget(Operation *op) {
  GPUTarget target;
  std::optional<DeviceSpec> spec = findDeviceSpec(op, kDevice);
  if (!spec)
    return target;
  if (failed(readNumbers(*spec, target, getGPUTargetKeys())) ||
      failed(spec->read(kIntrinsics, target.intrinsics)))
    return failure();
  Builder b(op->getContext());
  if (target.maxThreads < target.lanes)
    return spec->refuse("max_threads", "at least 'lanes'",
                        b.getI64IntegerAttr(target.maxThreads));
  if (target.threadRegisters <= target.otherRegisters)
    return spec->refuse("thread_registers", "more than 'other_registers'",
                        b.getI64IntegerAttr(target.threadRegisters));
  if (target.processorSharedBytes <
      target.sharedBytes + target.reservedSharedBytes)
    return spec->refuse("processor_shared_bytes",
                        "at least 'shared_bytes' + 'reserved_shared_bytes'",
                        b.getI64IntegerAttr(target.processorSharedBytes));
  return target;
}
