//===- ReturnLogSumExp.cpp - The log-sum-exp as a result ------------------===//
//
// Training, and merging of partial attention, need m + ln(l) of each row
// besides the result. The value becomes a result of the function, so this file
// changes the type of the function and then its calls.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the softmaxes of `func`, which must all be in its only block.
static FailureOr<SmallVector<SoftmaxOp>> findSoftmaxes(func::FuncOp func,
                                                       Refusal &refusal) {
  SmallVector<SoftmaxOp> softmaxes;
  func.walk([&](SoftmaxOp op) { softmaxes.push_back(op); });
  if (softmaxes.empty())
    return refusal.set(
        RefusalKind::Other, func,
        "expected a 'linalg_ext.softmax' in the function, got none: chains "
        "are to be raised before, and the softmax not to be fused or "
        "decomposed yet");
  for (SoftmaxOp softmax : softmaxes) {
    Operation *parent = softmax->getParentOp();
    if (parent != func)
      return refusal.set(
          RefusalKind::Other, softmax,
          "expected every softmax in the body of the function, got one in '" +
              parent->getName().getStringRef() +
              (isa<LoopLikeOpInterface>(parent)
                   ? "': ask for it before the softmax is fused"
                   : "'"));
    if (softmax.getOnline())
      return refusal.set(
          RefusalKind::Other, softmax,
          "expected every softmax to be of whole rows, got one that goes "
          "on from a state: ask for it before the softmax is fused");
    if (softmax->getNumResults() == 0)
      return refusal.set(RefusalKind::Other, softmax,
                         "expected every softmax on tensors, got one on "
                         "buffers");
  }
  if (!func.getBody().hasOneBlock())
    return refusal.set(RefusalKind::Other, func,
                       "expected a body of one block, got " +
                           std::to_string(func.getBody().getBlocks().size()));
  return softmaxes;
}

/// Returns the calls of `func`, if nothing else refers to it.
static FailureOr<SmallVector<func::CallOp>> findCalls(func::FuncOp func,
                                                      Refusal &refusal) {
  SmallVector<func::CallOp> calls;
  Operation *scope = SymbolTable::getNearestSymbolTable(func->getParentOp());
  if (!scope)
    return calls;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(func, scope);
  if (!uses)
    return refusal.set(
        RefusalKind::Other, func,
        "expected only ops whose symbols are known around the function");
  for (SymbolTable::SymbolUse use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call)
      return refusal.set(RefusalKind::Other, use.getUser(),
                         "expected only calls of the function, got '" +
                             use.getUser()->getName().getStringRef().str() +
                             "'");
    calls.push_back(call);
  }
  return calls;
}

FailureOr<SmallVector<Value>>
mlir::linalg_ext::returnLogSumExp(RewriterBase &rewriter, func::FuncOp func,
                                  Refusal &refusal) {
  FailureOr<SmallVector<SoftmaxOp>> softmaxes = findSoftmaxes(func, refusal);
  if (failed(softmaxes))
    return failure();
  FailureOr<SmallVector<func::CallOp>> calls = findCalls(func, refusal);
  if (failed(calls))
    return failure();

  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> values;
  for (SoftmaxOp softmax : *softmaxes) {
    rewriter.setInsertionPointAfter(softmax);
    values.push_back(buildLogSumExp(rewriter, softmax.getLoc(),
                                    softmax->getResult(1),
                                    softmax->getResult(2)));
  }

  Operation *ret = func.getBody().front().getTerminator();
  rewriter.modifyOpInPlace(
      ret, [&] { ret->insertOperands(ret->getNumOperands(), values); });
  SmallVector<unsigned> numbers(values.size(), func.getNumResults());
  SmallVector<DictionaryAttr> attrs(values.size());
  rewriter.modifyOpInPlace(func, [&] {
    (void)func.insertResults(numbers, TypeRange(ValueRange(values)), attrs);
  });

  for (func::CallOp call : *calls) {
    rewriter.setInsertionPoint(call);
    auto newCall =
        func::CallOp::create(rewriter, call.getLoc(), func, call.getOperands());
    newCall->setDiscardableAttrs(call->getDiscardableAttrDictionary());
    rewriter.replaceOp(call,
                       newCall.getResults().take_front(call.getNumResults()));
  }
  return values;
}

LogicalResult mlir::linalg_ext::returnLogSumExps(RewriterBase &rewriter,
                                                 Operation *module) {
  SmallVector<func::FuncOp> funcs;
  module->walk([&](func::FuncOp func) {
    WalkResult found =
        func.walk([](SoftmaxOp) { return WalkResult::interrupt(); });
    if (found.wasInterrupted())
      funcs.push_back(func);
  });
  if (funcs.empty())
    return module->emitError()
           << "cannot return the log-sum-exp: expected a 'linalg_ext.softmax' "
              "in the module, got none: chains are to be raised before, and "
              "the "
              "softmax not to be fused or decomposed yet";
  for (func::FuncOp func : funcs) {
    Refusal refusal;
    if (succeeded(returnLogSumExp(rewriter, func, refusal)))
      continue;
    InFlightDiagnostic diag =
        func.emitError() << "cannot return the log-sum-exp: " << refusal.text;
    if (isa_and_nonnull<SoftmaxOp>(refusal.op))
      diag.attachNote(refusal.op->getLoc()) << "it is this one";
    return failure();
  }
  return success();
}
