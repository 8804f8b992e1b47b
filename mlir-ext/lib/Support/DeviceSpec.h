//===- DeviceSpec.h - Descriptions of devices in DLTI -----------*- C++ -*-===//
//
// Code that GPUTarget.cpp and CPUTarget.cpp share. The description of a device
// is a list of keys in the DLTI specification of a module. Each device has a
// table of its keys with numbers, so one loop each writes, reads and checks
// them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SUPPORT_DEVICESPEC_H
#define MLIR_EXT_LIB_SUPPORT_DEVICESPEC_H

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Sets the description of the device `name` of `module` to `entries`, or
/// removes it if there are none. Leaves other devices as they are.
void setDeviceSpec(ModuleOp module, StringRef name,
                   ArrayRef<DataLayoutEntryInterface> entries);

/// A description of the device `name`, and the op that has it.
struct DeviceSpec {
  StringRef name;
  Operation *op = nullptr;
  TargetDeviceSpecInterface entries;

  /// Returns the value of `key`, or null.
  Attribute find(StringRef key) const;
  /// Emits an error: the value of `key` is not as expected.
  InFlightDiagnostic refuse(StringRef key, const Twine &expected,
                            Attribute got) const;
  /// Sets `strings` to the value of `key`, if there is one. Fails, with an
  /// error, if it is not an array of strings.
  LogicalResult read(StringRef key, SmallVectorImpl<std::string> &strings) const;
};

/// Returns the description of the device `name` that is closest to `op`.
std::optional<DeviceSpec> findDeviceSpec(Operation *op, StringRef name);

inline void addEntry(SmallVectorImpl<DataLayoutEntryInterface> &entries,
                     StringRef key, Attribute value) {
  entries.push_back(DataLayoutEntryAttr::get(
      StringAttr::get(value.getContext(), key), value));
}

/// Adds an entry with `strings`, unless there are none.
void addEntry(SmallVectorImpl<DataLayoutEntryInterface> &entries,
              MLIRContext *context, StringRef key, ArrayRef<std::string> strings);

/// Adds an entry for each of `keys`, with the number of `target`.
template <typename TargetT, typename KeyT>
void addNumbers(SmallVectorImpl<DataLayoutEntryInterface> &entries,
                MLIRContext *context, const TargetT &target,
                ArrayRef<KeyT> keys) {
  Builder b(context);
  for (const KeyT &key : keys)
    addEntry(entries, key.key, b.getI64IntegerAttr(target.*key.number));
}

/// Sets the numbers of `target` whose keys are in `spec`. Fails, with an error,
/// if a number is less than the minimum of its key, or does not fit 32 bits.
template <typename TargetT, typename KeyT>
LogicalResult readNumbers(const DeviceSpec &spec, TargetT &target,
                          ArrayRef<KeyT> keys) {
  for (const KeyT &key : keys) {
    Attribute value = spec.find(key.key);
    if (!value)
      continue;
    auto number = dyn_cast<IntegerAttr>(value);
    // The limit ensures that products of two numbers fit into 64 bits.
    if (!number || !number.getValue().isSignedIntN(32) ||
        number.getValue().getSExtValue() < key.least)
      return spec.refuse(key.key,
                         "an integer from " + Twine(key.least) + " to 2^31 - 1",
                         value);
    target.*key.number = number.getValue().getSExtValue();
  }
  return success();
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SUPPORT_DEVICESPEC_H
