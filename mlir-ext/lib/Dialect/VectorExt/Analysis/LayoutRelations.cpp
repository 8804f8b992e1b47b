//===- LayoutRelations.cpp - Relations of the layouts of one op -----------===//
//
// Each op has one deciding value, and the layouts of its other values follow
// from the layout of this value. This file has the rules for every op that can
// be distributed.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1;
}

/// Every thread has the whole vector.
static Layout getWholeLayout(ArrayRef<int64_t> shape, const Layout &like) {
  Layout result(like.getNumLanes(), like.getNumSubgroups());
  // The last dimension is the fastest.
  for (int64_t size : llvm::reverse(shape))
    result = result.broadcast(0, size);
  return result;
}

Value mlir::vector_ext::getDecidingValue(Operation *op) {
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return {};
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    return reduction.getSource();
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return reduction.getVector();
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return write.getVector();
  for (Value result : op->getResults())
    if (isVector(result))
      return result;
  for (Value operand : op->getOperands())
    if (isVector(operand))
      return operand;
  return {};
}

/// The layout of the mask of a transfer whose vector has `layout`: the
/// dimensions that are not broadcast, in the order of those of the memory.
static Layout getMaskLayout(AffineMap map, const Layout &layout) {
  SmallVector<bool> broadcast;
  SmallVector<std::pair<unsigned, unsigned>> dims;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    broadcast.push_back(!dim);
    if (dim)
      dims.emplace_back(dim.getPosition(), dims.size());
  }
  llvm::sort(dims);
  SmallVector<unsigned> perm(llvm::make_second_range(dims));
  return layout.project(broadcast).permute(perm);
}

/// The dimensions that `op` broadcasts: the leading ones, and those stretched
/// from size one.
static SmallVector<bool> getBroadcastDims(vector::BroadcastOp op) {
  auto source = dyn_cast<VectorType>(op.getSourceType());
  ArrayRef<int64_t> shape = op.getResultVectorType().getShape();
  SmallVector<bool> dims(shape.size(), true);
  if (source)
    for (int64_t i = 0; i < source.getRank(); ++i) {
      int64_t at = shape.size() - source.getRank() + i;
      dims[at] = source.getShape()[i] != shape[at];
    }
  return dims;
}

static Layout getBroadcastSourceLayout(vector::BroadcastOp op,
                                       const Layout &layout) {
  Layout projected = layout.project(getBroadcastDims(op));
  // Dimensions stretched from size one stay.
  auto source = cast<VectorType>(op.getSourceType());
  return *projected.reshape(source.getShape());
}

static SmallVector<bool> getReducedDims(Operation *op, unsigned rank) {
  auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
  if (!reduction)
    return SmallVector<bool>(rank, true);
  return reduction.getReductionMask();
}

static SmallVector<unsigned> getPermutation(vector::TransposeOp op) {
  return llvm::to_vector(llvm::map_range(
      op.getPermutation(), [](int64_t dim) { return unsigned(dim); }));
}

std::optional<Layout>
mlir::vector_ext::getOperandLayout(OpOperand &operand, const Layout &deciding) {
  Operation *op = operand.getOwner();
  auto type = cast<VectorType>(operand.get().getType());
  if (isElementwise(op))
    return deciding;
  return llvm::TypeSwitch<Operation *, std::optional<Layout>>(op)
      .Case<vector::BroadcastOp>([&](vector::BroadcastOp broadcast) {
        return getBroadcastSourceLayout(broadcast, deciding);
      })
      .Case<vector::TransposeOp>([&](vector::TransposeOp transpose) {
        SmallVector<unsigned> inverse(deciding.getRank());
        for (auto [i, dim] : llvm::enumerate(getPermutation(transpose)))
          inverse[dim] = i;
        return deciding.permute(inverse);
      })
      .Case<vector::ShapeCastOp>(
          [&](auto) { return deciding.reshape(type.getShape()); })
      .Case<vector::TransferReadOp, vector::TransferWriteOp>(
          [&](auto transfer) -> std::optional<Layout> {
            if (operand.get() == transfer.getMask())
              return getMaskLayout(transfer.getPermutationMap(), deciding);
            return deciding;
          })
      .Case<vector::GatherOp>([&](auto) { return deciding; })
      .Case<vector::MultiDimReductionOp>(
          [&](vector::MultiDimReductionOp reduction) {
            if (&operand == &reduction.getSourceMutable())
              return deciding;
            return deciding.project(
                getReducedDims(reduction, deciding.getRank()));
          })
      .Case<vector::ReductionOp>([&](auto) { return deciding; })
      .Case<vector::ContractionOp>(
          [&](vector::ContractionOp contract) -> std::optional<Layout> {
            ContractLayouts layouts =
                getScalarContractLayouts(contract, deciding);
            if (auto config = contract->getAttrOfType<ContractConfigAttr>(
                    VectorExtDialect::getConfigAttrName())) {
              std::string reason;
              FailureOr<ContractLayouts> configured = getContractLayouts(
                  contract, config,
                  {deciding.getNumLanes(), deciding.getNumSubgroups()}, reason);
              if (failed(configured))
                return std::nullopt;
              layouts = *configured;
            }
            if (&operand == &contract.getLhsMutable())
              return layouts.lhs;
            if (&operand == &contract.getRhsMutable())
              return layouts.rhs;
            return layouts.acc;
          })
      .Case<vector::ExtractOp>(
          [&](vector::ExtractOp extract) -> std::optional<Layout> {
            auto result = dyn_cast<VectorType>(extract.getType());
            if (!result)
              return getWholeLayout(type.getShape(), deciding);
            Layout whole = deciding;
            ArrayRef<int64_t> leading =
                type.getShape().drop_back(result.getRank());
            for (int64_t size : llvm::reverse(leading))
              whole = whole.broadcast(0, size);
            return whole;
          })
      .Case<vector::InsertOp>([&](vector::InsertOp insert) {
        if (&operand == &insert.getDestMutable())
          return deciding;
        // Threads that differ in the leading dimensions all have the source.
        SmallVector<bool> leading(deciding.getRank(), false);
        for (int64_t i = 0; i < insert.getNumIndices(); ++i)
          leading[i] = true;
        return deciding.project(leading);
      })
      .Default([](auto) { return std::nullopt; });
}

