//===- DeviceSpec.cpp - Descriptions of devices in DLTI -------------------===//
//
// See DeviceSpec.h.
//
//===----------------------------------------------------------------------===//

#include "DeviceSpec.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::setDeviceSpec(
    ModuleOp module, StringRef name,
    ArrayRef<DataLayoutEntryInterface> entries) {
  MLIRContext *context = module.getContext();
  SmallVector<DataLayoutEntryInterface> devices;
  if (TargetSystemSpecInterface system = module.getTargetSystemSpec())
    for (DataLayoutEntryInterface entry : system.getEntries())
      if (entry.getKey() != DataLayoutEntryKey(StringAttr::get(context, name)))
        devices.push_back(entry);
  if (!entries.empty())
    addEntry(devices, name, TargetDeviceSpecAttr::get(context, entries));
  if (devices.empty())
    module->removeAttr(DLTIDialect::kTargetSystemDescAttrName);
  else
    module->setAttr(DLTIDialect::kTargetSystemDescAttrName,
                    TargetSystemSpecAttr::get(context, devices));
}

Attribute DeviceSpec::find(StringRef key) const {
  DataLayoutEntryInterface entry =
      TargetDeviceSpecInterface(entries).getSpecForIdentifier(
          StringAttr::get(op->getContext(), key));
  return entry ? entry.getValue() : Attribute();
}

InFlightDiagnostic DeviceSpec::refuse(StringRef key, const Twine &expected,
                                      Attribute got) const {
  return op->emitError() << "expected '" << key << "' of the device '" << name
                         << "' to be " << expected << ", got " << got;
}

LogicalResult DeviceSpec::read(StringRef key,
                               SmallVectorImpl<std::string> &strings) const {
  Attribute value = find(key);
  if (!value)
    return success();
  auto array = dyn_cast<ArrayAttr>(value);
  if (!array || !llvm::all_of(array, llvm::IsaPred<StringAttr>))
    return refuse(key, "an array of strings", value);
  for (auto string : array.getAsRange<StringAttr>())
    strings.push_back(string.str());
  return success();
}

std::optional<DeviceSpec> mlir::linalg_ext::findDeviceSpec(Operation *op,
                                                           StringRef name) {
  for (; op; op = op->getParentOp()) {
    auto system = op->getAttrOfType<TargetSystemSpecInterface>(
        DLTIDialect::kTargetSystemDescAttrName);
    if (!system)
      continue;
    auto id = StringAttr::get(op->getContext(), name);
    if (auto device = system.getDeviceSpecForDeviceID(id))
      return DeviceSpec{name, op, *device};
  }
  return std::nullopt;
}

void mlir::linalg_ext::addEntry(
    SmallVectorImpl<DataLayoutEntryInterface> &entries, MLIRContext *context,
    StringRef key, ArrayRef<std::string> strings) {
  if (strings.empty())
    return;
  SmallVector<StringRef> refs(strings.begin(), strings.end());
  addEntry(entries, key, Builder(context).getStrArrayAttr(refs));
}
