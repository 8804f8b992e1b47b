//===- Comparisons.cpp - Predicates of comparisons ------------------------===//
//
// See Comparisons.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/Comparisons.h"

using namespace mlir;
using arith::CmpIPredicate;

CmpIPredicate mlir::linalg_ext::swapOperands(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::eq:
  case CmpIPredicate::ne:
    return predicate;
  case CmpIPredicate::slt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::sle:
    return CmpIPredicate::sge;
  case CmpIPredicate::sgt:
    return CmpIPredicate::slt;
  case CmpIPredicate::sge:
    return CmpIPredicate::sle;
  case CmpIPredicate::ult:
    return CmpIPredicate::ugt;
  case CmpIPredicate::ule:
    return CmpIPredicate::uge;
  case CmpIPredicate::ugt:
    return CmpIPredicate::ult;
  case CmpIPredicate::uge:
    return CmpIPredicate::ule;
  }
  llvm_unreachable("unknown predicate");
}

CmpIPredicate mlir::linalg_ext::makeSigned(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::ult:
    return CmpIPredicate::slt;
  case CmpIPredicate::ule:
    return CmpIPredicate::sle;
  case CmpIPredicate::ugt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::uge:
    return CmpIPredicate::sge;
  default:
    return predicate;
  }
}