std::optional<Layout>
mlir::vector_ext::getResultLayout(OpResult result, const Layout &deciding) {
  Operation *op = result.getOwner();
  if (isa<vector::MultiDimReductionOp, vector::ReductionOp>(op))
    return deciding.project(getReducedDims(op, deciding.getRank()));
  if (getDecidingValue(op) == result)
    return deciding;
  return std::nullopt;
}

std::optional<Layout>
mlir::vector_ext::getDecidingLayout(OpOperand &operand, const Layout &layout) {
  Operation *op = operand.getOwner();
  if (isElementwise(op))
    return layout;
  return llvm::TypeSwitch<Operation *, std::optional<Layout>>(op)
      .Case<vector::TransposeOp>([&](vector::TransposeOp transpose) {
        return layout.permute(getPermutation(transpose));
      })
      .Case<vector::ShapeCastOp>([&](vector::ShapeCastOp cast) {
        return layout.reshape(cast.getResultVectorType().getShape());
      })
      .Case<vector::MultiDimReductionOp>(
          [&](vector::MultiDimReductionOp reduction) -> std::optional<Layout> {
            if (&operand == &reduction.getSourceMutable())
              return layout;
            return std::nullopt;
          })
      .Case<vector::ReductionOp>([&](auto) { return layout; })
      .Case<vector::InsertOp>(
          [&](vector::InsertOp insert) -> std::optional<Layout> {
            if (&operand == &insert.getDestMutable())
              return layout;
            return std::nullopt;
          })
      .Case<vector::TransferWriteOp>(
          [&](vector::TransferWriteOp write) -> std::optional<Layout> {
            if (operand.get() == write.getVector())
              return layout;
            return std::nullopt;
          })
      .Case<vector::ContractionOp>(
          [&](vector::ContractionOp contract) -> std::optional<Layout> {
            if (&operand == &contract.getAccMutable())
              return layout;
            return std::nullopt;
          })
      .Case<vector::ExtractOp>(
          [&](vector::ExtractOp extract) -> std::optional<Layout> {
            auto result = dyn_cast<VectorType>(extract.getType());
            if (!result)
              return layout;
            SmallVector<bool> leading(layout.getRank(), false);
            for (unsigned i = 0; i < layout.getRank() - result.getRank(); ++i)
              leading[i] = true;
            return layout.project(leading);
          })
      .Default([](auto) { return std::nullopt; });
}

std::optional<Layout>
mlir::vector_ext::getDecidingLayout(OpResult result, const Layout &layout) {
  if (getDecidingValue(result.getOwner()) == result)
    return layout;
  return std::nullopt;
}

/// A layout of `to` that can be reshaped to `from`, another shape of as many
/// elements. In row-major order, a digit must not end inside of a dimension of
/// either shape unless it divides it.
static Layout getReshapeLayout(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                               const Workgroup &workgroup) {
  SmallVector<int64_t> boundaries;
  int64_t elements = 1;
  for (ArrayRef<int64_t> shape : {from, to}) {
    elements = 1;
    for (int64_t size : llvm::reverse(shape))
      boundaries.push_back(elements *= size);
  }
  auto isCut = [&](int64_t place) {
    return elements % place == 0 && llvm::all_of(boundaries, [&](int64_t b) {
             return b % place == 0 || place % b == 0;
           });
  };
  int64_t registers = 1, lanes = 1, subgroups = 1;
  DimDigits digits;
  for (int64_t place = 1; place < elements;) {
    int64_t next = 2 * place;
    while (!isCut(next))
      next += place;
    int64_t size = next / place;
    auto add = [&](Axis axis, int64_t &taken) {
      digits.insert(digits.begin(), Digit{axis, size, taken});
      taken *= size;
    };
    if (workgroup.numLanes % (lanes * size) == 0)
      add(Axis::Lane, lanes);
    else if (workgroup.numSubgroups % (subgroups * size) == 0)
      add(Axis::Subgroup, subgroups);
    else
      add(Axis::Register, registers);
    place = next;
  }
  return *Layout::get(digits, workgroup.numLanes, workgroup.numSubgroups)
              ->reshape(to);
}

std::optional<Layout>
mlir::vector_ext::getPossibleLayout(Operation *op, const Workgroup &workgroup) {
  if (auto cast = dyn_cast<vector::ShapeCastOp>(op))
    return getReshapeLayout(cast.getSourceVectorType().getShape(),
                            cast.getResultVectorType().getShape(), workgroup);
  return std::nullopt;
}

static bool isRematerializable(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    return elements && elements.isSplat();
  }
  if (isa<vector::StepOp, vector::CreateMaskOp, vector::ConstantMaskOp,
          ub::PoisonOp>(op))
    return true;
  if (!isElementwise(op) && !isa<vector::BroadcastOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isVector(operand) || isRematerializable(operand, depth - 1);
  });
}

bool mlir::vector_ext::isRematerializable(Value value) {
  return ::isRematerializable(value, /*depth=*/6);
}
