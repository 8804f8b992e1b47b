//===- OnlineReductionOpInterface.cpp -------------------------------------===//

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.cpp.inc"
