//===- CPUTarget.cpp - What is known about a CPU --------------------------===//
//
// See CPUTarget.h. The table of the keys, and what must hold between numbers.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/CPUTarget.h"
#include "DeviceSpec.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr StringLiteral kDevice = "CPU", kName = "name",
                               kFeatures = "features";

ArrayRef<CPUTargetKey> mlir::linalg_ext::getCPUTargetKeys() {
  static constexpr CPUTargetKey keys[] = {
      {"vector_bits", &CPUTarget::vectorBits, 64},
      {"vector_registers", &CPUTarget::vectorRegisters, 4},
      {"shuffle_bits", &CPUTarget::shuffleBits, 64},
      {"converts_f16", &CPUTarget::convertsF16, 0},
      {"broadcasts_f16", &CPUTarget::broadcastsF16, 0},
      {"avx512", &CPUTarget::avx512, 0},
      {"dot_bf16", &CPUTarget::dotBF16, 0},
      {"byte_dot", &CPUTarget::byteDot, 0},
      {"sve", &CPUTarget::sve, 0},
      {"l1_bytes", &CPUTarget::l1Bytes, 1024},
      {"l2_bytes", &CPUTarget::l2Bytes, 1024},
  };
  return keys;
}

void mlir::linalg_ext::setCPUTarget(ModuleOp module, const CPUTarget &target) {
  MLIRContext *context = module.getContext();
  SmallVector<DataLayoutEntryInterface> entries;
  addNumbers(entries, context, target, getCPUTargetKeys());
  if (!target.name.empty())
    addEntry(entries, kName, StringAttr::get(context, target.name));
  addEntry(entries, context, kFeatures, target.features);
  setDeviceSpec(module, kDevice, entries);
}

void mlir::linalg_ext::removeCPUTarget(ModuleOp module) {
  setDeviceSpec(module, kDevice, {});
}

FailureOr<CPUTarget> mlir::linalg_ext::getCPUTarget(Operation *op) {
  CPUTarget target;
  std::optional<DeviceSpec> spec = findDeviceSpec(op, kDevice);
  if (!spec)
    return target;
  if (failed(readNumbers(*spec, target, getCPUTargetKeys())) ||
      failed(spec->read(kFeatures, target.features)))
    return failure();
  if (Attribute value = spec->find(kName)) {
    auto name = dyn_cast<StringAttr>(value);
    if (!name)
      return spec->refuse(kName, "a string", value);
    target.name = name.str();
  }
  Builder b(op->getContext());
  if (!llvm::isPowerOf2_64(target.vectorBits))
    return spec->refuse("vector_bits", "a power of 2",
                        b.getI64IntegerAttr(target.vectorBits));
  if (!llvm::isPowerOf2_64(target.shuffleBits))
    return spec->refuse("shuffle_bits", "a power of 2",
                        b.getI64IntegerAttr(target.shuffleBits));
  if (target.byteDot > 3)
    return spec->refuse("byte_dot", "at most 3",
                        b.getI64IntegerAttr(target.byteDot));
  if (target.l2Bytes < target.l1Bytes)
    return spec->refuse("l2_bytes", "at least 'l1_bytes'",
                        b.getI64IntegerAttr(target.l2Bytes));
  return target;
}
