//===- ContractSums.cpp - Operands and sums of instructions ---------------===//
//
// See ContractSums.h.
//
//===----------------------------------------------------------------------===//

#include "ContractSums.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

ContractConfigAttr mlir::vector_ext::getContractConfig(Operation *op) {
  return op->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
}

unsigned mlir::vector_ext::getResultPosition(AffineMap map, unsigned dim) {
  return *map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}

InstructionOperand mlir::vector_ext::getAccOperand(
    vector::ContractionOp op, const MmaIntrinsic &intrinsic,
    const ContractDims &dims, Distributor &distributor,
    const ElementOrder &columns) {
  AffineMap map = op.getIndexingMapsArray()[2];
  return {distributor.getDistributed(op.getAcc()),
          distributor.getLayout(op.getAcc()),
          intrinsic.acc,
          getResultPosition(map, dims.m),
          getResultPosition(map, dims.n),
          {},
          columns};
}

/// Builds the registers of the whole result.
static Value assembleSums(ImplicitLocOpBuilder &b,
                          const InstructionOperand &acc, Sums &sums) {
  SmallVector<Value> registers(acc.layout.getNumRegisters());
  for (auto &[at, sum] : sums)
    for (auto [i, reg] : llvm::enumerate(acc.getRegisters(at.first, at.second)))
      registers[reg] = extractRegister(b, sum, i);
  return vector::FromElementsOp::create(
      b,
      VectorType::get(
          {acc.layout.getNumRegisters()},
          cast<VectorType>(acc.registers.getType()).getElementType()),
      registers);
}

/// Returns whether the instructions of `op` start from zero, so that threads
/// add their sums to the accumulator.
static bool addsToAcc(vector::ContractionOp op) {
  Value acc = op.getAcc();
  while (auto anchor = acc.getDefiningOp<ToLayoutOp>())
    acc = anchor.getInput();
  return op->hasAttr(getShortSumsAttrName()) &&
         !matchPattern(acc, m_AnyZeroFloat());
}

int64_t mlir::vector_ext::getNumChains(vector::ContractionOp op, int64_t size) {
  return op->hasAttr(getShortSumsAttrName())
             ? llvm::divideCeilSigned(size, kShortSum)
             : 1;
}

void mlir::vector_ext::addSums(ImplicitLocOpBuilder &b, Sums &sums,
                               const Sums &later) {
  for (auto &[at, sum] : sums)
    sum = arith::AddFOp::create(b, sum, later.lookup(at));
}

Sums mlir::vector_ext::getZeroSums(ImplicitLocOpBuilder &b, const Sums &like) {
  Sums sums;
  for (auto &[at, sum] : like)
    sums[at] = arith::ConstantOp::create(b, b.getZeroAttr(sum.getType()));
  return sums;
}

Sums mlir::vector_ext::getInitialSums(ImplicitLocOpBuilder &b,
                                      vector::ContractionOp op,
                                      const InstructionOperand &acc,
                                      ArrayRef<int64_t> rows,
                                      ArrayRef<int64_t> columns) {
  Sums sums;
  for (int64_t m : rows)
    for (int64_t n : columns) {
      Value sum = extractRegisters(b, acc.registers, acc.getRegisters(m, n));
      sums[{m, n}] =
          addsToAcc(op)
              ? arith::ConstantOp::create(b, b.getZeroAttr(sum.getType()))
                    .getResult()
              : sum;
    }
  return sums;
}

Value mlir::vector_ext::finishSums(ImplicitLocOpBuilder &b,
                                   vector::ContractionOp op,
                                   const InstructionOperand &acc, Sums &sums) {
  if (addsToAcc(op))
    for (auto &[at, sum] : sums)
      sum = arith::AddFOp::create(
          b,
          extractRegisters(b, acc.registers,
                           acc.getRegisters(at.first, at.second)),
          sum);
  return assembleSums(b, acc, sums);
}

Sums mlir::vector_ext::takeSums(ImplicitLocOpBuilder &b,
                                vector::ContractionOp op,
                                const InstructionOperand &acc,
                                const MmaIntrinsic &intrinsic,
                                ValueRange finished) {
  Sums all;
  while (!finished.empty()) {
    Sums sums;
    for (int64_t m : acc.getOffsets(acc.first, intrinsic.m))
      for (int64_t n : acc.getOffsets(acc.second, intrinsic.n)) {
        sums[{m, n}] = finished.front();
        finished = finished.drop_front();
      }
    if (all.empty())
      all = std::move(sums);
    else
      addSums(b, all, sums);
  }
  return all;
}
