//===- OnlineReductionOpInterface.cpp -------------------------------------===//
//
// The generated code of the interface. See OnlineReductionOpInterface.td.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.cpp.inc"
