//===- RepairableOpInterface.cpp ------------------------------------------===//

#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.cpp.inc"
