//===- RepairableOpInterface.cpp ------------------------------------------===//
//
// The generated code of the interface. See RepairableOpInterface.td.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.cpp.inc"
