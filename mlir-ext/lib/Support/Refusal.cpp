//===- Refusal.cpp - Why something is not done ----------------------------===//
//
// See Refusal.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/Refusal.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult Refusal::set(RefusalKind kind, Operation *op, const Twine &text) {
  *this = Refusal{kind, op, text.str()};
  assert(isSet() && "expected a reason");
  return failure();
}

LogicalResult Refusal::addContext(Operation *op, const Twine &context) {
  assert(isSet() && "expected a refusal to add to");
  return set(kind, op, context + text);
}
