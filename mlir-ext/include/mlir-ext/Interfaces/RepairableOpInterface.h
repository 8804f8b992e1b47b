//===- RepairableOpInterface.h - Repairable accumulations -------*- C++ -*-===//
//
// See RepairableOpInterface.td for the contract.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE_H
#define MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE_H

#include "mlir-ext/Interfaces/Repair.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h.inc"

#endif // MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE_H
