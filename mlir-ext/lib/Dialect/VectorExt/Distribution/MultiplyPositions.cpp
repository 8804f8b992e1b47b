//===- MultiplyPositions.cpp - Products of positions by instructions ------===//
//
// A bias may be a position times a number, such as the distance of two tokens
// times a slope. Threads take an instruction for each element of it. But where
// the position is p + e i + d j in row i and column j of a tile, the bias
//
//     s (p + e i + d j) = s (d j) + (s e i) 1 + (s p) 1
//
// is a matrix product that sums few terms. An asynchronous instruction computes
// it, and the product that starts from the bias continues its sums.
//
// All factors are exact in bf16, which has the exponents of f32:
//
//   - A number of f32 is a sum of three parts of bf16, of 8 bits each. They are
//     columns of the left operand, which threads have in registers:
//
//       column    0   1   8    2   3  10    4   5  12    others
//                 s            s e i        s p          0
//
//     Thread t of four has columns 2 t, 2 t + 1, 2 t + 8 and 2 t + 9, so each
//     of its registers has the same part in all threads. Only s p changes from
//     tile to tile, and it is the same in all rows.
//   - d j is an integer of at most 8 bits, or 2^8. The right operand has it in
//     columns 0, 1, 8 and 9, and 1 in all others. It does not depend on where
//     the tile is, so it is written to shared memory once, as the kernel
//     starts.
//
// So s p and s e i are rounded once, as in the sums that threads compute (the
// step `floats` of linalg-ext-gpu-narrow-integers), and the instruction adds
// exact products.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/MultiplyPositions.h"
#include "PositionOperands.h"
#include "StepsOfPositions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/MmaChains.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

/// Integers up to this magnitude are exact in bf16.
static constexpr int64_t kMostExact = 256;

//===----------------------------------------------------------------------===//
// Biases
//===----------------------------------------------------------------------===//

namespace {
/// A product of scores that starts from positions times a number.
struct Bias {
  vector::ContractionOp contract;
  /// The positions, a vector of integers [rows, columns], and their differences
  /// from row to row and from column to column.
  Value positions;
  int64_t rowStep, step;
  /// The number, or a vector in which all elements are the same constant.
  Value factor;
  /// The instruction for the product of positions.
  StringRef intrinsic;
};
} // namespace

/// Returns the name of an instruction like `of` that multiplies bf16, or an
/// empty one.
static StringRef findIntrinsic(MLIRContext *context, const MmaIntrinsic &of) {
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  for (StringRef name : dialect->getIntrinsicNames()) {
    const MmaIntrinsic *known = dialect->lookupIntrinsic(name);
    if (known->isAsynchronous && !known->hasShortSums &&
        known->keepsSubnormals && known->k == kPositionColumns &&
        areChained(*known, of, context) && known->lhsType(context).isBF16() &&
        known->rhsType(context).isBF16())
      return name;
  }
  return {};
}

