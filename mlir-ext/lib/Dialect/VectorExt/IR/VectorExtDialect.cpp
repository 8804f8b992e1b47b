//===- VectorExtDialect.cpp - VectorExt dialect ---------------------------===//
//
// Registers the ops, the attributes and the instructions of the dialect, and
// verifies its discardable attributes. See VectorExtBase.td.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/HeldOperands.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::vector_ext;

#include "mlir-ext/Dialect/VectorExt/IR/VectorExtDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtTypes.cpp.inc"

void VectorExtDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtOps.cpp.inc"
      >();
  // Implemented in Distribution.
  declarePromisedInterfaces<LayoutOpInterface, SharedTileOp, ToLayoutOp,
                            WriteTileOp,
                            TransferGatherOp>();
  declarePromisedInterface<bufferization::BufferizableOpInterface,
                           TransferGatherOp>();
}

/// Checks a value of the attribute of formats.
static LogicalResult verifyFormats(Operation *op, Attribute value) {
  auto formats = dyn_cast<ArrayAttr>(value);
  if (formats && formats.size() == 2 &&
      llvm::all_of(formats, [](Attribute format) {
        auto type = dyn_cast<TypeAttr>(format);
        return type && isa<FloatType>(type.getValue()) &&
               type.getValue().getIntOrFloatBitWidth() == 8;
      }))
    return success();
  return op->emitError() << "expected '" << getFormatsAttrName()
                         << "' to be two types of floats of 8 bits, got "
                         << value;
}

LogicalResult VectorExtDialect::verifyOperationAttribute(Operation *op,
                                                         NamedAttribute attr) {
  if (attr.getName() == getBuffersAttrName()) {
    auto number = dyn_cast<IntegerAttr>(attr.getValue());
    if (!number || !number.getType().isInteger(64) || number.getInt() < 1)
      return op->emitError()
             << "expected '" << getBuffersAttrName()
             << "' to be a positive i64, got " << attr.getValue();
    if (op->getNumResults() != 1)
      return success();
    auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() ||
        type.getNumElements() % number.getInt() != 0)
      return op->emitError()
             << "expected '" << getBuffersAttrName()
             << "' of an allocation whose number of elements is "
                "a multiple of "
             << number.getInt() << ", got " << op->getResult(0).getType();
    return success();
  }
  for (const std::string &name :
       {getRingAttrName(), getSharesLookupsAttrName(), getSkipsRowsAttrName(),
        getShortSumsAttrName(), getContinuesAttrName()}) {
    if (attr.getName().getValue() != name)
      continue;
    if (isa<UnitAttr>(attr.getValue()))
      return success();
    return op->emitError() << "expected '" << name
                           << "' to be a unit attribute, got "
                           << attr.getValue();
  }
  if (attr.getName().getValue() == getUnsignedAttrName()) {
    auto which = dyn_cast<DenseBoolArrayAttr>(attr.getValue());
    if (which && which.size() == 2)
      return success();
    return op->emitError() << "expected '" << getUnsignedAttrName()
                           << "' to be two booleans, got " << attr.getValue();
  }
  if (attr.getName().getValue() == getFormatsAttrName())
    return verifyFormats(op, attr.getValue());
  if (attr.getName().getValue() == getUnusedBehindAttrName()) {
    auto dim = dyn_cast<IntegerAttr>(attr.getValue());
    auto read = dyn_cast<vector::TransferReadOp>(op);
    if (read && dim && dim.getType().isInteger(64) && dim.getInt() >= 0 &&
        dim.getInt() < read.getVectorType().getRank())
      return success();
    return op->emitError() << "expected '" << getUnusedBehindAttrName()
                           << "' to be a dimension (i64) of the vector of a "
                              "'vector.transfer_read', got "
                           << attr.getValue();
  }
  if (attr.getName().getValue() == getHoldsLeftAttrName()) {
    if (isa<UnitAttr>(attr.getValue()))
      return success();
    return op->emitError() << "expected '" << getHoldsLeftAttrName()
                           << "' to have no value, got " << attr.getValue();
  }
  if (attr.getName().getValue() == getKernelAttrName()) {
    if (parseKernelMark(attr.getValue()))
      return success();
    return op->emitError()
           << "expected '" << getKernelAttrName()
           << "' to have the integers 'number', 'slots' and 'threads', the "
              "boolean 'rotate' and the string 'way' (sync, async or roles), and at "
              "most the integers 'persist' and 'groups' besides, got "
           << attr.getValue();
  }
  if (attr.getName().getValue() == getRefusedAttrName()) {
    auto kernels = dyn_cast<ArrayAttr>(attr.getValue());
    if (kernels && llvm::all_of(kernels, [](Attribute kernel) {
          return parseKernelMark(kernel).has_value();
        }))
      return success();
    return op->emitError() << "expected '" << getRefusedAttrName()
                           << "' to be an array of values of '"
                           << getKernelAttrName() << "', got "
                           << attr.getValue();
  }
  if (attr.getName() != getConfigAttrName())
    return op->emitError() << "unknown attribute '" << attr.getName().getValue()
                           << "' of the dialect 'vector_ext', expected '"
                           << getConfigAttrName() << "' or '"
                           << getBuffersAttrName() << "'";
  auto config = dyn_cast<ContractConfigAttr>(attr.getValue());
  if (!config)
    return op->emitError() << "expected '" << getConfigAttrName()
                           << "' to be a #vector_ext.contract_config, got "
                           << attr.getValue();
  StringRef intrinsic = config.getIntrinsic().getValue();
  if (!lookupIntrinsic(intrinsic))
    return op->emitError() << "expected the name of a known instruction in '"
                           << getConfigAttrName() << "' ("
                           << llvm::join(getIntrinsicNames(), ", ")
                           << "), got '" << intrinsic << "'";
  return success();
}

void VectorExtDialect::addIntrinsic(MmaIntrinsic intrinsic) {
  std::string name = intrinsic.name;
  intrinsics.insert_or_assign(name, std::move(intrinsic));
}

const MmaIntrinsic *VectorExtDialect::lookupIntrinsic(StringRef name) const {
  auto it = intrinsics.find(name);
  return it == intrinsics.end() ? nullptr : &it->second;
}

SmallVector<StringRef> VectorExtDialect::getIntrinsicNames() const {
  SmallVector<StringRef> names(intrinsics.keys());
  llvm::sort(names);
  return names;
}
