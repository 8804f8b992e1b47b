//===- OnlineReductionOpInterface.h - Online reductions ---------*- C++ -*-===//
//
// See OnlineReductionOpInterface.td for the contract.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE_H
#define MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE_H

#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/OpDefinition.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h.inc"

#endif // MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE_H
