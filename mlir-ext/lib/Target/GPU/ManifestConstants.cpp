//===- ManifestConstants.cpp - Constants of a launch manifest -------------===//
//
// Collects the constants that kernels read, as the bytes that a launcher copies
// to the device before the first call.
//
//===----------------------------------------------------------------------===//

#include "ManifestReader.h"
#include "mlir-ext/Support/Collective.h"
#include "mlir-ext/Support/ElementBits.h"
#include "mlir-ext/Target/GPU/Manifest.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

/// Appends the elements of `value` as bytes in the order of the device.
static LogicalResult appendElements(memref::GlobalOp global, ElementsAttr value,
                                    std::string &data) {
  Type type = value.getElementType();
  unsigned numBits = getElementBits(type);
  auto append = [&](const llvm::APInt &bits) {
    uint64_t word = bits.getZExtValue();
    for (unsigned byte = 0; byte < llvm::divideCeil(numBits, 8); ++byte)
      data.push_back(char(word >> (8 * byte)));
  };
  if (numBits > 64)
    return global.emitOpError("expected elements of at most 64 bits, got ")
           << type;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    int64_t size =
        value.getNumElements() * int64_t(llvm::divideCeil(numBits, 8));
    if (!blob || int64_t(blob->getData().size()) != size)
      return global.emitOpError("expected a resource of ")
             << size << " bytes, got "
             << (blob ? std::to_string(blob->getData().size()) : "none");
    data.append(blob->getData().data(), blob->getData().size());
    return success();
  }
  if (isa<FloatType>(type)) {
    auto values = value.tryGetValues<llvm::APFloat>();
    if (!values)
      return global.emitOpError("expected elements that are known");
    for (const llvm::APFloat &number : *values)
      append(number.bitcastToAPInt());
    return success();
  }
  auto values = value.tryGetValues<llvm::APInt>();
  if (!values)
    return global.emitOpError("expected elements that are known");
  for (const llvm::APInt &number : *values)
    append(number);
  return success();
}

SmallVector<memref::GlobalOp>
mlir::linalg_ext::getManifestConstants(ModuleOp module) {
  llvm::SetVector<Operation *> constants;
  for (auto func : module.getOps<func::FuncOp>())
    func.walk([&](memref::GetGlobalOp op) {
      // Numbers that calls take are in the manifest itself.
      bool isPassed = llvm::all_of(op->getUsers(), [](Operation *user) {
        return isa<memref::CastOp>(user) &&
               llvm::all_of(user->getUsers(), [](Operation *call) {
                 return !getCollective(call).empty();
               });
      });
      if (!isPassed)
        if (auto global = module.lookupSymbol<memref::GlobalOp>(op.getName()))
          constants.insert(global);
    });
  return llvm::map_to_vector(
      constants, [](Operation *op) { return cast<memref::GlobalOp>(op); });
}

/// The alignment of each constant.
static constexpr uint64_t kConstantAlignment = 256;

FailureOr<ManifestConstants>
mlir::linalg_ext::buildManifestConstants(ModuleOp module) {
  ManifestConstants constants;
  for (memref::GlobalOp global : getManifestConstants(module)) {
    auto value = dyn_cast_or_null<ElementsAttr>(
        global.getInitialValue().value_or(Attribute()));
    auto type = cast<MemRefType>(global.getType());
    if (!value)
      return global.emitOpError("expected a constant whose elements are known");
    if (!type.getLayout().isIdentity() ||
        !type.getElementType().isIntOrIndexOrFloat())
      return global.emitOpError("expected a constant of numbers with the "
                                "identity layout, got ")
             << type;
    constants.data.resize(
        llvm::alignTo(constants.data.size(), kConstantAlignment));
    constants.descriptions[global.getSymName()] =
        json::Object{{"type", getManifestElementName(type)},
                     {"shape", json::Array(type.getShape())},
                     {"offset", int64_t(constants.data.size())}};
    if (failed(appendElements(global, value, constants.data)))
      return failure();
  }
  return constants;
}