static std::optional<Bias> getBias(vector::ContractionOp contract) {
  const MmaIntrinsic *intrinsic = getAsyncIntrinsic(contract);
  auto type = dyn_cast<VectorType>(contract.getResultType());
  auto product = contract.getAcc().getDefiningOp<arith::MulFOp>();
  if (!intrinsic || !type || type.getRank() != 2 ||
      !type.getElementType().isF32() || !product ||
      !bitEnumContainsAll(product.getFastmath(),
                          arith::FastMathFlags::reassoc) ||
      contract->hasAttr(getShortSumsAttrName()) ||
      contract->hasAttr(getContinuesAttrName()))
    return std::nullopt;
  // Its rows are those of the left operand.
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  if (!maps[0].getResultPosition(maps[2].getResult(0)) ||
      !maps[1].getResultPosition(maps[2].getResult(1)))
    return std::nullopt;
  StringRef name = findIntrinsic(contract.getContext(), *intrinsic);
  for (unsigned i : {0, 1}) {
    auto floats = product->getOperand(i).getDefiningOp<arith::SIToFPOp>();
    Value factor = product->getOperand(1 - i);
    if (auto broadcast = factor.getDefiningOp<vector::BroadcastOp>();
        broadcast && !isa<VectorType>(broadcast.getSourceType()))
      factor = broadcast.getSource();
    else if (APFloat constant(0.0f);
             !matchPattern(factor, m_ConstantFloat(&constant)))
      continue;
    if (!floats || name.empty())
      continue;
    std::optional<int64_t> rowStep = getStep(floats.getIn(), /*dim=*/0),
                           step = getStep(floats.getIn(), /*dim=*/1);
    if (rowStep && step &&
        std::abs(*step) * (type.getDimSize(1) - 1) <= kMostExact)
      return Bias{contract, floats.getIn(), *rowStep, *step, factor, name};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

/// Moves what computes `value` in front of `loop`, if it is the same in all
/// iterations. Returns whether it is.
static bool moveInFront(RewriterBase &b, Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
      !isPure(op) || !llvm::all_of(op->getOperands(), [&](Value operand) {
        return moveInFront(b, operand, loop);
      }))
    return false;
  b.moveOpBefore(op, loop);
  return true;
}

/// Lets the product of `bias` start from one with `right`.
static void rewrite(RewriterBase &b, const Bias &bias, Value right) {
  vector::ContractionOp contract = bias.contract;
  Location loc = contract.getLoc();
  auto type = cast<VectorType>(contract.getResultType());
  b.setInsertionPoint(contract);
  Value factor = bias.factor;
  if (APFloat constant(0.0f); matchPattern(factor, m_ConstantFloat(&constant)))
    factor = arith::ConstantOp::create(
        b, loc, b.getF32FloatAttr(constant.convertToFloat()));
  Value start = buildFirst(b, buildFirst(b, bias.positions, /*dim=*/1),
                           /*dim=*/0);
  auto loop = dyn_cast<scf::ForOp>(contract->getParentOp());
  if (loop && moveInFront(b, factor, loop))
    b.setInsertionPoint(loop);
  LeftOperand operand(b, loc, type.getDimSize(0));
  Value fixed = operand.buildFixed(factor, bias.rowStep);
  b.setInsertionPoint(contract);
  Value left = operand.build(fixed, factor, start);
  AffineExpr m, n, k;
  bindDims(b.getContext(), m, n, k);
  auto getMap = [&](AffineExpr row, AffineExpr column) {
    return AffineMap::get(3, 0, {row, column}, b.getContext());
  };
  auto sums = vector::ContractionOp::create(
      b, loc, left, right,
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type)),
      b.getAffineMapArrayAttr({getMap(m, k), getMap(n, k), getMap(m, n)}),
      b.getArrayAttr({vector::IteratorTypeAttr::get(
                          b.getContext(), vector::IteratorType::parallel),
                      vector::IteratorTypeAttr::get(
                          b.getContext(), vector::IteratorType::parallel),
                      vector::IteratorTypeAttr::get(
                          b.getContext(), vector::IteratorType::reduction)}),
      vector::CombiningKind::ADD);
  auto config = contract->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  sums->setAttr(VectorExtDialect::getConfigAttrName(),
                ContractConfigAttr::get(
                    b.getContext(), b.getStringAttr(bias.intrinsic),
                    config.getSubgroups(), /*promote=*/{}, /*runs=*/{}));
  b.modifyOpInPlace(contract, [&] {
    contract.getAccMutable().assign(sums.getResult());
    contract->setAttr(getContinuesAttrName(), b.getUnitAttr());
  });
}

/// Returns whether `launch` has room for right operands of `bytes` bytes.
static bool hasRoom(gpu::LaunchOp launch, const linalg_ext::GPUTarget &target,
                    int64_t bytes) {
  // Barriers take no more than the size of the reserve.
  bytes += target.reservedSharedBytes;
  launch.walk([&](Operation *op) {
    if (auto ring = dyn_cast<RingCreateOp>(op))
      bytes += ring.getType().getSlots() * ring.getType().getSlotBytes();
    if (auto store = dyn_cast<StoreTileOp>(op))
      bytes += store.getLayout().getLayout().getSizeInBytes();
  });
  return bytes <= target.sharedBytes;
}

FailureOr<int64_t> mlir::vector_ext::multiplyPositions(RewriterBase &rewriter,
                                                       gpu::LaunchOp launch,
                                                       Refusal &refusal) {
  const TileCopies &copies = launch.getContext()
                                 ->getLoadedDialect<VectorExtDialect>()
                                 ->getTileCopies();
  auto roles = launch.getBody().front().getOps<RoleOp>();
  // In other loops, threads would wait for one more instruction.
  std::optional<KernelMark> mark = getKernelMark(launch);
  if (roles.empty() || !copies.fence || (mark && !mark->rotate))
    return 0;
  SmallVector<Bias> biases;
  llvm::SmallDenseSet<std::pair<int64_t, int64_t>> different;
  int64_t bytes = 0;
  launch.walk([&](vector::ContractionOp contract) {
    std::optional<Bias> bias = getBias(contract);
    if (!bias || !contract->getParentOfType<RoleOp>())
      return;
    biases.push_back(*bias);
    int64_t rows = cast<VectorType>(contract.getResultType()).getDimSize(1);
    if (different.insert({rows, bias->step}).second)
      bytes += RightOperands::getLayout(rows).getSizeInBytes();
  });
  if (biases.empty())
    return 0;
  FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
  if (failed(target))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  if (!hasRoom(launch, *target, bytes))
    return 0;
  RightOperands operands(rewriter, launch, copies);
  for (Bias &bias : biases) {
    auto type = cast<VectorType>(bias.contract.getResultType());
    rewrite(rewriter, bias,
            operands.get(bias.contract->getParentOfType<RoleOp>(),
                         type.getDimSize(1), bias.step));
  }
  return biases.size();
}
