//===- Collective.h - Calls by which processes communicate ------*- C++ -*-===//
//
// A declaration of a function that several processes call together has the
// attribute `collective`. Its value is what the function does, such as
// "all_reduce". docs/Sharding.md has the functions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_COLLECTIVE_H
#define MLIR_EXT_SUPPORT_COLLECTIVE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace mlir::linalg_ext {

inline constexpr StringRef kCollectiveAttrName = "collective";

/// Returns what `op` does if it calls such a function, or an empty string.
inline StringRef getCollective(Operation *op) {
  auto call = dyn_cast_or_null<CallOpInterface>(op);
  Operation *callee = call ? call.resolveCallable() : nullptr;
  auto name =
      callee ? callee->getAttrOfType<StringAttr>(kCollectiveAttrName) : nullptr;
  return name ? name.getValue() : StringRef();
}

/// Returns whether processes exchange parts while `op` runs: a call before it
/// has started to pass them, and no call in between has waited for them.
inline bool arePartsTravelling(Operation *op) {
  for (; op && op->getBlock(); op = op->getParentOp())
    for (Operation *before = op; before; before = before->getPrevNode()) {
      StringRef collective = getCollective(before);
      if (collective == "pass_start" || collective == "pass_wait")
        return collective == "pass_start";
    }
  return false;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_COLLECTIVE_H
