//===- Indexing.cpp - affine maps -----------------------------------------===//
//
// Ops of affine that compute indices. Its loops and branches are in
// ControlFlow.cpp, its accesses in MemRef.cpp.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

/// The value of an expression; divisors are positive, or the result is 0.
static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                        ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), dims, symbols);
  int64_t rhs = evaluate(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return rhs > 0 ? llvm::mod(lhs, rhs) : 0;
  case AffineExprKind::FloorDiv:
    return rhs > 0 ? llvm::divideFloorSigned(lhs, rhs) : 0;
  case AffineExprKind::CeilDiv:
    return rhs > 0 ? llvm::divideCeilSigned(lhs, rhs) : 0;
  default:
    llvm_unreachable("not a binary expression");
  }
}

SmallVector<int64_t> simt::evaluate(AffineMap map, ArrayRef<int64_t> operands) {
  ArrayRef<int64_t> dims = operands.take_front(map.getNumDims());
  ArrayRef<int64_t> symbols = operands.drop_front(map.getNumDims());
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(::evaluate(expr, dims, symbols));
  return results;
}

/// One result of a map's results.
template <typename OpT, typename F>
static LogicalResult runMap(OpT op, Machine &machine, F choose) {
  AffineMap map = op.getMap();
  SmallVector<const Register *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&machine.get(operand));
  return machine.compute(op->getResult(0), op->getOperands(), 1,
                         [&](int thread, uint64_t *result) {
                           SmallVector<int64_t> values;
                           for (const Register *operand : operands)
                             values.push_back(operand->signedAt(thread));
                           *result = static_cast<uint64_t>(
                               choose(evaluate(map, values)));
                           return success();
                         });
}

static LogicalResult runApply(affine::AffineApplyOp op, Machine &machine) {
  return runMap(op, machine, [](ArrayRef<int64_t> r) { return r.front(); });
}
static LogicalResult runMin(affine::AffineMinOp op, Machine &machine) {
  return runMap(op, machine,
                [](ArrayRef<int64_t> r) { return *llvm::min_element(r); });
}
static LogicalResult runMax(affine::AffineMaxOp op, Machine &machine) {
  return runMap(op, machine,
                [](ArrayRef<int64_t> r) { return *llvm::max_element(r); });
}

/// The basis of one thread; the outermost size may be left out and is then 1.
static FailureOr<SmallVector<int64_t>> getBasis(Operation *op, Machine &machine,
                                                ArrayRef<OpFoldResult> mixed,
                                                size_t count, int thread) {
  SmallVector<int64_t> basis;
  if (mixed.size() < count)
    basis.push_back(1);
  for (OpFoldResult size : mixed) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    basis.push_back(constant ? *constant
                             : machine.get(cast<Value>(size)).signedAt(thread));
    if (basis.back() <= 0)
      return machine.error(op, thread)
             << "expected a positive basis, got " << basis.back();
  }
  return basis;
}

static LogicalResult runDelinearize(affine::AffineDelinearizeIndexOp op,
                                    Machine &machine) {
  size_t count = op.getNumResults();
  SmallVector<std::shared_ptr<Register>> results;
  bool uniform = llvm::all_of(op->getOperands(),
                              [&](Value v) { return machine.get(v).uniform; });
  for (size_t i = 0; i < count; ++i)
    results.push_back(machine.make(1, uniform));
  const Register &linear = machine.get(op.getLinearIndex());
  for (int thread : machine.active()) {
    FailureOr<SmallVector<int64_t>> basis =
        getBasis(op, machine, op.getMixedBasis(), count, thread);
    if (failed(basis))
      return failure();
    int64_t rest = linear.signedAt(thread);
    for (size_t i = count; i-- > 1;) {
      *results[i]->at(thread) = llvm::mod(rest, (*basis)[i]);
      rest = llvm::divideFloorSigned(rest, (*basis)[i]);
    }
    *results[0]->at(thread) = rest;
  }
  for (size_t i = 0; i < count; ++i)
    machine.set(op.getResult(i), results[i]);
  return success();
}

static LogicalResult runLinearize(affine::AffineLinearizeIndexOp op,
                                  Machine &machine) {
  return machine.compute(
      op.getResult(), op->getOperands(), 1,
      [&](int thread, uint64_t *result) -> LogicalResult {
        ValueRange indices = op.getMultiIndex();
        FailureOr<SmallVector<int64_t>> basis =
            getBasis(op, machine, op.getMixedBasis(), indices.size(), thread);
        if (failed(basis))
          return failure();
        int64_t linear = 0;
        for (auto [index, size] : llvm::zip_equal(indices, *basis))
          linear = linear * size + machine.get(index).signedAt(thread);
        *result = linear;
        return success();
      });
}

void simt::populateIndexing(Handlers &handlers) {
  handlers.add<affine::AffineApplyOp>(runApply);
  handlers.add<affine::AffineMinOp>(runMin);
  handlers.add<affine::AffineMaxOp>(runMax);
  handlers.add<affine::AffineDelinearizeIndexOp>(runDelinearize);
  handlers.add<affine::AffineLinearizeIndexOp>(runLinearize);
}
