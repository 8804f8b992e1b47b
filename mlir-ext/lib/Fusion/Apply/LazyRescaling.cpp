//===- LazyRescaling.cpp - Rescales only when needed ----------------------===//
//
// Builds a select that keeps the old state if the tile changes it by at most
// the threshold, and conditional repairs. See LazyRescaling.h.
//
//===----------------------------------------------------------------------===//

#include "LazyRescaling.h"

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::rescaleLazily(RewriterBase &rewriter, Operation *tile,
                                     const PlannedState &state) {
  // An online reduction keeps its old state itself.
  if (!state.rescaleThreshold || isa<OnlineReductionOpInterface>(tile))
    return;
  Accumulation accumulation =
      *cast<RepairableOpInterface>(tile).getAccumulation();
  OpResult moved = tile->getResult(accumulation.resultNumber);
  Value old =
      cast<DestinationStyleOpInterface>(tile).getTiedOpOperand(moved)->get();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(tile);
  auto type = cast<RankedTensorType>(moved.getType());
  AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto lazy = linalg::GenericOp::create(
      rewriter, tile->getLoc(), type, old, moved, ArrayRef<AffineMap>{map, map},
      iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        // The comparison is false if the distance is NaN, for example for -inf
        // and -inf.
        bool grows = accumulation.kind == AccumulationKind::Max;
        Value distance = arith::SubFOp::create(b, loc, args[grows ? 1 : 0],
                                               args[grows ? 0 : 1]);
        Value limit = arith::ConstantOp::create(
            b, loc,
            b.getFloatAttr(distance.getType(), *state.rescaleThreshold));
        Value stays = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE,
                                            distance, limit);
        Value value = arith::SelectOp::create(b, loc, stays, args[0], args[1]);
        linalg::YieldOp::create(b, loc, value);
      });
  rewriter.replaceAllUsesExcept(moved, lazy.getResult(0), lazy);
}

/// Builds the condition that `element` of a repair is not the identity of
/// `kind`.
static Value buildIsMoved(OpBuilder &b, Location loc, RepairKind kind,
                          Value element) {
  double identity = kind == RepairKind::Scale ? 1.0 : 0.0;
  Value same = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(element.getType(), identity));
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, element,
                               same);
}

/// Builds a select for each element: `repaired` if the element of `rho`, which
/// acts along `accDims`, is not the identity of `kind`, and `accumulated` if it
/// is.
static Value buildWhereMoved(OpBuilder &b, Location loc, RepairKind kind,
                             Value rho, ArrayRef<int64_t> accDims,
                             Value repaired, Value accumulated) {
  auto type = cast<RankedTensorType>(accumulated.getType());
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> maps{
      identity.getSubMap(llvm::to_vector_of<unsigned>(accDims)), identity,
      identity};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, ValueRange{rho, repaired}, accumulated, maps,
             iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value isMoved = buildIsMoved(b, loc, kind, args[0]);
               Value value =
                   arith::SelectOp::create(b, loc, isMoved, args[1], args[2]);
               linalg::YieldOp::create(b, loc, value);
             })
      .getResult(0);
}

/// Builds the condition that some element of `rho` is not the identity of
/// `kind`.
static Value buildIsAnyMoved(OpBuilder &b, Location loc, RepairKind kind,
                             Value rho) {
  auto type = cast<RankedTensorType>(rho.getType());
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  Value any =
      tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>(), b.getI1Type());
  any = linalg::FillOp::create(b, loc, no, any).getResult(0);
  int64_t rank = type.getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(rank),
                              AffineMap::get(rank, 0, b.getContext())};
  any = linalg::GenericOp::create(
            b, loc, any.getType(), rho, any, maps, iterators,
            [&](OpBuilder &b, Location loc, ValueRange args) {
              Value isMoved = buildIsMoved(b, loc, kind, args[0]);
              Value either = arith::OrIOp::create(b, loc, args[1], isMoved);
              linalg::YieldOp::create(b, loc, either);
            })
            .getResult(0);
  return tensor::ExtractOp::create(b, loc, any, ValueRange());
}

Value mlir::linalg_ext::applyRepair(OpBuilder &b, RepairableOpInterface op,
                                    const PlannedFactor &factor,
                                    const BuiltRepair &built,
                                    Value accumulated) {
  RepairKind kind = factor.value.degree.kind;
  Location loc = op.getLoc();
  auto apply = [&](OpBuilder &b) {
    return op.applyRepair(b, loc, kind, accumulated, built.rho, built.accDims);
  };
  if (!factor.conditional)
    return apply(b);
  if (factor.ofElements)
    return buildWhereMoved(b, loc, kind, built.rho, built.accDims, apply(b),
                           accumulated);
  Value isAnyMoved = buildIsAnyMoved(b, loc, kind, built.rho);
  return scf::IfOp::create(
             b, loc, isAnyMoved,
             [&](OpBuilder &b, Location loc) {
               scf::YieldOp::create(b, loc, apply(b));
             },
             [&](OpBuilder &b, Location loc) {
               scf::YieldOp::create(b, loc, accumulated);
             })
      .getResult(0);
}
