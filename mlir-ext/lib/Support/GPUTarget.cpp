//===- GPUTarget.cpp - What is known about a GPU --------------------------===//
//
// See GPUTarget.h. One table has the keys of all numbers, so that writing,
// reading and checking them is one loop each.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/Builders.h"

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
      {"cache_bytes", &GPUTarget::cacheBytes},
      {"matrix_products", &GPUTarget::matrixProducts},
      {"async_products", &GPUTarget::asyncProducts},
      {"thread_products", &GPUTarget::threadProducts},
      {"other_registers", &GPUTarget::otherRegisters, 0},
      {"async_other_registers", &GPUTarget::asyncOtherRegisters, 0},
      {"waiting_threads", &GPUTarget::waitingThreads},
      {"computing_threads", &GPUTarget::computingThreads},
      {"buffered_results", &GPUTarget::bufferedResults},
      {"memory_latency", &GPUTarget::memoryLatency},
      {"iteration_latency", &GPUTarget::iterationLatency, 0},
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
  Builder b(module.getContext());
  SmallVector<DataLayoutEntryInterface> entries, devices;
  auto add = [&](auto &list, StringRef key, Attribute value) {
    list.push_back(DataLayoutEntryAttr::get(b.getStringAttr(key), value));
  };
  for (const GPUTargetKey &key : getGPUTargetKeys())
    add(entries, key.key, b.getI64IntegerAttr(target.*key.number));
  if (!target.intrinsics.empty())
    add(entries, kIntrinsics,
        b.getStrArrayAttr(SmallVector<StringRef>(target.intrinsics.begin(),
                                                 target.intrinsics.end())));
  if (TargetSystemSpecInterface system = module.getTargetSystemSpec())
    for (DataLayoutEntryInterface entry : system.getEntries())
      if (entry.getKey() != DataLayoutEntryKey(b.getStringAttr(kDevice)))
        devices.push_back(entry);
  add(devices, kDevice, TargetDeviceSpecAttr::get(b.getContext(), entries));
  module->setAttr(DLTIDialect::kTargetSystemDescAttrName,
                  TargetSystemSpecAttr::get(b.getContext(), devices));
}

/// Reads what `device`, a description of `op`, has. Fails, with an error, if a
/// value is invalid.
static FailureOr<GPUTarget> readTarget(Operation *op,
                                       TargetDeviceSpecInterface device) {
  GPUTarget target;
  Builder b(op->getContext());
  auto refuse = [&](StringRef key, const Twine &expected, Attribute got) {
    return op->emitError() << "expected '" << key << "' of the device '"
                           << kDevice << "' to be " << expected << ", got "
                           << got;
  };
  auto find = [&](StringRef key) -> Attribute {
    DataLayoutEntryInterface entry =
        device.getSpecForIdentifier(b.getStringAttr(key));
    return entry ? entry.getValue() : Attribute();
  };
  for (const GPUTargetKey &key : getGPUTargetKeys()) {
    Attribute value = find(key.key);
    if (!value)
      continue;
    auto number = dyn_cast<IntegerAttr>(value);
    // Products of two of them fit into 64 bits.
    if (!number || !number.getValue().isSignedIntN(32) ||
        number.getValue().getSExtValue() < key.least)
      return refuse(key.key,
                    "an integer from " + Twine(key.least) + " to 2^31 - 1",
                    value);
    target.*key.number = number.getValue().getSExtValue();
  }
  if (Attribute value = find(kIntrinsics)) {
    auto names = dyn_cast<ArrayAttr>(value);
    if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return refuse(kIntrinsics, "an array of strings", value);
    for (auto name : names.getAsRange<StringAttr>())
      target.intrinsics.push_back(name.str());
  }
  if (target.maxThreads < target.lanes)
    return refuse("max_threads", "at least 'lanes'",
                  b.getI64IntegerAttr(target.maxThreads));
  if (target.threadRegisters <= target.otherRegisters)
    return refuse("thread_registers", "more than 'other_registers'",
                  b.getI64IntegerAttr(target.threadRegisters));
  if (target.processorSharedBytes <
      target.sharedBytes + target.reservedSharedBytes)
    return refuse("processor_shared_bytes",
                  "at least 'shared_bytes' + 'reserved_shared_bytes'",
                  b.getI64IntegerAttr(target.processorSharedBytes));
  return target;
}

FailureOr<GPUTarget> mlir::linalg_ext::getGPUTarget(Operation *op) {
  for (; op; op = op->getParentOp()) {
    auto system = op->getAttrOfType<TargetSystemSpecInterface>(
        DLTIDialect::kTargetSystemDescAttrName);
    if (!system)
      continue;
    auto id = StringAttr::get(op->getContext(), kDevice);
    if (auto device = system.getDeviceSpecForDeviceID(id))
      return readTarget(op, *device);
  }
  return GPUTarget();
}
